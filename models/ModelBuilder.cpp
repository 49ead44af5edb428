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

/// Builds @main of one model: its arguments, its stack of sublayers, and its
/// results.
class FunctionBuilder {
public:
  FunctionBuilder(ImplicitLocOpBuilder &builder, const ModelConfig &config,
                  StorageType dtype)
      : builder(builder), config(config),
        storage(dtype == StorageType::BF16 ? Type(builder.getBF16Type())
                                           : Type(builder.getF32Type())),
        layer(builder, config, storage) {}

protected:
  //===--- Arguments ------------------------------------------------------===//

  void addArgument(StringRef name, Role role, Type type) {
    argumentNames.push_back(name.str());
    argumentTypes.push_back(type);
    argumentAttributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
         builder.getNamedAttr(kRoleAttr,
                              RoleAttr::get(builder.getContext(), role))}));
  }

  RankedTensorType indices(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getI64Type());
  }

  /// Creates the function with the arguments so far, all known to the layers.
  void createFunction() {
    function = func::FuncOp::create(builder, "main",
                                    builder.getFunctionType(argumentTypes, {}));
    function.setAllArgAttrs(argumentAttributes);
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    for (auto [name, argument] :
         llvm::zip_equal(argumentNames, body->getArguments()))
      layer.define(name, argument);
  }

  //===--- Layers ---------------------------------------------------------===//

  Value embed() {
    return EmbeddingOp::create(builder, layer.parameter("tokens"),
                               layer.matrix("embedding.weight"));
  }

  Value headWeight() {
    return layer.matrix(config.tieWordEmbeddings ? "embedding.weight"
                                                 : "lm_head.weight");
  }

  StackOp buildStack(Value x, ArrayRef<Sublayer> sublayers) {
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

    // What the sublayers write to caches is known only once they are built.
    SmallVector<std::unique_ptr<Region>> regions;
    for (const Sublayer &sublayer : sublayers) {
      size_t numWritten = layer.caches ? layer.caches->written.size() : 0;
      regions.push_back(std::make_unique<Region>());
      OpBuilder::InsertionGuard guard(builder);
      Block *body = builder.createBlock(regions.back().get(), {}, x.getType(),
                                        builder.getLoc());
      Value input = layer.norm(sublayer.normName, body->getArgument(0));
      Value output = sublayer.rule(layer, sublayer.layerName, input);
      ArrayRef<Value> written;
      if (layer.caches)
        written = ArrayRef(layer.caches->written).drop_front(numWritten);
      YieldOp::create(builder, output, written);
    }
    SmallVector<Type> others;
    if (layer.caches)
      llvm::append_range(others, ValueRange(layer.caches->written).getTypes());
    auto stack = StackOp::create(
        builder, x.getType(), others, x, queries, gains, weights,
        stackMode(config.attnres),
        config.attnres == AttnResMode::Block
            ? builder.getI64IntegerAttr(config.sublayersPerBlock())
            : IntegerAttr(),
        attends ? builder.getF64FloatAttr(config.attnresEps) : FloatAttr(),
        sublayers.size());
    for (auto [region, into] : llvm::zip_equal(regions, stack.getSublayers()))
      into.takeBody(*region);
    return stack;
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
              cast<BlockArgument>(layer.parameter(updates)).getArgNumber()));
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
  LayerBuilder layer;
  func::FuncOp function;

private:
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
                  RankedTensorType::get(parameter.shape, builder.getF32Type()));
    addArgument("tokens", Role::Input,
                indices({options.batch, options.seqLen}));
    if (options.loss)
      addArgument("targets", Role::Input,
                  indices({options.batch, options.seqLen}));
    createFunction();
    addOutputs(layer.norm("norm", buildStack(embed(), sublayers).getResult()));
    returnResults();
  }

private:
  void addOutputs(Value x) {
    if (options.fuseLoss) {
      auto loss = LinearCrossEntropyOp::create(builder, x, headWeight(),
                                               layer.parameter("targets"));
      return addResult("loss", loss.getLoss());
    }
    Value logits = LinearOp::create(builder, x, headWeight(), /*bias=*/Value());
    if (options.loss)
      addResult("loss", CrossEntropyOp::create(builder, logits,
                                               layer.parameter("targets"))
                            .getLoss());
    if (options.logits)
      addResult("logits", logits);
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
                                        parameter.shape.size() == 2
                                            ? storage
                                            : Type(builder.getF32Type())));
    addArgument("tokens", Role::Input,
                indices({options.batch, options.tokens}));
    addArgument("start", Role::Input, indices({options.batch}));
    if (options.tokens > 1)
      addArgument("last", Role::Input, indices({options.batch}));
    SmallVector<std::string> names = addCaches();
    createFunction();

    Caches caches{layer.parameter("start"), options.capacity, {}};
    layer.caches = &caches;
    StackOp stack = buildStack(embed(), sublayers);
    Value x = layer.norm("norm", lastTokens(stack.getResult()));
    addResult("logits", LinearOp::create(builder, x, headWeight(),
                                         /*bias=*/Value()));
    for (auto [name, cache] : llvm::zip_equal(names, stack.getOthers()))
      addResult(name, cache, name);
    returnResults();
  }

private:
  /// The caches of all layers as arguments, in the order they are written.
  SmallVector<std::string> addCaches() {
    auto type = RankedTensorType::get({options.batch, options.capacity,
                                       config.numKeyValueHeads, config.headDim},
                                      storage);
    SmallVector<std::string> names;
    for (int64_t i = 0; i < config.numHiddenLayers; ++i)
      for (const char *kind : {"k_cache", "v_cache"}) {
        names.push_back(concat("blocks.", i, ".attn.", kind));
        addArgument(names.back(), Role::Cache, type);
      }
    return names;
  }

  /// [B, D]: of each text's tokens the one whose logits are wanted.
  Value lastTokens(Value x) {
    if (options.tokens > 1)
      x = SelectTokenOp::create(builder, x, layer.parameter("last"));
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
  for (int64_t i = 0; i < config.numHiddenLayers; ++i)
    if (config.layerType(i) != LayerType::Attention)
      return unsupported("decoder block ", i, ": layer type '",
                         toString(config.layerType(i)), "' has no cache yet");
  return checkSizes(config, options.batch, options.capacity);
}

/// A module with the function that `Builder` builds.
template <typename Builder, typename Options>
Result<OwningOpRef<ModuleOp>>
build(MLIRContext &context, const ModelConfig &config, const Options &options) {
  if (Status status = checkOptions(config, options); !status.ok())
    return status;
  Result<std::vector<Sublayer>> sublayers = listSublayers(config);
  if (!sublayers.ok())
    return sublayers.status();

  loadModelDialects(context);
  ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getLoc());
  builder.setInsertionPointToStart(module->getBody());
  Builder(builder, config, options).build(*sublayers);
  if (failed(verify(*module)))
    return unsupported("the model has no valid form in the compiler");
  return module;
}

} // namespace

Status attnres::checkLayers(const ModelConfig &config) {
  return listSublayers(config).status();
}

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
