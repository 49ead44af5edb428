//===- RowDepth.cpp - rows of attention over depth ------------------------===//
//
// The formulas stand in dialect/DepthOps.td. One row of depth attention reads
// each source twice, the second time from the cache: first the scores of all
// sources, then the softmax over the few scores, then the mixture. Several
// queries go in blocks of four, so that a source is loaded once for four dot
// products. Nothing depends on the number of sources or queries at compile
// time: both may be lists.
//
// A block keeps its scores in scratch, entry (source i, query q) at
// i * block + q, so that the exponentials are taken in full vectors.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/RowKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

constexpr int64_t kQueryBlock = 4;

/// What depth attention and merging share: queries as folded weights
/// w = query * gain, sources, and score tables.
class DepthRow : public RowOpEmitter {
public:
  DepthRow(RowKernel &k, ValueRange queryValues, ValueRange gainValues,
           ValueRange sourceValues, double eps, unsigned tables)
      : k(k), e(k.e), queries(k.group(queryValues)), gains(k.group(gainValues)),
        sources(k.group(sourceValues)), eps(eps),
        width(sources.element.getShape().back()) {
    makeScratch(tables);
  }

  /// w of every query, once for each work item.
  void prologue() override {
    k.forMembersOf(queries, [&](Value q) {
      RowRef query = k.memberShared(queries, q),
             gain = k.memberShared(gains, q);
      e.mapColumns(width, [&](Chunk c) {
        e.store(weight(q), c, e.mul(e.load(query, c), e.load(gain, c)));
      });
    });
  }

protected:
  /// Runs `body` on all queries, in blocks of kQueryBlock and then one by one.
  void forQueryBlocks(function_ref<void(Value first, int64_t size)> body) {
    if (!queries.list) {
      for (size_t q = 0; q < queries.members.size(); ++q)
        body(e.index.constant(q), 1);
      return;
    }
    Value count = k.count(queries);
    Value blocked = e.index.mul(e.index.div(count, kQueryBlock), kQueryBlock);
    forRange(e.b, e.b.getLoc(), e.index.constant(0), blocked,
             e.index.constant(kQueryBlock),
             [&](Value first) { body(first, kQueryBlock); });
    forRange(e.b, e.b.getLoc(), blocked, count, e.index.constant(1),
             [&](Value first) { body(first, 1); });
  }

  /// w of query `q`.
  RowRef weight(Value q) { return {weights, Value(), e.index.mul(q, width)}; }

  /// rsqrt(mean(v^2) + eps) from the sum of squares.
  Value inverseRms(Value squares) {
    return e.rsqrt(e.add(e.div(squares, e.f32(width)), e.f32(eps)));
  }

  Value entry(Value source, int64_t size, int64_t query) {
    return e.index.add(e.index.mul(source, size), query);
  }
  Value loadEntry(Value table, Value source, int64_t size, int64_t query) {
    return e.loadScalar(table, entry(source, size, query));
  }
  void storeEntry(Value value, Value table, Value source, int64_t size,
                  int64_t query) {
    e.storeScalar(value, table, entry(source, size, query));
  }

  /// table = exp(from - shift), shift given for each query of the block. Takes
  /// full vectors: entries behind the last one are computed and not used.
  void exponentials(Value from, Value table, ArrayRef<Value> shift) {
    int64_t size = shift.size(), lanes = e.target.lanes;
    auto type = VectorType::get({lanes}, e.b.getF32Type());
    SmallVector<Value> pattern;
    for (int64_t lane = 0; lane < lanes; ++lane)
      pattern.push_back(shift[lane % size]);
    Value shifts =
        size == 1
            ? vector::BroadcastOp::create(e.b, type, shift[0]).getResult()
            : vector::FromElementsOp::create(e.b, type, pattern).getResult();
    Value entries = e.index.mul(k.count(sources), size);
    forRange(e.b, e.b.getLoc(), e.index.constant(0), entries,
             e.index.constant(lanes), [&](Value i) {
               Value x = vector::LoadOp::create(e.b, type, from, i);
               vector::StoreOp::create(e.b, e.exp(e.sub(x, shifts)), table, i);
             });
  }

