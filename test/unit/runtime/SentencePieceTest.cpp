// SentencePiece models: exact round trips, determinism and damaged files; the
// token cache built on them.
#include "runtime/data/SentencePieceTokenizer.h"
#include "runtime/data/SentencePieceTraining.h"
#include "runtime/data/TokenDataset.h"
#include "runtime/data/Utf8.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <random>

using namespace attnres;
using namespace attnres::runtime;

namespace {

/// Lines of words from a small vocabulary.
std::string makeText(int lines, unsigned seed = 1) {
  const char *words[] = {"the",
                         "depth",
                         "of",
                         "a",
                         "model",
                         "mixes",
                         "earlier",
                         "outputs",
                         "attention",
                         "residual",
                         "source",
                         "weight",
                         "block",
                         "sum",
                         "token",
                         "gradient",
                         "\xc3\xa9t\xc3\xa9"};
  std::mt19937 random(seed);
  std::string text;
  for (int line = 0; line < lines; ++line) {
    for (unsigned word = 0, count = 3 + random() % 9; word < count; ++word) {
      text += word ? " " : "";
      text += words[random() % std::size(words)];
      if (random() % 4 == 0)
        text += std::to_string(random() % 1000);
    }
    text += ".\n";
  }
  return text;
}

class SentencePieceTest : public testing::Test {
protected:
  std::string train(SentencePieceTraining::Kind kind, int64_t size = 320) {
    SentencePieceTraining training;
    training.inputs = {directory.write("corpus.txt", makeText(400))};
    training.vocabularySize = size;
    training.kind = kind;
    auto model = training.run();
    EXPECT_TRUE(model.ok()) << model.status().message();
    return model.ok() ? *model : "";
  }

  std::unique_ptr<Tokenizer> tokenizer(
      SentencePieceTraining::Kind kind = SentencePieceTraining::Kind::Bpe) {
    std::string path = directory.write("tokenizer.model", train(kind));
    auto opened = SentencePieceTokenizer::open(path);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return *std::move(opened);
  }

