//===- Targets.cpp - what kernels can be compiled for ---------------------===//
#include "passes/Targets.h"

#include "passes/Target.h"
#include "passes/cpu/CpuBackend.h"
#include "passes/nvptx/NvptxBackend.h"

#include <algorithm>

using namespace attnres;

namespace {
/// Targets whose code is of one stage.
struct TargetKind {
  Stage stage;
  /// Null for the name of another kind's.
  std::unique_ptr<Target> (*create)(std::string_view name);
  std::vector<std::string> (*names)();
};
} // namespace

static constexpr TargetKind kKinds[] = {
    {Stage::Cpu, cpu::createBackend, cpu::backendNames},
    {Stage::Nvptx, nvptx::createBackend, nvptx::backendNames},
};

std::unique_ptr<Target> attnres::createTarget(std::string_view name) {
  for (const TargetKind &kind : kKinds)
    if (std::unique_ptr<Target> target = kind.create(name))
      return target;
  return nullptr;
}

std::unique_ptr<Target> attnres::createTargetOf(Stage stage) {
  for (const TargetKind &kind : kKinds)
    if (kind.stage == stage)
      return kind.create(kind.names().front());
  return nullptr;
}

std::vector<std::string> attnres::targetNames() {
  std::vector<std::string> names;
  for (const TargetKind &kind : kKinds)
    for (std::string &name : kind.names())
      names.push_back(std::move(name));
  return names;
}

std::string attnres::resolveTarget(std::string_view name) {
  std::unique_ptr<Target> target = createTarget(name);
  return target ? target->name() : "";
}

std::vector<TargetFact> attnres::describeTarget(std::string_view name) {
  return createTarget(name)->describe();
}
