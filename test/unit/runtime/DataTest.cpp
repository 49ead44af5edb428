// Data sets: the worked example, published lengths, disjoint sets, windows,
// files that change or hold no text, and batches that depend on the seed and
// the step alone.
#include "runtime/data/DataFormat.h"
#include "runtime/data/Multiplication.h"
#include "runtime/data/Permutation.h"
#include "runtime/data/TextDataset.h"
#include "support/ContentHash.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace attnres;
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
    EXPECT_TRUE(dataset.sample(index, tokens.data(), targets.data()).ok());
  }
};

Result<std::unique_ptr<TextDataset>>
openText(const std::vector<std::string> &paths, int64_t length,
         Part part = {}) {
  Result<DataFiles> files = openDataFiles(paths);
  if (!files.ok())
    return files.status();
  return TextDataset::open(*files, length, part);
}

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

TEST(MultiplicationQuestions, FI11EveryHeldOutQuestionOnce) {
  for (int64_t digits : {1, 2}) {
    std::set<std::pair<int64_t, int64_t>> drawn, listed;
    MultiplicationDataset draws = make(digits, 20000, 1, Split::Test);
    for (int64_t k = 0; k < draws.size(); ++k)
      drawn.emplace(draws.operands(k).a, draws.operands(k).b);
    auto questions = *MultiplicationQuestions::create(digits, 5000, 7);
    for (int64_t k = 0; k < questions.size(); ++k)
      listed.emplace(questions.operands(k).a, questions.operands(k).b);
    EXPECT_EQ(static_cast<int64_t>(listed.size()), questions.size());
    EXPECT_EQ(listed, drawn);
    EXPECT_TRUE(questions.areAll());
    // As many as there are, and one less.
    auto some = *MultiplicationQuestions::create(digits, questions.size(), 7);
    EXPECT_TRUE(some.areAll());
    auto fewer =
        *MultiplicationQuestions::create(digits, questions.size() - 1, 7);
    EXPECT_FALSE(fewer.areAll());
    EXPECT_EQ(fewer.size(), questions.size() - 1);
    EXPECT_EQ(fewer.operands(0).a, questions.operands(0).a);
  }
  auto many = *MultiplicationQuestions::create(9, 100, 7);
  auto others = *MultiplicationQuestions::create(9, 100, 8);
  EXPECT_EQ(many.size(), 100);
  EXPECT_FALSE(many.areAll());
  EXPECT_NE(many.operands(0).a, others.operands(0).a);
  Sample sample(many, 3);
  auto [a, b] = many.operands(3);
  EXPECT_EQ(multiplication::decode(sample.tokens),
            multiplication::prompt(9, a, b) +
                multiplication::solution(9, a, b));
  EXPECT_EQ(MultiplicationQuestions::create(0, 1, 0).status().message(),
            "multiplication: 0 digits, expected 1 to 9");
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
  auto whole = openText({path}, 3, {});
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_EQ((*whole)->size(), 10);
  EXPECT_EQ((*whole)->length(), 3);
  EXPECT_EQ(Sample(**whole, 1).tokens, (std::vector<int64_t>{'d', 'e', 'f'}));
  EXPECT_EQ(Sample(**whole, 1).targets, (std::vector<int64_t>{'e', 'f', 'g'}));
  EXPECT_EQ(Sample(**whole, 9).targets, (std::vector<int64_t>{'C', 'D', 255}));

  auto train = openText({path}, 3, {0, 0.75});
  auto rest = openText({path}, 3, {0.75, 1});
  ASSERT_TRUE(train.ok() && rest.ok());
  EXPECT_EQ((*train)->size() + (*rest)->size(), 10);
  EXPECT_EQ(Sample(**rest, 0).tokens[0], text[3 * (*train)->size()]);
}

/// Every byte of a part but its first is a target once, whatever the windows.
TEST(TextDataset, FI11WholeParts) {
  TemporaryDirectory directory;
  std::string text = "abcdefghijklmnopqrstuvwxyz.";
  std::string path = directory.write("text", text);
  auto targetsOf = [&](int64_t length, Part part) {
    part.whole = true;
    auto dataset = openText({path}, length, part);
    EXPECT_TRUE(dataset.ok()) << dataset.status().message();
    std::string targets;
    for (int64_t k = 0; k < (*dataset)->size(); ++k) {
      Sample sample(**dataset, k);
      for (int64_t t = 0; t < (*dataset)->length(); ++t) {
        if (sample.targets[t] == ignoredTarget) {
          EXPECT_EQ(k, (*dataset)->size() - 1);
          EXPECT_EQ(sample.tokens[t], 0);
          continue;
        }
        targets += static_cast<char>(sample.targets[t]);
        size_t position = text.find(targets.back());
        EXPECT_EQ(sample.tokens[t], text[position - 1]);
      }
    }
    return targets;
  };
  for (int64_t length : {1, 2, 3, 5, 25, 26, 27, 100})
    EXPECT_EQ(targetsOf(length, {}), text.substr(1)) << length;
  // Shorter than one window: no padding at all.
  Part whole;
  whole.whole = true;
  EXPECT_EQ((*openText({path}, 100, whole))->length(), 26);
  // The parts of a run with windows of 4: 6 windows, of which 5 are trained on.
  for (int64_t length : {1, 3, 4, 7, 100}) {
    Part train{0, 0.9}, rest{0.9, 1};
    train.counted = rest.counted = 4;
    EXPECT_EQ(targetsOf(length, train), text.substr(1, 20)) << length;
    EXPECT_EQ(targetsOf(length, rest), text.substr(21)) << length;
  }
  EXPECT_EQ((*openText({path}, 4, {0, 0.9}))->size(), 5);
  std::string one = directory.write("one", "x");
  EXPECT_EQ(openText({one}, 4, whole).status().message(),
            one + ": 1 bytes, none to predict");
}

