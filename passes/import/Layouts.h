//===- Layouts.h - tensors as an operation takes them -----------*- C++ -*-===//
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

/// Whether a tensor of f32 or bf16 becomes bf16 at once, if it is not.
bool staysNarrow(mlir::Value value);

/// Lets what `build` makes before `root`, of the element type it is given, take
/// the place of `root`: in bf16 when all that is read is bf16 and the root
/// stays narrow, for the rounding is then the operation's own; otherwise in
/// f32. What rounds the root takes a result in bf16 as it is.
void replaceInStorage(
    mlir::Value root, bool readsBf16,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Type)> build);

} // namespace attnres

#endif
