//===- DecodeAttention.cpp - One query per text over a cache --------------===//
//
// A work item is one key head of one batch row. Keys and values are read where
// they lie, a block of positions at a time by all query heads that share them,
// and nothing behind the last visible position is touched: with
// c = scale log2 e,
//
//   s_j = (c q) k_j,  p_j = 2^(s_j - max s),  o = sum p_j v_j / sum p_j
//
// and lse = ln 2 max s + ln sum p_j. What is summed so far is multiplied by a
// power of two when a block raises the maximum. A block stays in the
// second-level cache, so that keys which are values too, as latent vectors are,
// come from memory once.
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

/// Query heads, and positions, whose scores are computed together: registers of
/// keys and queries are loaded once for several of them.
constexpr int64_t kHeadsAtOnce = 4;
constexpr int64_t kKeysAtOnce = 2;
/// Positions of a block, a multiple of the lanes of every register.
constexpr int64_t kBlockKeys = 64;

class DecodeBuilder {
public:
  DecodeBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                const AttentionForwardMemory &memory,
                const AttentionShape &shape, const CpuTarget &target)
      : kernel(kernel), memory(memory), shape(shape),
        t(builder, loc, kernel, target), index(t.index),
        softmax(rows::OnlineSoftmax::binaryLogarithms(t)),
        group(shape.kvHeads ? shape.heads / shape.kvHeads : 0),
        valueRegisters(target.lanes == 16 ? 4 : 2) {}

  void build();

private:
  /// Query heads at work: `count` from the `first` (index) of those that share
  /// a key head.
  struct Heads {
    Value first;
    int64_t count;
  };
  /// Calls `body` for as many heads at once as there are registers for.
  void forHeads(function_ref<void(const Heads &)> body);
  /// The head number of one of them within its key head.
  Value number(const Heads &heads, int64_t i) const {
    return index.add(heads.first, i);
  }

  void begin(Value b, Value kvHead);
  /// The positions [from, to) of a block.
  void buildBlock(Value b, Value kvHead, const Heads &heads, Value from,
                  Value to);
  /// Stores the scores and returns a register of maxima for each head.
  SmallVector<Value> computeScores(Value b, Value kvHead, const Heads &heads,
                                   Value from, Value to);
  /// Turns the scores of one head into weights; their sum in every lane.
  Value exponentiate(int64_t i, Value shift, Value from, Value to);
  /// Multiplies what is summed by `factors` and adds the block's values.
  void sumValues(Value b, Value kvHead, const Heads &heads, Value from,
                 Value to, ArrayRef<Value> factors);
  void finish(Value b, Value kvHead);
  Value reduce(Value vector, function_ref<Value(Value, Value)> combine) {
    return t.reduceRows({vector}, combine);
  }

  KernelFunction &kernel;
  const AttentionForwardMemory &memory;
  const AttentionShape &shape;
  TileBuilder t;
  IndexBuilder &index;
  rows::OnlineSoftmax softmax;

  int64_t group; ///< query heads of a key head
  /// Registers of values that are summed together: with the heads at once, half
  /// of the registers there are.
  int64_t valueRegisters;

  // Scratch, all f32.
  Value queries;  ///< [group][keyDim rounded up]: c q
  Value products; ///< [heads at once][lanes][lanes]: q k_j before the last sum
  Value scores;   ///< [heads at once][block]: s, then p
  Value maxima;   ///< [group][lanes], all the same: max s
  Value sums;     ///< [group][lanes], all the same: sum p
  Value mixtures; ///< [group][valueDim rounded up]: sum p v
};

} // namespace

void DecodeBuilder::build() {
  int64_t grid = shape.batch * shape.kvHeads;
  if (grid == 0)
    return finishKernel(kernel, 0);
  int64_t atOnce = std::min(group, kHeadsAtOnce);
  auto widthOf = [&](int64_t columns) -> int64_t {
    return llvm::alignTo(columns, t.lanes);
  };
  queries = t.scratch({group, widthOf(shape.keyDim)});
  products = t.scratch({atOnce, t.lanes, t.lanes});
  scores = t.scratch({atOnce, kBlockKeys});
  maxima = t.scratch({group, t.lanes});
  sums = t.scratch({group, t.lanes});
  mixtures = t.scratch({group, widthOf(shape.valueDim)});

  forEachItem(t.builder, t.loc, kernel, [&](Value item) {
    Value kvHead = index.rem(item, shape.kvHeads);
    Value b = index.div(item, shape.kvHeads);
    Value keys = index.add(
        loadCacheStart(t, memory.start, b, shape.keys - shape.queries), 1);
    begin(b, kvHead);
    t.forRange(index.constant(0), keys, kBlockKeys, [&](Value from) {
      Value to = index.min(index.add(from, kBlockKeys), keys);
      forHeads(
          [&](const Heads &heads) { buildBlock(b, kvHead, heads, from, to); });
    });
    finish(b, kvHead);
  });
  finishKernel(kernel, grid);
}

