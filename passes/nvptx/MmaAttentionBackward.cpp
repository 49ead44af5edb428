//===- MmaAttentionBackward.cpp - attention backward on tensor cores ------===//
//
// With D = rowsum(dO * O) - dlse, c = scale log2 e and P recomputed from lse,
//
//   blocks of keys:     P^T = 2^(c K Q^T - lse log2 e),  dV += P^T dO,
//                       dS^T = P^T (V dO^T - D),  dK += dS^T Q
//   blocks of queries:  P and dS the same not transposed,  dQ += dS K
//
// Every gradient is summed by one block in registers, in one order: no atomics.
// For this scores and dP are computed twice, seven products for five. A block
// of keys sums over the queries that see any of them, of all heads of the
// group; as in forward, only tiles on the diagonal are masked. P and dS go from
// one matrix instruction to the next in registers.
//
// Gradients that may lie over what other blocks still read go to scratch
// memory; of the blocks that read the same heads the last one brings them to
// their place.
//
// Warp groups (sm_90a) multiply in the background: the sums of gradients go on
// until the scores of the next tile are there, as in forward.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaAttention.h"
#include "passes/nvptx/MmaSoftmax.h"
#include "passes/nvptx/MmaWarpGroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;
using Side = TileFragments::Side;

namespace {

/// Where tiles lie in shared memory, in bytes: those of a block, and those of a
/// stage behind them.
struct Layout {
  TileShape keyRows, valueRows; ///< of the block, in both kinds
  TileShape keyTile, valueTile; ///< that come in stages
  int64_t tile, stages;
  bool isOfKeys;

  Layout(const AttentionShape &shape, const BackwardTiles &tiles, bool isOfKeys)
      : keyRows(shapeOf(shape, tiles.rows(), shape.keyDim)),
        valueRows(shapeOf(shape, tiles.rows(), shape.valueDim)),
        keyTile(shapeOf(shape, tiles.tile, shape.keyDim)),
        valueTile(shapeOf(shape, tiles.tile, shape.valueDim)), tile(tiles.tile),
        stages(tiles.stages), isOfKeys(isOfKeys) {}

  static TileShape shapeOf(const AttentionShape &shape, int64_t rows,
                           int64_t size) {
    int64_t bytes = shape.elementBytes();
    return {rows, tileColumns(size, bytes), bytes,
            shape.isBf16 ? TileShape::Reads::Rows
                         : TileShape::Reads::EvenQuads};
  }
  /// Blocks of keys: K and V; blocks of queries: Q, dO and O.
  int64_t blockBytes() const {
    return keyRows.bytes() + (isOfKeys ? 1 : 2) * valueRows.bytes();
  }
  /// Blocks of keys: Q, dO, O; blocks of queries: K, V.
  int64_t stageBytes() const {
    return keyTile.bytes() + (isOfKeys ? 2 : 1) * valueTile.bytes();
  }
  /// lse log2 e and D of the rows that are queries.
  int64_t rowNumbers() const { return isOfKeys ? tile : keyRows.rows; }
  int64_t numbersAt() const { return blockBytes() + stages * stageBytes(); }
  int64_t bytes() const { return numbersAt() + 2 * 4 * rowNumbers(); }
};

class BackwardBuilder {
public:
  BackwardBuilder(OpBuilder &builder, Location loc,
                  const AttentionBackward &attention,
                  const BackwardTiles &tiles)
      : code(builder, loc, tiles.threads()), attention(attention),
        shape(attention.shape), tiles(tiles), softmax(code, shape.scale),
        ofKeys(shape, tiles, true), ofQueries(shape, tiles, false),
        keyBlocks(attention.kGrad || attention.vGrad
                      ? divideCeil(shape.keys, tiles.rows()) * tiles.parts
                      : 0),
        queryBlocks(attention.qGrad ? divideCeil(shape.queries, tiles.rows())
                                    : 0),
        keySteps(divideCeil(shape.keyDim * bytes(), kStepBytes)),
        valueSteps(divideCeil(shape.valueDim * bytes(), kStepBytes)),
        tileGroups(tiles.tile / kGroupSize),
        tileSteps(tiles.tile * bytes() / kStepBytes), zero(code.number(0)) {
    if (attention.overwrites)
      arrivals = code.arrivals(shape.batch * shape.kvHeads);
    for (auto [i, pointer] : llvm::enumerate(results())) {
      written[i] = pointer;
      if (pointer && attention.overwrites)
        written[i] = code.offset(attention.scratch, scratchAt(i));
    }
  }

