// Data sets: the worked example, published lengths, disjoint sets, and batches
// that depend on the seed and the step alone.
#include "runtime/data/Multiplication.h"
#include "runtime/data/Permutation.h"
#include "runtime/data/TextDataset.h"

#include "TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace attnres::runtime;
using Split = MultiplicationDataset::Split;

namespace {

MultiplicationDataset make(int64_t digits, int64_t size, uint64_t seed = 1,
                           Split split = Split::Train) {
  auto dataset = MultiplicationDataset::create({digits, size, seed, split});
  EXPECT_TRUE(dataset.ok()) << dataset.status().message();
  return *dataset;
}

struct Sample {
  std::vector<int64_t> tokens, targets;
  Sample(const Dataset &dataset, int64_t index)
      : tokens(dataset.length(), -1), targets(dataset.length(), -1) {
    dataset.sample(index, tokens.data(), targets.data());
  }
};

TEST(Permutation, IsABijection) {
  for (int64_t size : {1, 2, 3, 4, 5, 16, 17, 1000, 4097}) {
    Permutation order(size, 7, 1);
    std::set<int64_t> seen;
    for (int64_t i = 0; i < size; ++i) {
      int64_t value = order(i);
      ASSERT_GE(value, 0);
      ASSERT_LT(value, size);
      ASSERT_TRUE(seen.insert(value).second) << i << " of " << size;
    }
  }
}

TEST(Permutation, OrdersDifferAndAreNotNearTheIdentity) {
  constexpr int64_t size = 1000;
  Permutation first(size, 7, 1), second(size, 7, 2), third(size, 8, 1);
  int fixed = 0, agree = 0, agreeSeeds = 0, rising = 0;
  for (int64_t i = 0; i < size; ++i) {
    fixed += first(i) == i;
    agree += first(i) == second(i);
    agreeSeeds += first(i) == third(i);
    rising += i > 0 && first(i) > first(i - 1);
  }
  EXPECT_LT(fixed, 10);
  EXPECT_LT(agree, 10);
  EXPECT_LT(agreeSeeds, 10);
  EXPECT_NEAR(rising, size / 2, 50);
}

TEST(Permutation, LargeSizes) {
  int64_t size = (int64_t{1} << 61) + 12345;
  Permutation order(size, 1, 2);
  std::set<int64_t> seen;
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_LT(order(size - 1 - i), size);
    EXPECT_TRUE(seen.insert(order(size - 1 - i)).second);
  }
}

TEST(Multiplication, WorkedExample) {
  EXPECT_EQ(multiplication::prompt(2, 12, 34) +
                multiplication::solution(2, 12, 34),
            "12*34=S02*04=0008S10*04=0040S02*30=0060S10*30=0300A0008+0040=0048"
            "A0048+0060=0108A0108+0300=0408Z0408");
  EXPECT_EQ(multiplication::solution(1, 7, 8), "S7*8=56Z56");
}

TEST(Multiplication, AnswersAreRight) {
  for (int64_t digits : {1, 2, 3, 4, 5, 9}) {
    MultiplicationDataset dataset = make(digits, 20);
    for (int64_t k = 0; k < 20; ++k) {
      auto [a, b] = dataset.operands(k);
      std::string text = multiplication::solution(digits, a, b);
      std::string answer = text.substr(text.size() - 2 * digits);
      EXPECT_EQ(std::stoll(answer), a * b);
    }
  }
}

TEST(Multiplication, PublishedLengths) {
  EXPECT_EQ(make(3, 1).length() + 1, 319);
  EXPECT_EQ(make(4, 1).length() + 1, 729);
  EXPECT_EQ(make(5, 1).length() + 1, 1391);
  EXPECT_EQ(make(3, 1).vocabularySize(), 20);
}

TEST(Multiplication, TokensAndTargets) {
  MultiplicationDataset dataset = make(2, 3);
  for (int64_t k = 0; k < 3; ++k) {
    Sample sample(dataset, k);
    auto [a, b] = dataset.operands(k);
    EXPECT_EQ(multiplication::decode(sample.tokens),
              multiplication::prompt(2, a, b) +
                  multiplication::solution(2, a, b));
    for (int64_t t = 0; t < dataset.length(); ++t) {
      if (t < dataset.promptLength() - 1)
        EXPECT_EQ(sample.targets[t], ignoredTarget);
      else if (t + 1 < dataset.length())
        EXPECT_EQ(sample.targets[t], sample.tokens[t + 1]);
      else
        EXPECT_EQ(sample.targets[t], multiplication::eos);
    }
    // The first token that counts follows the '=' of the question.
    int64_t equals = multiplication::encode("=")[0];
    EXPECT_EQ(sample.tokens[dataset.promptLength() - 1], equals);
  }
}

