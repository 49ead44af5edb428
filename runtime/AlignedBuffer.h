// Zeroed memory of the system for tensors, in huge pages where it can be.
#ifndef ATTNRES_RUNTIME_ALIGNEDBUFFER_H
#define ATTNRES_RUNTIME_ALIGNEDBUFFER_H

#include "support/Status.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace attnres::runtime {

/// A tensor's memory. Small ones share mappings: a tensor of some hundred
/// kilobytes in pages of its own costs more in address translation than in
/// memory traffic when it is touched once per step, as weights and their
/// moments are.
class AlignedBuffer {
public:
  /// Starts at a multiple of 64 bytes and of nothing larger. Pages cost memory
  /// once touched. Thread-safe.
  static Result<AlignedBuffer> allocate(size_t bytes);

  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer &&other) noexcept
      : mapping(std::move(other.mapping)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedBuffer &operator=(AlignedBuffer &&other) noexcept {
    std::swap(mapping, other.mapping);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte *data() const { return data_; }
  size_t bytes() const { return bytes_; }

private:
  class Mapping;

  std::shared_ptr<Mapping> mapping; ///< lives as long as its last buffer
  std::byte *data_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace attnres::runtime
#endif
