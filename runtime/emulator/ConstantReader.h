// Constant expressions in PTX text: integers of 64 bits with the operators of
// C, as operands, offsets and initial values have them.

#ifndef ATTNRES_RUNTIME_EMULATOR_CONSTANTREADER_H
#define ATTNRES_RUNTIME_EMULATOR_CONSTANTREADER_H

#include "runtime/emulator/TokenReader.h"

namespace attnres::emulator {

class ConstantReader : protected TokenReader {
protected:
  using TokenReader::TokenReader;

  struct Constant {
    uint64_t bits = 0;
    /// Of type .u64 rather than .s64.
    bool isUnsigned = false;
  };

  /// Whether an integer expression begins at the next token.
  bool startsConstant() const;
  Status constantExpression(Constant &value);
  /// A product of factors without a sum, such as what may follow `name+`.
  Status constantTerm(Constant &value);

private:
  /// How tightly an operator binds; 0 for none.
  struct Operator {
    unsigned level = 0;
    unsigned tokens = 1;
    char first = 0;
    char second = 0;
  };
  Operator nextOperator() const;
  Status binary(Constant &value, unsigned level);
  Status unary(Constant &value);
  Status apply(const Operator &op, Constant &left, const Constant &right) const;

  unsigned nesting = 0;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_CONSTANTREADER_H
