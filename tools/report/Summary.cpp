// Final and best numbers.
#include "tools/report/Summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnres::report {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

static double median(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](double v) { return !std::isfinite(v); }),
               values.end());
  if (values.empty())
    return nan;
  auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

static double meanOfLastLosses(const std::vector<Step> &steps) {
  size_t count =
      std::min(steps.size(), std::clamp<size_t>(steps.size() / 100, 1, 100));
  double sum = 0;
  for (size_t i = steps.size() - count; i < steps.size(); ++i)
    sum += steps[i].loss;
  return count ? sum / static_cast<double>(count) : nan;
}

Summary::Summary(const RunFolder &run)
    : name(run.name), attnres(run.config ? toString(run.config->attnres) : "-"),
      parameters(run.parameters), lastStep(0), tokens(nan), seconds(nan),
      trainLoss(meanOfLastLosses(run.steps)), validationLoss(nan),
      perplexity(nan), bestLoss(nan), bestStep(0), accuracy(nan),
      bestAccuracy(nan), tokensPerSecond(nan) {
  if (!run.steps.empty()) {
    lastStep = run.steps.back().step;
    tokens = run.steps.back().tokens;
    seconds = run.steps.back().seconds;
  }
  if (!run.evaluations.empty()) {
    validationLoss = run.evaluations.back().loss;
    perplexity = run.evaluations.back().perplexity;
  }
  for (const Evaluation &evaluation : run.evaluations) {
    if (!(evaluation.loss >= bestLoss) && !std::isnan(evaluation.loss)) {
      bestLoss = evaluation.loss;
      bestStep = evaluation.step;
    }
    if (!std::isnan(evaluation.accuracy)) {
      accuracy = evaluation.accuracy;
      bestAccuracy = std::fmax(bestAccuracy, accuracy);
    }
  }
  std::vector<double> speeds;
  for (const Step &step : run.steps)
    speeds.push_back(step.tokensPerSecond);
  tokensPerSecond = median(std::move(speeds));
}

// nlohmann-json writes numbers that are not finite as null.
nlohmann::ordered_json summariesToJson(const std::vector<RunFolder> &runs) {
  using nlohmann::ordered_json;
  ordered_json list = ordered_json::array();
  for (const RunFolder &run : runs) {
    Summary s(run);
    ordered_json entry;
    entry["name"] = s.name;
    entry["summary"] = {{"attnres", s.attnres},
                        {"parameters", s.parameters},
                        {"last_step", s.lastStep},
                        {"tokens", s.tokens},
                        {"seconds", s.seconds},
                        {"train_loss", s.trainLoss},
                        {"validation_loss", s.validationLoss},
                        {"perplexity", s.perplexity},
                        {"best_validation_loss", s.bestLoss},
                        {"best_step", s.bestStep},
                        {"accuracy", s.accuracy},
                        {"best_accuracy", s.bestAccuracy},
                        {"tokens_per_second", s.tokensPerSecond}};
    entry["settings"] = run.settings;
    entry["notes"] = run.notes;
    entry["evaluations"] = ordered_json::array();
    for (const Evaluation &evaluation : run.evaluations)
      entry["evaluations"].push_back({{"step", evaluation.step},
                                      {"loss", evaluation.loss},
                                      {"perplexity", evaluation.perplexity},
                                      {"accuracy", evaluation.accuracy}});
    list.push_back(std::move(entry));
  }
  return {{"runs", std::move(list)}};
}

} // namespace attnres::report
