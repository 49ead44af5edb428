// Numbers and texts as a report prints them.
#ifndef ATTNRES_TOOLS_REPORT_TEXT_H
#define ATTNRES_TOOLS_REPORT_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace attnres::report {

/// `text` for an HTML element or a quoted attribute. Control characters that
/// HTML forbids become their symbols (U+2400 and up).
std::string escapeHtml(std::string_view text);

/// Four significant digits; "-" for NaN, "1,234" from a thousand on.
std::string formatNumber(double value);
/// "1,234,567".
std::string formatCount(int64_t value);
/// For axes: "1.5k", "20M", "3e-05".
std::string formatShort(double value);
/// "45.2%", or "-" for NaN.
std::string formatPercent(double fraction);
/// "3.1 s", "12 min 05 s", "3 h 20 min"; "-" for NaN.
std::string formatDuration(double seconds);

} // namespace attnres::report
#endif
