//===- RowLayers.cpp - rows of norms, activations, losses, optimizer ------===//
//
// The formulas stand in dialect/LayerOps.td and dialect/OptimizerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/RowKernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

int64_t lastDim(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() == 0 ? 1 : type.getShape().back();
}

template <typename Op>
class LayerEmitter : public RowOpEmitter {
public:
  LayerEmitter(RowKernel &k, Op op) : k(k), e(k.e), op(op) {}

protected:
  RowKernel &k;
  RowEmitter &e;
  Op op;
};

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class ElementwiseRow : public RowOpEmitter {
public:
  ElementwiseRow(RowKernel &k, Operation *op) : k(k), e(k.e), op(op) {}

  void row() override {
    Value result = op->getResult(0);
    SmallVector<RowRef> inputs;
    for (Value operand : op->getOperands())
      inputs.push_back(k.row(operand));
    RowRef output = k.destination(result);
    e.mapColumns(lastDim(result), [&](Chunk chunk) {
      SmallVector<Value> x;
      for (const RowRef &input : inputs)
        x.push_back(e.loadAndPrefetch(input, chunk));
      Value y =
          TypeSwitch<Operation *, Value>(op)
              .Case<arith::AddFOp>([&](auto) { return e.add(x[0], x[1]); })
              .Case<arith::SubFOp>([&](auto) { return e.sub(x[0], x[1]); })
              .Case<arith::MulFOp>([&](auto) { return e.mul(x[0], x[1]); })
              .Case<arith::NegFOp>([&](auto) { return e.neg(x[0]); })
              // Conversions happen at loads and stores.
              .Default([&](Operation *) { return x[0]; });
      e.store(output, chunk, y);
    });
  }

private:
  RowKernel &k;
  RowEmitter &e;
  Operation *op;
};

class SwigluRow : public LayerEmitter<SwigluOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef output = k.destination(op.getResult());
    e.mapColumns(lastDim(op.getResult()), [&](Chunk c) {
      Value g = e.loadAndPrefetch(gate, c);
      e.store(output, c,
              e.mul(e.mul(g, e.sigmoid(g)), e.loadAndPrefetch(up, c)));
    });
  }
};

class SwigluBackwardRow : public LayerEmitter<SwigluBackwardOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef gateGrad = k.destination(op.getGateGrad());
    RowRef upGrad = k.destination(op.getUpGrad());
    e.mapColumns(lastDim(op.getGate()), [&](Chunk c) {
      Value g = e.loadAndPrefetch(gate, c), u = e.loadAndPrefetch(up, c),
            dy = e.loadAndPrefetch(grad, c);
      Value s = e.sigmoid(g), one = e.splat(1.0, c);
      Value slope = e.mul(s, e.fma(g, e.sub(one, s), one));
      e.store(gateGrad, c, e.mul(e.mul(dy, u), slope));
      e.store(upGrad, c, e.mul(dy, e.mul(g, s)));
    });
  }
};

/// Phi(x), the normal distribution function.
Value normalCdf(RowEmitter &e, Value x, Chunk c) {
  Value half = e.splat(0.5, c);
  return e.fma(half, e.erf(e.mul(x, e.splat(M_SQRT1_2, c))), half);
}

class GeluRow : public LayerEmitter<GeluOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    RowRef input = k.row(op.getX()), output = k.destination(op.getResult());
    e.mapColumns(lastDim(op.getX()), [&](Chunk c) {
      Value x = e.loadAndPrefetch(input, c);
      e.store(output, c, e.mul(x, normalCdf(e, x, c)));
    });
  }
};

