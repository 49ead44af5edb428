//===- ScalarEval.cpp - arith and math, element by element ----------------===//
#include "dialect/interpreter/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

//===----------------------------------------------------------------------===//
// Wrapping scalar functions
//===----------------------------------------------------------------------===//

template <typename Function>
static ScalarFunction unary(Function function) {
  return [function](const Scalar *x) { return Scalar{function(x[0].real), 0}; };
}

template <typename Function>
static ScalarFunction binary(Function function) {
  return [function](const Scalar *x) {
    return Scalar{function(x[0].real, x[1].real), 0};
  };
}

static unsigned bitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// `value` wrapped to `width` bits: signed, but 0 or 1 for a boolean.
static int64_t wrap(int64_t value, unsigned width) {
  if (width == 1)
    return value & 1;
  return width == 64 ? value : llvm::SignExtend64(value, width);
}

/// The low `width` bits of `value`.
static uint64_t unsignedBits(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

template <typename Function>
static ScalarFunction integerBinary(Type type, Function function) {
  unsigned width = bitWidth(type);
  return [function, width](const Scalar *x) {
    return Scalar{0, wrap(function(x[0].integer, x[1].integer), width)};
  };
}

/// Arithmetic that wraps around instead of overflowing.
template <typename Function>
static ScalarFunction wrappingBinary(Type type, Function function) {
  return integerBinary(type, [function](int64_t a, int64_t b) {
    return static_cast<int64_t>(
        function(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  });
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The predicate is "ordered/unordered" times a set of {<, =, >}.
static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return !unordered && a == b;
  case P::UEQ:
    return unordered || a == b;
  case P::ONE:
    return !unordered && a != b;
  case P::UNE:
    return unordered || a != b;
  case P::OLT:
    return !unordered && a < b;
  case P::ULT:
    return unordered || a < b;
  case P::OLE:
    return !unordered && a <= b;
  case P::ULE:
    return unordered || a <= b;
  case P::OGT:
    return !unordered && a > b;
  case P::UGT:
    return unordered || a > b;
  case P::OGE:
    return !unordered && a >= b;
  case P::UGE:
    return unordered || a >= b;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  }
  llvm_unreachable("unknown predicate");
}

static bool compareIntegers(arith::CmpIPredicate predicate, int64_t a,
                            int64_t b, unsigned width) {
  using P = arith::CmpIPredicate;
  if (width == 1 && predicate != P::eq && predicate != P::ne) {
    // A signed boolean is 0 or -1.
    a = -a;
    b = -b;
  }
  uint64_t ua = unsignedBits(a, width), ub = unsignedBits(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  llvm_unreachable("unknown predicate");
}

/// The larger number; NaN when either is.
static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmax(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmin(a, b);
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static ScalarFunction floatFunction(Operation *op) {
  return TypeSwitch<Operation *, ScalarFunction>(op)
      .Case<arith::AddFOp>([](auto) { return binary(std::plus<double>()); })
      .Case<arith::SubFOp>([](auto) { return binary(std::minus<double>()); })
      .Case<arith::MulFOp>(
          [](auto) { return binary(std::multiplies<double>()); })
      .Case<arith::DivFOp>([](auto) { return binary(std::divides<double>()); })
      .Case<arith::RemFOp>([](auto) {
        return binary([](double a, double b) { return std::fmod(a, b); });
      })
      .Case<arith::NegFOp>([](auto) { return unary(std::negate<double>()); })
      .Case<arith::MaximumFOp>([](auto) { return binary(maximum); })
      .Case<arith::MinimumFOp>([](auto) { return binary(minimum); })
      .Case<arith::MaxNumFOp>([](auto) {
        return binary([](double a, double b) { return std::fmax(a, b); });
      })
      .Case<arith::MinNumFOp>([](auto) {
        return binary([](double a, double b) { return std::fmin(a, b); });
      })
      .Case<arith::TruncFOp, arith::ExtFOp>(
          [](auto) { return unary([](double x) { return x; }); })
      .Case<math::ExpOp>(
          [](auto) { return unary([](double x) { return std::exp(x); }); })
      .Case<math::Exp2Op>(
          [](auto) { return unary([](double x) { return std::exp2(x); }); })
      .Case<math::ExpM1Op>(
          [](auto) { return unary([](double x) { return std::expm1(x); }); })
      .Case<math::LogOp>(
          [](auto) { return unary([](double x) { return std::log(x); }); })
      .Case<math::Log2Op>(
          [](auto) { return unary([](double x) { return std::log2(x); }); })
      .Case<math::Log1pOp>(
          [](auto) { return unary([](double x) { return std::log1p(x); }); })
      .Case<math::SqrtOp>(
          [](auto) { return unary([](double x) { return std::sqrt(x); }); })
      .Case<math::RsqrtOp>(
          [](auto) { return unary([](double x) { return 1 / std::sqrt(x); }); })
      .Case<math::TanhOp>(
          [](auto) { return unary([](double x) { return std::tanh(x); }); })
      .Case<math::ErfOp>(
          [](auto) { return unary([](double x) { return std::erf(x); }); })
      .Case<math::SinOp>(
          [](auto) { return unary([](double x) { return std::sin(x); }); })
      .Case<math::CosOp>(
          [](auto) { return unary([](double x) { return std::cos(x); }); })
      .Case<math::AbsFOp>(
          [](auto) { return unary([](double x) { return std::fabs(x); }); })
      .Case<math::FloorOp>(
          [](auto) { return unary([](double x) { return std::floor(x); }); })
      .Case<math::CeilOp>(
          [](auto) { return unary([](double x) { return std::ceil(x); }); })
      .Case<math::Log10Op>(
          [](auto) { return unary([](double x) { return std::log10(x); }); })
      .Case<math::CbrtOp>(
          [](auto) { return unary([](double x) { return std::cbrt(x); }); })
      .Case<math::TanOp>(
          [](auto) { return unary([](double x) { return std::tan(x); }); })
      .Case<math::SinhOp>(
          [](auto) { return unary([](double x) { return std::sinh(x); }); })
      .Case<math::CoshOp>(
          [](auto) { return unary([](double x) { return std::cosh(x); }); })
      .Case<math::AsinOp>(
          [](auto) { return unary([](double x) { return std::asin(x); }); })
      .Case<math::AcosOp>(
          [](auto) { return unary([](double x) { return std::acos(x); }); })
      .Case<math::AtanOp>(
          [](auto) { return unary([](double x) { return std::atan(x); }); })
      .Case<math::AsinhOp>(
          [](auto) { return unary([](double x) { return std::asinh(x); }); })
      .Case<math::AcoshOp>(
          [](auto) { return unary([](double x) { return std::acosh(x); }); })
      .Case<math::AtanhOp>(
          [](auto) { return unary([](double x) { return std::atanh(x); }); })
      .Case<math::ErfcOp>(
          [](auto) { return unary([](double x) { return std::erfc(x); }); })
      .Case<math::RoundOp>(
          [](auto) { return unary([](double x) { return std::round(x); }); })
      .Case<math::RoundEvenOp>([](auto) {
        return unary([](double x) { return std::nearbyint(x); });
      })
      .Case<math::TruncOp>(
          [](auto) { return unary([](double x) { return std::trunc(x); }); })
      .Case<math::Atan2Op>([](auto) {
        return binary([](double a, double b) { return std::atan2(a, b); });
      })
      .Case<math::CopySignOp>([](auto) {
        return binary([](double a, double b) { return std::copysign(a, b); });
      })
      .Case<math::ClampFOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) {
          return Scalar{std::fmin(std::fmax(x[0].real, x[1].real), x[2].real),
                        0};
        };
      })
      .Case<math::PowFOp>([](auto) {
        return binary([](double a, double b) { return std::pow(a, b); });
      })
      .Case<math::FmaOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) {
          return Scalar{std::fma(x[0].real, x[1].real, x[2].real), 0};
        };
      })
      .Default([](Operation *) { return ScalarFunction(); });
}

