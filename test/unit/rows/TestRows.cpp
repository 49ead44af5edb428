// What the operations of test_rows say of themselves.
#include "test/unit/rows/TestRows.h"

#include "dialect/DecompositionHelpers.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;
using namespace attnres::testing;

#include "test/unit/rows/TestRowsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "test/unit/rows/TestRowsOps.cpp.inc"

void TestRowsDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/unit/rows/TestRowsOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Derivative and meaning
//===----------------------------------------------------------------------===//

LogicalResult SoftsignScaleOp::buildBackward(OpBuilder &builder,
                                             ArrayRef<Value> resultGrads,
                                             SmallVectorImpl<Value> &grads) {
  auto backward = SoftsignScaleBackwardOp::create(
      builder, getLoc(), getX().getType(), getGain().getType(), getX(),
      getGain(), resultGrads[0], IntegerAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
}

/// 1 / (1 + |x|)
static Term damping(Term x) { return 1.0 / (maximum(x, 0.0 - x) + 1.0); }

FailureOr<SmallVector<Value>>
SoftsignScaleOp::decomposeOperation(OpBuilder &b) {
  Rows rows(b, getLoc(), getX().getType());
  return SmallVector<Value>{rows.map(
      {rows.full(getX()), rows.column(getGain())},
      [](Scalars &, Terms in) { return in[1] * in[0] * damping(in[0]); })};
}

FailureOr<SmallVector<Value>>
SoftsignScaleBackwardOp::decomposeOperation(OpBuilder &b) {
  Rows rows(b, getLoc(), getX().getType());
  Indexed x = rows.full(getX()), grad = rows.full(getOutputGrad());
  Value xGrad =
      rows.map({x, rows.column(getGain()), grad}, [](Scalars &, Terms in) {
        Term d = damping(in[0]);
        return in[2] * in[1] * d * d;
      });
  Value gainGrad =
      rows.sumRows({x, grad}, getPartials(), [](Scalars &, Terms in) {
        return in[1] * in[0] * damping(in[0]);
      });
  return SmallVector<Value>{xGrad, gainGrad};
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

namespace {

Value damping(RowMachine &m, Value x, Chunk c) {
  Value one = m.splat(1.0, c);
  return m.div(one, m.add(one, m.max(x, m.neg(x))));
}

class SoftsignScale : public FormulaOf<SoftsignScaleOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef x = k.row(op.getX()), gain = k.shared(op.getGain());
    RowRef output = k.destination(op.getResult());
    m.mapColumns(rowWidth(op.getX()), [&](Chunk c) {
      Value v = m.loadAndPrefetch(x, c);
      m.store(output, c, m.mul(m.mul(m.load(gain, c), v), damping(m, v, c)));
    });
  }
};

class SoftsignScaleBackward : public FormulaOf<SoftsignScaleBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override {
    k.clear(k.partial(op.getGainGrad()), rowWidth(op.getX()));
  }
  void row() override {
    RowRef x = k.row(op.getX()), gain = k.shared(op.getGain());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef gainGrad = k.partial(op.getGainGrad());
    m.mapColumns(rowWidth(op.getX()), [&](Chunk c) {
      Value v = m.loadAndPrefetch(x, c), g = m.loadAndPrefetch(grad, c);
      Value gd = m.mul(g, damping(m, v, c));
      m.store(gainGrad, c, m.fma(gd, v, m.load(gainGrad, c)));
      m.store(xGrad, c, m.mul(m.mul(gd, m.load(gain, c)), damping(m, v, c)));
    });
  }
};

} // namespace

std::unique_ptr<RowFormula> SoftsignScaleOp::makeRowFormula(RowKernel &kernel) {
  return std::make_unique<SoftsignScale>(kernel, *this);
}

std::unique_ptr<RowFormula>
SoftsignScaleBackwardOp::makeRowFormula(RowKernel &kernel) {
  return std::make_unique<SoftsignScaleBackward>(kernel, *this);
}
