//===- AmxMatmulEmitter.cpp - bf16 matrix products on AMX tiles -----------===//
//
// An AMX tile is 16 rows of 64 bytes. One instruction adds the product of a
// tile of A (16 rows x 32 k, bf16) and a tile of B (16 pairs of k x 16 columns
// of such pairs) to a tile of 16x16 sums in f32. Four tiles of sums make a
// block of 32x32 of C; the other four hold two tiles of A and two of B.
//
// An item goes over k in slices. Of each it packs its columns of B, and its
// rows of A unless tiles can be loaded from A where it lies, into scratch,
// padded with zeros to whole tiles. With more than one slice, sums stay in
// scratch between them.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/VectorAccess.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace attnres::cpu;

// Of a tile: rows, f32 in a row, bf16 in a row.
static constexpr int64_t kTile = 16;
static constexpr int64_t kTileDepth = 32;
static constexpr int64_t kTileBytes = 1024;
/// Rows and columns of C that are summed in registers together.
static constexpr int64_t kBlock = 2 * kTile;
/// Tiles along k in a slice, at most.
static constexpr int64_t kSliceSteps = 8;
/// What an item holds in scratch shares the second-level cache.
static constexpr int64_t kItemBytes = int64_t(1280) << 10;
/// Items that a product should have, so that threads share it evenly.
static constexpr int64_t kWantedItems = 4;
// What it takes to bring a tile to where it is multiplied, relative to one
// whose rows are copied or interleaved in pairs.
static constexpr int64_t kReadCost = 2, kCopyCost = 3, kTransposeCost = 5;

bool attnres::cpu::usesAmx(const CpuTarget &target, Type a, Type b, int64_t m,
                           int64_t k) {
  return target.hasAmx && getElementTypeOrSelf(a).isBF16() &&
         getElementTypeOrSelf(b).isBF16() && m > kMaxSkinnyRows && k > 0;
}

namespace {

/// How an operand is stored: pairs of k side by side, or one k after another.
enum class Order { DepthInner, DepthOuter };

/// A matrix [extent, k], or [k, extent], in bf16.
struct Source {
  Value memory; // flat
  Order order;
  int64_t extent;
};

class AmxMatmulEmitter {
public:
  AmxMatmulEmitter(OpBuilder &builder, KernelFunction &kernel,
                   const MatmulOptions &options)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), options(options) {
    MatrixShape shapeC = getMatrixShape(kernel.outputs[0]);
    MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
    m = shapeC.rows;
    n = shapeC.columns;
    k = options.transposedA ? shapeA.rows : shapeA.columns;
    depthSteps = llvm::divideCeil(k, kTileDepth);
    slices = llvm::divideCeil(depthSteps, kSliceSteps);
    sliceSteps = llvm::divideCeil(depthSteps, slices);
    packsA = options.transposedA || k % kTileDepth != 0 || m % kBlock != 0;
    chooseTiling();
  }

  void emit();

private:
  void chooseTiling();
  void configureTiles(Value config);
  void emitSlice(Value slice);
  void pack(const Source &source, Value memory, Value firstBlock,
            Value endBlock, Order tileOrder);
  void packTile(const Source &source, Value memory, Value to, Value first,
                int64_t valid, Value depth, int64_t validDepth,
                Order tileOrder);
  void emitBlock(Value rowBlock, int64_t rows, Value columnBlock,
                 int64_t columns);
  void prefetchTile(const Source &source, Value block, Value step, Value part,
                    int64_t parts);
  void emitIf(Value condition, function_ref<void()> emitThen,
              function_ref<void()> emitElse = nullptr);
  void store(Value row, int64_t rows, Value column, int64_t columns,
             Value offsetSums);
  void storeBf16(Value low, Value high, Value offset);

  /// The vector<width x bf16> at `offset`, of which the first `valid` exist;
  /// the others are zero.
  Value loadPadded(Value memory, Value offset, int64_t valid, int64_t width);
  Value zeros(Type element, int64_t width);

