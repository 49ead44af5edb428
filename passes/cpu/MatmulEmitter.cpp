//===- MatmulEmitter.cpp - Matrix products as cpu-stage kernels -----------===//

#include "passes/cpu/MatmulEmitter.h"

#include "dialect/Attnres.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/MatmulTiling.h"
#include "passes/cpu/VectorAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

MatrixShape attnres::cpu::getMatrixShape(Value memref) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  return {rows, shape.back()};
}

/// Steps of k in the body of the innermost loop.
static constexpr int64_t kUnroll = 4;
/// Copies fetch what lies this many steps of k ahead into the first-level
/// cache. Multiplications that wait for loads fill the core: it does not look
/// far ahead by itself.
static constexpr int64_t kStepsAhead = 8;
/// Lines of a row that are fetched in turn, a power of two. Memory gives
/// neighbours faster, and the core's own prefetchers follow them.
static constexpr int64_t kWalkWidth = 16;
/// f32 in a cache line.
static constexpr int64_t kLine = kAlignment / 4;

static bool isF32(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType().isF32();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// Emits the body of a product. The innermost loop runs over k and keeps a
/// register tile of C; around it run the register tiles of the item's rows, the
/// panels of its columns, and the blocks of k.
class MatmulEmitter {
public:
  MatmulEmitter(OpBuilder &builder, KernelFunction &kernel,
                const CpuTarget &target, const MatmulOptions &options)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), target(target), options(options),
        packsB(options.right == RightOperand::RowMajor) {
    MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
    MatrixShape shapeB = getMatrixShape(kernel.inputs[1]);
    MatrixShape shapeC = getMatrixShape(kernel.outputs[0]);
    m = shapeC.rows;
    n = shapeC.columns;
    k = options.transposedA ? shapeA.rows : shapeA.columns;
    if (!packsB)
      this->target.tileColumns = shapeB.columns;
    tiling = chooseTiling();
    // Partial sums stay in C from one block of k to the next, in f32 only.
    if (!isF32(kernel.outputs[0]))
      tiling.blockK = std::max<int64_t>(k, 1);
    packsA = options.transposedA || !isF32(kernel.inputs[0]);
  }

  void emit();

private:
  MatmulTiling chooseTiling() const;

  /// A block of A in f32: element (i, kk) of the register tile at `offset` is
  /// memory[offset + i * rowStep + kk * kStep].
  struct BlockA {
    Value memory;
    Value offset; // of the first register tile
    int64_t tileStep, rowStep, kStep;
  };

  /// A block of B in f32: element (kk, j) of panel p, as they are numbered in
  /// all of B, is memory[offset + p * panelStep + kk * NR + j].
  struct BlockB {
    Value memory;
    Value offset;
    int64_t panelStep;
  };

  /// Cache lines that a register tile fetches into the second-level cache, one
  /// with every unrolled step: `width` of a row from `begin` on, then of the
  /// rows that follow, each `stride` elements further.
  struct Walk {
    Value matrix, begin;
    int64_t stride, width;

    Value getElement(IndexBuilder &ix, Value step) const {
      return ix.add(begin, ix.add(ix.mul(ix.div(step, width), stride),
                                  ix.mul(ix.rem(step, width), kLine)));
    }
  };

  BlockA getBlockA();
  BlockB getBlockB();
  void copy(Value from, Value fromOffset, Value to, Value toOffset,
            int64_t width);
  void emitColumns(Value panel, int64_t columns);
  void emitTile(Value tile, int64_t rows, Value panel, int64_t columns);
  SmallVector<Value> emitSums(Value tile, int64_t rows, Value panel,
                              ArrayRef<int64_t> widths);
  SmallVector<Value> emitSumsLoop(Value tile, int64_t rows, Value panel,
                                  ArrayRef<int64_t> widths, ValueRange zeros,
                                  bool copiesA, bool copiesB);
  SmallVector<Value> emitEither(Value condition, ValueRange like,
                                function_ref<SmallVector<Value>()> emitThen,
                                function_ref<SmallVector<Value>()> emitElse);
  Value findNextPanel(Value tile, Value panel);
  void prefetchNextPanel(Value begin, Value kk);
  void findNextBlock(Value item);
  SmallVector<Walk> findWalks(Value tile, Value panel);
  void prefetchTile(Value tile, int64_t rows, Value panel, Value kk);
  SmallVector<Value> emitAddends(Value offsetC, Value column, int64_t rows,
                                 ArrayRef<int64_t> widths);

  /// Elements between the panels of a copied block, each [blockK][width]. Its
  /// panels are written together: one more cache line keeps them from falling
  /// into one cache set.
  int64_t getPanelStep(int64_t width) const {
    return width * tiling.blockK + kLine;
  }
  int64_t getEdgeRows() const { return m % target.tileRows; }
  /// The first register tile of a row block, among all of C's.
  Value getFirstTile(Value block) const {
    return ix.div(ix.mul(block, tiling.rowTiles), tiling.rowBlocks);
  }
  Value getFirstPanel(Value range) const {
    return ix.div(ix.mul(range, tiling.panels), tiling.columnRanges);
  }
  /// A register tile of zeros.
  SmallVector<Value> emitZeros(int64_t rows, ArrayRef<int64_t> widths) {
    SmallVector<Value> zeros;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t width : widths) {
        auto type = VectorType::get({width}, builder.getF32Type());
        zeros.push_back(arith::ConstantOp::create(
            builder, loc, DenseElementsAttr::get(type, 0.0f)));
      }
    return zeros;
  }
  Value isEqual(Value x, Value y) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
  }
  Value isEqual(Value x, int64_t y) { return isEqual(x, ix.constant(y)); }
  void emitIf(Value condition, function_ref<void()> body) {
    auto ifOp = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    body();
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  CpuTarget target;
  const MatmulOptions &options;
  MatmulTiling tiling;
  int64_t m, n, k;
  bool packsA, packsB;

  // Flat memrefs.
  Value a, b, c, bias, init, scratchA, scratchB;
  // Where the emission stands: the item's rows and columns, and the block of k.
  Value rowBlock, firstTile, tileEnd, rowBegin, fullTiles;
  Value range, panelBegin, panelEnd, kBegin, kCount;
  BlockA blockA;
  BlockB blockB;
  /// First element of the block that follows, maybe the next item's.
  struct {
    Value k, rowC, panel;
  } nextBlock;
};

