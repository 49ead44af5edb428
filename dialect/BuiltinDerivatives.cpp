//===- BuiltinDerivatives.cpp - derivatives of arith and tensor operations ===//
//
// External models of DifferentiableOpInterface for the operations of other
// dialects that models use.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

namespace {

using Grads = SmallVectorImpl<Value>;

template <typename Op, typename Concrete>
struct Model : DifferentiableOpInterface::ExternalModel<Concrete, Op> {
  LogicalResult buildBackward(Operation *op, OpBuilder &builder,
                              ArrayRef<Value> resultGrads, Grads &grads) const {
    Concrete::rule(cast<Op>(op), builder, resultGrads[0], grads);
    return success();
  }
};

struct AddModel : Model<arith::AddFOp, AddModel> {
  static void rule(arith::AddFOp, OpBuilder &, Value g, Grads &grads) {
    grads.assign({g, g});
  }
};

struct SubModel : Model<arith::SubFOp, SubModel> {
  static void rule(arith::SubFOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.assign({g, arith::NegFOp::create(b, op.getLoc(), g)});
  }
};

struct NegModel : Model<arith::NegFOp, NegModel> {
  static void rule(arith::NegFOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.push_back(arith::NegFOp::create(b, op.getLoc(), g));
  }
};

struct MulModel : Model<arith::MulFOp, MulModel> {
  static void rule(arith::MulFOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.assign({arith::MulFOp::create(b, op.getLoc(), g, op.getRhs()),
                  arith::MulFOp::create(b, op.getLoc(), g, op.getLhs())});
  }
};

struct TruncModel : Model<arith::TruncFOp, TruncModel> {
  static void rule(arith::TruncFOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.push_back(
        arith::ExtFOp::create(b, op.getLoc(), op.getIn().getType(), g));
  }
};

struct ExtModel : Model<arith::ExtFOp, ExtModel> {
  static void rule(arith::ExtFOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.push_back(
        arith::TruncFOp::create(b, op.getLoc(), op.getIn().getType(), g));
  }
};

struct ExpandModel : Model<tensor::ExpandShapeOp, ExpandModel> {
  static void rule(tensor::ExpandShapeOp op, OpBuilder &b, Value g,
                   Grads &grads) {
    grads.push_back(tensor::CollapseShapeOp::create(
        b, op.getLoc(), op.getSrcType(), g, op.getReassociation()));
  }
};

struct CollapseModel : Model<tensor::CollapseShapeOp, CollapseModel> {
  static void rule(tensor::CollapseShapeOp op, OpBuilder &b, Value g,
                   Grads &grads) {
    grads.push_back(tensor::ExpandShapeOp::create(
        b, op.getLoc(), op.getSrcType(), g, op.getReassociationIndices()));
  }
};

} // namespace

void attnres::registerDifferentiableModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::AddFOp::attachInterface<AddModel>(*context);
    arith::SubFOp::attachInterface<SubModel>(*context);
    arith::NegFOp::attachInterface<NegModel>(*context);
    arith::MulFOp::attachInterface<MulModel>(*context);
    arith::TruncFOp::attachInterface<TruncModel>(*context);
    arith::ExtFOp::attachInterface<ExtModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExpandShapeOp::attachInterface<ExpandModel>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseModel>(*context);
  });
}
