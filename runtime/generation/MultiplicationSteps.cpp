// Comparing answers with their solutions.
#include "runtime/generation/MultiplicationSteps.h"

#include "runtime/data/Multiplication.h"
#include "support/Status.h"

#include <algorithm>

namespace attnres::runtime::multiplication {

std::string_view toString(StepKind kind) {
  switch (kind) {
  case StepKind::Product:
    return "product";
  case StepKind::Sum:
    return "sum";
  case StepKind::Answer:
    return "answer";
  case StepKind::End:
    return "end";
  }
  return "";
}

std::string_view toString(EchoKind kind) {
  switch (kind) {
  case EchoKind::Stopped:
    return "stopped";
  case EchoKind::Repeats:
    return "repeats";
  case EchoKind::Other:
    return "other";
  }
  return "";
}

static StepKind kindOf(char mark) {
  return mark == 'S'   ? StepKind::Product
         : mark == 'A' ? StepKind::Sum
                       : StepKind::Answer;
}

std::vector<Step> steps(int64_t digits, int64_t a, int64_t b) {
  std::string text = solution(digits, a, b);
  std::vector<Step> result;
  int64_t counts[3] = {};
  constexpr std::string_view marks = "SAZ";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find_first_of(marks, begin + 1), text.size());
    StepKind kind = kindOf(text[begin]);
    result.push_back({kind, ++counts[static_cast<size_t>(kind)],
                      text.substr(begin, end - begin)});
    begin = end;
  }
  return result;
}

std::optional<WrongStep> firstWrongStep(int64_t digits, int64_t a, int64_t b,
                                        std::string_view answer, bool ended) {
  size_t begin = 0;
  for (const Step &step : steps(digits, a, b)) {
    std::string_view written = answer.substr(begin, step.text.size());
    if (written != step.text) {
      size_t same = 0;
      while (same < written.size() && written[same] == step.text[same])
        ++same;
      size_t equals = step.text.rfind('=');
      return WrongStep{
          step.kind,    step.number,
          step.text,    std::string(written),
          begin + same, equals != std::string::npos && same > equals};
    }
    begin += step.text.size();
  }
  if (ended && begin == answer.size())
    return std::nullopt;
  return WrongStep{StepKind::End, 1,    "", std::string(answer.substr(begin)),
                   begin,         false};
}

std::string WrongStep::describe() const {
  if (kind == StepKind::End)
    return written.empty() ? "the answer is right, but no end follows"
                           : "goes on behind the answer: " + written;
  std::string name = concat(toString(kind), " ", number);
  if (kind == StepKind::Answer)
    name = "answer";
  if (expected.compare(0, written.size(), written) == 0)
    return concat(name, ": ends after ", written.empty() ? "nothing" : written,
                  " of ", expected);
  return concat(name, ": wrote ", written, " for ", expected,
                isResult ? ", a wrong result"
                : kind == StepKind::Answer
                    ? ""
                    : ", with numbers that are not the question's");
}

namespace {

/// Whether the second half of `tokens` is one text again and again.
bool repeatsItself(const std::vector<int64_t> &tokens) {
  constexpr size_t longest = 16;
  size_t first = tokens.size() / 2, count = tokens.size() - first;
  for (size_t period = 1; period <= longest && 3 * period <= count; ++period) {
    bool repeats = true;
    for (size_t i = first + period; i < tokens.size() && repeats; ++i)
      repeats = tokens[i] == tokens[i - period];
    if (repeats)
      return true;
  }
  return false;
}

} // namespace

Echo classifyEcho(std::string_view chain,
                  const std::vector<int64_t> &following) {
  Echo echo;
  std::vector<std::string> stretches(1);
  for (int64_t token : following) {
    if (token < vocabularySize - static_cast<int64_t>(characters.size()) ||
        token >= vocabularySize) {
      stretches.emplace_back();
      continue;
    }
    stretches.back() += decode({token});
    ++echo.characters;
  }
  for (const std::string &stretch : stretches)
    for (size_t begin = 0; begin < stretch.size();) {
      size_t length = 0;
      while (begin + length < stretch.size() &&
             chain.find(std::string_view(stretch).substr(begin, length + 1)) !=
                 std::string_view::npos)
        ++length;
      if (length >= echoPiece)
        echo.repeated += static_cast<int64_t>(length);
      begin += std::max<size_t>(length >= echoPiece ? length : 1, 1);
    }
  if (echo.characters > 0) {
    echo.kind = 2 * echo.repeated >= echo.characters ? EchoKind::Repeats
                                                     : EchoKind::Other;
    echo.loops = repeatsItself(following);
  }
  return echo;
}

} // namespace attnres::runtime::multiplication
