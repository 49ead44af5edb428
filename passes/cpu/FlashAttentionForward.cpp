//===- FlashAttentionForward.cpp - Attention forward on the CPU -----------===//
//
// A work item is one head of one batch row and one or two chunks of its
// queries. Keys (transposed) and values are packed into scratch panels, usually
// one for the whole head. Then every group of queries runs over the panel in
// blocks that fit the first-level cache. A group is some strips of queries, a
// strip as many as a register tile has rows:
//
//   S = Q K^T,  m' = max(m, rowmax S),  P = 2^(c S - c m') with c = scale log2
//   e l = 2^(c m - c m') l + rowsum P,  O = 2^(c m - c m') O + P V
//
// and in the end o = O / l, lse = scale m + ln l. A strip stops at the last key
// that its last query sees; only tiles on the diagonal or at the end of the
// keys are masked. Over a cache, which key that is follows from start[b], and
// nothing behind the last key that any query sees is touched. With documents, a
// group begins at the tile of the first key that any of its queries sees.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/FlashTiles.h"
#include "passes/cpu/VectorAccess.h"
#include "passes/rows/OnlineSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

/// Rows of values between the one that is packed and the one asked for.
constexpr int64_t kPrefetchRows = 16;

class ForwardBuilder {
public:
  ForwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                 const AttentionForwardMemory &memory,
                 const AttentionShape &shape, const CpuTarget &target);
  void build();

private:
  /// Item -> batch row, head and chunk, and everything that follows.
  /// `packed` names the panel that scratch holds; returns the new one.
  Value buildItem(Value item, Value packed);
  void packPanel(Value b, Value kvHead, Value firstKey, Value panelSize);
  /// One group over one panel.
  void buildGroup(Value b, Value head, Value group, Value slot, Value panel,
                  Value firstKey, Value panelSize);
  void initState(Value slot, Value strip);
  void loadQueries(Value b, Value head, Value firstQuery, Value strip);
  void computeScores(Value strip, Value tile, Value column,
                     function_ref<void(Value)> atDepth);
  void prefetchNextItem(Value query, Value d);
  void maskScores(Value strip, Value firstQuery, Value blockFirstKey,
                  Value firstVisible, Value scoreColumns);
  /// Masks the keys before the query's document.
  void maskOtherDocuments(Value b, Value strip, Value firstQuery,
                          Value blockFirstKey, Value scoreColumns);
  void updateSoftmax(Value slot, Value strip, Value scoreColumns);
  void accumulateOutput(Value slot, Value strip, Value blockBegin, Value size,
                        Value tile, int64_t width);
  void finish(Value b, Value head, Value firstQuery, Value slot, Value strip);
  /// The first strip of the group that sees key `key`, if any does.
  Value firstStripSeeing(Value key, Value groupFirstQuery);
  /// The number of keys that query `t` sees.
  Value visibleKeys(Value t);

  KernelFunction &kernel;
  const AttentionForwardMemory &memory;
  const AttentionShape &shape;
  const AttentionTiles &tiles;
  TileBuilder t;
  IndexBuilder &index;
  ColumnTiles valueTiles;

  int64_t panelKeys, panels, blockKeys;
  /// scale is sign * magnitude, magnitude > 0 being the unit of the softmax:
  /// the largest score then has the largest product q k.
  float sign;
  rows::OnlineSoftmax softmax;
  int64_t strips, groups, chunkGroups, chunks, itemsPerHead;
  bool fetchesNextItem;

  // Of the item's batch row.
  Value keys;  ///< how many there are; of a cache, how many any query sees
  Value shift; ///< causal: query t sees the keys up to t + shift
  Value lastPanel;
  /// Of the item after this one, which reads other keys.
  Value nextBatch, nextHead;

  // Scratch, all f32.
  Value keyPanel;   ///< [panelKeys / columns][keyDim][columns], transposed
  Value valuePanel; ///< [value tiles][panelKeys][columns]
  Value queryTile;  ///< [group strips][rows][keyDim rounded up]
  Value scores;     ///< [group strips][rows][blockKeys + pad]: S, then P
  // One slot for every group whose state lives on to the next panel.
  Value outputs; ///< [slots][group strips][rows][padded valueDim], undivided
  Value maxima;  ///< [slots][group strips][lanes], one lane per row
  Value sums;    ///< [slots][group strips][rows][lanes], partial
  Value shifts;  ///< [lanes]: -c m' of this block, 0 where m' = -inf
  Value factors; ///< [group strips][lanes]: 2^(c m - c m'); in the end 1 / l
  Value logs;    ///< [lanes]: lse
};

} // namespace