/// -a, which wraps around for the smallest integer.
static int64_t negated(int64_t a) {
  return static_cast<int64_t>(-static_cast<uint64_t>(a));
}

/// An integer function of the low bits alone.
template <typename Function>
static ScalarFunction unsignedBinary(Type type, Function function) {
  unsigned width = bitWidth(type);
  return integerBinary(type, [width, function](int64_t a, int64_t b) {
    return static_cast<int64_t>(
        function(unsignedBits(a, width), unsignedBits(b, width)));
  });
}

static ScalarFunction integerFunction(Operation *op) {
  return TypeSwitch<Operation *, ScalarFunction>(op)
      .Case<arith::AddIOp>([](auto op) {
        return wrappingBinary(op.getType(), std::plus<uint64_t>());
      })
      .Case<arith::SubIOp>([](auto op) {
        return wrappingBinary(op.getType(), std::minus<uint64_t>());
      })
      .Case<arith::MulIOp>([](auto op) {
        return wrappingBinary(op.getType(), std::multiplies<uint64_t>());
      })
      .Case<arith::AndIOp>([](auto op) {
        return integerBinary(op.getType(), std::bit_and<int64_t>());
      })
      .Case<arith::OrIOp>([](auto op) {
        return integerBinary(op.getType(), std::bit_or<int64_t>());
      })
      .Case<arith::XOrIOp>([](auto op) {
        return integerBinary(op.getType(), std::bit_xor<int64_t>());
      })
      // Division by zero is undefined; 0 keeps the interpreter alive where a
      // select discards the result.
      .Case<arith::DivSIOp>([](auto op) {
        return integerBinary(op.getType(), [](int64_t a, int64_t b) {
          return b == 0 ? 0 : b == -1 ? negated(a) : a / b;
        });
      })
      .Case<arith::RemSIOp>([](auto op) {
        return integerBinary(op.getType(), [](int64_t a, int64_t b) {
          return b == 0 || b == -1 ? 0 : a % b;
        });
      })
      .Case<arith::FloorDivSIOp>([](auto op) {
        return integerBinary(op.getType(), [](int64_t a, int64_t b) {
          return b == 0    ? 0
                 : b == -1 ? negated(a)
                           : llvm::divideFloorSigned(a, b);
        });
      })
      .Case<arith::CeilDivSIOp>([](auto op) {
        return integerBinary(op.getType(), [](int64_t a, int64_t b) {
          return b == 0    ? 0
                 : b == -1 ? negated(a)
                           : llvm::divideCeilSigned(a, b);
        });
      })
      .Case<arith::DivUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return b == 0 ? 0 : a / b;
        });
      })
      .Case<arith::RemUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return b == 0 ? 0 : a % b;
        });
      })
      // A signed boolean is 0 or -1: true is the smaller one.
      .Case<arith::MaxSIOp>([](auto op) {
        bool boolean = bitWidth(op.getType()) == 1;
        return integerBinary(op.getType(), [boolean](int64_t a, int64_t b) {
          return boolean ? std::min(a, b) : std::max(a, b);
        });
      })
      .Case<arith::MinSIOp>([](auto op) {
        bool boolean = bitWidth(op.getType()) == 1;
        return integerBinary(op.getType(), [boolean](int64_t a, int64_t b) {
          return boolean ? std::max(a, b) : std::min(a, b);
        });
      })
      .Case<arith::MaxUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return std::max(a, b);
        });
      })
      .Case<arith::MinUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return std::min(a, b);
        });
      })
      .Case<arith::CeilDivUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return b == 0 ? 0 : a / b + (a % b != 0);
        });
      })
      // What is shifted by the width or more is undefined; 0 here.
      .Case<arith::ShLIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return b < 64 ? a << b : 0;
        });
      })
      .Case<arith::ShRUIOp>([](auto op) {
        return unsignedBinary(op.getType(), [](uint64_t a, uint64_t b) {
          return b < 64 ? a >> b : 0;
        });
      })
      .Case<arith::ShRSIOp>([](auto op) {
        return integerBinary(op.getType(), [](int64_t a, int64_t b) {
          return b < 0 || b > 63 ? int64_t(0) : a >> b;
        });
      })
      .Case<math::AbsIOp>([](auto op) -> ScalarFunction {
        unsigned width = bitWidth(op.getType());
        return [width](const Scalar *x) {
          int64_t value = x[0].integer;
          return Scalar{0, wrap(value < 0 ? negated(value) : value, width)};
        };
      })
      .Default([](Operation *) { return ScalarFunction(); });
}

