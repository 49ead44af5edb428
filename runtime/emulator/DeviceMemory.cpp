// Global memory of the emulated device.

#include "runtime/emulator/DeviceMemory.h"

#include "runtime/emulator/Program.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace attnres::emulator {
namespace {

constexpr uint64_t alignment = 256;

} // namespace

LazyBytes::LazyBytes(uint64_t count) : size(std::max<uint64_t>(count, 1)) {
  void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bytes = mapped == MAP_FAILED ? nullptr : static_cast<uint8_t *>(mapped);
}

LazyBytes::~LazyBytes() {
  if (bytes)
    munmap(bytes, size);
}

LazyBytes::LazyBytes(LazyBytes &&other) noexcept
    : bytes(std::exchange(other.bytes, nullptr)), size(other.size) {}

LazyBytes &LazyBytes::operator=(LazyBytes &&other) noexcept {
  std::swap(bytes, other.bytes);
  std::swap(size, other.size);
  return *this;
}

void LazyBytes::clear() {
  if (bytes)
    madvise(bytes, size, MADV_DONTNEED);
}

Result<uint64_t> DeviceMemory::allocate(uint64_t bytes, bool readOnly) {
  if (bytes > uint64_t(1) << 38)
    return Status::error(fmt::format("cannot allocate {} bytes", bytes));
  auto allocation = std::make_unique<Allocation>();
  allocation->base = nextAddress;
  allocation->size = bytes;
  allocation->readOnly = readOnly;
  allocation->data = LazyBytes(bytes);
  allocation->init = LazyBytes(bytes);
  allocation->writes = LazyBytes(bytes * 4);
  allocation->reads = LazyBytes(bytes * 4);
  if (!allocation->data.data() || !allocation->init.data() ||
      !allocation->writes.data() || !allocation->reads.data())
    return Status::error(fmt::format("out of memory for {} bytes", bytes));
  // A gap after every allocation, so that running over its end is seen.
  nextAddress += (bytes + alignment - 1) / alignment * alignment + alignment;
  if (nextAddress >= kSharedWindow)
    return Status::error("device addresses are used up");
  live += bytes;
  allocations.push_back(std::move(allocation));
  return allocations.back()->base;
}

Status DeviceMemory::release(uint64_t address) {
  Allocation *allocation = find(address);
  if (!allocation || allocation->base != address)
    return Status::error(
        fmt::format("free of {:#x}, which is not an allocation", address));
  if (allocation->freed)
    return Status::error(fmt::format("{:#x} is freed twice", address));
  allocation->freed = true;
  live -= allocation->size;
  allocation->data = LazyBytes();
  allocation->init = LazyBytes();
  allocation->writes = LazyBytes();
  allocation->reads = LazyBytes();
  return {};
}

Allocation *DeviceMemory::find(uint64_t address) const {
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
    return Status::error(fmt::format("{:#x} is not in an allocation", address));
  if (allocation->freed)
    return Status::error(fmt::format("{:#x} has been freed", address));
  uint64_t offset = address - allocation->base;
  if (offset > allocation->size || bytes > allocation->size - offset)
    return Status::error(fmt::format(
        "{} bytes at {:#x} pass the end of an allocation of {} bytes", bytes,
        address, allocation->size));
  return allocation;
}

Status DeviceMemory::write(uint64_t address, const void *source,
                           uint64_t bytes) {
  if (bytes == 0)
    return {};
  Result<Allocation *> found = range(address, bytes);
  if (!found)
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
  if (!found)
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
  if (!found)
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
