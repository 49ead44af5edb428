//===- DecompositionHelpers.cpp - emission of plain linalg ----------------===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

using namespace mlir;
using namespace attnres;

static constexpr double kMinusInfinity =
    -std::numeric_limits<double>::infinity();

LogicalResult attnres::expectDecomposable(Operation *op, OpBuilder &builder) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
  };
  if (llvm::all_of(op->getOperandTypes(), isPlain) &&
      llvm::all_of(op->getResultTypes(), isPlain))
    return success();
  if (auto *listener =
          dyn_cast_if_present<RewriterBase::Listener>(builder.getListener()))
    listener->notifyMatchFailure(op->getLoc(), [](Diagnostic &note) {
      note << "lists, dynamic shapes and encodings have no decomposition";
    });
  return failure();
}

//===----------------------------------------------------------------------===//
// Scalar formulas
//===----------------------------------------------------------------------===//

Term Term::constant(double number) const {
  Type type = value.getType();
  TypedAttr attribute;
  if (isa<FloatType>(type))
    attribute = builder->getFloatAttr(type, number);
  else
    attribute = builder->getIntegerAttr(type, static_cast<int64_t>(number));
  return with(arith::ConstantOp::create(*builder, loc, attribute));
}

Term Term::toF32() const {
  return with(
      arith::SIToFPOp::create(*builder, loc, builder->getF32Type(), value));
}

template <typename FloatOp, typename IntegerOp>
static Term arithmetic(Term a, Term b) {
  OpBuilder &builder = a.getBuilder();
  if (isa<FloatType>(a.getValue().getType()))
    return a.with(
        FloatOp::create(builder, a.getLoc(), a.getValue(), b.getValue()));
  return a.with(
      IntegerOp::create(builder, a.getLoc(), a.getValue(), b.getValue()));
}

Term attnres::operator+(Term a, Term b) {
  return arithmetic<arith::AddFOp, arith::AddIOp>(a, b);
}
Term attnres::operator-(Term a, Term b) {
  return arithmetic<arith::SubFOp, arith::SubIOp>(a, b);
}
Term attnres::operator*(Term a, Term b) {
  return arithmetic<arith::MulFOp, arith::MulIOp>(a, b);
}
Term attnres::operator/(Term a, Term b) {
  return arithmetic<arith::DivFOp, arith::DivSIOp>(a, b);
}

template <typename Op>
static Term unary(Term x) {
  return x.with(Op::create(x.getBuilder(), x.getLoc(), x.getValue()));
}

Term attnres::exp(Term x) { return unary<math::ExpOp>(x); }
Term attnres::log(Term x) { return unary<math::LogOp>(x); }
Term attnres::sqrt(Term x) { return unary<math::SqrtOp>(x); }
Term attnres::rsqrt(Term x) { return unary<math::RsqrtOp>(x); }
Term attnres::erf(Term x) { return unary<math::ErfOp>(x); }
Term attnres::sin(Term x) { return unary<math::SinOp>(x); }
Term attnres::cos(Term x) { return unary<math::CosOp>(x); }

Term attnres::pow(Term base, Term exponent) {
  return base.with(math::PowFOp::create(base.getBuilder(), base.getLoc(),
                                        base.getValue(), exponent.getValue()));
}

Term attnres::maximum(Term a, Term b) {
  return arithmetic<arith::MaximumFOp, arith::MaxSIOp>(a, b);
}
Term attnres::minimum(Term a, Term b) {
  return arithmetic<arith::MinimumFOp, arith::MinSIOp>(a, b);
}

static Term compare(Term a, Term b, arith::CmpFPredicate floats,
                    arith::CmpIPredicate integers) {
  OpBuilder &builder = a.getBuilder();
  if (isa<FloatType>(a.getValue().getType()))
    return a.with(arith::CmpFOp::create(builder, a.getLoc(), floats,
                                        a.getValue(), b.getValue()));
  return a.with(arith::CmpIOp::create(builder, a.getLoc(), integers,
                                      a.getValue(), b.getValue()));
}

Term attnres::equal(Term a, Term b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
}
Term attnres::lessOrEqual(Term a, Term b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle);
}

