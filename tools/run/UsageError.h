// What is wrong with a command line, in one line.
#ifndef ATTNRES_TOOLS_RUN_USAGEERROR_H
#define ATTNRES_TOOLS_RUN_USAGEERROR_H

#include "support/ExactNumbers.h"

#include <string>

namespace attnres::run {

/// The message for an error that parsing `argv` ended with. Unknown options and
/// subcommands come first, with the closest known name if one is close.
std::string describeUsageError(const CLI::App &app, int argc,
                               const char *const *argv,
                               const CLI::ParseError &error);

} // namespace attnres::run

#endif
