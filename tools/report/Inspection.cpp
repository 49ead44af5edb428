// Statistics of parameters and their tables.
#include "tools/report/Inspection.h"

#include "models/DepthLayout.h"
#include "tools/report/Text.h"
#include "tools/report/TextTable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

using attnres::runtime::SafetensorsFile;
using attnres::runtime::TensorView;
using nlohmann::ordered_json;

namespace attnres::report {
namespace {

constexpr std::array<const char *, 6> groupNames = {
    "embedding", "attention", "feed-forward", "norms", "depth mixing", "head"};

/// The index of a parameter's group in groupNames.
size_t groupOf(const std::string &name) {
  auto contains = [&](const char *part) {
    return name.find(part) != std::string::npos;
  };
  if (name.compare(0, 10, "embedding.") == 0)
    return 0;
  if (name.compare(0, 8, "lm_head.") == 0)
    return 5;
  if (name.compare(0, 6, "mixer.") == 0)
    return 4;
  if (contains(".attn."))
    return 1;
  if (contains(".ffn."))
    return 2;
  return 3;
}

/// Element i of a tensor that may not be aligned.
float element(const TensorView &tensor, int64_t i) {
  float value;
  std::memcpy(&value, static_cast<const char *>(tensor.data) + 4 * i, 4);
  return value;
}

double squared(double x) { return x * x; }

std::vector<ParameterGroup> groupParameters(const SafetensorsFile &file) {
  std::array<ParameterGroup, groupNames.size()> all;
  std::array<double, groupNames.size()> sums{}, squares{};
  for (const TensorView &tensor : file.tensors()) {
    size_t index = groupOf(tensor.name);
    ParameterGroup &group = all[index];
    ++group.tensors;
    int64_t count = tensor.bytes / 4;
    group.count += count;
    group.bytes += tensor.bytes;
    for (int64_t i = 0; i < count; ++i) {
      double value = element(tensor, i);
      if (!std::isfinite(value)) {
        ++group.nonFinite;
        continue;
      }
      sums[index] += value;
      squares[index] += value * value;
      group.maxAbs = std::max(group.maxAbs, std::fabs(value));
    }
  }
  std::vector<ParameterGroup> present;
  for (size_t i = 0; i < all.size(); ++i) {
    ParameterGroup &group = all[i];
    group.name = groupNames[i];
    if (auto finite = static_cast<double>(group.count - group.nonFinite);
        finite > 0) {
      group.mean = sums[i] / finite;
      group.rms = std::sqrt(squares[i] / finite);
    }
    if (group.tensors)
      present.push_back(group);
  }
  return present;
}

DepthQuery measureQuery(const SafetensorsFile &file, const std::string &name,
                        const std::string &mixture, int64_t width) {
  const TensorView &query = *file.find(name + ".query");
  const TensorView &gain = *file.find(name + ".norm.weight");
  double q = 0, g = 0, product = 0;
  for (int64_t i = 0; i < width; ++i) {
    q += squared(element(query, i));
    g += squared(element(gain, i));
    product += squared(double(element(query, i)) * element(gain, i));
  }
  return {mixture, std::sqrt(q), std::sqrt(g), std::sqrt(product)};
}

std::vector<double> softmax(const TensorView &logits, int64_t size) {
  std::vector<double> weights;
  double most = -INFINITY, sum = 0;
  for (int64_t i = 0; i < size; ++i)
    most = std::fmax(most, element(logits, i));
  for (int64_t i = 0; i < size; ++i) {
    weights.push_back(std::exp(element(logits, i) - most));
    sum += weights.back();
  }
  for (double &weight : weights)
    weight /= sum;
  return weights;
}

std::string groupTable(const std::vector<ParameterGroup> &groups) {
  TextTable table({"group", "tensors", "elements", "bytes", "share", "mean",
                   "rms", "max |x|", "not finite"});
  int64_t total = 0, bytes = 0, tensors = 0, nonFinite = 0;
  for (const ParameterGroup &group : groups) {
    total += group.count;
    bytes += group.bytes;
    tensors += group.tensors;
    nonFinite += group.nonFinite;
  }
  auto share = [&](int64_t count) {
    return formatPercent(static_cast<double>(count) /
                         static_cast<double>(total));
  };
  for (const ParameterGroup &group : groups)
    table.add(
        {group.name, formatCount(group.tensors), formatCount(group.count),
         formatCount(group.bytes), share(group.count),
         fmt::format("{:.3e}", group.mean), fmt::format("{:.3e}", group.rms),
         fmt::format("{:.3e}", group.maxAbs), formatCount(group.nonFinite)});
  table.add({"all", formatCount(tensors), formatCount(total),
             formatCount(bytes), share(total), "", "", "",
             formatCount(nonFinite)});
  return table.print();
}

std::string depthBlockTable(const ModelConfig &config) {
  TextTable table({"depth block", "sublayers", "from", "to"});
  int64_t index = 0;
  for (auto [begin, end] : depthBlocks(config))
    table.add({std::to_string(index++), std::to_string(end - begin),
               sublayerName(begin), sublayerName(end - 1)});
  return table.print();
}

/// Weights with one column for each source, or when that gets too wide the
/// largest weights of each mixture.
std::string weightTable(const DepthLayout &layout,
                        const std::vector<std::vector<double>> &weights) {
  constexpr size_t maxColumns = 12, shown = 5;
  std::vector<std::string> columns = layout.outputs;
  columns.resize(layout.numOutputsRead());
  bool partial = std::any_of(
      layout.mixtures.begin(), layout.mixtures.end(),
      [](const DepthMixture &mixture) { return mixture.readsPartialSum; });
  auto print = [](double weight) { return fmt::format("{:.3f}", weight); };
  if (columns.size() + partial <= maxColumns) {
    std::vector<std::string> header{"mixture"};
    header.insert(header.end(), columns.begin(), columns.end());
    if (partial)
      header.push_back("partial sum");
    TextTable table(header);
    for (size_t i = 0; i < weights.size(); ++i) {
      std::vector<std::string> row(header.size());
      row[0] = layout.mixtures[i].name;
      const DepthMixture &mixture = layout.mixtures[i];
      for (size_t k = 0; k < mixture.numSources(); ++k)
        if (size_t output = mixture.outputOf(k); output < mixture.numOutputs)
          row[output + 1] = print(weights[i][k]);
        else
          row.back() = print(weights[i][k]);
      table.add(row);
    }
    return table.print();
  }
  std::string text;
  for (size_t i = 0; i < weights.size(); ++i) {
    std::vector<size_t> order(weights[i].size());
    for (size_t k = 0; k < order.size(); ++k)
      order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return weights[i][a] > weights[i][b];
    });
    std::string line = layout.mixtures[i].name + ":";
    for (size_t k = 0; k < std::min(shown, order.size()); ++k)
      line += fmt::format("{} {} {}", k ? "," : "",
                          layout.sourceName(layout.mixtures[i], order[k]),
                          print(weights[i][order[k]]));
    if (order.size() > shown)
      line += fmt::format(", and {} more", order.size() - shown);
    text += line + "\n";
  }
  return text;
}