void DecodeBuilder::forHeads(function_ref<void(const Heads &)> body) {
  int64_t atOnce = std::min(group, kHeadsAtOnce), rest = group % atOnce;
  t.forRange(index.constant(0), index.constant(group - rest), atOnce,
             [&](Value first) {
               body({first, atOnce});
             });
  if (rest > 0)
    body({index.constant(group - rest), rest});
}

void DecodeBuilder::begin(Value b, Value kvHead) {
  Value factor = t.splat(shape.scale * M_LOG2E, t.lanes);
  Value zero = index.constant(0), none = t.splat(0.0f, t.lanes);
  t.forRange(group, [&](Value i) {
    Value head = index.add(index.mul(kvHead, group), i);
    t.forRowVectors(memory.q, {b, zero, head}, shape.keyDim,
                    [&](Value column, Value vector, int64_t) {
                      t.store(t.mul(vector, factor), queries, {i, column});
                    });
    t.store(t.splat(-kInfinity, t.lanes), maxima, {i, zero});
    t.store(none, sums, {i, zero});
    t.forRegisters(llvm::alignTo(shape.valueDim, t.lanes), [&](Value column) {
      t.store(none, mixtures, {i, column});
    });
  });
}

void DecodeBuilder::buildBlock(Value b, Value kvHead, const Heads &heads,
                               Value from, Value to) {
  Value zero = index.constant(0);
  SmallVector<Value> tops = computeScores(b, kvHead, heads, from, to);
  SmallVector<Value> factors;
  for (int64_t i = 0; i < heads.count; ++i) {
    SmallVector<Value> at{number(heads, i), zero};
    Value top = reduce(tops[i], [&](Value a, Value b) { return t.max(a, b); });
    auto raised = softmax.raise(t.load(maxima, at, t.lanes), top);
    Value sum = exponentiate(i, raised.shift, from, to);
    t.store(raised.max, maxima, at);
    t.store(t.fma(t.load(sums, at, t.lanes), raised.factor, sum), sums, at);
    factors.push_back(raised.factor);
  }
  if (memory.output)
    sumValues(b, kvHead, heads, from, to, factors);
}