  void build();
  int64_t grid() const { return numKeyBlocks() + numQueryBlocks(); }
  int64_t scratchBytes() const {
    return attention.overwrites ? scratchAt(3) : 0;
  }

private:
  std::array<Value, 3> results() const {
    return {attention.qGrad, attention.kGrad, attention.vGrad};
  }
  /// Elements of one row of a result, and of all.
  int64_t rowOf(size_t result) const {
    return result == 0   ? shape.heads * shape.keyDim
           : result == 1 ? shape.kvHeads * shape.keyDim
                         : shape.kvHeads * shape.valueDim;
  }
  int64_t rowsOf(size_t result) const {
    return result == 0 ? shape.queries : shape.keys;
  }
  /// Where a result lies in scratch memory.
  int64_t scratchAt(size_t result) const {
    int64_t at = 0;
    for (size_t i = 0; i < result; ++i)
      at += llvm::alignTo(shape.batch * rowsOf(i) * rowOf(i) * bytes(), 256);
    return at;
  }
  void placeResults(Int kvHead) const;
  int64_t numKeyBlocks() const {
    return keyBlocks * shape.batch * shape.kvHeads;
  }
  int64_t numQueryBlocks() const {
    return queryBlocks * shape.batch * shape.heads;
  }
  int64_t bytes() const { return shape.elementBytes(); }
  void beginKind(bool byWarpGroups) {
    warpGroups = byWarpGroups;
    ahead = tiles.stages - (warpGroups ? 2 : 1);
  }
  void buildBlockOfKeys(Int block);
  void buildBlockOfQueries(Int block);

  TileCopy copyOf(const TileShape &tile, Value pointer, Int head, bool isOfKeys,
                  int64_t size) const;
  /// The tiles [begin, end), of which those before `masked`, or from there on,
  /// are masked: `copy` brings a tile to its stage, `work` adds to the sums.
  Registers pipeline(Int begin, Int masked, Int end, bool masksFirst,
                     const Layout &layout,
                     function_ref<void(Int tile, Value to)> copy,
                     function_ref<Registers(Int tile, Value at, bool isMasked,
                                            ValueRange sums)>
                         work,
                     Registers sums);
  /// Writes lse log2 e and D of the queries from `first` on, whose dO and O
  /// lie in two tiles, to shared memory.
  void findRowNumbers(const TileShape &tile, Value outputGrads, Value outputs,
                      Value to, Int first, Int head) const;
  /// dS in place of dP, and P in place of the scores.
  void differentiate(MutableArrayRef<Value> scores, MutableArrayRef<Value> dp,
                     bool isTransposed, Value numbers,
                     function_ref<Value(Int query, Int key)> isSeen, Int query,
                     Int key) const;
  Value isSeen(Int query, Int key) const;
  /// The block's rows that scores and dP are products of: K and V, or Q and dO.
  struct BlockRows {
    Value keyRowsAt, valueRowsAt;
  };
  struct Products {
    Registers scores, dp;
    Registers sums; ///< of the gradients, complete
  };
  /// The block's rows times those of a tile, which has Q and dO, or K and V.
  /// `meanwhile` builds what can be done before the products are there.
  Products multiplyRows(const BlockRows &rows, const Layout &layout,
                        Value tileAt, ValueRange sums,
                        function_ref<void()> meanwhile) const;
  /// sums += weights (rows of a tile), for some of their columns.
  void addGradient(ArrayRef<Value> weights, const TileShape &tile, Value at,
                   Int firstColumn, int64_t columns,
                   MutableArrayRef<Value> sums) const;
  void storeRows(Value pointer, Int firstRow, int64_t rows, Int head,
                 int64_t heads, int64_t size, Int firstColumn, ValueRange sums,
                 int64_t groups, double scale) const;

