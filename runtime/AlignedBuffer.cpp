// Zeroed memory of the system for tensors, in huge pages where it can be.
#include "runtime/AlignedBuffer.h"

#include <cerrno>
#include <cstring>
#include <mutex>

#include <sys/mman.h>

namespace attnres::runtime {
namespace {

constexpr size_t hugePage = size_t{2} << 20;
/// Smaller buffers share mappings of `sharedBytes`.
constexpr size_t smallBytes = size_t{4} << 20;
constexpr size_t sharedBytes = size_t{32} << 20;
constexpr size_t lineBytes = 64;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace

/// Memory of the system that starts at a huge page. What was handed out is not
/// handed out again, so that everything stays zero until its first use.
class AlignedBuffer::Mapping {
public:
  explicit Mapping(size_t bytes)
      : size(roundUp(bytes, hugePage) + hugePage),
        whole(::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (whole == MAP_FAILED)
      return;
    auto address = reinterpret_cast<uintptr_t>(whole);
    next = reinterpret_cast<std::byte *>(roundUp(address, hugePage));
    end = static_cast<std::byte *>(whole) + size;
    ::madvise(whole, size, MADV_HUGEPAGE); // a hint, may be refused
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (whole != MAP_FAILED)
      ::munmap(whole, size);
  }

  /// Null when there is no room left.
  std::byte *take(size_t bytes) {
    if (static_cast<size_t>(end - next) < bytes)
      return nullptr;
    return std::exchange(next, next + roundUp(bytes, lineBytes));
  }

private:
  size_t size;
  void *whole;
  std::byte *next = nullptr, *end = nullptr;
};

Result<AlignedBuffer> AlignedBuffer::allocate(size_t bytes) {
  AlignedBuffer buffer;
  if (bytes == 0)
    return buffer;
  static std::mutex mutex;
  static std::weak_ptr<Mapping> latest; // of small buffers
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes < smallBytes)
    buffer.mapping = latest.lock();
  if (buffer.mapping)
    buffer.data_ = buffer.mapping->take(bytes);
  if (!buffer.data_) {
    buffer.mapping =
        std::make_shared<Mapping>(bytes < smallBytes ? sharedBytes : bytes);
    buffer.data_ = buffer.mapping->take(bytes);
    if (!buffer.data_)
      return ioError("cannot allocate ", bytes,
                     " bytes: ", std::strerror(errno));
    if (bytes < smallBytes)
      latest = buffer.mapping;
  }
  buffer.bytes_ = bytes;
  return buffer;
}

} // namespace attnres::runtime
