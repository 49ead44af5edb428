//===- Arithmetic.cpp - f32 arithmetic of kernels -------------------------===//
#include "passes/rows/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace attnres::rows;

/// `element` as the element type of `shape`, which may be a scalar.
static Type withElement(Type shape, Type element) {
  auto vector = dyn_cast<VectorType>(shape);
  return vector ? Type(vector.clone(element)) : element;
}

static Value constantOf(const Arithmetic &a, Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    element = SplatElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(a.builder, a.loc, element);
}

Value Arithmetic::f32(double value) const {
  return constant(value, builder.getF32Type());
}
Value Arithmetic::constant(double value, Type type) const {
  return constantOf(*this, type, builder.getF32FloatAttr(value));
}

Value Arithmetic::add(Value x, Value y) const {
  return arith::AddFOp::create(builder, loc, x, y);
}
Value Arithmetic::sub(Value x, Value y) const {
  return arith::SubFOp::create(builder, loc, x, y);
}
Value Arithmetic::mul(Value x, Value y) const {
  return arith::MulFOp::create(builder, loc, x, y);
}
Value Arithmetic::div(Value x, Value y) const {
  return arith::DivFOp::create(builder, loc, x, y);
}
Value Arithmetic::neg(Value x) const {
  return arith::NegFOp::create(builder, loc, x);
}
Value Arithmetic::fma(Value x, Value y, Value z) const {
  return math::FmaOp::create(builder, loc, x, y, z);
}
Value Arithmetic::sqrt(Value x) const {
  return math::SqrtOp::create(builder, loc, x);
}
Value Arithmetic::rsqrt(Value x) const {
  return div(constantLike(x, 1), sqrt(x));
}

Value Arithmetic::max(Value x, Value y) const {
  return select(isGreater(x, y), x, y);
}
Value Arithmetic::min(Value x, Value y) const {
  return select(isLess(x, y), x, y);
}

Value Arithmetic::isLess(Value x, Value y) const {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, y);
}
Value Arithmetic::isGreater(Value x, Value y) const {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, x, y);
}
Value Arithmetic::isEqual(Value x, double value) const {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x,
                               constantLike(x, value));
}
Value Arithmetic::select(Value condition, Value then, Value otherwise) const {
  return arith::SelectOp::create(builder, loc, condition, then, otherwise);
}

Value Arithmetic::exp(Value x) const {
  return math::ExpOp::create(builder, loc, x);
}
Value Arithmetic::expInSum(Value x) const {
  return math::ExpOp::create(builder, loc, x, arith::FastMathFlags::afn);
}
Value Arithmetic::log(Value x) const {
  return math::LogOp::create(builder, loc, x);
}
Value Arithmetic::erf(Value x) const {
  return math::ErfOp::create(builder, loc, x);
}
Value Arithmetic::sigmoid(Value x) const {
  Value one = constantLike(x, 1);
  return div(one, add(one, expInSum(neg(x))));
}

// 2^x = 2^n 2^f with n the nearest integer and f in [-1/2, 1/2]; 2^f by its
// minimax polynomial (relative error 2e-9), 2^n added to the exponent bits.
Value Arithmetic::exp2InSum(Value x) const {
  // Adding 3/2 * 2^23 leaves n in the low bits of the sum.
  Value magic = constantLike(x, 12582912.0);
  Value shifted = add(x, magic);
  Value f = sub(x, sub(shifted, magic));
  const float coefficients[] = {1.339887440e-3f, 9.618437358e-3f,
                                5.550332471e-2f, 2.402264791e-1f,
                                6.931472029e-1f, 1.0f};
  Value p = constantLike(x, 1.535336156e-4f);
  for (float c : coefficients)
    p = fma(p, f, constantLike(x, c));
  Value exponent =
      arith::ShLIOp::create(builder, loc, toBits(shifted), bitsLike(x, 23));
  Value bits = arith::AddIOp::create(builder, loc, toBits(p), exponent);
  // Ordered comparison: NaN stays NaN.
  Value isTiny = isLess(x, constantLike(x, -125.5));
  return select(isTiny, constantLike(x, 0), fromBits(bits));
}

Value Arithmetic::toBits(Value x) const {
  return arith::BitcastOp::create(
      builder, loc, withElement(x.getType(), builder.getI32Type()), x);
}
Value Arithmetic::fromBits(Value bits) const {
  return arith::BitcastOp::create(
      builder, loc, withElement(bits.getType(), builder.getF32Type()), bits);
}
Value Arithmetic::bitsLike(Value like, uint32_t value) const {
  Type integer = builder.getI32Type();
  return constantOf(*this, withElement(like.getType(), integer),
                    builder.getIntegerAttr(integer, value));
}
