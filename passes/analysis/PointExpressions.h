//===- PointExpressions.h - what a tensor holds at one point ----*- C++ -*-===//
//
// Scalar expressions for the element of a tensor at a symbolic position. They
// see through elementwise linalg operations, named or generic, transposes,
// broadcasts, fills, elementwise arith and math on tensors, changes of shape,
// slices, and joined tensors where the position says which of them is read, so
// that a pattern need not know how a computation was cut into operations.
// Conversions between f32 and bf16 are seen through as well: rounding is not
// meaning, except where a number is computed from rounded ones (isRounded).
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_POINTEXPRESSIONS_H
#define ATTNRES_PASSES_POINTEXPRESSIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>

namespace attnres {

/// One scalar at a symbolic position. Expressions are unique in their
/// PointExpressions: the same pointer means the same scalar.
struct PointExpr {
  enum class Kind {
    Access,   // tensor `value` at `map`, or the scalar `value`
    Constant, // `attribute`, an IntegerAttr or a FloatAttr
    Index,    // the integer `index`
    Apply,    // operation `name` on `operands`; comparisons have their
              // predicate as `attribute`, other operations on integers the
              // type of their result; tensor.extract reads the tensor `value`
              // at the operands, of which one at least is not an expression
              // of the position
  };
  Kind kind;
  mlir::Value value = nullptr;
  mlir::AffineMap map = {};
  mlir::Attribute attribute = nullptr;
  mlir::AffineExpr index = {};
  mlir::StringRef name = {};
  llvm::SmallVector<const PointExpr *, 3> operands = {};

  /// The constant in floating point, when this is one.
  std::optional<llvm::APFloat> floatConstant() const;

  template <typename Op>
  bool isApply() const {
    return kind == Kind::Apply && name == Op::getOperationName();
  }
};

/// A position dimension whose extent a change of shape divides: its inner part
/// has the extent `inner`.
struct DimSplit {
  unsigned dim;
  int64_t inner;
};

/// Whether a value is defined inside of an operation.
bool isDefinedInside(mlir::Value value, mlir::Operation *op);

/// A sum or maximum over one loop or several.
struct PointReduction {
  mlir::Operation *combiner;
  /// What is combined, with the reduction loops at the indices asked for.
  const PointExpr *operand;
  const PointExpr *init;
  /// Extent of the first reduction loop; ShapedType::kDynamic when it is not
  /// known.
  int64_t extent;
};

/// Makes and owns expressions over position dimensions of the given extents,
/// ShapedType::kDynamic where they are not known.
class PointExpressions {
public:
  PointExpressions(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> extents)
      : context(context), numDims(extents.size()), extents(extents) {}

  /// `tensor` at the position `map`, an affine map from the position
  /// dimensions to the indices of the tensor.
  const PointExpr *access(mlir::Value tensor, mlir::AffineMap map);

  /// An access seen through the operation that defines the tensor, when that
  /// is elementwise and understood; otherwise null.
  const PointExpr *expand(const PointExpr *expr);

  /// Expands until something other than an access appears or nothing more is
  /// known.
  const PointExpr *resolve(const PointExpr *expr);

  /// Whether what `expr` resolves to is rounded to bf16 somewhere: computed in
  /// it, or converted on the way.
  bool isRounded(const PointExpr *expr) {
    const PointExpr *end = resolve(expr);
    return rounded.contains(expr) || rounded.contains(end);
  }

  /// Expands every access at every depth, which makes equal computations equal
  /// pointers.
  const PointExpr *expandAll(const PointExpr *expr);

  /// The reduction that `expr`, an access, is the result of, with its loops, as
  /// many as there are `indices`, at these.
  std::optional<PointReduction>
  reduction(const PointExpr *expr, llvm::ArrayRef<mlir::AffineExpr> indices);

  /// The least and greatest value of a linear expression in the position
  /// dimensions; nothing when it is not linear or does not fit into 63 bits.
  std::optional<std::pair<int64_t, int64_t>> range(mlir::AffineExpr expr) const;

  /// An integer expression in the position dimensions, or null. Every step of
  /// it is exact: inside the signed range of its type at all positions.
  mlir::AffineExpr affine(const PointExpr *expr);
  /// The value of a condition that is the same at all positions.
  std::optional<bool> decide(const PointExpr *condition);
  /// The position dimensions of which `index` is the position in row-major
  /// order, none for 0; nothing when it is something else.
  std::optional<llvm::SmallVector<unsigned, 2>>
  rowMajor(mlir::AffineExpr index) const;
  /// The first change of shape that could not be seen through because one
  /// position dimension is several on its other side.
  std::optional<DimSplit> wantedSplit() const { return split; }

private:
  const PointExpr *unique(PointExpr expr);
  /// Notes that `expr`, the value of `op` or of its operand, is rounded if the
  /// result of `op` is bf16.
  const PointExpr *noteRounding(const PointExpr *expr, mlir::Operation *op);
  /// The indices of the dimensions `shape`, of which `index` is the position in
  /// row-major order; nothing when they are not linear expressions.
  std::optional<llvm::SmallVector<mlir::AffineExpr>>
  delinearize(mlir::AffineExpr index, llvm::ArrayRef<int64_t> shape);
  /// An access to a result of expand_shape or collapse_shape as an access to
  /// its source.
  const PointExpr *seeThroughShape(const PointExpr *expr);
  /// An access to a slice, or to what joins tensors, as an access to the tensor
  /// that is read there; null when that depends on the position.
  const PointExpr *seeThroughSlices(const PointExpr *expr);
  /// `index` when all its values are in the signed range of `type`, else null.
  mlir::AffineExpr exact(mlir::AffineExpr index, mlir::Type type) const;
  /// The scalar `value` in the body of `op` at the iteration `loops`; null when
  /// it is computed by an operation that is not understood.
  const PointExpr *scalar(mlir::Value value, mlir::linalg::LinalgOp op,
                          llvm::ArrayRef<mlir::AffineExpr> loops);
  const PointExpr *operandAt(mlir::OpOperand &operand,
                             mlir::linalg::LinalgOp op,
                             llvm::ArrayRef<mlir::AffineExpr> loops);
  /// A value outside any body: a constant or opaque.
  const PointExpr *outer(mlir::Value value);
  /// The iteration of `op` that writes result `result` at `map`. Parallel loops
  /// must be the indices of the result in some order; there are as many
  /// reduction loops as `indices`, which they are at.
  std::optional<llvm::SmallVector<mlir::AffineExpr>>
  iterationOf(mlir::linalg::LinalgOp op, mlir::OpResult result,
              mlir::AffineMap map, llvm::ArrayRef<mlir::AffineExpr> indices);

  mlir::MLIRContext *context;
  unsigned numDims;
  llvm::SmallVector<int64_t> extents;
  std::map<std::vector<const void *>, std::unique_ptr<PointExpr>> exprs;
  llvm::DenseMap<const PointExpr *, const PointExpr *> resolutions, expanded;
  llvm::DenseSet<const PointExpr *> rounded;
  std::optional<DimSplit> split;
};

} // namespace attnres

#endif
