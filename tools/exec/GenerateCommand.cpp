// attnres-exec generate: continues prompts by compiled programs.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"

#include "runtime/generation/CachedModel.h"
#include "runtime/training/Checkpoint.h"
#include "tools/run/TextStream.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

using runtime::AlignedBuffer;
using runtime::Program;
using runtime::TensorView;

/// The parameters of a program on the host, f32.
struct HostParameters {
  std::vector<AlignedBuffer> buffers;
  std::vector<TensorView> tensors;

  static HostParameters load(const Program &program, const std::string &path) {
    HostParameters parameters;
    for (const runtime::Binding &binding : program.bindings) {
      if (binding.direction != runtime::Direction::Input ||
          binding.role != runtime::Role::Parameter)
        continue;
      int64_t bytes = *runtime::tensorBytes(runtime::DType::F32, binding.shape);
      parameters.buffers.push_back(
          unwrap(AlignedBuffer::allocate(static_cast<size_t>(bytes))));
      parameters.tensors.push_back({binding.name, runtime::DType::F32,
                                    binding.shape,
                                    parameters.buffers.back().data(), bytes});
    }
    check(runtime::loadTensors(path, parameters.tensors));
    return parameters;
  }

  const TensorView *find(const std::string &name) const {
    for (const TensorView &tensor : tensors)
      if (tensor.name == name)
        return &tensor;
    return nullptr;
  }
};

struct GenerateCommand {
  ProgramOption file;
  std::string model, tokenizerDir;
  std::vector<std::string> prompts;
  runtime::GenerationOptions generation;
  bool stopAtEnd = true, speed = false;

  void run() {
    check(generation.sampling.validate());
    generation.maxNewTokens = std::max<int64_t>(generation.maxNewTokens, 0);
    file.open();
    auto decode = file.program("decode");
    auto prefill =
        file.pack().has("prefill") ? file.program("prefill") : decode;
    auto held = runtime::HeldCheckpoint::open(model);
    HostParameters parameters =
        HostParameters::load(*decode, held.path() + "/model.safetensors");
    auto cached = unwrap(runtime::CachedModel::create(
        file.device(), prefill, decode,
        [&](const std::string &name) { return parameters.find(name); }));
    auto tokenizer = openTokenizer(held.path(), file.config(*decode));
    if (stopAtEnd)
      generation.endToken = tokenizer->endToken();
    generation.vocabulary = tokenizer->vocabularySize();
    if (static_cast<int64_t>(prompts.size()) > cached->batch())
      throw CommandError(concat("the programs continue ", cached->batch(),
                                " texts at once, got ", prompts.size()));
    std::vector<std::vector<int64_t>> tokens;
    for (const std::string &prompt : prompts) {
      tokens.push_back(unwrap(tokenizer->encode(prompt)));
      auto length = static_cast<int64_t>(tokens.back().size());
      if (length == 0 || length > cached->capacity())
        throw CommandError(concat("prompt ", tokens.size(), " has ", length,
                                  " tokens, expected 1 to ",
                                  cached->capacity()));
    }
    // Rows that nobody asked for continue the first prompt, unseen.
    auto asked = tokens.size();
    tokens.resize(static_cast<size_t>(cached->batch()), tokens.front());
    run::TextStream texts(*tokenizer, tokens, {}, /*prints=*/false);
    generation.ends = texts.ends();
    auto start = std::chrono::steady_clock::now();
    auto continuations = unwrap(
        runtime::generate(*cached, tokens, generation, texts.observer()));
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    size_t count = 0;
    for (size_t i = 0; i < asked; ++i) {
      std::cout << texts.text(i) << '\n';
      count += continuations[i].tokens.size();
    }
    if (speed)
      std::cerr << fmt::format("{} tokens in {:.3f} s\n", count, seconds);
  }

private:
  std::unique_ptr<runtime::Tokenizer>
  openTokenizer(const std::string &folder, const ModelConfig &config) const {
    auto record = unwrap(run::RunRecord::ofCheckpoint(folder));
    run::FoundTokenizer found = unwrap(
        run::tokenizerOf(folder, tokenizerDir, record ? &*record : nullptr));
    if (!found.tokenizer)
      return unwrap(runtime::Tokenizer::open(folder, config.vocabSize));
    if (found.tokenizer->vocabularySize() > config.vocabSize)
      throw CommandError(concat("the tokenizer has ",
                                found.tokenizer->vocabularySize(),
                                " tokens, the model ", config.vocabSize));
    return std::move(found.tokenizer);
  }
};

} // namespace

void addGenerateCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("generate", "continue prompts with a model");
  auto state = std::make_shared<GenerateCommand>();
  state->generation.maxNewTokens = 100;
  state->file.add(*command);
  command
      ->add_option("--model", state->model,
                   "folder with model.safetensors, or of a run")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--tokenizer", state->tokenizerDir,
                   "folder with tokenizer.json, if the model's has none")
      ->type_name("DIR");
  command
      ->add_option("--prompt", state->prompts, "a text to continue; repeatable")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  command
      ->add_option("--max-new-tokens", state->generation.maxNewTokens,
                   "most tokens to add to a prompt")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 30))
      ->capture_default_str();
  command
      ->add_option("--temperature", state->generation.sampling.temperature,
                   "divides the logits; 0 takes the most likely token")
      ->capture_default_str();
  command->add_option("--seed", state->generation.sampling.seed, "of the draws")
      ->capture_default_str();
  command->add_flag("--stop-at-eos,!--ignore-eos", state->stopAtEnd,
                    "end a text at its end token (the default), or go on");
  command->add_flag("--speed", state->speed,
                    "say on standard error how long it took");
  command->footer(
      "Needs a program to decode, and perhaps one to prefill.\nExample:\n  "
      "attnres-exec generate toy.program --model runs/book --prompt 'It was'");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
