// Several data sets, each with its share of what is drawn.
#ifndef ATTNRES_RUNTIME_DATA_MIXEDDATASET_H
#define ATTNRES_RUNTIME_DATA_MIXEDDATASET_H

#include "runtime/data/Dataset.h"

#include <memory>
#include <vector>

namespace attnres::runtime {

/// Of the first k draws, set i has k w[i] / sum(w), off by less than the number
/// of sets: shares hold in every stretch of a run. Draws of one set are its own
/// epochs in their shuffled orders, so that a small set with a large weight
/// begins anew while a large one is read once.
///
/// As a list, one set follows the other; an epoch is as many draws as all have
/// samples together.
class MixedDataset final : public Dataset {
public:
  struct Source {
    std::unique_ptr<Dataset> set;
    double weight; ///< positive and finite; only ratios matter
  };
  /// At least one source, all of one length.
  static Result<std::unique_ptr<MixedDataset>>
  create(std::vector<Source> sources);

  int64_t vocabularySize() const override;
  int64_t size() const override;
  int64_t length() const override { return sources.front().set->length(); }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;
  Status draw(uint64_t seed, int64_t position, int64_t *tokens,
              int64_t *targets) const override;

  /// Which set draw `position` comes from, and how many came from it before.
  struct Place {
    size_t source;
    int64_t position;
  };
  Place place(int64_t position) const;

private:
  explicit MixedDataset(std::vector<Source> sources)
      : sources(std::move(sources)) {}

  std::vector<Source> sources;
  /// Of what sets i, i + 1, ... draw together, the share of set i, in units of
  /// 2^-32.
  std::vector<uint64_t> shares;
};

} // namespace attnres::runtime
#endif
