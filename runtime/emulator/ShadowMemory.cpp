// Zero pages and lists of accesses.

#include "runtime/emulator/ShadowMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace attnres::emulator {
namespace {

// Smaller pieces come and go, with blocks: not worth calls of the system.
constexpr uint64_t smallestMapped = 1 << 23;

} // namespace

LazyBytes::LazyBytes(uint64_t count) : size(std::max<uint64_t>(count, 1)) {
  if (size < smallestMapped) {
    bytes = static_cast<uint8_t *>(std::calloc(size, 1));
    return;
  }
  void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bytes = mapped == MAP_FAILED ? nullptr : static_cast<uint8_t *>(mapped);
}

LazyBytes::~LazyBytes() {
  if (size < smallestMapped)
    std::free(bytes);
  else if (bytes)
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
  if (!bytes)
    return;
  if (size < smallestMapped)
    std::memset(bytes, 0, size);
  else
    madvise(bytes, size, MADV_DONTNEED);
}

bool AccessLists::reset(uint64_t bytes) {
  for (unsigned plane = 0; plane < count(); ++plane)
    planes[plane] = LazyBytes();
  made = 0;
  size = bytes;
  return bytes == 0 || grow(0) != nullptr;
}

void AccessLists::clear() {
  for (unsigned plane = 0; plane < count(); ++plane)
    planes[plane].clear();
}

uint32_t *AccessLists::grow(unsigned plane) {
  std::lock_guard<std::mutex> lock(growing);
  if (plane >= most)
    return nullptr;
  if (plane >= count()) {
    planes[plane] = LazyBytes(size * sizeof(uint32_t));
    if (!planes[plane].data())
      return nullptr;
    made.store(plane + 1, std::memory_order_release);
  }
  return planeAt(plane);
}

} // namespace attnres::emulator