  RowKernel &k;
  RowEmitter &e;
  RowGroup queries, gains, sources;
  double eps;
  int64_t width;
  /// w of all queries, and the tables of scores (see the file comment).
  Value weights;
  SmallVector<Value> tables;

private:
  void makeScratch(unsigned count) {
    // Tables are read in full vectors, so they end with one vector more.
    int64_t slack = e.target.lanes;
    auto fixed = [&](int64_t floats) {
      return allocateScratch(e.b, e.b.getLoc(), e.kernel,
                             MemRefType::get({floats}, e.b.getF32Type()));
    };
    bool listed = sources.list || queries.list;
    weights = queries.list ? e.listScratch(width)
                           : fixed(width * queries.members.size());
    for (unsigned i = 0; i < count; ++i)
      tables.push_back(
          listed ? e.listScratch(kQueryBlock + slack)
                 : fixed(kQueryBlock * sources.members.size() + slack));
  }
};

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Depth attention; with a state also merging.
class DepthForwardRow : public DepthRow {
public:
  DepthForwardRow(RowKernel &k, DepthAttentionOp op)
      : DepthRow(k, op.getQueries(), op.getGains(), op.getSources(),
                 op.getEps().convertToDouble(), 1),
        outputs(k.group(op.getOutputs())), lses(k.group(op.getLses())) {}
  DepthForwardRow(RowKernel &k, DepthMergeOp op)
      : DepthRow(k, op.getQuery(), op.getGain(), op.getSources(),
                 op.getEps().convertToDouble(), 1),
        outputs(k.group(op.getOutput())), lses(k.group(op.getLse())),
        state(op.getState()), stateLse(op.getStateLse()) {}

  void row() override {
    forQueryBlocks([&](Value first, int64_t size) { block(first, size); });
  }

private:
  void block(Value first, int64_t size) {
    Value scores = tables[0];
    Value initialLse = state ? k.stat(stateLse)
                             : e.f32(-std::numeric_limits<double>::infinity());
    SmallVector<Value> top(size, initialLse);
    top =
        k.forMembers(sources, top, [&](Value i, RowRef v, ValueRange carried) {
          SmallVector<Value> sums = squaresAndDots(v, first, size);
          Value r = inverseRms(sums[0]);
          SmallVector<Value> next;
          for (int64_t q = 0; q < size; ++q) {
            Value score = e.mul(sums[1 + q], r);
            storeEntry(score, scores, i, size, q);
            next.push_back(e.max(carried[q], score));
          }
          return next;
        });
    exponentials(scores, scores, top);

    SmallVector<Value> sum(size, e.f32(0));
    Value stateWeight;
    if (state) {
      stateWeight = e.exp(e.sub(initialLse, top[0]));
      sum[0] = stateWeight;
    }
    sum = k.forMembers(sources, sum, [&](Value i, RowRef, ValueRange carried) {
      SmallVector<Value> next;
      for (int64_t q = 0; q < size; ++q)
        next.push_back(e.add(carried[q], loadEntry(scores, i, size, q)));
      return next;
    });

    SmallVector<Value> scale;
    for (int64_t q = 0; q < size; ++q) {
      scale.push_back(e.div(e.f32(1), sum[q]));
      k.setMemberStat(lses, e.index.add(first, q),
                      e.add(top[q], e.log(sum[q])));
    }
    mixture(first, size, scores, stateWeight, scale);
  }

  /// Sum of squares of a source and its dot product with each w.
  SmallVector<Value> squaresAndDots(RowRef v, Value first, int64_t size) {
    SmallVector<Combine> kinds(1 + size, Combine::Sum);
    return e.reduceColumns(width, kinds, [&](Chunk c, ValueRange acc) {
      Value x = e.load(v, c);
      SmallVector<Value> next{e.fma(x, x, acc[0])};
      for (int64_t q = 0; q < size; ++q)
        next.push_back(
            e.fma(x, e.load(weight(e.index.add(first, q)), c), acc[1 + q]));
      return next;
    });
  }

  void mixture(Value first, int64_t size, Value scores, Value stateWeight,
               ArrayRef<Value> scale) {
    SmallVector<RowRef> destinations;
    for (int64_t q = 0; q < size; ++q)
      destinations.push_back(k.memberRow(outputs, e.index.add(first, q)));
    e.mapColumns(width, [&](Chunk c) {
      SmallVector<Value> sums(size, e.splat(0.0, c));
      if (state)
        sums[0] = e.mul(e.splat(stateWeight, c), e.load(k.row(state), c));
      sums =
          k.forMembers(sources, sums, [&](Value i, RowRef v, ValueRange acc) {
            Value x = e.load(v, c);
            SmallVector<Value> next;
            for (int64_t q = 0; q < size; ++q)
              next.push_back(
                  e.fma(e.splat(loadEntry(scores, i, size, q), c), x, acc[q]));
            return next;
          });
      for (int64_t q = 0; q < size; ++q)
        e.store(destinations[q], c, e.mul(sums[q], e.splat(scale[q], c)));
    });
  }

