//===- KdaChunk.cpp - A chunk of tokens of the delta rule -----------------===//
#include "passes/cpu/KdaChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

/// Tokens of a chunk, a multiple of the rows of every register tile: the work
/// inside a chunk grows with its square, that between chunks with its inverse.
static constexpr int64_t kMaxChunk = 24;

/// f32 of a cache line, a multiple of those of a register.
static constexpr int64_t kLineFloats = kAlignment / 4;

static int64_t strideOf(int64_t width) {
  return llvm::alignTo(width, kLineFloats) + kLineFloats;
}

SmallVector<Value> KdaState::at(Value panel, Value row, Value column) const {
  SmallVector<Value> indices(prefix);
  indices.append({panel, row, column});
  return indices;
}

KdaChunk::KdaChunk(OpBuilder &builder, Location loc, KernelFunction &kernel,
                   const KdaOperands &operands, const KdaShape &shape,
                   const CpuTarget &target)
    : t(builder, loc, kernel, target), index(t.index), operands(operands),
      shape(shape),
      size(std::clamp<int64_t>(llvm::alignTo(shape.tokens, t.rows), t.rows,
                               kMaxChunk)),
      chunks(llvm::divideCeil(shape.tokens, size)),
      panelWidth(std::clamp<int64_t>(llvm::alignTo(shape.valueDim, t.lanes),
                                     t.lanes, t.columns)),
      panels(llvm::divideCeil(shape.valueDim, panelWidth)),
      keyWidth(llvm::alignTo(shape.keyDim, t.lanes)),
      stateRows(llvm::alignTo(llvm::alignTo(shape.keyDim, t.rows), t.lanes)),
      valueWidth(panels * panelWidth), keyStride(strideOf(stateRows)),
      valueStride(strideOf(valueWidth)), pairStride(strideOf(size)),
      pairsAtOnce(t.rows % 3 == 0 ? 3 : 4) {
  for (Value *rows : {&queries, &keys, &factors, &gates, &rests, &gatedQueries,
                      &gatedKeys, &restKeys})
    *rows = scratchRows(size, keyStride);
  for (Value *rows : {&values, &updates})
    *rows = scratchRows(size, valueStride);
  totals = t.scratch({keyStride});
  decayedKeys = scratchRows(pairsAtOnce, keyStride);
  steps = t.scratch({size});
  for (Value *pairs : {&keyPairs, &queryPairs})
    *pairs = scratchRows(size, pairStride);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void KdaChunk::addProducts(SmallVector<Value> &sums, ArrayRef<Value> rows,
                           Value from, Value to, const Element &a,
                           const Vector &b) const {
  sums = t.product(
      sums, from, to, [&](int64_t r, Value k) { return a(rows[r], k); }, b);
}

void KdaChunk::forRowTiles(Value end, bool backwards,
                           function_ref<void(ArrayRef<Value>)> body) const {
  t.forRange(zero(), end, t.rows, [&](Value first) {
    if (backwards)
      first = index.sub(index.sub(end, index.constant(t.rows)), first);
    SmallVector<Value> rows;
    for (int64_t r = 0; r < t.rows; ++r)
      rows.push_back(index.add(first, r));
    body(rows);
  });
}

KdaChunk::Element KdaChunk::rowsOf(Value matrix) const {
  return [this, matrix](Value row, Value k) {
    return scalar(matrix, {row, k});
  };
}

KdaChunk::Element KdaChunk::columnsOf(Value matrix) const {
  return [this, matrix](Value row, Value k) {
    return scalar(matrix, {k, row});
  };
}

KdaChunk::Vector KdaChunk::vectorsOf(Value matrix, Value column) const {
  return [this, matrix, column](Value k) {
    return t.load(matrix, {k, column}, panelWidth);
  };
}

KdaChunk::Vector KdaChunk::vectorsOf(const KdaState &state, Value panel) const {
  return [this, &state, panel](Value k) {
    return t.load(state.memory, state.at(panel, k, zero()), panelWidth);
  };
}

//===----------------------------------------------------------------------===//
// Rows and states
//===----------------------------------------------------------------------===//

Value KdaChunk::scalar(Value memref, ValueRange indices) const {
  Value value = memref::LoadOp::create(t.builder, t.loc, memref, indices);
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(t.builder, t.loc, t.builder.getF32Type(), value);
}

void KdaChunk::storeScalar(Value value, Value memref,
                           ValueRange indices) const {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (!element.isF32())
    value = arith::TruncFOp::create(t.builder, t.loc, element, value);
  memref::StoreOp::create(t.builder, t.loc, value, memref, indices);
}

Value KdaChunk::scratchStates(ArrayRef<int64_t> prefix) const {
  SmallVector<int64_t> extents(prefix);
  extents.append({panels, stateRows, panelWidth});
  return t.scratch(extents);
}

void KdaChunk::forTokens(Value chunk, function_ref<void(Value, Value)> live,
                         function_ref<void(Value)> otherwise) {
  Value first = index.mul(chunk, size);
  t.forRange(zero(), liveRows, 1, [&](Value place) {
    Value token = index.add(first, place);
    Value isLive = t.less(token, count);
    t.ifElse(
        isLive, [&] { live(place, token); }, [&] { otherwise(place); });
  });
}

void KdaChunk::loadRow(Value source, ValueRange prefix, int64_t width,
                       Value scratch, Value place) {
  t.forRowVectors(source, prefix, width,
                  [&](Value column, Value vector, int64_t) {
                    t.store(vector, scratch, {place, column});
                  });
}

/// Calls `body(column, valid)` for every register of a row of `width` elements.
static void forPieces(const TileBuilder &t, int64_t width,
                      function_ref<void(Value column, int64_t valid)> body) {
  int64_t full = width / t.lanes * t.lanes;
  t.forRegisters(full, [&](Value column) { body(column, t.lanes); });
  if (full < width)
    body(t.index.constant(full), width - full);
}

void KdaChunk::storeRow(Value scratch, Value place, Value tensor,
                        ValueRange prefix, int64_t width) {
  forPieces(t, width, [&](Value column, int64_t valid) {
    t.store(t.load(scratch, {place, column}, t.lanes), tensor,
            appended(prefix, column), valid);
  });
}

void KdaChunk::fillRow(Value scratch, Value place, int64_t width, float value) {
  Value vector = t.splat(value, t.lanes);
  t.forRegisters(width, [&](Value column) {
    t.store(vector, scratch, {place, column});
  });
}

void KdaChunk::zeroTensorRow(Value tensor, ValueRange prefix, int64_t width) {
  forPieces(t, width, [&](Value column, int64_t valid) {
    t.store(t.splat(0.0f, t.lanes), tensor, appended(prefix, column), valid);
  });
}

void KdaChunk::loadState(Value source, const KdaState &state) {
  t.forRange(panels, [&](Value panel) {
    t.forRange(stateRows, [&](Value row) {
      t.store(t.splat(0.0f, panelWidth), state.memory,
              state.at(panel, row, zero()));
    });
  });
  if (!source)
    return;
  t.forRange(shape.keyDim, [&](Value k) {
    t.forRowVectors(source, {text, valueHead, k}, shape.valueDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(vector, state.memory,
                              state.at(index.div(column, panelWidth), k,
                                       index.rem(column, panelWidth)));
                    });
  });
}