MatmulTiling MatmulEmitter::chooseTiling() const {
  int64_t rowTiles = llvm::divideCeil(m, target.tileRows);
  int64_t panels = llvm::divideCeil(n, target.tileColumns);
  if (packsB)
    return tilePackingProduct(target.tiles.products, rowTiles, target.tileRows,
                              panels, target.tileColumns);
  const ProductTiles &tiles = target.tiles.products;
  bool isCached = 4 * k * n <= tiles.cachedPanelBytes;
  int64_t blockRows = isCached ? tiles.blockRows : tiles.manyBlockRows;
  return tilePackedProduct(tiles, rowTiles, panels, k,
                           llvm::divideCeil(blockRows, target.tileRows),
                           /*copiesA=*/options.transposedA);
}

void MatmulEmitter::emit() {
  if (m == 0 || n == 0)
    return finishKernel(kernel, 0);
  a = flatten(builder, loc, kernel.inputs[0]);
  b = flatten(builder, loc, kernel.inputs[1]);
  c = flatten(builder, loc, kernel.outputs[0]);
  if (options.hasBias)
    bias = flatten(builder, loc, kernel.inputs[2]);
  if (options.hasInit)
    init = flatten(builder, loc, kernel.inputs.back());
  if (packsA)
    scratchA = allocateScratch(builder, loc, kernel,
                               MemRefType::get({tiling.getTilesInBlock() *
                                                getPanelStep(target.tileRows)},
                                               builder.getF32Type()));
  if (packsB)
    scratchB =
        allocateScratch(builder, loc, kernel,
                        MemRefType::get({tiling.getPanelsInRange() *
                                         getPanelStep(target.tileColumns)},
                                        builder.getF32Type()));

  int64_t fullPanels = n / target.tileColumns;
  int64_t edgeColumns = n % target.tileColumns;
  forEachItem(builder, loc, kernel, [&](Value item) {
    rowBlock = ix.div(item, tiling.columnRanges);
    range = ix.rem(item, tiling.columnRanges);
    firstTile = getFirstTile(rowBlock);
    rowBegin = ix.mul(firstTile, target.tileRows);
    tileEnd = getFirstTile(ix.add(rowBlock, 1));
    fullTiles = ix.sub(ix.min(tileEnd, m / target.tileRows), firstTile);
    panelBegin = getFirstPanel(range);
    panelEnd = getFirstPanel(ix.add(range, 1));

    auto emitBlock = [&](Value begin) {
      kBegin = begin;
      kCount = ix.constant(std::min(k, tiling.blockK));
      if (k > tiling.blockK && k % tiling.blockK != 0)
        kCount = ix.min(kCount, ix.sub(ix.constant(k), kBegin));
      findNextBlock(item);
      blockA = getBlockA();
      blockB = getBlockB();
      if (fullPanels != 0)
        forRange(builder, loc, panelBegin, ix.min(panelEnd, fullPanels),
                 ix.constant(1),
                 [&](Value panel) { emitColumns(panel, target.tileColumns); });
      if (edgeColumns != 0)
        emitIf(isEqual(range, tiling.columnRanges - 1),
               [&] { emitColumns(ix.constant(fullPanels), edgeColumns); });
    };
    if (k <= tiling.blockK)
      emitBlock(ix.constant(0));
    else
      forRange(builder, loc, ix.constant(0), ix.constant(k),
               ix.constant(tiling.blockK), emitBlock);
  });
  finishKernel(kernel, tiling.getGrid());
}