ForwardBuilder::ForwardBuilder(OpBuilder &builder, Location loc,
                               KernelFunction &kernel,
                               const AttentionForwardMemory &memory,
                               const AttentionShape &shape,
                               const CpuTarget &target)
    : kernel(kernel), memory(memory), shape(shape),
      tiles(target.tiles.attention), t(builder, loc, kernel, target),
      index(t.index), valueTiles(shape.valueDim, t.lanes, t.columns),
      sign((shape.scale > 0) - (shape.scale < 0)),
      softmax(rows::OnlineSoftmax::binary(
          t, shape.scale == 0 ? 1 : std::abs(shape.scale))) {
  int64_t keyBytes =
      4 * (shape.keyDim + llvm::alignTo(shape.valueDim, t.columns));
  int64_t fitting =
      std::max(tiles.panelBytes / keyBytes / tiles.blockKeys * tiles.blockKeys,
               tiles.blockKeys);
  panels = std::max<int64_t>(llvm::divideCeil(shape.keys, fitting), 1);
  panelKeys = std::max<int64_t>(
      llvm::alignTo(llvm::divideCeil(shape.keys, panels), t.columns),
      t.columns);
  blockKeys = std::min(tiles.blockKeys, panelKeys);

  strips = llvm::divideCeil(shape.queries, t.rows);
  groups = llvm::divideCeil(strips, tiles.groupStrips);
  int64_t heads = std::max<int64_t>(shape.batch * shape.heads, 1);
  int64_t wanted =
      std::max<int64_t>(llvm::divideCeil(shape.queries, tiles.itemQueries),
                        llvm::divideCeil(tiles.enoughItems, heads));
  int64_t most = std::max<int64_t>(shape.queries / tiles.fewestItemQueries, 1);
  // A causal item takes a chunk from either end, so that all cost the same.
  int64_t perItem = shape.causal ? 2 : 1;
  chunkGroups = std::max<int64_t>(
      llvm::divideCeil(groups, perItem * std::min(wanted, most)), 1);
  chunks = llvm::divideCeil(groups, chunkGroups);
  itemsPerHead = llvm::divideCeil(chunks, perItem);
  // A short head waits for its memory about as long as it computes.
  fetchesNextItem = itemsPerHead == 1 && panels == 1 && !memory.start &&
                    shape.queries == shape.keys;
}

void ForwardBuilder::build() {
  int64_t grid = shape.batch * shape.heads * itemsPerHead;
  if (grid == 0)
    return finishKernel(kernel, 0);

  int64_t slots = panels > 1 ? (shape.causal ? 2 : 1) * chunkGroups : 1;
  keyPanel = t.scratch({panelKeys / t.columns, shape.keyDim, t.columns});
  int64_t valuePanels = llvm::divideCeil(shape.valueDim, t.columns);
  valuePanel = t.scratch({valuePanels, panelKeys, t.columns});
  int64_t queryWidth = llvm::alignTo(shape.keyDim, t.lanes);
  queryTile = t.scratch({tiles.groupStrips, t.rows, queryWidth});
  // The pad keeps equal columns of the rows in different cache sets.
  scores = t.scratch({tiles.groupStrips, t.rows, blockKeys + t.lanes});
  outputs =
      t.scratch({slots, tiles.groupStrips, t.rows, valueTiles.paddedWidth()});
  maxima = t.scratch({slots, tiles.groupStrips, t.lanes});
  sums = t.scratch({slots, tiles.groupStrips, t.rows, t.lanes});
  shifts = t.scratch({t.lanes});
  factors = t.scratch({tiles.groupStrips, t.lanes});
  logs = t.scratch({t.lanes});

  t.forRange(kernel.begin, kernel.end, 1, {index.constant(-1)},
             [&](Value item, ValueRange packed) -> SmallVector<Value> {
               return {buildItem(item, packed.front())};
             });
  finishKernel(kernel, grid);
}

