// What a user may rely on of a model with attention residuals, as numbers.
#ifndef ATTNRES_TOOLS_RUN_PROPERTIES_H
#define ATTNRES_TOOLS_RUN_PROPERTIES_H

#include "models/ModelConfig.h"

#include <functional>
#include <string>
#include <vector>

namespace attnres::run {

struct PropertyOptions {
  int64_t batch = 2, seqLen = 16;
  int64_t steps = 200; ///< of training on one batch
  double learningRate = 3e-3;
  uint64_t seed = 1;
  int threads = 0; ///< 0: the runtime's default
};

/// One property of the list, and how it was found.
struct PropertyResult {
  int number; ///< from 1
  std::string name;
  bool holds;
  std::string quantity; ///< what was measured: "largest difference"
  double value;         ///< of that
  std::string expected; ///< "at most 1e-05"
  std::string note;     ///< what else there is to know, or ""
};

/// The twelve properties of `config`, whose attention residuals are not off,
/// each told to `observer` as soon as it is known.
std::vector<PropertyResult>
findProperties(const ModelConfig &config, const PropertyOptions &options,
               const std::function<void(const PropertyResult &)> &observer);

} // namespace attnres::run

#endif
