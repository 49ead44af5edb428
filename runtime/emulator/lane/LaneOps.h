// Arithmetic on whole warps. A register holds 32 lanes side by side, so every
// operation here is a loop over 32 values (64 for packed halves) that the
// compiler turns into vector instructions. The files of this folder are built
// once per instruction-set level of the host (baseline, AVX2, AVX-512) and the
// best one is chosen at run time; results are the same bits on all of them.

#ifndef ATTNRES_RUNTIME_EMULATOR_LANE_LANEOPS_H
#define ATTNRES_RUNTIME_EMULATOR_LANE_LANEOPS_H

#include "runtime/emulator/Types.h"

#include <cstdint>
#include <vector>

namespace attnres::emulator {

enum class LaneOp : uint8_t {
  None,
  // Integer and bits.
  Add,
  Sub,
  Mul,
  MulHi,
  MulWide,
  Mad,
  MadHi,
  MadWide,
  Mul24,
  Mad24,
  Mul24Hi,
  Mad24Hi,
  Mad24HiSat,
  Sad,
  Div,
  Rem,
  Abs,
  Neg,
  Min,
  Max,
  AddSat,
  SubSat,
  MadHiSat,
  AddCarry,
  SubBorrow,
  MadCarry,
  MadHiCarry,
  Popc,
  Clz,
  Bfind,
  Brev,
  Bfe,
  Bfi,
  Bmsk,
  Szext,
  Dp4a,
  Dp2a,
  Fns,
  And,
  Or,
  Xor,
  Not,
  Cnot,
  Lop3,
  Shl,
  Shr,
  ShfL,
  ShfR,
  Prmt,
  // Selection and comparison.
  Mov,
  Selp,
  Slct,
  SetpEq,
  SetpNe,
  SetpLt,
  SetpLe,
  SetpGt,
  SetpGe,
  SetpEqu,
  SetpNeu,
  SetpLtu,
  SetpLeu,
  SetpGtu,
  SetpGeu,
  SetpNum,
  SetpNan,
  // Floating point.
  Fma,
  Rcp,
  Sqrt,
  Rsqrt,
  Sin,
  Cos,
  Lg2,
  Ex2,
  Tanh,
  Copysign,
  Testp,
  // Pred registers.
  PredAnd,
  PredOr,
  PredXor,
  PredNot,
  PredMov,
  // Conversion; the source type is in LaneKey::source.
  Cvt,
  CvtPack,
};

enum LaneFlag : uint16_t {
  kFtz = 1,
  kSat = 2,
  kRelu = 4,
  /// min.NaN / max.NaN.
  kNanResult = 8,
  kXorSignAbs = 16,
  /// Carry in and out of the extended-precision forms.
  kCarryIn = 32,
  kCarryOut = 64,
  /// shf.clamp, bmsk.clamp, szext.clamp, bfind.shiftamt.
  kClamp = 128,
  /// Directed rounding of floating arithmetic; the mode is in LaneArgs::imm.
  kDirected = 256,
  /// The correctly rounded approximation is moved within its documented error.
  kPerturb = 512,
  kApprox = 1024,
};

/// Rounding modes; the integer forms round to a whole number.
enum class Rounding : uint8_t { Nearest, Zero, Down, Up, Away, None };

struct LaneKey {
  LaneOp op = LaneOp::None;
  Type type = Type::None;
  Type source = Type::None;
  uint16_t flags = 0;
};

/// Operands of one warp instruction. Each pointer is to 32 lanes of the
/// register's width; a predicate operand is one 32-bit mask.
struct LaneArgs {
  void *d = nullptr;
  /// Second destination: q of `p|q`, or the carry mask.
  void *d2 = nullptr;
  const void *a = nullptr;
  const void *b = nullptr;
  const void *c = nullptr;
  const void *e = nullptr;
  /// Truth table, byte-selection mode, rounding mode, boolean combination.
  uint32_t imm = 0;
  /// Bytes per lane of the source register (conversions may read a wider one)
  /// and of the destination register.
  uint8_t sourceBytes = 0;
  uint8_t destBytes = 0;
};

using LaneFn = void (*)(const LaneArgs &);

/// How setp combines the comparison with a third predicate; kept in imm.
enum BoolOp : uint32_t { kBoolNone, kBoolAnd, kBoolOr, kBoolXor };

/// D(16x8) = A(16xK) * B(Kx8) + C over floats. `a` is row-major with K columns,
/// `b` is row-major K x 8, `d` holds C on entry. Sums run over k in order with
/// one rounding per group of products, as documented in docs/emulator.md.
using MmaFloatFn = void (*)(float *d, const float *a, const float *b,
                            unsigned k);
/// The same for D(MxN), M a multiple of 4 and N of 8; rows of b and d have n
/// values.
using WideMmaFloatFn = void (*)(float *d, const float *a, const float *b,
                                unsigned m, unsigned n, unsigned k);
/// m16n8k16 on 16-bit operands as registers hold them: 4 registers of A, 2 of
/// B, 4 of C and D. d may not overlap the others.
using MmaRegistersFn = void (*)(float *const *d, const void *const *a,
                                const void *const *b, const float *const *c);
using ToFloatFn = void (*)(float *d, const void *s, unsigned count);

struct LaneTable {
  const char *name;
  LaneFn (*find)(const LaneKey &);
  MmaFloatFn mma16x8;
  WideMmaFloatFn mmaWide;
  MmaRegistersFn mmaHalf16;
  MmaRegistersFn mmaBfloat16;
  ToFloatFn halfToFloat;
  ToFloatFn bfloatToFloat;
};

/// The tables of the levels that this host can execute, the best one last.
const std::vector<const LaneTable *> &laneTables();
/// The best of them.
const LaneTable &laneTable();

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_LANE_LANEOPS_H
