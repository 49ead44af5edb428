//===- BlockMatmulEmitter.cpp - Products of packed pairs ------------------===//

#include "passes/cpu/BlockMatmulEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace attnres::cpu;

BlockMatmulEmitter::BlockMatmulEmitter(OpBuilder &builder,
                                       KernelFunction &kernel,
                                       const PairTiles &tiles,
                                       const MatmulOptions &options)
    : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
      kernel(kernel), tiles(tiles), options(options) {
  MatrixShape shapeC = getMatrixShape(kernel.outputs[0]);
  MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
  m = shapeC.rows;
  n = shapeC.columns;
  k = options.transposedA ? shapeA.rows : shapeA.columns;
  depthSteps = llvm::divideCeil(k, kTileDepth);
}

/// The time of packing and of multiplying, when items of so many blocks are
/// shared out to two or four threads.
int64_t BlockMatmulEmitter::addMultiplications(int64_t packing, int64_t rows,
                                               int64_t columns) const {
  int64_t rowBlocks = llvm::divideCeil(m, kBlock);
  int64_t columnBlocks = llvm::divideCeil(n, kBlock);
  int64_t items = llvm::divideCeil(rowBlocks, rows) *
                  llvm::divideCeil(columnBlocks, columns);
  int64_t time = 0;
  for (int64_t threads : {2, 4})
    time += threads * llvm::divideCeil(items, threads) * rows * columns;
  return packing + getCosts().multiplication * time / 2;
}

/// Of the sizes of items that fit and make enough of them, the one that brings
/// in the operands with the least work. Slices follow from k alone, so that the
/// order of sums does.
BlockTiling BlockMatmulEmitter::chooseTiling() const {
  BlockCosts costs = getCosts();
  int64_t slices = llvm::divideCeil(depthSteps, costs.sliceSteps);
  int64_t sliceSteps = llvm::divideCeil(depthSteps, slices);
  int64_t rowBlocks = llvm::divideCeil(m, kBlock);
  int64_t columnBlocks = llvm::divideCeil(n, kBlock);
  int64_t costA = !packsA                          ? tiles.readCost
                  : packedA.order == sourceA.order ? tiles.copyCost
                                                   : tiles.transposeCost;
  int64_t costB = options.right == RightOperand::RowMajor ? tiles.copyCost
                                                          : tiles.transposeCost;
  BlockTiling best = {};
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
            costs.itemBytes)
          break;
        int64_t rowRanges = llvm::divideCeil(rowBlocks, rows);
        int64_t columnRanges = llvm::divideCeil(columnBlocks, columns);
        int64_t cost =
            columnRanges * rowBlocks * costA + rowRanges * columnBlocks * costB;
        cost = addMultiplications(cost, rows, columns);
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

void BlockMatmulEmitter::emit() {
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
  packedA.order =
      options.transposedA ? getOrderOfTransposedA() : Order::DepthInner;
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
    packedA = {scratch(blockElements, builder.getBF16Type()), packedA.order,
               /*blocks=*/1, tiling.sliceSteps};
  sums = scratch((isOneChunk ? 1 : tiling.itemRows) * tiling.itemColumns *
                     kBlock * kBlock,
                 builder.getF32Type());
  emitBegin();
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
  emitEnd();
  finishKernel(kernel, tiling.rowRanges * tiling.columnRanges);
}

/// The item's sums over one chunk of k, from step `begin` on.
void BlockMatmulEmitter::emitChunk(Value begin) {
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
                        [&](Value column) {
                          emitBlock(row, column, findSums(row, column));
                        });
             });
  });
}

Value BlockMatmulEmitter::findSums(Value rowBlock, Value columnBlock) {
  Value block = ix.sub(columnBlock, firstColumn);
  if (tiling.chunkSteps < depthSteps)
    block =
        ix.add(block, ix.mul(ix.sub(rowBlock, firstRow), tiling.itemColumns));
  return ix.mul(block, kSumsBytes);
}

Value BlockMatmulEmitter::getBytesOfB(Value columnBlock, Value step) {
  Value stepOfB = ix.add(
      ix.sub(step, chunkBegin),
      ix.add(ix.mul(ix.sub(sliceBegin, chunkBegin), tiling.itemColumns - 1),
             ix.mul(ix.sub(columnBlock, firstColumn), tiling.sliceSteps)));
  return ix.mul(stepOfB, getStepBytes());
}

