//===- OperationCases.cpp - modules of one operation ----------------------===//
#include "tools/compile/OperationCases.h"

#include "dialect/Attnres.h"
#include "support/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace attnres;

namespace {

/// Writes modules whose @main is one operation. Arguments are called a0, a1,
/// ..., results r0, r1, ....
class OperationWriter {
public:
  explicit OperationWriter(bool bf16) : bf16(bf16), builder(&context) {
    context.loadDialect<AttnresDialect, func::FuncDialect>();
  }

  /// Of activations.
  Type storage(ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, bf16 ? Type(builder.getBF16Type())
                                               : builder.getF32Type());
  }
  Type f32(ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, builder.getF32Type());
  }
  Type indices(ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, builder.getI64Type());
  }
  FloatAttr real(double value) { return builder.getF64FloatAttr(value); }

  /// `create(arguments)` makes the operation. Result i is written to argument
  /// updates[i], where there is one and it is not negative.
  std::string write(TypeRange arguments,
                    function_ref<Operation *(ValueRange)> create,
                    ArrayRef<int64_t> updates = {}) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, loc, "main", builder.getFunctionType(arguments, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    ValueRange results = create(function.getArguments())->getResults();
    func::ReturnOp::create(builder, loc, results);
    function.setType(builder.getFunctionType(arguments, results.getTypes()));
    for (unsigned i = 0; i < arguments.size(); ++i) {
      function.setArgAttr(i, kNameAttr, name("a", i));
      function.setArgAttr(i, kRoleAttr, RoleAttr::get(&context, Role::Input));
    }
    for (unsigned i = 0; i < results.size(); ++i) {
      function.setResultAttr(i, kNameAttr, name("r", i));
      if (i < updates.size() && updates[i] >= 0)
        function.setResultAttr(i, kUpdatesAttr,
                               builder.getI64IntegerAttr(updates[i]));
    }
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

  bool bf16;
  MLIRContext context;
  OpBuilder builder;
  Location loc = UnknownLoc::get(&context);

private:
  StringAttr name(const Twine &prefix, unsigned index) {
    return builder.getStringAttr(prefix + Twine(index));
  }
};

/// "2048x256".
std::string label(ArrayRef<int64_t> extents) {
  std::string text;
  for (int64_t extent : extents)
    text += concat(text.empty() ? "" : "x", extent);
  return text;
}

/// Numbers below `count`.
InputRange below(int64_t count) { return {0, static_cast<double>(count)}; }

/// What is read once for each token that is generated is as large as this, by
/// the number of texts: more than caches hold.
constexpr int64_t kDecodedBytes = 128 << 20;

std::vector<OperationCase> matmulCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t m = shape[0], k = shape[1], n = shape[2];
  Type x = w.storage({m, k}), y = w.storage({m, n}), weight = w.storage({n, k});
  return {{concat("linear ", label({m, k}), " to ", n),
           w.write({x, weight},
                   [&](ValueRange a) {
                     return LinearOp::create(w.builder, w.loc, a[0], a[1],
                                             Value());
                   }),
           Bound::Products},
          {concat("its weight gradient, ", label({n, k})),
           w.write({y, x},
                   [&](ValueRange a) {
                     return MatmulOp::create(w.builder, w.loc, w.f32({n, k}),
                                             a[0], a[1], /*init=*/Value(),
                                             /*transpose_lhs=*/true,
                                             /*transpose_rhs=*/false);
                   }),
           Bound::Products}};
}

std::vector<OperationCase> attentionCases(const attnres::Shape &shape,
                                          bool bf16) {
  OperationWriter w(bf16);
  Type q = w.storage(shape), lse = w.f32(ArrayRef(shape).drop_back());
  std::string sizes = concat("B", shape[0], " T", shape[1], " H", shape[2],
                             " D", shape[3], " causal");
  return {{"attention " + sizes,
           w.write({q, q, q},
                   [&](ValueRange a) {
                     return AttentionOp::create(w.builder, w.loc, a[0], a[1],
                                                a[2], /*start=*/Value(),
                                                /*documents=*/Value(),
                                                /*causal=*/true,
                                                /*scale=*/FloatAttr());
                   }),
           Bound::Arithmetic},
          {"its backward " + sizes,
           w.write({q, q, q, q, lse, q},
                   [&](ValueRange a) {
                     return AttentionBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], a[3], a[4], a[5],
                         /*lse_grad=*/Value(), /*documents=*/Value(),
                         /*causal=*/true, /*scale=*/FloatAttr());
                   }),
           Bound::Arithmetic}};
}

