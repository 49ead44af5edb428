//===- RandomPipeline.cpp - passes in random order with random options
//-----===//
#include "tools/fuzz/RandomPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace attnres;
using namespace attnres::fuzz;

namespace {

struct Option {
  const char *name;
  std::vector<const char *> values;
};

struct PassEntry {
  const char *name;
  std::vector<Option> options = {};
  /// The operation that it runs on, when it is not the module or any.
  const char *nested = nullptr;
  /// Whether it runs on any operation.
  bool anywhere = false;
};

} // namespace

static const Option kFunction = {
    "function", {"main", "main", "main", "f1", "external", "missing", ""}};
static const Option kIsa = {"isa",
                            {"generic", "avx2", "avx512", "avx512-bf16",
                             "avx512-bf16+amx-bf16", "host", "avx2", "avx512",
                             "wrong", ""}};
static const Option kGpu = {"target",
                            {"sm_80", "sm_80", "sm_90a", "sm_100a", "cpu", ""}};
static const char *const kInteger[] = {"0", "1",    "4",    "-1",
                                       "7", "4096", "1024", "1000000000"};

static std::vector<const char *> integers() {
  return {std::begin(kInteger), std::end(kInteger)};
}

/// This project's passes.
static const std::vector<PassEntry> &ownPasses() {
  static const std::vector<PassEntry> passes = {
      {"attnres-flatten", {{"max-ops", integers()}}},
      {"attnres-verify-stage",
       {{"stage",
         {"model", "naive", "scheduled", "training", "kernels", "planned",
          "cpu", "nvptx", "wrong", ""}}}},
      {"attnres-expand-stack",
       {{"record-weights", {"true", "false"}}},
       nullptr,
       true},
      {"attnres-record-layers"},
      {"attnres-raise-attention", {}, nullptr, true},
      {"attnres-hoist-selections", {}, nullptr, true},
      {"attnres-two-phase",
       {{"group-size", {"0", "1", "2", "3", "100"}},
        {"count-backward", {"true", "false"}}},
       nullptr,
       true},
      {"attnres-differentiate",
       {kFunction, {"loss-weight", {"true", "false"}}}},
      {"attnres-index-limits", {kFunction}},
      {"attnres-sum-gradients", {kFunction}},
      {"attnres-recompute",
       {{"budget-bytes", integers()}, {"allow-matmul", {"true", "false"}}},
       "func.func"},
      {"attnres-fold-accumulation", {}, nullptr, true},
      {"attnres-optimizer",
       {kFunction,
        {"beta1", {"0", "0.9", "1", "-1", "nan"}},
        {"eps", {"0", "1e-8", "-1", "1e-300"}},
        {"clip-norm", {"0", "1", "-1", "inf"}},
        {"keep-gradients", {"true"}},
        {"return-squares", {"true"}}}},
      {"attnres-rope-tables", {}, nullptr, true},
      {"attnres-lower-loss",
       {{"chunk-bytes", integers()}, {"max-chunks", {"0", "1", "7", "128"}}},
       nullptr,
       true},
      {"attnres-pack-matmul",
       {{"tile", {"0", "1", "8", "16", "32", "-4", "1000000000000"}},
        {"bf16-in-kernels", {"true", "false"}},
        {"f32-in-kernels", {"0", "1", "96", "-1"}},
        {"unpacked-rows", {"0", "4", "-1"}}},
       nullptr,
       true},
      {"attnres-split-reductions",
       {{"rows", integers()}, {"most", {"0", "1", "7", "64"}}},
       nullptr,
       true},
      {"attnres-lower-tensors", {kFunction}},
      {"attnres-form-kernels", {kFunction, {"max-ops", {"0", "1", "2", "12"}}}},
      {"attnres-share-kernels"},
      {"attnres-annotate-costs"},
      {"attnres-annotate-phases"},
      {"attnres-place-communication"},
      {"attnres-cut-pipeline",
       {{"stages", {"1", "2", "2", "3", "0"}}, {"stage", {"0", "1", "-1"}}}},
      {"attnres-plan-memory"},
      {"attnres-check-memory-plan"},
      {"attnres-flash-attention", {kIsa}},
      {"attnres-vectorize-rows", {kIsa}},
      {"attnres-vectorize-columns", {kIsa}},
      {"attnres-vectorize-convolution", {kIsa}},
      {"attnres-chunk-kda", {kIsa}},
      {"attnres-grouped-matmul", {kIsa}},
      {"attnres-tile-matmul", {kIsa, {"threads", {"0", "1", "4", "-1", "64"}}}},
      {"attnres-lower-linalg-kernels"},
      {"attnres-warp-rows", {kGpu}},
      {"attnres-matrix-code", {kGpu}},
      {"attnres-thread-operations", {kGpu}},
      {"attnres-thread-elements", {kGpu}},
      {"attnres-decompose",
       {{"ops",
         {"attnres.attention", "attnres.gelu", "attnres.rms_norm",
          "attnres.linear", "missing", "attnres.attention_backward"}}},
       nullptr,
       true},
      {"attnres-interpret",
       {{"function", {"main", "f1", "missing", ""}},
        {"round-to-storage", {"true", "false"}}}},
  };
  return passes;
}