/// The block after this one: the same rows and columns further along k, or at
/// the end of k the first block of the item that this thread takes up next.
void MatmulEmitter::findNextBlock(Value item) {
  Value next = ix.add(kBegin, tiling.blockK), nextItem = ix.add(item, 1);
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                       next, ix.constant(k));
  auto select = [&](Value ofNextItem, Value ofThis) -> Value {
    return arith::SelectOp::create(builder, loc, isLast, ofNextItem, ofThis);
  };
  nextBlock.k = select(ix.constant(0), next);
  nextBlock.rowC =
      select(ix.mul(getFirstTile(ix.div(nextItem, tiling.columnRanges)),
                    target.tileRows),
             rowBegin);
  nextBlock.panel =
      select(getFirstPanel(ix.rem(nextItem, tiling.columnRanges)), panelBegin);
}

/// Where register tiles find A: where it lies, or in scratch. Rows in bf16 are
/// copied to scratch here, blockK elements of each; of a transposed A, register
/// tiles make panels as wide as they are high.
MatmulEmitter::BlockA MatmulEmitter::getBlockA() {
  if (!packsA)
    return {a, ix.add(ix.mul(rowBegin, k), kBegin), target.tileRows * k,
            /*rowStep=*/k, /*kStep=*/1};
  Value zero = ix.constant(0), one = ix.constant(1);
  int64_t tileRows = target.tileRows, tileStep = getPanelStep(tileRows);
  if (options.transposedA)
    return {scratchA, zero, tileStep, /*rowStep=*/1, /*kStep=*/tileRows};
  Value rows = ix.sub(ix.min(ix.mul(tileEnd, tileRows), m), rowBegin);
  Value vectorsEnd = ix.sub(kCount, ix.rem(kCount, target.lanes));
  forRange(builder, loc, zero, rows, one, [&](Value i) {
    Value from = ix.add(ix.mul(ix.add(rowBegin, i), k), kBegin);
    Value to = ix.add(ix.mul(ix.div(i, tileRows), tileStep),
                      ix.mul(ix.rem(i, tileRows), tiling.blockK));
    auto copyAt = [&](int64_t width) {
      return [&, width](Value kk) {
        copy(a, ix.add(from, kk), scratchA, ix.add(to, kk), width);
      };
    };
    forRange(builder, loc, zero, vectorsEnd, ix.constant(target.lanes),
             copyAt(target.lanes));
    forRange(builder, loc, vectorsEnd, kCount, one, copyAt(1));
  });
  return {scratchA, zero, tileStep, tiling.blockK, /*kStep=*/1};
}