SmallVector<Value> DecodeBuilder::computeScores(Value b, Value kvHead,
                                                const Heads &heads, Value from,
                                                Value to) {
  Value zero = index.constant(0), last = index.sub(to, index.constant(1));
  int64_t count = heads.count;
  SmallVector<Value> lowest(count, t.splat(-kInfinity, t.lanes));
  return t.forRange(
      from, to, t.lanes, lowest, [&](Value first, ValueRange carried) {
        t.forRange(zero, index.constant(t.lanes), kKeysAtOnce, [&](Value lane) {
          SmallVector<Value> keys,
              dots(kKeysAtOnce * count, t.splat(0.0f, t.lanes));
          for (int64_t j = 0; j < kKeysAtOnce; ++j)
            // Lanes behind the last key repeat it; they are masked.
            keys.push_back(
                index.min(index.add(first, index.add(lane, j)), last));
          auto addProducts = [&](Value column, ValueRange before,
                                 int64_t valid) {
            SmallVector<Value> next, rows;
            for (Value key : keys)
              rows.push_back(
                  t.load(memory.k, {b, key, kvHead, column}, t.lanes, valid));
            for (int64_t i = 0; i < count; ++i) {
              Value query =
                  t.load(queries, {number(heads, i), column}, t.lanes);
              for (Value row : rows)
                next.push_back(t.fma(query, row, before[next.size()]));
            }
            return next;
          };
          int64_t full = shape.keyDim / t.lanes * t.lanes;
          dots = t.forRange(zero, index.constant(full), t.lanes, dots,
                            [&](Value column, ValueRange before) {
                              return addProducts(column, before, t.lanes);
                            });
          if (full < shape.keyDim)
            dots = addProducts(index.constant(full), dots, shape.keyDim - full);
          for (auto [n, dot] : llvm::enumerate(dots))
            t.store(dot, products,
                    {index.constant(n / kKeysAtOnce),
                     index.add(lane, n % kKeysAtOnce), zero});
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
          s = t.keepBelow(s, first, to, -kInfinity);
          t.store(s, scores, {index.constant(i), index.sub(first, from)});
          next.push_back(t.max(carried[i], s));
        }
        return next;
      });
}

Value DecodeBuilder::exponentiate(int64_t i, Value shift, Value from,
                                  Value to) {
  Value sum =
      t.forRange(index.constant(0), index.sub(to, from), t.lanes,
                 {t.splat(0.0f, t.lanes)},
                 [&](Value place, ValueRange carried) -> SmallVector<Value> {
                   SmallVector<Value> at{index.constant(i), place};
                   Value p =
                       softmax.weightOf(t.load(scores, at, t.lanes), shift);
                   t.store(p, scores, at);
                   return {t.add(carried.front(), p)};
                 })
          .front();
  return reduce(sum, [&](Value a, Value b) { return t.add(a, b); });
}

void DecodeBuilder::sumValues(Value b, Value kvHead, const Heads &heads,
                              Value from, Value to, ArrayRef<Value> factors) {
  /// `parts` registers of columns from `column` on; the last has `valid` lanes.
  auto sumColumns = [&](Value column, int64_t parts, int64_t valid) {
    auto columnOf = [&](int64_t j) { return index.add(column, j * t.lanes); };
    SmallVector<Value> mixture;
    for (int64_t j = 0; j < parts; ++j)
      for (int64_t i = 0; i < heads.count; ++i)
        mixture.push_back(
            t.mul(factors[i],
                  t.load(mixtures, {number(heads, i), columnOf(j)}, t.lanes)));
    mixture =
        t.forRange(from, to, 1, mixture, [&](Value key, ValueRange carried) {
          SmallVector<Value> next;
          Value place = index.sub(key, from);
          for (int64_t j = 0; j < parts; ++j) {
            Value v = t.load(memory.v, {b, key, kvHead, columnOf(j)}, t.lanes,
                             j + 1 == parts ? valid : t.lanes);
            for (int64_t i = 0; i < heads.count; ++i)
              next.push_back(t.fma(
                  t.loadBroadcast(scores, {index.constant(i), place}, t.lanes),
                  v, carried[next.size()]));
          }
          return next;
        });
    for (int64_t j = 0; j < parts; ++j)
      for (int64_t i = 0; i < heads.count; ++i)
        t.store(mixture[j * heads.count + i], mixtures,
                {number(heads, i), columnOf(j)});
  };
  int64_t step = valueRegisters * t.lanes;
  int64_t full = shape.valueDim / step * step, rest = shape.valueDim - full;
  t.forRange(index.constant(0), index.constant(full), step, [&](Value column) {
    sumColumns(column, valueRegisters, t.lanes);
  });
  if (rest > 0) {
    int64_t parts = llvm::divideCeil(rest, t.lanes);
    sumColumns(index.constant(full), parts, rest - (parts - 1) * t.lanes);
  }
}

void DecodeBuilder::finish(Value b, Value kvHead) {
  Value zero = index.constant(0);
  t.forRange(group, [&](Value i) {
    Value head = index.add(index.mul(kvHead, group), i);
    Value sum = t.load(sums, {i, zero}, t.lanes);
    if (memory.lse) {
      Value lse = softmax.lseOf(t.load(maxima, {i, zero}, t.lanes), sum);
      t.store(lse, memory.lse, {b, zero, head}, 1);
    }
    if (!memory.output)
      return;
    Value inverse = softmax.inverseOf(sum);
    int64_t full = shape.valueDim / t.lanes * t.lanes;
    auto storeColumns = [&](Value column, int64_t valid) {
      t.store(t.mul(t.load(mixtures, {i, column}, t.lanes), inverse),
              memory.output, {b, zero, head, column}, valid);
    };
    t.forRegisters(full, [&](Value column) { storeColumns(column, t.lanes); });
    if (full < shape.valueDim)
      storeColumns(index.constant(full), shape.valueDim - full);
  });
}

void attnres::cpu::buildDecodeAttention(OpBuilder &builder, Location loc,
                                        KernelFunction &kernel,
                                        const AttentionForwardMemory &memory,
                                        const AttentionShape &shape,
                                        const CpuTarget &target) {
  DecodeBuilder(builder, loc, kernel, memory, shape, target).build();
}
