//===- Elementwise.cpp - rows of arith operations -------------------------===//
#include "passes/rows/RowFormula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

Value compute(RowMachine &m, arith::AddFOp, ArrayRef<Value> x) {
  return m.add(x[0], x[1]);
}
Value compute(RowMachine &m, arith::SubFOp, ArrayRef<Value> x) {
  return m.sub(x[0], x[1]);
}
Value compute(RowMachine &m, arith::MulFOp, ArrayRef<Value> x) {
  return m.mul(x[0], x[1]);
}
Value compute(RowMachine &m, arith::NegFOp, ArrayRef<Value> x) {
  return m.neg(x[0]);
}
// Conversions happen at loads and stores.
Value compute(RowMachine &, arith::ExtFOp, ArrayRef<Value> x) { return x[0]; }
Value compute(RowMachine &, arith::TruncFOp, ArrayRef<Value> x) { return x[0]; }

template <typename Op>
class Elementwise : public FormulaOf<Op> {
public:
  using FormulaOf<Op>::FormulaOf;
  void row() override {
    RowKernel &k = this->k;
    RowMachine &m = this->m;
    Value result = this->op->getResult(0);
    SmallVector<RowRef> inputs;
    for (Value operand : this->op->getOperands())
      inputs.push_back(k.row(operand));
    RowRef output = k.destination(result);
    m.mapColumns(rowWidth(result), [&](Chunk c) {
      SmallVector<Value> x;
      for (const RowRef &input : inputs)
        x.push_back(m.loadAndPrefetch(input, c));
      m.store(output, c, compute(m, this->op, x));
    });
  }
};

template <typename... Ops>
void attachElementwise(MLIRContext &context) {
  (attachFormula<Ops, Elementwise<Ops>>(context), ...);
}

} // namespace

void attnres::rows::attachElementwiseFormulas(MLIRContext &context) {
  attachElementwise<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
                    arith::ExtFOp, arith::TruncFOp>(context);
}
