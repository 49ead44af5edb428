// metrics.jsonl: one JSON object per line.
#include "runtime/training/MetricsLog.h"

#include "support/File.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

/// The lines to keep: whole, of steps up to `lastStep`.
std::string keepLines(std::string_view text, int64_t lastStep) {
  std::string kept;
  while (!text.empty()) {
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      break;
    std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    auto value =
        nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (value.is_object() && value.contains("step") &&
        value["step"].is_number_integer() &&
        value["step"].get<int64_t>() > lastStep)
      continue;
    kept += line;
  }
  return kept;
}

} // namespace

Result<MetricsLog> MetricsLog::open(const std::string &path, int64_t lastStep) {
  if (std::filesystem::exists(path)) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok())
      return file.status();
    std::string kept = keepLines(file->bytes(), lastStep);
    if (kept.size() != file->bytes().size())
      if (Status status = writeFileAtomically(path, {kept}); !status.ok())
        return status;
  }
  int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0)
    return systemError(path, "open for appending");
  return MetricsLog(path, fd);
}

MetricsLog::MetricsLog(MetricsLog &&other) noexcept
    : path(std::move(other.path)), fd(std::exchange(other.fd, -1)) {}

MetricsLog::~MetricsLog() {
  if (fd >= 0)
    ::close(fd);
}

Status MetricsLog::append(const nlohmann::ordered_json &line) {
  // Texts of samples may hold any bytes.
  std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
      "\n";
  std::string_view rest = text;
  off_t size = ::lseek(fd, 0, SEEK_END);
  while (!rest.empty()) {
    ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Status status = systemError(path, "append");
      (void)!::ftruncate(fd, size); // no half line
      return status;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

} // namespace attnres::runtime
