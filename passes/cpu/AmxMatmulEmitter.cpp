//===- AmxMatmulEmitter.cpp - Matrix products on AMX tiles ----------------===//
//
// One instruction adds the product of a tile of A and a tile of B, both bf16
// (AmxPacking.h), to a tile of 16x16 sums in f32. Four tiles of sums make a
// block of 32x32 of C; the other four hold two tiles of A and two of B. For
// operands in f32, six such products of their pieces make up one.
//
// An item goes over k in chunks. Of each it packs its columns of B into
// scratch, then, one block of rows after another, its A (unless tiles can be
// loaded from A where it lies), and multiplies that with all its columns, a
// slice of k at a time. Sums wait in scratch for the next slice.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/AmxPacking.h"
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

/// Bytes of a row of a tile, of the sums of a block.
static constexpr int64_t kTileRowBytes = kTileBytes / kTile;
static constexpr int64_t kSumsBytes = kBlock * kBlock * 4;
/// Steps of k in a slice, at most: what they hold of a block of A stays in the
/// first-level cache.
static constexpr int64_t kSliceSteps = 8, kSliceStepsOfF32 = 4;
/// What an item holds in scratch shares the second-level cache.
static constexpr int64_t kItemBytes = int64_t(1280) << 10;
// What it takes to bring a tile to where it is multiplied, relative to one
// whose rows are copied or interleaved in pairs.
static constexpr int64_t kReadCost = 2, kCopyCost = 3, kTransposeCost = 5;

bool attnres::cpu::usesAmx(const CpuTarget &target, Type a, Type b, int64_t m,
                           int64_t k) {
  Type element = getElementTypeOrSelf(a);
  if (!target.hasAmx || element != getElementTypeOrSelf(b) || k == 0)
    return false;
  return element.isBF16() ? m > kMaxSkinnyRows
                          : element.isF32() && m >= kMinAmxRowsOfF32;
}

namespace {

/// How a product is cut into items, in blocks of 32 rows and columns, and an
/// item into chunks and slices, in steps of 32 k.
struct AmxTiling {
  int64_t itemRows, itemColumns;
  int64_t rowRanges, columnRanges; ///< items
  int64_t chunkSteps, sliceSteps;
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
  }

  void emit();

private:
  AmxTiling chooseTiling() const;
  void configureTiles(Value config);
  void emitChunk(Value begin);
  void emitBlock(Value rowBlock, Value columnBlock);
  void emitStep(Value rowBlock, Value columnBlock, Value step);
  void storeBlock(Value row, int64_t rows, Value column, int64_t columns,
                  Value bytesOfSums);
  void storeWithAddends(Value row, int64_t rows, Value column, int64_t columns,
                        Value offsetSums);
  void storeBf16(Value low, Value high, Value offset);

  /// A cache line to fetch.
  struct Line {
    Value memory, offset;
    int64_t level;
  };
  using Lines = SmallVector<Line>;
  Lines findLinesOfC(Value rowBlock, Value columnBlock, Value step);
  Lines findLinesOfSources(Value rowBlock, Value columnBlock, Value step);
  Lines findLinesOfB(Value bytesB);
  void addLines(const AmxSource &source, Value block, Value step, Value part,
                int64_t parts, Lines &lines);

  void emitIf(Value condition, function_ref<void()> emitThen,
              function_ref<void()> emitElse);
  Value isEqual(Value x, Value y) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(builder, loc, condition, x, y);
  }
  /// Bytes of a step of k of a packed block.
  int64_t getStepBytes() const { return 2 * pieces * kTileBytes; }
  Value addressOf(Value memref);
  void callTile(StringRef name, ArrayRef<int64_t> tiles,
                ValueRange operands = {});
  /// Loads or stores a tile at `bytes` behind an address, rows `stride` bytes
  /// apart.
  void moveTile(StringRef name, int64_t tile, Value address, Value bytes,
                int64_t stride);
  /// Loads or stores the four tiles of sums at `bytes` behind their address.
  void moveSums(StringRef name, Value bytes) {
    for (int64_t tile = 0; tile < 4; ++tile)
      moveTile(name, tile, addressSums, ix.add(bytes, tile * kTileBytes),
               kTileRowBytes);
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  const MatmulOptions &options;
  int64_t m, n, k, depthSteps;
  int64_t pieces; ///< bf16 that an element of A or B becomes
  bool packsA;
  AmxTiling tiling;

  Value c, bias, init; // flat
  AmxSource sourceA, sourceB;
  AmxPacked packedA, packedB; // scratch
  Value sums;                 // scratch
  Value addressA, addressB, addressC, addressSums;
  // Blocks of the item, steps of k of the chunk and the slice.
  Value firstRow, endRow, firstColumn, endColumn;
  Value chunkBegin, chunkEnd, sliceBegin, sliceEnd;
};