void KdaChunk::storeState(const KdaState &state, Value target) {
  t.forRange(shape.keyDim, [&](Value k) {
    forPieces(t, shape.valueDim, [&](Value column, int64_t valid) {
      Value vector = t.load(state.memory,
                            state.at(index.div(column, panelWidth), k,
                                     index.rem(column, panelWidth)),
                            t.lanes);
      t.store(vector, target, {text, valueHead, k, column}, valid);
    });
  });
}

//===----------------------------------------------------------------------===//
// Operands, gates and pairs
//===----------------------------------------------------------------------===//

void KdaChunk::clear() {
  t.forRange(size, [&](Value place) {
    for (Value pairs : {keyPairs, queryPairs})
      fillRow(pairs, place, pairStride, 0);
    for (Value rows : {gatedQueries, gatedKeys, restKeys})
      fillRow(rows, place, keyStride, 0);
    fillRow(values, place, valueStride, 0);
  });
  t.forRegisters(keyStride, [&](Value column) {
    t.store(t.splat(0.0f, t.lanes), totals, {column});
  });
}

void KdaChunk::select(Value newText, Value newValueHead) {
  text = newText;
  valueHead = newValueHead;
  head = index.div(valueHead, shape.valueHeads / shape.heads);
  count = index.constant(shape.tokens);
  if (operands.length)
    count = loadCacheStart(t, operands.length, text, shape.tokens);
}