class GeluBackwardRow : public LayerEmitter<GeluBackwardOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    RowRef input = k.row(op.getX()), grad = k.row(op.getOutputGrad());
    RowRef output = k.destination(op.getXGrad());
    e.mapColumns(lastDim(op.getX()), [&](Chunk c) {
      Value x = e.loadAndPrefetch(input, c), dy = e.loadAndPrefetch(grad, c);
      Value density = e.mul(e.splat(0.5 * M_2_SQRTPI * M_SQRT1_2, c),
                            e.exp(e.mul(e.mul(x, x), e.splat(-0.5, c))));
      e.store(output, c, e.mul(dy, e.fma(x, density, normalCdf(e, x, c))));
    });
  }
};

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// rsqrt(mean(x^2) + eps) of the current row.
Value inverseRms(RowEmitter &e, const RowRef &x, int64_t width, double eps) {
  Value squares =
      e.reduceColumns(width, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
        Value v = e.loadAndPrefetch(x, c);
        return SmallVector<Value>{e.fma(v, v, acc[0])};
      })[0];
  return e.rsqrt(e.add(e.div(squares, e.f32(width)), e.f32(eps)));
}

class RMSNormRow : public LayerEmitter<RMSNormOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    int64_t width = lastDim(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef output = k.destination(op.getResult());
    Value r = inverseRms(e, x, width, op.getEps().convertToDouble());
    e.mapColumns(width, [&](Chunk c) {
      e.store(output, c,
              e.mul(e.mul(e.load(x, c), e.splat(r, c)), e.load(weight, c)));
    });
  }
};

class RMSNormBackwardRow : public LayerEmitter<RMSNormBackwardOp> {
public:
  using LayerEmitter::LayerEmitter;
  void prologue() override {
    k.clear(k.partial(op.getWeightGrad()), lastDim(op.getX()));
  }
  void row() override {
    int64_t width = lastDim(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef weightGrad = k.partial(op.getWeightGrad());
    // sum x^2 and sum weight g x
    SmallVector<Value> sums = e.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value v = e.loadAndPrefetch(x, c);
          Value a = e.mul(e.load(weight, c), e.loadAndPrefetch(grad, c));
          return SmallVector<Value>{e.fma(v, v, acc[0]), e.fma(a, v, acc[1])};
        });
    Value r = e.rsqrt(e.add(e.div(sums[0], e.f32(width)),
                            e.f32(op.getEps().convertToDouble())));
    Value r3 = e.mul(e.mul(r, r), r);
    Value slope = e.neg(e.mul(r3, e.div(sums[1], e.f32(width))));
    e.mapColumns(width, [&](Chunk c) {
      Value v = e.load(x, c), dy = e.load(grad, c), rs = e.splat(r, c);
      Value a = e.mul(e.load(weight, c), dy);
      e.store(weightGrad, c, e.fma(e.mul(rs, v), dy, e.load(weightGrad, c)));
      e.store(xGrad, c, e.fma(rs, a, e.mul(e.splat(slope, c), v)));
    });
  }
};

/// Mean and rsqrt(variance + eps) of the current row. Two passes: the squares
/// of deviations do not cancel.
std::pair<Value, Value> moments(RowEmitter &e, const RowRef &x, int64_t width,
                                double eps) {
  Value mean = e.div(e.reduceColumns(width, {Combine::Sum},
                                     [&](Chunk c, ValueRange acc) {
                                       return SmallVector<Value>{e.add(
                                           acc[0], e.loadAndPrefetch(x, c))};
                                     })[0],
                     e.f32(width));
  Value squares =
      e.reduceColumns(width, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
        Value d = e.sub(e.load(x, c), e.splat(mean, c));
        if (c.mask) // columns outside the row do not deviate
          d = arith::SelectOp::create(e.b, c.mask, d, e.splat(0.0, c));
        return SmallVector<Value>{e.fma(d, d, acc[0])};
      })[0];
  return {mean, e.rsqrt(e.add(e.div(squares, e.f32(width)), e.f32(eps)))};
}

class LayerNormRow : public LayerEmitter<LayerNormOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    int64_t width = lastDim(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef bias = k.shared(op.getBias()),
           output = k.destination(op.getResult());
    auto [mean, r] = moments(e, x, width, op.getEps().convertToDouble());
    e.mapColumns(width, [&, mean = mean, r = r](Chunk c) {
      Value n = e.mul(e.sub(e.load(x, c), e.splat(mean, c)), e.splat(r, c));
      e.store(output, c, e.fma(n, e.load(weight, c), e.load(bias, c)));
    });
  }
};

