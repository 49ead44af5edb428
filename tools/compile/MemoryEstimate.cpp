//===- MemoryEstimate.cpp - whether a program fits into memory ------------===//
#include "tools/compile/MemoryEstimate.h"

#include "models/GenerationState.h"
#include "models/Parameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/GlobPattern.h"

#include <algorithm>
#include <atomic>
#include <new>

#include <unistd.h>

using namespace attnres;
using runtime::MemoryNeed;
using runtime::Program;

/// Bytes for each token that the backward pass reads and that no cheap
/// operation computes again: results of products and of attention.
static double keptBytesPerToken(const ModelConfig &config, double element) {
  double heads = static_cast<double>(config.numAttentionHeads);
  double keyHeads = static_cast<double>(config.numKeyValueHeads);
  double head = static_cast<double>(config.headDim);
  double inner = static_cast<double>(config.intermediateSize);
  double hidden = static_cast<double>(config.hiddenSize);
  // Queries, keys, values and the output with its log-sum-exps.
  double attention = (2 * heads + 2 * keyHeads) * head * element + heads * 4;
  double feedForward =
      (config.hiddenAct == HiddenAct::Gelu ? 1 : 2) * inner * element;
  // What each of the two sublayers reads.
  double inputs = 2 * hidden * element;
  return static_cast<double>(config.numHiddenLayers) *
         (attention + feedForward + inputs);
}

/// Elements of gradients and of moments.
static std::pair<double, double> learnedElements(const ModelConfig &config,
                                                 const StageOptions &stages) {
  std::vector<llvm::GlobPattern> frozen;
  for (const std::string &text : stages.frozen)
    if (auto pattern = llvm::GlobPattern::create(text))
      frozen.push_back(std::move(*pattern));
    else
      llvm::consumeError(pattern.takeError()); // an error of the compiler
  double gradients = 0, moments = 0;
  for (const Parameter &parameter : parameterShapes(config)) {
    if (llvm::any_of(frozen, [&](const llvm::GlobPattern &pattern) {
          return pattern.match(parameter.name);
        }))
      continue;
    auto elements = static_cast<double>(parameter.numElements());
    bool hasOne = stages.algorithm == OptimizerAlgorithm::Sgd ||
                  stages.algorithm == OptimizerAlgorithm::Lion ||
                  (stages.algorithm == OptimizerAlgorithm::Muon &&
                   parameter.matrices > 0);
    gradients += elements;
    moments += elements * (hasOne ? 1 : 2);
  }
  return {gradients, moments};
}

MemoryNeed attnres::estimateMemory(const ModelConfig &config,
                                   const CompileOptions &options) {
  constexpr double f32 = 4, i64 = 8;
  const StageOptions &stages = options.stages;
  double element = options.bf16 ? 2 : f32;
  double parameters = static_cast<double>(countParameters(config));
  double tokens =
      static_cast<double>(options.batch) * static_cast<double>(options.seqLen);
  double hidden = static_cast<double>(config.hiddenSize);
  double vocabulary = static_cast<double>(config.vocabSize);

  MemoryNeed need;
  need.add("parameters", parameters * (options.capacity > 0 ? element : f32));
  auto [gradients, moments] = learnedElements(config, stages);
  if (stages.gradients)
    need.add("gradients", gradients * f32);
  if (stages.optimizer)
    need.add("optimizer state", moments * f32);
  if (options.capacity > 0) {
    StateBytes state = countStateBytes(config, element);
    need.add("caches",
             static_cast<double>(options.batch) *
                 (state.fixed +
                  state.perPosition * static_cast<double>(options.capacity)));
  }
  need.add("tokens", tokens * i64 * (options.loss ? 2 : 1));
  bool isTraining = stages.gradients && stages.residualBytes < 0;
  need.add("activations", isTraining
                              ? tokens * keptBytesPerToken(config, element)
                              : tokens * hidden * element);
  if (options.capacity == 0 && (options.logits || !options.fuseLoss))
    need.add("logits", tokens * vocabulary * element);
  return need;
}

MemoryNeed attnres::memoryOf(const Program &program) {
  MemoryNeed need;
  double inputs = 0, results = 0;
  for (const runtime::Binding &binding : program.bindings) {
    if (binding.direction == runtime::Direction::Input)
      inputs += static_cast<double>(binding.bytes());
    else if (binding.updates < 0)
      results += static_cast<double>(binding.bytes());
  }
  need.add("arguments", inputs);
  need.add("results", results);
  need.add("constants", static_cast<double>(program.constants.size()));
  need.add("arena", static_cast<double>(program.workspaceBytes));
  return need;
}

Status attnres::expectMemoryToCompile(MemoryNeed need) {
  constexpr double compilerBytes = 320 << 20; // with its threads' arenas
  runtime::MemoryLimit limit = runtime::memoryLimit();
  if (limit.origin.find("ulimit") != std::string::npos)
    need.add("the compiler", compilerBytes);
  return need.expectWithin(limit, "the program");
}

/// What is to be said: there is no memory to write it then.
static std::string &lastWords() {
  static std::string text;
  return text;
}

static void endWithLastWords() {
  static std::atomic_flag ending = ATOMIC_FLAG_INIT;
  while (ending.test_and_set()) // another thread says it
    ::pause();
  const std::string &text = lastWords();
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(1);
}

/// Lets the stack have its pages now: where the address space is limited, it
/// could not grow later, and nothing would be said.
[[gnu::noinline]] static void growStack() {
  constexpr size_t bytes = size_t{2} << 20, page = 4096;
  volatile char stack[bytes];
  for (size_t i = 0; i < bytes; i += page)
    stack[bytes - 1 - i] = 0;
}

void attnres::endWithoutMemoryInOneLine(const char *program) {
  growStack();
  runtime::MemoryLimit limit = runtime::memoryLimit();
  lastWords() = concat(program, ": out of memory; ", limit.origin, " ",
                       runtime::formatBytes(limit.bytes), "\n");
  std::set_new_handler(endWithLastWords);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endWithLastWords(); });
}

Status attnres::expectMemory(const MemoryNeed &need) {
  return need.expectWithin(runtime::memoryLimit(), "the program");
}