  RowGroup outputs, lses;
  Value state, stateLse;
};

/// The weights alone, [n, rows].
class DepthWeightsRow : public DepthRow {
public:
  DepthWeightsRow(RowKernel &k, DepthWeightsOp op)
      : DepthRow(k, op.getQuery(), op.getGain(), op.getSources(),
                 op.getEps().convertToDouble(), 1),
        result(op.getWeights()) {}

  void row() override {
    Value zero = e.index.constant(0);
    SmallVector<Value> top{e.f32(-std::numeric_limits<double>::infinity())};
    top =
        k.forMembers(sources, top, [&](Value i, RowRef v, ValueRange carried) {
          SmallVector<Value> sums =
              e.reduceColumns(width, {Combine::Sum, Combine::Sum},
                              [&](Chunk c, ValueRange acc) {
                                Value x = e.load(v, c);
                                return SmallVector<Value>{
                                    e.fma(x, x, acc[0]),
                                    e.fma(x, e.load(weight(zero), c), acc[1])};
                              });
          Value score = e.mul(sums[1], inverseRms(sums[0]));
          storeEntry(score, tables[0], i, 1, 0);
          return SmallVector<Value>{e.max(carried[0], score)};
        });
    exponentials(tables[0], tables[0], top);
    SmallVector<Value> sum{e.f32(0)};
    sum = k.forMembers(sources, sum, [&](Value i, RowRef, ValueRange carried) {
      return SmallVector<Value>{
          e.add(carried[0], loadEntry(tables[0], i, 1, 0))};
    });
    Value memory = k.shared(result).memref;
    k.forMembers(sources, {}, [&](Value i, RowRef, ValueRange) {
      e.storeScalar(e.div(loadEntry(tables[0], i, 1, 0), sum[0]), memory,
                    e.index.add(e.index.mul(i, e.rows), e.row));
      return SmallVector<Value>{};
    });
  }

private:
  Value result;
};

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// Gradients of depth attention; with a state also those of merging.
class DepthBackwardRow : public DepthRow {
public:
  DepthBackwardRow(RowKernel &k, DepthAttentionBackwardOp op)
      : DepthRow(k, op.getQueries(), op.getGains(), op.getSources(),
                 op.getEps().convertToDouble(), kTables),
        lses(k.group(op.getLses())), outputGrads(k.group(op.getOutputGrads())),
        lseGrads(k.group(op.getLseGrads())),
        accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())),
        queryGrads(k.group(op.getQueryGrads())),
        gainGrads(k.group(op.getGainGrads())) {
    makeWideSums();
  }
  DepthBackwardRow(RowKernel &k, DepthMergeBackwardOp op)
      : DepthRow(k, op.getQuery(), op.getGain(), op.getSources(),
                 op.getEps().convertToDouble(), kTables),
        lses(k.group(op.getLse())), outputGrads(k.group(op.getOutputGrad())),
        accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())),
        queryGrads(k.group(op.getQueryGrad())),
        gainGrads(k.group(op.getGainGrad())), state(op.getState()),
        stateLse(op.getStateLse()), stateGrad(op.getStateGrad()),
        stateLseGrad(op.getStateLseGrad()) {
    if (op.getLseGrad())
      lseGrads = k.group(op.getLseGrad());
  }

  /// dw of each query is summed where its query gradient will be.
  void prologue() override {
    DepthRow::prologue();
    k.forMembersOf(queries, [&](Value q) {
      k.clear(k.memberPartial(queryGrads, q), width);
    });
  }

  void row() override {
    // One query writes the gradients of the sources; several blocks add to
    // them.
    bool single = isSingleQuery();
    if (!single)
      k.forMembersOf(sources, [&](Value i) {
        RowRef sum = sourceSum(i);
        e.mapColumns(width,
                     [&](Chunk c) { e.store(sum, c, accumulated(i, c)); });
      });
    forQueryBlocks(
        [&](Value first, int64_t size) { block(first, size, single); });
    if (wideSums)
      k.forMembersOf(sources, [&](Value i) {
        RowRef sum = sourceSum(i), grad = k.memberRow(sourceGrads, i);
        e.mapColumns(width, [&](Chunk c) { e.store(grad, c, e.load(sum, c)); });
      });
  }

  void epilogue() override {
    k.forMembersOf(queries, [&](Value q) {
      RowRef query = k.memberShared(queries, q),
             gain = k.memberShared(gains, q);
      RowRef queryGrad = k.memberPartial(queryGrads, q);
      RowRef gainGrad = k.memberPartial(gainGrads, q);
      e.mapColumns(width, [&](Chunk c) {
        Value dw = e.load(queryGrad, c);
        e.store(gainGrad, c, e.mul(dw, e.load(query, c)));
        e.store(queryGrad, c, e.mul(dw, e.load(gain, c)));
      });
    });
  }

