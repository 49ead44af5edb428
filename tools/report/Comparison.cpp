// The tables of an experiment.
#include "tools/report/Comparison.h"

#include "runtime/MemoryLimit.h"
#include "tools/report/Csv.h"
#include "tools/report/HeatMap.h"
#include "tools/report/Page.h"
#include "tools/report/Summary.h"
#include "tools/report/Text.h"
#include "tools/report/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attnres::report {
namespace {

using nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t mostTextColumns = 12; ///< of runs in a terminal

std::string formatMemory(double bytes) {
  return std::isnan(bytes) ? "-"
                           : runtime::formatBytes(static_cast<int64_t>(bytes));
}
std::string formatNorm(double norm) {
  return std::isnan(norm) ? "-" : fmt::format("{:.3g}", norm);
}
std::string formatWeight(double weight) {
  return std::isnan(weight) ? "" : fmt::format("{:.3f}", weight);
}

/// A cell is a text or a number.
struct Cell {
  Cell(std::string text) : text(std::move(text)), isText(true) {}
  Cell(double number) : number(number) {}

  std::string text;
  double number = nan;
  bool isText = false;
};

struct Column {
  std::string name;
  std::string (*format)(double) = formatNumber;
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  size_t labels = 1; ///< columns that say what a line is about

  std::string show(size_t column, const Cell &cell) const {
    return cell.isText ? cell.text : columns[column].format(cell.number);
  }

  std::string toText() const {
    std::vector<std::string> header;
    for (const Column &column : columns)
      header.push_back(column.name);
    TextTable table(header);
    for (const auto &row : rows) {
      std::vector<std::string> cells;
      for (size_t i = 0; i < row.size(); ++i)
        cells.push_back(show(i, row[i]));
      table.add(std::move(cells));
    }
    return title + "\n" + table.print();
  }

  std::string toCsv() const {
    std::string text;
    for (size_t i = 0; i < columns.size(); ++i)
      text += (i ? "," : "") + csvField(columns[i].name);
    text += '\n';
    for (const auto &row : rows) {
      for (size_t i = 0; i < row.size(); ++i)
        text += (i ? "," : "") + (row[i].isText ? csvField(row[i].text)
                                                : csvField(row[i].number));
      text += '\n';
    }
    return text;
  }

  std::string toHtml() const {
    std::string html = "<h3>" + escapeHtml(title) +
                       "</h3>\n<div class=\"card scroll\"><table><tr>";
    for (size_t i = 0; i < columns.size(); ++i)
      html += fmt::format("<th{}>{}</th>", i ? " class=\"number\"" : "",
                          escapeHtml(columns[i].name));
    html += "</tr>\n";
    for (const auto &row : rows) {
      html += "<tr>";
      for (size_t i = 0; i < row.size(); ++i)
        html += fmt::format("<td{}>{}</td>", i ? " class=\"number\"" : "",
                            escapeHtml(show(i, row[i])));
      html += "</tr>\n";
    }
    return html + "</table></div>\n";
  }
};

double peakOf(const RunFolder &run) {
  double peak = nan;
  for (const Evaluation &evaluation : run.evaluations)
    peak = std::fmax(peak, evaluation.peakBytes);
  return peak;
}

Table summaryTable(const Comparison &c) {
  Table table{"Runs",
              {{"run"},
               {"parameters"},
               {"steps"},
               {"loss"},
               {"best loss"},
               {"accuracy", formatPercent},
               {"best accuracy", formatPercent},
               {"time", formatDuration},
               {"tokens/s"},
               {"planned", formatMemory},
               {"peak", formatMemory}},
              {}};
  for (const RunFolder &run : c.runs) {
    Summary s(run);
    table.rows.push_back({s.name, static_cast<double>(s.parameters),
                          static_cast<double>(s.lastStep), s.validationLoss,
                          s.bestLoss, s.accuracy, s.bestAccuracy, s.seconds,
                          s.tokensPerSecond, run.plannedBytes, peakOf(run)});
  }
  return table;
}

/// Mean, least and largest of the numbers that there are.
struct Spread {
  double mean = nan, least = nan, largest = nan;
  explicit Spread(const std::vector<double> &values) {
    double sum = 0, count = 0;
    for (double value : values)
      if (!std::isnan(value)) {
        sum += value;
        ++count;
        least = std::fmin(least, value);
        largest = std::fmax(largest, value);
      }
    if (count > 0)
      mean = sum / count;
  }
};

/// Empty when no run repeats another.
std::optional<Table> groupTable(const Comparison &c) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Summary>> members;
  for (size_t i = 0; i < c.runs.size(); ++i) {
    if (!members.count(c.groups[i]))
      order.push_back(c.groups[i]);
    members[c.groups[i]].emplace_back(c.runs[i]);
  }
  if (order.size() == c.runs.size())
    return std::nullopt;
  Table table{"Means over seeds",
              {{"group"},
               {"runs"},
               {"loss"},
               {"least loss"},
               {"largest loss"},
               {"accuracy", formatPercent},
               {"least accuracy", formatPercent},
               {"largest accuracy", formatPercent},
               {"time", formatDuration}},
              {}};
  for (const std::string &group : order) {
    auto spread = [&](double Summary::*field) {
      std::vector<double> values;
      for (const Summary &s : members[group])
        values.push_back(s.*field);
      return Spread(values);
    };
    Spread loss = spread(&Summary::validationLoss),
           accuracy = spread(&Summary::accuracy),
           time = spread(&Summary::seconds);
    table.rows.push_back({group, static_cast<double>(members[group].size()),
                          loss.mean, loss.least, loss.largest, accuracy.mean,
                          accuracy.least, accuracy.largest, time.mean});
  }
  return table;
}

