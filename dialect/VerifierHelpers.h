//===- VerifierHelpers.h - checks shared by the verifiers -------*- C++ -*-===//
//
// Numbers such as DA-7 in comments of the verifiers are those of the statements
// in docs/spec.md that the checks below them enforce.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_VERIFIERHELPERS_H
#define ATTNRES_DIALECT_VERIFIERHELPERS_H

#include "dialect/Attnres.h"

#include <cmath>

namespace attnres {

/// Error unless `value` has exactly the tensor type `expected` (lists are
/// compared by element).
inline mlir::LogicalResult expectType(mlir::Operation *op, llvm::StringRef what,
                                      mlir::Value value,
                                      mlir::RankedTensorType expected) {
  if (tensorOf(value.getType()) == expected)
    return mlir::success();
  return op->emitOpError("expected ") << what << " of type " << expected
                                      << ", got " << tensorOf(value.getType());
}

/// A dimension as it is written in a type.
inline std::string dimension(int64_t size) {
  return mlir::ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

/// Error unless `value` has the shape `expected`; the element type is free.
inline mlir::LogicalResult expectShape(mlir::Operation *op,
                                       llvm::StringRef what, mlir::Value value,
                                       llvm::ArrayRef<int64_t> expected) {
  auto type = tensorOf(value.getType());
  if (type.getShape() == expected)
    return mlir::success();
  mlir::InFlightDiagnostic error = op->emitOpError("expected ");
  error << what << " of shape [";
  llvm::interleaveComma(llvm::map_range(expected, dimension), error);
  error << "], got [";
  llvm::interleaveComma(llvm::map_range(type.getShape(), dimension), error);
  return error << "]";
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return tensorOf(value.getType()).getShape();
}

/// Error unless all operands have a static shape.
inline mlir::LogicalResult expectStatic(mlir::Operation *op) {
  for (mlir::Type type : op->getOperandTypes())
    if (!tensorOf(type).hasStaticShape())
      return op->emitOpError("expected static shapes, got ") << type;
  return mlir::success();
}

/// f32 vector [width].
inline mlir::RankedTensorType vectorType(mlir::Operation *op, int64_t width) {
  return mlir::RankedTensorType::get({width},
                                     mlir::Float32Type::get(op->getContext()));
}

/// G-6: eps is a finite number that is not negative, and one that is not 0
/// is not 0 in f32 either, in which it is used.
inline mlir::LogicalResult expectEps(mlir::Operation *op,
                                     const llvm::APFloat &eps) {
  double value = eps.convertToDouble();
  if (!std::isfinite(value) || value < 0)
    return op->emitOpError("expected eps to be finite and not negative, got ")
           << value;
  if (value != 0 && !std::isnormal(static_cast<float>(value)))
    return op->emitOpError("expected eps to be 0 or a normal number of f32, "
                           "got ")
           << value;
  return mlir::success();
}

/// A group holds tensors of one type, or exactly one list (G-15).
inline mlir::LogicalResult expectGroup(mlir::Operation *op,
                                       llvm::StringRef what,
                                       mlir::ValueRange group,
                                       mlir::RankedTensorType expected) {
  for (mlir::Value value : group) {
    if (mlir::isa<ListType>(value.getType()) && group.size() != 1)
      return op->emitOpError("expected a list to be alone among the ")
             << what << ", got " << group.size() << " operands";
    if (mlir::failed(expectType(op, what, value, expected)))
      return mlir::failure();
  }
  return mlir::success();
}

/// G-15: groups that go together are lists together. `like` has as many values
/// as `group`, or `group` none.
inline mlir::LogicalResult expectListsTogether(mlir::Operation *op,
                                               llvm::StringRef what,
                                               mlir::ValueRange group,
                                               llvm::StringRef likeWhat,
                                               mlir::ValueRange like) {
  if (group.empty())
    return mlir::success();
  bool isList = mlir::isa<ListType>(like.front().getType());
  if (mlir::isa<ListType>(group.front().getType()) == isList)
    return mlir::success();
  return op->emitOpError("expected ")
         << what << (isList ? " as a list" : " as tensors") << ", like "
         << likeWhat;
}

/// PR-3: panels of `tile` columns, which is positive, that hold `columns`;
/// kDynamic when these are.
inline int64_t panelCount(int64_t columns, int64_t tile) {
  if (mlir::ShapedType::isDynamic(columns))
    return columns;
  return columns / tile + (columns % tile != 0);
}

/// G-1 and what says the same of single operations: there are dimensions.
inline mlir::LogicalResult expectRankAtLeast(mlir::Operation *op,
                                             llvm::StringRef what,
                                             mlir::Value value, size_t rank) {
  if (shapeOf(value).size() >= rank)
    return mlir::success();
  return op->emitOpError("expected ")
         << what << " of rank at least " << rank << ", got " << value.getType();
}

/// The factor of scores: 1 / sqrt(head size of `q` [..., D]) when none is
/// given.
double scaleValue(std::optional<llvm::APFloat> scale, mlir::Value q);

/// PR-6: `partials` = P needs 1 <= P.
inline mlir::LogicalResult expectPartials(mlir::Operation *op,
                                          std::optional<int64_t> partials) {
  if (!partials || *partials >= 1)
    return mlir::success();
  return op->emitOpError("expected at least 1 partial sum, got ") << *partials;
}

} // namespace attnres

#endif
