// Memory beside the device's: zero pages on demand, and for every byte the list
// of accesses that the race check must remember.

#ifndef ATTNRES_RUNTIME_EMULATOR_SHADOWMEMORY_H
#define ATTNRES_RUNTIME_EMULATOR_SHADOWMEMORY_H

#include <atomic>
#include <cstdint>
#include <mutex>

namespace attnres::emulator {

/// Zeroed memory; large pieces are pages from the system, allocated when
/// touched.
class LazyBytes {
public:
  LazyBytes() = default;
  explicit LazyBytes(uint64_t bytes);
  ~LazyBytes();
  LazyBytes(LazyBytes &&other) noexcept;
  LazyBytes &operator=(LazyBytes &&other) noexcept;
  LazyBytes(const LazyBytes &) = delete;
  LazyBytes &operator=(const LazyBytes &) = delete;

  uint8_t *data() const { return bytes; }
  /// Back to zeros.
  void clear();

private:
  uint8_t *bytes = nullptr;
  uint64_t size = 0;
};

/// For every byte a list of entries (Races.h) that ends with 0, or after the
/// last plane. Plane n has the n-th entries of all bytes; those after the first
/// are made when some byte needs them, which is where threads meet that nothing
/// orders.
class AccessLists {
public:
  static constexpr unsigned most = 64;

  AccessLists() = default;
  AccessLists(const AccessLists &) = delete;
  AccessLists &operator=(const AccessLists &) = delete;

  /// For so many bytes, all lists empty. False: there is no memory.
  bool reset(uint64_t bytes);
  void clear();

  uint32_t *first() const { return planeAt(0); }
  unsigned count() const { return made.load(std::memory_order_acquire); }
  /// One of the `count` planes.
  uint32_t *planeAt(unsigned plane) const {
    return reinterpret_cast<uint32_t *>(planes[plane].data());
  }
  /// A plane, made if need be; null when there can be no more.
  uint32_t *makePlane(unsigned plane) {
    return plane < count() ? planeAt(plane) : grow(plane);
  }

private:
  uint32_t *grow(unsigned plane);

  LazyBytes planes[most];
  std::atomic<unsigned> made{0};
  uint64_t size = 0;
  std::mutex growing;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_SHADOWMEMORY_H
