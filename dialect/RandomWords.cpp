//===- RandomWords.cpp - counter-based random numbers in IR ---------------===//
#include "dialect/RandomWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace attnres;

static Value constantLike(OpBuilder &b, Location loc, Value like,
                          uint64_t number) {
  Type type = like.getType();
  auto bits = IntegerAttr::get(
      getElementTypeOrSelf(type),
      APInt(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), number));
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vector, ArrayRef<Attribute>{bits}));
  return arith::ConstantOp::create(b, loc, bits);
}

RandomWords attnres::emitPhilox(OpBuilder &b, Location loc, RandomWords counter,
                                std::array<Value, 2> key) {
  Type word = counter[0].getType();
  Type wide = b.getI64Type();
  if (auto vector = dyn_cast<VectorType>(word))
    wide = vector.clone(wide);
  // {low, high} of x times a constant.
  auto multiply = [&](Value x, uint32_t factor) -> std::array<Value, 2> {
    Value extended = arith::ExtUIOp::create(b, loc, wide, x);
    Value product = arith::MulIOp::create(
        b, loc, extended, constantLike(b, loc, extended, factor));
    Value high = arith::ShRUIOp::create(b, loc, product,
                                        constantLike(b, loc, product, 32));
    return {arith::TruncIOp::create(b, loc, word, product),
            arith::TruncIOp::create(b, loc, word, high)};
  };
  auto exclusive = [&](Value x, Value y, Value z) -> Value {
    return arith::XOrIOp::create(b, loc, arith::XOrIOp::create(b, loc, x, y),
                                 z);
  };
  for (int round = 0; round < 10; ++round) {
    auto [low0, high0] = multiply(counter[0], 0xD2511F53);
    auto [low1, high1] = multiply(counter[2], 0xCD9E8D57);
    counter = {exclusive(high1, counter[1], key[0]), low1,
               exclusive(high0, counter[3], key[1]), low0};
    key = {arith::AddIOp::create(b, loc, key[0],
                                 constantLike(b, loc, key[0], 0x9E3779B9)),
           arith::AddIOp::create(b, loc, key[1],
                                 constantLike(b, loc, key[1], 0xBB67AE85))};
  }
  return counter;
}

Value attnres::emitWord(OpBuilder &b, Location loc, Value value,
                        unsigned shift) {
  if (shift)
    value = arith::ShRUIOp::create(b, loc, value,
                                   constantLike(b, loc, value, shift));
  return arith::TruncIOp::create(b, loc, b.getI32Type(), value);
}

uint32_t attnres::leastKept(double rate) {
  return static_cast<uint32_t>(rate * 0x1p32);
}

double attnres::keptFactor(double rate) { return 1 / (1 - rate); }
