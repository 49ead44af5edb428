//===- FlashAttentionForward.cpp - Attention forward on the CPU -----------===//
//
// A work item is one head of one batch row and one or two chunks of its
// queries. Keys (transposed) and values are packed into scratch panels that fit
// the second-level cache. Then every strip of queries (as many as a register
// tile has rows) runs over the panel in blocks:
//
//   S = Q K^T          Q scaled by scale * log2(e), so that P = 2^(S - m)
//   m' = max(m, rowmax S),  P = 2^(S - m'),  l = 2^(m - m') l + rowsum P
//   O = 2^(m - m') O + P V
//
// and in the end o = O / l, lse = m ln 2 + ln l. A strip stops at the last key
// that its last query sees; only tiles on the diagonal or at the end of the
// keys are masked.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/FlashTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres::cpu;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Bytes of packed keys and values: half of a usual second-level cache.
constexpr int64_t kPanelBytes = 1 << 20;
/// Keys in a block of scores: with the strip's rows half of a first-level
/// cache.
constexpr int64_t kBlockKeys = 256;
/// A head is cut into chunks of at least this many queries, as long as there
/// are fewer items than this.
constexpr int64_t kMinChunkQueries = 192;
constexpr int64_t kEnoughItems = 64;

class ForwardBuilder {
public:
  ForwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                 const AttentionShape &shape, const CpuTarget &target);
  void build();

private:
  /// Item -> batch row, head and chunk, and everything that follows.
  /// `packed` names the panel that scratch holds; returns the new one.
  Value buildItem(Value item, Value packed);
  void packPanel(Value b, Value kvHead, Value firstKey, Value panelSize);
  /// One strip over one panel.
  void buildStrip(Value b, Value head, Value strip, Value slot, Value panel,
                  Value firstKey, Value panelSize);
  void initState(Value slot);
  void loadQueries(Value b, Value head, Value firstQuery);
  void computeScores(Value blockBegin, Value scoreColumns);
  void maskScores(Value firstQuery, Value blockFirstKey, Value firstVisible,
                  Value scoreColumns);
  void updateSoftmax(Value slot, Value scoreColumns);
  void accumulateOutput(Value slot, Value blockBegin, Value size);
  void finish(Value b, Value head, Value firstQuery, Value slot);
  /// The number of keys that query `t` sees.
  Value visibleKeys(Value t);

  Value q() { return kernel.inputs[0]; }
  Value k() { return kernel.inputs[1]; }
  Value v() { return kernel.inputs[2]; }
  Value o() { return kernel.outputs[0]; }
  Value lse() { return kernel.outputs[1]; }

  KernelFunction &kernel;
  const AttentionShape &shape;
  TileBuilder t;
  IndexBuilder &index;
  ColumnTiles valueTiles;

  int64_t panelKeys, panels, blockKeys;
  int64_t strips, chunkStrips, chunks, itemsPerHead;

  // Scratch, all f32.
  Value keyPanel;   ///< [panelKeys / columns][keyDim][columns], transposed
  Value valuePanel; ///< [value tiles][panelKeys][columns]
  Value queryTile;  ///< [rows][keyDim rounded up], scaled
  Value scores;     ///< [rows][blockKeys + pad]: S, then P
  Value outputs;    ///< [slots][rows][padded valueDim], not divided yet
  Value maxima;     ///< [slots][lanes], one lane per row
  Value sums;       ///< [slots][rows][lanes], partial
  Value shifts;     ///< [lanes]: m' of this block, 0 for -inf
  Value factors;    ///< [lanes]: 2^(m - m'); in the end 1 / l
  Value logs;       ///< [lanes]: lse
};

} // namespace

ForwardBuilder::ForwardBuilder(OpBuilder &builder, Location loc,
                               KernelFunction &kernel,
                               const AttentionShape &shape,
                               const CpuTarget &target)
    : kernel(kernel), shape(shape), t(builder, loc, kernel, target),
      index(t.index), valueTiles(shape.valueDim, t.lanes, t.columns) {
  int64_t keyBytes =
      4 * (shape.keyDim + llvm::alignTo(shape.valueDim, t.columns));
  int64_t fitting =
      std::max(kPanelBytes / keyBytes / kBlockKeys * kBlockKeys, kBlockKeys);
  panels = std::max<int64_t>(llvm::divideCeil(shape.keys, fitting), 1);
  panelKeys = std::max<int64_t>(
      llvm::alignTo(llvm::divideCeil(shape.keys, panels), t.columns),
      t.columns);
  blockKeys = std::min(kBlockKeys, panelKeys);

  strips = llvm::divideCeil(shape.queries, t.rows);
  int64_t heads = std::max<int64_t>(shape.batch * shape.heads, 1);
  // A causal item takes a chunk from either end, so that all cost the same.
  int64_t perItem = shape.causal ? 2 : 1;
  int64_t wanted = perItem * llvm::divideCeil(kEnoughItems, heads);
  int64_t least = llvm::divideCeil(kMinChunkQueries, t.rows);
  chunkStrips = llvm::divideCeil(strips, wanted);
  chunkStrips = std::max<int64_t>(
      std::min(std::max(chunkStrips, least), strips), 1);
  chunks = llvm::divideCeil(strips, chunkStrips);
  itemsPerHead = llvm::divideCeil(chunks, perItem);
}

