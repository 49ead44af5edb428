// Constant expressions by precedence climbing.

#include "runtime/emulator/ConstantReader.h"

#include "runtime/emulator/Types.h"

namespace attnres::emulator {
namespace {

constexpr unsigned maxConstantNesting = 64;
constexpr unsigned sumLevel = 9;

} // namespace

bool ConstantReader::startsConstant() const {
  size_t at = 0;
  while (isPunctuation('-', at) || isPunctuation('+', at) ||
         isPunctuation('~', at) || isPunctuation('!', at) ||
         isPunctuation('(', at))
    ++at;
  return peek(at).kind == Token::Integer ||
         (peek(at).kind == Token::Word && peek(at).text == "WARP_SZ") ||
         // A cast: (.s64) 5.
         (at != 0 && isPunctuation('(', at - 1) &&
          peek(at).kind == Token::Word &&
          (peek(at).text == ".s64" || peek(at).text == ".u64"));
}

ConstantReader::Operator ConstantReader::nextOperator() const {
  static constexpr struct {
    char first, second;
    unsigned level;
  } table[] = {{'|', '|', 1}, {'&', '&', 2}, {'=', '=', 6}, {'!', '=', 6},
               {'<', '<', 8}, {'>', '>', 8}, {'<', '=', 7}, {'>', '=', 7},
               {'|', 0, 3},   {'^', 0, 4},   {'&', 0, 5},   {'<', 0, 7},
               {'>', 0, 7},   {'+', 0, 9},   {'-', 0, 9},   {'*', 0, 10},
               {'/', 0, 10}};
  for (const auto &each : table)
    if (isPunctuation(each.first) &&
        (each.second == 0 || isPunctuation(each.second, 1)))
      return {each.level, each.second ? 2u : 1u, each.first, each.second};
  return {};
}

Status ConstantReader::apply(const Operator &op, Constant &left,
                             const Constant &right) const {
  bool isUnsigned = left.isUnsigned || right.isUnsigned;
  uint64_t a = left.bits;
  uint64_t b = right.bits;
  int64_t s = static_cast<int64_t>(a);
  int64_t t = static_cast<int64_t>(b);
  auto give = [&](uint64_t bits, bool is) {
    left = {bits, is};
    return Status();
  };
  switch (op.first) {
  case '+':
    return give(a + b, isUnsigned);
  case '-':
    return give(a - b, isUnsigned);
  case '*':
    return give(a * b, isUnsigned);
  case '/':
    if (b == 0)
      return fail("division by zero in a constant");
    if (!isUnsigned && t == -1)
      return give(~a + 1, false);
    return give(isUnsigned ? a / b : static_cast<uint64_t>(s / t), isUnsigned);
  case '^':
    return give(a ^ b, isUnsigned);
  case '|':
    return op.second ? give(a != 0 || b != 0, false) : give(a | b, isUnsigned);
  case '&':
    return op.second ? give(a != 0 && b != 0, false) : give(a & b, isUnsigned);
  case '=':
    return give(a == b, false);
  case '!':
    return give(a != b, false);
  case '<':
    if (op.second == '<')
      return give(b > 63 ? 0 : a << b, left.isUnsigned);
    if (op.second == '=')
      return give(isUnsigned ? a <= b : s <= t, false);
    return give(isUnsigned ? a < b : s < t, false);
  default:
    if (op.second == '>') {
      uint64_t amount = std::min<uint64_t>(b, 63);
      uint64_t shifted = left.isUnsigned ? (b > 63 ? 0 : a >> b)
                                         : static_cast<uint64_t>(s >> amount);
      return give(shifted, left.isUnsigned);
    }
    if (op.second == '=')
      return give(isUnsigned ? a >= b : s >= t, false);
    return give(isUnsigned ? a > b : s > t, false);
  }
}

Status ConstantReader::constantExpression(Constant &value) {
  if (Status status = binary(value, 1); !status.ok())
    return status;
  if (!takeIf('?'))
    return {};
  Constant yes, no;
  if (++nesting > maxConstantNesting)
    return fail("constant is nested too deeply");
  Status status = constantExpression(yes);
  if (status.ok())
    status = expect(':');
  if (status.ok())
    status = constantExpression(no);
  --nesting;
  value = value.bits != 0 ? yes : no;
  return status;
}

Status ConstantReader::constantTerm(Constant &value) {
  return binary(value, sumLevel + 1);
}

Status ConstantReader::binary(Constant &value, unsigned level) {
  if (Status status = unary(value); !status.ok())
    return status;
  for (Operator op = nextOperator(); op.level >= level; op = nextOperator()) {
    for (unsigned i = 0; i < op.tokens; ++i)
      take();
    Constant right;
    if (Status status = binary(right, op.level + 1); !status.ok())
      return status;
    if (Status status = apply(op, value, right); !status.ok())
      return status;
  }
  return {};
}

Status ConstantReader::unary(Constant &value) {
  if (++nesting > maxConstantNesting)
    return fail("constant is nested too deeply");
  Status status;
  if (takeIf('-')) {
    status = unary(value);
    value.bits = ~value.bits + 1;
  } else if (takeIf('+')) {
    status = unary(value);
  } else if (takeIf('~')) {
    status = unary(value);
    value.bits = ~value.bits;
  } else if (takeIf('!')) {
    status = unary(value);
    value = {value.bits == 0, false};
  } else if (takeIf('(')) {
    bool isCast = isWord(".s64") || isWord(".u64");
    bool isUnsigned = isWord(".u64");
    if (isCast)
      take();
    else
      status = constantExpression(value);
    if (status.ok())
      status = expect(')');
    if (status.ok() && isCast) {
      status = unary(value);
      value.isUnsigned = isUnsigned;
    }
  } else if (takeIf("WARP_SZ")) {
    value = {kWarpSize, false};
  } else if (peek().kind == Token::Integer) {
    Token token = take();
    value = {token.bits, token.isUnsigned};
  } else {
    status = fail(fmt::format("expected a constant, found {}", found()));
  }
  --nesting;
  return status;
}

} // namespace attnres::emulator
