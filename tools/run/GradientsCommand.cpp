// attnres-run gradients: the loss of one batch and its gradients.
#include "tools/run/Commands.h"
#include "tools/run/Evaluation.h"

#include <memory>

namespace attnres::run {

void addGradientsCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "gradients", "loss of one batch and the gradients of the parameters");
  auto evaluation = std::make_shared<Evaluation>();
  evaluation->options.logits = false;
  evaluation->options.stages.gradients = true;
  evaluation->addOptions(*command);
  command->add_flag("--fuse-loss", evaluation->options.fuseLoss,
                    "loss without ever materializing the logits");
  command
      ->add_option("--residual-bytes", evaluation->options.stages.residualBytes,
                   "bytes kept for the backward pass, the rest is recomputed; "
                   "negative for no limit")
      ->type_name("N");
  command->footer("Writes loss and grad.NAME for every parameter NAME.\n\n"
                  "Example:\n  attnres-run gradients --model DIR --batch "
                  "batch.safetensors --out result.safetensors");
  command->callback([evaluation] { evaluation->run(); });
}

} // namespace attnres::run
