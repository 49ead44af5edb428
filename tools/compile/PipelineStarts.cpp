//===- PipelineStarts.cpp - where a training run is cut -------------------===//
#include "tools/compile/PipelineStarts.h"

#include "passes/kernels/PipelineParts.h"
#include "tools/compile/Compilation.h"
#include "tools/compile/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>

using namespace mlir;
using namespace attnres;

namespace {

struct Cuts {
  std::vector<int64_t> borders;
  std::vector<double> costs;
};

} // namespace

static Result<Cuts> findCuts(const ModelConfig &config,
                             CompileOptions options) {
  options.parts = true;
  Compilation compilation(config, options);
  if (Status status = compilation.advance(Stage::Kernels); !status.ok())
    return status;
  DiagnosticCapture diagnostics(*compilation.module().getContext());
  FailureOr<PipelineParts> parts = PipelineParts::of(
      compilation.module().lookupSymbol<func::FuncOp>("main"));
  if (failed(parts))
    return diagnostics.status("cutting the model");
  return Cuts{parts->borders, parts->costs};
}

Result<std::vector<int64_t>>
attnres::choosePipelineStarts(const ModelConfig &config,
                              const std::vector<CompileOptions> &programs,
                              int64_t stages) {
  Cuts cuts;
  for (const CompileOptions &options : programs) {
    Result<Cuts> found = findCuts(config, options);
    if (!found.ok())
      return found.status();
    if (cuts.costs.empty()) {
      cuts = *std::move(found);
      continue;
    }
    std::vector<int64_t> both;
    std::set_intersection(cuts.borders.begin(), cuts.borders.end(),
                          found->borders.begin(), found->borders.end(),
                          std::back_inserter(both));
    cuts.borders = both;
  }
  std::vector<int64_t> starts = chooseStages(cuts.borders, cuts.costs, stages);
  bool isJoined = static_cast<int64_t>(cuts.costs.size()) >= stages;
  if (starts.empty())
    return invalidArgument(
        "the model can be cut into at most ", cuts.borders.size(),
        " stages, expected ", stages,
        isJoined ? "; where mixtures over depth are computed together there is "
                   "no cut, and --depth-schedule naive computes each alone"
                 : "");
  return starts;
}
