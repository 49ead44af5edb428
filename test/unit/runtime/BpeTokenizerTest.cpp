// Tokenizers of Hugging Face against what their library makes of the same
// texts; see test/interop/make_tokenizers.py.
#include "runtime/data/BpeTokenizer.h"
#include "support/File.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace attnres;
using namespace attnres::runtime;
using nlohmann::json;

namespace {

const std::string folder =
    std::string(ATTNRES_GOLDEN_DIR) + "/../interop/tokenizers/";

json readJson(const std::string &path) { return json::parse(readBytes(path)); }

class BpeTokenizers : public testing::TestWithParam<const char *> {
protected:
  std::unique_ptr<Tokenizer> open() {
    auto tokenizer = Tokenizer::openFolder(folder + GetParam());
    EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().message();
    return tokenizer.ok() ? *std::move(tokenizer) : nullptr;
  }
  bool normalizes() const { return GetParam() == std::string("qwen"); }
  json cases = readJson(folder + GetParam() + "/cases.json");
};

TEST_P(BpeTokenizers, DX3EncodeAsTheLibraryDoes) {
  auto tokenizer = open();
  ASSERT_TRUE(tokenizer);
  ASSERT_GT(cases.size(), 80u);
  for (const json &one : cases) {
    auto text = one[0].get<std::string>();
    auto tokens = tokenizer->encode(text);
    ASSERT_TRUE(tokens.ok()) << tokens.status().message();
    EXPECT_EQ(*tokens, one[1].get<std::vector<int64_t>>()) << one.dump();
    if (!normalizes())
      EXPECT_EQ(tokenizer->decode(*tokens), text);
    // No byte depends on later tokens.
    std::string pieces;
    for (int64_t token : *tokens)
      pieces += tokenizer->decode({token});
    EXPECT_EQ(pieces, tokenizer->decode(*tokens));
  }
}

TEST_P(BpeTokenizers, LongTextsByParts) {
  auto tokenizer = open();
  std::string text;
  for (const json &one : cases)
    text += one[0].get<std::string>() + "\nA line.\nAnother line\n";
  auto whole = tokenizer->encode(text);
  ASSERT_TRUE(whole.ok());
  std::vector<int64_t> parts;
  for (std::string_view rest = text; !rest.empty();) {
    constexpr size_t most = 400;
    size_t length = tokenizer->chunkLength(rest.substr(0, most + 1), most);
    ASSERT_GT(length, 0u);
    ASSERT_LE(length, most);
    auto tokens = tokenizer->encode(rest.substr(0, length));
    ASSERT_TRUE(tokens.ok()) << tokens.status().message();
    parts.insert(parts.end(), tokens->begin(), tokens->end());
    rest.remove_prefix(length);
  }
  EXPECT_EQ(parts, *whole);
}

TEST_P(BpeTokenizers, KnowTheirEndAndWhoTheyAre) {
  auto tokenizer = open();
  auto end = tokenizer->endToken();
  ASSERT_TRUE(end);
  std::string name = tokenizer->decode({*end});
  EXPECT_EQ(name, GetParam() == std::string("llama3") ? "<|end_of_text|>"
                                                      : "<|endoftext|>");
  EXPECT_EQ(*tokenizer->encode(name), std::vector<int64_t>{*end});
  for (const char *other : {"gpt2", "llama3", "qwen", "digits"})
    EXPECT_EQ((*Tokenizer::openFolder(folder + other))->fingerprint() ==
                  tokenizer->fingerprint(),
              other == std::string(GetParam()));
  // A checkpoint keeps what makes it the same.
  auto files = Tokenizer::readFolder(folder + GetParam());
  ASSERT_TRUE(files.ok());
  TemporaryDirectory copy;
  for (const auto &[file, text] : *files)
    copy.write(file, text);
  auto again = Tokenizer::openFolder(copy.path.string());
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ((*again)->fingerprint(), tokenizer->fingerprint());
  EXPECT_FALSE(tokenizer->encode("ab\xff").ok());
}

INSTANTIATE_TEST_SUITE_P(Kinds, BpeTokenizers,
                         testing::Values("gpt2", "llama3", "qwen", "digits"));

TEST(BpeTokenizer, WhatIsNotThereIsRefusedByName) {
  const json good = readJson(folder + "llama3/tokenizer.json");
  auto errorOf = [&](const std::string &pointer, const json &value,
                     const json &config = {}) {
    json file = good;
    file[json::json_pointer(pointer)] = value;
    auto made = BpeTokenizer::create(file, config, "t");
    EXPECT_FALSE(made.ok()) << pointer;
    return std::string(made.status().message());
  };
  ASSERT_TRUE(BpeTokenizer::create(good, {}, "t").ok());
  EXPECT_EQ(errorOf("/normalizer", {{"type", "Lowercase"}}),
            "t: normalizer 'Lowercase', expected none or 'NFC'");
  EXPECT_EQ(errorOf("/pre_tokenizer", {{"type", "Metaspace"}}),
            "t: pre_tokenizer 'Metaspace', expected 'ByteLevel', after any "
            "'Split' and 'Digits'; text goes by the tokenizer.model of "
            "SentencePiece that the model was made with");
  EXPECT_EQ(errorOf("/pre_tokenizer/pretokenizers/1/add_prefix_space", true),
            "t: pre_tokenizer 'ByteLevel' with add_prefix_space");
  EXPECT_EQ(errorOf("/pre_tokenizer/pretokenizers/0/behavior", "Removed"),
            "t: pre_tokenizer 'Split' whose behavior is \"Removed\", expected "
            "'Isolated', not inverted, with a pattern");
  EXPECT_EQ(errorOf("/pre_tokenizer/pretokenizers/0/pattern/Regex", "(a"),
            "t: pattern '(a': U_REGEX_MISMATCHED_PAREN");
  EXPECT_EQ(errorOf("/decoder", nullptr),
            "t: decoder '', expected 'ByteLevel'");
  EXPECT_EQ(errorOf("/model/type", "Unigram"),
            "t: model 'Unigram', expected 'BPE'");
  EXPECT_EQ(errorOf("/model/byte_fallback", true),
            "t: model with byte_fallback");
  EXPECT_EQ(errorOf("/model/end_of_word_suffix", "</w>"),
            "t: model with end_of_word_suffix \"</w>\"");
  EXPECT_EQ(errorOf("/model/merges/0", "a"),
            "t: merge 1: \"a\" is no pair of tokens that make a token");
  EXPECT_EQ(
      errorOf("/model/merges/1", json::array({"a", "zq"})),
      "t: merge 2: [\"a\",\"zq\"] is no pair of tokens that make a token");
  EXPECT_EQ(errorOf("/model/vocab/a", -1),
            "t: token 'a': expected a number below 16777216, got -1");
  EXPECT_EQ(errorOf("/model/vocab/a", 40u).substr(0, 20),
            "t: token 40 is both ");
  EXPECT_EQ(errorOf("/added_tokens/0/lstrip", true),
            "t: added token '<|begin_of_text|>' with lstrip");
  EXPECT_EQ(errorOf("/version", "1.0", {{"eos_token", "<end>"}}),
            "t: no added token '<end>', which tokenizer_config.json calls "
            "eos_token");
  // A byte without a token.
  json file = good;
  file["model"]["vocab"].erase("\u0100");
  auto made = BpeTokenizer::create(file, {}, "t");
  ASSERT_TRUE(made.ok()) << made.status().message();
  auto tokens = (*made)->encode(std::string_view("a \0", 3));
  ASSERT_FALSE(tokens.ok());
  EXPECT_EQ(tokens.status().message(), "no token stands for the byte 0");
}

} // namespace
