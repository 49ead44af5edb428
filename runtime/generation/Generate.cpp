// The loop from one token to the next, and when it ends.
#include "runtime/generation/Generate.h"

namespace attnres::runtime {

std::string_view toString(StopReason reason) {
  switch (reason) {
  case StopReason::EndToken:
    return "end token";
  case StopReason::NewTokens:
    return "new tokens";
  case StopReason::Capacity:
    return "capacity";
  case StopReason::Text:
    return "stop text";
  }
  return "";
}

namespace {

Status checkRequest(const TextModel &model,
                    const std::vector<std::vector<int64_t>> &prompts,
                    const GenerationOptions &options) {
  if (Status status = options.sampling.validate(); !status.ok())
    return status;
  if (options.maxNewTokens < 0)
    return invalidArgument("expected at least 0 new tokens, got ",
                           options.maxNewTokens);
  if (options.vocabulary < 0 || options.vocabulary > model.vocabularySize())
    return invalidArgument("expected a vocabulary of at most the model's ",
                           model.vocabularySize(), " tokens, got ",
                           options.vocabulary);
  if (static_cast<int64_t>(prompts.size()) != model.batch())
    return invalidArgument("expected ", model.batch(), " prompts, got ",
                           prompts.size());
  for (size_t row = 0; row < prompts.size(); ++row) {
    const std::vector<int64_t> &prompt = prompts[row];
    if (prompt.empty())
      return invalidArgument("prompt ", row + 1, " is empty");
    if (static_cast<int64_t>(prompt.size()) > model.capacity())
      return invalidArgument("prompt ", row + 1, " has ", prompt.size(),
                             " tokens, there is room for ", model.capacity());
    for (size_t i = 0; i < prompt.size(); ++i)
      if (prompt[i] < 0 || prompt[i] >= model.vocabularySize())
        return invalidArgument("prompt ", row + 1, ": token ", i + 1, " is ",
                               prompt[i], ", expected 0 to ",
                               model.vocabularySize() - 1);
  }
  return {};
}

/// One text while it grows.
struct Row {
  int64_t length; ///< tokens, the prompt's included
  int64_t last;   ///< the last one
  /// All of them, if the repetition penalty asks for them.
  std::vector<int64_t> text;
  Continuation continuation;
  bool running = true;
};

} // namespace

Result<std::vector<Continuation>>
generate(TextModel &model, const std::vector<std::vector<int64_t>> &prompts,
         const GenerationOptions &options, const GenerationObserver &observer) {
  if (Status status = checkRequest(model, prompts, options); !status.ok())
    return status;
  std::vector<Row> rows;
  bool penalizes = options.sampling.repetitionPenalty != 1;
  for (const std::vector<int64_t> &prompt : prompts)
    rows.push_back({static_cast<int64_t>(prompt.size()),
                    prompt.back(),
                    penalizes ? prompt : std::vector<int64_t>(),
                    {}});
  Sampler sampler(options.sampling);
  int64_t vocabulary = model.vocabularySize();
  int64_t chosenFrom = options.vocabulary > 0 ? options.vocabulary : vocabulary;
  std::vector<float> logits(static_cast<size_t>(model.batch() * vocabulary));
  std::vector<int64_t> tokens(rows.size()), positions(rows.size());

  int64_t running = model.batch();
  auto stop = [&](size_t i, StopReason reason) {
    rows[i].continuation.reason = reason;
    rows[i].running = false;
    --running;
    if (observer.stopped)
      observer.stopped(static_cast<int64_t>(i), reason);
  };
  auto stopFullRows = [&] {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].running)
        continue;
      auto grown = static_cast<int64_t>(rows[i].continuation.tokens.size());
      if (grown >= options.maxNewTokens)
        stop(i, StopReason::NewTokens);
      else if (rows[i].length >= model.capacity())
        stop(i, StopReason::Capacity);
    }
  };

  bool first = true;
  for (stopFullRows(); running > 0; stopFullRows()) {
    for (size_t i = 0; i < rows.size(); ++i) {
      tokens[i] = rows[i].running ? rows[i].last : TextModel::noToken;
      positions[i] = rows[i].length - 1;
    }
    Status status =
        first ? model.read(prompts, logits.data())
              : model.readNext(tokens.data(), positions.data(), logits.data());
    if (!status.ok())
      return status;
    first = false;
    for (size_t i = 0; i < rows.size(); ++i) {
      Row &row = rows[i];
      if (!row.running)
        continue;
      auto index = static_cast<int64_t>(i);
      Result<int64_t> token =
          sampler.sample(logits.data() + index * vocabulary, chosenFrom, index,
                         row.length, row.text);
      if (!token.ok())
        return token.status();
      if (options.endToken == *token) {
        stop(i, StopReason::EndToken);
        continue;
      }
      row.last = *token;
      ++row.length;
      row.continuation.tokens.push_back(*token);
      if (observer.grew)
        observer.grew(index, *token);
      if (penalizes)
        row.text.push_back(*token);
      if (options.ends && options.ends(index, *token))
        stop(i, StopReason::Text);
    }
  }
  std::vector<Continuation> continuations;
  for (Row &row : rows)
    continuations.push_back(std::move(row.continuation));
  return continuations;
}

} // namespace attnres::runtime
