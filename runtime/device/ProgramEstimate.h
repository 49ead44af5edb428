// What the kernels of a program would cost on a GPU: a few blocks of each are
// executed by the emulator, on memory that holds zeros, and counted.
#ifndef ATTNRES_RUNTIME_DEVICE_PROGRAMESTIMATE_H
#define ATTNRES_RUNTIME_DEVICE_PROGRAMESTIMATE_H

#include "runtime/Program.h"
#include "runtime/emulator/Estimate.h"
#include "support/Status.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// One kernel in all its launches together.
struct KernelEstimate {
  std::string name;
  int64_t launches = 0;
  emulator::Estimate estimate; ///< sums over the launches
  double seconds = 0;          ///< each launch by what bounds it
  double tensorBytes = 0;      ///< of all launches
  /// Of the counted blocks.
  uint64_t sharedPasses = 0, bankConflicts = 0;
  Dimensions grid, block;
  int64_t sharedBytes = 0;

  /// The least time that moving its tensors takes, over the time.
  double memoryShare() const {
    return seconds > 0 ? estimate.of(emulator::Resource::Memory) / seconds : 0;
  }
};

struct ProgramEstimate {
  std::vector<KernelEstimate> kernels; ///< those that take longest first
  double seconds = 0;                  ///< of all launches
};

struct EstimateOptions {
  /// Blocks, or clusters of blocks, of each launch that are executed.
  int64_t samples = 4;
  int threads = 0; ///< 0: one for each core
  /// Bytes that all launches of a kernel read and write, by its name; others
  /// have those of their largest launch every time.
  std::map<std::string, double> bytes = {};
};

/// Of a program for `gpu`. What a kernel does must not depend on the values
/// that it reads, or is counted for zeros.
Result<ProgramEstimate> estimateProgram(std::shared_ptr<const Program> program,
                                        const machine::GpuSheet &gpu,
                                        const EstimateOptions &options);

} // namespace attnres::runtime
#endif
