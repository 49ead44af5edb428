//===- PlanReport.cpp - what a compiled model costs -----------------------===//
#include "tools/compile/PlanReport.h"

#include "passes/memory/MemoryPlan.h"
#include "tools/compile/Compilation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Depth mixing
//===----------------------------------------------------------------------===//

namespace {

/// What joins the sublayers of one function.
struct DepthCount {
  int64_t vectors = 0; ///< read and written for each token
  int64_t batched = 0; ///< depth attentions of several queries
};

} // namespace

/// Counts the scheduled form of a forward pass. Additions of tensors with the
/// type of `hidden` are those to the residual or the partial sum.
static DepthCount countDepth(func::FuncOp function, Type hidden) {
  DepthCount count;
  function.walk([&](Operation *op) {
    count.vectors +=
        llvm::TypeSwitch<Operation *, int64_t>(op)
            .Case([&](DepthAttentionOp attention) {
              count.batched += attention.getQueries().size() > 1;
              return attention.getSources().size() +
                     attention.getOutputs().size();
            })
            // The state and the sources, and the new state.
            .Case([](DepthMergeOp merge) {
              return 2 + merge.getSources().size();
            })
            .Case([](StaticMixOp mix) { return 1 + mix.getSources().size(); })
            .Case([&](arith::AddFOp add) {
              return add.getType() == hidden ? 3 : 0;
            })
            .Default([](Operation *) { return 0; });
  });
  return count;
}

static DepthTraffic depthTraffic(const ModelConfig &config,
                                 DepthSchedule schedule, DepthCount count) {
  DepthTraffic traffic;
  traffic.sublayers = config.numSublayers();
  if (traffic.sublayers == 0)
    return traffic;
  double n = static_cast<double>(traffic.sublayers);
  traffic.counted = static_cast<double>(count.vectors) / n;
  bool twoPhase = schedule == DepthSchedule::TwoPhase;
  if (config.attnres == AttnResMode::Off) {
    traffic.published = 3;
    traffic.formula = "3";
  } else if (config.attnres == AttnResMode::Full && !twoPhase) {
    traffic.published = (n + 3) / 2;
    traffic.formula = "(N + 3) / 2";
  } else if (config.attnres == AttnResMode::Full) {
    double groups = static_cast<double>(std::max<int64_t>(count.batched, 1));
    traffic.published = n / groups + groups;
    traffic.formula = "S + n";
  } else if (config.attnres == AttnResMode::Block && twoPhase) {
    double size = static_cast<double>(config.sublayersPerBlock());
    traffic.published = std::ceil(n / size) / size + 5;
    traffic.formula = "n / S + 5";
  }
  return traffic;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static int64_t sumBytes(ValueRange values) {
  int64_t sum = 0;
  for (Value value : values)
    sum += tensorBytes(value);
  return sum;
}

static void countLaunches(func::FuncOp main, PlanReport &report) {
  llvm::MapVector<StringAttr, KernelCost> costs;
  SymbolTable kernels(main->getParentOfType<ModuleOp>());
  for (auto launch : main.getOps<LaunchOp>()) {
    KernelCost &cost = costs[launch.getKernelAttr().getAttr()];
    cost.name = launch.getKernel().str();
    ++cost.launches;
    auto kernel = kernels.lookup<KernelOp>(launch.getKernel());
    cost.flops += kernel.getFlops().value_or(0);
    cost.bytes += sumBytes(launch.getInputs()) + sumBytes(launch.getResults());
  }
  for (auto &[name, cost] : costs) {
    report.launches += cost.launches;
    report.flops += cost.flops;
    report.bytes += cost.bytes;
    report.kernels.push_back(std::move(cost));
  }
  llvm::stable_sort(report.kernels,
                    [](const KernelCost &a, const KernelCost &b) {
                      return a.bytes > b.bytes;
                    });
}

static Result<DepthTraffic> depthTraffic(Compilation &compilation,
                                         const ModelConfig &config,
                                         const CompileOptions &options) {
  if (Status status = compilation.advance(Stage::Scheduled); !status.ok())
    return status;
  auto main = compilation.module().lookupSymbol<func::FuncOp>("main");
  auto embeddings = main.getOps<EmbeddingOp>();
  Type hidden = (*embeddings.begin()).getResult().getType();
  return depthTraffic(config, options.stages.schedule,
                      countDepth(main, hidden));
}

Result<DepthTraffic> attnres::findDepthTraffic(const ModelConfig &config,
                                               const CompileOptions &options) {
  Compilation compilation(config, options);
  return depthTraffic(compilation, config, options);
}

/// The costs of what `compilation` leads to.
static Status countCosts(Compilation &compilation, PlanReport &report) {
  if (Status status = compilation.advance(Stage::Planned); !status.ok())
    return status;
  ModuleOp module = compilation.module();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  countLaunches(main, report);
  auto bytes = [&](StringRef name) {
    return module->getAttrOfType<IntegerAttr>(name).getInt();
  };
  report.constantBytes = bytes(kConstantBytesAttr);
  report.workspaceBytes = bytes(kWorkspaceBytesAttr);
  report.liveBytes = bytes(kLiveBytesAttr);
  report.argumentBytes = sumBytes(main.getArguments());
  Operation *exit = main.front().getTerminator();
  for (auto [index, value] : llvm::enumerate(exit->getOperands()))
    if (!main.getResultAttr(index, kUpdatesAttr))
      report.resultBytes += tensorBytes(value);
  return {};
}

Result<PlanReport> attnres::planText(const std::string &text,
                                     const CompileOptions &options,
                                     const std::string &name) {
  PlanReport report;
  Compilation compilation(text, name, options);
  if (Status status = countCosts(compilation, report); !status.ok())
    return status;
  return report;
}

Result<PlanReport> attnres::planModel(const ModelConfig &config,
                                      const CompileOptions &options) {
  PlanReport report;
  Compilation compilation(config, options);
  Result<DepthTraffic> depth = depthTraffic(compilation, config, options);
  if (!depth.ok())
    return depth.status();
  report.depth = *std::move(depth);
  if (Status status = countCosts(compilation, report); !status.ok())
    return status;
  return report;
}
