//===- DropoutDecomposition.cpp - dropout as plain linalg -----------------===//
#include "dialect/DecompositionHelpers.h"
#include "dialect/RandomWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;

FailureOr<SmallVector<Value>> DropoutOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getX().getType());
  int64_t width = type.getShape().back(), quarter = width / 4;
  double rate = getRate().convertToDouble();
  auto flat =
      RankedTensorType::get({rowCount(type), width}, type.getElementType());
  Value seed = emitter.element(getRandom(), 0);
  Value run = emitter.element(getRandom(), 1);
  Value result = emitter.elementwise(
      flat, {{emitter.matrix(getX()), {0, 1}}, {seed, {}}, {run, {}}},
      [&](Scalars &s, Terms in) {
        OpBuilder &inner = in[0].getBuilder();
        Location loc = in[0].getLoc();
        auto word = [&](Term value, unsigned shift = 0) {
          return emitWord(inner, loc, value.getValue(), shift);
        };
        // Word j of counter c is that of column j w + c.
        Term column = s.index(1), j = column.constant(0);
        Term counter = column;
        for (int64_t k = 1; k < 4; ++k) {
          Term isBehind = lessOrEqual(column.constant(k * quarter), column);
          j = select(isBehind, column.constant(k), j);
          counter = select(isBehind, column - k * quarter, counter);
        }
        Term isRest = lessOrEqual(column.constant(4 * quarter), column);
        j = select(isRest, column.constant(0), j);
        counter = select(isRest, column - 3 * quarter, counter);
        RandomWords words =
            emitPhilox(inner, loc,
                       {word(counter), word(s.index(0)), word(in[2]),
                        word(in[1].constant(static_cast<double>(getSite())))},
                       {word(in[1]), word(in[1], 32)});
        Term chosen = in[0].with(words[0]);
        for (int64_t k = 1; k < 4; ++k)
          chosen = select(equal(j, column.constant(k)), in[0].with(words[k]),
                          chosen);
        Value least = arith::ConstantOp::create(
            inner, loc,
            inner.getI32IntegerAttr(static_cast<int32_t>(leastKept(rate))));
        Term isKept = in[0].with(arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::uge, chosen.getValue(), least));
        return select(isKept, keptFactor(rate) * in[0], s.constant(0));
      });
  return SmallVector<Value>{emitter.reshape(result, type.getShape())};
}
