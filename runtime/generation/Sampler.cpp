// Choosing the next token of a text from its logits.
#include "runtime/generation/Sampler.h"

#include "support/Philox.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnres::runtime {

Status SamplingOptions::validate() const {
  if (!(temperature >= 0) || std::isinf(temperature))
    return invalidArgument("expected a temperature of at least 0, got ",
                           temperature);
  if (topK < 0)
    return invalidArgument("expected top-k of at least 0, got ", topK);
  if (!(topP >= 0 && topP <= 1))
    return invalidArgument("expected top-p from 0 to 1, got ", topP);
  if (!(minP >= 0 && minP <= 1))
    return invalidArgument("expected min-p from 0 to 1, got ", minP);
  if (!(repetitionPenalty > 0) || std::isinf(repetitionPenalty))
    return invalidArgument("expected a positive repetition penalty, got ",
                           repetitionPenalty);
  return {};
}

Result<int64_t> Sampler::sample(const float *logits, int64_t count, int64_t row,
                                int64_t position,
                                const std::vector<int64_t> &text) {
  if (options.repetitionPenalty != 1)
    logits = penalize(logits, count, text);
  int64_t best = 0;
  for (int64_t token = 0; token < count; ++token) {
    if (std::isnan(logits[token]) || logits[token] == INFINITY)
      return invalidData("text ", row + 1, ", position ", position,
                         ": the logit of token ", token, " is ", logits[token]);
    if (logits[token] > logits[best])
      best = token;
  }
  if (std::isinf(logits[best]))
    return invalidData("text ", row + 1, ", position ", position,
                       ": every logit is -inf");
  if (options.temperature == 0)
    return best;

  candidates.resize(static_cast<size_t>(count));
  std::iota(candidates.begin(), candidates.end(), 0);
  keepMostLikely(logits);
  weights.clear();
  for (int64_t token : candidates)
    weights.push_back(
        std::exp((static_cast<double>(logits[token]) - logits[best]) /
                 options.temperature));
  if (options.topP < 1)
    keepProbability(std::accumulate(weights.begin(), weights.end(), 0.0));
  if (options.minP > 0)
    keepAtLeast(options.minP); // the most likely token has the weight 1

  // The first token whose cumulative weight exceeds a uniform share.
  double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double rest = total * RandomStream(options.seed, static_cast<uint64_t>(row))
                            .uniform(static_cast<uint64_t>(position));
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (rest < weights[i])
      return candidates[i];
    rest -= weights[i];
  }
  // Rounding may leave a rest behind the last one: then the last that has any
  // weight.
  size_t last = candidates.size() - 1;
  while (weights[last] == 0)
    --last;
  return candidates[last];
}

/// The logits with the penalty for every token that the text has, once however
/// often it has it.
const float *Sampler::penalize(const float *logits, int64_t count,
                               const std::vector<int64_t> &text) {
  penalized.assign(logits, logits + count);
  auto penalty = static_cast<float>(options.repetitionPenalty);
  for (int64_t token : text)
    if (token < count) {
      float logit = logits[token];
      penalized[static_cast<size_t>(token)] =
          logit > 0 ? logit / penalty : logit * penalty;
    }
  return penalized.data();
}

/// Sorts the candidates, the most likely first, and cuts them by top-k; without
/// any cut their order is that of their numbers.
void Sampler::keepMostLikely(const float *logits) {
  auto moreLikely = [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  auto size = static_cast<int64_t>(candidates.size());
  if (options.topK > 0 && options.topK < size) {
    std::partial_sort(candidates.begin(), candidates.begin() + options.topK,
                      candidates.end(), moreLikely);
    candidates.resize(static_cast<size_t>(options.topK));
  } else if (options.topP < 1) {
    std::sort(candidates.begin(), candidates.end(), moreLikely);
  }
}

/// Keeps the first candidates that have the share topP of the total weight.
void Sampler::keepProbability(double total) {
  double sum = 0;
  size_t kept = 0;
  do
    sum += weights[kept++];
  while (kept < weights.size() && sum < options.topP * total);
  candidates.resize(kept);
  weights.resize(kept);
}

/// Keeps the candidates that have at least this weight.
void Sampler::keepAtLeast(double weight) {
  size_t kept = 0;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (weights[i] >= weight) {
      candidates[kept] = candidates[i];
      weights[kept++] = weights[i];
    }
  candidates.resize(kept);
  weights.resize(kept);
}

} // namespace attnres::runtime
