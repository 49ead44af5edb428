// The special registers of PTX by name.

#ifndef ATTNRES_RUNTIME_EMULATOR_SPECIALREGISTERS_H
#define ATTNRES_RUNTIME_EMULATOR_SPECIALREGISTERS_H

#include "runtime/emulator/Program.h"

#include <string_view>

namespace attnres::emulator {

struct SpecialRegister {
  const char *name;
  Special special;
  Type type;
  /// Read when an instruction executes rather than once per warp.
  bool isClock;
};

/// The register called `name` ("%tid.x"), or null.
const SpecialRegister *findSpecialRegister(std::string_view name);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_SPECIALREGISTERS_H
