//===- ModelBuilder.cpp - configuration to model-stage IR -----------------===//
#include "models/ModelBuilder.h"

#include "dialect/DecompositionHelpers.h"
#include "models/DepthLayout.h"
#include "models/layers/Layers.h"
#include "passes/kernels/Communication.h"
#include "support/BindingNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace attnres;

namespace {

StackMode stackMode(AttnResMode mode) {
  switch (mode) {
  case AttnResMode::Off:
    return StackMode::Off;
  case AttnResMode::Full:
    return StackMode::Full;
  case AttnResMode::Block:
    return StackMode::Block;
  case AttnResMode::Static:
    return StackMode::Static;
  }
  llvm_unreachable("unknown mode");
}

/// Builds @main of one model: its arguments, its stack of sublayers, and its
/// results.
class FunctionBuilder {
public:
  FunctionBuilder(ImplicitLocOpBuilder &builder, const ModelConfig &config,
                  StorageType dtype)
      : builder(builder), config(config),
        storage(dtype == StorageType::BF16 ? Type(builder.getBF16Type())
                                           : Type(builder.getF32Type())),
        values{storage, {}, std::nullopt}, model(builder, config, values) {}

protected:
  //===--- Arguments ------------------------------------------------------===//

  void addArgument(StringRef name, Role role, Type type, int64_t matrices = 0,
                   std::optional<int64_t> part = std::nullopt) {
    argumentNames.push_back(name.str());
    argumentTypes.push_back(type);
    NamedAttrList attributes;
    attributes.append(kNameAttr, builder.getStringAttr(name));
    attributes.append(kRoleAttr, RoleAttr::get(builder.getContext(), role));
    if (matrices > 0)
      attributes.append(kMatricesAttr, builder.getI64IntegerAttr(matrices));
    if (part)
      attributes.append(kPartAttr, builder.getI64IntegerAttr(*part));
    argumentAttributes.push_back(
        attributes.getDictionary(builder.getContext()));
  }

  RankedTensorType indices(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getI64Type());
  }

  /// Creates the function with the arguments so far, all known by name.
  void createFunction() {
    function = func::FuncOp::create(builder, "main",
                                    builder.getFunctionType(argumentTypes, {}));
    function.setAllArgAttrs(argumentAttributes);
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    for (auto [name, argument] :
         llvm::zip_equal(argumentNames, body->getArguments()))
      values.arguments[name] = argument;
  }

  //===--- Layers ---------------------------------------------------------===//

  Value embed() {
    return dropped(EmbeddingOp::create(builder, model.argument(names::tokens),
                                       model.matrix("embedding.weight")));
  }

  /// x with dropout, if the function has it; every call is a site of its own.
  Value dropped(Value x) {
    if (dropout == 0)
      return x;
    return DropoutOp::create(builder, x, model.argument(names::random),
                             builder.getF64FloatAttr(dropout),
                             builder.getI64IntegerAttr(numSites++));
  }

  Value headWeight() {
    return model.matrix(config.tieWordEmbeddings ? "embedding.weight"
                                                 : "lm_head.weight");
  }

