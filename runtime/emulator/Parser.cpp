// PTX text to a Module: recursive descent over the tokens, one pass. Registers
// and local variables are resolved through the enclosing scopes as they are
// met; labels and module-level names are left to the decoder.

#include "runtime/emulator/Parser.h"

#include "runtime/emulator/SpecialRegisters.h"
#include "runtime/emulator/TokenReader.h"

#include <cstring>
#include <fmt/format.h>
#include <unordered_map>

namespace attnres::emulator {
namespace {

// Limits against texts that would exhaust memory.
constexpr uint64_t maxVariableBytes = uint64_t(1) << 28;
constexpr uint64_t maxRegisters = 1 << 20;
constexpr unsigned maxNesting = 64;

class Parser : private TokenReader {
public:
  explicit Parser(std::vector<Token> tokens) : TokenReader(std::move(tokens)) {}

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
  struct Scope {
    int id = 0;
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, int> variables;
  };

  // Module level.

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

  Status skipToSemicolon() {
    while (!isPunctuation(';')) {
      if (peek().kind == Token::End)
        return fail("expected ';', found the end of the text");
      take();
    }
    take();
    return {};
  }

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

  Status declaration() {
    bool isExtern = false;
    while (isWord(".visible") || isWord(".extern") || isWord(".weak") ||
           isWord(".common")) {
      isExtern |= isWord(".extern");
      take();
    }
    if (takeIf(".entry"))
      return function(true);
    if (takeIf(".func"))
      return function(false);
    std::vector<Variable> variables;
    if (Status status = variableStatement(variables, isExtern); !status)
      return status;
    for (Variable &variable : variables)
      module.variables.push_back(std::move(variable));
    return {};
  }

  static Space spaceOf(std::string_view word) {
    if (word == ".global")
      return Space::Global;
    if (word == ".shared")
      return Space::Shared;
    if (word == ".local")
      return Space::Local;
    if (word == ".const")
      return Space::Const;
    if (word == ".param")
      return Space::Param;
    return Space::None;
  }

  // `.global .align 4 .b8 name[16] = {...};`
  Status variableStatement(std::vector<Variable> &variables, bool isExtern) {
    do {
      Variable variable;
      if (!variables.empty()) {
        variable.space = variables[0].space;
        variable.type = variables[0].type;
        variable.align = variables[0].align;
        vectorWidth = lastVectorWidth;
      }
      variable.isExtern = isExtern;
      if (Status status = variableDeclarator(variable, variables.empty());
          !status)
        return status;
      variables.push_back(std::move(variable));
    } while (takeIf(','));
    return expect(';');
  }

  Status variableDeclarator(Variable &variable, bool withType) {
    variable.line = peek().line;
    if (withType) {
      vectorWidth = 1;
      variable.space =
          peek().kind == Token::Word ? spaceOf(peek().text) : Space::None;
      if (variable.space == Space::None)
        return fail(fmt::format("expected a declaration, found {}", found()));
      take();
      if (Status status = typeSpecifier(variable); !status)
        return status;
      lastVectorWidth = vectorWidth;
    }
    if (Status status = expectWord(variable.name); !status)
      return status;
    variable.bytes = uint64_t(typeBytes(variable.type)) * vectorWidth;
    if (Status status = arraySuffix(variable); !status)
      return status;
    if (takeIf('='))
      return initializer(variable);
    return {};
  }

  // `.align 16 .v4 .f32`, with the attributes of pointers ignored.
  Status typeSpecifier(Variable &variable) {
    bool aligned = false;
    while (peek().kind == Token::Word && peek().text[0] == '.') {
      std::string_view word = peek().text;
      if (word == ".align") {
        take();
        uint64_t align = 0;
        if (Status status = expectInteger(align); !status)
          return status;
        if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
          return fail(fmt::format("alignment {} is not a power of two up to "
                                  "4096",
                                  align));
        // After the type, `.ptr .align` describes what a pointer points to.
        if (variable.type == Type::None) {
          variable.align = align;
          aligned = true;
        }
      } else if (word == ".v2" || word == ".v4" || word == ".v8") {
        take();
        vectorWidth = static_cast<unsigned>(word[2] - '0');
      } else if (word == ".ptr" || word == ".global" || word == ".shared" ||
                 word == ".const" || word == ".local") {
        take();
      } else if (word == ".attribute") {
        take();
        if (Status status = skipParentheses(); !status)
          return status;
      } else {
        Type type = typeFromName(word.substr(1));
        if (word == ".texref" || word == ".samplerref" || word == ".surfref")
          return fail(fmt::format("{} variables are not supported", word));
        if (type == Type::None)
          return fail(fmt::format("unknown type '{}'", word));
        take();
        variable.type = type;
      }
    }
    if (variable.type == Type::None)
      return fail(fmt::format("expected a type, found {}", found()));
    if (!aligned)
      variable.align = std::max<uint64_t>(
          1, uint64_t(typeBytes(variable.type)) * vectorWidth);
    return {};
  }

