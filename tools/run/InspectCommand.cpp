// attnres-run inspect: the parameters of a model in tables, and how large its
// activations are.
#include "tools/run/Commands.h"
#include "tools/run/EvalCommand.h"
#include "tools/run/ModelFiles.h"

#include "tools/report/Activations.h"
#include "tools/report/Inspection.h"

#include <memory>

namespace attnres::run {
namespace {

struct InspectCommand {
  std::string model, runFolder;
  bool json = false, activations = false;
  EvalCommand measurement;

  void run() {
    ModelFiles files = unwrap(ModelFiles::open(model));
    report::Inspection inspection(files.config, files.parameters);
    std::optional<report::RunFolder> recorded;
    if (!runFolder.empty())
      recorded = unwrap(report::RunFolder::open(runFolder));
    const report::RunFolder *metrics = recorded ? &*recorded : nullptr;
    std::optional<runtime::EvaluationResult> measured;
    if (activations) {
      measurement.modelDir = model;
      measured = measurement.evaluate();
    }
    writeText(json ? toJson(inspection, metrics, measured).dump(2) + "\n"
                   : toText(inspection, metrics, measured),
              "");
  }

private:
  static std::string
  toText(const report::Inspection &inspection, const report::RunFolder *metrics,
         const std::optional<runtime::EvaluationResult> &measured) {
    std::string text = inspection.toText(metrics);
    if (measured)
      text += concat("\nroot mean square of activations, mean over the tokens "
                     "of ",
                     measured->samples, " samples, and the largest\n\n",
                     report::activationTable(measured->activations));
    return text;
  }

  static nlohmann::ordered_json
  toJson(const report::Inspection &inspection, const report::RunFolder *metrics,
         const std::optional<runtime::EvaluationResult> &measured) {
    nlohmann::ordered_json result = inspection.toJson(metrics);
    if (!measured)
      return result;
    auto &places = result["activations"] = nlohmann::ordered_json::array();
    for (const runtime::ActivationNorm &norm : measured->activations)
      places.push_back(
          {{"place", norm.name}, {"mean", norm.mean}, {"most", norm.most}});
    return result;
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
  command->add_flag("--activations", state->activations,
                    "adds how large activations are at every sublayer; the "
                    "options below say on what data");
  state->measurement.samples = 16;
  state->measurement.addOptions(*command);
  command->footer(
      "Examples:\n  attnres-run inspect --model runs/block --metrics "
      "runs/block\n  attnres-run inspect --model runs/block --activations\n  "
      "attnres-run inspect --model runs/block --activations --data other.txt");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
