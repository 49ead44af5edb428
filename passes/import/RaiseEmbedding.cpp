//===- RaiseEmbedding.cpp - rows of a table in linalg ---------------------===//
//
// The root is a `linalg.generic` without reductions whose body yields
// `tensor.extract %table[i, d]`, where d is the last loop and runs over all
// columns of the table, f32 or bf16, and i does not depend on it. i is computed
// as it was, with its bounds where it has any; as before, an index outside the
// table is otherwise an error of the caller.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace attnres;

namespace {

struct RowsOfTable {
  Value table, index;
  llvm::SetVector<Operation *> computing; ///< of the body, for the index
};

} // namespace

/// Collects what computes `value` in the body of `op`; false when something of
/// it changes with the loop `d`.
static bool collectIndex(linalg::GenericOp op, Value value, unsigned d,
                         llvm::SetVector<Operation *> &computing) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == op.getBody())
      return argument.getArgNumber() < op.getNumDpsInputs() &&
             !op.getMatchingIndexingMap(
                    &op->getOpOperand(argument.getArgNumber()))
                  .isFunctionOfDim(d);
  Operation *definition = value.getDefiningOp();
  if (!definition || !op->isProperAncestor(definition))
    return true;
  if (computing.contains(definition))
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(definition);
      (index && index.getDim() == d) || definition->getNumRegions() > 0)
    return false;
  for (Value operand : definition->getOperands())
    if (!collectIndex(op, operand, d, computing))
      return false;
  computing.insert(definition);
  return true;
}

static std::optional<RowsOfTable> matchRows(Value root) {
  auto op = root.getDefiningOp<linalg::GenericOp>();
  if (!op || !isStorage(root) || op.getNumLoops() < 2 ||
      op.getNumReductionLoops() > 0 ||
      !op.getIndexingMapMatchingResult(cast<OpResult>(root)).isIdentity())
    return std::nullopt;
  auto extract = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  if (!extract || !isStorage(extract.getTensor()) ||
      isDefinedInside(extract.getTensor(), op) ||
      extract.getIndices().size() != 2)
    return std::nullopt;
  unsigned last = op.getNumLoops() - 1;
  auto column = extract.getIndices()[1].getDefiningOp<linalg::IndexOp>();
  RowsOfTable rows{extract.getTensor(), extract.getIndices()[0], {}};
  if (!column || column.getDim() != last ||
      op.getStaticLoopRanges()[last] !=
          cast<RankedTensorType>(rows.table.getType()).getDimSize(1) ||
      !collectIndex(op, rows.index, last, rows.computing))
    return std::nullopt;
  return rows;
}

/// The index as a tensor over all loops but the last one.
static Value buildIndices(OpBuilder &b, linalg::GenericOp op,
                          const RowsOfTable &rows) {
  Location loc = op.getLoc();
  unsigned count = op.getNumLoops() - 1;
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  shape.pop_back();
  auto type = RankedTensorType::get(shape, b.getI64Type());
  // What the index does not read is not an operand any more.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> arguments;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isFunctionOfDim(count))
      continue;
    inputs.push_back(input->get());
    arguments.push_back(op.getMatchingBlockArgument(input));
    maps.push_back(AffineMap::get(count, 0, map.getResults(), b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(count));
  SmallVector<utils::IteratorType> parallel(count,
                                            utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(b, loc, shape, b.getI64Type());
  return linalg::GenericOp::create(
             b, loc, type, inputs, init, maps, parallel,
             [&](OpBuilder &inner, Location, ValueRange args) {
               IRMapping mapping;
               mapping.map(ArrayRef<BlockArgument>(arguments),
                           args.drop_back());
               for (Operation *nested : rows.computing)
                 inner.clone(*nested, mapping);
               Value index = arith::IndexCastOp::create(
                   inner, loc, inner.getI64Type(),
                   mapping.lookupOrDefault(rows.index));
               linalg::YieldOp::create(inner, loc, index);
             })
      .getResult(0);
}

bool attnres::raiseEmbedding(Value root) {
  auto rows = matchRows(root);
  if (!rows)
    return false;
  OpBuilder b(root.getDefiningOp());
  Value indices =
      buildIndices(b, root.getDefiningOp<linalg::GenericOp>(), *rows);
  root.replaceAllUsesWith(
      EmbeddingOp::create(b, root.getLoc(), indices, rows->table));
  return true;
}
