//===- CpuTarget.cpp - Instruction sets the CPU back end knows ------------===//

#include "passes/cpu/CpuTarget.h"

using namespace attnres;
using namespace attnres::cpu;

// Register tiles leave room for one row of B and the broadcast elements of A:
// 12x32 uses 24 of 32 zmm, 6x16 uses 12 of 16 ymm, 4x8 uses 8 of 16 xmm.
static const CpuTarget targets[] = {
    {CpuLevel::Generic, "generic", "x86-64", "", 128, 4, 4, 8, false, false,
     false, false},
    {CpuLevel::Avx2, "avx2", "haswell", "", 256, 8, 6, 16, true, false, false,
     false},
    {CpuLevel::Avx512, "avx512", "skylake-avx512", "-prefer-256-bit", 512, 16,
     12, 32, true, false, false, false},
    {CpuLevel::Avx512Bf16, "avx512-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16", 512, 16, 12, 32, true, true, false, false},
    {CpuLevel::Avx512Bf16, "avx512-bf16+dot-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16", 512, 16, 12, 32, true, true, false, true},
    {CpuLevel::Avx512Bf16, "avx512-bf16+amx-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16,+amx-tile,+amx-bf16", 512, 16, 12, 32, true,
     true, true, false},
};

CpuTarget CpuTarget::forLevel(CpuLevel level) {
  return targets[static_cast<unsigned>(level)];
}

std::optional<CpuTarget> CpuTarget::forLevel(llvm::StringRef name) {
  if (name == "host")
    return host();
  for (const CpuTarget &target : targets)
    if (target.name == name)
      return target;
  return std::nullopt;
}

CpuTarget CpuTarget::host() {
  return *forLevel(machine::hostIsa().isa.toString());
}
