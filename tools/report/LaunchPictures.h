// The launches of a compiled program as pictures, for an HTML page that defines
// the classes of PageStyle.h and of launchStyle.
#ifndef ATTNRES_TOOLS_REPORT_LAUNCHPICTURES_H
#define ATTNRES_TOOLS_REPORT_LAUNCHPICTURES_H

#include "tools/report/ExplanationPage.h"

#include <string>
#include <string_view>

namespace attnres::report {

/// What a kernel is for, as its name says: gives colours.
enum class KernelKind { Products, Attention, Depth, Rows, Ends, Update };
KernelKind kindOf(std::string_view kernel);

/// Launches one behind the other, each as long as it takes: predicted, and
/// measured below. Empty when no time is known.
std::string drawTimeline(const TimedTarget &target);

/// Operations and bytes of every launch.
std::string drawWork(const TimedTarget &target);

/// Every kernel below the limits of the target: operations in a second over
/// operations for a byte, and kernels that count none by bytes in a second.
/// Empty without a roof.
std::string drawRoofline(const TimedTarget &target);

/// Where every tensor lies in the arena, from launch to launch.
std::string drawMemory(const TargetView &target);

extern const char *const launchStyle;

} // namespace attnres::report
#endif