/// Epochs in a step, where the runs agree about it.
std::optional<double> epochsPerStep(const Comparison &c) {
  std::optional<double> rate;
  for (const RunFolder &run : c.runs) {
    auto epochs = run.settings.find("epochs"),
         steps = run.settings.find("steps");
    if (epochs == run.settings.end() || steps == run.settings.end() ||
        !epochs->is_number() || !steps->is_number() || *steps == 0)
      return std::nullopt;
    double own = epochs->get<double>() / steps->get<double>();
    if (rate && *rate != own)
      return std::nullopt;
    rate = own;
  }
  return rate;
}

/// A line for each step at which a run was evaluated; empty when `field` is
/// nowhere a number.
std::optional<Table> evaluationTable(const Comparison &c, std::string title,
                                     double Evaluation::*field,
                                     std::string (*format)(double)) {
  std::set<int64_t> steps;
  for (const RunFolder &run : c.runs)
    for (const Evaluation &evaluation : run.evaluations)
      if (!std::isnan(evaluation.*field))
        steps.insert(evaluation.step);
  if (steps.empty())
    return std::nullopt;
  std::optional<double> rate = epochsPerStep(c);
  Table table{std::move(title), {{"step"}}, {}};
  if (rate) {
    table.columns.push_back({"epoch"});
    table.labels = 2;
  }
  for (const RunFolder &run : c.runs)
    table.columns.push_back({run.name, format});
  for (int64_t step : steps) {
    std::vector<Cell> row = {static_cast<double>(step)};
    if (rate)
      row.emplace_back(*rate * static_cast<double>(step));
    for (const RunFolder &run : c.runs) {
      auto found =
          std::find_if(run.evaluations.begin(), run.evaluations.end(),
                       [&](const Evaluation &e) { return e.step == step; });
      row.emplace_back(found == run.evaluations.end() ? nan : *found.*field);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The last evaluation that has mean norms; null without one.
const Evaluation *lastNormed(const RunFolder &run) {
  for (auto it = run.evaluations.rbegin(); it != run.evaluations.rend(); ++it)
    if (!it->meanGradientNorms.empty())
      return &*it;
  return nullptr;
}

/// A line for each part of the model: the mean of the norm of its gradient
/// since the last evaluation but one.
std::optional<Table> gradientTable(const Comparison &c) {
  std::vector<std::string> parts;
  for (const RunFolder &run : c.runs)
    if (const Evaluation *last = lastNormed(run))
      for (const auto &[part, norm] : last->meanGradientNorms)
        if (std::find(parts.begin(), parts.end(), part) == parts.end())
          parts.push_back(part);
  if (parts.empty())
    return std::nullopt;
  Table table{"Gradient norms, means over the steps of the last interval "
              "between evaluations",
              {{"part"}},
              {}};
  for (const RunFolder &run : c.runs)
    table.columns.push_back({run.name, formatNorm});
  for (const std::string &part : parts) {
    std::vector<Cell> row = {part};
    for (const RunFolder &run : c.runs) {
      double value = nan;
      if (const Evaluation *last = lastNormed(run))
        for (const auto &[name, norm] : last->meanGradientNorms)
          if (name == part)
            value = norm;
      row.emplace_back(value);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The same as a picture with a colour for each decade.
std::string gradientMap(const Table &table) {
  HeatMap map;
  map.title = table.title;
  for (size_t i = 1; i < table.columns.size(); ++i)
    map.columns.push_back(table.columns[i].name);
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const auto &row : table.rows) {
    map.rows.push_back(row.front().text);
    std::vector<double> values;
    for (size_t i = 1; i < row.size(); ++i) {
      values.push_back(row[i].number);
      if (values.back() > 0 && std::isfinite(values.back())) {
        low = std::min(low, values.back());
        high = std::max(high, values.back());
      }
    }
    map.values.push_back(std::move(values));
  }
  double top = std::log10(std::max(high, 1e-30));
  double span =
      std::max(1.0, top - std::log10(std::max(std::min(low, high), 1e-30)));
  map.shade = [=](double norm) {
    return norm > 0 ? 1 + 0.95 * (std::log10(norm) - top) / span : 0;
  };
  map.format = formatNorm;
  for (int i = 4; i >= 0; --i)
    map.scale.push_back(std::pow(10, top - span * i / 4));
  return map.draw();
}

/// What each mixture of a run reads, at the last evaluation that says so.
std::optional<Table> depthTable(const RunFolder &run) {
  for (auto it = run.evaluations.rbegin(); it != run.evaluations.rend(); ++it) {
    if (it->depthWeights.empty())
      continue;
    const DepthLayout &layout = run.depth;
    Table table{fmt::format("Depth weights of {}, step {}", run.name, it->step),
                {{"mixture"}},
                {}};
    std::vector<std::string> sources = layout.outputs;
    sources.resize(layout.numOutputsRead());
    bool partial = std::any_of(layout.mixtures.begin(), layout.mixtures.end(),
                               [](auto &m) { return m.readsPartialSum; });
    if (partial)
      sources.push_back("partial sum");
    for (const std::string &source : sources)
      table.columns.push_back({source, formatWeight});
    for (size_t i = 0; i < layout.mixtures.size(); ++i) {
      const DepthMixture &mixture = layout.mixtures[i];
      std::vector<Cell> row = {mixture.name};
      row.resize(1 + sources.size(), nan);
      for (size_t k = 0; k < mixture.numSources(); ++k) {
        auto column = std::find(sources.begin(), sources.end(),
                                layout.sourceName(mixture, k));
        row[1 + static_cast<size_t>(column - sources.begin())] =
            it->depthWeights[i][k];
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  return std::nullopt;
}

// Long tables for other programs: a line for each number.

Table allGradients(const Comparison &c) {
  Table table{"", {{"run"}, {"step"}, {"part"}, {"mean_norm"}}, {}};
  for (const RunFolder &run : c.runs)
    for (const Evaluation &evaluation : run.evaluations)
      for (const auto &[part, norm] : evaluation.meanGradientNorms)
        table.rows.push_back(
            {run.name, static_cast<double>(evaluation.step), part, norm});
  return table;
}

Table allDepthWeights(const Comparison &c) {
  Table table{"", {{"run"}, {"step"}, {"mixture"}, {"source"}, {"weight"}}, {}};
  for (const RunFolder &run : c.runs)
    for (const Evaluation &evaluation : run.evaluations)
      for (size_t i = 0; i < evaluation.depthWeights.size(); ++i) {
        const DepthMixture &mixture = run.depth.mixtures[i];
        for (size_t k = 0; k < mixture.numSources(); ++k)
          table.rows.push_back({run.name, static_cast<double>(evaluation.step),
                                mixture.name, run.depth.sourceName(mixture, k),
                                evaluation.depthWeights[i][k]});
      }
  return table;
}

/// The columns of runs in pieces that a terminal takes; the labels stand before
/// each.
std::vector<Table> inPieces(const Table &table) {
  std::vector<Table> pieces;
  size_t kept = table.labels, count = table.columns.size() - kept;
  for (size_t begin = 0; begin < count || begin == 0;
       begin += mostTextColumns) {
    size_t end = std::min(count, begin + mostTextColumns);
    auto take = [&](const auto &all) {
      auto first = all.begin();
      auto at = [&](size_t i) {
        return first + static_cast<std::ptrdiff_t>(kept + i);
      };
      std::decay_t<decltype(all)> some(first, at(0));
      some.insert(some.end(), at(begin), at(end));
      return some;
    };
    Table piece{table.title, take(table.columns), {}};
    for (const auto &row : table.rows)
      piece.rows.push_back(take(row));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::optional<Table> accuracyTable(const Comparison &c) {
  return evaluationTable(c, "Accuracy", &Evaluation::accuracy, formatPercent);
}
std::optional<Table> lossTable(const Comparison &c) {
  return evaluationTable(c, "Validation loss", &Evaluation::loss, formatNumber);
}

ordered_json normsToJson(const Evaluation &evaluation) {
  ordered_json norms = ordered_json::object();
  for (const auto &[part, norm] : evaluation.meanGradientNorms)
    norms[part] = norm;
  return norms;
}

} // namespace

std::string Comparison::toText() const {
  std::string text = title.empty() ? "" : title + "\n\n";
  text += summaryTable(*this).toText();
  if (auto table = groupTable(*this))
    text += "\n" + table->toText();
  for (const std::optional<Table> &table :
       {accuracyTable(*this), lossTable(*this), gradientTable(*this)})
    if (table)
      for (const Table &piece : inPieces(*table))
        text += "\n" + piece.toText();
  for (const RunFolder &run : runs)
    if (auto table = depthTable(run))
      text += "\n" + table->toText();
  return text;
}

std::map<std::string, std::string> Comparison::toCsv() const {
  std::map<std::string, std::string> files = {
      {"summary.csv", summaryTable(*this).toCsv()},
      {"gradient_norms.csv", allGradients(*this).toCsv()},
      {"depth_weights.csv", allDepthWeights(*this).toCsv()},
      {"curves.csv", report::toCsv(runs)}};
  for (auto &[name, table] :
       {std::make_pair("groups.csv", groupTable(*this)),
        std::make_pair("accuracy.csv", accuracyTable(*this)),
        std::make_pair("validation_loss.csv", lossTable(*this))})
    if (table)
      files[name] = table->toCsv();
  return files;
}

ordered_json Comparison::toJson() const {
  ordered_json result = {{"title", title}};
  result.update(summariesToJson(runs));
  for (size_t i = 0; i < runs.size(); ++i) {
    const RunFolder &run = runs[i];
    ordered_json &entry = result["runs"][i];
    entry["group"] = groups[i];
    entry["summary"]["planned_bytes"] = run.plannedBytes;
    entry["summary"]["peak_bytes"] = peakOf(run);
    for (size_t k = 0; k < run.evaluations.size(); ++k) {
      const Evaluation &evaluation = run.evaluations[k];
      ordered_json &record = entry["evaluations"][k];
      record["mean_gradient_norms"] = normsToJson(evaluation);
      if (!evaluation.depthWeights.empty())
        record["depth_weights"] = evaluation.depthWeights;
    }
    entry["mixtures"] = ordered_json::array();
    for (const DepthMixture &mixture : run.depth.mixtures) {
      ordered_json sources = ordered_json::array();
      for (size_t k = 0; k < mixture.numSources(); ++k)
        sources.push_back(run.depth.sourceName(mixture, k));
      entry["mixtures"].push_back(
          {{"name", mixture.name}, {"sources", sources}});
    }
  }
  return result;
}

std::string Comparison::toHtml(bool logarithmicLoss) const {
  PageOptions options;
  options.title = title;
  options.logarithmicLoss = logarithmicLoss;
  options.sections = "<section><h2>Side by side</h2>\n";
  options.sections += summaryTable(*this).toHtml();
  for (const std::optional<Table> &table :
       {groupTable(*this), accuracyTable(*this), lossTable(*this)})
    if (table)
      options.sections += table->toHtml();
  if (auto table = gradientTable(*this))
    options.sections += gradientMap(*table) + table->toHtml();
  for (const RunFolder &run : runs)
    if (auto table = depthTable(run))
      options.sections += table->toHtml();
  options.sections += "</section>\n";
  return drawPage(runs, options);
}

} // namespace attnres::report
