// Reads the limits from /proc, /sys/fs/cgroup and the process.
#include "runtime/MemoryLimit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include <sys/resource.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max();

int64_t toBytes(double bytes) {
  return bytes < static_cast<double>(most) ? static_cast<int64_t>(bytes) : most;
}

/// MemTotal and SwapTotal together.
std::optional<int64_t> machineBytes(const std::string &root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name, unit;
  int64_t kilobytes, sum = 0;
  bool found = false;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name != "MemTotal:" && name != "SwapTotal:")
      continue;
    sum += kilobytes * 1024;
    found = true;
  }
  return found ? std::optional(sum) : std::nullopt;
}

/// The number that the file holds; nothing for "max" or without the file.
std::optional<int64_t> readNumber(const std::string &path) {
  std::ifstream file(path);
  int64_t value;
  if (!(file >> value) || value < 0)
    return std::nullopt;
  return value;
}

/// The smallest limit from the group at `path` up to that at `top`.
std::optional<int64_t> smallestLimit(const std::string &top, std::string path,
                                     const char *file) {
  std::optional<int64_t> smallest;
  for (;;) {
    std::optional<int64_t> limit = readNumber(top + path + "/" + file);
    if (limit && (!smallest || *limit < *smallest))
      smallest = limit;
    size_t slash = path.rfind('/');
    if (slash == std::string::npos)
      return smallest;
    path.resize(slash);
  }
}

/// Lines of /proc/self/cgroup are ID:CONTROLLERS:PATH; version 2 has no
/// controllers.
std::optional<int64_t> cgroupBytes(const std::string &root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::optional<int64_t> smallest;
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find(':');
    size_t second =
        first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    std::string controllers =
        "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    if (path == "/")
      path.clear();
    std::optional<int64_t> limit;
    if (controllers == ",,")
      limit = smallestLimit(root + "/sys/fs/cgroup", path, "memory.max");
    else if (controllers.find(",memory,") != std::string::npos)
      limit = smallestLimit(root + "/sys/fs/cgroup/memory", path,
                            "memory.limit_in_bytes");
    if (limit && (!smallest || *limit < *smallest))
      smallest = limit;
  }
  return smallest;
}

/// Pages of /proc/self/statm: 0 all that is mapped, 5 data and stack.
int64_t mappedBytes(const std::string &root, int field) {
  std::ifstream file(root + "/proc/self/statm");
  int64_t pages = 0;
  for (int i = 0; i <= field; ++i)
    if (!(file >> pages))
      return 0;
  return pages * ::sysconf(_SC_PAGESIZE);
}

} // namespace

std::string formatBytes(int64_t bytes) {
  const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value,
                units[unit]);
  return text;
}

MemoryLimit memoryLimit(const std::string &root) {
  MemoryLimit smallest{most, "there are"};
  auto consider = [&](std::optional<int64_t> bytes, const char *origin) {
    if (bytes && *bytes < smallest.bytes)
      smallest = {*bytes, origin};
  };
  consider(machineBytes(root), "the machine has");
  consider(cgroupBytes(root), "the process's cgroup allows");
  auto considerProcess = [&](auto resource, int field, const char *origin) {
    struct rlimit limit;
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > static_cast<rlim_t>(most))
      return;
    consider(std::max<int64_t>(0, static_cast<int64_t>(limit.rlim_cur) -
                                      mappedBytes(root, field)),
             origin);
  };
  considerProcess(RLIMIT_AS, 0,
                  "the limit on address space (ulimit -v) leaves");
  considerProcess(RLIMIT_DATA, 5, "the limit on data (ulimit -d) leaves");
  return smallest;
}

void MemoryNeed::add(const std::string &purpose, double bytes) {
  if (bytes > 0)
    parts.emplace_back(purpose, bytes);
}

int64_t MemoryNeed::total() const {
  double sum = 0;
  for (const auto &[purpose, bytes] : parts)
    sum += bytes;
  return toBytes(sum);
}

std::string MemoryNeed::describe() const {
  std::string text = formatBytes(total());
  const char *separator = ": ";
  for (const auto &[purpose, bytes] : parts) {
    text += separator + purpose + " " + formatBytes(toBytes(bytes));
    separator = ", ";
  }
  return text;
}

Status MemoryNeed::expectWithin(const MemoryLimit &limit,
                                const std::string &what) const {
  if (total() <= limit.bytes)
    return {};
  return unsupported(what, " needs ", describe(), "; ", limit.origin, " ",
                     formatBytes(limit.bytes));
}

} // namespace attnres::runtime
