// PTX text to a Module: recursive descent over the tokens, one pass. Here are
// the directives of the module; what they declare is read by FunctionReader and
// DeclarationReader.

#include "runtime/emulator/Parser.h"

#include "runtime/emulator/FunctionReader.h"
#include "runtime/emulator/Targets.h"

#include <algorithm>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

class Parser : private FunctionReader {
public:
  explicit Parser(std::vector<Token> tokens)
      : FunctionReader(std::move(tokens)) {}

  Status parse() {
    if (Status status = head(); !status.ok())
      return status;
    while (peek().kind != Token::End)
      if (Status status = topLevel(); !status.ok())
        return status;
    return checkBodies();
  }

  Module module;

private:
  static Status failAt(uint32_t line, const std::string &what) {
    return invalidData(fmt::format("line {}: {}", line, what));
  }

  // .version, .target and .address_size, in this order.
  Status head() {
    if (!isWord(".version"))
      return failAt(1, "no .version directive");
    if (Status status = version(); !status.ok())
      return status;
    if (!isWord(".target"))
      return fail(
          fmt::format("expected .target after .version, found {}", found()));
    if (Status status = target(); !status.ok())
      return status;
    if (takeIf(".address_size")) {
      uint32_t line = peek().line;
      uint64_t size = 0;
      if (Status status = expectInteger(size); !status.ok())
        return status;
      if (size != 64)
        return failAt(line, fmt::format("address size {} is not supported, "
                                        "expected 64",
                                        size));
    }
    return {};
  }

  // 8.7 is lexed as a floating number.
  Status version() {
    take();
    Token token = take();
    std::string_view text = token.text;
    size_t dot = text.find('.');
    std::string_view minor =
        dot == text.npos ? std::string_view() : text.substr(dot + 1);
    while (minor.size() > 1 && minor.back() == '0')
      minor.remove_suffix(1);
    auto areDigits = [](std::string_view part) {
      return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    };
    if (token.kind != Token::Float || !areDigits(text.substr(0, dot)) ||
        !areDigits(minor))
      return failAt(
          token.line,
          fmt::format("expected a version such as 8.0, found '{}'", text));
    unsigned major = dot == 1 ? static_cast<unsigned>(text[0] - '0') : 0;
    module.version = 10 * major + static_cast<unsigned>(minor[0] - '0');
    if (major < 6 || major > 9 || minor.size() > 1)
      return failAt(token.line, fmt::format("PTX version {} is not supported, "
                                            "expected 6.0 to 9.x",
                                            text));
    if (!isPtxVersion(module.version))
      return failAt(token.line,
                    fmt::format("there is no PTX version {}", text));
    return {};
  }

  Status target() {
    take();
    do {
      uint32_t line = peek().line;
      std::string name;
      if (Status status = expectWord(name); !status.ok())
        return status;
      if (!module.target.empty() && isTargetOption(name))
        continue;
      Target read;
      if (Status status = readTarget(name, module.version, read); !status.ok())
        return failAt(line, status.message());
      // Of several, the first counts.
      if (!module.target.empty())
        continue;
      module.target = name;
      module.targetNumber = read.number;
      module.targetSuffix = read.suffix;
    } while (takeIf(','));
    return {};
  }

  Status topLevel() {
    if (isWord(".target"))
      return target();
    if (isWord(".version") || isWord(".address_size"))
      return fail(fmt::format("{} is not at the start of the module", found()));
    // `.file 1 "name", 123, 456` has no terminator: it ends where the line
    // does.
    if (takeIf(".file")) {
      while (!isAtLineStart() && peek().kind != Token::End)
        take();
      return {};
    }
    if (isWord(".section"))
      return skipBraces();
    if (isWord(".pragma"))
      return skipToSemicolon();
    if (takeIf(".alias"))
      return alias();
    return declaration();
  }

  // .alias name, function: the declared name stands for the function.
  Status alias() {
    uint32_t line = peek().line;
    std::string name;
    std::string aliasee;
    Status status = expectWord(name);
    if (status.ok())
      status = expect(',');
    if (status.ok())
      status = expectWord(aliasee);
    if (status.ok())
      status = expect(';');
    if (!status.ok())
      return status;
    auto declared = functionIndex.find(name);
    auto meant = functionIndex.find(aliasee);
    if (declared == functionIndex.end() || meant == functionIndex.end() ||
        !module.functions[meant->second].hasBody ||
        module.functions[declared->second].hasBody)
      return failAt(line, fmt::format("alias '{}' of '{}', expected a declared "
                                      "function and a defined one",
                                      name, aliasee));
    Function copy = module.functions[meant->second];
    copy.name = name;
    module.functions[declared->second] = std::move(copy);
    return {};
  }

