// An experiment: several training runs that differ in named fields, as a file
// describes them.
//
//   {
//     "title": "what is compared",
//     "preset": "ch5",                      or "config": "FILE"
//     "common": {"train.data": "multiplication:2", "train.steps": 600},
//     "runs": [{"name": "off", "config.attnres": "off"},
//              {"name": "block", "config.attnres": "block"}],
//     "grid": {"train.seed": [0, 1, 2]}
//   }
//
// A field is `config.` and a field of config.json, `train.` and an option of
// `attnres-run train`, or `preset`. There is a run for each entry of "runs"
// with each combination of the grid's values; either may be left out.
#ifndef ATTNRES_TOOLS_RUN_EXPERIMENT_H
#define ATTNRES_TOOLS_RUN_EXPERIMENT_H

#include "models/ModelConfig.h"
#include "support/Status.h"
#include "tools/run/TrainSettings.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace attnres::run {

struct ExperimentRun {
  std::string name;  ///< of its folder
  std::string group; ///< the name without the seed: runs that repeat each other
  std::string preset, configPath;       ///< one of them is not empty
  std::vector<std::string> assignments; ///< for ModelConfig::with()
  /// As far as the data does not decide the vocabulary.
  ModelConfig config;
  TrainSettings settings;

  /// Those of `attnres-run train` for this run, without --out.
  std::vector<std::string> arguments() const;
  /// All that a run is made of, to notice that it has changed.
  nlohmann::ordered_json toJson() const;
};

struct Experiment {
  std::string title;
  std::vector<ExperimentRun> runs; ///< at least one, of different names

  /// Reads and checks everything that can be known before a run begins: names,
  /// types and ranges of all fields of all runs.
  static Result<Experiment> read(const std::string &path);
  /// The same of a text; `where` names it in messages.
  static Result<Experiment> parse(std::string_view text,
                                  const std::string &where);
};

} // namespace attnres::run

#endif
