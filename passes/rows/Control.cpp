//===- Control.cpp - index arithmetic and loops of kernels ----------------===//
#include "passes/rows/Control.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace attnres::rows;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void attnres::rows::forRange(OpBuilder &builder, Location loc, Value from,
                             Value to, Value step,
                             function_ref<void(Value i)> body) {
  forRange(builder, loc, from, to, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

SmallVector<Value> attnres::rows::forRange(
    OpBuilder &builder, Location loc, Value from, Value to, Value step,
    ValueRange init,
    function_ref<SmallVector<Value>(Value i, ValueRange carried)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step, init);
  // Without carried values the loop comes with its terminator.
  Block *block = loop.getBody();
  if (init.empty())
    block->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void attnres::rows::ifTrue(OpBuilder &builder, Location loc, Value condition,
                           function_ref<void()> body) {
  auto op =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  body();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value IndexBuilder::constant(int64_t value) const {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value IndexBuilder::add(Value a, Value b) const {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value IndexBuilder::sub(Value a, Value b) const {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}

Value IndexBuilder::mul(Value a, Value b) const {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value IndexBuilder::div(Value a, Value b) const {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}

Value IndexBuilder::rem(Value a, Value b) const {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}

Value IndexBuilder::min(Value a, Value b) const {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}

Value IndexBuilder::isLess(Value a, Value b) const {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}

Value IndexBuilder::isDifferent(Value a, Value b) const {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a, b);
}

Value IndexBuilder::select(Value condition, Value a, Value b) const {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

//===----------------------------------------------------------------------===//
// From integers in tensors
//===----------------------------------------------------------------------===//

Value IndexBuilder::integer(int64_t value) const {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value IndexBuilder::cast(Value integer) const {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

Value IndexBuilder::toInteger(Value index) const {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

Value IndexBuilder::clamp(Value integer, int64_t last) const {
  integer = arith::MaxSIOp::create(builder, loc, integer, this->integer(0));
  integer = arith::MinSIOp::create(builder, loc, integer, this->integer(last));
  return cast(integer);
}

Value IndexBuilder::within(Value integer, int64_t count) const {
  // As an unsigned number, a negative one is beyond any count.
  Value inside = isLess(integer, this->integer(count));
  return cast(select(inside, integer, this->integer(0)));
}
