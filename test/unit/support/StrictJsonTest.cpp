// Every way a JSON text can be refused, and that the reason names it.
#include "support/StrictJson.h"

#include <gtest/gtest.h>


using namespace attnres;

namespace {

std::string errorOf(std::string_view text, const JsonLimits &limits = {}) {
  auto result = parseStrictJson(text, "f.json", limits);
  return result.ok() ? "" : result.status().message();
}

TEST(StrictJson, ReadsAllKinds) {
  auto result = parseStrictJson(
      R"({"a": [1, -2, 0.5, true, null, "x"], "b": {"c": {}}})", "f.json");
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->dump(), R"({"a":[1,-2,0.5,true,null,"x"],"b":{"c":{}}})");
}

TEST(StrictJson, FI4DuplicateKeys) {
  EXPECT_EQ(errorOf(R"({"a": 1, "b": 2, "a": 1})"),
            "f.json: duplicate key 'a'");
  EXPECT_EQ(errorOf(R"({"o": {"k": 1, "\u006b": 2}})"),
            "f.json: duplicate key 'k'");
  EXPECT_EQ(errorOf(R"([{"a": 1}, {"a": 2}])"), "");
}

TEST(StrictJson, FI4DepthIsLimitedWithoutRecursion) {
  EXPECT_EQ(errorOf(std::string(1'000'000, '[')),
            "f.json: nesting deeper than 8 levels");
  EXPECT_EQ(errorOf("[[[[[[[[1]]]]]]]]"), "");
  EXPECT_EQ(errorOf("[[[[[[[[[1]]]]]]]]]"),
            "f.json: nesting deeper than 8 levels");
}

TEST(StrictJson, FI4SizesAreLimited) {
  JsonLimits limits;
  limits.maxBytes = 10;
  EXPECT_EQ(errorOf("[1,2,3,4,5]", limits),
            "f.json: 11 bytes of JSON, limit is 10");
  limits = {};
  limits.maxArray = 2;
  EXPECT_EQ(errorOf("[1,2,3]", limits),
            "f.json: array of more than 2 elements");
}

TEST(StrictJson, FI4NumbersOutOfRange) {
  EXPECT_NE(errorOf("[1e400]").find("number overflow"), std::string::npos)
      << errorOf("[1e400]");
}

TEST(StrictJson, SyntaxErrorsHaveAPlace) {
  std::string error = errorOf("{\"a\": 1,\n \"b\": }");
  EXPECT_EQ(error.substr(0, 26), "f.json: line 2, column 7: ") << error;
}

TEST(StrictJson, FI4BrokenTexts) {
  for (std::string_view text :
       {"", " ", "{", "[1,]", "{\"a\"}", "nul", "\"\xff\"", "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"", "\"\\ud800\"", "01", "1 2", "\"a\nb\"", "NaN",
        "[Infinity]", "{1:2}", "//x\n1"}) {
    std::string error = errorOf(text);
    EXPECT_NE(error, "") << text;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    for (char c : error)
      EXPECT_TRUE(c >= ' ' && c <= '~') << error;
  }
}

} // namespace