/// A file that is cut or written to is an error that names it; one that was
/// only touched is not.
TEST(TextDataset, FI10FilesThatChange) {
  TemporaryDirectory directory;
  std::string path = directory.write("text", "abcdefghijklmnopqrstuvwxyz");
  auto dataset = openText({path}, 5);
  ASSERT_TRUE(dataset.ok());
  auto errorNow = [&] {
    std::vector<int64_t> tokens(5), targets(5);
    Status status = (*dataset)->sample(3, tokens.data(), targets.data());
    return status.ok() ? "" : status.message();
  };
  auto rewrite = [&](std::string_view text) { // the same file, in place
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  EXPECT_EQ(errorNow(), "");
  rewrite("abc");
  EXPECT_EQ(errorNow(), "");
  rewrite("abC");
  EXPECT_NE(errorNow().find(path + ": was changed while it was in use"),
            std::string::npos);
  rewrite("abc");
  EXPECT_EQ(errorNow(), "");
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_EQ(errorNow(),
            path + ": was changed while it was in use; it had 26 bytes and "
                   "has 30");
  std::filesystem::resize_file(path, 17);
  EXPECT_EQ(errorNow(), path + ": was cut while it was in use; it had 26 bytes "
                               "and ends before byte 18");
  // Another file under that name is none of its business.
  std::filesystem::resize_file(path, 0);
  std::ofstream(path) << "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(errorNow(), "");
  std::filesystem::rename(directory.write("other", "other"), path);
  EXPECT_EQ(errorNow(), "");
}

TEST(ContentHash, FI10AnyChangeChangesIt) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += static_cast<char>(i * 7);
  auto hashOf = [](std::string_view bytes) {
    ContentHash hash;
    hash.add(bytes);
    return hash.value();
  };
  // Checkpoints depend on it.
  EXPECT_EQ(showHash(hashOf("")), "e55b832f876019bc");
  EXPECT_EQ(showHash(hashOf("attention residuals")), "a8bfedf392e8c103");
  std::set<uint64_t> seen;
  for (size_t length = 0; length <= text.size(); ++length)
    EXPECT_TRUE(seen.insert(hashOf(text.substr(0, length))).second);
  for (size_t i = 0; i < text.size(); ++i)
    for (int bit : {0, 7}) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      EXPECT_TRUE(seen.insert(hashOf(other)).second) << i;
    }
  std::string swapped = text; // two words of the same lane, two lanes
  std::swap_ranges(swapped.begin(), swapped.begin() + 8, swapped.begin() + 64);
  EXPECT_TRUE(seen.insert(hashOf(swapped)).second);
  swapped = text;
  std::swap_ranges(swapped.begin(), swapped.begin() + 8, swapped.begin() + 8);
  EXPECT_TRUE(seen.insert(hashOf(swapped)).second);
  for (size_t cut : {1u, 63u, 64u, 65u, 128u, 200u}) {
    ContentHash pieces;
    for (size_t begin = 0; begin < text.size(); begin += cut)
      pieces.add(std::string_view(text).substr(begin, cut));
    EXPECT_EQ(pieces.value(), hashOf(text));
  }
}

std::string le(std::initializer_list<uint64_t> values, size_t width) {
  std::string bytes;
  for (uint64_t value : values)
    bytes.append(reinterpret_cast<const char *>(&value), width);
  return bytes;
}

