// attnres-run compile: a program in a file, for machines without a compiler.
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include <memory>

namespace attnres::run {
namespace {

struct CompileCommand {
  ConfigOption config;
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
    options.logits = purpose == "forward";
    ModelConfig model = config.read();
    options.fuseLoss = !isCached && wantsFusedLoss(model, options);
    check(unwrap(compileModel(model, options, dumps.observer())).save(out));
  }
};

} // namespace

void addCompileCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("compile", "compile a model to a program file");
  auto state = std::make_shared<CompileCommand>();
  state->config.add(*command);
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
                  "--seq-len 256 --purpose train --out toy.program");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
