// The subcommands of attnres-run: each adds itself to the application and runs
// as its callback. A command that fails throws CommandError.
#ifndef ATTNRES_TOOLS_RUN_COMMANDS_H
#define ATTNRES_TOOLS_RUN_COMMANDS_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addBenchCommand(CLI::App &app);
void addCompileCommand(CLI::App &app);
void addConfigCommand(CLI::App &app);
void addEvalCommand(CLI::App &app);
void addExperimentCommand(CLI::App &app);
void addExportCommand(CLI::App &app);
void addForwardCommand(CLI::App &app);
void addGenerateCommand(CLI::App &app);
void addGradientsCommand(CLI::App &app);
void addImportCommand(CLI::App &app);
void addInspectCommand(CLI::App &app);
void addModelCommand(CLI::App &app);
void addPlanCommand(CLI::App &app);
void addReportCommand(CLI::App &app);
void addRunCommand(CLI::App &app);
void addScoreCommand(CLI::App &app);
void addTokenizerCommand(CLI::App &app);
void addTrainCommand(CLI::App &app);

} // namespace attnres::run

#endif