TEST(DataFormat, ByContent) {
  TemporaryDirectory directory;
  auto formatOf = [&](const std::string &bytes) {
    auto file = DataFile::open(directory.write("book.txt", bytes));
    EXPECT_TRUE(file.ok());
    return *foreignFormat(**file);
  };
  auto utf16 = [](std::string_view text, bool bigEndian) {
    std::string bytes;
    for (char c : text)
      bytes += bigEndian ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  std::string line = "It was a dark and stormy night; the rain fell.\n", text;
  for (int i = 0; i < 5000; ++i)
    text += line;
  std::string gpt2, characters, wide;
  for (uint64_t i = 0; i < 4000; ++i) {
    // Small numbers are frequent, as tokens are.
    uint64_t token = i * i * 48271 % (uint64_t{1} << (4 + i % 12));
    gpt2 += le({token}, 2);
    characters += le({token % 65}, 2);
    wide += le({token * 2}, 4);
  }
  // Text.
  EXPECT_EQ(formatOf(text), "");
  EXPECT_EQ(formatOf("x"), "");
  EXPECT_EQ(formatOf("\xef\xbb\xbfwith a mark\r\n"), "");
  EXPECT_EQ(formatOf("caf\xe9 in Latin-1, \x1b[1mbold\x1b[0m, a\b_ \f"), "");
  EXPECT_EQ(formatOf("\xe6\x98\xaf\xe4\xba\xba\xe9\x83\xbd"), "");
  EXPECT_EQ(formatOf("PK fire\n"), "");
  EXPECT_EQ(formatOf("BZhang and others\n"), "");
  EXPECT_EQ(formatOf(text + std::string(3, '\0')), "") << "a stray byte";
  // By their marks.
  EXPECT_EQ(formatOf("\x93NUMPY\1" + text), "a NumPy array (.npy)");
  EXPECT_EQ(formatOf("\x1f\x8b\x08" + text),
            "compressed by gzip; unpack it first");
  EXPECT_EQ(formatOf("PK\3\4" + text),
            "a zip archive (also .npz, .pt, .docx); unpack it first");
  EXPECT_EQ(formatOf("BZh91AY&SY" + text),
            "compressed by bzip2; unpack it first");
  EXPECT_EQ(formatOf(std::string(257, 'a') + "ustar" + text),
            "a tar archive; unpack it first");
  EXPECT_EQ(formatOf("\xff\xfe" + utf16(line, false)),
            "text in UTF-16; convert it to UTF-8 first");
  EXPECT_EQ(formatOf("\xfe\xff" + utf16(line, true)),
            "text in UTF-16; convert it to UTF-8 first");
  EXPECT_EQ(
      formatOf(le({20240520, 1, 500}, 4) + std::string(1012, '\0') + gpt2),
      "a token shard of llm.c");
  EXPECT_EQ(formatOf(le({40}, 8) + "{\"w\": {}}" + std::string(40, ' ')),
            "a safetensors file");
  // By their bytes.
  EXPECT_EQ(formatOf(utf16(line, false)),
            "text in UTF-16; convert it to UTF-8 first");
  EXPECT_EQ(formatOf(utf16(text, true)),
            "text in UTF-16; convert it to UTF-8 first");
  const char *shorts = "numbers of 16 bits, such as a shard of tokens of "
                       "nanoGPT, or another binary format";
  EXPECT_EQ(formatOf(gpt2), shorts);
  EXPECT_EQ(formatOf(characters), shorts);
  EXPECT_EQ(formatOf(wide), "numbers of 32 bits, such as a shard of tokens");
  EXPECT_EQ(formatOf(std::string(101, '\1')), "a binary format");
  // Not only at the beginning.
  EXPECT_EQ(formatOf(text + gpt2 + gpt2 + gpt2 + gpt2 + gpt2 + gpt2), shorts);

  std::string path = directory.write("tokens.txt", gpt2);
  EXPECT_EQ(expectText(*openDataFiles({directory.write("a", text), path}),
                       "--as-bytes")
                .message(),
            path + ": not text, but looks like " + shorts +
                " (--as-bytes takes its bytes as they are)");
}

TEST(TextDataset, FilesAreOneStream) {
  TemporaryDirectory directory;
  std::string text = "abcdefghijklmnopqrstuvwxyzABCDEF";
  auto whole = openText({directory.write("whole", text)}, 5, {});
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
    auto parts = openText(paths, 5, {});
    ASSERT_TRUE(parts.ok()) << parts.status().message();
    ASSERT_EQ((*parts)->size(), (*whole)->size());
    for (int64_t k = 0; k < (*whole)->size(); ++k) {
      EXPECT_EQ(Sample(**parts, k).tokens, Sample(**whole, k).tokens);
      EXPECT_EQ(Sample(**parts, k).targets, Sample(**whole, k).targets);
    }
  }
  std::string empty = directory.write("empty", "");
  EXPECT_EQ(
      openText({directory.file("whole"), empty}, 5, {}).status().message(),
      empty + ": the file is empty");
  EXPECT_EQ(
      openText(std::vector<std::string>(5, directory.write("x", "x")), 5, {})
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
    auto dataset = openText({path}, length, part);
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
  EXPECT_FALSE(openText({directory.file("none")}, 3, {}).ok());
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
    ASSERT_TRUE(
        fillBatch(dataset, 3, step, batch, tokens.data(), targets.data()).ok());
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
    EXPECT_TRUE(
        fillBatch(dataset, seed, step, size, tokens.data(), targets.data())
            .ok());
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
