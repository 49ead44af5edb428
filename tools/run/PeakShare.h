// What part of the machine's limit a training run reaches.
#ifndef ATTNRES_TOOLS_RUN_PEAKSHARE_H
#define ATTNRES_TOOLS_RUN_PEAKSHARE_H

#include "tools/run/MachineLimits.h"

#include <chrono>
#include <optional>

namespace attnres::run {

/// The share of the machine's limit that training reaches, while the limit is
/// measured again from time to time.
class PeakShare {
public:
  /// Without limits nothing is known.
  PeakShare(MachineLimits *limits, bool bf16)
      : limits(limits), limit(MachineLimits::ofProducts(bf16)) {}

  std::optional<double> operator()(double flops) {
    if (!limits)
      return std::nullopt;
    auto now = std::chrono::steady_clock::now();
    bool isDue = !measured || now - *measured > kMeasureInterval;
    if (isDue) {
      measured = now;
      limits->measure(limit);
      isKnown = limits->findShare(limit, flops).has_value();
    }
    if (!isKnown)
      return std::nullopt;
    return limits->findShare(limit, flops);
  }

private:
  static constexpr std::chrono::seconds kMeasureInterval{5};
  MachineLimits *limits;
  Limit limit;
  std::optional<std::chrono::steady_clock::time_point> measured;
  bool isKnown = false;
};

} // namespace attnres::run

#endif