TEST(Multiplication, TokenNumbersAreStable) {
  // Checkpoints depend on them.
  EXPECT_EQ(multiplication::encode("09*+=SAZ?"),
            (std::vector<int64_t>{4, 13, 14, 15, 16, 17, 18, 19, 3}));
  EXPECT_EQ(multiplication::decode({0, 1, 2, 3, 4, 19, 20, -1}),
            "<pad><bos><eos><unk>0Z<?><?>");
}

TEST(Multiplication, SampleKIsTheSameEverywhere) {
  // From an independent implementation of the generator and the split.
  struct Known {
    int64_t digits;
    uint64_t seed;
    int64_t index;
    Split split;
    int64_t a, b;
  };
  for (const Known &known : {Known{3, 42, 5, Split::Train, 564, 896},
                             Known{5, 42, 5, Split::Test, 15064, 12403},
                             Known{5, 1, 0, Split::Test, 3133, 65390}})
    for (int64_t size : {6, 1'000'000}) {
      auto [a, b] = make(known.digits, size, known.seed, known.split)
                        .operands(known.index);
      EXPECT_EQ(a, known.a);
      EXPECT_EQ(b, known.b);
    }
}

TEST(Multiplication, TrainAndTestShareNoPair) {
  for (int64_t digits : {1, 2, 3}) {
    std::set<std::pair<int64_t, int64_t>> train, test;
    for (uint64_t seed : {1, 2}) {
      MultiplicationDataset a = make(digits, 3000, seed, Split::Train);
      MultiplicationDataset b = make(digits, 3000, seed, Split::Test);
      for (int64_t k = 0; k < 3000; ++k) {
        train.insert({a.operands(k).a, a.operands(k).b});
        test.insert({b.operands(k).a, b.operands(k).b});
      }
    }
    EXPECT_FALSE(test.empty());
    for (const auto &pair : test)
      EXPECT_EQ(train.count(pair), 0u);
    if (digits == 1) {
      EXPECT_EQ(train.size() + test.size(), 100u) << "all pairs occur";
    }
  }
}

TEST(Multiplication, BadOptions) {
  EXPECT_EQ(MultiplicationDataset::create({10, 1, 0, Split::Train})
                .status()
                .message(),
            "multiplication: 10 digits, expected 1 to 9");
  EXPECT_EQ(
      MultiplicationDataset::create({3, 0, 0, Split::Train}).status().message(),
      "multiplication: 0 samples");
}

TEST(TextDataset, WindowsAndParts) {
  TemporaryDirectory directory;
  // 10 windows of 3 and a last target; one byte is left out.
  std::string text = "abcdefghijklmnopqrstuvwxyzABCD\xff.";
  std::string path = directory.write("text", text);
  auto whole = TextDataset::open({path}, 3, {});
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_EQ((*whole)->size(), 10);
  EXPECT_EQ((*whole)->length(), 3);
  EXPECT_EQ(Sample(**whole, 1).tokens, (std::vector<int64_t>{'d', 'e', 'f'}));
  EXPECT_EQ(Sample(**whole, 1).targets, (std::vector<int64_t>{'e', 'f', 'g'}));
  EXPECT_EQ(Sample(**whole, 9).targets, (std::vector<int64_t>{'C', 'D', 255}));

  auto train = TextDataset::open({path}, 3, {0, 0.75});
  auto rest = TextDataset::open({path}, 3, {0.75, 1});
  ASSERT_TRUE(train.ok() && rest.ok());
  EXPECT_EQ((*train)->size() + (*rest)->size(), 10);
  EXPECT_EQ(Sample(**rest, 0).tokens[0], text[3 * (*train)->size()]);
}

