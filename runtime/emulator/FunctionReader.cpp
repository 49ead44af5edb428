// Functions. Registers and local variables are resolved through the enclosing
// scopes as they are met; labels and module-level names are left to the
// decoder.

#include "runtime/emulator/FunctionReader.h"

#include "runtime/emulator/SpecialRegisters.h"

#include <fmt/format.h>

namespace attnres::emulator {

Status FunctionReader::function(bool isEntry, bool isExtern, Function &parsed) {
  current = &parsed;
  scopes.assign(1, Scope());
  parsed.scopeParent.assign(1, -1);
  parsed.isEntry = isEntry;
  parsed.isExtern = isExtern;
  parsed.line = peek().line;
  if (Status status = header(parsed); !status.ok())
    return status;
  declaredFunctions.insert(parsed.name);
  symbols.insert(parsed.name);
  if (takeIf(';'))
    return {};
  if (isExtern)
    return fail(fmt::format("body of extern function '{}'", parsed.name));
  parsed.hasBody = true;
  return body(0);
}

Status FunctionReader::header(Function &parsed) {
  if (!parsed.isEntry && isPunctuation('('))
    if (Status status = parameterList(parsed.returns); !status.ok())
      return status;
  if (parsed.returns.size() > 1)
    return fail("several return values, expected at most one in .param space");
  if (Status status = name(parsed.name); !status.ok())
    return status;
  if (isPunctuation('('))
    if (Status status = parameterList(parsed.parameters); !status.ok())
      return status;
  return performanceDirectives(parsed);
}

Status FunctionReader::parameterList(std::vector<int> &indices) {
  if (Status status = expect('('); !status.ok())
    return status;
  if (takeIf(')'))
    return {};
  do {
    Variable variable;
    if (isWord(".reg"))
      return fail("register parameters are not supported, expected .param");
    if (!isWord(".param"))
      return fail(fmt::format("expected .param, found {}", found()));
    if (Status status = variableDeclarator(variable, true); !status.ok())
      return status;
    if (variable.isUnsized && current->isEntry)
      return fail(
          fmt::format("parameter '{}' of a kernel has no size", variable.name));
    int index = 0;
    if (Status status = declareVariable(std::move(variable), index);
        !status.ok())
      return status;
    indices.push_back(index);
  } while (takeIf(','));
  return expect(')');
}

Status FunctionReader::addName(const std::string &name, Name what) {
  if (scopes.back().names.emplace(name, what).second)
    return {};
  return fail(
      fmt::format("'{}' is declared twice",
                  name.back() == '<' ? name.substr(0, name.size() - 1) : name));
}

const FunctionReader::Name *
FunctionReader::findName(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto found = scope->names.find(name);
    if (found != scope->names.end())
      return &found->second;
  }
  return nullptr;
}

Status FunctionReader::declareVariable(Variable variable, int &index) {
  index = static_cast<int>(current->variables.size());
  if (Status status = addName(variable.name, {Name::Variable, index});
      !status.ok())
    return status;
  if (variable.space == Space::Global || variable.space == Space::Const)
    variable.moduleName =
        fmt::format("{}:{}:{}", current->name, index, variable.name);
  current->variables.push_back(std::move(variable));
  return {};
}

Status FunctionReader::performanceDirectives(Function &function) {
  while (peek().kind == Token::Word) {
    Status status;
    uint32_t ignored[3];
    if (!function.isEntry && !isWord(".noreturn") && !isWord(".pragma"))
      return fail(
          fmt::format("{} is not a directive of a device function", found()));
    if (takeIf(".maxntid"))
      status = triple(".maxntid", function.maxThreads);
    else if (takeIf(".reqntid"))
      status = triple(".reqntid", function.requiredThreads);
    else if (takeIf(".reqnctapercluster"))
      status = triple(".reqnctapercluster", function.requiredCluster);
    else if (takeIf(".minnctapersm") || takeIf(".maxnctapersm") ||
             takeIf(".maxclusterrank"))
      status = triple(nullptr, ignored);
    else if (takeIf(".maxnreg"))
      status = triple(".maxnreg", ignored);
    else if (takeIf(".pragma"))
      status = skipToSemicolon();
    else if ((!function.isEntry && takeIf(".noreturn")) ||
             takeIf(".explicitcluster") || takeIf(".blocksareclusters"))
      status = {};
    else
      return fail(fmt::format("unknown directive {}", found()));
    if (!status.ok())
      return status;
    if (function.maxThreads[0] != 0 && function.requiredThreads[0] != 0)
      return fail("both .maxntid and .reqntid, expected one of them");
  }
  return {};
}

