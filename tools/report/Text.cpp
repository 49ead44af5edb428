// Formatting.
#include "tools/report/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace attnres::report {

std::string escapeHtml(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    case '\n':
    case '\t':
      result += c;
      break;
    case '\x7f':
      result += "\xe2\x90\xa1"; // U+2421
      break;
    default:
      if (static_cast<unsigned char>(c) < ' ') {
        result += "\xe2\x90"; // U+2400 + c
        result += static_cast<char>(0x80 + c);
      } else {
        result += c;
      }
    }
  }
  return result;
}

std::string formatCount(int64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3 + (value < 0); at -= 3)
    if (at - 3 > (value < 0))
      digits.insert(at - 3, ",");
  return digits;
}

std::string formatNumber(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "-" : fmt::format("{}", value);
  if (std::fabs(value) >= 1000 && std::fabs(value) < 1e15)
    return formatCount(std::llround(value));
  return fmt::format("{:.4g}", value);
}

std::string formatShort(double value) {
  double size = std::fabs(value);
  for (auto [unit, letter] :
       {std::pair{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}})
    if (size >= unit && size < 1000 * unit)
      return fmt::format("{:.4g}{}", value / unit, letter);
  return fmt::format("{:.4g}", value);
}

std::string formatPercent(double fraction) {
  return std::isnan(fraction) ? "-" : fmt::format("{:.1f}%", 100 * fraction);
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds))
    return "-";
  if (seconds < 60 || seconds >= 1e15)
    return fmt::format("{:.3g} s", seconds);
  int64_t whole = std::llround(seconds);
  if (whole < 3600)
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

} // namespace attnres::report
