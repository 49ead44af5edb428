//===- Elementwise.cpp - rows of arith operations -------------------------===//
#include "passes/rows/ElementwiseFormula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

using Elements = SmallVector<Value, 2>;

static Elements add(RowMachine &m, Chunk, arith::AddFOp, ArrayRef<Value> x) {
  return {m.add(x[0], x[1])};
}

static Elements subtract(RowMachine &m, Chunk, arith::SubFOp,
                         ArrayRef<Value> x) {
  return {m.sub(x[0], x[1])};
}

static Elements multiply(RowMachine &m, Chunk, arith::MulFOp,
                         ArrayRef<Value> x) {
  return {m.mul(x[0], x[1])};
}

static Elements negate(RowMachine &m, Chunk, arith::NegFOp, ArrayRef<Value> x) {
  return {m.neg(x[0])};
}

/// Conversions happen at loads and stores.
template <typename Op>
static Elements convert(RowMachine &, Chunk, Op, ArrayRef<Value> x) {
  return {x[0]};
}

void attnres::rows::attachElementwiseFormulas(MLIRContext &context) {
  attachElementwise<arith::AddFOp, add>(context);
  attachElementwise<arith::SubFOp, subtract>(context);
  attachElementwise<arith::MulFOp, multiply>(context);
  attachElementwise<arith::NegFOp, negate>(context);
  attachElementwise<arith::ExtFOp, convert<arith::ExtFOp>>(context);
  attachElementwise<arith::TruncFOp, convert<arith::TruncFOp>>(context);
}
