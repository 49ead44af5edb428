//===- FlashAttentionBackward.cpp - Attention backward on the CPU ---------===//
//
// A work item is one key head of one batch row: it owns dk and dv of that head
// and dq of all query heads that share it, so that nothing is added up between
// items. For each of those query heads, q and dO are packed; then panels of
// keys run over blocks of queries. Everything is computed transposed, keys
// being the rows of a register tile, since the two sums over queries are then
// long ones:
//
//   S^T = K Q^T,  P^T = e^(scale S^T - lse)
//   dV += P^T dO
//   dS^T = P^T * (V dO^T - delta),  delta = rowsum(dO * O) - dlse
//   dK += dS^T Q,  dQ += dS K       both times scale in the end
//
// P^T and dS^T share one buffer of keys x queries that fits the first-level
// cache. Under a causal mask, strips of keys begin at the first query that sees
// them; only tiles on the diagonal are masked. With documents, a block of
// queries begins at the strip of the first key that any of its queries sees.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/FlashTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres::cpu;

namespace {

class BackwardBuilder {
public:
  BackwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                  const AttentionBackwardMemory &memory,
                  const AttentionShape &shape, const CpuTarget &target);
  void build();

private:
  void buildItem(Value item);
  void buildHead(Value b, Value head, Value kvHead);
  void packQueries(Value b, Value head);
  void packStatistics(Value b, Value head);
  void packDocuments(Value b);
  void packKeys(Value b, Value kvHead, Value firstKey, Value panelSize);
  /// A group of keys against a block of queries.
  void buildGroup(Value firstKey, Value groupBegin, Value groupSize,
                  Value firstQuery, Value blockSize);
  void computeProbabilities(Value strip, Value panelRow, Value stripKey,
                            Value blockTile, Value column, Value firstQuery);
  void maskProbabilities(Value strip, Value column, Value firstVisible);
  void computeScoreGradients(Value strip, Value panelRow, Value blockTile,
                             Value column, Value firstQuery);
  /// acc rows [keyRow, + rows) += weights of `strip` * rows of `right`.
  void accumulateOverQueries(Value strip, Value begin, Value end,
                             Value firstQuery, Value right, Value acc,
                             Value accRow, const ColumnTiles &tiles);
  void accumulateQueryGradients(Value column, Value keyCount, Value groupBegin,
                                Value firstQuery);
  void fillZero(Value memref, int64_t rows, int64_t width);
  /// Writes rows of scratch, times `factor`, to head `head` of `tensor`, if
  /// that is wanted.
  void writeRows(Value source, int64_t rows, int64_t width, double factor,
                 Value tensor, Value b, Value head);
  /// The first query, counted from `firstQuery`, that sees key `key`.
  Value firstQuerySeeing(Value key, Value firstQuery);

  KernelFunction &kernel;
  const AttentionBackwardMemory &memory;
  const AttentionShape &shape;
  const AttentionBackwardTiles &tiles;
  TileBuilder t;
  IndexBuilder &index;
  ColumnTiles keyTiles, valueTiles;
  int64_t paddedQueries, paddedKeys;

  // Scratch, all f32. Rows carry a pad, so that equal columns of successive
  // rows fall in different cache sets.
  Value queriesT;    ///< [query tiles][keyDim][columns]
  Value outputGradT; ///< [query tiles][valueDim][columns]
  Value queries;     ///< [queries][keyDim + pad]
  Value outputGrads; ///< [queries][valueDim + pad]
  Value logSums;     ///< [queries]: -lse; -inf where nothing is visible
  Value deltas;      ///< [queries]: -delta
  Value firstKeys; ///< [queries]: the first key that is visible, if they differ
  Value keys;      ///< [panel][keyDim + pad]
  Value values;    ///< [panel][valueDim + pad]
  Value weights;   ///< [group][block + pad]: P^T, then dS^T
  Value queryGrads; ///< [queries][keyDim + pad], of one query head
  Value keyGrads;   ///< [keys][keyDim + pad]
  Value valueGrads; ///< [keys][valueDim + pad]
};

} // namespace

BackwardBuilder::BackwardBuilder(OpBuilder &builder, Location loc,
                                 KernelFunction &kernel,
                                 const AttentionBackwardMemory &memory,
                                 const AttentionShape &shape,
                                 const CpuTarget &target)
    : kernel(kernel), memory(memory), shape(shape),
      tiles(target.tiles.attentionBackward), t(builder, loc, kernel, target),
      index(t.index), keyTiles(shape.keyDim, t.lanes, t.columns),
      valueTiles(shape.valueDim, t.lanes, t.columns),
      paddedQueries(llvm::alignTo(shape.queries, tiles.blockQueries)),
      paddedKeys(llvm::alignTo(shape.keys, tiles.groupKeys)) {}

