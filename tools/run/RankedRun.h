// A command as one of the processes of an MPI job: how it joins the others, and
// how all of them end when one does.
#ifndef ATTNRES_TOOLS_RUN_RANKEDRUN_H
#define ATTNRES_TOOLS_RUN_RANKEDRUN_H

#include "runtime/Program.h"
#include "runtime/distributed/MpiCommunicator.h"
#include "runtime/distributed/RankWatch.h"
#include "tools/run/Options.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace attnres::run {

/// An error that all ranks have found together, which says whose it is.
struct SharedError : CommandError {
  using CommandError::CommandError;
};

class RankedRun {
public:
  /// Runs `body`, as one of the ranks if this process is of an MPI job. When a
  /// rank fails, each of them prints one line with its number and the cause,
  /// and ends with exit code 1, wherever it is.
  void run(const std::function<void()> &body);

  /// Null outside of MPI jobs.
  runtime::Communicator *communicator() const { return ranks.get(); }
  int rank() const { return ranks ? ranks->rank() : 0; }
  int size() const { return ranks ? ranks->size() : 1; }
  bool isFirst() const { return rank() == 0; }
  /// On this machine.
  int ranksHere() const { return here; }
  /// "4 ranks, 2 on this machine, by Open MPI v4.1.4".
  std::string describe() const;

  /// Fails on all ranks when the fields of an object are not everywhere what
  /// they are on rank 0, and says which rank has what.
  void expectSame(const nlohmann::ordered_json &own) const;
  /// Calls `function` on rank 0 first, then on all others.
  void inTurn(const std::function<void()> &function) const;
  /// Gives all ranks the program that rank 0 has.
  void share(std::shared_ptr<const runtime::Program> &program) const;

private:
  void join();
  void leave();
  /// Prints the line, tells the others the cause, unless they know, and ends.
  [[noreturn]] void end(const std::string &line, const std::string &cause);

  std::unique_ptr<runtime::MpiCommunicator> ranks;
  std::unique_ptr<runtime::RankWatch> watch;
  int here = 1;
};

} // namespace attnres::run

#endif
