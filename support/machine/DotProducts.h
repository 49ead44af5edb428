// How fast this processor multiplies bf16 on vectors.
#ifndef ATTNRES_SUPPORT_MACHINE_DOTPRODUCTS_H
#define ATTNRES_SUPPORT_MACHINE_DOTPRODUCTS_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnres::machine {

/// What CPUID calls a processor.
struct ProcessorName {
  char vendor[13] = "";
  uint32_t family = 0, model = 0, stepping = 0;
};
ProcessorName processorName();

/// Whether vdpbf16ps does more operations per second than f32 multiply-adds do,
/// for the processors of which that is known.
std::optional<bool> knownDotProducts(std::string_view vendor, uint32_t family,
                                     uint32_t model);

/// Operations per second of vdpbf16ps, relative to f32 multiply-adds: a
/// processor has about 2, 1 or 1/2. Measured, in some milliseconds; only for
/// processors with AVX512_BF16.
double measureDotProducts();

/// The same as a decision for this processor: what is known of it, or what was
/// measured, once for the machine as long as the cache folder can be written,
/// since programs for the two compute different bits.
bool areDotProductsFast();

} // namespace attnres::machine
#endif
