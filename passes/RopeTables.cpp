//===- RopeTables.cpp - cosines and sines as constants --------------------===//
#include "passes/Passes.h"

#include <cmath>

namespace attnres {
#define GEN_PASS_DEF_ROPETABLES
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// Row t: the cosines of position t in columns [0, Dh/2), then the sines.
static DenseElementsAttr makeTable(RopeOp op) {
  auto type = cast<RankedTensorType>(op.getX().getType());
  int64_t rows = op.getTableRows(), size = type.getDimSize(3);
  double theta = op.getTheta().convertToDouble();
  std::vector<float> table(rows * size);
  for (int64_t t = 0; t < rows; ++t)
    for (int64_t i = 0; i < size / 2; ++i) {
      double angle = static_cast<double>(t + op.getOffset()) *
                     std::pow(theta, -2.0 * i / size);
      table[t * size + i] = static_cast<float>(std::cos(angle));
      table[t * size + size / 2 + i] = static_cast<float>(std::sin(angle));
    }
  return DenseElementsAttr::get(
      RankedTensorType::get({rows, size}, Float32Type::get(op.getContext())),
      ArrayRef<float>(table));
}

namespace {
struct RopeTablesPass : attnres::impl::RopeTablesBase<RopeTablesPass> {
  using RopeTablesBase::RopeTablesBase;

  void runOnOperation() override {
    // Keyed by everything that the table depends on.
    DenseMap<std::tuple<Block *, Attribute, int64_t, int64_t, int64_t>, Value>
        tables;
    getOperation()->walk([&](RopeOp op) {
      if (op.getTable())
        return;
      auto type = cast<RankedTensorType>(op.getX().getType());
      Value &table = tables[{op->getBlock(), op.getThetaAttr(), op.getOffset(),
                             op.getTableRows(), type.getDimSize(3)}];
      if (!table) {
        OpBuilder builder = OpBuilder::atBlockBegin(op->getBlock());
        table = arith::ConstantOp::create(builder, op.getLoc(), makeTable(op));
      }
      op.getTableMutable().assign(table);
    });
  }
};
} // namespace
