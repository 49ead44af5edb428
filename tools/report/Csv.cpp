// The curves of runs as a table for other programs.
#include "tools/report/Csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace attnres::report {
namespace {

/// In quotes where the text would be taken apart.
std::string field(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// The shortest text that reads back equal.
std::string field(double number) {
  return std::isnan(number) ? "" : fmt::format("{}", number);
}

/// What is known of one step.
struct Row {
  const Step *step = nullptr;
  const Evaluation *evaluation = nullptr;
};

} // namespace

std::string toCsv(const std::vector<RunFolder> &runs) {
  std::vector<std::string> sets;
  for (const RunFolder &run : runs)
    for (const Evaluation &evaluation : run.evaluations)
      for (const auto &[name, loss] : evaluation.sets)
        if (std::find(sets.begin(), sets.end(), name) == sets.end())
          sets.push_back(name);
  std::string text = "run,step,loss,grad_norm,learning_rate,tokens,"
                     "tokens_per_second,seconds,val_loss,val_perplexity,"
                     "accuracy";
  for (const std::string &name : sets)
    text += "," + field("val_loss " + name);
  text += '\n';
  for (const RunFolder &run : runs) {
    std::map<int64_t, Row> rows;
    for (const Step &step : run.steps)
      rows[step.step].step = &step;
    for (const Evaluation &evaluation : run.evaluations)
      rows[evaluation.step].evaluation = &evaluation;
    for (const auto &[number, row] : rows) {
      static const Step noStep{0, NAN, NAN, NAN, NAN, NAN, NAN};
      static const Evaluation noEvaluation = [] {
        Evaluation none{};
        none.loss = none.perplexity = none.accuracy = none.seconds = NAN;
        return none;
      }();
      const Step &s = row.step ? *row.step : noStep;
      const Evaluation &e = row.evaluation ? *row.evaluation : noEvaluation;
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{}", field(run.name), number,
          field(s.loss), field(s.gradNorm), field(s.learningRate),
          field(s.tokens), field(s.tokensPerSecond),
          field(row.step ? s.seconds : e.seconds), field(e.loss),
          field(e.perplexity), field(e.accuracy));
      for (const std::string &name : sets) {
        auto found = std::find_if(e.sets.begin(), e.sets.end(),
                                  [&](auto &set) { return set.first == name; });
        text += "," + field(found == e.sets.end() ? NAN : found->second);
      }
      text += '\n';
    }
  }
  return text;
}

} // namespace attnres::report