class LayerNormBackwardRow : public LayerEmitter<LayerNormBackwardOp> {
public:
  using LayerEmitter::LayerEmitter;
  void prologue() override {
    k.clear(k.partial(op.getWeightGrad()), lastDim(op.getX()));
    k.clear(k.partial(op.getBiasGrad()), lastDim(op.getX()));
  }
  void row() override {
    int64_t width = lastDim(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef weightGrad = k.partial(op.getWeightGrad());
    RowRef biasGrad = k.partial(op.getBiasGrad());
    auto [mean, r] = moments(e, x, width, op.getEps().convertToDouble());
    auto normalized = [&, mean = mean, r = r](Chunk c) {
      return e.mul(e.sub(e.load(x, c), e.splat(mean, c)), e.splat(r, c));
    };
    // sum a and sum a n, with a = weight g; a is 0 outside the row
    SmallVector<Value> sums = e.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value a = e.mul(e.load(weight, c), e.loadAndPrefetch(grad, c));
          return SmallVector<Value>{e.add(acc[0], a),
                                    e.fma(a, normalized(c), acc[1])};
        });
    Value meanA = e.div(sums[0], e.f32(width));
    Value meanAn = e.div(sums[1], e.f32(width));
    e.mapColumns(width, [&, r = r](Chunk c) {
      Value dy = e.load(grad, c), n = normalized(c);
      Value a = e.mul(e.load(weight, c), dy);
      e.store(weightGrad, c, e.fma(n, dy, e.load(weightGrad, c)));
      e.store(biasGrad, c, e.add(dy, e.load(biasGrad, c)));
      Value inner =
          e.sub(e.sub(a, e.splat(meanA, c)), e.mul(n, e.splat(meanAn, c)));
      e.store(xGrad, c, e.mul(e.splat(r, c), inner));
    });
  }
};

//===----------------------------------------------------------------------===//
// Rotation and lookup
//===----------------------------------------------------------------------===//

/// The nearest position in [0, last]: nothing is read or written outside a
/// table or cache.
Value clampedPosition(RowEmitter &e, Value position, int64_t last) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(e.b, e.b.getI64IntegerAttr(value));
  };
  position = arith::MaxSIOp::create(e.b, position, constant(0));
  position = arith::MinSIOp::create(e.b, position, constant(last));
  return arith::IndexCastOp::create(e.b, e.b.getIndexType(), position);
}

/// places[b] of the current row's batch row, the nearest in [0, last]. A row is
/// one of `tokens`.
Value placeOf(RowKernel &k, Value places, int64_t tokens, int64_t last) {
  RowEmitter &e = k.e;
  Value place = e.loadScalar(k.shared(places).memref,
                             ValueRange{e.index.div(e.row, tokens)});
  return clampedPosition(e, place, last);
}

/// Elements of one token of x [B, T, ...].
int64_t tokenWidth(Value x) {
  auto shape = cast<RankedTensorType>(x.getType()).getShape();
  return llvm::product_of(shape.drop_front(2));
}

/// The memref [B, T, ...] as [B T, width].
Value tokensView(RowEmitter &e, Value memref, int64_t width) {
  Value flat = e.flatView(memref);
  int64_t total = cast<MemRefType>(flat.getType()).getDimSize(0);
  return memref::ExpandShapeOp::create(
      e.b, ArrayRef<int64_t>{width ? total / width : 0, width}, flat,
      ArrayRef<ReassociationIndices>{{0, 1}});
}

/// The address of a memref's first element.
Value addressOf(RowEmitter &e, Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(e.b, memref);
}