  Status skipParentheses() {
    if (Status status = expect('('); !status)
      return status;
    while (!takeIf(')')) {
      if (peek().kind == Token::End)
        return fail("expected ')', found the end of the text");
      take();
    }
    return {};
  }

  Status arraySuffix(Variable &variable) {
    while (takeIf('[')) {
      uint64_t count = 0;
      if (!isPunctuation(']'))
        if (Status status = expectInteger(count); !status)
          return status;
      if (Status status = expect(']'); !status)
        return status;
      if (__builtin_mul_overflow(variable.bytes, count, &variable.bytes) ||
          variable.bytes > maxVariableBytes)
        return fail(fmt::format("variable '{}' is larger than {} bytes",
                                variable.name, maxVariableBytes));
    }
    return {};
  }

  Status initializer(Variable &variable) {
    variable.init.assign(0, 0);
    if (Status status = initializerValue(variable, 0); !status)
      return status;
    if (variable.bytes == 0)
      variable.bytes = variable.init.size();
    if (variable.init.size() > variable.bytes)
      return fail(fmt::format("initial value of '{}' has {} bytes, the "
                              "variable {}",
                              variable.name, variable.init.size(),
                              variable.bytes));
    variable.init.resize(variable.bytes);
    return {};
  }

  Status initializerValue(Variable &variable, unsigned depth) {
    if (depth > maxNesting)
      return fail("initial value is nested too deeply");
    if (takeIf('{')) {
      if (takeIf('}'))
        return {};
      do {
        if (Status status = initializerValue(variable, depth + 1); !status)
          return status;
      } while (takeIf(','));
      return expect('}');
    }
    unsigned bytes = typeBytes(variable.type);
    uint64_t bits = 0;
    if (peek().kind == Token::Word)
      return symbolInitializer(variable, bytes);
    bool negative = takeIf('-');
    if (peek().kind == Token::Integer) {
      bits = take().bits;
      if (negative)
        bits = ~bits + 1;
      if (variable.type == Type::F32 || variable.type == Type::F64)
        bits = floatBits(static_cast<double>(static_cast<int64_t>(bits)),
                         variable.type);
    } else if (peek().kind == Token::SingleBits) {
      bits = take().bits ^ (negative ? 0x80000000u : 0);
    } else if (peek().kind == Token::Float) {
      double value = 0;
      uint64_t raw = take().bits;
      std::memcpy(&value, &raw, sizeof value);
      bits = floatBits(negative ? -value : value, variable.type);
    } else {
      return fail(fmt::format("expected an initial value, found {}", found()));
    }
    appendBits(variable, bits, bytes);
    return {};
  }

  static uint64_t floatBits(double value, Type type) {
    uint64_t bits = 0;
    if (type == Type::F32 || type == Type::B32) {
      float narrow = static_cast<float>(value);
      std::memcpy(&bits, &narrow, sizeof narrow);
    } else {
      std::memcpy(&bits, &value, sizeof value);
    }
    return bits;
  }

  static void appendBits(Variable &variable, uint64_t bits, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      variable.init.push_back(i < 8 ? static_cast<uint8_t>(bits >> (8 * i))
                                    : uint8_t(0));
  }

