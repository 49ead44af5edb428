// Sampling: known distributions, the cuts, ties, and what draws depend on.
#include "runtime/generation/Sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace attnres;
using namespace attnres::runtime;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

int64_t sample(const SamplingOptions &options, const std::vector<float> &logits,
               int64_t row = 0, int64_t position = 0) {
  auto token = Sampler(options).sample(
      logits.data(), static_cast<int64_t>(logits.size()), row, position);
  EXPECT_TRUE(token.ok()) << token.status().message();
  return token.ok() ? *token : -1;
}

/// How often each token comes in `draws` positions.
std::vector<double> frequencies(const SamplingOptions &options,
                                const std::vector<float> &logits,
                                int draws = 20000) {
  Sampler sampler(options);
  std::vector<double> counts(logits.size());
  for (int i = 0; i < draws; ++i)
    ++counts[*sampler.sample(logits.data(), logits.size(), 3, i)];
  for (double &count : counts)
    count /= draws;
  return counts;
}

/// Within five standard deviations.
void expectFrequencies(const std::vector<double> &actual,
                       const std::vector<double> &expected, int draws = 20000) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    double deviation = std::sqrt(expected[i] * (1 - expected[i]) / draws);
    EXPECT_NEAR(actual[i], expected[i], 5 * deviation) << "token " << i;
  }
}

/// Logits of these probabilities, up to a constant.
std::vector<float> logitsOf(const std::vector<double> &probabilities) {
  std::vector<float> logits;
  for (double p : probabilities)
    logits.push_back(static_cast<float>(std::log(p)) + 7);
  return logits;
}

TEST(Sampler, TemperatureZeroTakesTheMostLikely) {
  EXPECT_EQ(sample({}, {0.5f, -1, 2, 1.5f}), 2);
  EXPECT_EQ(sample({}, {-3}), 0);
}

TEST(Sampler, TiesTakeTheSmallerNumber) {
  EXPECT_EQ(sample({}, {1, 2, 2, 2}), 1);
  SamplingOptions options;
  options.temperature = 1;
  options.topK = 2;
  auto seen = frequencies(options, {1, 2, 2, 2});
  expectFrequencies(seen, {0, 0.5, 0.5, 0});
}

TEST(Sampler, TemperatureOneIsTheSoftmax) {
  SamplingOptions options;
  options.temperature = 1;
  std::vector<double> p = {0.5, 0.05, 0.25, 0.2};
  expectFrequencies(frequencies(options, logitsOf(p)), p);
}

TEST(Sampler, TemperatureSharpensAndFlattens) {
  SamplingOptions options;
  options.temperature = 0.5; // squares
  expectFrequencies(frequencies(options, logitsOf({0.6, 0.4})),
                    {0.36 / 0.52, 0.16 / 0.52});
  options.temperature = 2; // roots
  double a = std::sqrt(0.8), b = std::sqrt(0.2);
  expectFrequencies(frequencies(options, logitsOf({0.8, 0.2})),
                    {a / (a + b), b / (a + b)});
  // Weights that all but one underflow.
  options.temperature = 1e-30;
  EXPECT_EQ(sample(options, {1, 3, 2}), 1);
}

TEST(Sampler, TopKDrawsAmongTheKMostLikely) {
  SamplingOptions options;
  options.temperature = 1;
  options.topK = 1;
  for (int64_t position = 0; position < 100; ++position)
    EXPECT_EQ(sample(options, {0.1f, 0.3f, 0.2f}, 0, position), 1);
  options.topK = 2;
  expectFrequencies(frequencies(options, logitsOf({0.1, 0.6, 0.3})),
                    {0, 2.0 / 3, 1.0 / 3});
  for (int64_t k : {0, 3, 1000}) { // no cut
    options.topK = k;
    expectFrequencies(frequencies(options, logitsOf({0.1, 0.6, 0.3})),
                      {0.1, 0.6, 0.3});
  }
}

TEST(Sampler, TopPDrawsAmongTheFewestThatHaveIt) {
  SamplingOptions options;
  options.temperature = 1;
  options.topP = 0.5; // the first has more
  EXPECT_EQ(frequencies(options, logitsOf({0.3, 0.6, 0.1}))[1], 1);
  options.topP = 0.7;
  expectFrequencies(frequencies(options, logitsOf({0.3, 0.6, 0.1})),
                    {1.0 / 3, 2.0 / 3, 0});
  options.topP = 0; // at least one
  EXPECT_EQ(frequencies(options, logitsOf({0.3, 0.6, 0.1}))[1], 1);
  options.topP = 1e-300;
  EXPECT_EQ(frequencies(options, logitsOf({0.3, 0.6, 0.1}))[1], 1);
}

TEST(Sampler, TopPCountsWhatTopKLeft) {
  SamplingOptions options;
  options.temperature = 1;
  options.topK = 2; // 0.4 and 0.35 become 0.533 and 0.467
  options.topP = 0.5;
  EXPECT_EQ(frequencies(options, logitsOf({0.25, 0.4, 0.35}))[1], 1);
}

