// The model that options of train name.
#ifndef ATTNRES_TOOLS_RUN_TRAINMODEL_H
#define ATTNRES_TOOLS_RUN_TRAINMODEL_H

#include "tools/compile/TrainingCompiler.h"
#include "tools/run/TrainSettings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::run {

struct ModelChoice {
  std::string preset, configPath, modelPath; ///< one is not empty
  std::string attnresMode;
  int64_t attnresBlockSize = 0; ///< 0: as the configuration says
  std::vector<std::string> assignments;

  /// Whether fields of a configuration are replaced.
  bool changesFields() const {
    return !attnresMode.empty() || attnresBlockSize > 0 || !assignments.empty();
  }

  /// A configuration, of a preset with the `vocabulary` of the data, or the
  /// text of a model of one's own. Throws CommandError.
  ModelSource read(const TrainSettings &settings, int64_t vocabulary) const;

private:
  ModelSource readModule(const TrainSettings &settings) const;
  ModelConfig readConfig(int64_t vocabulary) const;
};

} // namespace attnres::run

#endif
