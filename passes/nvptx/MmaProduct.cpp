//===- MmaProduct.cpp - matrix products on tensor cores -------------------===//
//
// A block computes a tile of the result. While its warps multiply the tiles of
// one step of the depth, those of the next stages - 1 steps are on their way to
// shared memory:
//
//   wait for the copies of step k; barrier (all have them, and nobody reads
//   step k - 1 any more); copy step k + stages - 1 to where step k - 1 was;
//   multiply step k
//
// Warp groups multiply in the background. So that they never wait for the
// copies of a step to be issued, these go to where step k - 2 was: that one has
// been waited for before the barrier.
//
// Where there are few tiles, the depth is split among blocks: each leaves its
// sums in scratch memory, and the one that comes last adds them in their order.
// The order of the sums of an element depends on the sizes of the product
// alone.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaProduct.h"

#include "passes/nvptx/MmaWarpGroup.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

namespace {

/// Blocks next to each other in time share their operands: this many rows of
/// tiles are computed column by column.
constexpr int64_t kGroupedRows = 8;

class ProductBuilder {
public:
  ProductBuilder(OpBuilder &builder, Location loc, const Product &product,
                 const ProductTiles &tiles)
      : code(builder, loc, tiles.threads()), product(product), tiles(tiles),
        rowTiles(divideCeil(product.rows, tiles.rows)),
        columnTiles(divideCeil(product.columns, tiles.columns)),
        stepDepth(kPanelBytes / (product.isBf16() ? 2 : 4)),
        steps(divideCeil(product.depth, stepDepth)) {}

  void build();
  int64_t grid() const { return rowTiles * columnTiles * tiles.splits; }
  int64_t scratchBytes() const {
    return tiles.splits == 1 ? 0 : grid() * tiles.rows * tiles.columns * 4;
  }

private:
  struct Side {
    TileShape tile;
    TileCopy copy;
    TileFragments fragments;
    bool alongDepth;
    Int first; ///< row of the operand that the block begins with
  };
  Side makeSide(const Product::Operand &operand, TileFragments::Side side,
                int64_t extent, int64_t tileRows, Int tileIndex, Int warpRow,
                int64_t groups);
  void copyStep(const Side &left, const Side &right, Int step, Int stage) const;
  Registers multiplyStep(const Side &left, const Side &right, Int stage,
                         ValueRange sums) const;
  /// Of this thread's sums, the first one that a split has in scratch;
  /// the others follow `threads` apart.
  Value sumsAt(Int tile, Int split) const;
  void storeSums(Int tile, Int split, ValueRange sums) const;
  Registers sumsOfSplits(Int tile, int64_t count) const;
  void storeTile(Int firstRow, Int firstColumn, ValueRange sums) const;

  int64_t warpTileRows() const { return tiles.rows / tiles.warpRows; }
  int64_t warpTileColumns() const { return tiles.columns / tiles.warpColumns; }
  int64_t rowGroups() const { return warpTileRows() / kGroupSize; }
  int64_t columnGroups() const { return warpTileColumns() / kGroupSize; }
  int64_t stageBytes() const {
    return (tiles.rows + tiles.columns) * kPanelBytes;
  }

  MmaCode code;
  const Product &product;
  const ProductTiles &tiles;
  int64_t rowTiles, columnTiles, stepDepth, steps;
};

} // namespace

ProductBuilder::Side ProductBuilder::makeSide(const Product::Operand &operand,
                                              TileFragments::Side side,
                                              int64_t extent, int64_t tileRows,
                                              Int tileIndex, Int warpRow,
                                              int64_t groups) {
  int64_t bytes = product.isBf16() ? 2 : 4;
  bool alongDepth = operand.alongDepth;
  TileShape tile{alongDepth ? tileRows : stepDepth,
                 alongDepth ? stepDepth : tileRows, bytes};
  if (!alongDepth && bytes == 4)
    tile.reads = TileShape::Reads::Quads;
  TileSource source{
      operand.pointer, operand.isBf16, alongDepth ? product.depth : extent,
      alongDepth ? extent : product.depth, alongDepth ? product.depth : extent};
  bool checkRows = source.rows % tile.rows != 0;
  bool checkColumns = source.columns % tile.columns != 0;
  return {tile, TileCopy(code, tile, source, checkRows, checkColumns),
          TileFragments(code, tile, side, alongDepth, warpRow, groups),
          alongDepth, tileIndex * tileRows};
}

