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

static int64_t divideCeil(int64_t a, int64_t b) { return (a + b - 1) / b; }

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

// One block of A (blockM x blockK) and one panel of B (blockK x NR) share the
// second-level cache.
static constexpr int64_t kBlockM = 48;
static constexpr int64_t kMaxBlockK = 768;
/// Items that a product should have, so that many threads share it evenly.
static constexpr int64_t kWantedItems = 32;

MatmulTiling attnres::cpu::chooseMatmulTiling(int64_t m, int64_t n, int64_t k,
                                              bool transposedA,
                                              const CpuTarget &target) {
  MatmulTiling tiling;
  tiling.blockM = llvm::alignTo(kBlockM, target.tileRows);
  tiling.rowBlocks = divideCeil(m, tiling.blockM);
  int64_t kBlocks = std::max<int64_t>(divideCeil(k, kMaxBlockK), 1);
  tiling.blockK =
      std::max<int64_t>(llvm::alignTo(divideCeil(k, kBlocks), 16), 16);
  int64_t panels = divideCeil(n, target.tileColumns);
  int64_t wantedRanges =
      divideCeil(kWantedItems, std::max<int64_t>(tiling.rowBlocks, 1));
  // Every item copies its block of a transposed A: it must be worth it.
  int64_t fewestPanels = transposedA ? std::min<int64_t>(panels, 8) : 1;
  tiling.panelsPerItem =
      std::max<int64_t>({panels / wantedRanges, fewestPanels, 1});
  tiling.columnRanges = divideCeil(panels, tiling.panelsPerItem);
  return tiling;
}

MemRefType attnres::cpu::getPackedType(MLIRContext *context, int64_t n,
                                       int64_t k, const CpuTarget &target) {
  int64_t panels = divideCeil(n, target.tileColumns);
  return MemRefType::get({panels, k, target.tileColumns},
                         Float32Type::get(context));
}

MatrixShape attnres::cpu::getMatrixShape(Value memref) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  return {rows, shape.back()};
}

static bool isF32(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType().isF32();
}

/// `target` with the column tile that the panels `memref` have.
static CpuTarget adaptToPanels(CpuTarget target, Value memref) {
  target.tileColumns = getMatrixShape(memref).columns;
  return target;
}

/// Strided reads fetch this many rows ahead.
static constexpr int64_t kPrefetchRows = 16;

