// attnres-run: compiles and runs attention-residual language models.
// Exit codes: 0 success, 1 bad data or a failed command, 2 bad usage, 128 + N
// ended by signal N.
#include "runtime/emulator/Command.h"
#include "support/PendingFiles.h"
#include "support/Streams.h"
#include "support/machine/Isa.h"
#include "tools/compile/MemoryEstimate.h"
#include "tools/run/Commands.h"
#include "tools/run/CompilerCommands.h"
#include "tools/run/Options.h"
#include "tools/run/UsageError.h"

#include <cstring>
#include <iostream>

static int runCommand(int argc, char **argv) {
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    std::cerr << "attnres-run: " << error << '\n';
    return 2;
  }
  // The emulator parses its own options.
  if (argc > 1 && std::strcmp(argv[1], "emulate") == 0)
    return attnres::emulator::runEmulateCommand(argc - 1, argv + 1);
  CLI::App app{"compiles and runs attention-residual language models",
               "attnres-run"};
  app.set_version_flag("--version",
                       "attnres-run " ATTNRES_VERSION ", LLVM " LLVM_VERSION,
                       "Print the versions of this program and of LLVM");
  app.require_subcommand(1);
  attnres::run::addTrainCommand(app);
  attnres::run::addExperimentCommand(app);
  attnres::run::addEvalCommand(app);
  attnres::run::addGenerateCommand(app);
  attnres::run::addScoreCommand(app);
  attnres::run::addForwardCommand(app);
  attnres::run::addGradientsCommand(app);
  attnres::run::addModelCommand(app);
  attnres::run::addPlanCommand(app);
  attnres::run::addExplainCommand(app);
  attnres::run::addCompileCommand(app);
  attnres::run::addRunCommand(app);
  attnres::run::addBenchCommand(app);
  attnres::run::addAttentionCheckCommand(app);
  attnres::run::addPropertiesCommand(app);
  attnres::run::addConfigCommand(app);
  attnres::run::addInspectCommand(app);
  attnres::run::addReportCommand(app);
  attnres::run::addTokenizerCommand(app);
  attnres::run::addImportCommand(app);
  attnres::run::addExportCommand(app);
  app.add_subcommand("emulate", "execute a kernel of a PTX file, with checks");
  app.footer("`attnres-run SUBCOMMAND --help` describes a subcommand.");
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success &request) { // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError &error) {
    std::cerr << "attnres-run: "
              << attnres::run::describeUsageError(app, argc, argv, error)
              << '\n';
    return 2;
  } catch (const attnres::run::Interrupted &interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::exception &error) {
    std::cerr << "attnres-run: " << error.what() << '\n';
    return 1;
  }
}

int main(int argc, char **argv) {
  attnres::openStandardStreams();
  attnres::removePendingFilesOnSignals();
  attnres::endWithoutMemoryInOneLine("attnres-run");
  return attnres::closeStandardOutput("attnres-run", runCommand(argc, argv));
}
