// How large activations are over the depth of a model.
#include "tools/report/Activations.h"

#include "tools/report/HeatMap.h"
#include "tools/report/LineChart.h"
#include "tools/report/Text.h"
#include "tools/report/TextTable.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>

namespace attnres::report {

using runtime::ActivationNorm;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view inputSuffix = ".input", outputSuffix = ".output";
constexpr size_t maxColumns = 60;
constexpr int barWidth = 24;

/// What one place reads and what it writes; null where there is nothing.
struct Place {
  std::string name;
  const ActivationNorm *read = nullptr, *written = nullptr;
};

/// `name` without `suffix`, or nothing.
std::optional<std::string> without(std::string_view suffix,
                                   const std::string &name) {
  if (name.size() < suffix.size() ||
      name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    return std::nullopt;
  return name.substr(0, name.size() - suffix.size());
}

/// In the order in which a token passes them: the embedding writes, sublayers
/// read and write, and the head reads.
std::vector<Place> placesOf(const std::vector<ActivationNorm> &norms) {
  std::vector<Place> places;
  for (const ActivationNorm &norm : norms) {
    std::optional<std::string> reader = without(inputSuffix, norm.name),
                               writer = without(outputSuffix, norm.name);
    if (reader)
      places.push_back({*reader, &norm, nullptr});
    else if (writer && !places.empty() && places.back().name == *writer)
      places.back().written = &norm;
    else if (norm.name == "final")
      places.push_back({norm.name, &norm, nullptr});
    else
      places.push_back({writer.value_or(norm.name), nullptr, &norm});
  }
  return places;
}

std::vector<ActivationNorm> normsOf(const Evaluation &evaluation) {
  std::vector<ActivationNorm> norms;
  for (const auto &[name, value] : evaluation.activationNorms)
    norms.push_back({name, value, value});
  return norms;
}

std::vector<const Evaluation *> recorded(const RunFolder &run) {
  std::vector<const Evaluation *> found;
  for (const Evaluation &evaluation : run.evaluations)
    if (!evaluation.activationNorms.empty())
      found.push_back(&evaluation);
  return found;
}

/// What sublayers write, a row for each and a column for each evaluation.
std::string drawCourse(const RunFolder &run,
                       const std::vector<const Evaluation *> &evaluations) {
  HeatMap map;
  map.title = run.name + ", written by sublayers";
  std::vector<size_t> chosen = evenlySpaced(evaluations.size(), maxColumns);
  double most = 0;
  for (const Place &place : placesOf(normsOf(*evaluations.back())))
    if (place.name != "final")
      map.rows.push_back(place.name);
  map.values.assign(map.rows.size(), std::vector<double>(chosen.size(), nan));
  for (size_t j = 0; j < chosen.size(); ++j) {
    const Evaluation &evaluation = *evaluations[chosen[j]];
    map.columns.push_back("step " + formatCount(evaluation.step));
    std::vector<ActivationNorm> norms = normsOf(evaluation);
    for (const Place &place : placesOf(norms)) {
      auto row = std::find(map.rows.begin(), map.rows.end(), place.name);
      if (row == map.rows.end() || !place.written)
        continue;
      map.values[static_cast<size_t>(row - map.rows.begin())][j] =
          place.written->mean;
      if (std::isfinite(place.written->mean))
        most = std::max(most, place.written->mean);
    }
  }
  if (!(most > 0))
    most = 1;
  map.shade = [most](double value) { return std::max(0.0, value / most); };
  map.format = [](double value) { return fmt::format("{:.2g}", value); };
  map.scale = {0, most / 2, most};
  map.printed = chosen.size() <= 12 && map.rows.size() <= 80;
  return map.draw();
}

} // namespace

std::string activationTable(const std::vector<ActivationNorm> &norms) {
  std::vector<Place> places = placesOf(norms);
  double most = 0;
  for (const Place &place : places)
    for (const ActivationNorm *norm : {place.read, place.written})
      if (norm && std::isfinite(norm->mean))
        most = std::max(most, norm->mean);
  auto number = [](const ActivationNorm *norm,
                   double ActivationNorm::*field) -> std::string {
    if (!norm)
      return "";
    double value = norm->*field;
    return std::isfinite(value) ? fmt::format("{:.4g}", value)
           : std::isnan(value)  ? "nan"
                                : "inf";
  };
  TextTable table({"place", "reads", "largest", "writes", "largest", ""});
  for (const Place &place : places) {
    const ActivationNorm *shown = place.written ? place.written : place.read;
    double share =
        most > 0 && std::isfinite(shown->mean) ? shown->mean / most : 0;
    auto filled =
        static_cast<size_t>(std::lround(share * static_cast<double>(barWidth)));
    table.add({place.name, number(place.read, &ActivationNorm::mean),
               number(place.read, &ActivationNorm::most),
               number(place.written, &ActivationNorm::mean),
               number(place.written, &ActivationNorm::most),
               std::string(filled, place.written ? '#' : '-') +
                   std::string(barWidth - filled, ' ')});
  }
  return table.print();
}

std::string drawActivations(const std::vector<RunFolder> &runs) {
  LineChart chart;
  chart.title = "Root mean square of activations over depth";
  chart.axis = "sublayer";
  chart.mayBeLogarithmic = true;
  std::string maps;
  int color = 0;
  for (const RunFolder &run : runs) {
    std::vector<const Evaluation *> evaluations = recorded(run);
    if (evaluations.empty())
      continue;
    std::string name = runs.size() > 1 ? run.name + " " : "";
    Line read{name + "read", color, Line::Style::Dotted, {}},
        written{name + "written",
                color + (runs.size() == 1),
                Line::Style::Solid,
                {}};
    std::vector<ActivationNorm> norms = normsOf(*evaluations.back());
    double x = 0;
    for (const Place &place : placesOf(norms)) {
      if (place.read)
        read.points.push_back({x, place.read->mean});
      if (place.written)
        written.points.push_back({x, place.written->mean});
      ++x;
    }
    chart.lines.push_back(std::move(read));
    chart.lines.push_back(std::move(written));
    ++color;
    maps += drawCourse(run, evaluations);
  }
  if (chart.lines.empty())
    return "";
  return "<p class=\"muted\">Of the last evaluation, mean over tokens: 0 is "
         "the embedding, the last place is the final norm.</p>\n<div "
         "class=\"charts\">\n" +
         chart.draw() + "</div>\n<details><summary>over time</summary>\n" +
         maps + "</details>\n";
}

} // namespace attnres::report
