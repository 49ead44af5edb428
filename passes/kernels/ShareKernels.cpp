//===- ShareKernels.cpp - keep one of equal kernels -----------------------===//
#include "passes/Passes.h"

namespace attnres {
#define GEN_PASS_DEF_SHAREKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// A hash of everything about a kernel but its name and locations.
static llvm::hash_code hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash =
      llvm::hash_combine(kernel.getFunctionType(), kernel.getAllArgAttrs(),
                         kernel->getDiscardableAttrDictionary());
  for (Operation &op : kernel.getBody().front())
    hash =
        llvm::hash_combine(hash, op.getName(), op.getAttrDictionary(),
                           llvm::hash_combine_range(op.getResultTypes().begin(),
                                                    op.getResultTypes().end()));
  return hash;
}

static bool isEqual(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getAllArgAttrs() == b.getAllArgAttrs() &&
         a->getDiscardableAttrDictionary() ==
             b->getDiscardableAttrDictionary() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {
struct ShareKernelsPass : attnres::impl::ShareKernelsBase<ShareKernelsPass> {
  using ShareKernelsBase::ShareKernelsBase;

  void runOnOperation() override {
    // Only launches are redirected.
    DenseSet<StringAttr> called;
    if (auto uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion()))
      for (SymbolTable::SymbolUse use : *uses)
        if (!isa<LaunchOp>(use.getUser()))
          called.insert(use.getSymbolRef().getRootReference());
    DenseMap<size_t, SmallVector<func::FuncOp, 1>> kept;
    DenseMap<StringAttr, StringAttr> replacement;
    SmallVector<func::FuncOp> duplicates;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kKernelAttr) || kernel.isDeclaration())
        continue;
      ++numBefore;
      SmallVector<func::FuncOp, 1> &candidates = kept[hashKernel(kernel)];
      auto same = llvm::find_if(candidates, [&](func::FuncOp other) {
        return isEqual(kernel, other);
      });
      if (same == candidates.end() || !kernel.isPrivate() ||
          called.contains(kernel.getSymNameAttr())) {
        candidates.push_back(kernel);
        ++numDistinct;
        continue;
      }
      replacement[kernel.getSymNameAttr()] = same->getSymNameAttr();
      duplicates.push_back(kernel);
    }
    getOperation()->walk([&](LaunchOp launch) {
      auto it = replacement.find(launch.getKernelAttr().getAttr());
      if (it != replacement.end())
        launch.setKernelAttr(FlatSymbolRefAttr::get(it->second));
    });
    for (func::FuncOp kernel : duplicates)
      kernel.erase();
  }
};
} // namespace
