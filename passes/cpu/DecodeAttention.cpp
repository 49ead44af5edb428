//===- DecodeAttention.cpp - One query per text over a cache --------------===//
//
// A work item is one key head of one batch row. Keys and values are read where
// they lie, once for every few of the query heads that share them, and nothing
// behind the last visible position is touched: with c = scale log2 e,
//
//   s_j = (c q) k_j,  p_j = 2^(s_j - max s),  o = sum p_j v_j / sum p_j
//
// and lse = ln 2 max s + ln sum p_j. All scores of a few heads are kept: a
// number for each position, where the keys are a row.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/FlashTiles.h"
#include "passes/rows/OnlineSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Query heads that share one pass over their keys, and registers of values
/// that are summed in one pass: together the accumulators of an inner loop.
constexpr int64_t kHeadsAtOnce = 4;
constexpr int64_t kValueRegisters = 4;

class DecodeBuilder {
public:
  DecodeBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                const AttentionForwardMemory &memory,
                const AttentionShape &shape, const CpuTarget &target)
      : kernel(kernel), memory(memory), shape(shape),
        t(builder, loc, kernel, target), index(t.index),
        softmax(rows::OnlineSoftmax::binaryLogarithms(t)) {}

  void build();

private:
  /// Columns [column, column + valid) of a row, in one register.
  struct Columns {
    int64_t column, valid;
  };
  SmallVector<Columns> registersOf(int64_t width) const;

  /// `count` query heads from `head` on, over the first `keys` keys.
  void buildHeads(Value b, Value kvHead, Value head, int64_t count, Value keys);
  void loadQueries(Value b, Value head, int64_t count);
  /// Stores the scores and returns a register of maxima for each head.
  SmallVector<Value> computeScores(Value b, Value kvHead, int64_t count,
                                   Value keys);
  /// Turns the scores of one head into weights; their sum in every lane.
  Value exponentiate(int64_t i, Value shift, Value keys);
  void sumValues(Value b, Value kvHead, Value head, Value keys,
                 ArrayRef<Value> inverses);
  Value reduce(Value vector, function_ref<Value(Value, Value)> combine) {
    return t.reduceRows({vector}, combine);
  }

  KernelFunction &kernel;
  const AttentionForwardMemory &memory;
  const AttentionShape &shape;
  TileBuilder t;
  IndexBuilder &index;
  rows::OnlineSoftmax softmax;

  // Scratch, all f32.
  Value queries;  ///< [heads at once][keyDim rounded up]: c q
  Value products; ///< [heads at once][lanes][lanes]: q k_j before the last sum
  Value scores;   ///< [heads at once][keys rounded up]: s, then p
};

} // namespace

SmallVector<DecodeBuilder::Columns>
DecodeBuilder::registersOf(int64_t width) const {
  SmallVector<Columns> registers;
  for (int64_t column = 0; column < width; column += t.lanes)
    registers.push_back({column, std::min(t.lanes, width - column)});
  return registers;
}

void DecodeBuilder::build() {
  int64_t grid = shape.batch * shape.kvHeads;
  if (grid == 0)
    return finishKernel(kernel, 0);
  int64_t group = shape.heads / shape.kvHeads;
  int64_t atOnce = std::min(group, kHeadsAtOnce);
  int64_t queryWidth = llvm::alignTo(shape.keyDim, t.lanes);
  int64_t scoreWidth = llvm::alignTo(shape.keys, t.lanes);
  queries = t.scratch({atOnce, queryWidth});
  products = t.scratch({atOnce, t.lanes, t.lanes});
  scores = t.scratch({atOnce, scoreWidth});

  forEachItem(t.builder, t.loc, kernel, [&](Value item) {
    Value kvHead = index.rem(item, shape.kvHeads);
    Value b = index.div(item, shape.kvHeads);
    Value keys = index.add(
        loadCacheStart(t, memory.start, b, shape.keys - shape.queries), 1);
    Value firstHead = index.mul(kvHead, group);
    int64_t rest = group % atOnce;
    t.forRange(index.constant(0), index.constant(group - rest), atOnce,
               [&](Value i) {
                 buildHeads(b, kvHead, index.add(firstHead, i), atOnce, keys);
               });
    if (rest > 0)
      buildHeads(b, kvHead, index.add(firstHead, group - rest), rest, keys);
  });
  finishKernel(kernel, grid);
}

void DecodeBuilder::buildHeads(Value b, Value kvHead, Value head, int64_t count,
                               Value keys) {
  loadQueries(b, head, count);
  SmallVector<Value> maxima = computeScores(b, kvHead, count, keys);
  SmallVector<Value> inverses;
  for (int64_t i = 0; i < count; ++i) {
    Value m = reduce(maxima[i], [&](Value a, Value b) { return t.max(a, b); });
    Value l = exponentiate(i, softmax.shiftOf(m), keys);
    inverses.push_back(softmax.inverseOf(l));
    if (memory.lse) {
      Value lse = softmax.lseOf(m, l);
      t.store(lse, memory.lse, {b, index.constant(0), index.add(head, i)}, 1);
    }
  }
  if (memory.output)
    sumValues(b, kvHead, head, keys, inverses);
}

