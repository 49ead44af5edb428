//===- DifferentiateGather.cpp - tensors read by tensor.extract -----------===//
#include "passes/training/DifferentiateGather.h"

#include "dialect/Attnres.h"
#include "passes/training/GenericEmitter.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;
using utils::IteratorType;

namespace {

class GatherDerivative : GenericEmitter {
public:
  GatherDerivative(linalg::LinalgOp op, tensor::ExtractOp extract,
                   OpBuilder &builder)
      : GenericEmitter(builder, op.getLoc()), op(op), body(op.getBlock()),
        extract(extract), extents(op.getStaticLoopRanges()) {}

  Value emit(Value updates) {
    if (Value grad = selected(updates))
      return grad;
    if (!getElementTypeOrSelf(updates.getType()).isF32())
      return nullptr;
    return scattered(updates);
  }

private:
  /// The loop that an index is, when it runs over the whole dimension.
  std::optional<unsigned> loopOf(unsigned position) {
    auto index =
        extract.getIndices()[position].getDefiningOp<linalg::IndexOp>();
    if (!index || extents[index.getDim()] !=
                      extract.getTensor().getType().getDimSize(position))
      return std::nullopt;
    return index.getDim();
  }

  /// The gradient of the table when every loop indexes it: an element gets what
  /// the one point gave that may have read it, if the other indices are right.
  Value selected(Value updates) {
    auto type = cast<RankedTensorType>(extract.getTensor().getType());
    unsigned rank = type.getRank();
    SmallVector<std::optional<unsigned>> positionOf(extents.size());
    SmallVector<unsigned> compared;
    for (unsigned i = 0; i < rank; ++i) {
      std::optional<unsigned> loop = loopOf(i);
      if (loop && !positionOf[*loop])
        positionOf[*loop] = i;
      else
        compared.push_back(i);
    }
    SmallVector<AffineExpr> point;
    for (auto [loop, position] : llvm::enumerate(positionOf)) {
      if (!position && extents[loop] != 1)
        return nullptr;
      point.push_back(position ? b.getAffineDimExpr(*position)
                               : b.getAffineConstantExpr(0));
    }
    AffineMap pointMap = AffineMap::get(rank, 0, point, b.getContext());
    SmallVector<Value> inputs{updates};
    for (unsigned i : compared)
      inputs.push_back(indexOf(i));
    SmallVector<AffineMap> maps(inputs.size(), pointMap);
    maps.push_back(b.getMultiDimIdentityMap(rank));
    auto summed = RankedTensorType::get(
        type.getShape(), getElementTypeOrSelf(updates.getType()));
    SmallVector<IteratorType> parallel(rank, IteratorType::parallel);
    return generic(
        inputs, maps, parallel, empty(summed),
        [&](OpBuilder &inner, ValueRange args) -> Value {
          Value value = args[0];
          Value zero = number(inner, summed.getElementType(), 0);
          for (auto [i, position] : llvm::enumerate(compared)) {
            Value here = linalg::IndexOp::create(inner, loc, position);
            here = arith::IndexCastOp::create(inner, loc, inner.getI64Type(),
                                              here);
            Value equal = arith::CmpIOp::create(
                inner, loc, arith::CmpIPredicate::eq, here, args[1 + i]);
            value = arith::SelectOp::create(inner, loc, equal, value, zero);
          }
          return value;
        });
  }

  /// An index of a reading at every point, as i64.
  Value indexOf(unsigned position) {
    SmallVector<unsigned> all =
        llvm::to_vector(llvm::seq<unsigned>(0, extents.size()));
    return indices(position, position + 1, all);
  }

