// Inputs for programs that nobody has data for.
#ifndef ATTNRES_TOOLS_EXEC_RANDOMINPUTS_H
#define ATTNRES_TOOLS_EXEC_RANDOMINPUTS_H

#include "runtime/device/BoundProgram.h"

namespace attnres::exec {

/// Gives every input a value that follows from its number and position alone:
/// by the program's ranges, parameters as a model begins, second moments that
/// are no squares of less than 0, indices within their limits.
void fillInputs(runtime::BoundProgram &bound);

} // namespace attnres::exec

#endif