/// Of the sizes of items that fit and make enough of them, the one that brings
/// in the operands with the least work. Slices follow from k alone, so that the
/// order of sums does.
AmxTiling AmxMatmulEmitter::chooseTiling() const {
  int64_t slices = llvm::divideCeil(depthSteps, pieces == 1 ? kSliceSteps
                                                            : kSliceStepsOfF32);
  int64_t sliceSteps = llvm::divideCeil(depthSteps, slices);
  int64_t rowBlocks = llvm::divideCeil(m, kBlock);
  int64_t columnBlocks = llvm::divideCeil(n, kBlock);
  int64_t costA = options.transposedA ? kTransposeCost
                  : packsA            ? kCopyCost
                                      : kReadCost;
  int64_t costB =
      options.right == RightOperand::RowMajor ? kCopyCost : kTransposeCost;
  AmxTiling best = {};
  int64_t least = std::numeric_limits<int64_t>::max();
  auto choose = [&](int64_t chunks, int64_t wantedItems) {
    int64_t chunkSteps = llvm::divideCeil(slices, chunks) * sliceSteps;
    for (int64_t rows = 1; rows <= rowBlocks; ++rows)
      for (int64_t columns = 1; columns <= columnBlocks; ++columns) {
        // Sums of all rows wait for the next chunk, of one row for the next
        // slice.
        int64_t blocksOfSums = chunks > 1 ? rows * columns : columns;
        if ((1 + columns) * chunkSteps * getStepBytes() +
                blocksOfSums * kSumsBytes >
            kItemBytes)
          break;
        int64_t rowRanges = llvm::divideCeil(rowBlocks, rows);
        int64_t columnRanges = llvm::divideCeil(columnBlocks, columns);
        int64_t cost =
            columnRanges * rowBlocks * costA + rowRanges * columnBlocks * costB;
        if (rowRanges * columnRanges < wantedItems || cost >= least)
          continue;
        least = cost;
        best = {rows, columns, rowRanges, columnRanges, chunkSteps, sliceSteps};
      }
  };
  for (int64_t chunks = 1; chunks <= slices; ++chunks)
    choose(chunks, options.wantedItems);
  for (int64_t chunks = 1; chunks <= slices && best.itemRows == 0; ++chunks)
    choose(chunks, /*wantedItems=*/1);
  return best;
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

void AmxMatmulEmitter::moveTile(StringRef name, int64_t tile, Value address,
                                Value bytes, int64_t stride) {
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bytes);
  Value sum = arith::AddIOp::create(builder, loc, address, offset);
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), sum);
  callTile(name, {tile},
           {pointer,
            arith::ConstantIntOp::create(builder, loc, stride, /*width=*/64)});
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
    bytes[16 + 2 * tile] = kTileRowBytes; // 16 bits
    bytes[48 + tile] = kTile;
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
  c = flatten(builder, loc, kernel.outputs[0]);
  if (options.hasBias)
    bias = flatten(builder, loc, kernel.inputs[2]);
  if (options.hasInit)
    init = flatten(builder, loc, kernel.inputs.back());
  sourceA = {flatten(builder, loc, kernel.inputs[0]),
             options.transposedA ? Order::DepthOuter : Order::DepthInner, m, k};
  sourceB = {flatten(builder, loc, kernel.inputs[1]),
             options.right == RightOperand::RowMajor ? Order::DepthOuter
                                                     : Order::DepthInner,
             n, k};
  pieces = sourceA.getPieces();
  packsA = options.transposedA || pieces > 1 || k % kTileDepth != 0 ||
           m % kBlock != 0;
  tiling = chooseTiling();
  bool isOneChunk = tiling.chunkSteps >= depthSteps;

  auto scratch = [&](int64_t count, Type type) {
    return allocateScratch(builder, loc, kernel,
                           MemRefType::get({count}, type));
  };
  int64_t blockElements = tiling.chunkSteps * getStepBytes() / 2;
  packedB = {scratch(tiling.itemColumns * blockElements, builder.getBF16Type()),
             Order::DepthOuter, tiling.itemColumns, tiling.sliceSteps};
  if (packsA)
    packedA = {scratch(blockElements, builder.getBF16Type()), Order::DepthInner,
               /*blocks=*/1, tiling.sliceSteps};
  sums = scratch((isOneChunk ? 1 : tiling.itemRows) * tiling.itemColumns *
                     kBlock * kBlock,
                 builder.getF32Type());
  configureTiles(scratch(64, builder.getI8Type()));
  addressA = addressOf(packsA ? packedA.memory : sourceA.memory);
  addressB = addressOf(packedB.memory);
  addressC = addressOf(c);
  addressSums = addressOf(sums);

  forEachItem(builder, loc, kernel, [&](Value item) {
    firstRow = ix.mul(ix.div(item, tiling.columnRanges), tiling.itemRows);
    firstColumn = ix.mul(ix.rem(item, tiling.columnRanges), tiling.itemColumns);
    endRow =
        ix.min(ix.add(firstRow, tiling.itemRows), llvm::divideCeil(m, kBlock));
    endColumn = ix.min(ix.add(firstColumn, tiling.itemColumns),
                       llvm::divideCeil(n, kBlock));
    forRange(builder, loc, ix.constant(0), ix.constant(depthSteps),
             ix.constant(tiling.chunkSteps),
             [&](Value step) { emitChunk(step); });
  });
  callTile("tilerelease", {});
  finishKernel(kernel, tiling.rowRanges * tiling.columnRanges);
}

