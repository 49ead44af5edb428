// The records of a training run, as `attnres-run train --out DIR` leaves them:
// DIR/run.json and DIR/metrics.jsonl.
#ifndef ATTNRES_TOOLS_REPORT_RUNFOLDER_H
#define ATTNRES_TOOLS_REPORT_RUNFOLDER_H

#include "models/DepthLayout.h"
#include "models/ModelConfig.h"
#include "support/Status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnres::report {

// Real numbers that are null or absent in the file are NaN here.

struct Step {
  int64_t step;
  double loss;
  double gradNorm;
  double learningRate;
  double tokens; ///< read since the start of the run
  double tokensPerSecond;
  double seconds; ///< since the start of the run
};

struct Evaluation {
  int64_t step;
  double loss; ///< NaN without a validation set
  double perplexity;
  double accuracy; ///< fraction of right answers; NaN where there is no answer
  /// The loss of each validation set, where they have names.
  std::vector<std::pair<std::string, double>> sets;
  /// By part of the model, in the order in which a token passes them.
  std::vector<std::pair<std::string, double>> gradientNorms;
  /// The same as means over the steps since the evaluation before.
  std::vector<std::pair<std::string, double>> meanGradientNorms;
  /// Mean weights over tokens, by mixture and source of `depth`; empty when
  /// there are none.
  std::vector<std::vector<double>> depthWeights;
  /// For each router the share of each expert; for each recurrence the shares
  /// of channels by their decay, and the norm of each head's state. Empty where
  /// the model has none.
  std::vector<std::vector<double>> routerLoad, decay, stateNorms;
  /// Root mean squares by place of the model, in the order in which a token
  /// passes them.
  std::vector<std::pair<std::string, double>> activationNorms;
  double seconds;
  double peakBytes; ///< the most memory of the process so far
};

struct Sample {
  int64_t step;
  std::string prompt, text;
  std::optional<std::string> expected;
  std::optional<bool> correct;
};

struct Save {
  int64_t step;
  std::string path;
};

struct RunFolder {
  std::string name;                  ///< the last part of the folder's path
  std::optional<ModelConfig> config; ///< absent for a model that is MLIR text
  std::string version;
  int64_t parameters;
  int64_t tokensPerStep;
  double plannedBytes;     ///< of programs, parameters and moments
  nlohmann::json settings; ///< an object
  /// Names of mixtures and their sources. Without a configuration they are
  /// numbers, and the first evaluation says how many there are.
  DepthLayout depth;

  // Steps rise. Of a step that was trained twice, because the run went back
  // to a checkpoint, only the last time counts.
  std::vector<Step> steps;
  std::vector<Evaluation> evaluations;
  std::vector<Sample> samples;
  std::vector<Save> saves;

  /// What a reader should know about the files.
  std::vector<std::string> notes;

  /// Lines of metrics.jsonl that cannot be read, the traces of crashes, become
  /// a note "PATH: line N: REASON".
  static Result<RunFolder> open(const std::string &directory);
};

} // namespace attnres::report
#endif
