// Decoding of ldmatrix, stmatrix, movmatrix, mma, wmma and wgmma.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

bool matrixType(std::string_view name, MatrixType &type) {
  static const std::pair<std::string_view, MatrixType> names[] = {
      {"f16", MatrixType::F16},   {"bf16", MatrixType::BF16},
      {"tf32", MatrixType::TF32}, {"s8", MatrixType::S8},
      {"u8", MatrixType::U8},     {"e4m3", MatrixType::E4M3},
      {"e5m2", MatrixType::E5M2}, {"f64", MatrixType::F64}};
  for (const auto &[text, value] : names)
    if (text == name) {
      type = value;
      return true;
    }
  return false;
}

// m16n8k16
bool parseShape(std::string_view text, unsigned &m, unsigned &n, unsigned &k) {
  unsigned *values[] = {&m, &n, &k};
  const char letters[] = {'m', 'n', 'k'};
  for (unsigned i = 0; i < 3; ++i) {
    if (text.empty() || text[0] != letters[i])
      return false;
    text.remove_prefix(1);
    unsigned value = 0;
    size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' &&
           digits < 4)
      value = value * 10 + static_cast<unsigned>(text[digits++] - '0');
    if (digits == 0)
      return false;
    text.remove_prefix(digits);
    *values[i] = value;
  }
  return text.empty();
}

bool isIntegerMatrix(MatrixType type) {
  return type == MatrixType::S8 || type == MatrixType::U8;
}

} // namespace

// ldmatrix and stmatrix.
Status FunctionDecoder::moveMatrices(bool isLoad) {
  auto *move = addExtra<MatrixLoadExtra>();
  if (!take("sync") || !take("aligned"))
    return fail("expected .sync.aligned");
  if (!take("m8n8"))
    return fail("only the shape m8n8 is supported");
  move->count = take("x4") ? 4 : take("x2") ? 2 : take("x1") ? 1 : 0;
  if (move->count == 0)
    return fail("expected .x1, .x2 or .x4");
  move->transpose = take("trans");
  move->space = takeSharedOrGeneric();
  if (takeType() != Type::B16)
    return fail("expected b16");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t base = 0;
  const Operand &address = operands()[isLoad ? 1 : 0];
  const Operand &registers = operands()[isLoad ? 0 : 1];
  Status status = addressOperand(address, *move, base);
  if (status.ok())
    status =
        vectorOperand(registers, Type::B32, move->count, move->slots, isLoad);
  if (!status.ok())
    return status;
  emitAt(isLoad ? executeLdmatrix : executeStmatrix,
         isLoad ? InstructionClass::Load : InstructionClass::Store, move, base);
  return {};
}

Status FunctionDecoder::decodeLdmatrix() { return moveMatrices(true); }
Status FunctionDecoder::decodeStmatrix() { return moveMatrices(false); }

