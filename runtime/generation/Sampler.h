// Choosing the next token of a text from its logits.
#ifndef ATTNRES_RUNTIME_GENERATION_SAMPLER_H
#define ATTNRES_RUNTIME_GENERATION_SAMPLER_H

#include "support/Status.h"

#include <cstdint>
#include <vector>

namespace attnres::runtime {

struct SamplingOptions {
  /// Divides the logits; 0 takes the most likely token, always.
  double temperature = 0;
  /// Draw among this many most likely tokens; 0: among all.
  int64_t topK = 0;
  /// Draw among the fewest most likely tokens that have at least this
  /// probability together (after top-k); at least one, and all at 1.
  double topP = 1;
  /// Draw among tokens at least this share as likely as the most likely one.
  double minP = 0;
  /// Logits of tokens that the text has already are divided by this if they are
  /// positive, and else multiplied; 1 changes nothing.
  double repetitionPenalty = 1;
  uint64_t seed = 0;

  /// Whether every number is in its range: temperature and topK at least 0,
  /// topP and minP in [0, 1], repetitionPenalty positive.
  Status validate() const;
};

/// Draws by softmax(logits / temperature) over the tokens that top-k, then
/// top-p and then min-p leave, after the repetition penalty. Of equally likely
/// tokens the one with the smaller number comes first. The same seed, row,
/// position and logits give the same token, whatever was drawn before.
class Sampler {
public:
  /// `options` have to be valid.
  explicit Sampler(const SamplingOptions &options) : options(options) {}

  /// The token, an index into logits[0, count), count >= 1, that follows at
  /// `position` of text `row`, whose tokens so far are `text` (only looked at
  /// for the penalty). Logits that are NaN, infinite, or all -inf are an error.
  Result<int64_t> sample(const float *logits, int64_t count, int64_t row,
                         int64_t position,
                         const std::vector<int64_t> &text = {});

private:
  const float *penalize(const float *logits, int64_t count,
                        const std::vector<int64_t> &text);
  void keepMostLikely(const float *logits);
  void keepProbability(double total);
  void keepAtLeast(double weight);

  SamplingOptions options;
  std::vector<float> penalized; ///< logits
  // The tokens that may be drawn and their weights, exp((logit - max) / T).
  std::vector<int64_t> candidates;
  std::vector<double> weights;
};

} // namespace attnres::runtime
#endif