  /// The number of a row: the indices from `first` to `last` in row-major
  /// order, for every point of `loops`.
  Value indices(unsigned first, unsigned last, ArrayRef<unsigned> loops) {
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> results;
    SmallVector<IteratorType> iterators(extents.size(), IteratorType::parallel);
    for (unsigned loop : loops) {
      shape.push_back(extents[loop]);
      results.push_back(b.getAffineDimExpr(loop));
    }
    // A loop that is left out has no influence: its first iteration stands for
    // all.
    SmallVector<AffineExpr> replacements;
    unsigned next = 0;
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      replacements.push_back(llvm::is_contained(loops, loop)
                                 ? b.getAffineDimExpr(next++)
                                 : b.getAffineConstantExpr(0));
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand &operand : op->getOpOperands()) {
      inputs.push_back(operand.get());
      maps.push_back(op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
          replacements, {}, next, 0));
    }
    maps.push_back(b.getMultiDimIdentityMap(next));
    iterators.assign(next, IteratorType::parallel);
    auto type = RankedTensorType::get(shape, b.getI64Type());
    ArrayRef<int64_t> table = extract.getTensor().getType().getShape();
    auto result = linalg::GenericOp::create(
        b, loc, type, inputs, empty(type), maps, iterators,
        [&](OpBuilder &inner, Location, ValueRange args) {
          IRMapping mapping;
          for (auto [argument, value] : llvm::zip(body->getArguments(), args))
            mapping.map(argument, value);
          for (Operation &nested : body->without_terminator()) {
            auto index = dyn_cast<linalg::IndexOp>(nested);
            if (index) {
              mapping.map(index.getResult(), position(inner, index, loops));
              continue;
            }
            // Conditionals and loops may hold more of them.
            inner.clone(nested, mapping)->walk([&](linalg::IndexOp within) {
              OpBuilder there(within);
              within.replaceAllUsesWith(position(there, within, loops));
              within.erase();
            });
          }
          Value row;
          for (unsigned i = first; i < last; ++i) {
            Value index = arith::IndexCastOp::create(
                inner, loc, inner.getI64Type(),
                mapping.lookupOrDefault(extract.getIndices()[i]));
            if (row) {
              Value extent = arith::ConstantOp::create(
                  inner, loc, inner.getI64IntegerAttr(table[i]));
              row = arith::MulIOp::create(inner, loc, row, extent);
              row = arith::AddIOp::create(inner, loc, row, index);
            } else {
              row = index;
            }
          }
          if (!row)
            row = arith::ConstantOp::create(inner, loc,
                                            inner.getI64IntegerAttr(0));
          linalg::YieldOp::create(inner, loc, row);
        });
    return dropUnused(result).getResult(0);
  }

  /// The number of an iteration where only `loops` are left: 0 for the others.
  Value position(OpBuilder &builder, linalg::IndexOp index,
                 ArrayRef<unsigned> loops) {
    auto known = llvm::find(loops, index.getDim());
    if (known == loops.end())
      return arith::ConstantIndexOp::create(builder, loc, 0);
    return linalg::IndexOp::create(builder, loc, known - loops.begin());
  }

  /// Whether an index computed in the body changes with a loop.
  bool dependsOn(Value value, unsigned loop) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == body &&
             op.getMatchingIndexingMap(
                   &op->getOpOperand(argument.getArgNumber()))
                 .isFunctionOfDim(loop);
    Operation *definition = value.getDefiningOp();
    if (definition->getBlock() != body)
      return false;
    // What a conditional or a loop computes depends on all that is in it.
    return definition
        ->walk([&](Operation *part) {
          auto index = dyn_cast<linalg::IndexOp>(part);
          bool depends = (index && index.getDim() == loop) ||
                         llvm::any_of(part->getOperands(), [&](Value operand) {
                           return dependsOn(operand, loop);
                         });
          return depends ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The gradient of the table as a sum in the order of the points: whole rows
  /// when the last index is a loop, single elements otherwise.
  Value scattered(Value updates) {
    auto type = cast<RankedTensorType>(extract.getTensor().getType());
    unsigned rank = type.getRank();
    SmallVector<unsigned> loops =
        llvm::to_vector(llvm::seq<unsigned>(0, extents.size()));
    unsigned last = rank;
    int64_t width = 1;
    if (rank > 1)
      if (std::optional<unsigned> loop = loopOf(rank - 1);
          loop && llvm::none_of(extract.getIndices().drop_back(),
                                [&](Value i) { return dependsOn(i, *loop); })) {
        llvm::erase(loops, *loop);
        last = rank - 1;
        width = type.getDimSize(last);
        updates = loopLast(updates, *loop);
      }
    Value rows = flattened(indices(0, last, loops), 1);
    int64_t count = cast<RankedTensorType>(rows.getType()).getDimSize(0);
    updates = flattened(updates, 1);
    updates = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get({count, width}, b.getF32Type()), updates,
        ArrayRef<ReassociationIndices>{{0, 1}});
    int64_t vocabulary = type.getNumElements() / std::max<int64_t>(width, 1);
    Value grad = EmbeddingBackwardOp::create(b, loc, rows, updates,
                                             b.getI64IntegerAttr(vocabulary));
    auto flat = RankedTensorType::get({type.getNumElements()}, b.getF32Type());
    grad = tensor::CollapseShapeOp::create(
        b, loc, flat, grad, ArrayRef<ReassociationIndices>{{0, 1}});
    if (rank == 1)
      return grad;
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    auto full = RankedTensorType::get(type.getShape(), b.getF32Type());
    if (rank == 0)
      return tensor::CollapseShapeOp::create(b, loc, full, grad, groups);
    return tensor::ExpandShapeOp::create(b, loc, full, grad, groups);
  }

  /// The points of `value` with `loop` as the last dimension.
  Value loopLast(Value value, unsigned loop) {
    auto type = cast<RankedTensorType>(value.getType());
    if (loop + 1 == type.getRank())
      return value;
    SmallVector<int64_t> permutation, shape;
    for (unsigned d = 0; d < type.getRank(); ++d)
      if (d != loop)
        permutation.push_back(d);
    permutation.push_back(loop);
    for (int64_t d : permutation)
      shape.push_back(type.getDimSize(d));
    auto moved = RankedTensorType::get(shape, type.getElementType());
    return linalg::TransposeOp::create(b, loc, value, empty(moved), permutation)
        ->getResult(0);
  }

  /// `value` in one dimension.
  Value flattened(Value value, int64_t rank) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == rank)
      return value;
    auto flat =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    if (type.getRank() == 0)
      return tensor::ExpandShapeOp::create(b, loc, flat, value,
                                           ArrayRef<ReassociationIndices>());
    SmallVector<ReassociationIndices> all{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))};
    return tensor::CollapseShapeOp::create(b, loc, flat, value, all);
  }

  linalg::LinalgOp op;
  Block *body;
  tensor::ExtractOp extract;
  SmallVector<int64_t> extents;
};

} // namespace

Value attnres::differentiateGather(linalg::LinalgOp op,
                                   tensor::ExtractOp extract,
                                   OpBuilder &builder, Value updates) {
  return GatherDerivative(op, extract, builder).emit(updates);
}
