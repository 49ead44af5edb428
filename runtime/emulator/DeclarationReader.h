// Variables in PTX text, of a module or a function: `.global .align 4 .b8
// name[16] = {...};` and the parts of it.

#ifndef ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H
#define ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H

#include "runtime/emulator/Module.h"
#include "runtime/emulator/TokenReader.h"

namespace attnres::emulator {

class DeclarationReader : protected TokenReader {
protected:
  using TokenReader::TokenReader;

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

  /// Of the type read last, `.v4` and so on.
  unsigned vectorWidth = 1;

private:
  Status arraySuffix(Variable &variable);
  Status initializer(Variable &variable);
  Status initializerValue(Variable &variable, unsigned depth);
  Status symbolInitializer(Variable &variable, unsigned bytes);

  unsigned lastVectorWidth = 1;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_DECLARATIONREADER_H
