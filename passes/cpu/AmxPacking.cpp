//===- AmxPacking.cpp - Operands of products as AMX tiles -----------------===//

#include "passes/cpu/AmxPacking.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/VectorAccess.h"

using namespace mlir;
using namespace attnres::cpu;

bool AmxSource::isF32() const {
  return cast<MemRefType>(memory.getType()).getElementType().isF32();
}

/// Runs `body` where i < end.
static void emitIfBelow(OpBuilder &builder, Location loc, Value i, Value end,
                        function_ref<void()> body) {
  Value isBelow =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, i, end);
  auto ifOp =
      scf::IfOp::create(builder, loc, isBelow, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  body();
}

void attnres::cpu::forBlocks(OpBuilder &builder, Location loc, Value begin,
                             Value end, int64_t total, int64_t whole,
                             function_ref<void(Value, int64_t)> body) {
  IndexBuilder ix(builder, loc);
  Value wholeEnd = ix.min(end, total / whole);
  forRange(builder, loc, begin, wholeEnd, ix.constant(1),
           [&](Value i) { body(i, whole); });
  if (total % whole == 0)
    return;
  // The last one, when it is in the range.
  Value last = ix.constant(total / whole);
  emitIfBelow(builder, loc, last, end, [&] { body(last, total % whole); });
}

