//===- Layouts.h - tensors brought into the layout of an operation -*- C++
//-*-//
#ifndef ATTNRES_PASSES_LAYOUTS_H
#define ATTNRES_PASSES_LAYOUTS_H

#include "mlir/IR/Builders.h"

namespace attnres {

/// `value` in another shape, the elements in the same order.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Value value,
                     llvm::ArrayRef<int64_t> shape);

/// Reorders the dimensions `from` of `value` to `to`, the same ones.
mlir::Value reordered(mlir::OpBuilder &builder, mlir::Value value,
                      llvm::ArrayRef<unsigned> from,
                      llvm::ArrayRef<unsigned> to);

/// `value`, a tensor of f32 or bf16, as a tensor of `element`.
mlir::Value converted(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::Type element);

/// Whether `value` and its other shapes are used only rounded to `type`.
bool isOnlyRounded(mlir::Value value, mlir::Type type);

/// Lets users that round `value` take `rounded`.
void replaceRounded(mlir::Value value, mlir::Value rounded);

} // namespace attnres

#endif
