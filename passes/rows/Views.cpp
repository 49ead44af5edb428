//===- Views.cpp - memrefs of static shape in other shapes ----------------===//
#include "passes/rows/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

Value attnres::rows::flatView(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 1)
    return memref;
  if (type.getRank() == 0)
    return memref::ExpandShapeOp::create(builder, loc, ArrayRef<int64_t>{1},
                                         memref,
                                         ArrayRef<ReassociationIndices>());
  ReassociationIndices all =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return memref::CollapseShapeOp::create(builder, loc, memref,
                                         ArrayRef<ReassociationIndices>{all});
}

Value attnres::rows::matrixView(OpBuilder &builder, Location loc, Value memref,
                                int64_t rows, int64_t width) {
  return memref::ExpandShapeOp::create(
      builder, loc, ArrayRef<int64_t>{rows, width},
      flatView(builder, loc, memref), ArrayRef<ReassociationIndices>{{0, 1}});
}
