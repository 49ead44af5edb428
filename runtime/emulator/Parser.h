// PTX text to a Module.

#ifndef ATTNRES_RUNTIME_EMULATOR_PARSER_H
#define ATTNRES_RUNTIME_EMULATOR_PARSER_H

#include "runtime/emulator/Module.h"
#include "support/Status.h"

#include <string_view>

namespace attnres::emulator {

/// Parses a whole PTX file. An error is one line of the form
/// "line 12: expected ';', found 'x'".
Result<Module> parseModule(std::string_view text);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_PARSER_H
