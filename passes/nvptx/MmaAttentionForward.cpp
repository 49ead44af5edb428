//===- MmaAttentionForward.cpp - attention forward on tensor cores --------===//
//
// A block has some queries of a head, each of its warps 16 rows of them, or
// twice as many. Keys and values come in tiles, the next ones while one is
// worked on. For each,
//
//   S = Q K^T,  P and the factors of the sums so far from the softmax's states,
//   O = factor O + P V
//
// where S, P and O stay in registers: what a matrix instruction returns of S
// is, rounded, what another takes of P. Only tiles with keys that some query
// does not see are masked. Blocks of a causal mask that have most to do come
// first.
//
// Warp groups (sm_90a) multiply in the background: P V of a tile goes on until
// the scores of the next one are there. Tiles are therefore copied one step
// later than else to where others were.
//
// Where there is one query, the rows are the heads of a group, which share
// their keys, and the keys are split among blocks. Each leaves its state in
// scratch memory; the one that comes last merges them in their order.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaAttention.h"
#include "passes/nvptx/MmaSoftmax.h"
#include "passes/nvptx/MmaWarpGroup.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;
using Side = TileFragments::Side;

int64_t attnres::nvptx::tileColumns(int64_t size, int64_t elementBytes) {
  return std::max<int64_t>(llvm::PowerOf2Ceil(size * elementBytes),
                           kPanelBytes) /
         elementBytes;
}

TileCopy attnres::nvptx::copyOfHead(const MmaCode &code, const TileShape &tile,
                                    const AttentionShape &shape, Value pointer,
                                    Int batch, Int head, int64_t rows,
                                    int64_t heads, int64_t size) {
  int64_t bytes = shape.elementBytes();
  Value start = code.offsetWide(
      pointer, code.addWide(code.wide(batch, rows * heads * size * bytes),
                            code.wide(head, size * bytes)));
  TileSource source{start, shape.isBf16, heads * size, rows, size};
  return TileCopy(code, tile, source, rows % tile.rows != 0,
                  size != tile.columns);
}

namespace {

class ForwardBuilder {
public:
  ForwardBuilder(OpBuilder &builder, Location loc,
                 const AttentionForward &attention, const AttentionTiles &tiles)
      : code(builder, loc, tiles.threads()), attention(attention),
        shape(attention.shape), tiles(tiles),
        softmax(code, attention.shape.scale),
        bytes(attention.shape.elementBytes()),
        queryTile{tiles.queries(), tileColumns(shape.keyDim, bytes), bytes},
        keyTile{tiles.keys, tileColumns(shape.keyDim, bytes), bytes},
        valueTile{tiles.keys, tileColumns(shape.valueDim, bytes), bytes,
                  shape.isBf16 ? TileShape::Reads::Rows
                               : TileShape::Reads::EvenQuads},
        rowsAreHeads(shape.queries == 1),
        numRows(rowsAreHeads ? shape.group() : shape.queries),
        numHeads(rowsAreHeads ? shape.kvHeads : shape.heads),
        rowTiles(divideCeil(numRows, tiles.queries())),
        keyGroups(tiles.keys / kGroupSize),
        valueGroups(divideCeil(shape.valueDim, kGroupSize)),
        keySteps(divideCeil(shape.keyDim * bytes, kStepBytes)),
        valueSteps(tiles.keys * bytes / kStepBytes),
        ahead(tiles.stages - (tiles.warpGroups ? 2 : 1)) {}

  void build();
  int64_t grid() const { return numTiles() * tiles.splits; }
  /// Of the states of all splits; 0 without.
  int64_t scratchBytes() const {
    return tiles.splits == 1 ? 0 : grid() * tiles.queries() * stateBytes();
  }

private:
  /// Sums of the outputs, then maxima and sums of the rows' states.
  Registers emptyState() const;
  Registers addTile(const TileFragments &queries, const TileFragments &keys,
                    const TileFragments &values, Int stage, Int firstKey,
                    bool isMasked, ValueRange state) const;
  Registers scoresOf(const TileFragments &queries, const TileFragments &keys,
                     Value keyTile) const;
  void maskScores(MutableArrayRef<Value> scores, Int firstKey) const;
  void addOutputs(MutableArrayRef<Value> outputs, ArrayRef<Value> weights,
                  const TileFragments &values, Value valueTile) const;
  void finish(ValueRange state) const;
  void storeState(ValueRange state, Value to) const;
  void mergeStates() const;
  /// Calls `body` with the row, in its tile, of each half of each group.
  void forRows(function_ref<void(int64_t half, Int row)> body) const;
  /// Bytes from a tensor's first element to the head of a row, which has so
  /// many.
  Value rowOffset(Int row, int64_t headBytes) const;
  Value isRow(Int row) const;

