//===- VectorRowMachine.cpp - rows in the vectors of a processor ----------===//
#include "passes/cpu/VectorRowMachine.h"

#include "passes/cpu/VectorAccess.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;
using rows::Combine;
using rows::Live;

/// How far ahead of a load memory is asked for: what the core looks ahead by
/// itself does not hide the time that memory takes, beside arithmetic like an
/// exponential even less. Rows follow each other without gaps.
static constexpr int64_t kPrefetchBytes = 4096;

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

namespace {
/// How a row of static width is cut: `wideCount` chunks of `wide` columns, then
/// chunks of one register, the last one masked to `rest` columns.
struct Cut {
  int64_t wide, wideCount, narrowCount, rest;
  Cut(int64_t width, int64_t lanes, Live live)
      : wide(lanes * (live == Live::Few ? 4 : 2)), wideCount(width / wide),
        narrowCount((width - wideCount * wide) / lanes), rest(width % lanes) {}
};
} // namespace

Value VectorRowMachine::firstLanes(int64_t count) const {
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get({lanes}, builder.getI1Type()),
      index.constant(count));
}

void VectorRowMachine::mapColumns(int64_t width, ChunkBody body, Live live) {
  Cut cut(width, lanes, live);
  int64_t wideEnd = cut.wideCount * cut.wide;
  if (cut.wideCount == 1)
    body({index.constant(0), cut.wide, Value()});
  else if (cut.wideCount > 1)
    forRange(index.constant(0), index.constant(wideEnd), cut.wide,
             [&](Value column) {
               body({column, cut.wide, Value()});
             });
  int64_t column = wideEnd;
  for (int64_t i = 0; i < cut.narrowCount; ++i, column += lanes)
    body({index.constant(column), lanes, Value()});
  if (cut.rest) {
    Value mask = firstLanes(cut.rest);
    body({index.constant(column), lanes, mask});
  }
}

Value VectorRowMachine::combine(Combine kind, Value x, Value y) const {
  return kind == Combine::Sum ? add(x, y) : max(x, y);
}

// Each half of the vector added to the other until one lane is left: the order
// does not depend on the instruction set's reduction.
Value VectorRowMachine::combineLanes(Combine kind, Value vector) const {
  int64_t size = cast<VectorType>(vector.getType()).getDimSize(0);
  auto slice = [&](int64_t first) -> Value {
    return vector::ExtractStridedSliceOp::create(
        builder, loc, vector, ArrayRef<int64_t>{first},
        ArrayRef<int64_t>{size / 2}, ArrayRef<int64_t>{1});
  };
  for (; size > 1; size /= 2) {
    Value low = slice(0), high = slice(size / 2);
    vector = combine(kind, low, high);
  }
  return vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{0});
}

SmallVector<Value> VectorRowMachine::reduceColumns(int64_t width,
                                                   ArrayRef<Combine> kinds,
                                                   ReduceBody body, Live live) {
  Cut cut(width, lanes, live);
  auto initial = [&](int64_t size) {
    SmallVector<Value> values;
    for (Combine kind : kinds)
      values.push_back(constant(
          kind == Combine::Sum ? 0.0 : -std::numeric_limits<double>::infinity(),
          vectorType(size)));
    return values;
  };

  SmallVector<Value> wide, narrow;
  int64_t wideEnd = cut.wideCount * cut.wide;
  if (cut.wideCount == 1)
    wide = body({index.constant(0), cut.wide, Value()}, initial(cut.wide));
  else if (cut.wideCount > 1)
    wide =
        rows::forRange(builder, loc, index.constant(0), index.constant(wideEnd),
                       index.constant(cut.wide), initial(cut.wide),
                       [&](Value column, ValueRange carried) {
                         return body({column, cut.wide, Value()}, carried);
                       });
  int64_t column = wideEnd;
  if (cut.narrowCount || cut.rest || !cut.wideCount)
    narrow = initial(lanes);
  for (int64_t i = 0; i < cut.narrowCount; ++i, column += lanes)
    narrow = body({index.constant(column), lanes, Value()}, narrow);
  if (cut.rest) {
    Value mask = firstLanes(cut.rest);
    narrow = body({index.constant(column), lanes, mask}, narrow);
  }

  SmallVector<Value> results;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    Value result;
    if (!wide.empty())
      result = combineLanes(kind, wide[i]);
    if (!narrow.empty()) {
      Value rest = combineLanes(kind, narrow[i]);
      result = result ? combine(kind, result, rest) : rest;
    }
    results.push_back(result);
  }
  return results;
}

