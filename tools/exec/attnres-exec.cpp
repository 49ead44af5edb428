// attnres-exec: runs compiled language models where there is no compiler.
// Exit codes: 0 success, 1 bad data or a failed command, 2 bad usage, 128 + N
// ended by signal N.
#include "support/PendingFiles.h"
#include "support/Streams.h"
#include "support/machine/Isa.h"
#include "tools/exec/Commands.h"
#include "tools/run/CommandError.h"
#include "tools/run/UsageError.h"

#include <iostream>

static int runCommand(int argc, char **argv) {
  using namespace attnres;
  if (const auto &error = machine::hostIsa().error; !error.empty()) {
    std::cerr << "attnres-exec: " << error << '\n';
    return 2;
  }
  CLI::App app{"runs compiled attention-residual language models",
               "attnres-exec"};
  app.set_version_flag("--version", "attnres-exec " ATTNRES_VERSION,
                       "Print the version");
  app.require_subcommand(1);
  exec::addTrainCommand(app);
  exec::addEvalCommand(app);
  exec::addGenerateCommand(app);
  exec::addRunCommand(app);
  exec::addCompareCommand(app);
  exec::addBenchCommand(app);
  exec::addInfoCommand(app);
  app.footer("`attnres-exec SUBCOMMAND --help` describes a subcommand.");
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success &request) { // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError &error) {
    std::cerr << "attnres-exec: "
              << run::describeUsageError(app, argc, argv, error) << '\n';
    return 2;
  } catch (const run::Interrupted &interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::exception &error) {
    std::cerr << "attnres-exec: " << error.what() << '\n';
    return 1;
  }
}

int main(int argc, char **argv) {
  attnres::openStandardStreams();
  attnres::removePendingFilesOnSignals();
  return attnres::closeStandardOutput("attnres-exec", runCommand(argc, argv));
}