  Value addressOf(Value memref);
  Value constantI64(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  void callTile(StringRef name, ArrayRef<int64_t> tiles,
                ValueRange operands = {});
  /// Runs `body` with the number of a tile or block and how much of it exists:
  /// all `whole` of it in [begin, end), and the rest in the last, `total` being
  /// what exists of all.
  void forBlocks(Value begin, Value end, int64_t total, int64_t whole,
                 function_ref<void(Value, int64_t)> body);

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  const MatmulOptions &options;
  int64_t m, n, k, depthSteps;
  int64_t slices, sliceSteps;
  bool packsA;
  // Blocks of C that an item computes, and items.
  int64_t itemRows, itemColumns, rowRanges, columnRanges;

  Value a, b, c, bias, init;    // flat
  Value packedA, packedB, sums; // scratch
  Value addressA, addressB, addressSums;
  Source sourceA, sourceB;
  // Blocks of the item.
  Value firstRow, endRow, firstColumn, endColumn;
  // Tiles along k, of the slice.
  Value firstStep, endStep;
  Value isFirstSlice, isLastSlice; // where there are several
};

/// Of the sizes of items that fit and make enough of them, the one that brings
/// in the operands with the least work.
void AmxMatmulEmitter::chooseTiling() {
  int64_t rowBlocks = llvm::divideCeil(m, kBlock);
  int64_t columnBlocks = llvm::divideCeil(n, kBlock);
  int64_t blockBytes = kBlock * sliceSteps * kTileDepth * 2;
  int64_t sumsBytes = slices > 1 ? kBlock * kBlock * 4 : 0;
  int64_t costA = options.transposedA ? kTransposeCost
                  : packsA            ? kCopyCost
                                      : kReadCost;
  int64_t costB =
      options.right == RightOperand::RowMajor ? kCopyCost : kTransposeCost;
  int64_t most = kItemBytes / blockBytes;
  auto choose = [&](int64_t wantedItems) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int64_t rows = 1; rows <= std::min(rowBlocks, most); ++rows)
      for (int64_t columns = 1; columns <= std::min(columnBlocks, most);
           ++columns) {
        int64_t bytes =
            (rows + columns) * blockBytes + rows * columns * sumsBytes;
        int64_t rowItems = llvm::divideCeil(rowBlocks, rows);
        int64_t columnItems = llvm::divideCeil(columnBlocks, columns);
        if (bytes > kItemBytes || rowItems * columnItems < wantedItems)
          continue;
        int64_t cost =
            columnItems * rowBlocks * costA + rowItems * columnBlocks * costB;
        if (cost >= least)
          continue;
        least = cost;
        itemRows = rows;
        itemColumns = columns;
        rowRanges = rowItems;
        columnRanges = columnItems;
      }
    return least != std::numeric_limits<int64_t>::max();
  };
  if (!choose(kWantedItems))
    choose(1);
}

void AmxMatmulEmitter::forBlocks(Value begin, Value end, int64_t total,
                                 int64_t whole,
                                 function_ref<void(Value, int64_t)> body) {
  Value wholeEnd = ix.min(end, total / whole);
  forRange(builder, loc, begin, wholeEnd, ix.constant(1),
           [&](Value i) { body(i, whole); });
  if (total % whole == 0)
    return;
  // The last one, when it is in the range.
  Value last = ix.constant(total / whole);
  Value isIn =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, last, end);
  emitIf(isIn, [&] { body(last, total % whole); });
}

void AmxMatmulEmitter::callTile(StringRef name, ArrayRef<int64_t> tiles,
                                ValueRange operands) {
  SmallVector<Value> arguments;
  for (int64_t tile : tiles)
    arguments.push_back(arith::ConstantIntOp::create(builder, loc, tile, 8));
  llvm::append_range(arguments, operands);
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.x86." + name), arguments);
}

