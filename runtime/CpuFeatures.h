// The instruction sets that matter to compiled programs.
#ifndef ATTNRES_RUNTIME_CPUFEATURES_H
#define ATTNRES_RUNTIME_CPUFEATURES_H

#include "runtime/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// Each level includes the ones before it. The compiler's targets have the same
/// names.
enum class IsaLevel {
  Generic,    ///< "generic": x86-64 with SSE2
  Avx2,       ///< "avx2": x86-64-v3, with AVX2, FMA, F16C, BMI, LZCNT, MOVBE
  Avx512,     ///< "avx512": x86-64-v4, with AVX-512 F, BW, CD, DQ, VL
  Avx512Bf16, ///< "avx512-bf16": also bf16 conversions and dot products
};

std::string_view toString(IsaLevel level);

struct CpuFeatures {
  IsaLevel level = IsaLevel::Generic;
  bool amxBf16 = false; ///< "amx-bf16": bf16 matrix tiles

  /// What this processor and operating system support.
  static CpuFeatures detect();
  /// "host" (detect()), or a level and features: "avx512-bf16+amx-bf16".
  static Result<CpuFeatures> parse(std::string_view text);
  /// Reads back equal.
  std::string toString() const;

  /// Whether code for `isa` and `features`, spelled as above, runs here; if
  /// not, says what is missing.
  Status supports(std::string_view isa,
                  const std::vector<std::string> &features) const;
};

/// Asks the system for the right to use AMX tiles, which a process needs
/// before its first tile instruction. Further calls do nothing.
Status enableAmx();

} // namespace attnres::runtime
#endif