std::vector<OperationCase> depthCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t count = shape[0], rows = shape[1], width = shape[2];
  Type v = w.storage({rows, width}), vector = w.f32({width}),
       lse = w.f32({rows});
  std::string sizes = concat(count, " sources ", label({rows, width}));
  SmallVector<Type> arguments{vector, vector};
  arguments.append(count, v);
  OperationCase forward{"depth attention " + sizes,
                        w.write(arguments,
                                [&](ValueRange a) {
                                  return DepthAttentionOp::create(
                                      w.builder, w.loc, a[0], a[1],
                                      a.drop_front(2), w.real(1e-8));
                                }),
                        Bound::Copying};
  arguments.append({lse, v});
  OperationCase backward{
      "its backward " + sizes,
      w.write(arguments,
              [&](ValueRange a) {
                ValueRange sources = a.drop_front(2).drop_back(2);
                return DepthAttentionBackwardOp::create(
                    w.builder, w.loc, a[0], a[1], sources, a[count + 2],
                    a[count + 3], /*lse_grads=*/ValueRange(),
                    /*accumulators=*/ValueRange(), w.real(1e-8),
                    /*partials=*/IntegerAttr());
              }),
      Bound::Copying};
  return {forward, backward};
}

std::vector<OperationCase> normCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  Type x = w.storage(shape), g = w.f32({shape[1]});
  std::string sizes = label(shape);
  return {{"RMSNorm " + sizes,
           w.write({x, g},
                   [&](ValueRange a) {
                     return RMSNormOp::create(w.builder, w.loc, a[0], a[1],
                                              w.real(1e-6));
                   }),
           Bound::Copying},
          {"its backward " + sizes,
           w.write({x, g, x},
                   [&](ValueRange a) {
                     return RMSNormBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], w.real(1e-6),
                         /*partials=*/IntegerAttr());
                   }),
           Bound::Copying},
          {"LayerNorm " + sizes,
           w.write({x, g, g},
                   [&](ValueRange a) {
                     return LayerNormOp::create(w.builder, w.loc, a[0], a[1],
                                                a[2], w.real(1e-5));
                   }),
           Bound::Copying},
          {"SwiGLU " + sizes,
           w.write({x, x},
                   [&](ValueRange a) {
                     return SwigluOp::create(w.builder, w.loc, a[0], a[1]);
                   }),
           Bound::Copying}};
}

std::vector<OperationCase> lossCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t rows = shape[0], classes = shape[1];
  Type z = w.storage(shape), t = w.indices({rows}), n = w.f32({rows}),
       scalar = w.f32({});
  std::string sizes = label(shape);
  return {{"cross entropy " + sizes,
           w.write({z, t},
                   [&](ValueRange a) {
                     return CrossEntropyOp::create(
                         w.builder, w.loc, a[0], a[1],
                         /*ignore_index=*/IntegerAttr(),
                         /*label_smoothing=*/FloatAttr());
                   }),
           Bound::Reading,
           {{}, below(classes)}},
          {"its backward " + sizes,
           w.write({z, t, n, scalar},
                   [&](ValueRange a) {
                     return CrossEntropyRowsBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], a[3],
                         /*lse_grad=*/Value(), /*ignore_index=*/IntegerAttr(),
                         /*label_smoothing=*/FloatAttr());
                   }),
           Bound::Copying,
           {{}, below(classes)}}};
}

std::vector<OperationCase> fusedLossCases(const attnres::Shape &shape,
                                          bool bf16) {
  OperationWriter w(bf16);
  int64_t rows = shape[0], width = shape[1], classes = shape[2];
  Type x = w.storage({rows, width}), weight = w.storage({classes, width}),
       t = w.indices({rows}), n = w.f32({rows}), scalar = w.f32({});
  std::string sizes = concat(label({rows, width}), " to ", classes);
  return {{"projection and cross entropy " + sizes,
           w.write({x, weight, t},
                   [&](ValueRange a) {
                     return LinearCrossEntropyOp::create(
                         w.builder, w.loc, a[0], a[1], a[2],
                         /*ignore_index=*/IntegerAttr(),
                         /*label_smoothing=*/FloatAttr());
                   }),
           Bound::Products,
           {{}, {}, below(classes)}},
          {"its backward " + sizes,
           w.write({x, weight, t, n, scalar},
                   [&](ValueRange a) {
                     return LinearCrossEntropyBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], a[3], a[4],
                         /*ignore_index=*/IntegerAttr(),
                         /*label_smoothing=*/FloatAttr());
                   }),
           Bound::Products,
           {{}, {}, below(classes)}}};
}

std::vector<OperationCase> optimizerCases(const attnres::Shape &shape, bool) {
  OperationWriter w(/*bf16=*/false);
  Type p = w.f32(shape), scalar = w.f32({});
  // Parameter, gradient, moments; learning rate, step, scale of gradients.
  return {{"AdamW " + label(shape),
           w.write({p, p, p, p, scalar, scalar, scalar},
                   [&](ValueRange a) {
                     return AdamWOp::create(w.builder, w.loc, a[0], a[1], a[2],
                                            a[3], a[4], a[5], a[6], w.real(0.9),
                                            w.real(0.95), w.real(1e-8),
                                            w.real(0.1));
                   },
                   {0, 2, 3}),
           Bound::Updating,
           // A moment is a square.
           std::vector<InputRange>(7, InputRange{0, 1})}};
}

