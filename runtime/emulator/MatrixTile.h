// Matrices as plain arrays: what the fragments of mma, wmma and wgmma are
// gathered into, multiplied as, and scattered from.

#ifndef ATTNRES_RUNTIME_EMULATOR_MATRIXTILE_H
#define ATTNRES_RUNTIME_EMULATOR_MATRIXTILE_H

#include "runtime/emulator/SyncExtras.h"

#include <cstdint>

namespace attnres::emulator {

/// One element of a floating format, from its bytes.
float matrixFloat(const uint8_t *bytes, MatrixType type);
/// One element of s8 or u8.
int32_t matrixInteger(uint8_t byte, MatrixType type);
bool isIntegerType(MatrixType type);

/// d(MxN) += a(MxK) * b(KxN), wrapping or saturating in 32 bits.
void multiplyIntegers(int32_t *d, const int32_t *a, const int32_t *b,
                      unsigned m, unsigned n, unsigned k, bool saturate);
void multiplyDoubles(double *d, const double *a, const double *b, unsigned m,
                     unsigned n, unsigned k);
uint16_t halfBits(float value);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_MATRIXTILE_H