private:
  enum Table { Score, Alpha, Product, InverseRms, kTables };

  bool isSingleQuery() const {
    return !queries.list && queries.members.size() == 1;
  }

  /// Narrow storage would round between the blocks of queries.
  void makeWideSums() {
    if (isSingleQuery() || sources.element.getElementType().isF32())
      return;
    wideSums = sources.list ? e.listScratch(width)
                            : e.scratchRow(width * sources.members.size());
  }

  /// Where the gradient of source `i` is summed over the queries.
  RowRef sourceSum(Value i) {
    if (wideSums)
      return {wideSums, Value(), e.index.mul(i, width)};
    return k.memberRow(sourceGrads, i);
  }

  Value accumulated(Value i, Chunk c) {
    if (!accumulators.element)
      return e.splat(0.0, c);
    return e.load(k.memberRow(accumulators, i), c);
  }

  void block(Value first, int64_t size, bool single) {
    SmallVector<Value> lse, lseGrad;
    SmallVector<RowRef> grads;
    for (int64_t q = 0; q < size; ++q) {
      Value index = e.index.add(first, q);
      lse.push_back(k.memberStat(lses, index));
      lseGrad.push_back(lseGrads.element ? k.memberStat(lseGrads, index)
                                         : e.f32(0));
      grads.push_back(k.memberRow(outputGrads, index));
    }
    // Scores and v_i.g of all sources. Two registers a chunk: nine sums.
    k.forMembers(sources, {}, [&](Value i, RowRef v, ValueRange) {
      SmallVector<Combine> kinds(1 + 2 * size, Combine::Sum);
      SmallVector<Value> sums = e.reduceColumns(
          width, kinds,
          [&](Chunk c, ValueRange acc) {
            Value x = e.load(v, c);
            SmallVector<Value> next{e.fma(x, x, acc[0])};
            for (int64_t q = 0; q < size; ++q) {
              Value w = e.load(weight(e.index.add(first, q)), c);
              next.push_back(e.fma(x, w, acc[1 + 2 * q]));
              next.push_back(e.fma(x, e.load(grads[q], c), acc[2 + 2 * q]));
            }
            return next;
          },
          size == 1 ? 4 : 2);
      Value r = inverseRms(sums[0]);
      e.storeScalar(r, tables[InverseRms], i);
      for (int64_t q = 0; q < size; ++q) {
        storeEntry(e.mul(sums[1 + 2 * q], r), tables[Score], i, size, q);
        storeEntry(sums[2 + 2 * q], tables[Product], i, size, q);
      }
      return SmallVector<Value>{};
    });
    exponentials(tables[Score], tables[Alpha], lse);

    // The weights add up to 1 but for the rounding of lse, which ds, a
    // difference of products with them, would magnify: divide by their sum.
    SmallVector<Value> total(size, e.f32(0));
    Value stateAlpha, stateProduct;
    if (state)
      total[0] = stateAlpha = e.exp(e.sub(k.stat(stateLse), lse[0]));
    total = k.forMembers(sources, total, [&](Value i, RowRef, ValueRange acc) {
      SmallVector<Value> next;
      for (int64_t q = 0; q < size; ++q)
        next.push_back(e.add(acc[q], loadEntry(tables[Alpha], i, size, q)));
      return next;
    });
    SmallVector<Value> scale;
    for (int64_t q = 0; q < size; ++q)
      scale.push_back(e.div(e.f32(1), total[q]));
    k.forMembers(sources, {}, [&](Value i, RowRef, ValueRange) {
      for (int64_t q = 0; q < size; ++q)
        storeEntry(e.mul(scale[q], loadEntry(tables[Alpha], i, size, q)),
                   tables[Alpha], i, size, q);
      return SmallVector<Value>{};
    });

    // m = sum alpha (v.g), the state being one more source.
    SmallVector<Value> mean(size, e.f32(0));
    if (state) {
      stateAlpha = e.mul(stateAlpha, scale[0]);
      stateProduct =
          e.reduceColumns(width, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
            return SmallVector<Value>{
                e.fma(e.load(k.row(state), c), e.load(grads[0], c), acc[0])};
          })[0];
      mean[0] = e.mul(stateAlpha, stateProduct);
    }
    mean = k.forMembers(sources, mean, [&](Value i, RowRef, ValueRange acc) {
      SmallVector<Value> next;
      for (int64_t q = 0; q < size; ++q)
        next.push_back(e.fma(loadEntry(tables[Alpha], i, size, q),
                             loadEntry(tables[Product], i, size, q), acc[q]));
      return next;
    });
    if (state) {
      Value slope = e.add(lseGrad[0], e.sub(stateProduct, mean[0]));
      k.setStat(stateLseGrad, e.mul(stateAlpha, slope));
      RowRef destination = k.destination(stateGrad);
      e.mapColumns(width, [&](Chunk c) {
        e.store(destination, c,
                e.mul(e.splat(stateAlpha, c), e.load(grads[0], c)));
      });
    }
    k.forMembers(sources, {}, [&](Value i, RowRef v, ValueRange) {
      sourceGradient(i, v, first, size, single, grads, lseGrad, mean);
      return SmallVector<Value>{};
    });
  }

  void sourceGradient(Value i, RowRef v, Value first, int64_t size, bool single,
                      ArrayRef<RowRef> grads, ArrayRef<Value> lseGrad,
                      ArrayRef<Value> mean) {
    Value r = e.loadScalar(tables[InverseRms], i);
    SmallVector<Value> alpha, slope; // of g and of r w
    Value radial = e.f32(0);         // sum ds s
    for (int64_t q = 0; q < size; ++q) {
      alpha.push_back(loadEntry(tables[Alpha], i, size, q));
      Value product = loadEntry(tables[Product], i, size, q);
      Value ds = e.mul(alpha[q], e.add(lseGrad[q], e.sub(product, mean[q])));
      radial = e.fma(ds, loadEntry(tables[Score], i, size, q), radial);
      slope.push_back(e.mul(ds, r));
    }
    Value pull = e.neg(e.div(e.mul(radial, e.mul(r, r)), e.f32(width)));
    RowRef destination = sourceSum(i);
    SmallVector<RowRef> weightGrads;
    for (int64_t q = 0; q < size; ++q)
      weightGrads.push_back(k.memberPartial(queryGrads, e.index.add(first, q)));
    e.mapColumns(
        width,
        [&](Chunk c) {
          Value x = e.load(v, c);
          Value sum = single ? accumulated(i, c) : e.load(destination, c);
          sum = e.fma(e.splat(pull, c), x, sum);
          for (int64_t q = 0; q < size; ++q) {
            Value s = e.splat(slope[q], c);
            sum = e.fma(e.splat(alpha[q], c), e.load(grads[q], c), sum);
            sum = e.fma(s, e.load(weight(e.index.add(first, q)), c), sum);
            e.store(weightGrads[q], c, e.fma(s, x, e.load(weightGrads[q], c)));
          }
          e.store(destination, c, sum);
        },
        2);
  }

  RowGroup lses, outputGrads, lseGrads, accumulators;
  RowGroup sourceGrads, queryGrads, gainGrads;
  /// f32 sums of the source gradients of the row, one after the other; null
  /// when they are summed in place.
  Value wideSums;
  Value state, stateLse, stateGrad, stateLseGrad;
};

