// What the experts and the states of a run did, as heat maps of a report.
#include "tools/report/LayerMaps.h"

#include "tools/report/HeatMap.h"
#include "tools/report/Series.h"
#include "tools/report/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace attnres::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t maxColumns = 60;
constexpr size_t maxPrintedColumns = 24;
constexpr size_t maxPrintedRows = 80;
constexpr size_t maxRoutersOverTime = 8;

using Rows = std::vector<std::vector<double>>;
using RowsOf = Rows Evaluation::*;

/// Names of the decoder blocks that `has`, or numbers.
std::vector<std::string> blockNames(const RunFolder &run, size_t count,
                                    const char *kind,
                                    bool (*has)(const ModelConfig &, int64_t)) {
  std::vector<std::string> names;
  if (run.config)
    for (int64_t i = 0; i < run.config->numHiddenLayers; ++i)
      if (has(*run.config, i))
        names.push_back(concat("block ", i));
  if (names.size() == count)
    return names;
  names.clear();
  for (size_t i = 0; i < count; ++i)
    names.push_back(concat(kind, " ", i));
  return names;
}

std::vector<std::string> routerNames(const RunFolder &run, size_t count) {
  return blockNames(run, count, "router",
                    [](const ModelConfig &config, int64_t block) {
                      return config.isMoe(block);
                    });
}

std::vector<std::string> stateNames(const RunFolder &run, size_t count) {
  return blockNames(run, count, "state",
                    [](const ModelConfig &config, int64_t block) {
                      return config.layerType(block) == LayerType::Kda;
                    });
}

/// The evaluations with such rows, all with as many as the last one.
std::vector<const Evaluation *> with(const RunFolder &run, RowsOf rows) {
  std::vector<const Evaluation *> found;
  for (const Evaluation &evaluation : run.evaluations)
    if (!(evaluation.*rows).empty())
      found.push_back(&evaluation);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const Evaluation *evaluation) {
                               return (evaluation->*rows).size() !=
                                      (found.back()->*rows).size();
                             }),
              found.end());
  return found;
}

std::string muted(const std::string &text) {
  return "<p class=\"muted\">" + escapeHtml(text) + "</p>\n";
}

std::string stepName(const Evaluation &evaluation) {
  return "step " + formatCount(evaluation.step);
}

std::vector<std::string> numbered(const char *what, const Rows &rows) {
  size_t most = 0;
  for (const std::vector<double> &row : rows)
    most = std::max(most, row.size());
  std::vector<std::string> names;
  for (size_t i = 0; i < most; ++i)
    names.push_back(concat(what, " ", i));
  return names;
}

HeatMap mapOf(std::string title, std::vector<std::string> rows,
              std::vector<std::string> columns, Rows values) {
  HeatMap map;
  map.title = std::move(title);
  map.rows = std::move(rows);
  map.columns = std::move(columns);
  map.values = std::move(values);
  map.printed = map.columns.size() <= maxPrintedColumns &&
                map.rows.size() <= maxPrintedRows;
  return map;
}

/// Colours from 0 to `most`, which is at least the largest value.
void shadeUpTo(HeatMap &map, double most) {
  for (const std::vector<double> &row : map.values)
    for (double value : row)
      if (std::isfinite(value))
        most = std::max(most, value);
  if (!(most > 0))
    most = 1;
  map.shade = [most](double value) { return std::max(0.0, value / most); };
  map.format = [](double value) { return fmt::format("{:.3g}", value); };
  map.scale = {0, most / 2, most};
}

/// A row for each number of a layer, a column for each evaluation.
Rows overTime(const std::vector<const Evaluation *> &evaluations,
              const std::vector<size_t> &chosen, size_t count,
              const std::function<double(const Evaluation &, size_t)> &value) {
  Rows rows(count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j : chosen)
      rows[i].push_back(value(*evaluations[j], i));
  return rows;
}

std::vector<std::string>
stepNames(const std::vector<const Evaluation *> &evaluations,
          const std::vector<size_t> &chosen) {
  std::vector<std::string> names;
  for (size_t j : chosen)
    names.push_back(stepName(*evaluations[j]));
  return names;
}

