//===- ModelBuilder.cpp - configuration to model-stage IR -----------------===//
#include "models/ModelBuilder.h"

#include "models/Parameters.h"
#include "models/layers/Layers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace attnres;
using runtime::concat;
using runtime::Result;
using runtime::Status;

namespace {

/// One pre-norm sublayer: its rule, and where its parameters are.
struct Sublayer {
  LayerRule rule;
  std::string normName;
  std::string layerName;
};

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

Result<std::vector<Sublayer>> listSublayers(const ModelConfig &config) {
  std::vector<Sublayer> sublayers;
  for (int64_t i = 0; i < config.numHiddenLayers; ++i) {
    Result<LayerRule> mixer = findMixer(config, i);
    if (!mixer.ok())
      return mixer.status();
    Result<LayerRule> feedForward = findFeedForward(config, i);
    if (!feedForward.ok())
      return feedForward.status();
    std::string block = concat("blocks.", i);
    sublayers.push_back({*mixer, block + ".attn_norm", block + ".attn"});
    sublayers.push_back({*feedForward, block + ".ffn_norm", block + ".ffn"});
  }
  return sublayers;
}

/// Builds @main of one model.
class FunctionBuilder {
public:
  FunctionBuilder(ImplicitLocOpBuilder &builder, const ModelConfig &config,
                  const ModelOptions &options)
      : builder(builder), config(config), options(options),
        storage(options.dtype == StorageType::BF16
                    ? Type(builder.getBF16Type())
                    : Type(builder.getF32Type())),
        layer(builder, config, storage) {}

  void build(ArrayRef<Sublayer> sublayers) {
    createFunction();
    Value x = EmbeddingOp::create(builder, tokens,
                                  layer.matrix("embedding.weight"));
    x = layer.norm("norm", buildStack(x, sublayers));
    returnOutputs(x);
  }

private:
  void createFunction() {
    std::vector<Parameter> parameters = parameterShapes(config);
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    auto addArgument = [&](StringRef name, StringRef role, Type type) {
      types.push_back(type);
      attributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
           builder.getNamedAttr(kRoleAttr, builder.getStringAttr(role))}));
    };
    for (const Parameter &parameter : parameters)
      addArgument(
          parameter.name, "parameter",
          RankedTensorType::get(parameter.shape, builder.getF32Type()));
    auto indices = RankedTensorType::get({options.batch, options.seqLen},
                                         builder.getI64Type());
    addArgument("tokens", "input", indices);
    if (options.loss)
      addArgument("targets", "input", indices);

    function = func::FuncOp::create(builder, "main",
                                    builder.getFunctionType(types, {}));
    function.setAllArgAttrs(attributes);
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    for (auto [parameter, argument] :
         llvm::zip(parameters, body->getArguments()))
      layer.define(parameter.name, argument);
    tokens = body->getArgument(parameters.size());
    if (options.loss)
      targets = body->getArgument(parameters.size() + 1);
  }

  Value buildStack(Value x, ArrayRef<Sublayer> sublayers) {
    bool attends = config.attnres == AttnResMode::Full ||
                   config.attnres == AttnResMode::Block;
    SmallVector<Value> queries, gains, weights;
    auto addQuery = [&](const std::string &name) {
      queries.push_back(layer.parameter(name + ".query"));
      gains.push_back(layer.parameter(name + ".norm.weight"));
    };
    if (attends) {
      for (size_t j = 0; j < sublayers.size(); ++j)
        addQuery(concat("mixer.residuals.", j));
      if (config.attnresFinalAggregate)
        addQuery("mixer.final_residual");
    }
    if (config.attnres == AttnResMode::Static)
      for (int64_t i = 0; i < config.numHiddenLayers; ++i)
        weights.push_back(layer.parameter(concat("mixer.agg_weights.", i)));

    auto stack = StackOp::create(
        builder, x.getType(), x, queries, gains, weights,
        stackMode(config.attnres),
        config.attnres == AttnResMode::Block
            ? builder.getI64IntegerAttr(config.sublayersPerBlock())
            : IntegerAttr(),
        attends ? builder.getF64FloatAttr(config.attnresEps) : FloatAttr(),
        sublayers.size());
    for (auto [sublayer, region] :
         llvm::zip_equal(sublayers, stack.getSublayers())) {
      OpBuilder::InsertionGuard guard(builder);
      Block *body =
          builder.createBlock(&region, {}, x.getType(), builder.getLoc());
      Value input = layer.norm(sublayer.normName, body->getArgument(0));
      YieldOp::create(builder,
                      sublayer.rule(layer, sublayer.layerName, input));
    }
    return stack.getResult();
  }

  void returnOutputs(Value x) {
    SmallVector<Value> values;
    SmallVector<StringRef> names;
    auto addOutput = [&](StringRef name, Value value) {
      values.push_back(value);
      names.push_back(name);
    };
    Value head = layer.matrix(config.tieWordEmbeddings ? "embedding.weight"
                                                       : "lm_head.weight");
    if (options.fuseLoss) {
      addOutput("loss", LinearCrossEntropyOp::create(builder, x, head, targets)
                            .getLoss());
    } else {
      Value logits = LinearOp::create(builder, x, head, /*bias=*/Value());
      if (options.loss)
        addOutput("loss",
                  CrossEntropyOp::create(builder, logits, targets).getLoss());
      if (options.logits)
        addOutput("logits", logits);
    }
    func::ReturnOp::create(builder, values);
    function.setType(builder.getFunctionType(
        function.getArgumentTypes(), ValueRange(values).getTypes()));
    for (auto [index, name] : llvm::enumerate(names))
      function.setResultAttr(index, kNameAttr, builder.getStringAttr(name));
  }

  ImplicitLocOpBuilder &builder;
  const ModelConfig &config;
  const ModelOptions &options;
  Type storage;
  LayerBuilder layer;
  func::FuncOp function;
  Value tokens, targets;
};

