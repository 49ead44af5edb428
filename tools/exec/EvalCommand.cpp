// attnres-exec eval: how well a model predicts data, by a compiled program.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"

#include "runtime/training/Checkpoint.h"
#include "runtime/training/Evaluator.h"
#include "support/BindingNames.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

struct EvalCommand {
  ProgramOption file;
  DataOption data;
  std::string model;
  int64_t samples = 0;
  uint64_t seed = 0;
  bool json = false;

  void run() {
    file.open();
    auto program = file.program("forward");
    ModelConfig config = file.config(*program);
    run::RunRecord record;
    auto held = runtime::HeldCheckpoint::open(model);
    data.open(record, held.path());
    DeviceParameters parameters =
        DeviceParameters::load(file.device(), *program, model);
    auto evaluator = unwrap(
        runtime::Evaluator::create(file.device(), program, parameters.tensors));
    if (!data.source().multiplication)
      evaluator->ignoreAnswers();
    run::Encoding encoding = {data.tokenizer().tokenizer.get(), "",
                              config.vocabSize};
    run::PartOptions part;
    part.part = data.source().multiplication ? run::DataPart::HeldOut
                                             : run::DataPart::All;
    part.length = data.source().multiplication ? 0 : evaluator->length();
    part.seed = seed;
    part.most = samples > 0 ? samples : 1000;
    auto opened =
        unwrap(run::EvaluationData::open(data.source(), encoding, part));
    std::optional<runtime::EvaluationResult> all;
    for (const run::NamedSet &named : opened.sets) {
      if (named.set->length() != evaluator->length())
        throw CommandError(concat(file.path(), " takes ", evaluator->length(),
                                  " tokens in a sequence, the data has ",
                                  named.set->length()));
      int64_t count = samples > 0 ? std::min(samples, named.set->size())
                                  : named.set->size();
      auto result =
          *unwrap(evaluator->run({{named.name, named.set.get()}}, count));
      if (all)
        all->add(result);
      else
        all = std::move(result);
    }
    print(*all);
  }

private:
  void print(const runtime::EvaluationResult &result) const {
    if (json) {
      nlohmann::ordered_json report = {{"loss", result.loss},
                                       {"samples", result.samples},
                                       {"targets", result.targets}};
      if (result.accuracy)
        report["accuracy"] = *result.accuracy;
      std::cout << report.dump(2) << '\n';
      return;
    }
    std::cout << fmt::format("loss {:.4f} on {} samples, {} targets",
                             result.loss, result.samples, result.targets);
    if (result.accuracy)
      std::cout << fmt::format(", {:.1f} % exactly right",
                               100 * *result.accuracy);
    std::cout << '\n';
  }
};

} // namespace

void addEvalCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("eval", "the loss of a model on data");
  auto state = std::make_shared<EvalCommand>();
  state->file.add(*command);
  state->data.add(*command);
  command
      ->add_option("--model", state->model,
                   "folder with model.safetensors, or of a run")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--samples", state->samples, "the first N; 0: all there are")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  command->add_option("--seed", state->seed, "of computed samples")
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Needs a program to go forward.\nExample:\n  attnres-exec "
                  "eval toy.program --model runs/book --data other.txt");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