Status FunctionDecoder::decodeMovmatrix() {
  if (!take("sync") || !take("aligned") || !take("m8n8") || !take("trans") ||
      takeType() != Type::B16)
    return fail("expected .sync.aligned.m8n8.trans.b16");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], Type::B32, a);
  if (status.ok())
    status = destination(operands()[0], Type::B32, d);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeMovmatrix, InstructionClass::WarpExchange);
  inst.dst = d;
  inst.src[0] = a;
  return {};
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d, a, b, c;
Status FunctionDecoder::decodeMma() {
  auto *mma = addExtra<MmaExtra>();
  if (!take("sync") || !take("aligned"))
    return fail("expected .sync.aligned");
  std::string_view shape = next();
  if (!parseShape(shape, mma->m, mma->n, mma->k))
    return fail(fmt::format("unknown shape '{}'", shape));
  if (!take("row") || !take("col"))
    return fail("expected .row.col");
  mma->saturate = take("satfinite");
  Type types[4] = {takeType(), Type::None, Type::None, Type::None};
  std::string_view a = next();
  std::string_view b = next();
  if (!matrixType(a, mma->aType) || !matrixType(b, mma->bType))
    return fail("unknown element type");
  types[3] = takeType();
  mma->dType = types[0];
  mma->cType = types[3];
  MatrixType type = mma->aType;
  bool isDouble = type == MatrixType::F64;
  bool isInt = isIntegerMatrix(type);
  unsigned elementBytes = matrixTypeBytes(type);
  unsigned perRegister = isDouble ? 1 : 4 / elementBytes;
  unsigned unit = 4 * perRegister; // k of one register of B
  bool known = matrixTypeBytes(mma->bType) == elementBytes &&
               isIntegerMatrix(mma->bType) == isInt && mma->n == 8 &&
               (isDouble ? (mma->m == 8 && mma->k == 4) ||
                               (mma->m == 16 &&
                                (mma->k == 4 || mma->k == 8 || mma->k == 16))
                : mma->m == 16 ? mma->k == unit || mma->k == 2 * unit
                               : mma->m == 8 && isInt && mma->k == unit);
  Type wanted = isInt ? Type::S32 : isDouble ? Type::F64 : Type::F32;
  bool halfResult = mma->dType == Type::F16 && mma->cType == Type::F16 &&
                    (type == MatrixType::F16 || elementBytes == 1) && !isInt;
  if (!known || ((mma->dType != wanted || mma->cType != wanted) && !halfResult))
    return fail("this combination of shape and types is not supported");
  if (Status status = operandCount(4, 4); !status.ok())
    return status;
  Type registerType32 = isDouble ? Type::F64 : Type::B32;
  size_t aCount = mma->m * mma->k / (kWarpSize * perRegister);
  size_t bCount = mma->n * mma->k / (kWarpSize * perRegister);
  size_t cCount = mma->m * mma->n / kWarpSize / (halfResult ? 2 : 1);
  Status status =
      vectorOperand(operands()[1], registerType32, aCount, mma->a, false);
  if (status.ok())
    status =
        vectorOperand(operands()[2], registerType32, bCount, mma->b, false);
  if (status.ok())
    status =
        vectorOperand(operands()[3], registerType32, cCount, mma->c, false);
  if (status.ok())
    status = vectorOperand(operands()[0], registerType32, cCount, mma->d, true);
  if (!status.ok())
    return status;
  emit(executeMma, InstructionClass::Matrix).extra = mma;
  return {};
}