double largest(const std::vector<double> &values) {
  return values.empty() ? nan : *std::max_element(values.begin(), values.end());
}

double mean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return values.empty() ? nan : sum / static_cast<double>(values.size());
}

} // namespace

std::string drawRouterLoad(const RunFolder &run) {
  std::vector<const Evaluation *> evaluations =
      with(run, &Evaluation::routerLoad);
  if (evaluations.empty())
    return "";
  const Rows &last = evaluations.back()->routerLoad;
  std::vector<std::string> routers = routerNames(run, last.size());
  std::vector<size_t> chosen = evenlySpaced(evaluations.size(), maxColumns);
  std::vector<std::string> steps = stepNames(evaluations, chosen);

  // In units of an equal share.
  auto relative = [](std::vector<double> loads) {
    auto count = static_cast<double>(loads.size());
    for (double &load : loads)
      load *= count;
    return loads;
  };
  Rows shares;
  for (const std::vector<double> &loads : last)
    shares.push_back(relative(loads));
  HeatMap now = mapOf(concat(run.name, ", ", stepName(*evaluations.back())),
                      routers, numbered("expert", last), std::move(shares));
  shadeUpTo(now, 2);
  std::string html = now.draw();

  HeatMap most =
      mapOf(concat(run.name, ", the busiest expert"), routers, steps,
            overTime(evaluations, chosen, last.size(),
                     [&](const Evaluation &evaluation, size_t router) {
                       return largest(relative(evaluation.routerLoad[router]));
                     }));
  shadeUpTo(most, 2);
  html += most.draw();

  html += "<details><summary>experts over time</summary>\n";
  for (size_t router : evenlySpaced(last.size(), maxRoutersOverTime)) {
    size_t experts = last[router].size();
    HeatMap map = mapOf(
        concat(run.name, ", ", routers[router]),
        numbered("expert", {last[router]}), steps,
        overTime(evaluations, chosen, experts,
                 [&](const Evaluation &evaluation, size_t expert) {
                   const auto &loads = evaluation.routerLoad[router];
                   return expert < loads.size()
                              ? loads[expert] * static_cast<double>(experts)
                              : nan;
                 }));
    shadeUpTo(map, 2);
    html += map.draw();
  }
  return muted("Choices of each expert on the validation set, in units of an "
               "equal share: 1 is balanced.") +
         html + "</details>\n";
}

std::string drawStates(const RunFolder &run) {
  std::string html;
  std::vector<const Evaluation *> evaluations = with(run, &Evaluation::decay);
  if (!evaluations.empty()) {
    const Rows &last = evaluations.back()->decay;
    std::vector<std::string> bins;
    size_t count = last.front().size();
    for (size_t i = 1; i <= count; ++i)
      bins.push_back(fmt::format("to {:.1f}", static_cast<double>(i) /
                                                  static_cast<double>(count)));
    HeatMap map =
        mapOf(concat(run.name, ", decay, ", stepName(*evaluations.back())),
              stateNames(run, last.size()), bins, last);
    shadeUpTo(map, 1);
    html += muted("Share of the channels by the part of the state that one "
                  "token leaves, on the validation set.") +
            map.draw();
  }
  evaluations = with(run, &Evaluation::stateNorms);
  if (!evaluations.empty()) {
    size_t count = evaluations.back()->stateNorms.size();
    std::vector<size_t> chosen = evenlySpaced(evaluations.size(), maxColumns);
    HeatMap map = mapOf(concat(run.name, ", norms of states"),
                        stateNames(run, count), stepNames(evaluations, chosen),
                        overTime(evaluations, chosen, count,
                                 [](const Evaluation &evaluation, size_t i) {
                                   return mean(evaluation.stateNorms[i]);
                                 }));
    shadeUpTo(map, 0);
    html += muted("Norm of a head's state behind a sample, mean over heads and "
                  "samples.") +
            map.draw();
  }
  return html;
}

} // namespace attnres::report
