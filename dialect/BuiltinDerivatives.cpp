//===- BuiltinDerivatives.cpp - derivatives of arith and tensor operations ===//
//
// External models of DifferentiableOpInterface for the operations of other
// dialects that models use. Those of math stand in MathDerivatives.cpp. The
// rules of arith hold for scalars and tensors alike.
//
//===----------------------------------------------------------------------===//
#include "dialect/DerivativeModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::derivatives;

namespace {

//===----------------------------------------------------------------------===//
// arith
//===----------------------------------------------------------------------===//

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

/// g / b and -(g / b) (a / b).
struct DivModel : Model<arith::DivFOp, DivModel> {
  static void rule(arith::DivFOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value share = e.div(g, op.getRhs());
    grads.assign({share, e.neg(e.mul(share, op.getResult()))});
  }
};

/// a - trunc(a / b) b.
struct RemModel : Model<arith::RemFOp, RemModel> {
  static void rule(arith::RemFOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value whole = e.div(e.sub(op.getLhs(), op.getResult()), op.getRhs());
    grads.assign({g, e.neg(e.mul(g, whole))});
  }
};

/// The operand that is the result takes the gradient; equal ones share it.
template <typename Op, arith::CmpFPredicate wins>
struct ExtremumModel : Model<Op, ExtremumModel<Op, wins>> {
  static void rule(Op op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value zero = e.number(g, 0), half = e.mul(g, e.number(g, 0.5));
    Value left = e.compare(wins, op.getLhs(), op.getRhs());
    Value right = e.compare(wins, op.getRhs(), op.getLhs());
    grads.assign({e.select(left, g, e.select(right, zero, half)),
                  e.select(right, g, e.select(left, zero, half))});
  }
};

struct SelectModel : Model<arith::SelectOp, SelectModel> {
  static void rule(arith::SelectOp op, OpBuilder &b, Value g, Grads &grads) {
    Emitter e(b, op.getLoc());
    Value zero = e.number(g, 0);
    grads.assign({Value(), e.select(op.getCondition(), g, zero),
                  e.select(op.getCondition(), zero, g)});
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

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

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

struct CastModel : Model<tensor::CastOp, CastModel> {
  static void rule(tensor::CastOp op, OpBuilder &b, Value g, Grads &grads) {
    grads.push_back(
        tensor::CastOp::create(b, op.getLoc(), op.getSource().getType(), g));
  }
};

struct ExtractSliceModel : Model<tensor::ExtractSliceOp, ExtractSliceModel> {
  static void rule(tensor::ExtractSliceOp op, OpBuilder &b, Value g,
                   Grads &grads) {
    Value zeros = Emitter(b, op.getLoc()).number(op.getSource(), 0);
    grads.push_back(tensor::InsertSliceOp::create(
        b, op.getLoc(), g, zeros, op.getMixedOffsets(), op.getMixedSizes(),
        op.getMixedStrides()));
    grads.resize(op->getNumOperands());
  }
};

struct InsertSliceModel : Model<tensor::InsertSliceOp, InsertSliceModel> {
  static void rule(tensor::InsertSliceOp op, OpBuilder &b, Value g,
                   Grads &grads) {
    Value zeros = Emitter(b, op.getLoc()).number(op.getSource(), 0);
    grads.push_back(tensor::ExtractSliceOp::create(
        b, op.getLoc(), op.getSourceType(), g, op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides()));
    grads.push_back(tensor::InsertSliceOp::create(
        b, op.getLoc(), zeros, g, op.getMixedOffsets(), op.getMixedSizes(),
        op.getMixedStrides()));
    grads.resize(op->getNumOperands());
  }
};

struct ConcatModel : Model<tensor::ConcatOp, ConcatModel> {
  static void rule(tensor::ConcatOp op, OpBuilder &b, Value g, Grads &grads) {
    int64_t begin = 0, dim = op.getDim();
    for (Value input : op.getInputs()) {
      auto type = cast<RankedTensorType>(input.getType());
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
      SmallVector<OpFoldResult> sizes;
      for (int64_t extent : type.getShape())
        sizes.push_back(b.getIndexAttr(extent));
      offsets[dim] = b.getIndexAttr(begin);
      grads.push_back(tensor::ExtractSliceOp::create(b, op.getLoc(), type, g,
                                                     offsets, sizes, strides));
      begin += type.getDimSize(dim);
    }
  }
};

/// The padding itself is captured, so an active one is refused by the caller.
struct PadModel : Model<tensor::PadOp, PadModel> {
  static void rule(tensor::PadOp op, OpBuilder &b, Value g, Grads &grads) {
    RankedTensorType type = op.getSourceType();
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (int64_t extent : type.getShape())
      sizes.push_back(b.getIndexAttr(extent));
    grads.push_back(tensor::ExtractSliceOp::create(
        b, op.getLoc(), type, g, op.getMixedLowPad(), sizes, strides));
    grads.resize(op->getNumOperands());
  }
};

struct ExtractModel : Model<tensor::ExtractOp, ExtractModel> {
  static void rule(tensor::ExtractOp op, OpBuilder &b, Value g, Grads &grads) {
    Value zeros = Emitter(b, op.getLoc()).number(op.getTensor(), 0);
    grads.push_back(
        tensor::InsertOp::create(b, op.getLoc(), g, zeros, op.getIndices()));
    grads.resize(op->getNumOperands());
  }
};

struct InsertModel : Model<tensor::InsertOp, InsertModel> {
  static void rule(tensor::InsertOp op, OpBuilder &b, Value g, Grads &grads) {
    Value zero = Emitter(b, op.getLoc()).number(op.getScalar(), 0);
    grads.push_back(
        tensor::ExtractOp::create(b, op.getLoc(), g, op.getIndices()));
    grads.push_back(
        tensor::InsertOp::create(b, op.getLoc(), zero, g, op.getIndices()));
    grads.resize(op->getNumOperands());
  }
};

struct SplatModel : Model<tensor::SplatOp, SplatModel> {
  static void rule(tensor::SplatOp op, OpBuilder &b, Value g, Grads &grads) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(g.getType());
    auto sumType = RankedTensorType::get({}, type.getElementType());
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType));
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    AffineMap none = AffineMap::get(type.getRank(), 0, b.getContext());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::reduction);
    auto sum = linalg::GenericOp::create(
        b, loc, sumType, g, zero, {all, none}, iterators,
        [](OpBuilder &b, Location loc, ValueRange args) {
          Value next = arith::AddFOp::create(b, loc, args[1], args[0]);
          linalg::YieldOp::create(b, loc, next);
        });
    grads.push_back(
        tensor::ExtractOp::create(b, loc, sum.getResult(0), ValueRange()));
    grads.resize(op->getNumOperands());
  }
};

