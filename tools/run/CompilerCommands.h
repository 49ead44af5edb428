// The subcommands of attnres-run that show what the compiler does, as those of
// Commands.h are added.
#ifndef ATTNRES_TOOLS_RUN_COMPILERCOMMANDS_H
#define ATTNRES_TOOLS_RUN_COMPILERCOMMANDS_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addAttentionCheckCommand(CLI::App &app);
void addExplainCommand(CLI::App &app);
void addPropertiesCommand(CLI::App &app);

} // namespace attnres::run

#endif
