// PTX text to tokens.

#include "runtime/emulator/Lexer.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isWordStart(char c) {
  return isLetter(c) || c == '_' || c == '$' || c == '%' || c == '.';
}
bool isWordPart(char c) {
  return isLetter(c) || isDigit(c) || c == '_' || c == '$' || c == '.';
}

int hexValue(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  Status scan(std::vector<Token> &tokens) {
    while (true) {
      if (Status status = skipBlank(); !status.ok())
        return status;
      Token token;
      token.line = line;
      if (at >= text.size()) {
        tokens.push_back(token);
        return {};
      }
      if (Status status = next(token); !status.ok())
        return status;
      tokens.push_back(token);
    }
  }

private:
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }

  Status fail(const std::string &what) const {
    return invalidData(fmt::format("line {}: {}", line, what));
  }

  Status skipBlank() {
    bool lineStart = at == 0;
    while (at < text.size()) {
      char c = text[at];
      if (c == '\n') {
        ++line;
        ++at;
        lineStart = true;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at;
      } else if (c == '/' && peek(1) == '/') {
        while (at < text.size() && text[at] != '\n')
          ++at;
      } else if (c == '/' && peek(1) == '*') {
        at += 2;
        while (at < text.size() && !(text[at] == '*' && peek(1) == '/')) {
          line += text[at] == '\n';
          ++at;
        }
        if (at >= text.size())
          return fail("comment is not closed");
        at += 2;
      } else if (c == '#' && lineStart) {
        while (at < text.size() && text[at] != '\n')
          ++at;
      } else {
        break;
      }
    }
    return {};
  }

  Status next(Token &token) {
    char c = peek();
    size_t start = at;
    if (isDigit(c) || (c == '.' && isDigit(peek(1))))
      return number(token);
    if (isWordStart(c)) {
      ++at;
      while (at < text.size()) {
        // Directives and types may stand without a blank: `.reg.b32%r`.
        if (isWordPart(text[at]) && !(c == '.' && text[at] == '.')) {
          ++at;
        } else if (text[at] == ':' && peek(1) == ':' &&
                   (isLetter(peek(2)) || isDigit(peek(2)))) {
          at += 2;
        } else {
          break;
        }
      }
      token.kind = Token::Word;
      token.text = text.substr(start, at - start);
      return {};
    }
    if (c == '"') {
      ++at;
      while (at < text.size() && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
      if (at >= text.size() || text[at] != '"')
        return fail("string is not closed");
      token.kind = Token::String;
      token.text = text.substr(start + 1, at - start - 1);
      ++at;
      return {};
    }
    if (std::strchr("{}()[]<>,;:=+-!@|~*/&^?", c) && c != '\0') {
      ++at;
      token.kind = Token::Punctuation;
      token.punctuation = c;
      token.text = text.substr(start, 1);
      return {};
    }
    return fail(fmt::format("unexpected character 0x{:02x}",
                            static_cast<unsigned char>(c)));
  }

  // 0f3F800000 and 0d3FF0000000000000.
  Status bitPattern(Token &token, unsigned digits) {
    at += 2;
    for (unsigned i = 0; i < digits; ++i, ++at) {
      int value = hexValue(peek());
      if (value < 0)
        return fail(fmt::format(
            "floating constant needs {} hexadecimal digits, found {}", digits,
            i));
      token.bits = token.bits << 4 | static_cast<unsigned>(value);
    }
    token.kind = digits == 8 ? Token::SingleBits : Token::Float;
    return {};
  }

  Status number(Token &token) {
    size_t start = at;
    char second = peek(1);
    if (peek() == '0' && (second == 'f' || second == 'F')) {
      if (Status status = bitPattern(token, 8); !status.ok())
        return status;
    } else if (peek() == '0' && (second == 'd' || second == 'D')) {
      if (Status status = bitPattern(token, 16); !status.ok())
        return status;
    } else if (isDecimalFloat()) {
      // strtod needs a terminated string; such constants are short.
      size_t end = at;
      while (end < text.size() &&
             (isDigit(text[end]) || text[end] == '.' || text[end] == 'e' ||
              text[end] == 'E' ||
              ((text[end] == '-' || text[end] == '+') &&
               (text[end - 1] == 'e' || text[end - 1] == 'E'))))
        ++end;
      std::string copy(text.substr(at, end - at));
      char *stop = nullptr;
      double value = std::strtod(copy.c_str(), &stop);
      if (*stop != '\0')
        return fail(fmt::format("malformed number '{}'", copy));
      std::memcpy(&token.bits, &value, sizeof value);
      token.kind = Token::Float;
      at = end;
    } else if (Status status = integer(token); !status.ok()) {
      return status;
    }
    if (isWordPart(peek()) && peek() != '.')
      return fail(fmt::format("malformed number '{}{}'",
                              text.substr(start, at - start), peek()));
    token.text = text.substr(start, at - start);
    return {};
  }

  bool isDecimalFloat() const {
    size_t end = at;
    if (text[end] == '0' && end + 1 < text.size() && isLetter(text[end + 1]) &&
        text[end + 1] != 'e' && text[end + 1] != 'E')
      return false;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    return end < text.size() &&
           (text[end] == '.' || text[end] == 'e' || text[end] == 'E');
  }

  Status integer(Token &token) {
    unsigned base = 10;
    if (peek() == '0') {
      char second = peek(1);
      if (second == 'x' || second == 'X') {
        base = 16;
        at += 2;
      } else if (second == 'b' || second == 'B') {
        base = 2;
        at += 2;
      } else if (isDigit(second)) {
        base = 8;
        at += 1;
      }
    }
    size_t digits = 0;
    uint64_t value = 0;
    for (; hexValue(peek()) >= 0; ++at, ++digits) {
      unsigned digit = static_cast<unsigned>(hexValue(peek()));
      if (digit >= base)
        return fail(
            fmt::format("digit '{}' in a base {} number", peek(), base));
      uint64_t scaled = 0;
      if (__builtin_mul_overflow(value, uint64_t(base), &scaled) ||
          __builtin_add_overflow(scaled, uint64_t(digit), &value))
        return fail("integer constant needs more than 64 bits");
    }
    if (digits == 0)
      return fail("number without digits");
    token.isUnsigned = peek() == 'U' || value >> 63;
    if (peek() == 'U')
      ++at;
    token.kind = Token::Integer;
    token.bits = value;
    return {};
  }

  std::string_view text;
  size_t at = 0;
  uint32_t line = 1;
};

} // namespace

Result<std::vector<Token>> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4 + 1);
  if (Status status = Scanner(text).scan(tokens); !status.ok())
    return status;
  return tokens;
}

} // namespace attnres::emulator
