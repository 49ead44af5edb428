// The sections of a report.
#include "tools/report/Page.h"

#include "models/DepthLayout.h"
#include "tools/report/Activations.h"
#include "tools/report/HeatMap.h"
#include "tools/report/LayerMaps.h"
#include "tools/report/LineChart.h"
#include "tools/report/PageStyle.h"
#include "tools/report/Summary.h"
#include "tools/report/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace attnres::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t maxHeatColumns = 60; ///< evaluations in a heat map
constexpr size_t maxEvaluationRows = 60;
constexpr size_t maxSampledSteps = 10;
constexpr size_t maxSamplesOfStep = 100;
constexpr size_t maxPrintedSources = 24; ///< wider tables show no numbers
constexpr size_t maxPrintedMixtures = 80;

std::string section(const std::string &title, const std::string &content) {
  if (content.empty())
    return "";
  return "<section><h2>" + escapeHtml(title) + "</h2>\n" + content +
         "</section>\n";
}

std::string muted(const std::string &text) {
  return "<p class=\"muted\">" + escapeHtml(text) + "</p>\n";
}

// ------------------------------------------------------------- final numbers

/// One kind of number in the summary.
struct Figure {
  const char *name;
  std::function<double(const Summary &)> value;
  std::string (*format)(double);
  int better; ///< 1: the largest is best, -1: the smallest, 0: neither
};

const std::vector<Figure> &figures() {
  static const std::vector<Figure> list = {
      {"validation loss", [](auto &s) { return s.validationLoss; },
       formatNumber, -1},
      {"perplexity", [](auto &s) { return s.perplexity; }, formatNumber, -1},
      {"best validation loss", [](auto &s) { return s.bestLoss; }, formatNumber,
       -1},
      {"accuracy", [](auto &s) { return s.accuracy; }, formatPercent, 1},
      {"best accuracy", [](auto &s) { return s.bestAccuracy; }, formatPercent,
       1},
      {"training loss, last steps", [](auto &s) { return s.trainLoss; },
       formatNumber, -1},
      {"steps", [](auto &s) { return double(s.lastStep); }, formatNumber, 0},
      {"tokens", [](auto &s) { return s.tokens; }, formatNumber, 0},
      {"tokens/s, median", [](auto &s) { return s.tokensPerSecond; },
       formatNumber, 1},
      {"time", [](auto &s) { return s.seconds; }, formatDuration, 0},
      {"parameters", [](auto &s) { return double(s.parameters); }, formatNumber,
       0},
  };
  return list;
}

std::string tiles(const Summary &summary) {
  std::string html = "<div class=\"tiles\">";
  for (const Figure &figure : figures())
    if (double value = figure.value(summary); !std::isnan(value))
      html += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>",
                          escapeHtml(figure.format(value)), figure.name);
  return html + "</div>\n";
}