/// The integer part; 0 where there is no such integer, which is undefined.
static int64_t towardZero(double x) {
  return x > -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x) : 0;
}

static ScalarFunction conversionFunction(Operation *op) {
  return TypeSwitch<Operation *, ScalarFunction>(op)
      .Case<arith::CmpFOp>([](arith::CmpFOp op) -> ScalarFunction {
        auto predicate = op.getPredicate();
        return [predicate](const Scalar *x) {
          return Scalar{0, compareFloats(predicate, x[0].real, x[1].real)};
        };
      })
      .Case<arith::CmpIOp>([](arith::CmpIOp op) -> ScalarFunction {
        auto predicate = op.getPredicate();
        unsigned width = bitWidth(op.getLhs().getType());
        return [predicate, width](const Scalar *x) {
          return Scalar{
              0, compareIntegers(predicate, x[0].integer, x[1].integer, width)};
        };
      })
      .Case<arith::SelectOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) { return x[0].integer ? x[1] : x[2]; };
      })
      .Case<arith::SIToFPOp>([](arith::SIToFPOp op) -> ScalarFunction {
        bool boolean = bitWidth(op.getIn().getType()) == 1;
        return [boolean](const Scalar *x) {
          return Scalar{
              static_cast<double>(boolean ? -(x[0].integer & 1) : x[0].integer),
              0};
        };
      })
      .Case<arith::UIToFPOp>([](arith::UIToFPOp op) -> ScalarFunction {
        unsigned width = bitWidth(op.getIn().getType());
        return [width](const Scalar *x) {
          return Scalar{static_cast<double>(unsignedBits(x[0].integer, width)),
                        0};
        };
      })
      .Case<arith::FPToSIOp>([](arith::FPToSIOp op) -> ScalarFunction {
        unsigned width = bitWidth(op.getType());
        return [width](const Scalar *x) {
          return Scalar{0, wrap(towardZero(x[0].real), width)};
        };
      })
      .Case<arith::FPToUIOp>([](arith::FPToUIOp op) -> ScalarFunction {
        unsigned width = bitWidth(op.getType());
        return [width](const Scalar *x) {
          // Beyond the signed integers, the upper half of the unsigned ones.
          double real = x[0].real;
          int64_t value = real >= 0x1p63 ? negated(towardZero(0x1p64 - real))
                                         : towardZero(real);
          return Scalar{0, wrap(value, width)};
        };
      })
      .Case<math::IsNaNOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) { return Scalar{0, std::isnan(x[0].real)}; };
      })
      .Case<math::IsInfOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) { return Scalar{0, std::isinf(x[0].real)}; };
      })
      .Case<math::IsFiniteOp>([](auto) -> ScalarFunction {
        return [](const Scalar *x) {
          return Scalar{0, std::isfinite(x[0].real)};
        };
      })
      .Case<arith::IndexCastOp, arith::TruncIOp>([](auto op) -> ScalarFunction {
        unsigned width = bitWidth(op.getType());
        bool boolean = bitWidth(op.getIn().getType()) == 1;
        return [width, boolean](const Scalar *x) {
          return Scalar{
              0, wrap(boolean ? negated(x[0].integer) : x[0].integer, width)};
        };
      })
      .Case<arith::ExtSIOp>([](arith::ExtSIOp op) -> ScalarFunction {
        bool boolean = bitWidth(op.getIn().getType()) == 1;
        return [boolean](const Scalar *x) {
          return Scalar{0, boolean ? negated(x[0].integer) : x[0].integer};
        };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [](auto op) -> ScalarFunction {
            unsigned from = bitWidth(op.getIn().getType());
            unsigned to = bitWidth(op.getType());
            return [from, to](const Scalar *x) {
              return Scalar{0, wrap(static_cast<int64_t>(
                                        unsignedBits(x[0].integer, from)),
                                    to)};
            };
          })
      .Default([](Operation *) { return ScalarFunction(); });
}

