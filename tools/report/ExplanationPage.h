// A compilation as one HTML page that needs nothing else.
#ifndef ATTNRES_TOOLS_REPORT_EXPLANATIONPAGE_H
#define ATTNRES_TOOLS_REPORT_EXPLANATIONPAGE_H

#include "tools/compile/Explanation.h"

#include <optional>
#include <string>
#include <vector>

namespace attnres::report {

/// What a target can do at most in a second, on all of its processors.
struct Roof {
  double flops, bytes;
  std::string source; ///< where the numbers are from
};

/// Seconds of every launch of a target.
struct LaunchSeconds {
  std::vector<double> predicted; ///< empty without a roof
  std::vector<double> measured;  ///< empty unless it was run
};

/// A target with what is known of its speed.
struct TimedTarget {
  const TargetView *view = nullptr;
  std::optional<Roof> roof;
  std::string whyNoRoof; ///< "The data sheet is not known"
  LaunchSeconds seconds;
};

/// The seconds that a launch takes at least.
double predictSeconds(const ExplainedLaunch &launch, const Roof &roof);

/// A page without scripts and without references to anything outside it.
/// `title` names the model, `facts` are lines below it.
std::string drawExplanation(const std::string &title,
                            const std::vector<std::string> &facts,
                            const Explanation &explanation,
                            const std::vector<TimedTarget> &targets);

} // namespace attnres::report
#endif
