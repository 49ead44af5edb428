//===- RowEmitter.cpp - code for one row at a time ------------------------===//
#include "passes/cpu/RowEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

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
  Cut(int64_t width, int64_t lanes, int64_t registers)
      : wide(lanes * registers), wideCount(width / wide),
        narrowCount((width - wideCount * wide) / lanes), rest(width % lanes) {}
};
} // namespace

VectorType RowEmitter::vectorType(int64_t width) {
  return VectorType::get({width}, b.getF32Type());
}

void RowEmitter::mapColumns(int64_t width, function_ref<void(Chunk)> body,
                            int64_t registers) {
  Cut cut(width, target.lanes, registers);
  int64_t wideEnd = cut.wideCount * cut.wide;
  if (cut.wideCount == 1)
    body({index.constant(0), cut.wide, Value()});
  else if (cut.wideCount > 1)
    forRange(b, b.getLoc(), index.constant(0), index.constant(wideEnd),
             index.constant(cut.wide), [&](Value column) {
               body({column, cut.wide, Value()});
             });
  int64_t column = wideEnd;
  for (int64_t i = 0; i < cut.narrowCount; ++i, column += target.lanes)
    body({index.constant(column), target.lanes, Value()});
  if (cut.rest) {
    Value mask = vector::CreateMaskOp::create(
        b, VectorType::get({target.lanes}, b.getI1Type()),
        index.constant(cut.rest));
    body({index.constant(column), target.lanes, mask});
  }
}

SmallVector<Value> RowEmitter::reduceColumns(
    int64_t width, ArrayRef<Combine> kinds,
    function_ref<SmallVector<Value>(Chunk, ValueRange)> body,
    int64_t registers) {
  Cut cut(width, target.lanes, registers);
  auto initial = [&](int64_t lanes) {
    SmallVector<Value> values;
    for (Combine kind : kinds)
      values.push_back(splat(
          kind == Combine::Sum ? 0.0 : -std::numeric_limits<double>::infinity(),
          Chunk{Value(), lanes, Value()}));
    return values;
  };
  auto kindOf = [](Combine kind) {
    return kind == Combine::Sum ? vector::CombiningKind::ADD
                                : vector::CombiningKind::MAXIMUMF;
  };
  auto combine = [&](Combine kind, Value x, Value y) {
    return kind == Combine::Sum ? add(x, y) : max(x, y);
  };
  // Each half of the vector added to the other until one register is left,
  // then across the register: the order does not depend on the instruction
  // set's reduction.
  auto finish = [&](Combine kind, Value vector) {
    int64_t lanes = cast<VectorType>(vector.getType()).getDimSize(0);
    while (lanes > 1 && lanes % 2 == 0) {
      Value low = vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{lanes / 2},
          ArrayRef<int64_t>{1});
      Value high = vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{lanes / 2}, ArrayRef<int64_t>{lanes / 2},
          ArrayRef<int64_t>{1});
      vector = combine(kind, low, high);
      lanes /= 2;
    }
    if (lanes == 1)
      return vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{0})
          .getResult();
    return vector::ReductionOp::create(b, kindOf(kind), vector).getResult();
  };

  SmallVector<Value> wide, narrow;
  int64_t wideEnd = cut.wideCount * cut.wide;
  if (cut.wideCount == 1)
    wide = body({index.constant(0), cut.wide, Value()}, initial(cut.wide));
  else if (cut.wideCount > 1)
    wide = forRange(b, b.getLoc(), index.constant(0), index.constant(wideEnd),
                    index.constant(cut.wide), initial(cut.wide),
                    [&](Value column, ValueRange carried) {
                      return body({column, cut.wide, Value()}, carried);
                    });
  int64_t column = wideEnd;
  if (cut.narrowCount || cut.rest || !cut.wideCount)
    narrow = initial(target.lanes);
  for (int64_t i = 0; i < cut.narrowCount; ++i, column += target.lanes)
    narrow = body({index.constant(column), target.lanes, Value()}, narrow);
  if (cut.rest) {
    Value mask = vector::CreateMaskOp::create(
        b, VectorType::get({target.lanes}, b.getI1Type()),
        index.constant(cut.rest));
    narrow = body({index.constant(column), target.lanes, mask}, narrow);
  }

  SmallVector<Value> results;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    Value result;
    if (!wide.empty())
      result = finish(kind, wide[i]);
    if (!narrow.empty()) {
      Value rest = finish(kind, narrow[i]);
      result = result ? combine(kind, result, rest) : rest;
    }
    results.push_back(result);
  }
  return results;
}

/// Of the element `distance` columns behind the chunk's first one.
SmallVector<Value> RowEmitter::indicesOf(const RowRef &ref, const Chunk &chunk,
                                         int64_t distance) {
  SmallVector<Value> indices;
  if (ref.row)
    indices.push_back(ref.row);
  Value column =
      ref.offset ? index.add(ref.offset, chunk.column) : chunk.column;
  indices.push_back(distance ? index.add(column, distance) : column);
  return indices;
}

Value RowEmitter::load(const RowRef &ref, const Chunk &chunk, float padding) {
  auto element = cast<MemRefType>(ref.memref.getType()).getElementType();
  auto type = VectorType::get({chunk.width}, element);
  SmallVector<Value> indices = indicesOf(ref, chunk);
  Value value;
  if (chunk.mask) {
    Value pad = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getFloatAttr(element, padding)));
    value = vector::MaskedLoadOp::create(b, type, ref.memref, indices,
                                         chunk.mask, pad);
  } else {
    value = vector::LoadOp::create(b, type, ref.memref, indices);
  }
  if (!element.isF32())
    value = arith::ExtFOp::create(b, vectorType(chunk.width), value);
  return value;
}

