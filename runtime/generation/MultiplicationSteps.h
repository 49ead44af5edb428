// What a model wrote in answer to a multiplication, step by step: where it
// first goes wrong, and what follows its end.
#ifndef ATTNRES_RUNTIME_GENERATION_MULTIPLICATIONSTEPS_H
#define ATTNRES_RUNTIME_GENERATION_MULTIPLICATIONSTEPS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime::multiplication {

enum class StepKind {
  Product, ///< S02*04=0008
  Sum,     ///< A0008+0040=0048
  Answer,  ///< Z0408
  End,     ///< behind the answer, where nothing should be
};
std::string_view toString(StepKind kind);

struct Step {
  StepKind kind;
  int64_t number; ///< from 1 on, of its kind
  std::string text;
};

/// The steps of solution(digits, a, b), which is their texts in a row.
std::vector<Step> steps(int64_t digits, int64_t a, int64_t b);

/// The first step in which an answer differs from the solution.
struct WrongStep {
  StepKind kind;
  int64_t number;
  std::string expected; ///< the step; of kind End ""
  std::string written;  ///< as many characters of the answer
  size_t position;      ///< of the first wrong character in the answer
  /// Whether everything up to the last "=" of the step is right: the numbers
  /// were taken over rightly, and what they make is wrong.
  bool isResult;

  /// "sum 2: wrote A0048+0060=0118 for A0048+0060=0108, a wrong result".
  std::string describe() const;
};

/// Nothing where `answer`, what stands before the end token, is the solution.
/// `ended` says whether there was an end token at all.
std::optional<WrongStep> firstWrongStep(int64_t digits, int64_t a, int64_t b,
                                        std::string_view answer, bool ended);

/// What a model goes on with behind an end token that does not stop it.
enum class EchoKind {
  Stopped, ///< only special tokens
  Repeats, ///< at least half of the characters are pieces of the chain
  Other,
};
std::string_view toString(EchoKind kind);

struct Echo {
  EchoKind kind = EchoKind::Stopped;
  int64_t characters = 0; ///< that are no special tokens
  int64_t repeated = 0;   ///< of them in pieces of the chain, see below
  /// Whether the second half repeats a text of at most 16 tokens, at least
  /// three times.
  bool loops = false;
};

/// A piece is at least this long; shorter ones stand everywhere by chance.
inline constexpr size_t echoPiece = 4;

/// `chain` is the question with the answer up to the end token, `following` the
/// tokens behind it. Pieces are taken from the left, each as long as the chain
/// has it; special tokens end one.
Echo classifyEcho(std::string_view chain,
                  const std::vector<int64_t> &following);

} // namespace attnres::runtime::multiplication
#endif
