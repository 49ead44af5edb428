// How the loss answers to the learning rate.
#include "tools/run/LearningRateFinder.h"

#include "runtime/training/Interrupt.h"
#include "tools/report/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnres::run {
namespace {

/// The smoothed loss forgets half in about seven steps.
constexpr double kMemory = 0.9;
/// Steps on either side of a point over which a slope is taken.
constexpr size_t kReach = 3;
/// Of the picture, in characters.
constexpr size_t kRows = 12, kColumns = 64;

std::string drawCurve(const std::vector<RateSearch::Point> &points,
                      std::optional<double> marked) {
  double low = points.front().smoothed, high = low;
  for (const RateSearch::Point &point : points) {
    low = std::min(low, point.smoothed);
    high = std::max(high, point.smoothed);
  }
  // What rises at the end would press everything else flat.
  high = std::min(high, points.front().smoothed +
                            0.5 * (points.front().smoothed - low) + 1e-12);
  double begin = std::log(points.front().rate),
         span = std::max(std::log(points.back().rate) - begin, 1e-12);
  auto columnOf = [&](double rate) {
    double at = (std::log(rate) - begin) / span * (kColumns - 1);
    return std::min(static_cast<size_t>(std::lround(std::max(at, 0.0))),
                    kColumns - 1);
  };
  std::vector<std::string> rows(kRows, std::string(kColumns, ' '));
  if (marked)
    for (std::string &row : rows)
      row[columnOf(*marked)] = ':';
  for (const RateSearch::Point &point : points) {
    double height = (high - point.smoothed) / std::max(high - low, 1e-12);
    if (height < 0)
      continue;
    auto row = static_cast<size_t>(std::lround(height * (kRows - 1)));
    rows[std::min(row, kRows - 1)][columnOf(point.rate)] = '*';
  }
  std::string text;
  for (size_t i = 0; i < kRows; ++i) {
    double value = high - (high - low) * static_cast<double>(i) / (kRows - 1);
    text += fmt::format("{:>8.4f} |{}\n", value, rows[i]);
  }
  return text + fmt::format("{:>8} +{}\n{:>8}  {:<{}.2g}{:>.2g}\n", "",
                            std::string(kColumns, '-'), "", points.front().rate,
                            kColumns - 6, points.back().rate);
}

} // namespace

void RateSearch::judge() {
  double least = 0, fall = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!lowest || points[i].smoothed < least) {
      least = points[i].smoothed;
      lowest = points[i].rate;
    }
    if (i < kReach || i + kReach >= points.size())
      continue;
    double slope = (points[i + kReach].smoothed - points[i - kReach].smoothed) /
                   std::log(points[i + kReach].rate / points[i - kReach].rate);
    if (slope < fall) {
      fall = slope;
      steepest = points[i].rate;
    }
  }
  if (!steepest)
    lowest.reset();
}

std::string RateSearch::toText() const {
  report::TextTable table({"learning rate", "loss", "smoothed"});
  size_t every = std::max<size_t>(points.size() / 12, 1);
  for (size_t i = 0; i < points.size(); i += every)
    table.add({fmt::format("{:.2e}", points[i].rate),
               fmt::format("{:.4f}", points[i].loss),
               fmt::format("{:.4f}", points[i].smoothed)});
  std::string text = table.print() + "\n" + drawCurve(points, steepest) + "\n";
  if (diverged)
    text += fmt::format("ended at {:.2e}, where the loss ran away\n",
                        points.back().rate);
  if (!steepest)
    return text + "the loss never falls: no learning rate to suggest\n";
  return text + fmt::format("suggested: --lr {:.2g}, where the loss falls "
                            "fastest; it is least at {:.2g}\n",
                            *steepest, *lowest);
}

nlohmann::ordered_json RateSearch::toJson() const {
  nlohmann::ordered_json result;
  for (auto [name, rate] : {std::make_pair("suggested", steepest),
                            std::make_pair("lowest", lowest)})
    result[name] =
        rate ? nlohmann::ordered_json(*rate) : nlohmann::ordered_json(nullptr);
  result["diverged"] = diverged;
  result["points"] = nlohmann::ordered_json::array();
  for (const Point &point : points)
    result["points"].push_back({{"learning_rate", point.rate},
                                {"loss", point.loss},
                                {"smoothed", point.smoothed}});
  return result;
}

Result<RateSearch> searchRate(runtime::Trainer &trainer,
                              const runtime::Dataset &data, uint64_t seed,
                              int64_t parts, int64_t steps, double least,
                              double most) {
  RateSearch search;
  int64_t rows = trainer.batchSize() * parts;
  std::vector<int64_t> tokens(static_cast<size_t>(rows * trainer.length())),
      targets(tokens.size());
  double mean = 0, weight = 0, best = INFINITY;
  for (int64_t i = 0; i < steps && !runtime::interruptSignal(); ++i) {
    if (Status status = runtime::fillBatch(data, seed, i, rows, tokens.data(),
                                           targets.data());
        !status.ok())
      return status;
    double share = static_cast<double>(i) /
                   static_cast<double>(std::max(steps - 1, int64_t{1}));
    double rate = least * std::pow(most / least, share);
    Result<runtime::StepResult> result =
        trainer.step(i + 1, rate, parts, tokens.data(), targets.data());
    if (!result.ok())
      return result.status();
    if (!result->failure.empty()) {
      search.diverged = true;
      break;
    }
    mean = kMemory * mean + (1 - kMemory) * result->loss;
    weight = kMemory * weight + (1 - kMemory);
    search.points.push_back({rate, result->loss, mean / weight});
    best = std::min(best, search.points.back().smoothed);
    if (search.points.back().smoothed > 4 * best) {
      search.diverged = true;
      break;
    }
  }
  if (search.points.empty())
    return invalidArgument("the first step has no finite loss");
  search.judge();
  return search;
}

} // namespace attnres::run