  MmaCode code;
  const AttentionBackward &attention;
  const AttentionShape &shape;
  const BackwardTiles &tiles;
  MmaSoftmax softmax;
  Layout ofKeys, ofQueries;
  int64_t keyBlocks, queryBlocks; ///< of a head
  int64_t keySteps, valueSteps, tileGroups, tileSteps;
  bool warpGroups = false;      ///< multiply the products of the kind of block
  int64_t ahead = 0;            ///< tiles under way while one is worked on
  std::array<Value, 3> written; ///< where results are written first
  Value arrivals;               ///< of the blocks of each key head
  Int zero;
  std::optional<Int> batch;
};

} // namespace

void BackwardBuilder::build() {
  if (numQueryBlocks() == 0)
    return buildBlockOfKeys(code.block);
  if (numKeyBlocks() == 0)
    return buildBlockOfQueries(code.block);
  Int first = code.number(numKeyBlocks());
  code.ifElse(
      code.isLess(code.block, first), {},
      [&] {
        buildBlockOfKeys(code.block);
        return Registers();
      },
      [&] {
        buildBlockOfQueries(code.block - first);
        return Registers();
      });
}

TileCopy BackwardBuilder::copyOf(const TileShape &tile, Value pointer, Int head,
                                 bool isOfKeys, int64_t size) const {
  return copyOfHead(code, tile, shape, pointer, *batch, head,
                    isOfKeys ? shape.keys : shape.queries,
                    isOfKeys ? shape.kvHeads : shape.heads, size);
}

/// A query sees a key of a causal mask.
Value BackwardBuilder::isSeen(Int query, Int key) const {
  return code.isLess(key, query + (shape.keys - shape.queries + 1));
}

Registers BackwardBuilder::pipeline(
    Int begin, Int masked, Int end, bool masksFirst, const Layout &layout,
    function_ref<void(Int tile, Value to)> copy,
    function_ref<Registers(Int tile, Value at, bool isMasked, ValueRange sums)>
        work,
    Registers sums) {
  auto stageAt = [&](Int stage) {
    return code.offset(code.offset(code.shared, layout.blockBytes()),
                       stage * layout.stageBytes());
  };
  for (int64_t stage = 0; stage < ahead; ++stage) {
    code.ifTrue(code.isLess(begin + stage, end),
                [&] { copy(begin + stage, stageAt(code.number(stage))); });
    code.commitCopies();
  }
  auto run = [&](Int from, Int to, bool isMasked) {
    sums = code.loop(from, to, 1, sums, [&](Int tile, ValueRange carried) {
      Int filled = code.asInt(carried[carried.size() - 2]);
      Int free = code.asInt(carried.back());
      code.waitForCopies(ahead - 1);
      if (warpGroups)
        fenceForWarpGroups(code);
      code.barrier();
      code.ifTrue(code.isLess(tile + ahead, end),
                  [&] { copy(tile + ahead, stageAt(free)); });
      code.commitCopies();
      Registers result =
          work(tile, stageAt(filled), isMasked, carried.drop_back(2));
      result.append({code.nextStage(filled, tiles.stages).value,
                     code.nextStage(free, tiles.stages).value});
      return result;
    });
  };
  sums.append({zero.value, code.number(ahead).value});
  // Without a mask, or tiles that are cut off, one of them has nothing to do.
  bool masks = shape.causal || (!masksFirst && shape.keys % tiles.tile != 0);
  if (masks || !masksFirst)
    run(begin, masked, masksFirst);
  if (masks || masksFirst)
    run(masked, end, !masksFirst);
  code.waitForCopies(0);
  sums.pop_back_n(2);
  if (warpGroups)
    waitForWarpGroup(code, 0, sums);
  return sums;
}

