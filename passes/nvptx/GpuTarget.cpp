//===- GpuTarget.cpp - generations of NVIDIA GPUs -------------------------===//
#include "passes/nvptx/GpuTarget.h"

#include "support/machine/GpuSheet.h"

using namespace attnres;
using namespace attnres::nvptx;

static GpuTarget makeTarget(llvm::StringRef name, llvm::StringRef features) {
  const machine::GpuSheet *sheet = machine::gpuOfTarget(std::string_view(name));
  return {name.str(), features.str(), sheet->processors, sheet->blockShared};
}

static const std::vector<GpuTarget> &allTargets() {
  static const std::vector<GpuTarget> targets = {
      makeTarget("sm_80", "+ptx70"),
      makeTarget("sm_90a", "+ptx80"),
      makeTarget("sm_100a", "+ptx86"),
  };
  return targets;
}

std::optional<GpuTarget> GpuTarget::forName(llvm::StringRef name) {
  for (const GpuTarget &target : allTargets())
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
  for (const GpuTarget &target : allTargets())
    names.push_back(target.processor);
  return names;
}

std::vector<TargetFact> GpuTarget::describe() const {
  auto number = [](int64_t value) { return static_cast<double>(value); };
  const machine::GpuSheet *sheet = machine::gpuOfTarget(processor);
  std::vector<TargetFact> facts;
  for (const machine::GpuSheet::Fact &fact : sheet->facts())
    facts.push_back(
        {sheet->name, fact.name, fact.value, fact.unit, fact.source});
  facts.push_back({"rows", "range_rows", number(rowRanges.rows), "rows",
                   "of a work item of row operations, at least"});
  facts.push_back({"rows", "most_ranges", number(rowRanges.most), "items",
                   "of row operations with partial sums, at most"});
  return facts;
}
