// The state of decoding one function: operands to slots, opcode modifiers, and
// the instruction families, each in a file of its own (Decode*.cpp).

#ifndef ATTNRES_RUNTIME_EMULATOR_FUNCTIONDECODER_H
#define ATTNRES_RUNTIME_EMULATOR_FUNCTIONDECODER_H

#include "runtime/emulator/Decoder.h"

#include <array>
#include <map>
#include <set>
#include <string_view>

namespace attnres::emulator {

struct ExchangeExtra;

inline bool isArray(const Variable &variable) {
  return variable.isUnsized || variable.bytes != typeBytes(variable.type);
}
enum class AtomicOp : uint8_t;

/// What the functions of one kernel share while they are decoded.
struct KernelDecoding {
  const Module &module;
  const DecodeOptions &options;
  const ModuleAddresses &addresses;
  KernelCode &kernel;
  /// Functions in the order of their code; [0] is the kernel.
  std::vector<const Function *> order;
  std::unordered_map<std::string, uint32_t> functionIndex;
  /// Shared variables: module-level by name, the functions' own by
  /// (function, variable).
  std::unordered_map<std::string, uint32_t> sharedOffsets;
  std::map<std::pair<const Function *, int>, uint32_t> localSharedOffsets;
  /// (caller, callee) of direct calls, by place in `order`.
  std::set<std::pair<uint32_t, uint32_t>> calls;
  /// A pointer calls what it may: any function whose address is taken.
  bool callsPointers = false;
};

class FunctionDecoder {
public:
  FunctionDecoder(KernelDecoding &shared, const Function &function,
                  uint32_t index);

  Status decode();

private:
  using Decode = Status (FunctionDecoder::*)();
  static const std::unordered_map<std::string_view, Decode> &families();

  // Modifiers: the dotted parts after the first. A part that nobody takes is
  // an error, so nothing is skipped silently.
  bool take(std::string_view modifier);
  /// Takes and returns the first of the still untaken parts.
  std::string_view next();
  Type takeType();
  bool pending() const;
  std::string_view base() const { return parts[0]; }

  Status fail(const std::string &what) const;
  Status operandCount(size_t least, size_t most) const;
  const std::vector<Operand> &operands() const { return statement->operands; }

  // Operands to slots.
  int32_t registerSlot(int reg) const { return slots[reg]; }
  Type registerType(int reg) const { return function.registers[reg].type; }
  static unsigned registerBytes(Type type);
  int32_t constant(uint64_t bits, unsigned bytes);
  /// A source of exactly the size of `type` (a wider register with `relaxed`).
  Status source(const Operand &operand, Type type, int32_t &slot,
                bool relaxed = false);
  Status destination(const Operand &operand, Type type, int32_t &slot,
                     bool relaxed = false);
  Status predicateSource(const Operand &operand, int32_t &slot);
  Status predicateDestination(const Operand &operand, int32_t &slot);
  Status immediateBits(const Operand &operand, Type type, uint64_t &bits) const;
  Status immediateInteger(const Operand &operand, int64_t &value) const;
  bool moduleVariable(const std::string &name, uint64_t addend,
                      uint64_t &address, Space &space) const;
  Status symbolAddress(const Operand &operand, uint64_t &address, Space &space,
                       bool &frameRelative) const;
  int32_t temporary(Type type);

  // Emission.
  Instruction &emit(Handler handler, InstructionClass kind);
  struct Slots {
    int32_t destination = 0;
    std::array<int32_t, 4> sources = {};
  };
  /// The operands `d, a, b, ...`: a destination and a source of every type.
  Status slotsFor(Type result, std::initializer_list<Type> sources,
                  Slots &slotsOf);
  Status emitLane(const LaneKey &key, InstructionClass kind, Type result,
                  const Slots &slotsOf, uint32_t imm = 0);
  /// Both: what most instructions on registers are.
  Status laneInstruction(const LaneKey &key, InstructionClass kind, Type result,
                         std::initializer_list<Type> sources, uint32_t imm = 0);
  template <typename T>
  T *addExtra() {
    auto extra = std::make_unique<T>();
    T *raw = extra.get();
    shared.kernel.extras.push_back(std::move(extra));
    return raw;
  }
  static InstructionClass arithmeticClass(Type type);
  Status addressOperand(const Operand &operand, MemoryExtra &memory,
                        int32_t &baseSlot);
  Status vectorOperand(const Operand &operand, Type type, size_t count,
                       std::vector<int32_t> &slots, bool isDestination);
  /// `d|p`, the second a predicate or absent.
  Status destinationPair(const Operand &operand, Type type, int32_t &slot,
                         int32_t &predicate);
  /// How many groups a wait_group, which has this operand alone, leaves.
  Status groupCount(uint32_t &count);
  /// .shared or .shared::cta, or generic addresses.
  Space takeSharedOrGeneric();
  /// An instruction whose first source is an address.
  Instruction &emitAt(Handler handler, InstructionClass kind, Extra *extra,
                      int32_t base);
  Status labelTarget(const std::string &label, uint32_t &statementIndex) const;

