// A function in PTX text: its header, scopes of registers and variables,
// labels, instructions and their operands.

#ifndef ATTNRES_RUNTIME_EMULATOR_FUNCTIONREADER_H
#define ATTNRES_RUNTIME_EMULATOR_FUNCTIONREADER_H

#include "runtime/emulator/DeclarationReader.h"

#include <unordered_map>

namespace attnres::emulator {

class FunctionReader : protected DeclarationReader {
protected:
  using DeclarationReader::DeclarationReader;

  /// From behind .entry or .func on.
  Status function(bool isEntry, Function &parsed);

private:
  static constexpr uint64_t maxRegisters = 1 << 20;
  struct Scope {
    int id = 0;
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, int> variables;
  };

  Status parameterList(std::vector<int> &indices);
  int declareVariable(Variable variable);
  Status performanceDirectives(Function &function);
  Status triple(uint32_t (&values)[3]);
  Status body(unsigned depth);
  Status statement();
  Status label();
  Status registerDeclaration();
  void declareRegister(const std::string &name, Type type);
  int findRegister(const std::string &name);
  int findVariable(const std::string &name) const;
  Status instruction();
  Status operandList(Operand &operand, char close, unsigned depth);
  Status parseOperand(Operand &operand, unsigned depth);
  Status constantOperand(Operand &operand);
  Status nameOperand(Operand &operand);
  Status pairSuffix(Operand &operand);
  Status offsetSuffix(Operand &operand);

  Function *current = nullptr;
  std::vector<Scope> scopes;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_FUNCTIONREADER_H
