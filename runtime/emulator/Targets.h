// The versions of PTX and the targets that exist, and which belong together.

#ifndef ATTNRES_RUNTIME_EMULATOR_TARGETS_H
#define ATTNRES_RUNTIME_EMULATOR_TARGETS_H

#include "support/Status.h"

#include <string_view>

namespace attnres::emulator {

/// Whether there is a PTX version `version` (8.7 is 87), from 6.0 on.
bool isPtxVersion(unsigned version);

struct Target {
  unsigned number = 0; // sm_90a: 90
  char suffix = 0;     // 'a', 'f' or 0
};

/// `sm_90a`; fails with what is wrong when there is no such target, or it came
/// later than the version of the module.
Status readTarget(std::string_view name, unsigned version, Target &target);

/// Of `.target` beside the architecture: texmode_unified, debug, ...
bool isTargetOption(std::string_view name);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_TARGETS_H
