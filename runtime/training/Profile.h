// Where the time of some training steps goes, launch by launch.
#ifndef ATTNRES_RUNTIME_TRAINING_PROFILE_H
#define ATTNRES_RUNTIME_TRAINING_PROFILE_H

#include "runtime/Program.h"
#include "runtime/device/Device.h"
#include "support/Status.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

class Profile {
public:
  /// One run of a program, in the order of time.
  struct Run {
    std::shared_ptr<const Program> program;
    std::vector<LaunchTime> launches;
  };

  /// All launches of one kernel.
  struct Kernel {
    std::string name;
    int64_t launches = 0;
    double seconds = 0;
    double flops = 0, bytes = 0; ///< as the compiler counted
  };

  void add(Run run) { runs.push_back(std::move(run)); }
  bool empty() const { return runs.empty(); }

  /// By kernel, in the order of their names.
  std::vector<Kernel> kernels() const;
  /// Seconds from the first launch to the last in every run, and those in
  /// which no kernel ran.
  double seconds() const;
  double gapSeconds() const;

  /// A trace in the format of Chrome and Perfetto: one event per launch with
  /// the number of its launch, flops and bytes, in microseconds.
  Status writeTrace(const std::string &path) const;

private:
  std::vector<Run> runs;
};

} // namespace attnres::runtime
#endif
