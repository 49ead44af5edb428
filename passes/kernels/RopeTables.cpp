//===- RopeTables.cpp - cosines and sines once for all rotations ----------===//
#include "passes/Passes.h"

namespace attnres {
#define GEN_PASS_DEF_ROPETABLES
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {
struct RopeTablesPass : attnres::impl::RopeTablesBase<RopeTablesPass> {
  using RopeTablesBase::RopeTablesBase;

  void runOnOperation() override {
    // Keyed by everything that the table depends on.
    DenseMap<std::tuple<Block *, Value, Attribute, int64_t, int64_t, Type>,
             Value>
        tables;
    getOperation()->walk([&](RopeOp op) {
      if (op.getTable() || !hasCountableTensors(op))
        return;
      Value start = op.getStart();
      Value &table =
          tables[{op->getBlock(), start, op.getThetaAttr(), op.getOffset(),
                  op.getNumPositions(), op.getTableType()}];
      if (!table) {
        OpBuilder builder = OpBuilder::atBlockBegin(op->getBlock());
        if (start && start.getParentBlock() == op->getBlock())
          builder.setInsertionPointAfterValue(start);
        table = op.buildTable(builder);
        ++numTables;
      }
      op.getTableMutable().assign(table);
      ++numRotations;
    });
  }
};
} // namespace
