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

/// Texts while they grow, each with its own reason to stop.
class GrowingTexts {
public:
  GrowingTexts(const TextModel &model,
               const std::vector<std::vector<int64_t>> &prompts,
               const GenerationOptions &options,
               const GenerationObserver &observer)
      : options(options), observer(observer), capacity(model.capacity()),
        vocabulary(model.vocabularySize()), sampler(options.sampling) {
    bool penalizes = options.sampling.repetitionPenalty != 1;
    for (const std::vector<int64_t> &prompt : prompts)
      rows.push_back({static_cast<int64_t>(prompt.size()),
                      prompt.back(),
                      penalizes ? prompt : std::vector<int64_t>(),
                      {}});
  }

  bool isRunning(size_t text) const { return rows[text].running; }
  int64_t lastToken(size_t text) const { return rows[text].last; }
  int64_t lastPosition(size_t text) const { return rows[text].length - 1; }

  /// Stops a text that has no room, or as many tokens as were asked for;
  /// whether it goes on.
  bool goesOn(size_t text) {
    Row &row = rows[text];
    if (!row.running)
      return false;
    auto grown = static_cast<int64_t>(row.continuation.tokens.size());
    if (grown >= options.maxNewTokens)
      stop(text, StopReason::NewTokens);
    else if (row.length >= capacity)
      stop(text, StopReason::Capacity);
    return row.running;
  }

  /// Takes the next token of a running text from its logits [V].
  Status grow(size_t text, const float *logits) {
    Row &row = rows[text];
    auto index = static_cast<int64_t>(text);
    int64_t chosenFrom =
        options.vocabulary > 0 ? options.vocabulary : vocabulary;
    Result<int64_t> token =
        sampler.sample(logits, chosenFrom, index, row.length, row.text);
    if (!token.ok())
      return token.status();
    if (options.endToken == *token) {
      stop(text, StopReason::EndToken);
      return {};
    }
    row.last = *token;
    ++row.length;
    row.continuation.tokens.push_back(*token);
    if (observer.grew)
      observer.grew(index, *token);
    if (options.sampling.repetitionPenalty != 1)
      row.text.push_back(*token);
    if (options.ends && options.ends(index, *token))
      stop(text, StopReason::Text);
    return {};
  }

  std::vector<Continuation> takeContinuations() {
    std::vector<Continuation> continuations;
    for (Row &row : rows)
      continuations.push_back(std::move(row.continuation));
    return continuations;
  }

private:
  struct Row {
    int64_t length; ///< tokens, the prompt's included
    int64_t last;   ///< the last one
    /// All of them, if the repetition penalty asks for them.
    std::vector<int64_t> text;
    Continuation continuation;
    bool running = true;
  };

  void stop(size_t text, StopReason reason) {
    rows[text].continuation.reason = reason;
    rows[text].running = false;
    if (observer.stopped)
      observer.stopped(static_cast<int64_t>(text), reason);
  }

  const GenerationOptions &options;
  const GenerationObserver &observer;
  int64_t capacity, vocabulary;
  Sampler sampler;
  std::vector<Row> rows;
};

} // namespace

Result<std::vector<Continuation>>
generate(TextModel &model, const std::vector<std::vector<int64_t>> &prompts,
         const GenerationOptions &options, const GenerationObserver &observer) {
  if (Status status = checkRequest(model, prompts, options); !status.ok())
    return status;
  if (static_cast<int64_t>(prompts.size()) != model.batch())
    return invalidArgument("expected ", model.batch(), " prompts, got ",
                           prompts.size());
  GrowingTexts texts(model, prompts, options, observer);
  int64_t vocabulary = model.vocabularySize();
  std::vector<float> logits(static_cast<size_t>(model.batch() * vocabulary));
  std::vector<int64_t> tokens(prompts.size()), positions(prompts.size());
  auto countRunning = [&] {
    size_t running = 0;
    for (size_t i = 0; i < prompts.size(); ++i)
      running += texts.goesOn(i);
    return running;
  };
  for (bool first = true; countRunning() > 0; first = false) {
    for (size_t i = 0; i < prompts.size(); ++i) {
      tokens[i] = texts.isRunning(i) ? texts.lastToken(i) : TextModel::noToken;
      positions[i] = texts.lastPosition(i);
    }
    Status status =
        first ? model.read(prompts, logits.data())
              : model.readNext(tokens.data(), positions.data(), logits.data());
    if (!status.ok())
      return status;
    for (size_t i = 0; i < prompts.size(); ++i)
      if (texts.isRunning(i))
        if (Status grown = texts.grow(
                i, logits.data() + static_cast<int64_t>(i) * vocabulary);
            !grown.ok())
          return grown;
  }
  return texts.takeContinuations();
}

Result<std::vector<Continuation>>
generateContinuously(TextModel &model, TextModel &reader,
                     const std::function<Status(int64_t place)> &moveTo,
                     const std::vector<std::vector<int64_t>> &prompts,
                     const GenerationOptions &options,
                     const GenerationObserver &observer) {
  if (reader.batch() != 1 || reader.vocabularySize() != model.vocabularySize())
    return invalidArgument("prompts are read by a model of one text and the "
                           "same vocabulary");
  for (const TextModel *each : {&reader, &model})
    if (Status status = checkRequest(*each, prompts, options); !status.ok())
      return status;
  GrowingTexts texts(model, prompts, options, observer);
  int64_t vocabulary = model.vocabularySize();
  std::vector<float> logits(static_cast<size_t>(model.batch() * vocabulary)),
      first(static_cast<size_t>(vocabulary));
  constexpr size_t nobody = SIZE_MAX;
  std::vector<size_t> textAt(static_cast<size_t>(model.batch()), nobody);
  std::vector<int64_t> tokens(textAt.size()), positions(textAt.size());
  size_t next = 0;
  /// Reads prompts until one goes on after its first token, or none is left.
  auto fill = [&](size_t place) -> Status {
    while (textAt[place] == nobody && next < prompts.size()) {
      size_t text = next++;
      if (!texts.goesOn(text))
        continue;
      if (Status status = reader.read({prompts[text]}, first.data());
          !status.ok())
        return status;
      if (Status status = texts.grow(text, first.data()); !status.ok())
        return status;
      if (!texts.goesOn(text))
        continue;
      if (Status status = moveTo(static_cast<int64_t>(place)); !status.ok())
        return status;
      textAt[place] = text;
    }
    return {};
  };
  for (;;) {
    size_t running = 0;
    for (size_t place = 0; place < textAt.size(); ++place) {
      size_t &text = textAt[place];
      if (text != nobody && !texts.goesOn(text))
        text = nobody;
      if (Status status = fill(place); !status.ok())
        return status;
      tokens[place] =
          text == nobody ? TextModel::noToken : texts.lastToken(text);
      positions[place] = text == nobody ? 0 : texts.lastPosition(text);
      running += text != nobody;
    }
    if (running == 0)
      return texts.takeContinuations();
    if (Status status =
            model.readNext(tokens.data(), positions.data(), logits.data());
        !status.ok())
      return status;
    for (size_t place = 0; place < textAt.size(); ++place)
      if (textAt[place] != nobody)
        if (Status status = texts.grow(
                textAt[place],
                logits.data() + static_cast<int64_t>(place) * vocabulary);
            !status.ok())
          return status;
  }
}

} // namespace attnres::runtime
