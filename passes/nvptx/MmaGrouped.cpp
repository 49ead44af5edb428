//===- MmaGrouped.cpp - products with chosen matrices ---------------------===//
//
// A block has one matrix and a tile of its columns (of a weight gradient, of
// its elements). It reads all choices, some of each thread at a time, and lists
// those of its matrix in shared memory, in their order. Whenever the list has
// rows for whole tiles, these are gathered and multiplied as in MmaProduct.cpp,
// and at the end what is left. Nothing is sorted in memory, tiles never have
// rows of two matrices, and the order of sums follows from the choices alone.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaGrouped.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

namespace {

/// Of a block: rows and columns, warps along both, stages of the pipeline.
struct Tiles {
  int64_t rows, columns, warpRows, warpColumns, stages;

  int64_t threads() const { return 32 * warpRows * warpColumns; }
  int64_t stageBytes() const { return (rows + columns) * kPanelBytes; }
  int64_t rowGroups() const { return rows / warpRows / kGroupSize; }
  int64_t columnGroups() const { return columns / warpColumns / kGroupSize; }
};

//===----------------------------------------------------------------------===//
// The list of a matrix
//===----------------------------------------------------------------------===//

class ChoiceList {
public:
  /// `granule` choices, no more than the block has threads, are a tile; the
  /// list lies at `memory`, behind the warps' counts.
  ChoiceList(const MmaCode &code, const Choices &choices, int64_t granule,
             Value memory)
      : code(code), choices(choices), granule(granule),
        perThread(perThreadOf(choices, code.threads)), counts(memory),
        list(code.offset(memory, warps(code.threads) * perThread * 4)) {}

  static int64_t sharedBytes(const Choices &choices, int64_t granule,
                             int64_t threads) {
    int64_t perThread = perThreadOf(choices, threads);
    return 4 * (warps(threads) * perThread + granule - 1 + threads * perThread);
  }

  /// The choice at a place of the list.
  Int at(Int place) const {
    return code.asInt(code.load(code.offset(list, place * 4), code.i32(), 4));
  }

  using Body =
      function_ref<Registers(Int count, Int tiles, ValueRange carried)>;
  /// Calls `body` for the choices of a matrix in their order: `tiles` tiles of
  /// the list's first `count` places, perhaps none. The last tile of the last
  /// call may end early.
  Registers forTiles(Int matrix, ValueRange init, Body body) const;

private:
  static int64_t warps(int64_t threads) { return threads / 32; }
  /// As many of each thread as make few rounds, up to a cache line.
  static int64_t perThreadOf(const Choices &choices, int64_t threads) {
    return llvm::PowerOf2Ceil(
        std::clamp<int64_t>(divideCeil(choices.count, threads), 1, 8));
  }
  int64_t round() const { return code.threads * perThread; }
  /// Appends what chose `matrix` from choice `first` on; returns the count.
  Int append(Int first, Int matrix, Int count) const;
  Int countBits(Value bits) const;
  /// Leaves only what stands behind `tiles` tiles, `left` choices.
  void dropTiles(Int tiles, Int left) const;

