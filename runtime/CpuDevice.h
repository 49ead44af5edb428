// Runs compiled programs on the processor.
#ifndef ATTNRES_RUNTIME_CPUDEVICE_H
#define ATTNRES_RUNTIME_CPUDEVICE_H

#include "runtime/AlignedBuffer.h"
#include "runtime/CpuFeatures.h"
#include "runtime/ObjectLoader.h"
#include "runtime/Program.h"
#include "runtime/ThreadPool.h"
#include "support/Status.h"

#include "runtime/include/attnres_kernel.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// When one launch of a program ran.
struct LaunchTime {
  int64_t launch; ///< index in the program
  std::chrono::steady_clock::time_point begin, end;

  double seconds() const {
    return std::chrono::duration<double>(end - begin).count();
  }
};

struct CpuOptions {
  int threads = 0; ///< 0: defaultThreadCount()
  /// What programs may use; less than the machine has is a way to test.
  CpuFeatures features = CpuFeatures::detect();
};

/// What executables share: the threads, and the memory of intermediate results,
/// as large as the largest of them needs. They run one at a time. One device
/// per process is enough; it must outlive its executables.
class CpuDevice {
public:
  explicit CpuDevice(const CpuOptions &options = {});

  const CpuFeatures &features() const { return features_; }
  ThreadPool &threads() { return threads_; }

  /// Makes the workspace at least that large, and the scratch memory of every
  /// thread. What they hold is lost when they grow.
  Status reserve(size_t workspaceBytes, size_t scratchBytes);
  const AlignedBuffer &workspace() const { return workspace_; }
  const AlignedBuffer &scratch(int thread) const {
    return scratch_[static_cast<size_t>(thread)];
  }

private:
  CpuFeatures features_;
  ThreadPool threads_;
  AlignedBuffer workspace_;
  std::vector<AlignedBuffer> scratch_; // per thread
};

/// A program ready to run: its code and constants in memory, and the tensors
/// bound to it. Used by one thread at a time.
class Executable {
public:
  /// Tensors start at multiples of this.
  static constexpr int64_t alignment = 64;

  /// Fails when the program is invalid, needs instructions that the device
  /// lacks, or its code cannot be loaded.
  static Result<std::unique_ptr<Executable>>
  create(CpuDevice &device, std::shared_ptr<const Program> program);

  const Program &program() const { return *program_; }

  /// Binds memory of exactly the binding's size, aligned as above, which the
  /// caller keeps alive while the executable runs. An output that updates an
  /// input in place has no memory of its own and cannot be bound. Binding
  /// again replaces.
  Status bind(int64_t binding, void *data, int64_t bytes);
  Status bind(std::string_view name, Direction role, void *data,
              int64_t bytes);

  struct RunOptions {
    /// Fills workspace, scratch and outputs with NaNs first, so that reading
    /// what nothing wrote, or not writing a result, shows. For tests.
    bool poison = false;
    /// When set, gets one entry appended for each launch that is executed.
    std::vector<LaunchTime> *launchTimes = nullptr;
    /// The launches to execute, [begin, end); a negative end means all. What
    /// earlier launches left for them lasts until another executable of the
    /// device is created or runs.
    int64_t begin = 0, end = -1;
  };

  /// Executes the launches in order. Fails when a binding has no memory or an
  /// input an element outside its limits; nothing is written then. The results
  /// do not depend on the number of threads.
  Status run(const RunOptions &options);
  Status run() { return run({}); }

private:
  Executable(CpuDevice &device, std::shared_ptr<const Program> program)
      : device(device), program_(std::move(program)) {}

  struct ResolvedLaunch {
    attnres_kernel_fn function;
    int64_t grid;
    void *const *args; // into `addresses`
  };

  Status loadCode();
  Status allocate();
  Status resolve();
  void *addressOf(const Arg &arg) const;
  void poisonMemory();

  CpuDevice &device;
  std::shared_ptr<const Program> program_;
  std::vector<LoadedObject> code; // per object
  AlignedBuffer constants;
  std::vector<attnres_kernel_fn> functions; // per kernel
  std::vector<void *> bound;                // per binding
  bool resolved = false;
  std::byte *resolvedWorkspace = nullptr;
  // What `resolve` computes from the bindings and the workspace: the arguments
  // of all launches one after the other, then the elements of all lists.
  std::vector<void *> addresses;
  std::vector<attnres_list> lists;
  std::vector<ResolvedLaunch> launches;
};

} // namespace attnres::runtime
#endif
