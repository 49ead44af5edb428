//===- MmaCode.cpp - code of blocks with matrix instructions --------------===//
#include "passes/nvptx/MmaCode.h"

#include "passes/nvptx/EmitPtx.h"
#include "passes/nvptx/GpuKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

template <typename Register>
static Int specialRegister(const MmaCode &code) {
  return code.asInt(Register::create(code.builder, code.loc, code.i32()));
}

MmaCode::MmaCode(OpBuilder &builder, Location loc, int64_t threads)
    : builder(builder), loc(loc), threads(threads),
      thread(specialRegister<NVVM::ThreadIdXOp>(*this)), lane(thread % 32),
      warp(thread / 32), block(specialRegister<NVVM::BlockIdXOp>(*this)),
      shared(sharedMemory(builder, loc)) {}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <typename Op>
static Int fold(Int a, Int b) {
  return {a.code,
          a.code->builder.createOrFold<Op>(a.code->loc, a.value, b.value)};
}

Int attnres::nvptx::operator+(Int a, Int b) {
  return fold<arith::AddIOp>(a, b);
}
Int attnres::nvptx::operator-(Int a, Int b) {
  return fold<arith::SubIOp>(a, b);
}
Int attnres::nvptx::operator*(Int a, Int b) {
  return fold<arith::MulIOp>(a, b);
}
Int attnres::nvptx::operator^(Int a, Int b) {
  return fold<arith::XOrIOp>(a, b);
}
Int attnres::nvptx::operator+(Int a, int64_t b) {
  return a + a.code->number(b);
}
Int attnres::nvptx::operator-(Int a, int64_t b) {
  return a - a.code->number(b);
}
Int attnres::nvptx::operator*(Int a, int64_t b) {
  return a * a.code->number(b);
}
Int attnres::nvptx::operator/(Int a, int64_t b) {
  return fold<arith::DivUIOp>(a, a.code->number(b));
}
Int attnres::nvptx::operator%(Int a, int64_t b) {
  return fold<arith::RemUIOp>(a, a.code->number(b));
}

Int MmaCode::number(int64_t value) const {
  return asInt(arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value))));
}

Value MmaCode::number64(int64_t value) const {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Int MmaCode::clampedElement(Value pointer, Int index, int64_t last) const {
  Value value = load(offset(pointer, index * 8), i64(), 8);
  value = arith::MaxSIOp::create(builder, loc, value, number64(0));
  value = arith::MinSIOp::create(builder, loc, value, number64(last));
  return asInt(arith::TruncIOp::create(builder, loc, i32(), value));
}

Int MmaCode::min(Int a, Int b) const { return fold<arith::MinSIOp>(a, b); }

Int MmaCode::quotient(Int a, Int b) const { return fold<arith::DivUIOp>(a, b); }

Int MmaCode::remainder(Int a, Int b) const {
  return fold<arith::RemUIOp>(a, b);
}

Int MmaCode::subtractOrZero(Int a, Int b) const {
  return fold<arith::MaxSIOp>(a - b, number(0));
}

Int MmaCode::select(Value condition, Int a, Int b) const {
  return asInt(select(condition, a.value, b.value));
}

Value MmaCode::select(Value condition, Value a, Value b) const {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}

Value MmaCode::isLess(Int a, Int b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                             a.value, b.value);
}

Value MmaCode::isEqual(Int a, Int b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                             a.value, b.value);
}

Int MmaCode::nextStage(Int stage, int64_t stages) const {
  return select(isEqual(stage, number(stages - 1)), number(0), stage + 1);
}

Value MmaCode::both(Value a, Value b) const {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}

Value MmaCode::wide(Int a, int64_t factor) const {
  return mulWide(builder.createOrFold<arith::ExtUIOp>(loc, i64(), a.value),
                 factor);
}

Value MmaCode::mulWide(Value a, int64_t factor) const {
  return builder.createOrFold<arith::MulIOp>(loc, a, number64(factor));
}