/// Writes the row to its position. Where the result has memory of its own, the
/// rows of a batch row also copy the cache's other positions, each its share.
class CacheWriteRow : public LayerEmitter<CacheWriteOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    auto cacheType = cast<RankedTensorType>(op.getCache().getType());
    auto xType = cast<RankedTensorType>(op.getX().getType());
    int64_t positions = cacheType.getDimSize(1), tokens = xType.getDimSize(1);
    int64_t width = tokenWidth(op.getX());
    Value token = e.index.rem(e.row, tokens);
    Value batchRow = e.index.div(e.row, tokens);
    Value start = placeOf(k, op.getStart(), tokens, positions - tokens);
    Value cache = tokensView(e, k.memory(op.getCache()), width);
    Value result = tokensView(e, k.memory(op.getResult()), width);
    Value firstRow = e.index.mul(batchRow, positions);
    auto copy = [&](const RowRef &from, Value position) {
      RowRef to{result, e.index.add(firstRow, position), Value()};
      e.mapColumns(width, [&](Chunk c) { e.store(to, c, e.load(from, c)); });
    };
    Value position = e.index.add(start, token);
    if (op.getLength()) {
      // Behind the last new row stays what was there.
      Value length = placeOf(k, op.getLength(), tokens, tokens);
      Value isNew =
          arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, token, length);
      auto ifNew = scf::IfOp::create(e.b, isNew, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPoint(ifNew.thenBlock()->getTerminator());
      copy(k.row(op.getX()), position);
      e.b.setInsertionPoint(ifNew.elseBlock()->getTerminator());
      copy({cache, e.index.add(firstRow, position), Value()}, position);
    } else {
      copy(k.row(op.getX()), position);
    }

    Value isCopied =
        arith::CmpIOp::create(e.b, arith::CmpIPredicate::ne,
                              addressOf(e, cache), addressOf(e, result));
    auto ifCopied = scf::IfOp::create(e.b, isCopied, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPoint(ifCopied.thenBlock()->getTerminator());
    // Share `token` of the positions outside [start, start + tokens), counted
    // as if those did not exist.
    int64_t others = positions - tokens;
    int64_t share = (others + tokens - 1) / tokens;
    Value begin = e.index.min(e.index.mul(token, share), others);
    Value end = e.index.min(e.index.add(begin, share), others);
    forRange(
        e.b, e.b.getLoc(), begin, end, e.index.constant(1), [&](Value other) {
          Value isBefore = arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult,
                                                 other, start);
          Value position = arith::SelectOp::create(e.b, isBefore, other,
                                                   e.index.add(other, tokens));
          copy({cache, e.index.add(firstRow, position), Value()}, position);
        });
  }
};

/// A row is the one token of a batch row.
class SelectTokenRow : public LayerEmitter<SelectTokenOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    int64_t tokens = cast<RankedTensorType>(op.getX().getType()).getDimSize(1);
    int64_t width = tokenWidth(op.getX());
    Value token = clampedPosition(e, k.stat(op.getAt()), tokens - 1);
    RowRef x{tokensView(e, k.memory(op.getX()), width),
             e.index.add(e.index.mul(e.row, tokens), token), Value()};
    RowRef output = k.destination(op.getResult());
    e.mapColumns(width, [&](Chunk c) { e.store(output, c, e.load(x, c)); });
  }
};

/// The table of angles is an argument; see `--attnres-rope-tables`.
class RopeRow : public LayerEmitter<RopeOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    int64_t heads = type.getDimSize(2), half = type.getDimSize(3) / 2;
    RowRef x = k.row(op.getX()), output = k.destination(op.getResult());
    // With starts every row has angles of its own.
    Value token =
        op.getStart() ? e.row : e.index.rem(e.row, type.getDimSize(1));
    Value table = tokensView(e, k.memory(op.getTable()), 2 * half);
    RowRef cosines{table, token, Value()};
    RowRef sines{table, token, e.index.constant(half)};
    forRange(e.b, e.b.getLoc(), e.index.constant(0), e.index.constant(heads),
             e.index.constant(1), [&](Value head) {
               Value begin = e.index.mul(head, 2 * half);
               auto part = [&](const RowRef &ref, int64_t offset) {
                 return RowRef{ref.memref, ref.row, e.index.add(begin, offset)};
               };
               e.mapColumns(half, [&](Chunk c) {
                 // Both of a pair before one is written: the result may lie
                 // over x.
                 Value a = e.load(part(x, 0), c), b = e.load(part(x, half), c);
                 Value cos = e.load(cosines, c), sin = e.load(sines, c);
                 if (op.getInverse())
                   sin = e.neg(sin);
                 Value first = e.sub(e.mul(a, cos), e.mul(b, sin));
                 Value second = e.add(e.mul(b, cos), e.mul(a, sin));
                 e.store(part(output, 0), c, first);
                 e.store(part(output, half), c, second);
               });
             });
  }
};