/// Where register tiles find B: in its panels, or in those that they make of
/// the item's columns in scratch.
MatmulEmitter::BlockB MatmulEmitter::getBlockB() {
  int64_t width = target.tileColumns;
  if (!packsB)
    return {b, ix.mul(kBegin, width), k * width};
  int64_t panelStep = getPanelStep(width);
  return {scratchB, ix.sub(ix.constant(0), ix.mul(panelBegin, panelStep)),
          panelStep};
}

/// Copies `width` elements, one or those of a vector, as f32.
void MatmulEmitter::copy(Value from, Value fromOffset, Value to, Value toOffset,
                         int64_t width) {
  Value value = width == 1 ? loadScalarF32(builder, loc, from, fromOffset)
                           : loadF32(builder, loc, from, fromOffset, width);
  storeF32(builder, loc, value, to, toOffset);
}

/// The first `columns` columns of one panel for all register tiles of the item.
void MatmulEmitter::emitColumns(Value panel, int64_t columns) {
  if (m >= target.tileRows)
    forRange(
        builder, loc, ix.constant(0), fullTiles, ix.constant(1),
        [&](Value tile) { emitTile(tile, target.tileRows, panel, columns); });
  if (getEdgeRows() != 0)
    emitIf(isEqual(rowBlock, tiling.rowBlocks - 1),
           [&] { emitTile(fullTiles, getEdgeRows(), panel, columns); });
}

void MatmulEmitter::emitTile(Value tile, int64_t rows, Value panel,
                             int64_t columns) {
  int64_t lanes = target.lanes;
  SmallVector<int64_t> widths;
  for (int64_t j = 0; j < columns; j += lanes)
    widths.push_back(std::min(lanes, columns - j));

  SmallVector<Value> sums = emitSums(tile, rows, panel, widths);

  Value column = ix.mul(panel, target.tileColumns);
  Value row = ix.add(rowBegin, ix.mul(tile, target.tileRows));
  Value offsetC = ix.add(ix.mul(row, n), column);
  SmallVector<Value> addends = emitAddends(offsetC, column, rows, widths);
  size_t next = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < widths.size(); ++j, ++next) {
      Value value = sums[next];
      if (!addends.empty())
        value = arith::AddFOp::create(builder, loc, value, addends[next]);
      storeF32(builder, loc, value, c, ix.add(offsetC, i * n + j * lanes));
    }
}

/// Each register tile fetches its share of the panel that follows into the
/// second-level cache, evenly over k: otherwise the first tile of a panel would
/// wait for memory. This is where the share of a tile begins.
Value MatmulEmitter::findNextPanel(Value tile, Value panel) {
  Value next = ix.add(panel, 1), nextK = kBegin;
  // Where there are several blocks of k, the last panel is followed by the next
  // block's first one. Otherwise the next item's panels lie behind it; fetching
  // the first one at the end of a row block made 768x2048 slower.
  if (k > tiling.blockK) {
    Value isLast = isEqual(next, panelEnd);
    auto select = [&](Value x, Value y) -> Value {
      return arith::SelectOp::create(builder, loc, isLast, x, y);
    };
    next = select(nextBlock.panel, next);
    nextK = select(nextBlock.k, nextK);
  }
  Value row = ix.add(ix.mul(next, k), nextK);
  int64_t share = tiling.blockK * target.tileColumns / tiling.getTilesInBlock();
  return ix.add(ix.mul(row, target.tileColumns), ix.mul(tile, share));
}

