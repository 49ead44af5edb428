// Worked multiplications among other data.
#include "runtime/data/WrittenMultiplication.h"

#include <algorithm>

namespace attnres::runtime {

Result<std::unique_ptr<Dataset>>
WrittenMultiplication::create(std::unique_ptr<multiplication::Samples> samples,
                              const Tokenizer *tokenizer, int64_t length) {
  std::unique_ptr<WrittenMultiplication> set(
      new WrittenMultiplication(std::move(samples), tokenizer, length));
  std::vector<int64_t> tokens(static_cast<size_t>(length)), targets(tokens);
  if (Status status = set->sample(0, tokens.data(), targets.data());
      !status.ok())
    return status;
  return std::unique_ptr<Dataset>(std::move(set));
}

int64_t WrittenMultiplication::vocabularySize() const {
  return tokenizer ? tokenizer->vocabularySize() : samples->vocabularySize();
}

Status WrittenMultiplication::sample(int64_t index, int64_t *tokens,
                                     int64_t *targets) const {
  auto tooLong = [&](int64_t needed) {
    return invalidArgument("multiplication: a sample of ", samples->numDigits(),
                           " digits has ", needed, " tokens, not ", width,
                           " at most");
  };
  if (!tokenizer) {
    int64_t live = samples->length();
    if (live > width)
      return tooLong(live);
    std::fill(tokens + live, tokens + width, 0);
    std::fill(targets + live, targets + width, ignoredTarget);
    return samples->sample(index, tokens, targets);
  }
  auto [a, b] = samples->operands(index);
  Result<std::vector<int64_t>> whole =
      tokenizer->encode(multiplication::prompt(samples->numDigits(), a, b));
  if (!whole.ok())
    return whole.status();
  auto promptLength = static_cast<int64_t>(whole->size());
  std::string text = multiplication::solution(samples->numDigits(), a, b);
  std::optional<int64_t> end = tokenizer->endToken();
  Result<std::vector<int64_t>> rest =
      tokenizer->encode(end ? text : text + "\n");
  if (!rest.ok())
    return rest.status();
  whole->insert(whole->end(), rest->begin(), rest->end());
  if (end)
    whole->push_back(*end);
  int64_t live = static_cast<int64_t>(whole->size()) - 1;
  if (live > width)
    return tooLong(live);
  fillWindow(live, width, tokens, targets,
             [&](int64_t t) { return (*whole)[static_cast<size_t>(t)]; });
  std::fill_n(targets, promptLength - 1, ignoredTarget);
  return {};
}

} // namespace attnres::runtime
