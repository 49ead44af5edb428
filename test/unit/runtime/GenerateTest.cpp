// When texts stop, and what the model is asked meanwhile, on a model that
// computes nothing.
#include "runtime/generation/Generate.h"
#include "runtime/generation/CachedModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace attnres;
using namespace attnres::runtime;

namespace {

using Tokens = std::vector<int64_t>;

/// After token n always comes n + 1, the last token being followed by 0.
class CountingModel final : public TextModel {
public:
  CountingModel(int64_t batch, int64_t capacity, int64_t vocabulary = 10)
      : texts(batch), room(capacity), vocabulary(vocabulary) {}

  int64_t batch() const override { return texts; }
  int64_t capacity() const override { return room; }
  int64_t vocabularySize() const override { return vocabulary; }

  Status read(const std::vector<Tokens> &prompts, float *logits) override {
    ++reads;
    lengths.clear();
    for (size_t b = 0; b < prompts.size(); ++b) {
      lengths.push_back(static_cast<int64_t>(prompts[b].size()));
      predict(b, prompts[b].back(), logits);
    }
    return {};
  }

  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override {
    ++steps;
    for (size_t b = 0; b < lengths.size(); ++b) {
      if (tokens[b] == noToken)
        continue;
      EXPECT_EQ(positions[b], lengths[b]);
      EXPECT_LT(positions[b], room);
      ++lengths[b];
      predict(b, tokens[b], logits);
    }
    return {};
  }

  void resize(int64_t places) {
    lengths.assign(static_cast<size_t>(places), 0);
  }
  void copyText(int64_t place, const CountingModel &from) {
    lengths[static_cast<size_t>(place)] = from.lengths[0];
  }

  int reads = 0, steps = 0;

private:
  void predict(size_t b, int64_t token, float *logits) {
    for (int64_t v = 0; v < vocabulary; ++v)
      logits[static_cast<int64_t>(b) * vocabulary + v] =
          v == (token + 1) % vocabulary ? 5.0f : 0.0f;
  }