  // name, name+4, generic(name)
  Status symbolInitializer(Variable &variable, unsigned bytes) {
    Variable::Relocation relocation;
    relocation.offset = variable.init.size();
    relocation.bytes = bytes;
    std::string name;
    if (Status status = expectWord(name); !status)
      return status;
    if (name == "generic") {
      if (Status status = expect('('); !status)
        return status;
      if (Status status = expectWord(name); !status)
        return status;
      if (Status status = expect(')'); !status)
        return status;
    }
    relocation.symbol = name;
    if (isPunctuation('+') || isPunctuation('-')) {
      bool negative = take().punctuation == '-';
      uint64_t value = 0;
      if (Status status = expectInteger(value); !status)
        return status;
      relocation.addend = static_cast<int64_t>(negative ? ~value + 1 : value);
    }
    variable.relocations.push_back(relocation);
    appendBits(variable, 0, bytes);
    return {};
  }

  // Functions.

  Status parameterList(std::vector<int> &indices) {
    if (Status status = expect('('); !status)
      return status;
    if (takeIf(')'))
      return {};
    do {
      Variable variable;
      if (isWord(".reg"))
        return fail("register parameters are not supported, expected .param");
      if (Status status = variableDeclarator(variable, true); !status)
        return status;
      indices.push_back(declareVariable(std::move(variable)));
    } while (takeIf(','));
    return expect(')');
  }

  int declareVariable(Variable variable) {
    int index = static_cast<int>(current->variables.size());
    scopes.back().variables[variable.name] = index;
    current->variables.push_back(std::move(variable));
    return index;
  }

  Status function(bool isEntry) {
    Function parsed;
    current = &parsed;
    scopes.assign(1, Scope());
    parsed.scopeParent.assign(1, -1);
    parsed.isEntry = isEntry;
    parsed.line = peek().line;
    if (!isEntry && isPunctuation('('))
      if (Status status = parameterList(parsed.returns); !status)
        return status;
    if (Status status = expectWord(parsed.name); !status)
      return status;
    if (isPunctuation('('))
      if (Status status = parameterList(parsed.parameters); !status)
        return status;
    if (Status status = performanceDirectives(parsed); !status)
      return status;
    if (takeIf(';')) {
      addFunction(std::move(parsed));
      return {};
    }
    parsed.hasBody = true;
    if (Status status = body(0); !status)
      return status;
    for (const Function &other : module.functions)
      if (other.name == parsed.name && other.hasBody)
        return fail(fmt::format("function '{}' is defined twice", parsed.name));
    addFunction(std::move(parsed));
    return {};
  }

  // A definition takes the place of its declaration.
  void addFunction(Function parsed) {
    current = nullptr;
    for (Function &other : module.functions) {
      if (other.name != parsed.name)
        continue;
      if (parsed.hasBody)
        other = std::move(parsed);
      return;
    }
    module.functions.push_back(std::move(parsed));
  }

  Status triple(uint32_t (&values)[3]) {
    for (uint32_t &value : values)
      value = 1;
    for (unsigned i = 0; i < 3; ++i) {
      uint64_t value = 0;
      if (Status status = expectInteger(value); !status)
        return status;
      values[i] = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
      if (!takeIf(','))
        break;
    }
    return {};
  }

  Status performanceDirectives(Function &function) {
    while (peek().kind == Token::Word) {
      Status status;
      uint32_t ignored[3];
      if (takeIf(".maxntid"))
        status = triple(function.maxThreads);
      else if (takeIf(".reqntid"))
        status = triple(function.requiredThreads);
      else if (takeIf(".reqnctapercluster"))
        status = triple(function.requiredCluster);
      else if (takeIf(".minnctapersm") || takeIf(".maxnctapersm") ||
               takeIf(".maxnreg") || takeIf(".maxclusterrank"))
        status = triple(ignored);
      else if (takeIf(".pragma"))
        status = skipToSemicolon();
      else if (takeIf(".noreturn") || takeIf(".explicitcluster") ||
               takeIf(".blocksareclusters"))
        status = {};
      else
        return fail(fmt::format("unknown directive {}", found()));
      if (!status)
        return status;
    }
    return {};
  }