Value MmaCode::addWide(Value a, Value b) const {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

//===----------------------------------------------------------------------===//
// f32 and bf16
//===----------------------------------------------------------------------===//

Type MmaCode::i32() const { return builder.getI32Type(); }
Type MmaCode::i64() const { return builder.getI64Type(); }
Type MmaCode::f32() const { return builder.getF32Type(); }

Value MmaCode::f32(double value) const {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value MmaCode::zero16() const {
  return arith::ConstantOp::create(builder, loc, builder.getI16IntegerAttr(0));
}

Value MmaCode::add(Value a, Value b) const {
  return arith::AddFOp::create(builder, loc, a, b);
}
Value MmaCode::sub(Value a, Value b) const {
  return arith::SubFOp::create(builder, loc, a, b);
}
Value MmaCode::mul(Value a, Value b) const {
  return arith::MulFOp::create(builder, loc, a, b);
}
Value MmaCode::fma(Value a, Value b, Value c) const {
  return LLVM::FMAOp::create(builder, loc, a, b, c);
}
Value MmaCode::max(Value a, Value b) const {
  return LLVM::MaxNumOp::create(builder, loc, a, b);
}

Value MmaCode::intrinsic(StringRef name, Type type, ValueRange operands) const {
  return LLVM::CallIntrinsicOp::create(builder, loc, type,
                                       builder.getStringAttr(name), operands)
      .getResults();
}

Value MmaCode::exp2(Value x) const {
  return intrinsic("llvm.nvvm.ex2.approx.ftz.f32", f32(), x);
}
Value MmaCode::log2(Value x) const {
  return intrinsic("llvm.nvvm.lg2.approx.ftz.f", f32(), x);
}
Value MmaCode::reciprocal(Value x) const {
  return arith::DivFOp::create(builder, loc, f32(1), x);
}

Value MmaCode::toBits(Value f32) const {
  return builder.createOrFold<LLVM::BitcastOp>(loc, i32(), f32);
}
Value MmaCode::fromBits(Value bits) const {
  return builder.createOrFold<LLVM::BitcastOp>(loc, f32(), bits);
}

Value MmaCode::packBf16(Value low, Value high) const {
  Value pair = vectorOf({low, high});
  Value rounded = LLVM::FPTruncOp::create(
      builder, loc, VectorType::get({2}, builder.getBF16Type()), pair);
  return LLVM::BitcastOp::create(builder, loc, i32(), rounded);
}

Value MmaCode::unpackBf16(Value pair, bool isHigh) const {
  Int bits = asInt(pair);
  if (isHigh)
    return fromBits(builder.createOrFold<arith::AndIOp>(
        loc, bits.value, number(int64_t(0xffff0000)).value));
  return fromBits(
      builder.createOrFold<arith::ShLIOp>(loc, bits.value, number(16).value));
}

Value MmaCode::toBf16(Value value) const {
  Value rounded =
      LLVM::FPTruncOp::create(builder, loc, builder.getBF16Type(), value);
  return LLVM::BitcastOp::create(builder, loc, builder.getI16Type(), rounded);
}

Value MmaCode::fromBf16(Value bits) const {
  Value wide = arith::ExtUIOp::create(builder, loc, i32(), bits);
  return unpackBf16(wide, false);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Registers
MmaCode::loop(Int from, Int to, int64_t step, ValueRange init,
              function_ref<Registers(Int i, ValueRange carried)> body) const {
  auto loop = scf::ForOp::create(builder, loc, from.value, to.value,
                                 number(step).value, init);
  if (init.empty())
    loop.getBody()->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Registers next =
      body(asInt(loop.getInductionVar()), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void MmaCode::ifTrue(Value condition, function_ref<void()> body) const {
  if (!condition)
    return body();
  auto op =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  body();
}

Registers MmaCode::ifElse(Value condition, TypeRange types,
                          function_ref<Registers()> yes,
                          function_ref<Registers()> no) const {
  auto op = scf::IfOp::create(builder, loc, types, condition,
                              /*withElseRegion=*/true);
  // Without results the blocks come with their terminators.
  if (types.empty())
    for (Block *block : {op.thenBlock(), op.elseBlock()})
      block->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(op.thenBlock());
  Registers results = yes();
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToEnd(op.elseBlock());
  results = no();
  scf::YieldOp::create(builder, loc, results);
  return llvm::to_vector_of<Value>(op.getResults());
}

void MmaCode::barrier() const { NVVM::Barrier0Op::create(builder, loc); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value MmaCode::offset(Value pointer, Int bytes) const {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes.value)});
}

Value MmaCode::offset(Value pointer, int64_t bytes) const {
  if (bytes == 0)
    return pointer;
  return offsetWide(pointer, number64(bytes));
}

Value MmaCode::offsetWide(Value pointer, Value bytes) const {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
}

Value MmaCode::load(Value pointer, Type type, int64_t bytes) const {
  return LLVM::LoadOp::create(builder, loc, type, pointer, bytes);
}

void MmaCode::store(Value value, Value pointer, int64_t bytes) const {
  LLVM::StoreOp::create(builder, loc, value, pointer, bytes);
}

Registers MmaCode::elementsOf(Value vector) const {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return {vector};
  Registers elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, number(i).value));
  return elements;
}

Value MmaCode::vectorOf(ValueRange elements) const {
  if (elements.size() == 1)
    return elements.front();
  auto type = VectorType::get({static_cast<int64_t>(elements.size())},
                              elements.front().getType());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, element,
                                           number(i).value);
  return vector;
}

