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

void ClusterTimes::reset(uint64_t clusters) {
  std::lock_guard<std::mutex> lock(mutex);
  now = 1;
  times.clear();
  ended.assign(clusters, false);
}

void ClusterTimes::release(uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  times[cluster].push_back(now++);
}

uint64_t ClusterTimes::acquire() {
  std::lock_guard<std::mutex> lock(mutex);
  return now;
}

void ClusterTimes::end(uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  ended[cluster] = true;
}

ClusterTimes::Standing ClusterTimes::of(uint64_t cluster, uint32_t releases) {
  std::lock_guard<std::mutex> lock(mutex);
  Standing result;
  result.ended = ended[cluster];
  auto found = times.find(cluster);
  if (found != times.end() && found->second.size() > releases)
    result.released = found->second[releases];
  return result;
}

} // namespace attnres::emulator