void ForwardBuilder::build() {
  int64_t grid = shape.batch * shape.heads * itemsPerHead;
  if (grid == 0)
    return finishKernel(kernel, 0);

  int64_t slots = panels > 1 ? (shape.causal ? 2 : 1) * chunkStrips : 1;
  keyPanel = t.scratch({panelKeys / t.columns, shape.keyDim, t.columns});
  int64_t valuePanels = llvm::divideCeil(shape.valueDim, t.columns);
  valuePanel = t.scratch({valuePanels, panelKeys, t.columns});
  int64_t queryWidth = llvm::alignTo(shape.keyDim, t.lanes);
  queryTile = t.scratch({t.rows, queryWidth});
  // The pad keeps equal columns of the rows in different cache sets.
  scores = t.scratch({t.rows, blockKeys + t.lanes});
  outputs = t.scratch({slots, t.rows, valueTiles.paddedWidth()});
  maxima = t.scratch({slots, t.lanes});
  sums = t.scratch({slots, t.rows, t.lanes});
  shifts = t.scratch({t.lanes});
  factors = t.scratch({t.lanes});
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

  return t
      .forRange(
          index.constant(0), index.constant(panels), 1, {packed},
          [&](Value panel, ValueRange packed) -> SmallVector<Value> {
            Value firstKey = index.mul(panel, panelKeys);
            Value panelSize =
                index.min(index.sub(index.constant(shape.keys), firstKey),
                          panelKeys);
            // Heads of a group share their keys: pack once for all in a row.
            Value wanted = index.add(index.mul(kvRow, panels), panel);
            if (shape.keys > 0) {
              Value other = arith::CmpIOp::create(
                  t.builder, t.loc, arith::CmpIPredicate::ne, wanted,
                  packed.front());
              t.ifTrue(other,
                       [&] { packPanel(b, kvHead, firstKey, panelSize); });
            }
            t.forRange(shape.causal ? 2 : 1, [&](Value side) {
              Value sideChunk = chunk;
              if (shape.causal) {
                Value mirrored =
                    index.sub(index.constant(chunks - 1), chunk);
                Value isFirst = t.equal(side, index.constant(0));
                // An odd number of chunks has a middle one without a partner.
                Value alone = t.equal(mirrored, chunk);
                sideChunk = t.select(
                    isFirst, chunk,
                    t.select(alone, index.constant(chunks), mirrored));
              }
              Value firstStrip = index.mul(sideChunk, chunkStrips);
              Value lastStrip =
                  index.min(index.add(firstStrip, chunkStrips), strips);
              t.forRange(firstStrip, lastStrip, 1, [&](Value strip) {
                Value slot = index.constant(0);
                if (panels > 1)
                  slot = index.add(index.mul(side, chunkStrips),
                                   index.sub(strip, firstStrip));
                buildStrip(b, head, strip, slot, panel, firstKey, panelSize);
              });
            });
            return {wanted};
          })
      .front();
}

void ForwardBuilder::packPanel(Value b, Value kvHead, Value firstKey,
                               Value panelSize) {
  Value lastKey = index.constant(shape.keys - 1);
  Value groups = index.div(t.roundUp(panelSize, t.columns), t.lanes);
  t.forRange(index.constant(0), groups, 1, [&](Value group) {
    Value first = index.add(firstKey, index.mul(group, t.lanes));
    t.packTransposed(
        k(),
        [&](int64_t i) -> SmallVector<Value> {
          // Columns beyond the keys repeat the last one; they are masked.
          return {b, index.min(index.add(first, i), lastKey), kvHead};
        },
        shape.keyDim, keyPanel, group);
  });
  t.forRange(index.constant(0), panelSize, 1, [&](Value key) {
    t.forRowVectors(v(), {b, index.add(firstKey, key), kvHead}, shape.valueDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, valuePanel,
                              {index.div(column, t.columns), key,
                               index.rem(column, t.columns)});
                    });
  });
}