/// The item's sums over one chunk of k, from step `begin` on.
void AmxMatmulEmitter::emitChunk(Value begin) {
  Value one = ix.constant(1);
  chunkBegin = begin;
  chunkEnd = ix.min(ix.add(begin, tiling.chunkSteps), depthSteps);
  packAmxTiles(builder, loc, sourceB, packedB, firstColumn, endColumn,
               chunkBegin, chunkEnd);
  forRange(builder, loc, firstRow, endRow, one, [&](Value row) {
    if (packsA)
      packAmxTiles(builder, loc, sourceA, packedA, row, ix.add(row, 1),
                   chunkBegin, chunkEnd);
    forRange(builder, loc, chunkBegin, chunkEnd, ix.constant(tiling.sliceSteps),
             [&](Value slice) {
               sliceBegin = slice;
               sliceEnd = ix.min(ix.add(slice, tiling.sliceSteps), chunkEnd);
               forRange(builder, loc, firstColumn, endColumn, one,
                        [&](Value column) { emitBlock(row, column); });
             });
  });
}

/// Adds one slice of k to one block of C, and stores that after the last.
void AmxMatmulEmitter::emitBlock(Value rowBlock, Value columnBlock) {
  Value bytesOfSums = ix.sub(columnBlock, firstColumn);
  if (tiling.chunkSteps < depthSteps)
    bytesOfSums = ix.add(
        bytesOfSums, ix.mul(ix.sub(rowBlock, firstRow), tiling.itemColumns));
  bytesOfSums = ix.mul(bytesOfSums, kSumsBytes);

  emitIf(
      isEqual(sliceBegin, ix.constant(0)),
      [&] {
        for (int64_t tile = 0; tile < 4; ++tile)
          callTile("tilezero", {tile});
      },
      [&] { moveSums("tileloadd64", bytesOfSums); });
  forRange(builder, loc, sliceBegin, sliceEnd, ix.constant(1),
           [&](Value step) { emitStep(rowBlock, columnBlock, step); });
  emitIf(
      isEqual(sliceEnd, ix.constant(depthSteps)),
      [&] {
        Value one = ix.constant(1);
        forBlocks(builder, loc, rowBlock, ix.add(rowBlock, one), m, kBlock,
                  [&](Value row, int64_t rows) {
                    forBlocks(builder, loc, columnBlock,
                              ix.add(columnBlock, one), n, kBlock,
                              [&](Value column, int64_t columns) {
                                storeBlock(ix.mul(row, kBlock), rows,
                                           ix.mul(column, kBlock), columns,
                                           bytesOfSums);
                              });
                  });
      },
      [&] { moveSums("tilestored64", bytesOfSums); });
}

