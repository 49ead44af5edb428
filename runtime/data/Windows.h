// A stream of tokens cut into samples.
#ifndef ATTNRES_RUNTIME_DATA_WINDOWS_H
#define ATTNRES_RUNTIME_DATA_WINDOWS_H

#include "runtime/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::runtime {

/// A part of a stream, in fractions of its windows: [0, 0.9) and [0.9, 1) share
/// no window.
struct Part {
  double begin = 0, end = 1;
};

/// Windows of `length` tokens that follow each other without overlap, each with
/// one token after it, the last target. Tokens at the end of the stream that
/// do not fill a window are left out.
struct Windows {
  int64_t length;
  int64_t first; ///< number of the first window in the stream
  int64_t count; ///< at least 1

  /// Those of a part of a stream of `size` tokens. Fails when there is none;
  /// messages start with "WHERE: " and call the tokens `unit`.
  static Result<Windows> of(int64_t size, const char *unit, int64_t length,
                            Part part, const std::string &where);

  /// The position in the stream of the first token of window `index`.
  int64_t begin(int64_t index) const { return (first + index) * length; }
};

/// "a, b and 3 more", for messages.
std::string joinNames(const std::vector<std::string> &names);

} // namespace attnres::runtime
#endif