/// Fetches an element of a flat memref into the second-level cache.
static void emitPrefetch(OpBuilder &builder, Location loc, Value memory,
                         Value offset) {
  memref::PrefetchOp::create(builder, loc, memory, ValueRange{offset},
                             /*isWrite=*/false, /*localityHint=*/2,
                             /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Packing B
//===----------------------------------------------------------------------===//

namespace {

/// Emits the body of a pack kernel. Item (g, c) packs the panels of group g in
/// the k range of chunk c.
class PackEmitter {
public:
  PackEmitter(OpBuilder &builder, KernelFunction &kernel,
              const CpuTarget &target, bool transposed)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), target(adaptToPanels(target, kernel.outputs[0])),
        transposed(transposed) {
    MatrixShape shape = getMatrixShape(kernel.inputs[0]);
    k = transposed ? shape.columns : shape.rows;
    n = transposed ? shape.rows : shape.columns;
  }

  void emit() {
    int64_t width = target.tileColumns;
    int64_t panels = divideCeil(n, width), chunks = divideCeil(k, kChunk);
    int64_t groups = divideCeil(panels, kGroup);
    if (k == 0) // nothing to write
      groups = 0;
    if (groups * chunks != 0) {
      source = flatten(builder, loc, kernel.inputs[0]);
      panelsOut = flatten(builder, loc, kernel.outputs[0]);
      forEachItem(builder, loc, kernel, [&](Value item) {
        Value chunkBegin = ix.mul(ix.rem(item, chunks), kChunk);
        Value chunkEnd = ix.min(ix.add(chunkBegin, kChunk), k);
        Value first = ix.mul(ix.div(item, chunks), kGroup);
        Value fullEnd = ix.min(ix.add(first, kGroup), n / width);
        if (transposed)
          forRange(builder, loc, first, fullEnd, ix.constant(1),
                   [&](Value p) { packTransposed(p, chunkBegin, chunkEnd); });
        else
          packRows(first, fullEnd, chunkBegin, chunkEnd);
        if (n % width != 0)
          packLastPanel(item, chunks, groups, chunkBegin, chunkEnd);
      });
    }
    finishKernel(kernel, groups * chunks);
  }

private:
  static constexpr int64_t kGroup = 4;
  static constexpr int64_t kChunk = 256;

  /// Offset of element (kk, 0) of panel p.
  Value panelOffset(Value p, Value kk) {
    int64_t width = target.tileColumns;
    return ix.add(ix.mul(p, k * width), ix.mul(kk, width));
  }

  /// B is [K,N]: pieces of rows are copied, those of all panels of the group
  /// together.
  void packRows(Value first, Value end, Value chunkBegin, Value chunkEnd) {
    int64_t lanes = target.lanes;
    forRange(builder, loc, chunkBegin, chunkEnd, ix.constant(1), [&](Value kk) {
      forRange(builder, loc, first, end, ix.constant(1), [&](Value p) {
        Value from = ix.add(ix.mul(kk, n), ix.mul(p, target.tileColumns));
        Value to = panelOffset(p, kk);
        for (int64_t j = 0; j < target.tileColumns; j += lanes) {
          emitPrefetch(builder, loc, source,
                       ix.add(from, kPrefetchRows * n + j));
          storeF32(builder, loc,
                   loadF32(builder, loc, source, ix.add(from, j), lanes),
                   panelsOut, ix.add(to, j));
        }
      });
    });
  }

  /// B is [N,K]: square blocks are transposed in registers, what is left of the
  /// chunk is copied one by one.
  void packTransposed(Value p, Value chunkBegin, Value chunkEnd) {
    int64_t lanes = target.lanes;
    Value row = ix.mul(p, target.tileColumns);
    Value rest = ix.rem(ix.sub(chunkEnd, chunkBegin), lanes);
    Value blocksEnd = ix.sub(chunkEnd, rest);
    forRange(builder, loc, chunkBegin, blocksEnd, ix.constant(lanes),
             [&](Value kk) {
               Value from = ix.add(ix.mul(row, k), kk);
               Value to = panelOffset(p, kk);
               for (int64_t j = 0; j < target.tileColumns; j += lanes) {
                 SmallVector<Value> block;
                 for (int64_t i = 0; i < lanes; ++i)
                   block.push_back(loadF32(builder, loc, source,
                                           ix.add(from, (j + i) * k), lanes));
                 transposeInRegisters(builder, loc, block);
                 for (int64_t i = 0; i < lanes; ++i)
                   storeF32(builder, loc, block[i], panelsOut,
                            ix.add(to, i * target.tileColumns + j));
               }
             });
    copyElements(p, target.tileColumns, blocksEnd, chunkEnd);
  }

  /// The panel of the last n % NR columns, with its padding.
  void packLastPanel(Value item, int64_t chunks, int64_t groups,
                     Value chunkBegin, Value chunkEnd) {
    Value isLast =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              ix.div(item, chunks), ix.constant(groups - 1));
    auto ifLast = scf::IfOp::create(builder, loc, isLast, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(ifLast.thenBlock()->getTerminator());
    copyElements(ix.constant(n / target.tileColumns), n % target.tileColumns,
                 chunkBegin, chunkEnd);
  }

  /// Copies the first `columns` columns of panel p for k in [begin, end) one by
  /// one and fills the rest with zeros.
  void copyElements(Value p, int64_t columns, Value begin, Value end) {
    Value row = ix.mul(p, target.tileColumns);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Value one = ix.constant(1);
    forRange(builder, loc, begin, end, one, [&](Value kk) {
      Value to = panelOffset(p, kk);
      forRange(builder, loc, ix.constant(0), ix.constant(columns), one,
               [&](Value j) {
                 Value nn = ix.add(row, j);
                 Value from = transposed ? ix.add(ix.mul(nn, k), kk)
                                         : ix.add(ix.mul(kk, n), nn);
                 Value value = loadScalarF32(builder, loc, source, from);
                 memref::StoreOp::create(builder, loc, value, panelsOut,
                                         ValueRange{ix.add(to, j)});
               });
      forRange(builder, loc, ix.constant(columns),
               ix.constant(target.tileColumns), one, [&](Value j) {
                 memref::StoreOp::create(builder, loc, zero, panelsOut,
                                         ValueRange{ix.add(to, j)});
               });
    });
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  CpuTarget target;
  bool transposed;
  int64_t k, n;
  Value source, panelsOut; // flat
};

} // namespace

void attnres::cpu::emitPack(OpBuilder &builder, KernelFunction &kernel,
                            const CpuTarget &target, bool transposed) {
  PackEmitter(builder, kernel, target, transposed).emit();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// Emits the body of a product with packed B. The innermost loop runs over k
/// and keeps a register tile of C; around it run the register tiles of the
/// item's rows, the panels of its columns, and the blocks of k.
class MatmulEmitter {
public:
  MatmulEmitter(OpBuilder &builder, KernelFunction &kernel,
                const CpuTarget &target, const MatmulOptions &options)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), target(adaptToPanels(target, kernel.inputs[1])),
        options(options) {
    MatrixShape shapeC = getMatrixShape(kernel.outputs[0]);
    m = shapeC.rows;
    n = shapeC.columns;
    k = cast<MemRefType>(kernel.inputs[1].getType()).getDimSize(1);
    tiling = chooseMatmulTiling(m, n, k, options.transposedA, this->target);
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

  BlockA packA();
  void emitColumns(const BlockA &blockA, Value panel, int64_t columns);
  void emitTile(const BlockA &blockA, Value tile, int64_t rows, Value panel,
                int64_t columns);
  void prefetchNextPanel(Value tile, Value offsetB, Value kk);
  SmallVector<Value> emitAddends(Value offsetC, Value column, int64_t rows,
                                 ArrayRef<int64_t> widths);

  /// Elements between the packed tiles of A. The tiles of a block are written
  /// together: 64 bytes more keep them from falling into one cache set.
  int64_t getTileStep() const {
    return target.tileRows * tiling.blockK + kAlignment / 4;
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
  bool packsA;

  // Flat memrefs.
  Value a, b, c, bias, init, scratchA;
  // Where the emission stands: the item's block of rows, and the block of k.
  Value rowBlock, rowBegin, fullTiles, kBegin, kCount;
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
        MemRefType::get({tiling.blockM / target.tileRows * getTileStep()},
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
    Value range = ix.rem(item, tiling.columnRanges);
    Value panelBegin = ix.mul(range, tiling.panelsPerItem);
    Value panelEnd =
        ix.min(ix.add(panelBegin, tiling.panelsPerItem), fullPanels);

    auto emitBlock = [&](Value begin) {
      kBegin = begin;
      kCount = ix.constant(std::min(k, tiling.blockK));
      if (k > tiling.blockK && k % tiling.blockK != 0)
        kCount = ix.min(kCount, ix.sub(ix.constant(k), kBegin));
      BlockA blockA =
          packsA ? packA()
                 : BlockA{a, ix.add(ix.mul(rowBegin, k), kBegin),
                          target.tileRows * k, /*rowStep=*/k, /*kStep=*/1};
      if (fullPanels != 0)
        forRange(builder, loc, panelBegin, panelEnd, ix.constant(1),
                 [&](Value panel) {
                   emitColumns(blockA, panel, target.tileColumns);
                 });
      if (edgeColumns != 0)
        emitIf(isEqual(range, tiling.columnRanges - 1), [&] {
          emitColumns(blockA, ix.constant(fullPanels), edgeColumns);
        });
    };
    if (k <= tiling.blockK)
      emitBlock(ix.constant(0));
    else
      forRange(builder, loc, ix.constant(0), ix.constant(k),
               ix.constant(tiling.blockK), emitBlock);
  });
  finishKernel(kernel, tiling.getGrid());
}

/// Copies the block of A to scratch as f32. Rows stay rows ([blockM][blockK]);
/// a transposed A becomes register tiles ([tiles][blockK][MR]).
MatmulEmitter::BlockA MatmulEmitter::packA() {
  Value zero = ix.constant(0), one = ix.constant(1);
  int64_t tileRows = target.tileRows;
  auto copy = [&](Value from, Value to, int64_t width) {
    Value value = width == 1 ? loadScalarF32(builder, loc, a, from)
                             : loadF32(builder, loc, a, from, width);
    storeF32(builder, loc, value, scratchA, to);
  };

  if (!options.transposedA) {
    Value rows =
        ix.min(ix.constant(tiling.blockM), ix.sub(ix.constant(m), rowBegin));
    Value vectorsEnd = ix.sub(kCount, ix.rem(kCount, target.lanes));
    forRange(builder, loc, zero, rows, one, [&](Value i) {
      Value from = ix.add(ix.mul(ix.add(rowBegin, i), k), kBegin);
      Value to = ix.add(ix.mul(ix.div(i, tileRows), getTileStep()),
                        ix.mul(ix.rem(i, tileRows), tiling.blockK));
      auto copyAt = [&](int64_t width) {
        return [&, width](Value kk) {
          copy(ix.add(from, kk), ix.add(to, kk), width);
        };
      };
      forRange(builder, loc, zero, vectorsEnd, ix.constant(target.lanes),
               copyAt(target.lanes));
      forRange(builder, loc, vectorsEnd, kCount, one, copyAt(1));
    });
    return {scratchA, zero, getTileStep(), tiling.blockK, 1};
  }

  int64_t tileStep = getTileStep();
  forRange(builder, loc, zero, kCount, one, [&](Value kk) {
    Value rowFrom = ix.add(ix.mul(ix.add(kBegin, kk), m), rowBegin);
    Value rowTo = ix.mul(kk, tileRows);
    auto copyTile = [&](Value tile, int64_t count) {
      Value from = ix.add(rowFrom, ix.mul(tile, tileRows));
      Value to = ix.add(rowTo, ix.mul(tile, tileStep));
      emitPrefetch(builder, loc, a, ix.add(from, kPrefetchRows * m));
      // The widest vectors first: 12 rows are 8 and 4.
      for (int64_t i = 0; i < count;) {
        int64_t width = std::min<int64_t>(llvm::bit_floor<uint64_t>(count - i),
                                          target.lanes);
        copy(ix.add(from, i), ix.add(to, i), width);
        i += width;
      }
    };
    if (m >= tileRows)
      forRange(builder, loc, zero, fullTiles, one,
               [&](Value tile) { copyTile(tile, tileRows); });
    if (getEdgeRows() != 0)
      emitIf(isEqual(rowBlock, tiling.rowBlocks - 1),
             [&] { copyTile(fullTiles, getEdgeRows()); });
  });
  return {scratchA, zero, tileStep, /*rowStep=*/1, /*kStep=*/tileRows};
}

/// The first `columns` columns of one panel for all register tiles of the item.
void MatmulEmitter::emitColumns(const BlockA &blockA, Value panel,
                                int64_t columns) {
  if (m >= target.tileRows)
    forRange(builder, loc, ix.constant(0), fullTiles, ix.constant(1),
             [&](Value tile) {
               emitTile(blockA, tile, target.tileRows, panel, columns);
             });
  if (getEdgeRows() != 0)
    emitIf(isEqual(rowBlock, tiling.rowBlocks - 1),
           [&] { emitTile(blockA, fullTiles, getEdgeRows(), panel, columns); });
}

void MatmulEmitter::emitTile(const BlockA &blockA, Value tile, int64_t rows,
                             Value panel, int64_t columns) {
  int64_t lanes = target.lanes;
  SmallVector<int64_t> widths;
  for (int64_t j = 0; j < columns; j += lanes)
    widths.push_back(std::min(lanes, columns - j));

  Value offsetA = ix.add(blockA.offset, ix.mul(tile, blockA.tileStep));
  Value offsetB = ix.mul(ix.add(ix.mul(panel, k), kBegin), target.tileColumns);
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t width : widths)
      zeros.push_back(constantF32(width));
  SmallVector<Value> sums = forRange(
      builder, loc, ix.constant(0), kCount, ix.constant(1), zeros,
      [&](Value kk, ValueRange carried) {
        prefetchNextPanel(tile, offsetB, kk);
        Value rowB = ix.add(offsetB, ix.mul(kk, target.tileColumns));
        SmallVector<Value> vectorsB;
        for (auto [j, width] : llvm::enumerate(widths))
          vectorsB.push_back(
              loadF32(builder, loc, b, ix.add(rowB, j * lanes), width));
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
  emitPrefetch(builder, loc, b, next);
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
    return emitSkinnyMatmul(builder, kernel, target, options);
  }
  MatmulEmitter(builder, kernel, target, options).emit();
}