  StackOp buildStack(Value x, ArrayRef<Sublayer> sublayers) {
    bool attends = config.attnres == AttnResMode::Full ||
                   config.attnres == AttnResMode::Block;
    SmallVector<Value> queries, gains, weights;
    auto addQuery = [&](const std::string &name) {
      queries.push_back(model.argument(name + ".query"));
      gains.push_back(model.argument(name + ".norm.weight"));
    };
    bool isScalar = config.attnresQuery == AttnResQuery::Scalar;
    if (attends && isScalar) {
      for (size_t j = 0; j < sublayers.size(); ++j)
        weights.push_back(
            model.argument(concat("mixer.residuals.", j, ".weights")));
      if (config.attnresFinalAggregate)
        weights.push_back(model.argument("mixer.final_residual.weights"));
    } else if (attends) {
      for (size_t j = 0; j < sublayers.size(); ++j)
        addQuery(concat("mixer.residuals.", j));
      if (config.attnresFinalAggregate)
        addQuery("mixer.final_residual");
    }
    if (config.attnres == AttnResMode::Static)
      for (int64_t i = 0; i < config.numHiddenLayers; ++i)
        weights.push_back(model.argument(concat("mixer.agg_weights.", i)));

    // What the sublayers keep of the texts is known only once they are built.
    SmallVector<std::unique_ptr<Region>> regions;
    SmallVector<Type> others;
    for (const Sublayer &sublayer : sublayers) {
      regions.push_back(std::make_unique<Region>());
      OpBuilder::InsertionGuard guard(builder);
      Block *body = builder.createBlock(regions.back().get(), {}, x.getType(),
                                        builder.getLoc());
      Value input = model.norm(sublayer.normName, body->getArgument(0));
      Value output = dropped(
          sublayer.layer->build(model.within(sublayer.layerName), input));
      SmallVector<Value> kept = newState(sublayer);
      if (measures)
        kept.append({magnitude(body->getArgument(0)), magnitude(output)});
      llvm::append_range(others, ValueRange(kept).getTypes());
      YieldOp::create(builder, output, kept);
    }
    auto stack = StackOp::create(
        builder, x.getType(), others, x, queries, gains, weights,
        stackMode(config.attnres),
        config.attnres == AttnResMode::Block
            ? builder.getI64IntegerAttr(config.sublayersPerBlock())
            : IntegerAttr(),
        attends ? builder.getF64FloatAttr(config.attnresEps) : FloatAttr(),
        attends && config.attnresHeads > 1
            ? builder.getI64IntegerAttr(config.attnresHeads)
            : IntegerAttr(),
        attends && config.attnresWindow
            ? builder.getI64IntegerAttr(*config.attnresWindow)
            : IntegerAttr(),
        attends && !isScalar && !config.attnresKeyNorm,
        attends && config.attnresWeights == AttnResWeights::Sigmoid,
        sublayers.size());
    for (auto [region, into] : llvm::zip_equal(regions, stack.getSublayers()))
      into.takeBody(*region);
    return stack;
  }

  /// The root mean square of each row of x [B, T, D].
  Value magnitude(Value x) {
    Rows rows(builder, builder.getLoc(), cast<RankedTensorType>(x.getType()));
    Value squares = rows.sumRow(
        {rows.full(x)}, [](Scalars &, Terms in) { return in[0] * in[0]; });
    return rows.mapRows({rows.row(squares)}, [&](Scalars &, Terms in) {
      return sqrt(in[0] / static_cast<double>(rows.width()));
    });
  }

  /// What the sublayer, which was built, keeps of the texts.
  SmallVector<Value> newState(const Sublayer &sublayer) {
    SmallVector<Value> kept;
    if (values.continuation)
      for (const StateTensor &tensor : sublayer.layer->state()) {
        kept.push_back(values.continuation->written.lookup(
            concat(sublayer.layerName, ".", tensor.name)));
        assert(kept.back() && "a layer did not write its state");
      }
    return kept;
  }

  //===--- Results --------------------------------------------------------===//

  /// `updates` is the name of the argument that the result replaces, if any.
  void addResult(StringRef name, Value value, StringRef updates = "") {
    NamedAttrList attributes;
    attributes.append(kNameAttr, builder.getStringAttr(name));
    if (!updates.empty())
      attributes.append(
          kUpdatesAttr,
          builder.getI64IntegerAttr(
              cast<BlockArgument>(model.argument(updates)).getArgNumber()));
    results.push_back(value);
    resultAttributes.push_back(attributes.getDictionary(builder.getContext()));
  }

  void returnResults() {
    func::ReturnOp::create(builder, results);
    function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                             ValueRange(results).getTypes()));
    function.setAllResultAttrs(resultAttributes);
  }

  ImplicitLocOpBuilder &builder;
  const ModelConfig &config;
  Type storage;
  FunctionValues values;
  LayerBuilder model; ///< everything by its whole name
  func::FuncOp function;
  double dropout = 0;
  bool measures = false; ///< whether the stack also returns magnitudes

private:
  int64_t numSites = 0; ///< of dropout
  SmallVector<std::string> argumentNames;
  SmallVector<Type> argumentTypes;
  SmallVector<DictionaryAttr> argumentAttributes;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> resultAttributes;
};

/// The function of buildModel().
class TextFunctionBuilder : public FunctionBuilder {
public:
  TextFunctionBuilder(ImplicitLocOpBuilder &builder, const ModelConfig &config,
                      const ModelOptions &options)
      : FunctionBuilder(builder, config, options.dtype), options(options) {}

