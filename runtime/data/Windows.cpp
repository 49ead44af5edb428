// Counting windows.
#include "runtime/data/Windows.h"

#include <cmath>

namespace attnres::runtime {

Result<Windows> Windows::of(int64_t size, const char *unit, int64_t length,
                            Part part, const std::string &where) {
  if (length < 1)
    return invalidArgument(where, ": windows of ", length, " ", unit);
  if (!(0 <= part.begin && part.begin <= part.end && part.end <= 1))
    return invalidArgument(where, ": part from ", part.begin, " to ", part.end,
                           " of the text");
  // The last token is only ever a target.
  int64_t windows = size > 0 ? (size - 1) / length : 0;
  auto windowAt = [&](double fraction) {
    return static_cast<int64_t>(
        std::floor(fraction * static_cast<double>(windows)));
  };
  int64_t begin = windowAt(part.begin), end = windowAt(part.end);
  if (begin == end)
    return invalidData(where, ": ", size, " ", unit, ", no window of ", length,
                       " and a target in the part from ", part.begin, " to ",
                       part.end);
  return Windows{length, begin, end - begin};
}

std::string joinNames(const std::vector<std::string> &names) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? ", " : "") + names[i];
  return names.size() > most
             ? concat(text, " and ", names.size() - most, " more")
             : text;
}

} // namespace attnres::runtime
