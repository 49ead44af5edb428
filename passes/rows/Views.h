//===- Views.h - memrefs of static shape in other shapes --------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_VIEWS_H
#define ATTNRES_PASSES_ROWS_VIEWS_H

#include "mlir/IR/Builders.h"

namespace attnres::rows {

/// The memref [n] over a memref of any rank.
mlir::Value flatView(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value memref);

/// The memref [rows, width] over one of `rows` * `width` elements.
mlir::Value matrixView(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value memref, int64_t rows, int64_t width);

} // namespace attnres::rows

#endif
