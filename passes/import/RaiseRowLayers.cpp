//===- RaiseRowLayers.cpp - norms and gates in linalg ---------------------===//
//
// Layers that compute rows from rows. With rows r and columns d, the last
// dimension, of the root, all tensors f32 or bf16 and of static shape:
//
//   RMS norm   V[r,d] times 1 / sqrt(mean over k of V[r,k]^2 + eps) once, times
//              one vector over d or none, and nothing else
//   SwiGLU     A sigmoid(A) B at one position, where sigmoid(A) is
//              1 / (1 + exp(-A)), and nothing else
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

/// `operand`, of all position dimensions of the root, in the root's layout.
static Value inLayout(OpBuilder &b, const PointOperand &operand, Value root,
                      ArrayRef<unsigned> dims, ArrayRef<int64_t> extents,
                      Type element) {
  SmallVector<int64_t> shape;
  SmallVector<unsigned> present = operand.dims(), order(dims);
  llvm::erase_if(
      order, [&](unsigned dim) { return !llvm::is_contained(present, dim); });
  for (unsigned dim : present)
    shape.push_back(extents[dim]);
  Value value = reshaped(b, operand.value, shape);
  value = reordered(b, value, present, order);
  value = reshaped(b, value, cast<RankedTensorType>(root.getType()).getShape());
  return converted(b, value, element);
}

/// Whether a result in bf16 is what becomes of the root anyway.
static bool staysNarrow(Value root) {
  Type bf16 = BFloat16Type::get(root.getContext());
  return getElementTypeOrSelf(root.getType()) == bf16 ||
         isOnlyRounded(root, bf16);
}

namespace {

/// What matches of rows have in common: operands with all of the root's
/// dimensions.
class RowMatcher : protected NormMatcher {
public:
  using NormMatcher::NormMatcher;
  using NormMatcher::refined;

protected:
  SmallVector<unsigned> rootDims() const {
    SmallVector<unsigned> dims;
    for (ArrayRef<unsigned> group : groups)
      llvm::append_range(dims, group);
    return dims;
  }

  /// Whether `expr` is a tensor with all dimensions of the root and no others.
  bool asRows(const PointExpr *expr, PointOperand &operand,
              bool behindRounding) {
    if (expr->kind != Kind::Access ||
        !lastOperand(expr, operand, behindRounding) ||
        !isStorage(operand.value))
      return false;
    SmallVector<unsigned> dims = operand.dims();
    auto isRootDim = [&](unsigned dim) { return dim < n; };
    return llvm::all_of(dims, isRootDim) &&
           llvm::all_of(rootDims(), [&](unsigned dim) {
             return extents[dim] == 1 || llvm::is_contained(dims, dim);
           });
  }

  /// The operand that the layer reads: in bf16 where the root is rounded to
  /// that at once.
  bool asNarrowRows(const PointExpr *expr, PointOperand &operand) {
    Type bf16 = BFloat16Type::get(root.getContext());
    if (staysNarrow(root) && asRows(expr, operand, /*behindRounding=*/true) &&
        getElementTypeOrSelf(operand.value) == bf16)
      return true;
    return asRows(expr, operand, /*behindRounding=*/false);
  }
};

struct NormMatch {
  PointOperand x;
  Value gain; ///< or null
  double eps;
  SmallVector<unsigned> dims;
  SmallVector<int64_t> extents;
};

class RmsNormMatcher : RowMatcher {
public:
  using RowMatcher::refined;
  using RowMatcher::RowMatcher;

  std::optional<NormMatch> match() {
    if (!hasColumns() || !isKnownColumn(extents[d]) ||
        !findNormalizer(accessRoot()))
      return std::nullopt;
    numNormalizers = 0;
    if (!collect(accessRoot()) || numNormalizers != 1 || !values ||
        !asNarrowRows(values, result.x))
      return std::nullopt;
    result.eps = eps;
    result.dims = rootDims();
    result.extents = extents;
    return result;
  }

private:
  /// Sets V to what the first normalizer among the factors is one of.
  bool findNormalizer(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!visited.insert(expr).second)
      return false;
    if (expr->isApply<arith::MulFOp>())
      return findNormalizer(expr->operands[0]) ||
             findNormalizer(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    return expr->isApply<arith::DivFOp>() &&
           (isRoot(expr->operands[1]) || findNormalizer(expr->operands[0]));
  }