  void build(ArrayRef<Sublayer> sublayers) {
    for (const Parameter &parameter : parameterShapes(config))
      addArgument(parameter.name, Role::Parameter,
                  RankedTensorType::get(parameter.shape, builder.getF32Type()),
                  parameter.matrices, partOf(parameter.name));
    addArgument(names::tokens, Role::Input,
                indices({options.batch, options.seqLen}));
    if (options.loss)
      addArgument(names::targets, Role::Input,
                  indices({options.batch, options.seqLen}));
    if (options.documents)
      addArgument(names::documents, Role::Input,
                  indices({options.batch, options.seqLen}));
    if (options.dropout > 0)
      addArgument(names::random, Role::Input, indices({2}));
    createFunction();
    if (options.documents)
      values.documents = model.argument(names::documents);
    dropout = options.dropout;
    measures = options.activations;
    Value x = embed();
    StackOp stack = buildStack(x, sublayers);
    addOutputs(model.norm("norm", stack.getResult()));
    if (measures)
      addMagnitudes(x, sublayers, stack);
    returnResults();
  }

private:
  /// What attnres.part is to say, if anything.
  std::optional<int64_t> partOf(StringRef parameter) const {
    if (!options.parts)
      return std::nullopt;
    int64_t part = stackPart(config, parameter);
    const std::vector<int64_t> &starts = options.pipelineStarts;
    if (starts.empty())
      return part;
    return llvm::upper_bound(starts, part) - starts.begin() - 1;
  }

  void addOutputs(Value x) {
    FloatAttr smoothing = builder.getF64FloatAttr(options.labelSmoothing);
    if (options.fuseLoss) {
      auto loss = LinearCrossEntropyOp::create(
          builder, x, headWeight(), model.argument(names::targets),
          /*ignore_index=*/IntegerAttr(), smoothing);
      return addResult(names::loss, loss.getLoss());
    }
    Value logits = LinearOp::create(builder, x, headWeight(), /*bias=*/Value());
    if (options.loss)
      addResult(names::loss,
                CrossEntropyOp::create(
                    builder, logits, model.argument(names::targets),
                    /*ignore_index=*/IntegerAttr(), smoothing)
                    .getLoss());
    if (options.logits)
      addResult(names::logits, logits);
  }

  void addMagnitudes(Value embedding, ArrayRef<Sublayer> sublayers,
                     StackOp stack) {
    auto add = [&](const std::string &name, Value value) {
      addResult(names::activation + name, value);
    };
    add("embedding", magnitude(embedding));
    for (auto [i, sublayer] : llvm::enumerate(sublayers)) {
      add(sublayer.layerName + ".input", stack.getOthers()[2 * i]);
      add(sublayer.layerName + ".output", stack.getOthers()[2 * i + 1]);
    }
    add("final", magnitude(stack.getResult()));
  }

  const ModelOptions &options;
};

/// The function of buildCachedModel().
class CachedFunctionBuilder : public FunctionBuilder {
public:
  CachedFunctionBuilder(ImplicitLocOpBuilder &builder,
                        const ModelConfig &config,
                        const CachedModelOptions &options)
      : FunctionBuilder(builder, config, options.dtype), options(options) {}

  void build(ArrayRef<Sublayer> sublayers) {
    for (const Parameter &parameter : parameterShapes(config))
      addArgument(parameter.name, Role::Parameter,
                  RankedTensorType::get(parameter.shape,
                                        parameter.shape.size() >= 2
                                            ? storage
                                            : Type(builder.getF32Type())));
    addArgument(names::tokens, Role::Input,
                indices({options.batch, options.tokens}));
    addArgument(names::start, Role::Input, indices({options.batch}));
    addArgument(names::length, Role::Input, indices({options.batch}));
    if (options.tokens > 1)
      addArgument(names::last, Role::Input, indices({options.batch}));
    std::vector<StateTensor> state = listState(config);
    for (const StateTensor &tensor : state)
      addArgument(tensor.name,
                  tensor.kind == StateTensor::Kind::Positional ? Role::Cache
                                                               : Role::State,
                  typeOf(tensor));
    createFunction();

    values.continuation = Continuation{model.argument(names::start),
                                       model.argument(names::length),
                                       options.capacity,
                                       {}};
    StackOp stack = buildStack(embed(), sublayers);
    Value x = model.norm("norm", lastTokens(stack.getResult()));
    addResult(names::logits, LinearOp::create(builder, x, headWeight(),
                                              /*bias=*/Value()));
    for (auto [tensor, value] : llvm::zip_equal(state, stack.getOthers()))
      addResult(tensor.name, value, tensor.name);
    returnResults();
  }

private:
  Type typeOf(const StateTensor &tensor) {
    SmallVector<int64_t> shape{options.batch};
    if (tensor.kind == StateTensor::Kind::Positional)
      shape.push_back(options.capacity);
    llvm::append_range(shape, tensor.shape);
    return RankedTensorType::get(shape,
                                 tensor.precision == StateTensor::Precision::F32
                                     ? Type(builder.getF32Type())
                                     : storage);
  }