  // Families: DecodeArithmetic.cpp.
  Status decodeAddSub();
  Status decodeMul();
  Status decodeMad();
  Status decodeFma();
  Status decodeCarry();
  Status decodeDivRem();
  Status decodeUnary();
  Status decodeMinMax();
  Status decodeSad();
  Status decodeMul24();
  Status decodeApproxUnary();
  Status decodeTestp();
  Status decodeCopysign();
  Status decodeDotProduct();
  // DecodeBits.cpp.
  Status decodeLogic();
  Status decodeShift();
  Status decodeFunnel();
  Status decodeLop3();
  Status decodePrmt();
  Status decodeBitCount();
  Status decodeBfe();
  Status decodeBfi();
  Status decodeFns();
  Status decodeBmskSzext();
  // DecodeMove.cpp.
  Status decodeMov();
  Status decodeSelp();
  Status decodeSlct();
  Status decodeSetp();
  Status decodeSet();
  Status decodeCvt();
  Status decodeCvta();
  Status decodeIsspacep();
  Status decodeMapa();
  Status decodeGetctarank();
  // DecodeMemory.cpp.
  Status decodeLoad();
  Status decodeStore();
  Status decodeAtomic();
  Status decodePrefetch();
  Status decodeCreatePolicy();
  // DecodeControl.cpp.
  Status decodeBranch();
  Status decodeBranchTable();
  Status decodeCall();
  Status decodeReturn();
  Status decodeExit();
  Status decodeTrap();
  Status decodeBarrier();
  Status decodeFence();
  Status decodeShfl();
  Status decodeVote();
  Status decodeMatch();
  Status decodeRedux();
  Status decodeActiveMask();
  Status decodeElect();
  Status decodeNoOperation();
  Status decodeNanosleep();
  // DecodeMatrix.cpp.
  Status decodeLdmatrix();
  Status decodeStmatrix();
  Status moveMatrices(bool isLoad);
  Status decodeMovmatrix();
  Status decodeMma();
  Status decodeWmma();
  Status decodeWgmma();
  // DecodeAsync.cpp.
  Status decodeCp();
  Status decodeMbarrier();
  Status decodeTensorMap();
  Status decodeStAsync();

  Status decodeStatement();
  Status layoutFrame();
  bool isFormalParameter(int variable) const;
  Status setPair(const Operand &operand, int32_t &q);
  Status setpParts(LaneOp &op, uint32_t &combination);
  uint16_t floatFlags(Type type, uint32_t &imm);
  void makeApproximate(LaneKey &key, uint32_t &imm) const;
  Status productPart(LaneKey &key, LaneOp low, LaneOp high, LaneOp wide,
                     Type &result);
  Status fusedProduct(Type type);
  Status carryForm(LaneOp op, Type type, uint16_t flags);
  Status clampOrWrap(LaneKey &key);
  Status wordInstruction(LaneOp op, uint16_t flags, unsigned count,
                         uint32_t imm = 0);
  bool takeScopeAndSemantics(MemoryExtra &memory);
  bool takeCacheModifiers();
  Status cvtPack();
  Status movPacked(Type type);
  Status emitMove(Type type, int32_t dst, int32_t src);
  Status frameAddress(int32_t dst, uint32_t offset, unsigned bytes);
  /// One argument or result of a call and what the callee has in its place.
  struct CallValue {
    const Operand *operand = nullptr;
    const Variable *formal = nullptr;
    uint32_t offset = 0;
    bool isHidden = false;
  };
  Status callValues(const Operand *list,
                    const std::vector<const Variable *> &formals,
                    const char *what, std::vector<CallValue> &values);
  Status callVariable(CallValue &value);
  Status moveHidden(const CallValue &value, bool isResult);
  Status callee(const Operand &operand, const Operand *table, CallExtra &call,
                std::vector<const Variable *> &returns,
                std::vector<const Variable *> &parameters);
  Status pointedCallee(const Operand *table,
                       std::vector<const Variable *> &returns,
                       std::vector<const Variable *> &parameters);
  uint32_t placeInFrame(uint64_t bytes, uint64_t align);
  Status checkAddress(const MemoryExtra &memory, int32_t base) const;
  Status memoryForm(MemoryExtra &memory, size_t &count);
  Status memoryRegisters(const Operand &operand, MemoryExtra &memory,
                         size_t count, bool isDestination);
  Status atomicOperation(AtomicOp &op);
  Status checkAtomic(AtomicOp op, Type type, bool isRed) const;
  Status bulkCopy(bool reduces);
  Status tensorOperand(const Operand &operand, MemoryExtra &memory,
                       int32_t &slot, std::vector<int32_t> &coordinates,
                       size_t rank);
  Status memberMask(const Operand &operand, ExchangeExtra *extra);

  KernelDecoding &shared;
  const Function &function;
  uint32_t index;
  FunctionCode &code();
  const Statement *statement = nullptr;
  /// The return that no text stands for.
  bool isImplied = false;
  std::vector<std::string_view> parts;
  std::vector<bool> taken;
  std::vector<int32_t> slots;
  int32_t slotCount = 1;
  int32_t carrySlot = 0;
  /// (bits, bytes) -> slot. Constants and temporaries follow the registers.
  std::map<std::pair<uint64_t, unsigned>, int32_t> constantSlots;
  /// Variable -> offset in the frame's local memory.
  std::unordered_map<int, uint32_t> frameOffsets;
  uint64_t frameEnd = 0;
  std::vector<uint32_t> statementPc;
  struct Fixup {
    size_t pc;
    uint32_t statement;
  };
  std::vector<Fixup> fixups;
  struct TableFixup {
    BranchTableExtra *table;
    std::vector<uint32_t> statements;
  };
  std::vector<TableFixup> tableFixups;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_FUNCTIONDECODER_H
