// The learning rate of every step.
#ifndef ATTNRES_RUNTIME_TRAINING_SCHEDULE_H
#define ATTNRES_RUNTIME_TRAINING_SCHEDULE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnres::runtime {

struct LearningRateSchedule {
  enum class Shape {
    Constant,
    Cosine, ///< half a period, from the peak to the minimum
    Wsd,    ///< warm-up, stable, decay: linear decay in the last fifth
  };

  Shape shape = Shape::Cosine;
  double peak = 1e-3;
  double minimum = 0; ///< at the last step and after it, unless Constant
  int64_t warmup = 0; ///< steps of linear rise; the last of them has the peak
  int64_t steps = 1;  ///< until the minimum is reached

  /// The rate of step number `step`, counted from 1. Defined for every step and
  /// any warmup: after the end it stays at the minimum, or at the peak if the
  /// warm-up leaves no step to come down in.
  double at(int64_t step) const;
};

std::optional<LearningRateSchedule::Shape>
parseScheduleShape(std::string_view name);

} // namespace attnres::runtime
#endif
