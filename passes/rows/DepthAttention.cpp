//===- DepthAttention.cpp - rows of depth attention, merging, weights -----===//
#include "passes/rows/DepthFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// Scores of all sources by queries, which every mixture starts with.
class ScoringFormula : public DepthFormula {
public:
  using DepthFormula::DepthFormula;

protected:
  RowRef scores() { return tables[0]; }

  /// Fills the table of scores and returns the maximum for each query, `top`
  /// being those before.
  SmallVector<Value> scoreSources(const Block &block, ValueRange top) {
    return k.forMembers(sources, top,
                        [&](Value i, RowRef v, ValueRange carried) {
                          SmallVector<Value> sums = squaresAndDots(v, block);
                          Value r = inverseRms(sums[0]);
                          SmallVector<Value> next;
                          for (int64_t q = 0; q < block.size; ++q) {
                            Value score = m.mul(sums[1 + q], r);
                            storeEntry(score, scores(), i, block, q);
                            next.push_back(m.max(carried[q], score));
                          }
                          return next;
                        });
  }

private:
  /// Sum of squares of a source and its dot product with each w.
  SmallVector<Value> squaresAndDots(RowRef v, const Block &block) {
    SmallVector<Combine> kinds(1 + block.size, Combine::Sum);
    return m.reduceColumns(width, kinds, [&](Chunk c, ValueRange acc) {
      Value x = m.load(v, c);
      SmallVector<Value> next{m.fma(x, x, acc[0])};
      for (int64_t q = 0; q < block.size; ++q)
        next.push_back(
            m.fma(x, m.load(weight(query(block, q)), c), acc[1 + q]));
      return next;
    });
  }
};

/// Depth attention; with a state also merging.
class DepthAttention : public ScoringFormula {
public:
  DepthAttention(RowKernel &k, DepthAttentionOp op)
      : ScoringFormula(k, op.getQueries(), op.getGains(), op.getSources(),
                       op.getEps(), 1),
        outputs(k.group(op.getOutputs())), lses(k.group(op.getLses())) {}
  DepthAttention(RowKernel &k, DepthMergeOp op)
      : ScoringFormula(k, op.getQuery(), op.getGain(), op.getSources(),
                       op.getEps(), 1),
        outputs(k.group(op.getOutput())), lses(k.group(op.getLse())),
        state(op.getState()), stateLse(op.getStateLse()) {}

  void row() override {
    auto chunks = m.registerChunks(width);
    forQueryBlocks([&](Block block) {
      if (chunks)
        mixInRegisters(block, *chunks);
      else
        mix(block);
    });
  }

private:
  /// Reads every source once: the mixture of those so far is a state in
  /// registers, see OnlineSoftmax.h.
  void mixInRegisters(const Block &block, ArrayRef<Chunk> chunks) {
    // The state is, for each query, a maximum, a sum, and the chunks of a row.
    size_t size = block.size;
    SmallVector<Value> initial(size, m.f32(OnlineSoftmax::kEmpty));
    initial.append(size, m.f32(0));
    for (size_t q = 0; q < size; ++q)
      for (const Chunk &c : chunks)
        initial.push_back(state ? m.load(k.row(state), c) : m.splat(0.0, c));
    if (state) {
      initial[0] = k.stat(stateLse);
      initial[1] = m.f32(1);
    }
    // What all sources share; of several queries it would take too many.
    SmallVector<Value> folded;
    if (size == 1)
      for (const Chunk &c : chunks)
        folded.push_back(m.load(weight(query(block, 0)), c));

    SmallVector<Value> last =
        k.forMembers(sources, initial, [&](Value i, RowRef v, ValueRange in) {
          SmallVector<Value> row;
          for (const Chunk &c : chunks)
            row.push_back(m.load(v, c));
          SmallVector<Value> sums = squaresAndDots(row, block, chunks, folded);
          Value r = inverseRms(sums[0]);
          SmallVector<Value> top, total, mixed;
          for (size_t q = 0; q < size; ++q) {
            Value score = m.mul(sums[1 + q], r);
            auto raised = softmax.raise(in[q], score);
            Value weight = softmax.weightOf(score, raised.shift);
            top.push_back(raised.max);
            total.push_back(m.fma(in[size + q], raised.factor, weight));
            for (size_t j = 0; j < chunks.size(); ++j) {
              Value before = in[2 * size + q * chunks.size() + j];
              before = m.mul(before, m.splat(raised.factor, chunks[j]));
              mixed.push_back(
                  m.fma(m.splat(weight, chunks[j]), row[j], before));
            }
          }
          top.append(total);
          top.append(mixed);
          return top;
        });

    for (size_t q = 0; q < size; ++q) {
      Value index = query(block, q), top = last[q], total = last[size + q];
      Value scale = softmax.inverseOf(total);
      RowRef destination = k.memberRow(outputs, index);
      for (size_t j = 0; j < chunks.size(); ++j)
        m.store(destination, chunks[j],
                m.mul(last[2 * size + q * chunks.size() + j],
                      m.splat(scale, chunks[j])));
      k.setMemberStat(lses, index, softmax.lseOf(top, total));
    }
  }

