//===- Targets.h - what kernels can be compiled for -------------*- C++ -*-===//
//
// Finds targets by name. Needs no MLIR headers, so that tools can use it that
// have none; passes/Target.h says what a target is.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_TARGETS_H
#define ATTNRES_PASSES_TARGETS_H

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnres {

class Target;

/// A number that a target cuts its kernels by, for people to read.
struct TargetFact {
  std::string group; ///< "registers", "products", ...
  std::string name;
  double value;
  std::string unit;    ///< "bytes", "rows", ...; "" for a number of its own
  std::string meaning; ///< one line
};

/// The target called `name`: "cpu:avx2" is a level of processors, "cpu" the best
/// that this machine runs, "sm_80" a generation of NVIDIA GPUs. Null for any
/// other name.
std::unique_ptr<Target> createTarget(std::string_view name);

/// All names, without "cpu", which stands for one of them.
std::vector<std::string> targetNames();

/// The full name of a target, "cpu:avx2" for "cpu"; empty where there is none
/// of that name.
std::string resolveTarget(std::string_view name);

/// What the target `name`, which exists, cuts its kernels by.
std::vector<TargetFact> describeTarget(std::string_view name);

} // namespace attnres

#endif