// Positive numbers, where the directive is named.
Status FunctionReader::triple(const char *directive, uint32_t (&values)[3]) {
  for (uint32_t &value : values)
    value = 1;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t value = 0;
    if (Status status = expectInteger(value); !status.ok())
      return status;
    if (value == 0 && directive)
      return fail(
          fmt::format("{} of 0, expected a positive number", directive));
    values[i] = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
    if (!takeIf(','))
      break;
  }
  return {};
}

Status FunctionReader::body(unsigned depth) {
  if (depth > maxNesting)
    return fail("blocks are nested too deeply");
  if (Status status = expect('{'); !status.ok())
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
      if (!status.ok())
        return status;
      continue;
    }
    if (Status status = statement(); !status.ok())
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
    if (Status status = variableStatement(variables, false); !status.ok())
      return status;
    for (Variable &variable : variables) {
      int index = 0;
      if (Status status = declareVariable(std::move(variable), index);
          !status.ok())
        return status;
    }
    return {};
  }
  return instruction();
}

Status FunctionReader::label() {
  std::pair<int, std::string> key;
  key.first = scopes.back().id;
  if (Status status = name(key.second); !status.ok())
    return status;
  if (Status status = addName(key.second, {Name::Label, -1}); !status.ok())
    return status;
  take();
  if (takeIf(".branchtargets"))
    return labelList(current->targetTables[key]);
  if (takeIf(".calltargets")) {
    if (Status status = labelList(current->callTargets[key]); !status.ok())
      return status;
    for (const std::string &target : current->callTargets[key])
      if (!declaredFunctions.count(target))
        return fail(fmt::format("call target '{}' is not a function declared "
                                "before",
                                target));
    return {};
  }
  if (takeIf(".callprototype"))
    return prototype(current->prototypes[key]);
  current->labels.emplace(key, current->statements.size());
  return {};
}

Status FunctionReader::labelList(std::vector<std::string> &labels) {
  do {
    std::string word;
    if (Status status = expectWord(word); !status.ok())
      return status;
    labels.push_back(word);
  } while (takeIf(','));
  return expect(';');
}

// (.param .b32 _) _ (.param .b32 _, .param .b64 _) .noreturn;
Status FunctionReader::prototype(Prototype &parsed) {
  if (Status status = prototypeList(parsed.returns); !status.ok())
    return status;
  if (!takeIf("_"))
    return fail(fmt::format("expected '_', found {}", found()));
  if (Status status = prototypeList(parsed.parameters); !status.ok())
    return status;
  while (takeIf(".noreturn") || takeIf(".abi_preserve") ||
         takeIf(".abi_preserve_control"))
    if (peek().kind == Token::Integer)
      take();
  return expect(';');
}

Status FunctionReader::prototypeList(std::vector<Variable> &list) {
  if (!takeIf('(') || takeIf(')'))
    return {};
  do {
    Variable variable;
    variable.line = peek().line;
    if (!takeIf(".param"))
      return fail(fmt::format("expected .param, found {}", found()));
    variable.space = Space::Param;
    vectorWidth = 1;
    if (Status status = typeSpecifier(variable); !status.ok())
      return status;
    variable.name = "_";
    if (!takeIf("_"))
      if (Status status = name(variable.name); !status.ok())
        return status;
    variable.bytes = uint64_t(typeBytes(variable.type)) * vectorWidth;
    while (takeIf('[')) {
      Constant count;
      if (!isPunctuation(']'))
        if (Status status = constantExpression(count); !status.ok())
          return status;
      if (Status status = expect(']'); !status.ok())
        return status;
      variable.isUnsized |= count.bits == 0;
      variable.bytes *= std::min(count.bits, maxVariableBytes);
    }
    list.push_back(std::move(variable));
  } while (takeIf(','));
  return expect(')');
}

