//===- ChunkMachine.cpp - row machines with vectors as chunks -------------===//
#include "passes/rows/ChunkMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace attnres::rows;

VectorType ChunkMachine::vectorType(int64_t width) const {
  return VectorType::get({width}, builder.getF32Type());
}

Value ChunkMachine::splat(Value scalar, const Chunk &chunk) {
  return vector::BroadcastOp::create(builder, loc, vectorType(chunk.width),
                                     scalar);
}

Value ChunkMachine::splat(double value, const Chunk &chunk) {
  return constant(value, vectorType(chunk.width));
}

Value ChunkMachine::keepColumns(Value value, double otherwise,
                                const Chunk &chunk) {
  if (!chunk.mask)
    return value;
  return select(chunk.mask, value, splat(otherwise, chunk));
}

Value ChunkMachine::isColumn(Value column, const Chunk &chunk) {
  auto type = VectorType::get({chunk.width}, builder.getIndexType());
  SmallVector<Attribute> lane;
  for (int64_t i = 0; i < chunk.width; ++i)
    lane.push_back(builder.getIndexAttr(i));
  Value step = arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, lane));
  auto broadcast = [&](Value scalar) -> Value {
    return vector::BroadcastOp::create(builder, loc, type, scalar);
  };
  Value columns =
      arith::AddIOp::create(builder, loc, step, broadcast(chunk.column));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, columns,
                               broadcast(column));
}

Value ChunkMachine::splatWord(Value word, const Chunk &chunk) {
  auto type = VectorType::get({chunk.width}, builder.getI32Type());
  return vector::BroadcastOp::create(builder, loc, type, word);
}

Value ChunkMachine::columnWords(const Chunk &chunk) {
  auto type = VectorType::get({chunk.width}, builder.getI32Type());
  SmallVector<int32_t> lanes;
  for (int64_t i = 0; i < chunk.width; ++i)
    lanes.push_back(static_cast<int32_t>(i));
  Value step = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef(lanes)));
  Value first = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                           chunk.column);
  return arith::AddIOp::create(builder, loc, step, splatWord(first, chunk));
}