/// Token of the current row, or row 0 when it is outside the table.
Value tableRow(RowEmitter &e, Value token, int64_t rows) {
  Value inside = arith::CmpIOp::create(
      e.b, arith::CmpIPredicate::ult, token,
      arith::ConstantOp::create(e.b, e.b.getI64IntegerAttr(rows)));
  Value zero = arith::ConstantOp::create(e.b, e.b.getI64IntegerAttr(0));
  token = arith::SelectOp::create(e.b, inside, token, zero);
  return arith::IndexCastOp::create(e.b, e.b.getIndexType(), token);
}

class EmbeddingRow : public LayerEmitter<EmbeddingOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    auto table = cast<RankedTensorType>(op.getWeight().getType());
    Value token = tableRow(e, k.stat(op.getTokens()), table.getDimSize(0));
    RowRef source{k.memory(op.getWeight()), token, Value()};
    RowRef output = k.destination(op.getResult());
    e.mapColumns(table.getDimSize(1),
                 [&](Chunk c) { e.store(output, c, e.load(source, c)); });
  }
};

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

Value isLive(RowEmitter &e, Value target, int64_t ignored) {
  return arith::CmpIOp::create(
      e.b, arith::CmpIPredicate::ne, target,
      arith::ConstantOp::create(e.b, e.b.getI64IntegerAttr(ignored)));
}

/// Columns of a chunk as i64 lanes equal to `target`.
Value isTarget(RowEmitter &e, Chunk c, Value target) {
  auto type = VectorType::get({c.width}, e.b.getIndexType());
  SmallVector<Attribute> lanes;
  for (int64_t i = 0; i < c.width; ++i)
    lanes.push_back(e.b.getIndexAttr(i));
  Value step =
      arith::ConstantOp::create(e.b, DenseElementsAttr::get(type, lanes));
  Value columns = arith::AddIOp::create(
      e.b, step, vector::BroadcastOp::create(e.b, type, c.column));
  Value wanted = vector::BroadcastOp::create(
      e.b, type, arith::IndexCastOp::create(e.b, e.b.getIndexType(), target));
  return arith::CmpIOp::create(e.b, arith::CmpIPredicate::eq, columns, wanted);
}

class CrossEntropyRow : public LayerEmitter<CrossEntropyRowsOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    int64_t classes = lastDim(op.getLogits());
    RowRef logits = k.row(op.getLogits());
    const float lowest = -std::numeric_limits<float>::infinity();
    // NaN may be overlooked here: the sum finds it.
    Value top =
        e.reduceColumns(classes, {Combine::Max}, [&](Chunk c, ValueRange acc) {
          return SmallVector<Value>{
              e.max(acc[0], e.loadAndPrefetch(logits, c, lowest))};
        })[0];
    // A row of -inf alone has lse = -inf, not NaN.
    Value isLowest = arith::CmpFOp::create(e.b, arith::CmpFPredicate::OEQ, top,
                                           e.f32(lowest));
    Value shift = arith::SelectOp::create(e.b, isLowest, e.f32(0), top);
    Value sum =
        e.reduceColumns(classes, {Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value x = e.sub(e.load(logits, c, lowest), e.splat(shift, c));
          return SmallVector<Value>{e.add(acc[0], e.expInSum(x))};
        })[0];
    Value lse = e.add(shift, e.log(sum));
    Value target = k.stat(op.getTargets());
    RowRef view = logits;
    SmallVector<Value> indices;
    if (view.row)
      indices.push_back(view.row);
    indices.push_back(tableRow(e, target, classes));
    Value chosen = e.loadScalar(view.memref, indices);
    Value nll =
        arith::SelectOp::create(e.b, isLive(e, target, op.getIgnoreIndex()),
                                e.sub(lse, chosen), e.f32(0));
    k.setStat(op.getNll(), nll);
    k.setStat(op.getLse(), lse);
  }
};