Value RowEmitter::loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                                  float padding) {
  auto type = cast<MemRefType>(ref.memref.getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  // Rows that are scratch have no successors.
  if (ref.row)
    for (int64_t i = 0; i < chunk.width; i += kAlignment / bytes)
      memref::PrefetchOp::create(
          b, ref.memref, indicesOf(ref, chunk, kPrefetchBytes / bytes + i),
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  return load(ref, chunk, padding);
}

void RowEmitter::store(const RowRef &ref, const Chunk &chunk, Value value) {
  auto element = cast<MemRefType>(ref.memref.getType()).getElementType();
  if (!element.isF32())
    value = arith::TruncFOp::create(b, VectorType::get({chunk.width}, element),
                                    value);
  SmallVector<Value> indices = indicesOf(ref, chunk);
  if (chunk.mask)
    vector::MaskedStoreOp::create(b, ref.memref, indices, chunk.mask, value);
  else
    vector::StoreOp::create(b, value, ref.memref, indices);
}

Value RowEmitter::splat(Value scalar, const Chunk &chunk) {
  return vector::BroadcastOp::create(b, vectorType(chunk.width), scalar);
}

Value RowEmitter::splat(double value, const Chunk &chunk) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorType(chunk.width),
                                static_cast<float>(value)));
}

//===----------------------------------------------------------------------===//
// Scalars and vectors of f32
//===----------------------------------------------------------------------===//

Value RowEmitter::f32(double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}
Value RowEmitter::add(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}
Value RowEmitter::sub(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}
Value RowEmitter::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}
Value RowEmitter::div(Value x, Value y) {
  return arith::DivFOp::create(b, x, y);
}
Value RowEmitter::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}
Value RowEmitter::max(Value x, Value y) {
  // One instruction; arith.maximumf would also look for NaN.
  Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
  return arith::SelectOp::create(b, isLarger, x, y);
}
Value RowEmitter::neg(Value x) { return arith::NegFOp::create(b, x); }
Value RowEmitter::rsqrt(Value x) {
  return div(f32(1), math::SqrtOp::create(b, x));
}
Value RowEmitter::exp(Value x) { return math::ExpOp::create(b, x); }
Value RowEmitter::expInSum(Value x) {
  return math::ExpOp::create(b, x, arith::FastMathFlags::afn);
}
Value RowEmitter::log(Value x) { return math::LogOp::create(b, x); }
Value RowEmitter::erf(Value x) { return math::ErfOp::create(b, x); }

Value RowEmitter::sigmoid(Value x) {
  Type type = x.getType();
  TypedAttr one = b.getF32FloatAttr(1);
  if (auto vector = dyn_cast<VectorType>(type))
    one = DenseElementsAttr::get(vector, 1.0f);
  Value ones = arith::ConstantOp::create(b, one);
  return div(ones, add(ones, expInSum(neg(x))));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value RowEmitter::flatView(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 1)
    return memref;
  if (type.getRank() == 0)
    return memref::ExpandShapeOp::create(b, ArrayRef<int64_t>{1}, memref,
                                         ArrayRef<ReassociationIndices>());
  ReassociationIndices all =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return memref::CollapseShapeOp::create(b, memref,
                                         ArrayRef<ReassociationIndices>{all});
}

Value RowEmitter::rowsView(Value memref) {
  Value flat = flatView(memref);
  int64_t total = cast<MemRefType>(flat.getType()).getDimSize(0);
  int64_t width = rows ? total / rows : 0;
  if (rows == 0) {
    auto shape = cast<MemRefType>(memref.getType()).getShape();
    width = shape.empty() ? 1 : shape.back();
  }
  return memref::ExpandShapeOp::create(b, ArrayRef<int64_t>{rows, width}, flat,
                                       ArrayRef<ReassociationIndices>{{0, 1}});
}

Value RowEmitter::scratchRow(int64_t width) {
  return allocateScratch(b, b.getLoc(), kernel,
                         MemRefType::get({width}, b.getF32Type()));
}

Value RowEmitter::loadScalar(Value memref, ValueRange indices) {
  Value value = memref::LoadOp::create(b, memref, indices);
  if (isa<BFloat16Type>(value.getType()))
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  return value;
}

void RowEmitter::storeScalar(Value value, Value memref, ValueRange indices) {
  memref::StoreOp::create(b, value, memref, indices);
}

Value RowEmitter::listScratch(int64_t floatsPerElement) {
  // The offset is the fixed part plus, for every list scratch before this one,
  // its floats for each element. Both are patched in finishListScratch.
  Value count = index.constant(0);
  for (Value argument : kernel.function.getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      count = index.add(count, getListCount(b, b.getLoc(), argument));
  auto base = arith::ConstantOp::create(b, b.getIndexAttr(0));
  listOffsets.push_back({base, listFloats});
  // Not index.add, which would fold the constant that is patched later.
  Value offset = arith::AddIOp::create(
      b, base,
      index.mul(count, listFloats * static_cast<int64_t>(sizeof(float))));
  Value size = index.mul(count, floatsPerElement);
  listFloats += floatsPerElement;
  return memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getF32Type()),
      kernel.scratch, offset, ValueRange{size});
}

void RowEmitter::finishListScratch() {
  if (listOffsets.empty())
    return;
  int64_t fixed = llvm::alignTo(kernel.scratchBytes, kAlignment);
  kernel.scratchBytes = fixed;
  for (auto &[constant, floats] : listOffsets)
    constant.setValueAttr(b.getIndexAttr(fixed));
  kernel.function.setScratchBytesPerItem(listFloats * sizeof(float));
}