Status checkOptions(const ModelConfig &config, const ModelOptions &options) {
  if (options.batch < 0)
    return runtime::invalidArgument(
        "expected a batch size of at least 0, got ", options.batch);
  if (options.seqLen < 0)
    return runtime::invalidArgument(
        "expected a sequence length of at least 0, got ", options.seqLen);
  if (options.fuseLoss && (options.logits || !options.loss))
    return runtime::invalidArgument(
        "a fused loss returns the loss and no logits");
  if (!options.loss && !options.logits)
    return runtime::invalidArgument("expected the loss, the logits or both");
  // The largest activations in bytes, with room for lists of them.
  int64_t rows, bytes;
  int64_t width = std::max(
      {config.vocabSize, config.hiddenSize, config.intermediateSize,
       config.numAttentionHeads * config.headDim});
  if (__builtin_mul_overflow(options.batch, options.seqLen, &rows) ||
      __builtin_mul_overflow(rows, width, &bytes) || bytes > (int64_t(1) << 48))
    return runtime::invalidArgument("activations of ", options.batch, " x ",
                                    options.seqLen, " tokens with ", width,
                                    " elements each are too large");
  return {};
}

} // namespace

void attnres::loadModelDialects(MLIRContext &context) {
  context.loadDialect<AttnresDialect, arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect>();
}

Result<OwningOpRef<ModuleOp>>
attnres::buildModel(MLIRContext &context, const ModelConfig &config,
                    const ModelOptions &options) {
  if (Status status = checkOptions(config, options); !status.ok())
    return status;
  Result<std::vector<Sublayer>> sublayers = listSublayers(config);
  if (!sublayers.ok())
    return sublayers.status();

  loadModelDialects(context);
  ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getLoc());
  builder.setInsertionPointToStart(module->getBody());
  FunctionBuilder(builder, config, options).build(*sublayers);
  if (failed(verify(*module)))
    return runtime::unsupported("the model has no valid form in the compiler");
  return module;
}
