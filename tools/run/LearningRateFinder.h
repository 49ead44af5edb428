// How the loss answers to the learning rate.
#ifndef ATTNRES_TOOLS_RUN_LEARNINGRATEFINDER_H
#define ATTNRES_TOOLS_RUN_LEARNINGRATEFINDER_H

#include "runtime/data/Dataset.h"
#include "runtime/training/Trainer.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

/// What a range test found (Smith, arXiv 1506.01186): the learning rate rises
/// from step to step by one factor, and the loss says where it is too small,
/// right, and too large.
struct RateSearch {
  struct Point {
    double rate = 0, loss = 0;
    double smoothed = 0; ///< mean of the losses so far, recent ones most
  };
  std::vector<Point> points;
  bool diverged = false; ///< ended before the largest rate
  /// Where the smoothed loss falls fastest over the logarithm of the rate, and
  /// where it is least; nothing when it never falls.
  std::optional<double> steepest, lowest;

  /// Fills in `steepest` and `lowest`.
  void judge();

  /// A table of some of the points, the curve, and what to choose.
  std::string toText() const;
  nlohmann::ordered_json toJson() const;
};

/// Trains `steps` steps at rates from `least` to `most` on batches of the data
/// as a run with that seed draws them. Ends early when the loss is four times
/// the least one or not finite, or a signal came.
Result<RateSearch> searchRate(runtime::Trainer &trainer,
                              const runtime::Dataset &data, uint64_t seed,
                              int64_t parts, int64_t steps, double least,
                              double most);

} // namespace attnres::run

#endif
