// Records of memory accesses and time stamps between clusters.

#include "runtime/emulator/Races.h"

namespace attnres::emulator {

RaceLog::RaceLog()
    : records(static_cast<AccessRecord *>(
          std::calloc(window, sizeof(AccessRecord)))) {}

uint32_t RaceLog::reserve() {
  uint32_t first = next.load(std::memory_order_relaxed);
  do {
    if (first >= limit)
      return 0;
  } while (!next.compare_exchange_weak(first, first + chunk,
                                       std::memory_order_relaxed));
  return first;
}

bool RaceLog::beginLaunch() {
  bool startOver = next.load() > limit / 2;
  if (startOver)
    next = 1;
  base = next;
  return startOver;
}

void ClusterTimes::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  now = 1;
  times.clear();
}

void ClusterTimes::release(uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  times[cluster].push_back(now++);
}

uint64_t ClusterTimes::acquire() {
  std::lock_guard<std::mutex> lock(mutex);
  return now;
}

uint32_t ClusterTimes::releaseCount(uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = times.find(cluster);
  return found == times.end() ? 0 : static_cast<uint32_t>(found->second.size());
}

bool ClusterTimes::releasedBefore(uint64_t cluster, uint32_t releases,
                                  uint64_t acquired) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = times.find(cluster);
  if (found == times.end() || found->second.size() <= releases)
    return false;
  return found->second[releases] < acquired;
}

} // namespace attnres::emulator
