//===- WarpRowMachine.cpp - rows in the lanes of a warp -------------------===//
#include "passes/nvptx/WarpRowMachine.h"

#include "passes/nvptx/GpuKernel.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using rows::Combine;
using rows::Live;

/// A memref of the memory that `pointer` points into.
static MemRefType memRefIn(Value pointer, ArrayRef<int64_t> shape,
                           Type element) {
  unsigned space =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  return MemRefType::get(
      shape, element, MemRefLayoutAttrInterface(),
      Builder(element.getContext()).getI64IntegerAttr(space));
}

/// The widest access of a lane.
static constexpr int64_t kAccessBytes = 16;
/// Blocks of scratch start on this boundary.
static constexpr int64_t kScratchAlignment = 64;
/// Loops over so many chunks are unrolled.
static constexpr int64_t kUnrolledChunks = 8;
/// Sums of a row that are exchanged at a time, and warps that do.
static constexpr int64_t kMostSums = 16, kMostWarps = 16;

int64_t WarpRowMachine::warpsFor(int64_t width, int64_t laneColumns) {
  if (width <= kWarpLanes * laneColumns)
    return 1;
  int64_t warps = 2;
  while (warps < kMostWarps && width > warps * kWarpLanes * laneColumns)
    warps *= 2;
  return warps;
}

WarpRowMachine::WarpRowMachine(OpBuilder &builder, Location loc, int64_t rows,
                               const Group &group, ValueRange lists)
    : ChunkMachine(builder, loc, rows), group(group), lists(lists) {
  item = group.item;
  members = index.constant(0);
  for (Value list : lists)
    members = index.add(members, listCount(list));
  fixedBytes = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
  memberBytes =
      arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
  // Not the index builder, which would fold the constants that are patched.
  Value size = arith::AddIOp::create(
      builder, loc, fixedBytes,
      arith::MulIOp::create(builder, loc, memberBytes, members));
  Value offset =
      index.toInteger(arith::MulIOp::create(builder, loc, group.part, size));
  Value start = LLVM::GEPOp::create(
      builder, loc, group.scratch.getType(), builder.getI8Type(), group.scratch,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(offset)});

  auto type =
      memRefIn(group.scratch, {ShapedType::kDynamic}, builder.getI8Type());
  LLVMTypeConverter converter(builder.getContext());
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, start);
  descriptor.setAlignedPtr(builder, loc, start);
  descriptor.setConstantOffset(builder, loc, 0);
  descriptor.setSize(builder, loc, 0, index.toInteger(size));
  descriptor.setConstantStride(builder, loc, 0, 1);
  groupScratch =
      UnrealizedConversionCastOp::create(builder, loc, type, Value(descriptor))
          .getResult(0);
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

// A power of two that divides the width, so that every row and every lane
// starts aligned to its access and is in the row as a whole or not at all.
int64_t WarpRowMachine::laneColumns(int64_t width) const {
  int64_t columns = 1;
  while (columns < group.laneColumns && width % (2 * columns) == 0 &&
         width >= 2 * columns * lanes())
    columns *= 2;
  return columns;
}

SmallVector<rows::Chunk> WarpRowMachine::chunksOf(int64_t width) {
  int64_t columns = laneColumns(width), step = columns * lanes();
  Value first = index.mul(group.lane, columns);
  SmallVector<Chunk> chunks;
  for (int64_t base = 0; base < width; base += step) {
    Value column = index.add(first, base);
    Value isInRow;
    if (base + step > width)
      isInRow = index.isLess(column, index.constant(width));
    chunks.push_back({column, columns, isInRow});
  }
  return chunks;
}

std::optional<SmallVector<rows::Chunk>>
WarpRowMachine::registerChunks(int64_t width) {
  constexpr int64_t kMostColumns = 64;
  if (width == 0 || width > kMostColumns * lanes())
    return std::nullopt;
  return chunksOf(width);
}

void WarpRowMachine::mapColumns(int64_t width, ChunkBody body, Live live) {
  reduceColumns(
      width, {},
      [&](Chunk chunk, ValueRange) {
        body(chunk);
        return SmallVector<Value>();
      },
      live);
}

SmallVector<Value> WarpRowMachine::reduceColumns(int64_t width,
                                                 ArrayRef<Combine> kinds,
                                                 ReduceBody body, Live) {
  int64_t columns = laneColumns(width), step = columns * lanes();
  int64_t full = width / step * step;
  SmallVector<Value> sums;
  for (Combine kind : kinds)
    sums.push_back(constant(
        kind == Combine::Sum ? 0.0 : -std::numeric_limits<double>::infinity(),
        vectorType(columns)));
  // Other lanes' elements, which the body may overwrite, have been read, and
  // what they wrote is there.
  sync();
  if (full <= kUnrolledChunks * step) {
    for (const Chunk &chunk : chunksOf(width))
      sums = body(chunk, sums);
  } else {
    Value first = index.mul(group.lane, columns);
    sums = rows::forRange(
        builder, loc, index.constant(0), index.constant(full),
        index.constant(step), sums, [&](Value base, ValueRange carried) {
          return body({index.add(base, first), columns, Value()}, carried);
        });
    if (full < width) {
      Value column = index.add(first, full);
      Value isInRow = index.isLess(column, index.constant(width));
      sums = body({column, columns, isInRow}, sums);
    }
  }
  sync();
  return combineChunks(kinds, sums);
}

