#include "tools/exec/RandomInputs.h"

#include "support/Philox.h"
#include "runtime/ProgramPack.h"
#include "support/BindingNames.h"
#include "tools/run/CommandError.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <optional>

namespace attnres::exec {
namespace {

using run::check;
using run::unwrap;
using runtime::Binding;
using runtime::DType;

struct Range {
  double least = -1, end = 1;
  double at(double uniform) const { return least + (end - least) * uniform; }
};

std::vector<Range> readRanges(const runtime::Program &program) {
  std::vector<Range> ranges;
  auto found = program.metadata.find(runtime::kRangesMetadata);
  if (found == program.metadata.end())
    return ranges;
  auto parsed = nlohmann::json::parse(found->second, nullptr,
                                      /*allow_exceptions=*/false);
  for (const auto &range : parsed)
    if (range.is_array() && range.size() == 2 && range[0].is_number() &&
        range[1].is_number())
      ranges.push_back({range[0].get<double>(), range[1].get<double>()});
  return ranges;
}

/// One element of an input of floats without a range.
double floatOf(const Binding &binding, const RandomStream &random,
               uint64_t k) {
  if (binding.name == names::learningRate)
    return 1e-3;
  if (binding.name == names::step)
    return 1;
  switch (binding.role) {
  case runtime::Role::Parameter:
    return 0.02 * random.normal(k);
  case runtime::Role::FirstMoment:
    return 1e-3 * random.normal(k);
  case runtime::Role::SecondMoment:
    return 1e-6 * random.uniform(k);
  default:
    return Range().at(random.uniform(k));
  }
}

int64_t indexOf(const Binding &binding, double uniform) {
  if (binding.limits.empty())
    return 0;
  runtime::IndexRange range = binding.limits.back();
  double count = static_cast<double>(range.high - range.low) + 1;
  return range.low + static_cast<int64_t>(count * uniform);
}

uint16_t toBf16(double value) {
  auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

} // namespace

void fillInputs(runtime::BoundProgram &bound) {
  const std::vector<Binding> &bindings = bound.program().bindings;
  std::vector<Range> ranges = readRanges(bound.program());
  size_t inputs = 0;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    if (binding.direction != runtime::Direction::Input)
      continue;
    std::optional<Range> range;
    if (!ranges.empty())
      range = inputs < ranges.size() ? ranges[inputs] : Range();
    ++inputs;
    RandomStream random(1, i);
    auto fill = [&](auto *values, auto make) {
      auto count = binding.bytes() / static_cast<int64_t>(sizeof *values);
      for (int64_t k = 0; k < count; ++k)
        values[k] = make(static_cast<uint64_t>(k));
    };
    auto floatAt = [&](uint64_t k) {
      return range ? range->at(random.uniform(k)) : floatOf(binding, random, k);
    };
    auto indexAt = [&](uint64_t k) {
      double uniform = random.uniform(k);
      return range ? static_cast<int64_t>(range->at(uniform))
                   : indexOf(binding, uniform);
    };
    auto memory = unwrap(bound.map(i, runtime::Access::Write));
    switch (binding.dtype) {
    case DType::F64:
      fill(memory.as<double>(), floatAt);
      break;
    case DType::F32:
      fill(memory.as<float>(),
           [&](uint64_t k) { return static_cast<float>(floatAt(k)); });
      break;
    case DType::BF16:
      fill(memory.as<uint16_t>(),
           [&](uint64_t k) { return toBf16(floatAt(k)); });
      break;
    case DType::I64:
      fill(memory.as<int64_t>(), indexAt);
      break;
    case DType::I32:
      fill(memory.as<int32_t>(),
           [&](uint64_t k) { return static_cast<int32_t>(indexAt(k)); });
      break;
    default:
      std::memset(memory.data(), 0, static_cast<size_t>(binding.bytes()));
    }
    check(memory.unmap());
  }
}

} // namespace attnres::exec