std::string comparison(const std::vector<Summary> &summaries) {
  std::string html = "<div class=\"card scroll\"><table><tr><th></th>";
  for (const Summary &summary : summaries)
    html +=
        fmt::format("<th class=\"number\">{}</th>", escapeHtml(summary.name));
  html += "</tr>\n<tr><th>attnres</th>";
  for (const Summary &summary : summaries)
    html += fmt::format("<td class=\"number\">{}</td>",
                        escapeHtml(summary.attnres));
  html += "</tr>\n";
  for (const Figure &figure : figures()) {
    std::vector<double> values;
    for (const Summary &summary : summaries)
      values.push_back(figure.value(summary));
    double best = nan;
    for (double value : values)
      best = figure.better > 0   ? std::fmax(best, value)
             : figure.better < 0 ? std::fmin(best, value)
                                 : nan;
    if (std::all_of(values.begin(), values.end(),
                    [](double v) { return std::isnan(v); }))
      continue;
    html += fmt::format("<tr><th>{}</th>", figure.name);
    for (double value : values)
      html += fmt::format("<td class=\"number{}\">{}</td>",
                          value == best ? " best" : "",
                          escapeHtml(figure.format(value)));
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

// -------------------------------------------------------------------- curves

template <typename Record>
Series series(const std::vector<Record> &records, double Record::*field) {
  Series points;
  points.reserve(records.size());
  for (const Record &record : records)
    points.push_back({static_cast<double>(record.step), record.*field});
  return points;
}

/// About one smoothing window for every part of the curve that the eye can
/// tell apart.
Series smoothed(const Series &points) {
  return smooth(points, static_cast<double>(points.size()) / 60);
}

/// The name of a line: the run's when there are several.
std::string lineName(const std::vector<RunFolder> &runs, size_t run,
                     const std::string &quantity) {
  return runs.size() == 1 ? quantity : runs[run].name + " " + quantity;
}

std::string lossChart(const std::vector<RunFolder> &runs, bool logarithmic) {
  LineChart chart;
  chart.logarithmic = logarithmic;
  chart.title = "Loss";
  chart.unit = "nats per token";
  for (size_t i = 0; i < runs.size(); ++i) {
    int color = static_cast<int>(i);
    Series training = series(runs[i].steps, &Step::loss);
    if (runs.size() == 1)
      chart.lines.push_back({"", color, Line::Style::Faint, training});
    chart.lines.push_back({lineName(runs, i, "training, smoothed"), color,
                           Line::Style::Solid, smoothed(training)});
    chart.lines.push_back({lineName(runs, i, "validation"),
                           runs.size() == 1 ? 1 : color, Line::Style::Dotted,
                           series(runs[i].evaluations, &Evaluation::loss)});
  }
  return chart.draw();
}

std::string accuracyChart(const std::vector<RunFolder> &runs) {
  LineChart chart;
  chart.title = "Accuracy";
  chart.unit = "right answers";
  chart.fromZero = chart.percent = true;
  for (size_t i = 0; i < runs.size(); ++i)
    chart.lines.push_back({lineName(runs, i, "validation"), static_cast<int>(i),
                           Line::Style::Dotted,
                           series(runs[i].evaluations, &Evaluation::accuracy)});
  return chart.draw();
}

std::string stepChart(const std::vector<RunFolder> &runs, LineChart chart,
                      const std::string &quantity, double Step::*field,
                      bool smoothing) {
  for (size_t i = 0; i < runs.size(); ++i) {
    int color = static_cast<int>(i);
    Series points = series(runs[i].steps, field);
    if (smoothing && runs.size() == 1)
      chart.lines.push_back({"", color, Line::Style::Faint, points});
    chart.lines.push_back({lineName(runs, i, quantity), color,
                           Line::Style::Solid,
                           smoothing ? smoothed(points) : points});
  }
  return chart.draw();
}

std::string curves(const std::vector<RunFolder> &runs, bool logarithmicLoss) {
  LineChart gradient, rate, speed;
  gradient.title = "Gradient norm";
  gradient.unit = "before clipping";
  gradient.mayBeLogarithmic = gradient.fromZero = true;
  rate.title = "Learning rate";
  rate.fromZero = true;
  speed.title = "Speed";
  speed.unit = "tokens/s";
  speed.fromZero = true;
  std::string charts =
      lossChart(runs, logarithmicLoss) + accuracyChart(runs) +
      stepChart(runs, gradient, "smoothed", &Step::gradNorm, true) +
      stepChart(runs, rate, "learning rate", &Step::learningRate, false) +
      stepChart(runs, speed, "smoothed", &Step::tokensPerSecond, true);
  return charts.empty() ? "" : "<div class=\"charts\">\n" + charts + "</div>\n";
}

// ----------------------------------------------------------------- heat maps

std::string depthTitle(const RunFolder &run, const Evaluation &evaluation) {
  return fmt::format("{}, step {}", run.name, formatCount(evaluation.step));
}

std::string depthMap(const RunFolder &run, const Evaluation &evaluation,
                     bool printed) {
  const DepthLayout &layout = run.depth;
  HeatMap map;
  map.title = depthTitle(run, evaluation);
  // The last output is read by no mixture when there is no final one.
  map.columns = layout.outputs;
  map.columns.resize(layout.numOutputsRead());
  bool partial = false;
  for (const DepthMixture &mixture : layout.mixtures)
    partial |= mixture.readsPartialSum;
  if (partial)
    map.columns.push_back("partial sum");
  for (size_t i = 0; i < layout.mixtures.size(); ++i) {
    const DepthMixture &mixture = layout.mixtures[i];
    map.rows.push_back(mixture.name);
    std::vector<double> row(map.columns.size(), nan);
    for (size_t k = 0; k < mixture.numSources(); ++k)
      if (size_t output = mixture.outputOf(k); output < mixture.numOutputs)
        row[output] = evaluation.depthWeights[i][k];
      else
        row.back() = evaluation.depthWeights[i][k];
    map.values.push_back(std::move(row));
  }
  map.shade = [](double weight) { return weight; };
  map.format = [](double weight) { return fmt::format("{:.3f}", weight); };
  map.scale = {0, 0.25, 0.5, 0.75, 1};
  map.printed = printed && map.columns.size() <= maxPrintedSources &&
                map.rows.size() <= maxPrintedMixtures;
  return map.draw();
}

std::string depthWeights(const std::vector<RunFolder> &runs) {
  std::string html;
  for (const RunFolder &run : runs) {
    std::vector<const Evaluation *> with;
    for (const Evaluation &evaluation : run.evaluations)
      if (!evaluation.depthWeights.empty())
        with.push_back(&evaluation);
    if (with.empty())
      continue;
    html += depthMap(run, *with.back(), true);
    with.pop_back();
    if (with.empty())
      continue;
    html += "<details><summary>earlier depth weights</summary>\n";
    for (size_t i : evenlySpaced(with.size(), 4))
      html += depthMap(run, *with[i], false);
    html += "</details>\n";
  }
  if (html.empty())
    return "";
  return muted("Mean weight over tokens of the validation set. A row is a "
               "mixture, the input of the sublayer that it names; a column is "
               "what it reads.") +
         html;
}

std::string gradientMap(const RunFolder &run) {
  std::vector<const Evaluation *> with;
  for (const Evaluation &evaluation : run.evaluations)
    if (!evaluation.gradientNorms.empty())
      with.push_back(&evaluation);
  if (with.empty())
    return "";
  HeatMap map;
  map.title = run.name;
  std::map<std::string, size_t> rowOf;
  for (const auto &[name, value] : with.back()->gradientNorms) {
    rowOf[name] = map.rows.size();
    map.rows.push_back(name);
  }
  std::vector<size_t> chosen = evenlySpaced(with.size(), maxHeatColumns);
  map.values.assign(map.rows.size(), std::vector<double>(chosen.size(), nan));
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (size_t j = 0; j < chosen.size(); ++j) {
    const Evaluation &evaluation = *with[chosen[j]];
    map.columns.push_back("step " + formatCount(evaluation.step));
    for (const auto &[name, value] : evaluation.gradientNorms)
      if (auto row = rowOf.find(name); row != rowOf.end()) {
        map.values[row->second][j] = value;
        if (value > 0 && std::isfinite(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
      }
  }
  // At least one decade, so that noise does not look like a difference.
  double top = std::log10(std::max(high, 1e-30));
  double span =
      std::max(1.0, top - std::log10(std::max(std::min(low, high), 1e-30)));
  map.shade = [=](double norm) {
    return norm > 0 ? 1 + 0.95 * (std::log10(norm) - top) / span : 0;
  };
  map.format = [](double norm) { return fmt::format("{:.2g}", norm); };
  for (int i = 4; i >= 0; --i)
    map.scale.push_back(std::pow(10, top - span * i / 4));
  map.printed = chosen.size() <= 12 && map.rows.size() <= maxPrintedMixtures;
  return map.draw();
}

std::string gradientNorms(const std::vector<RunFolder> &runs) {
  std::string html;
  for (const RunFolder &run : runs)
    html += gradientMap(run);
  if (html.empty())
    return "";
  return muted("Norm of the gradient of each part of the model at each "
               "evaluation; colours are logarithmic.") +
         html;
}

// -------------------------------------------------------------------- tables

std::string evaluationTable(const RunFolder &run) {
  std::string html =
      "<table><tr><th class=\"number\">step</th><th class=\"number\">loss</th>"
      "<th class=\"number\">perplexity</th><th class=\"number\">accuracy</th>"
      "</tr>\n";
  for (size_t i : evenlySpaced(run.evaluations.size(), maxEvaluationRows)) {
    const Evaluation &evaluation = run.evaluations[i];
    html += fmt::format(
        "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        formatCount(evaluation.step), formatNumber(evaluation.loss),
        formatNumber(evaluation.perplexity),
        formatPercent(evaluation.accuracy));
  }
  return html + "</table>\n";
}

std::string evaluations(const std::vector<RunFolder> &runs) {
  std::string html;
  for (const RunFolder &run : runs)
    if (!run.evaluations.empty())
      html += fmt::format("<details><summary>{}: {} evaluations</summary>\n",
                          escapeHtml(run.name), run.evaluations.size()) +
              evaluationTable(run) + "</details>\n";
  return html;
}

/// `text` with what follows the first difference from `expected` marked. Cuts
/// between characters, not inside one.
std::string marked(const std::string &text, const std::string &expected) {
  size_t same = 0;
  while (same < text.size() && same < expected.size() &&
         text[same] == expected[same])
    ++same;
  while (same > 0 && same < text.size() && (text[same] & 0xc0) == 0x80)
    --same;
  if (same == text.size())
    return escapeHtml(text);
  return escapeHtml(text.substr(0, same)) + "<mark>" +
         escapeHtml(text.substr(same)) + "</mark>";
}

std::string sample(const Sample &sample) {
  bool judged = sample.correct.has_value();
  bool wrong = judged && !*sample.correct;
  std::string html = fmt::format("<div class=\"sample{}\">", wrong    ? " wrong"
                                                             : judged ? " right"
                                                                      : "");
  if (judged)
    html += fmt::format("<span class=\"label verdict\">{}</span>",
                        wrong ? "\xe2\x9c\x97 wrong" : "\xe2\x9c\x93 right");
  html += "<p><span class=\"label\">prompt </span>" +
          escapeHtml(sample.prompt) + "</p>";
  html += "<p><span class=\"label\">text </span>" +
          (wrong && sample.expected ? marked(sample.text, *sample.expected)
                                    : escapeHtml(sample.text)) +
          "</p>";
  if (wrong && sample.expected)
    html += "<p><span class=\"label\">expected </span>" +
            escapeHtml(*sample.expected) + "</p>";
  return html + "</div>\n";
}

/// The samples of one step, wrong ones first.
std::string samplesOfStep(const std::vector<const Sample *> &all, bool open) {
  std::vector<const Sample *> sorted = all;
  auto rank = [](const Sample *s) { return s->correct.value_or(true); };
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](const Sample *a, const Sample *b) { return rank(a) < rank(b); });
  auto judged = std::count_if(all.begin(), all.end(), [](const Sample *s) {
    return s->correct.has_value();
  });
  auto right = std::count_if(all.begin(), all.end(), [](const Sample *s) {
    return s->correct.value_or(false);
  });
  std::string count = judged ? fmt::format("{} of {} right", right, judged)
                             : fmt::format("{} samples", all.size());
  std::string html =
      fmt::format("<details{}><summary>step {}: {}</summary>\n",
                  open ? " open" : "", formatCount(all.front()->step), count);
  for (size_t i = 0; i < std::min(sorted.size(), maxSamplesOfStep); ++i)
    html += sample(*sorted[i]);
  if (sorted.size() > maxSamplesOfStep)
    html += muted(fmt::format("{} more are in metrics.jsonl",
                              sorted.size() - maxSamplesOfStep));
  return html + "</details>\n";
}

std::string samples(const std::vector<RunFolder> &runs) {
  std::string html;
  for (const RunFolder &run : runs) {
    std::map<int64_t, std::vector<const Sample *>> bySteps;
    for (const Sample &sample : run.samples)
      bySteps[sample.step].push_back(&sample);
    if (bySteps.empty())
      continue;
    if (runs.size() > 1)
      html += "<h3>" + escapeHtml(run.name) + "</h3>\n";
    size_t shown = 0;
    for (auto step = bySteps.rbegin();
         step != bySteps.rend() && shown < maxSampledSteps; ++step, ++shown)
      html += samplesOfStep(step->second, shown == 0);
    if (bySteps.size() > maxSampledSteps)
      html += muted(fmt::format("samples of {} earlier steps are in "
                                "metrics.jsonl",
                                bySteps.size() - maxSampledSteps));
  }
  return html;
}

using Table = std::vector<std::pair<std::string, std::string>>;

std::string settingRows(const Table &rows) {
  std::string html;
  for (const auto &[name, cells] : rows)
    html += "<tr><th>" + escapeHtml(name) + "</th>" + cells + "</tr>\n";
  return html;
}

/// Rows for all names in any of the tables: of several runs those in which they
/// differ, and folded below what all of them have.
std::string sideBySide(const std::vector<RunFolder> &runs,
                       const std::vector<Table> &tables) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::vector<std::map<std::string, std::string>> values;
  for (const Table &table : tables) {
    values.emplace_back(table.begin(), table.end());
    for (const auto &[name, value] : table)
      if (seen.insert(name).second)
        names.push_back(name);
  }
  Table differing, same;
  for (const std::string &name : names) {
    std::vector<std::string> cells;
    for (const auto &table : values) {
      auto found = table.find(name);
      cells.push_back("<td class=\"setting\">" +
                      escapeHtml(found == table.end() ? "-" : found->second) +
                      "</td>");
    }
    bool differs =
        std::any_of(cells.begin(), cells.end(), [&](const std::string &cell) {
          return cell != cells.front();
        });
    if (differs)
      differing.emplace_back(
          name, std::accumulate(cells.begin(), cells.end(), std::string()));
    else
      same.emplace_back(name, cells.front());
  }
  std::string open = "<div class=\"card scroll\"><table>",
              close = "</table></div>\n";
  if (runs.size() == 1)
    return open + settingRows(same) + close;
  std::string html;
  if (!differing.empty()) {
    html = open + "<tr><th></th>";
    for (const RunFolder &run : runs)
      html += "<th>" + escapeHtml(run.name) + "</th>";
    html += "</tr>\n" + settingRows(differing) + close;
  }
  return html +
         fmt::format("<details><summary>{} that all runs share</summary>\n",
                     same.size()) +
         open + settingRows(same) + close + "</details>\n";
}

template <typename Json>
std::string settingText(const Json &value) {
  return value.is_string() ? value.template get<std::string>() : value.dump();
}

std::string settings(const std::vector<RunFolder> &runs) {
  std::vector<Table> tables;
  for (const RunFolder &run : runs) {
    Table table;
    for (const auto &[name, value] : run.settings.items())
      table.emplace_back(name, settingText(value));
    table.emplace_back("tokens per step", formatCount(run.tokensPerStep));
    table.emplace_back("version", run.version);
    tables.push_back(std::move(table));
  }
  return sideBySide(runs, tables);
}

std::string models(const std::vector<RunFolder> &runs) {
  std::vector<Table> tables;
  for (const RunFolder &run : runs) {
    Table table;
    if (run.config) {
      auto fields = nlohmann::ordered_json::parse(run.config->toJson());
      for (const auto &[name, value] : fields.items())
        table.emplace_back(name, settingText(value));
    }
    tables.push_back(std::move(table));
  }
  return "<details><summary>config.json</summary>\n" +
         sideBySide(runs, tables) + "</details>\n";
}

std::string header(const std::vector<RunFolder> &runs,
                   const PageOptions &options) {
  std::string title = options.title;
  if (title.empty())
    for (const RunFolder &run : runs)
      title += (title.empty() ? "" : ", ") + run.name;
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n" +
      (options.reloadSeconds > 0
           ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n",
                         options.reloadSeconds)
           : "") +
      "<title>" + escapeHtml(title) + "</title>\n<style>" + pageStyle +
      "</style>\n</head>\n<body>\n<h1>" + escapeHtml(title) + "</h1>\n";
  for (const RunFolder &run : runs) {
    std::string name = runs.size() > 1 ? run.name + ": " : "";
    if (run.config)
      html += muted(fmt::format("{}{} decoder blocks of width {}, attention "
                                "residuals {}",
                                name, run.config->numHiddenLayers,
                                run.config->hiddenSize,
                                toString(run.config->attnres)));
    for (const std::string &note : run.notes)
      html += "<p class=\"note\">Note: " + escapeHtml(note) + "</p>\n";
  }
  return html;
}

} // namespace

std::string drawPage(const std::vector<RunFolder> &runs,
                     const PageOptions &options) {
  std::vector<Summary> summaries(runs.begin(), runs.end());
  std::string html = header(runs, options);
  html += runs.size() == 1 ? tiles(summaries.front())
                           : section("Comparison", comparison(summaries));
  html += options.sections;
  html += section("Training", curves(runs, options.logarithmicLoss));
  html += section("Depth weights", depthWeights(runs));
  for (auto [title, draw] : {std::make_pair("Experts", drawRouterLoad),
                             std::make_pair("States", drawStates)}) {
    std::string content;
    for (const RunFolder &run : runs)
      content += draw(run);
    html += section(title, content);
  }
  html += section("Activations", drawActivations(runs));
  html += section("Gradient norm by layer", gradientNorms(runs));
  html += section("Evaluations", evaluations(runs));
  html += section("Samples", samples(runs));
  html += section("Settings", settings(runs) + models(runs));
  return html + "</body>\n</html>\n";
}

} // namespace attnres::report
