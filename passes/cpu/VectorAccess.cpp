//===- VectorAccess.cpp - Loads, stores and transposes of vectors ---------===//

#include "passes/cpu/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

Value attnres::cpu::flatten(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 1)
    return memref;
  auto flatType =
      MemRefType::get({type.getNumElements()}, type.getElementType());
  return memref::ReinterpretCastOp::create(
      builder, loc, flatType, memref, /*offset=*/0,
      /*sizes=*/ArrayRef<int64_t>{type.getNumElements()},
      /*strides=*/ArrayRef<int64_t>{1});
}

Value attnres::cpu::extendToF32(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type).isF32())
    return value;
  Type f32 = builder.getF32Type();
  if (auto vector = dyn_cast<VectorType>(type))
    f32 = vector.clone(f32);
  return arith::ExtFOp::create(builder, loc, f32, value);
}

Value attnres::cpu::loadF32(OpBuilder &builder, Location loc, Value memref,
                            ValueRange indices, int64_t width, Value mask,
                            float padding) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get({width}, element);
  Value value;
  if (mask) {
    Value otherwise = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, Attribute(builder.getFloatAttr(element, padding))));
    value = vector::MaskedLoadOp::create(builder, loc, type, memref, indices,
                                         mask, otherwise);
  } else {
    value = vector::LoadOp::create(builder, loc, type, memref, indices);
  }
  return extendToF32(builder, loc, value);
}

Value attnres::cpu::loadScalarF32(OpBuilder &builder, Location loc,
                                  Value memref, ValueRange indices) {
  return extendToF32(builder, loc,
                     memref::LoadOp::create(builder, loc, memref, indices));
}

void attnres::cpu::storeF32(OpBuilder &builder, Location loc, Value value,
                            Value memref, ValueRange indices, Value mask) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!element.isF32()) {
    Type type = vector ? Type(vector.clone(element)) : element;
    value = arith::TruncFOp::create(builder, loc, type, value);
  }
  if (!vector)
    memref::StoreOp::create(builder, loc, value, memref, indices);
  else if (mask)
    vector::MaskedStoreOp::create(builder, loc, memref, indices, mask, value);
  else
    vector::StoreOp::create(builder, loc, value, memref, indices);
}

void attnres::cpu::prefetch(OpBuilder &builder, Location loc, Value memref,
                            ValueRange indices, int64_t level) {
  memref::PrefetchOp::create(builder, loc, memref, indices,
                             /*isWrite=*/false, /*localityHint=*/4 - level,
                             /*isDataCache=*/true);
}

void attnres::cpu::transposeInRegisters(OpBuilder &builder, Location loc,
                                        MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  // Each stage exchanges the upper right and the lower left quarter of every
  // square of 2 * half.
  for (int64_t half = size / 2; half != 0; half /= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < size; ++lane) {
      bool isLeft = (lane & half) == 0;
      upper.push_back(isLeft ? lane : size + lane - half);
      lower.push_back(isLeft ? lane + half : size + lane);
    }
    for (int64_t i = 0; i < size; ++i) {
      if (i & half)
        continue;
      Value a = rows[i], b = rows[i + half];
      rows[i] = vector::ShuffleOp::create(builder, loc, a, b, upper);
      rows[i + half] = vector::ShuffleOp::create(builder, loc, a, b, lower);
    }
  }
}
