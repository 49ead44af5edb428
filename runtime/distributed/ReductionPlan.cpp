// Who owns which parameters, and which gradients travel together.
#include "runtime/distributed/ReductionPlan.h"

#include <algorithm>
#include <numeric>

namespace attnres::runtime {
namespace {

/// 0 to count - 1, ordered by `isBefore`, and otherwise as they are.
template <typename Before>
std::vector<size_t> sorted(size_t count, Before isBefore) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), isBefore);
  return order;
}

} // namespace

std::vector<int> assignOwners(const std::vector<int64_t> &counts, int size) {
  std::vector<int64_t> load(static_cast<size_t>(size));
  std::vector<int> owners(counts.size());
  for (size_t i : sorted(counts.size(), [&](size_t a, size_t b) {
         return counts[a] > counts[b];
       })) {
    auto least = std::min_element(load.begin(), load.end());
    *least += counts[i];
    owners[i] = static_cast<int>(least - load.begin());
  }
  return owners;
}

std::vector<ReductionBucket>
makeBuckets(const std::vector<int64_t> &counts,
            const std::vector<int64_t> &completeBehind, int64_t bucketBytes) {
  std::vector<ReductionBucket> buckets;
  int64_t bytes = 0;
  for (size_t i : sorted(counts.size(), [&](size_t a, size_t b) {
         return completeBehind[a] < completeBehind[b];
       })) {
    if (buckets.empty() || bytes >= bucketBytes) {
      buckets.emplace_back();
      bytes = 0;
    }
    bytes += counts[i] * int64_t{sizeof(float)};
    buckets.back().gradients.push_back(i);
    buckets.back().completeBehind = completeBehind[i];
  }
  return buckets;
}

} // namespace attnres::runtime
