//===- DepthGradient.cpp - rows of the gradients of depth attention -------===//
#include "passes/rows/DepthFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// Gradients of depth attention; with a state also those of merging.
class DepthGradient : public DepthFormula {
public:
  DepthGradient(RowKernel &k, DepthAttentionBackwardOp op)
      : DepthFormula(k, op.getQueries(), op.getGains(), op.getSources(),
                     op.getEps(), kTables),
        lses(k.group(op.getLses())), outputGrads(k.group(op.getOutputGrads())),
        lseGrads(k.group(op.getLseGrads())),
        accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())),
        queryGrads(k.group(op.getQueryGrads())),
        gainGrads(k.group(op.getGainGrads())) {
    makeScratch();
  }
  DepthGradient(RowKernel &k, DepthMergeBackwardOp op)
      : DepthFormula(k, op.getQuery(), op.getGain(), op.getSources(),
                     op.getEps(), kTables),
        lses(k.group(op.getLse())), outputGrads(k.group(op.getOutputGrad())),
        accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())),
        queryGrads(k.group(op.getQueryGrad())),
        gainGrads(k.group(op.getGainGrad())), state(op.getState()),
        stateLse(op.getStateLse()), stateGrad(op.getStateGrad()),
        stateLseGrad(op.getStateLseGrad()) {
    if (op.getLseGrad())
      lseGrads = k.group(op.getLseGrad());
    makeScratch();
  }

  /// dw of each query is summed where its query gradient will be.
  void prologue() override {
    DepthFormula::prologue();
    k.forMembersOf(queries, [&](Value q) { k.clear(weightGradOf(q), width); });
  }

  void row() override {
    // One query writes the gradients of the sources; several blocks add to
    // them.
    if (!isSingleQuery())
      k.forMembersOf(sources, [&](Value i) {
        RowRef sum = sourceSum(i);
        m.mapColumns(width,
                     [&](Chunk c) { m.store(sum, c, accumulated(i, c)); });
      });
    forQueryBlocks([&](Block block) { addGradients(block); });
    if (wideSums.memref)
      k.forMembersOf(sources, [&](Value i) {
        RowRef sum = sourceSum(i), grad = k.memberRow(sourceGrads, i);
        m.mapColumns(width, [&](Chunk c) { m.store(grad, c, m.load(sum, c)); });
      });
  }

  void epilogue() override {
    k.forMembersOf(queries, [&](Value q) {
      RowRef query = k.memberShared(queries, q),
             gain = k.memberShared(gains, q);
      RowRef queryGrad = k.memberPartial(queryGrads, q), sum = weightGradOf(q);
      RowRef gainGrad = k.memberPartial(gainGrads, q);
      m.mapColumns(width, [&](Chunk c) {
        Value dw = m.load(sum, c);
        m.store(gainGrad, c, m.mul(dw, m.load(query, c)));
        m.store(queryGrad, c, m.mul(dw, m.load(gain, c)));
      });
    });
  }

