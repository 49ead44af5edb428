// Variables in PTX text, of a module or a function: `.global .align 4 .b8
// name[16] = {...};` and the parts of it.

#ifndef ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H
#define ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H

#include "runtime/emulator/ConstantReader.h"
#include "runtime/emulator/Module.h"

#include <unordered_set>

namespace attnres::emulator {

class DeclarationReader : protected ConstantReader {
protected:
  using ConstantReader::ConstantReader;

  /// Limits against texts that would exhaust memory.
  static constexpr uint64_t maxVariableBytes = uint64_t(1) << 28;
  static constexpr unsigned maxNesting = 64;

  /// Of .global and the like; None for other words.
  static Space spaceOf(std::string_view word);
  /// To the semicolon; several variables have one type.
  Status variableStatement(std::vector<Variable> &variables, bool isExtern);
  /// One variable, with its space and type or those that were read before.
  Status variableDeclarator(Variable &variable, bool withType);
  Status typeSpecifier(Variable &variable);
  Status name(std::string &word);

  /// Of the type read last, `.v4` and so on.
  unsigned vectorWidth = 1;
  /// The names that an initial value may refer to.
  std::unordered_set<std::string> symbols;

private:
  static constexpr uint64_t maxAlign = uint64_t(1) << 20;

  Status arraySuffix(Variable &variable);
  Status checkComplete(const Variable &variable) const;
  Status initializer(Variable &variable);
  Status initializerList(Variable &variable, size_t dimension, uint64_t at);
  Status initializerValue(Variable &variable, uint64_t at);
  Status numberInitializer(Variable &variable, uint64_t at, unsigned bytes);
  Status symbolInitializer(Variable &variable, uint64_t at, unsigned bytes,
                           uint64_t mask);
  Status storeInitial(Variable &variable, uint64_t at, uint64_t bits,
                      unsigned bytes);

  unsigned lastVectorWidth = 1;
  /// Of the variable being read, the outermost first; 0: not given.
  std::vector<uint64_t> dimensions;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H
