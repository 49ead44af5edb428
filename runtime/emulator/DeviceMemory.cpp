// Global memory of the emulated device.

#include "runtime/emulator/DeviceMemory.h"

#include "runtime/emulator/Program.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

constexpr uint64_t alignment = 256;

} // namespace

Result<uint64_t> DeviceMemory::allocate(uint64_t bytes, bool readOnly) {
  if (bytes > uint64_t(1) << 38)
    return invalidArgument(fmt::format("cannot allocate {} bytes", bytes));
  auto allocation = std::make_unique<Allocation>();
  allocation->base = nextAddress;
  allocation->size = bytes;
  allocation->readOnly = readOnly;
  allocation->data = LazyBytes(bytes);
  allocation->init = LazyBytes(bytes);
  if (!allocation->data.data() || !allocation->init.data() ||
      !allocation->writes.reset(bytes) || !allocation->reads.reset(bytes))
    return invalidArgument(fmt::format("out of memory for {} bytes", bytes));
  // A gap after every allocation, so that running over its end is seen.
  nextAddress += (bytes + alignment - 1) / alignment * alignment + alignment;
  if (nextAddress >= kSharedWindow)
    return invalidArgument("device addresses are used up");
  live += bytes;
  allocations.push_back(std::move(allocation));
  return allocations.back()->base;
}

Status DeviceMemory::release(uint64_t address) {
  Allocation *allocation = find(address);
  if (!allocation || allocation->base != address)
    return invalidArgument(
        fmt::format("free of {:#x}, which is not an allocation", address));
  if (allocation->freed)
    return invalidArgument(fmt::format("{:#x} is freed twice", address));
  if (allocation->isHeap)
    return invalidArgument(
        fmt::format("{:#x} is memory that a kernel allocated", address));
  allocation->freed = true;
  live -= allocation->size;
  drop(*allocation);
  return {};
}

void DeviceMemory::drop(Allocation &allocation) {
  allocation.data = LazyBytes();
  allocation.init = LazyBytes();
  allocation.writes.reset(0);
  allocation.reads.reset(0);
}

uint64_t DeviceMemory::allocateOnHeap(uint64_t bytes, uint64_t limit) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  uint64_t charged = (std::max<uint64_t>(bytes, 1) + 15) / 16 * 16;
  if (bytes > limit || charged > limit - std::min(limit, liveOnHeap))
    return 0;
  Result<uint64_t> address = allocate(bytes);
  if (!address.ok())
    return 0;
  liveOnHeap += charged;
  allocations.back()->isHeap = true;
  return *address;
}

Status DeviceMemory::releaseOnHeap(uint64_t address) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  Allocation *allocation = lookUp(address);
  if (!allocation || !allocation->isHeap || allocation->base != address)
    return invalidArgument("free of what malloc has not given");
  if (allocation->freed.exchange(true))
    return invalidArgument("memory is freed twice");
  live -= allocation->size;
  liveOnHeap -= (std::max<uint64_t>(allocation->size, 1) + 15) / 16 * 16;
  freedOnHeap.push_back(allocation);
  return {};
}

void DeviceMemory::endHeap() {
  isShared = false;
  for (Allocation *allocation : freedOnHeap)
    drop(*allocation);
  freedOnHeap.clear();
}

Allocation *DeviceMemory::find(uint64_t address) const {
  if (!isShared)
    return lookUp(address);
  std::shared_lock<std::shared_mutex> lock(mutex);
  return lookUp(address);
}

Allocation *DeviceMemory::lookUp(uint64_t address) const {
  auto after = std::upper_bound(
      allocations.begin(), allocations.end(), address,
      [](uint64_t value, const std::unique_ptr<Allocation> &allocation) {
        return value < allocation->base;
      });
  if (after == allocations.begin())
    return nullptr;
  Allocation *allocation = std::prev(after)->get();
  return address < allocation->base + allocation->size + alignment ? allocation
                                                                   : nullptr;
}

Result<Allocation *> DeviceMemory::range(uint64_t address,
                                         uint64_t bytes) const {
  Allocation *allocation = find(address);
  if (!allocation)
    return invalidArgument(
        fmt::format("{:#x} is not in an allocation", address));
  if (allocation->freed)
    return invalidArgument(fmt::format("{:#x} has been freed", address));
  uint64_t offset = address - allocation->base;
  if (offset > allocation->size || bytes > allocation->size - offset)
    return invalidArgument(fmt::format(
        "{} bytes at {:#x} pass the end of an allocation of {} bytes", bytes,
        address, allocation->size));
  return allocation;
}

Status DeviceMemory::write(uint64_t address, const void *source,
                           uint64_t bytes) {
  if (bytes == 0)
    return {};
  Result<Allocation *> found = range(address, bytes);
  if (!found.ok())
    return found.status();
  uint64_t offset = address - (*found)->base;
  std::memcpy((*found)->data.data() + offset, source, bytes);
  std::memset((*found)->init.data() + offset, 1, bytes);
  return {};
}

Status DeviceMemory::fill(uint64_t address, uint8_t value, uint64_t bytes) {
  if (bytes == 0)
    return {};
  Result<Allocation *> found = range(address, bytes);
  if (!found.ok())
    return found.status();
  uint64_t offset = address - (*found)->base;
  std::memset((*found)->data.data() + offset, value, bytes);
  std::memset((*found)->init.data() + offset, 1, bytes);
  return {};
}

Status DeviceMemory::read(uint64_t address, void *destination, uint64_t bytes) {
  if (bytes == 0)
    return {};
  Result<Allocation *> found = range(address, bytes);
  if (!found.ok())
    return found.status();
  std::memcpy(destination, (*found)->data.data() + (address - (*found)->base),
              bytes);
  return {};
}

void DeviceMemory::clearRaceShadow() {
  for (const std::unique_ptr<Allocation> &allocation : allocations) {
    allocation->writes.clear();
    allocation->reads.clear();
  }
}

} // namespace attnres::emulator