  int64_t texts, room, vocabulary;
  std::vector<int64_t> lengths;
};

std::vector<Continuation> run(CountingModel &model,
                              const std::vector<Tokens> &prompts,
                              const GenerationOptions &options,
                              const GenerationObserver &observer = {}) {
  auto texts = generate(model, prompts, options, observer);
  EXPECT_TRUE(texts.ok()) << texts.status().message();
  return texts.ok() ? *texts : std::vector<Continuation>(prompts.size());
}

GenerationOptions newTokens(int64_t count) {
  GenerationOptions options;
  options.maxNewTokens = count;
  return options;
}

TEST(Generate, StopsAtTheNumberOfNewTokens) {
  CountingModel model(1, 100);
  auto texts = run(model, {{3, 4}}, newTokens(3));
  EXPECT_EQ(texts[0].tokens, (Tokens{5, 6, 7}));
  EXPECT_EQ(texts[0].reason, StopReason::NewTokens);
  EXPECT_EQ(model.reads, 1);
  EXPECT_EQ(model.steps, 2); // the third token is never read
}

TEST(Generate, NoNewTokensReadNothing) {
  CountingModel model(1, 100);
  auto texts = run(model, {{3}}, newTokens(0));
  EXPECT_TRUE(texts[0].tokens.empty());
  EXPECT_EQ(texts[0].reason, StopReason::NewTokens);
  EXPECT_EQ(model.reads, 0);
}

TEST(Generate, StopsAtTheEndToken) {
  CountingModel model(1, 100);
  GenerationOptions options = newTokens(50);
  options.endToken = 8;
  auto texts = run(model, {{5}}, options);
  EXPECT_EQ(texts[0].tokens, (Tokens{6, 7}));
  EXPECT_EQ(texts[0].reason, StopReason::EndToken);
  EXPECT_EQ(model.steps, 2);
}

TEST(Generate, GoesOnBehindTheEndTokenWithoutOne) {
  CountingModel model(1, 100);
  auto texts = run(model, {{7}}, newTokens(4));
  EXPECT_EQ(texts[0].tokens, (Tokens{8, 9, 0, 1}));
}

TEST(Generate, StopsWhenFull) {
  CountingModel model(2, 5);
  auto texts = run(model, {{1, 2, 3}, {1, 2, 3, 4, 5}}, newTokens(50));
  EXPECT_EQ(texts[0].tokens, (Tokens{4, 5}));
  EXPECT_EQ(texts[0].reason, StopReason::Capacity);
  EXPECT_TRUE(texts[1].tokens.empty());
  EXPECT_EQ(texts[1].reason, StopReason::Capacity);
}

TEST(Generate, RowsStopOnTheirOwn) {
  CountingModel model(3, 100);
  GenerationOptions options = newTokens(6);
  options.endToken = 9;
  std::string log;
  GenerationObserver observer;
  observer.grew = [&](int64_t row, int64_t token) {
    log += std::to_string(row) + ":" + std::to_string(token) + " ";
  };
  observer.stopped = [&](int64_t row, StopReason reason) {
    log += std::to_string(row) + ":" + std::string(toString(reason)) + " ";
  };
  auto texts = run(model, {{0}, {8}, {3, 6}}, options, observer);
  EXPECT_EQ(texts[0].tokens, (Tokens{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(texts[1].tokens, (Tokens{}));
  EXPECT_EQ(texts[2].tokens, (Tokens{7, 8}));
  EXPECT_EQ(log, "0:1 1:end token 2:7 0:2 2:8 0:3 2:end token 0:4 0:5 0:6 "
                 "0:new tokens ");
  EXPECT_EQ(model.steps, 5);
}

TEST(Generate, ARowDoesNotDependOnTheOthers) {
  GenerationOptions options = newTokens(20);
  options.sampling.temperature = 3;
  options.sampling.seed = 4;
  options.endToken = 9;
  CountingModel both(2, 100), one(1, 100);
  Tokens alone = run(one, {{0, 1}}, options)[0].tokens;
  EXPECT_EQ(run(both, {{0, 1}, {4}}, options)[0].tokens, alone);
  EXPECT_EQ(run(one, {{0, 1}}, options)[0].tokens, alone);
}

/// A model that knows more tokens than have a meaning draws none of the others.
TEST(Generate, OnlyTokensThatMeanSomething) {
  GenerationOptions options = newTokens(50);
  options.sampling.temperature = 5;
  options.vocabulary = 4;
  CountingModel model(1, 100);
  Tokens drawn = run(model, {{2}}, options)[0].tokens;
  ASSERT_EQ(drawn.size(), 50u);
  EXPECT_EQ(*std::max_element(drawn.begin(), drawn.end()), 3);
  options.vocabulary = 11;
  EXPECT_EQ(generate(model, {{2}}, options).status().message(),
            "expected a vocabulary of at most the model's 10 tokens, got 11");
}

TEST(Generate, BadRequests) {
  CountingModel model(2, 4);
  auto message = [&](const std::vector<Tokens> &prompts,
                     GenerationOptions options) {
    auto texts = generate(model, prompts, options);
    return texts.ok() ? "" : texts.status().message();
  };
  EXPECT_EQ(message({{1}}, newTokens(1)), "expected 2 prompts, got 1");
  EXPECT_EQ(message({{1}, {}}, newTokens(1)), "prompt 2 is empty");
  EXPECT_EQ(message({{1}, {1, 2, 3, 4, 5}}, newTokens(1)),
            "prompt 2 has 5 tokens, there is room for 4");
  EXPECT_EQ(message({{1, 10}, {1}}, newTokens(1)),
            "prompt 1: token 2 is 10, expected 0 to 9");
  EXPECT_EQ(message({{-1}, {1}}, newTokens(1)),
            "prompt 1: token 1 is -1, expected 0 to 9");
  EXPECT_EQ(message({{1}, {1}}, newTokens(-1)),
            "expected at least 0 new tokens, got -1");
  GenerationOptions hot = newTokens(1);
  hot.sampling.temperature = -1;
  EXPECT_EQ(message({{1}, {1}}, hot),
            "expected a temperature of at least 0, got -1");
  EXPECT_EQ(model.reads, 0);
}

TEST(Generate, ChunksOfPromptsAreEvenAndOfFewLengths) {
  EXPECT_EQ(chunkLength(1, 1024), 1);
  EXPECT_EQ(chunkLength(1024, 1024), 1024);
  EXPECT_EQ(chunkLength(1025, 1024), 576);
  EXPECT_EQ(chunkLength(1100, 1024), 576);
  EXPECT_EQ(chunkLength(2048, 1024), 1024);
  EXPECT_EQ(chunkLength(2049, 1024), 704);
  // Never more than allowed, and enough calls for all.
  EXPECT_EQ(chunkLength(130, 100), 100);
  EXPECT_EQ(chunkLength(3, 2), 2);
  EXPECT_EQ(chunkLength(5, 1), 1);
  EXPECT_EQ(positionsFor(2049, 704), 2112);
  EXPECT_EQ(positionsFor(2048, 1024), 2048);
}

TEST(Generate, EndsWhereItIsTold) {
  CountingModel model(2, 100);
  GenerationOptions options = newTokens(20);
  options.ends = [](int64_t row, int64_t token) {
    return row == 1 && token == 7;
  };
  auto texts = run(model, {{0}, {4}}, options);
  EXPECT_EQ(texts[0].tokens.size(), 20u);
  EXPECT_EQ(texts[0].reason, StopReason::NewTokens);
  EXPECT_EQ(texts[1].tokens, (Tokens{5, 6, 7}));
  EXPECT_EQ(texts[1].reason, StopReason::Text);
}

/// Token v has the logit 10 - v, whatever the text is.
class FallingModel final : public TextModel {
public:
  int64_t batch() const override { return 1; }
  int64_t capacity() const override { return 100; }
  int64_t vocabularySize() const override { return 8; }
  Status read(const std::vector<Tokens> &, float *logits) override {
    for (int v = 0; v < 8; ++v)
      logits[v] = static_cast<float>(10 - v);
    return {};
  }
  Status readNext(const int64_t *, const int64_t *, float *logits) override {
    return read({}, logits);
  }
};

TEST(Generate, RepetitionPenaltySeesPromptAndText) {
  FallingModel model;
  GenerationOptions options = newTokens(6);
  EXPECT_EQ((*generate(model, {{0}}, options))[0].tokens, Tokens(6, 0));
  options.sampling.repetitionPenalty = 2;
  // 5, 4.5, 4, 3.5 and 3 are left of the first five; then 0 is as good as 5.
  EXPECT_EQ((*generate(model, {{0}}, options))[0].tokens,
            (Tokens{1, 2, 3, 4, 0, 0}));
}

/// Continues prompts with `places` places; what the reader read moves there.
std::vector<Continuation> runContinuously(int64_t places, CountingModel &model,
                                          CountingModel &reader,
                                          const std::vector<Tokens> &prompts,
                                          const GenerationOptions &options,
                                          int *moves = nullptr) {
  model.resize(places);
  auto texts = generateContinuously(
      model, reader,
      [&](int64_t place) {
        if (moves)
          ++*moves;
        model.copyText(place, reader);
        return Status();
      },
      prompts, options);
  EXPECT_TRUE(texts.ok()) << texts.status().message();
  return texts.ok() ? *texts : std::vector<Continuation>(prompts.size());
}

TEST(GenerateContinuously, TextsGetWhatTheyGetAlone) {
  const std::vector<Tokens> prompts = {{3, 4}, {1},          {5, 6, 7}, {2, 2},
                                       {0},    {4, 3, 2, 1}, {9}};
  GenerationOptions options = newTokens(6);
  options.endToken = 8; // ends some early: they differ in length
  std::vector<Continuation> alone;
  for (const Tokens &prompt : prompts) {
    CountingModel model(1, 100);
    alone.push_back(run(model, {prompt}, options)[0]);
  }
  for (int64_t places : {1, 2, 3, 7}) {
    CountingModel model(places, 100), reader(1, 100);
    int moves = 0;
    auto texts =
        runContinuously(places, model, reader, prompts, options, &moves);
    for (size_t i = 0; i < prompts.size(); ++i) {
      EXPECT_EQ(texts[i].tokens, alone[i].tokens) << i << " of " << places;
      EXPECT_EQ(texts[i].reason, alone[i].reason);
    }
    EXPECT_EQ(reader.reads, 7);
    EXPECT_EQ(moves, 6); // 5 6 7 ends with its first token
  }
}

TEST(GenerateContinuously, APlaceIsTakenInTheStepAfterATextEnds) {
  // The first token comes from the reader. The texts then take 3, 1, 1 and 3
  // steps: all after each other in one place; with two, the last one begins in
  // the third step.
  GenerationOptions options = newTokens(4);
  options.endToken = 9;
  const std::vector<Tokens> prompts = {{0}, {7}, {7}, {1}};
  for (auto [places, steps] : {std::pair(1, 8), std::pair(2, 5)}) {
    CountingModel model(places, 100), reader(1, 100);
    auto texts = runContinuously(places, model, reader, prompts, options);
    EXPECT_EQ(texts[1].tokens, (Tokens{8}));
    EXPECT_EQ(texts[3].tokens, (Tokens{2, 3, 4, 5}));
    EXPECT_EQ(model.steps, steps) << places;
  }
}

} // namespace
