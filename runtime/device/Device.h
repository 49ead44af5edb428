// What runs compiled programs: memory, copies, and programs that are loaded.
// A processor, an emulated GPU and later a real one all answer this interface;
// training, evaluation and generation know no other.
#ifndef ATTNRES_RUNTIME_DEVICE_DEVICE_H
#define ATTNRES_RUNTIME_DEVICE_DEVICE_H

#include "runtime/AlignedBuffer.h"
#include "runtime/Program.h"
#include "runtime/Safetensors.h"
#include "support/Status.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnres::runtime {

class Device;

/// A range of a device's memory, which someone else owns. The address means
/// something to its device alone.
struct DeviceMemory {
  uint64_t address = 0;
  int64_t bytes = 0;

  /// `count` bytes from `offset` on, which have to lie inside.
  DeviceMemory part(int64_t offset, int64_t count) const {
    return {address + static_cast<uint64_t>(offset), count};
  }
};

/// Memory that a device gave out. Must not outlive the device.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceMemory memory, std::shared_ptr<void> owner)
      : memory_(memory), owner(std::move(owner)) {}

  DeviceMemory memory() const { return memory_; }
  int64_t bytes() const { return memory_.bytes; }

private:
  DeviceMemory memory_;
  std::shared_ptr<void> owner;
};

/// A named tensor in memory of a device that someone else owns.
struct DeviceTensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape; ///< empty for a scalar
  DeviceMemory memory;
};

/// What the host does with memory that it maps.
enum class Access {
  Read,
  Write, ///< all of it; what it held is lost
};

/// A range of a device's memory as the host sees it: the memory itself where
/// host and device share it, else a copy.
class HostMapping {
public:
  HostMapping() = default;
  /// The memory itself.
  explicit HostMapping(void *shared) : data_(shared) {}
  HostMapping(Device &device, DeviceMemory memory, Access access,
              AlignedBuffer copy)
      : data_(copy.data()), device(&device), memory(memory), access(access),
        copy(std::move(copy)) {}

  void *data() const { return data_; }
  template <typename T>
  T *as() const {
    return static_cast<T *>(data_);
  }

  /// Brings what was written to the device; data() ends.
  Status unmap();

private:
  void *data_ = nullptr;
  Device *device = nullptr; ///< null where the memory is shared
  DeviceMemory memory;
  Access access = Access::Read;
  AlignedBuffer copy;
};

/// When one launch of a program ran.
struct LaunchTime {
  int64_t launch; ///< index in the program
  std::chrono::steady_clock::time_point begin, end;

  double seconds() const {
    return std::chrono::duration<double>(end - begin).count();
  }
};

/// Something that a device counted, such as bytes read by its kernels.
struct DeviceCounter {
  std::string name;
  int64_t value = 0;
};

/// A program ready to run: its code and constants on a device, and the tensors
/// bound to it. Used by one thread at a time.
class Executable {
public:
  /// What devices give out starts at multiples of this.
  static constexpr int64_t alignment = 64;

  virtual ~Executable() = default;

  const Program &program() const { return *program_; }

  /// Binds memory of the binding's size, aligned as kernels want it, which the
  /// caller keeps alive while the executable runs. An output that updates an
  /// input in place has no memory of its own and cannot be bound. Binding
  /// again replaces.
  Status bind(int64_t binding, DeviceMemory memory);
  Status bind(std::string_view name, Direction direction, DeviceMemory memory);

  /// From now on intermediate results are in this memory, at least as large as
  /// the program says, in place of that of the device: what a run left there
  /// lasts whatever else runs. The caller keeps it alive.
  void setWorkspace(DeviceMemory memory);

  struct RunOptions {
    /// Fills workspace, scratch and outputs with NaNs first, so that reading
    /// what nothing wrote, or not writing a result, shows. For tests.
    bool poison = false;
    /// When set, gets one entry appended for each launch that is executed.
    std::vector<LaunchTime> *launchTimes = nullptr;
    /// The launches to execute, [begin, end); a negative end means all. What
    /// earlier launches left for them lasts until another executable of the
    /// device is created or runs, unless setWorkspace() was called.
    int64_t begin = 0, end = -1;
  };

