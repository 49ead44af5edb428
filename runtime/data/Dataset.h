// Training and evaluation samples, and the batches made of them.
#ifndef ATTNRES_RUNTIME_DATA_DATASET_H
#define ATTNRES_RUNTIME_DATA_DATASET_H

#include "support/Status.h"

#include <algorithm>
#include <cstdint>

namespace attnres::runtime {

/// The target of a position that does not count in the loss.
inline constexpr int64_t ignoredTarget = -100;

/// A finite set of token sequences of one length. Sample k is the same on every
/// machine, in every batch, and however often it is read.
class Dataset {
public:
  virtual ~Dataset() = default;

  virtual int64_t vocabularySize() const = 0;
  /// Number of samples, at least 1.
  virtual int64_t size() const = 0;
  /// Tokens per sample, T.
  virtual int64_t length() const = 0;
  /// Writes tokens[T] and targets[T], where targets[t] is the token that
  /// follows tokens[t], or ignoredTarget. 0 <= index < size(). Fails when what
  /// the samples come from cannot be read or is no longer what it was.
  virtual Status sample(int64_t index, int64_t *tokens,
                        int64_t *targets) const = 0;

  /// Writes sample number `position` of an endless sequence, as above: all
  /// samples in an order that depends on the seed and the epoch, then the next
  /// epoch. Nothing else matters, so a run that is resumed sees the same data.
  virtual Status draw(uint64_t seed, int64_t position, int64_t *tokens,
                      int64_t *targets) const;
};

/// Writes a sample of `length` tokens of which the first `live` have targets:
/// token(0) to token(live), each but the last followed by the next one. Zeros
/// without a target fill the rest.
template <typename Token>
void fillWindow(int64_t live, int64_t length, int64_t *tokens, int64_t *targets,
                Token token) {
  for (int64_t t = 0; t < live; ++t) {
    tokens[t] = token(t);
    targets[t] = token(t + 1);
  }
  std::fill(tokens + live, tokens + length, 0);
  std::fill(targets + live, targets + length, ignoredTarget);
}

/// Writes batch number `step` of a run: tokens and targets [batchSize, T], the
/// next batchSize draws. A batch may span two epochs. Nothing but the seed and
/// the position matters, so a run that is resumed at a step, or split over
/// machines by rows, sees the same data.
Status fillBatch(const Dataset &dataset, uint64_t seed, int64_t step,
                 int64_t batchSize, int64_t *tokens, int64_t *targets);

} // namespace attnres::runtime
#endif
