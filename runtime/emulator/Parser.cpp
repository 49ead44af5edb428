// PTX text to a Module: recursive descent over the tokens, one pass. Here are
// the directives of the module; what they declare is read by FunctionReader and
// DeclarationReader.

#include "runtime/emulator/Parser.h"

#include "runtime/emulator/FunctionReader.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

class Parser : private FunctionReader {
public:
  explicit Parser(std::vector<Token> tokens)
      : FunctionReader(std::move(tokens)) {}

  Status parse() {
    while (peek().kind != Token::End)
      if (Status status = topLevel(); !status)
        return status;
    if (module.versionMajor == 0)
      return Status::error("line 1: no .version directive");
    return {};
  }

  Module module;

private:
  Status topLevel() {
    if (takeIf(".version")) {
      // 8.7 is lexed as a floating number, 8 as an integer.
      std::string_view text = peek().text;
      if (peek().kind != Token::Float && peek().kind != Token::Integer)
        return fail(fmt::format("expected a version, found {}", found()));
      unsigned *part = &module.versionMajor;
      for (char c : text) {
        if (c == '.')
          part = &module.versionMinor;
        else if (c >= '0' && c <= '9' && *part < 1000)
          *part = *part * 10 + static_cast<unsigned>(c - '0');
      }
      uint32_t line = take().line;
      if (module.versionMajor < 6 || module.versionMajor > 9)
        return Status::error(fmt::format(
            "line {}: PTX version {}.{} is not supported, expected 6.0 to 9.x",
            line, module.versionMajor, module.versionMinor));
      return {};
    }
    if (takeIf(".target")) {
      do {
        std::string name;
        if (Status status = expectWord(name); !status)
          return status;
        if (module.target.empty())
          module.target = name;
      } while (takeIf(','));
      return {};
    }
    if (takeIf(".address_size")) {
      uint32_t line = peek().line;
      uint64_t size = 0;
      if (Status status = expectInteger(size); !status)
        return status;
      if (size != 64)
        return Status::error(fmt::format(
            "line {}: address size {} is not supported, expected 64", line,
            size));
      return {};
    }
    // `.file 1 "name", 123, 456` has no terminator: it ends where the line
    // does.
    if (takeIf(".file")) {
      while (!isAtLineStart() && peek().kind != Token::End)
        take();
      return {};
    }
    if (isWord(".section"))
      return skipBraces();
    if (isWord(".pragma") || isWord(".alias"))
      return skipToSemicolon();
    if (takeIf(';'))
      return {};
    return declaration();
  }

  Status declaration() {
    bool isExtern = false;
    while (isWord(".visible") || isWord(".extern") || isWord(".weak") ||
           isWord(".common")) {
      isExtern |= isWord(".extern");
      take();
    }
    bool isEntry = takeIf(".entry");
    if (isEntry || takeIf(".func")) {
      Function parsed;
      if (Status status = function(isEntry, parsed); !status)
        return status;
      return addFunction(std::move(parsed));
    }
    std::vector<Variable> variables;
    if (Status status = variableStatement(variables, isExtern); !status)
      return status;
    for (Variable &variable : variables)
      module.variables.push_back(std::move(variable));
    return {};
  }

  // A definition takes the place of its declaration.
  Status addFunction(Function parsed) {
    for (Function &other : module.functions) {
      if (other.name != parsed.name)
        continue;
      if (parsed.hasBody && other.hasBody)
        return fail(fmt::format("function '{}' is defined twice", parsed.name));
      if (parsed.hasBody)
        other = std::move(parsed);
      return {};
    }
    module.functions.push_back(std::move(parsed));
    return {};
  }
};

} // namespace

Result<Module> parseModule(std::string_view text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens)
    return tokens.status();
  Parser parser(std::move(*tokens));
  if (Status status = parser.parse(); !status)
    return status;
  return std::move(parser.module);
}

} // namespace attnres::emulator