Value AmxMatmulEmitter::addressOf(Value memref) {
  Value index =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

/// Eight tiles of 16 rows of 64 bytes.
void AmxMatmulEmitter::configureTiles(Value config) {
  SmallVector<int8_t> bytes(64, 0);
  bytes[0] = 1; // the only palette
  for (int64_t tile = 0; tile < 8; ++tile) {
    bytes[16 + 2 * tile] = 64; // bytes in a row, 16 bits
    bytes[48 + tile] = kTile;  // rows
  }
  auto type = VectorType::get({64}, builder.getI8Type());
  Value value = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  vector::StoreOp::create(builder, loc, value, config,
                          ValueRange{ix.constant(0)});
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      addressOf(config));
  callTile("ldtilecfg", {}, pointer);
}

void AmxMatmulEmitter::emit() {
  if (m == 0 || n == 0)
    return finishKernel(kernel, 0);
  a = flatten(builder, loc, kernel.inputs[0]);
  b = flatten(builder, loc, kernel.inputs[1]);
  c = flatten(builder, loc, kernel.outputs[0]);
  if (options.hasBias)
    bias = flatten(builder, loc, kernel.inputs[2]);
  if (options.hasInit)
    init = flatten(builder, loc, kernel.inputs.back());
  auto scratch = [&](int64_t count, Type type) {
    return allocateScratch(builder, loc, kernel,
                           MemRefType::get({count}, type));
  };
  int64_t blockElements = kBlock * sliceSteps * kTileDepth;
  packedB = scratch(itemColumns * blockElements, builder.getBF16Type());
  addressB = addressOf(packedB);
  if (packsA)
    packedA = scratch(itemRows * blockElements, builder.getBF16Type());
  addressA = addressOf(packsA ? packedA : a);
  int64_t blocksOfSums = slices > 1 ? itemRows * itemColumns : 1;
  sums = scratch(blocksOfSums * kBlock * kBlock, builder.getF32Type());
  addressSums = addressOf(sums);
  configureTiles(scratch(64, builder.getI8Type()));

  sourceA = {a, options.transposedA ? Order::DepthOuter : Order::DepthInner, m};
  sourceB = {b,
             options.right == RightOperand::RowMajor ? Order::DepthOuter
                                                     : Order::DepthInner,
             n};
  forEachItem(builder, loc, kernel, [&](Value item) {
    firstRow = ix.mul(ix.div(item, columnRanges), itemRows);
    firstColumn = ix.mul(ix.rem(item, columnRanges), itemColumns);
    endRow = ix.min(ix.add(firstRow, itemRows), llvm::divideCeil(m, kBlock));
    endColumn =
        ix.min(ix.add(firstColumn, itemColumns), llvm::divideCeil(n, kBlock));
    forRange(builder, loc, ix.constant(0), ix.constant(slices), ix.constant(1),
             [&](Value slice) { emitSlice(slice); });
  });
  callTile("tilerelease", {});
  finishKernel(kernel, rowRanges * columnRanges);
}

/// The item's sums over one slice of k.
void AmxMatmulEmitter::emitSlice(Value slice) {
  firstStep = ix.mul(slice, sliceSteps);
  endStep = ix.min(ix.add(firstStep, sliceSteps), depthSteps);
  auto isSlice = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slice,
                                 ix.constant(number));
  };
  isFirstSlice = isSlice(0);
  isLastSlice = isSlice(slices - 1);
  pack(sourceB, packedB, firstColumn, endColumn, Order::DepthOuter);
  if (packsA)
    pack(sourceA, packedA, firstRow, endRow, Order::DepthInner);
  forBlocks(firstRow, endRow, m, kBlock, [&](Value row, int64_t rows) {
    forBlocks(firstColumn, endColumn, n, kBlock,
              [&](Value column, int64_t columns) {
                emitBlock(row, rows, column, columns);
              });
  });
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