std::vector<OperationCase> kdaCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t batch = shape[0], tokens = shape[1];
  int64_t heads = shape[2], size = shape[3];
  // Keys of length 1, decays below 0, steps in (0, 1): states stay small.
  double extent = std::sqrt(3.0 / static_cast<double>(size));
  InputRange direction{-extent, extent};
  std::vector<InputRange> ranges{direction, direction, {}, {-1, 0}, {0, 1}};
  auto typesOf = [&](int64_t texts, int64_t length) {
    Type q = w.storage({texts, length, heads, size});
    return SmallVector<Type>{q, q, q, w.f32({texts, length, heads, size}),
                             w.storage({texts, length, heads})};
  };
  auto sizes = [&](int64_t texts, int64_t length) {
    return concat("B", texts, " T", length, " H", heads, " D", size);
  };
  auto forward = [&](ValueRange a) {
    return KdaOp::create(w.builder, w.loc, a[0], a[1], a[2], a[3], a[4],
                         /*state=*/a.size() > 5 ? a[5] : Value(),
                         /*length=*/Value(), /*scale=*/FloatAttr());
  };
  SmallVector<Type> operands = typesOf(batch, tokens);
  SmallVector<Type> withGradient = operands;
  withGradient.push_back(operands[2]);
  int64_t texts =
      std::max<int64_t>(kDecodedBytes / (4 * heads * size * size), 1);
  SmallVector<Type> ofToken = typesOf(texts, 1);
  ofToken.push_back(w.f32({texts, heads, size, size}));
  return {{"KDA " + sizes(batch, tokens), w.write(operands, forward),
           Bound::Arithmetic, ranges},
          {"its backward " + sizes(batch, tokens),
           w.write(withGradient,
                   [&](ValueRange a) {
                     return KdaBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], a[3], a[4], a[5],
                         /*state_grad=*/Value(), /*state=*/Value(),
                         /*length=*/Value(), /*scale=*/FloatAttr());
                   }),
           Bound::Arithmetic, ranges},
          {"KDA decoding " + sizes(texts, 1),
           w.write(ofToken, forward, {-1, 5}), Bound::Updating, ranges}};
}

std::vector<OperationCase> mlaCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t batch = shape[0], tokens = shape[1], heads = shape[2];
  int64_t keySize = shape[3], valueSize = shape[4], latent = shape[5];
  Type q = w.storage({batch, tokens, heads, keySize}),
       v = w.storage({batch, tokens, heads, valueSize}),
       lse = w.f32({batch, tokens, heads});
  std::string sizes = concat("B", batch, " T", tokens, " H", heads, " K",
                             keySize, " V", valueSize, " causal");
  int64_t bytes = (bf16 ? 2 : 4) * tokens * latent;
  int64_t texts = std::max<int64_t>(kDecodedBytes / bytes, 1);
  // Behind full caches, which are keys and values of all heads.
  double last = static_cast<double>(tokens - 1);
  return {{"attention " + sizes,
           w.write({q, q, v},
                   [&](ValueRange a) {
                     return AttentionOp::create(w.builder, w.loc, a[0], a[1],
                                                a[2], /*start=*/Value(),
                                                /*documents=*/Value(),
                                                /*causal=*/true,
                                                /*scale=*/FloatAttr());
                   }),
           Bound::Arithmetic},
          {"its backward " + sizes,
           w.write({q, q, v, v, lse, v},
                   [&](ValueRange a) {
                     return AttentionBackwardOp::create(
                         w.builder, w.loc, a[0], a[1], a[2], a[3], a[4], a[5],
                         /*lse_grad=*/Value(), /*documents=*/Value(),
                         /*causal=*/true, /*scale=*/FloatAttr());
                   }),
           Bound::Arithmetic},
          {concat("decoding B", texts, " T", tokens, " H", heads, " latent ",
                  latent),
           w.write({w.storage({texts, 1, heads, latent}),
                    w.storage({texts, tokens, 1, latent}), w.indices({texts})},
                   [&](ValueRange a) {
                     return AttentionOp::create(w.builder, w.loc, a[0], a[1],
                                                a[1], /*start=*/a[2],
                                                /*documents=*/Value(),
                                                /*causal=*/true,
                                                /*scale=*/FloatAttr());
                   }),
           Bound::Reading,
           {{}, {}, {last, last}}}};
}