BackwardBuilder::Products
BackwardBuilder::multiplyRows(const BlockRows &rows, const Layout &layout,
                              Value tileAt, ValueRange sums,
                              function_ref<void()> meanwhile) const {
  Value otherAt = code.offset(tileAt, layout.keyTile.bytes());
  Products products{Registers(8 * tileGroups), Registers(8 * tileGroups),
                    Registers(sums)};
  if (warpGroups) {
    Int first = code.warp / 4 * kWarpGroupRows;
    auto multiply = [&](const TileShape &rowsTile, Value rowsAt,
                        const TileShape &tile, Value at, int64_t steps,
                        Registers &result) {
      multiplyAdd(code, WarpGroupOperand(code, rowsTile, true, rowsAt, first),
                  WarpGroupOperand(code, tile, true, at, zero), steps,
                  tiles.tile, result, /*fresh=*/true);
    };
    multiply(layout.keyRows, rows.keyRowsAt, layout.keyTile, tileAt, keySteps,
             products.scores);
    multiply(layout.valueRows, rows.valueRowsAt, layout.valueTile, otherAt,
             valueSteps, products.dp);
    meanwhile();
    // The gradients so far, too.
    Registers all(products.scores);
    all.append(products.dp);
    all.append(products.sums);
    waitForWarpGroup(code, 0, all);
    for (Registers *part : {&products.scores, &products.dp, &products.sums}) {
      llvm::copy(ArrayRef<Value>(all).take_front(part->size()), part->begin());
      all.erase(all.begin(), all.begin() + part->size());
    }
    return products;
  }
  meanwhile();
  llvm::fill(products.scores, code.f32(0));
  llvm::fill(products.dp, code.f32(0));
  auto multiply = [&](const TileShape &rowsTile, Value rowsAt,
                      const TileShape &tile, Value at, int64_t steps,
                      Registers &result) {
    TileFragments left(code, rowsTile, Side::Left, true, code.warp * kGroupSize,
                       1);
    TileFragments right(code, tile, Side::Right, true, zero, tileGroups);
    multiplyTiles(
        code, 1, tileGroups, steps,
        [&](int64_t, int64_t step) { return left.load(rowsAt, 0, step); },
        [&](int64_t group, int64_t step) {
          return right.load(at, group, step);
        },
        result);
  };
  multiply(layout.keyRows, rows.keyRowsAt, layout.keyTile, tileAt, keySteps,
           products.scores);
  multiply(layout.valueRows, rows.valueRowsAt, layout.valueTile, otherAt,
           valueSteps, products.dp);
  return products;
}

void BackwardBuilder::addGradient(ArrayRef<Value> weights,
                                  const TileShape &tile, Value at,
                                  Int firstColumn, int64_t columns,
                                  MutableArrayRef<Value> sums) const {
  if (warpGroups) {
    SmallVector<MmaOperand> left;
    for (int64_t step = 0; step < tileSteps; ++step)
      left.push_back(code.operandOfSums(weights, step, /*isBf16=*/true));
    return multiplyAdd(code, left,
                       WarpGroupOperand(code, tile, false, at, firstColumn),
                       columns * kGroupSize, sums);
  }
  TileFragments right(code, tile, Side::Right, false, firstColumn, columns);
  multiplyTiles(
      code, 1, columns, tileSteps,
      [&](int64_t, int64_t step) {
        return code.operandOfSums(weights, step, shape.isBf16);
      },
      [&](int64_t group, int64_t step) { return right.load(at, group, step); },
      sums);
}

// Eight lanes read a row, so that they read all banks once.
void BackwardBuilder::findRowNumbers(const TileShape &tile, Value outputGrads,
                                     Value outputs, Value to, Int first,
                                     Int head) const {
  constexpr int64_t lanes = 8;
  int64_t rowsAtOnce = code.threads / lanes;
  Type vector = VectorType::get({4}, code.i32());
  Int lane = code.thread % lanes;
  for (int64_t firstRow = 0; firstRow < tile.rows; firstRow += rowsAtOnce) {
    Int row = code.thread / lanes + firstRow;
    Value hasRow;
    if (firstRow + rowsAtOnce > tile.rows)
      hasRow = code.isLess(row, code.number(tile.rows));
    // Whole warps: the lanes exchange their sums.
    code.ifTrue(hasRow, [&] {
      Value sum = code.f32(0);
      for (int64_t panel = 0; panel < tile.bytes() / tile.panelBytes();
           ++panel) {
        Int offset = tile.offsetOf(row, lane + panel * lanes);
        auto read = [&](Value base) {
          return code.elementsOf(
              code.load(code.offset(base, offset), vector, kPieceBytes));
        };
        for (auto [x, y] : llvm::zip_equal(read(outputGrads), read(outputs)))
          if (shape.isBf16)
            for (bool isHigh : {false, true})
              sum = code.fma(code.unpackBf16(x, isHigh),
                             code.unpackBf16(y, isHigh), sum);
          else
            sum = code.fma(code.fromBits(x), code.fromBits(y), sum);
      }
      for (int64_t mask = 1; mask < lanes; mask *= 2)
        sum = code.add(sum, code.shuffleXor(sum, mask));
      code.ifTrue(code.isEqual(lane, zero), [&] {
        Int query = first + row;
        Value at = code.addWide(
            code.mulWide(code.addWide(code.wide(*batch, shape.queries),
                                      code.wide(query, 1)),
                         4 * shape.heads),
            code.wide(head, 4));
        Type f32 = code.f32();
        // Queries behind the last one have no weight in any sum.
        Registers numbers = code.ifElse(
            code.isLess(query, code.number(shape.queries)), {f32, f32},
            [&] {
              Value lse = code.load(code.offsetWide(attention.lse, at), f32, 4);
              Value gradient;
              if (attention.lseGrad)
                gradient =
                    code.load(code.offsetWide(attention.lseGrad, at), f32, 4);
              return Registers{code.mul(lse, code.f32(M_LOG2E)),
                               gradient ? code.sub(sum, gradient) : sum};
            },
            [&] {
              return Registers{code.f32(0), code.f32(0)};
            });
        code.store(code.vectorOf(numbers), code.offset(to, row * 8), 8);
      });
    });
  }
}

