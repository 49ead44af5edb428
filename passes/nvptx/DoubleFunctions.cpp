//===- DoubleFunctions.cpp - sines and cosines in f64 ---------------------===//
#include "passes/nvptx/DoubleFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {

/// The argument is reduced by the nearest multiple n of pi/2, which two parts
/// represent; then the Taylor series of sin or cos, by the parity of n, whose
/// first missing term is below 2^-54 for up to pi/4; and the sign by the next
/// bit of n.
template <typename Op>
struct ExpandSineOrCosine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const final {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    if (!x.getType().isF64())
      return b.notifyMatchFailure(op, "not f64");
    auto real = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
    };
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    auto fma = [&](Value p, Value q, Value r) -> Value {
      return math::FmaOp::create(b, loc, p, q, r);
    };
    // Adding 1.5 * 2^52 leaves n in the low bits of the sum.
    Value magic = real(0x1.8p52);
    Value sum = fma(x, real(0.63661977236758134), magic);
    Value n = arith::SubFOp::create(b, loc, sum, magic);
    Value r = fma(n, real(-1.5707963267948966), x);
    r = fma(n, real(-6.123233995736766e-17), r);

    Value square = arith::MulFOp::create(b, loc, r, r);
    // sum_k (-1)^k r^2k / (2k + first)!, from the last term on.
    auto series = [&](int64_t first) {
      constexpr int64_t kTerms = 9;
      Value result;
      for (int64_t k = kTerms - 1; k >= 0; --k) {
        double factor = k % 2 ? -1 : 1;
        for (int64_t i = 2; i <= 2 * k + first; ++i)
          factor /= static_cast<double>(i);
        result = result ? fma(result, square, real(factor)) : real(factor);
      }
      return result;
    };
    Value sine = arith::MulFOp::create(b, loc, series(1), r);
    Value cosine = series(0);

    Value quadrant = arith::BitcastOp::create(b, loc, b.getI64Type(), sum);
    if (std::is_same_v<Op, math::CosOp>)
      quadrant = arith::AddIOp::create(b, loc, quadrant, integer(1));
    Value parity = arith::AndIOp::create(b, loc, quadrant, integer(1));
    Value isSine = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         parity, integer(0));
    Value magnitude = arith::SelectOp::create(b, loc, isSine, sine, cosine);
    Value sign = arith::ShLIOp::create(b, loc, quadrant, integer(62));
    sign = arith::AndIOp::create(b, loc, sign, integer(INT64_MIN));
    Value bits = arith::BitcastOp::create(b, loc, b.getI64Type(), magnitude);
    b.replaceOpWithNewOp<arith::BitcastOp>(
        op, b.getF64Type(), arith::XOrIOp::create(b, loc, bits, sign));
    return success();
  }
};

} // namespace

void attnres::nvptx::populateDoubleFunctions(RewritePatternSet &patterns) {
  patterns
      .add<ExpandSineOrCosine<math::SinOp>, ExpandSineOrCosine<math::CosOp>>(
          patterns.getContext());
}
