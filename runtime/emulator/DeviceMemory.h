// Global memory: allocations with device addresses of their own, the bytes, and
// shadow memory for the checks. Addresses are never given out twice, so a use
// after free is always recognized.

#ifndef ATTNRES_RUNTIME_EMULATOR_DEVICEMEMORY_H
#define ATTNRES_RUNTIME_EMULATOR_DEVICEMEMORY_H

#include "runtime/emulator/ShadowMemory.h"
#include "support/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace attnres::emulator {

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  std::atomic<bool> freed{false};
  bool readOnly = false;
  bool isHeap = false;
  LazyBytes data;
  /// One byte per byte: 1 once it has been written.
  LazyBytes init;
  /// What the race check remembers of writes and reads.
  AccessLists writes;
  AccessLists reads;
};

class DeviceMemory {
public:
  Result<uint64_t> allocate(uint64_t bytes, bool readOnly = false);
  Status release(uint64_t address);
  /// Host access to a device range; marks writes as initialized.
  Status write(uint64_t address, const void *source, uint64_t bytes);
  Status fill(uint64_t address, uint8_t value, uint64_t bytes);
  Status read(uint64_t address, void *destination, uint64_t bytes);

  /// The allocation that `address` lies in (or the padding right after), live
  /// or freed; null when there is none.
  Allocation *find(uint64_t address) const;
  void clearRaceShadow();
  uint64_t liveBytes() const { return live; }

  // malloc and free of kernels, which several host threads may call. Between
  // these two, `find` may run beside them, and what is freed keeps its bytes.
  void beginHeap() { isShared = true; }
  void endHeap();
  /// Address of the new allocation; 0: the live ones would have more than
  /// `limit` bytes.
  uint64_t allocateOnHeap(uint64_t bytes, uint64_t limit);
  Status releaseOnHeap(uint64_t address);

private:
  Result<Allocation *> range(uint64_t address, uint64_t bytes) const;
  Allocation *lookUp(uint64_t address) const;
  static void drop(Allocation &allocation);

  std::vector<std::unique_ptr<Allocation>> allocations; // by address
  uint64_t nextAddress = uint64_t(1) << 32;
  uint64_t live = 0;
  uint64_t liveOnHeap = 0;
  bool isShared = false;
  mutable std::shared_mutex mutex;
  std::vector<Allocation *> freedOnHeap;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_DEVICEMEMORY_H
