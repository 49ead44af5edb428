// attnres-run model: the model-stage IR of a configuration.
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include <memory>

namespace attnres::run {
namespace {

struct ModelCommand {
  ConfigOption config;
  CompileOptions options;
  std::string out;

  void run() const {
    if (!out.empty())
      check(checkWritable(out));
    writeText(unwrap(printStage(config.read(), options, Stage::Model)), out);
  }
};

} // namespace

void addModelCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("model", "print a model as MLIR, before any pass");
  auto state = std::make_shared<ModelCommand>();
  state->config.add(*command);
  addSizes(*command, state->options);
  addDType(*command, state->options);
  command->add_flag("!--no-loss", state->options.loss,
                    "do not return the loss");
  command->add_flag("!--no-logits", state->options.logits,
                    "do not return the logits");
  command->add_flag_callback(
      "--fuse-loss",
      [state] {
        state->options.fuseLoss = true;
        state->options.logits = false;
      },
      "loss without ever materializing the logits");
  command->add_flag("--document-masks", state->options.documents,
                    "rows hold several texts, see train --document-masks");
  command
      ->add_option("--dropout", state->options.dropout,
                   "share of elements that are set to 0")
      ->check(CLI::Range(0.0, 0.999));
  command
      ->add_option("--label-smoothing", state->options.labelSmoothing,
                   "share of each target spread over all tokens")
      ->check(CLI::Range(0.0, 0.999));
  command->add_option("--out", state->out, "where to write instead of printing")
      ->type_name("FILE");
  command->footer("Example:\n  attnres-run model --preset toy --batch-size 2 "
                  "--seq-len 128\n");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
