// Cutting a text into the pieces that a vocabulary of merges is applied to.
#ifndef ATTNRES_RUNTIME_DATA_TEXTSPLITTER_H
#define ATTNRES_RUNTIME_DATA_TEXTSPLITTER_H

#include "support/Status.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// Regular expressions one after the other: each cuts every piece so far into
/// its matches and what lies between them. Classes of characters are those of
/// Unicode as ICU knows it.
class TextSplitter {
public:
  /// `patterns` are written for Oniguruma or Rust, in what they and ICU have in
  /// common; \s is Unicode's white space in all of them.
  static Result<TextSplitter> create(const std::vector<std::string> &patterns);

  TextSplitter(TextSplitter &&) noexcept;
  ~TextSplitter();

  /// The pieces of a text in UTF-8, in order; together they are the text.
  Result<std::vector<std::string_view>> split(std::string_view text) const;

  /// A text in UTF-8 in Unicode's normalization form C.
  static Result<std::string> composed(std::string_view text);

private:
  struct Pattern;
  explicit TextSplitter(std::vector<std::unique_ptr<Pattern>> patterns);

  std::vector<std::unique_ptr<Pattern>> patterns;
};

} // namespace attnres::runtime
#endif