/// The stages, from short to long.
static const std::vector<PassEntry> &stages() {
  static const std::vector<PassEntry> all = [] {
    std::vector<PassEntry> all;
    for (const char *name :
         {"attnres-to-naive", "attnres-to-scheduled", "attnres-to-training",
          "attnres-to-kernels", "attnres-to-planned", "attnres-to-cpu",
          "attnres-to-nvptx"}) {
      PassEntry stage = {name,
                         {{"record-weights", {"true", "false"}},
                          {"schedule", {"naive", "two-phase", "wrong"}},
                          {"gradients", {"true", "true", "false"}},
                          {"residual-bytes", {"0", "-1", "1000"}},
                          {"optimizer", {"true", "false"}},
                          {"attention", {"naive", "flash"}},
                          {"sum-gradients", {"true", "false"}},
                          {"clip-norm", {"0", "1", "-1"}},
                          {"threads", {"0", "1", "4", "64"}}}};
      if (llvm::StringRef(name) == "attnres-to-nvptx") {
        stage.options.push_back(kGpu);
      } else {
        stage.options.push_back(
            {"target", {"cpu", "cpu:avx2", "cpu:wrong", "wrong"}});
        stage.options.push_back(kIsa);
      }
      all.push_back(std::move(stage));
    }
    return all;
  }();
  return all;
}

/// Passes of MLIR that programs meet before ours, or between.
static const std::vector<PassEntry> &foreignPasses() {
  static const std::vector<PassEntry> passes = {
      {"canonicalize"},
      {"cse"},
      {"inline"},
      {"sccp"},
      {"symbol-dce"},
      {"loop-invariant-code-motion"},
      {"linalg-generalize-named-ops", {}, "func.func"},
      {"linalg-fuse-elementwise-ops"},
      {"convert-elementwise-to-linalg"},
      {"linalg-fold-unit-extent-dims"},
  };
  return passes;
}

static std::string element(const PassEntry &pass, Random &random) {
  std::vector<std::string> chosen;
  for (const Option &option : pass.options)
    if (random.chance(pass.options.size() > 4 ? 25 : 40))
      chosen.push_back(std::string(option.name) + "=" +
                       option.values[random.below(option.values.size())]);
  std::string text = pass.name;
  if (!chosen.empty())
    text += "{" + llvm::join(chosen, " ") + "}";
  std::string nested = pass.nested ? pass.nested : "";
  if (pass.anywhere && random.chance(12))
    nested = "func.func";
  return nested.empty() ? text : nested + "(" + text + ")";
}

static std::string one(const std::vector<PassEntry> &from, Random &random) {
  return element(from[random.below(from.size())], random);
}

Pipeline fuzz::randomPipeline(Random &random) {
  Pipeline pipeline;
  int64_t kind = random.below(100);
  if (kind < 40) {
    // A stage, as a user asks for it; sometimes with something around.
    if (random.chance(15))
      pipeline.push_back(one(foreignPasses(), random));
    if (random.chance(10))
      pipeline.push_back(one(ownPasses(), random));
    // Later stages include the earlier ones.
    size_t stage =
        random.chance(60) ? stages().size() - 1 : random.below(stages().size());
    pipeline.push_back(element(stages()[stage], random));
    if (random.chance(15))
      pipeline.push_back(one(ownPasses(), random));
    return pipeline;
  }
  if (kind < 60) {
    // One pass alone.
    pipeline.push_back(one(ownPasses(), random));
    return pipeline;
  }
  if (kind < 80) {
    // The passes of the compiler in their order, with gaps.
    for (const PassEntry &pass : ownPasses()) {
      if (random.chance(65))
        continue;
      pipeline.push_back(element(pass, random));
      if (random.chance(15))
        pipeline.push_back(one(foreignPasses(), random));
    }
  }
  // Any order.
  while (pipeline.empty() || (kind >= 80 && random.chance(75)))
    pipeline.push_back(random.chance(80) ? one(ownPasses(), random)
                                         : one(foreignPasses(), random));
  return pipeline;
}

std::string fuzz::toString(const Pipeline &pipeline) {
  return llvm::join(pipeline, ",");
}

std::vector<std::string> fuzz::knownPasses() {
  std::vector<std::string> names;
  for (const auto *passes : {&ownPasses(), &stages()})
    for (const PassEntry &pass : *passes)
      names.push_back(pass.name);
  return names;
}