TEST(Sampler, ImpossibleTokensAreNeverDrawn) {
  SamplingOptions options;
  options.temperature = 1;
  auto seen = frequencies(options, {-infinity, 0, -infinity, 0, -infinity});
  expectFrequencies(seen, {0, 0.5, 0, 0.5, 0});
}

TEST(Sampler, DrawsDependOnSeedRowAndPositionAlone) {
  SamplingOptions options;
  options.temperature = 1;
  std::vector<float> logits(1000);
  Sampler warm(options);
  for (int64_t i = 0; i < 10; ++i)
    ASSERT_TRUE(warm.sample(logits.data(), 1000, 1, i).ok());
  EXPECT_EQ(*warm.sample(logits.data(), 1000, 2, 5),
            sample(options, logits, 2, 5));
  std::set<int64_t> seen;
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t position = 0; position < 3; ++position)
      seen.insert(sample(options, logits, row, position));
  int64_t before = sample(options, logits, 2, 5);
  options.seed = 1;
  seen.insert(sample(options, logits, 2, 5));
  EXPECT_NE(before, sample(options, logits, 2, 5));
  EXPECT_GE(seen.size(), 9u);
}

TEST(Sampler, LogitsWithoutMeaningAreErrors) {
  auto message = [](std::vector<float> logits) {
    auto token = Sampler({}).sample(logits.data(), logits.size(), 1, 12);
    return token.ok() ? "" : token.status().message();
  };
  EXPECT_EQ(message({0, NAN}), "text 2, position 12: the logit of token 1 is "
                               "nan");
  EXPECT_EQ(message({infinity, 0}), "text 2, position 12: the logit of token 0 "
                                    "is inf");
  EXPECT_EQ(message({-infinity, -infinity}),
            "text 2, position 12: every logit is -inf");
}

TEST(Sampler, OptionsOutOfRange) {
  auto message = [](double temperature, int64_t topK, double topP) {
    SamplingOptions options;
    options.temperature = temperature;
    options.topK = topK;
    options.topP = topP;
    return options.validate().message();
  };
  EXPECT_EQ(message(0.7, 40, 0.9), "");
  EXPECT_EQ(message(-1, 0, 1), "expected a temperature of at least 0, got -1");
  EXPECT_EQ(message(NAN, 0, 1),
            "expected a temperature of at least 0, got nan");
  EXPECT_EQ(message(INFINITY, 0, 1),
            "expected a temperature of at least 0, got inf");
  EXPECT_EQ(message(1, -2, 1), "expected top-k of at least 0, got -2");
  EXPECT_EQ(message(1, 0, 1.5), "expected top-p from 0 to 1, got 1.5");
  EXPECT_EQ(message(1, 0, NAN), "expected top-p from 0 to 1, got nan");
}

TEST(Sampler, MinPKeepsWhatIsLikelyEnough) {
  SamplingOptions options;
  options.temperature = 1;
  std::vector<float> logits;
  for (double probability : {0.1, 0.5, 0.04, 0.3, 0.06})
    logits.push_back(static_cast<float>(std::log(probability)));
  options.minP = 0.19; // of 0.5
  expectFrequencies(frequencies(options, logits),
                    {0.1 / 0.9, 0.5 / 0.9, 0, 0.3 / 0.9, 0});
  options.minP = 1;
  expectFrequencies(frequencies(options, logits), {0, 1, 0, 0, 0});
  // After top-k and top-p, which leave 0.5 and 0.3.
  options.topP = 0.7;
  options.minP = 0.1;
  expectFrequencies(frequencies(options, logits), {0, 0.625, 0, 0.375, 0});
  // Of probabilities at the temperature.
  options.topP = 1;
  options.temperature = 2;
  options.minP = 0.5;
  double a = std::sqrt(0.5), b = std::sqrt(0.3);
  expectFrequencies(frequencies(options, logits),
                    {0, a / (a + b), 0, b / (a + b), 0});
}

TEST(Sampler, RepetitionPenaltyCountsATokenOnce) {
  SamplingOptions options;
  options.repetitionPenalty = 2;
  std::vector<float> logits{3, 2, -1, -1.5f};
  auto next = [&](const std::vector<int64_t> &text) {
    return *Sampler(options).sample(logits.data(), 4, 0, 5, text);
  };
  EXPECT_EQ(next({}), 0);
  EXPECT_EQ(next({0}), 1);
  EXPECT_EQ(next({0, 0, 1}), 0) << "1.5 and 1";
  // Negative logits get smaller: -2 is less than -1.5.
  logits = {-9, -9, -1, -1.5f};
  EXPECT_EQ(next({}), 2);
  EXPECT_EQ(next({2}), 3);
  EXPECT_EQ(next({2, 3}), 2);
  // Tokens beyond those that may be chosen.
  EXPECT_EQ(next({7}), 2);
  options.repetitionPenalty = 0;
  EXPECT_EQ(options.validate().message(),
            "expected a positive repetition penalty, got 0");
  options.repetitionPenalty = 1;
  options.minP = -1;
  EXPECT_EQ(options.validate().message(), "expected min-p from 0 to 1, got -1");
}

} // namespace
