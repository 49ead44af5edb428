// Who is next, without counting.
#include "runtime/data/MixedDataset.h"

#include <algorithm>
#include <cmath>

namespace attnres::runtime {

namespace {

constexpr int shareBits = 32;

/// How many of `count` draws a share takes: the next one is taken whenever this
/// grows.
int64_t taken(uint64_t share, int64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<int64_t>((Wide{share} * static_cast<uint64_t>(count)) >>
                              shareBits);
}

} // namespace

Result<std::unique_ptr<MixedDataset>>
MixedDataset::create(std::vector<Source> sources) {
  if (sources.empty())
    return invalidArgument("no data sets to mix");
  double rest = 0;
  for (const Source &source : sources) {
    if (!(source.weight > 0) || std::isinf(source.weight))
      return invalidArgument("expected a positive weight, got ", source.weight);
    if (source.set->length() != sources.front().set->length())
      return invalidArgument("samples of ", source.set->length(),
                             " tokens among samples of ",
                             sources.front().set->length());
    rest += source.weight;
  }
  std::unique_ptr<MixedDataset> mixed(new MixedDataset(std::move(sources)));
  for (size_t i = 0; i < mixed->sources.size(); ++i) {
    double weight = mixed->sources[i].weight;
    bool isLast = i + 1 == mixed->sources.size();
    double share = isLast ? 1 : std::min(weight / rest, 1.0);
    mixed->shares.push_back(
        static_cast<uint64_t>(std::llround(std::ldexp(share, shareBits))));
    rest -= weight;
  }
  return mixed;
}

int64_t MixedDataset::vocabularySize() const {
  int64_t size = 0;
  for (const Source &source : sources)
    size = std::max(size, source.set->vocabularySize());
  return size;
}

int64_t MixedDataset::size() const {
  int64_t size = 0;
  for (const Source &source : sources)
    size += source.set->size();
  return size;
}

Status MixedDataset::sample(int64_t index, int64_t *tokens,
                            int64_t *targets) const {
  size_t i = 0;
  while (index >= sources[i].set->size())
    index -= sources[i++].set->size();
  return sources[i].set->sample(index, tokens, targets);
}

MixedDataset::Place MixedDataset::place(int64_t position) const {
  // Each set in turn takes its share of what those before it have left.
  for (size_t i = 0;; ++i) {
    int64_t before = taken(shares[i], position);
    if (taken(shares[i], position + 1) > before)
      return {i, before};
    position -= before;
  }
}

Status MixedDataset::draw(uint64_t seed, int64_t position, int64_t *tokens,
                          int64_t *targets) const {
  Place next = place(position);
  // Sets of one size do not have one order.
  uint64_t own = seed + next.source * 0x9E3779B97F4A7C15;
  return sources[next.source].set->draw(own, next.position, tokens, targets);
}

} // namespace attnres::runtime
