// CPUID, the register state that the operating system saves, and the
// environment.
#include "support/machine/Isa.h"

#include "support/machine/DotProducts.h"

#include <array>
#include <cpuid.h>
#include <cstdlib>

namespace attnres::machine {
namespace {

constexpr std::array<std::string_view, 4> levelNames = {
    "generic", "avx2", "avx512", "avx512-bf16"};
constexpr std::string_view amxBf16Name = "amx-bf16", dotBf16Name = "dot-bf16";

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

Isa detect() {
  Isa isa;
  Registers basic = cpuid(1, 0), extended = cpuid(0x80000001, 0);
  Registers leaf7 = cpuid(7, 0), leaf7sub1 = cpuid(7, 1);

  if (!allBits(basic.ecx, bit_OSXSAVE))
    return isa;
  uint64_t state = enabledState();
  constexpr uint64_t ymmState = 0x6, zmmState = 0xe6, tileState = 0x60000;

  bool avx2 = allBits(state, ymmState) &&
              allBits(basic.ecx, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) &&
              allBits(leaf7.ebx, bit_AVX2 | bit_BMI | bit_BMI2) &&
              allBits(extended.ecx, bit_LZCNT);
  if (!avx2)
    return isa;
  isa.level = IsaLevel::Avx2;

  bool avx512 = allBits(state, zmmState) &&
                allBits(leaf7.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD |
                                       bit_AVX512DQ | bit_AVX512VL);
  if (!avx512)
    return isa;
  isa.level = IsaLevel::Avx512;
  if (!allBits(leaf7sub1.eax, bit_AVX512BF16))
    return isa;
  isa.level = IsaLevel::Avx512Bf16;
  isa.amxBf16 =
      allBits(state, tileState) && allBits(leaf7.edx, amxTileBit | amxBf16Bit);
  isa.dotBf16 = !isa.amxBf16 && areDotProductsFast();
  return isa;
}

} // namespace

std::string_view toString(IsaLevel level) {
  return levelNames[static_cast<size_t>(level)];
}

std::optional<Isa> Isa::parse(std::string_view text) {
  size_t plus = text.find('+');
  Isa isa;
  size_t level = 0;
  while (level < levelNames.size() && levelNames[level] != text.substr(0, plus))
    ++level;
  if (level == levelNames.size())
    return std::nullopt;
  isa.level = static_cast<IsaLevel>(level);
  if (plus == std::string_view::npos)
    return isa;
  std::string_view feature = text.substr(plus + 1);
  isa.amxBf16 = feature == amxBf16Name;
  isa.dotBf16 = feature == dotBf16Name;
  if (isa.level < IsaLevel::Avx512Bf16 || isa.amxBf16 == isa.dotBf16)
    return std::nullopt;
  return isa;
}

std::string Isa::toString() const {
  std::string text(machine::toString(level));
  if (amxBf16 || dotBf16)
    text.append("+").append(amxBf16 ? amxBf16Name : dotBf16Name);
  return text;
}

bool Isa::includes(const Isa &other) const {
  return level >= other.level && (amxBf16 || !other.amxBf16);
}

const std::vector<std::string_view> &isaNames() {
  static const std::vector<std::string_view> names = {"generic",
                                                      "avx2",
                                                      "avx512",
                                                      "avx512-bf16",
                                                      "avx512-bf16+dot-bf16",
                                                      "avx512-bf16+amx-bf16"};
  return names;
}

const Isa &processorIsa() {
  static const Isa isa = detect();
  return isa;
}

IsaChoice chooseIsa(const Isa &processor, const char *request) {
  std::string_view text = request ? request : "";
  if (text.empty() || text == "host")
    return {processor, ""};
  std::string variable(kIsaVariable);
  std::optional<Isa> isa = Isa::parse(text);
  if (!isa) {
    std::string names = "host";
    for (std::string_view name : isaNames())
      names.append(name == isaNames().back() ? " or " : ", ").append(name);
    return {processor, variable + ": unknown instruction set '" +
                           std::string(text) + "', expected " + names};
  }
  if (!processor.includes(*isa))
    return {processor, variable + ": this machine does not have " +
                           std::string(text) + ", it has " +
                           processor.toString()};
  return {*isa, ""};
}

const IsaChoice &hostIsa() {
  static const IsaChoice choice =
      chooseIsa(processorIsa(), std::getenv(kIsaVariable));
  return choice;
}

} // namespace attnres::machine
