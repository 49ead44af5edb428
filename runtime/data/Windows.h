// A stream of tokens cut into samples.
#ifndef ATTNRES_RUNTIME_DATA_WINDOWS_H
#define ATTNRES_RUNTIME_DATA_WINDOWS_H

#include "support/Status.h"

#include <cstdint>
#include <string>

namespace attnres::runtime {

/// A part of a stream, in fractions of its windows: [0, 0.9) and [0.9, 1) share
/// no window.
struct Part {
  double begin = 0, end = 1;
  /// Whether every token of the part but its first one is a target; the last
  /// window may then have fewer targets than the others.
  bool whole = false;
  /// Length of the windows that the fractions are about; 0: the same length. A
  /// part of a run stays that part when it is read in other windows.
  int64_t counted = 0;
};

/// Windows of `length` tokens that follow each other without overlap, each with
/// one token after it, the last target.
struct Windows {
  int64_t length;
  int64_t first; ///< position in the stream of the first window's first token
  int64_t last;  ///< position of the last target, > first

  /// Those of a part of a stream of `size` tokens. Unless the part is whole,
  /// tokens at the end of the stream that do not fill a window are left out. A
  /// whole part shorter than `length` is one window of its own length. Fails
  /// when there is no window; messages start with "WHERE: " and call the
  /// tokens `unit`.
  static Result<Windows> of(int64_t size, const char *unit, int64_t length,
                            Part part, const std::string &where);

  /// At least 1.
  int64_t count() const { return (last - first + length - 1) / length; }
  /// The position in the stream of the first token of window `index`.
  int64_t begin(int64_t index) const { return first + index * length; }
  /// Tokens of window `index` that have a target: `length`, but for the last.
  int64_t targets(int64_t index) const {
    int64_t left = last - begin(index);
    return left < length ? left : length;
  }
};

} // namespace attnres::runtime
#endif