Value ForwardBuilder::buildItem(Value item, Value packed) {
  Value chunk = index.rem(item, itemsPerHead);
  Value row = index.div(item, itemsPerHead);
  Value head = index.rem(row, shape.heads);
  Value b = index.div(row, shape.heads);
  Value kvHead = index.div(head, shape.heads / shape.kvHeads);
  Value kvRow = index.add(index.mul(b, shape.kvHeads), kvHead);
  keys = index.constant(shape.keys);
  shift = index.constant(shape.keys - shape.queries);
  Value panelsHere = index.constant(panels);
  if (memory.start) {
    shift = loadCacheStart(t, memory.start, b, shape.keys - shape.queries);
    keys = index.add(shift, shape.queries);
    panelsHere = index.div(index.add(keys, panelKeys - 1), panelKeys);
  }
  lastPanel = index.sub(panelsHere, index.constant(1));
  if (fetchesNextItem) {
    Value next = index.min(index.add(row, 1), shape.batch * shape.heads - 1);
    nextBatch = index.div(next, shape.heads);
    nextHead = index.rem(next, shape.heads);
  }

  return t
      .forRange(
          index.constant(0), panelsHere, 1, {packed},
          [&](Value panel, ValueRange packed) -> SmallVector<Value> {
            Value firstKey = index.mul(panel, panelKeys);
            Value panelSize = index.min(index.sub(keys, firstKey), panelKeys);
            // Heads of a group share their keys: pack once for all in a row.
            Value wanted = index.add(index.mul(kvRow, panels), panel);
            if (shape.keys > 0) {
              Value other = arith::CmpIOp::create(t.builder, t.loc,
                                                  arith::CmpIPredicate::ne,
                                                  wanted, packed.front());
              t.ifTrue(other,
                       [&] { packPanel(b, kvHead, firstKey, panelSize); });
            }
            t.forRange(shape.causal ? 2 : 1, [&](Value side) {
              Value sideChunk = chunk;
              if (shape.causal) {
                Value mirrored = index.sub(index.constant(chunks - 1), chunk);
                Value isFirst = t.equal(side, index.constant(0));
                // An odd number of chunks has a middle one without a partner.
                Value alone = t.equal(mirrored, chunk);
                sideChunk =
                    t.select(isFirst, chunk,
                             t.select(alone, index.constant(chunks), mirrored));
              }
              Value firstGroup = index.mul(sideChunk, chunkGroups);
              Value lastGroup =
                  index.min(index.add(firstGroup, chunkGroups), groups);
              t.forRange(firstGroup, lastGroup, 1, [&](Value group) {
                Value slot = index.constant(0);
                if (panels > 1)
                  slot = index.add(index.mul(side, chunkGroups),
                                   index.sub(group, firstGroup));
                buildGroup(b, head, group, slot, panel, firstKey, panelSize);
              });
            });
            return {wanted};
          })
      .front();
}

void ForwardBuilder::packPanel(Value b, Value kvHead, Value firstKey,
                               Value panelSize) {
  Value lastKey = index.sub(keys, index.constant(1));
  Value groups = index.div(t.roundUp(panelSize, t.columns), t.lanes);
  t.forRange(index.constant(0), groups, 1, [&](Value group) {
    Value first = index.add(firstKey, index.mul(group, t.lanes));
    t.packTransposed(
        memory.k,
        [&](int64_t i) -> SmallVector<Value> {
          // Columns beyond the keys repeat the last one; they are masked.
          return {b, index.min(index.add(first, i), lastKey), kvHead};
        },
        shape.keyDim, keyPanel, group);
  });
  t.forRange(index.constant(0), panelSize, 1, [&](Value key) {
    Value next = index.add(index.add(firstKey, key), kPrefetchRows);
    t.prefetchRow(memory.v, {b, index.min(next, lastKey), kvHead},
                  shape.valueDim);
    t.forRowVectors(memory.v, {b, index.add(firstKey, key), kvHead},
                    shape.valueDim, [&](Value column, Value vector, int64_t) {
                      t.store(vector, valuePanel,
                              {index.div(column, t.columns), key,
                               index.rem(column, t.columns)});
                    });
  });
}

Value ForwardBuilder::visibleKeys(Value query) {
  if (!shape.causal)
    return keys;
  Value limit = index.add(query, index.add(shift, 1));
  return index.min(t.positive(limit), keys);
}

Value ForwardBuilder::firstStripSeeing(Value key, Value groupFirstQuery) {
  if (!shape.causal)
    return index.constant(0);
  // The first query that sees the key, counted from the group's first one.
  Value query = index.sub(index.sub(key, shift), groupFirstQuery);
  return index.div(t.positive(query), t.rows);
}

