//===- ScalarCode.cpp - arithmetic of scalar kernels ----------------------===//
#include "passes/cpu/ScalarCode.h"

#include "passes/analysis/Locations.h"
#include "passes/analysis/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

static bool isSmallFloat(Type type) {
  return isa<BFloat16Type, Float16Type>(getElementTypeOrSelf(type));
}

/// `element`, or as many of it as `type` has lanes.
static Type inLanesOf(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

//===----------------------------------------------------------------------===//
// Which operations there is code for
//===----------------------------------------------------------------------===//

/// Functions that are computed in f32; MathLowering.h has no others.
static bool isFunctionOfF32(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"}, true)
      .Cases({"cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1"},
             true)
      .Cases({"log", "log10", "log1p", "log2", "powf", "sin", "sinh"}, true)
      .Cases({"tan", "tanh", "ceil", "floor", "round", "roundeven", "trunc"},
             true)
      .Default(false);
}

/// One instruction or a few, for f32 and f64.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::CopySignOp, math::SqrtOp, math::RsqrtOp,
             math::FmaOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp,
             math::IsNormalOp, math::AbsIOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::ClampFOp>(op);
}

static bool hasF64(Operation *op) {
  auto isF64 = [](Type type) { return type.isF64(); };
  return llvm::any_of(op->getOperandTypes(), isF64) ||
         llvm::any_of(op->getResultTypes(), isF64);
}

static LogicalResult verifyScalarOp(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isKernelElement(type) && !isa<tensor::ExtractOp, tensor::DimOp>(op))
        return emitOpErrorNear(op)
               << "expected scalars of i1, i8, i16, i32, i64, "
                  "index, bf16, f16, f32 or f64, got "
               << type;
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    if (truncation.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return emitOpErrorNear(op)
             << "expected rounding to the nearest, ties to even";
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "arith") {
    if (isa<arith::RemFOp, arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
      return emitOpErrorNear(op) << "has no code for processors";
    return success();
  }
  if (dialect == "math") {
    if (isInstruction(op))
      return success();
    if (!isFunctionOfF32(op))
      return emitOpErrorNear(op) << "has no code for processors";
    // Sines and cosines in f64 are calls of the C library.
    if (hasF64(op) && !isa<math::SinOp, math::CosOp>(op))
      return emitOpErrorNear(op) << "has no code for f64, expected f32";
    return success();
  }
  if (isa<linalg::IndexOp, linalg::YieldOp, tensor::ExtractOp, scf::ForOp,
          scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(op) ||
      op->getName().getStringRef() == "affine.apply")
    return success();
  return emitOpErrorNear(op)
         << "has no code for processors in the body of 'linalg.generic'";
}

LogicalResult attnres::cpu::verifyScalarCode(linalg::GenericOp op) {
  WalkResult result = op.getRegion().walk(
      [](Operation *inner) { return WalkResult(verifyScalarOp(inner)); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Small floats
//===----------------------------------------------------------------------===//

/// f64 to f32 such that rounding on to a smaller type rounds `x` itself: toward
/// zero, with the last bit set where that is not exact.
static Value truncateToOdd(ImplicitLocOpBuilder &b, Value x) {
  Value near = arith::TruncFOp::create(b, b.getF32Type(), x);
  Value back = arith::ExtFOp::create(b, b.getF64Type(), near);
  auto integer = [&](int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), near);
  Value isExact = arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, back, x);
  Value isBeyond = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                         math::AbsFOp::create(b, back),
                                         math::AbsFOp::create(b, x));
  Value lower = arith::SubIOp::create(b, bits, integer(1));
  Value zeroward = arith::SelectOp::create(b, isBeyond, lower, bits);
  Value odd = arith::OrIOp::create(b, zeroward, integer(1));
  Value result = arith::SelectOp::create(b, isExact, bits, odd);
  return arith::BitcastOp::create(b, b.getF32Type(), result);
}

/// A small float from f32 or f64.
static Value narrow(ImplicitLocOpBuilder &b, Type type, Value x) {
  if (x.getType().isF64())
    x = truncateToOdd(b, x);
  return arith::TruncFOp::create(b, type, x);
}

