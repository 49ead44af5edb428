// The extras of synchronizing, matrix and asynchronous instructions.

#ifndef ATTNRES_RUNTIME_EMULATOR_SYNCEXTRAS_H
#define ATTNRES_RUNTIME_EMULATOR_SYNCEXTRAS_H

#include "runtime/emulator/Program.h"

namespace attnres::emulator {

/// bar and barrier. src[0] barrier number, src[1] thread count (slot 0: all),
/// src[2] predicate of a reduction.
struct BarrierExtra : Extra {
  enum Kind : uint8_t { Sync, Arrive, Popc, And, Or };
  Kind kind = Sync;
  bool aligned = true;
  bool hasCount = false;
};

enum class ShflMode : uint8_t { Up, Down, Bfly, Idx };
enum class VoteMode : uint8_t { All, Any, Uni, Ballot };
enum class ReduxOp : uint8_t { Add, Min, Max, And, Or, Xor };

/// shfl, vote, match, redux, elect: the slot of the member mask is separate.
struct ExchangeExtra : Extra {
  int32_t memberSlot = 0;
  ShflMode shfl = ShflMode::Idx;
  VoteMode vote = VoteMode::All;
  ReduxOp redux = ReduxOp::Add;
  bool matchAll = false;
  bool isAbs = false;
  bool nanResult = false;
  Type type = Type::B32;
};

enum class AtomicOp : uint8_t {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exch,
  Cas,
  Inc,
  Dec,
};

/// src[0] address, src[1] b, src[2] c. `memory.slots` holds the values of the
/// vector forms; `results` their destinations.
struct AtomicExtra : MemoryExtra {
  AtomicOp op = AtomicOp::Add;
  bool returns = false;
  std::vector<int32_t> results;
};

struct MatrixLoadExtra : MemoryExtra {
  unsigned count = 1;
  bool transpose = false;
};

/// The operand formats of mma and wgmma.
enum class MatrixType : uint8_t { F16, BF16, TF32, S8, U8, E4M3, E5M2, F64 };
constexpr unsigned matrixTypeBytes(MatrixType type) {
  return type <= MatrixType::BF16   ? 2
         : type == MatrixType::TF32 ? 4
         : type == MatrixType::F64  ? 8
                                    : 1;
}

struct MmaExtra : Extra {
  unsigned m = 16, n = 8, k = 16;
  MatrixType aType = MatrixType::F16;
  MatrixType bType = MatrixType::F16;
  Type dType = Type::F32;
  Type cType = Type::F32;
  bool saturate = false;
  std::vector<int32_t> d, a, b, c;
  /// wmma: fragments of the layout of its own that executeWmmaLoad makes.
  bool isWmma = false;
};

struct WmmaMemoryExtra : MemoryExtra {
  enum Fragment : uint8_t { A, B, C };
  Fragment fragment = A;
  unsigned rows = 16, columns = 16;
  bool columnMajor = false;
  int32_t strideSlot = 0;
};

struct WgmmaExtra : Extra {
  unsigned n = 8, k = 16;
  MatrixType aType = MatrixType::F16;
  MatrixType bType = MatrixType::F16;
  Type dType = Type::F32;
  bool saturate = false;
  std::vector<int32_t> d;
  /// A from registers, or its descriptor in aDescriptor.
  std::vector<int32_t> a;
  int32_t aDescriptor = 0;
  int32_t bDescriptor = 0;
  /// Predicate: 0 ignores the old accumulators.
  int32_t scaleD = 0;
  bool negateA = false, negateB = false;
  bool transposeA = false, transposeB = false;
};

/// cp.async: src[0] destination, src[1] source, src[2] bytes to read or ignore
/// predicate.
struct CpAsyncExtra : Extra {
  MemoryExtra destination;
  MemoryExtra source;
  unsigned bytes = 16;
  enum Limit : uint8_t { None, SourceBytes, IgnorePredicate };
  Limit limit = None;
};

/// cp.async.bulk and cp.async.bulk.tensor in all directions.
struct BulkExtra : Extra {
  enum Direction : uint8_t {
    GlobalToShared,
    SharedToGlobal,
    SharedToShared,
    Prefetch
  };
  Direction direction = GlobalToShared;
  bool isTensor = false;
  bool reduces = false;
  AtomicOp op = AtomicOp::Add;
  Type type = Type::None;
  MemoryExtra destination;
  MemoryExtra source;
  MemoryExtra barrier;
  int32_t destinationSlot = 0;
  int32_t sourceSlot = 0;
  int32_t barrierSlot = 0;
  int32_t sizeSlot = 0;
  int32_t multicastSlot = 0;
  std::vector<int32_t> coordinates;
};

/// tensormap.replace, src[0] the map, and tensormap.cp_fenceproxy, src[0] the
/// destination and src[1] the source.
struct TensorMapExtra : MemoryExtra {
  enum Field : uint8_t {
    Address,
    Rank,
    BoxSize,
    Size,
    Stride,
    ElementStride,
    ElementType,
    Interleave,
    SwizzleMode,
    Fill
  };
  Field field = Address;
  uint32_t dimension = 0;
  int32_t valueSlot = 0;
  MemoryExtra source;
};

/// mbarrier instructions: src[0] address, src[1] count, state or parity.
struct MbarrierExtra : MemoryExtra {
  bool expectTx = false;
  bool drop = false;
  bool noComplete = false;
  bool returnsState = false;
  bool parity = false;
  bool isTry = false;
  int32_t countSlot = 0;
  int32_t txSlot = 0;
  bool completes = false; // complete_tx rather than expect_tx
};

/// cp.async.mbarrier.arrive
struct CpAsyncArriveExtra : MemoryExtra {
  bool noIncrement = false;
};

struct StAsyncExtra : Extra {
  MemoryExtra destination;
  MemoryExtra barrier;
  int32_t destinationSlot = 0;
  int32_t barrierSlot = 0;
  Type type = Type::B32;
  std::vector<int32_t> values;
  bool reduces = false;
  AtomicOp op = AtomicOp::Add;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_SYNCEXTRAS_H