void ForwardBuilder::buildGroup(Value b, Value head, Value group, Value slot,
                                Value panel, Value firstKey, Value panelSize) {
  Value zero = index.constant(0);
  Value groupFirstQuery = index.mul(group, tiles.groupStrips * t.rows);
  Value stripsHere = index.min(
      index.sub(index.constant(strips), index.mul(group, tiles.groupStrips)),
      tiles.groupStrips);
  auto firstQueryOf = [&](Value strip) {
    return index.add(groupFirstQuery, index.mul(strip, t.rows));
  };
  // The keys of this panel that the last query of a strip sees.
  auto endOf = [&](Value strip) {
    Value lastQuery = index.add(firstQueryOf(strip), t.rows - 1);
    return index.min(t.positive(index.sub(visibleKeys(lastQuery), firstKey)),
                     panelSize);
  };

  t.forRange(zero, stripsHere, 1, [&](Value strip) {
    if (panels > 1)
      t.ifTrue(t.equal(panel, zero), [&] { initState(slot, strip); });
    else
      initState(slot, strip);
    loadQueries(b, head, firstQueryOf(strip), strip);
  });

  Value begin = zero;
  if (memory.documents) {
    Value groupEnd =
        index.min(index.add(groupFirstQuery, index.mul(stripsHere, t.rows)),
                  index.constant(shape.queries));
    Value first =
        leastDocument(t, memory.documents, b, groupFirstQuery, groupEnd);
    begin = t.roundDown(t.positive(index.sub(first, firstKey)), t.columns);
  }
  Value end = endOf(index.sub(stripsHere, index.constant(1)));
  t.forRange(begin, end, blockKeys, [&](Value blockBegin) {
    Value blockFirstKey = index.add(firstKey, blockBegin);
    auto sizeOf = [&](Value strip) {
      return index.min(index.sub(endOf(strip), blockBegin), blockKeys);
    };
    Value size = index.min(index.sub(end, blockBegin), blockKeys);
    t.forRange(zero, size, t.columns, [&](Value column) {
      Value tile = index.div(index.add(blockBegin, column), t.columns);
      Value first =
          firstStripSeeing(index.add(blockFirstKey, column), groupFirstQuery);
      auto computeAll = [&](bool fetches) {
        t.forRange(first, stripsHere, 1, [&](Value strip) {
          computeScores(strip, tile, column, [&](Value d) {
            if (fetches)
              prefetchNextItem(firstQueryOf(strip), d);
          });
        });
      };
      if (!fetchesNextItem)
        return computeAll(false);
      // Every strip sees the first keys.
      Value isFirst = t.equal(index.add(blockFirstKey, column), zero);
      t.ifElse(
          isFirst, [&] { computeAll(true); }, [&] { computeAll(false); });
    });

    Value first = firstStripSeeing(blockFirstKey, groupFirstQuery);
    t.forRange(first, stripsHere, 1, [&](Value strip) {
      Value scoreColumns = t.roundUp(sizeOf(strip), t.columns);
      Value firstQuery = firstQueryOf(strip);
      Value firstVisible = visibleKeys(firstQuery);
      Value masked =
          t.less(firstVisible, index.add(blockFirstKey, scoreColumns));
      t.ifTrue(masked, [&] {
        maskScores(strip, firstQuery, blockFirstKey, firstVisible,
                   scoreColumns);
      });
      if (memory.documents)
        maskOtherDocuments(b, strip, firstQuery, blockFirstKey, scoreColumns);
      updateSoftmax(slot, strip, scoreColumns);
    });
    t.forColumnTiles(valueTiles, [&](Value tile, int64_t width) {
      t.forRange(first, stripsHere, 1, [&](Value strip) {
        accumulateOutput(slot, strip, blockBegin, sizeOf(strip), tile, width);
      });
    });
  });

  auto finishAll = [&] {
    t.forRange(zero, stripsHere, 1, [&](Value strip) {
      finish(b, head, firstQueryOf(strip), slot, strip);
    });
  };
  if (panels > 1)
    t.ifTrue(t.equal(panel, lastPanel), finishAll);
  else
    finishAll();
}

void ForwardBuilder::initState(Value slot, Value strip) {
  Value zero = index.constant(0);
  Value none = t.splat(0.0f, t.lanes);
  t.store(t.splat(-kInfinity, t.lanes), maxima, {slot, strip, zero});
  t.forRange(t.rows, [&](Value row) {
    t.store(none, sums, {slot, strip, row, zero});
    t.forRegisters(valueTiles.paddedWidth(), [&](Value column) {
      t.store(none, outputs, {slot, strip, row, column});
    });
  });
}

