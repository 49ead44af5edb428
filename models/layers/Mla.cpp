//===- Mla.cpp - multi-head latent attention ------------------------------===//
#include "models/layers/Layer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace attnres;

namespace {

/// Attention whose keys and values follow from one latent vector for each
/// token. Nothing is rotated.
class Mla : public Layer {
public:
  explicit Mla(const ModelConfig &config) : c(config) {}

  void addParameters(ParameterScope scope) const override {
    int64_t valueWidth = c.mlaNumHeads * c.mlaVHeadDim;
    if (c.mlaQLoraRank) {
      scope.addLinear("q_a_proj", *c.mlaQLoraRank, c.hiddenSize);
      scope.addNorm("q_a_norm", *c.mlaQLoraRank);
      scope.addHeads("q_b_proj", c.mlaNumHeads, c.mlaQkHeadDim,
                     *c.mlaQLoraRank);
    } else {
      scope.addHeads("q_proj", c.mlaNumHeads, c.mlaQkHeadDim, c.hiddenSize);
    }
    scope.addLinear("kv_a_proj", c.mlaKvLoraRank, c.hiddenSize);
    scope.addNorm("kv_a_norm", c.mlaKvLoraRank);
    scope.addHeads("kv_b_proj", c.mlaNumHeads, c.mlaQkHeadDim + c.mlaVHeadDim,
                   c.mlaKvLoraRank);
    scope.addLinear("g_proj", valueWidth, c.hiddenSize);
    scope.addOutput("o_proj", c.hiddenSize, valueWidth);
  }

  /// The normed latent vectors.
  std::vector<StateTensor> state() const override {
    return {{"kv_cache", StateTensor::Kind::Positional, {1, c.mlaKvLoraRank}}};
  }

  Value build(const LayerBuilder &layer, Value x) const override {
    ImplicitLocOpBuilder &b = layer.builder;
    Value latent = norm(layer, "kv_a_norm", layer.linear("kv_a_proj", x));
    Value q = layer.splitHeads(query(layer, x), c.mlaNumHeads);
    Value o = layer.length() ? attendLatents(layer, q, latent)
                             : attend(layer, q, latent);
    Value gate = SigmoidOp::create(b, layer.linear("g_proj", x));
    o = arith::MulFOp::create(b, layer.joinHeads(o), gate);
    return layer.linear("o_proj", o);
  }

private:
  Value norm(const LayerBuilder &layer, const char *name, Value x) const {
    return RMSNormOp::create(layer.builder, x,
                             layer.argument(concat(name, ".weight")),
                             layer.builder.getF64FloatAttr(c.normEps));
  }

  Value query(const LayerBuilder &layer, Value x) const {
    if (!c.mlaQLoraRank)
      return layer.linear("q_proj", x);
    return layer.linear("q_b_proj",
                        norm(layer, "q_a_norm", layer.linear("q_a_proj", x)));
  }

  /// Elements [first, first + size) of dimension `dim`.
  static Value slice(ImplicitLocOpBuilder &b, Value value, int64_t dim,
                     int64_t first, int64_t size) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (auto [i, extent] : llvm::enumerate(type.getShape())) {
      bool isCut = static_cast<int64_t>(i) == dim;
      offsets.push_back(b.getIndexAttr(isCut ? first : 0));
      sizes.push_back(b.getIndexAttr(isCut ? size : extent));
      strides.push_back(b.getIndexAttr(1));
    }
    return tensor::ExtractSliceOp::create(b, value, offsets, sizes, strides);
  }

  /// Attention over the keys and values of whole texts.
  Value attend(const LayerBuilder &layer, Value q, Value latent) const {
    ImplicitLocOpBuilder &b = layer.builder;
    Value keysAndValues =
        layer.splitHeads(layer.linear("kv_b_proj", latent), c.mlaNumHeads);
    Value k = slice(b, keysAndValues, 3, 0, c.mlaQkHeadDim);
    Value v = slice(b, keysAndValues, 3, c.mlaQkHeadDim, c.mlaVHeadDim);
    return layer.attend(q, k, v);
  }

  /// The same over a cache of latent vectors, which are keys and values of all
  /// heads at once: with k = Wk l and v = Wv l, q . k = (Wk^T q) . l, and a
  /// mixture of values is Wv times that mixture of latent vectors.
  Value attendLatents(const LayerBuilder &layer, Value q, Value latent) const {
    ImplicitLocOpBuilder &b = layer.builder;
    int64_t keyDim = c.mlaQkHeadDim, valueDim = c.mlaVHeadDim;
    Value cache = layer.cached("kv_cache", layer.splitHeads(latent, 1));
    auto weightType =
        cast<RankedTensorType>(layer.matrix("kv_b_proj.weight").getType());
    Value weight = tensor::ExpandShapeOp::create(
        b,
        weightType.clone({c.mlaNumHeads, keyDim + valueDim, c.mlaKvLoraRank}),
        layer.matrix("kv_b_proj.weight"),
        ArrayRef<ReassociationIndices>{{0, 1}, {2}});
    Value heads = headNumbers(b, q);
    Value queries =
        GroupedLinearOp::create(b, q, slice(b, weight, 1, 0, keyDim), heads,
                                /*transpose=*/b.getUnitAttr());
    Value mixture = layer.attend(
        queries, cache, cache,
        b.getF64FloatAttr(1 / std::sqrt(static_cast<double>(keyDim))));
    return GroupedLinearOp::create(b, mixture,
                                   slice(b, weight, 1, keyDim, valueDim), heads,
                                   /*transpose=*/UnitAttr());
  }

  /// The number of each head, for each token: [B, T, H].
  static Value headNumbers(ImplicitLocOpBuilder &b, Value q) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(q.getType()).getShape();
    int64_t heads = shape[2];
    SmallVector<int64_t> numbers;
    for (int64_t i = 0; i < shape[0] * shape[1] * heads; ++i)
      numbers.push_back(i % heads);
    auto type = RankedTensorType::get(shape.drop_back(), b.getI64Type());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef(numbers)));
  }

  const ModelConfig c;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createMla(const ModelConfig &config) {
  return std::make_unique<Mla>(config);
}
} // namespace attnres
