// Continuing texts token by token, whatever computes the logits.
#ifndef ATTNRES_RUNTIME_GENERATION_GENERATE_H
#define ATTNRES_RUNTIME_GENERATION_GENERATE_H

#include "runtime/generation/Sampler.h"
#include "support/Status.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// A model that reads texts side by side and remembers what it has read.
class TextModel {
public:
  /// Instead of a token: the text is left as it is.
  static constexpr int64_t noToken = -1;

  virtual ~TextModel() = default;

  /// Texts, B.
  virtual int64_t batch() const = 0;
  /// The most tokens that a text may have.
  virtual int64_t capacity() const = 0;
  virtual int64_t vocabularySize() const = 0;

  /// Forgets everything and reads B prompts of at least one token each; logits
  /// [B, V] of the tokens that follow.
  virtual Status read(const std::vector<std::vector<int64_t>> &prompts,
                      float *logits) = 0;
  /// Reads tokens[b] at positions[b] of text b, which is where the text ends so
  /// far; logits as above. The position of `noToken` means nothing, and its
  /// text gets no logits.
  virtual Status readNext(const int64_t *tokens, const int64_t *positions,
                          float *logits) = 0;
};

enum class StopReason {
  EndToken,  ///< the model chose it
  NewTokens, ///< as many as were asked for
  Capacity,  ///< no room for more
  Text,      ///< GenerationOptions::ends said so
};
std::string_view toString(StopReason reason);

struct GenerationOptions {
  SamplingOptions sampling;
  int64_t maxNewTokens = 1; ///< at least 0
  /// Where a text ends; nothing: nowhere.
  std::optional<int64_t> endToken;
  /// Only tokens below this are chosen: a model may know more tokens than have
  /// a meaning. 0: all that the model knows.
  int64_t vocabulary = 0;
  /// Asked after each token that a text gets, and after the observer was told,
  /// whether the text ends with it. May be empty.
  std::function<bool(int64_t row, int64_t token)> ends;
};

struct Continuation {
  std::vector<int64_t> tokens; ///< without the end token
  StopReason reason = StopReason::NewTokens;
};

/// What happens while texts grow, as it happens. Either may be empty.
struct GenerationObserver {
  /// A text got a token; the end token is not shown.
  std::function<void(int64_t row, int64_t token)> grew;
  std::function<void(int64_t row, StopReason reason)> stopped;
};

/// Continues B prompts, one for each text of the model, until each has a
/// reason to stop. Rows that have stopped are not continued; what a row gets
/// depends on no other row.
Result<std::vector<Continuation>>
generate(TextModel &model, const std::vector<std::vector<int64_t>> &prompts,
         const GenerationOptions &options,
         const GenerationObserver &observer = {});

/// The same for any number of prompts: as many texts as the model has grow side
/// by side, and where one ends, the next prompt takes its place between two
/// steps. A text gets what it would get alone, whenever it joins.
///
/// Prompts are read by `reader`, a model of one text; `moveTo` then makes text
/// `place` of `model` what the reader has read.
Result<std::vector<Continuation>>
generateContinuously(TextModel &model, TextModel &reader,
                     const std::function<Status(int64_t place)> &moveTo,
                     const std::vector<std::vector<int64_t>> &prompts,
                     const GenerationOptions &options,
                     const GenerationObserver &observer = {});

} // namespace attnres::runtime
#endif
