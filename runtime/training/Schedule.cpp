// The learning rate of every step.
#include "runtime/training/Schedule.h"

#include <algorithm>
#include <cmath>

namespace attnres::runtime {

double LearningRateSchedule::at(int64_t step) const {
  if (step <= warmup)
    return peak * static_cast<double>(step) / static_cast<double>(warmup);
  // Nothing to come down over: no jump after a run that was all warm-up.
  if (shape == Shape::Constant || warmup >= steps)
    return peak;
  // The decay covers the last `length` steps, after the warm-up.
  int64_t length = steps - warmup;
  if (shape == Shape::Wsd)
    length = std::min(length, std::max<int64_t>(steps / 5, 1));
  int64_t left = steps - step;
  if (left <= 0 || length <= 0)
    return minimum;
  double remaining =
      std::min(1.0, static_cast<double>(left) / static_cast<double>(length));
  double share = shape == Shape::Cosine
                     ? 0.5 * (1 - std::cos(std::acos(-1.0) * remaining))
                     : remaining;
  return minimum + (peak - minimum) * share;
}

std::optional<LearningRateSchedule::Shape>
parseScheduleShape(std::string_view name) {
  using Shape = LearningRateSchedule::Shape;
  if (name == "constant")
    return Shape::Constant;
  if (name == "cosine")
    return Shape::Cosine;
  if (name == "wsd")
    return Shape::Wsd;
  return std::nullopt;
}

} // namespace attnres::runtime