Value BlockMatmulEmitter::getBytesOfA(Value rowBlock, Value step) {
  // From A where it lies, a tile's rows are `k` apart.
  return packsA ? ix.mul(ix.sub(step, chunkBegin), getStepBytes())
                : ix.mul(ix.add(ix.mul(rowBlock, kBlock * k),
                                ix.mul(step, kTileDepth)),
                         2);
}

void BlockMatmulEmitter::forExtent(
    Value rowBlock, Value columnBlock,
    function_ref<void(Value, int64_t, Value, int64_t)> body) {
  Value one = ix.constant(1);
  forBlocks(builder, loc, rowBlock, ix.add(rowBlock, one), m, kBlock,
            [&](Value row, int64_t rows) {
              forBlocks(builder, loc, columnBlock, ix.add(columnBlock, one), n,
                        kBlock, [&](Value column, int64_t columns) {
                          body(ix.mul(row, kBlock), rows,
                               ix.mul(column, kBlock), columns);
                        });
            });
}

bool BlockMatmulEmitter::storesSums() const {
  return !options.hasBias && !options.hasInit &&
         getElementTypeOrSelf(kernel.outputs[0]).isF32();
}

BlockMatmulEmitter::Lines
BlockMatmulEmitter::findLinesOfC(Value rowBlock, Value columnBlock, Value step,
                                 Value part, int64_t parts) {
  Lines lines;
  Type type = getElementTypeOrSelf(kernel.outputs[0]);
  int64_t elementsInLine = 8 * kAlignment / type.getIntOrFloatBitWidth();
  int64_t rows = llvm::divideCeil(kBlock / parts, tiling.sliceSteps);
  Value isLast = isEqual(sliceEnd, ix.constant(depthSteps));
  Value place =
      ix.add(ix.mul(rowBlock, kBlock * n), ix.mul(columnBlock, kBlock));
  Value first = ix.add(ix.mul(part, kBlock / parts),
                       ix.mul(ix.sub(step, sliceBegin), rows));
  for (int64_t i = 0; i < rows; ++i) {
    Value row = ix.add(place, ix.mul(ix.add(first, i), n));
    for (int64_t j = 0; j < kBlock; j += elementsInLine)
      lines.push_back({c, select(isLast, ix.add(row, j), place), /*level=*/1});
  }
  return lines;
}

/// The block of A that is packed or read next, and of B that of the next chunk.
/// Blocks that are multiplied with them share the work.
BlockMatmulEmitter::Lines
BlockMatmulEmitter::findLinesOfSources(Value rowBlock, Value columnBlock,
                                       Value step, Value part, int64_t parts) {
  Lines lines;
  Value nextRow = ix.add(rowBlock, 1), nextStep = step;
  if (tiling.chunkSteps < depthSteps) {
    Value stepOfNextChunk = ix.add(step, tiling.chunkSteps);
    Value wraps = isEqual(nextRow, endRow);
    nextRow = select(wraps, firstRow, nextRow);
    nextStep = select(wraps, stepOfNextChunk, step);
    addLines(sourceB, columnBlock, stepOfNextChunk,
             ix.add(ix.mul(ix.sub(rowBlock, firstRow), parts), part),
             tiling.itemRows * parts, lines);
  }
  addLines(sourceA, nextRow, nextStep,
           ix.add(ix.mul(ix.sub(columnBlock, firstColumn), parts), part),
           tiling.itemColumns * parts, lines);
  return lines;
}

/// Adds one of `parts` parts of a step of k of a block.
void BlockMatmulEmitter::addLines(const AmxSource &source, Value block,
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

void BlockMatmulEmitter::fetchShare(const Lines &lines, size_t share,
                                    size_t count) {
  for (size_t i = share * lines.size() / count;
       i < (share + 1) * lines.size() / count; ++i)
    prefetch(builder, loc, lines[i].memory, lines[i].offset, lines[i].level);
}

void BlockMatmulEmitter::emitIf(Value condition, function_ref<void()> emitThen,
                                function_ref<void()> emitElse) {
  auto ifOp = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  emitThen();
  builder.setInsertionPoint(ifOp.elseBlock()->getTerminator());
  emitElse();
}

/// C = sums + bias + init for a block whose tiles of sums start at
/// `offsetSums`.
void BlockMatmulEmitter::storeWithAddends(Value row, int64_t rows, Value column,
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
void BlockMatmulEmitter::storeBf16(Value low, Value high, Value offset) {
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
