//===- FlashTiles.cpp - Register tiles of attention kernels ---------------===//

#include "passes/cpu/FlashTiles.h"

#include "passes/cpu/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

ColumnTiles::ColumnTiles(int64_t width, int64_t lanes, int64_t tileWidth)
    : fullTiles(width / tileWidth), tileWidth(tileWidth),
      tailWidth(llvm::alignTo(width % tileWidth, lanes)) {
  if (tailWidth == tileWidth) {
    ++fullTiles;
    tailWidth = 0;
  }
}

// Attention keeps no epilogue in registers, so with 32 registers the largest
// tile that does not spill pays.
static int64_t getTileRows(const CpuTarget &target) {
  return target.lanes == 16 ? 12 : target.tileRows;
}

TileBuilder::TileBuilder(OpBuilder &builder, Location loc,
                         KernelFunction &kernel, const CpuTarget &target)
    : Arithmetic(builder, loc), kernel(kernel), index(builder, loc),
      lanes(target.lanes), rows(getTileRows(target)),
      columns(2 * target.lanes) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

VectorType TileBuilder::vectorType(int64_t width) const {
  return VectorType::get(width, builder.getF32Type());
}

Value TileBuilder::splat(float value, int64_t width) const {
  return constant(value, vectorType(width));
}

Value TileBuilder::broadcast(Value scalar, int64_t width) const {
  return vector::BroadcastOp::create(builder, loc, vectorType(width), scalar);
}

Value TileBuilder::sumRegisters(Value vector) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  Value sum;
  for (int64_t first = 0; first < width; first += lanes) {
    SmallVector<int64_t> part =
        llvm::to_vector(llvm::seq<int64_t>(first, first + lanes));
    Value lane = vector::ShuffleOp::create(builder, loc, vector, vector, part);
    sum = sum ? add(sum, lane) : lane;
  }
  return sum;
}

/// Lane i: `first` + i < `limit`.
Value TileBuilder::compareLanes(Value vector, Value first, Value limit) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  SmallVector<int32_t> iota = llvm::to_vector(llvm::seq<int32_t>(0, width));
  Type integer = builder.getI32Type();
  auto type = VectorType::get(width, integer);
  Value lane = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(iota)));
  Value room = arith::IndexCastOp::create(builder, loc, integer,
                                          index.sub(limit, first));
  Value rooms = vector::BroadcastOp::create(builder, loc, type, room);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lane,
                               rooms);
}

Value TileBuilder::keepBelow(Value vector, Value first, Value limit,
                             float otherwise) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  return select(compareLanes(vector, first, limit), vector,
                splat(otherwise, width));
}

Value TileBuilder::keepFrom(Value vector, Value first, Value limit,
                            float otherwise) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  return select(compareLanes(vector, first, limit), splat(otherwise, width),
                vector);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value TileBuilder::scratch(ArrayRef<int64_t> shape) const {
  return allocateScratch(builder, loc, kernel,
                         MemRefType::get(shape, builder.getF32Type()));
}

/// The mask of `valid` leading lanes; null for all of them.
static Value leadingMask(const TileBuilder &t, int64_t width, int64_t valid) {
  if (valid == width)
    return {};
  auto type = VectorType::get(width, t.builder.getI1Type());
  return vector::ConstantMaskOp::create(t.builder, t.loc, type,
                                        ArrayRef<int64_t>{valid});
}

Value TileBuilder::load(Value memref, ValueRange indices, int64_t width,
                        int64_t valid) const {
  return loadF32(builder, loc, memref, indices, width,
                 leadingMask(*this, width, valid));
}

void TileBuilder::store(Value vector, Value memref, ValueRange indices,
                        int64_t valid) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  storeF32(builder, loc, vector, memref, indices,
           leadingMask(*this, width, valid));
}

void TileBuilder::store(Value vector, Value memref, ValueRange indices) const {
  store(vector, memref, indices,
        cast<VectorType>(vector.getType()).getNumElements());
}