TEST(TextDataset, FilesAreOneStream) {
  TemporaryDirectory directory;
  std::string text = "abcdefghijklmnopqrstuvwxyzABCDEF";
  auto whole = TextDataset::open({directory.write("whole", text)}, 5, {});
  ASSERT_TRUE(whole.ok());
  // Cut so that a window lies in one file, in two, and in more.
  for (const std::vector<size_t> &cuts :
       {std::vector<size_t>{5}, {4}, {6, 7, 8, 9, 10}, {31}, {1, 30}}) {
    std::vector<std::string> paths;
    size_t begin = 0;
    for (size_t i = 0; i <= cuts.size(); ++i) {
      size_t end = i < cuts.size() ? cuts[i] : text.size();
      paths.push_back(directory.write("part" + std::to_string(i),
                                      text.substr(begin, end - begin)));
      begin = end;
    }
    auto parts = TextDataset::open(paths, 5, {});
    ASSERT_TRUE(parts.ok()) << parts.status().message();
    ASSERT_EQ((*parts)->size(), (*whole)->size());
    for (int64_t k = 0; k < (*whole)->size(); ++k) {
      EXPECT_EQ(Sample(**parts, k).tokens, Sample(**whole, k).tokens);
      EXPECT_EQ(Sample(**parts, k).targets, Sample(**whole, k).targets);
    }
  }
  std::string empty = directory.write("empty", "");
  EXPECT_EQ(TextDataset::open({directory.file("whole"), empty}, 5, {})
                .status()
                .message(),
            empty + ": the file is empty");
  EXPECT_EQ(TextDataset::open(
                std::vector<std::string>(5, directory.write("x", "x")), 5, {})
                .status()
                .message(),
            directory.file("x") + ", " + directory.file("x") + ", " +
                directory.file("x") +
                " and 2 more: 5 bytes, no window of 5 and a target in the part "
                "from 0 to 1");
}

TEST(TextDataset, Errors) {
  TemporaryDirectory directory;
  auto errorOf = [&](std::string_view text, int64_t length, Part part = {}) {
    std::string path = directory.write("text", text);
    auto dataset = TextDataset::open({path}, length, part);
    return dataset.ok() ? ""
                        : dataset.status().message().substr(path.size() + 2);
  };
  EXPECT_EQ(errorOf("abcd", 3), "");
  EXPECT_EQ(errorOf("abc", 3), "3 bytes, no window of 3 and a target in the "
                               "part from 0 to 1");
  EXPECT_EQ(errorOf("", 1), "the file is empty");
  EXPECT_EQ(errorOf("abcd", 0), "windows of 0 bytes");
  EXPECT_EQ(errorOf("abcd", 3, {0, 0.5}),
            "4 bytes, no window of 3 and a target in the part from 0 to 0.5");
  EXPECT_EQ(errorOf("abcd", 3, {0.5, 0.1}), "part from 0.5 to 0.1 of the text");
  EXPECT_FALSE(TextDataset::open({directory.file("none")}, 3, {}).ok());
}

TEST(Batches, EveryEpochSeesEverySampleOnce) {
  MultiplicationDataset dataset = make(1, 10);
  int64_t length = dataset.length();
  constexpr int64_t batch = 4; // 5 batches are 2 epochs
  std::map<std::vector<int64_t>, int> expected;
  for (int64_t k = 0; k < 10; ++k)
    ++expected[Sample(dataset, k).tokens];
  std::vector<std::vector<int64_t>> rows;
  for (int64_t step = 0; step < 5; ++step) {
    std::vector<int64_t> tokens(batch * length), targets(batch * length);
    fillBatch(dataset, 3, step, batch, tokens.data(), targets.data());
    for (int64_t row = 0; row < batch; ++row)
      rows.emplace_back(tokens.begin() + row * length,
                        tokens.begin() + (row + 1) * length);
  }
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::map<std::vector<int64_t>, int> seen;
    for (int i = 0; i < 10; ++i)
      ++seen[rows[epoch * 10 + i]];
    EXPECT_EQ(seen, expected);
  }
  EXPECT_NE(std::vector(rows.begin(), rows.begin() + 10),
            std::vector(rows.begin() + 10, rows.end()));
}

TEST(Batches, DependOnSeedAndStepAlone) {
  MultiplicationDataset dataset = make(2, 50);
  int64_t length = dataset.length();
  auto batchOf = [&](uint64_t seed, int64_t step, int64_t size) {
    std::vector<int64_t> tokens(size * length), targets(size * length);
    fillBatch(dataset, seed, step, size, tokens.data(), targets.data());
    return tokens;
  };
  EXPECT_EQ(batchOf(1, 7, 4), batchOf(1, 7, 4));
  EXPECT_NE(batchOf(1, 7, 4), batchOf(2, 7, 4));
  EXPECT_NE(batchOf(1, 7, 4), batchOf(1, 8, 4));
  // The stream of samples does not depend on how it is cut into batches.
  std::vector<int64_t> one = batchOf(1, 1, 8), first = batchOf(1, 2, 4),
                       second = batchOf(1, 3, 4);
  first.insert(first.end(), second.begin(), second.end());
  EXPECT_EQ(one, first);
}

} // namespace
