// attnres-run inspect: the parameters of a model in tables.
#include "tools/run/Commands.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/Options.h"

#include "tools/report/Inspection.h"

#include <memory>

namespace attnres::run {
namespace {

struct InspectCommand {
  std::string model, runFolder;
  bool json = false;

  void run() const {
    ModelFiles files = unwrap(ModelFiles::open(model));
    report::Inspection inspection(files.config, files.parameters);
    std::optional<report::RunFolder> recorded;
    if (!runFolder.empty())
      recorded = unwrap(report::RunFolder::open(runFolder));
    const report::RunFolder *metrics = recorded ? &*recorded : nullptr;
    writeText(json ? inspection.toJson(metrics).dump(2) + "\n"
                   : inspection.toText(metrics),
              "");
  }
};

} // namespace

void addInspectCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "inspect", "sizes and values of a model's parameters, depth weights");
  auto state = std::make_shared<InspectCommand>();
  command
      ->add_option("--model", state->model,
                   "folder with config.json and model.safetensors, or "
                   "folder of a run, for its last checkpoint")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--metrics", state->runFolder,
                   "folder that train wrote: adds its last depth weights and "
                   "gradient norms")
      ->type_name("DIR");
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Example:\n  attnres-run inspect --model "
                  "runs/block --metrics runs/block");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
