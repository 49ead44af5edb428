//===- Explanation.cpp - what a compilation did ---------------------------===//
#include "tools/compile/Explanation.h"

#include "models/DepthLayout.h"
#include "passes/PassStatistic.h"
#include "passes/Target.h"
#include "passes/memory/MemoryPlan.h"
#include "tools/compile/Compilation.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <chrono>

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Stages and passes
//===----------------------------------------------------------------------===//

static OperationCounts countOperations(Operation *root) {
  OperationCounts counts;
  root->walk([&](Operation *op) {
    if (op != root)
      ++counts[op->getName().getStringRef().str()];
  });
  return counts;
}

/// The module for people.
static std::string printShort(Operation *root) {
  constexpr int64_t shownElements = 16;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(shownElements);
  std::string text;
  llvm::raw_string_ostream stream(text);
  root->print(stream, flags);
  return text;
}

namespace {

/// Looks at the module before and after every pass.
class EffectRecorder : public PassInstrumentation {
public:
  explicit EffectRecorder(std::vector<PassEffect> &effects)
      : effects(effects) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument().empty())
      return; // holds others
    Operation *root = rootOf(op);
    before = countOperations(root);
    textBefore = printShort(root);
    counted = passCounts();
    start = std::chrono::steady_clock::now();
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument().empty())
      return;
    PassEffect effect;
    effect.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    effect.name = pass->getArgument().str();
    effect.description = pass->getDescription().str();
    Operation *root = rootOf(op);
    OperationCounts after = countOperations(root);
    for (const auto &[name, count] : before)
      after.try_emplace(name, 0);
    for (const auto &[name, count] : after)
      if (int64_t old = before[name]; old != count) {
        effect.before[name] = old;
        effect.after[name] = count;
      }
    effect.changesText = printShort(root) != textBefore;
    for (const PassCount &now : passCounts()) {
      int64_t earlier = 0;
      for (const PassCount &each : counted)
        if (each.pass == now.pass && each.name == now.name)
          earlier = each.count;
      if (now.pass == effect.name && now.count != earlier)
        effect.statistics.emplace_back(now.description, now.count - earlier);
    }
    effects.push_back(std::move(effect));
  }

private:
  static Operation *rootOf(Operation *op) {
    while (Operation *parent = op->getParentOp())
      op = parent;
    return op;
  }

  std::vector<PassEffect> &effects;
  OperationCounts before;
  std::string textBefore;
  std::vector<PassCount> counted;
  std::chrono::steady_clock::time_point start;
};

} // namespace

