// Regular expressions and normalization by ICU.
#include "runtime/data/TextSplitter.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/regex.h>
#include <unicode/utext.h>

namespace attnres::runtime {

struct TextSplitter::Pattern {
  std::unique_ptr<icu::RegexPattern> compiled;
};

TextSplitter::TextSplitter(std::vector<std::unique_ptr<Pattern>> patterns)
    : patterns(std::move(patterns)) {}
TextSplitter::TextSplitter(TextSplitter &&) noexcept = default;
TextSplitter::~TextSplitter() = default;

namespace {

/// \s and \S of ICU leave out the vertical tab and the next line.
std::string withUnicodeSpace(std::string_view pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] != '\\') {
      result += pattern[i];
      continue;
    }
    ++i;
    if (next == 's' || next == 'S')
      result += concat('\\', next == 's' ? 'p' : 'P', "{White_Space}");
    else
      result += concat('\\', next);
  }
  return result;
}

/// Adds matches and gaps of one piece.
Status splitPiece(const icu::RegexPattern &pattern, std::string_view piece,
                  std::vector<std::string_view> &pieces) {
  UErrorCode error = U_ZERO_ERROR;
  std::unique_ptr<icu::RegexMatcher> matcher(pattern.matcher(error));
  // Over UTF-8: positions are those of bytes.
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, piece.data(), static_cast<int64_t>(piece.size()),
                 &error);
  if (U_SUCCESS(error))
    matcher->reset(&text);
  size_t at = 0;
  while (U_SUCCESS(error) && matcher->find(error)) {
    auto begin = static_cast<size_t>(matcher->start64(error)),
         end = static_cast<size_t>(matcher->end64(error));
    if (U_FAILURE(error))
      break;
    if (begin > at)
      pieces.push_back(piece.substr(at, begin - at));
    if (end > begin)
      pieces.push_back(piece.substr(begin, end - begin));
    at = end;
  }
  utext_close(&text);
  if (U_FAILURE(error))
    return invalidData("the tokenizer's pattern cannot be applied: ",
                       u_errorName(error));
  if (at < piece.size())
    pieces.push_back(piece.substr(at));
  return {};
}

} // namespace

Result<TextSplitter>
TextSplitter::create(const std::vector<std::string> &patterns) {
  std::vector<std::unique_ptr<Pattern>> compiled;
  for (const std::string &pattern : patterns) {
    UErrorCode error = U_ZERO_ERROR;
    UParseError where;
    std::unique_ptr<icu::RegexPattern> one(icu::RegexPattern::compile(
        icu::UnicodeString::fromUTF8(withUnicodeSpace(pattern)), where, error));
    if (U_FAILURE(error))
      return invalidData("pattern ", inQuotes(pattern), ": ",
                         u_errorName(error));
    compiled.push_back(std::make_unique<Pattern>(Pattern{std::move(one)}));
  }
  return TextSplitter(std::move(compiled));
}

Result<std::vector<std::string_view>>
TextSplitter::split(std::string_view text) const {
  std::vector<std::string_view> pieces;
  if (!text.empty())
    pieces.push_back(text);
  for (const auto &pattern : patterns) {
    std::vector<std::string_view> finer;
    for (std::string_view piece : pieces)
      if (Status status = splitPiece(*pattern->compiled, piece, finer);
          !status.ok())
        return status;
    pieces = std::move(finer);
  }
  return pieces;
}

Result<std::string> TextSplitter::composed(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2 *form = icu::Normalizer2::getNFCInstance(error);
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  if (U_SUCCESS(error))
    form->normalizeUTF8(
        0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
        sink, nullptr, error);
  if (U_FAILURE(error))
    return invalidData("the text cannot be normalized: ", u_errorName(error));
  return result;
}

} // namespace attnres::runtime
