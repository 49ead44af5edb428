// tensormap.replace, which changes one field of a tensor map in memory, and the
// copy of a changed map to global memory.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"
#include "runtime/emulator/SyncExtras.h"
#include "runtime/emulator/TensorMap.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

constexpr unsigned mapBytes = sizeof(TensorMap);

// The element types by the numbers that the instruction takes.
constexpr Type elementTypes[] = {Type::U8,  Type::U16, Type::U32,  Type::S32,
                                 Type::U64, Type::S64, Type::F16,  Type::F32,
                                 Type::F32, Type::F64, Type::BF16, Type::F32,
                                 Type::F32};

// False: the emulator has no map like that.
bool replace(TensorMap &map, const TensorMapExtra &what, uint64_t value) {
  uint32_t at = what.dimension;
  switch (what.field) {
  case TensorMapExtra::Address:
    map.address = value;
    return value % 16 == 0;
  case TensorMapExtra::Rank:
    // The instruction takes one less.
    map.rank = static_cast<uint32_t>(value) + 1;
    return value < 5;
  case TensorMapExtra::BoxSize:
    map.box[at] = static_cast<uint16_t>(value);
    return value >= 1 && value <= 256;
  case TensorMapExtra::Size:
    map.sizes[at] = value;
    return value >= 1;
  case TensorMapExtra::Stride:
    if (at > 3)
      return false;
    map.strides[at] = value;
    return value % 16 == 0 && value < uint64_t(1) << 40;
  case TensorMapExtra::ElementStride:
    return value == 1;
  case TensorMapExtra::ElementType:
    if (value >= std::size(elementTypes))
      return false;
    map.elementType = elementTypes[value];
    map.elementBytes = typeBytes(map.elementType);
    return true;
  case TensorMapExtra::Interleave:
    return value == 0;
  case TensorMapExtra::SwizzleMode:
    map.swizzle = static_cast<uint8_t>(value);
    return value <= static_cast<uint64_t>(Swizzle::Bytes128);
  case TensorMapExtra::Fill:
    map.nanFill = value != 0;
    return value <= 1;
  }
  return false;
}

} // namespace

void executeTensorMapReplace(Warp &warp, const Instruction &inst,
                             uint32_t mask) {
  const auto &extra = static_cast<const TensorMapExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(extra.valueSlot, mask);
  Warp::Access access = warp.beginAccess();
  bool isWide = extra.field == TensorMapExtra::Address ||
                extra.field == TensorMapExtra::Stride;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Warp::Target target;
    if (!warp.resolve(extra.space, address, mapBytes, 64, lane,
                      Warp::AccessKind::Store, target))
      continue;
    if (warp.block.launch.checks.initialized)
      warp.checkInitialized(target, mapBytes, lane, address);
    TensorMap map;
    std::memcpy(&map, target.data, mapBytes);
    uint64_t value = isWide ? warp.lanes<uint64_t>(extra.valueSlot)[lane]
                            : warp.lanes<uint32_t>(extra.valueSlot)[lane];
    if (!isValid(map)) {
      warp.report(FindingKind::InvalidOperation, lane, address,
                  "there is no tensor map at the address");
      continue;
    }
    if (!replace(map, extra, value)) {
      warp.report(FindingKind::InvalidOperation, lane, address,
                  fmt::format("value {} for this field of a tensor map is not "
                              "supported",
                              value));
      continue;
    }
    warp.checkWrite(access, target, mapBytes, lane, address);
    std::memcpy(target.data, &map, mapBytes);
  }
}

// By the warp as a whole: its lanes name the same addresses.
void executeTensorMapCopy(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const TensorMapExtra &>(*inst.extra);
  if (!warp.converged(mask, warp.alive, false))
    return;
  warp.require(inst.src[0], mask);
  warp.require(inst.src[1], mask);
  unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
  uint64_t to = warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
  uint64_t from = warp.toGeneric(extra.source,
                                 warp.address(extra.source, inst.src[1], lane));
  Warp::Target source;
  Warp::Target target;
  if (!warp.resolve(Space::Shared, from, mapBytes, 128, lane,
                    Warp::AccessKind::Load, source) ||
      !warp.resolve(Space::Global, to, mapBytes, 128, lane,
                    Warp::AccessKind::Store, target))
    return;
  if (warp.block.launch.checks.initialized)
    warp.checkInitialized(source, mapBytes, lane, from);
  Warp::Access access = warp.beginAccess();
  warp.checkRead(access, source, mapBytes, lane, from);
  warp.checkWrite(access, target, mapBytes, lane, to);
  std::memcpy(target.data, source.data, mapBytes);
  std::memset(target.init, 1, mapBytes);
}

} // namespace attnres::emulator