void DecodeBuilder::loadQueries(Value b, Value head, int64_t count) {
  Value factor = t.splat(shape.scale * M_LOG2E, t.lanes);
  for (int64_t i = 0; i < count; ++i)
    t.forRowVectors(
        memory.q, {b, index.constant(0), index.add(head, i)}, shape.keyDim,
        [&](Value column, Value vector, int64_t) {
          t.store(t.mul(vector, factor), queries, {index.constant(i), column});
        });
}

SmallVector<Value> DecodeBuilder::computeScores(Value b, Value kvHead,
                                                int64_t count, Value keys) {
  Value zero = index.constant(0), lastKey = index.sub(keys, index.constant(1));
  SmallVector<Value> lowest(count, t.splat(-kInfinity, t.lanes));
  return t.forRange(
      zero, keys, t.lanes, lowest, [&](Value block, ValueRange carried) {
        t.forRange(t.lanes, [&](Value lane) {
          // Lanes behind the last key repeat it; they are masked.
          Value key = index.min(index.add(block, lane), lastKey);
          SmallVector<Value> sums(count, t.splat(0.0f, t.lanes));
          for (Columns part : registersOf(shape.keyDim)) {
            Value column = index.constant(part.column);
            Value k =
                t.load(memory.k, {b, key, kvHead, column}, t.lanes, part.valid);
            for (int64_t i = 0; i < count; ++i)
              sums[i] =
                  t.fma(t.load(queries, {index.constant(i), column}, t.lanes),
                        k, sums[i]);
          }
          for (int64_t i = 0; i < count; ++i)
            t.store(sums[i], products, {index.constant(i), lane, zero});
        });
        SmallVector<Value> next;
        for (int64_t i = 0; i < count; ++i) {
          SmallVector<Value> partial;
          for (int64_t lane = 0; lane < t.lanes; ++lane)
            partial.push_back(t.load(
                products, {index.constant(i), index.constant(lane), zero},
                t.lanes));
          Value s = t.reduceRows(partial,
                                 [&](Value a, Value b) { return t.add(a, b); });
          s = t.keepBelow(s, block, keys, -kInfinity);
          t.store(s, scores, {index.constant(i), block});
          next.push_back(t.max(carried[i], s));
        }
        return next;
      });
}

Value DecodeBuilder::exponentiate(int64_t i, Value shift, Value keys) {
  Value sum =
      t.forRange(index.constant(0), keys, t.lanes, {t.splat(0.0f, t.lanes)},
                 [&](Value block, ValueRange carried) -> SmallVector<Value> {
                   SmallVector<Value> at{index.constant(i), block};
                   Value p =
                       softmax.weightOf(t.load(scores, at, t.lanes), shift);
                   t.store(p, scores, at);
                   return {t.add(carried.front(), p)};
                 })
          .front();
  return reduce(sum, [&](Value a, Value b) { return t.add(a, b); });
}

void DecodeBuilder::sumValues(Value b, Value kvHead, Value head, Value keys,
                              ArrayRef<Value> inverses) {
  SmallVector<Columns> registers = registersOf(shape.valueDim);
  Value zero = index.constant(0);
  int64_t count = inverses.size();
  for (size_t first = 0; first < registers.size(); first += kValueRegisters) {
    ArrayRef<Columns> parts =
        ArrayRef(registers).drop_front(first).take_front(kValueRegisters);
    SmallVector<Value> sums = t.forRange(
        zero, keys, 1,
        SmallVector<Value>(count * parts.size(), t.splat(0.0f, t.lanes)),
        [&](Value key, ValueRange carried) {
          SmallVector<Value> next;
          for (Columns part : parts) {
            Value v =
                t.load(memory.v, {b, key, kvHead, index.constant(part.column)},
                       t.lanes, part.valid);
            for (int64_t i = 0; i < count; ++i)
              next.push_back(t.fma(
                  t.loadBroadcast(scores, {index.constant(i), key}, t.lanes), v,
                  carried[next.size()]));
          }
          return next;
        });
    for (auto [j, part] : llvm::enumerate(parts))
      for (int64_t i = 0; i < count; ++i)
        t.store(t.mul(sums[j * count + i], inverses[i]), memory.output,
                {b, zero, index.add(head, i), index.constant(part.column)},
                part.valid);
  }
}

void attnres::cpu::buildDecodeAttention(OpBuilder &builder, Location loc,
                                        KernelFunction &kernel,
                                        const AttentionForwardMemory &memory,
                                        const AttentionShape &shape,
                                        const CpuTarget &target) {
  DecodeBuilder(builder, loc, kernel, memory, shape, target).build();
}