void ForwardBuilder::loadQueries(Value b, Value head, Value firstQuery,
                                 Value strip) {
  Value factor = t.splat(sign, t.lanes);
  t.forRange(t.rows, [&](Value row) {
    // Rows beyond the queries repeat the last one; they are never stored.
    Value query = index.min(index.add(firstQuery, row), shape.queries - 1);
    Value next = index.min(index.add(query, tiles.groupStrips * t.rows),
                           shape.queries - 1);
    t.prefetchRow(memory.q, {b, next, head}, shape.keyDim);
    t.forRowVectors(
        memory.q, {b, query, head}, shape.keyDim,
        [&](Value column, Value vector, int64_t) {
          t.store(t.mul(vector, factor), queryTile, {strip, row, column});
        });
  });
}

/// Asks for what the next item reads in the places of a strip's queries, a line
/// of each operand at step `d` of the scores.
void ForwardBuilder::prefetchNextItem(Value query, Value d) {
  auto type = cast<MemRefType>(memory.k.getType());
  int64_t perLine = 64 * 8 / type.getElementTypeBitWidth();
  auto fetch = [&](Value memref, Value head, int64_t width) {
    int64_t lines = llvm::divideCeil(width, perLine);
    Value row = index.min(index.add(query, index.div(d, lines)),
                          index.constant(shape.queries - 1));
    prefetch(t.builder, t.loc, memref,
             {nextBatch, row, head, index.mul(index.rem(d, lines), perLine)});
  };
  Value kvHead = index.div(nextHead, shape.heads / shape.kvHeads);
  fetch(memory.q, nextHead, shape.keyDim);
  fetch(memory.k, kvHead, shape.keyDim);
  fetch(memory.v, kvHead, shape.valueDim);
}

void ForwardBuilder::computeScores(Value strip, Value tile, Value column,
                                   function_ref<void(Value)> atDepth) {
  Value zero = index.constant(0);
  SmallVector<Value> s = t.product(
      t.zeroTile(t.columns), zero, index.constant(shape.keyDim),
      [&](int64_t row, Value d) -> Value {
        return memref::LoadOp::create(
            t.builder, t.loc, queryTile,
            ValueRange{strip, index.constant(row), d});
      },
      [&](Value d) {
        atDepth(d);
        return t.load(keyPanel, {tile, d, zero}, t.columns);
      });
  for (auto [row, vector] : llvm::enumerate(s))
    t.store(vector, scores, {strip, index.constant(row), column});
}

void ForwardBuilder::maskScores(Value strip, Value firstQuery,
                                Value blockFirstKey, Value firstVisible,
                                Value scoreColumns) {
  Value from = t.roundDown(t.positive(index.sub(firstVisible, blockFirstKey)),
                           t.columns);
  t.forRange(t.rows, [&](Value row) {
    Value limit =
        index.sub(visibleKeys(index.add(firstQuery, row)), blockFirstKey);
    t.forRange(from, scoreColumns, t.columns, [&](Value column) {
      Value s = t.load(scores, {strip, row, column}, t.columns);
      t.store(t.keepBelow(s, column, limit, -kInfinity), scores,
              {strip, row, column});
    });
  });
}

void ForwardBuilder::maskOtherDocuments(Value b, Value strip, Value firstQuery,
                                        Value blockFirstKey,
                                        Value scoreColumns) {
  t.forRange(t.rows, [&](Value row) {
    // Rows beyond the queries repeat the last one.
    Value query = index.min(index.add(firstQuery, row), shape.queries - 1);
    Value first = t.positive(
        index.sub(loadDocument(t, memory.documents, b, query), blockFirstKey));
    Value end = index.min(t.roundUp(first, t.columns), scoreColumns);
    t.forRange(index.constant(0), end, t.columns, [&](Value column) {
      Value s = t.load(scores, {strip, row, column}, t.columns);
      t.store(t.keepFrom(s, column, first, -kInfinity), scores,
              {strip, row, column});
    });
  });
}