// wmma.load, wmma.store and wmma.mma. Which lane holds which element is the
// implementation's choice, see ExecuteMatrix.cpp.
Status FunctionDecoder::decodeWmma() {
  bool isLoad = take("load");
  bool isStore = !isLoad && take("store");
  bool isMma = !isLoad && !isStore && take("mma");
  if (!isLoad && !isStore && !isMma)
    return fail("expected .load, .store or .mma");
  if (!isMma) {
    auto *memory = addExtra<WmmaMemoryExtra>();
    memory->fragment = take("a")   ? WmmaMemoryExtra::A
                       : take("b") ? WmmaMemoryExtra::B
                                   : WmmaMemoryExtra::C;
    if (memory->fragment == WmmaMemoryExtra::C && !take("c") && !take("d"))
      return fail("expected .a, .b, .c or .d");
    if (!take("sync") || !take("aligned"))
      return fail("expected .sync.aligned");
    memory->columnMajor = take("col");
    if (!memory->columnMajor && !take("row"))
      return fail("expected .row or .col");
    memory->space = take("global")                          ? Space::Global
                    : take("shared") || take("shared::cta") ? Space::Shared
                                                            : Space::Generic;
    unsigned m = 0;
    unsigned n = 0;
    unsigned k = 0;
    std::string_view shape = next();
    if (!parseShape(shape, m, n, k) || m * n * k == 0 || m > 32 || n > 32 ||
        k > 32)
      return fail(fmt::format("unknown shape '{}'", shape));
    memory->rows = memory->fragment == WmmaMemoryExtra::B ? k : m;
    memory->columns = memory->fragment == WmmaMemoryExtra::A ? k : n;
    std::string_view typeText = next();
    Type type = typeFromName(typeText);
    memory->type = type;
    memory->elementBytes = static_cast<uint8_t>(typeBytes(type));
    if (memory->elementBytes == 0 || memory->elementBytes > 8)
      return fail("unsupported element type");
    size_t addressAt = isLoad ? 1 : 0;
    if (Status status = operandCount(2, 3); !status.ok())
      return status;
    int32_t base = 0;
    if (Status status = addressOperand(operands()[addressAt], *memory, base);
        !status.ok())
      return status;
    if (operands().size() == 3) {
      if (Status status = source(operands()[2], Type::U32, memory->strideSlot);
          !status.ok())
        return status;
    } else {
      unsigned stride = memory->columnMajor ? memory->rows : memory->columns;
      memory->strideSlot = constant(stride, 4);
    }
    const Operand &list = operands()[isLoad ? 0 : 1];
    size_t count = list.kind == Operand::Vector ? list.elements.size() : 1;
    unsigned bytes = memory->elementBytes == 8 ? 8 : 4;
    if (count * kWarpSize * bytes <
        size_t(memory->rows) * memory->columns * memory->elementBytes)
      return fail("too few registers for the fragment");
    if (Status status = vectorOperand(list, bytes == 8 ? Type::F64 : Type::B32,
                                      count, memory->slots, isLoad);
        !status.ok())
      return status;
    memory->registerBytes = static_cast<uint8_t>(bytes);
    emitAt(isLoad ? executeWmmaLoad : executeWmmaStore,
           isLoad ? InstructionClass::Load : InstructionClass::Store, memory,
           base);
    return {};
  }
  auto *mma = addExtra<MmaExtra>();
  mma->isWmma = true;
  if (!take("sync") || !take("aligned"))
    return fail("expected .sync.aligned");
  // The layouts were applied by the loads.
  for (int i = 0; i < 2; ++i)
    if (!take("row") && !take("col"))
      return fail("expected two layouts");
  std::string_view shape = next();
  if (!parseShape(shape, mma->m, mma->n, mma->k) || mma->m % 4 != 0 ||
      mma->n % 8 != 0 || mma->m * mma->n * mma->k == 0 || mma->m > 32 ||
      mma->n > 32 || mma->k > 32)
    return fail(fmt::format("unknown shape '{}'", shape));
  mma->saturate = take("satfinite");
  bool rounds = take("rn");
  std::vector<std::string_view> types;
  while (pending())
    types.push_back(next());
  if (types.size() != 2 && types.size() != 4)
    return fail("expected 2 or 4 types");
  mma->dType = typeFromName(types.front());
  mma->cType = typeFromName(types.back());
  if (types.size() == 4 &&
      (!matrixType(types[1], mma->aType) || !matrixType(types[2], mma->bType)))
    return fail("unknown element type");
  bool isDouble = mma->aType == MatrixType::F64;
  bool isInt = isIntegerMatrix(mma->aType);
  if (rounds && !isDouble)
    return fail(".rn needs f64");
  auto validC = [&](Type type) {
    return isInt      ? type == Type::S32
           : isDouble ? type == Type::F64
                      : type == Type::F32 || (type == Type::F16 &&
                                              mma->aType == MatrixType::F16);
  };
  if (!validC(mma->dType) || !validC(mma->cType))
    return fail("this combination of types is not supported");
  if (Status status = operandCount(4, 4); !status.ok())
    return status;
  Type type = isDouble ? Type::F64 : Type::B32;
  unsigned perRegister = isDouble ? 1 : 4 / matrixTypeBytes(mma->aType);
  auto count = [](const Operand &operand) {
    return operand.kind == Operand::Vector ? operand.elements.size() : 1;
  };
  auto perC = [](Type which) { return which == Type::F16 ? 2u : 1u; };
  if (count(operands()[1]) * perRegister * kWarpSize < mma->m * mma->k ||
      count(operands()[2]) * perRegister * kWarpSize < mma->k * mma->n ||
      count(operands()[3]) * perC(mma->cType) * kWarpSize < mma->m * mma->n ||
      count(operands()[0]) * perC(mma->dType) * kWarpSize < mma->m * mma->n)
    return fail("too few registers for a fragment");
  std::vector<int32_t> *lists[] = {&mma->d, &mma->a, &mma->b, &mma->c};
  for (size_t i = 4; i-- > 0;)
    if (Status status = vectorOperand(operands()[i], type, count(operands()[i]),
                                      *lists[i], i == 0);
        !status.ok())
      return status;
  emit(executeMma, InstructionClass::Matrix).extra = mma;
  return {};
}