std::vector<OperationCase> moeCases(const attnres::Shape &shape, bool bf16) {
  OperationWriter w(bf16);
  int64_t rows = shape[0], k = shape[1], n = shape[2];
  int64_t experts = shape[3], choices = shape[4];
  Type x = w.storage({rows, k}), y = w.storage({rows, choices, n}),
       weight = w.storage({experts, n, k}), chosen = w.indices({rows, choices}),
       shares = w.f32({rows, choices});
  std::vector<InputRange> ranges{{}, {}, below(experts)};
  auto linear = [&](bool transpose) {
    return [&, transpose](ValueRange a) {
      return GroupedLinearOp::create(w.builder, w.loc, a[0], a[1], a[2],
                                     transpose);
    };
  };
  std::vector<OperationCase> cases{
      {concat(choices, " of ", experts, " experts, ", label({rows, k}), " to ",
              n),
       w.write({x, weight, chosen}, linear(/*transpose=*/false)),
       Bound::Products, ranges},
      {"its input gradient",
       w.write({y, weight, chosen}, linear(/*transpose=*/true)),
       Bound::Products, ranges},
      {"its weight gradient",
       w.write({y, x, chosen},
               [&](ValueRange a) {
                 return GroupedWeightGradOp::create(w.builder, w.loc, a[0],
                                                    a[1], a[2], experts);
               }),
       Bound::Products, ranges}};
  // As many operations in one product.
  for (OperationCase &dense : matmulCases({rows * choices, k, n}, bf16))
    cases.push_back(dense);
  cases.push_back(
      {concat("router of ", label({rows, experts}), ", ", choices, " chosen"),
       w.write({w.storage({rows, experts}), w.f32({experts})},
               [&](ValueRange a) {
                 return RouterOp::create(w.builder, w.loc, a[0], a[1], choices);
               }),
       Bound::Copying});
  cases.push_back({"sum of experts, " + label({rows, choices, n}),
                   w.write({y, shares},
                           [&](ValueRange a) {
                             return CombineExpertsOp::create(w.builder, w.loc,
                                                             a[0], a[1]);
                           }),
                   Bound::Copying});
  cases.push_back({"its backward",
                   w.write({y, shares, w.storage({rows, n})},
                           [&](ValueRange a) {
                             return CombineExpertsBackwardOp::create(
                                 w.builder, w.loc, a[0], a[1], a[2]);
                           }),
                   Bound::Copying});
  return cases;
}

} // namespace

const std::vector<OperationBenchmark> &attnres::operationBenchmarks() {
  static const std::vector<OperationBenchmark> benchmarks = {
      {"matmul",
       "linear layers",
       {"ROWS", "INPUTS", "OUTPUTS"},
       {{2048, 256, 256},
        {2048, 256, 768},
        {2048, 768, 256},
        {2048, 768, 768},
        {2048, 768, 3072},
        {2048, 3072, 768}},
       matmulCases},
      {"attention",
       "causal attention",
       {"BATCH", "TOKENS", "HEADS", "HEAD_SIZE"},
       {{8, 256, 4, 64}, {1, 2048, 8, 64}, {1, 2048, 8, 128}},
       attentionCases},
      {"depth",
       "depth attention",
       {"SOURCES", "ROWS", "WIDTH"},
       {{5, 16384, 768}, {9, 16384, 768}, {9, 65536, 256}},
       depthCases},
      {"norm",
       "normalization and SwiGLU",
       {"ROWS", "WIDTH"},
       {{65536, 256}, {16384, 768}, {4096, 4096}},
       normCases},
      {"loss",
       "cross entropy",
       {"ROWS", "CLASSES"},
       {{65536, 256}, {2048, 32000}},
       lossCases},
      {"fused-loss",
       "output projection and cross entropy in one",
       {"ROWS", "WIDTH", "CLASSES"},
       {{2048, 256, 256}, {512, 768, 32000}},
       fusedLossCases},
      {"optimizer",
       "AdamW",
       {"ROWS", "COLUMNS"},
       {{256, 256}, {768, 3072}, {32000, 768}},
       optimizerCases},
      {"kda",
       "Kimi delta attention",
       {"BATCH", "TOKENS", "HEADS", "HEAD_SIZE"},
       {{8, 256, 4, 64}, {1, 4096, 8, 128}},
       kdaCases},
      {"mla",
       "latent attention",
       {"BATCH", "TOKENS", "HEADS", "KEY_SIZE", "VALUE_SIZE", "LATENT"},
       {{8, 256, 4, 96, 64, 64}, {1, 2048, 8, 192, 128, 512}},
       mlaCases},
      {"moe",
       "mixtures of experts",
       {"ROWS", "INPUTS", "OUTPUTS", "EXPERTS", "CHOICES"},
       {{2048, 128, 256, 8, 2}, {2048, 768, 768, 16, 4}},
       moeCases}};
  return benchmarks;
}