void BackwardBuilder::build() {
  int64_t grid = shape.batch * shape.kvHeads;
  if (grid == 0)
    return finishKernel(kernel, 0);

  int64_t keyStride = keyTiles.paddedWidth() + t.lanes;
  int64_t valueStride = valueTiles.paddedWidth() + t.lanes;
  int64_t panelKeys = std::min(tiles.panelKeys, paddedKeys);
  queriesT = t.scratch({paddedQueries / t.columns, shape.keyDim, t.columns});
  outputGradT =
      t.scratch({paddedQueries / t.columns, shape.valueDim, t.columns});
  queries = t.scratch({paddedQueries, keyStride});
  outputGrads = t.scratch({paddedQueries, valueStride});
  logSums = t.scratch({paddedQueries});
  deltas = t.scratch({paddedQueries});
  if (memory.documents)
    firstKeys = t.scratch({paddedQueries});
  keys = t.scratch({panelKeys, keyStride});
  values = t.scratch({panelKeys, valueStride});
  weights = t.scratch({tiles.groupKeys, tiles.blockQueries + t.lanes});
  queryGrads = t.scratch({paddedQueries, keyStride});
  keyGrads = t.scratch({paddedKeys, keyStride});
  valueGrads = t.scratch({paddedKeys, valueStride});

  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) { buildItem(item); });
  finishKernel(kernel, grid);
}

void BackwardBuilder::buildItem(Value item) {
  Value b = index.div(item, shape.kvHeads);
  Value kvHead = index.rem(item, shape.kvHeads);
  if (memory.documents)
    packDocuments(b);
  fillZero(keyGrads, shape.keys, keyTiles.paddedWidth());
  fillZero(valueGrads, shape.keys, valueTiles.paddedWidth());
  int64_t group = shape.heads / shape.kvHeads;
  t.forRange(group, [&](Value i) {
    Value head = index.add(index.mul(kvHead, group), i);
    buildHead(b, head, kvHead);
  });
  writeRows(keyGrads, shape.keys, shape.keyDim, shape.scale, memory.kGrad, b,
            kvHead);
  writeRows(valueGrads, shape.keys, shape.valueDim, 1, memory.vGrad, b, kvHead);
}

void BackwardBuilder::fillZero(Value memref, int64_t rows, int64_t width) {
  t.forRange(rows, [&](Value row) {
    t.forRegisters(width, [&](Value column) {
      t.store(t.splat(0.0f, t.lanes), memref, {row, column});
    });
  });
}

void BackwardBuilder::writeRows(Value source, int64_t rows, int64_t width,
                                double factor, Value tensor, Value b,
                                Value head) {
  if (!tensor)
    return;
  Value scale = t.splat(factor, t.lanes);
  t.forRange(rows, [&](Value row) {
    t.forRowVectors(
        source, {row}, width, [&](Value column, Value vector, int64_t valid) {
          t.store(t.mul(vector, scale), tensor, {b, row, head, column}, valid);
        });
  });
}

void BackwardBuilder::buildHead(Value b, Value head, Value kvHead) {
  Value zero = index.constant(0);
  fillZero(queryGrads, shape.queries, keyTiles.paddedWidth());
  if (shape.queries > 0 && shape.keys > 0) {
    packQueries(b, head);
    packStatistics(b, head);
    t.forRange(
        zero, index.constant(shape.keys), tiles.panelKeys, [&](Value firstKey) {
          Value panelSize = index.min(
              index.sub(index.constant(shape.keys), firstKey), tiles.panelKeys);
          packKeys(b, kvHead, firstKey, panelSize);
          Value firstBlock =
              t.roundDown(firstQuerySeeing(firstKey, zero), tiles.blockQueries);
          t.forRange(
              firstBlock, index.constant(shape.queries), tiles.blockQueries,
              [&](Value firstQuery) {
                Value blockSize = index.min(
                    index.sub(index.constant(shape.queries), firstQuery),
                    tiles.blockQueries);
                Value end = panelSize;
                if (shape.causal) {
                  // The keys that the last query of the block sees.
                  Value visible = index.add(index.add(firstQuery, blockSize),
                                            shape.keys - shape.queries);
                  end = index.min(t.positive(index.sub(visible, firstKey)),
                                  panelSize);
                }
                Value begin = zero;
                if (memory.documents) {
                  Value first =
                      leastDocument(t, memory.documents, b, firstQuery,
                                    index.add(firstQuery, blockSize));
                  begin = t.roundDown(t.positive(index.sub(first, firstKey)),
                                      t.rows);
                }
                t.forRange(begin, end, tiles.groupKeys, [&](Value groupBegin) {
                  Value groupSize =
                      index.min(index.sub(end, groupBegin), tiles.groupKeys);
                  buildGroup(firstKey, groupBegin, groupSize, firstQuery,
                             blockSize);
                });
              });
        });
  }
  writeRows(queryGrads, shape.queries, shape.keyDim, shape.scale, memory.qGrad,
            b, head);
}

