// Names and collection of findings.

#include "runtime/emulator/Findings.h"

#include <fmt/format.h>

namespace attnres::emulator {

const char *findingKindName(FindingKind kind) {
  static const char *const names[] = {"out of bounds",
                                      "misaligned",
                                      "use after free",
                                      "uninitialized memory",
                                      "uninitialized register",
                                      "data race",
                                      "same value race",
                                      "divergent barrier",
                                      "missing wait",
                                      "mismatched lanes",
                                      "deadlock",
                                      "invalid operation",
                                      "trap"};
  return names[static_cast<unsigned>(kind)];
}

std::string Finding::text() const {
  std::string where = fmt::format(
      "kernel {}, line {}, block ({},{},{}), thread ({},{},{})", kernel, line,
      block.x, block.y, block.z, thread.x, thread.y, thread.z);
  if (address != 0)
    where += fmt::format(", address {:#x}", address);
  std::string times = count > 1 ? fmt::format(" ({} times)", count) : "";
  return fmt::format("{}: {}: {}{}", where, findingKindName(kind), message,
                     times);
}

void FindingLog::add(Finding finding, uint64_t blockIndex,
                     uint64_t threadIndex) {
  std::tuple<uint64_t, uint64_t, uint64_t> where(blockIndex, threadIndex,
                                                 finding.address);
  std::lock_guard<std::mutex> lock(mutex);
  auto key = std::make_tuple(finding.line, finding.kind);
  auto found = entries.find(key);
  if (found == entries.end()) {
    entries.emplace(key, Entry{std::move(finding), where});
    return;
  }
  uint64_t count = found->second.finding.count + 1;
  if (where < found->second.where)
    found->second = {std::move(finding), where};
  found->second.finding.count = count;
}

std::vector<Finding> FindingLog::take() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Finding> result;
  for (auto &[key, entry] : entries)
    result.push_back(std::move(entry.finding));
  entries.clear();
  return result;
}

} // namespace attnres::emulator