Term attnres::both(Term a, Term b) {
  return a.with(arith::AndIOp::create(a.getBuilder(), a.getLoc(), a.getValue(),
                                      b.getValue()));
}

Term attnres::select(Term condition, Term ifTrue, Term ifFalse) {
  return condition.with(arith::SelectOp::create(
      condition.getBuilder(), condition.getLoc(), condition.getValue(),
      ifTrue.getValue(), ifFalse.getValue()));
}

Term attnres::sigmoid(Term x) { return 1.0 / (exp(0.0 - x) + 1.0); }

Term attnres::logSumExp(Terms scores) {
  Term max = scores.front();
  for (Term score : scores.drop_front())
    max = maximum(max, score);
  Term shift =
      select(equal(max, max.constant(kMinusInfinity)), max.constant(0), max);
  Term sum = exp(scores.front() - shift);
  for (Term score : scores.drop_front())
    sum = sum + exp(score - shift);
  return shift + log(sum);
}

Term attnres::softmaxWeight(Term score, Term lse) {
  return select(equal(lse, lse.constant(kMinusInfinity)), lse.constant(0),
                exp(score - lse));
}

Term Scalars::constant(double number) const {
  return Term(
      builder, loc,
      arith::ConstantOp::create(
          builder, loc, builder.getF32FloatAttr(static_cast<float>(number))));
}

Term Scalars::index(int64_t loop) const {
  Value index = linalg::IndexOp::create(builder, loc, loop);
  return Term(
      builder, loc,
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index));
}

/// f32 from a narrower float; integers and f32 as they are.
static Value widened(OpBuilder &builder, Location loc, Value value) {
  if (!isa<FloatType>(value.getType()) || value.getType().isF32())
    return value;
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
}

Term Scalars::extract(Value tensor, Terms position) const {
  SmallVector<Value> indices;
  for (Term term : position)
    indices.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), term.getValue()));
  Value element = tensor::ExtractOp::create(builder, loc, tensor, indices);
  return Term(builder, loc, widened(builder, loc, element));
}

//===----------------------------------------------------------------------===//
// Tensor operations
//===----------------------------------------------------------------------===//

RankedTensorType LinalgEmitter::f32(ArrayRef<int64_t> shape) const {
  return RankedTensorType::get(shape, builder.getF32Type());
}

static AffineMap mapOf(ArrayRef<int64_t> loops, int64_t count,
                       MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (int64_t loop : loops)
    results.push_back(getAffineDimExpr(loop, context));
  return AffineMap::get(count, 0, results, context);
}

/// One linalg.generic of `count` loops into `init`; `body` gets the operands
/// and the current value of the result, both in f32.
static Value generic(LinalgEmitter &emitter, int64_t count,
                     ArrayRef<Indexed> operands, Value init,
                     ArrayRef<int64_t> resultLoops,
                     function_ref<Term(Scalars &, Terms, Term)> body) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Indexed &operand : operands) {
    inputs.push_back(operand.value);
    maps.push_back(mapOf(operand.loops, count, builder.getContext()));
  }
  maps.push_back(mapOf(resultLoops, count, builder.getContext()));
  SmallVector<utils::IteratorType> iterators(count,
                                             utils::IteratorType::reduction);
  for (int64_t loop : resultLoops)
    iterators[loop] = utils::IteratorType::parallel;
  auto op = linalg::GenericOp::create(
      builder, emitter.loc, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Term> terms;
        for (Value argument : arguments)
          terms.emplace_back(b, loc, widened(b, loc, argument));
        Scalars scalars(b, loc);
        Value result =
            body(scalars, ArrayRef(terms).drop_back(), terms.back()).getValue();
        Type stored = arguments.back().getType();
        if (result.getType() != stored)
          result = arith::TruncFOp::create(b, loc, stored, result);
        linalg::YieldOp::create(b, loc, result);
      });
  return op.getResult(0);
}

static Value emptyTensor(LinalgEmitter &emitter, RankedTensorType type) {
  return tensor::EmptyOp::create(emitter.builder, emitter.loc, type.getShape(),
                                 type.getElementType());
}

