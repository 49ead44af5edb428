//===- GpuKernel.cpp - building kernels in nvptx-stage form ---------------===//
#include "passes/nvptx/GpuKernel.h"

#include "passes/analysis/TensorKernels.h"
#include "passes/rows/Control.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using rows::IndexBuilder;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Launches::Launches(ModuleOp module) {
  module.walk([&](LaunchOp launch) {
    Sizes &sizes = kernels[launch.getKernel()];
    int64_t members = 0;
    size_t list = 0;
    for (ArrayRef<int64_t> groups :
         {launch.getOperandGroups(), launch.getResultGroups()})
      for (int64_t size : groups) {
        if (size < 0)
          continue;
        if (list == sizes.capacities.size())
          sizes.capacities.push_back(0);
        int64_t &capacity = sizes.capacities[list++];
        capacity = std::max(capacity, size);
        members += size;
      }
    sizes.members = std::max(sizes.members, members);
  });
}

/// A kernel that nothing launches has empty lists.
const Launches::Sizes &Launches::of(KernelOp kernel) const {
  static const Sizes none;
  auto entry = kernels.find(kernel.getName());
  return entry == kernels.end() ? none : entry->second;
}

ArrayRef<int64_t> Launches::capacities(KernelOp kernel) const {
  return of(kernel).capacities;
}

int64_t Launches::mostMembers(KernelOp kernel) const {
  return of(kernel).members;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Type attnres::nvptx::globalPointer(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context, kGlobalSpace);
}

MemRefType attnres::nvptx::globalMemRef(ArrayRef<int64_t> shape, Type element) {
  Builder builder(element.getContext());
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(),
                         builder.getI64IntegerAttr(kGlobalSpace));
}

Value attnres::nvptx::memRefAt(OpBuilder &builder, Location loc, Value pointer,
                               RankedTensorType type) {
  MemRefType memref = globalMemRef(type.getShape(), type.getElementType());
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter,
                                                       memref, pointer);
  return UnrealizedConversionCastOp::create(builder, loc, memref, descriptor)
      .getResult(0);
}

SmallVector<Value> attnres::nvptx::memRefsAt(OpBuilder &builder, Location loc,
                                             ValueRange values,
                                             ArrayRef<Type> types) {
  SmallVector<Value> memory;
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    memory.push_back(tensor ? memRefAt(builder, loc, value, tensor) : value);
  }
  return memory;
}

void attnres::nvptx::declareSharedMemory(ModuleOp module) {
  constexpr int64_t kAlignment = 1024;
  if (module.lookupSymbol(kSharedVariable))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedVariable, Attribute(), kAlignment,
                         kSharedSpace);
}

Value attnres::nvptx::sharedMemory(OpBuilder &builder, Location loc) {
  Operation *inside = builder.getInsertionBlock()->getParentOp();
  declareSharedMemory(inside->getParentOfType<ModuleOp>());
  return LLVM::AddressOfOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace),
      kSharedVariable);
}

Value attnres::nvptx::listCount(OpBuilder &builder, Location loc, Value list) {
  IndexBuilder index(builder, loc);
  return index.cast(
      LLVM::LoadOp::create(builder, loc, builder.getI64Type(), list));
}

Value attnres::nvptx::listMember(OpBuilder &builder, Location loc, Value list,
                                 Value i, RankedTensorType type) {
  IndexBuilder index(builder, loc);
  Value slot = LLVM::GEPOp::create(
      builder, loc, list.getType(), builder.getI64Type(), list,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index.toInteger(index.add(i, 1)))});
  Value address = LLVM::LoadOp::create(
      builder, loc, globalPointer(builder.getContext()), slot);
  return memRefAt(builder, loc, address, type);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// The types of the block of a kernel with this signature.
static SmallVector<Type> codeTypes(FunctionType signature) {
  MLIRContext *context = signature.getContext();
  SmallVector<Type> types;
  for (TypeRange part : {signature.getInputs(), signature.getResults()})
    for (Type type : part)
      types.push_back(isa<ListType>(type) ? LLVM::LLVMPointerType::get(context)
                                          : globalPointer(context));
  types.push_back(globalPointer(context));
  return types;
}

LogicalResult attnres::nvptx::verifyCodeTypes(KernelOp kernel) {
  if (!kernel.getBlocks())
    return kernel.emitOpError("has no code for GPUs");
  return expectCodeTypes(kernel, codeTypes(kernel.getFunctionType()));
}

