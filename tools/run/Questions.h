// Multiplications that a model works out by itself, token by token, and what is
// wrong with those that are wrong.
#ifndef ATTNRES_TOOLS_RUN_QUESTIONS_H
#define ATTNRES_TOOLS_RUN_QUESTIONS_H

#include "runtime/device/Device.h"
#include "runtime/generation/MultiplicationSteps.h"
#include "tools/compile/Compiler.h"
#include "tools/run/ModelFiles.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

struct QuestionOptions {
  int64_t digits = 2; ///< of each operand
  int64_t count = 0;  ///< questions, at most as many as there are
  uint64_t seed = 1;  ///< which ones
  /// Texts that grow side by side, at most; fewer where memory is short.
  int64_t batch = 128;
  /// Tokens to go on with behind the end token; 0: texts stop there.
  int64_t echoTokens = 0;
};

struct Answer {
  int64_t a = 0, b = 0;
  std::string text;   ///< up to the end token
  bool ended = false; ///< whether there was one
  /// Nothing for a right answer.
  std::optional<runtime::multiplication::WrongStep> wrong;
  // Of an answer that ended, with echoTokens.
  std::string following;
  std::optional<runtime::multiplication::Echo> echo;
};

/// What one model answered.
struct QuestionResult {
  std::string run;  ///< the folder's name
  std::string mode; ///< of attention residuals
  QuestionOptions options;
  bool all = false;    ///< whether there are no other questions
  int64_t batch = 0;   ///< texts that grew side by side
  double seconds = 0;  ///< of generation
  int64_t written = 0; ///< tokens
  std::vector<Answer> answers;

  int64_t right() const;
  double accuracy() const;
  /// The accuracy of all questions with 95 % confidence, see confidence();
  /// where these are all, the accuracy itself.
  std::pair<double, double> range() const;
  int64_t countEchoes(runtime::multiplication::EchoKind kind) const;
  int64_t countLoops() const;
  /// Wrong answers whose first wrong step is of this kind.
  int64_t countWrong(runtime::multiplication::StepKind kind) const;
};

/// Asks `model` different questions that no training set has, each answered
/// with the most likely token at every position. `options` say how its
/// programs are compiled. `progress` is told how many have been answered.
QuestionResult askQuestions(const ModelFiles &model, runtime::Device &device,
                            CompileOptions options,
                            const QuestionOptions &questions,
                            const std::function<void(int64_t)> &progress);

} // namespace attnres::run

#endif
