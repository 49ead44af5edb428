// What is said of wrong answers, and of what follows right ones.
#include "runtime/generation/MultiplicationSteps.h"
#include "runtime/data/Multiplication.h"

#include "gtest/gtest.h"

using namespace attnres::runtime::multiplication;

namespace {

TEST(MultiplicationSteps, AreTheSolution) {
  for (int64_t digits : {1, 2, 3}) {
    int64_t a = digits == 1 ? 7 : 34, b = digits == 1 ? 8 : 90;
    std::string text;
    int64_t counts[3] = {};
    for (const Step &step : steps(digits, a, b)) {
      text += step.text;
      EXPECT_EQ(step.number, ++counts[int(step.kind)]);
    }
    EXPECT_EQ(text, solution(digits, a, b));
    EXPECT_EQ(counts[0], digits * digits);
    EXPECT_EQ(counts[1], digits * digits - 1);
    EXPECT_EQ(counts[2], 1);
  }
}

TEST(MultiplicationSteps, RightAnswersHaveNoWrongStep) {
  EXPECT_FALSE(firstWrongStep(2, 12, 34, solution(2, 12, 34), true));
}

/// The answer to 12*34 with `from` replaced by `to`.
std::optional<WrongStep> wrongWith(std::string_view from, std::string_view to) {
  std::string text = solution(2, 12, 34);
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return firstWrongStep(2, 12, 34, text.replace(at, from.size(), to), true);
}

TEST(MultiplicationSteps, NamesTheFirstWrongStep) {
  auto product = wrongWith("S10*04=0040", "S10*04=0050");
  ASSERT_TRUE(product);
  EXPECT_EQ(product->kind, StepKind::Product);
  EXPECT_EQ(product->number, 2);
  EXPECT_TRUE(product->isResult);
  EXPECT_EQ(product->position, 20u);
  EXPECT_EQ(product->describe(), "product 2: wrote S10*04=0050 for "
                                 "S10*04=0040, a wrong result");

  auto sum = wrongWith("A0108+0300=0408", "A0108+0400=0508");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->kind, StepKind::Sum);
  EXPECT_EQ(sum->number, 3);
  EXPECT_FALSE(sum->isResult);

  auto answer = wrongWith("Z0408", "Z0409");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->kind, StepKind::Answer);
  EXPECT_EQ(answer->describe(), "answer: wrote Z0409 for Z0408");

  auto shorter = wrongWith("Z0408", "Z04");
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->describe(), "answer: ends after Z04 of Z0408");
  auto none = firstWrongStep(2, 12, 34, "", true);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->kind, StepKind::Product);

  auto longer = wrongWith("Z0408", "Z04081");
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->kind, StepKind::End);
  EXPECT_EQ(longer->describe(), "goes on behind the answer: 1");
  auto endless = firstWrongStep(2, 12, 34, solution(2, 12, 34), false);
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->describe(), "the answer is right, but no end follows");
}

TEST(Echo, OfSpecialTokensIsStopped) {
  Echo echo = classifyEcho("12*34=", {eos, eos, pad});
  EXPECT_EQ(echo.kind, EchoKind::Stopped);
  EXPECT_EQ(echo.characters, 0);
  EXPECT_FALSE(echo.loops);
  EXPECT_EQ(classifyEcho("", {}).kind, EchoKind::Stopped);
}

TEST(Echo, CountsPiecesOfTheChain) {
  std::string chain = prompt(2, 12, 34) + solution(2, 12, 34);
  // A piece of 11 characters, one of 5, and three that stand nowhere.
  Echo echo = classifyEcho(chain, encode("S10*04=0040999Z0408"));
  EXPECT_EQ(echo.kind, EchoKind::Repeats);
  EXPECT_EQ(echo.characters, 19);
  EXPECT_EQ(echo.repeated, 16);
  EXPECT_FALSE(echo.loops);
  // Pieces of three characters are too short, and tokens between them end one.
  std::vector<int64_t> pieces = encode("S10");
  pieces.push_back(eos);
  for (int64_t token : encode("*04"))
    pieces.push_back(token);
  EXPECT_EQ(classifyEcho(chain, pieces).kind, EchoKind::Other);
  EXPECT_EQ(classifyEcho(chain, pieces).repeated, 0);
}

TEST(Echo, NoticesLoops) {
  EXPECT_TRUE(classifyEcho("", encode("77*712121212121212")).loops);
  EXPECT_TRUE(classifyEcho("", encode("1111111111")).loops);
  EXPECT_FALSE(classifyEcho("", encode("12*34=S02*04=0008")).loops);
}

} // namespace
