// Element types of tensors, with the names that safetensors files use.
#ifndef ATTNRES_RUNTIME_DTYPE_H
#define ATTNRES_RUNTIME_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnres::runtime {

/// The numbers are part of the program file format: append only.
enum class DType : uint8_t { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };
inline constexpr int numDTypes = 10;

namespace detail {
struct DTypeInfo {
  std::string_view name;
  int64_t bytes;
};
inline constexpr DTypeInfo dtypeInfo[numDTypes] = {
    {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8},
    {"I32", 4}, {"I16", 2}, {"I8", 1},  {"U8", 1},   {"BOOL", 1}};
} // namespace detail

/// "F32", "BF16", ...
constexpr std::string_view dtypeName(DType dtype) {
  return detail::dtypeInfo[static_cast<int>(dtype)].name;
}

/// Bytes of one element.
constexpr int64_t dtypeBytes(DType dtype) {
  return detail::dtypeInfo[static_cast<int>(dtype)].bytes;
}

constexpr bool isInteger(DType dtype) {
  return dtype == DType::I64 || dtype == DType::I32 || dtype == DType::I16 ||
         dtype == DType::I8 || dtype == DType::U8 || dtype == DType::Bool;
}

/// Bytes of a tensor, or nothing when a dimension is negative or the size
/// does not fit in int64_t. `Shape` is any range of int64_t.
template <typename Shape>
std::optional<int64_t> tensorBytes(DType dtype, const Shape &shape) {
  // A zero dimension makes the tensor empty but excuses no other dimension.
  int64_t bytes = dtypeBytes(dtype);
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    empty |= dim == 0;
    if (dim != 0 && __builtin_mul_overflow(bytes, dim, &bytes))
      return std::nullopt;
  }
  return empty ? 0 : bytes;
}

inline std::optional<DType> parseDType(std::string_view name) {
  for (int i = 0; i < numDTypes; ++i)
    if (detail::dtypeInfo[i].name == name)
      return static_cast<DType>(i);
  return std::nullopt;
}

} // namespace attnres::runtime
#endif
