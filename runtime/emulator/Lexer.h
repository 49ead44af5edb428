// PTX text to tokens. Comments, and preprocessor-like "#" lines that some tools
// leave behind, disappear here.

#ifndef ATTNRES_RUNTIME_EMULATOR_LEXER_H
#define ATTNRES_RUNTIME_EMULATOR_LEXER_H

#include "support/Status.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attnres::emulator {

struct Token {
  enum Kind : uint8_t {
    /// An identifier, register or opcode with all its dotted parts, or one
    /// directive: `%tid.x`, `ld.global.L2::128B.v4.f32`, `$L__BB0_2`, `.reg`.
    Word,
    Integer,
    /// A floating constant; `bits` holds the double's bits.
    Float,
    /// A `0f` constant; `bits` holds the float's bits.
    SingleBits,
    String,
    /// One punctuation character, in `punctuation`.
    Punctuation,
    End,
  };
  Kind kind = End;
  char punctuation = 0;
  /// An integer that ends in U, or is too large for 64 bits with a sign.
  bool isUnsigned = false;
  uint32_t line = 0;
  uint64_t bits = 0;
  std::string_view text;
};

/// Splits `text`; the tokens point into it. The last token is End.
Result<std::vector<Token>> tokenize(std::string_view text);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_LEXER_H