  Status body(unsigned depth) {
    if (depth > maxNesting)
      return fail("blocks are nested too deeply");
    if (Status status = expect('{'); !status)
      return status;
    while (!takeIf('}')) {
      if (peek().kind == Token::End)
        return fail("expected '}', found the end of the text");
      if (isPunctuation('{')) {
        Scope scope;
        scope.id = static_cast<int>(current->scopeParent.size());
        current->scopeParent.push_back(scopes.back().id);
        scopes.push_back(std::move(scope));
        Status status = body(depth + 1);
        scopes.pop_back();
        if (!status)
          return status;
        continue;
      }
      if (Status status = statement(); !status)
        return status;
    }
    return {};
  }

  Status statement() {
    if (takeIf(';'))
      return {};
    if (peek().kind == Token::Word && isPunctuation(':', 1))
      return label();
    if (peek().kind == Token::Word && peek().text[0] == '.') {
      if (isWord(".reg"))
        return registerDeclaration();
      if (takeIf(".loc")) {
        while (!isAtLineStart() && peek().kind != Token::End)
          take();
        return {};
      }
      if (takeIf(".pragma"))
        return skipToSemicolon();
      if (spaceOf(peek().text) == Space::None)
        return fail(fmt::format("unknown directive {}", found()));
      std::vector<Variable> variables;
      if (Status status = variableStatement(variables, false); !status)
        return status;
      for (Variable &variable : variables)
        declareVariable(std::move(variable));
      return {};
    }
    return instruction();
  }

  Status label() {
    std::pair<int, std::string> key(scopes.back().id, take().text);
    take();
    if (takeIf(".branchtargets")) {
      std::vector<std::string> &targets = current->targetTables[key];
      do {
        std::string name;
        if (Status status = expectWord(name); !status)
          return status;
        targets.push_back(name);
      } while (takeIf(','));
      return expect(';');
    }
    if (isWord(".callprototype") || isWord(".calltargets"))
      return skipToSemicolon();
    if (!current->labels.emplace(key, current->statements.size()).second)
      return fail(fmt::format("label '{}' is defined twice", key.second));
    return {};
  }

  Status registerDeclaration() {
    take();
    Variable shape;
    vectorWidth = 1;
    if (Status status = typeSpecifier(shape); !status)
      return status;
    if (vectorWidth != 1)
      return fail("vector registers are not supported");
    do {
      std::string name;
      if (Status status = expectWord(name); !status)
        return status;
      uint64_t count = 0;
      bool ranged = takeIf('<');
      if (ranged) {
        if (Status status = expectInteger(count); !status)
          return status;
        if (Status status = expect('>'); !status)
          return status;
      }
      if (current->registers.size() + count > maxRegisters)
        return fail(fmt::format("function '{}' has more than {} registers",
                                current->name, maxRegisters));
      if (!ranged)
        declareRegister(name, shape.type);
      for (uint64_t i = 0; i < count; ++i)
        declareRegister(name + std::to_string(i), shape.type);
    } while (takeIf(','));
    return expect(';');
  }

  void declareRegister(const std::string &name, Type type) {
    scopes.back().registers[name] = static_cast<int>(current->registers.size());
    current->registers.push_back({name, type});
  }

  int findRegister(const std::string &name) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      auto found = scope->registers.find(name);
      if (found != scope->registers.end())
        return found->second;
    }
    // Special registers become ordinary ones where they are first used.
    const SpecialRegister *special = findSpecialRegister(name);
    if (!special)
      return -1;
    int index = static_cast<int>(current->registers.size());
    scopes.front().registers[name] = index;
    current->registers.push_back({name, special->type});
    return index;
  }

