// CPUID and the register state that the operating system saves.
#include "runtime/CpuFeatures.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cpuid.h>
#include <cstdint>
#include <cstring>
#include <optional>

#include <sys/syscall.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

constexpr std::array<std::string_view, 4> levelNames = {
    "generic", "avx2", "avx512", "avx512-bf16"};
constexpr std::string_view amxBf16Name = "amx-bf16";

struct Registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero when the processor has no such leaf.
Registers cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

/// The register state that the operating system preserves.
uint64_t enabledState() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

// Of leaf 7, register edx; older compilers' <cpuid.h> does not name them.
constexpr uint32_t amxBf16Bit = 1u << 22;
constexpr uint32_t amxTileBit = 1u << 24;

bool allBits(uint64_t value, uint64_t mask) { return (value & mask) == mask; }

std::optional<IsaLevel> parseLevel(std::string_view name) {
  for (size_t i = 0; i < levelNames.size(); ++i)
    if (levelNames[i] == name)
      return static_cast<IsaLevel>(i);
  return std::nullopt;
}

} // namespace

std::string_view toString(IsaLevel level) {
  return levelNames[static_cast<size_t>(level)];
}

CpuFeatures CpuFeatures::detect() {
  CpuFeatures features;
  Registers basic = cpuid(1, 0), extended = cpuid(0x80000001, 0);
  Registers leaf7 = cpuid(7, 0), leaf7sub1 = cpuid(7, 1);

  if (!allBits(basic.ecx, bit_OSXSAVE))
    return features;
  uint64_t state = enabledState();
  constexpr uint64_t ymmState = 0x6, zmmState = 0xe6, tileState = 0x60000;

  bool avx2 = allBits(state, ymmState) &&
              allBits(basic.ecx, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) &&
              allBits(leaf7.ebx, bit_AVX2 | bit_BMI | bit_BMI2) &&
              allBits(extended.ecx, bit_LZCNT);
  if (!avx2)
    return features;
  features.level = IsaLevel::Avx2;

  bool avx512 = allBits(state, zmmState) &&
                allBits(leaf7.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD |
                                       bit_AVX512DQ | bit_AVX512VL);
  if (!avx512)
    return features;
  features.level = allBits(leaf7sub1.eax, bit_AVX512BF16) ? IsaLevel::Avx512Bf16
                                                          : IsaLevel::Avx512;
  features.amxBf16 =
      allBits(state, tileState) && allBits(leaf7.edx, amxTileBit | amxBf16Bit);
  return features;
}

Result<CpuFeatures> CpuFeatures::parse(std::string_view text) {
  if (text == "host")
    return detect();
  CpuFeatures features;
  size_t plus = std::min(text.find('+'), text.size());
  std::optional<IsaLevel> level = parseLevel(text.substr(0, plus));
  if (!level)
    return invalidArgument(
        "unknown instruction set ", inQuotes(text.substr(0, plus)),
        ", expected host, generic, avx2, avx512 or avx512-bf16");
  features.level = *level;
  if (plus == text.size())
    return features;
  std::string_view name = text.substr(plus + 1);
  if (name != amxBf16Name || *level < IsaLevel::Avx512)
    return invalidArgument("unknown CPU feature ", inQuotes(name), " of ",
                           attnres::runtime::toString(*level));
  features.amxBf16 = true;
  return features;
}

std::string CpuFeatures::toString() const {
  std::string text(attnres::runtime::toString(level));
  return amxBf16 ? concat(text, "+", amxBf16Name) : text;
}

Status CpuFeatures::supports(std::string_view isa,
                             const std::vector<std::string> &needed) const {
  std::optional<IsaLevel> neededLevel = parseLevel(isa);
  if (!neededLevel)
    return unsupported("code for unknown instruction set ", inQuotes(isa));
  if (*neededLevel > level)
    return unsupported("code needs ", isa, ", this CPU has ", toString());
  for (const std::string &feature : needed)
    if (feature != amxBf16Name || !amxBf16)
      return unsupported("code needs ", inQuotes(feature), ", this CPU has ",
                         toString());
  return {};
}

Status enableAmx() {
  constexpr long requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long tileData = 18;
  if (::syscall(SYS_arch_prctl, requestPermission, tileData) != 0)
    return unsupported("the system refuses AMX: ", std::strerror(errno));
  return {};
}

} // namespace attnres::runtime
