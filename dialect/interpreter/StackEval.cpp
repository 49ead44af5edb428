//===- StackEval.cpp - the residual stack from its definition -------------===//
//
// Follows the description of `attnres.stack` and not the expansion pass, which
// is tested against it.
//
//===----------------------------------------------------------------------===//
#include "dialect/interpreter/DepthEval.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

static Tensor sum(const Tensor &a, const Tensor &b) {
  Tensor result = a;
  for (int64_t i = 0; i < a.size(); ++i)
    result.reals[i] += b.reals[i];
  return result;
}

namespace {

class StackEvaluator {
public:
  StackEvaluator(StackOp op, Frame &frame)
      : op(op), frame(frame), sources{frame.tensor(op.getInput())} {}

  FailureOr<Tensor> evaluate() {
    switch (op.getMode()) {
    case StackMode::Off:
      return residuals(sources.front(), 0, op.getSublayers().size());
    case StackMode::Full:
      return attending(/*perBlock=*/1);
    case StackMode::Block:
      return attending(*op.getSublayersPerBlock());
    case StackMode::Static:
      return staticMixtures();
    }
    llvm_unreachable("unknown stack mode");
  }

  /// What the sublayers yielded besides their outputs, in order.
  Tensors others;

private:
  /// x <- x + f(x) for the sublayers [begin, end).
  FailureOr<Tensor> residuals(Tensor x, size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      FailureOr<Tensor> output = sublayer(j, x);
      if (failed(output))
        return failure();
      x = rounded(sum(x, *output));
    }
    return x;
  }

  /// v_j = f_j(h_j).
  FailureOr<Tensor> sublayer(size_t j, const Tensor &h) {
    auto results = frame.run(op.getSublayers()[j].front(), {h});
    if (failed(results))
      return failure();
    others.insert(others.end(), results->begin() + 1, results->end());
    return std::move(results->front());
  }

  /// The mixture that query j makes of the sources and of `partial`, the sum of
  /// the block so far, when there is one.
  Tensor mixture(size_t j, const Tensor *partial) {
    SmallVector<const Tensor *> all, seen;
    for (const Tensor &source : sources)
      all.push_back(&source);
    if (partial)
      all.push_back(partial);
    size_t last = op.getWindow() ? *op.getWindow() : all.size();
    for (auto [i, source] : llvm::enumerate(all))
      if (i == 0 || i + last >= all.size())
        seen.push_back(source);
    if (!op.getWeights().empty())
      return rounded(staticMixture(frame.tensor(op.getWeights()[j]), seen));
    if (!op.mixesByDepthAttention())
      return rounded(variantMixture(j, seen));
    return rounded(depthMixture(frame.tensor(op.getQueries()[j]),
                                frame.tensor(op.getGains()[j]), seen,
                                op.getEps()->convertToDouble())
                       .output);
  }

  /// The formulas of the variants in StackOps.td, row by row.
  Tensor variantMixture(size_t j, ArrayRef<const Tensor *> seen) {
    const Tensor &query = frame.tensor(op.getQueries()[j]),
                 &gain = frame.tensor(op.getGains()[j]), &like = *seen.front();
    int64_t width = like.width(), heads = op.getHeads().value_or(1);
    double eps = op.getEps()->convertToDouble();
    Tensor result = Tensor::ofReals(like.shape);
    for (int64_t row = 0; row < like.rows(); ++row) {
      std::vector<std::vector<double>> keys;
      for (const Tensor *source : seen) {
        const double *v = source->reals.data() + row * width;
        double scale = op.getRawKeys() ? 1 : inverseRms(v, width, eps);
        keys.emplace_back(v, v + width);
        for (double &key : keys.back())
          key *= scale;
      }
      std::vector<double> w(query.reals.begin(), query.reals.begin() + width);
      if (query.shape.size() == 2)
        for (int64_t d = 0; d < width; ++d)
          w[d] = dot(query.reals.data() + d * width, keys.back().data(), width);
      for (int64_t d = 0; d < width; ++d)
        w[d] *= gain.reals[d];
      for (int64_t h = 0, part = width / heads; h < heads; ++h) {
        SmallVector<double> weights;
        for (const std::vector<double> &key : keys)
          weights.push_back(
              dot(w.data() + h * part, key.data() + h * part, part));
        double lse = logSumExp(weights);
        for (double &weight : weights)
          weight = op.getSigmoid() ? 1 / (1 + std::exp(-weight))
                                   : softmaxWeight(weight, lse);
        for (auto [weight, source] : llvm::zip_equal(weights, seen))
          for (int64_t d = h * part; d < (h + 1) * part; ++d)
            result.reals[row * width + d] +=
                weight * source->reals[row * width + d];
      }
    }
    return result;
  }

  FailureOr<Tensor> attending(int64_t perBlock) {
    size_t count = op.getSublayers().size();
    for (size_t begin = 0; begin < count; begin += perBlock) {
      size_t end = std::min(count, begin + perBlock);
      Tensor partial;
      for (size_t j = begin; j < end; ++j) {
        FailureOr<Tensor> output =
            sublayer(j, mixture(j, j == begin ? nullptr : &partial));
        if (failed(output))
          return failure();
        partial =
            j == begin ? std::move(*output) : rounded(sum(partial, *output));
      }
      sources.push_back(std::move(partial));
    }
    if (std::max(op.getQueries().size(), op.getWeights().size()) == count)
      return sources.back();
    return mixture(count, nullptr);
  }

  FailureOr<Tensor> staticMixtures() {
    for (auto [i, logits] : llvm::enumerate(op.getWeights())) {
      SmallVector<const Tensor *> seen;
      for (const Tensor &source : sources)
        seen.push_back(&source);
      FailureOr<Tensor> output = residuals(
          rounded(staticMixture(frame.tensor(logits), seen)), 2 * i, 2 * i + 2);
      if (failed(output))
        return failure();
      sources.push_back(std::move(*output));
    }
    return sources.back();
  }

  /// Every value of the expanded stack is rounded, not only its result.
  Tensor rounded(Tensor tensor) {
    if (frame.options.roundToStorage)
      tensor.roundTo(tensorOf(op.getResult().getType()).getElementType());
    return tensor;
  }

  StackOp op;
  Frame &frame;
  Tensors sources;
};

} // namespace

static LogicalResult evaluateStack(StackOp op, Frame &frame) {
  StackEvaluator evaluator(op, frame);
  FailureOr<Tensor> result = evaluator.evaluate();
  if (failed(result))
    return failure();
  frame.set(op.getResult(), std::move(*result));
  for (auto [value, tensor] : llvm::zip_equal(op.getOthers(), evaluator.others))
    frame.set(value, std::move(tensor));
  return success();
}

void attnres::interpreter::addStackEvaluations(EvaluationTable &table) {
  table.add(evaluateStack);
}
