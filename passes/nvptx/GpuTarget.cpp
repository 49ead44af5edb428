//===- GpuTarget.cpp - generations of NVIDIA GPUs -------------------------===//
#include "passes/nvptx/GpuTarget.h"

using namespace attnres;
using namespace attnres::nvptx;

static const GpuTarget targets[] = {
    {"sm_80", "+ptx70", 108, 163 * 1024},
    {"sm_90a", "+ptx80", 132, 227 * 1024},
    {"sm_100a", "+ptx86", 148, 227 * 1024},
};

std::optional<GpuTarget> GpuTarget::forName(llvm::StringRef name) {
  for (const GpuTarget &target : targets)
    if (target.processor == name)
      return target;
  return std::nullopt;
}

mlir::FailureOr<GpuTarget> GpuTarget::get(mlir::Operation *op,
                                          llvm::StringRef name) {
  if (std::optional<GpuTarget> target = forName(name))
    return *target;
  op->emitError("unknown GPU '") << name << "'";
  return mlir::failure();
}

std::vector<std::string> GpuTarget::names() {
  std::vector<std::string> names;
  for (const GpuTarget &target : targets)
    names.push_back(target.processor);
  return names;
}

std::vector<TargetFact> GpuTarget::describe() const {
  auto number = [](int64_t value) { return static_cast<double>(value); };
  return {
      {"chip", "processors", number(processors), "", "streaming"},
      {"chip", "shared", number(sharedBytes), "bytes", "of a block, at most"},
      {"rows", "range_rows", number(rowRanges.rows), "rows",
       "of a work item of row operations, at least"},
      {"rows", "most_ranges", number(rowRanges.most), "items",
       "of row operations with partial sums, at most"},
  };
}