std::string queryTable(const std::vector<DepthQuery> &queries) {
  TextTable table({"mixture", "|query|", "|gain|", "|query * gain|"});
  for (const DepthQuery &query : queries)
    table.add({query.mixture, formatNumber(query.query),
               formatNumber(query.gain), formatNumber(query.product)});
  return table.print();
}

const Evaluation *lastWith(const RunFolder &run,
                           bool (*has)(const Evaluation &)) {
  for (auto it = run.evaluations.rbegin(); it != run.evaluations.rend(); ++it)
    if (has(*it))
      return &*it;
  return nullptr;
}
const Evaluation *lastWithDepthWeights(const RunFolder &run) {
  return lastWith(run,
                  [](const Evaluation &e) { return !e.depthWeights.empty(); });
}
const Evaluation *lastWithGradientNorms(const RunFolder &run) {
  return lastWith(run,
                  [](const Evaluation &e) { return !e.gradientNorms.empty(); });
}

std::string heading(const std::string &text) { return "\n" + text + "\n\n"; }

std::string printRun(const RunFolder &run) {
  std::string text;
  if (const Evaluation *last = lastWithDepthWeights(run))
    text += heading(fmt::format("depth weights of {} at step {}, mean over "
                                "tokens",
                                run.name, last->step)) +
            weightTable(run.depth, last->depthWeights);
  if (const Evaluation *last = lastWithGradientNorms(run)) {
    TextTable table({"part", "gradient norm"});
    for (const auto &[name, norm] : last->gradientNorms)
      table.add({name, formatNumber(norm)});
    text += heading(fmt::format("gradient norms of {} at step {}", run.name,
                                last->step)) +
            table.print();
  }
  if (text.empty())
    text = heading(run.name + " has no evaluations");
  for (const std::string &note : run.notes)
    text += "note: " + note + "\n";
  return text;
}

ordered_json weightsToJson(const DepthLayout &layout,
                           const std::vector<std::vector<double>> &weights) {
  ordered_json result = ordered_json::array();
  for (size_t i = 0; i < weights.size(); ++i) {
    ordered_json sources = ordered_json::array();
    for (size_t k = 0; k < weights[i].size(); ++k)
      sources.push_back({{"source", layout.sourceName(layout.mixtures[i], k)},
                         {"weight", weights[i][k]}});
    result.push_back({{"mixture", layout.mixtures[i].name},
                      {"sources", std::move(sources)}});
  }
  return result;
}

} // namespace

