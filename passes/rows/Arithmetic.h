//===- Arithmetic.h - f32 arithmetic of kernels -----------------*- C++ -*-===//
//
// Kernels compute in f32 whatever they store. This is the one place that spells
// their arithmetic; operands are scalars or vectors of any shape, all of one
// type, and so is the result.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_ARITHMETIC_H
#define ATTNRES_PASSES_ROWS_ARITHMETIC_H

#include "mlir/IR/Builders.h"

namespace attnres::rows {

class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value f32(double value) const;
  /// `value`, rounded to f32, in every lane of `type` (f32 or a vector of it).
  mlir::Value constant(double value, mlir::Type type) const;
  /// The same in the type of `like`.
  mlir::Value constantLike(mlir::Value like, double value) const {
    return constant(value, like.getType());
  }

  mlir::Value add(mlir::Value x, mlir::Value y) const;
  mlir::Value sub(mlir::Value x, mlir::Value y) const;
  mlir::Value mul(mlir::Value x, mlir::Value y) const;
  mlir::Value div(mlir::Value x, mlir::Value y) const;
  mlir::Value neg(mlir::Value x) const;
  /// x y + z, rounded once where the machine has the instruction.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) const;
  mlir::Value sqrt(mlir::Value x) const;
  /// 1 / sqrt(x), both operations correctly rounded.
  mlir::Value rsqrt(mlir::Value x) const;

  /// The larger and the smaller one; y if one of them is NaN. One instruction
  /// on x86, where arith.maximumf would also look for NaN.
  mlir::Value max(mlir::Value x, mlir::Value y) const;
  mlir::Value min(mlir::Value x, mlir::Value y) const;

  /// Comparisons, false for NaN.
  mlir::Value isLess(mlir::Value x, mlir::Value y) const;
  mlir::Value isGreater(mlir::Value x, mlir::Value y) const;
  mlir::Value isEqual(mlir::Value x, double value) const;
  mlir::Value select(mlir::Value condition, mlir::Value then,
                     mlir::Value otherwise) const;
  /// x == value ? then : otherwise.
  mlir::Value selectEqual(mlir::Value x, double value, mlir::Value then,
                          mlir::Value otherwise) const {
    return select(isEqual(x, value), then, otherwise);
  }

  mlir::Value exp(mlir::Value x) const;
  /// exp for sums with a term of about 1: results below 2^-126 may become 0,
  /// those above 2^127.5 infinity.
  mlir::Value expInSum(mlir::Value x) const;
  /// 2^x for x <= 127, within 1 ulp; 0 below 2^-125.5, NaN for NaN. In sums
  /// like the above.
  mlir::Value exp2InSum(mlir::Value x) const;
  mlir::Value log(mlir::Value x) const;
  mlir::Value erf(mlir::Value x) const;
  /// 1 / (1 + exp(-x))
  mlir::Value sigmoid(mlir::Value x) const;

  /// The bits of f32 as i32 lanes, back, and i32 constants of that shape.
  mlir::Value toBits(mlir::Value x) const;
  mlir::Value fromBits(mlir::Value bits) const;
  mlir::Value bitsLike(mlir::Value like, uint32_t value) const;
};

} // namespace attnres::rows

#endif
