//===- CpuBackend.h - x86-64 processors as targets --------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_CPU_CPUBACKEND_H
#define ATTNRES_PASSES_CPU_CPUBACKEND_H

#include "passes/Targets.h"

namespace attnres::cpu {

/// The processors that "cpu:LEVEL" means, or "cpu", this machine's. Null for
/// any other name.
std::unique_ptr<Target> createBackend(std::string_view name);

/// "cpu:LEVEL" for every instruction set that there is code for.
std::vector<std::string> backendNames();

} // namespace attnres::cpu

#endif
