// Instruction sets by name, and which of them to use on this machine.
#ifndef ATTNRES_SUPPORT_MACHINE_ISA_H
#define ATTNRES_SUPPORT_MACHINE_ISA_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::machine {

/// Each level includes the ones before it.
enum class IsaLevel {
  Generic,    ///< "generic": x86-64 with SSE2
  Avx2,       ///< "avx2": x86-64-v3, with AVX2, FMA, F16C, BMI, LZCNT, MOVBE
  Avx512,     ///< "avx512": x86-64-v4, with AVX-512 F, BW, CD, DQ, VL
  Avx512Bf16, ///< "avx512-bf16": also bf16 conversions and dot products
};

std::string_view toString(IsaLevel level);

/// How products of bf16 are computed, beyond the level. A program has at most
/// one of the two.
struct Isa {
  IsaLevel level = IsaLevel::Generic;
  /// "amx-bf16": on matrix tiles, which not every processor has.
  bool amxBf16 = false;
  /// "dot-bf16": with vdpbf16ps, which every processor of the last level has,
  /// at twice the rate of f32 multiply-adds on some and at half of it on
  /// others.
  bool dotBf16 = false;

  /// A level, or a level and a feature: "avx512-bf16+amx-bf16".
  static std::optional<Isa> parse(std::string_view text);
  /// Reads back equal, if at most one feature is set.
  std::string toString() const;
  /// Whether a machine that has this runs code for `other`.
  bool includes(const Isa &other) const;
};

/// Every name that `Isa::parse` reads, from least to most.
const std::vector<std::string_view> &isaNames();

/// The best that this processor and operating system support, with the feature
/// that makes products of bf16 fastest. Found once.
const Isa &processorIsa();

/// The variable that makes this machine have less than it has: a name that
/// `Isa::parse` reads. Unset, empty or "host" for all.
inline constexpr char kIsaVariable[] = "ATTNRES_ISA";

/// What `request`, a value of the variable or null, leaves of `processor`.
/// Otherwise `error` says what is wrong with it.
struct IsaChoice {
  Isa isa;
  std::string error;
};
IsaChoice chooseIsa(const Isa &processor, const char *request);

/// The choice for this processor and the environment. Made once; everything
/// that asks what the machine has asks here. Programs begin by showing the
/// error, if there is one.
const IsaChoice &hostIsa();

} // namespace attnres::machine
#endif