void ProductBuilder::copyStep(const Side &left, const Side &right, Int step,
                              Int stage) const {
  Value to = code.offset(code.shared, stage * stageBytes());
  for (const Side *side : {&left, &right}) {
    Int depth = step * stepDepth;
    side->copy.issue(side->alongDepth ? side->first : depth,
                     side->alongDepth ? depth : side->first,
                     side == &left ? to : code.offset(to, left.tile.bytes()));
  }
}

Registers ProductBuilder::multiplyStep(const Side &left, const Side &right,
                                       Int stage, ValueRange carried) const {
  Value leftTile = code.offset(code.shared, stage * stageBytes());
  Value rightTile = code.offset(leftTile, left.tile.bytes());
  Registers sums(carried);
  if (tiles.warpGroups) {
    Int firstRow = code.warp / 4 * kWarpGroupRows;
    WarpGroupOperand rows(code, left.tile, left.alongDepth, leftTile, firstRow);
    WarpGroupOperand columns(code, right.tile, right.alongDepth, rightTile,
                             code.number(0));
    multiplyAdd(code, rows, columns, kPanelBytes / kStepBytes, tiles.columns,
                sums, /*fresh=*/false);
    return sums;
  }
  multiplyTiles(
      code, rowGroups(), columnGroups(), kPanelBytes / kStepBytes,
      [&](int64_t row, int64_t step) {
        return left.fragments.load(leftTile, row, step);
      },
      [&](int64_t column, int64_t step) {
        return right.fragments.load(rightTile, column, step);
      },
      sums);
  return sums;
}

void ProductBuilder::build() {
  // Rows of tiles in groups, in each of which columns come one after the other.
  int64_t inGroup = kGroupedRows * columnTiles;
  Int tile = code.block / tiles.splits, split = code.block % tiles.splits;
  Int group = tile / inGroup, place = tile % inGroup;
  Int firstRowTile = group * kGroupedRows;
  Int groupRows =
      code.min(code.number(rowTiles) - firstRowTile, code.number(kGroupedRows));
  Int rowTile = firstRowTile + code.remainder(place, groupRows);
  Int columnTile = code.quotient(place, groupRows);

  Int warpRow = code.warp / tiles.warpColumns * warpTileRows();
  Int warpColumn = code.warp % tiles.warpColumns * warpTileColumns();
  Side left = makeSide(product.left, TileFragments::Side::Left, product.rows,
                       tiles.rows, rowTile, warpRow, rowGroups());
  Side right =
      makeSide(product.right, TileFragments::Side::Right, product.columns,
               tiles.columns, columnTile, warpColumn, columnGroups());

  int64_t ahead = tiles.stages - (tiles.warpGroups ? 2 : 1);
  int64_t splitSteps = divideCeil(steps, tiles.splits);
  Int begin = split * splitSteps;
  Int end = code.min(begin + splitSteps, code.number(steps));
  auto copyUnlessBehind = [&](Int step, Int stage) {
    code.ifTrue(code.isLess(step, end),
                [&] { copyStep(left, right, step, stage); });
    code.commitCopies();
  };
  for (int64_t step = 0; step < ahead; ++step)
    copyUnlessBehind(begin + step, code.number(step));
  Registers carried(rowGroups() * columnGroups() * 2 * 4, code.f32(0.0));
  carried.push_back(code.number(0).value);
  carried.push_back(code.number(ahead).value);
  carried =
      code.loop(begin, end, 1, carried, [&](Int step, ValueRange carried) {
        Int filled = code.asInt(carried[carried.size() - 2]);
        Int free = code.asInt(carried.back());
        code.waitForCopies(ahead - 1);
        if (tiles.warpGroups)
          fenceForWarpGroups(code);
        code.barrier();
        if (!tiles.warpGroups)
          copyUnlessBehind(step + ahead, free);
        Registers sums =
            multiplyStep(left, right, filled, carried.drop_back(2));
        if (tiles.warpGroups) {
          copyUnlessBehind(step + ahead, free);
          waitForWarpGroup(code, 1, sums);
        }
        sums.push_back(code.nextStage(filled, tiles.stages).value);
        sums.push_back(code.nextStage(free, tiles.stages).value);
        return sums;
      });
  carried.pop_back_n(2);
  if (tiles.warpGroups)
    waitForWarpGroup(code, 0, carried);
  auto store = [&](ValueRange sums) {
    storeTile(left.first + warpRow, right.first + warpColumn, sums);
  };
  if (tiles.splits == 1)
    return store(carried);
  storeSums(tile, split, carried);
  code.ifTrue(code.isLastToArrive(code.arrivals(rowTiles * columnTiles), tile,
                                  tiles.splits),
              [&] { store(sumsOfSplits(tile, carried.size())); });
}

