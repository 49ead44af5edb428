//===- RowMatcher.h - layers that compute rows from rows --------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWMATCHER_H
#define ATTNRES_PASSES_ROWMATCHER_H

#include "passes/import/NormMatcher.h"

namespace attnres {

/// An operand of a layer, with all position dimensions of the root.
struct RowOperand : PointOperand {
  bool isBF16() const;
};

/// What matches of such layers have in common: operands that have all of the
/// root's dimensions.
class RowMatcher : public NormMatcher {
public:
  using NormMatcher::NormMatcher;

  /// An operand in the layout of the root, its elements as `storage`.
  mlir::Value inLayout(mlir::OpBuilder &builder, const RowOperand &operand,
                       mlir::Type storage) const;

protected:
  llvm::SmallVector<unsigned> rootDims() const;
  /// Whether `expr` is a tensor with all dimensions of the root and no others:
  /// in bf16 where the root is rounded to that at once and there is one.
  bool asRows(const PointExpr *expr, RowOperand &operand);
  /// Whether `expr` is a tensor of the columns alone.
  bool asVector(const PointExpr *expr, mlir::Value &vector);

private:
  bool asRows(const PointExpr *expr, RowOperand &operand, bool behindRounding);
};

/// A vector over the columns in f32, or one of `otherwise` where there is none.
mlir::Value vectorOrConstant(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value vector, int64_t columns,
                             float otherwise);

} // namespace attnres

#endif
