// Success, or one clear line that says what went wrong. The emulator reports
// every error this way; nothing throws out of its API.

#ifndef ATTNRES_RUNTIME_EMULATOR_STATUS_H
#define ATTNRES_RUNTIME_EMULATOR_STATUS_H

#include <string>
#include <utility>

namespace attnres::emulator {

class Status {
public:
  Status() = default;
  static Status error(std::string message) {
    Status status;
    status.text = std::move(message);
    if (status.text.empty())
      status.text = "unknown error";
    return status;
  }

  bool ok() const { return text.empty(); }
  explicit operator bool() const { return ok(); }
  /// The line to show; empty on success.
  const std::string &message() const { return text; }

private:
  std::string text;
};

/// A value or the reason why there is none.
template <typename T>
class Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status status) : failure(std::move(status)) {}

  bool ok() const { return failure.ok(); }
  explicit operator bool() const { return ok(); }
  const Status &status() const { return failure; }
  const std::string &message() const { return failure.message(); }
  T &operator*() { return held; }
  const T &operator*() const { return held; }
  T *operator->() { return &held; }

private:
  T held{};
  Status failure;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_STATUS_H
