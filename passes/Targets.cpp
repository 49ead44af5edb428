//===- Targets.cpp - what kernels can be compiled for ---------------------===//
#include "passes/Targets.h"

#include "passes/Target.h"
#include "passes/cpu/CpuBackend.h"

#include <algorithm>

using namespace attnres;

namespace {
/// How targets of one kind are made from a variant, "" for this machine's, and
/// which variants there are.
struct TargetKind {
  std::string_view name;
  std::unique_ptr<Target> (*create)(std::string_view variant);
  std::vector<std::string> (*variants)();
};
} // namespace

static constexpr TargetKind kKinds[] = {
    {"cpu", cpu::createBackend, cpu::backendVariants},
};

int64_t RowRanges::of(int64_t numRows) const {
  return std::clamp<int64_t>(numRows / rows + (numRows % rows != 0), 1, most);
}

std::unique_ptr<Target> attnres::createTarget(std::string_view name) {
  size_t colon = name.find(':');
  std::string_view variant;
  if (colon != std::string_view::npos) {
    variant = name.substr(colon + 1);
    if (variant.empty())
      return nullptr;
  }
  for (const TargetKind &kind : kKinds)
    if (kind.name == name.substr(0, colon))
      return kind.create(variant);
  return nullptr;
}

std::vector<std::string> attnres::targetNames() {
  std::vector<std::string> names;
  for (const TargetKind &kind : kKinds)
    for (const std::string &variant : kind.variants())
      names.push_back(std::string(kind.name) + ":" + variant);
  return names;
}

std::string attnres::resolveTarget(std::string_view name) {
  std::unique_ptr<Target> target = createTarget(name);
  return target ? target->name() : "";
}

std::vector<TargetFact> attnres::describeTarget(std::string_view name) {
  return createTarget(name)->describe();
}
