// The decoded form that the emulator executes. Every kernel has a code array of
// its own that also holds the functions it calls, so that addresses of shared
// variables are constants.
//
// Registers live in slots of 128 bytes: 32 lanes of 4 bytes. A 64-bit register
// takes two slots, a 128-bit one four; 16-bit registers and predicates (one
// 32-bit mask) use the beginning of one. Constants and special registers are
// slots too, so an operand is always just a slot number. Slot 0 is a zero that
// is always initialized and stands for "no operand".

#ifndef ATTNRES_RUNTIME_EMULATOR_PROGRAM_H
#define ATTNRES_RUNTIME_EMULATOR_PROGRAM_H

#include "runtime/emulator/Types.h"
#include "runtime/emulator/Undefined.h"
#include "runtime/emulator/lane/LaneOps.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace attnres::emulator {

class Warp;
struct Instruction;

constexpr unsigned kSlotBytes = 128;

// Generic addresses: the space is in the bits above 40, global memory is 0.
constexpr uint64_t kWindowShift = 40;
constexpr uint64_t kSharedWindow = uint64_t(1) << kWindowShift;
constexpr uint64_t kLocalWindow = uint64_t(2) << kWindowShift;
constexpr uint64_t kParamWindow = uint64_t(3) << kWindowShift;
constexpr uint64_t kFunctionWindow = uint64_t(4) << kWindowShift;
/// Between the addresses of functions.
constexpr uint64_t kFunctionStep = 16;
/// Of the stack, for the return address and registers that a call saves, even
/// where a function has no local variables.
constexpr uint32_t kFrameBytes = 16;
/// Shared variables start here: the first kilobyte is reserved, as on sm_90,
/// so that a null shared pointer is out of bounds.
constexpr uint32_t kSharedBase = 1024;
/// A shared::cluster address names the block in these bits, plus one; 0 is the
/// executing block.
constexpr unsigned kClusterRankShift = 24;

/// The classes that instructions are counted in.
enum class InstructionClass : uint8_t {
  Integer,
  Logic,
  Float32,
  Float64,
  Half,
  Special,
  Conversion,
  Comparison,
  Move,
  Load,
  Store,
  Atomic,
  Control,
  Barrier,
  WarpExchange,
  Matrix,
  AsyncCopy,
  Count,
};
const char *instructionClassName(InstructionClass kind);

/// Executes one instruction for the lanes of `mask`, which is never empty.
using Handler = void (*)(Warp &warp, const Instruction &inst, uint32_t mask);

/// What one kind of instruction needs beyond its slots.
struct Extra {
  virtual ~Extra() = default;
};

struct Instruction {
  Handler handler = nullptr;
  LaneFn lane = nullptr;
  const Extra *extra = nullptr;
  int32_t dst = 0;
  int32_t dst2 = 0;
  int32_t src[4] = {0, 0, 0, 0};
  /// Slot of the guard predicate, 0 for none.
  int32_t guard = 0;
  uint32_t imm = 0;
  uint32_t line = 0;
  /// Branch target or function entry; a second constant elsewhere.
  uint32_t target = 0;
  InstructionClass kind = InstructionClass::Control;
  bool guardNegated = false;
  /// Bytes per lane of the destinations; 0 marks a predicate.
  uint8_t destBytes = 4;
  uint8_t dest2Bytes = 0;
  uint8_t sourceBytes = 4;
  /// How undefined values go through it, see Undefined.h.
  Flow flow = Flow::Whole;
  uint8_t flowBytes = 0;
};

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  MaskEq,
  MaskLe,
  MaskLt,
  MaskGe,
  MaskGt,
  DynamicShared,
  TotalShared,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NclusterIdX,
  NclusterIdY,
  NclusterIdZ,
  ClusterCtaX,
  ClusterCtaY,
  ClusterCtaZ,
  ClusterNctaX,
  ClusterNctaY,
  ClusterNctaZ,
  ClusterRank,
  ClusterSize,
  ExplicitCluster,
  /// Read when the instruction executes, not once per warp.
  Clock,
  Clock64,
  ClockHigh,
  GlobalTimer,
  GlobalTimerLow,
  GlobalTimerHigh,
  ReservedBegin,
  ReservedEnd,
  ReservedCap,
  /// %envreg1 and 2 of a cooperative launch.
  GridWorkspaceHigh,
  GridWorkspaceLow,
  /// Zero here: the other %envreg, %pm and the like.
  Zero,
};