// Lane 4 g + t has columns 2 t and 2 t + 1 of rows g and g + 8 of each eight.
void BackwardBuilder::differentiate(
    MutableArrayRef<Value> scores, MutableArrayRef<Value> dp, bool isTransposed,
    Value numbers, function_ref<Value(Int query, Int key)> isSeen, Int query,
    Int key) const {
  auto numbersOf = [&](Int query, int64_t count) {
    Type type = VectorType::get({2 * count}, code.f32());
    return code.elementsOf(
        code.load(code.offset(numbers, query * 8), type, 8 * count));
  };
  Int row = code.warp * kGroupSize + code.lane / 4;
  Registers ofRows;
  if (!isTransposed)
    for (int64_t half = 0; half < 2; ++half)
      ofRows.append(numbersOf(row + half * 8, 1));
  for (int64_t eight = 0; eight < 2 * tileGroups; ++eight) {
    Int column = code.lane % 4 * 2 + eight * 8;
    Registers ofColumns;
    if (isTransposed)
      ofColumns = numbersOf(column, 2);
    for (int64_t half = 0; half < 2; ++half)
      for (int64_t i = 0; i < 2; ++i) {
        const Value *ofQuery =
            isTransposed ? &ofColumns[2 * i] : &ofRows[2 * half];
        int64_t at = 4 * eight + 2 * half + i;
        Value weight = softmax.weight(scores[at], ofQuery[0]);
        if (isSeen) {
          Int inRows = row + half * 8, inColumns = column + i;
          Value seen = isTransposed ? isSeen(query + inColumns, key + inRows)
                                    : isSeen(query + inRows, key + inColumns);
          weight = code.select(seen, weight, code.f32(0));
        }
        scores[at] = weight;
        dp[at] = code.mul(weight, code.sub(dp[at], ofQuery[1]));
      }
  }
}

void BackwardBuilder::storeRows(Value pointer, Int firstRow, int64_t rows,
                                Int head, int64_t heads, int64_t size,
                                Int firstColumn, ValueRange sums,
                                int64_t groups, double scale) const {
  if (!pointer)
    return;
  bool mayEndBefore = size % (kGroupSize * groups) != 0;
  for (int64_t half = 0; half < 2; ++half) {
    Int row = firstRow + code.warp * kGroupSize + code.lane / 4 + half * 8;
    Value isRow;
    if (rows % tiles.rows() != 0)
      isRow = code.isLess(row, code.number(rows));
    code.ifTrue(isRow, [&] {
      Value start = code.offsetWide(
          pointer,
          code.addWide(code.mulWide(code.addWide(code.wide(*batch, rows),
                                                 code.wide(row, 1)),
                                    heads * size * bytes()),
                       code.wide(head, size * bytes())));
      for (int64_t eight = 0; eight < 2 * groups; ++eight) {
        ValueRange pair = sums.slice(4 * eight + 2 * half, 2);
        std::array<Value, 2> values = {pair[0], pair[1]};
        if (scale != 1)
          for (Value &value : values)
            value = code.mul(value, code.f32(scale));
        code.storePair(start, firstColumn + eight * 8, size, mayEndBefore,
                       values, shape.isBf16);
      }
    });
  }
}