Value ForwardBuilder::visibleKeys(Value query) {
  if (!shape.causal)
    return index.constant(shape.keys);
  Value limit = index.add(query, shape.keys - shape.queries + 1);
  return index.min(t.positive(limit), shape.keys);
}

void ForwardBuilder::buildStrip(Value b, Value head, Value strip, Value slot,
                                Value panel, Value firstKey, Value panelSize) {
  Value firstQuery = index.mul(strip, t.rows);
  Value lastQuery = index.add(firstQuery, t.rows - 1);
  Value firstVisible = visibleKeys(firstQuery);
  Value end = index.min(
      t.positive(index.sub(visibleKeys(lastQuery), firstKey)), panelSize);

  if (panels > 1)
    t.ifTrue(t.equal(panel, index.constant(0)), [&] { initState(slot); });
  else
    initState(slot);
  loadQueries(b, head, firstQuery);

  t.forRange(index.constant(0), end, blockKeys, [&](Value blockBegin) {
    Value size = index.min(index.sub(end, blockBegin), blockKeys);
    Value scoreColumns = t.roundUp(size, t.columns);
    Value blockFirstKey = index.add(firstKey, blockBegin);
    computeScores(blockBegin, scoreColumns);
    Value masked =
        t.less(firstVisible, index.add(blockFirstKey, scoreColumns));
    t.ifTrue(masked, [&] {
      maskScores(firstQuery, blockFirstKey, firstVisible, scoreColumns);
    });
    updateSoftmax(slot, scoreColumns);
    accumulateOutput(slot, blockBegin, size);
  });

  if (panels > 1)
    t.ifTrue(t.equal(panel, index.constant(panels - 1)),
             [&] { finish(b, head, firstQuery, slot); });
  else
    finish(b, head, firstQuery, slot);
}

void ForwardBuilder::initState(Value slot) {
  Value zero = index.constant(0);
  t.store(t.splat(-kInfinity, t.lanes), maxima, {slot, zero});
  t.forRange(t.rows, [&](Value row) {
    t.store(t.splat(0.0f, t.lanes), sums, {slot, row, zero});
    t.forRange(zero, index.constant(valueTiles.paddedWidth()), t.lanes,
               [&](Value column) {
                 t.store(t.splat(0.0f, t.lanes), outputs, {slot, row, column});
               });
  });
}

void ForwardBuilder::loadQueries(Value b, Value head, Value firstQuery) {
  Value factor = t.splat(shape.scale * M_LOG2E, t.lanes);
  t.forRange(t.rows, [&](Value row) {
    // Rows beyond the queries repeat the last one; they are never stored.
    Value query = index.min(index.add(firstQuery, row), shape.queries - 1);
    t.forRowVectors(q(), {b, query, head}, shape.keyDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(t.mul(vector, factor), queryTile, {row, column});
                    });
  });
}

void ForwardBuilder::computeScores(Value blockBegin, Value scoreColumns) {
  Value zero = index.constant(0);
  Value firstTile = index.div(blockBegin, t.columns);
  t.forRange(zero, scoreColumns, t.columns, [&](Value column) {
    Value tile = index.add(firstTile, index.div(column, t.columns));
    SmallVector<Value> s = t.product(
        t.zeroTile(t.columns), zero, index.constant(shape.keyDim),
        [&](int64_t row, Value d) -> Value {
          return memref::LoadOp::create(t.builder, t.loc, queryTile,
                                        ValueRange{index.constant(row), d});
        },
        [&](Value d) { return t.load(keyPanel, {tile, d, zero}, t.columns); });
    for (auto [row, vector] : llvm::enumerate(s))
      t.store(vector, scores, {index.constant(row), column});
  });
}

void ForwardBuilder::maskScores(Value firstQuery, Value blockFirstKey,
                                Value firstVisible, Value scoreColumns) {
  Value from = t.roundDown(t.positive(index.sub(firstVisible, blockFirstKey)),
                           t.columns);
  t.forRange(t.rows, [&](Value row) {
    Value limit = index.sub(visibleKeys(index.add(firstQuery, row)),
                            blockFirstKey);
    t.forRange(from, scoreColumns, t.columns, [&](Value column) {
      Value s = t.load(scores, {row, column}, t.columns);
      t.store(t.keepBelow(s, column, limit, -kInfinity), scores,
              {row, column});
    });
  });
}

