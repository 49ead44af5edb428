//===- MathDerivatives.cpp - derivatives of math operations ---------------===//
//
// One rule for each function: x is the operand, y the result, g the gradient of
// the result.
//
//===----------------------------------------------------------------------===//
#include "dialect/DerivativeModel.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::derivatives;

namespace {

/// Functions of one operand; `slope(emitter, g, x, y)` is the gradient of x.
template <typename Op, typename Slope>
struct UnaryModel : Model<Op, UnaryModel<Op, Slope>> {
  static void rule(Op op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    grads.push_back(Slope::of(e, g, op.getOperand(), op.getResult()));
  }
};

#define SLOPE(NAME, BODY)                                                      \
  struct NAME {                                                                \
    static Value of(Emitter &e, Value g, [[maybe_unused]] Value x,             \
                    [[maybe_unused]] Value y) {                                \
      BODY                                                                     \
    }                                                                          \
  };

SLOPE(ExpSlope, return e.mul(g, y);)
SLOPE(Exp2Slope, return e.mul(g, e.scale(y, M_LN2));)
SLOPE(ExpM1Slope, return e.mul(g, e.add(y, e.number(y, 1)));)
SLOPE(LogSlope, return e.div(g, x);)
SLOPE(Log2Slope, return e.div(e.scale(g, M_LOG2E), x);)
SLOPE(Log10Slope, return e.div(e.scale(g, M_LOG10E), x);)
SLOPE(Log1pSlope, return e.div(g, e.add(x, e.number(x, 1)));)
SLOPE(SqrtSlope, return e.div(e.scale(g, 0.5), y);)
SLOPE(RsqrtSlope, return e.mul(e.scale(g, -0.5), e.mul(y, e.mul(y, y)));)
SLOPE(CbrtSlope, return e.div(g, e.scale(e.mul(y, y), 3));)
SLOPE(SinSlope, return e.mul(g, e.make<math::CosOp>(x));)
SLOPE(CosSlope, return e.neg(e.mul(g, e.make<math::SinOp>(x)));)
SLOPE(TanSlope, return e.mul(g, e.add(e.mul(y, y), e.number(y, 1)));)
SLOPE(SinhSlope, return e.mul(g, e.make<math::CoshOp>(x));)
SLOPE(CoshSlope, return e.mul(g, e.make<math::SinhOp>(x));)
SLOPE(TanhSlope, return e.mul(g, e.sub(e.number(y, 1), e.mul(y, y)));)
SLOPE(AtanSlope, return e.div(g, e.add(e.mul(x, x), e.number(x, 1)));)
SLOPE(AsinSlope, return e.mul(g, e.make<math::RsqrtOp>(e.sub(e.number(x, 1),
                                                             e.mul(x, x))));)
SLOPE(AcosSlope,
      return e.neg(e.mul(g, e.make<math::RsqrtOp>(e.sub(e.number(x, 1),
                                                        e.mul(x, x)))));)
SLOPE(AsinhSlope,
      return e.mul(g,
                   e.make<math::RsqrtOp>(e.add(e.mul(x, x), e.number(x, 1))));)
SLOPE(AcoshSlope,
      return e.mul(g,
                   e.make<math::RsqrtOp>(e.sub(e.mul(x, x), e.number(x, 1))));)
SLOPE(AtanhSlope, return e.div(g, e.sub(e.number(x, 1), e.mul(x, x)));)
SLOPE(ErfSlope, return e.mul(g, e.scale(e.make<math::ExpOp>(e.neg(e.mul(x, x))),
                                        M_2_SQRTPI));)
SLOPE(ErfcSlope,
      return e.mul(g, e.scale(e.make<math::ExpOp>(e.neg(e.mul(x, x))),
                              -M_2_SQRTPI));)
/// 0 at 0.
SLOPE(AbsSlope, {
  Value zero = e.number(x, 0);
  return e.select(
      e.compare(arith::CmpFPredicate::OGT, x, zero), g,
      e.select(e.compare(arith::CmpFPredicate::OLT, x, zero), e.neg(g), zero));
})

#undef SLOPE

/// p x^(p - 1) and x^p ln x; 0 where the base or the exponent is 0 and the
/// formula would be 0 times infinity.
struct PowModel : Model<math::PowFOp, PowModel> {
  static void rule(math::PowFOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value x = op.getLhs(), p = op.getRhs(), zero = e.number(x, 0);
    using P = arith::CmpFPredicate;
    Value slope = e.mul(p, e.make<math::PowFOp>(x, e.sub(p, e.number(p, 1))));
    Value byBase = e.select(e.compare(P::OEQ, p, zero), zero, slope);
    Value byExponent = e.select(e.compare(P::OEQ, x, zero), zero,
                                e.mul(op.getResult(), e.make<math::LogOp>(x)));
    grads.assign({e.mul(g, byBase), e.mul(g, byExponent)});
  }
};

struct FmaModel : Model<math::FmaOp, FmaModel> {
  static void rule(math::FmaOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    grads.assign({e.mul(g, op.getB()), e.mul(g, op.getA()), g});
  }
};

/// (g x, -g y) / (x^2 + y^2) for the angle of (x, y), y being the first
/// operand.
struct Atan2Model : Model<math::Atan2Op, Atan2Model> {
  static void rule(math::Atan2Op op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value y = op.getLhs(), x = op.getRhs();
    Value share = e.div(g, e.add(e.mul(x, x), e.mul(y, y)));
    grads.assign({e.mul(share, x), e.neg(e.mul(share, y))});
  }
};

/// The sign of the second operand is constant almost everywhere.
struct CopySignModel : Model<math::CopySignOp, CopySignModel> {
  static void rule(math::CopySignOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value one = e.number(g, 1);
    Value sign = e.mul(e.make<math::CopySignOp>(one, op.getLhs()),
                       e.make<math::CopySignOp>(one, op.getRhs()));
    grads.assign({e.mul(g, sign), e.number(g, 0)});
  }
};

/// The operand that is the result takes the gradient.
struct ClampModel : Model<math::ClampFOp, ClampModel> {
  static void rule(math::ClampFOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value zero = e.number(g, 0);
    using P = arith::CmpFPredicate;
    Value below = e.compare(P::OLT, op.getValue(), op.getMin());
    Value above = e.compare(P::OGT, op.getValue(), op.getMax());
    Value notBelow = e.select(above, zero, g);
    grads.assign({e.select(below, zero, notBelow), e.select(below, g, zero),
                  e.select(above, g, zero)});
  }
};

template <typename Op, typename Slope>
void attach(MLIRContext *context) {
  Op::template attachInterface<UnaryModel<Op, Slope>>(*context);
}

} // namespace