Value WarpRowMachine::combine(Combine kind, Value x, Value y) const {
  return kind == Combine::Sum ? add(x, y) : max(x, y);
}

SmallVector<Value> WarpRowMachine::combineChunks(ArrayRef<Combine> kinds,
                                                 ValueRange values) {
  SmallVector<Value> results;
  for (auto [kind, value] : llvm::zip_equal(kinds, values))
    results.push_back(combineWarp(kind, value));
  if (group.warps > 1 && !kinds.empty())
    return combineWarps(kinds, results);
  return results;
}

Value WarpRowMachine::combineWarp(Combine kind, Value vector) {
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
  Value value =
      vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{0});
  for (int64_t distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    Value other = exchangeLanes(builder, loc, value, distance);
    value = combine(kind, value, other);
  }
  return value;
}

SmallVector<Value> WarpRowMachine::combineWarps(ArrayRef<Combine> kinds,
                                                ArrayRef<Value> values) {
  static_assert(kMostSums * kMostWarps * sizeof(float) == kExchangeBytes);
  assert(kinds.size() <= kMostSums && "more sums than memory to exchange them");
  auto slot = [&](size_t sum, Value warp) -> Value {
    Value place = index.add(warp, sum * kMostWarps);
    return LLVM::GEPOp::create(
        builder, loc, group.exchange.getType(), builder.getF32Type(),
        group.exchange,
        ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index.toInteger(place))});
  };
  Value warp = index.div(group.lane, kWarpLanes);
  Value isFirst =
      index.isLess(index.rem(group.lane, kWarpLanes), index.constant(1));
  ifTrue(isFirst, [&] {
    for (auto [i, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(builder, loc, value, slot(i, warp));
  });
  sync();
  int64_t loaded = std::min<int64_t>(group.warps, 4); // 16 bytes
  VectorType type = vectorType(loaded);
  SmallVector<Value> results;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    Value result;
    for (int64_t first = 0; first < group.warps; first += loaded) {
      Value sums = LLVM::LoadOp::create(builder, loc, type,
                                        slot(i, index.constant(first)),
                                        /*alignment=*/loaded * sizeof(float));
      for (int64_t j = 0; j < loaded; ++j) {
        Value value =
            vector::ExtractOp::create(builder, loc, sums, ArrayRef<int64_t>{j});
        result = result ? combine(kind, result, value) : value;
      }
    }
    results.push_back(result);
  }
  // Before the next sums are written there.
  sync();
  return results;
}

void WarpRowMachine::sync() {
  if (group.warps == 1)
    syncWarp(builder, loc);
  else
    NVVM::Barrier0Op::create(builder, loc);
}

SmallVector<Value> WarpRowMachine::indicesOf(const RowRef &ref,
                                             Value column) const {
  SmallVector<Value> indices;
  if (ref.row)
    indices.push_back(ref.row);
  indices.push_back(ref.offset ? index.add(ref.offset, column) : column);
  return indices;
}

/// Of an access of `type`, in bytes.
static llvm::Align alignmentOf(VectorType type) {
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return llvm::Align(std::min(bytes, kAccessBytes));
}

Value WarpRowMachine::load(const RowRef &ref, const Chunk &chunk,
                           float padding) {
  Type element = cast<MemRefType>(ref.memref.getType()).getElementType();
  auto type = VectorType::get({chunk.width}, element);
  auto read = [&]() -> Value {
    return vector::LoadOp::create(builder, loc, type, ref.memref,
                                  indicesOf(ref, chunk.column),
                                  /*nontemporal=*/false, alignmentOf(type));
  };
  Value value;
  if (chunk.mask) {
    auto ifInRow = scf::IfOp::create(builder, loc, type, chunk.mask,
                                     /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifInRow.thenBlock());
    scf::YieldOp::create(builder, loc, read());
    builder.setInsertionPointToStart(ifInRow.elseBlock());
    Value otherwise = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, Attribute(builder.getFloatAttr(element, padding))));
    scf::YieldOp::create(builder, loc, otherwise);
    value = ifInRow.getResult(0);
  } else {
    value = read();
  }
  if (element.isF32())
    return value;
  return arith::ExtFOp::create(builder, loc, vectorType(chunk.width), value);
}

