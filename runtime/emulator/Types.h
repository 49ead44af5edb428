// The fundamental types and state spaces of PTX.

#ifndef ATTNRES_RUNTIME_EMULATOR_TYPES_H
#define ATTNRES_RUNTIME_EMULATOR_TYPES_H

#include <cstdint>
#include <string_view>

namespace attnres::emulator {

constexpr unsigned kWarpSize = 32;
constexpr uint32_t kFullMask = 0xffffffffu;

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  F16x2,
  BF16x2,
  U16x2,
  S16x2,
  E4M3x2,
  E5M2x2,
  E4M3,
  E5M2,
};

/// The type that a modifier such as "f32" (without the dot) names, or None.
Type typeFromName(std::string_view name);
const char *typeName(Type type);
/// Bytes of one value in memory; predicates have none.
unsigned typeBytes(Type type);
bool isSigned(Type type);
bool isFloat(Type type);
/// Unsigned, signed and untyped bits.
bool isInteger(Type type);
bool isUnsigned(Type type);
/// Whether a register of one type is an operand of the other, of the same size:
/// numbers with or without a sign, floats, and bits for both.
bool areCompatible(Type a, Type b);

enum class Space : uint8_t {
  None,
  Generic,
  Global,
  Shared,
  Local,
  Param,
  Const,
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_TYPES_H
