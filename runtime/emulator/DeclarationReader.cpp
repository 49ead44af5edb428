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

// Formats that only instructions know.
bool isInstructionType(Type type) {
  return type == Type::BF16 || type == Type::BF16x2 || type == Type::TF32 ||
         type > Type::BF16x2;
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
        !status.ok())
      return status;
    if (Status status = checkComplete(variable); !status.ok())
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
    if (Status status = typeSpecifier(variable); !status.ok())
      return status;
    lastVectorWidth = vectorWidth;
  }
  if (Status status = name(variable.name); !status.ok())
    return status;
  if (variable.type == Type::Pred)
    return fail(
        fmt::format("variable '{}' of type pred, which is for registers "
                    "only",
                    variable.name));
  if (variable.space == Space::Param && variable.type == Type::F16x2)
    return fail(fmt::format("variable '{}' of type f16x2 in .param space",
                            variable.name));
  variable.bytes = uint64_t(typeBytes(variable.type)) * vectorWidth;
  if (Status status = arraySuffix(variable); !status.ok())
    return status;
  if (takeIf('='))
    return initializer(variable);
  return {};
}

// A name may begin with % or $; `_` alone and names with dots are not names.
Status DeclarationReader::name(std::string &word) {
  const Token token = peek();
  if (Status status = expectWord(word); !status.ok())
    return status;
  if (word == "_" || word.find('.') != std::string::npos)
    return invalidData(
        fmt::format("line {}: '{}' is not a name", token.line, word));
  return {};
}

// Only dynamic shared memory and variables of other modules have no size.
Status DeclarationReader::checkComplete(const Variable &variable) const {
  if (!variable.isUnsized || variable.isExtern)
    return {};
  return invalidData(
      fmt::format("line {}: array '{}' of zero elements, expected at least one "
                  "or .extern",
                  variable.line, variable.name));
}

