// Variables, their types and initial values.

#include "runtime/emulator/DeclarationReader.h"

#include <cstring>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

uint64_t floatBits(double value, Type type) {
  uint64_t bits = 0;
  if (type == Type::F32 || type == Type::B32) {
    float narrow = static_cast<float>(value);
    std::memcpy(&bits, &narrow, sizeof narrow);
  } else {
    std::memcpy(&bits, &value, sizeof value);
  }
  return bits;
}

void appendBits(Variable &variable, uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    variable.init.push_back(i < 8 ? static_cast<uint8_t>(bits >> (8 * i))
                                  : uint8_t(0));
}

} // namespace

Space DeclarationReader::spaceOf(std::string_view word) {
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
Status DeclarationReader::variableStatement(std::vector<Variable> &variables,
                                            bool isExtern) {
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

Status DeclarationReader::variableDeclarator(Variable &variable,
                                             bool withType) {
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
Status DeclarationReader::typeSpecifier(Variable &variable) {
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
    variable.align =
        std::max<uint64_t>(1, uint64_t(typeBytes(variable.type)) * vectorWidth);
  return {};
}

Status DeclarationReader::arraySuffix(Variable &variable) {
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

Status DeclarationReader::initializer(Variable &variable) {
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

Status DeclarationReader::initializerValue(Variable &variable, unsigned depth) {
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

// name, name+4, generic(name)
Status DeclarationReader::symbolInitializer(Variable &variable,
                                            unsigned bytes) {
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

} // namespace attnres::emulator