Value AmxMatmulEmitter::zeros(Type element, int64_t width) {
  auto type = VectorType::get({width}, element);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value AmxMatmulEmitter::loadPadded(Value memory, Value offset, int64_t valid,
                                   int64_t width) {
  Type element = builder.getBF16Type();
  if (valid <= 0)
    return zeros(element, width);
  Value value = vector::LoadOp::create(
      builder, loc, VectorType::get({std::min(valid, width)}, element), memory,
      ValueRange{offset});
  if (valid >= width)
    return value;
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < width; ++i)
    lanes.push_back(std::min(i, valid)); // lane `valid` is the first zero
  return vector::ShuffleOp::create(builder, loc, value, zeros(element, valid),
                                   lanes);
}

/// Packs blocks of 32 rows (or columns) for the slice of k:
/// [block][step of k][half of the block] tiles.
void AmxMatmulEmitter::pack(const Source &source, Value memory,
                            Value firstBlock, Value endBlock, Order tileOrder) {
  constexpr int64_t elements = kTileBytes / 2;
  int64_t tiles = llvm::divideCeil(source.extent, kTile);
  // Tiles of what exists; the second of a block may not.
  Value firstTile = ix.mul(firstBlock, 2);
  Value endTile = ix.min(ix.mul(endBlock, 2), llvm::alignTo(tiles, 2));
  auto forSteps = [&](function_ref<void(Value, int64_t)> body) {
    forBlocks(firstStep, endStep, k, kTileDepth, body);
  };
  auto forTiles = [&](function_ref<void(Value, int64_t)> body) {
    forBlocks(firstTile, endTile, source.extent, kTile, body);
    // An odd number of tiles: zeros complete the last block.
    if (tiles % 2 == 0)
      return;
    Value last = ix.constant(tiles);
    emitIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, last,
                                 endTile),
           [&] { body(last, 0); });
  };
  auto packAt = [&](Value tile, int64_t valid, Value step, int64_t validDepth) {
    Value local = ix.sub(tile, firstTile);
    Value steps =
        ix.add(ix.mul(ix.div(local, 2), sliceSteps), ix.sub(step, firstStep));
    Value to = ix.mul(ix.add(ix.mul(steps, 2), ix.rem(local, 2)), elements);
    packTile(source, memory, to, ix.mul(tile, kTile), valid,
             ix.mul(step, kTileDepth), validDepth, tileOrder);
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
void AmxMatmulEmitter::packTile(const Source &source, Value memory, Value to,
                                Value first, int64_t valid, Value depth,
                                int64_t validDepth, Order tileOrder) {
  // Each vector holds sixteen pairs of k, moved as f32: of one row
  // (DepthInner), or one pair for sixteen columns (DepthOuter).
  auto pairs = VectorType::get({kTile}, builder.getF32Type());
  auto halves = VectorType::get({2 * kTile}, builder.getBF16Type());
  SmallVector<Value> vectors;
  for (int64_t i = 0; i < kTile; ++i) {
    Value value;
    if (source.order == Order::DepthInner) {
      Value from = ix.add(ix.mul(ix.add(first, i), k), depth);
      value = i < valid
                  ? loadPadded(source.memory, from, validDepth, kTileDepth)
                  : zeros(builder.getBF16Type(), kTileDepth);
    } else {
      Value halvesOfPair[2];
      for (int64_t half = 0; half < 2; ++half) {
        int64_t row = 2 * i + half;
        Value from = ix.add(ix.mul(ix.add(depth, row), source.extent), first);
        if (valid > 0)
          prefetch(builder, loc, source.memory,
                   ix.add(from, kTileDepth * source.extent));
        halvesOfPair[half] = row < validDepth
                                 ? loadPadded(source.memory, from, valid, kTile)
                                 : zeros(builder.getBF16Type(), kTile);
      }
      SmallVector<int64_t> lanes;
      for (int64_t j = 0; j < kTile; ++j)
        lanes.append({j, kTile + j});
      value = vector::ShuffleOp::create(builder, loc, halvesOfPair[0],
                                        halvesOfPair[1], lanes);
    }
    vectors.push_back(vector::BitCastOp::create(builder, loc, pairs, value));
  }
  if (source.order != tileOrder)
    transposeInRegisters(builder, loc, vectors);
  for (int64_t i = 0; i < kTile; ++i) {
    Value value = vector::BitCastOp::create(builder, loc, halves, vectors[i]);
    vector::StoreOp::create(builder, loc, value, memory,
                            ValueRange{ix.add(to, i * 2 * kTile)});
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// One block of C, of which `rows` x `columns` exist.
void AmxMatmulEmitter::emitBlock(Value rowBlock, int64_t rows,
                                 Value columnBlock, int64_t columns) {
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto pointer = [&](Value address, Value bytes) -> Value {
    Value offset = arith::IndexCastOp::create(builder, loc, i64, bytes);
    Value sum = arith::AddIOp::create(builder, loc, address, offset);
    return LLVM::IntToPtrOp::create(builder, loc, pointerType, sum);
  };
  int64_t blockBytes = 2 * sliceSteps * kTileBytes;
  Value localRow = ix.sub(rowBlock, firstRow);
  Value localColumn = ix.sub(columnBlock, firstColumn);
  // From A where it lies, a tile's rows are `k` apart.
  Value offsetA = packsA ? ix.mul(localRow, blockBytes)
                         : ix.add(ix.mul(rowBlock, kBlock * k * 2),
                                  ix.mul(firstStep, kTileDepth * 2));
  int64_t stepA = packsA ? 2 * kTileBytes : kTileDepth * 2;
  int64_t halfA = packsA ? kTileBytes : kTile * k * 2;
  Value strideA = constantI64(packsA ? 64 : k * 2);
  Value offsetB = ix.mul(localColumn, blockBytes);
  Value strideB = constantI64(64);
  Value offsetSums = ix.constant(0);
  if (slices > 1)
    offsetSums = ix.mul(ix.add(ix.mul(localColumn, itemRows), localRow),
                        kBlock * kBlock);
  auto moveSums = [&](StringRef name) {
    for (int64_t tile = 0; tile < 4; ++tile)
      callTile(name, {tile},
               {pointer(addressSums,
                        ix.mul(ix.add(offsetSums, tile * kTile * kTile), 4)),
                constantI64(kTile * 4)});
  };
  auto zeroSums = [&] {
    for (int64_t tile = 0; tile < 4; ++tile)
      callTile("tilezero", {tile});
  };

  if (slices > 1)
    emitIf(isFirstSlice, zeroSums, [&] { moveSums("tileloadd64"); });
  else
    zeroSums();
  forRange(builder, loc, ix.constant(0), ix.sub(endStep, firstStep),
           ix.constant(1), [&](Value step) {
             Value fromA = ix.add(offsetA, ix.mul(step, stepA));
             Value fromB = ix.add(offsetB, ix.mul(step, 2 * kTileBytes));
             if (!packsA)
               prefetchTile(sourceA, ix.add(rowBlock, 1),
                            ix.add(firstStep, step), localColumn, itemColumns);
             else if (slices > 1)
               prefetchTile(sourceA, rowBlock, ix.add(endStep, step),
                            localColumn, itemColumns);
             if (slices > 1)
               prefetchTile(sourceB, columnBlock, ix.add(endStep, step),
                            localRow, itemRows);
             for (int64_t half = 0; half < 2; ++half) {
               Value tileA = pointer(addressA, ix.add(fromA, half * halfA));
               Value tileB =
                   pointer(addressB, ix.add(fromB, half * kTileBytes));
               callTile("tileloadd64", {4 + half}, {tileA, strideA});
               callTile("tileloadd64", {6 + half}, {tileB, strideB});
             }
             for (int64_t row = 0; row < 2; ++row)
               for (int64_t column = 0; column < 2; ++column)
                 callTile("tdpbf16ps", {2 * row + column, 4 + row, 6 + column});
           });
  moveSums("tilestored64");
  auto storeBlock = [&] {
    store(ix.mul(rowBlock, kBlock), rows, ix.mul(columnBlock, kBlock), columns,
          offsetSums);
  };
  if (slices > 1)
    emitIf(isLastSlice, storeBlock);
  else
    storeBlock();
}

/// Fetches one of `parts` parts of what will be packed or loaded for a block
/// at a step of k. Those that are multiplied together share that work.
void AmxMatmulEmitter::prefetchTile(const Source &source, Value block,
                                    Value step, Value part, int64_t parts) {
  // Of a block, 32 rows, or steps of k, are a cache line each.
  int64_t lines = llvm::divideCeil(kBlock, parts);
  Value depth = ix.mul(step, kTileDepth), first = ix.mul(block, kBlock);
  for (int64_t i = 0; i < lines; ++i) {
    Value line = ix.add(ix.mul(part, lines), i);
    Value offset =
        source.order == Order::DepthInner
            ? ix.add(ix.mul(ix.add(first, line), k), depth)
            : ix.add(ix.mul(ix.add(depth, line), source.extent), first);
    prefetch(builder, loc, source.memory, offset);
  }
}

void AmxMatmulEmitter::emitIf(Value condition, function_ref<void()> emitThen,
                              function_ref<void()> emitElse) {
  auto ifOp = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/bool(emitElse));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  emitThen();
  if (!emitElse)
    return;
  builder.setInsertionPoint(ifOp.elseBlock()->getTerminator());
  emitElse();
}

/// C = sums + bias + init for one block, whose tiles of sums start at
/// `offsetSums`.
void AmxMatmulEmitter::store(Value row, int64_t rows, Value column,
                             int64_t columns, Value offsetSums) {
  bool isBf16 = getElementTypeOrSelf(kernel.outputs[0]).isBF16();
  for (int64_t half = 0; half * kTile < rows; ++half) {
    Value firstRow = ix.add(row, half * kTile);
    Value tiles = ix.add(offsetSums, 2 * half * kTile * kTile);
    forRange(builder, loc, ix.constant(0),
             ix.constant(std::min(kTile, rows - half * kTile)), ix.constant(1),
             [&](Value i) {
               Value from = ix.add(tiles, ix.mul(i, kTile));
               Value to = ix.add(ix.mul(ix.add(firstRow, i), n), column);
               SmallVector<Value> values;
               for (int64_t j = 0; j < columns; j += kTile) {
                 int64_t width = std::min(kTile, columns - j);
                 Value value = loadF32(builder, loc, sums,
                                       ix.add(from, j * kTile), width);
                 if (options.hasInit)
                   value = arith::AddFOp::create(
                       builder, loc, value,
                       loadF32(builder, loc, init, ix.add(to, j), width));
                 if (options.hasBias)
                   value = arith::AddFOp::create(
                       builder, loc, value,
                       loadF32(builder, loc, bias, ix.add(column, j), width));
                 values.push_back(value);
               }
               if (isBf16 && columns == kBlock)
                 return storeBf16(values[0], values[1], to);
               for (auto [j, value] : llvm::enumerate(values))
                 storeF32(builder, loc, value, c, ix.add(to, j * kTile));
             });
  }
}

/// Stores 32 elements of C in bf16. Like the products of tiles, the conversion
/// takes denormals for zero.
void AmxMatmulEmitter::storeBf16(Value low, Value high, Value offset) {
  auto halves = VectorType::get({kBlock}, builder.getBF16Type());
  auto words = VectorType::get({kTile}, builder.getF32Type());
  Value packed =
      LLVM::CallIntrinsicOp::create(
          builder, loc, halves,
          builder.getStringAttr("llvm.x86.avx512bf16.cvtne2ps2bf16.512"),
          ValueRange{high, low})
          .getResult(0);
  // Vectors of bf16 become vectors of integers on the way to LLVM.
  Value bits = LLVM::BitcastOp::create(builder, loc, words, packed);
  vector::StoreOp::create(builder, loc,
                          vector::BitCastOp::create(builder, loc, halves, bits),
                          c, ValueRange{offset});
}

} // namespace

void attnres::cpu::emitAmxMatmul(OpBuilder &builder, KernelFunction &kernel,
                                 const MatmulOptions &options) {
  AmxMatmulEmitter(builder, kernel, options).emit();
}
