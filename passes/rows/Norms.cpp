//===- Norms.cpp - rows of norms ------------------------------------------===//
//
// The formulas stand in dialect/LayerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// rsqrt(sum / width + eps).
Value inverseRoot(RowMachine &m, Value sum, int64_t width, double eps) {
  return m.rsqrt(m.add(m.div(sum, m.f32(width)), m.f32(eps)));
}

/// Loops over the columns of a row. Machines that keep rows in registers read
/// them once for all loops, and sum what is summed over the rows of an item in
/// scratch, which they have nearby.
class NormFormula : public RowFormula {
public:
  NormFormula(RowKernel &k, Operation *op, int64_t width)
      : RowFormula(k), width(width), chunks(m.registerChunks(width)),
        isAlone(op->getBlock()->getOperations().size() == 2) {}

  void epilogue() override {
    for (const Total &total : totals)
      if (total.sums.memref)
        m.mapColumns(width, [&](Chunk c) {
          m.store(k.partial(total.result), c, m.load(total.sums, c));
        });
  }

protected:
  /// A row in memory, or the chunks of it that were read.
  struct Row {
    RowRef memory;
    SmallVector<Value> kept;
  };
  Row read(RowRef memory) {
    Row row{memory};
    if (chunks)
      for (const Chunk &c : *chunks)
        row.kept.push_back(m.load(memory, c));
    return row;
  }
  /// A row that all rows of the kernel share. Other operations of a kernel have
  /// better use for the registers.
  Row readShared(RowRef memory) { return isAlone ? read(memory) : Row{memory}; }
  /// Chunk number `j` of a row, in the first loop that needs it or a later one.
  Value first(const Row &row, const Chunk &c, size_t j) {
    return row.kept.empty() ? m.loadAndPrefetch(row.memory, c) : row.kept[j];
  }
  Value again(const Row &row, const Chunk &c, size_t j) {
    return row.kept.empty() ? m.load(row.memory, c) : row.kept[j];
  }

  using SumBody = function_ref<SmallVector<Value>(const Chunk &c, size_t j,
                                                  ValueRange sums)>;
  SmallVector<Value> sum(size_t count, SumBody body) {
    SmallVector<Combine> kinds(count, Combine::Sum);
    if (!chunks)
      return m.reduceColumns(width, kinds, [&](Chunk c, ValueRange sums) {
        return body(c, 0, sums);
      });
    SmallVector<Value> sums(count, m.splat(0.0, chunks->front()));
    for (auto [j, c] : llvm::enumerate(*chunks))
      sums = body(c, j, sums);
    return m.combineChunks(kinds, sums);
  }
  void map(function_ref<void(const Chunk &c, size_t j)> body) {
    if (!chunks)
      return m.mapColumns(width, [&](Chunk c) { body(c, 0); });
    for (auto [j, c] : llvm::enumerate(*chunks))
      body(c, j);
    m.meet();
  }

  /// Sums over the rows of an item, of which `result` has a row.
  struct Total {
    Value result;
    RowRef sums;
  };
  /// To be asked for when the formula is made.
  void addTotal(Value result) {
    totals.push_back({result, {}});
    if (chunks)
      totals.back().sums.memref = m.scratch(width);
  }
  void clearTotals() {
    for (const Total &total : totals)
      k.clear(memoryOf(total), width);
  }
  RowRef memoryOf(const Total &total) const {
    return total.sums.memref ? total.sums : k.partial(total.result);
  }
  /// Adds x y to a total.
  void add(const Total &total, const Chunk &c, Value x, Value y) {
    RowRef memory = memoryOf(total);
    m.store(memory, c, m.fma(x, y, m.load(memory, c)));
  }

  int64_t width;
  std::optional<SmallVector<Chunk>> chunks;
  bool isAlone;
  SmallVector<Total> totals;
};

class RMSNorm : public NormFormula {
public:
  RMSNorm(RowKernel &k, RMSNormOp op)
      : NormFormula(k, op, rowWidth(op.getX())), op(op) {}

  void prologue() override { weight = readShared(k.shared(op.getWeight())); }
  void row() override {
    Row x = read(k.row(op.getX()));
    RowRef output = k.destination(op.getResult());
    Value squares = sum(1, [&](const Chunk &c, size_t j, ValueRange acc) {
      Value v = first(x, c, j);
      return SmallVector<Value>{m.fma(v, v, acc[0])};
    })[0];
    Value r = inverseRoot(m, squares, width, op.getEps().convertToDouble());
    map([&](const Chunk &c, size_t j) {
      m.store(output, c,
              m.mul(m.mul(again(x, c, j), m.splat(r, c)), again(weight, c, j)));
    });
  }

private:
  RMSNormOp op;
  Row weight;
};

class RMSNormBackward : public NormFormula {
public:
  RMSNormBackward(RowKernel &k, RMSNormBackwardOp op)
      : NormFormula(k, op, rowWidth(op.getX())), op(op) {
    addTotal(op.getWeightGrad());
  }