  Status declaration() {
    std::string linkage;
    if (isWord(".visible") || isWord(".extern") || isWord(".weak") ||
        isWord(".common"))
      linkage = take().text;
    bool isExtern = linkage == ".extern";
    bool isEntry = takeIf(".entry");
    if (isEntry && isExtern)
      return fail("kernels are not .extern");
    if (isEntry || takeIf(".func")) {
      Function parsed;
      if (Status status = function(isEntry, isExtern, parsed); !status.ok())
        return status;
      return addFunction(std::move(parsed));
    }
    std::vector<Variable> variables;
    if (Status status = variableStatement(variables, isExtern); !status.ok())
      return status;
    for (Variable &variable : variables)
      if (Status status = addVariable(std::move(variable)); !status.ok())
        return status;
    return {};
  }

  // An extern declaration and a definition may come in either order.
  Status addVariable(Variable variable) {
    auto fails = [&](const char *why) {
      return failAt(variable.line, fmt::format("'{}' {}", variable.name, why));
    };
    if (variable.space == Space::Param)
      return fails("is a .param variable outside of a function");
    if (variable.space == Space::Local)
      return fails("is a .local variable outside of a function");
    if (functionIndex.count(variable.name))
      return fails("is declared as a function before");
    symbols.insert(variable.name);
    auto [known, isNew] =
        variableIndex.emplace(variable.name, module.variables.size());
    if (isNew) {
      module.variables.push_back(std::move(variable));
      return {};
    }
    Variable &other = module.variables[known->second];
    if (!other.isExtern && !variable.isExtern)
      return fails("is declared twice");
    bool sizesDiffer = !other.isUnsized && !variable.isUnsized &&
                       other.bytes != variable.bytes;
    if (other.space != variable.space || other.type != variable.type ||
        sizesDiffer)
      return fails("is declared differently before");
    if (other.isExtern)
      other = std::move(variable);
    return {};
  }

  static bool isSame(const Function &a, const std::vector<int> &inA,
                     const Function &b, const std::vector<int> &inB) {
    return std::equal(
        inA.begin(), inA.end(), inB.begin(), inB.end(), [&](int i, int j) {
          const Variable &one = a.variables[i];
          const Variable &other = b.variables[j];
          return one.type == other.type && one.bytes == other.bytes &&
                 one.align == other.align;
        });
  }

  // A definition takes the place of its declaration.
  Status addFunction(Function parsed) {
    auto fails = [&](const std::string &why) {
      return failAt(parsed.line,
                    fmt::format("function '{}' {}", parsed.name, why));
    };
    if (variableIndex.count(parsed.name))
      return fails("is declared as a variable before");
    // Variables of the module that only the function can name.
    for (const Variable &variable : parsed.variables)
      if (!variable.moduleName.empty()) {
        Variable moved = variable;
        moved.name = variable.moduleName;
        module.variables.push_back(std::move(moved));
      }
    auto [known, isNew] =
        functionIndex.emplace(parsed.name, module.functions.size());
    if (isNew) {
      module.functions.push_back(std::move(parsed));
      return {};
    }
    Function &other = module.functions[known->second];
    if (parsed.isEntry || other.isEntry || other.hasBody)
      return fails("is declared twice");
    if (!isSame(parsed, parsed.returns, other, other.returns) ||
        !isSame(parsed, parsed.parameters, other, other.parameters))
      return fails("is declared with other parameters or results before");
    if (parsed.hasBody)
      other = std::move(parsed);
    return {};
  }

  // Functions without a body must be those of another module.
  Status checkBodies() const {
    for (const Function &function : module.functions)
      if (!function.hasBody && !function.isExtern)
        return failAt(function.line,
                      fmt::format("function '{}' is declared but has no body",
                                  function.name));
    return {};
  }

  std::unordered_map<std::string, size_t> functionIndex;
  std::unordered_map<std::string, size_t> variableIndex;
};

} // namespace

Result<Module> parseModule(std::string_view text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens.ok())
    return tokens.status();
  Parser parser(std::move(*tokens));
  if (Status status = parser.parse(); !status.ok())
    return status;
  return std::move(parser.module);
}

} // namespace attnres::emulator