Status FunctionReader::registerDeclaration() {
  take();
  Variable shape;
  vectorWidth = 1;
  if (Status status = typeSpecifier(shape); !status.ok())
    return status;
  if (vectorWidth > 4 || (vectorWidth > 1 && shape.type == Type::Pred))
    return fail("registers of this shape are not supported");
  do {
    std::string word;
    if (Status status = name(word); !status.ok())
      return status;
    uint64_t count = 0;
    bool ranged = takeIf('<');
    if (ranged) {
      if (Status status = expectInteger(count); !status.ok())
        return status;
      if (Status status = expect('>'); !status.ok())
        return status;
      // The range as such, too: two of one prefix do not add up.
      if (Status status = addName(word + "<", {Name::Label, -1}); !status.ok())
        return status;
    }
    if (current->registers.size() + count * vectorWidth > maxRegisters ||
        count > maxRegisters)
      return fail(fmt::format("function '{}' has more than {} registers",
                              current->name, maxRegisters));
    auto declare = [&](const std::string &each) {
      return vectorWidth == 1 ? declareRegister(each, shape.type)
                              : declareVector(each, shape.type);
    };
    if (!ranged)
      if (Status status = declare(word); !status.ok())
        return status;
    for (uint64_t i = 0; i < count; ++i)
      if (Status status = declare(word + std::to_string(i)); !status.ok())
        return status;
  } while (takeIf(','));
  return expect(';');
}

Status FunctionReader::declareRegister(const std::string &name, Type type) {
  int index = static_cast<int>(current->registers.size());
  if (Status status = addName(name, {Name::Register, index}); !status.ok())
    return status;
  current->registers.push_back({name, type});
  return {};
}

// The elements are registers `v.x` to `v.w` (or `.r` to `.a`), which follow
// each other.
Status FunctionReader::declareVector(const std::string &name, Type type) {
  int index = static_cast<int>(current->registers.size());
  if (Status status = addName(name, {Name::Vector, index}); !status.ok())
    return status;
  for (unsigned i = 0; i < vectorWidth; ++i) {
    if (Status status =
            declareRegister(fmt::format("{}.{}", name, "xyzw"[i]), type);
        !status.ok())
      return status;
    scopes.back().names.emplace(
        fmt::format("{}.{}", name, "rgba"[i]),
        Name{Name::Register, index + static_cast<int>(i)});
  }
  return {};
}

int FunctionReader::findRegister(const std::string &name) {
  if (const Name *found = findName(name))
    return found->kind == Name::Register ? found->index : -1;
  // Special registers become ordinary ones where they are first used.
  const SpecialRegister *special = findSpecialRegister(name);
  if (!special)
    return -1;
  int index = static_cast<int>(current->registers.size());
  scopes.front().names[name] = {Name::Register, index};
  current->registers.push_back({name, special->type, true});
  return index;
}

Status FunctionReader::instruction() {
  Statement parsed;
  parsed.line = peek().line;
  parsed.scope = scopes.back().id;
  if (takeIf('@')) {
    parsed.guardNegated = takeIf('!');
    std::string name;
    if (Status status = expectWord(name); !status.ok())
      return status;
    parsed.guard = findRegister(name);
    if (parsed.guard < 0)
      return fail(fmt::format("unknown predicate '{}'", name));
    if (current->registers[parsed.guard].type != Type::Pred)
      return fail(fmt::format("guard '{}' has type {}, expected pred", name,
                              typeName(current->registers[parsed.guard].type)));
  }
  if (Status status = expectWord(parsed.opcode); !status.ok())
    return status;
  if (parsed.opcode[0] == '%' || parsed.opcode[0] == '.')
    return fail(
        fmt::format("expected an instruction, found '{}'", parsed.opcode));
  inCall = parsed.opcode.compare(0, 4, "call") == 0;
  while (!isPunctuation(';')) {
    Operand operand;
    if (Status status = parseOperand(operand, 0); !status.ok())
      return status;
    parsed.operands.push_back(std::move(operand));
    if (isPunctuation(';'))
      break;
    if (Status status = expect(','); !status.ok())
      return status;
  }
  take();
  if (inCall)
    if (Status status = checkCallee(parsed); !status.ok())
      return status;
  current->statements.push_back(std::move(parsed));
  return {};
}