  /// Sum of squares of a source whose row is in registers, and its dot product
  /// with each w, `folded` where there is one.
  SmallVector<Value> squaresAndDots(ArrayRef<Value> row, const Block &block,
                                    ArrayRef<Chunk> chunks,
                                    ArrayRef<Value> folded) {
    SmallVector<Value> acc;
    for (auto [j, c] : llvm::enumerate(chunks)) {
      Value x = row[j];
      auto add = [&](size_t sum, Value y) {
        if (j == 0)
          acc.push_back(m.mul(x, y));
        else
          acc[sum] = m.fma(x, y, acc[sum]);
      };
      add(0, x);
      for (int64_t q = 0; q < block.size; ++q)
        add(1 + q,
            folded.empty() ? m.load(weight(query(block, q)), c) : folded[j]);
    }
    return m.combineChunks(SmallVector<Combine>(acc.size(), Combine::Sum), acc);
  }

  void mix(const Block &block) {
    // A finished state has its log-sum-exp as maximum, and the sum 1.
    Value before = state ? k.stat(stateLse) : m.f32(OnlineSoftmax::kEmpty);
    SmallVector<Value> top =
        scoreSources(block, SmallVector<Value>(block.size, before));
    SmallVector<Value> shift;
    for (Value max : top)
      shift.push_back(softmax.shiftOf(max));
    weigh(scores(), scores(), shift);

    SmallVector<Value> sum(block.size, m.f32(0));
    Value stateWeight;
    if (state)
      sum[0] = stateWeight = softmax.factorOf(before, shift[0]);
    sum = sumEntries(scores(), block, sum);

    SmallVector<Value> scale;
    for (int64_t q = 0; q < block.size; ++q) {
      scale.push_back(softmax.inverseOf(sum[q]));
      k.setMemberStat(lses, query(block, q), softmax.lseOf(top[q], sum[q]));
    }
    writeMixture(block, stateWeight, scale);
  }

  void writeMixture(const Block &block, Value stateWeight,
                    ArrayRef<Value> scale) {
    SmallVector<RowRef> destinations;
    for (int64_t q = 0; q < block.size; ++q)
      destinations.push_back(k.memberRow(outputs, query(block, q)));
    m.mapColumns(width, [&](Chunk c) {
      SmallVector<Value> sums(block.size, m.splat(0.0, c));
      if (state)
        sums[0] = m.mul(m.splat(stateWeight, c), m.load(k.row(state), c));
      sums =
          k.forMembers(sources, sums, [&](Value i, RowRef v, ValueRange acc) {
            Value x = m.load(v, c);
            SmallVector<Value> next;
            for (int64_t q = 0; q < block.size; ++q)
              next.push_back(m.fma(m.splat(loadEntry(scores(), i, block, q), c),
                                   x, acc[q]));
            return next;
          });
      for (int64_t q = 0; q < block.size; ++q)
        m.store(destinations[q], c, m.mul(sums[q], m.splat(scale[q], c)));
    });
  }

  RowGroup outputs, lses;
  Value state, stateLse;
};

/// The weights alone, [n, rows].
class DepthWeights : public ScoringFormula {
public:
  DepthWeights(RowKernel &k, DepthWeightsOp op)
      : ScoringFormula(k, op.getQuery(), op.getGain(), op.getSources(),
                       op.getEps(), 1),
        result(op.getWeights()) {}

  void row() override {
    Block block{m.index.constant(0), 1};
    Value top = scoreSources(block, m.f32(OnlineSoftmax::kEmpty))[0];
    weigh(scores(), scores(), softmax.shiftOf(top));
    Value sum = sumEntries(scores(), block, m.f32(0))[0];
    RowRef weights = k.shared(result);
    k.forMembersOf(sources, [&](Value i) {
      Value place = m.index.add(m.index.mul(i, m.rows), m.row);
      m.storeElement(m.div(loadEntry(scores(), i, block, 0), sum), weights,
                     place);
    });
  }

private:
  Value result;
};

} // namespace

void attnres::rows::attachDepthAttentionFormulas(MLIRContext &context) {
  attachFormula<DepthAttentionOp, DepthAttention>(context);
  attachFormula<DepthMergeOp, DepthAttention>(context);
  attachFormula<DepthWeightsOp, DepthWeights>(context);
}
