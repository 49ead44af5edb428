// What an instruction's text must be like beyond what its decoder reads: the
// modifiers that its type needs, and the PTX version and target that it needs
// at least.

#ifndef ATTNRES_RUNTIME_EMULATOR_REQUIREMENTS_H
#define ATTNRES_RUNTIME_EMULATOR_REQUIREMENTS_H

#include "runtime/emulator/Module.h"
#include "support/Status.h"

#include <string_view>
#include <vector>

namespace attnres::emulator {

/// `parts` are those of the opcode between its dots; the error names no line.
Status checkModifiers(const std::vector<std::string_view> &parts);
Status checkRequirements(const Module &module, const Function &function,
                         const Statement &statement,
                         const std::vector<std::string_view> &parts);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_REQUIREMENTS_H
