// Batches in shuffled order.
#include "runtime/data/Dataset.h"

#include "runtime/data/Permutation.h"
#include "support/Hash.h"

namespace attnres::runtime {

Status fillBatch(const Dataset &dataset, uint64_t seed, int64_t step,
                 int64_t batchSize, int64_t *tokens, int64_t *targets) {
  constexpr uint64_t orderStream = fnv1a64("dataset order");
  for (int64_t row = 0; row < batchSize; ++row) {
    int64_t position = step * batchSize + row;
    auto epoch = static_cast<uint64_t>(position / dataset.size());
    Permutation order(dataset.size(), seed, orderStream + epoch);
    if (Status status = dataset.sample(order(position % dataset.size()),
                                       tokens + row * dataset.length(),
                                       targets + row * dataset.length());
        !status.ok())
      return status;
  }
  return {};
}

} // namespace attnres::runtime