  int findVariable(const std::string &name) const {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      auto found = scope->variables.find(name);
      if (found != scope->variables.end())
        return found->second;
    }
    return -1;
  }

  Status instruction() {
    Statement parsed;
    parsed.line = peek().line;
    parsed.scope = scopes.back().id;
    if (takeIf('@')) {
      parsed.guardNegated = takeIf('!');
      std::string name;
      if (Status status = expectWord(name); !status)
        return status;
      parsed.guard = findRegister(name);
      if (parsed.guard < 0)
        return fail(fmt::format("unknown predicate '{}'", name));
      if (current->registers[parsed.guard].type != Type::Pred)
        return fail(
            fmt::format("guard '{}' has type {}, expected pred", name,
                        typeName(current->registers[parsed.guard].type)));
    }
    if (Status status = expectWord(parsed.opcode); !status)
      return status;
    if (parsed.opcode[0] == '%' || parsed.opcode[0] == '.')
      return fail(
          fmt::format("expected an instruction, found '{}'", parsed.opcode));
    while (!isPunctuation(';')) {
      Operand operand;
      if (Status status = parseOperand(operand, 0); !status)
        return status;
      parsed.operands.push_back(std::move(operand));
      if (isPunctuation(';'))
        break;
      if (Status status = expect(','); !status)
        return status;
    }
    take();
    current->statements.push_back(std::move(parsed));
    return {};
  }

  Status operandList(Operand &operand, char close, unsigned depth) {
    if (takeIf(close))
      return {};
    do {
      Operand element;
      if (Status status = parseOperand(element, depth + 1); !status)
        return status;
      operand.elements.push_back(std::move(element));
    } while (takeIf(','));
    return expect(close);
  }

  Status parseOperand(Operand &operand, unsigned depth) {
    if (depth > 4)
      return fail("operand is nested too deeply");
    if (takeIf('[')) {
      operand.kind = Operand::Address;
      return operandList(operand, ']', depth);
    }
    if (takeIf('{')) {
      operand.kind = Operand::Vector;
      return operandList(operand, '}', depth);
    }
    if (takeIf('(')) {
      operand.kind = Operand::List;
      return operandList(operand, ')', depth);
    }
    if (takeIf('!')) {
      operand.negated = true;
      return nameOperand(operand);
    }
    if (isPunctuation('-') || peek().kind == Token::Integer ||
        peek().kind == Token::Float || peek().kind == Token::SingleBits)
      return constantOperand(operand);
    return nameOperand(operand);
  }

  Status constantOperand(Operand &operand) {
    operand.kind = Operand::Immediate;
    bool negative = takeIf('-');
    Token token = take();
    operand.bits = token.bits;
    switch (token.kind) {
    case Token::Integer:
      if (negative)
        operand.bits = ~operand.bits + 1;
      break;
    case Token::Float:
      operand.isFloat = true;
      operand.bits ^= negative ? uint64_t(1) << 63 : 0;
      break;
    case Token::SingleBits:
      operand.isSingle = true;
      operand.bits ^= negative ? uint64_t(1) << 31 : 0;
      break;
    default:
      return fail("expected a number after '-'");
    }
    return {};
  }

  Status nameOperand(Operand &operand) {
    std::string name;
    if (Status status = expectWord(name); !status)
      return status;
    if (name == "_") {
      operand.kind = Operand::Sink;
      return pairSuffix(operand);
    }
    if (name == "WARP_SZ") {
      operand.kind = Operand::Immediate;
      operand.bits = kWarpSize;
      return {};
    }
    operand.reg = findRegister(name);
    if (operand.reg >= 0) {
      operand.kind = Operand::Register;
      if (Status status = pairSuffix(operand); !status)
        return status;
    } else if (name[0] == '%') {
      return fail(fmt::format("unknown register '{}'", name));
    } else {
      operand.kind = Operand::Symbol;
      operand.symbol = name;
      operand.local = findVariable(name);
    }
    return offsetSuffix(operand);
  }

  // The q of `p|q`.
  Status pairSuffix(Operand &operand) {
    if (!takeIf('|'))
      return {};
    std::string second;
    if (Status status = expectWord(second); !status)
      return status;
    if (second == "_")
      return {};
    operand.pair = findRegister(second);
    if (operand.pair < 0)
      return fail(fmt::format("unknown register '{}'", second));
    return {};
  }

  Status offsetSuffix(Operand &operand) {
    if (!isPunctuation('+') && !isPunctuation('-'))
      return {};
    bool negative = take().punctuation == '-';
    // LLVM writes [%r1+-4].
    if (takeIf('-'))
      negative = !negative;
    uint64_t value = 0;
    if (Status status = expectInteger(value); !status)
      return status;
    operand.offset = static_cast<int64_t>(negative ? ~value + 1 : value);
    return {};
  }

  Function *current = nullptr;
  std::vector<Scope> scopes;
  unsigned vectorWidth = 1;
  unsigned lastVectorWidth = 1;
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
