// Batches in shuffled order.
#include "runtime/data/Dataset.h"

#include "runtime/data/Permutation.h"
#include "support/Hash.h"

namespace attnres::runtime {

Status Dataset::draw(uint64_t seed, int64_t position, int64_t *tokens,
                     int64_t *targets) const {
  constexpr uint64_t orderStream = fnv1a64("dataset order");
  auto epoch = static_cast<uint64_t>(position / size());
  Permutation order(size(), seed, orderStream + epoch);
  return sample(order(position % size()), tokens, targets);
}

Status fillBatch(const Dataset &dataset, uint64_t seed, int64_t step,
                 int64_t batchSize, int64_t *tokens, int64_t *targets) {
  for (int64_t row = 0; row < batchSize; ++row)
    if (Status status = dataset.draw(seed, step * batchSize + row,
                                     tokens + row * dataset.length(),
                                     targets + row * dataset.length());
        !status.ok())
      return status;
  return {};
}

} // namespace attnres::runtime