struct FromElementsModel : Model<tensor::FromElementsOp, FromElementsModel> {
  static void rule(tensor::FromElementsOp op, OpBuilder &b, Value g,
                   Grads &grads) {
    ArrayRef<int64_t> shape = op.getType().getShape();
    for (int64_t i = 0; i < static_cast<int64_t>(op->getNumOperands()); ++i) {
      SmallVector<Value> indices(shape.size());
      int64_t rest = i;
      for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
        indices[d] =
            arith::ConstantIndexOp::create(b, op.getLoc(), rest % shape[d]);
      grads.push_back(tensor::ExtractOp::create(b, op.getLoc(), g, indices));
    }
  }
};

} // namespace

void attnres::registerDifferentiableModels(DialectRegistry &registry) {
  registerMathDerivatives(registry);
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using arith::CmpFPredicate;
    arith::AddFOp::attachInterface<AddModel>(*context);
    arith::SubFOp::attachInterface<SubModel>(*context);
    arith::NegFOp::attachInterface<NegModel>(*context);
    arith::MulFOp::attachInterface<MulModel>(*context);
    arith::DivFOp::attachInterface<DivModel>(*context);
    arith::RemFOp::attachInterface<RemModel>(*context);
    arith::MaximumFOp::attachInterface<
        ExtremumModel<arith::MaximumFOp, CmpFPredicate::OGT>>(*context);
    arith::MaxNumFOp::attachInterface<
        ExtremumModel<arith::MaxNumFOp, CmpFPredicate::OGT>>(*context);
    arith::MinimumFOp::attachInterface<
        ExtremumModel<arith::MinimumFOp, CmpFPredicate::OLT>>(*context);
    arith::MinNumFOp::attachInterface<
        ExtremumModel<arith::MinNumFOp, CmpFPredicate::OLT>>(*context);
    arith::SelectOp::attachInterface<SelectModel>(*context);
    arith::TruncFOp::attachInterface<TruncModel>(*context);
    arith::ExtFOp::attachInterface<ExtModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExpandShapeOp::attachInterface<ExpandModel>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseModel>(*context);
    tensor::CastOp::attachInterface<CastModel>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
    tensor::PadOp::attachInterface<PadModel>(*context);
    tensor::ExtractOp::attachInterface<ExtractModel>(*context);
    tensor::InsertOp::attachInterface<InsertModel>(*context);
    tensor::SplatOp::attachInterface<SplatModel>(*context);
    tensor::FromElementsOp::attachInterface<FromElementsModel>(*context);
  });
}
