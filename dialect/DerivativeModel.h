//===- DerivativeModel.h - rules for operations of other dialects -*- C++ -*-=//
#ifndef ATTNRES_DIALECT_DERIVATIVEMODEL_H
#define ATTNRES_DIALECT_DERIVATIVEMODEL_H

#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace attnres::derivatives {

using Grads = llvm::SmallVectorImpl<mlir::Value>;

/// DifferentiableOpInterface for `Op` of one result by `Concrete::rule`, which
/// takes the operation, a builder, the gradient of the result, and the list of
/// gradients of the operands to fill. A null entry says that the operand has no
/// gradient, not that it is zero.
template <typename Op, typename Concrete>
struct Model : DifferentiableOpInterface::ExternalModel<Concrete, Op> {
  llvm::LogicalResult buildBackward(mlir::Operation *op,
                                    mlir::OpBuilder &builder,
                                    llvm::ArrayRef<mlir::Value> resultGrads,
                                    Grads &grads) const {
    Concrete::rule(llvm::cast<Op>(op), builder, resultGrads[0], grads);
    return llvm::success();
  }
};

/// Arithmetic on scalars or tensors.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc) {}

  /// The number in the type of `like`.
  mlir::Value number(mlir::Value like, double value) {
    mlir::Type element = mlir::getElementTypeOrSelf(like.getType());
    mlir::TypedAttr attribute = b.getFloatAttr(element, value);
    if (auto type = llvm::dyn_cast<mlir::ShapedType>(like.getType()))
      attribute = mlir::DenseElementsAttr::get(type, attribute);
    return mlir::arith::ConstantOp::create(b, loc, attribute);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value scale(mlir::Value x, double factor) {
    return mul(x, number(x, factor));
  }
  mlir::Value div(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  mlir::Value neg(mlir::Value x) {
    return mlir::arith::NegFOp::create(b, loc, x);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, loc, condition, x, y);
  }
  template <typename Op, typename... Args>
  mlir::Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
};

void registerMathDerivatives(mlir::DialectRegistry &registry);

} // namespace attnres::derivatives

#endif
