//===- ShareKernels.cpp - keep one of equal kernels -----------------------===//
#include "passes/Passes.h"

namespace attnres {
#define GEN_PASS_DEF_SHAREKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// All attributes of a kernel but its name.
static Attribute factsOf(KernelOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(kernel.getSymNameAttrName());
  return attributes.getDictionary(kernel.getContext());
}

/// A hash of everything about a kernel but its name and locations.
static llvm::hash_code hashKernel(KernelOp kernel) {
  llvm::hash_code hash = hash_value(factsOf(kernel));
  for (Operation &op : kernel.front())
    hash =
        llvm::hash_combine(hash, op.getName(), op.getAttrDictionary(),
                           llvm::hash_combine_range(op.getResultTypes().begin(),
                                                    op.getResultTypes().end()));
  return hash;
}

static bool isEqual(KernelOp a, KernelOp b) {
  return factsOf(a) == factsOf(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {
struct ShareKernelsPass : attnres::impl::ShareKernelsBase<ShareKernelsPass> {
  using ShareKernelsBase::ShareKernelsBase;

  void runOnOperation() override {
    DenseMap<size_t, SmallVector<KernelOp, 1>> kept;
    DenseMap<StringAttr, StringAttr> replacement;
    SmallVector<KernelOp> duplicates;
    for (auto kernel : getOperation().getOps<KernelOp>()) {
      if (kernel.isExternal())
        continue;
      ++numBefore;
      SmallVector<KernelOp, 1> &candidates = kept[hashKernel(kernel)];
      auto same = llvm::find_if(
          candidates, [&](KernelOp other) { return isEqual(kernel, other); });
      if (same == candidates.end()) {
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
    for (KernelOp kernel : duplicates)
      kernel.erase();
  }
};
} // namespace
