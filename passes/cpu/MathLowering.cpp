//===- MathLowering.cpp - Math functions on vectors without libm ----------===//

#include "passes/cpu/MathLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/cpu/ScalarCode.h"
#include "passes/rows/Arithmetic.h"

using namespace mlir;
using namespace attnres;
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

/// Arithmetic with constants of the shape of a given value.
class F32Builder : public rows::Arithmetic {
public:
  F32Builder(OpBuilder &builder, Location loc, Value like)
      : Arithmetic(builder, loc), like(like) {}

  Value constant(float value) { return constantLike(like, value); }
  Value bitsConstant(uint32_t value) { return bitsLike(like, value); }
  template <typename Op, typename... Args>
  Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  /// The polynomial with the given coefficients, lowest first, at x.
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value result = constant(coefficients.back());
    for (float c : llvm::reverse(coefficients.drop_back()))
      result = fma(result, x, constant(c));
    return result;
  }

private:
  Value like;
};

/// exp and exp2 as 2^n p(r): n is the nearest integer to the binary logarithm
/// of the result, p a polynomial of degree 6 (minimax in the relative error,
/// 0.05 units of 2^-24). Adding 1.5 * 2^23 leaves n in the low bits of the sum.
/// With the flag `afn`, results below 2^-126 may become 0 and those above
/// 2^127.5 infinity; that saves one of two scalings.
template <typename Op>
struct ExpandExponential : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    constexpr bool isExp2 = std::is_same_v<Op, math::Exp2Op>;
    Value x = op.getOperand();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    F32Builder b(rewriter, op.getLoc(), x);
    bool isApproximate =
        bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
    // Beyond these the result is surely 0 or infinity.
    float lowest = isApproximate ? -127.0f : -151.0f, highest = 128.5f;
    constexpr float ln2 = 0.693147180559945f;
    float unit = isExp2 ? 1.0f : ln2;
    x = b.max(b.constant(lowest * unit), x);
    x = b.min(b.constant(highest * unit), x);

    Value magic = b.constant(12582912.0f);
    Value sum, r;
    if constexpr (isExp2) {
      sum = b.add(x, magic);
      Value n = b.sub(sum, magic);
      r = b.sub(x, n);
      r = b.polynomial(r, {1.0f, 0.693147182f, 0.240226477f, 0.0555033199f,
                           0.00961843878f, 0.00133990031f, 0.000153532572f});
    } else {
      sum = b.fma(x, b.constant(1.44269504f), magic);
      Value n = b.sub(sum, magic);
      // ln 2 in two parts, the first of few bits: its product with n is exact.
      r = b.fma(n, b.constant(-0.693359375f), x);
      r = b.fma(n, b.constant(2.12194440e-4f), r);
      r = b.polynomial(r, {1.0f, 1.0f, 0.49999994f, 0.166665196f, 0.0416683964f,
                           0.00836881157f, 0.00138144020f});
    }

    // 2^n from bits that hold n at their low end.
    Value mantissaBits = b.bitsConstant(23), one = b.bitsConstant(0x3f800000);
    auto powerOfTwo = [&](Value n) {
      Value shifted = b.make<arith::ShLIOp>(n, mantissaBits);
      return b.fromBits(b.make<arith::AddIOp>(shifted, one));
    };
    Value n = b.toBits(sum);
    if (!isApproximate) {
      // Where 2^n is not a normal number, 2^(n/2) 2^(n - n/2) still works.
      n = b.make<arith::SubIOp>(n, b.toBits(magic));
      Value half = b.make<arith::ShRSIOp>(n, b.bitsConstant(1));
      r = b.mul(r, powerOfTwo(half));
      n = b.make<arith::SubIOp>(n, half);
    }
    rewriter.replaceOp(op, b.mul(r, powerOfTwo(n)));
    return success();
  }
};

