// The source lists of docs/spec.md, as names.
#include "models/DepthLayout.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace attnres {
namespace {

/// The number between `prefix` and what follows it, which moves to `rest`;
/// nothing if the name begins in another way.
std::optional<int64_t> numberBehind(std::string_view name,
                                    std::string_view prefix,
                                    std::string_view &rest) {
  if (name.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  int64_t number = 0;
  const char *end = name.data() + name.size();
  auto [next, error] =
      std::from_chars(name.data() + prefix.size(), end, number);
  if (error != std::errc())
    return std::nullopt;
  rest = {next, static_cast<size_t>(end - next)};
  return number;
}

} // namespace

std::string sublayerName(int64_t sublayer) {
  return concat("block ", sublayer / 2, sublayer % 2 ? " ffn" : " attn");
}

std::vector<DepthBlock> depthBlocks(const ModelConfig &config) {
  std::vector<DepthBlock> blocks;
  int64_t size = config.sublayersPerBlock(), count = config.numSublayers();
  for (int64_t begin = 0; begin < count; begin += size)
    blocks.push_back({begin, std::min(begin + size, count)});
  return blocks;
}

int64_t stackPart(const ModelConfig &config, std::string_view parameter) {
  int64_t size = config.attnres == AttnResMode::Block
                     ? config.sublayersPerBlock()
                 : config.attnres == AttnResMode::Full ? 1
                                                       : 2;
  std::string_view rest;
  if (auto block = numberBehind(parameter, "blocks.", rest))
    return (2 * *block + (rest.substr(0, 4) == ".ffn")) / size;
  if (auto sublayer = numberBehind(parameter, "mixer.residuals.", rest))
    return *sublayer / size;
  if (auto block = numberBehind(parameter, "mixer.agg_weights.", rest))
    return 2 * *block / size;
  if (parameter.substr(0, 10) == "embedding.")
    return 0;
  return (config.numSublayers() - 1) / size;
}

DepthLayout::DepthLayout(const ModelConfig &config) {
  if (config.attnres == AttnResMode::Off)
    return;
  outputs.push_back("embedding");
  auto add = [&](std::string name, bool readsPartialSum = false) {
    DepthMixture mixture = {std::move(name), outputs.size(), readsPartialSum};
    bool isWindowed =
        config.attnresWindow && config.attnres != AttnResMode::Static;
    if (isWindowed) {
      size_t most = 1 + static_cast<size_t>(*config.attnresWindow);
      mixture.numSkipped = std::max(mixture.numSources(), most) - most;
    }
    mixtures.push_back(std::move(mixture));
  };
  if (config.attnres == AttnResMode::Static) {
    for (int64_t i = 0; i < config.numHiddenLayers; ++i) {
      add(concat("block ", i));
      outputs.push_back(concat("block ", i));
    }
    return;
  }
  if (config.attnres == AttnResMode::Full) {
    for (int64_t j = 0; j < config.numSublayers(); ++j) {
      add(sublayerName(j));
      outputs.push_back(sublayerName(j));
    }
  } else {
    for (auto [begin, end] : depthBlocks(config)) {
      for (int64_t j = begin; j < end; ++j)
        add(sublayerName(j), j > begin);
      outputs.push_back(concat("block sum ", outputs.size() - 1));
    }
  }
  if (config.attnresFinalAggregate)
    add("final");
}

size_t DepthLayout::numOutputsRead() const {
  size_t count = 0;
  for (const DepthMixture &mixture : mixtures)
    count = std::max(count, mixture.numOutputs);
  return count;
}

std::string DepthLayout::sourceName(const DepthMixture &mixture,
                                    size_t k) const {
  size_t output = mixture.outputOf(k);
  return output < mixture.numOutputs ? outputs[output] : "partial sum";
}

} // namespace attnres
