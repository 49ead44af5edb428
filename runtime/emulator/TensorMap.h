// The descriptor that cp.async.bulk.tensor takes: 128 bytes in the layout of
// this emulator, passed to kernels where CUDA passes a CUtensorMap.

#ifndef ATTNRES_RUNTIME_EMULATOR_TENSORMAP_H
#define ATTNRES_RUNTIME_EMULATOR_TENSORMAP_H

#include "runtime/emulator/Types.h"
#include "support/Status.h"

#include <cstdint>

namespace attnres::emulator {

enum class Swizzle : uint32_t { None, Bytes32, Bytes64, Bytes128 };

/// Dimension 0 is the innermost, contiguous one. Plain tiles only (no im2col,
/// no interleaving, element strides of one).
struct TensorMap {
  uint64_t magic = 0;
  uint64_t address = 0;
  uint32_t rank = 0;
  uint32_t elementBytes = 0;
  uint64_t sizes[5] = {1, 1, 1, 1, 1};
  /// Bytes from one index to the next, of dimensions 1 to rank-1.
  uint64_t strides[4] = {0, 0, 0, 0};
  uint16_t box[5] = {1, 1, 1, 1, 1};
  uint8_t swizzle = 0;
  /// Elements outside of the tensor read as NaN rather than 0.
  uint8_t nanFill = 0;
  /// What reductions take the elements for.
  Type elementType = Type::None;
  uint8_t unused[15] = {};
};
static_assert(sizeof(TensorMap) == 128, "kernels take 128 bytes");

struct TensorMapConfig {
  uint64_t address = 0; // aligned to 16 bytes
  uint32_t rank = 2;    // 1 to 5
  uint32_t elementBytes = 2;
  uint64_t sizes[5] = {1, 1, 1, 1, 1};
  uint64_t strides[4] = {0, 0, 0, 0}; // multiples of 16
  uint32_t box[5] = {1, 1, 1, 1, 1};  // 1 to 256
  Swizzle swizzle = Swizzle::None;
  bool nanFill = false;
  /// Needed by reductions only; of `elementBytes`.
  Type elementType = Type::None;
};

/// Checks the rules of cuTensorMapEncodeTiled.
Result<TensorMap> encodeTensorMap(const TensorMapConfig &config);
/// Whether 128 bytes that a kernel uses as a map are one.
bool isValid(const TensorMap &map);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_TENSORMAP_H
