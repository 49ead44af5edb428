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
    forQueryBlocks([&](Block block) { mix(block); });
  }

private:
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