  bool collect(const PointExpr *expr) {
    if (expr->kind == Kind::Access && atColumn(expr) == source)
      return !std::exchange(values, expr);
    PointOperand vector;
    if (expr->kind == Kind::Access && lastOperand(expr, vector, false) &&
        vector.dims() == SmallVector<unsigned>{d} && isStorage(vector.value))
      return !std::exchange(result.gain, vector.value);
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return collect(expr->operands[0]) && collect(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    return expr->isApply<arith::DivFOp>() && isRoot(expr->operands[1]) &&
           collect(expr->operands[0]);
  }

  NormMatch result;
  const PointExpr *values = nullptr;
  DenseSet<const PointExpr *> visited; ///< by findNormalizer()
};

struct GateMatch {
  PointOperand gate, up;
  SmallVector<unsigned> dims;
  SmallVector<int64_t> extents;
};

class GateMatcher : RowMatcher {
public:
  using RowMatcher::refined;
  using RowMatcher::RowMatcher;

  std::optional<GateMatch> match() {
    if (!collect(accessRoot()) || !gate || factors.size() != 2)
      return std::nullopt;
    for (unsigned i : {0, 1})
      if (same(factors[i], gate) && asNarrowRows(factors[i], result.gate) &&
          asNarrowRows(factors[1 - i], result.up)) {
        result.dims = rootDims();
        result.extents = extents;
        return result;
      }
    return std::nullopt;
  }

private:
  bool collect(const PointExpr *expr) {
    const PointExpr *resolved = exprs.resolve(expr);
    if (resolved->isApply<arith::MulFOp>())
      return collect(resolved->operands[0]) && collect(resolved->operands[1]);
    if (resolved->isApply<arith::DivFOp>()) {
      const PointExpr *argument = sigmoidArgument(resolved->operands[1]);
      if (!argument || std::exchange(gate, argument))
        return false;
      auto one = exprs.resolve(resolved->operands[0])->floatConstant();
      return (one && toDouble(*one) == 1) || collect(resolved->operands[0]);
    }
    factors.push_back(expr);
    return factors.size() <= 2;
  }

  /// y of 1 + exp(-y), or null.
  const PointExpr *sigmoidArgument(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::AddFOp>())
      return nullptr;
    for (unsigned i : {0, 1}) {
      auto one = exprs.resolve(expr->operands[i])->floatConstant();
      const PointExpr *power = exprs.resolve(expr->operands[1 - i]);
      if (!one || toDouble(*one) != 1 || !power->isApply<math::ExpOp>())
        continue;
      const PointExpr *negated = exprs.resolve(power->operands[0]);
      if (negated->isApply<arith::NegFOp>())
        return negated->operands[0];
    }
    return nullptr;
  }

  GateMatch result;
  const PointExpr *gate = nullptr;
  SmallVector<const PointExpr *> factors;
};

} // namespace

/// Lets a result of type `element` take the place of the root, which may be of
/// another one.
static void replaceBy(OpBuilder &b, Value root, Value result) {
  Type element = getElementTypeOrSelf(result.getType());
  if (element.isBF16() && isOnlyRounded(root, element))
    replaceRounded(root, result);
  else
    root.replaceAllUsesWith(
        converted(b, result, getElementTypeOrSelf(root.getType())));
}

bool attnres::raiseRmsNorm(Value root) {
  if (!isStorage(root))
    return false;
  auto match = matchRefining<RmsNormMatcher>(root);
  if (!match)
    return false;
  OpBuilder b(root.getDefiningOp());
  Location loc = root.getLoc();
  int64_t columns = match->extents[match->dims.back()];
  Value gain = match->gain;
  gain = gain ? converted(b, reshaped(b, gain, {columns}), b.getF32Type())
              : arith::ConstantOp::create(
                    b, loc,
                    DenseElementsAttr::get(
                        RankedTensorType::get({columns}, b.getF32Type()), 1.0f))
                    .getResult();
  bool isNarrow =
      staysNarrow(root) && getElementTypeOrSelf(match->x.value).isBF16();
  Value x = inLayout(b, match->x, root, match->dims, match->extents,
                     isNarrow ? Type(b.getBF16Type()) : Type(b.getF32Type()));
  replaceBy(b, root,
            RMSNormOp::create(b, loc, x, gain, b.getF64FloatAttr(match->eps)));
  return true;
}

bool attnres::raiseGate(Value root) {
  if (!isStorage(root))
    return false;
  auto match = matchRefining<GateMatcher>(root);
  if (!match)
    return false;
  OpBuilder b(root.getDefiningOp());
  Type bf16 = b.getBF16Type();
  bool isNarrow = staysNarrow(root) &&
                  getElementTypeOrSelf(match->gate.value) == bf16 &&
                  getElementTypeOrSelf(match->up.value) == bf16;
  Type element = isNarrow ? bf16 : b.getF32Type();
  Value gate =
      inLayout(b, match->gate, root, match->dims, match->extents, element);
  Value up = inLayout(b, match->up, root, match->dims, match->extents, element);
  replaceBy(b, root, SwigluOp::create(b, root.getLoc(), gate, up));
  return true;
}
