// Instruction sets of programs against those of this machine.
#include "runtime/CpuFeatures.h"

#include <cerrno>
#include <cstring>

#include <sys/syscall.h>
#include <unistd.h>

namespace attnres::runtime {

using machine::Isa;

CpuFeatures CpuFeatures::detect() { return {machine::hostIsa().isa}; }

Result<CpuFeatures> CpuFeatures::parse(std::string_view text) {
  if (text == "host")
    return detect();
  if (std::optional<Isa> isa = Isa::parse(text))
    return CpuFeatures{*isa};
  std::string names = "host";
  for (std::string_view name : machine::isaNames())
    names += concat(name == machine::isaNames().back() ? " or " : ", ", name);
  return invalidArgument("unknown instruction set ", inQuotes(text),
                         ", expected ", names);
}

Status CpuFeatures::supports(std::string_view isa) const {
  std::optional<Isa> code = Isa::parse(isa);
  if (!code)
    return unsupported("code for unknown instruction set ", inQuotes(isa));
  if (!includes(*code))
    return unsupported("code needs ", isa, ", this machine has ", toString());
  return {};
}

std::optional<std::string> cpuIsa(std::string_view target) {
  constexpr std::string_view prefix = "cpu:";
  if (target.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  return std::string(target.substr(prefix.size()));
}

Status enableAmx() {
  constexpr long requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long tileData = 18;
  if (::syscall(SYS_arch_prctl, requestPermission, tileData) != 0)
    return unsupported("the system refuses AMX: ", std::strerror(errno));
  return {};
}

} // namespace attnres::runtime