struct ParameterLayout {
  std::string name;
  uint32_t offset = 0;
  uint32_t bytes = 0;
  uint32_t align = 1;
  Type type = Type::None;
};

/// One function inside a kernel's code.
struct FunctionCode {
  std::string name;
  uint32_t entry = 0;
  uint32_t slotCount = 1;
  /// Initial contents of the slots from `firstConstant` on, and which of them
  /// are constants (the others are temporaries).
  uint32_t firstConstant = 0;
  std::vector<uint8_t> constants;
  std::vector<int32_t> constantSlots;
  std::vector<std::pair<Special, int32_t>> specials;
  /// Local variables and parameters of calls, per lane.
  uint32_t localBytes = 0;
  /// Of the stack that recursion may use.
  uint32_t stackBytes = 0;
  std::vector<ParameterLayout> parameters;
  std::vector<ParameterLayout> returns;
  /// Slot -> register name, for findings.
  std::unordered_map<int32_t, std::string> registerNames;
};

struct KernelCode {
  std::string name;
  std::vector<Instruction> code;
  std::vector<FunctionCode> functions; // [0] is the kernel itself
  std::vector<std::unique_ptr<Extra>> extras;
  std::vector<ParameterLayout> parameters;
  uint32_t parameterBytes = 0;
  /// Shared memory, from kSharedBase: static variables, then dynamic memory.
  uint32_t staticSharedBytes = 0;
  uint32_t dynamicSharedOffset = 0;
  uint32_t maxThreads[3] = {0, 0, 0};
  uint32_t requiredThreads[3] = {0, 0, 0};
  uint32_t requiredCluster[3] = {0, 0, 0};
  /// Local memory of the deepest chain of calls, if there is one; otherwise
  /// what a warp begins with.
  uint32_t localBytes = 0;
  /// Calls itself, or functions by pointers: the depth is not known before.
  bool isRecursive = false;
  bool usesHeap = false;
  /// Address of a function -> its place in `functions`.
  std::unordered_map<uint64_t, uint32_t> functionsByAddress;
};

// Extras of the instruction families.

/// A vector of destination or source slots.
struct SlotList : Extra {
  std::vector<int32_t> slots;
  std::vector<int32_t> more;
  uint8_t bytes = 4;
};

/// Loads, stores and everything else with an address: src[0] is the slot of
/// the base (0 for none), `offset` is added.
struct MemoryExtra : Extra {
  Space space = Space::Generic;
  /// The base register has 32 bits.
  bool narrowAddress = false;
  /// A variable of the current frame: local memory relative to it.
  bool frameRelative = false;
  /// An argument or result of a call: passing it on is a move.
  bool isParameter = false;
  /// shared::cluster rather than shared::cta.
  bool cluster = false;
  /// volatile, relaxed, acquire or release: not a data race by itself.
  bool strong = false;
  bool acquire = false;
  bool release = false;
  /// At gpu, cluster or sys scope; otherwise the block.
  bool wideScope = false;
  /// Load: sign-extend into a wider register.
  bool isSigned = false;
  int64_t offset = 0;
  Type type = Type::None;
  uint8_t elementBytes = 4;
  uint8_t registerBytes = 4;
  std::vector<int32_t> slots; // 0 in a load or store vector: `_`
};

/// Copies between a call's argument variables and a callee's frame.
struct CallExtra : Extra {
  struct Copy {
    uint32_t callerOffset;
    uint32_t calleeOffset;
    uint32_t bytes;
  };
  uint32_t function = 0;
  bool indirect = false;
  /// Offsets and sizes on the caller's side; the callee's follow its layout.
  std::vector<std::pair<uint32_t, uint32_t>> arguments;
  std::vector<std::pair<uint32_t, uint32_t>> results;
  /// A function without a body that the emulator implements.
  enum System : uint8_t { None, Printf, Assert, Malloc, Free };
  System system = None;
};

struct BranchTableExtra : Extra {
  std::vector<uint32_t> targets;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_PROGRAM_H
