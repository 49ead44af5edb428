// Counting windows.
#include "runtime/data/Windows.h"

#include <algorithm>
#include <cmath>

namespace attnres::runtime {

Result<Windows> Windows::of(int64_t size, const char *unit, int64_t length,
                            Part part, const std::string &where) {
  if (length < 1)
    return invalidArgument(where, ": windows of ", length, " ", unit);
  if (!(0 <= part.begin && part.begin <= part.end && part.end <= 1))
    return invalidArgument(where, ": part from ", part.begin, " to ", part.end,
                           " of the text");
  int64_t counted = part.counted > 0 ? part.counted : length;
  // The last token is only ever a target.
  int64_t windows = size > 0 ? (size - 1) / counted : 0;
  auto positionOf = [&](double fraction) {
    return counted * static_cast<int64_t>(
                         std::floor(fraction * static_cast<double>(windows)));
  };
  Windows result{length, positionOf(part.begin), positionOf(part.end)};
  if (part.whole) {
    if (part.end == 1)
      result.last = size - 1;
    result.length = std::min(length, result.last - result.first);
  } else {
    result.last -= (result.last - result.first) % length;
  }
  if (result.last > result.first)
    return result;
  if (part.whole && part.begin == 0 && part.end == 1)
    return invalidData(where, ": ", size, " ", unit, ", none to predict");
  return invalidData(where, ": ", size, " ", unit, ", no window of ", counted,
                     " and a target in the part from ", part.begin, " to ",
                     part.end);
}

} // namespace attnres::runtime