Value TileBuilder::loadBroadcast(Value memref, ValueRange indices,
                                 int64_t width) const {
  return broadcast(memref::LoadOp::create(builder, loc, memref, indices),
                   width);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void TileBuilder::forRange(Value from, Value to, int64_t step,
                           function_ref<void(Value)> body) const {
  rows::forRange(builder, loc, from, to, index.constant(step), body);
}

void TileBuilder::forRange(int64_t to, function_ref<void(Value)> body) const {
  forRange(index.constant(0), index.constant(to), 1, body);
}

SmallVector<Value> TileBuilder::forRange(
    Value from, Value to, int64_t step, ValueRange init,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) const {
  return rows::forRange(builder, loc, from, to, index.constant(step), init,
                        body);
}

void TileBuilder::ifTrue(Value condition, function_ref<void()> body) const {
  rows::ifTrue(builder, loc, condition, body);
}

void TileBuilder::ifElse(Value condition, function_ref<void()> then,
                         function_ref<void()> otherwise) const {
  auto ifOp =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  then();
  builder.setInsertionPoint(ifOp.elseBlock()->getTerminator());
  otherwise();
}

Value TileBuilder::less(Value a, Value b) const {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
}

Value TileBuilder::equal(Value a, Value b) const {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}

Value TileBuilder::positive(Value a) const {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, index.constant(0));
}

Value TileBuilder::roundUp(Value a, int64_t step) const {
  return roundDown(index.add(a, step - 1), step);
}

Value TileBuilder::roundDown(Value a, int64_t step) const {
  return index.mul(index.div(a, step), step);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SmallVector<Value>
TileBuilder::product(ArrayRef<Value> acc, Value from, Value to,
                     function_ref<Value(int64_t row, Value k)> a,
                     function_ref<Value(Value k)> b) const {
  int64_t width = cast<VectorType>(acc.front().getType()).getNumElements();
  return forRange(from, to, 1, acc, [&](Value k, ValueRange carried) {
    Value right = b(k);
    SmallVector<Value> next;
    for (auto [row, sum] : llvm::enumerate(carried))
      next.push_back(fma(broadcast(a(row, k), width), right, sum));
    return next;
  });
}

SmallVector<Value> TileBuilder::zeroTile(int64_t width) const {
  return SmallVector<Value>(rows, splat(0.0f, width));
}

// In every block of 2 * half lanes: the low (or high) half of `a`, then that of
// `b`.
Value TileBuilder::shuffle(Value a, Value b, int64_t half, bool high) const {
  SmallVector<int64_t> mask;
  for (int64_t block = 0; block < lanes; block += 2 * half)
    for (int64_t source = 0; source < 2; ++source)
      for (int64_t lane = 0; lane < half; ++lane)
        mask.push_back(source * lanes + block + (high ? half : 0) + lane);
  return vector::ShuffleOp::create(builder, loc, a, b, mask);
}

SmallVector<Value> TileBuilder::transpose(SmallVector<Value> rows) const {
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & half)
        continue;
      Value a = rows[i], b = rows[i + half];
      rows[i] = shuffle(a, b, half, /*high=*/false);
      rows[i + half] = shuffle(a, b, half, /*high=*/true);
    }
  return rows;
}

Value TileBuilder::reduceRows(SmallVector<Value> rows,
                              function_ref<Value(Value, Value)> combine) const {
  rows.resize(lanes, rows.front());
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i)
      rows[i] = combine(shuffle(rows[i], rows[i + half], half, false),
                        shuffle(rows[i], rows[i + half], half, true));
  return rows.front();
}

void TileBuilder::forColumnTiles(
    const ColumnTiles &tiles,
    function_ref<void(Value tile, int64_t width)> body) const {
  if (tiles.fullTiles > 0)
    forRange(tiles.fullTiles, [&](Value tile) { body(tile, tiles.tileWidth); });
  if (tiles.tailWidth > 0)
    body(index.constant(tiles.fullTiles), tiles.tailWidth);
}

//===----------------------------------------------------------------------===//
// Rows of tensors
//===----------------------------------------------------------------------===//

/// Rows of up to this many registers are handled without a loop.
static constexpr int64_t kUnrolledRegisters = 8;

SmallVector<Value> attnres::cpu::appended(ValueRange prefix, Value last) {
  SmallVector<Value> indices(prefix);
  indices.push_back(last);
  return indices;
}

