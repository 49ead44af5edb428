// What the parameters of a trained model look like.
#ifndef ATTNRES_TOOLS_REPORT_INSPECTION_H
#define ATTNRES_TOOLS_REPORT_INSPECTION_H

#include "models/ModelConfig.h"
#include "runtime/Safetensors.h"
#include "tools/report/RunFolder.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnres::report {

/// Statistics of the values of a group of parameters; mean, rms and maxAbs are
/// those of the finite values, and 0 when there are none.
struct ParameterGroup {
  std::string name;
  int64_t tensors = 0, count = 0, bytes = 0, nonFinite = 0;
  double mean = 0, rms = 0, maxAbs = 0;
};

/// The learned query of one mixture: Euclidean norms.
struct DepthQuery {
  std::string mixture;
  double query, gain;
  double product; ///< of query times gain, what scores are made with
};

struct Inspection {
  ModelConfig config;
  /// embedding, attention, feed-forward, norms, depth mixing and head, as far
  /// as the model has them. Norms inside a sublayer belong to the sublayer.
  std::vector<ParameterGroup> groups;
  std::vector<DepthQuery> queries; ///< modes Full and Block, vectors alone
  /// Mode Static, and queries that are scalars: softmax of the learned logits,
  /// by mixture and source.
  std::vector<std::vector<double>> staticWeights;

  /// `parameters` holds exactly the parameters of the configuration, in f32.
  Inspection(const ModelConfig &config,
             const runtime::SafetensorsFile &parameters);

  /// `run` adds the last recorded depth weights and gradient norms.
  std::string toText(const RunFolder *run) const;
  nlohmann::ordered_json toJson(const RunFolder *run) const;
};

} // namespace attnres::report
#endif
