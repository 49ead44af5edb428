//===- CutPipeline.cpp - one stage of a model on several processes --------===//
//
// PipelineParts.h says which launch belongs where. A stage is a copy of @main
// without the launches of others; what these compute comes in as arguments.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/kernels/PipelineParts.h"
#include "passes/memory/MemoryPlan.h"
#include "support/PipelineNames.h"

#include "llvm/ADT/SetVector.h"

namespace attnres {
#define GEN_PASS_DEF_CUTPIPELINE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// What a stage reads of others, and does itself.
struct StageNeeds {
  SetVector<Value> external;
  DenseSet<Operation *> ops;
};

class Cutter {
public:
  Cutter(ModuleOp module, func::FuncOp main, int64_t stages)
      : module(module), main(main), stages(stages) {}

  /// Finds the stage of every part.
  LogicalResult plan() {
    FailureOr<PipelineParts> found = PipelineParts::of(main);
    if (failed(found))
      return failure();
    parts = *std::move(found);
    std::vector<int64_t> starts =
        chooseStages(parts.borders, parts.costs, stages);
    if (starts.empty())
      return main.emitError("expected a model of at least ")
             << stages << " parts that no mixture over depth joins, got "
             << parts.borders.size();
    for (int64_t part = 0, stage = 0; part < parts.count; ++part) {
      while (stage + 1 < stages && starts[stage + 1] <= part)
        ++stage;
      stageOfPart.push_back(stage);
    }
    return success();
  }

  /// Leaves of the function what `stage` does.
  LogicalResult keep(int64_t stage);

  int64_t numLaunches = 0, numRepeated = 0;
  int64_t bytesFromPrevious = 0, bytesFromNext = 0;

private:
  /// Of a launch that has a place; nothing for others.
  std::optional<int64_t> stageOf(Operation *op) const {
    auto part = parts.partOf.find(op);
    if (part == parts.partOf.end())
      return std::nullopt;
    return stageOfPart[part->second];
  }

  /// What the stage does, and what it reads of others for that.
  StageNeeds needsOf(int64_t stage) {
    StageNeeds needs;
    for (Operation &op : llvm::reverse(main.front().without_terminator())) {
      std::optional<int64_t> place = stageOf(&op);
      bool isNeeded = place ? *place == stage
                            : llvm::any_of(op.getUsers(), [&](Operation *user) {
                                return needs.ops.contains(user);
                              });
      // A view of a result may itself be what is returned.
      if (!place && !isa<LaunchOp>(op) && !isNeeded &&
          llvm::is_contained(op.getUsers(), main.front().getTerminator()))
        if (Operation *launch = launchOf(op.getResult(0)))
          isNeeded = stageOf(launch) == stage;
      if (!isNeeded)
        continue;
      needs.ops.insert(&op);
      for (Value operand : op.getOperands()) {
        Operation *source = operand.getDefiningOp();
        std::optional<int64_t> other = source ? stageOf(source) : std::nullopt;
        if (other && *other != stage)
          needs.external.insert(operand);
      }
    }
    return needs;
  }

  /// Values go on to later stages when the forward pass made them, and back to
  /// earlier ones only from launches of the backward pass or to these.
  LogicalResult verifyDirections(int64_t stage, const StageNeeds &needs) {
    for (Value value : needs.external) {
      Operation *source = value.getDefiningOp();
      bool goesOn = *stageOf(source) < stage;
      for (Operation *user : value.getUsers())
        if (needs.ops.contains(user) && isa<LaunchOp>(user) &&
            (goesOn ? isBackward(source) : !isBackward(user)))
          return user->emitOpError("cannot be in stage ")
                 << stage << ": it reads what stage " << *stageOf(source)
                 << " computes later";
    }
    return success();
  }

  //===--- The function of a stage ----------------------------------------===//

  struct Crossing {
    Value value;
    int64_t number; ///< among all results of the whole function's operations
  };

  /// Values made in stages that `isSource` takes and read by one that
  /// `isReader` takes, in the order of the function.
  SmallVector<Crossing> crossings(ArrayRef<StageNeeds> needs,
                                  function_ref<bool(int64_t)> isSource,
                                  function_ref<bool(int64_t)> isReader) {
    SmallVector<Crossing> result;
    int64_t number = 0;
    for (Operation &op : main.front())
      for (Value value : op.getResults()) {
        ++number;
        std::optional<int64_t> source = stageOf(&op);
        if (!source || !isSource(*source))
          continue;
        for (int64_t stage = 0; stage < stages; ++stage)
          if (isReader(stage) && needs[stage].external.contains(value)) {
            result.push_back({value, number - 1});
            break;
          }
      }
    return result;
  }

