// Tokenizers: round trips, foreign characters, and which one a folder asks for.
#include "runtime/data/Tokenizer.h"
#include "runtime/data/Multiplication.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

using namespace attnres;
using namespace attnres::runtime;

namespace {

TEST(ByteTokenizer, EveryByteIsItsToken) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte)
    text += static_cast<char>(byte);
  ByteTokenizer tokenizer;
  auto tokens = tokenizer.encode(text);
  ASSERT_TRUE(tokens.ok());
  ASSERT_EQ(tokens->size(), 256u);
  for (int64_t byte = 0; byte < 256; ++byte)
    EXPECT_EQ((*tokens)[byte], byte);
  EXPECT_EQ(tokenizer.decode(*tokens), text);
  EXPECT_FALSE(tokenizer.endToken());
}

TEST(MultiplicationTokenizer, RoundTrip) {
  MultiplicationTokenizer tokenizer;
  std::string text = "12*34=S02*04=0008A+Z";
  auto tokens = tokenizer.encode(text);
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ(tokens->size(), text.size());
  EXPECT_EQ(tokenizer.decode(*tokens), text);
  EXPECT_EQ(tokenizer.endToken(), multiplication::eos);
  EXPECT_EQ(tokenizer.decode({multiplication::eos}), "<eos>");
}

TEST(MultiplicationTokenizer, ForeignCharacter) {
  auto tokens = MultiplicationTokenizer().encode("12x34=");
  ASSERT_FALSE(tokens.ok());
  EXPECT_EQ(tokens.status().message(),
            "character 3 is 'x', expected one of 0123456789*+=SAZ");
}

TEST(Tokenizer, DecodingIsIncremental) {
  ByteTokenizer bytes;
  MultiplicationTokenizer multiplication;
  for (const Tokenizer *tokenizer :
       std::initializer_list<const Tokenizer *>{&bytes, &multiplication}) {
    std::vector<int64_t> all;
    std::string text;
    for (int64_t token = 0; token < tokenizer->vocabularySize(); ++token) {
      all.push_back(token);
      std::string longer = tokenizer->decode(all);
      EXPECT_EQ(longer.substr(0, text.size()), text);
      text = longer;
    }
  }
}

TEST(Tokenizer, FolderWithoutFileGoesBySize) {
  TemporaryDirectory folder;
  auto bytes = Tokenizer::open(folder.path, 256);
  ASSERT_TRUE(bytes.ok()) << bytes.status().message();
  EXPECT_EQ((*bytes)->vocabularySize(), 256);
  auto digits = Tokenizer::open(folder.path, 20);
  ASSERT_TRUE(digits.ok()) << digits.status().message();
  EXPECT_EQ((*digits)->vocabularySize(), 20);
  auto other = Tokenizer::open(folder.path, 32);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.status().message(),
            folder.path.string() +
                ": no tokenizer.json, and a vocabulary of 32 tokens is neither "
                "that of bytes (256) nor that of multiplications (20)");
}

TEST(Tokenizer, FolderWithFile) {
  TemporaryDirectory folder;
  std::string path = folder.file("tokenizer.json");
  auto message = [&](std::string_view text, int64_t vocabularySize) {
    folder.write("tokenizer.json", text);
    auto opened = Tokenizer::open(folder.path, vocabularySize);
    return opened.ok() ? "" : opened.status().message();
  };
  EXPECT_EQ(message(R"({"kind": "bytes"})", 256), "");
  EXPECT_EQ(message(R"({"kind": "multiplication"})", 20), "");
  EXPECT_EQ(message(R"({"kind": "bytes"})", 320), "") << "filled up";
  EXPECT_EQ(message(R"({"kind": "bytes"})", 20),
            path + ": the tokenizer has 256 tokens, the model 20");
  EXPECT_EQ(message(R"({"kind": "words"})", 20),
            path + ": field 'kind': expected 'bytes', 'multiplication' or "
                   "'sentencepiece', got 'words'");
  EXPECT_EQ(message(R"({"kind": 1})", 20),
            path + ": field 'kind': expected a string");
  EXPECT_EQ(message("{}", 20), path + ": field 'kind': expected a string");
  EXPECT_EQ(message("[]", 20), path + ": expected an object");
  EXPECT_EQ(message(R"({"kind": "bytes", "size": 3})", 256),
            path + ": unknown field 'size'");
  EXPECT_NE(message("{", 20), "");
  folder.write("tokenizer.json", R"({"kind": "bytes"})");
  auto files = Tokenizer::readFolder(folder.path);
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(*files, (std::map<std::string, std::string>{
                        {"tokenizer.json", R"({"kind": "bytes"})"}}));
}

} // namespace
