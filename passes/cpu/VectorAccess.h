//===- VectorAccess.h - Loads, stores and transposes of vectors -*- C++ -*-===//
//
// Kernels compute in f32 whatever the storage type is: these helpers convert on
// the way.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_VECTORACCESS_H
#define ATTNRES_PASSES_CPU_VECTORACCESS_H

#include "mlir/IR/Builders.h"

namespace attnres::cpu {

/// A memref of static shape and identity layout as one dimension.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value memref);

/// A scalar or vector of floats as f32.
mlir::Value extendToF32(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);

/// vector<width x f32> from the element `indices` of a memref of f32 or bf16
/// on; lanes outside `mask`, when there is one, are not read and `padding`.
mlir::Value loadF32(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value memref, mlir::ValueRange indices, int64_t width,
                    mlir::Value mask = {}, float padding = 0);

/// One element, as f32.
mlir::Value loadScalarF32(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value memref, mlir::ValueRange indices);

/// Stores a scalar or a one-dimensional vector of f32 to a memref of f32 or
/// bf16 (rounded to nearest even); of a vector only the lanes in `mask`, when
/// there is one.
void storeF32(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
              mlir::Value memref, mlir::ValueRange indices,
              mlir::Value mask = {});

/// Fetches the cache line of an element of a memref, which need not exist, into
/// the cache of level 1 or 2.
void prefetch(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
              mlir::ValueRange indices, int64_t level = 2);

/// Transposes a square of L vectors of L elements (L a power of two) by
/// log2(L) stages of two-vector shuffles.
void transposeInRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::MutableArrayRef<mlir::Value> rows);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_VECTORACCESS_H