void BackwardBuilder::placeResults(Int kvHead) const {
  if (!attention.overwrites)
    return;
  int64_t blocks = keyBlocks + queryBlocks * shape.group();
  Value isLast =
      code.isLastToArrive(arrivals, *batch * shape.kvHeads + kvHead, blocks);
  code.ifTrue(isLast, [&] {
    for (auto [i, pointer] : llvm::enumerate(results())) {
      if (!pointer)
        continue;
      // Of each row what belongs to the heads, in accesses of equal size.
      int64_t rows = rowsOf(i), rowBytes = rowOf(i) * bytes();
      int64_t partBytes = rowBytes / shape.kvHeads;
      int64_t access = kPieceBytes;
      while (partBytes % access != 0)
        access /= 2;
      Type word = code.builder.getIntegerType(8 * std::min<int64_t>(access, 4));
      Type type = access > 4 ? Type(VectorType::get({access / 4}, word)) : word;
      Value start = code.addWide(code.wide(*batch, rows * rowBytes),
                                 code.wide(kvHead, partBytes));
      Value from = code.offsetWide(written[i], start);
      Value to = code.offsetWide(pointer, start);
      int64_t perRow = partBytes / access;
      code.loop(code.thread, code.number(rows * perRow), code.threads, {},
                [&](Int number, ValueRange) {
                  Value at = code.addWide(code.wide(number / perRow, rowBytes),
                                          code.wide(number % perRow, access));
                  code.store(code.load(code.offsetWide(from, at), type, access),
                             code.offsetWide(to, at), access);
                  return Registers();
                });
    }
  });
}

//===----------------------------------------------------------------------===//
// Blocks of keys
//===----------------------------------------------------------------------===//