  /// Executes the launches in order and waits for the last. Fails when a
  /// binding has no memory or an input an element outside its limits; nothing
  /// is written then. The results do not depend on the number of threads.
  Status run(const RunOptions &options);
  Status run() { return run({}); }

protected:
  static constexpr uint8_t poisonByte = 0xff; // a NaN in every float format

  Executable(Device &device, std::shared_ptr<const Program> program)
      : device(device), program_(std::move(program)),
        bound(program_->bindings.size()) {}

  /// Makes arguments of the addresses; called before the first run and after
  /// every change of bindings or workspace.
  virtual Status resolve() = 0;
  /// Executes launches [begin, end), which exist.
  virtual Status execute(size_t begin, size_t end,
                         std::vector<LaunchTime> *times) = 0;
  /// Fills memory that launches use besides bindings and workspace.
  virtual Status poisonScratch() = 0;

  /// Where the argument lies, which is no list; constants begin at the given
  /// address. Empty memory has the address 0.
  uint64_t addressOf(const Arg &arg, uint64_t constants) const;

private:
  /// Where intermediate results are.
  DeviceMemory workspace() const;
  Status prepare();
  Status poisonMemory();
  Status checkLimits() const;

protected:
  Device &device;

private:
  std::shared_ptr<const Program> program_;
  std::vector<DeviceMemory> bound; // per binding
  DeviceMemory ownWorkspace;       // nothing: that of the device
  uint64_t resolvedWorkspace = 0;  // that arguments were resolved for
  bool resolved = false;
};

/// Owns the memory of intermediate results, as large as the largest of its
/// executables needs: they run one at a time. Must outlive its executables and
/// buffers.
class Device {
public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// For people: "cpu (avx2, 4 threads)".
  virtual std::string name() const = 0;

  /// Fails when programs for `target` do not run here, and says which do.
  virtual Status expectTarget(const std::string &target) const = 0;

  /// Zeroed memory at a multiple of Executable::alignment.
  virtual Result<DeviceBuffer> allocate(int64_t bytes) = 0;
  virtual Status upload(DeviceMemory to, const void *from) = 0;
  virtual Status download(void *to, DeviceMemory from) = 0;
  /// Between ranges of the same size that do not overlap.
  virtual Status copy(DeviceMemory to, DeviceMemory from) = 0;
  virtual Status fill(DeviceMemory to, uint8_t value) = 0;

  /// Host memory as memory of the device, without copying it; nothing where
  /// that is not possible, or its address no multiple of
  /// Executable::alignment. The caller keeps it alive.
  virtual std::optional<DeviceMemory> borrow(void *data, int64_t bytes) {
    (void)data, (void)bytes;
    return std::nullopt;
  }

  virtual Result<HostMapping> map(DeviceMemory memory, Access access);

  /// Fails when the program is invalid, for another kind of device, or its code
  /// cannot be loaded.
  Result<std::unique_ptr<Executable>>
  load(std::shared_ptr<const Program> program);

  /// Of all launches since the device was made; nothing when it does not count.
  virtual std::vector<DeviceCounter> counters() const { return {}; }

  DeviceMemory workspace() const { return workspace_.memory(); }

protected:
  /// Memory whose contents do not matter.
  virtual Result<DeviceBuffer> allocateWorkspace(int64_t bytes) {
    return allocate(bytes);
  }
  /// The program is valid and its target not looked at.
  virtual Result<std::unique_ptr<Executable>>
  create(std::shared_ptr<const Program> program) = 0;

private:
  DeviceBuffer workspace_;
};

/// Some tensors of a device as the host sees them.
struct MappedTensors {
  std::vector<TensorView> tensors;
  std::vector<HostMapping> mappings; ///< of each

  Status unmap();
};

Result<MappedTensors> mapTensors(Device &device,
                                 const std::vector<DeviceTensor> &tensors,
                                 Access access);

/// The memory itself, where the host shares it; an error elsewhere.
Result<void *> hostAddress(Device &device, DeviceMemory memory);

/// The one element of a tensor of type T.
template <typename T>
Result<T> downloadScalar(Device &device, DeviceMemory memory) {
  T value;
  if (Status status = device.download(&value, memory); !status.ok())
    return status;
  return value;
}

} // namespace attnres::runtime
#endif
