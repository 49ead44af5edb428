// Encoding of tensor maps.

#include "runtime/emulator/TensorMap.h"

#include "runtime/emulator/AsyncCopy.h"

#include <fmt/format.h>

namespace attnres::emulator {

Result<TensorMap> encodeTensorMap(const TensorMapConfig &config) {
  auto fail = [](const std::string &what) {
    return Result<TensorMap>(invalidArgument("tensor map: " + what));
  };
  if (config.rank < 1 || config.rank > 5)
    return fail(fmt::format("rank {}, expected 1 to 5", config.rank));
  uint32_t bytes = config.elementBytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return fail(
        fmt::format("elements of {} bytes, expected 1, 2, 4 or 8", bytes));
  if (config.elementType != Type::None &&
      typeBytes(config.elementType) != bytes)
    return fail(fmt::format("elements of type {} with {} bytes",
                            typeName(config.elementType), bytes));
  if (config.address % 16 != 0)
    return fail(
        fmt::format("address {:#x} is not a multiple of 16", config.address));
  TensorMap map;
  map.magic = kTensorMapMagic;
  map.address = config.address;
  map.rank = config.rank;
  map.elementBytes = bytes;
  map.swizzle = static_cast<uint8_t>(config.swizzle);
  map.nanFill = config.nanFill;
  map.elementType = config.elementType;
  for (uint32_t i = 0; i < config.rank; ++i) {
    if (config.sizes[i] == 0 || config.sizes[i] > uint64_t(1) << 32)
      return fail(fmt::format("size {} of dimension {}, expected 1 to 2^32",
                              config.sizes[i], i));
    if (config.box[i] == 0 || config.box[i] > 256)
      return fail(fmt::format("box of {} in dimension {}, expected 1 to 256",
                              config.box[i], i));
    if (i > 0 && (config.strides[i - 1] % 16 != 0 ||
                  config.strides[i - 1] >= uint64_t(1) << 40))
      return fail(fmt::format("stride {} of dimension {} is not a multiple of "
                              "16 below 2^40",
                              config.strides[i - 1], i));
    map.sizes[i] = config.sizes[i];
    map.box[i] = static_cast<uint16_t>(config.box[i]);
    if (i > 0)
      map.strides[i - 1] = config.strides[i - 1];
  }
  uint64_t inner = uint64_t(config.box[0]) * bytes;
  if (inner % 16 != 0)
    return fail(fmt::format("rows of the box have {} bytes, expected a "
                            "multiple of 16",
                            inner));
  static const uint64_t spans[] = {UINT64_MAX, 32, 64, 128};
  uint64_t span = spans[static_cast<uint32_t>(config.swizzle)];
  if (inner > span)
    return fail(fmt::format("rows of the box have {} bytes, more than the "
                            "swizzle span of {}",
                            inner, span));
  return map;
}

bool isValid(const TensorMap &map) {
  if (map.magic != kTensorMapMagic || map.rank < 1 || map.rank > 5 ||
      (map.elementBytes != 1 && map.elementBytes != 2 &&
       map.elementBytes != 4 && map.elementBytes != 8) ||
      map.swizzle > static_cast<uint8_t>(Swizzle::Bytes128) ||
      map.elementType > Type::E5M2)
    return false;
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.box[i] == 0 || map.box[i] > 256)
      return false;
  return map.box[0] * map.elementBytes % 16 == 0;
}

} // namespace attnres::emulator
