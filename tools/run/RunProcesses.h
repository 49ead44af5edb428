// Other processes of this program, some at a time.
#ifndef ATTNRES_TOOLS_RUN_RUNPROCESSES_H
#define ATTNRES_TOOLS_RUN_RUNPROCESSES_H

#include "support/Status.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attnres::run {

/// A process to come: this program with `arguments`.
struct RunProcess {
  std::string name; ///< before each line that it prints
  std::vector<std::string> arguments;
};

struct ProcessEnd {
  int exitCode = 0; ///< 128 + N when a signal N ended it
  std::string lastLine;
};

/// Starts the processes in order, `jobs` of them at a time, and returns when
/// all have ended. Each line that one prints, to standard output or standard
/// error, goes to `print` behind its name. When a signal asks this process to
/// end (see runtime::catchInterrupts), the others are asked too, and no more
/// are started: the result is as long as what was started, in order. They are
/// asked also when this process dies.
Result<std::vector<ProcessEnd>>
runProcesses(const std::vector<RunProcess> &processes, int64_t jobs,
             const std::function<void(const std::string &line)> &print);

} // namespace attnres::run

#endif