  void prologue() override {
    clearTotals();
    weight = readShared(k.shared(op.getWeight()));
  }
  void row() override {
    Row x = read(k.row(op.getX())), grad = read(k.row(op.getOutputGrad()));
    RowRef xGrad = k.destination(op.getXGrad());
    // sum x^2 and sum weight g x
    SmallVector<Value> sums =
        sum(2, [&](const Chunk &c, size_t j, ValueRange acc) {
          Value v = first(x, c, j);
          Value a = m.mul(again(weight, c, j), first(grad, c, j));
          return SmallVector<Value>{m.fma(v, v, acc[0]), m.fma(a, v, acc[1])};
        });
    Value r = inverseRoot(m, sums[0], width, op.getEps().convertToDouble());
    Value r3 = m.mul(m.mul(r, r), r);
    Value slope = m.neg(m.mul(r3, m.div(sums[1], m.f32(width))));
    map([&](const Chunk &c, size_t j) {
      Value v = again(x, c, j), dy = again(grad, c, j), rs = m.splat(r, c);
      Value a = m.mul(again(weight, c, j), dy);
      add(totals[0], c, m.mul(rs, v), dy);
      m.store(xGrad, c, m.fma(rs, a, m.mul(m.splat(slope, c), v)));
    });
  }

private:
  RMSNormBackwardOp op;
  Row weight;
};

/// What both directions of the layer norm begin with.
class LayerNormFormula : public NormFormula {
public:
  using NormFormula::NormFormula;

protected:
  struct Moments {
    Value mean, r;
  };
  /// Mean and rsqrt(variance + eps) of the current row. Two passes: the squares
  /// of deviations do not cancel.
  Moments moments(const Row &x, double eps) {
    Value total = sum(1, [&](const Chunk &c, size_t j, ValueRange acc) {
      return SmallVector<Value>{m.add(acc[0], first(x, c, j))};
    })[0];
    Value mean = m.div(total, m.f32(width));
    Value squares = sum(1, [&](const Chunk &c, size_t j, ValueRange acc) {
      Value d = m.sub(again(x, c, j), m.splat(mean, c));
      // Columns outside the row do not deviate.
      d = m.keepColumns(d, 0, c);
      return SmallVector<Value>{m.fma(d, d, acc[0])};
    })[0];
    return {mean, inverseRoot(m, squares, width, eps)};
  }
  Value normalized(const Row &x, const Moments &of, const Chunk &c, size_t j) {
    return m.mul(m.sub(again(x, c, j), m.splat(of.mean, c)), m.splat(of.r, c));
  }
};

class LayerNorm : public LayerNormFormula {
public:
  LayerNorm(RowKernel &k, LayerNormOp op)
      : LayerNormFormula(k, op, rowWidth(op.getX())), op(op) {}

  void prologue() override {
    weight = readShared(k.shared(op.getWeight()));
    bias = readShared(k.shared(op.getBias()));
  }
  void row() override {
    Row x = read(k.row(op.getX()));
    RowRef output = k.destination(op.getResult());
    Moments of = moments(x, op.getEps().convertToDouble());
    map([&](const Chunk &c, size_t j) {
      m.store(output, c,
              m.fma(normalized(x, of, c, j), again(weight, c, j),
                    again(bias, c, j)));
    });
  }

private:
  LayerNormOp op;
  Row weight, bias;
};

class LayerNormBackward : public LayerNormFormula {
public:
  LayerNormBackward(RowKernel &k, LayerNormBackwardOp op)
      : LayerNormFormula(k, op, rowWidth(op.getX())), op(op) {
    addTotal(op.getWeightGrad());
    addTotal(op.getBiasGrad());
  }

  void prologue() override {
    clearTotals();
    weight = readShared(k.shared(op.getWeight()));
  }
  void row() override {
    Row x = read(k.row(op.getX())), grad = read(k.row(op.getOutputGrad()));
    RowRef xGrad = k.destination(op.getXGrad());
    Moments of = moments(x, op.getEps().convertToDouble());
    // sum a and sum a n, with a = weight g; a is 0 outside the row
    SmallVector<Value> sums =
        sum(2, [&](const Chunk &c, size_t j, ValueRange acc) {
          Value a = m.mul(again(weight, c, j), first(grad, c, j));
          return SmallVector<Value>{m.add(acc[0], a),
                                    m.fma(a, normalized(x, of, c, j), acc[1])};
        });
    Value meanA = m.div(sums[0], m.f32(width));
    Value meanAn = m.div(sums[1], m.f32(width));
    map([&](const Chunk &c, size_t j) {
      Value dy = again(grad, c, j), n = normalized(x, of, c, j);
      Value a = m.mul(again(weight, c, j), dy);
      add(totals[0], c, n, dy);
      add(totals[1], c, dy, m.splat(1.0, c));
      Value inner =
          m.sub(m.sub(a, m.splat(meanA, c)), m.mul(n, m.splat(meanAn, c)));
      m.store(xGrad, c, m.mul(m.splat(of.r, c), inner));
    });
  }

private:
  LayerNormBackwardOp op;
  Row weight;
};

} // namespace

void attnres::rows::attachNormFormulas(MLIRContext &context) {
  attachFormula<RMSNormOp, RMSNorm>(context);
  attachFormula<RMSNormBackwardOp, RMSNormBackward>(context);
  attachFormula<LayerNormOp, LayerNorm>(context);
  attachFormula<LayerNormBackwardOp, LayerNormBackward>(context);
}
