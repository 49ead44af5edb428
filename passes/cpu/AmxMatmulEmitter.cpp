//===- AmxMatmulEmitter.cpp - bf16 matrix products on AMX tiles -----------===//
//
// An AMX tile is 16 rows of 64 bytes. One instruction adds the product of a
// tile of A (16 rows x 32 k, bf16) and a tile of B (16 pairs of k x 16 columns
// of such pairs) to a tile of 16x16 sums in f32. Four tiles of sums make a
// block of 32x32 of C, over all of k; the other four hold two tiles of A and
// two of B.
//
// An item packs its columns of B, and its rows of A unless tiles can be loaded
// from A where it lies, into scratch, padded with zeros to whole tiles.
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

using namespace mlir;
using namespace attnres::cpu;

// Of a tile: rows, f32 in a row, bf16 in a row.
static constexpr int64_t kTile = 16;
static constexpr int64_t kTileDepth = 32;
static constexpr int64_t kTileBytes = 1024;
/// Rows and columns of C that are summed in registers together.
static constexpr int64_t kBlock = 2 * kTile;
/// An item's packed operands share the second-level cache.
static constexpr int64_t kPackedBytes = int64_t(512) << 10;
static constexpr int64_t kMostRows = 256;
static constexpr int64_t kWantedItems = 8;

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
    packsA = options.transposedA || k % kTileDepth != 0 || m % kBlock != 0;
    chooseTiling();
  }

  void emit();

private:
  void chooseTiling();
  void configureTiles(Value config);
  void pack(const Source &source, Value memory, Value firstBlock,
            Value endBlock, Order tileOrder);
  void packTile(const Source &source, Value memory, Value to, Value first,
                int64_t valid, Value depth, int64_t validDepth,
                Order tileOrder);
  void emitBlock(Value rowBlock, int64_t rows, Value columnBlock,
                 int64_t columns);
  void store(Value row, int64_t rows, Value column, int64_t columns);

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
  bool packsA;
  // Blocks of C that an item computes, and items.
  int64_t itemRows, itemColumns, rowRanges, columnRanges;

  Value a, b, c, bias, init;    // flat
  Value packedA, packedB, sums; // scratch
  Value addressA, addressB, addressSums;
  Value firstRow, firstColumn; // blocks, of the item
};

