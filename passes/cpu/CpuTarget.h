//===- CpuTarget.h - Instruction sets the CPU back end knows ----*- C++ -*-===//
//
// What the emitters and the code generator must agree on: the instruction set,
// the vector width, the register tile of matrix products, and how work is cut
// for the caches.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_CPUTARGET_H
#define ATTNRES_PASSES_CPU_CPUTARGET_H

#include "passes/Target.h"
#include "passes/cpu/CpuTiles.h"
#include "support/machine/Isa.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace attnres::cpu {

/// From least to most; a host of one level runs programs of all lower ones.
using CpuLevel = machine::IsaLevel;

struct CpuTarget {
  CpuLevel level;
  /// The level's name in options and programs, e.g. "avx512".
  llvm::StringRef name;
  /// LLVM's processor name and extra features ("+a,-b").
  llvm::StringRef processor;
  llvm::StringRef features;
  /// Width of a vector register, and how many f32 it holds.
  int64_t vectorBits;
  int64_t lanes;
  /// Register tile of a matrix product: MR x NR accumulators in f32.
  int64_t tileRows;
  int64_t tileColumns;
  bool hasFma;
  bool hasBf16;
  /// Products of bf16 run on AMX tiles, or on vectors with the dot products
  /// that every processor of the last level has.
  bool hasAmx;
  bool usesDots;
  /// How work is cut, the same for all levels so far.
  CpuTiles tiles = {};
  RowRanges rowRanges = {};

  /// The target called `name`, one of `machine::isaNames()`, or "host". Nothing
  /// for any other name.
  static std::optional<CpuTarget> forLevel(llvm::StringRef name);
  static CpuTarget forLevel(CpuLevel level);
  /// The best that this machine runs (`machine::hostIsa`).
  static CpuTarget host();
  /// `forLevel(name)`, or an error at `op` that names it.
  static mlir::FailureOr<CpuTarget> get(mlir::Operation *op,
                                        llvm::StringRef name);

  /// The numbers above, for people.
  std::vector<TargetFact> describe() const;
};

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_CPUTARGET_H
