#include "models/InitialRules.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace attnres;
using nlohmann::ordered_json;

std::string attnres::initialRules(const ModelConfig &config, uint64_t seed,
                                  const InitialScales &scales) {
  ordered_json parameters = ordered_json::object();
  for (const Parameter &parameter : parameterShapes(config)) {
    const InitialValue &initial = parameter.initial;
    ordered_json &rule = parameters[parameter.name];
    switch (initial.kind) {
    case InitialValue::Kind::Constant:
      rule["constant"] = initial.value;
      break;
    case InitialValue::Kind::Normal:
      rule["normal"] = initial.value;
      break;
    case InitialValue::Kind::Matrix:
      rule["normal"] = scales.deviation;
      break;
    case InitialValue::Kind::Output:
      rule["normal"] = outputDeviation(config, scales);
      break;
    case InitialValue::Kind::Mapped: {
      // Small vectors: as they are.
      std::vector<float> values(static_cast<size_t>(parameter.numElements()));
      initializeParameter(config, parameter, seed, values.data(), scales);
      rule["values"] = values;
      break;
    }
    }
  }
  return ordered_json{{"seed", seed}, {"parameters", parameters}}.dump();
}