void BackwardBuilder::packQueries(Value b, Value head) {
  Value last = index.constant(shape.queries - 1);
  int64_t groups = llvm::alignTo(shape.queries, t.columns) / t.lanes;
  t.forRange(groups, [&](Value group) {
    Value first = index.mul(group, t.lanes);
    // Columns beyond the queries repeat the last one; their P is 0.
    auto row = [&](int64_t i) -> SmallVector<Value> {
      return {b, index.min(index.add(first, i), last), head};
    };
    t.packTransposed(memory.q, row, shape.keyDim, queriesT, group);
    t.packTransposed(memory.outputGrad, row, shape.valueDim, outputGradT,
                     group);
  });
  t.forRange(shape.queries, [&](Value row) {
    t.forRowVectors(memory.q, {b, row, head}, shape.keyDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, queries, {row, column});
                    });
    t.forRowVectors(memory.outputGrad, {b, row, head}, shape.valueDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, outputGrads, {row, column});
                    });
  });
}

void BackwardBuilder::packStatistics(Value b, Value head) {
  auto loadScalar = [&](Value memref, ValueRange indices) -> Value {
    return memref::LoadOp::create(t.builder, t.loc, memref, indices);
  };
  auto storeScalar = [&](Value value, Value memref, Value row) {
    memref::StoreOp::create(t.builder, t.loc, value, memref, row);
  };
  Value none = t.f32(-kInfinity);
  Value zero = t.f32(0);
  t.forRange(shape.queries, [&](Value row) {
    Value sum = loadScalar(memory.lse, {b, row, head});
    Value isEmpty = arith::CmpFOp::create(t.builder, t.loc,
                                          arith::CmpFPredicate::OEQ, sum, none);
    storeScalar(t.select(isEmpty, none, t.sub(zero, sum)), logSums, row);

    Value dot = t.rowDot(memory.outputGrad, memory.output, {b, row, head},
                         shape.valueDim);
    Value negated = memory.lseGrad
                        ? t.sub(loadScalar(memory.lseGrad, {b, row, head}), dot)
                        : t.sub(zero, dot);
    storeScalar(negated, deltas, row);
  });
  t.forRange(index.constant(shape.queries), index.constant(paddedQueries), 1,
             [&](Value row) {
               storeScalar(none, logSums, row);
               storeScalar(zero, deltas, row);
             });
}

void BackwardBuilder::packDocuments(Value b) {
  t.forRange(shape.queries, [&](Value row) {
    Value first = t.builder.createOrFold<arith::IndexCastOp>(
        t.loc, t.builder.getI32Type(),
        loadDocument(t, memory.documents, b, row));
    Value exact = arith::SIToFPOp::create(t.builder, t.loc,
                                          t.builder.getF32Type(), first);
    memref::StoreOp::create(t.builder, t.loc, exact, firstKeys, row);
  });
  t.forRange(index.constant(shape.queries), index.constant(paddedQueries), 1,
             [&](Value row) {
               memref::StoreOp::create(t.builder, t.loc, t.f32(0), firstKeys,
                                       row);
             });
}

void BackwardBuilder::packKeys(Value b, Value kvHead, Value firstKey,
                               Value panelSize) {
  // Rows beyond the keys repeat the last one; their gradients are dropped.
  Value rows = t.roundUp(panelSize, t.rows);
  t.forRange(index.constant(0), rows, 1, [&](Value row) {
    Value key = index.min(index.add(firstKey, row), shape.keys - 1);
    t.forRowVectors(memory.k, {b, key, kvHead}, shape.keyDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, keys, {row, column});
                    });
    t.forRowVectors(memory.v, {b, key, kvHead}, shape.valueDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, values, {row, column});
                    });
  });
}

Value BackwardBuilder::firstQuerySeeing(Value key, Value firstQuery) {
  if (!shape.causal)
    return index.constant(0);
  return t.positive(
      index.sub(index.add(key, shape.queries - shape.keys), firstQuery));
}

