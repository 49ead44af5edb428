//===- MatmulEmitter.cpp - Matrix products as cpu-stage kernels -----------===//

#include "passes/cpu/MatmulEmitter.h"

#include "dialect/Attnres.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/VectorAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

// With panels packed before, one block of A (blockM x blockK) and one panel
// (blockK x NR) share the second-level cache.
static constexpr int64_t kBlockM = 48;
static constexpr int64_t kMaxBlockK = 768;
/// Items that a product should have, so that many threads share it evenly.
static constexpr int64_t kWantedItems = 32;

// Where an item packs both operands: packing costs (1/rows + 1/columns) of the
// multiplications, and the blocks of A, B and C share the second-level cache.
static constexpr int64_t kBlockRows = 128;
static constexpr int64_t kFewColumns = 128, kManyColumns = 256;
static constexpr int64_t kBlockDepth = 128;
static constexpr int64_t kWantedLargeItems = 8;

static MatmulTiling chooseTilingOfPanels(int64_t m, int64_t n, int64_t k,
                                         bool transposedA,
                                         const CpuTarget &target) {
  MatmulTiling tiling;
  tiling.blockM = llvm::alignTo(kBlockM, target.tileRows);
  tiling.rowBlocks = llvm::divideCeil(m, tiling.blockM);
  int64_t kBlocks = std::max<int64_t>(llvm::divideCeil(k, kMaxBlockK), 1);
  tiling.blockK =
      std::max<int64_t>(llvm::alignTo(llvm::divideCeil(k, kBlocks), 16), 16);
  int64_t panels = llvm::divideCeil(n, target.tileColumns);
  int64_t wantedRanges =
      llvm::divideCeil(kWantedItems, std::max<int64_t>(tiling.rowBlocks, 1));
  // Every item copies its block of a transposed A: it must be worth it.
  int64_t fewestPanels = transposedA ? std::min<int64_t>(panels, 8) : 1;
  tiling.panelsPerItem =
      std::max<int64_t>({panels / wantedRanges, fewestPanels, 1});
  tiling.columnRanges = llvm::divideCeil(panels, tiling.panelsPerItem);
  return tiling;
}

static MatmulTiling chooseTilingOfRows(int64_t m, int64_t n, int64_t k,
                                       const CpuTarget &target) {
  MatmulTiling tiling;
  tiling.blockM = llvm::alignTo(kBlockRows, target.tileRows);
  tiling.rowBlocks = llvm::divideCeil(m, tiling.blockM);
  tiling.blockK = kBlockDepth;
  int64_t panels = llvm::divideCeil(n, target.tileColumns);
  int64_t columns = kManyColumns;
  if (tiling.rowBlocks * llvm::divideCeil(n, columns) < kWantedLargeItems)
    columns = kFewColumns;
  tiling.columnRanges = llvm::divideCeil(n, columns);
  tiling.panelsPerItem = llvm::divideCeil(panels, tiling.columnRanges);
  // Equal shares may need fewer items.
  tiling.columnRanges = llvm::divideCeil(panels, tiling.panelsPerItem);
  return tiling;
}

MatmulTiling attnres::cpu::chooseMatmulTiling(int64_t m, int64_t n, int64_t k,
                                              const MatmulOptions &options,
                                              const CpuTarget &target) {
  return options.right == RightOperand::Packed
             ? chooseTilingOfPanels(m, n, k, options.transposedA, target)
             : chooseTilingOfRows(m, n, k, target);
}

MatrixShape attnres::cpu::getMatrixShape(Value memref) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  return {rows, shape.back()};
}

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
    tiling = chooseMatmulTiling(m, n, k, options, this->target);
    // Partial sums stay in C from one block of k to the next, in f32 only.
    if (!isF32(kernel.outputs[0]))
      tiling.blockK = std::max<int64_t>(k, 1);
    packsA = options.transposedA || !isF32(kernel.inputs[0]);
  }

  void emit();