  int64_t numTiles() const { return rowTiles * shape.batch * numHeads; }
  /// Of a row's state: its output in whole groups, maximum and sum, in f32.
  int64_t stateColumns() const { return valueGroups * kGroupSize; }
  int64_t stateBytes() const { return 4 * (stateColumns() + 4); }
  int64_t numScores() const { return tiles.queryGroups * keyGroups * 8; }
  int64_t numOutputs() const { return tiles.queryGroups * valueGroups * 8; }
  int64_t stageBytes() const { return keyTile.bytes() + valueTile.bytes(); }
  Value stageAt(Int stage) const {
    return code.offset(code.offset(code.shared, queryTile.bytes()),
                       stage * stageBytes());
  }
  /// The keys that a row sees.
  Int visibleKeys(Int row) const;

  MmaCode code;
  const AttentionForward &attention;
  const AttentionShape &shape;
  const AttentionTiles &tiles;
  MmaSoftmax softmax;
  int64_t bytes;
  TileShape queryTile, keyTile, valueTile;
  bool rowsAreHeads;
  int64_t numRows, numHeads; ///< rows of a batch row and head, and such heads
  int64_t rowTiles, keyGroups, valueGroups, keySteps, valueSteps;
  int64_t ahead; ///< tiles under way while one is worked on

  // Of this block.
  std::optional<Int> tile, split, batch, head, firstRow, keysHere, shift;
};

} // namespace

Int ForwardBuilder::visibleKeys(Int row) const {
  if (!shape.causal && !attention.start)
    return *keysHere;
  Int seen = (rowsAreHeads ? code.number(0) : row) + *shift + 1;
  return code.min(code.subtractOrZero(seen, code.number(0)), *keysHere);
}

Registers ForwardBuilder::emptyState() const {
  Registers state(numOutputs(), code.f32(0));
  for (int64_t row = 0; row < 2 * tiles.queryGroups; ++row) {
    MmaSoftmax::State empty = softmax.empty();
    state.append({empty.max, empty.sum});
  }
  return state;
}