void BackwardBuilder::buildGroup(Value firstKey, Value groupBegin,
                                 Value groupSize, Value firstQuery,
                                 Value blockSize) {
  Value zero = index.constant(0);
  Value strips = index.div(index.add(groupSize, t.rows - 1), t.rows);
  Value blockTile = index.div(firstQuery, t.columns);
  auto keyOf = [&](Value strip) {
    return index.add(index.add(firstKey, groupBegin), index.mul(strip, t.rows));
  };
  auto panelRowOf = [&](Value strip) {
    return index.add(groupBegin, index.mul(strip, t.rows));
  };
  // The strip's first column, and the first tile that has it.
  auto beginOf = [&](Value strip) {
    return firstQuerySeeing(keyOf(strip), firstQuery);
  };
  auto firstTileOf = [&](Value strip) {
    return t.roundDown(beginOf(strip), t.columns);
  };

  t.forRange(zero, strips, 1, [&](Value strip) {
    Value panelRow = panelRowOf(strip);
    Value firstTile = firstTileOf(strip);
    if (shape.causal) {
      // A strip of dQ that straddles the first column reads zeros before it.
      t.ifTrue(t.less(zero, firstTile), [&] {
        Value column = index.sub(firstTile, index.constant(t.columns));
        for (int64_t row = 0; row < t.rows; ++row)
          t.store(t.splat(0.0f, t.columns), weights,
                  {index.add(index.mul(strip, t.rows), row), column});
      });
    }
    t.forRange(firstTile, blockSize, t.columns, [&](Value column) {
      computeProbabilities(strip, panelRow, keyOf(strip), blockTile, column,
                           firstQuery);
      if (!shape.causal)
        return;
      Value first = index.sub(
          index.add(keyOf(strip), shape.queries - shape.keys), firstQuery);
      Value isMasked = t.less(column, index.add(first, t.rows - 1));
      t.ifTrue(isMasked, [&] { maskProbabilities(strip, column, first); });
    });
    accumulateOverQueries(strip, beginOf(strip), blockSize, firstQuery,
                          outputGrads, valueGrads, keyOf(strip), valueTiles);
    t.forRange(firstTile, blockSize, t.columns, [&](Value column) {
      computeScoreGradients(strip, panelRow, blockTile, column, firstQuery);
    });
    accumulateOverQueries(strip, beginOf(strip), blockSize, firstQuery, queries,
                          keyGrads, keyOf(strip), keyTiles);
  });

  // Strips of queries, from the first one that sees a key of the group.
  Value begin = t.roundDown(beginOf(zero), t.rows);
  t.forRange(begin, blockSize, t.rows, [&](Value column) {
    Value keyCount = groupSize;
    if (shape.causal) {
      Value visible = index.add(index.add(firstQuery, column),
                                t.rows + shape.keys - shape.queries);
      Value groupFirstKey = index.add(firstKey, groupBegin);
      keyCount = t.builder.createOrFold<arith::MinSIOp>(
          t.loc, groupSize, index.sub(visible, groupFirstKey));
    }
    accumulateQueryGradients(column, keyCount, groupBegin, firstQuery);
  });
}

void BackwardBuilder::computeProbabilities(Value strip, Value panelRow,
                                           Value stripKey, Value blockTile,
                                           Value column, Value firstQuery) {
  Value zero = index.constant(0);
  Value tile = index.add(blockTile, index.div(column, t.columns));
  Value firstRow = index.mul(strip, t.rows);
  SmallVector<Value> s = t.product(
      t.zeroTile(t.columns), zero, index.constant(shape.keyDim),
      [&](int64_t row, Value d) -> Value {
        return memref::LoadOp::create(t.builder, t.loc, keys,
                                      ValueRange{index.add(panelRow, row), d});
      },
      [&](Value d) {
        return t.load(queriesT, {tile, d, zero}, t.columns);
      });
  for (auto [row, vector] : llvm::enumerate(s))
    t.store(vector, weights, {index.add(firstRow, row), column});
  Value logSum = t.load(logSums, {index.add(firstQuery, column)}, t.columns);
  Value scale = t.splat(shape.scale, t.columns);
  Value toBase2 = t.splat(M_LOG2E, t.columns);
  Value first;
  if (memory.documents)
    first = t.load(firstKeys, {index.add(firstQuery, column)}, t.columns);
  t.forRange(t.rows, [&](Value i) {
    Value row = index.add(firstRow, i);
    Value vector = t.load(weights, {row, column}, t.columns);
    // Close scores and sums cancel before the change of base: as exact as e^x.
    Value exponent = t.fma(vector, scale, logSum);
    if (first) {
      Value key = arith::IndexCastOp::create(
          t.builder, t.loc, t.builder.getI32Type(), index.add(stripKey, i));
      key = arith::SIToFPOp::create(t.builder, t.loc, t.builder.getF32Type(),
                                    key);
      exponent = t.select(t.isLess(t.broadcast(key, t.columns), first),
                          t.splat(-kInfinity, t.columns), exponent);
    }
    t.store(t.exp2InSum(t.mul(exponent, toBase2)), weights, {row, column});
  });
}