//===----------------------------------------------------------------------===//
// States and static mixtures
//===----------------------------------------------------------------------===//

class MergeStatesRow : public RowOpEmitter {
public:
  MergeStatesRow(RowKernel &k, MergeStatesOp op) : k(k), e(k.e), op(op) {}

  void row() override {
    Value a = k.stat(op.getLhsLse()), b = k.stat(op.getRhsLse());
    Value top = e.max(a, b);
    // Two empty states make an empty one: -inf - -inf would be NaN.
    Value isEmpty =
        arith::CmpFOp::create(e.b, arith::CmpFPredicate::OEQ, top,
                              e.f32(-std::numeric_limits<double>::infinity()));
    Value shift = arith::SelectOp::create(e.b, isEmpty, e.f32(0), top);
    Value wa = e.exp(e.sub(a, shift)), wb = e.exp(e.sub(b, shift));
    Value sum = e.add(wa, wb);
    Value scale =
        arith::SelectOp::create(e.b, isEmpty, e.f32(0), e.div(e.f32(1), sum));
    k.setStat(op.getLse(), e.add(shift, e.log(sum)));
    Value fa = e.mul(wa, scale), fb = e.mul(wb, scale);
    RowRef lhs = k.row(op.getLhs()), rhs = k.row(op.getRhs());
    RowRef output = k.destination(op.getOutput());
    e.mapColumns(
        cast<RankedTensorType>(op.getLhs().getType()).getShape().back(),
        [&](Chunk c) {
          Value y = e.mul(e.splat(fa, c), e.load(lhs, c));
          e.store(output, c, e.fma(e.splat(fb, c), e.load(rhs, c), y));
        });
  }

private:
  RowKernel &k;
  RowEmitter &e;
  MergeStatesOp op;
};