void WarpRowMachine::store(const RowRef &ref, const Chunk &chunk, Value value) {
  Type element = cast<MemRefType>(ref.memref.getType()).getElementType();
  auto type = VectorType::get({chunk.width}, element);
  if (!element.isF32())
    value = arith::TruncFOp::create(builder, loc, type, value);
  auto write = [&] {
    vector::StoreOp::create(builder, loc, value, ref.memref,
                            indicesOf(ref, chunk.column),
                            /*nontemporal=*/false, alignmentOf(type));
  };
  if (chunk.mask)
    ifTrue(chunk.mask, write);
  else
    write();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value WarpRowMachine::loadElement(const RowRef &ref, Value column) {
  Value value =
      memref::LoadOp::create(builder, loc, ref.memref, indicesOf(ref, column));
  if (isa<BFloat16Type>(value.getType()))
    value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  return value;
}

// One lane stores, after all have read what was there and before any reads on.
void WarpRowMachine::storeElement(Value value, const RowRef &ref,
                                  Value column) {
  sync();
  ifTrue(index.isLess(group.lane, index.constant(1)), [&] {
    memref::StoreOp::create(builder, loc, value, ref.memref,
                            indicesOf(ref, column));
  });
  sync();
}

void WarpRowMachine::mapElements(const RowRef &from, const RowRef &to,
                                 Value count, ArrayRef<Value> parameters,
                                 function_ref<Value(Value, Value)> body) {
  // Elements of a lane are a multiple of the pattern apart.
  Value place = index.rem(group.lane, parameters.size());
  Value parameter = parameters[0];
  for (auto [i, other] : llvm::enumerate(parameters.drop_front()))
    parameter =
        select(index.isLess(index.constant(i), place), other, parameter);
  sync();
  forRange(group.lane, count, lanes(), [&](Value i) {
    Value x =
        memref::LoadOp::create(builder, loc, from.memref, indicesOf(from, i));
    memref::StoreOp::create(builder, loc, body(x, parameter), to.memref,
                            indicesOf(to, i));
  });
  sync();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value WarpRowMachine::scratchView(Value offset, ArrayRef<int64_t> shape,
                                  ValueRange sizes, Type type) {
  MemRefType view =
      memRefIn(group.scratch, shape, type ? type : builder.getF32Type());
  return memref::ViewOp::create(builder, loc, view, groupScratch, offset,
                                sizes);
}

Value WarpRowMachine::nearbyRows(Value list, int64_t count, int64_t width,
                                 Type type) {
  if (!group.keepsRows)
    return {};
  for (auto [other, capacity] : llvm::zip(lists, group.capacities))
    if (other == list)
      count = capacity;
  Value offset = index.constant(bytes.fixed);
  bytes.fixed += llvm::alignTo(
      count * width * (type.getIntOrFloatBitWidth() / 8), kScratchAlignment);
  return scratchView(offset, count * width, ValueRange(), type);
}

Value WarpRowMachine::scratch(int64_t width) {
  constexpr int64_t kElement = sizeof(float), kTableWidth = 128;
  Value offset = index.constant(bytes.fixed);
  int64_t size = llvm::alignTo(width * kElement, kScratchAlignment);
  bytes.fixed += size;
  int64_t elements = size / kElement;
  Value memref = scratchView(offset, elements, ValueRange());
  // Of a small table LLVM may load more elements than are asked for, those
  // that nothing has written included.
  if (width <= kTableWidth)
    forRange(group.lane, index.constant(elements), lanes(), [&](Value i) {
      memref::StoreOp::create(builder, loc, f32(0), memref, i);
    });
  return memref;
}

Value WarpRowMachine::listScratch(int64_t width) {
  auto base = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
  listOffsets.push_back(base);
  Value offset = arith::AddIOp::create(builder, loc, base,
                                       index.mul(members, bytes.perMember));
  Value size = index.mul(members, width);
  bytes.perMember +=
      llvm::alignTo(width * int64_t(sizeof(float)), kScratchAlignment);
  return scratchView(offset, ShapedType::kDynamic, size);
}

WarpRowMachine::ScratchBytes WarpRowMachine::finishScratch() {
  fixedBytes.setValueAttr(builder.getIndexAttr(bytes.fixed));
  memberBytes.setValueAttr(builder.getIndexAttr(bytes.perMember));
  for (arith::ConstantOp offset : listOffsets)
    offset.setValueAttr(builder.getIndexAttr(bytes.fixed));
  return bytes;
}

Value WarpRowMachine::listCount(Value list) {
  return nvptx::listCount(builder, loc, list);
}

Value WarpRowMachine::listMember(Value list, Value i, RankedTensorType type) {
  return nvptx::listMember(builder, loc, list, i, type);
}