void ForwardBuilder::build() {
  // The last queries see most keys.
  int64_t heads = shape.batch * numHeads;
  tile = code.block / tiles.splits;
  split = code.block % tiles.splits;
  Int batchAndHead = *tile % heads;
  batch = batchAndHead / numHeads;
  head = batchAndHead % numHeads;
  Int kvHead = rowsAreHeads ? *head : *head / shape.group();
  firstRow = (code.number(rowTiles - 1) - *tile / heads) * tiles.queries();
  keysHere = code.number(shape.keys);
  shift = code.number(shape.keys - shape.queries);
  if (attention.start) {
    shift = code.clampedElement(attention.start, *batch,
                                shape.keys - shape.queries);
    keysHere = *shift + shape.queries;
  }

  auto copyOf = [&](const TileShape &tile, Value pointer, Int head,
                    int64_t rows, int64_t heads, int64_t size) {
    return copyOfHead(code, tile, shape, pointer, *batch, head, rows, heads,
                      size);
  };
  // As rows, heads follow each other.
  TileCopy queryCopy =
      rowsAreHeads ? copyOfHead(code, queryTile, shape, attention.q,
                                *batch * shape.kvHeads + *head, code.number(0),
                                numRows, 1, shape.keyDim)
                   : copyOf(queryTile, attention.q, *head, shape.queries,
                            shape.heads, shape.keyDim);
  TileCopy keyCopy = copyOf(keyTile, attention.k, kvHead, shape.keys,
                            shape.kvHeads, shape.keyDim);
  TileCopy valueCopy = copyOf(valueTile, attention.v, kvHead, shape.keys,
                              shape.kvHeads, shape.valueDim);
  Int zero = code.number(0);
  TileFragments queries(code, queryTile, Side::Left, /*alongDepth=*/true,
                        code.warp * (kGroupSize * tiles.queryGroups),
                        tiles.queryGroups);
  TileFragments keys(code, keyTile, Side::Right, /*alongDepth=*/true, zero,
                     keyGroups);
  TileFragments values(code, valueTile, Side::Right, /*alongDepth=*/false, zero,
                       valueGroups);

  // Tiles that all rows see, and those that some see.
  Int lastRow =
      code.min(*firstRow + (tiles.queries() - 1), code.number(numRows - 1));
  Int firstTile = zero, fullTiles = visibleKeys(*firstRow) / tiles.keys;
  Int someTiles = (visibleKeys(lastRow) + (tiles.keys - 1)) / tiles.keys;
  if (tiles.splits > 1) {
    Int perSplit = (someTiles + (tiles.splits - 1)) / tiles.splits;
    firstTile = code.min(*split * perSplit, someTiles);
    someTiles = code.min(firstTile + perSplit, someTiles);
    fullTiles = code.min(fullTiles, someTiles);
    fullTiles = firstTile + code.subtractOrZero(fullTiles, firstTile);
  }

  auto copyTile = [&](Int tile, Int stage) {
    Value to = stageAt(stage);
    std::optional<Int> limit;
    if (attention.start)
      limit = keysHere;
    keyCopy.issue(tile * tiles.keys, zero, to, limit);
    valueCopy.issue(tile * tiles.keys, zero, code.offset(to, keyTile.bytes()),
                    limit);
  };
  queryCopy.issue(*firstRow, zero, code.shared);
  for (int64_t stage = 0; stage < ahead; ++stage) {
    code.ifTrue(code.isLess(firstTile + stage, someTiles),
                [&] { copyTile(firstTile + stage, code.number(stage)); });
    code.commitCopies();
  }
  auto addTiles = [&](Int from, Int to, bool isMasked, Registers state) {
    return code.loop(from, to, 1, state, [&](Int tile, ValueRange carried) {
      Int filled = code.asInt(carried[carried.size() - 2]);
      Int free = code.asInt(carried.back());
      code.waitForCopies(ahead - 1);
      if (tiles.warpGroups)
        fenceForWarpGroups(code);
      code.barrier();
      code.ifTrue(code.isLess(tile + ahead, someTiles),
                  [&] { copyTile(tile + ahead, free); });
      code.commitCopies();
      Registers state =
          addTile(queries, keys, values, filled, tile * tiles.keys, isMasked,
                  carried.drop_back(2));
      state.append({code.nextStage(filled, tiles.stages).value,
                    code.nextStage(free, tiles.stages).value});
      return state;
    });
  };
  Registers state = emptyState();
  state.append({zero.value, code.number(ahead).value});
  state = addTiles(firstTile, fullTiles, /*isMasked=*/false, state);
  state = addTiles(fullTiles, someTiles, /*isMasked=*/true, state);
  // All have read the queries, which the output may lie over.
  code.waitForCopies(0);
  code.barrier();
  state.pop_back_n(2);
  if (tiles.warpGroups)
    waitForWarpGroup(code, 0,
                     MutableArrayRef<Value>(state).take_front(numOutputs()));
  if (tiles.splits == 1)
    return finish(state);
  Int place = *tile * tiles.splits + *split;
  storeState(state,
             code.offsetWide(attention.scratch,
                             code.wide(place, tiles.queries() * stateBytes())));
  code.ifTrue(
      code.isLastToArrive(code.arrivals(numTiles()), *tile, tiles.splits),
      [&] { mergeStates(); });
}

Registers ForwardBuilder::scoresOf(const TileFragments &queries,
                                   const TileFragments &keys,
                                   Value keyTile) const {
  Registers scores(numScores(), code.f32(0));
  multiplyTiles(
      code, tiles.queryGroups, keyGroups, keySteps,
      [&](int64_t row, int64_t step) {
        return queries.load(code.shared, row, step);
      },
      [&](int64_t group, int64_t step) {
        return keys.load(keyTile, group, step);
      },
      scores);
  return scores;
}

