// The processes of a job that an MPI started: by `mpirun`, or by Slurm's
// `srun --mpi=...`.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_MPICOMMUNICATOR_H
#define ATTNRES_RUNTIME_DISTRIBUTED_MPICOMMUNICATOR_H

#include "runtime/distributed/Communicator.h"

#include <memory>

namespace attnres::runtime {

/// Whether this process is one of an MPI job, by what those who start such jobs
/// leave in the environment.
bool isMpiProcess();
/// Removes that, for programs that this process becomes.
void leaveMpiJob();

class MpiCommunicator : public Communicator {
public:
  /// Loads libattnres_mpi.so, which lies in ../lib beside the program or where
  /// the system looks, and joins the job. Once in a process.
  static Result<std::unique_ptr<MpiCommunicator>> join();

  /// Leaves the job, which every rank has to. Without it the job ends as one
  /// that failed.
  virtual Status leave() = 0;
  /// The implementation, for people: "Open MPI v4.1.4".
  virtual std::string library() const = 0;

protected:
  using Communicator::Communicator;
};

} // namespace attnres::runtime
#endif
