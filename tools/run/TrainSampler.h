// Texts that a model writes while it is trained.
#ifndef ATTNRES_TOOLS_RUN_TRAINSAMPLER_H
#define ATTNRES_TOOLS_RUN_TRAINSAMPLER_H

#include "runtime/data/Tokenizer.h"
#include "runtime/device/Device.h"
#include "runtime/training/Trainer.h"
#include "tools/compile/Compiler.h"
#include "tools/run/TrainingData.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <vector>

namespace attnres::run {

/// Continues the beginnings of some held-out samples: multiplications with the
/// most likely tokens to their end, other texts by draws at temperature 0.8.
class TrainSampler {
public:
  /// `tokenizer` turns the data's tokens into text; `device` outlives the
  /// sampler.
  TrainSampler(runtime::Device &device, const ModelConfig &config,
               const CompileOptions &options, const TrainingData &data,
               std::unique_ptr<runtime::Tokenizer> tokenizer);

  /// Records of kind "sample", with the parameters that the trainer has now.
  /// The first call compiles what it takes: training need not wait for it.
  std::vector<nlohmann::ordered_json> operator()(runtime::Trainer &trainer);

private:
  using Tokens = std::vector<int64_t>;

  void compile();

  runtime::Device &device;
  std::unique_ptr<runtime::Tokenizer> tokenizer;
  ModelConfig config;
  CompileOptions options;
  bool multiplies;
  std::vector<Tokens> prompts;
  std::vector<Tokens> expected; ///< what follows, when it is known
  int64_t longestPrompt = 0, newTokens = 0;
  std::shared_ptr<const runtime::Program> prefill, decode;
};

} // namespace attnres::run

#endif