  TemporaryDirectory directory;
};

TEST_F(SentencePieceTest, EveryTextComesBackByteByByte) {
  std::string every;
  for (int code = 0; code < 0x80; ++code)
    every += static_cast<char>(code);
  for (auto kind : {SentencePieceTraining::Kind::Bpe,
                    SentencePieceTraining::Kind::Unigram}) {
    auto tokens = tokenizer(kind);
    EXPECT_EQ(tokens->vocabularySize(), 320);
    ASSERT_TRUE(tokens->endToken().has_value());
    for (const std::string &text :
         {makeText(20, 7), every, std::string(), std::string(" "),
          std::string("  two  spaces \r\n\n\t end  "),
          std::string("\xe2\x96\x81 mark\xe2\x96\x81\xe2\x96\x81"),
          std::string("<unk></s><0x41>"),
          std::string("\xf0\x9f\x98\x80 \xe4\xb8\xad"),
          std::string("e\xcc\x81 \xef\xac\x81 \xef\xbc\xa1")}) {
      auto ids = tokens->encode(text);
      ASSERT_TRUE(ids.ok()) << ids.status().message();
      EXPECT_EQ(tokens->decode(*ids), text);
      for (int64_t id : *ids) {
        EXPECT_GE(id, 0);
        EXPECT_LT(id, tokens->vocabularySize());
        EXPECT_NE(id, *tokens->endToken());
      }
    }
  }
}

TEST_F(SentencePieceTest, PiecesAreLearned) {
  auto tokens = tokenizer();
  std::string text = makeText(50, 9);
  auto ids = tokens->encode(text);
  ASSERT_TRUE(ids.ok());
  EXPECT_LT(ids->size(), text.size() * 3 / 4);
}

TEST_F(SentencePieceTest, DecodingIsIncremental) {
  auto tokens = tokenizer();
  auto ids = tokens->encode("\xf0\x9f\x98\x80 the depth");
  ASSERT_TRUE(ids.ok());
  std::string text;
  for (size_t count = 0; count <= ids->size(); ++count) {
    std::string longer = tokens->decode(
        {ids->begin(), ids->begin() + static_cast<int64_t>(count)});
    EXPECT_EQ(longer.substr(0, text.size()), text);
    text = longer;
  }
  EXPECT_EQ(tokens->decode({*tokens->endToken()}), "");
}

TEST_F(SentencePieceTest, TrainingIsDeterministic) {
  for (auto kind :
       {SentencePieceTraining::Kind::Bpe, SentencePieceTraining::Kind::Unigram})
    EXPECT_EQ(train(kind), train(kind));
  EXPECT_NE(train(SentencePieceTraining::Kind::Bpe),
            train(SentencePieceTraining::Kind::Unigram));
}

TEST_F(SentencePieceTest, TrainingErrors) {
  using Kind = SentencePieceTraining::Kind;
  auto errorOf = [&](std::string_view text, int64_t size,
                     Kind kind = Kind::Bpe) {
    SentencePieceTraining training;
    training.inputs = {directory.write("text", text)};
    training.vocabularySize = size;
    training.kind = kind;
    auto model = training.run();
    return model.ok() ? "" : model.status().message();
  };
  std::string path = directory.file("text");
  EXPECT_EQ(errorOf("abc", 258),
            "a vocabulary of 258 tokens, expected 259 to 16777216");
  EXPECT_EQ(errorOf("", 300), path + ": the file is empty");
  EXPECT_EQ(errorOf("\n\n", 300), path + ": no text but empty lines");
  EXPECT_EQ(errorOf("abc\xff", 300), path + ": byte 4 is not UTF-8");
  std::string tooLarge = errorOf("abc abd", 5000);
  EXPECT_EQ(tooLarge, "a vocabulary of 5000 tokens is too large: the text "
                      "gives at most 271");
  EXPECT_EQ(errorOf("the five boxing wizards jump quickly", 259),
            "a vocabulary of 259 tokens is too small: bytes and the characters "
            "of the text need at least 285");
  EXPECT_EQ(errorOf("the five boxing wizards jump quickly", 285), "");
  // The library ends its process on this.
  EXPECT_EQ(
      errorOf("aaaaaaaaaaaaaaaaaaaaaaaa", 260, Kind::Unigram).substr(0, 39),
      "the text has too few different pieces f");
}

TEST_F(SentencePieceTest, BadInput) {
  auto tokens = tokenizer();
  EXPECT_EQ(tokens->encode("ab\xc3").status().message(), "byte 3 is not UTF-8");
  std::string path = directory.write("model", "not a model");
  EXPECT_EQ(SentencePieceTokenizer::open(path).status().message(),
            path + ": not a SentencePiece model");
  path = directory.write("model", "");
  EXPECT_EQ(SentencePieceTokenizer::open(path).status().message(),
            path + ": not a SentencePiece model");
  EXPECT_FALSE(SentencePieceTokenizer::open(directory.file("none")).ok());
}

TEST_F(SentencePieceTest, FolderWithModel) {
  directory.write("tokenizer.model", train(SentencePieceTraining::Kind::Bpe));
  std::string path = directory.file("tokenizer.json");
  auto message = [&](std::string_view text, int64_t size) {
    directory.write("tokenizer.json", text);
    auto opened = Tokenizer::open(directory.path, size);
    return opened.ok() ? "" : opened.status().message();
  };
  std::string good = R"({"kind": "sentencepiece", "file": "tokenizer.model"})";
  EXPECT_EQ(message(good, 320), "");
  EXPECT_EQ(message(good, 256),
            path + ": the tokenizer has 320 tokens, the model 256");
  auto files = Tokenizer::readFolder(directory.path);
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->size(), 2u);
  EXPECT_EQ(files->at("tokenizer.json"), good);
  EXPECT_EQ(files->at("tokenizer.model"),
            readBytes(directory.file("tokenizer.model")));
  EXPECT_EQ(message(R"({"kind": "sentencepiece"})", 320),
            path + ": field 'file': expected a string");
  EXPECT_EQ(message(R"({"kind": "sentencepiece", "file": "../x"})", 320),
            path + ": field 'file': expected the name of a file in the same "
                   "folder, got '../x'");
  EXPECT_EQ(message(R"({"kind": "bytes", "file": "x"})", 256),
            path + ": unknown field 'file'");
  EXPECT_NE(message(R"({"kind": "sentencepiece", "file": "none"})", 320), "");
}