class MergeStatesBackwardRow : public RowOpEmitter {
public:
  MergeStatesBackwardRow(RowKernel &k, MergeStatesBackwardOp op)
      : k(k), e(k.e), op(op) {}

  void row() override {
    int64_t width =
        cast<RankedTensorType>(op.getLhs().getType()).getShape().back();
    RowRef lhs = k.row(op.getLhs()), rhs = k.row(op.getRhs());
    RowRef grad = k.row(op.getOutputGrad());
    SmallVector<Value> dots = e.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value g = e.load(grad, c);
          return SmallVector<Value>{e.fma(e.load(lhs, c), g, acc[0]),
                                    e.fma(e.load(rhs, c), g, acc[1])};
        });
    Value lse = k.stat(op.getLse());
    Value lowest = e.f32(-std::numeric_limits<double>::infinity());
    Value isEmpty =
        arith::CmpFOp::create(e.b, arith::CmpFPredicate::OEQ, lse, lowest);
    auto weight = [&](Value part) -> Value {
      Value w = e.exp(e.sub(part, lse));
      return arith::SelectOp::create(e.b, isEmpty, e.f32(0), w);
    };
    Value a = weight(k.stat(op.getLhsLse())),
          b = weight(k.stat(op.getRhsLse()));
    Value mean = e.fma(a, dots[0], e.mul(b, dots[1]));
    Value shift =
        op.getLseGrad() ? e.sub(k.stat(op.getLseGrad()), mean) : e.neg(mean);
    k.setStat(op.getLhsLseGrad(), e.mul(a, e.add(dots[0], shift)));
    k.setStat(op.getRhsLseGrad(), e.mul(b, e.add(dots[1], shift)));
    RowRef lhsGrad = k.destination(op.getLhsGrad());
    RowRef rhsGrad = k.destination(op.getRhsGrad());
    e.mapColumns(width, [&](Chunk c) {
      Value g = e.load(grad, c);
      e.store(lhsGrad, c, e.mul(e.splat(a, c), g));
      e.store(rhsGrad, c, e.mul(e.splat(b, c), g));
    });
  }

private:
  RowKernel &k;
  RowEmitter &e;
  MergeStatesBackwardOp op;
};

/// softmax(weights), once for each work item, in scratch.
class StaticRow : public RowOpEmitter {
public:
  StaticRow(RowKernel &k, Value weights, ValueRange sourceValues)
      : k(k), e(k.e), weights(weights), sources(k.group(sourceValues)),
        width(sources.element.getShape().back()),
        count(cast<RankedTensorType>(weights.getType()).getDimSize(0)) {
    alpha = e.scratchRow(count);
  }

  void prologue() override {
    RowRef logits = k.shared(weights), softmax{alpha, Value(), Value()};
    const float lowest = -std::numeric_limits<float>::infinity();
    Value top =
        e.reduceColumns(count, {Combine::Max}, [&](Chunk c, ValueRange acc) {
          return SmallVector<Value>{e.max(acc[0], e.load(logits, c, lowest))};
        })[0];
    Value sum =
        e.reduceColumns(count, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value x = e.exp(e.sub(e.load(logits, c, lowest), e.splat(top, c)));
          e.store(softmax, c, x);
          return SmallVector<Value>{e.add(acc[0], x)};
        })[0];
    e.mapColumns(count, [&](Chunk c) {
      e.store(softmax, c, e.div(e.load(softmax, c), e.splat(sum, c)));
    });
  }

