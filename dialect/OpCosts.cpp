//===- OpCosts.cpp - floating-point operations of operations --------------===//
//
// Of matrix products and attention, and of what is recomputed at a cost that is
// not a constant for each element.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

using namespace mlir;
using namespace attnres;

/// The greatest number when the product is greater.
static int64_t product(std::initializer_list<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    if (llvm::MulOverflow(result, factor, result))
      return std::numeric_limits<int64_t>::max();
  return result;
}

//===----------------------------------------------------------------------===//
// Matrix products and attention
//===----------------------------------------------------------------------===//

int64_t LinearOp::getFlops() {
  return product({2, elementCount(getResult()), lastDim(getX())});
}

template <typename Product>
static int64_t productFlops(Product op) {
  int64_t depth = op.getTransposeLhs()
                      ? rowCount(tensorOf(op.getLhs().getType()))
                      : lastDim(op.getLhs());
  return product({2, elementCount(op.getResult()), depth});
}

int64_t MatmulOp::getFlops() { return productFlops(*this); }

int64_t MatmulPackedOp::getFlops() { return productFlops(*this); }

/// Pairs of a query and a key of all heads. When causal, the queries are the
/// last ones, which see all keys before the first of them, and half of the
/// rest.
template <typename Attention>
static int64_t scorePairs(Attention attention) {
  ArrayRef<int64_t> q = tensorOf(attention.getQ().getType()).getShape();
  int64_t keys = tensorOf(attention.getK().getType()).getDimSize(1);
  int64_t pairs = product({q[0], q[1], q[2], keys});
  if (!attention.getCausal())
    return pairs;
  return pairs - product({q[0], q[1], q[2], std::min(q[1], keys)}) / 2;
}

int64_t AttentionOp::getFlops() {
  return product({2, scorePairs(*this), lastDim(getQ()) + lastDim(getV())});
}

int64_t AttentionBackwardOp::getFlops() {
  // Scores again, dP, dV, dQ and dK.
  return product(
      {2, scorePairs(*this), 3 * lastDim(getQ()) + 2 * lastDim(getV())});
}

/// Of one token and value head: S^T k, k u^T and S^T q.
static int64_t recurrenceFlops(Value v, Value q) {
  return product({6, elementCount(v), lastDim(q)});
}

int64_t KdaOp::getFlops() { return recurrenceFlops(getV(), getQ()); }

int64_t KdaBackwardOp::getFlops() {
  // The states again, and seven products of the size of one of the three.
  int64_t forward = recurrenceFlops(getV(), getQ());
  return product({forward / 3, 10});
}

int64_t GroupedLinearOp::getFlops() {
  return product({2, elementCount(getResult()), lastDim(getX())});
}

int64_t GroupedWeightGradOp::getFlops() {
  return product(
      {2, elementCount(getExperts()), lastDim(getLhs()), lastDim(getRhs())});
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

int64_t LinearOp::getRecomputeFlops() { return getFlops(); }

int64_t AttentionOp::getRecomputeFlops() {
  // Of all pairs, masked or not.
  return product({2, tensorOf(getK().getType()).getDimSize(1),
                  elementCount(getQ()) + elementCount(getOutput())});
}

int64_t DepthAttentionOp::getRecomputeFlops() {
  return product({6, static_cast<int64_t>(getQueries().size()),
                  static_cast<int64_t>(getSources().size()),
                  elementCount(getOutputs().front())});
}

int64_t DepthMergeOp::getRecomputeFlops() {
  return product({6, static_cast<int64_t>(getSources().size() + 1),
                  elementCount(getOutput())});
}

int64_t StaticMixOp::getRecomputeFlops() {
  return product({2, static_cast<int64_t>(getSources().size()),
                  elementCount(getOutput())});
}

int64_t ShortConvolutionOp::getRecomputeFlops() {
  // SiLU after the products.
  return product({elementCount(getResult()), 2 * lastDim(getWeight()) + 10});
}

int64_t KdaOp::getRecomputeFlops() { return getFlops(); }

int64_t GroupedLinearOp::getRecomputeFlops() { return getFlops(); }