/// Adds one step of k to one block of C, and meanwhile fetches what comes next,
/// a line or two with every multiplication: in one go they would hold it up.
void AmxMatmulEmitter::emitStep(Value rowBlock, Value columnBlock, Value step) {
  Value localStep = ix.sub(step, chunkBegin);
  Value stepOfB = ix.add(
      localStep,
      ix.add(ix.mul(ix.sub(sliceBegin, chunkBegin), tiling.itemColumns - 1),
             ix.mul(ix.sub(columnBlock, firstColumn), tiling.sliceSteps)));
  Value bytesB = ix.mul(stepOfB, getStepBytes());
  // From A where it lies, a tile's rows are `k` apart.
  Value bytesA = packsA ? ix.mul(localStep, getStepBytes())
                        : ix.mul(ix.add(ix.mul(rowBlock, kBlock * k),
                                        ix.mul(step, kTileDepth)),
                                 2);
  int64_t strideA = packsA ? kTileRowBytes : k * 2;
  int64_t halfA = packsA ? kTileBytes : kTile * k * 2;

  Lines lines[] = {findLinesOfB(bytesB),
                   findLinesOfC(rowBlock, columnBlock, step),
                   findLinesOfSources(rowBlock, columnBlock, step)};
  // Pieces of A and B whose product counts, in an order that loads few tiles
  // again and adds the greatest last.
  static constexpr std::pair<int64_t, int64_t> kTerms[] = {
      {2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 0}};
  auto terms = ArrayRef(kTerms).take_back(pieces == 1 ? 1 : 6);
  size_t products = 0;
  std::pair<int64_t, int64_t> held(-1, -1);
  for (auto term : terms) {
    for (int64_t half = 0; half < 2; ++half) {
      if (term.first != held.first)
        moveTile("tileloadd64", 4 + half, addressA,
                 ix.add(bytesA, 2 * term.first * kTileBytes + half * halfA),
                 strideA);
      if (term.second != held.second)
        moveTile("tileloadd64", 6 + half, addressB,
                 ix.add(bytesB, (2 * term.second + half) * kTileBytes),
                 kTileRowBytes);
    }
    held = term;
    for (int64_t tile = 0; tile < 4; ++tile) {
      callTile("tdpbf16ps", {tile, 4 + tile / 2, 6 + tile % 2});
      for (const Lines &fetched : lines) {
        auto dueAfter = [&](size_t count) {
          return count * fetched.size() / (4 * terms.size());
        };
        for (size_t i = dueAfter(products); i < dueAfter(products + 1); ++i)
          prefetch(builder, loc, fetched[i].memory, fetched[i].offset,
                   fetched[i].level);
      }
      ++products;
    }
  }
}

/// The tiles of B of the next step, or of the next block's first. The core does
/// not look that far ahead.
AmxMatmulEmitter::Lines AmxMatmulEmitter::findLinesOfB(Value bytesB) {
  Lines lines;
  Value next = ix.div(ix.add(bytesB, getStepBytes()), 2);
  for (int64_t i = 0; i < getStepBytes() / 2; i += kAlignment / 2)
    lines.push_back({packedB.memory, ix.add(next, i), /*level=*/1});
  return lines;
}