protected:
  RowKernel &k;
  RowEmitter &e;
  Value weights;
  RowGroup sources;
  int64_t width, count;
  Value alpha;
};

class StaticMixRow : public StaticRow {
public:
  StaticMixRow(RowKernel &k, StaticMixOp op)
      : StaticRow(k, op.getWeights(), op.getSources()), result(op.getOutput()) {
  }

  void row() override {
    RowRef output = k.destination(result);
    e.mapColumns(width, [&](Chunk c) {
      SmallVector<Value> sum = k.forMembers(
          sources, e.splat(0.0, c), [&](Value i, RowRef v, ValueRange acc) {
            Value a = e.splat(e.loadScalar(alpha, i), c);
            return SmallVector<Value>{e.fma(a, e.load(v, c), acc[0])};
          });
      e.store(output, c, sum[0]);
    });
  }

private:
  Value result;
};

class StaticMixBackwardRow : public StaticRow {
public:
  StaticMixBackwardRow(RowKernel &k, StaticMixBackwardOp op)
      : StaticRow(k, op.getWeights(), op.getSources()), op(op),
        accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())) {}

  /// sum over rows of v_i.g, where the gradients of the logits will be.
  void prologue() override {
    StaticRow::prologue();
    k.clear(k.partial(op.getWeightsGrad()), count);
  }

  void row() override {
    RowRef grad = k.row(op.getOutputGrad());
    RowRef partial = k.partial(op.getWeightsGrad());
    k.forMembers(sources, {}, [&](Value i, RowRef v, ValueRange) {
      Value dot =
          e.reduceColumns(width, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
            return SmallVector<Value>{
                e.fma(e.load(v, c), e.load(grad, c), acc[0])};
          })[0];
      SmallVector<Value> indices;
      if (partial.row)
        indices.push_back(partial.row);
      indices.push_back(i);
      e.storeScalar(e.add(e.loadScalar(partial.memref, indices), dot),
                    partial.memref, indices);
      Value a = e.loadScalar(alpha, i);
      RowRef destination = k.memberRow(sourceGrads, i);
      e.mapColumns(width, [&](Chunk c) {
        Value sum = accumulators.element
                        ? e.load(k.memberRow(accumulators, i), c)
                        : e.splat(0.0, c);
        e.store(destination, c, e.fma(e.splat(a, c), e.load(grad, c), sum));
      });
      return SmallVector<Value>{};
    });
  }

  void epilogue() override {
    RowRef partial = k.partial(op.getWeightsGrad());
    RowRef softmax{alpha, Value(), Value()};
    Value mean =
        e.reduceColumns(count, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
          return SmallVector<Value>{
              e.fma(e.load(softmax, c), e.load(partial, c), acc[0])};
        })[0];
    e.mapColumns(count, [&](Chunk c) {
      Value d = e.sub(e.load(partial, c), e.splat(mean, c));
      e.store(partial, c, e.mul(e.load(softmax, c), d));
    });
  }

private:
  StaticMixBackwardOp op;
  RowGroup accumulators, sourceGrads;
};

} // namespace

std::unique_ptr<RowOpEmitter> attnres::cpu::createDepthEmitter(RowKernel &k,
                                                               Operation *op) {
  using Result = std::unique_ptr<RowOpEmitter>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<DepthAttentionOp, DepthMergeOp>(
          [&](auto o) { return std::make_unique<DepthForwardRow>(k, o); })
      .Case<DepthAttentionBackwardOp, DepthMergeBackwardOp>(
          [&](auto o) { return std::make_unique<DepthBackwardRow>(k, o); })
      .Case([&](DepthWeightsOp o) {
        return std::make_unique<DepthWeightsRow>(k, o);
      })
      .Case([&](MergeStatesOp o) {
        return std::make_unique<MergeStatesRow>(k, o);
      })
      .Case([&](MergeStatesBackwardOp o) {
        return std::make_unique<MergeStatesBackwardRow>(k, o);
      })
      .Case([&](StaticMixOp o) { return std::make_unique<StaticMixRow>(k, o); })
      .Case([&](StaticMixBackwardOp o) {
        return std::make_unique<StaticMixBackwardRow>(k, o);
      })
      .Default([](Operation *) { return nullptr; });
}
