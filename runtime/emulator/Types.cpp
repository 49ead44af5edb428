// Names and sizes of the PTX types.

#include "runtime/emulator/Types.h"

#include <iterator>

namespace attnres::emulator {
namespace {

struct TypeInfo {
  const char *name;
  uint8_t bytes;
};

// In the order of the enumeration.
constexpr TypeInfo infos[] = {
    {"none", 0},   {"pred", 0},   {"b8", 1},    {"b16", 2},   {"b32", 4},
    {"b64", 8},    {"b128", 16},  {"u8", 1},    {"u16", 2},   {"u32", 4},
    {"u64", 8},    {"s8", 1},     {"s16", 2},   {"s32", 4},   {"s64", 8},
    {"f16", 2},    {"bf16", 2},   {"tf32", 4},  {"f32", 4},   {"f64", 8},
    {"f16x2", 4},  {"bf16x2", 4}, {"u16x2", 4}, {"s16x2", 4}, {"e4m3x2", 2},
    {"e5m2x2", 2}, {"e4m3", 1},   {"e5m2", 1},
};

} // namespace

Type typeFromName(std::string_view name) {
  for (unsigned i = 1; i < std::size(infos); ++i)
    if (name == infos[i].name)
      return static_cast<Type>(i);
  return Type::None;
}

const char *typeName(Type type) {
  return infos[static_cast<unsigned>(type)].name;
}

unsigned typeBytes(Type type) {
  return infos[static_cast<unsigned>(type)].bytes;
}

bool isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }

bool isFloat(Type type) { return (type >= Type::F16 && type <= Type::BF16x2); }

bool isUnsigned(Type type) { return type >= Type::U8 && type <= Type::U64; }

bool isInteger(Type type) { return type >= Type::B8 && type <= Type::S64; }

bool areCompatible(Type a, Type b) {
  auto isNumber = [](Type type) {
    return type >= Type::U8 && type <= Type::S64;
  };
  auto isReal = [](Type type) {
    return type == Type::F16 || type == Type::F32 || type == Type::F64 ||
           type == Type::F16x2;
  };
  return !(isNumber(a) && isReal(b)) && !(isReal(a) && isNumber(b));
}

} // namespace attnres::emulator