SmallVector<Value> GpuKernel::lists() const {
  SmallVector<Value> lists;
  for (ArrayRef<Value> values : {ArrayRef(inputs), ArrayRef(outputs)})
    for (Value value : values)
      if (cast<LLVM::LLVMPointerType>(value.getType()).getAddressSpace() !=
          kGlobalSpace)
        lists.push_back(value);
  return lists;
}

GpuKernel attnres::nvptx::createKernel(OpBuilder &builder, KernelOp kernel) {
  Location loc = kernel.getLoc();
  builder.setInsertionPoint(kernel);
  GpuKernel result;
  result.function = KernelOp::create(builder, loc, kernel.getName(),
                                     kernel.getFunctionType());
  result.function->setAttrs(kernel->getAttrDictionary());
  SmallVector<Type> types = codeTypes(kernel.getFunctionType());
  Block *body = builder.createBlock(&result.function.getBody());
  body->addArguments(types, SmallVector<Location>(types.size(), loc));
  ValueRange values = body->getArguments();
  size_t numInputs = kernel.getArgumentTypes().size();
  result.inputs = llvm::to_vector(values.take_front(numInputs));
  result.outputs = llvm::to_vector(values.drop_front(numInputs).drop_back());
  result.scratch = values.back();
  builder.setInsertionPoint(attnres::ReturnOp::create(builder, loc));
  return result;
}

LogicalResult
attnres::nvptx::finishKernel(GpuKernel &kernel, const Launches &launches,
                             int64_t blocks, int64_t threads,
                             int64_t scratchBytes, int64_t sharedBytes) {
  SmallVector<int64_t> capacities(launches.capacities(kernel.function));
  capacities.resize(kernel.lists().size());
  int64_t grid[] = {blocks, 1, 1}, block[] = {threads, 1, 1},
          one[] = {1, 1, 1};
  auto emitError = [&] { return kernel.function.emitOpError(); };
  if (failed(BlocksAttr::verify(emitError, grid, block, one, sharedBytes,
                                capacities)))
    return failure();
  kernel.function.setBlocksAttr(BlocksAttr::get(kernel.function.getContext(),
                                                grid, block, one, sharedBytes,
                                                capacities));
  kernel.function.setScratchBytes(scratchBytes);
  return success();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// A special register as an index.
template <typename Register>
static Value special(OpBuilder &builder, Location loc) {
  Value number = Register::create(builder, loc, builder.getI32Type());
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      number);
}

Value attnres::nvptx::threadInBlock(OpBuilder &builder, Location loc) {
  return special<NVVM::ThreadIdXOp>(builder, loc);
}

Value attnres::nvptx::blockInGrid(OpBuilder &builder, Location loc) {
  return special<NVVM::BlockIdXOp>(builder, loc);
}

Value attnres::nvptx::threadInGrid(OpBuilder &builder, Location loc,
                                   int64_t threads) {
  IndexBuilder index(builder, loc);
  return index.add(index.mul(blockInGrid(builder, loc), threads),
                   threadInBlock(builder, loc));
}

static Value integer32(OpBuilder &builder, Location loc, int32_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

Value attnres::nvptx::exchangeLanes(OpBuilder &builder, Location loc,
                                    Value value, int64_t distance) {
  Type type = value.getType();
  if (!type.isF64())
    return NVVM::ShflOp::create(
        builder, loc, type, integer32(builder, loc, -1), value,
        integer32(builder, loc, static_cast<int32_t>(distance)),
        integer32(builder, loc, kWarpLanes - 1), NVVM::ShflKind::bfly,
        UnitAttr());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value bits = arith::BitcastOp::create(builder, loc, i64, value);
  Value half =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  Value upper = arith::ShRUIOp::create(builder, loc, bits, half);
  auto exchange = [&](Value part) -> Value {
    Value word = arith::TruncIOp::create(builder, loc, i32, part);
    return arith::ExtUIOp::create(builder, loc, i64,
                                  exchangeLanes(builder, loc, word, distance));
  };
  Value low = exchange(bits), high = exchange(upper);
  high = arith::ShLIOp::create(builder, loc, high, half);
  return arith::BitcastOp::create(
      builder, loc, type, arith::OrIOp::create(builder, loc, low, high));
}

void attnres::nvptx::syncWarp(OpBuilder &builder, Location loc) {
  NVVM::SyncWarpOp::create(builder, loc, integer32(builder, loc, -1));
}