Inspection::Inspection(const ModelConfig &config,
                       const SafetensorsFile &parameters)
    : config(config), groups(groupParameters(parameters)) {
  if (config.attnres == AttnResMode::Static)
    for (int64_t i = 0; i < config.numHiddenLayers; ++i)
      staticWeights.push_back(
          softmax(*parameters.find(concat("mixer.agg_weights.", i)), i + 1));
  if (config.attnres != AttnResMode::Full &&
      config.attnres != AttnResMode::Block)
    return;
  if (config.attnresQuery == AttnResQuery::Scalar) {
    std::vector<DepthMixture> mixtures = DepthLayout(config).mixtures;
    for (size_t j = 0; j < mixtures.size(); ++j) {
      bool isFinal = j == static_cast<size_t>(config.numSublayers());
      std::string name =
          isFinal ? "mixer.final_residual" : concat("mixer.residuals.", j);
      staticWeights.push_back(
          softmax(*parameters.find(name + ".weights"),
                  static_cast<int64_t>(mixtures[j].numSources())));
    }
  }
  if (config.attnresQuery != AttnResQuery::Vector)
    return; // a matrix, or none
  for (int64_t j = 0; j < config.numSublayers(); ++j)
    queries.push_back(measureQuery(parameters, concat("mixer.residuals.", j),
                                   sublayerName(j), config.hiddenSize));
  if (config.attnresFinalAggregate)
    queries.push_back(measureQuery(parameters, "mixer.final_residual", "final",
                                   config.hiddenSize));
}

std::string Inspection::toText(const RunFolder *run) const {
  std::string text = fmt::format(
      "{} decoder blocks ({} sublayers) of width {}, vocabulary {}, attention "
      "residuals {}\n\n",
      config.numHiddenLayers, config.numSublayers(), config.hiddenSize,
      config.vocabSize, toString(config.attnres));
  text += groupTable(groups);
  if (config.tieWordEmbeddings)
    text += "the head is the embedding\n";
  if (config.attnres == AttnResMode::Block)
    text += heading(fmt::format("depth blocks of {} sublayers",
                                config.sublayersPerBlock())) +
            depthBlockTable(config);
  if (!staticWeights.empty())
    text += heading("depth weights, softmax of learned logits") +
            weightTable(DepthLayout(config), staticWeights);
  if (!queries.empty())
    text += heading("depth queries") + queryTable(queries);
  return run ? text + printRun(*run) : text;
}

// nlohmann-json writes numbers that are not finite as null.
ordered_json Inspection::toJson(const RunFolder *run) const {
  ordered_json result;
  result["config"] = ordered_json::parse(config.toJson());
  result["sublayers"] = config.numSublayers();
  int64_t total = 0;
  ordered_json list = ordered_json::array();
  for (const ParameterGroup &group : groups) {
    total += group.count;
    list.push_back({{"name", group.name},
                    {"tensors", group.tensors},
                    {"elements", group.count},
                    {"bytes", group.bytes},
                    {"mean", group.mean},
                    {"rms", group.rms},
                    {"max_abs", group.maxAbs},
                    {"non_finite", group.nonFinite}});
  }
  result["parameters"] = total;
  result["groups"] = std::move(list);
  if (config.attnres == AttnResMode::Block) {
    result["depth_blocks"] = ordered_json::array();
    for (auto [begin, end] : depthBlocks(config))
      result["depth_blocks"].push_back(
          {{"first_sublayer", begin}, {"sublayers", end - begin}});
  }
  if (!staticWeights.empty())
    result["depth_weights"] = weightsToJson(DepthLayout(config), staticWeights);
  if (!queries.empty()) {
    result["depth_queries"] = ordered_json::array();
    for (const DepthQuery &query : queries)
      result["depth_queries"].push_back({{"mixture", query.mixture},
                                         {"query_norm", query.query},
                                         {"gain_norm", query.gain},
                                         {"product_norm", query.product}});
  }
  if (!run)
    return result;
  ordered_json &recorded = result["run"];
  recorded["name"] = run->name;
  if (const Evaluation *last = lastWithDepthWeights(*run))
    recorded["depth_weights"] = {
        {"step", last->step},
        {"mixtures", weightsToJson(run->depth, last->depthWeights)}};
  if (const Evaluation *last = lastWithGradientNorms(*run)) {
    recorded["gradient_norms"]["step"] = last->step;
    for (const auto &[name, norm] : last->gradientNorms)
      recorded["gradient_norms"]["parts"][name] = norm;
  }
  recorded["notes"] = run->notes;
  return result;
}

} // namespace attnres::report
