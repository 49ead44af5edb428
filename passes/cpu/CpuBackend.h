//===- CpuBackend.h - x86-64 processors as targets --------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_CPU_CPUBACKEND_H
#define ATTNRES_PASSES_CPU_CPUBACKEND_H

#include "passes/Targets.h"

namespace attnres::cpu {

/// The processors with the instruction set `variant`, one of
/// `backendVariants()`, "host" or, for the same, "". Null for any other.
std::unique_ptr<Target> createBackend(std::string_view variant);

/// The instruction sets that there is code for.
std::vector<std::string> backendVariants();

} // namespace attnres::cpu

#endif