// `.align 16 .v4 .f32`, with the attributes of pointers ignored.
Status DeclarationReader::typeSpecifier(Variable &variable) {
  bool aligned = false;
  while (peek().kind == Token::Word && peek().text[0] == '.') {
    std::string_view word = peek().text;
    if (word == ".align") {
      take();
      uint64_t align = 0;
      if (Status status = expectInteger(align); !status.ok())
        return status;
      if (align == 0 || align > maxAlign || (align & (align - 1)) != 0)
        return fail(fmt::format("alignment {} is not a power of two up to {}",
                                align, maxAlign));
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
      if (isPunctuation('(') && peek(1).text != ".managed" &&
          peek(1).text != ".unified")
        return fail(fmt::format("unknown attribute '{}'", peek(1).text));
      if (Status status = skipParentheses(); !status.ok())
        return status;
    } else {
      Type type = typeFromName(word.substr(1));
      if (word == ".texref" || word == ".samplerref" || word == ".surfref")
        return fail(fmt::format("{} variables are not supported", word));
      if (type == Type::None)
        return fail(fmt::format("unknown type '{}'", word));
      if (isInstructionType(type))
        return fail(fmt::format("type '{}' is for instructions only, expected "
                                "one of bits",
                                word));
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
  dimensions.clear();
  while (takeIf('[')) {
    Constant count;
    bool isGiven = !isPunctuation(']');
    if (isGiven)
      if (Status status = constantExpression(count); !status.ok())
        return status;
    if (Status status = expect(']'); !status.ok())
      return status;
    if (count.bits == 0 && !dimensions.empty())
      return fail(
          fmt::format("array '{}' of arrays of zero elements", variable.name));
    if (variable.space == Space::Param && !dimensions.empty())
      return fail(
          fmt::format("parameter '{}' is an array of arrays", variable.name));
    variable.isUnsized |= count.bits == 0;
    dimensions.push_back(count.bits);
    if (__builtin_mul_overflow(variable.bytes, count.bits, &variable.bytes) ||
        variable.bytes > maxVariableBytes)
      return fail(fmt::format("variable '{}' is larger than {} bytes",
                              variable.name, maxVariableBytes));
  }
  return {};
}

Status DeclarationReader::initializer(Variable &variable) {
  if (variable.space != Space::Global && variable.space != Space::Const)
    return fail(fmt::format("initial value of '{}', which is neither .global "
                            "nor .const",
                            variable.name));
  if (variable.isExtern)
    return fail(
        fmt::format("initial value of extern variable '{}'", variable.name));
  if (vectorWidth > 1)
    dimensions.push_back(vectorWidth);
  if (!dimensions.empty() && !isPunctuation('{'))
    return fail(fmt::format("expected '{{' before the initial values of array "
                            "'{}', found {}",
                            variable.name, found()));
  variable.init.assign(variable.bytes, 0);
  Status status = dimensions.empty() && !isPunctuation('{')
                      ? initializerValue(variable, 0)
                      : initializerList(variable, 0, 0);
  if (!status.ok())
    return status;
  variable.bytes = variable.init.size();
  variable.isUnsized &= variable.bytes == 0;
  return {};
}

// `{a, b, {c}}`: every list starts where its row does.
Status DeclarationReader::initializerList(Variable &variable, size_t dimension,
                                          uint64_t at) {
  if (Status status = expect('{'); !status.ok())
    return status;
  if (takeIf('}'))
    return {};
  uint64_t stride = typeBytes(variable.type);
  for (size_t i = dimension + 1; i < dimensions.size(); ++i)
    stride *= dimensions[i];
  uint64_t count = dimensions.empty() ? 1 : dimensions[dimension];
  for (uint64_t i = 0;; ++i) {
    if (count != 0 && i >= count)
      return fail(fmt::format("initial value of '{}' has more than {} elements",
                              variable.name, count));
    uint64_t place = at + i * stride;
    if (place + stride > maxVariableBytes)
      return fail(fmt::format("variable '{}' is larger than {} bytes",
                              variable.name, maxVariableBytes));
    if (variable.init.size() < place + stride)
      variable.init.resize(place + stride);
    bool isRow = dimension + 1 < dimensions.size();
    Status status = isRow ? initializerList(variable, dimension + 1, place)
                          : initializerValue(variable, place);
    if (!status.ok())
      return status;
    if (!takeIf(','))
      return expect('}');
  }
}

Status DeclarationReader::storeInitial(Variable &variable, uint64_t at,
                                       uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes && i < 8; ++i)
    variable.init[at + i] = static_cast<uint8_t>(bits >> (8 * i));
  return {};
}

Status DeclarationReader::initializerValue(Variable &variable, uint64_t at) {
  unsigned bytes = typeBytes(variable.type);
  if (peek().kind == Token::Word && !isWord("WARP_SZ"))
    return symbolInitializer(variable, at, bytes, ~uint64_t(0));
  // 0xff(symbol): one byte of an address.
  if (peek().kind == Token::Integer && isPunctuation('(', 1)) {
    uint64_t mask = take().bits;
    if (mask == 0)
      return fail("mask of an address is zero");
    take();
    Status status = symbolInitializer(variable, at, bytes, mask);
    return status.ok() ? expect(')') : status;
  }
  return numberInitializer(variable, at, bytes);
}

Status DeclarationReader::numberInitializer(Variable &variable, uint64_t at,
                                            unsigned bytes) {
  bool isFloatType = isFloat(variable.type);
  bool isBits = variable.type >= Type::B8 && variable.type <= Type::B128;
  auto mismatch = [&] {
    return fail(fmt::format("initial value {} of '{}', which has type {}",
                            found(), variable.name, typeName(variable.type)));
  };
  if (startsConstant()) {
    if (isFloatType)
      return mismatch();
    Constant value;
    if (Status status = constantExpression(value); !status.ok())
      return status;
    return storeInitial(variable, at, value.bits, bytes);
  }
  bool negative = takeIf('-');
  if (peek().kind != Token::SingleBits && peek().kind != Token::Float)
    return fail(fmt::format("expected an initial value, found {}", found()));
  if (!isFloatType && !isBits)
    return mismatch();
  Token token = take();
  double value = 0;
  if (token.kind == Token::SingleBits) {
    uint32_t narrow = static_cast<uint32_t>(token.bits);
    if (bytes != 8)
      return storeInitial(variable, at, narrow, bytes);
    float single = 0;
    std::memcpy(&single, &narrow, sizeof single);
    value = single;
  } else {
    std::memcpy(&value, &token.bits, sizeof value);
  }
  return storeInitial(
      variable, at, floatBits(negative ? -value : value, variable.type), bytes);
}

// name, name+4, generic(name), generic(name)+4
Status DeclarationReader::symbolInitializer(Variable &variable, uint64_t at,
                                            unsigned bytes, uint64_t mask) {
  Variable::Relocation relocation;
  relocation.offset = at;
  relocation.bytes = bytes;
  relocation.mask = mask;
  std::string word;
  if (Status status = expectWord(word); !status.ok())
    return status;
  if (word == "generic") {
    if (Status status = expect('('); !status.ok())
      return status;
    if (Status status = expectWord(word); !status.ok())
      return status;
    if (Status status = expect(')'); !status.ok())
      return status;
  }
  if (!symbols.count(word))
    return fail(fmt::format("initial value of '{}' is '{}', which is not "
                            "declared before",
                            variable.name, word));
  if (mask == ~uint64_t(0) && (bytes < 4 || isFloat(variable.type) ||
                               isSigned(variable.type) || bytes > 8))
    return fail(fmt::format("address of '{}' as initial value of '{}', which "
                            "has type {}",
                            word, variable.name, typeName(variable.type)));
  relocation.symbol = word;
  if (isPunctuation('+') || isPunctuation('-')) {
    bool negative = take().punctuation == '-';
    Constant value;
    if (Status status = constantTerm(value); !status.ok())
      return status;
    relocation.addend =
        static_cast<int64_t>(negative ? ~value.bits + 1 : value.bits);
  }
  variable.relocations.push_back(relocation);
  return {};
}

} // namespace attnres::emulator
