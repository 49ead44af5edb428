// What this machine can do at most: the denominators of every benchmark.
#ifndef ATTNRES_TOOLS_RUN_MACHINELIMITS_H
#define ATTNRES_TOOLS_RUN_MACHINELIMITS_H

#include "runtime/AlignedBuffer.h"
#include "runtime/device/CpuDevice.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

/// The middle one, or the upper of the two in the middle, of at least one.
double median(std::vector<double> values);

/// What a machine does so much of in a second, on all threads.
enum class Limit {
  /// f32 operations of independent fused multiply-adds on registers, two each.
  Flops,
  /// The same in products of f32: on AMX tiles, six products of their pieces
  /// make one.
  ProductFlops,
  /// The same in products of bf16 with sums in f32: of AMX tiles, of dot
  /// products, or of f32 where the instruction set has neither.
  Bf16Flops,
  /// Bytes, read plus written, of a copy beyond the caches.
  Copy,
  /// The same, of changing memory where it lies.
  Update,
  /// The same, of reading alone.
  Read,
};
inline constexpr size_t kNumLimits = 6;

/// A timed run. One during which the processors did something else, as their
/// time tells, says nothing about the machine.
struct LimitSample {
  double rate;
  bool isDisturbed;
};

/// Limits as they are measured again and again in the course of a program.
/// Nothing is faster than its limit: a share above 1 means that this was
/// measured badly, so it is measured again, and if that does not help, it is
/// not known.
class MachineLimits {
public:
  /// `isa` as programs and --isa name instruction sets; "host" is all that the
  /// machine has.
  MachineLimits(runtime::CpuDevice &device, const std::string &isa);
  virtual ~MachineLimits() = default;

  /// The instruction set, never "host".
  const std::string &isa() const { return level; }

  /// What bounds the products of a program as a whole.
  static Limit ofProducts(bool bf16) {
    return bf16 ? Limit::Bf16Flops : Limit::ProductFlops;
  }
  /// What that counts, for people.
  const char *describe(Limit limit) const;

  /// Takes a sample, or some if they are disturbed.
  void measure(Limit limit);
  /// The middle of the samples so far, or if need be of some that are taken
  /// now; nothing if all are disturbed.
  std::optional<double> find(Limit limit);
  /// What part of the limit `rate` is, at most 1.
  std::optional<double> findShare(Limit limit, double rate);

protected:
  /// One timed run; tests have their own.
  virtual LimitSample sample(Limit limit);

private:
  LimitSample sampleCopy();
  LimitSample sampleUpdate();
  LimitSample sampleRead();
  /// Makes `from` and `to`, which those who only count operations do without.
  void touchMemory();

  runtime::ThreadPool &threads;
  std::string level;
  bool hasAvx512, hasAvx2, hasBf16, usesDots, hasAmx;
  std::array<std::vector<double>, kNumLimits> samples;
  /// How often a limit was measured again because something exceeded it.
  std::array<int, kNumLimits> numDoubts = {};
  runtime::AlignedBuffer from, to;
};

/// The number, or null for what is not known.
nlohmann::ordered_json toJson(std::optional<double> value);

/// "86.3%", or "?" for what is not known; no wider than `width` and no
/// narrower.
std::string formatShare(std::optional<double> share, int width = 0,
                        int digits = 1);

} // namespace attnres::run

#endif