void AmxMatmulEmitter::chooseTiling() {
  int64_t rowBlocks = llvm::divideCeil(m, kBlock);
  int64_t columnBlocks = llvm::divideCeil(n, kBlock);
  int64_t blockBytes = kBlock * depthSteps * kTileDepth * 2;
  int64_t fitting = std::max<int64_t>(kPackedBytes / blockBytes, 1);
  itemRows = std::min({rowBlocks, fitting, kMostRows / kBlock});
  itemColumns = std::min(columnBlocks, fitting);
  auto countRanges = [&] {
    rowRanges = llvm::divideCeil(rowBlocks, itemRows);
    columnRanges = llvm::divideCeil(columnBlocks, itemColumns);
    return rowRanges * columnRanges;
  };
  // More items mean more packing: only as many as are wanted.
  while (countRanges() < kWantedItems && itemRows + itemColumns > 4) {
    int64_t &larger = itemRows >= itemColumns ? itemRows : itemColumns;
    larger = llvm::divideCeil(larger, 2);
  }
  // Equal shares.
  itemRows = llvm::divideCeil(rowBlocks, rowRanges);
  itemColumns = llvm::divideCeil(columnBlocks, columnRanges);
  countRanges();
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
  auto ifIn = scf::IfOp::create(builder, loc, isIn, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifIn.thenBlock()->getTerminator());
  body(last, total % whole);
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
  int64_t blockElements = kBlock * depthSteps * kTileDepth;
  packedB = scratch(itemColumns * blockElements, builder.getBF16Type());
  addressB = addressOf(packedB);
  if (packsA)
    packedA = scratch(itemRows * blockElements, builder.getBF16Type());
  addressA = addressOf(packsA ? packedA : a);
  sums = scratch(kBlock * kBlock, builder.getF32Type());
  addressSums = addressOf(sums);
  configureTiles(scratch(64, builder.getI8Type()));

  Source sourceA = {
      a, options.transposedA ? Order::DepthOuter : Order::DepthInner, m};
  Source sourceB = {b,
                    options.right == RightOperand::RowMajor ? Order::DepthOuter
                                                            : Order::DepthInner,
                    n};
  forEachItem(builder, loc, kernel, [&](Value item) {
    firstRow = ix.mul(ix.div(item, columnRanges), itemRows);
    firstColumn = ix.mul(ix.rem(item, columnRanges), itemColumns);
    Value endRow =
        ix.min(ix.add(firstRow, itemRows), llvm::divideCeil(m, kBlock));
    Value endColumn =
        ix.min(ix.add(firstColumn, itemColumns), llvm::divideCeil(n, kBlock));
    pack(sourceB, packedB, firstColumn, endColumn, Order::DepthOuter);
    if (packsA)
      pack(sourceA, packedA, firstRow, endRow, Order::DepthInner);
    forBlocks(
        firstColumn, endColumn, n, kBlock, [&](Value column, int64_t columns) {
          forBlocks(firstRow, endRow, m, kBlock, [&](Value row, int64_t rows) {
            emitBlock(row, rows, column, columns);
          });
        });
  });
  callTile("tilerelease", {});
  finishKernel(kernel, rowRanges * columnRanges);
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

/// Packs blocks of 32 rows (or columns) for all of k:
/// [block][step of k][half of the block] tiles.
void AmxMatmulEmitter::pack(const Source &source, Value memory,
                            Value firstBlock, Value endBlock, Order tileOrder) {
  constexpr int64_t elements = kTileBytes / 2;
  int64_t tilesInBlock = 2 * depthSteps;
  // Tiles of what exists; the second of a block may not.
  Value firstTile = ix.mul(firstBlock, 2);
  Value endTile =
      ix.min(ix.mul(endBlock, 2), llvm::divideCeil(source.extent, kBlock) * 2);
  auto packTiles = [&](Value tile, int64_t valid) {
    Value local = ix.sub(tile, firstTile);
    Value to =
        ix.mul(ix.add(ix.mul(ix.div(local, 2), tilesInBlock), ix.rem(local, 2)),
               elements);
    Value first = ix.mul(tile, kTile);
    forBlocks(ix.constant(0), ix.constant(depthSteps), k, kTileDepth,
              [&](Value step, int64_t validDepth) {
                packTile(source, memory, ix.add(to, ix.mul(step, 2 * elements)),
                         first, valid, ix.mul(step, kTileDepth), validDepth,
                         tileOrder);
              });
  };
  forBlocks(firstTile, endTile, source.extent, kTile, packTiles);
  // An odd number of tiles: zeros complete the last block.
  if (llvm::divideCeil(source.extent, kTile) % 2 == 0)
    return;
  Value last = ix.constant(llvm::divideCeil(source.extent, kTile));
  Value isIn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     last, endTile);
  auto ifIn = scf::IfOp::create(builder, loc, isIn, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifIn.thenBlock()->getTerminator());
  packTiles(last, 0);
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
  int64_t blockBytes = 2 * depthSteps * kTileBytes;
  // From A where it lies, a tile's rows are `k` apart.
  Value offsetA = packsA ? ix.mul(ix.sub(rowBlock, firstRow), blockBytes)
                         : ix.mul(rowBlock, kBlock * k * 2);
  int64_t stepA = packsA ? 2 * kTileBytes : kTileDepth * 2;
  int64_t halfA = packsA ? kTileBytes : kTile * k * 2;
  Value strideA = constantI64(packsA ? 64 : k * 2);
  Value offsetB = ix.mul(ix.sub(columnBlock, firstColumn), blockBytes);
  Value strideB = constantI64(64);

  for (int64_t tile = 0; tile < 4; ++tile)
    callTile("tilezero", {tile});
  forRange(builder, loc, ix.constant(0), ix.constant(depthSteps),
           ix.constant(1), [&](Value step) {
             Value fromA = ix.add(offsetA, ix.mul(step, stepA));
             Value fromB = ix.add(offsetB, ix.mul(step, 2 * kTileBytes));
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
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t column = 0; column < 2; ++column) {
      Value to =
          pointer(addressSums,
                  ix.constant((row * kTile * kBlock + column * kTile) * 4));
      callTile("tilestored64", {2 * row + column},
               {to, constantI64(kBlock * 4)});
    }
  store(ix.mul(rowBlock, kBlock), rows, ix.mul(columnBlock, kBlock), columns);
}

/// C = sums + bias + init for one block.
void AmxMatmulEmitter::store(Value row, int64_t rows, Value column,
                             int64_t columns) {
  forRange(builder, loc, ix.constant(0), ix.constant(rows), ix.constant(1),
           [&](Value i) {
             Value from = ix.mul(i, kBlock);
             Value to = ix.add(ix.mul(ix.add(row, i), n), column);
             for (int64_t j = 0; j < columns; j += kTile) {
               int64_t width = std::min(kTile, columns - j);
               Value value =
                   loadF32(builder, loc, sums, ix.add(from, j), width);
               if (options.hasInit)
                 value = arith::AddFOp::create(
                     builder, loc, value,
                     loadF32(builder, loc, init, ix.add(to, j), width));
               if (options.hasBias)
                 value = arith::AddFOp::create(
                     builder, loc, value,
                     loadF32(builder, loc, bias, ix.add(column, j), width));
               storeF32(builder, loc, value, c, ix.add(to, j));
             }
           });
}

} // namespace

void attnres::cpu::emitAmxMatmul(OpBuilder &builder, KernelFunction &kernel,
                                 const MatmulOptions &options) {
  AmxMatmulEmitter(builder, kernel, options).emit();
}