/// Leads the compilation to `stage`, the next one on its way.
static Result<StageView> advance(Compilation &compilation, Stage stage) {
  StageView view;
  view.name = toString(stage);
  compilation.setPreparation([&](PassManager &passes) {
    passes.addInstrumentation(std::make_unique<EffectRecorder>(view.passes));
  });
  Status status = compilation.advance(stage);
  compilation.setPreparation(nullptr);
  if (!status.ok())
    return status;
  view.operations = countOperations(compilation.module());
  view.text = printShort(compilation.module());
  return view;
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

namespace {

/// What one mixture reads, in the order in which it does.
struct MixtureReads {
  std::vector<std::pair<Value, DepthRead>> sources;
};

} // namespace

/// Follows every mixture of a function of the stage `scheduled` through the
/// operations that it is spread over.
static std::vector<MixtureReads> readsOfMixtures(func::FuncOp main,
                                                 size_t &groups) {
  std::vector<MixtureReads> mixtures;
  llvm::DenseMap<Value, size_t> mixtureOf; // of its output so far
  main.walk([&](Operation *op) {
    if (auto attention = dyn_cast<DepthAttentionOp>(op)) {
      DepthRead read;
      bool isGroup = attention.getQueries().size() > 1;
      read.kind = isGroup ? DepthRead::Kind::Grouped : DepthRead::Kind::Alone;
      if (isGroup)
        read.group = groups++;
      for (Value output : attention.getOutputs()) {
        mixtureOf[output] = mixtures.size();
        MixtureReads &mixture = mixtures.emplace_back();
        for (Value source : attention.getSources())
          mixture.sources.emplace_back(source, read);
      }
    } else if (auto merge = dyn_cast<DepthMergeOp>(op)) {
      auto found = mixtureOf.find(merge.getState());
      if (found == mixtureOf.end())
        return; // of a model that somebody wrote
      size_t mixture = found->second;
      mixtureOf[merge.getOutput()] = mixture;
      DepthRead read;
      read.kind = DepthRead::Kind::Merged;
      for (Value source : merge.getSources())
        mixtures[mixture].sources.emplace_back(source, read);
    }
  });
  return mixtures;
}

/// With the names of the configuration where it has as many mixtures as the
/// program, otherwise with numbers. A mixture of one source is that source, and
/// no operation.
static DepthSchedulePicture drawDepth(func::FuncOp main,
                                      const ModelConfig &config) {
  DepthSchedulePicture picture;
  std::vector<MixtureReads> mixtures = readsOfMixtures(main, picture.groups);
  DepthLayout layout(config);
  std::vector<DepthMixture> named;
  for (const DepthMixture &mixture : layout.mixtures)
    if (mixture.numSources() > 1)
      named.push_back(mixture);
  bool fits = named.size() == mixtures.size();
  for (size_t i = 0; fits && i < named.size(); ++i)
    fits = named[i].numSources() == mixtures[i].sources.size();

  bool hasPartialSums = false;
  llvm::MapVector<Value, size_t> columns; // without names
  if (fits) {
    picture.sources.assign(layout.outputs.begin(),
                           layout.outputs.begin() + layout.numOutputsRead());
    hasPartialSums = llvm::any_of(
        named, [](const DepthMixture &m) { return m.readsPartialSum; });
    if (hasPartialSums)
      picture.sources.push_back("partial sum");
  } else {
    for (const MixtureReads &mixture : mixtures)
      for (auto &[source, read] : mixture.sources)
        columns.insert({source, columns.size()});
    for (size_t i = 0; i < columns.size(); ++i)
      picture.sources.push_back(concat("source ", i));
  }
  for (auto [i, mixture] : llvm::enumerate(mixtures)) {
    picture.mixtures.push_back(fits ? named[i].name : concat("mixture ", i));
    auto &row = picture.reads.emplace_back(picture.sources.size());
    for (auto [k, entry] : llvm::enumerate(mixture.sources)) {
      size_t column = picture.sources.size() - 1; // the partial sum
      if (!fits)
        column = columns[entry.first];
      else if (size_t output = named[i].outputOf(k);
               output < named[i].numOutputs)
        column = output;
      row[column] = entry.second;
    }
  }
  return picture;
}

static Result<std::vector<DepthBytes>>
countDepthBytes(const ModelConfig &config, const CompileOptions &options) {
  std::vector<DepthBytes> all;
  double element = options.bf16 ? 2 : 4;
  for (AttnResMode mode : {AttnResMode::Off, AttnResMode::Static,
                           AttnResMode::Full, AttnResMode::Block})
    for (DepthSchedule schedule :
         {DepthSchedule::Naive, DepthSchedule::TwoPhase}) {
      bool mixes = mode == AttnResMode::Full || mode == AttnResMode::Block;
      if (schedule == DepthSchedule::TwoPhase && !mixes)
        continue;
      ModelConfig other = config;
      other.attnres = mode;
      CompileOptions forward = options;
      forward.stages.schedule = schedule;
      forward.stages.gradients = forward.stages.optimizer = false;
      Result<DepthTraffic> traffic = findDepthTraffic(other, forward);
      if (!traffic.ok())
        return traffic.status();
      DepthBytes bytes;
      bytes.mode = toString(mode);
      bytes.schedule = !mixes                             ? "-"
                       : schedule == DepthSchedule::Naive ? "naive"
                                                          : "two-phase";
      double unit = static_cast<double>(traffic->sublayers) *
                    static_cast<double>(config.hiddenSize) * element;
      bytes.bytesPerToken = traffic->counted * unit;
      bytes.publishedPerToken = traffic->published * unit;
      bytes.traffic = *std::move(traffic);
      all.push_back(std::move(bytes));
    }
  return all;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static int64_t sumBytes(ValueRange values) {
  int64_t sum = 0;
  for (Value value : values)
    sum += tensorBytes(value);
  return sum;
}

static int phaseIndex(LaunchOp launch) {
  auto phase = launch->getAttrOfType<PhaseAttr>(kPhaseAttr);
  return phase ? static_cast<int>(phase.getValue()) : 0;
}

/// The last launch that reads `value` or a view of it; `none` without any.
static size_t lastUse(Value value,
                      const llvm::DenseMap<Operation *, size_t> &indices,
                      size_t none) {
  size_t last = none;
  for (Operation *user : value.getUsers()) {
    if (auto found = indices.find(user); found != indices.end()) {
      last = std::max(last, found->second);
      continue;
    }
    for (Value result : user->getResults())
      last = std::max(last, lastUse(result, indices, none));
  }
  return last;
}

static void listLaunches(func::FuncOp main, TargetView &view) {
  llvm::DenseMap<Operation *, size_t> indices;
  llvm::StringMap<size_t> kernels;
  for (auto launch : main.getOps<LaunchOp>()) {
    indices[launch.getOperation()] = view.launches.size();
    auto [entry, isNew] =
        kernels.try_emplace(launch.getKernel(), view.kernels.size());
    if (isNew)
      view.kernels.emplace_back().name = launch.getKernel().str();
    ++view.kernels[entry->second].launches;
    auto flops =
        static_cast<int64_t>(launch.lookupKernel().getFlops().value_or(0));
    view.launches.push_back({entry->second, phaseIndex(launch), flops,
                             sumBytes(launch.getInputs()),
                             sumBytes(launch.getResults())});
  }
  for (auto launch : main.getOps<LaunchOp>()) {
    size_t begin = indices[launch.getOperation()];
    if (!launch.getResultBuffers())
      continue;
    for (auto [result, buffer] :
         llvm::zip(launch.getResults(),
                   launch.getResultBuffersAttr().getAsRange<BufferAttr>())) {
      if (buffer.getKind() != BufferKind::Workspace)
        continue;
      std::string type;
      llvm::raw_string_ostream(type) << result.getType();
      view.buffers.push_back({type, buffer.getOffset(), tensorBytes(result),
                              begin, lastUse(result, indices, begin)});
    }
  }
}

/// What the code of the kernels says about itself.
static void describeCode(ModuleOp module, TargetView &view) {
  for (ExplainedKernel &kernel : view.kernels) {
    auto code = module.lookupSymbol<KernelOp>(kernel.name);
    if (!code)
      continue;
    code.getBody().walk([&](Operation *) { ++kernel.operations; });
    kernel.scratchBytes =
        static_cast<int64_t>(code.getScratchBytes().value_or(0));
    if (std::optional<uint64_t> grid = code.getGrid())
      kernel.grid = {static_cast<int64_t>(*grid)};
    if (std::optional<BlocksAttr> blocks = code.getBlocks()) {
      kernel.grid = blocks->getGrid().vec();
      kernel.block = blocks->getBlock().vec();
      kernel.sharedBytes = blocks->getSharedBytes();
    }
  }
}

/// Everything behind the stage `training`.
static Result<TargetView> explainTarget(Compilation &compilation,
                                        const Target &target) {
  TargetView view;
  view.name = target.name();
  view.isGpu = target.stage() == Stage::Nvptx;
  view.facts = target.describe();
  for (Stage stage : {Stage::Kernels, Stage::Planned, target.stage()}) {
    Result<StageView> next = advance(compilation, stage);
    if (!next.ok())
      return next.status();
    view.stages.push_back(*std::move(next));
    if (stage != Stage::Planned)
      continue;
    ModuleOp module = compilation.module();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    listLaunches(main, view);
    auto bytes = [&](StringRef name) {
      return module->getAttrOfType<IntegerAttr>(name).getInt();
    };
    view.arenaBytes = bytes(kWorkspaceBytesAttr);
    view.liveBytes = bytes(kLiveBytesAttr);
    view.constantBytes = bytes(kConstantBytesAttr);
    view.argumentBytes = sumBytes(main.getArguments());
  }
  describeCode(compilation.module(), view);
  return view;
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

Result<Explanation> attnres::explain(const ModelConfig &config,
                                     const CompileOptions &options,
                                     const std::vector<std::string> &targets) {
  Explanation result;
  for (const std::string &name : targets) {
    CompileOptions own = options;
    own.stages.target = name;
    own.compileThreads = 1; // passes are looked at one by one
    std::unique_ptr<Target> target = createTarget(name);
    if (!target)
      return invalidArgument("unknown target '", name, "'");
    Compilation compilation(config, own);
    bool isFirst = result.targets.empty();
    for (Stage stage :
         {Stage::Model, Stage::Naive, Stage::Scheduled, Stage::Training}) {
      Result<StageView> view = advance(compilation, stage);
      if (!view.ok())
        return view.status();
      if (!isFirst)
        continue;
      result.stages.push_back(*std::move(view));
      if (stage == Stage::Scheduled)
        result.depth = drawDepth(
            compilation.module().lookupSymbol<func::FuncOp>("main"), config);
    }
    Result<TargetView> view = explainTarget(compilation, *target);
    if (!view.ok())
      return view.status();
    result.targets.push_back(*std::move(view));
  }
  Result<std::vector<DepthBytes>> bytes = countDepthBytes(config, options);
  if (!bytes.ok())
    return bytes.status();
  result.depthBytes = *std::move(bytes);
  return result;
}