void MmaCode::copyAsync(Value to, Value from, int64_t bytes,
                        Value present) const {
  // What is read once by this block need not stay in its first-level cache.
  auto modifier = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                              : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(builder, loc, to, from, bytes, modifier, present);
}

void MmaCode::commitCopies() const {
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void MmaCode::waitForCopies(int64_t pending) const {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, pending);
}

Value MmaCode::arrivals(int64_t count) const {
  auto cast = UnrealizedConversionCastOp::create(
      builder, loc, globalPointer(builder.getContext()), ValueRange());
  cast->setAttr(kCountersAttr, builder.getI64IntegerAttr(count));
  return cast.getResult(0);
}

// A number for each index counts the blocks that came, and returns to 0 with
// the last: launches follow each other. What the threads of a block have
// written is visible to its first one behind the barrier, and by the fences to
// others (LLVM gives the atomic no order of its own).
Value MmaCode::isLastToArrive(Value arrivals, Int index, int64_t count) const {
  barrier();
  ifTrue(isEqual(thread, number(0)), [&] {
    NVVM::MembarOp::create(builder, loc, NVVM::MemScopeKind::GPU);
    Value before = LLVM::AtomicRMWOp::create(
        builder, loc, LLVM::AtomicBinOp::uinc_wrap, offset(arrivals, index * 4),
        number(count - 1).value, LLVM::AtomicOrdering::monotonic, "device");
    NVVM::MembarOp::create(builder, loc, NVVM::MemScopeKind::GPU);
    store(before, shared, 4);
  });
  barrier();
  return isEqual(asInt(load(shared, i32(), 4)), number(count - 1));
}

//===----------------------------------------------------------------------===//
// Of a warp
//===----------------------------------------------------------------------===//

static Registers fieldsOf(const MmaCode &code, Value structure, int64_t count) {
  Registers fields;
  for (int64_t i = 0; i < count; ++i)
    fields.push_back(
        LLVM::ExtractValueOp::create(code.builder, code.loc, structure, i));
  return fields;
}

Value MmaCode::shuffleXor(Value value, int64_t mask) const {
  return NVVM::ShflOp::create(builder, loc, value.getType(), number(-1).value,
                              value, number(mask).value, number(31).value,
                              NVVM::ShflKind::bfly, UnitAttr());
}

