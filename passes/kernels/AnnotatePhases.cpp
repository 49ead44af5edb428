//===- AnnotatePhases.cpp - forward, backward and update launches ---------===//
//
// A launch belongs to the first phase that needs it: what an output depends on
// to the forward pass, what else a gradient depends on to the backward pass,
// and the rest to the update. Phases are ranges of launches: one that stands
// before a launch of an earlier phase belongs to that phase too.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"

namespace attnres {
#define GEN_PASS_DEF_ANNOTATEPHASES
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// The phase that makes results of this role.
static Phase phaseOf(RoleAttr role) {
  if (!role)
    return Phase::Forward;
  switch (role.getKind()) {
  case Role::Input:
  case Role::Output:
  case Role::State:
  case Role::Cache:
    return Phase::Forward;
  case Role::Gradient:
  case Role::GradientSum:
  case Role::GradientSquares:
  case Role::GradientNorm:
    return Phase::Backward;
  case Role::Parameter:
  case Role::FirstMoment:
  case Role::SecondMoment:
    return Phase::Update;
  }
  llvm_unreachable("unknown role");
}

namespace {

struct AnnotatePhasesPass
    : attnres::impl::AnnotatePhasesBase<AnnotatePhasesPass> {
  using AnnotatePhasesBase::AnnotatePhasesBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isDeclaration())
      return;
    Operation *exit = main.front().getTerminator();
    DenseMap<Value, Phase> needed;
    auto need = [&](Value value, Phase phase) {
      auto [entry, isNew] = needed.try_emplace(value, phase);
      entry->second = std::min(entry->second, phase);
    };
    for (auto [index, value] : llvm::enumerate(exit->getOperands()))
      need(value, phaseOf(resultRole(main, index)));
    // Users stand behind what they use.
    Phase later = Phase::Update;
    for (Operation &op : llvm::reverse(main.front().without_terminator())) {
      Phase phase = Phase::Update;
      for (Value result : op.getResults())
        if (auto found = needed.find(result); found != needed.end())
          phase = std::min(phase, found->second);
      if (isa<LaunchOp>(op)) {
        phase = later = std::min(phase, later);
        annotate(&op, phase);
      }
      for (Value operand : op.getOperands())
        need(operand, phase);
    }
    for (auto [index, value] : llvm::enumerate(exit->getOperands()))
      if (failed(verifyUpdate(main, index, value)))
        return signalPassFailure();
  }

private:
  void annotate(Operation *launch, Phase phase) {
    if (phase == Phase::Forward) {
      launch->removeAttr(kPhaseAttr);
      return;
    }
    launch->setAttr(kPhaseAttr, PhaseAttr::get(&getContext(), phase));
    ++(phase == Phase::Backward ? numBackward : numUpdate);
  }

  /// A step that has gone bad must be able to stop before anything is updated.
  static LogicalResult verifyUpdate(func::FuncOp main, unsigned index,
                                    Value value) {
    RoleAttr role = resultRole(main, index);
    Operation *launch = value.getDefiningOp();
    if (phaseOf(role) != Phase::Update || !isa_and_nonnull<LaunchOp>(launch))
      return success();
    auto phase = launch->getAttrOfType<PhaseAttr>(kPhaseAttr);
    if (phase && phase.getValue() == Phase::Update)
      return success();
    return launch->emitOpError("expected result ")
           << index << ", a new " << stringifyRole(role.getKind())
           << ", to be made behind all outputs and gradients";
  }
};

} // namespace
