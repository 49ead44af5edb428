// metrics.jsonl: one JSON object per line, appended as a run goes on.
#ifndef ATTNRES_RUNTIME_TRAINING_METRICSLOG_H
#define ATTNRES_RUNTIME_TRAINING_METRICSLOG_H

#include "support/Status.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace attnres::runtime {

class MetricsLog {
public:
  /// Opens the file for appending, after removing every line of a step beyond
  /// `lastStep`, and an incomplete last line: a run that is resumed writes
  /// them again.
  static Result<MetricsLog> open(const std::string &path, int64_t lastStep);

  MetricsLog(MetricsLog &&other) noexcept;
  MetricsLog &operator=(MetricsLog &&) = delete;
  ~MetricsLog();

  /// Appends one line; it is in the file when this returns. Numbers that are
  /// not finite become null.
  Status append(const nlohmann::ordered_json &line);

private:
  MetricsLog(std::string path, int fd) : path(std::move(path)), fd(fd) {}

  std::string path;
  int fd;
};

} // namespace attnres::runtime
#endif