Value ProductBuilder::sumsAt(Int tile, Int split) const {
  Int place = tile * tiles.splits + split;
  return code.offset(
      code.offsetWide(product.scratch,
                      code.wide(place, tiles.rows * tiles.columns * 4)),
      code.thread * 4);
}

void ProductBuilder::storeSums(Int tile, Int split, ValueRange sums) const {
  Value to = sumsAt(tile, split);
  for (auto [i, sum] : llvm::enumerate(sums))
    code.store(sum, code.offset(to, int64_t(i) * code.threads * 4), 4);
}

Registers ProductBuilder::sumsOfSplits(Int tile, int64_t count) const {
  return code.loop(
      code.number(0), code.number(tiles.splits), 1,
      Registers(count, code.f32(0)), [&](Int split, ValueRange carried) {
        Value from = sumsAt(tile, split);
        Registers sums;
        for (auto [i, sum] : llvm::enumerate(carried))
          sums.push_back(code.add(
              sum, code.load(code.offset(from, int64_t(i) * code.threads * 4),
                             code.f32(), 4)));
        return sums;
      });
}

/// Lane 4 g + t has columns 2 t and 2 t + 1 of rows g and g + 8 of each matrix
/// instruction.
void ProductBuilder::storeTile(Int firstRow, Int firstColumn,
                               ValueRange sums) const {
  int64_t bytes = product.isResultBf16 ? 2 : 4;
  bool checkRows = product.rows % tiles.rows != 0;
  bool checkColumns = product.columns % tiles.columns != 0;
  bool inPairs = product.columns % 2 == 0;
  Int row = firstRow + code.lane / 4;
  Int column = firstColumn + code.lane % 4 * 2;
  auto isColumn = [&](Int column) {
    return checkColumns ? code.isLess(column, code.number(product.columns))
                        : Value();
  };
  auto at = [&](Value base, Int row, Int column) {
    return code.offsetWide(base,
                           code.addWide(code.wide(row, product.columns * bytes),
                                        code.wide(column, bytes)));
  };
  auto toF32 = [&](Value bits) {
    return product.isResultBf16 ? code.fromBf16(bits) : bits;
  };
  Type element =
      product.isResultBf16 ? Type(code.builder.getI16Type()) : code.f32();
  // `count` neighbours of a row.
  auto storeRun = [&](Int row, Int column, int64_t count, Registers values,
                      Value bias) {
    Type type = count == 1 ? element : VectorType::get({count}, element);
    if (bias)
      for (auto [value, add] : llvm::zip_equal(values, code.elementsOf(bias)))
        value = code.add(value, add);
    if (product.init) {
      Value init =
          code.load(at(product.init, row, column), type, count * bytes);
      for (auto [value, add] : llvm::zip_equal(values, code.elementsOf(init)))
        value = code.add(value, toF32(add));
    }
    if (product.isResultBf16)
      for (Value &value : values)
        value = code.toBf16(value);
    code.store(code.vectorOf(values), at(product.result, row, column),
               count * bytes);
  };
  int64_t run = inPairs ? 2 : 1;
  Type biasType = inPairs ? Type(VectorType::get({2}, code.f32())) : code.f32();
  for (int64_t group = 0; group < 2 * columnGroups(); ++group)
    for (int64_t first = 0; first < 2; first += run) {
      Int at = column + group * 8 + first;
      code.ifTrue(isColumn(at), [&] {
        Value bias;
        if (product.bias)
          bias =
              code.load(code.offset(product.bias, at * 4), biasType, run * 4);
        for (int64_t half = 0; half < 2 * rowGroups(); ++half) {
          Int line = row + half * 8;
          int64_t index = 4 * (half / 2 * 2 * columnGroups() + group) +
                          half % 2 * 2 + first;
          Value isRow = checkRows ? code.isLess(line, code.number(product.rows))
                                  : Value();
          code.ifTrue(isRow, [&] {
            storeRun(line, at, run, Registers(sums.slice(index, run)), bias);
          });
        }
      });
    }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

bool ProductTiles::fit(const Product &product, int64_t mostSharedBytes) const {
  auto areWhole = [](int64_t extent, int64_t warps) {
    return warps > 0 && extent > 0 && extent % (kGroupSize * warps) == 0;
  };
  if (!areWhole(rows, warpRows) || !areWhole(columns, warpColumns) ||
      threads() > 1024 || splits < 1 || stages < (warpGroups ? 3 : 2) ||
      sharedBytes() > mostSharedBytes)
    return false;
  if (warpGroups && (!product.isBf16() || rows % kWarpGroupRows != 0 ||
                     rows != kGroupSize * warpRows || warpColumns != 1 ||
                     columns > kMostInstructionColumns))
    return false;
  int64_t panel = kPanelBytes / (product.isBf16() ? 2 : 4);
  return (product.left.alongDepth || rows % panel == 0) &&
         (product.right.alongDepth || columns % panel == 0);
}

ProductTiles attnres::nvptx::chooseTiles(const Product &product,
                                         int64_t processors,
                                         bool hasWarpGroups) {
  // Warps of 64 x 64 read shared memory for half of the time that tensor cores
  // take for them on sm_80. Sums of tf32 have registers for 32 x 32.
  static constexpr ProductTiles bf16[] = {
      {128, 256, 2, 4, 3}, {128, 128, 2, 2, 3}, {64, 64, 2, 2, 4}};
  static constexpr ProductTiles warpGroups[] = {{128, 256, 8, 1, 4, 1, true},
                                                {128, 128, 8, 1, 4, 1, true},
                                                {64, 64, 4, 1, 4, 1, true}};
  static constexpr ProductTiles f32[] = {{64, 128, 2, 4, 3}, {64, 64, 2, 2, 4}};
  static constexpr ProductTiles fewRows{16, 64, 1, 4, 4};
  ArrayRef<ProductTiles> candidates =
      !product.isBf16() ? ArrayRef<ProductTiles>(f32)
      : hasWarpGroups   ? ArrayRef<ProductTiles>(warpGroups)
                        : ArrayRef<ProductTiles>(bf16);
  if (product.rows <= fewRows.rows && product.left.alongDepth)
    candidates = fewRows;
  auto count = [&](const ProductTiles &tiles) -> int64_t {
    return divideCeil(product.rows, tiles.rows) *
           divideCeil(product.columns, tiles.columns);
  };
  for (const ProductTiles &tiles : candidates)
    if (count(tiles) >= processors)
      return tiles;
  // Splits of so many steps are worth what they leave in memory.
  constexpr int64_t kFewestSteps = 8;
  ProductTiles tiles = candidates.back();
  int64_t steps =
      divideCeil(product.depth * (product.isBf16() ? 2 : 4), kPanelBytes);
  tiles.splits = std::max<int64_t>(
      std::min(processors / std::max<int64_t>(count(tiles), 1),
               steps / kFewestSteps),
      1);
  return tiles;
}

GpuLaunch attnres::nvptx::buildProduct(OpBuilder &builder, Location loc,
                                       const Product &product,
                                       const ProductTiles &tiles) {
  ProductBuilder work(builder, loc, product, tiles);
  GpuLaunch launch;
  launch.grid[0] = work.grid();
  launch.block[0] = tiles.threads();
  launch.sharedBytes = tiles.sharedBytes();
  launch.scratchBytes = work.scratchBytes();
  if (work.grid() > 0)
    work.build();
  return launch;
}