/// A tensor with `number` in every element.
static Value filled(LinalgEmitter &emitter, RankedTensorType type,
                    double number) {
  Value constant = arith::ConstantOp::create(
      emitter.builder, emitter.loc,
      emitter.builder.getFloatAttr(type.getElementType(), number));
  return linalg::FillOp::create(emitter.builder, emitter.loc, constant,
                                emptyTensor(emitter, type))
      .getResult(0);
}

Value LinalgEmitter::elementwise(RankedTensorType type,
                                 ArrayRef<Indexed> operands, Body body) {
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return generic(
      *this, type.getRank(), operands, emptyTensor(*this, type), loops,
      [&](Scalars &scalars, Terms in, Term) { return body(scalars, in); });
}

Value LinalgEmitter::reduce(Reduction kind, ArrayRef<Indexed> operands,
                            ArrayRef<int64_t> kept, Body body) {
  SmallVector<int64_t> extents;
  for (const Indexed &operand : operands)
    for (auto [loop, extent] : llvm::zip_equal(
             operand.loops,
             cast<RankedTensorType>(operand.value.getType()).getShape())) {
      if (loop >= static_cast<int64_t>(extents.size()))
        extents.resize(loop + 1);
      extents[loop] = extent;
    }
  SmallVector<int64_t> shape;
  for (int64_t loop : kept)
    shape.push_back(extents[loop]);
  bool isSum = kind == Reduction::Sum;
  Value init = filled(*this, f32(shape), isSum ? 0 : kMinusInfinity);
  return generic(*this, extents.size(), operands, init, kept,
                 [&](Scalars &scalars, Terms in, Term sofar) {
                   Term term = body(scalars, in);
                   return isSum ? sofar + term : maximum(sofar, term);
                 });
}

Value LinalgEmitter::sumAll(Value x, Body body) {
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return reduce(Reduction::Sum, {{x, loops}}, {}, body);
}

Value LinalgEmitter::storedAs(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value LinalgEmitter::zeros(ArrayRef<int64_t> shape) {
  return filled(*this, f32(shape), 0);
}

/// The groups of dimensions of the larger rank that become one dimension of the
/// smaller, if there are such.
static std::optional<SmallVector<ReassociationIndices>>
reassociation(RankedTensorType from, RankedTensorType to) {
  // A vector joins all dimensions, whatever the extents.
  auto [smaller, larger] = std::minmax({from.getRank(), to.getRank()});
  if (smaller == 1)
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, larger))};
  return getReassociationIndicesForReshape(from, to);
}

Value LinalgEmitter::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto result = RankedTensorType::get(shape, type.getElementType());
  auto groups = reassociation(type, result);
  if (!groups) // neither joins dimensions of the other
    return reshape(reshape(value, {type.getNumElements()}), shape);
  if (result.getRank() < type.getRank())
    return tensor::CollapseShapeOp::create(builder, loc, result, value,
                                           *groups);
  return tensor::ExpandShapeOp::create(builder, loc, result, value, *groups);
}

Value LinalgEmitter::matrix(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return reshape(value, {rowCount(type), type.getShape().back()});
}

/// [offsets, sizes, unit strides] of a slice that takes `size` elements from
/// `offset` of dimension `dim` and all of every other.
namespace {
struct SliceOf {
  SliceOf(OpBuilder &builder, ArrayRef<int64_t> shape) {
    for (int64_t extent : shape) {
      offsets.push_back(builder.getIndexAttr(0));
      sizes.push_back(builder.getIndexAttr(extent));
      strides.push_back(builder.getIndexAttr(1));
    }
  }
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// Slices of nothing do not verify: no offset lies inside a dimension of size 0.
static bool isEmpty(RankedTensorType type) {
  return llvm::is_contained(type.getShape(), 0);
}

Value LinalgEmitter::padMatrix(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isF32())
    value = arith::ExtFOp::create(builder, loc, f32(type.getShape()), value);
  if (type.getShape() == shape)
    return value;
  if (isEmpty(type))
    return zeros(shape);
  SliceOf slice(builder, type.getShape());
  return tensor::InsertSliceOp::create(builder, loc, value, zeros(shape),
                                       slice.offsets, slice.sizes,
                                       slice.strides);
}

Value LinalgEmitter::element(Value vector, int64_t position) {
  SliceOf slice(builder, {1});
  slice.offsets[0] = builder.getIndexAttr(position);
  auto type = cast<RankedTensorType>(vector.getType());
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get({}, type.getElementType()), vector,
      slice.offsets, slice.sizes, slice.strides);
}

