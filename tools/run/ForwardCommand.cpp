// attnres-run forward: logits, loss and depth weights of one batch.
#include "tools/run/Commands.h"
#include "tools/run/Evaluation.h"

#include <memory>

namespace attnres::run {

void addForwardCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "forward", "logits, loss and depth weights of one batch");
  auto evaluation = std::make_shared<Evaluation>();
  evaluation->options.stages.recordWeights = true;
  evaluation->addOptions(*command);
  command->footer(
      "Writes logits, loss (when the batch has targets) and depth_weights.N, "
      "the softmax\nover depth of mixture N; of routers and recurrent states "
      "router_load.N, decay.N\nand state_norm.N.\n\n"
      "Example:\n  attnres-run forward --model DIR --batch batch.safetensors "
      "--out result.safetensors\n"
      "  attnres-run forward --model model.mlir --batch model.safetensors "
      "batch.safetensors \\\n    --out result.safetensors");
  command->callback([evaluation] { evaluation->run(); });
}

} // namespace attnres::run