// Lanes of two vectors of 16 k each whose elements make pairs: neighbours, or
// for f32 j and j + 8, which takes fewer instructions.
static constexpr int64_t kInterleaved[] = {
    0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
    8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
static constexpr int64_t kLowLanes[] = {0,  1,  2,  3,  4,  5,  6,  7,
                                        16, 17, 18, 19, 20, 21, 22, 23};
static constexpr int64_t kHighLanes[] = {8,  9,  10, 11, 12, 13, 14, 15,
                                         24, 25, 26, 27, 28, 29, 30, 31};

namespace {

class Packer {
public:
  Packer(OpBuilder &builder, Location loc, const AmxSource &source,
         const AmxPacked &packed)
      : builder(builder), loc(loc), ix(builder, loc), source(source),
        packed(packed), pieces(source.getPieces()) {}

  void pack(Value firstBlock, Value endBlock, Value firstStep, Value endStep);

private:
  using TileRows = SmallVector<Value, kTile>;

  void packTile(Value to, Value first, int64_t valid, Value depth,
                int64_t validDepth);
  void packRow(Value to, Value offset, int64_t validDepth);
  void packPair(Value to, Value first, int64_t valid, Value depth, Value i,
                int64_t validDepth);
  void packTransposed(Value to, Value first, int64_t valid, Value depth,
                      int64_t validDepth);
  TileRows loadSquare(Value first, int64_t valid, Value depth,
                      int64_t validDepth);
  TileRows loadPairs(Value first, int64_t valid, Value depth,
                     int64_t validDepth);
  Value loadDepthOfRow(Value first, int64_t valid, Value depth, int64_t i,
                       int64_t validDepth, int64_t width);
  Value loadRowOfDepth(Value first, int64_t valid, Value depth, int64_t i,
                       int64_t validDepth);
  void splitAndStore(Value low, Value high, Value to);
  Value round(Value bits, bool mayOverflow);

  /// The vector at `offset`, of which the first `valid` elements exist; the
  /// others are zero.
  Value loadPadded(Value offset, int64_t valid, int64_t width);
  /// Stores 32 bf16, or sixteen words of two.
  void store(Value vector, Value to);
  /// Zeros of the source's type.
  Value zeros(int64_t width);

  Value splat(int32_t value) {
    auto type = VectorType::get({kTile}, builder.getI32Type());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  /// The offset of (row or column, k).
  Value offsetOf(Value outer, Value depth) {
    return source.order == Order::DepthInner
               ? ix.add(ix.mul(outer, source.depth), depth)
               : ix.add(ix.mul(depth, source.extent), outer);
  }
  Value shuffle(Value x, Value y, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(builder, loc, x, y, lanes);
  }
  Value bitcast(Type element, Value vector) {
    Type type = cast<VectorType>(vector.getType()).clone(element);
    return arith::BitcastOp::create(builder, loc, type, vector);
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  const AmxSource &source;
  const AmxPacked &packed;
  int64_t pieces;
};

void Packer::pack(Value firstBlock, Value endBlock, Value firstStep,
                  Value endStep) {
  int64_t tiles = llvm::divideCeil(source.extent, kTile);
  // Tiles of what exists; the second of a block may not.
  Value firstTile = ix.mul(firstBlock, 2);
  Value endTile = ix.min(ix.mul(endBlock, 2), llvm::alignTo(tiles, 2));
  auto forSteps = [&](function_ref<void(Value, int64_t)> body) {
    forBlocks(builder, loc, firstStep, endStep, source.depth, kTileDepth, body);
  };
  auto forTiles = [&](function_ref<void(Value, int64_t)> body) {
    forBlocks(builder, loc, firstTile, endTile, source.extent, kTile, body);
    // An odd number of tiles: zeros complete the last block.
    if (tiles % 2 == 0)
      return;
    Value last = ix.constant(tiles);
    emitIfBelow(builder, loc, last, endTile, [&] { body(last, 0); });
  };
  auto packAt = [&](Value tile, int64_t valid, Value step, int64_t validDepth) {
    Value localTile = ix.sub(tile, firstTile),
          localStep = ix.sub(step, firstStep);
    Value slice = ix.div(localStep, packed.sliceSteps);
    Value block = ix.add(ix.mul(slice, packed.blocks), ix.div(localTile, 2));
    Value steps = ix.add(ix.mul(block, packed.sliceSteps),
                         ix.rem(localStep, packed.sliceSteps));
    Value place = ix.add(ix.mul(steps, 2 * pieces), ix.rem(localTile, 2));
    packTile(ix.mul(place, kTileBytes / 2), ix.mul(tile, kTile), valid,
             ix.mul(step, kTileDepth), validDepth);
  };
  // In the order in which the source lies in memory.
  if (source.order == Order::DepthInner)
    forTiles([&](Value tile, int64_t valid) {
      forSteps([&](Value step, int64_t validDepth) {
        packAt(tile, valid, step, validDepth);
      });
    });
  else
    forSteps([&](Value step, int64_t validDepth) {
      forTiles([&](Value tile, int64_t valid) {
        packAt(tile, valid, step, validDepth);
      });
    });
}

/// One tile from rows (or columns) [first, first + valid) and
/// k = [depth, depth + validDepth).
void Packer::packTile(Value to, Value first, int64_t valid, Value depth,
                      int64_t validDepth) {
  if (source.order != packed.order && valid > 0)
    return packTransposed(to, first, valid, depth, validDepth);
  // Of the tile's rows: in DepthOuter order, all have a part that exists.
  int64_t rows = valid <= 0                          ? 0
                 : source.order == Order::DepthInner ? valid
                                                     : kTile;
  Value one = ix.constant(1), firstMissing = ix.constant(rows);
  forRange(builder, loc, ix.constant(0), firstMissing, one, [&](Value i) {
    Value toRow = ix.add(to, ix.mul(i, kTileDepth));
    if (source.order == Order::DepthInner)
      packRow(toRow, offsetOf(ix.add(first, i), depth), validDepth);
    else
      packPair(toRow, first, valid, depth, i, validDepth);
  });
  if (rows < kTile)
    forRange(builder, loc, firstMissing, ix.constant(kTile), one, [&](Value i) {
      Value toRow = ix.add(to, ix.mul(i, kTileDepth));
      for (int64_t piece = 0; piece < pieces; ++piece)
        store(splat(0), ix.add(toRow, piece * kTileBytes));
    });
}

/// A row of 32 k that lie side by side.
void Packer::packRow(Value to, Value offset, int64_t validDepth) {
  if (pieces == 1)
    return store(loadPadded(offset, validDepth, kTileDepth), to);
  Value x = loadPadded(offset, validDepth, kTile);
  Value y = loadPadded(ix.add(offset, kTile), validDepth - kTile, kTile);
  splitAndStore(shuffle(x, y, kLowLanes), shuffle(x, y, kHighLanes), to);
}

/// Pair `i` of the k of a tile for sixteen columns.
void Packer::packPair(Value to, Value first, int64_t valid, Value depth,
                      Value i, int64_t validDepth) {
  auto load = [&](Value row) -> Value {
    Value offset = offsetOf(first, ix.add(depth, row));
    prefetch(builder, loc, source.memory,
             ix.add(offset, kTileDepth * source.extent));
    if (validDepth == kTileDepth)
      return loadPadded(offset, valid, kTile);
    // Of the rest, the last row stands for those that do not exist.
    Value last = ix.constant(validDepth - 1);
    Value value = loadPadded(offsetOf(first, ix.add(depth, ix.min(row, last))),
                             valid, kTile);
    Value exists = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::sle, row, last);
    return arith::SelectOp::create(builder, loc, exists, value, zeros(kTile));
  };
  if (pieces == 1) {
    Value row = ix.mul(i, 2);
    Value low = load(row), high = load(ix.add(row, 1));
    return store(shuffle(low, high, kInterleaved), to);
  }
  Value row = ix.add(ix.mul(ix.div(i, kTile / 2), kTile), ix.rem(i, kTile / 2));
  Value low = load(row), high = load(ix.add(row, kTile / 2));
  splitAndStore(low, high, to);
}

/// A tile whose order is not the source's.
void Packer::packTransposed(Value to, Value first, int64_t valid, Value depth,
                            int64_t validDepth) {
  auto rowOf = [&](int64_t i) { return ix.add(to, i * kTileDepth); };
  if (pieces == 1) {
    TileRows rows = loadPairs(first, valid, depth, validDepth);
    transposeInRegisters(builder, loc, rows);
    for (int64_t i = 0; i < kTile; ++i)
      store(rows[i], rowOf(i));
    return;
  }
  if (packed.order == Order::DepthInner) {
    TileRows squares[2];
    for (int64_t i = 0; i < 2; ++i) {
      squares[i] = loadSquare(first, valid, ix.add(depth, i * kTile),
                              validDepth - i * kTile);
      transposeInRegisters(builder, loc, squares[i]);
    }
    for (int64_t i = 0; i < kTile; ++i)
      splitAndStore(shuffle(squares[0][i], squares[1][i], kLowLanes),
                    shuffle(squares[0][i], squares[1][i], kHighLanes),
                    rowOf(i));
    return;
  }
  // The pairs of a square are half of the tile's rows.
  constexpr int64_t half = kTile / 2;
  auto packSquare = [&](Value i, int64_t validDepth) {
    TileRows square =
        loadSquare(first, valid, ix.add(depth, ix.mul(i, kTile)), validDepth);
    transposeInRegisters(builder, loc, square);
    for (int64_t j = 0; j < half; ++j)
      splitAndStore(square[j], square[j + half],
                    ix.add(rowOf(j), ix.mul(i, half * kTileDepth)));
  };
  if (validDepth == kTileDepth) {
    forRange(builder, loc, ix.constant(0), ix.constant(2), ix.constant(1),
             [&](Value i) { packSquare(i, kTile); });
    return;
  }
  for (int64_t i = 0; i < 2; ++i)
    packSquare(ix.constant(i), validDepth - i * kTile);
}

/// Sixteen pairs of k in each vector, as 32-bit words: of one row (DepthInner),
/// or one pair for sixteen columns (DepthOuter).
Packer::TileRows Packer::loadPairs(Value first, int64_t valid, Value depth,
                                   int64_t validDepth) {
  auto words = VectorType::get({kTile}, builder.getI32Type());
  TileRows rows;
  for (int64_t i = 0; i < kTile; ++i) {
    Value pairs;
    if (source.order == Order::DepthInner) {
      pairs = loadDepthOfRow(first, valid, depth, i, validDepth, kTileDepth);
    } else {
      Value low = loadRowOfDepth(first, valid, depth, 2 * i, validDepth);
      Value high = loadRowOfDepth(first, valid, depth, 2 * i + 1, validDepth);
      pairs = shuffle(low, high, kInterleaved);
    }
    rows.push_back(vector::BitCastOp::create(builder, loc, words, pairs));
  }
  return rows;
}

/// Sixteen rows (or columns) of sixteen k, f32, as they lie.
Packer::TileRows Packer::loadSquare(Value first, int64_t valid, Value depth,
                                    int64_t validDepth) {
  TileRows rows;
  for (int64_t i = 0; i < kTile; ++i)
    rows.push_back(
        source.order == Order::DepthInner
            ? loadDepthOfRow(first, valid, depth, i, validDepth, kTile)
            : loadRowOfDepth(first, valid, depth, i, validDepth));
  return rows;
}

/// `width` k of row first + i, where they lie side by side.
Value Packer::loadDepthOfRow(Value first, int64_t valid, Value depth, int64_t i,
                             int64_t validDepth, int64_t width) {
  Value offset = offsetOf(ix.add(first, i), depth);
  prefetch(builder, loc, source.memory, ix.add(offset, kTile * source.depth));
  return loadPadded(offset, i < valid ? validDepth : 0, width);
}

/// Sixteen columns of k = depth + i, where k lies one after another.
Value Packer::loadRowOfDepth(Value first, int64_t valid, Value depth, int64_t i,
                             int64_t validDepth) {
  Value offset = offsetOf(first, ix.add(depth, i));
  prefetch(builder, loc, source.memory,
           ix.add(offset, kTileDepth * source.extent));
  return loadPadded(offset, i < validDepth ? valid : 0, kTile);
}

/// Stores the bf16 of pairs of f32, the low and high halves of 32-bit words, in
/// one tile for each piece.
void Packer::splitAndStore(Value low, Value high, Value to) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  Value upperHalf = splat(int32_t(0xffff0000)), shift = splat(16);
  Value rest[2] = {low, high};
  for (int64_t piece = 0; piece < pieces; ++piece) {
    bool isLast = piece == pieces - 1; // exact
    Value rounded[2], upper[2];
    for (int64_t i = 0; i < 2; ++i) {
      rounded[i] = bitcast(i32, rest[i]);
      if (!isLast)
        rounded[i] = round(rounded[i], /*mayOverflow=*/piece == 0);
      upper[i] = arith::AndIOp::create(builder, loc, rounded[i], upperHalf);
      if (!isLast)
        rest[i] = arith::SubFOp::create(builder, loc, rest[i],
                                        bitcast(f32, upper[i]));
    }
    Value lower = arith::ShRUIOp::create(builder, loc, rounded[0], shift);
    store(arith::OrIOp::create(builder, loc, lower, upper[1]),
          ix.add(to, piece * kTileBytes));
  }
}

/// The bits of f32 with those of the nearest bf16 in their upper half. With
/// `mayOverflow`, what would become infinite is cut off instead, and an
/// infinity or NaN stays one.
Value Packer::round(Value bits, bool mayOverflow) {
  Value rounded = arith::AddIOp::create(builder, loc, bits, splat(0x8000));
  if (!mayOverflow)
    return rounded;
  Value magnitude = arith::ShLIOp::create(builder, loc, bits, splat(1));
  Value overflows =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, magnitude,
                            splat(int32_t(2 * uint32_t{0x7f7f8000})));
  return arith::SelectOp::create(builder, loc, overflows, bits, rounded);
}

Value Packer::zeros(int64_t width) {
  Type element = cast<MemRefType>(source.memory.getType()).getElementType();
  auto type = VectorType::get({width}, element);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value Packer::loadPadded(Value offset, int64_t valid, int64_t width) {
  Type element = cast<MemRefType>(source.memory.getType()).getElementType();
  if (valid <= 0)
    return zeros(width);
  Value value = vector::LoadOp::create(
      builder, loc, VectorType::get({std::min(valid, width)}, element),
      source.memory, ValueRange{offset});
  if (valid >= width)
    return value;
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < width; ++i)
    lanes.push_back(std::min(i, valid)); // lane `valid` is the first zero
  return shuffle(value, zeros(valid), lanes);
}

void Packer::store(Value vector, Value to) {
  auto halves = VectorType::get({kTileDepth}, builder.getBF16Type());
  Value value = vector::BitCastOp::create(builder, loc, halves, vector);
  vector::StoreOp::create(builder, loc, value, packed.memory, ValueRange{to});
}

} // namespace

void attnres::cpu::packAmxTiles(OpBuilder &builder, Location loc,
                                const AmxSource &source,
                                const AmxPacked &packed, Value firstBlock,
                                Value endBlock, Value firstStep,
                                Value endStep) {
  Packer(builder, loc, source, packed)
      .pack(firstBlock, endBlock, firstStep, endStep);
}