// A function must be declared before the first call that names it.
Status FunctionReader::checkCallee(const Statement &call) const {
  auto callee = std::find_if(
      call.operands.begin(), call.operands.end(),
      [](const Operand &each) { return each.kind != Operand::List; });
  if (callee == call.operands.end() || callee->kind != Operand::Symbol)
    return {};
  const Name *local = findName(callee->symbol);
  const char *why = local ? "stands for something else in this function"
                    : declaredFunctions.count(callee->symbol)
                        ? nullptr
                        : "is not declared before";
  if (!why)
    return {};
  return invalidData(fmt::format("line {}: call of '{}', which {}", call.line,
                                 callee->symbol, why));
}

Status FunctionReader::operandList(Operand &operand, char close,
                                   unsigned depth) {
  if (takeIf(close))
    return {};
  do {
    Operand element;
    if (Status status = parseOperand(element, depth + 1); !status.ok())
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
  if (isPunctuation('(') && inCall && depth == 0) {
    take();
    operand.kind = Operand::List;
    return operandList(operand, ')', depth);
  }
  if (startsConstant() || isPunctuation('-') || peek().kind == Token::Float ||
      peek().kind == Token::SingleBits)
    return constantOperand(operand);
  if (takeIf('!')) {
    operand.negated = true;
    return nameOperand(operand);
  }
  return nameOperand(operand);
}

Status FunctionReader::constantOperand(Operand &operand) {
  operand.kind = Operand::Immediate;
  if (startsConstant()) {
    Constant value;
    if (Status status = constantExpression(value); !status.ok())
      return status;
    operand.bits = value.bits;
    return {};
  }
  bool negative = takeIf('-');
  Token token = take();
  operand.bits = token.bits;
  bool isPattern = token.text.size() > 1 && (token.text[1] | 32) >= 'd' &&
                   (token.text[1] | 32) <= 'f' && token.text[0] == '0';
  if (token.kind != Token::Float && token.kind != Token::SingleBits)
    return fail("expected a number after '-'");
  if (negative && isPattern)
    return fail(fmt::format("'-' before the bits '{}'", token.text));
  operand.isFloat = token.kind == Token::Float;
  operand.isSingle = token.kind == Token::SingleBits;
  operand.bits ^= negative ? uint64_t(1) << 63 : 0;
  return {};
}

Status FunctionReader::nameOperand(Operand &operand) {
  std::string word;
  if (Status status = expectWord(word); !status.ok())
    return status;
  if (word == "_") {
    operand.kind = Operand::Sink;
    return pairSuffix(operand);
  }
  if (const Name *known = findName(word); known && known->kind == Name::Vector)
    return vectorName(word, operand);
  operand.reg = findRegister(word);
  if (operand.reg >= 0) {
    operand.kind = Operand::Register;
    if (Status status = pairSuffix(operand); !status.ok())
      return status;
  } else if (word[0] == '%' && !findName(word)) {
    return fail(fmt::format("unknown register '{}'", word));
  } else {
    operand.kind = Operand::Symbol;
    operand.symbol = word;
    const Name *known = findName(word);
    operand.local = known && known->kind == Name::Variable ? known->index : -1;
  }
  return offsetSuffix(operand);
}

// A vector register stands for its elements.
Status FunctionReader::vectorName(const std::string &name, Operand &operand) {
  operand.kind = Operand::Vector;
  for (char part : {'x', 'y', 'z', 'w'}) {
    Operand element;
    element.kind = Operand::Register;
    const Name *known = findName(fmt::format("{}.{}", name, part));
    if (!known)
      break;
    element.reg = known->index;
    operand.elements.push_back(element);
  }
  return {};
}

// The q of `p|q`.
Status FunctionReader::pairSuffix(Operand &operand) {
  if (!takeIf('|'))
    return {};
  std::string second;
  if (Status status = expectWord(second); !status.ok())
    return status;
  if (second == "_")
    return {};
  operand.pair = findRegister(second);
  if (operand.pair < 0)
    return fail(fmt::format("unknown register '{}'", second));
  return {};
}

// name+4, and name+-4 as LLVM writes it.
Status FunctionReader::offsetSuffix(Operand &operand) {
  if (!isPunctuation('+') && !isPunctuation('-'))
    return {};
  Constant value;
  if (Status status = constantExpression(value); !status.ok())
    return status;
  operand.offset = static_cast<int64_t>(value.bits);
  return {};
}

} // namespace attnres::emulator
