// What this machine can do at most: the denominators of every benchmark.
#ifndef ATTNRES_TOOLS_RUN_MACHINELIMITS_H
#define ATTNRES_TOOLS_RUN_MACHINELIMITS_H

#include "runtime/AlignedBuffer.h"
#include "runtime/CpuDevice.h"

#include <vector>

namespace attnres::run {

/// The middle one, or the upper of the two in the middle, of at least one.
double median(std::vector<double> values);

class MachineLimits {
public:
  /// `isa` as programs and --isa name instruction sets; "host" is all that the
  /// machine has.
  MachineLimits(runtime::CpuDevice &device, const std::string &isa);

  /// The instruction set, never "host".
  const std::string &isa() const { return level; }

  /// f32 operations per second of independent fused multiply-adds on registers
  /// (two operations each), on all threads; one timed run.
  double measureFlops();
  /// The same, of products of f32: on AMX tiles six products of their pieces
  /// make one.
  double measureProductFlops();
  /// The same, of products of bf16 with sums in f32: of AMX tiles, of dot
  /// products, or of f32 where the instruction set has neither.
  double measureBf16Flops();
  /// Bytes per second, read plus written, of a copy beyond the caches, on all
  /// threads; one timed run.
  double measureCopy();
  /// The same, of changing memory where it lies.
  double measureUpdate();
  /// The same, of reading alone.
  double measureRead();

private:
  /// Makes `from` and `to`, which those who only count operations do without.
  void touchMemory();

  runtime::ThreadPool &threads;
  std::string level;
  bool hasAvx512, hasAvx2, hasBf16, hasAmx;
  runtime::AlignedBuffer from, to;
};

} // namespace attnres::run

#endif
