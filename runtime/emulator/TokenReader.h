// A place in a list of tokens: looking ahead, taking what is expected, and
// errors with the line where something else was found.

#ifndef ATTNRES_RUNTIME_EMULATOR_TOKENREADER_H
#define ATTNRES_RUNTIME_EMULATOR_TOKENREADER_H

#include "runtime/emulator/Lexer.h"
#include "support/Status.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::emulator {

class TokenReader {
public:
  /// The last token must be Token::End; it is never passed.
  explicit TokenReader(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (at + 1 < tokens.size())
      ++at;
    return token;
  }
  bool isPunctuation(char c, size_t ahead = 0) const {
    return peek(ahead).kind == Token::Punctuation &&
           peek(ahead).punctuation == c;
  }
  bool takeIf(char c) {
    if (!isPunctuation(c))
      return false;
    take();
    return true;
  }
  bool isWord(std::string_view word) const {
    return peek().kind == Token::Word && peek().text == word;
  }
  bool takeIf(std::string_view word) {
    if (!isWord(word))
      return false;
    take();
    return true;
  }

  Status fail(const std::string &what) const {
    return invalidData(fmt::format("line {}: {}", peek().line, what));
  }
  std::string found() const {
    if (peek().kind == Token::End)
      return "the end of the text";
    return fmt::format("'{}'", peek().text.substr(0, 60));
  }
  Status expect(char c) {
    if (takeIf(c))
      return {};
    return fail(fmt::format("expected '{}', found {}", c, found()));
  }
  Status expectInteger(uint64_t &value) {
    if (peek().kind != Token::Integer)
      return fail(fmt::format("expected an integer, found {}", found()));
    value = take().bits;
    return {};
  }
  Status expectWord(std::string &word) {
    if (peek().kind != Token::Word)
      return fail(fmt::format("expected a name, found {}", found()));
    word = std::string(take().text);
    return {};
  }
  /// Up to it and past it.
  Status skipToSemicolon() {
    while (!isPunctuation(';')) {
      if (peek().kind == Token::End)
        return fail("expected ';', found the end of the text");
      take();
    }
    take();
    return {};
  }
  /// Past the next pair and what it holds.
  Status skipBraces() {
    while (!isPunctuation('{')) {
      if (peek().kind == Token::End)
        return fail("expected '{', found the end of the text");
      take();
    }
    unsigned depth = 0;
    do {
      if (isPunctuation('{'))
        ++depth;
      else if (isPunctuation('}'))
        --depth;
      else if (peek().kind == Token::End)
        return fail("expected '}', found the end of the text");
      take();
    } while (depth > 0);
    return {};
  }
  Status skipParentheses() {
    if (Status status = expect('('); !status.ok())
      return status;
    while (!takeIf(')')) {
      if (peek().kind == Token::End)
        return fail("expected ')', found the end of the text");
      take();
    }
    return {};
  }
  bool isAtLineStart() const {
    return at == 0 || peek().line != tokens[at - 1].line;
  }

private:
  std::vector<Token> tokens;
  size_t at = 0;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_TOKENREADER_H
