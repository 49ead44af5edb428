// The subcommands of attnres-exec: what can be done with compiled programs on a
// machine that has no compiler. Each adds itself to the application and runs as
// its callback; one that fails throws a CommandError.
#ifndef ATTNRES_TOOLS_EXEC_COMMANDS_H
#define ATTNRES_TOOLS_EXEC_COMMANDS_H

#include "support/ExactNumbers.h"

namespace attnres::exec {

void addBenchCommand(CLI::App &app);
void addCompareCommand(CLI::App &app);
void addEvalCommand(CLI::App &app);
void addGenerateCommand(CLI::App &app);
void addInfoCommand(CLI::App &app);
void addRunCommand(CLI::App &app);
void addTrainCommand(CLI::App &app);

} // namespace attnres::exec

#endif
