//===- MathLowering.cpp - Math functions on vectors without libm ----------===//

#include "passes/cpu/MathLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace attnres::cpu;

namespace {

/// fma as a multiplication and an addition, for processors without the
/// instruction (LLVM would call libm).
struct SplitFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const final {
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};

/// The nearest integer, ties to even, by adding and subtracting 2^23: there
/// the spacing of f32 is 1. Larger numbers (and NaN) are returned as they are.
Value roundEven(OpBuilder &builder, Location loc, Value x) {
  auto splat = [&](float value) -> Value {
    FloatAttr element = builder.getF32FloatAttr(value);
    TypedAttr attribute = element;
    if (auto shaped = dyn_cast<ShapedType>(x.getType()))
      attribute = DenseElementsAttr::get(shaped, element.getValue());
    return arith::ConstantOp::create(builder, loc, attribute);
  };
  Value magic = splat(8388608.0f);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value sum = arith::AddFOp::create(builder, loc, magnitude, magic);
  Value rounded = arith::SubFOp::create(builder, loc, sum, magic);
  rounded = math::CopySignOp::create(builder, loc, rounded, x);
  Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        magnitude, magic);
  return arith::SelectOp::create(builder, loc, isSmall, rounded, x);
}

/// Rounding without SSE4.1: round to nearest, then correct by one where that
/// went the wrong way.
template <typename Op>
struct ExpandRounding : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    Value x = op.getOperand();
    Location loc = op.getLoc();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Value rounded = roundEven(rewriter, loc, x);
    if (!std::is_same_v<Op, math::RoundEvenOp>) {
      constexpr bool isFloor = std::is_same_v<Op, math::FloorOp>;
      auto wrong = arith::CmpFOp::create(rewriter, loc,
                                         isFloor ? arith::CmpFPredicate::OGT
                                                 : arith::CmpFPredicate::OLT,
                                         rounded, x);
      Value correction =
          arith::UIToFPOp::create(rewriter, loc, x.getType(), wrong);
      Value corrected =
          isFloor ? arith::SubFOp::create(rewriter, loc, rounded, correction)
                        .getResult()
                  : arith::AddFOp::create(rewriter, loc, rounded, correction)
                        .getResult();
      // The sign of a zero result is that of x.
      rounded = math::CopySignOp::create(rewriter, loc, corrected, x);
    }
    rewriter.replaceOp(op, rounded);
    return success();
  }
};

} // namespace

/// Functions that polynomials approximate.
static bool isApproximated(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"math.acos", "math.asin", "math.atan", "math.atan2"}, true)
      .Cases({"math.cbrt", "math.cos", "math.erf", "math.erfc"}, true)
      .Cases({"math.exp", "math.expm1", "math.log", "math.log1p"}, true)
      .Cases({"math.log2", "math.sin", "math.tanh"}, true)
      .Default(false);
}

LogicalResult attnres::cpu::lowerMath(func::FuncOp function,
                                      const CpuTarget &target) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  populateMathF32ExpansionPatterns(patterns, isApproximated);
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
  math::populateExpansionPatterns(patterns, {"exp2", "powf", "fpowi", "round",
                                             "rsqrt", "sinh", "cosh", "tan",
                                             "asinh", "acosh", "atanh"});
  arith::populateExpandBFloat16Patterns(patterns);
  if (target.level == CpuLevel::Generic)
    patterns.add<SplitFma, ExpandRounding<math::RoundEvenOp>,
                 ExpandRounding<math::FloorOp>, ExpandRounding<math::CeilOp>>(
        context);
  return applyPatternsGreedily(function, std::move(patterns));
}