/// Lane 4 g + t has keys 2 t and 2 t + 1 of each eight.
void ForwardBuilder::maskScores(MutableArrayRef<Value> scores,
                                Int firstKey) const {
  Int key = firstKey + code.lane % 4 * 2;
  forRows([&](int64_t half, Int row) {
    Int seen = visibleKeys(*firstRow + row);
    for (int64_t eight = 0; eight < 2 * keyGroups; ++eight)
      for (int64_t i = 0; i < 2; ++i) {
        Value &score =
            scores[half / 2 * keyGroups * 8 + eight * 4 + half % 2 * 2 + i];
        score = code.select(code.isLess(key + (eight * 8 + i), seen), score,
                            softmax.unseen());
      }
  });
}

Registers ForwardBuilder::addTile(const TileFragments &queries,
                                  const TileFragments &keys,
                                  const TileFragments &values, Int stage,
                                  Int firstKey, bool isMasked,
                                  ValueRange carried) const {
  Value keyAt = stageAt(stage), valueAt = code.offset(keyAt, keyTile.bytes());
  Registers state(carried);
  Registers scores;
  MutableArrayRef<Value> outputs =
      MutableArrayRef<Value>(state).take_front(numOutputs());
  if (tiles.warpGroups) {
    WarpGroupOperand left(code, queryTile, /*alongDepth=*/true, code.shared,
                          code.warp / 4 * kWarpGroupRows);
    WarpGroupOperand right(code, keyTile, /*alongDepth=*/true, keyAt,
                           code.number(0));
    scores.resize(numScores());
    multiplyAdd(code, left, right, keySteps, tiles.keys, scores,
                /*fresh=*/true);
    // The outputs so far, too.
    scores.append(outputs.begin(), outputs.end());
    waitForWarpGroup(code, 0, scores);
    llvm::copy(ArrayRef<Value>(scores).drop_front(numScores()),
               outputs.begin());
    scores.truncate(numScores());
  } else {
    scores = scoresOf(queries, keys, keyAt);
  }
  if (isMasked)
    maskScores(scores, firstKey);
  for (int64_t half = 0; half < 2 * tiles.queryGroups; ++half) {
    // What this lane has of a row.
    auto rowOf = [&](int64_t groups, auto action) {
      for (int64_t eight = 0; eight < 2 * groups; ++eight)
        for (int64_t i = 0; i < 2; ++i)
          action(half / 2 * groups * 8 + eight * 4 + half % 2 * 2 + i);
    };
    Registers row;
    rowOf(keyGroups, [&](int64_t at) { row.push_back(scores[at]); });
    Value *saved = &state[numOutputs() + 2 * half];
    MmaSoftmax::State rowState{saved[0], saved[1]};
    Value factor = softmax.add(rowState, row);
    saved[0] = rowState.max;
    saved[1] = rowState.sum;
    auto weight = row.begin();
    rowOf(keyGroups, [&](int64_t at) { scores[at] = *weight++; });
    rowOf(valueGroups,
          [&](int64_t at) { state[at] = code.mul(state[at], factor); });
  }
  if (tiles.warpGroups) {
    SmallVector<MmaOperand> left;
    for (int64_t step = 0; step < valueSteps; ++step)
      left.push_back(code.operandOfSums(scores, step, /*isBf16=*/true));
    WarpGroupOperand right(code, valueTile, /*alongDepth=*/false, valueAt,
                           code.number(0));
    multiplyAdd(code, left, right, valueGroups * kGroupSize, outputs);
  } else {
    addOutputs(outputs, scores, values, valueAt);
  }
  return state;
}

