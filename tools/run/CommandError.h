// How commands fail.
#ifndef ATTNRES_TOOLS_RUN_COMMANDERROR_H
#define ATTNRES_TOOLS_RUN_COMMANDERROR_H

#include "support/Status.h"

#include <stdexcept>
#include <utility>

namespace attnres::run {

/// What makes a command end with exit code 1; the message is one line.
struct CommandError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Ends a command that a signal asked to end, after it has put things in order.
struct Interrupted {
  int signal;
};

/// The value, or a CommandError.
template <typename T>
T unwrap(Result<T> result) {
  if (!result.ok())
    throw CommandError(result.status().message());
  return *std::move(result);
}
inline void check(const Status &status) {
  if (!status.ok())
    throw CommandError(status.message());
}

} // namespace attnres::run

#endif
