// attnres-run eval: how well a model predicts data.
#include "runtime/training/Checkpoint.h"
#include "runtime/training/Evaluator.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/Options.h"
#include "tools/run/TrainingData.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include <unistd.h>

namespace attnres::run {
namespace {

struct EvalCommand {
  std::string modelDir;
  std::vector<std::string> data;
  int64_t samples = 1000;
  uint64_t seed = 0;
  int threads = 0;
  bool trainingPart = false;
  bool json = false;
  CompileOptions options;

  void run();
  runtime::Result<TrainingData> openData() const;
  void print(const runtime::EvaluationResult &result) const;
};

void EvalCommand::run() {
  ModelFiles model = unwrap(ModelFiles::open(modelDir));
  TrainingData source = unwrap(openData());
  const runtime::Dataset &set =
      trainingPart ? *source.train : *source.validation;
  if (model.config.vocabSize < set.vocabularySize())
    throw CommandError(runtime::concat(
        "the data has a vocabulary of ", set.vocabularySize(),
        " tokens, the model one of ", model.config.vocabSize));
  options.seqLen = set.length();
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileEvaluation({model.config, ""}, options,
                               /*logits=*/source.digits > 0)));
  runtime::CpuOptions cpu;
  cpu.threads = threads;
  runtime::CpuDevice device(cpu);
  // Files need not align their tensors as kernels expect.
  std::vector<runtime::AlignedBuffer> buffers;
  std::vector<runtime::TensorView> parameters = model.parameters.tensors();
  for (runtime::TensorView &tensor : parameters) {
    auto bytes = static_cast<size_t>(tensor.bytes);
    runtime::AlignedBuffer buffer =
        unwrap(runtime::AlignedBuffer::allocate(bytes));
    if (bytes > 0)
      std::memcpy(buffer.data(), tensor.data, bytes);
    tensor.data = buffer.data();
    buffers.push_back(std::move(buffer));
  }
  auto evaluator =
      unwrap(runtime::Evaluator::create(device, program, parameters));
  print(*unwrap(evaluator->run(set, samples)));
}

/// Text is read as the model's tokenizer reads it.
runtime::Result<TrainingData> EvalCommand::openData() const {
  namespace fs = std::filesystem;
  std::string folder = runtime::resolveCheckpoint(modelDir);
  if (!fs::exists(folder + "/tokenizer.json") || !readsText(data))
    return TrainingData::open(data, options.seqLen, seed, {});
  // Needed no longer than until it is mapped.
  std::string cache = fs::temp_directory_path() /
                      ("attnres-tokens-" + std::to_string(::getpid()));
  auto opened = TrainingData::open(data, options.seqLen, seed, {folder, cache});
  std::error_code absent;
  fs::remove(cache, absent);
  return opened;
}

void EvalCommand::print(const runtime::EvaluationResult &result) const {
  if (json) {
    nlohmann::ordered_json value = {{"samples", result.samples},
                                    {"targets", result.targets},
                                    {"loss", result.loss},
                                    {"perplexity", std::exp(result.loss)}};
    if (result.accuracy)
      value["accuracy"] = *result.accuracy;
    if (!result.depthWeights.empty())
      value["depth_weights"] = result.depthWeights;
    std::cout << value.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format("samples     {}\ntargets     {}\nloss        "
                           "{:.6f}\nperplexity  {:.4f}\n",
                           result.samples, result.targets, result.loss,
                           std::exp(result.loss));
  if (result.accuracy)
    std::cout << fmt::format("accuracy    {:.4f}\n", *result.accuracy);
}

} // namespace

void addEvalCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("eval", "loss and accuracy of a model on data");
  auto state = std::make_shared<EvalCommand>();
  state->options.batch = 8;
  state->options.seqLen = 0;
  command
      ->add_option("--model", state->modelDir,
                   "folder of a model, or of a training run")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--data", state->data,
                   "text files, or computed samples of multiplication")
      ->type_name("FILE|multiplication:DIGITS[,count=N]")
      ->required();
  command->add_flag("--training-part", state->trainingPart,
                    "use the samples for training, not those held out");
  command->add_option("--samples", state->samples, "at most that many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", state->seed, "of computed samples")
      ->capture_default_str();
  command->add_option("--batch-size", state->options.batch,
                      "sequences in a batch")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--seq-len", state->options.seqLen,
                   "tokens in a sequence; 0 for 256, or what multiplication "
                   "needs")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  addDType(*command, state->options);
  addThreads(*command, state->threads);
  command->add_flag("--json", state->json, "print JSON");
  command->footer("The accuracy of multiplication is the share of questions "
                  "whose whole answer, steps and\nall, greedy generation gets "
                  "right.\n\nExample:\n  attnres-run eval --model runs/mul "
                  "--data multiplication:2 --samples 5000");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