  const MmaCode &code;
  const Choices &choices;
  int64_t granule, perThread;
  Value counts, list;
};

Int ChoiceList::countBits(Value bits) const {
  return code.asInt(
      LLVM::CtPopOp::create(code.builder, code.loc, code.i32(), bits));
}

Int ChoiceList::append(Int first, Int matrix, Int count) const {
  // Of every warp and each of its turns, how many chose; and of each turn of
  // this lane, whether it did and how many lanes before it.
  SmallVector<Value> isChosen;
  SmallVector<Int> before;
  Value lower = arith::SubIOp::create(
      code.builder, code.loc,
      arith::ShLIOp::create(code.builder, code.loc, code.number(1).value,
                            code.lane.value),
      code.number(1).value);
  for (int64_t turn = 0; turn < perThread; ++turn) {
    Int own = first + turn * code.threads + code.thread;
    auto read = [&]() -> Registers {
      return {code.clampedElement(choices.pointer, own, choices.matrices - 1)
                  .value};
    };
    auto none = [&]() -> Registers {
      return {code.number(choices.matrices).value};
    };
    Value choice =
        choices.count % round() == 0
            ? read().front()
            : code.ifElse(code.isLess(own, code.number(choices.count)),
                          code.i32(), read, none)
                  .front();
    isChosen.push_back(code.isEqual(code.asInt(choice), matrix));
    Value lanes = NVVM::VoteSyncOp::create(
        code.builder, code.loc, code.i32(), code.number(-1).value,
        isChosen.back(), NVVM::VoteSyncKind::ballot);
    before.push_back(
        countBits(arith::AndIOp::create(code.builder, code.loc, lanes, lower)));
    code.ifTrue(code.isEqual(code.lane, code.number(0)), [&] {
      Int place = code.warp + turn * warps(code.threads);
      code.store(countBits(lanes).value, code.offset(counts, place * 4), 4);
    });
  }
  code.barrier();
  Int end = count;
  for (int64_t turn = 0; turn < perThread; ++turn) {
    Int place = end + before[turn];
    for (int64_t warp = 0; warp < warps(code.threads); ++warp) {
      Value pointer =
          code.offset(counts, (turn * warps(code.threads) + warp) * 4);
      Int ofWarp = code.asInt(code.load(pointer, code.i32(), 4));
      place = place + code.select(code.isLess(code.number(warp), code.warp),
                                  ofWarp, code.number(0));
      end = end + ofWarp;
    }
    code.ifTrue(isChosen[turn], [&] {
      Int own = first + turn * code.threads + code.thread;
      code.store(own.value, code.offset(list, place * 4), 4);
    });
  }
  code.barrier();
  return end;
}

void ChoiceList::dropTiles(Int tiles, Int left) const {
  // Nobody reads these tiles any more behind the barrier.
  code.ifTrue(code.isLess(code.number(0), tiles), [&] {
    Value isLeft = code.isLess(code.thread, left);
    Value choice =
        code.ifElse(
                isLeft, code.i32(),
                [&]() -> Registers {
                  return {at(tiles * granule + code.thread).value};
                },
                [&]() -> Registers { return {code.number(0).value}; })
            .front();
    code.barrier();
    code.ifTrue(isLeft, [&] {
      code.store(choice, code.offset(list, code.thread * 4), 4);
    });
  });
}

Registers ChoiceList::forTiles(Int matrix, ValueRange init, Body body) const {
  Registers carried(init);
  carried.push_back(code.number(0).value);
  carried =
      code.loop(code.number(0), code.number(choices.count), round(), carried,
                [&](Int first, ValueRange carried) {
                  Int count = append(first, matrix, code.asInt(carried.back()));
                  Value goesOn =
                      code.isLess(first + round(), code.number(choices.count));
                  Int tiles = code.select(goesOn, count / granule,
                                          (count + (granule - 1)) / granule);
                  Registers next = body(count, tiles, carried.drop_back());
                  Int left = code.subtractOrZero(count, tiles * granule);
                  dropTiles(tiles, left);
                  next.push_back(left.value);
                  return next;
                });
  carried.pop_back();
  return carried;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

class GroupedBuilder {
public:
  GroupedBuilder(OpBuilder &builder, Location loc, const Tiles &tiles,
                 bool isBf16, const Choices &choices, int64_t granule)
      : code(builder, loc, tiles.threads()), tiles(tiles), isBf16(isBf16),
        stepDepth(kPanelBytes / (isBf16 ? 2 : 4)),
        list(code, choices, granule,
             code.offset(code.shared, tiles.stages * tiles.stageBytes())),
        warpRow(code.warp / tiles.warpColumns * (tiles.rows / tiles.warpRows)),
        warpColumn(code.warp % tiles.warpColumns *
                   (tiles.columns / tiles.warpColumns)) {}

  void build(const GroupedLinear &product, int64_t splits);
  void build(const GroupedWeightGrad &product);

private:
  struct Side {
    TileShape tile;
    TileCopy copy;
    TileFragments fragments;
  };
  /// An operand of so many rows and columns in memory, whose tiles are
  /// `extent` rows of the operand.
  Side makeSide(Value pointer, bool isOperandBf16, bool isLeft, bool alongDepth,
                int64_t extent, int64_t rows, int64_t columns) const;
  /// sums += the product over `steps` of the depth: `copy` issues the copies of
  /// one to a stage.
  Registers multiply(
      const Side &left, const Side &right, Int steps, ValueRange sums,
      function_ref<void(Int step, Value leftTile, Value rightTile)> copy) const;
  Registers noSums() const {
    return Registers(8 * tiles.rowGroups() * tiles.columnGroups(), code.f32(0));
  }
  /// Stores sums; `rowAt` is where a row of the tile begins in memory.
  void store(ValueRange sums, Int rows, Int firstColumn, int64_t columns,
             bool isResultBf16, function_ref<Value(Int row)> rowAt) const;

  MmaCode code;
  const Tiles &tiles;
  bool isBf16;
  int64_t stepDepth;
  ChoiceList list;
  Int warpRow, warpColumn;
};

} // namespace

GroupedBuilder::Side GroupedBuilder::makeSide(Value pointer, bool isOperandBf16,
                                              bool isLeft, bool alongDepth,
                                              int64_t extent, int64_t rows,
                                              int64_t columns) const {
  int64_t bytes = isBf16 ? 2 : 4;
  TileShape tile{alongDepth ? extent : stepDepth,
                 alongDepth ? stepDepth : extent, bytes};
  if (!alongDepth && !isBf16)
    tile.reads = TileShape::Reads::Quads;
  TileSource source{pointer, isOperandBf16, columns, rows, columns};
  auto side = isLeft ? TileFragments::Side::Left : TileFragments::Side::Right;
  return {tile,
          TileCopy(code, tile, source, rows % tile.rows != 0,
                   columns % tile.columns != 0),
          TileFragments(code, tile, side, alongDepth,
                        isLeft ? warpRow : warpColumn,
                        isLeft ? tiles.rowGroups() : tiles.columnGroups())};
}

Registers
GroupedBuilder::multiply(const Side &left, const Side &right, Int steps,
                         ValueRange sums,
                         function_ref<void(Int, Value, Value)> copy) const {
  int64_t ahead = tiles.stages - 1;
  auto stageAt = [&](Int stage) {
    Value leftTile = code.offset(code.shared, stage * tiles.stageBytes());
    return std::pair(leftTile, code.offset(leftTile, left.tile.bytes()));
  };
  auto copyUnlessBehind = [&](Int step, Int stage) {
    code.ifTrue(code.isLess(step, steps), [&] {
      auto [leftTile, rightTile] = stageAt(stage);
      copy(step, leftTile, rightTile);
    });
    code.commitCopies();
  };
  // The tiles of an earlier call may still be read.
  code.barrier();
  for (int64_t step = 0; step < ahead; ++step)
    copyUnlessBehind(code.number(step), code.number(step));
  Registers carried(sums);
  carried.push_back(code.number(0).value);
  carried.push_back(code.number(ahead).value);
  carried = code.loop(
      code.number(0), steps, 1, carried, [&](Int step, ValueRange carried) {
        Int filled = code.asInt(carried[carried.size() - 2]);
        Int free = code.asInt(carried.back());
        code.waitForCopies(ahead - 1);
        code.barrier();
        copyUnlessBehind(step + ahead, free);
        auto [leftTile, rightTile] = stageAt(filled);
        Registers next(carried.drop_back(2));
        multiplyTiles(
            code, tiles.rowGroups(), tiles.columnGroups(),
            kPanelBytes / kStepBytes,
            [&, leftTile = leftTile](int64_t row, int64_t step) {
              return left.fragments.load(leftTile, row, step);
            },
            [&, rightTile = rightTile](int64_t column, int64_t step) {
              return right.fragments.load(rightTile, column, step);
            },
            next);
        next.push_back(code.nextStage(filled, tiles.stages).value);
        next.push_back(code.nextStage(free, tiles.stages).value);
        return next;
      });
  carried.pop_back_n(2);
  return carried;
}

void GroupedBuilder::store(ValueRange sums, Int rows, Int firstColumn,
                           int64_t columns, bool isResultBf16,
                           function_ref<Value(Int row)> rowAt) const {
  Int row = warpRow + code.lane / 4;
  for (int64_t half = 0; half < 2 * tiles.rowGroups(); ++half)
    code.ifTrue(code.isLess(row + half * 8, rows), [&] {
      Value start = rowAt(row + half * 8);
      for (int64_t group = 0; group < 2 * tiles.columnGroups(); ++group) {
        int64_t index =
            4 * (half / 2 * 2 * tiles.columnGroups() + group) + half % 2 * 2;
        code.storePair(start, firstColumn + warpColumn + group * 8, columns,
                       columns % tiles.columns != 0,
                       {sums[index], sums[index + 1]}, isResultBf16);
      }
    });
}

void GroupedBuilder::build(const GroupedLinear &product, int64_t splits) {
  int64_t columnTiles = divideCeil(product.columns, tiles.columns);
  int64_t depth = product.x.width;
  Int split = code.block % splits, tile = code.block / splits;
  Int firstColumn = tile % columnTiles * tiles.columns;
  Int matrix = tile / columnTiles;
  Value weight = code.offsetWide(
      product.weight, code.wide(matrix, product.columns * depth *
                                            (product.isWeightBf16 ? 2 : 4)));
  Side left = makeSide(product.x.pointer, product.x.isBf16, /*isLeft=*/true,
                       /*alongDepth=*/true, tiles.rows,
                       product.choices.count / product.x.shared, depth);
  Side right = makeSide(weight, product.isWeightBf16, /*isLeft=*/false,
                        !product.transposed, tiles.columns,
                        product.transposed ? depth : product.columns,
                        product.transposed ? product.columns : depth);
  Int steps = code.number(divideCeil(depth, stepDepth));
  int64_t resultBytes = product.columns * (product.isResultBf16 ? 2 : 4);
  // Of the tiles of a matrix, every `splits`-th is this block's.
  auto multiplyTile = [&](Int tile, Int count) {
    Int first = tile * tiles.rows;
    Int rows = code.min(count - first, code.number(tiles.rows));
    TileCopy::Rows gathered = left.copy.gather(rows, [&](Int place) {
      return list.at(first + place) / product.x.shared;
    });
    Registers sums = multiply(
        left, right, steps, noSums(),
        [&](Int step, Value leftTile, Value rightTile) {
          Int depth = step * stepDepth;
          left.copy.issue(gathered, depth, leftTile);
          right.copy.issue(product.transposed ? depth : firstColumn,
                           product.transposed ? firstColumn : depth, rightTile);
        });
    store(sums, rows, firstColumn, product.columns, product.isResultBf16,
          [&](Int row) {
            return code.offsetWide(
                product.result, code.wide(list.at(first + row), resultBytes));
          });
  };
  list.forTiles(matrix, code.number(0).value,
                [&](Int count, Int ready, ValueRange before) -> Registers {
                  Int number = code.asInt(before.front());
                  code.loop(
                      code.number(0), ready, 1, {}, [&](Int tile, ValueRange) {
                        Value isOwn;
                        if (splits > 1)
                          isOwn = code.isEqual((number + tile) % splits, split);
                        code.ifTrue(isOwn, [&] { multiplyTile(tile, count); });
                        return Registers();
                      });
                  return {(number + ready).value};
                });
}

void GroupedBuilder::build(const GroupedWeightGrad &product) {
  int64_t columnTiles = divideCeil(product.rhs.width, tiles.columns);
  int64_t rowTiles = divideCeil(product.lhs.width, tiles.rows);
  Int firstColumn = code.block % columnTiles * tiles.columns;
  Int tile = code.block / columnTiles;
  Int firstRow = tile % rowTiles * tiles.rows, matrix = tile / rowTiles;
  auto sideOf = [&](const ChoiceRows &rows, bool isLeft) {
    return makeSide(rows.pointer, rows.isBf16, isLeft, /*alongDepth=*/false,
                    isLeft ? tiles.rows : tiles.columns,
                    product.choices.count / rows.shared, rows.width);
  };
  Side left = sideOf(product.lhs, true), right = sideOf(product.rhs, false);
  Registers sums = list.forTiles(
      matrix, noSums(), [&](Int count, Int steps, ValueRange before) {
        return multiply(
            left, right, steps, before,
            [&](Int step, Value leftTile, Value rightTile) {
              Int first = step * stepDepth;
              auto copy = [&](const Side &side, const ChoiceRows &rows,
                              Int column, Value to) {
                auto rowOf = [&](Int place) {
                  return list.at(first + place) / rows.shared;
                };
                side.copy.issue(side.copy.gather(count - first, rowOf), column,
                                to);
              };
              copy(left, product.lhs, firstRow, leftTile);
              copy(right, product.rhs, firstColumn, rightTile);
            });
      });
  int64_t rowBytes = product.rhs.width * 4;
  Value result = code.offsetWide(
      product.result, code.wide(matrix, product.lhs.width * rowBytes));
  store(sums, code.subtractOrZero(code.number(product.lhs.width), firstRow),
        firstColumn, product.rhs.width, /*isResultBf16=*/false, [&](Int row) {
          return code.offsetWide(result, code.wide(firstRow + row, rowBytes));
        });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static constexpr Tiles kLargeBf16{128, 128, 2, 2, 3};
static constexpr Tiles kLargeF32{64, 128, 2, 4, 3};
static constexpr Tiles kMiddle{64, 64, 2, 2, 4};
static constexpr Tiles kFewRows{16, 64, 1, 4, 4};

static GpuLaunch launchOf(const Tiles &tiles, const Choices &choices,
                          int64_t granule, int64_t blocks) {
  GpuLaunch launch;
  launch.grid[0] = blocks;
  launch.block[0] = tiles.threads();
  launch.sharedBytes =
      tiles.stages * tiles.stageBytes() +
      ChoiceList::sharedBytes(choices, granule, tiles.threads());
  return launch;
}

GpuLaunch attnres::nvptx::buildGroupedLinear(OpBuilder &builder, Location loc,
                                             const GroupedLinear &product,
                                             int64_t processors) {
  const Choices &choices = product.choices;
  const Tiles &large = product.isBf16() ? kLargeBf16 : kLargeF32;
  // As if all matrices had equally many rows.
  int64_t rows = divideCeil(choices.count, choices.matrices);
  const Tiles &tiles = rows <= kFewRows.rows ? kFewRows
                       : rows >= large.rows && product.columns >= large.columns
                           ? large
                           : kMiddle;
  int64_t blocks =
      choices.count == 0
          ? 0
          : choices.matrices * divideCeil(product.columns, tiles.columns);
  int64_t splits = std::clamp<int64_t>(
      processors / std::max<int64_t>(blocks, 1), 1,
      std::max<int64_t>(divideCeil(choices.count, tiles.rows), 1));
  GpuLaunch launch = launchOf(tiles, choices, tiles.rows, blocks * splits);
  if (launch.grid[0] > 0)
    GroupedBuilder(builder, loc, tiles, product.isBf16(), choices, tiles.rows)
        .build(product, splits);
  return launch;
}

GpuLaunch
attnres::nvptx::buildGroupedWeightGrad(OpBuilder &builder, Location loc,
                                       const GroupedWeightGrad &product) {
  const Tiles &tiles = product.lhs.width < 128 || product.rhs.width < 128
                           ? kMiddle
                       : product.isBf16() ? kLargeBf16
                                          : kLargeF32;
  int64_t granule = kPanelBytes / (product.isBf16() ? 2 : 4);
  int64_t blocks = product.choices.matrices *
                   divideCeil(product.lhs.width, tiles.rows) *
                   divideCeil(product.rhs.width, tiles.columns);
  GpuLaunch launch = launchOf(tiles, product.choices, granule, blocks);
  if (blocks > 0)
    GroupedBuilder(builder, loc, tiles, product.isBf16(), product.choices,
                   granule)
        .build(product);
  return launch;
}
