// attnres-run compile: a program in a file, for machines without a compiler.
// Of a model by its configuration, or of a module that somebody wrote.
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"

#include <memory>

namespace attnres::run {
namespace {

struct CompileCommand {
  ConfigOption config;
  std::string module; ///< instead of a configuration
  std::string from = "model";
  CompileOptions options;
  DumpOption dumps;
  std::string purpose = "forward";
  std::string out;

  void run() {
    bool isCached = purpose == "prefill" || purpose == "decode";
    if (isCached != (options.capacity > 0))
      throw CommandError(isCached ? "--purpose " + purpose + " needs --capacity"
                                  : "--capacity needs --purpose prefill or "
                                    "decode");
    if (purpose == "decode" && options.seqLen != 1)
      throw CommandError(
          concat("--purpose decode reads 1 token at a time, got --seq-len ",
                 options.seqLen));
    check(checkWritable(out));
    check(dumps.checkWritable());
    options.stages.gradients = purpose == "gradients" || purpose == "train";
    options.stages.optimizer = purpose == "train";
    check(
        (module.empty() ? compileConfig(!isCached) : compileFile()).save(out));
  }

private:
  runtime::Program compileConfig(bool mayFuse) {
    options.logits = purpose == "forward";
    ModelConfig model = config.read();
    options.fuseLoss = mayFuse && wantsFusedLoss(model, options);
    return unwrap(compileModel(model, options, dumps.observer()));
  }

  runtime::Program compileFile() {
    return unwrap(compileText(readModule(module), options, module,
                              *parseStage(from), dumps.observer()));
  }
};

} // namespace

void addCompileCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("compile", "compile a model to a program file");
  auto state = std::make_shared<CompileCommand>();
  CLI::Option *module = state->config.add(*command, state->module);
  std::vector<std::string> stages;
  for (Stage stage : stagesTo(Stage::Planned))
    stages.emplace_back(toString(stage));
  command->add_option("--from", state->from, "the stage that --module is at")
      ->check(CLI::IsMember(stages))
      ->needs(module)
      ->capture_default_str();
  addSizes(*command, state->options);
  addDType(*command, state->options);
  addStages(*command, state->options);
  command->add_option("--purpose", state->purpose, "what the program computes")
      ->check(
          CLI::IsMember({"forward", "gradients", "train", "prefill", "decode"}))
      ->capture_default_str();
  command
      ->add_option("--capacity", state->options.capacity,
                   "tokens of a text, its prompt included: what the caches of "
                   "prefill and decode hold")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30));
  command->add_option("--out", state->out, "where to write the program")
      ->type_name("FILE")
      ->required();
  state->dumps.add(*command);
  command->footer("Example:\n  attnres-run compile --preset toy --batch-size 8 "
                  "--seq-len 256 --purpose train --out toy.program\n"
                  "  attnres-run compile --module kernels.mlir --from planned "
                  "--out kernels.program");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