SmallVector<Value> VectorRowMachine::indicesOf(const RowRef &ref, Value column,
                                               int64_t distance) const {
  SmallVector<Value> indices;
  if (ref.row)
    indices.push_back(ref.row);
  if (ref.offset)
    column = index.add(ref.offset, column);
  indices.push_back(distance ? index.add(column, distance) : column);
  return indices;
}

Value VectorRowMachine::load(const RowRef &ref, const Chunk &chunk,
                             float padding) {
  return loadF32(builder, loc, ref.memref, indicesOf(ref, chunk.column),
                 chunk.width, chunk.mask, padding);
}

Value VectorRowMachine::loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                                        float padding) {
  auto type = cast<MemRefType>(ref.memref.getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  // Rows that are scratch have no successors.
  if (ref.row)
    for (int64_t i = 0; i < chunk.width; i += kAlignment / bytes)
      prefetch(builder, loc, ref.memref,
               indicesOf(ref, chunk.column, kPrefetchBytes / bytes + i),
               /*level=*/1);
  return load(ref, chunk, padding);
}

void VectorRowMachine::store(const RowRef &ref, const Chunk &chunk,
                             Value value) {
  storeF32(builder, loc, value, ref.memref, indicesOf(ref, chunk.column),
           chunk.mask);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value VectorRowMachine::loadElement(const RowRef &ref, Value column) {
  Value value =
      memref::LoadOp::create(builder, loc, ref.memref, indicesOf(ref, column));
  return isa<FloatType>(value.getType()) ? extendToF32(builder, loc, value)
                                         : value;
}

void VectorRowMachine::storeElement(Value value, const RowRef &ref,
                                    Value column) {
  memref::StoreOp::create(builder, loc, value, ref.memref,
                          indicesOf(ref, column));
}

void VectorRowMachine::mapElements(const RowRef &from, const RowRef &to,
                                   Value count, ArrayRef<Value> parameters,
                                   function_ref<Value(Value, Value)> body) {
  int64_t size = parameters.size();
  SmallVector<Value> pattern;
  for (int64_t lane = 0; lane < lanes; ++lane)
    pattern.push_back(parameters[lane % size]);
  auto type = vectorType(lanes);
  Value parameter =
      size == 1 ? vector::BroadcastOp::create(builder, loc, type, parameters[0])
                      .getResult()
                : vector::FromElementsOp::create(builder, loc, type, pattern)
                      .getResult();
  forRange(index.constant(0), count, lanes, [&](Value i) {
    Chunk chunk{i, lanes, Value()};
    store(to, chunk, body(load(from, chunk), parameter));
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value VectorRowMachine::scratch(int64_t width) {
  return allocateScratch(builder, loc, kernel,
                         MemRefType::get({width}, builder.getF32Type()));
}

Value VectorRowMachine::listScratch(int64_t width) {
  // The offset is the fixed part plus, for every list scratch before this one,
  // its floats for each element. The fixed part is patched in
  // finishListScratch.
  Value count = index.constant(0);
  for (Value argument : kernel.function.getBody().getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      count = index.add(count, listCount(argument));
  auto base = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
  listOffsets.push_back(base);
  // Not index.add, which would fold the constant that is patched later.
  Value offset = arith::AddIOp::create(
      builder, loc, base,
      index.mul(count, listFloats * static_cast<int64_t>(sizeof(float))));
  Value size = index.mul(count, width);
  listFloats += width;
  return memref::ViewOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getF32Type()),
      kernel.scratch, offset, ValueRange{size});
}

void VectorRowMachine::finishListScratch() {
  if (listOffsets.empty())
    return;
  int64_t fixed = llvm::alignTo(kernel.scratchBytes, kAlignment);
  kernel.scratchBytes = fixed;
  for (arith::ConstantOp constant : listOffsets)
    constant.setValueAttr(builder.getIndexAttr(fixed));
  kernel.function.setScratchBytesPerItem(listFloats * sizeof(float));
}

Value VectorRowMachine::listCount(Value list) {
  return getListCount(builder, loc, list);
}

Value VectorRowMachine::listMember(Value list, Value i, RankedTensorType type) {
  return getListElement(
      builder, loc, list, i,
      MemRefType::get(type.getShape(), type.getElementType()));
}
