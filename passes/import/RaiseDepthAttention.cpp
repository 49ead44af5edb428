//===- RaiseDepthAttention.cpp - depth mixtures in linalg -----------------===//
//
// Recognizes attention over depth written with linalg and replaces it by
// `attnres.depth_attention`. The root is the weighted sum of the sources, which
// are stacked in one tensor. With source n, rows r (any number of dimensions)
// and columns d and k, the conditions are:
//
//   1. the root is O[r,d] = sum over n of P[n,r] V[n,r,d], summed from 0, its
//      columns last;
//   2. P is a softmax over n of S (SoftmaxMatcher.h);
//   3. S[n,r] is the sum over k, from 0, of V[n,r,k] times one vector or two
//      over k, times once 1 / sqrt(mean over k of V[n,r,k]^2 + eps), inside the
//      sum or outside, and nothing else. V is the same tensor in all places;
//   4. vectors and sources are f32 or bf16, all shapes are static.
//
// Where the stack is made of its sources by insert_slice or concat, these are
// the sources of the mixture, so that mixtures share them; otherwise they are
// slices of the stack.
//
//===----------------------------------------------------------------------===//
#include "passes/import/RaiseDepthAttention.h"

#include "dialect/Attnres.h"
#include "passes/import/SoftmaxMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

class DepthMatcher : SoftmaxMatcher {
public:
  using SoftmaxMatcher::SoftmaxMatcher;

  /// The mixture that the root is, or null.
  Value raise() {
    SmallVector<unsigned> groups;
    auto factors = rootFactors(dims, groups);
    if (!factors || dims.empty() ||
        llvm::any_of(groups, [](unsigned size) { return size != 1; }))
      return nullptr;
    if (match(factors->first, factors->second) ||
        match(factors->second, factors->first))
      return build();
    return nullptr;
  }

private:
  //===--- Matching -------------------------------------------------------===//

  /// Conditions 1 to 4 with P and V as given.
  bool match(const PointExpr *weights, const PointExpr *values) {
    PointOperand p;
    if (!firstOperand(weights, p) || !lastOperand(values, stack, false))
      return false;
    unsigned d = dims.back();
    auto rows = llvm::to_vector(ArrayRef<unsigned>(dims).drop_back());
    rows.push_back(n);
    if (!isPermutation(p.dims, rows))
      return false;
    rows.push_back(d);
    if (!isPermutation(stack.dims, rows))
      return false;
    const PointExpr *scores = softmaxInput(exprs.resolve(weights));
    vectors.clear();
    numNormalizers = numDots = numSources = 0;
    return scores && isScore(scores) && numNormalizers == 1 && numDots == 1 &&
           (vectors.size() == 1 || vectors.size() == 2) && typesFit();
  }

  static bool isPermutation(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
    return lhs.size() == rhs.size() && llvm::all_of(lhs, [&](unsigned dim) {
             return llvm::is_contained(rhs, dim);
           });
  }

