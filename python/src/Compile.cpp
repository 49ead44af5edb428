// Compiling for Python: configurations and modules to programs.
#include "python/src/Compile.h"

#include "python/src/Errors.h"
#include "python/src/ProgramObject.h"
#include "tools/compile/ProgramCache.h"
#include "tools/compile/PullBack.h"
#include "tools/run/Options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace nb = nanobind;

namespace attnres::python {
namespace {

/// What Python says about a compilation.
struct Request {
  CompileOptions options;
  std::string purpose = "forward";
  bool cached = true;
};

/// A choice by its name.
template <typename T>
T choose(const std::string &what,
         const std::vector<std::pair<std::string, T>> &choices,
         const std::string &name) {
  if (auto found = run::lookUp(choices, name))
    return *found;
  std::string known;
  for (const auto &choice : choices)
    known += (known.empty() ? "" : ", ") + choice.first;
  throw Failure(invalidArgument("unknown ", what, " ", inQuotes(name),
                                "; known are ", known));
}

template <typename T>
std::string nameOf(const std::vector<std::pair<std::string, T>> &choices,
                   T value) {
  for (const auto &[name, choice] : choices)
    if (choice == value)
      return name;
  return "";
}

const std::vector<std::pair<std::string, bool>> &storageTypes() {
  static const std::vector<std::pair<std::string, bool>> all = {
      {"float32", false}, {"bfloat16", true}};
  return all;
}

const std::vector<std::pair<std::string, OptimizerAlgorithm>> &algorithms() {
  static const std::vector<std::pair<std::string, OptimizerAlgorithm>> all = {
      {"adamw", OptimizerAlgorithm::AdamW},
      {"muon", OptimizerAlgorithm::Muon},
      {"sgd", OptimizerAlgorithm::Sgd},
      {"lion", OptimizerAlgorithm::Lion}};
  return all;
}

/// What the purpose says about the passes.
void applyPurpose(Request &request, bool hasConfig) {
  const std::string &purpose = request.purpose;
  std::vector<std::string> known = {"forward", "gradients", "train",
                                    "pullback"};
  if (hasConfig)
    known.insert(known.end(), {"loss", "logits", "prefill", "decode"});
  if (std::find(known.begin(), known.end(), purpose) == known.end()) {
    std::string names;
    for (const std::string &name : known)
      names += (names.empty() ? "" : ", ") + name;
    throw Failure(invalidArgument("unknown purpose ", inQuotes(purpose),
                                  "; known are ", names));
  }
  CompileOptions &options = request.options;
  bool isCached = purpose == "prefill" || purpose == "decode";
  if (isCached != (options.capacity > 0))
    throw Failure(
        invalidArgument(isCached ? "purpose '" + purpose + "' needs a capacity"
                                 : "a capacity needs the purpose 'prefill' or "
                                   "'decode'"));
  options.stages.gradients = purpose == "gradients" || purpose == "train";
  options.stages.optimizer = purpose == "train";
  options.loss = purpose != "logits" && purpose != "pullback";
  options.logits =
      purpose == "forward" || purpose == "logits" || purpose == "pullback";
}

/// `compile` without the interpreter's lock, through the cache if it is wanted.
ProgramObject *compileUnlocked(
    Request request, const std::string &model,
    const std::function<Result<runtime::Program>(const CompileOptions &options)>
        &compile) {
  request.options.isCancelled = isInterrupted;
  Result<runtime::Program> program = Status();
  {
    nb::gil_scoped_release unlocked;
    auto compileNow = [&] { return compile(request.options); };
    program =
        request.cached
            ? ProgramCache::standard().get(model, request.options, compileNow)
            : compileNow();
  }
  rethrowInterrupt();
  return new ProgramObject(unwrap(std::move(program)));
}

ProgramObject *compileConfig(const std::string &json, const std::string &where,
                             Request request) {
  ModelConfig config = unwrap(ModelConfig::fromJson(json, where));
  applyPurpose(request, /*hasConfig=*/true);
  request.options.fuseLoss =
      request.options.capacity == 0 && wantsFusedLoss(config, request.options);
  bool pullsBack = request.purpose == "pullback";
  std::string key = (pullsBack ? "pullback\n" : "") + config.toJson();
  return compileUnlocked(request, key, [&](const CompileOptions &options) {
    return pullsBack ? compilePullBack(config, options)
                     : compileModel(config, options);
  });
}

ProgramObject *compileModule(const std::string &text, const std::string &name,
                             const std::string &stage, Request request) {
  std::optional<Stage> from = parseStage(stage);
  if (!from)
    throw Failure(invalidArgument("unknown stage ", inQuotes(stage)));
  applyPurpose(request, /*hasConfig=*/false);
  bool pullsBack = request.purpose == "pullback";
  std::string key = concat(pullsBack ? "pullback " : "", stage, "\n", text);
  return compileUnlocked(request, key, [&](const CompileOptions &options) {
    return pullsBack ? compilePullBack(text, name, options)
                     : compileText(text, options, name, *from);
  });
}

} // namespace

void addCompile(nb::module_ &module) {
  nb::class_<Request> request(module, "CompileOptions",
                              "What attnres.compile() says to the compiler.");
  request.def(nb::init<>())
      .def_rw("purpose", &Request::purpose)
      .def_rw("cached", &Request::cached,
              "Whether to look for the program on disk and to keep it there.");
  auto option = [&](const char *name, auto get) {
    using Value = std::decay_t<decltype(get(std::declval<Request &>()))>;
    request.def_prop_rw(
        name, [get](Request &self) -> Value { return get(self); },
        [get](Request &self, Value value) { get(self) = std::move(value); });
  };
  option("batch_size", [](Request &r) -> int64_t & { return r.options.batch; });
  option("seq_len", [](Request &r) -> int64_t & { return r.options.seqLen; });
  option("capacity",
         [](Request &r) -> int64_t & { return r.options.capacity; });
  option("residual_bytes", [](Request &r) -> int64_t & {
    return r.options.stages.residualBytes;
  });
  option("record",
         [](Request &r) -> bool & { return r.options.stages.recordWeights; });
  option("momentum",
         [](Request &r) -> double & { return r.options.stages.momentum; });
  option("beta1",
         [](Request &r) -> double & { return r.options.stages.learningBeta1; });
  option("beta2",
         [](Request &r) -> double & { return r.options.stages.learningBeta2; });
  option("eps",
         [](Request &r) -> double & { return r.options.stages.optimizerEps; });
  option("weight_decay",
         [](Request &r) -> double & { return r.options.stages.weightDecay; });
  option("clip_norm",
         [](Request &r) -> double & { return r.options.stages.clipNorm; });
  option("dropout", [](Request &r) -> double & { return r.options.dropout; });
  option("label_smoothing",
         [](Request &r) -> double & { return r.options.labelSmoothing; });
  using Texts = std::vector<std::string>;
  option("frozen",
         [](Request &r) -> Texts & { return r.options.stages.frozen; });
  option("undecayed",
         [](Request &r) -> Texts & { return r.options.stages.undecayed; });
  option("rates", [](Request &r) -> Texts & { return r.options.stages.rates; });
  auto named = [&](const char *name, const char *what, const auto &choices,
                   auto get) {
    request.def_prop_rw(
        name,
        [get, &choices](Request &self) { return nameOf(choices, get(self)); },
        [get, &choices, what](Request &self, const std::string &value) {
          get(self) = choose(what, choices, value);
        });
  };
  named("dtype", "dtype", storageTypes(),
        [](Request &r) -> bool & { return r.options.bf16; });
  named(
      "depth_schedule", "depth schedule", run::depthSchedules(),
      [](Request &r) -> DepthSchedule & { return r.options.stages.schedule; });
  named(
      "attention", "attention", run::attentionForms(),
      [](Request &r) -> AttentionForm & { return r.options.stages.attention; });
  named("optimizer", "optimizer", algorithms(),
        [](Request &r) -> OptimizerAlgorithm & {
          return r.options.stages.algorithm;
        });
  request.def_prop_rw(
      "target", [](Request &self) { return self.options.stages.target; },
      [](Request &self, const std::string &target) {
        std::vector<std::string> known = run::targetChoices();
        if (std::find(known.begin(), known.end(), target) == known.end())
          throw Failure(invalidArgument("unknown target ", inQuotes(target)));
        self.options.stages.target = target;
      });
  module.def("compile_config", &compileConfig, nb::arg("json"),
             nb::arg("where"), nb::arg("options"));
  module.def("compile_text", &compileModule, nb::arg("text"), nb::arg("name"),
             nb::arg("stage"), nb::arg("options"));
}

} // namespace attnres::python
