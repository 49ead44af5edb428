// Who owns which parameters, and which gradients travel together.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_REDUCTIONPLAN_H
#define ATTNRES_RUNTIME_DISTRIBUTED_REDUCTIONPLAN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attnres::runtime {

/// The rank that owns each tensor, of which the elements are counted: the
/// largest first, each to the rank that has least.
std::vector<int> assignOwners(const std::vector<int64_t> &counts, int size);

/// Gradients that leave together, and behind which launch they are complete;
/// -1: from the start.
struct ReductionBucket {
  int64_t completeBehind = -1;
  std::vector<size_t> gradients;
};

/// What is sent at a time, at least: less costs more messages, more leaves
/// later.
inline constexpr int64_t usualBucketBytes = int64_t{4} << 20;

/// In the order in which f32 gradients of so many elements are complete.
std::vector<ReductionBucket>
makeBuckets(const std::vector<int64_t> &counts,
            const std::vector<int64_t> &completeBehind, int64_t bucketBytes);

} // namespace attnres::runtime
#endif
