//===- Decompose.cpp - attnres operations as plain linalg -----------------===//
//
// Applies `decomposeOperation` to every operation that has one; the rewrites
// themselves stand in dialect/*Decompositions.cpp.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace attnres {
#define GEN_PASS_DEF_DECOMPOSE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

struct DecomposePass : attnres::impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    for (const std::string &name : ops) {
      auto known = RegisteredOperationName::lookup(name, &getContext());
      if (!known || !known->hasInterface<linalg::AggregatedOpInterface>()) {
        getOperation()->emitError("expected an operation that decomposes, got ")
            << name;
        return signalPassFailure();
      }
    }
    // Some decompose into operations that decompose.
    while (decomposeOnce())
      ;
  }

  /// Whether any operation was decomposed.
  bool decomposeOnce() {
    SmallVector<linalg::AggregatedOpInterface> targets;
    getOperation()->walk([&](linalg::AggregatedOpInterface op) {
      if (isa<AttnresDialect>(op->getDialect()) && selected(op))
        targets.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    bool any = false;
    for (linalg::AggregatedOpInterface op : targets) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
      if (failed(values))
        continue;
      rewriter.replaceOp(op, *values);
      ++numDecomposed;
      any = true;
    }
    return any;
  }

  bool selected(Operation *op) const {
    if (auto attention = dyn_cast<AttentionOp>(op))
      if (documents && attention.getDocuments())
        return true;
    if (auto attention = dyn_cast<AttentionBackwardOp>(op))
      if (documents && attention.getDocuments())
        return true;
    return ops.empty() || llvm::is_contained(ops, op->getName().getStringRef());
  }
};

} // namespace
