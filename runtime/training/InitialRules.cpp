#include "runtime/training/InitialRules.h"

#include "support/Philox.h"
#include "support/Hash.h"
#include "support/StackName.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attnres::runtime {
namespace {

using nlohmann::json;

/// Writes data[0, count) of a parameter, or a slice of one, called `name`.
void fillNormal(std::string_view name, uint64_t seed, double deviation,
                float *data, int64_t count) {
  RandomStream random(seed, fnv1a64(name));
  for (int64_t i = 0; i < count; ++i)
    data[i] =
        static_cast<float>(deviation) * random.normal(static_cast<uint64_t>(i));
}

Status initialize(const json &rule, uint64_t seed, const TensorView &tensor) {
  auto *data = static_cast<float *>(const_cast<void *>(tensor.data));
  int64_t count = tensor.bytes / static_cast<int64_t>(sizeof(float));
  auto number = [&](const char *kind) -> const json * {
    auto found = rule.find(kind);
    return found != rule.end() && found->is_number() ? &*found : nullptr;
  };
  if (const json *constant = number("constant")) {
    std::fill_n(data, count, constant->get<float>());
    return {};
  }
  if (const json *normal = number("normal")) {
    double deviation = normal->get<double>();
    if (!isStack(tensor.name, tensor.shape.size())) {
      fillNormal(tensor.name, seed, deviation, data, count);
      return {};
    }
    int64_t slices = tensor.shape[0];
    int64_t size = count / std::max<int64_t>(slices, 1);
    for (int64_t e = 0; e < slices; ++e)
      fillNormal(sliceName(tensor.name, e), seed, deviation, data + e * size,
                 size);
    return {};
  }
  auto values = rule.find("values");
  if (values != rule.end() && values->is_array() &&
      static_cast<int64_t>(values->size()) == count &&
      std::all_of(values->begin(), values->end(),
                  [](const json &value) { return value.is_number(); })) {
    for (const json &value : *values)
      *data++ = value.get<float>();
    return {};
  }
  return invalidData("the program does not say how ", inQuotes(tensor.name),
                     " begins");
}

} // namespace

Status initializeByRules(const std::string &rules,
                         const std::vector<TensorView> &tensors) {
  json parsed = json::parse(rules, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object() || !parsed["seed"].is_number_integer() ||
      !parsed["parameters"].is_object())
    return invalidData("the program's rules for initial parameters are no such "
                       "rules");
  auto seed = parsed["seed"].get<uint64_t>();
  const json &parameters = parsed["parameters"];
  for (const TensorView &tensor : tensors) {
    auto rule = parameters.find(tensor.name);
    if (rule == parameters.end() || !rule->is_object())
      return invalidData("the program does not say how ", inQuotes(tensor.name),
                         " begins");
    if (tensor.dtype != DType::F32)
      return invalidData("parameter ", inQuotes(tensor.name),
                         ": expected F32, got ", dtypeName(tensor.dtype));
    if (Status status = initialize(*rule, seed, tensor); !status.ok())
      return status;
  }
  return {};
}

} // namespace attnres::runtime
