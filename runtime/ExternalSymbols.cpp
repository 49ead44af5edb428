// A fixed table: code from a program file can call these functions and no
// others.
#include "runtime/ExternalSymbols.h"

#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <math.h>
#include <string.h>

namespace attnres::runtime {
namespace {

/// Rounds to the nearest bfloat16, ties to even; NaNs stay NaNs. The compiler
/// calls it where the processor has no such instruction. Its result type does
/// not exist in C++17 but travels, as here, in the low bits of an SSE register.
__m128i floatToBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value)
    bits |= uint32_t{0x40} << 16; // quiet, and not rounded away
  else
    bits += 0x7fff + ((bits >> 16) & 1);
  return _mm_cvtsi32_si128(static_cast<int>(bits >> 16));
}

struct ExternalSymbol {
  std::string_view name;
  void *address;
};

template <typename Function>
void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

// clang-format off
// A function of <math.h> that has one argument, and its float variant.
#define ATTNRES_MATH(NAME)                                                     \
  {#NAME, addressOf<double(double)>(&::NAME)},                                 \
  {#NAME "f", addressOf<float(float)>(&::NAME##f)}
#define ATTNRES_MATH2(NAME)                                                    \
  {#NAME, addressOf<double(double, double)>(&::NAME)},                         \
  {#NAME "f", addressOf<float(float, float)>(&::NAME##f)}
// clang-format on

const ExternalSymbol table[] = {
    {"memcpy", addressOf<void *(void *, const void *, size_t)>(&::memcpy)},
    {"memmove", addressOf<void *(void *, const void *, size_t)>(&::memmove)},
    {"memset", addressOf<void *(void *, int, size_t)>(&::memset)},
    {"memcmp", addressOf<int(const void *, const void *, size_t)>(&::memcmp)},
    ATTNRES_MATH(exp),
    ATTNRES_MATH(exp2),
    ATTNRES_MATH(expm1),
    ATTNRES_MATH(log),
    ATTNRES_MATH(log2),
    ATTNRES_MATH(log10),
    ATTNRES_MATH(log1p),
    ATTNRES_MATH(sin),
    ATTNRES_MATH(cos),
    ATTNRES_MATH(tan),
    ATTNRES_MATH(atan),
    ATTNRES_MATH(sinh),
    ATTNRES_MATH(cosh),
    ATTNRES_MATH(tanh),
    ATTNRES_MATH(erf),
    ATTNRES_MATH(erfc),
    ATTNRES_MATH(sqrt),
    ATTNRES_MATH(cbrt),
    ATTNRES_MATH(fabs),
    ATTNRES_MATH(floor),
    ATTNRES_MATH(ceil),
    ATTNRES_MATH(trunc),
    ATTNRES_MATH(round),
    ATTNRES_MATH(roundeven),
    ATTNRES_MATH(rint),
    ATTNRES_MATH(nearbyint),
    ATTNRES_MATH2(pow),
    ATTNRES_MATH2(fmod),
    ATTNRES_MATH2(atan2),
    ATTNRES_MATH2(fmax),
    ATTNRES_MATH2(fmin),
    // What LLVM makes of a sine and a cosine of the same number.
    {"sincos", addressOf<void(double, double *, double *)>(&::sincos)},
    {"sincosf", addressOf<void(float, float *, float *)>(&::sincosf)},
    {"fma", addressOf<double(double, double, double)>(&::fma)},
    {"fmaf", addressOf<float(float, float, float)>(&::fmaf)},
    {"__truncsfbf2", addressOf(&floatToBFloat16)},
};

#undef ATTNRES_MATH2
#undef ATTNRES_MATH

} // namespace

void *findExternalSymbol(std::string_view name) {
  for (const ExternalSymbol &symbol : table)
    if (symbol.name == name)
      return symbol.address;
  return nullptr;
}

} // namespace attnres::runtime