class CrossEntropyBackwardRow
    : public LayerEmitter<CrossEntropyRowsBackwardOp> {
public:
  using LayerEmitter::LayerEmitter;
  void row() override {
    int64_t classes = lastDim(op.getLogits());
    RowRef logits = k.row(op.getLogits());
    RowRef output = k.destination(op.getLogitsGrad());
    Value target = k.stat(op.getTargets()), lse = k.stat(op.getLse());
    Value scale = e.loadScalar(k.shared(op.getScale()).memref,
                               ValueRange{e.index.constant(0)});
    scale = arith::SelectOp::create(e.b, isLive(e, target, op.getIgnoreIndex()),
                                    scale, e.f32(0));
    Value factor = scale;
    if (op.getLseGrad())
      factor = e.add(factor, k.stat(op.getLseGrad()));
    e.mapColumns(classes, [&](Chunk c) {
      Value p =
          e.expInSum(e.sub(e.loadAndPrefetch(logits, c), e.splat(lse, c)));
      Value hit = arith::SelectOp::create(e.b, isTarget(e, c, target),
                                          e.splat(scale, c), e.splat(0.0, c));
      e.store(output, c, e.sub(e.mul(p, e.splat(factor, c)), hit));
    });
  }
};

//===----------------------------------------------------------------------===//
// Sums and the optimizer
//===----------------------------------------------------------------------===//

class SumRowsRow : public LayerEmitter<SumRowsOp> {
public:
  using LayerEmitter::LayerEmitter;
  void prologue() override {
    k.clear(k.partial(op.getResult()), lastDim(op.getX()));
  }
  void row() override {
    RowRef x = k.row(op.getX()), sum = k.partial(op.getResult());
    e.mapColumns(lastDim(op.getX()), [&](Chunk c) {
      e.store(sum, c, e.add(e.load(sum, c), e.load(x, c)));
    });
  }
};

/// One sum for each range of rows, [P].
class SumSquaresRow : public LayerEmitter<SumSquaresOp> {
public:
  using LayerEmitter::LayerEmitter;
  void prologue() override {
    e.storeScalar(e.f32(0), k.memory(op.getResult()), e.item);
  }
  void row() override {
    RowRef x = k.row(op.getX());
    Value sum = e.reduceColumns(
        lastDim(op.getX()), {Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value v = e.load(x, c);
          return SmallVector<Value>{e.fma(v, v, acc[0])};
        })[0];
    Value memory = k.memory(op.getResult());
    e.storeScalar(e.add(e.loadScalar(memory, e.item), sum), memory, e.item);
  }
};

class AdamWRow : public LayerEmitter<AdamWOp> {
public:
  using LayerEmitter::LayerEmitter;

  void prologue() override {
    auto scalar = [&](Value value) {
      return e.loadScalar(k.shared(value).memref,
                          ValueRange{e.index.constant(0)});
    };
    rate = scalar(op.getLr());
    scale = scalar(op.getGradScale());
    Value step = scalar(op.getStep());
    auto correction = [&](double beta) -> Value {
      if (beta == 0)
        return e.f32(1);
      // 1 - beta^t = -expm1(x) with x = t ln beta; near 0 by its series, since
      // 1 - exp(x) would cancel.
      Value x = e.mul(step, e.f32(std::log(beta)));
      Value series = e.f32(1);
      for (int n = 9; n >= 2; --n)
        series = e.fma(e.mul(series, x), e.f32(1.0 / n), e.f32(1));
      Value isSmall =
          arith::CmpFOp::create(e.b, arith::CmpFPredicate::OGT, x, e.f32(-0.5));
      return arith::SelectOp::create(e.b, isSmall, e.neg(e.mul(x, series)),
                                     e.sub(e.f32(1), e.exp(x)));
    };
    firstCorrection = correction(op.getBeta1().convertToDouble());
    secondCorrection = correction(op.getBeta2().convertToDouble());
  }