void ForwardBuilder::updateSoftmax(Value slot, Value strip,
                                   Value scoreColumns) {
  Value zero = index.constant(0);
  Value lowest = t.splat(-kInfinity, t.lanes);
  SmallVector<Value> rowMaxima = t.forRange(
      zero, scoreColumns, t.lanes, SmallVector<Value>(t.rows, lowest),
      [&](Value column, ValueRange carried) {
        SmallVector<Value> next;
        for (auto [row, maximum] : llvm::enumerate(carried)) {
          Value s =
              t.load(scores, {strip, index.constant(row), column}, t.lanes);
          next.push_back(t.max(maximum, s));
        }
        return next;
      });
  Value blockMax =
      t.reduceRows(rowMaxima, [&](Value a, Value b) { return t.max(a, b); });
  Value before = t.load(maxima, {slot, strip, zero}, t.lanes);
  auto [after, shift, factor] = softmax.raise(before, blockMax);
  t.store(after, maxima, {slot, strip, zero});
  t.store(shift, shifts, {zero});
  t.store(factor, factors, {strip, zero});

  t.forRange(t.rows, [&](Value row) {
    Value shift = t.loadBroadcast(shifts, {row}, t.columns);
    SmallVector<Value> sum =
        t.forRange(zero, scoreColumns, t.columns, {t.splat(0.0f, t.columns)},
                   [&](Value column, ValueRange carried) -> SmallVector<Value> {
                     Value s = t.load(scores, {strip, row, column}, t.columns);
                     Value p = softmax.weightOf(s, shift);
                     t.store(p, scores, {strip, row, column});
                     return {t.add(carried.front(), p)};
                   });
    Value factor = t.loadBroadcast(factors, {strip, row}, t.lanes);
    Value old = t.load(sums, {slot, strip, row, zero}, t.lanes);
    t.store(t.fma(old, factor, t.sumRegisters(sum.front())), sums,
            {slot, strip, row, zero});
  });
}

void ForwardBuilder::accumulateOutput(Value slot, Value strip, Value blockBegin,
                                      Value size, Value tile, int64_t width) {
  Value zero = index.constant(0);
  Value column = index.mul(tile, t.columns);
  SmallVector<Value> acc;
  for (int64_t i = 0; i < t.rows; ++i) {
    Value row = index.constant(i);
    acc.push_back(t.mul(t.load(outputs, {slot, strip, row, column}, width),
                        t.loadBroadcast(factors, {strip, row}, width)));
  }
  acc = t.product(
      acc, zero, size,
      [&](int64_t row, Value key) -> Value {
        return memref::LoadOp::create(
            t.builder, t.loc, scores,
            ValueRange{strip, index.constant(row), key});
      },
      [&](Value key) {
        return t.load(valuePanel, {tile, index.add(blockBegin, key), zero},
                      width);
      });
  for (auto [row, vector] : llvm::enumerate(acc))
    t.store(vector, outputs, {slot, strip, index.constant(row), column});
}

void ForwardBuilder::finish(Value b, Value head, Value firstQuery, Value slot,
                            Value strip) {
  Value zero = index.constant(0);
  SmallVector<Value> partial;
  for (int64_t row = 0; row < t.rows; ++row)
    partial.push_back(
        t.load(sums, {slot, strip, index.constant(row), zero}, t.lanes));
  Value l =
      t.reduceRows(partial, [&](Value a, Value b) { return t.add(a, b); });
  Value m = t.load(maxima, {slot, strip, zero}, t.lanes);
  t.store(softmax.inverseOf(l), factors, {strip, zero});
  t.store(softmax.lseOf(m, l), logs, {zero});

  Value valid =
      index.min(index.sub(index.constant(shape.queries), firstQuery), t.rows);
  t.forRange(zero, valid, 1, [&](Value row) {
    Value query = index.add(firstQuery, row);
    Value factor = t.loadBroadcast(factors, {strip, row}, t.lanes);
    if (memory.output)
      t.forRowVectors(outputs, {slot, strip, row}, shape.valueDim,
                      [&](Value column, Value vector, int64_t valid) {
                        t.store(t.mul(vector, factor), memory.output,
                                {b, query, head, column}, valid);
                      });
    if (memory.lse) {
      Value value =
          memref::LoadOp::create(t.builder, t.loc, logs, ValueRange{row});
      memref::StoreOp::create(t.builder, t.loc, value, memory.lse,
                              ValueRange{b, query, head});
    }
  });
}

void attnres::cpu::buildAttentionForward(OpBuilder &builder, Location loc,
                                         KernelFunction &kernel,
                                         const AttentionForwardMemory &memory,
                                         const AttentionShape &shape,
                                         const CpuTarget &target) {
  ForwardBuilder(builder, loc, kernel, memory, shape, target).build();
}