Value KdaChunk::liveChunks() {
  return index.div(index.add(count, size - 1), size);
}

void KdaChunk::load(Value chunk) {
  Value rest = index.sub(count, index.mul(chunk, size));
  loadOperands(chunk, t.roundUp(index.min(rest, size), t.rows));
  computeGates();
  computePairs();
}

void KdaChunk::loadOperands(Value chunk, Value rows) {
  liveRows = rows;
  forTokens(
      chunk,
      [&](Value place, Value token) {
        loadRow(operands.q, {text, token, head}, shape.keyDim, queries, place);
        loadRow(operands.k, {text, token, head}, shape.keyDim, keys, place);
        loadRow(operands.v, {text, token, valueHead}, shape.valueDim, values,
                place);
        t.forRowVectors(operands.decay, {text, token, valueHead}, shape.keyDim,
                        [&](Value column, Value decay, int64_t) {
                          t.store(t.expInSum(decay), factors, {place, column});
                        });
        storeScalar(scalar(operands.beta, {text, token, valueHead}), steps,
                    {place});
      },
      [&](Value place) {
        fillRow(queries, place, keyWidth, 0);
        fillRow(keys, place, keyWidth, 0);
        fillRow(values, place, valueWidth, 0);
        fillRow(factors, place, keyWidth, 1);
        storeScalar(t.f32(0), steps, {place});
      });
}

void KdaChunk::computeGates() {
  Value one = t.splat(1.0f, t.lanes);
  Value scale = t.splat(static_cast<float>(shape.scale), t.lanes);
  t.forRegisters(keyWidth, [&](Value column) {
    Value total =
        t.forRange(zero(), liveRows, 1, {one},
                   [&](Value i, ValueRange gate) -> SmallVector<Value> {
                     Value next = t.mul(gate.front(),
                                        t.load(factors, {i, column}, t.lanes));
                     t.store(next, gates, {i, column});
                     Value key = t.load(keys, {i, column}, t.lanes);
                     t.store(t.neg(t.mul(key, next)), gatedKeys, {i, column});
                     Value query = t.load(queries, {i, column}, t.lanes);
                     t.store(t.mul(query, t.mul(scale, next)), gatedQueries,
                             {i, column});
                     return {next};
                   })
            .front();
    t.store(total, totals, {column});
    t.forRange(
        zero(), liveRows, 1, {one},
        [&](Value step, ValueRange rest) -> SmallVector<Value> {
          Value i = index.sub(index.sub(liveRows, index.constant(1)), step);
          t.store(rest.front(), rests, {i, column});
          Value key = t.load(keys, {i, column}, t.lanes);
          t.store(t.mul(key, rest.front()), restKeys, {i, column});
          return {t.mul(rest.front(), t.load(factors, {i, column}, t.lanes))};
        });
  });
}

/// For each token j, its key decays as it is met by the tokens i after it.
void KdaChunk::computePairs() {
  t.forRange(zero(), liveRows, pairsAtOnce, [&](Value first) {
    startPairs(first);
    t.forRange(index.add(first, pairsAtOnce), liveRows, 1,
               [&](Value i) { continuePairs(first, i); });
  });
}

/// The pairs among the tokens j themselves; leaves the keys as they decayed up
/// to the last of them.
void KdaChunk::startPairs(Value first) {
  SmallVector<Value> sums(pairsAtOnce * pairsAtOnce, t.splat(0.0f, t.lanes));
  sums = t.forRange(
      zero(), index.constant(keyWidth), t.lanes, sums,
      [&](Value column, ValueRange carried) {
        auto load = [&](Value rows, int64_t i) {
          return t.load(rows, {index.add(first, i), column}, t.lanes);
        };
        SmallVector<Value> decayed, next;
        for (int64_t i = 0; i < pairsAtOnce; ++i) {
          Value key = load(keys, i), query = load(queries, i);
          for (Value &earlier : decayed) {
            earlier = t.mul(earlier, load(factors, i));
            next.push_back(t.fma(key, earlier, carried[next.size()]));
          }
          decayed.push_back(key);
          for (Value met : decayed)
            next.push_back(t.fma(query, met, carried[next.size()]));
        }
        for (int64_t j = 0; j < pairsAtOnce; ++j)
          t.store(decayed[j], decayedKeys, {index.constant(j), column});
        return next;
      });
  ArrayRef<Value> rest = sums;
  for (int64_t i = 0; i < pairsAtOnce; ++i) {
    Value row = index.add(first, i);
    storePairs(llvm::to_vector(rest.take_front(i)), -1, keyPairs, row, first);
    rest = rest.drop_front(i);
    storePairs(llvm::to_vector(rest.take_front(i + 1)), shape.scale, queryPairs,
               row, first);
    rest = rest.drop_front(i + 1);
  }
}