void attnres::cpu::widenSmallFloats(KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    auto touches = [](TypeRange types) {
      return llvm::any_of(types, isSmallFloat);
    };
    if ((dialect == "arith" || dialect == "math") &&
        !isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op) &&
        (touches(op->getOperandTypes()) || touches(op->getResultTypes())))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      Value x = op->getOperand(0);
      Type type = op->getResult(0).getType();
      Value result;
      if (isa<arith::TruncFOp>(op) && x.getType().isF64())
        result = narrow(b, type, x);
      else if (isa<arith::ExtFOp>(op) && type.isF64())
        result = arith::ExtFOp::create(
            b, type, arith::ExtFOp::create(b, b.getF32Type(), x).getResult());
      if (!result)
        continue;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      continue;
    }
    // Integers pass through f64, which holds more of them, conditions need not.
    bool fromInteger =
        isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
        !getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1);
    Type wide = fromInteger ? b.getF64Type() : b.getF32Type();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isSmallFloat(operand.getType())
              ? arith::ExtFOp::create(
                    b, inLanesOf(operand.getType(), b.getF32Type()), operand)
                    .getResult()
              : operand);
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isSmallFloat(type) ? inLanesOf(type, wide) : type);
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         llvm::to_vector(op->getDiscardableAttrs()));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *widened = b.create(state);
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), widened->getResults()))
      old.replaceAllUsesWith(isSmallFloat(old.getType())
                                 ? narrow(b, old.getType(), result)
                                 : Value(result));
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// f16 without instructions
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on the bits of f32.
struct BitBuilder {
  ImplicitLocOpBuilder b;
  explicit BitBuilder(Operation *op) : b(op->getLoc(), op) {}

  Value constant(uint32_t value) {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  template <typename Op>
  Value make(Value x, uint32_t y) {
    return Op::create(b, x, constant(y));
  }
  template <typename Op>
  Value make(Value x, Value y) {
    return Op::create(b, x, y);
  }
  Value less(Value x, uint32_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value toFloat(Value bits) {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }
  Value toBits(Value x) {
    return arith::BitcastOp::create(b, b.getI32Type(), x);
  }
};
} // namespace

static Value extendHalf(Operation *op) {
  BitBuilder e(op);
  Value half =
      arith::BitcastOp::create(e.b, e.b.getI16Type(), op->getOperand(0));
  Value bits = arith::ExtUIOp::create(e.b, e.b.getI32Type(), half);
  Value sign = e.make<arith::ShLIOp>(e.make<arith::AndIOp>(bits, 0x8000u), 16u);
  Value magnitude = e.make<arith::AndIOp>(bits, 0x7fffu);
  Value shifted = e.make<arith::ShLIOp>(magnitude, 13u);
  // The exponent is counted from 15 and from 127.
  Value normal = e.make<arith::AddIOp>(shifted, 112u << 23);
  Value special = e.make<arith::OrIOp>(shifted, 0x7f800000u);
  Value unit = arith::ConstantOp::create(e.b, e.b.getF32FloatAttr(0x1p-24f));
  Value count = arith::UIToFPOp::create(e.b, e.b.getF32Type(), magnitude);
  Value denormal = e.toBits(arith::MulFOp::create(e.b, count, unit));
  Value result = e.select(e.less(magnitude, 0x7c00), normal, special);
  result = e.select(e.less(magnitude, 0x400), denormal, result);
  return e.toFloat(e.make<arith::OrIOp>(result, sign));
}

static Value truncateToHalf(Operation *op) {
  BitBuilder e(op);
  Value bits = e.toBits(op->getOperand(0));
  Value sign = e.make<arith::ShRUIOp>(bits, 16u);
  sign = e.make<arith::AndIOp>(sign, 0x8000u);
  Value magnitude = e.make<arith::AndIOp>(bits, 0x7fffffffu);
  // Half of the last place less one, and one more where it is odd.
  Value last =
      e.make<arith::AndIOp>(e.make<arith::ShRUIOp>(magnitude, 13u), 1u);
  Value rounded = e.make<arith::AddIOp>(e.make<arith::AddIOp>(magnitude, last),
                                        0xfffu - (112u << 23));
  Value normal = e.make<arith::ShRUIOp>(rounded, 13u);
  // Beside 0.5 the spacing of f32 is that of the denormals of f16.
  Value half = arith::ConstantOp::create(e.b, e.b.getF32FloatAttr(0.5f));
  Value sum = arith::AddFOp::create(e.b, e.toFloat(magnitude), half);
  Value denormal = e.make<arith::SubIOp>(e.toBits(sum), 0x3f000000u);
  Value result = e.select(e.less(magnitude, 0x38800000), denormal, normal);
  // From 65520 on the nearest is infinity; NaN stays one.
  result = e.select(e.less(magnitude, 0x477ff000), result, e.constant(0x7c00));
  result = e.select(e.less(magnitude, 0x7f800001), result, e.constant(0x7e00));
  result = e.make<arith::OrIOp>(result, sign);
  Value small = arith::TruncIOp::create(e.b, e.b.getI16Type(), result);
  return arith::BitcastOp::create(e.b, e.b.getF16Type(), small);
}

void attnres::cpu::expandHalfConversions(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if ((isa<arith::ExtFOp>(op) && op->getOperand(0).getType().isF16()) ||
        (isa<arith::TruncFOp>(op) && op->getResult(0).getType().isF16()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Value result = isa<arith::ExtFOp>(op) ? extendHalf(op) : truncateToHalf(op);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}