/// The block's place in C, in the slice after which it is stored.
AmxMatmulEmitter::Lines
AmxMatmulEmitter::findLinesOfC(Value rowBlock, Value columnBlock, Value step) {
  Lines lines;
  Type type = getElementTypeOrSelf(kernel.outputs[0]);
  int64_t elementsInLine = 8 * kAlignment / type.getIntOrFloatBitWidth();
  int64_t rows = llvm::divideCeil(kBlock, tiling.sliceSteps);
  Value isLast = isEqual(sliceEnd, ix.constant(depthSteps));
  Value place =
      ix.add(ix.mul(rowBlock, kBlock * n), ix.mul(columnBlock, kBlock));
  Value first = ix.mul(ix.sub(step, sliceBegin), rows);
  for (int64_t i = 0; i < rows; ++i) {
    Value row = ix.add(place, ix.mul(ix.add(first, i), n));
    for (int64_t j = 0; j < kBlock; j += elementsInLine)
      lines.push_back({c, select(isLast, ix.add(row, j), place), /*level=*/1});
  }
  return lines;
}

/// The block of A that is packed or loaded next, and of B that of the next
/// chunk. Blocks that are multiplied with them share the work.
AmxMatmulEmitter::Lines AmxMatmulEmitter::findLinesOfSources(Value rowBlock,
                                                             Value columnBlock,
                                                             Value step) {
  Lines lines;
  Value nextRow = ix.add(rowBlock, 1), nextStep = step;
  if (tiling.chunkSteps < depthSteps) {
    Value stepOfNextChunk = ix.add(step, tiling.chunkSteps);
    Value wraps = isEqual(nextRow, endRow);
    nextRow = select(wraps, firstRow, nextRow);
    nextStep = select(wraps, stepOfNextChunk, step);
    addLines(sourceB, columnBlock, stepOfNextChunk, ix.sub(rowBlock, firstRow),
             tiling.itemRows, lines);
  }
  addLines(sourceA, nextRow, nextStep, ix.sub(columnBlock, firstColumn),
           tiling.itemColumns, lines);
  return lines;
}

/// Adds one of `parts` parts of a step of k of a block.
void AmxMatmulEmitter::addLines(const AmxSource &source, Value block,
                                Value step, Value part, int64_t parts,
                                Lines &lines) {
  // 32 rows, or steps of k, of 32 elements each.
  int64_t rows = llvm::divideCeil(kBlock, parts);
  int64_t elementsInLine = kAlignment / (source.isF32() ? 4 : 2);
  Value depth = ix.mul(step, kTileDepth), first = ix.mul(block, kBlock);
  for (int64_t i = 0; i < rows; ++i) {
    Value row = ix.add(ix.mul(part, rows), i);
    Value offset =
        source.order == Order::DepthInner
            ? ix.add(ix.mul(ix.add(first, row), k), depth)
            : ix.add(ix.mul(ix.add(depth, row), source.extent), first);
    for (int64_t j = 0; j < kBlock; j += elementsInLine)
      lines.push_back({source.memory, ix.add(offset, j), /*level=*/2});
  }
}

void AmxMatmulEmitter::emitIf(Value condition, function_ref<void()> emitThen,
                              function_ref<void()> emitElse) {
  auto ifOp = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  emitThen();
  builder.setInsertionPoint(ifOp.elseBlock()->getTerminator());
  emitElse();
}

/// C = sums + bias + init for the block in tiles 0 to 3.
void AmxMatmulEmitter::storeBlock(Value row, int64_t rows, Value column,
                                  int64_t columns, Value bytesOfSums) {
  bool isWhole = rows == kBlock && columns == kBlock;
  if (!isWhole || options.hasBias || options.hasInit ||
      !getElementTypeOrSelf(kernel.outputs[0]).isF32()) {
    moveSums("tilestored64", bytesOfSums);
    storeWithAddends(row, rows, column, columns, ix.div(bytesOfSums, 4));
    return;
  }
  Value bytes = ix.mul(ix.add(ix.mul(row, n), column), 4);
  for (int64_t tile = 0; tile < 4; ++tile)
    moveTile("tilestored64", tile, addressC,
             ix.add(bytes, (tile / 2 * n + tile % 2) * kTile * 4), n * 4);
}

/// C = sums + bias + init for a block whose tiles of sums start at
/// `offsetSums`.
void AmxMatmulEmitter::storeWithAddends(Value row, int64_t rows, Value column,
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