  void row() override {
    double beta1 = op.getBeta1().convertToDouble();
    double beta2 = op.getBeta2().convertToDouble();
    RowRef param = k.row(op.getParam()), grad = k.row(op.getGrad());
    RowRef m = k.row(op.getM()), v = k.row(op.getV());
    RowRef newParam = k.destination(op.getNewParam());
    RowRef newM = k.destination(op.getNewM()),
           newV = k.destination(op.getNewV());
    e.mapColumns(lastDim(op.getParam()), [&](Chunk c) {
      auto constant = [&](double value) { return e.splat(value, c); };
      Value p = e.loadAndPrefetch(param, c);
      Value g = e.mul(e.splat(scale, c), e.loadAndPrefetch(grad, c));
      Value m1 = e.fma(constant(beta1), e.loadAndPrefetch(m, c),
                       e.mul(constant(1 - beta1), g));
      Value v1 = e.fma(constant(beta2), e.loadAndPrefetch(v, c),
                       e.mul(constant(1 - beta2), e.mul(g, g)));
      Value mHat = e.div(m1, e.splat(firstCorrection, c));
      Value vHat = e.div(v1, e.splat(secondCorrection, c));
      Value root = math::SqrtOp::create(e.b, vHat);
      Value update =
          e.div(mHat, e.add(root, constant(op.getEps().convertToDouble())));
      double decay = op.getWeightDecay().convertToDouble();
      if (decay != 0)
        update = e.fma(constant(decay), p, update);
      e.store(newM, c, m1);
      e.store(newV, c, v1);
      e.store(newParam, c, e.sub(p, e.mul(e.splat(rate, c), update)));
    });
  }

private:
  Value rate, scale, firstCorrection, secondCorrection;
};

} // namespace

std::unique_ptr<RowOpEmitter> attnres::cpu::createLayerEmitter(RowKernel &k,
                                                               Operation *op) {
  using Result = std::unique_ptr<RowOpEmitter>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
            arith::TruncFOp, arith::ExtFOp>(
          [&](auto o) { return std::make_unique<ElementwiseRow>(k, o); })
      .Case([&](SwigluOp o) { return std::make_unique<SwigluRow>(k, o); })
      .Case([&](SwigluBackwardOp o) {
        return std::make_unique<SwigluBackwardRow>(k, o);
      })
      .Case([&](GeluOp o) { return std::make_unique<GeluRow>(k, o); })
      .Case([&](GeluBackwardOp o) {
        return std::make_unique<GeluBackwardRow>(k, o);
      })
      .Case([&](RMSNormOp o) { return std::make_unique<RMSNormRow>(k, o); })
      .Case([&](RMSNormBackwardOp o) {
        return std::make_unique<RMSNormBackwardRow>(k, o);
      })
      .Case([&](LayerNormOp o) { return std::make_unique<LayerNormRow>(k, o); })
      .Case([&](LayerNormBackwardOp o) {
        return std::make_unique<LayerNormBackwardRow>(k, o);
      })
      .Case([&](RopeOp o) { return std::make_unique<RopeRow>(k, o); })
      .Case(
          [&](CacheWriteOp o) { return std::make_unique<CacheWriteRow>(k, o); })
      .Case([&](SelectTokenOp o) {
        return std::make_unique<SelectTokenRow>(k, o);
      })
      .Case([&](EmbeddingOp o) { return std::make_unique<EmbeddingRow>(k, o); })
      .Case([&](CrossEntropyRowsOp o) {
        return std::make_unique<CrossEntropyRow>(k, o);
      })
      .Case([&](CrossEntropyRowsBackwardOp o) {
        return std::make_unique<CrossEntropyBackwardRow>(k, o);
      })
      .Case([&](SumRowsOp o) { return std::make_unique<SumRowsRow>(k, o); })
      .Case(
          [&](SumSquaresOp o) { return std::make_unique<SumSquaresRow>(k, o); })
      .Case([&](AdamWOp o) { return std::make_unique<AdamWRow>(k, o); })
      .Default([](Operation *) { return nullptr; });
}