/// sin and cos: the argument is reduced by the nearest multiple n of pi/2,
/// which three parts represent; then sin or cos of the rest by the parity of n,
/// and the sign by its next bit. Meant for |x| below 10^6, as in rotary
/// embeddings.
template <typename Op>
struct ExpandSineOrCosine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    Value x = op.getOperand();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    F32Builder b(rewriter, op.getLoc(), x);
    Value magic = b.constant(12582912.0f);
    Value sum = b.fma(x, b.constant(0.636619772f), magic);
    Value n = b.sub(sum, magic);
    Value r = b.fma(n, b.constant(-1.5703125f), x);
    r = b.fma(n, b.constant(-4.83751297e-4f), r);
    r = b.fma(n, b.constant(-7.54978942e-8f), r);

    Value square = b.mul(r, r);
    Value sine =
        b.polynomial(square, {-0.166666552f, 0.00833217241f, -0.000195164801f});
    sine = b.fma(b.mul(sine, square), r, r);
    Value cosine = b.polynomial(
        square, {1.0f, -0.5f, 0.0416666456f, -0.00138873595f, 2.44375333e-5f});

    Value quadrant = b.toBits(sum);
    if (std::is_same_v<Op, math::CosOp>)
      quadrant = b.make<arith::AddIOp>(quadrant, b.bitsConstant(1));
    Value parity = b.make<arith::AndIOp>(quadrant, b.bitsConstant(1));
    Value isSine = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, parity,
                                         b.bitsConstant(0));
    Value result = b.select(isSine, sine, cosine);
    Value sign = b.make<arith::ShLIOp>(quadrant, b.bitsConstant(30));
    sign = b.make<arith::AndIOp>(sign, b.bitsConstant(0x80000000));
    Value bits = b.make<arith::XOrIOp>(b.toBits(result), sign);
    rewriter.replaceOp(op, b.fromBits(bits));
    return success();
  }
};

/// The nearest integer, ties to even, by adding and subtracting 2^23: there
/// the spacing of f32 is 1. Larger numbers (and NaN) are returned as they are.
static Value roundEven(OpBuilder &builder, Location loc, Value x) {
  F32Builder b(builder, loc, x);
  Value magic = b.constant(8388608.0f);
  Value magnitude = b.make<math::AbsFOp>(x);
  Value sum = b.add(magnitude, magic);
  Value rounded = b.sub(sum, magic);
  rounded = b.make<math::CopySignOp>(rounded, x);
  return b.select(b.isLess(magnitude, magic), rounded, x);
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

/// Toward zero without SSE4.1: as above, of the magnitude.
struct ExpandTruncation : OpRewritePattern<math::TruncOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::TruncOp op,
                                PatternRewriter &rewriter) const final {
    Value x = op.getOperand();
    Location loc = op.getLoc();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Value magnitude = math::AbsFOp::create(rewriter, loc, x);
    Value floor = math::FloorOp::create(rewriter, loc, magnitude);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, floor, x);
    return success();
  }
};

/// The decimal logarithm from the natural one.
struct ExpandLog10 : OpRewritePattern<math::Log10Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Log10Op op,
                                PatternRewriter &rewriter) const final {
    Value x = op.getOperand();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    F32Builder b(rewriter, op.getLoc(), x);
    Value natural = b.log(x);
    rewriter.replaceOp(op, b.mul(natural, b.constant(0.434294482f)));
    return success();
  }
};

} // namespace

/// Functions for which MLIR's own polynomials are good.
static bool isApproximated(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"math.acos", "math.asin", "math.atan", "math.atan2"}, true)
      .Cases({"math.cbrt", "math.erf", "math.erfc", "math.expm1"}, true)
      .Cases({"math.log", "math.log1p", "math.log2", "math.tanh"}, true)
      .Default(false);
}

LogicalResult attnres::cpu::lowerMath(func::FuncOp function,
                                      const CpuTarget &target) {
  MLIRContext *context = function.getContext();
  if (target.level == CpuLevel::Generic)
    expandHalfConversions(function);
  RewritePatternSet patterns(context);
  populateMathF32ExpansionPatterns(patterns, [](StringRef name) {
    return isApproximated(name) || name == "math.exp" || name == "math.exp2" ||
           name == "math.sin" || name == "math.cos";
  });
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
  math::populateExpansionPatterns(patterns,
                                  {"powf", "fpowi", "round", "rsqrt", "sinh",
                                   "cosh", "tan", "asinh", "acosh", "atanh"});
  patterns.add<ExpandExponential<math::ExpOp>, ExpandExponential<math::Exp2Op>,
               ExpandSineOrCosine<math::SinOp>, ExpandSineOrCosine<math::CosOp>,
               ExpandLog10>(context);
  // The instructions for bf16 treat denormals as zero; integer arithmetic
  // rounds the same way everywhere.
  arith::populateExpandBFloat16Patterns(patterns);
  if (target.level == CpuLevel::Generic)
    patterns.add<SplitFma, ExpandRounding<math::RoundEvenOp>,
                 ExpandRounding<math::FloorOp>, ExpandRounding<math::CeilOp>,
                 ExpandTruncation>(context);
  return applyPatternsGreedily(function, std::move(patterns));
}
