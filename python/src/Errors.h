// How failures of the compiler and the runtime become Python exceptions.
#ifndef ATTNRES_PYTHON_ERRORS_H
#define ATTNRES_PYTHON_ERRORS_H

#include "support/Status.h"

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <utility>

namespace attnres::python {

/// A failed status on its way to Python.
struct Failure : std::runtime_error {
  explicit Failure(const Status &status)
      : std::runtime_error(status.message()), code(status.code()) {}
  StatusCode code;
};

inline void check(const Status &status) {
  if (!status.ok())
    throw Failure(status);
}

/// The value, or a Failure.
template <typename T>
T unwrap(Result<T> result) {
  check(result.status());
  return *std::move(result);
}

/// Adds Error, and its kinds ArgumentError, a ValueError, and FileError, an
/// OSError, and lets failures and what commands throw become these.
void addErrors(nanobind::module_ &module);

/// Whether a signal, such as that of Ctrl-C, made Python raise an exception,
/// which rethrowInterrupt() then throws. Called without the interpreter's lock,
/// from any thread.
bool isInterrupted();
/// With the lock.
void rethrowInterrupt();

} // namespace attnres::python

#endif