void MatmulEmitter::prefetchNextPanel(Value begin, Value kk) {
  int64_t tiles = tiling.getTilesInBlock();
  Value next = ix.add(begin, ix.div(ix.mul(kk, target.tileColumns), tiles));
  // All of what the unrolled steps share.
  for (int64_t line = 0; line * kLine * tiles < kUnroll * target.tileColumns;
       ++line)
    prefetch(builder, loc, b, ix.add(next, line * kLine));
}

/// The sums of a register tile over the block of k. The first tile of a panel
/// copies the panel of B to scratch as it reads it, and the first panel's tiles
/// do so with their part of a transposed A: beside multiplications, the copies
/// cost less than in loops of their own.
SmallVector<Value> MatmulEmitter::emitSums(Value tile, int64_t rows,
                                           Value panel,
                                           ArrayRef<int64_t> widths) {
  SmallVector<Value> zeros = emitZeros(rows, widths);
  auto emitLoop = [&](bool copiesA, bool copiesB) {
    return emitSumsLoop(tile, rows, panel, widths, zeros, copiesA, copiesB);
  };
  auto emitWithB = [&](bool copiesA) {
    if (!packsB)
      return emitLoop(copiesA, false);
    return emitEither(
        isEqual(tile, 0), zeros, [&] { return emitLoop(copiesA, true); },
        [&] { return emitLoop(copiesA, false); });
  };
  if (!options.transposedA)
    return emitWithB(false);
  return emitEither(
      isEqual(panel, panelBegin), zeros, [&] { return emitWithB(true); },
      [&] { return emitWithB(false); });
}

SmallVector<Value> MatmulEmitter::emitSumsLoop(Value tile, int64_t rows,
                                               Value panel,
                                               ArrayRef<int64_t> widths,
                                               ValueRange zeros, bool copiesA,
                                               bool copiesB) {
  int64_t lanes = target.lanes;
  Value offsetA = ix.add(blockA.offset, ix.mul(tile, blockA.tileStep));
  Value offsetB = ix.add(blockB.offset, ix.mul(panel, blockB.panelStep));
  Value sourceA = ix.add(ix.add(ix.mul(kBegin, m), rowBegin),
                         ix.mul(tile, target.tileRows));
  Value sourceB = ix.add(ix.mul(kBegin, n), ix.mul(panel, target.tileColumns));
  auto emitStep = [&](Value kk, ValueRange sums) {
    Value rowB = ix.add(offsetB, ix.mul(kk, target.tileColumns));
    Value fromB = ix.add(sourceB, ix.mul(kk, n));
    SmallVector<Value> vectorsB;
    for (auto [j, width] : llvm::enumerate(widths)) {
      Value to = ix.add(rowB, j * lanes);
      if (copiesB)
        prefetch(builder, loc, b, ix.add(fromB, kStepsAhead * n + j * lanes),
                 /*level=*/1);
      vectorsB.push_back(
          copiesB ? loadF32(builder, loc, b, ix.add(fromB, j * lanes), width)
                  : loadF32(builder, loc, blockB.memory, to, width));
      if (copiesB)
        storeF32(builder, loc, vectorsB.back(), blockB.memory, to);
    }
    Value columnA = ix.add(offsetA, ix.mul(kk, blockA.kStep));
    Value fromA = ix.add(sourceA, ix.mul(kk, m));
    if (copiesA) {
      for (int64_t i : {int64_t(0), rows - 1})
        prefetch(builder, loc, a, ix.add(fromA, kStepsAhead * m + i),
                 /*level=*/1);
      // The widest vectors first: 12 rows are 8 and 4.
      for (int64_t i = 0; i < rows;) {
        int64_t width =
            std::min<int64_t>(llvm::bit_floor<uint64_t>(rows - i), lanes);
        copy(a, ix.add(fromA, i), blockA.memory, ix.add(columnA, i), width);
        i += width;
      }
    }
    SmallVector<Value> next;
    for (int64_t i = 0; i < rows; ++i) {
      Value element = copiesA
                          ? loadScalarF32(builder, loc, a, ix.add(fromA, i))
                          : loadScalarF32(builder, loc, blockA.memory,
                                          ix.add(columnA, i * blockA.rowStep));
      for (Value vectorB : vectorsB) {
        Value splat = vector::BroadcastOp::create(builder, loc,
                                                  vectorB.getType(), element);
        next.push_back(vector::FMAOp::create(builder, loc, splat, vectorB,
                                             sums[next.size()]));
      }
    }
    return next;
  };
  SmallVector<Walk> walks = findWalks(tile, panel);
  Value nextPanel = packsB ? Value() : findNextPanel(tile, panel);
  // Unrolled, so that finding out what to fetch does not compete with the
  // multiplications.
  Value unrolledEnd = kCount;
  if (k % kUnroll != 0)
    unrolledEnd = ix.sub(kCount, ix.rem(kCount, kUnroll));
  SmallVector<Value> result =
      forRange(builder, loc, ix.constant(0), unrolledEnd, ix.constant(kUnroll),
               zeros, [&](Value kk, ValueRange sums) {
                 prefetchTile(tile, rows, panel, kk);
                 for (const Walk &walk : walks)
                   prefetch(builder, loc, walk.matrix,
                            walk.getElement(ix, ix.div(kk, kUnroll)));
                 if (!packsB)
                   prefetchNextPanel(nextPanel, kk);
                 SmallVector<Value> next = llvm::to_vector(sums);
                 for (int64_t step = 0; step < kUnroll; ++step)
                   next = emitStep(ix.add(kk, step), next);
                 return next;
               });
  if (k % kUnroll != 0)
    result = forRange(builder, loc, unrolledEnd, kCount, ix.constant(1), result,
                      emitStep);
  return result;
}