void KdaChunk::continuePairs(Value first, Value i) {
  SmallVector<Value> sums(2 * pairsAtOnce, t.splat(0.0f, t.lanes));
  sums = t.forRange(
      zero(), index.constant(keyWidth), t.lanes, sums,
      [&](Value column, ValueRange carried) {
        Value factor = t.load(factors, {i, column}, t.lanes);
        Value key = t.load(keys, {i, column}, t.lanes);
        Value query = t.load(queries, {i, column}, t.lanes);
        SmallVector<Value> byKey, byQuery;
        for (int64_t j = 0; j < pairsAtOnce; ++j) {
          SmallVector<Value> place{index.constant(j), column};
          Value decayed = t.mul(t.load(decayedKeys, place, t.lanes), factor);
          t.store(decayed, decayedKeys, place);
          byKey.push_back(t.fma(key, decayed, carried[j]));
          byQuery.push_back(t.fma(query, decayed, carried[pairsAtOnce + j]));
        }
        byKey.append(byQuery);
        return byKey;
      });
  ArrayRef<Value> all = sums;
  storePairs(llvm::to_vector(all.take_front(pairsAtOnce)), -1, keyPairs, i,
             first);
  storePairs(llvm::to_vector(all.drop_front(pairsAtOnce)), shape.scale,
             queryPairs, i, first);
}

void KdaChunk::storePairs(SmallVector<Value> sums, float factor, Value matrix,
                          Value row, Value column) {
  sums.resize(pairsAtOnce, t.splat(0.0f, t.lanes));
  Value vector = t.reduceRows(std::move(sums),
                              [&](Value a, Value b) { return t.add(a, b); });
  t.store(t.mul(vector, t.splat(factor, t.lanes)), matrix, {row, column},
          pairsAtOnce);
}

//===----------------------------------------------------------------------===//
// The recurrence
//===----------------------------------------------------------------------===//

void KdaChunk::solve(const KdaState &state, Value panel) {
  Value column = firstColumn(panel);
  forRowTiles(liveRows, /*backwards=*/false, [&](ArrayRef<Value> rows) {
    SmallVector<Value> sums;
    for (Value row : rows)
      sums.push_back(t.load(values, {row, column}, panelWidth));
    addProducts(sums, rows, zero(), index.constant(shape.keyDim),
                rowsOf(gatedKeys), vectorsOf(state, panel));
    addProducts(sums, rows, zero(), rows.front(), rowsOf(keyPairs),
                vectorsOf(updates, column));
    for (auto [r, row] : llvm::enumerate(rows)) {
      if (errors)
        t.store(sums[r], errors, {row, column});
      Value update = t.mul(t.loadBroadcast(steps, {row}, panelWidth), sums[r]);
      t.store(update, updates, {row, column});
      for (size_t s = r + 1; s < rows.size(); ++s)
        sums[s] = t.fma(t.loadBroadcast(keyPairs, {rows[s], row}, panelWidth),
                        update, sums[s]);
    }
  });
}

void KdaChunk::advance(const KdaState &state, const KdaState &next,
                       Value panel) {
  Value column = firstColumn(panel);
  Value end = index.constant(llvm::alignTo(shape.keyDim, t.rows));
  forRowTiles(end, /*backwards=*/false, [&](ArrayRef<Value> rows) {
    SmallVector<Value> sums;
    for (Value row : rows)
      sums.push_back(t.mul(
          t.loadBroadcast(totals, {row}, panelWidth),
          t.load(state.memory, state.at(panel, row, zero()), panelWidth)));
    addProducts(sums, rows, zero(), liveRows, columnsOf(restKeys),
                vectorsOf(updates, column));
    for (auto [row, sum] : llvm::zip(rows, sums))
      t.store(sum, next.memory, next.at(panel, row, zero()));
  });
}
