// The instruction sets that matter to compiled programs.
#ifndef ATTNRES_RUNTIME_CPUFEATURES_H
#define ATTNRES_RUNTIME_CPUFEATURES_H

#include "support/Status.h"
#include "support/machine/Isa.h"

#include <optional>
#include <string>
#include <string_view>

namespace attnres::runtime {

using machine::IsaLevel;

struct CpuFeatures : machine::Isa {
  /// What this machine has, or what the environment leaves of it
  /// (machine/Isa.h).
  static CpuFeatures detect();
  /// "host" (detect()), or a level and a feature: "avx512-bf16+amx-bf16".
  static Result<CpuFeatures> parse(std::string_view text);

  /// Whether code for `isa`, spelled as above, runs here; if not, says what is
  /// missing.
  Status supports(std::string_view isa) const;
};

/// The instruction set in a program's target, "avx2" of "cpu:avx2"; nothing
/// when the target is no processor.
std::optional<std::string> cpuIsa(std::string_view target);

/// Asks the system for the right to use AMX tiles, which a process needs
/// before its first tile instruction. Further calls do nothing.
Status enableAmx();

} // namespace attnres::runtime
#endif