void BackwardBuilder::buildBlockOfKeys(Int block) {
  beginKind(tiles.warpGroups);
  const Layout &layout = ofKeys;
  int64_t heads = shape.batch * shape.kvHeads;
  // The first keys are seen by most queries.
  Int row = block % heads, place = block / heads;
  batch = row / shape.kvHeads;
  Int kvHead = row % shape.kvHeads;
  Int part = place % tiles.parts;
  Int firstKey = place / tiles.parts * tiles.rows();
  int64_t keyColumns = divideCeil(shape.keyDim, kGroupSize * tiles.parts);
  int64_t valueColumns = divideCeil(shape.valueDim, kGroupSize * tiles.parts);
  Int firstKeyColumn = part * (keyColumns * kGroupSize);
  Int firstValueColumn = part * (valueColumns * kGroupSize);

  Value keysAt = code.shared;
  Value valuesAt = code.offset(keysAt, layout.keyRows.bytes());
  Value numbersAt = code.offset(code.shared, layout.numbersAt());
  copyOf(layout.keyRows, attention.k, kvHead, true, shape.keyDim)
      .issue(firstKey, zero, keysAt);
  copyOf(layout.valueRows, attention.v, kvHead, true, shape.valueDim)
      .issue(firstKey, zero, valuesAt);

  // Tiles of queries of which some see a key here, and those that see all.
  int64_t queryTiles = divideCeil(shape.queries, tiles.tile);
  Int first = zero, firstFull = zero, end = code.number(queryTiles);
  if (shape.causal) {
    int64_t behind = shape.queries - shape.keys;
    auto tileOf = [&](Int query, int64_t round) {
      Int tile =
          code.subtractOrZero(query + (behind + round), zero) / tiles.tile;
      return code.min(tile, end);
    };
    first = tileOf(firstKey, 0);
    firstFull = tileOf(firstKey, tiles.rows() - 1 + tiles.tile - 1);
  }
  int64_t group = shape.group();
  auto headOf = [&](Int tile) { return kvHead * group + tile % group; };
  auto copy = [&](Int tile, Value to) {
    Int query = tile / group * tiles.tile;
    copyOf(layout.keyTile, attention.q, headOf(tile), false, shape.keyDim)
        .issue(query, zero, to);
    to = code.offset(to, layout.keyTile.bytes());
    for (Value pointer : {attention.outputGrad, attention.output}) {
      copyOf(layout.valueTile, pointer, headOf(tile), false, shape.valueDim)
          .issue(query, zero, to);
      to = code.offset(to, layout.valueTile.bytes());
    }
  };
  auto work = [&](Int tile, Value queriesAt, bool isMasked,
                  ValueRange carried) {
    Int query = tile / group * tiles.tile;
    Value gradsAt = code.offset(queriesAt, layout.keyTile.bytes());
    Value outputsAt = code.offset(gradsAt, layout.valueTile.bytes());
    auto [scores, dp, sums] =
        multiplyRows({keysAt, valuesAt}, layout, queriesAt, carried, [&] {
          findRowNumbers(layout.valueTile, gradsAt, outputsAt, numbersAt, query,
                         headOf(tile));
          code.barrier();
        });
    auto sees = [&](Int query, Int key) { return isSeen(query, key); };
    function_ref<Value(Int, Int)> mask;
    if (isMasked)
      mask = sees;
    differentiate(scores, dp, /*isTransposed=*/true, numbersAt, mask, query,
                  firstKey);
    MutableArrayRef<Value> all(sums);
    addGradient(scores, layout.valueTile, gradsAt, firstValueColumn,
                valueColumns, all.take_front(8 * valueColumns));
    addGradient(dp, layout.keyTile, queriesAt, firstKeyColumn, keyColumns,
                all.drop_front(8 * valueColumns));
    return sums;
  };
  Registers sums(8 * (valueColumns + keyColumns), code.f32(0));
  sums = pipeline(first * group, firstFull * group, end * group,
                  /*masksFirst=*/true, layout, copy, work, sums);
  ValueRange all(sums);
  storeRows(written[2], firstKey, shape.keys, kvHead, shape.kvHeads,
            shape.valueDim, firstValueColumn, all.take_front(8 * valueColumns),
            valueColumns, 1);
  storeRows(written[1], firstKey, shape.keys, kvHead, shape.kvHeads,
            shape.keyDim, firstKeyColumn, all.drop_front(8 * valueColumns),
            keyColumns, shape.scale);
  placeResults(kvHead);
}

//===----------------------------------------------------------------------===//
// Blocks of queries
//===----------------------------------------------------------------------===//