TEST(Utf8, ValidPrefix) {
  EXPECT_EQ(validUtf8Prefix(""), 0u);
  EXPECT_EQ(validUtf8Prefix("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 10u);
  for (const char *bad :
       {"ab\x80", "ab\xc0\x80", "ab\xc3", "ab\xe0\x9f\xbf", "ab\xed\xa0\x80",
        "ab\xf0\x8f\xbf\xbf", "ab\xf4\x90\x80\x80", "ab\xf5\x80\x80\x80",
        "ab\xe2\x82", "ab\xff"})
    EXPECT_EQ(validUtf8Prefix(bad), 2u);
}

TEST(Utf8, Cut) {
  std::string text = "abc\xf0\x9f\x98\x80z";
  EXPECT_EQ(cutUtf8(text, 8), 8u);
  EXPECT_EQ(cutUtf8(text, 7), 7u);
  for (size_t limit : {4, 5, 6})
    EXPECT_EQ(cutUtf8(text, limit), 3u);
}

// --------------------------------------------------------------- the cache

/// One token per byte, above 65,535 if asked for, and an end token.
class CountingTokenizer final : public Tokenizer {
public:
  explicit CountingTokenizer(int64_t vocabulary = 1000, uint64_t mark = 1)
      : vocabulary(vocabulary), mark(mark) {}

  int64_t vocabularySize() const override { return vocabulary; }
  std::optional<int64_t> endToken() const override { return vocabulary - 1; }
  Result<std::vector<int64_t>> encode(std::string_view text) const override {
    ++calls;
    std::vector<int64_t> tokens;
    for (char c : text) {
      if (c == '!')
        return invalidArgument("byte ", tokens.size() + 1, " is wrong");
      tokens.push_back(vocabulary - 300 + static_cast<unsigned char>(c));
    }
    return tokens;
  }
  std::string decode(const std::vector<int64_t> &) const override { return ""; }
  uint64_t fingerprint() const override { return mark; }

  mutable int calls = 0;

private:
  int64_t vocabulary;
  uint64_t mark;
};

Result<std::unique_ptr<TokenDataset>>
openTokens(const std::vector<std::string> &paths, const Tokenizer &tokenizer,
           const std::string &cache, int64_t length, Part part) {
  Result<DataFiles> files = openDataFiles(paths);
  if (!files.ok())
    return files.status();
  return TokenDataset::open(*files, tokenizer, cache, length, part);
}

std::vector<int64_t> stream(const TokenDataset &dataset) {
  std::vector<int64_t> all, tokens(dataset.length()), targets(dataset.length());
  for (int64_t k = 0; k < dataset.size(); ++k) {
    EXPECT_TRUE(dataset.sample(k, tokens.data(), targets.data()).ok());
    if (k == 0)
      all.push_back(tokens[0]);
    EXPECT_EQ(all.back(), tokens[0]);
    all.insert(all.end(), targets.begin(), targets.end());
  }
  return all;
}

TEST(TokenDataset, TokensOfAllFilesWithEnds) {
  TemporaryDirectory directory;
  std::vector<std::string> paths = {directory.write("a", "abcd"),
                                    directory.write("b", "xy")};
  for (int64_t vocabulary : {1000, 65536, 65537, 100000}) {
    CountingTokenizer tokenizer(vocabulary, static_cast<uint64_t>(vocabulary));
    auto dataset = openTokens(paths, tokenizer, directory.file("cache"), 1, {});
    ASSERT_TRUE(dataset.ok()) << dataset.status().message();
    int64_t base = vocabulary - 300, end = vocabulary - 1;
    EXPECT_EQ(
        stream(**dataset),
        (std::vector<int64_t>{base + 'a', base + 'b', base + 'c', base + 'd',
                              end, base + 'x', base + 'y', end}));
    EXPECT_EQ((*dataset)->numTokens(), 8);
    EXPECT_EQ((*dataset)->vocabularySize(), vocabulary);
    // Two or four bytes each, the ends of both files, and the footer.
    EXPECT_EQ(std::filesystem::file_size(directory.file("cache")),
              8u * (vocabulary <= 65536 ? 2 : 4) + 16 + 32);
    // A file alone.
    auto second = (*dataset)->select(1, 1, 1, {});
    ASSERT_TRUE(second.ok()) << second.status().message();
    EXPECT_EQ(stream(**second),
              (std::vector<int64_t>{base + 'x', base + 'y', end}));
  }
}

TEST(TokenDataset, EncodesOnce) {
  TemporaryDirectory directory;
  std::string path = directory.write("text", "some text"), other;
  std::string cache = directory.file("cache");
  CountingTokenizer tokenizer;
  auto callsOf = [&](const CountingTokenizer &by,
                     const std::vector<std::string> &paths) {
    int before = by.calls;
    auto dataset = openTokens(paths, by, cache, 2, {});
    EXPECT_TRUE(dataset.ok()) << dataset.status().message();
    return by.calls - before;
  };
  EXPECT_EQ(callsOf(tokenizer, {path}), 1);
  EXPECT_EQ(callsOf(tokenizer, {path}), 0);
  // Another tokenizer, another list, another text.
  EXPECT_EQ(callsOf(CountingTokenizer(1000, 2), {path}), 1);
  EXPECT_EQ(callsOf(tokenizer, {path, path}), 2);
  EXPECT_EQ(callsOf(tokenizer, {path}), 1);
  directory.write("text", "some longer text");
  EXPECT_EQ(callsOf(tokenizer, {path}), 1);
  EXPECT_EQ(callsOf(tokenizer, {path}), 0);
  // The content counts, not the name, nor the time.
  other = directory.write("other", "some longer text");
  EXPECT_EQ(callsOf(tokenizer, {other}), 0);
  directory.write("other", "some longer tent");
  EXPECT_EQ(callsOf(tokenizer, {other}), 1);
  EXPECT_EQ(directory.numFiles(), 3u) << "no leftovers";
}

TEST(TokenDataset, DamagedCachesAreWrittenAnew) {
  TemporaryDirectory directory;
  std::string path = directory.write("text", "some text");
  std::string cache = directory.file("cache");
  CountingTokenizer tokenizer;
  auto open = [&] { return openTokens({path}, tokenizer, cache, 2, {}); };
  ASSERT_TRUE(open().ok());
  std::string good = readBytes(cache);
  auto expectRepair = [&](const std::string &bad) {
    directory.write("cache", bad);
    auto dataset = open();
    ASSERT_TRUE(dataset.ok()) << dataset.status().message();
    EXPECT_EQ(readBytes(cache), good);
  };
  expectRepair("");
  expectRepair(good.substr(1));
  expectRepair(good.substr(0, good.size() - 1));
  expectRepair(std::string(8, '\0') + good);
  std::string unknown = good;
  unknown[1] = '\x7f'; // a token above the vocabulary
  expectRepair(unknown);
  // The footer's four numbers.
  for (size_t field = 0; field < 4; ++field)
    for (char value : {'\xff', '\x01'}) {
      std::string bad = good;
      bad[good.size() - 32 + 8 * field + 7] = value;
      expectRepair(bad);
    }
}

TEST(TokenDataset, LongTextsAreCutAtLines) {
  TemporaryDirectory directory;
  std::string text;
  for (int line = 0; line < 40000; ++line)
    text += "line " + std::to_string(line) + '\n';
  text += std::string(200000, 'x'); // no line end for long
  CountingTokenizer tokenizer;
  auto dataset = openTokens({directory.write("text", text)}, tokenizer,
                            directory.file("cache"), 1000, {});
  ASSERT_TRUE(dataset.ok()) << dataset.status().message();
  EXPECT_GT(tokenizer.calls, 5);
  EXPECT_EQ((*dataset)->numTokens(), static_cast<int64_t>(text.size()) + 1);
  std::vector<int64_t> all = stream(**dataset);
  for (size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(all[i], 700 + text[i]) << i;
}

TEST(TokenDataset, Parts) {
  TemporaryDirectory directory;
  std::string path = directory.write("text", std::string(100, 'a'));
  CountingTokenizer tokenizer;
  auto open = [&](Part part) {
    return openTokens({path}, tokenizer, directory.file("cache"), 10, part);
  };
  EXPECT_EQ((*open({0, 0.9}))->size(), 9);
  EXPECT_EQ((*open({0.9, 1}))->size(), 1);
  // Another part of the same tokens, 101 with the end token.
  auto opened = open({0, 0.9});
  Part whole;
  whole.whole = true;
  auto all = (*opened)->select(7, whole);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ((*all)->size(), 15);
  EXPECT_EQ(stream(**all).size(), 106u);
}

TEST(TokenDataset, Errors) {
  TemporaryDirectory directory;
  std::string cache = directory.file("cache");
  CountingTokenizer tokenizer;
  auto errorOf = [&](const std::string &path, int64_t length) {
    auto dataset = openTokens({path}, tokenizer, cache, length, {});
    return dataset.ok() ? "" : dataset.status().message();
  };
  std::string path = directory.write("text", "");
  EXPECT_EQ(errorOf(path, 1), path + ": the file is empty");
  path = directory.write("text", "abc!");
  EXPECT_EQ(errorOf(path, 1), path + ": from byte 1 on, byte 4 is wrong");
  path = directory.write("text", "abc");
  EXPECT_EQ(errorOf(path, 4), path + ": 4 tokens, no window of 4 and a target "
                                     "in the part from 0 to 1");
  EXPECT_EQ(errorOf(path, 0), path + ": windows of 0 tokens");
  std::string none = directory.file("none");
  EXPECT_EQ(errorOf(none, 1),
            none + ": cannot open: No such file or directory");
  EXPECT_FALSE(
      openTokens({path}, tokenizer, directory.file("no/folder"), 1, {}).ok());
}

} // namespace