Value LinalgEmitter::columns(Value value, int64_t offset, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = size;
  if (isEmpty(type.clone(shape)))
    return tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SliceOf slice(builder, shape);
  slice.offsets.back() = builder.getIndexAttr(offset);
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      slice.offsets, slice.sizes, slice.strides);
}

Value LinalgEmitter::insertColumns(Value part, Value into, int64_t offset) {
  if (isEmpty(cast<RankedTensorType>(part.getType())))
    return into;
  SliceOf slice(builder, cast<RankedTensorType>(part.getType()).getShape());
  slice.offsets.back() = builder.getIndexAttr(offset);
  return tensor::InsertSliceOp::create(builder, loc, part, into, slice.offsets,
                                       slice.sizes, slice.strides);
}

Value LinalgEmitter::sumMatrixRows(Value matrix,
                                   std::optional<int64_t> partials) {
  auto type = cast<RankedTensorType>(matrix.getType());
  auto self = [](Scalars &, Terms in) { return in[0]; };
  if (!partials)
    return reduce(Reduction::Sum, {{matrix, {1, 0}}}, {0}, self);
  int64_t rows = type.getDimSize(0), width = type.getDimSize(1);
  int64_t range = (rows + *partials - 1) / *partials;
  Value padded = padMatrix(matrix, {*partials * range, width});
  Value split = tensor::ExpandShapeOp::create(
      builder, loc, f32({*partials, range, width}), padded,
      ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  return reduce(Reduction::Sum, {{split, {0, 2, 1}}}, {0, 1}, self);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Indexed Rows::full(Value value) const {
  return {value, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))};
}
Indexed Rows::row(Value value) const {
  return {value, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1))};
}
Indexed Rows::column(Value value) const {
  return {value, {type.getRank() - 1}};
}

Value Rows::map(ArrayRef<Indexed> operands, Body body) {
  return elementwise(type, operands, body);
}
Value Rows::mapF32(ArrayRef<Indexed> operands, Body body) {
  return elementwise(f32(type.getShape()), operands, body);
}
Value Rows::mapRows(ArrayRef<Indexed> operands, Body body) {
  return elementwise(rowStatType(type), operands, body);
}
Value Rows::sumRow(ArrayRef<Indexed> operands, Body body) {
  return reduce(Reduction::Sum, operands, row(Value()).loops, body);
}
Value Rows::maxRow(ArrayRef<Indexed> operands, Body body) {
  return reduce(Reduction::Max, operands, row(Value()).loops, body);
}

Value Rows::logSumExpRow(Value x) {
  Value max = maxRow({full(x)}, [](Scalars &, Terms in) { return in[0]; });
  // A row of nothing but -inf must not subtract -inf from itself.
  Value shift = mapRows({row(max)}, [](Scalars &s, Terms in) {
    return select(equal(in[0], s.constant(kMinusInfinity)), s.constant(0),
                  in[0]);
  });
  Value sum = sumRow({full(x), row(shift)},
                     [](Scalars &, Terms in) { return exp(in[0] - in[1]); });
  return mapRows({row(shift), row(sum)},
                 [](Scalars &, Terms in) { return in[0] + log(in[1]); });
}

Value Rows::inverseRms(Value x, double eps) {
  Value squares =
      sumRow({full(x)}, [](Scalars &, Terms in) { return in[0] * in[0]; });
  return mapRows({row(squares)}, [&](Scalars &, Terms in) {
    return rsqrt(in[0] / width() + eps);
  });
}

Value Rows::sumRows(ArrayRef<Indexed> operands, std::optional<int64_t> partials,
                    Body body) {
  return sumMatrixRows(matrix(mapF32(operands, body)), partials);
}