void derivatives::registerMathDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<math::ExpOp, ExpSlope>(context);
    attach<math::Exp2Op, Exp2Slope>(context);
    attach<math::ExpM1Op, ExpM1Slope>(context);
    attach<math::LogOp, LogSlope>(context);
    attach<math::Log2Op, Log2Slope>(context);
    attach<math::Log10Op, Log10Slope>(context);
    attach<math::Log1pOp, Log1pSlope>(context);
    attach<math::SqrtOp, SqrtSlope>(context);
    attach<math::RsqrtOp, RsqrtSlope>(context);
    attach<math::CbrtOp, CbrtSlope>(context);
    attach<math::SinOp, SinSlope>(context);
    attach<math::CosOp, CosSlope>(context);
    attach<math::TanOp, TanSlope>(context);
    attach<math::SinhOp, SinhSlope>(context);
    attach<math::CoshOp, CoshSlope>(context);
    attach<math::TanhOp, TanhSlope>(context);
    attach<math::AtanOp, AtanSlope>(context);
    attach<math::AsinOp, AsinSlope>(context);
    attach<math::AcosOp, AcosSlope>(context);
    attach<math::AsinhOp, AsinhSlope>(context);
    attach<math::AcoshOp, AcoshSlope>(context);
    attach<math::AtanhOp, AtanhSlope>(context);
    attach<math::ErfOp, ErfSlope>(context);
    attach<math::ErfcOp, ErfcSlope>(context);
    attach<math::AbsFOp, AbsSlope>(context);
    math::PowFOp::attachInterface<PowModel>(*context);
    math::FmaOp::attachInterface<FmaModel>(*context);
    math::Atan2Op::attachInterface<Atan2Model>(*context);
    math::CopySignOp::attachInterface<CopySignModel>(*context);
    math::ClampFOp::attachInterface<ClampModel>(*context);
  });
}