ScalarFunction attnres::interpreter::scalarFunction(Operation *op, bool round) {
  auto isWide = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isInteger() && element.getIntOrFloatBitWidth() > 64;
  };
  if (llvm::any_of(op->getOperandTypes(), isWide) ||
      llvm::any_of(op->getResultTypes(), isWide))
    return nullptr;
  ScalarFunction function = floatFunction(op);
  if (!function)
    function = integerFunction(op);
  if (!function)
    function = conversionFunction(op);
  if (!function || !round)
    return function;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isa<FloatType>(type))
    return function;
  return [function, type](const Scalar *x) {
    return Scalar{roundToType(function(x).real, type), 0};
  };
}

LogicalResult attnres::interpreter::evaluateElementwise(
    Operation *op, const ScalarFunction &function, Frame &frame) {
  SmallVector<const Tensor *> operands = frame.tensors(op->getOperands());
  // The last operand always has the shape of the result.
  ArrayRef<int64_t> shape = operands.back()->shape;
  for (const Tensor *operand : operands)
    if (!operand->shape.empty() && ArrayRef(operand->shape) != shape)
      return op->emitOpError("expected operands of one shape");

  Value value = op->getResult(0);
  bool real = isa<FloatType>(getElementTypeOrSelf(value.getType()));
  Tensor result = real ? Tensor::ofReals(shape) : Tensor::ofIntegers(shape);
  SmallVector<Scalar> scalars(operands.size());
  for (int64_t i = 0, count = result.size(); i < count; ++i) {
    for (auto [scalar, operand] : llvm::zip_equal(scalars, operands)) {
      int64_t at = operand->shape.empty() ? 0 : i;
      if (operand->isInteger)
        scalar.integer = operand->integers[at];
      else
        scalar.real = operand->reals[at];
    }
    Scalar element = function(scalars.data());
    if (real)
      result.reals[i] = element.real;
    else
      result.integers[i] = element.integer;
  }
  frame.set(value, std::move(result));
  return success();
}
