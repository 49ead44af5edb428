//===- KdaChunk.cpp - A chunk of tokens of the delta rule -----------------===//
#include "passes/cpu/KdaChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace attnres::cpu;

/// Tokens of a chunk: the work inside a chunk grows with its square, that
/// between chunks with its inverse.
static constexpr int64_t kMaxChunk = 16;

KdaChunk::KdaChunk(OpBuilder &builder, Location loc, KernelFunction &kernel,
                   const KdaOperands &operands, const KdaShape &shape,
                   const CpuTarget &target)
    : t(builder, loc, kernel, target), index(t.index), operands(operands),
      shape(shape),
      size(std::clamp<int64_t>(llvm::alignTo(shape.tokens, kRowTile), kRowTile,
                               kMaxChunk)),
      chunks(llvm::divideCeil(shape.tokens, size)),
      keyTiles(shape.keyDim, t.lanes, t.columns),
      valueTiles(shape.valueDim, t.lanes, t.columns),
      tokenTiles(size, t.lanes, t.columns), keyWidth(keyTiles.paddedWidth()),
      valueWidth(valueTiles.paddedWidth()) {
  for (Value *rows : {&queries, &keys, &factors, &gates, &rests, &gatedQueries,
                      &gatedKeys, &restKeys})
    *rows = t.scratch({size, keyWidth});
  for (Value *rows : {&values, &errors, &updates})
    *rows = t.scratch({size, valueWidth});
  for (Value *row : {&totals, &decayedKey})
    *row = t.scratch({keyWidth});
  steps = t.scratch({size});
  for (Value *pairs : {&keyPairs, &queryPairs})
    *pairs = t.scratch({size, tokenTiles.paddedWidth()});
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void KdaChunk::multiply(int64_t rows, const ColumnTiles &tiles,
                        ArrayRef<Term> terms, RowVector init, RowSink store) {
  Value zero = index.constant(0);
  t.forColumnTiles(tiles, [&](Value tile, int64_t width) {
    Value column = index.mul(tile, tiles.tileWidth);
    t.forRange(zero, index.constant(rows), kRowTile, [&](Value first) {
      auto rowAt = [&](int64_t r) { return index.add(first, r); };
      SmallVector<Value> sums;
      for (int64_t r = 0; r < kRowTile; ++r)
        sums.push_back(init ? init(rowAt(r), column, width)
                            : t.splat(0.0f, width));
      for (const Term &term : terms)
        sums = t.product(
            sums, zero, index.constant(term.depth),
            [&](int64_t r, Value k) { return term.a(rowAt(r), k); },
            [&](Value k) {
              return t.load(term.b, {k, column}, width);
            });
      for (int64_t r = 0; r < kRowTile; ++r)
        store(rowAt(r), column, sums[r]);
    });
  });
}

KdaChunk::Element KdaChunk::rowsOf(Value matrix) {
  return [this, matrix](Value row, Value k) {
    return scalar(matrix, {row, k});
  };
}

KdaChunk::Element KdaChunk::columnsOf(Value matrix) {
  return [this, matrix](Value row, Value k) {
    return scalar(matrix, {k, row});
  };
}

Value KdaChunk::scalar(Value memref, ValueRange indices) {
  Value value = memref::LoadOp::create(t.builder, t.loc, memref, indices);
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(t.builder, t.loc, t.builder.getF32Type(), value);
}

void KdaChunk::storeScalar(Value value, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (!element.isF32())
    value = arith::TruncFOp::create(t.builder, t.loc, element, value);
  memref::StoreOp::create(t.builder, t.loc, value, memref, indices);
}

void KdaChunk::forTokens(Value chunk, function_ref<void(Value, Value)> live,
                         function_ref<void(Value)> otherwise) {
  Value first = index.mul(chunk, size);
  t.forRange(size, [&](Value place) {
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

static SmallVector<Value> append(ValueRange prefix, Value last) {
  SmallVector<Value> indices(prefix);
  indices.push_back(last);
  return indices;
}

void KdaChunk::storeRow(Value scratch, Value place, Value tensor,
                        ValueRange prefix, int64_t width) {
  int64_t full = width / t.lanes * t.lanes;
  t.forRegisters(full, [&](Value column) {
    t.store(t.load(scratch, {place, column}, t.lanes), tensor,
            append(prefix, column));
  });
  if (full < width) {
    Value column = index.constant(full);
    t.store(t.load(scratch, {place, column}, t.lanes), tensor,
            append(prefix, column), width - full);
  }
}

void KdaChunk::fillRow(Value scratch, Value place, int64_t width, float value) {
  Value vector = t.splat(value, t.lanes);
  t.forRegisters(width, [&](Value column) {
    t.store(vector, scratch, {place, column});
  });
}

void KdaChunk::zeroTensorRow(Value tensor, ValueRange prefix, int64_t width) {
  Value zero = t.splat(0.0f, t.lanes);
  int64_t full = width / t.lanes * t.lanes;
  t.forRegisters(full, [&](Value column) {
    t.store(zero, tensor, append(prefix, column));
  });
  if (full < width)
    t.store(zero, tensor, append(prefix, index.constant(full)), width - full);
}

void KdaChunk::loadState(Value source, Value state) {
  int64_t first = source ? shape.keyDim : 0;
  if (source)
    t.forRange(shape.keyDim, [&](Value k) {
      loadRow(source, {text, valueHead, k}, shape.valueDim, state, k);
    });
  t.forRange(index.constant(first), index.constant(keyWidth), 1,
             [&](Value k) { fillRow(state, k, valueWidth, 0); });
}

void KdaChunk::storeState(Value state, Value target) {
  t.forRange(shape.keyDim, [&](Value k) {
    storeRow(state, k, target, {text, valueHead, k}, shape.valueDim);
  });
}

Value KdaChunk::sumLanes(Value vector) {
  for (int64_t half = t.lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper =
        llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    upper.resize(t.lanes, 0);
    vector = t.add(vector, vector::ShuffleOp::create(t.builder, t.loc, vector,
                                                     vector, upper));
  }
  return vector::ExtractOp::create(t.builder, t.loc, vector, 0);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void KdaChunk::clear() {
  t.forRange(size, [&](Value place) {
    fillRow(keyPairs, place, tokenTiles.paddedWidth(), 0);
    fillRow(queryPairs, place, tokenTiles.paddedWidth(), 0);
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
  Value log2e = t.splat(static_cast<float>(M_LOG2E), t.lanes);
  forTokens(
      chunk,
      [&](Value place, Value token) {
        loadRow(operands.q, {text, token, head}, shape.keyDim, queries, place);
        loadRow(operands.k, {text, token, head}, shape.keyDim, keys, place);
        loadRow(operands.v, {text, token, valueHead}, shape.valueDim, values,
                place);
        t.forRowVectors(operands.decay, {text, token, valueHead}, shape.keyDim,
                        [&](Value column, Value decay, int64_t) {
                          t.store(t.exp2InSum(t.mul(decay, log2e)), factors,
                                  {place, column});
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
  computeGates();
  computePairs();
}

void KdaChunk::computeGates() {
  Value zero = index.constant(0), end = index.constant(size);
  Value one = t.splat(1.0f, t.lanes);
  Value scale = t.splat(static_cast<float>(shape.scale), t.lanes);
  t.forRegisters(keyWidth, [&](Value column) {
    Value total =
        t.forRange(zero, end, 1, {one},
                   [&](Value i, ValueRange gate) -> SmallVector<Value> {
                     Value next = t.mul(gate.front(),
                                        t.load(factors, {i, column}, t.lanes));
                     t.store(next, gates, {i, column});
                     Value key = t.load(keys, {i, column}, t.lanes);
                     Value query = t.load(queries, {i, column}, t.lanes);
                     t.store(t.mul(key, next), gatedKeys, {i, column});
                     t.store(t.mul(query, t.mul(scale, next)), gatedQueries,
                             {i, column});
                     return {next};
                   })
            .front();
    t.store(total, totals, {column});
    t.forRange(
        zero, end, 1, {one},
        [&](Value step, ValueRange rest) -> SmallVector<Value> {
          Value i = index.sub(index.constant(size - 1), step);
          t.store(rest.front(), rests, {i, column});
          Value key = t.load(keys, {i, column}, t.lanes);
          t.store(t.mul(key, rest.front()), restKeys, {i, column});
          return {t.mul(rest.front(), t.load(factors, {i, column}, t.lanes))};
        });
  });
}

/// For each token j, its key decays as it is met by the tokens i after it.
void KdaChunk::computePairs() {
  Value zero = index.constant(0), end = index.constant(size);
  Value none = t.splat(0.0f, t.lanes);
  Value scale = t.f32(shape.scale);
  auto queryPair = [&](Value sum, Value i, Value j) {
    storeScalar(t.mul(scale, sumLanes(sum)), queryPairs, {i, j});
  };
  t.forRange(zero, end, 1, [&](Value j) {
    Value self =
        t.forRange(zero, index.constant(keyWidth), t.lanes, {none},
                   [&](Value column, ValueRange sum) -> SmallVector<Value> {
                     Value key = t.load(keys, {j, column}, t.lanes);
                     t.store(key, decayedKey, {column});
                     Value query = t.load(queries, {j, column}, t.lanes);
                     return {t.fma(query, key, sum.front())};
                   })
            .front();
    queryPair(self, j, j);
    t.forRange(index.add(j, 1), end, 1, [&](Value i) {
      SmallVector<Value> sums = t.forRange(
          zero, index.constant(keyWidth), t.lanes, {none, none},
          [&](Value column, ValueRange sums) -> SmallVector<Value> {
            Value key = t.mul(t.load(decayedKey, {column}, t.lanes),
                              t.load(factors, {i, column}, t.lanes));
            t.store(key, decayedKey, {column});
            return {t.fma(t.load(keys, {i, column}, t.lanes), key, sums[0]),
                    t.fma(t.load(queries, {i, column}, t.lanes), key, sums[1])};
          });
      storeScalar(sumLanes(sums[0]), keyPairs, {i, j});
      queryPair(sums[1], i, j);
    });
  });
}

void KdaChunk::solve(Value state) {
  multiply(size, valueTiles, {{keyWidth, rowsOf(gatedKeys), state}}, nullptr,
           [&](Value row, Value column, Value vector) {
             int64_t width =
                 cast<VectorType>(vector.getType()).getNumElements();
             Value value = t.load(values, {row, column}, width);
             t.store(t.sub(value, vector), errors, {row, column});
           });
  Value zero = index.constant(0);
  t.forRegisters(valueWidth, [&](Value column) {
    t.forRange(size, [&](Value i) {
      Value error = t.load(errors, {i, column}, t.lanes);
      error =
          t.forRange(zero, i, 1, {error},
                     [&](Value j, ValueRange sum) -> SmallVector<Value> {
                       Value pair = t.loadBroadcast(keyPairs, {i, j}, t.lanes);
                       Value update = t.load(updates, {j, column}, t.lanes);
                       return {t.sub(sum.front(), t.mul(pair, update))};
                     })
              .front();
      t.store(error, errors, {i, column});
      t.store(t.mul(t.loadBroadcast(steps, {i}, t.lanes), error), updates,
              {i, column});
    });
  });
}

void KdaChunk::advance(Value state, Value next) {
  multiply(
      keyWidth, valueTiles, {{size, columnsOf(restKeys), updates}},
      [&](Value row, Value column, int64_t width) {
        return t.mul(t.loadBroadcast(totals, {row}, width),
                     t.load(state, {row, column}, width));
      },
      [&](Value row, Value column, Value vector) {
        t.store(vector, next, {row, column});
      });
}