void TileBuilder::forRegisters(int64_t width,
                               function_ref<void(Value column)> body) const {
  if (width <= kUnrolledRegisters * lanes) {
    for (int64_t column = 0; column < width; column += lanes)
      body(index.constant(column));
    return;
  }
  forRange(index.constant(0), index.constant(width), lanes, body);
}

void TileBuilder::forRowVectors(
    Value memref, ValueRange prefix, int64_t width,
    function_ref<void(Value column, Value vector, int64_t valid)> body) const {
  int64_t full = width / lanes * lanes;
  forRegisters(full, [&](Value column) {
    body(column, load(memref, appended(prefix, column), lanes), lanes);
  });
  if (full < width) {
    Value column = index.constant(full);
    body(column, load(memref, appended(prefix, column), lanes, width - full),
         width - full);
  }
}

void TileBuilder::prefetchRow(Value memref, ValueRange prefix,
                              int64_t width) const {
  auto type = cast<MemRefType>(memref.getType());
  int64_t perLine = 64 * 8 / type.getElementTypeBitWidth();
  for (int64_t column = 0; column < width; column += perLine)
    prefetch(builder, loc, memref, appended(prefix, index.constant(column)),
             /*level=*/1);
}

Value TileBuilder::rowDot(Value a, Value b, ValueRange prefix,
                          int64_t width) const {
  Value sum = splat(0.0f, lanes);
  auto addProduct = [&](Value column, Value sum, int64_t valid) {
    SmallVector<Value> indices = appended(prefix, column);
    return fma(load(a, indices, lanes, valid), load(b, indices, lanes, valid),
               sum);
  };
  int64_t full = width / lanes * lanes;
  if (full > 0)
    sum = forRange(index.constant(0), index.constant(full), lanes, {sum},
                   [&](Value column, ValueRange carried) -> SmallVector<Value> {
                     return {addProduct(column, carried.front(), lanes)};
                   })
              .front();
  if (full < width)
    sum = addProduct(index.constant(full), sum, width - full);
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper =
        llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    upper.resize(lanes, 0);
    sum = add(sum, vector::ShuffleOp::create(builder, loc, sum, sum, upper));
  }
  return vector::ExtractOp::create(builder, loc, sum, 0);
}

void TileBuilder::packTransposed(
    Value source, function_ref<SmallVector<Value>(int64_t i)> row,
    int64_t width, Value destination, Value group) const {
  int64_t perTile = columns / lanes;
  Value tile = index.div(group, perTile);
  Value lane = index.mul(index.rem(group, perTile), lanes);
  SmallVector<SmallVector<Value>> sources;
  for (int64_t i = 0; i < lanes; ++i)
    sources.push_back(row(i));
  auto packChunk = [&](Value column, int64_t valid) {
    SmallVector<Value> vectors;
    for (ArrayRef<Value> indices : sources)
      vectors.push_back(load(source, appended(indices, column), lanes, valid));
    vectors = transpose(std::move(vectors));
    for (int64_t i = 0; i < valid; ++i)
      store(vectors[i], destination, {tile, index.add(column, i), lane});
  };
  int64_t full = width / lanes * lanes;
  if (full > 0)
    forRange(index.constant(0), index.constant(full), lanes,
             [&](Value column) { packChunk(column, lanes); });
  if (full < width)
    packChunk(index.constant(full), width - full);
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

Value attnres::cpu::loadCacheStart(const TileBuilder &t, Value start, Value b,
                                   int64_t last) {
  Value position =
      memref::LoadOp::create(t.builder, t.loc, start, ValueRange{b});
  return t.index.clamp(position, last);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

Value attnres::cpu::loadDocument(const TileBuilder &t, Value documents, Value b,
                                 Value query) {
  Value first =
      memref::LoadOp::create(t.builder, t.loc, documents, ValueRange{b, query});
  return t.index.clamp(first,
                       cast<MemRefType>(documents.getType()).getDimSize(1));
}

Value attnres::cpu::leastDocument(const TileBuilder &t, Value documents,
                                  Value b, Value first, Value end) {
  Value most =
      t.index.constant(cast<MemRefType>(documents.getType()).getDimSize(1));
  return t
      .forRange(first, end, 1, {most},
                [&](Value query, ValueRange least) -> SmallVector<Value> {
                  return {t.index.min(least.front(),
                                      loadDocument(t, documents, b, query))};
                })
      .front();
}
