// Success or one line that says what is wrong, without exceptions. Usable from
// code built with -fno-exceptions -fno-rtti.
#ifndef ATTNRES_SUPPORT_STATUS_H
#define ATTNRES_SUPPORT_STATUS_H

#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace attnres {

/// Why an operation failed. The C interface reports the same kinds.
enum class StatusCode {
  Ok,
  InvalidArgument, ///< the caller asked for something impossible
  InvalidData,     ///< a file or memory block is malformed
  IoError,         ///< the operating system refused
  Unsupported,     ///< well formed, but not on this machine or version
};

/// The texts of all arguments, one after the other.
template <typename... Args>
std::string concat(const Args &...args) {
  std::ostringstream text;
  (text << ... << args);
  return text.str();
}

/// `text` in single quotes, on one line whatever it holds: control characters
/// and bytes above 126 become '?', and long texts are cut.
inline std::string inQuotes(std::string_view text) {
  constexpr size_t limit = 120;
  std::string result = "'";
  for (char c : text.substr(0, limit))
    result += (c >= ' ' && c <= '~') ? c : '?';
  return result + (text.size() > limit ? "...'" : "'");
}

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::Ok; }
  StatusCode code() const { return code_; }
  const std::string &message() const { return message_; }

private:
  StatusCode code_ = StatusCode::Ok;
  std::string message_;
};

template <typename... Args>
Status invalidArgument(const Args &...args) {
  return {StatusCode::InvalidArgument, concat(args...)};
}
template <typename... Args>
Status invalidData(const Args &...args) {
  return {StatusCode::InvalidData, concat(args...)};
}
template <typename... Args>
Status ioError(const Args &...args) {
  return {StatusCode::IoError, concat(args...)};
}
template <typename... Args>
Status unsupported(const Args &...args) {
  return {StatusCode::Unsupported, concat(args...)};
}

/// A value, or the status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status error) : status_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  const Status &status() const { return status_; }

  /// Only when ok().
  T &operator*() & { return *value_; }
  const T &operator*() const & { return *value_; }
  T &&operator*() && { return std::move(*value_); }
  T *operator->() { return &*value_; }
  const T *operator->() const { return &*value_; }

private:
  std::optional<T> value_;
  Status status_;
};

} // namespace attnres
#endif