  /// Factors of S outside of the sum over the columns.
  bool isScore(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return isScore(expr->operands[0]) && isScore(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      return isScore(expr->operands[0]) && isRoot(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    auto dot = sum(expr, columns());
    ++numDots;
    return dot && dot->extent == extents[dims.back()] && isTerm(dot->operand);
  }

  /// Factors inside of the sum.
  bool isTerm(const PointExpr *expr) {
    if (isSource(expr)) {
      ++numSources;
      return numSources == numDots;
    }
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return isTerm(expr->operands[0]) && isTerm(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      return isTerm(expr->operands[0]) && isRoot(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    PointOperand vector;
    if (!lastOperand(expr, vector, false) ||
        ArrayRef(vector.dims) != ArrayRef<unsigned>{columns()})
      return false;
    vectors.push_back(vector.value);
    return true;
  }

  /// V[n,r,k].
  bool isSource(const PointExpr *expr) {
    PointOperand source;
    if (!lastOperand(expr, source, false) || source.value != stack.value)
      return false;
    for (auto [dim, wanted] : llvm::zip_equal(source.dims, stack.dims))
      if (dim != (wanted == dims.back() ? columns() : wanted))
        return false;
    return true;
  }

  bool isNormalizer(const PointExpr *expr) {
    if (expr->isApply<math::RsqrtOp>())
      return isMeanSquare(expr->operands[0]);
    if (!expr->isApply<arith::DivFOp>())
      return false;
    auto one = exprs.resolve(expr->operands[0])->floatConstant();
    return one && toDouble(*one) == 1 && isRoot(expr->operands[1]);
  }

  bool isRoot(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    return expr->isApply<math::SqrtOp>() && isMeanSquare(expr->operands[0]);
  }

  /// mean(V^2) + eps.
  bool isMeanSquare(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::AddFOp>())
      return false;
    for (unsigned i : {0, 1}) {
      auto number = exprs.resolve(expr->operands[i])->floatConstant();
      if (!number || !number->isFinite() || number->isNegative() ||
          !isMean(expr->operands[1 - i]))
        continue;
      eps = toDouble(*number);
      ++numNormalizers;
      return true;
    }
    return false;
  }

  bool isMean(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    auto extent = static_cast<double>(extents[dims.back()]);
    if (expr->isApply<arith::DivFOp>()) {
      auto divisor = exprs.resolve(expr->operands[1])->floatConstant();
      return divisor && toDouble(*divisor) == extent &&
             isSumOfSquares(expr->operands[0]);
    }
    if (!expr->isApply<arith::MulFOp>())
      return false;
    for (unsigned i : {0, 1}) {
      auto factor = exprs.resolve(expr->operands[i])->floatConstant();
      if (factor && static_cast<float>(toDouble(*factor)) ==
                        static_cast<float>(1 / extent))
        return isSumOfSquares(expr->operands[1 - i]);
    }
    return false;
  }

  bool isSumOfSquares(const PointExpr *expr) {
    auto squares = sum(expr, columns());
    if (!squares || squares->extent != extents[dims.back()])
      return false;
    const PointExpr *square = exprs.resolve(squares->operand);
    return square->isApply<arith::MulFOp>() && isSource(square->operands[0]) &&
           isSource(square->operands[1]);
  }

  bool typesFit() {
    auto isKnown = [](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      Type element = type.getElementType();
      return type.hasStaticShape() && type.getNumElements() > 0 &&
             (element.isF32() || element.isBF16());
    };
    return llvm::all_of(vectors, isKnown) && isKnown(stack.value) &&
           isKnown(root->getResult(0));
  }

  //===--- Building -------------------------------------------------------===//

  Value build() {
    OpBuilder b(root);
    Location loc = root.getLoc();
    Type result = getElementTypeOrSelf(root->getResult(0).getType());
    auto widened = [&](Value value, Type element) -> Value {
      auto type = cast<RankedTensorType>(value.getType());
      if (type.getElementType() == element)
        return value;
      if (element.isF32())
        return arith::ExtFOp::create(b, loc, type.clone(element), value);
      return arith::TruncFOp::create(b, loc, type.clone(element), value);
    };
    // The mixture has the type of its sources; in f32 it is at least as exact.
    Type stored = getElementTypeOrSelf(stack.value.getType());
    Type storage = result.isF32() ? result : stored;
    SmallVector<Value> sources;
    for (int64_t i = 0; i < extents[n]; ++i)
      sources.push_back(widened(sourceAt(b, i), storage));
    SmallVector<Value> both;
    for (Value vector : vectors)
      both.push_back(widened(vector, b.getF32Type()));
    if (both.size() == 1) {
      auto type = cast<RankedTensorType>(both.front().getType());
      both.push_back(arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, 1.0f)));
    }
    auto mixture = DepthAttentionOp::create(b, loc, ValueRange{both[0]},
                                            ValueRange{both[1]}, sources,
                                            b.getF64FloatAttr(eps));
    return widened(mixture.getOutputs().front(), result);
  }

  /// Source i in the layout [r, d].
  Value sourceAt(OpBuilder &b, int64_t i) {
    unsigned axis = llvm::find(stack.dims, n) - stack.dims.begin();
    auto [piece, at] = pieceAt(stack.value, axis, i);
    auto type = cast<RankedTensorType>(piece.getType());
    // Of one source, it may be another shape of a tensor.
    if (type.getRank() == static_cast<int64_t>(stack.dims.size()) &&
        type.getDimSize(axis) == 1) {
      SmallVector<AffineExpr> indices;
      for (unsigned d : stack.dims)
        indices.push_back(d == n ? getAffineConstantExpr(0, root.getContext())
                                 : dim(d));
      PointOperand source;
      if (lastOperand(
              exprs.access(piece, AffineMap::get(extents.size(), 0, indices,
                                                 root.getContext())),
              source, false) &&
          isPermutation(source.dims, dims))
        return transposed(b, source);
    }
    PointOperand source{piece, {}};
    for (unsigned d : stack.dims)
      if (d != n)
        source.dims.push_back(d);
    if (type.getRank() == static_cast<int64_t>(stack.dims.size())) {
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
      SmallVector<OpFoldResult> sizes;
      SmallVector<int64_t> shape(type.getShape());
      for (int64_t extent : shape)
        sizes.push_back(b.getIndexAttr(extent));
      offsets[axis] = b.getIndexAttr(at);
      sizes[axis] = b.getIndexAttr(1);
      shape.erase(shape.begin() + axis);
      source.value = tensor::ExtractSliceOp::create(
          b, root.getLoc(), RankedTensorType::get(shape, type.getElementType()),
          piece, offsets, sizes, strides);
    }
    return transposed(b, source);
  }

  /// The tensor that index i of a dimension of `value` was made of, and the
  /// index there. It has lost the dimension when its rank is smaller.
  static std::pair<Value, int64_t> pieceAt(Value value, unsigned axis,
                                           int64_t i) {
    while (true) {
      if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
        ArrayRef<int64_t> sizes = insert.getStaticSizes();
        ArrayRef<int64_t> shape = insert.getDestType().getShape();
        int64_t offset = insert.getStaticOffset(axis);
        bool whole = insert.hasUnitStride() && !ShapedType::isDynamic(offset) &&
                     sizes[axis] == 1;
        for (unsigned d = 0; d < shape.size(); ++d)
          whole &= d == axis || sizes[d] == shape[d];
        // Other dimensions of extent 1 must not be mistaken for this one.
        RankedTensorType source = insert.getSourceType();
        SmallVector<int64_t> rest(shape);
        rest.erase(rest.begin() + axis);
        whole &= source.getRank() == insert.getDestType().getRank() ||
                 source.getShape() == ArrayRef(rest);
        if (!whole)
          return {value, i};
        if (offset == i)
          return {insert.getSource(), 0};
        value = insert.getDest();
        continue;
      }
      auto concat = value.getDefiningOp<tensor::ConcatOp>();
      if (!concat || concat.getDim() != axis)
        return {value, i};
      for (Value input : concat.getInputs()) {
        int64_t extent =
            cast<RankedTensorType>(input.getType()).getDimSize(axis);
        if (i < extent) {
          value = input;
          break;
        }
        i -= extent;
      }
    }
  }

  Value transposed(OpBuilder &b, const PointOperand &source) {
    if (source.dims == dims)
      return source.value;
    auto type = cast<RankedTensorType>(source.value.getType());
    SmallVector<int64_t> permutation, shape;
    for (unsigned d : dims) {
      permutation.push_back(llvm::find(source.dims, d) - source.dims.begin());
      shape.push_back(type.getDimSize(permutation.back()));
    }
    Value init =
        tensor::EmptyOp::create(b, root.getLoc(), shape, type.getElementType());
    return linalg::TransposeOp::create(b, root.getLoc(), source.value, init,
                                       permutation)
        ->getResult(0);
  }

  SmallVector<unsigned> dims; ///< of the result, columns last
  PointOperand stack;
  SmallVector<Value> vectors;
  double eps = 0;
  unsigned numNormalizers = 0, numDots = 0, numSources = 0;
};

} // namespace

Value attnres::raiseDepthAttention(linalg::LinalgOp root) {
  return DepthMatcher(root).raise();
}
