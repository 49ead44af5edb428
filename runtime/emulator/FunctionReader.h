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
  Status function(bool isEntry, bool isExtern, Function &parsed);

  /// The functions declared so far, which calls may name.
  std::unordered_set<std::string> declaredFunctions;

private:
  static constexpr uint64_t maxRegisters = 1 << 20;
  struct Name {
    enum Kind : uint8_t { Register, Vector, Variable, Label };
    Kind kind = Label;
    int index = -1;
  };
  struct Scope {
    int id = 0;
    std::unordered_map<std::string, Name> names;
  };

  Status header(Function &parsed);
  Status parameterList(std::vector<int> &indices);
  Status addName(const std::string &name, Name what);
  const Name *findName(const std::string &name) const;
  Status declareVariable(Variable variable, int &index);
  Status performanceDirectives(Function &function);
  Status triple(const char *directive, uint32_t (&values)[3]);
  Status body(unsigned depth);
  Status statement();
  Status label();
  Status labelList(std::vector<std::string> &labels);
  Status prototype(Prototype &parsed);
  Status prototypeList(std::vector<Variable> &list);
  Status registerDeclaration();
  Status declareRegister(const std::string &name, Type type);
  Status declareVector(const std::string &name, Type type);
  int findRegister(const std::string &name);
  Status instruction();
  Status checkCallee(const Statement &call) const;
  Status operandList(Operand &operand, char close, unsigned depth);
  Status parseOperand(Operand &operand, unsigned depth);
  Status constantOperand(Operand &operand);
  Status nameOperand(Operand &operand);
  Status vectorName(const std::string &name, Operand &operand);
  Status pairSuffix(Operand &operand);
  Status offsetSuffix(Operand &operand);

  Function *current = nullptr;
  std::vector<Scope> scopes;
  bool inCall = false;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_FUNCTIONREADER_H