private:
  enum Table { Score, Alpha, Product, InverseRms, kTables };

  /// What a block of queries gets from outside.
  struct Upstream {
    SmallVector<Value> lse, lseGrad;
    SmallVector<RowRef> grads;
    /// Of a single query, where the machine keeps rows in registers: the chunks
    /// of a row, the gradient and w.
    SmallVector<Chunk> chunks;
    SmallVector<Value> grad, folded;
  };

  bool isSingleQuery() const {
    return !queries.list && queries.members.size() == 1;
  }

  void makeScratch() {
    if (isSingleQuery()) {
      if (!m.registerChunks(width))
        return;
      nearSources.memref =
          m.nearbyRows(sources.list, sources.members.size(), width,
                       sources.element.getElementType());
      nearWeightGrad.memref = m.scratch(width);
      return;
    }
    // Narrow storage would round between the blocks of queries.
    if (sources.element.getElementType().isF32())
      return;
    wideSums.memref = sources.list ? m.listScratch(width)
                                   : m.scratch(width * sources.members.size());
  }

  /// Where dw of query `q` is summed over the rows of an item.
  RowRef weightGradOf(Value q) {
    return nearWeightGrad.memref ? nearWeightGrad
                                 : k.memberPartial(queryGrads, q);
  }

  /// The row of source `i` in the second loop over the sources, in the first
  /// one `v`.
  RowRef sourceAgain(Value i, RowRef v) {
    if (!nearSources.memref)
      return v;
    return {nearSources.memref, {}, m.index.mul(i, width)};
  }

  /// Where the gradient of source `i` is summed over the queries.
  RowRef sourceSum(Value i) {
    if (wideSums.memref)
      return {wideSums.memref, {}, m.index.mul(i, width)};
    return k.memberRow(sourceGrads, i);
  }

  Value accumulated(Value i, Chunk c) {
    if (!accumulators.element)
      return m.splat(0.0, c);
    return m.load(k.memberRow(accumulators, i), c);
  }

  Upstream upstreamOf(const Block &block) {
    Upstream up;
    for (int64_t q = 0; q < block.size; ++q) {
      Value index = query(block, q);
      up.lse.push_back(k.memberStat(lses, index));
      up.lseGrad.push_back(lseGrads.element ? k.memberStat(lseGrads, index)
                                            : m.f32(0));
      up.grads.push_back(k.memberRow(outputGrads, index));
    }
    if (block.size == 1)
      if (auto chunks = m.registerChunks(width)) {
        up.chunks = *chunks;
        for (const Chunk &c : up.chunks) {
          up.grad.push_back(m.load(up.grads[0], c));
          up.folded.push_back(m.load(weight(block.first), c));
        }
      }
    return up;
  }

  void addGradients(const Block &block) {
    Upstream up = upstreamOf(block);
    fillTables(block, up);
    Value stateAlpha = normalizeWeights(block, up);

    // m = sum alpha (v.g), the state being one more source.
    SmallVector<Value> mean(block.size, m.f32(0));
    Value stateProduct;
    if (state) {
      stateProduct = m.sumColumns(width, [&](Chunk c, Value sum) {
        return m.fma(m.load(k.row(state), c), m.load(up.grads[0], c), sum);
      });
      mean[0] = m.mul(stateAlpha, stateProduct);
    }
    mean = k.forMembers(sources, mean, [&](Value i, RowRef, ValueRange acc) {
      SmallVector<Value> next;
      for (int64_t q = 0; q < block.size; ++q)
        next.push_back(m.fma(loadEntry(tables[Alpha], i, block, q),
                             loadEntry(tables[Product], i, block, q), acc[q]));
      return next;
    });
    if (state) {
      Value slope = m.add(up.lseGrad[0], m.sub(stateProduct, mean[0]));
      k.setStat(stateLseGrad, m.mul(stateAlpha, slope));
      RowRef destination = k.destination(stateGrad);
      m.mapColumns(width, [&](Chunk c) {
        m.store(destination, c,
                m.mul(m.splat(stateAlpha, c), m.load(up.grads[0], c)));
      });
    }
    if (up.chunks.empty())
      k.forMembers(sources, [&](Value i, RowRef v) {
        addSourceGradient(i, v, block, up, mean);
      });
    else
      addSourceGradientsInRegisters(block, up, mean[0]);
  }

  /// Scores and v_i.g of all sources, and what scores are scaled by.
  void fillTables(const Block &block, const Upstream &up) {
    k.forMembers(sources, [&](Value i, RowRef v) {
      SmallVector<Value> sums = up.chunks.empty()
                                    ? squaresAndDots(v, block, up)
                                    : squaresAndDotsInRegisters(i, v, up);
      Value r = inverseRms(sums[0]);
      m.storeElement(r, tables[InverseRms], i);
      for (int64_t q = 0; q < block.size; ++q) {
        storeEntry(m.mul(sums[1 + 2 * q], r), tables[Score], i, block, q);
        storeEntry(sums[2 + 2 * q], tables[Product], i, block, q);
      }
    });
  }

  /// The sum of squares of a source, and its dot products with w and g of each
  /// query.
  SmallVector<Value> squaresAndDots(RowRef v, const Block &block,
                                    const Upstream &up) {
    SmallVector<Combine> kinds(1 + 2 * block.size, Combine::Sum);
    return m.reduceColumns(
        width, kinds,
        [&](Chunk c, ValueRange acc) {
          Value x = m.load(v, c);
          SmallVector<Value> next{m.fma(x, x, acc[0])};
          for (int64_t q = 0; q < block.size; ++q) {
            Value w = m.load(weight(query(block, q)), c);
            next.push_back(m.fma(x, w, acc[1 + 2 * q]));
            next.push_back(m.fma(x, m.load(up.grads[q], c), acc[2 + 2 * q]));
          }
          return next;
        },
        block.size == 1 ? Live::Few : Live::Many);
  }
  SmallVector<Value> squaresAndDotsInRegisters(Value i, RowRef v,
                                               const Upstream &up) {
    SmallVector<Value> acc;
    for (auto [j, c] : llvm::enumerate(up.chunks)) {
      Value x = m.load(v, c);
      if (nearSources.memref)
        m.store(sourceAgain(i, v), c, x);
      Value factors[] = {x, up.folded[j], up.grad[j]};
      for (auto [sum, factor] : llvm::enumerate(factors))
        if (j == 0)
          acc.push_back(m.mul(x, factor));
        else
          acc[sum] = m.fma(x, factor, acc[sum]);
    }
    return m.combineChunks(SmallVector<Combine>(acc.size(), Combine::Sum), acc);
  }

  /// Fills the table of alphas; returns that of the state. They add up to 1 but
  /// for the rounding of lse, which ds, a difference of products with them,
  /// would magnify: they are divided by their sum.
  Value normalizeWeights(const Block &block, const Upstream &up) {
    weigh(tables[Score], tables[Alpha], up.lse);
    SmallVector<Value> total(block.size, m.f32(0));
    Value stateAlpha;
    if (state)
      total[0] = stateAlpha = softmax.weightOf(k.stat(stateLse), up.lse[0]);
    total = sumEntries(tables[Alpha], block, total);
    SmallVector<Value> scale;
    for (int64_t q = 0; q < block.size; ++q)
      scale.push_back(softmax.inverseOf(total[q]));
    k.forMembersOf(sources, [&](Value i) {
      for (int64_t q = 0; q < block.size; ++q)
        storeEntry(m.mul(scale[q], loadEntry(tables[Alpha], i, block, q)),
                   tables[Alpha], i, block, q);
    });
    return state ? m.mul(stateAlpha, scale[0]) : Value();
  }

  /// How a source's gradient is made of the row's: alpha g + slope w + pull v.
  struct Slopes {
    SmallVector<Value> alpha, slope; ///< of each query
    Value pull;
  };
  Slopes slopesOf(Value i, const Block &block, const Upstream &up,
                  ArrayRef<Value> mean) {
    Value r = m.loadElement(tables[InverseRms], i);
    Slopes slopes;
    Value radial = m.f32(0); // sum ds s
    for (int64_t q = 0; q < block.size; ++q) {
      Value alpha = loadEntry(tables[Alpha], i, block, q);
      Value product = loadEntry(tables[Product], i, block, q);
      Value ds = m.mul(alpha, m.add(up.lseGrad[q], m.sub(product, mean[q])));
      radial = m.fma(ds, loadEntry(tables[Score], i, block, q), radial);
      slopes.alpha.push_back(alpha);
      slopes.slope.push_back(m.mul(ds, r));
    }
    slopes.pull = m.neg(m.div(m.mul(radial, m.mul(r, r)), m.f32(width)));
    return slopes;
  }

  /// Of a single query: dw is summed over the sources in registers.
  void addSourceGradientsInRegisters(const Block &block, const Upstream &up,
                                     Value mean) {
    SmallVector<Value> none;
    for (const Chunk &c : up.chunks)
      none.push_back(m.splat(0.0, c));
    SmallVector<Value> weightGrad =
        k.forMembers(sources, none, [&](Value i, RowRef v, ValueRange before) {
          Slopes slopes = slopesOf(i, block, up, mean);
          RowRef destination = sourceSum(i);
          SmallVector<Value> next;
          for (auto [j, c] : llvm::enumerate(up.chunks)) {
            Value x = m.load(sourceAgain(i, v), c);
            Value slope = m.splat(slopes.slope[0], c);
            Value sum =
                isSingleQuery() ? accumulated(i, c) : m.load(destination, c);
            sum = m.fma(m.splat(slopes.pull, c), x, sum);
            sum = m.fma(m.splat(slopes.alpha[0], c), up.grad[j], sum);
            sum = m.fma(slope, up.folded[j], sum);
            m.store(destination, c, sum);
            next.push_back(m.fma(slope, x, before[j]));
          }
          return next;
        });
    RowRef total = weightGradOf(block.first);
    for (auto [j, c] : llvm::enumerate(up.chunks))
      m.store(total, c, m.add(m.load(total, c), weightGrad[j]));
  }

  void addSourceGradient(Value i, RowRef v, const Block &block,
                         const Upstream &up, ArrayRef<Value> mean) {
    Slopes slopes = slopesOf(i, block, up, mean);
    ArrayRef<Value> alpha = slopes.alpha, slope = slopes.slope;
    Value pull = slopes.pull;
    RowRef destination = sourceSum(i);
    SmallVector<RowRef> weightGrads;
    for (int64_t q = 0; q < block.size; ++q)
      weightGrads.push_back(k.memberPartial(queryGrads, query(block, q)));
    m.mapColumns(
        width,
        [&](Chunk c) {
          Value x = m.load(v, c);
          Value sum =
              isSingleQuery() ? accumulated(i, c) : m.load(destination, c);
          sum = m.fma(m.splat(pull, c), x, sum);
          for (int64_t q = 0; q < block.size; ++q) {
            Value s = m.splat(slope[q], c);
            sum = m.fma(m.splat(alpha[q], c), m.load(up.grads[q], c), sum);
            sum = m.fma(s, m.load(weight(query(block, q)), c), sum);
            m.store(weightGrads[q], c, m.fma(s, x, m.load(weightGrads[q], c)));
          }
          m.store(destination, c, sum);
        },
        Live::Many);
  }

  RowGroup lses, outputGrads, lseGrads, accumulators;
  RowGroup sourceGrads, queryGrads, gainGrads;
  /// f32 sums of the source gradients of the row, one after the other; no
  /// memory when they are summed in place.
  RowRef wideSums;
  /// Of a single query, where rows are in registers: the sources of the row,
  /// and dw; or no memory.
  RowRef nearSources, nearWeightGrad;
  Value state, stateLse, stateGrad, stateLseGrad;
};

} // namespace

void attnres::rows::attachDepthGradientFormulas(MLIRContext &context) {
  attachFormula<DepthAttentionBackwardOp, DepthGradient>(context);
  attachFormula<DepthMergeBackwardOp, DepthGradient>(context);
}
