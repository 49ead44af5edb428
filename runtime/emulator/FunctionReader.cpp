// Functions. Registers and local variables are resolved through the enclosing
// scopes as they are met; labels and module-level names are left to the
// decoder.

#include "runtime/emulator/FunctionReader.h"

#include "runtime/emulator/SpecialRegisters.h"

#include <fmt/format.h>

namespace attnres::emulator {

Status FunctionReader::function(bool isEntry, Function &parsed) {
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
  if (takeIf(';'))
    return {};
  parsed.hasBody = true;
  return body(0);
}

Status FunctionReader::parameterList(std::vector<int> &indices) {
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

int FunctionReader::declareVariable(Variable variable) {
  int index = static_cast<int>(current->variables.size());
  scopes.back().variables[variable.name] = index;
  current->variables.push_back(std::move(variable));
  return index;
}

Status FunctionReader::performanceDirectives(Function &function) {
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

Status FunctionReader::triple(uint32_t (&values)[3]) {
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

Status FunctionReader::body(unsigned depth) {
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

Status FunctionReader::statement() {
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

Status FunctionReader::label() {
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

Status FunctionReader::registerDeclaration() {
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

void FunctionReader::declareRegister(const std::string &name, Type type) {
  scopes.back().registers[name] = static_cast<int>(current->registers.size());
  current->registers.push_back({name, type});
}

int FunctionReader::findRegister(const std::string &name) {
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

int FunctionReader::findVariable(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto found = scope->variables.find(name);
    if (found != scope->variables.end())
      return found->second;
  }
  return -1;
}

Status FunctionReader::instruction() {
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
      return fail(fmt::format("guard '{}' has type {}, expected pred", name,
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

Status FunctionReader::operandList(Operand &operand, char close,
                                   unsigned depth) {
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

Status FunctionReader::parseOperand(Operand &operand, unsigned depth) {
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

Status FunctionReader::constantOperand(Operand &operand) {
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

Status FunctionReader::nameOperand(Operand &operand) {
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
Status FunctionReader::pairSuffix(Operand &operand) {
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

Status FunctionReader::offsetSuffix(Operand &operand) {
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

} // namespace attnres::emulator
