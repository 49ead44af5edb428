//===- ShareKernels.cpp - keep one of equal kernels -----------------------===//
#include "passes/Passes.h"

namespace attnres {
#define GEN_PASS_DEF_SHAREKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// Everything about a kernel but its name, as text: equal text is equal code.
static std::string fingerprint(func::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kernel.getFunctionType();
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    os << attribute.getName().getValue() << '=' << attribute.getValue() << ';';
  if (ArrayAttr arguments = kernel.getAllArgAttrs())
    os << arguments;
  kernel.getBody().front().print(os);
  return text;
}

namespace {
struct ShareKernelsPass : attnres::impl::ShareKernelsBase<ShareKernelsPass> {
  using ShareKernelsBase::ShareKernelsBase;

  void runOnOperation() override {
    llvm::StringMap<func::FuncOp> kept;
    DenseMap<StringAttr, StringAttr> replacement;
    SmallVector<func::FuncOp> duplicates;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kKernelAttr) || kernel.isDeclaration())
        continue;
      ++numBefore;
      auto [it, inserted] = kept.try_emplace(fingerprint(kernel), kernel);
      if (inserted)
        continue;
      replacement[kernel.getSymNameAttr()] = it->second.getSymNameAttr();
      duplicates.push_back(kernel);
    }
    numDistinct += kept.size();
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