/// The values of one or the other, of the types of `like`.
SmallVector<Value>
MatmulEmitter::emitEither(Value condition, ValueRange like,
                          function_ref<SmallVector<Value>()> emitThen,
                          function_ref<SmallVector<Value>()> emitElse) {
  auto ifOp = scf::IfOp::create(builder, loc, like.getTypes(), condition,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, emitThen());
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, emitElse());
  return llvm::to_vector_of<Value>(ifOp.getResults());
}

/// Fetches a part of the register tile's place in C into the first-level cache:
/// partial sums are read there, and stores that have to wait for their line
/// would hold up the next tile.
void MatmulEmitter::prefetchTile(Value tile, int64_t rows, Value panel,
                                 Value kk) {
  int64_t linesInRow = llvm::divideCeil(target.tileColumns, kLine);
  Value line = ix.min(ix.div(kk, kUnroll), ix.constant(rows * linesInRow - 1));
  Value row = ix.add(ix.add(rowBegin, ix.mul(tile, target.tileRows)),
                     ix.div(line, linesInRow));
  Value column = ix.add(ix.mul(panel, target.tileColumns),
                        ix.mul(ix.rem(line, linesInRow), kLine));
  prefetch(builder, loc, c, ix.add(ix.mul(row, n), column), /*level=*/1);
}

