// The emulated device: load PTX, allocate, copy, launch, read findings and
// counters. No function throws; errors are one clear line.

#ifndef ATTNRES_RUNTIME_EMULATOR_DEVICE_H
#define ATTNRES_RUNTIME_EMULATOR_DEVICE_H

#include "runtime/emulator/Counters.h"
#include "runtime/emulator/Findings.h"
#include "runtime/emulator/TensorMap.h"
#include "support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::emulator {

struct DeviceOptions {
  /// Host threads that execute blocks; 0: one per core. Results do not depend
  /// on it.
  unsigned threads = 0;
  /// Checks beyond bounds and alignment, which are always on.
  bool checkInitialized = true;
  bool checkRaces = true;
  bool checkRegisters = true;
  /// Report writes that race but leave the same value, too.
  bool checkSameValue = false;
  /// Execute warps and blocks in an order drawn from this seed (0: in order).
  uint64_t shuffleSeed = 0;
  /// Move results of .approx instructions within their documented error.
  bool perturbApproximations = false;
  uint32_t perturbSeed = 1;
  /// Execute at most so many clusters of blocks of a launch, evenly spaced over
  /// the grid, for what the others cost as well (0: all). Results are nothing.
  uint64_t sampledClusters = 0;
  /// Stop a kernel when a warp has executed so many instructions (0: never).
  uint64_t instructionLimit = uint64_t(1) << 34;
  /// The stack of a thread that recursive functions have, and what malloc of
  /// all kernels may give out: the defaults of CUDA.
  uint32_t stackBytes = 1024;
  uint64_t heapBytes = uint64_t(8) << 20;

  void setChecks(bool on) {
    checkInitialized = checkRaces = checkRegisters = on;
  }
};

struct LaunchConfig {
  Dim3 grid, block;
  /// Blocks per cluster; {0,0,0}: what the kernel requires, or one.
  Dim3 cluster{0, 0, 0};
  uint32_t dynamicSharedBytes = 0;
  /// Blocks of the grid may wait for each other (cooperative groups).
  bool cooperative = false;
};

/// What a kernel's parameter list looks like.
struct KernelParameter {
  std::string name;
  uint32_t bytes = 0;
  Type type = Type::None;
};

class Device {
public:
  explicit Device(DeviceOptions options = {});
  ~Device();
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;

  /// Adds the kernels and variables of a PTX text. Every instruction is checked
  /// here: an unknown one is an error with its line. The kernels are known by
  /// `prefix` and their names, so that modules may have kernels of one name.
  Status loadModule(std::string_view ptx, const std::string &prefix = "");
  std::vector<std::string> kernels() const;
  Result<std::vector<KernelParameter>>
  parameters(const std::string &kernel) const;

  /// Device memory, aligned to 256 bytes, contents never written (reads are
  /// findings). The caller frees it.
  Result<uint64_t> allocate(uint64_t bytes);
  Status free(uint64_t address);
  Status copyToDevice(uint64_t destination, const void *source, uint64_t bytes);
  Status copyToHost(void *destination, uint64_t source, uint64_t bytes);
  Status fill(uint64_t destination, uint8_t value, uint64_t bytes);
  /// Address and size of a module-level .global or .const variable.
  Result<std::pair<uint64_t, uint64_t>> variable(const std::string &name) const;

  /// Executes a kernel to its end. `arguments` has one pointer per parameter,
  /// to as many bytes as the parameter has. Fails when the launch is impossible
  /// or the kernel had to be stopped; findings do not make it fail.
  Status launch(const std::string &kernel, const LaunchConfig &config,
                const std::vector<const void *> &arguments);

  /// Findings of all launches since the last clear.
  const std::vector<Finding> &findings() const;
  void clearFindings();
  /// Counters of the last launch.
  const Counters &counters() const;
  /// Executions of each PTX line of the last launch: (line, warp instructions).
  std::vector<std::pair<uint32_t, uint64_t>> lineCounts() const;
  /// What printf wrote since the last call.
  std::string takeOutput();
  /// The level of the host's instruction set in use.
  static const char *hostLevel();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_DEVICE_H