  /// [B, D]: of each text's tokens the one whose logits are wanted.
  Value lastTokens(Value x) {
    if (options.tokens > 1)
      x = SelectTokenOp::create(builder, x, model.argument(names::last));
    return tensor::CollapseShapeOp::create(
        builder, x, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  }

  const CachedModelOptions &options;
};

/// Whether activations of `batch` x `tokens` tokens, and lists of them, have
/// sizes in bytes without overflow.
Status checkSizes(const ModelConfig &config, int64_t batch, int64_t tokens) {
  int64_t rows, bytes;
  int64_t width =
      std::max({config.vocabSize, config.hiddenSize, config.intermediateSize,
                config.numAttentionHeads * config.headDim});
  if (__builtin_mul_overflow(batch, tokens, &rows) ||
      __builtin_mul_overflow(rows, width, &bytes) || bytes > (int64_t(1) << 48))
    return invalidArgument("activations of ", batch, " x ", tokens,
                           " tokens with ", width,
                           " elements each are too large");
  return {};
}

Status checkOptions(const ModelConfig &config, const ModelOptions &options) {
  if (options.batch < 0)
    return invalidArgument("expected a batch size of at least 0, got ",
                           options.batch);
  if (options.seqLen < 0)
    return invalidArgument("expected a sequence length of at least 0, got ",
                           options.seqLen);
  if (options.fuseLoss && (options.logits || !options.loss))
    return invalidArgument("a fused loss returns the loss and no logits");
  if (!options.loss && !options.logits)
    return invalidArgument("expected the loss, the logits or both");
  if (options.documents)
    for (int64_t i = 0; i < config.numHiddenLayers; ++i)
      if (config.layerType(i) == LayerType::Kda)
        return unsupported("several documents in a row need layers without a "
                           "state, and the delta attention of block ",
                           i, " has one");
  return checkSizes(config, options.batch, options.seqLen);
}

Status checkOptions(const ModelConfig &config,
                    const CachedModelOptions &options) {
  if (options.batch < 1)
    return invalidArgument("expected a batch size of at least 1, got ",
                           options.batch);
  if (options.tokens < 1)
    return invalidArgument("expected at least 1 token, got ", options.tokens);
  if (options.capacity < options.tokens)
    return invalidArgument("expected a capacity of at least the ",
                           options.tokens, " tokens of a call, got ",
                           options.capacity);
  return checkSizes(config, options.batch, options.capacity);
}

/// A module with the function that `Builder` builds.
template <typename Builder, typename Options>
Result<OwningOpRef<ModuleOp>>
build(MLIRContext &context, const ModelConfig &config, const Options &options) {
  if (Status status = checkOptions(config, options); !status.ok())
    return status;
  std::vector<Sublayer> sublayers = listSublayers(config);

  loadModelDialects(context);
  ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getLoc());
  builder.setInsertionPointToStart(module->getBody());
  Builder(builder, config, options).build(sublayers);
  if (failed(verify(*module)))
    return unsupported("the model has no valid form in the compiler");
  return module;
}

} // namespace

void attnres::loadModelDialects(MLIRContext &context) {
  context.loadDialect<AttnresDialect, arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect>();
}

Result<OwningOpRef<ModuleOp>> attnres::buildModel(MLIRContext &context,
                                                  const ModelConfig &config,
                                                  const ModelOptions &options) {
  return build<TextFunctionBuilder>(context, config, options);
}

Result<OwningOpRef<ModuleOp>>
attnres::buildCachedModel(MLIRContext &context, const ModelConfig &config,
                          const CachedModelOptions &options) {
  return build<CachedFunctionBuilder>(context, config, options);
}
