// A parsed Module to executable KernelCode.

#ifndef ATTNRES_RUNTIME_EMULATOR_DECODER_H
#define ATTNRES_RUNTIME_EMULATOR_DECODER_H

#include "runtime/emulator/Module.h"
#include "runtime/emulator/Program.h"
#include "support/Status.h"

#include <memory>
#include <unordered_map>

namespace attnres::emulator {

struct DecodeOptions {
  /// Move .approx results within their documented error.
  bool perturb = false;
  uint32_t perturbSeed = 0;
};

/// Where the names of a module lie.
struct ModuleAddresses {
  /// Of every .global and .const variable.
  std::unordered_map<std::string, uint64_t> variables;
  /// Of functions and kernels, which no other module's have.
  std::unordered_map<std::string, uint64_t> functions;
};

/// Decodes `entry` and the functions it reaches.
Result<std::unique_ptr<KernelCode>>
decodeKernel(const Module &module, const Function &entry,
             const ModuleAddresses &addresses, const DecodeOptions &options);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_DECODER_H