Status FunctionDecoder::decodeWgmma() {
  if (take("fence")) {
    take("sync");
    take("aligned");
    emit(executeWgmmaFence, InstructionClass::Matrix);
    return operandCount(0, 0);
  }
  if (take("commit_group")) {
    take("sync");
    take("aligned");
    emit(executeWgmmaCommit, InstructionClass::Matrix);
    return operandCount(0, 0);
  }
  if (take("wait_group")) {
    take("sync");
    take("aligned");
    return groupCount(emit(executeWgmmaWait, InstructionClass::Matrix).imm);
  }
  if (!take("mma_async"))
    return fail("expected .fence, .commit_group, .wait_group or .mma_async");
  if (!take("sync") || !take("aligned"))
    return fail("expected .sync.aligned");
  auto *mma = addExtra<WgmmaExtra>();
  unsigned m = 0;
  std::string_view shape = next();
  if (!parseShape(shape, m, mma->n, mma->k) || m != 64 || mma->n % 8 != 0 ||
      mma->n == 0 || mma->n > 256)
    return fail(fmt::format("unknown shape '{}'", shape));
  mma->saturate = take("satfinite");
  mma->dType = takeType();
  if (!matrixType(next(), mma->aType) || !matrixType(next(), mma->bType))
    return fail("unknown element type");
  bool isInt = isIntegerMatrix(mma->aType);
  unsigned bytes = matrixTypeBytes(mma->aType);
  bool halfResult = mma->dType == Type::F16 && !isInt &&
                    mma->aType != MatrixType::BF16 && bytes <= 2;
  if (bytes == 8 || matrixTypeBytes(mma->bType) != bytes ||
      isIntegerMatrix(mma->bType) != isInt || mma->k != 32 / bytes ||
      (mma->dType != (isInt ? Type::S32 : Type::F32) && !halfResult))
    return fail("this combination of shape and types is not supported");
  size_t fixed = isInt ? 4 : 6;
  bool fromRegisters =
      operands().size() > 1 && operands()[1].kind == Operand::Vector;
  size_t transposes = bytes == 2 ? (fromRegisters ? 1 : 2) : 0;
  if (Status status = operandCount(fixed + transposes, fixed + transposes);
      !status.ok())
    return status;
  size_t dCount = mma->n / (halfResult ? 4 : 2);
  Status status;
  if (fromRegisters)
    status = vectorOperand(operands()[1], Type::B32, 4, mma->a, false);
  else
    status = source(operands()[1], Type::B64, mma->aDescriptor);
  if (status.ok())
    status = source(operands()[2], Type::B64, mma->bDescriptor);
  if (status.ok())
    status = predicateSource(operands()[3], mma->scaleD);
  if (status.ok())
    status = vectorOperand(operands()[0], Type::B32, dCount, mma->d, true);
  if (!status.ok())
    return status;
  int64_t immediates[4] = {1, 1, 0, 0};
  for (size_t i = 4; i < operands().size(); ++i)
    if (Status bad = immediateInteger(operands()[i], immediates[i - 4]);
        !bad.ok())
      return bad;
  for (size_t i = 0; i < 2; ++i)
    if (immediates[i] != 1 && immediates[i] != -1)
      return fail("scales must be 1 or -1");
  mma->negateA = immediates[0] < 0;
  mma->negateB = immediates[1] < 0;
  if (transposes == 2)
    mma->transposeA = immediates[2] != 0;
  if (transposes != 0)
    mma->transposeB = immediates[fromRegisters ? 2 : 3] != 0;
  emit(executeWgmma, InstructionClass::Matrix).extra = mma;
  return {};
}

} // namespace attnres::emulator