// Not by warp groups: the assembler lets those of two kinds of blocks in one
// function wait for each instruction (C7511).
void BackwardBuilder::buildBlockOfQueries(Int block) {
  beginKind(/*byWarpGroups=*/false);
  const Layout &layout = ofQueries;
  int64_t heads = shape.batch * shape.heads;
  // The last queries see most keys.
  Int row = block % heads;
  Int firstQuery =
      (code.number(queryBlocks - 1) - block / heads) * tiles.rows();
  batch = row / shape.heads;
  Int head = row % shape.heads, kvHead = head / shape.group();
  int64_t columns = divideCeil(shape.keyDim, kGroupSize);

  Value queriesAt = code.shared;
  Value gradsAt = code.offset(queriesAt, layout.keyRows.bytes());
  Value outputsAt = code.offset(gradsAt, layout.valueRows.bytes());
  Value numbersAt = code.offset(code.shared, layout.numbersAt());
  copyOf(layout.keyRows, attention.q, head, false, shape.keyDim)
      .issue(firstQuery, zero, queriesAt);
  copyOf(layout.valueRows, attention.outputGrad, head, false, shape.valueDim)
      .issue(firstQuery, zero, gradsAt);
  copyOf(layout.valueRows, attention.output, head, false, shape.valueDim)
      .issue(firstQuery, zero, outputsAt);
  code.commitCopies();
  code.waitForCopies(0);
  code.barrier();
  findRowNumbers(layout.valueRows, gradsAt, outputsAt, numbersAt, firstQuery,
                 head);

  Int end = code.number(divideCeil(shape.keys, tiles.tile));
  Int full = code.number(shape.keys / tiles.tile);
  if (shape.causal) {
    int64_t shift = shape.keys - shape.queries;
    auto seenBy = [&](Int query) {
      return code.min(code.subtractOrZero(query + (shift + 1), zero),
                      code.number(shape.keys));
    };
    full = seenBy(firstQuery) / tiles.tile;
    end = (seenBy(firstQuery + (tiles.rows() - 1)) + (tiles.tile - 1)) /
          tiles.tile;
  }
  TileCopy keyCopy =
      copyOf(layout.keyTile, attention.k, kvHead, true, shape.keyDim);
  TileCopy valueCopy =
      copyOf(layout.valueTile, attention.v, kvHead, true, shape.valueDim);
  auto copy = [&](Int tile, Value to) {
    keyCopy.issue(tile * tiles.tile, zero, to);
    valueCopy.issue(tile * tiles.tile, zero,
                    code.offset(to, layout.keyTile.bytes()));
  };
  auto work = [&](Int tile, Value keysAt, bool isMasked, ValueRange carried) {
    Int key = tile * tiles.tile;
    auto [scores, dp, sums] =
        multiplyRows({queriesAt, gradsAt}, layout, keysAt, carried, [] {});
    // Keys behind the last one have any weight.
    auto sees = [&](Int query, Int key) {
      Value isKey, seen;
      if (shape.keys % tiles.tile != 0)
        isKey = code.isLess(key, code.number(shape.keys));
      if (shape.causal)
        seen = isSeen(query, key);
      return code.both(isKey, seen);
    };
    function_ref<Value(Int, Int)> mask;
    if (isMasked)
      mask = sees;
    differentiate(scores, dp, /*isTransposed=*/false, numbersAt, mask,
                  firstQuery, key);
    addGradient(dp, layout.keyTile, keysAt, zero, columns, sums);
    return sums;
  };
  Registers sums(8 * columns, code.f32(0));
  sums =
      pipeline(zero, full, end, /*masksFirst=*/false, layout, copy, work, sums);
  storeRows(written[0], firstQuery, shape.queries, head, shape.heads,
            shape.keyDim, zero, sums, columns, shape.scale);
  placeResults(kvHead);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t sharedBytes(const AttentionShape &shape,
                           const BackwardTiles &tiles) {
  return std::max(Layout(shape, tiles, true).bytes(),
                  Layout(shape, tiles, false).bytes());
}

bool attnres::nvptx::fitsBackward(const AttentionShape &shape,
                                  const BackwardTiles &tiles,
                                  int64_t mostSharedBytes) {
  return tiles.warps > 0 && tiles.threads() <= 1024 && tiles.parts > 0 &&
         tiles.stages > 1 && tiles.tile > 0 && tiles.tile % kGroupSize == 0 &&
         (!tiles.warpGroups ||
          (shape.isBf16 && tiles.warps % 4 == 0 && tiles.parts == 1 &&
           tiles.stages > 2 && tiles.tile <= kMostInstructionColumns)) &&
         sharedBytes(shape, tiles) <= mostSharedBytes;
}

BackwardTiles attnres::nvptx::chooseBackwardTiles(const AttentionShape &shape,
                                                  bool hasWarpGroups,
                                                  int64_t mostSharedBytes) {
  int64_t sums = shape.keyDim + shape.valueDim;
  BackwardTiles warpGroups{8, sums <= 128 ? 64 : 32, 1, 3, true};
  if (hasWarpGroups && sums <= 256 &&
      fitsBackward(shape, warpGroups, mostSharedBytes))
    return warpGroups;
  // Sums of so many columns fit into registers, of products of tf32 fewer.
  int64_t columns = shape.isBf16 ? 256 : 128;
  int64_t parts = divideCeil(shape.keyDim + shape.valueDim, columns);
  BackwardTiles tiles{4, 32, parts, 2};
  while (sharedBytes(shape, tiles) > mostSharedBytes) {
    if (tiles.tile > kGroupSize)
      tiles.tile /= 2;
    else if (tiles.warps > 1)
      tiles.warps /= 2;
    else
      break;
  }
  return tiles;
}

GpuLaunch
attnres::nvptx::buildAttentionBackward(OpBuilder &builder, Location loc,
                                       const AttentionBackward &attention,
                                       const BackwardTiles &tiles) {
  BackwardBuilder work(builder, loc, attention, tiles);
  return buildAttention(work, tiles.threads(),
                        sharedBytes(attention.shape, tiles));
}
