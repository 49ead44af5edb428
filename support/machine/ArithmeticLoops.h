// Loops of one arithmetic instruction, to be timed: what the units of a
// processor do at most.
#ifndef ATTNRES_SUPPORT_MACHINE_ARITHMETICLOOPS_H
#define ATTNRES_SUPPORT_MACHINE_ARITHMETICLOOPS_H

#include <cstdint>

namespace attnres::machine {

/// Independent chains of one instruction on registers, enough of them to hide
/// its latency.
struct ArithmeticLoop {
  /// Does that many steps; only on processors that have the instruction.
  void (*run)(int64_t steps);
  /// Operations of one step; a multiply-add is two.
  double flops;
};

/// Multiply-adds in f32 on SSE2, which has no such instruction: a
/// multiplication and an addition.
extern const ArithmeticLoop kGenericMultiplyAdds;
extern const ArithmeticLoop kAvx2MultiplyAdds;
extern const ArithmeticLoop kAvx512MultiplyAdds;
/// vdpbf16ps: pairs of bf16, sums in f32.
extern const ArithmeticLoop kBf16Dots;
/// tdpbf16ps: tiles of 16 x 32 and 32 x 16 bf16, sums in f32. The process must
/// have been allowed to use tiles.
extern const ArithmeticLoop kAmxBf16Tiles;

} // namespace attnres::machine
#endif
