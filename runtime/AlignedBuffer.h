// Page-aligned zeroed memory, straight from the system.
#ifndef ATTNRES_RUNTIME_ALIGNEDBUFFER_H
#define ATTNRES_RUNTIME_ALIGNEDBUFFER_H

#include "runtime/Status.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <sys/mman.h>

namespace attnres::runtime {

class AlignedBuffer {
public:
  /// Pages cost memory once touched; large buffers prefer huge pages.
  static Result<AlignedBuffer> allocate(size_t bytes) {
    if (bytes == 0)
      return AlignedBuffer();
    void *data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
      return ioError("cannot allocate ", bytes,
                     " bytes: ", std::strerror(errno));
    ::madvise(data, bytes, MADV_HUGEPAGE); // a hint, may be refused
    return AlignedBuffer(data, bytes);
  }

  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedBuffer &operator=(AlignedBuffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AlignedBuffer() {
    if (data_)
      ::munmap(data_, bytes_);
  }

  std::byte *data() const { return static_cast<std::byte *>(data_); }
  size_t bytes() const { return bytes_; }

private:
  AlignedBuffer(void *data, size_t bytes) : data_(data), bytes_(bytes) {}

  void *data_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace attnres::runtime
#endif
