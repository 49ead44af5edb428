// The curves of runs as a table for other programs.
#include "tools/report/Csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace attnres::report {
namespace {

/// What is known of one step.
struct Row {
  const Step *step = nullptr;
  const Evaluation *evaluation = nullptr;
};

} // namespace

std::string csvField(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csvField(double number) {
  return std::isnan(number) ? "" : fmt::format("{}", number);
}

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
    text += "," + csvField("val_loss " + name);
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
          "{},{},{},{},{},{},{},{},{},{},{}", csvField(run.name), number,
          csvField(s.loss), csvField(s.gradNorm), csvField(s.learningRate),
          csvField(s.tokens), csvField(s.tokensPerSecond),
          csvField(row.step ? s.seconds : e.seconds), csvField(e.loss),
          csvField(e.perplexity), csvField(e.accuracy));
      for (const std::string &name : sets) {
        auto found = std::find_if(e.sets.begin(), e.sets.end(),
                                  [&](auto &set) { return set.first == name; });
        text += "," + csvField(found == e.sets.end() ? NAN : found->second);
      }
      text += '\n';
    }
  }
  return text;
}

} // namespace attnres::report