void BackwardBuilder::maskProbabilities(Value strip, Value column,
                                        Value firstVisible) {
  t.forRange(t.rows, [&](Value i) {
    Value row = index.add(index.mul(strip, t.rows), i);
    Value vector = t.load(weights, {row, column}, t.columns);
    t.store(t.keepFrom(vector, column, index.add(firstVisible, i), 0.0f),
            weights, {row, column});
  });
}

void BackwardBuilder::computeScoreGradients(Value strip, Value panelRow,
                                            Value blockTile, Value column,
                                            Value firstQuery) {
  Value zero = index.constant(0);
  Value tile = index.add(blockTile, index.div(column, t.columns));
  Value delta = t.load(deltas, {index.add(firstQuery, column)}, t.columns);
  SmallVector<Value> dp = t.product(
      SmallVector<Value>(t.rows, delta), zero, index.constant(shape.valueDim),
      [&](int64_t row, Value d) -> Value {
        return memref::LoadOp::create(t.builder, t.loc, values,
                                      ValueRange{index.add(panelRow, row), d});
      },
      [&](Value d) {
        return t.load(outputGradT, {tile, d, zero}, t.columns);
      });
  for (auto [i, vector] : llvm::enumerate(dp)) {
    Value row = index.add(index.mul(strip, t.rows), i);
    Value p = t.load(weights, {row, column}, t.columns);
    t.store(t.mul(p, vector), weights, {row, column});
  }
}

void BackwardBuilder::accumulateOverQueries(Value strip, Value begin, Value end,
                                            Value firstQuery, Value right,
                                            Value acc, Value accRow,
                                            const ColumnTiles &tiles) {
  Value firstRow = index.mul(strip, t.rows);
  t.forColumnTiles(tiles, [&](Value tile, int64_t width) {
    Value column = index.mul(tile, t.columns);
    SmallVector<Value> sums;
    for (int64_t i = 0; i < t.rows; ++i)
      sums.push_back(t.load(acc, {index.add(accRow, i), column}, width));
    sums = t.product(
        sums, begin, end,
        [&](int64_t row, Value query) -> Value {
          return memref::LoadOp::create(
              t.builder, t.loc, weights,
              ValueRange{index.add(firstRow, row), query});
        },
        [&](Value query) {
          return t.load(right, {index.add(firstQuery, query), column}, width);
        });
    for (auto [i, vector] : llvm::enumerate(sums))
      t.store(vector, acc, {index.add(accRow, i), column});
  });
}

void BackwardBuilder::accumulateQueryGradients(Value queryColumn,
                                               Value keyCount, Value groupBegin,
                                               Value firstQuery) {
  Value firstRow = index.add(firstQuery, queryColumn);
  t.forColumnTiles(keyTiles, [&](Value tile, int64_t width) {
    Value column = index.mul(tile, t.columns);
    SmallVector<Value> sums;
    for (int64_t i = 0; i < t.rows; ++i)
      sums.push_back(
          t.load(queryGrads, {index.add(firstRow, i), column}, width));
    sums = t.product(
        sums, index.constant(0), keyCount,
        [&](int64_t row, Value key) -> Value {
          return memref::LoadOp::create(
              t.builder, t.loc, weights,
              ValueRange{key, index.add(queryColumn, row)});
        },
        [&](Value key) {
          return t.load(keys, {index.add(groupBegin, key), column}, width);
        });
    for (auto [i, vector] : llvm::enumerate(sums))
      t.store(vector, queryGrads, {index.add(firstRow, i), column});
  });
}

void attnres::cpu::buildAttentionBackward(OpBuilder &builder, Location loc,
                                          KernelFunction &kernel,
                                          const AttentionBackwardMemory &memory,
                                          const AttentionShape &shape,
                                          const CpuTarget &target) {
  BackwardBuilder(builder, loc, kernel, memory, shape, target).build();
}