/// What a register tile fetches of the blocks that follow, where those are read
/// as they lie.
SmallVector<MatmulEmitter::Walk> MatmulEmitter::findWalks(Value tile,
                                                          Value panel) {
  int64_t tiles = tiling.getTilesInBlock(), panels = tiling.getPanelsInRange();
  int64_t rows = tiles * target.tileRows, columns = panels * target.tileColumns;
  Value index = ix.add(ix.mul(ix.sub(panel, panelBegin), tiles), tile);
  SmallVector<Walk> walks;
  auto addWalks = [&](Value matrix, int64_t stride, MatrixShape block,
                      Value firstRow, Value firstColumn) {
    bool isAligned = stride % kLine == 0 && block.columns % kLine == 0;
    int64_t lines = llvm::divideCeil(block.columns, kLine) + !isAligned;
    // As many lines as the loop over k has steps.
    int64_t steps = std::max<int64_t>(tiling.blockK / kUnroll, 1);
    auto width = std::min<int64_t>({kWalkWidth,
                                    int64_t(llvm::bit_floor<uint64_t>(steps)),
                                    int64_t(llvm::bit_ceil<uint64_t>(lines))});
    int64_t height = steps / width;
    int64_t walksInColumn = llvm::divideCeil(block.rows, height);
    int64_t walksInRow = llvm::divideCeil(lines, width);
    int64_t share =
        llvm::divideCeil(walksInRow * walksInColumn, tiles * panels);
    for (int64_t i = 0; i < share; ++i) {
      Value walk = ix.add(ix.mul(index, share), i);
      Value row = ix.add(firstRow, ix.mul(ix.div(walk, walksInRow), height));
      Value column =
          ix.add(firstColumn, ix.mul(ix.rem(walk, walksInRow), width * kLine));
      walks.push_back(
          {matrix, ix.add(ix.mul(row, stride), column), stride, width});
    }
  };
  if (options.transposedA)
    addWalks(a, m, {tiling.blockK, rows}, nextBlock.k, nextBlock.rowC);
  else
    addWalks(a, k, {rows, tiling.blockK}, nextBlock.rowC, nextBlock.k);
  if (packsB)
    addWalks(b, n, {tiling.blockK, columns}, nextBlock.k,
             ix.mul(nextBlock.panel, target.tileColumns));
  return walks;
}

/// What is added to a tile's sums over the current block of k: bias and init
/// for the first block, what C holds for the others. Empty for nothing.
SmallVector<Value> MatmulEmitter::emitAddends(Value offsetC, Value column,
                                              int64_t rows,
                                              ArrayRef<int64_t> widths) {
  auto loadTile = [&](Value memory) {
    SmallVector<Value> values;
    for (int64_t i = 0; i < rows; ++i)
      for (auto [j, width] : llvm::enumerate(widths))
        values.push_back(loadF32(builder, loc, memory,
                                 ix.add(offsetC, i * n + j * target.lanes),
                                 width));
    return values;
  };
  auto emitFirst = [&] {
    SmallVector<Value> values;
    if (options.hasInit)
      values = loadTile(init);
    if (!options.hasBias)
      return values;
    SmallVector<Value> biases;
    for (auto [j, width] : llvm::enumerate(widths))
      biases.push_back(
          loadF32(builder, loc, bias, ix.add(column, j * target.lanes), width));
    for (int64_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < widths.size(); ++j) {
        if (!options.hasInit)
          values.push_back(biases[j]);
        else
          values[i * widths.size() + j] = arith::AddFOp::create(
              builder, loc, values[i * widths.size() + j], biases[j]);
      }
    return values;
  };
  if (k <= tiling.blockK)
    return emitFirst();

  SmallVector<Value> zeros = emitZeros(rows, widths);
  return emitEither(
      isEqual(kBegin, 0), zeros,
      [&] {
        SmallVector<Value> first = emitFirst();
        return first.empty() ? zeros : first;
      },
      [&] { return loadTile(c); });
}

} // namespace

void attnres::cpu::emitMatmul(OpBuilder &builder, KernelFunction &kernel,
                              const CpuTarget &target,
                              const MatmulOptions &options) {
  if (options.right != RightOperand::Packed) {
    MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
    int64_t m = options.transposedA ? shapeA.columns : shapeA.rows;
    int64_t k = options.transposedA ? shapeA.rows : shapeA.columns;
    Type typeA = kernel.inputs[0].getType(), typeB = kernel.inputs[1].getType();
    if (usesAmx(target, typeA, typeB, m, k))
      return emitAmxMatmul(builder, kernel, target, options);
    if (usesDots(target, typeA, typeB, m, k))
      return emitDotMatmul(builder, kernel, target, options);
    if (!options.transposedA || options.right == RightOperand::Transposed ||
        m <= kMaxSkinnyRows)
      return emitSkinnyMatmul(builder, kernel, target, options);
  }
  MatmulEmitter(builder, kernel, target, options).emit();
}
