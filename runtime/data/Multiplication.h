// Multiplication with every step written out, as a data set that is computed
// rather than stored. For two digits:
//
//   12*34=S02*04=0008S10*04=0040S02*30=0060S10*30=0300
//         A0008+0040=0048A0048+0060=0108A0108+0300=0408Z0408
//
// S: the product of one digit of each operand, at their places; A: the running
// sum plus the next product; Z: the answer. Digits of the second operand from
// the least significant, inside it those of the first.
#ifndef ATTNRES_RUNTIME_DATA_MULTIPLICATION_H
#define ATTNRES_RUNTIME_DATA_MULTIPLICATION_H

#include "runtime/data/Dataset.h"
#include "support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// The alphabet: four special tokens, then one token per character.
namespace multiplication {
inline constexpr int64_t pad = 0, bos = 1, eos = 2, unknown = 3;
inline constexpr std::string_view characters = "0123456789*+=SAZ";
inline constexpr int64_t vocabularySize = 4 + characters.size();

/// One token per character, `unknown` for a foreign one.
std::vector<int64_t> encode(std::string_view text);
/// Special tokens read <pad>, <bos>, <eos>, <unk>; out of range ones <?>.
std::string decode(const std::vector<int64_t> &tokens);

/// "aa*bb=" for operands below 10^digits.
std::string prompt(int64_t digits, int64_t a, int64_t b);
/// What follows the prompt, up to but without the end token.
std::string solution(int64_t digits, int64_t a, int64_t b);
} // namespace multiplication

namespace multiplication {
struct Operands {
  int64_t a, b;
};

/// What training sets and sets of questions have in common: how a pair of
/// operands becomes a sample.
class Samples : public Dataset {
public:
  int64_t vocabularySize() const override {
    return multiplication::vocabularySize;
  }
  /// One less than the whole sample: the end token is only ever a target.
  int64_t length() const override;
  /// Targets inside the prompt are ignored.
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;

  virtual Operands operands(int64_t index) const = 0;
  /// Tokens of "a*b=".
  int64_t promptLength() const { return 2 * digits + 2; }
  int64_t numDigits() const { return digits; } ///< of each operand

protected:
  explicit Samples(int64_t digits) : digits(digits) {}

  int64_t digits; ///< of each operand
};
} // namespace multiplication

/// Samples drawn one by one; pairs may repeat.
class MultiplicationDataset final : public multiplication::Samples {
public:
  /// Every pair of operands belongs to one of the two, whatever the seed and
  /// size: one pair in sixteen to the test set.
  enum class Split { Train, Test };

  struct Options {
    int64_t digits = 3; ///< of each operand, 1 to 9
    int64_t size = 1;   ///< number of samples
    uint64_t seed = 0;
    Split split = Split::Train;
  };
  static Result<MultiplicationDataset> create(const Options &options);

  int64_t size() const override { return options.size; }
  multiplication::Operands operands(int64_t index) const override;

private:
  explicit MultiplicationDataset(const Options &options)
      : Samples(options.digits), options(options) {}

  Options options;
};

/// Different questions of the test set, each once, in an order that depends on
/// the seed.
class MultiplicationQuestions final : public multiplication::Samples {
public:
  /// At most `most` of the questions with operands of `digits` digits, 1 to 9.
  static Result<MultiplicationQuestions> create(int64_t digits, int64_t most,
                                                uint64_t seed);

  int64_t size() const override { return static_cast<int64_t>(pairs.size()); }
  multiplication::Operands operands(int64_t index) const override;
  /// Whether these are all that there are.
  bool areAll() const { return all; }

private:
  explicit MultiplicationQuestions(int64_t digits) : Samples(digits) {}

  std::vector<int64_t> pairs; ///< a 10^digits + b
  bool all = false;
};

} // namespace attnres::runtime
#endif