private:
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

  BlockA packA();
  BlockB packB();
  void copyRows(Value source, int64_t sourceColumns, Value column,
                int64_t columns,
                function_ref<void(Value value, Value kk, int64_t j)> store);
  void emitColumns(Value panel, int64_t columns);
  void emitTile(Value tile, int64_t rows, Value panel, int64_t columns);
  void prefetchNextPanel(Value tile, Value offsetB, Value kk);
  void prefetchNextBlock(Value tile, Value panel, Value kk);
  SmallVector<Value> emitAddends(Value offsetC, Value column, int64_t rows,
                                 ArrayRef<int64_t> widths);

  /// Elements between the copied rows of A: an odd number of cache lines, so
  /// that a column of rows does not fall into few cache sets.
  int64_t getRowStep() const {
    int64_t row = options.transposedA ? tiling.blockM : tiling.blockK;
    return llvm::alignTo(row, 2 * kLine) + kLine;
  }
  int64_t getEdgeRows() const { return m % target.tileRows; }
  Value constantF32(int64_t width) {
    auto type = VectorType::get({width}, builder.getF32Type());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, 0.0f));
  }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x,
                                 ix.constant(y));
  }
  void emitWholeOrEdge(Value block, int64_t blocks, int64_t size,
                       int64_t whole, function_ref<void(int64_t)> body);
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
  Value rowBlock, rowBegin, fullTiles, range, panelBegin, kBegin, kCount;
  BlockA blockA;
  BlockB blockB;
};

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
    scratchA = allocateScratch(
        builder, loc, kernel,
        MemRefType::get({getRowStep() * (options.transposedA ? tiling.blockK
                                                             : tiling.blockM)},
                        builder.getF32Type()));
  if (packsB)
    scratchB = allocateScratch(
        builder, loc, kernel,
        MemRefType::get({tiling.panelsPerItem * tiling.blockK *
                         target.tileColumns},
                        builder.getF32Type()));

  int64_t fullPanels = n / target.tileColumns;
  int64_t edgeColumns = n % target.tileColumns;
  forEachItem(builder, loc, kernel, [&](Value item) {
    rowBlock = ix.div(item, tiling.columnRanges);
    rowBegin = ix.mul(rowBlock, tiling.blockM);
    Value rows = ix.constant(tiling.blockM);
    if (m % tiling.blockM != 0)
      rows = ix.min(rows, ix.sub(ix.constant(m), rowBegin));
    fullTiles = ix.div(rows, target.tileRows);
    range = ix.rem(item, tiling.columnRanges);
    panelBegin = ix.mul(range, tiling.panelsPerItem);
    Value panelEnd =
        ix.min(ix.add(panelBegin, tiling.panelsPerItem), fullPanels);

    auto emitBlock = [&](Value begin) {
      kBegin = begin;
      kCount = ix.constant(std::min(k, tiling.blockK));
      if (k > tiling.blockK && k % tiling.blockK != 0)
        kCount = ix.min(kCount, ix.sub(ix.constant(k), kBegin));
      blockA = packsA
                   ? packA()
                   : BlockA{a, ix.add(ix.mul(rowBegin, k), kBegin),
                            target.tileRows * k, /*rowStep=*/k, /*kStep=*/1};
      blockB = packsB ? packB()
                      : BlockB{b, ix.mul(kBegin, target.tileColumns),
                               k * target.tileColumns};
      if (fullPanels != 0)
        forRange(builder, loc, panelBegin, panelEnd, ix.constant(1),
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

/// Copies the block of A to scratch as f32, row by row as A stores them.
MatmulEmitter::BlockA MatmulEmitter::packA() {
  Value zero = ix.constant(0), one = ix.constant(1);
  int64_t rowStep = getRowStep();
  if (options.transposedA) {
    auto copy = [&](int64_t rows) {
      copyRows(a, m, rowBegin, rows, [&](Value value, Value kk, int64_t j) {
        storeF32(builder, loc, value, scratchA, ix.add(ix.mul(kk, rowStep), j));
      });
    };
    emitWholeOrEdge(rowBlock, tiling.rowBlocks, m, tiling.blockM, copy);
    return {scratchA, zero, target.tileRows, /*rowStep=*/1, /*kStep=*/rowStep};
  }

  Value rows =
      ix.min(ix.constant(tiling.blockM), ix.sub(ix.constant(m), rowBegin));
  Value vectorsEnd = ix.sub(kCount, ix.rem(kCount, target.lanes));
  forRange(builder, loc, zero, rows, one, [&](Value i) {
    Value from = ix.add(ix.mul(ix.add(rowBegin, i), k), kBegin);
    Value to = ix.mul(i, rowStep);
    forRange(builder, loc, zero, vectorsEnd, ix.constant(target.lanes),
             [&](Value kk) {
               storeF32(
                   builder, loc,
                   loadF32(builder, loc, a, ix.add(from, kk), target.lanes),
                   scratchA, ix.add(to, kk));
             });
    forRange(builder, loc, vectorsEnd, kCount, one, [&](Value kk) {
      storeF32(builder, loc, loadScalarF32(builder, loc, a, ix.add(from, kk)),
               scratchA, ix.add(to, kk));
    });
  });
  return {scratchA, zero, target.tileRows * rowStep, rowStep, /*kStep=*/1};
}

/// Copies the item's columns of the block of B, stored as rows, to scratch as
/// panels.
MatmulEmitter::BlockB MatmulEmitter::packB() {
  int64_t width = target.tileColumns;
  int64_t panelStep = tiling.blockK * width;
  auto copy = [&](int64_t columns) {
    copyRows(b, n, ix.mul(panelBegin, width), columns,
             [&](Value value, Value kk, int64_t j) {
               Value to = ix.add(ix.mul(kk, width),
                                 j / width * panelStep + j % width);
               storeF32(builder, loc, value, scratchB, to);
             });
  };
  emitWholeOrEdge(range, tiling.columnRanges, n, tiling.panelsPerItem * width,
                  copy);
  return {scratchB,
          ix.sub(ix.constant(0), ix.mul(panelBegin, panelStep)), panelStep};
}

/// `body(whole)` for all blocks of a dimension but a smaller last one, `body`
/// with its size for that.
void MatmulEmitter::emitWholeOrEdge(Value block, int64_t blocks, int64_t size,
                                    int64_t whole,
                                    function_ref<void(int64_t)> body) {
  int64_t edge = size - (blocks - 1) * whole;
  if (edge == whole || blocks == 1)
    return body(edge);
  auto ifEdge = scf::IfOp::create(builder, loc, isEqual(block, blocks - 1),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifEdge.thenBlock()->getTerminator());
  body(edge);
  builder.setInsertionPoint(ifEdge.elseBlock()->getTerminator());
  body(whole);
}

/// Loads `columns` columns from `column` on of the rows of the block of k, in
/// f32 and in vectors of up to the target's lanes, and hands them to `store`
/// with the first one's place in the block.
void MatmulEmitter::copyRows(
    Value source, int64_t sourceColumns, Value column, int64_t columns,
    function_ref<void(Value value, Value kk, int64_t j)> store) {
  forRange(
      builder, loc, ix.constant(0), kCount, ix.constant(1), [&](Value kk) {
        Value from =
            ix.add(ix.mul(ix.add(kBegin, kk), sourceColumns), column);
        for (int64_t j = 0; j < columns;) {
          // The widest vectors first: 12 columns are 8 and 4.
          int64_t width = std::min<int64_t>(
              llvm::bit_floor<uint64_t>(columns - j), target.lanes);
          store(loadF32(builder, loc, source, ix.add(from, j), width), kk, j);
          j += width;
        }
      });
}

/// The first `columns` columns of one panel for all register tiles of the item.
void MatmulEmitter::emitColumns(Value panel, int64_t columns) {
  if (m >= target.tileRows)
    forRange(builder, loc, ix.constant(0), fullTiles, ix.constant(1),
             [&](Value tile) {
               emitTile(tile, target.tileRows, panel, columns);
             });
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

  Value offsetA = ix.add(blockA.offset, ix.mul(tile, blockA.tileStep));
  Value offsetB = ix.add(blockB.offset, ix.mul(panel, blockB.panelStep));
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t width : widths)
      zeros.push_back(constantF32(width));
  SmallVector<Value> sums = forRange(
      builder, loc, ix.constant(0), kCount, ix.constant(1), zeros,
      [&](Value kk, ValueRange carried) {
        if (packsB)
          prefetchNextBlock(tile, panel, kk);
        else
          prefetchNextPanel(tile, offsetB, kk);
        Value rowB = ix.add(offsetB, ix.mul(kk, target.tileColumns));
        SmallVector<Value> vectorsB;
        for (auto [j, width] : llvm::enumerate(widths))
          vectorsB.push_back(
              loadF32(builder, loc, blockB.memory, ix.add(rowB, j * lanes),
                      width));
        Value columnA = ix.add(offsetA, ix.mul(kk, blockA.kStep));
        SmallVector<Value> next;
        for (int64_t i = 0; i < rows; ++i) {
          Value element = loadScalarF32(builder, loc, blockA.memory,
                                        ix.add(columnA, i * blockA.rowStep));
          for (Value vectorB : vectorsB) {
            Value splat = vector::BroadcastOp::create(
                builder, loc, vectorB.getType(), element);
            next.push_back(vector::FMAOp::create(builder, loc, splat, vectorB,
                                                 carried[next.size()]));
          }
        }
        return next;
      });

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

/// Each register tile fetches its share of the next panel into the second-level
/// cache, a piece in every step of k: otherwise the first tile of a panel would
/// wait for memory.
void MatmulEmitter::prefetchNextPanel(Value tile, Value offsetB, Value kk) {
  int64_t tiles = tiling.blockM / target.tileRows;
  Value step = ix.add(ix.mul(tile, tiling.blockK), kk);
  Value share = ix.div(ix.mul(step, target.tileColumns), tiles);
  Value next = ix.add(ix.add(offsetB, k * target.tileColumns), share);
  prefetch(builder, loc, b, next);
}

/// Each register tile fetches one cache line of every row of A and of B of the
/// next block of k, until it is the last line.
void MatmulEmitter::prefetchNextBlock(Value tile, Value panel, Value kk) {
  int64_t tiles = tiling.blockM / target.tileRows;
  Value line = ix.add(ix.mul(ix.sub(panel, panelBegin), tiles), tile);
  Value row = ix.add(ix.add(kBegin, tiling.blockK), kk);
  auto prefetchLine = [&](Value memory, int64_t columns, Value first,
                          int64_t count) {
    Value place =
        ix.min(ix.mul(line, kLine), count > kLine ? count - kLine : 0);
    prefetch(builder, loc, memory,
                 ix.add(ix.add(ix.mul(row, columns), first), place));
  };
  prefetchLine(a, m, rowBegin, tiling.blockM);
  prefetchLine(b, n, ix.mul(panelBegin, target.tileColumns),
               tiling.panelsPerItem * target.tileColumns);
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

  SmallVector<Type> types;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t width : widths)
      types.push_back(VectorType::get({width}, builder.getF32Type()));
  auto ifFirst = scf::IfOp::create(builder, loc, types, isEqual(kBegin, 0),
                                   /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifFirst.thenBlock());
  SmallVector<Value> first = emitFirst();
  if (first.empty())
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t width : widths)
        first.push_back(constantF32(width));
  scf::YieldOp::create(builder, loc, first);
  builder.setInsertionPointToEnd(ifFirst.elseBlock());
  scf::YieldOp::create(builder, loc, loadTile(c));
  return llvm::to_vector_of<Value>(ifFirst.getResults());
}

} // namespace

void attnres::cpu::emitMatmul(OpBuilder &builder, KernelFunction &kernel,
                              const CpuTarget &target,
                              const MatmulOptions &options) {
  // Every element of init is read before the one of C in its place is written;
  // that does not hold for other operands.
  if (options.hasInit && llvm::count(kernel.inputs, kernel.inputs.back()) == 1)
    kernel.function->setAttr(
        attnres::kInplaceAttr,
        builder.getDenseI64ArrayAttr(
            cast<BlockArgument>(kernel.inputs.back()).getArgNumber()));
  if (options.right != RightOperand::Packed) {
    MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
    int64_t m = options.transposedA ? shapeA.columns : shapeA.rows;
    int64_t k = options.transposedA ? shapeA.rows : shapeA.columns;
    if (usesAmx(target, kernel.inputs[0].getType(), kernel.inputs[1].getType(),
                m, k))
      return emitAmxMatmul(builder, kernel, options);
    if (!options.transposedA || options.right == RightOperand::Transposed ||
        m <= kMaxSkinnyRows)
      return emitSkinnyMatmul(builder, kernel, target, options);
  }
  MatmulEmitter(builder, kernel, target, options).emit();
}