void ForwardBuilder::updateSoftmax(Value slot, Value scoreColumns) {
  Value zero = index.constant(0);
  Value infinite = t.splat(-kInfinity, t.lanes);
  SmallVector<Value> rowMaxima = t.forRange(
      zero, scoreColumns, t.lanes, SmallVector<Value>(t.rows, infinite),
      [&](Value column, ValueRange carried) {
        SmallVector<Value> next;
        for (auto [row, maximum] : llvm::enumerate(carried))
          next.push_back(t.max(
              maximum,
              t.load(scores, {index.constant(row), column}, t.lanes)));
        return next;
      });
  Value blockMax = t.reduceRows(
      rowMaxima, [&](Value a, Value b) { return t.max(a, b); });
  Value before = t.load(maxima, {slot, zero}, t.lanes);
  Value after = t.max(before, blockMax);
  Value shift = t.selectEqual(after, -kInfinity, t.splat(0.0f, t.lanes), after);
  t.store(after, maxima, {slot, zero});
  t.store(shift, shifts, {zero});
  t.store(t.exp2(t.sub(before, shift)), factors, {zero});

  t.forRange(t.rows, [&](Value row) {
    Value m = t.loadBroadcast(shifts, {row}, t.columns);
    Value sum = t.forRange(zero, scoreColumns, t.columns,
                           {t.splat(0.0f, t.columns)},
                           [&](Value column, ValueRange carried) {
                             Value s =
                                 t.load(scores, {row, column}, t.columns);
                             Value p = t.exp2(t.sub(s, m));
                             t.store(p, scores, {row, column});
                             return SmallVector<Value>{
                                 t.add(carried.front(), p)};
                           })
                    .front();
    Value factor = t.loadBroadcast(factors, {row}, t.lanes);
    Value old = t.load(sums, {slot, row, zero}, t.lanes);
    t.store(t.fma(old, factor, t.sumRegisters(sum)), sums, {slot, row, zero});
  });
}

void ForwardBuilder::accumulateOutput(Value slot, Value blockBegin,
                                      Value size) {
  Value zero = index.constant(0);
  t.forColumnTiles(valueTiles, [&](Value tile, int64_t width) {
    Value column = index.mul(tile, t.columns);
    SmallVector<Value> acc;
    for (int64_t row = 0; row < t.rows; ++row) {
      Value r = index.constant(row);
      acc.push_back(t.mul(t.load(outputs, {slot, r, column}, width),
                          t.loadBroadcast(factors, {r}, width)));
    }
    acc = t.product(
        acc, zero, size,
        [&](int64_t row, Value key) -> Value {
          return memref::LoadOp::create(t.builder, t.loc, scores,
                                        ValueRange{index.constant(row), key});
        },
        [&](Value key) {
          return t.load(valuePanel, {tile, index.add(blockBegin, key), zero},
                        width);
        });
    for (auto [row, vector] : llvm::enumerate(acc))
      t.store(vector, outputs, {slot, index.constant(row), column});
  });
}

void ForwardBuilder::finish(Value b, Value head, Value firstQuery,
                            Value slot) {
  Value zero = index.constant(0);
  SmallVector<Value> partial;
  for (int64_t row = 0; row < t.rows; ++row)
    partial.push_back(
        t.load(sums, {slot, index.constant(row), zero}, t.lanes));
  Value l = t.reduceRows(partial,
                         [&](Value a, Value b) { return t.add(a, b); });
  Value m = t.load(maxima, {slot, zero}, t.lanes);
  // l is 0 only for a query that sees nothing; NaN goes through.
  Value inverse =
      arith::DivFOp::create(t.builder, t.loc, t.splat(1.0f, t.lanes), l);
  t.store(t.selectEqual(l, 0.0f, t.splat(0.0f, t.lanes), inverse), factors,
          {zero});
  Value logSum = t.fma(m, t.splat(M_LN2, t.lanes),
                       math::LogOp::create(t.builder, t.loc, l));
  t.store(t.selectEqual(l, 0.0f, t.splat(-kInfinity, t.lanes), logSum), logs,
          {zero});

  Value valid =
      index.min(index.sub(index.constant(shape.queries), firstQuery), t.rows);
  t.forRange(zero, valid, 1, [&](Value row) {
    Value query = index.add(firstQuery, row);
    Value factor = t.loadBroadcast(factors, {row}, t.lanes);
    t.forRowVectors(outputs, {slot, row}, shape.valueDim,
                    [&](Value column, Value vector, int64_t valid) {
                      t.store(t.mul(vector, factor), o(),
                              {b, query, head, column}, valid);
                    });
    Value value =
        memref::LoadOp::create(t.builder, t.loc, logs, ValueRange{row});
    memref::StoreOp::create(t.builder, t.loc, value, lse(),
                            ValueRange{b, query, head});
  });
}

void attnres::cpu::buildAttentionForward(OpBuilder &builder, Location loc,
                                         KernelFunction &kernel,
                                         const AttentionShape &shape,
                                         const CpuTarget &target) {
  ForwardBuilder(builder, loc, kernel, shape, target).build();
}