  /// The results of the whole function that the stage computes.
  void keepResults(int64_t stage) {
    for (auto [index, value] :
         llvm::enumerate(main.front().getTerminator()->getOperands())) {
      Operation *launch = launchOf(value);
      if (launch && stageOf(launch) != stage)
        continue;
      results.push_back(value);
      resultAttributes.push_back(main.getResultAttrDict(index));
    }
  }

  DictionaryAttr named(const char *prefix, int64_t number) {
    Builder builder(main);
    return builder.getDictionaryAttr(builder.getNamedAttr(
        kNameAttr, builder.getStringAttr(prefix + Twine(number))));
  }

  void addResults(ArrayRef<Crossing> sent, const char *prefix) {
    for (auto [value, number] : sent) {
      results.push_back(value);
      resultAttributes.push_back(named(prefix, number));
    }
  }

  /// Lets operations of the stage read arguments in place of the values.
  /// Returns their bytes.
  int64_t addArguments(ArrayRef<Crossing> received, const char *prefix,
                       const StageNeeds &needs) {
    Builder builder(main);
    int64_t bytes = 0;
    for (auto [value, number] : received) {
      unsigned index = main.getNumArguments();
      // Fails only for declarations.
      (void)main.insertArgument(
          index, value.getType(),
          namedRole(prefix + Twine(number),
                    RoleAttr::get(main.getContext(), Role::Input)),
          value.getLoc());
      value.replaceUsesWithIf(main.getArgument(index), [&](OpOperand &use) {
        return needs.ops.contains(use.getOwner());
      });
      bytes += tensorBytes(value);
    }
    return bytes;
  }

  void eraseRest(const StageNeeds &needs) {
    SmallVector<Operation *> rest;
    for (Operation &op : main.front().without_terminator())
      if (!needs.ops.contains(&op))
        rest.push_back(&op);
    for (Operation *op : llvm::reverse(rest))
      op->erase();
    DenseSet<StringAttr> launched;
    for (auto launch : main.getOps<LaunchOp>()) {
      launched.insert(launch.getKernelAttr().getAttr());
      ++numLaunches;
      numRepeated += !stageOf(launch);
    }
    for (auto kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (!launched.contains(kernel.getSymNameAttr()))
        kernel.erase();
  }

  ModuleOp module;
  func::FuncOp main;
  int64_t stages;
  PipelineParts parts;
  SmallVector<int64_t> stageOfPart;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> resultAttributes;
};

LogicalResult Cutter::keep(int64_t stage) {
  std::vector<StageNeeds> needs;
  for (int64_t other = 0; other < stages; ++other) {
    needs.push_back(needsOf(other));
    if (failed(verifyDirections(other, needs.back())))
      return failure();
  }
  auto isThis = [&](int64_t other) { return other == stage; };
  auto isBefore = [&](int64_t other) { return other < stage; };
  auto isBehind = [&](int64_t other) { return other > stage; };
  auto isNotBefore = [&](int64_t other) { return other >= stage; };
  auto isNotBehind = [&](int64_t other) { return other <= stage; };
  SmallVector<Crossing> previous = crossings(needs, isBefore, isNotBefore),
                        next = crossings(needs, isBehind, isNotBehind),
                        toNext = crossings(needs, isThis, isBehind),
                        toPrevious = crossings(needs, isThis, isBefore);
  keepResults(stage);
  addResults(toNext, names::toNext);
  addResults(toPrevious, names::toPrevious);
  const StageNeeds &own = needs[stage];
  bytesFromPrevious = addArguments(previous, names::fromPrevious, own);
  bytesFromNext = addArguments(next, names::fromNext, own);
  main.front().getTerminator()->setOperands(results);
  main.setType(FunctionType::get(main.getContext(), main.getArgumentTypes(),
                                 ValueRange(results).getTypes()));
  main.setAllResultAttrs(resultAttributes);
  eraseRest(own);
  return success();
}

struct CutPipelinePass : attnres::impl::CutPipelineBase<CutPipelinePass> {
  using CutPipelineBase::CutPipelineBase;

  void runOnOperation() override {
    if (stages < 1 || stage < 0 || stage >= stages) {
      getOperation().emitError("expected a stage of ")
          << stages.getValue() << ", from 0 on, got " << stage.getValue();
      return signalPassFailure();
    }
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (stages == 1 || !main || main.isDeclaration())
      return;
    if (failed(verifyOneBlock(main)) || failed(expectNoUsers(main)))
      return signalPassFailure();
    Cutter cutter(getOperation(), main, stages);
    if (failed(cutter.plan()) || failed(cutter.keep(stage)))
      return signalPassFailure();
    numLaunches += cutter.numLaunches;
    numRepeated += cutter.numRepeated;
    bytesFromPrevious += cutter.bytesFromPrevious;
    bytesFromNext += cutter.bytesFromNext;
  }
};

} // namespace