Registers MmaCode::loadMatrices(Value pointer, bool transposed) const {
  MLIRContext *context = builder.getContext();
  auto type =
      LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(4, i32()));
  Value result = NVVM::LdMatrixOp::create(
      builder, loc, type, pointer, 4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return fieldsOf(*this, result, 4);
}

Registers MmaCode::mma(ValueRange a, ValueRange b, ValueRange c,
                       bool isBf16) const {
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               SmallVector<Type>(4, f32()));
  auto element = isBf16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::tf32;
  Value result = NVVM::MmaOp::create(
      builder, loc, type, a, b, c, ArrayRef<int64_t>{16, 8, isBf16 ? 16 : 8},
      /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{element, element},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  return fieldsOf(*this, result, 4);
}

MmaOperand MmaCode::operand(const Registers &fragment, bool isBf16) const {
  if (isBf16)
    return {fragment, {}};
  auto round = [&](Value value) -> Value {
    return NVVM::ConvertFloatToTF32Op::create(
        builder, loc, i32(), value, NVVM::FPRoundingMode::RNA,
        NVVM::SaturationMode::NONE, /*relu=*/false);
  };
  MmaOperand operand;
  for (Value bits : fragment) {
    Value whole = fromBits(bits), high = round(whole);
    operand.high.push_back(high);
    operand.low.push_back(round(sub(whole, fromBits(high))));
  }
  return operand;
}

MmaOperand MmaCode::operandOfSums(ArrayRef<Value> sums, int64_t step,
                                  bool isBf16) const {
  if (isBf16) {
    ArrayRef<Value> s = sums.slice(8 * step, 8);
    return {{packBf16(s[0], s[1]), packBf16(s[2], s[3]), packBf16(s[4], s[5]),
             packBf16(s[6], s[7])},
            {}};
  }
  ArrayRef<Value> s = sums.slice(4 * step, 4);
  return operand({toBits(s[0]), toBits(s[2]), toBits(s[1]), toBits(s[3])},
                 false);
}

// A step of tf32 is summed by itself, small terms first, and joins the sums by
// an addition that rounds to nearest: tensor cores cut off what they add.
void MmaCode::multiplyAdd(const MmaOperand &left, const MmaOperand &right,
                          MutableArrayRef<Value> sums) const {
  bool isBf16 = left.low.empty();
  for (int64_t eight = 0; eight < 2; ++eight) {
    MutableArrayRef<Value> sum = sums.slice(4 * eight, 4);
    auto multiply = [&](ArrayRef<Value> a, ArrayRef<Value> b, ValueRange c) {
      return mma(a, b.slice(2 * eight, 2), c, isBf16);
    };
    if (isBf16) {
      llvm::copy(multiply(left.high, right.high, sum), sum.begin());
      continue;
    }
    Registers step(4, f32(0));
    step = multiply(left.low, right.high, step);
    step = multiply(left.high, right.low, step);
    step = multiply(left.high, right.high, step);
    for (auto [total, part] : llvm::zip_equal(sum, step))
      total = add(total, part);
  }
}

void MmaCode::storePair(Value rowStart, Int first, int64_t size,
                        bool mayEndBefore, std::array<Value, 2> values,
                        bool isBf16) const {
  int64_t bytes = isBf16 ? 2 : 4;
  Int column = lane % 4 * 2 + first;
  Value at = offset(rowStart, column * bytes);
  auto isColumn = [&](Int column) {
    return mayEndBefore ? isLess(column, number(size)) : Value();
  };
  if (size % 2 == 0)
    return ifTrue(isColumn(column), [&] {
      store(isBf16 ? packBf16(values[0], values[1]) : vectorOf(values), at,
            2 * bytes);
    });
  for (int64_t i = 0; i < 2; ++i)
    ifTrue(isColumn(column + i), [&] {
      store(isBf16 ? toBf16(values[i]) : values[i], offset(at, i * bytes),
            bytes);
    });
}