void ForwardBuilder::addOutputs(MutableArrayRef<Value> outputs,
                                ArrayRef<Value> weights,
                                const TileFragments &values,
                                Value valueTile) const {
  multiplyTiles(
      code, tiles.queryGroups, valueGroups, valueSteps,
      [&](int64_t row, int64_t step) {
        return code.operandOfSums(
            weights.slice(row * keyGroups * 8, keyGroups * 8), step,
            shape.isBf16);
      },
      [&](int64_t group, int64_t step) {
        return values.load(valueTile, group, step);
      },
      outputs);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void ForwardBuilder::forRows(function_ref<void(int64_t, Int)> body) const {
  for (int64_t half = 0; half < 2 * tiles.queryGroups; ++half)
    body(half, code.warp * (kGroupSize * tiles.queryGroups) + code.lane / 4 +
                   half * 8);
}

Value ForwardBuilder::rowOffset(Int row, int64_t headBytes) const {
  Int inTensor = *firstRow + row;
  if (rowsAreHeads)
    return code.addWide(
        code.wide(*batch * shape.kvHeads + *head, shape.group() * headBytes),
        code.wide(inTensor, headBytes));
  Value rows =
      code.addWide(code.wide(*batch, shape.queries), code.wide(inTensor, 1));
  return code.addWide(code.mulWide(rows, shape.heads * headBytes),
                      code.wide(*head, headBytes));
}

Value ForwardBuilder::isRow(Int row) const {
  if (numRows % tiles.queries() == 0)
    return {};
  return code.isLess(*firstRow + row, code.number(numRows));
}

void ForwardBuilder::finish(ValueRange state) const {
  forRows([&](int64_t half, Int row) {
    MmaSoftmax::State rowState{state[numOutputs() + 2 * half],
                               state[numOutputs() + 2 * half + 1]};
    Value inverse = softmax.inverse(rowState);
    code.ifTrue(isRow(row), [&] {
      if (attention.output) {
        Value start = code.offsetWide(attention.output,
                                      rowOffset(row, shape.valueDim * bytes));
        for (int64_t eight = 0; eight < 2 * valueGroups; ++eight) {
          ValueRange pair = state.slice(
              half / 2 * valueGroups * 8 + eight * 4 + half % 2 * 2, 2);
          code.storePair(
              start, code.number(eight * 8), shape.valueDim,
              /*mayEndBefore=*/(eight + 1) * 8 > shape.valueDim,
              {code.mul(pair[0], inverse), code.mul(pair[1], inverse)},
              shape.isBf16);
        }
      }
      if (attention.lse)
        code.ifTrue(code.isEqual(code.lane % 4, code.number(0)), [&] {
          code.store(softmax.logSumExp(rowState),
                     code.offsetWide(attention.lse, rowOffset(row, 4)), 4);
        });
    });
  });
}

void ForwardBuilder::storeState(ValueRange state, Value to) const {
  forRows([&](int64_t half, Int row) {
    MmaSoftmax::State rowState{state[numOutputs() + 2 * half],
                               state[numOutputs() + 2 * half + 1]};
    softmax.inverse(rowState);
    Value start = code.offset(to, row * stateBytes());
    for (int64_t eight = 0; eight < 2 * valueGroups; ++eight) {
      ValueRange pair =
          state.slice(half / 2 * valueGroups * 8 + eight * 4 + half % 2 * 2, 2);
      code.storePair(start, code.number(eight * 8), stateColumns(),
                     /*mayEndBefore=*/false, {pair[0], pair[1]},
                     /*isBf16=*/false);
    }
    code.ifTrue(code.isEqual(code.lane % 4, code.number(0)), [&] {
      code.store(code.vectorOf({rowState.max, rowState.sum}),
                 code.offset(start, 4 * stateColumns()), 8);
    });
  });
}

// A warp merges one row after the other, its lanes beside each other.
void ForwardBuilder::mergeStates() const {
  Type f32 = code.f32(), pair = VectorType::get({2}, f32);
  Value states = code.offsetWide(
      attention.scratch,
      code.wide(*tile, tiles.splits * tiles.queries() * stateBytes()));
  auto stateOf = [&](Int split, Int row) {
    return code.offset(states, (split * tiles.queries() + row) * stateBytes());
  };
  Int zero = code.number(0), splits = code.number(tiles.splits);
  int64_t perLane = divideCeil(stateColumns(), 32);
  code.loop(
      code.warp, code.number(tiles.queries()), tiles.warps, {},
      [&](Int row, ValueRange) {
        auto numbersOf = [&](Int split) {
          return code.elementsOf(code.load(
              code.offset(stateOf(split, row), 4 * stateColumns()), pair, 8));
        };
        Value max = code.loop(zero, splits, 1, softmax.empty().max,
                              [&](Int split, ValueRange carried) {
                                return Registers{
                                    code.max(carried[0], numbersOf(split)[0])};
                              })[0];
        Registers sums(perLane + 1, code.f32(0));
        sums = code.loop(
            zero, splits, 1, sums, [&](Int split, ValueRange carried) {
              Registers numbers = numbersOf(split), next;
              Value factor = softmax.factor(numbers[0], max);
              next.push_back(code.fma(numbers[1], factor, carried[0]));
              for (int64_t i = 0; i < perLane; ++i) {
                // Lanes behind the last column repeat it.
                Int column = code.min(code.lane + i * 32,
                                      code.number(stateColumns() - 1));
                Value value = code.load(
                    code.offset(stateOf(split, row), column * 4), f32, 4);
                next.push_back(code.fma(value, factor, carried[1 + i]));
              }
              return next;
            });
        MmaSoftmax::State state{max, sums[0]};
        Value inverse = softmax.inverseOfSum(state.sum);
        code.ifTrue(isRow(row), [&] {
          if (attention.output)
            for (int64_t i = 0; i < perLane; ++i) {
              Int column = code.lane + i * 32;
              code.ifTrue(
                  code.isLess(column, code.number(shape.valueDim)), [&] {
                    Value value = code.mul(sums[1 + i], inverse);
                    Value at = code.offset(
                        code.offsetWide(attention.output,
                                        rowOffset(row, shape.valueDim * bytes)),
                        column * bytes);
                    code.store(shape.isBf16 ? code.toBf16(value) : value, at,
                               bytes);
                  });
            }
          if (attention.lse)
            code.ifTrue(code.isEqual(code.lane, zero), [&] {
              code.store(softmax.logSumExp(state),
                         code.offsetWide(attention.lse, rowOffset(row, 4)), 4);
            });
        });
        return Registers();
      });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t sharedBytes(const AttentionShape &shape,
                           const AttentionTiles &tiles) {
  int64_t bytes = shape.elementBytes();
  int64_t keyRow = tileColumns(shape.keyDim, bytes) * bytes;
  int64_t valueRow = tileColumns(shape.valueDim, bytes) * bytes;
  return tiles.queries() * keyRow +
         tiles.stages * tiles.keys * (keyRow + valueRow);
}

bool attnres::nvptx::fitsForward(const AttentionShape &shape,
                                 const AttentionTiles &tiles,
                                 int64_t mostSharedBytes) {
  return tiles.warps > 0 && tiles.queryGroups > 0 && tiles.stages > 1 &&
         tiles.keys > 0 && tiles.keys % kGroupSize == 0 &&
         (!tiles.warpGroups ||
          (shape.isBf16 && tiles.warps % 4 == 0 && tiles.queryGroups == 1 &&
           tiles.stages > 2 && tiles.keys <= kMostInstructionColumns)) &&
         (tiles.splits == 1 || (tiles.splits > 1 && shape.queries == 1)) &&
         tiles.threads() <= 1024 &&
         sharedBytes(shape, tiles) <= mostSharedBytes;
}

AttentionTiles attnres::nvptx::chooseForwardTiles(const AttentionShape &shape,
                                                  int64_t processors,
                                                  bool hasWarpGroups,
                                                  int64_t mostSharedBytes) {
  // Sums of tf32 leave registers for the scores of fewer keys.
  AttentionTiles tiles{4, 1, shape.isBf16 ? 64 : 32, 2, 1};
  // Two groups of queries read keys and values half as often.
  int64_t size = std::max(shape.keyDim, shape.valueDim);
  if (shape.isBf16 && size <= 128 && shape.queries > tiles.queries())
    tiles = {4, 2, size <= 64 ? 64 : 32, 2, 1};
  if (hasWarpGroups && shape.isBf16 && shape.queries > 1)
    tiles = {8, 1, 128, 3, 1, true};
  if (shape.queries == 1) {
    // Reading keys and values is all there is to do: as many blocks as keep
    // memory busy, each with a few tiles.
    int64_t heads = shape.batch * shape.kvHeads * divideCeil(shape.group(), 16);
    tiles.warps = 1;
    tiles.splits = std::clamp<int64_t>(
        divideCeil(2 * processors, std::max<int64_t>(heads, 1)), 1,
        std::max<int64_t>(divideCeil(shape.keys, 4 * tiles.keys), 1));
  }
  while (tiles.keys > kGroupSize && sharedBytes(shape, tiles) > mostSharedBytes)
    tiles.keys /= 2;
  return tiles;
}

GpuLaunch
attnres::nvptx::buildAttentionForward(OpBuilder &builder, Location loc,
                                      const AttentionForward &attention,
                                      const AttentionTiles &tiles) {
  ForwardBuilder work(builder, loc, attention, tiles);
  return buildAttention(work, tiles.threads(),
                        sharedBytes(attention.shape, tiles));
}
