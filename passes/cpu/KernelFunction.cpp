//===- KernelFunction.cpp - Building kernels in cpu-stage form ------------===//

#include "passes/cpu/KernelFunction.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

bool attnres::cpu::isWholeKernel(Operation *op) {
  Block *block = op->getBlock();
  return llvm::equal(op->getOperands(), block->getArguments()) &&
         llvm::equal(op->getResults(), block->getTerminator()->getOperands());
}

Type attnres::cpu::getMemoryType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return LLVM::LLVMPointerType::get(type.getContext());
}

/// What code takes besides memory: scratch, first item, one past the last.
static SmallVector<Type> rangeTypes(MLIRContext *context) {
  Builder builder(context);
  return {MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()),
          builder.getIndexType(), builder.getIndexType()};
}

/// The types of the block of a kernel with this signature.
static SmallVector<Type> codeTypes(FunctionType signature) {
  SmallVector<Type> types;
  for (TypeRange part : {signature.getInputs(), signature.getResults()})
    for (Type type : part)
      types.push_back(getMemoryType(type));
  llvm::append_range(types, rangeTypes(signature.getContext()));
  return types;
}

LogicalResult attnres::cpu::verifyCodeTypes(KernelOp kernel) {
  if (!kernel.isLowered())
    return kernel.emitOpError("has no code");
  return expectCodeTypes(kernel, codeTypes(kernel.getFunctionType()));
}

KernelFunction attnres::cpu::createKernel(OpBuilder &builder, Location loc,
                                          StringRef name, TypeRange inputs,
                                          TypeRange outputs) {
  auto toTensors = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type type) -> Type {
      auto memref = dyn_cast<MemRefType>(type);
      return memref ? RankedTensorType::get(memref.getShape(),
                                            memref.getElementType())
                    : type;
    });
  };
  auto type = builder.getFunctionType(toTensors(inputs), toTensors(outputs));
  KernelFunction kernel;
  kernel.function = KernelOp::create(builder, loc, name, type);
  Block *body = builder.createBlock(&kernel.function.getBody());
  SmallVector<Type> types = codeTypes(type);
  body->addArguments(types, SmallVector<Location>(types.size(), loc));
  auto values = body->getArguments();
  kernel.inputs.assign(values.begin(), values.begin() + inputs.size());
  kernel.outputs.assign(values.begin() + inputs.size(), values.end() - 3);
  kernel.scratch = values.drop_back(2).back();
  kernel.begin = values.drop_back(1).back();
  kernel.end = values.back();
  builder.setInsertionPoint(attnres::ReturnOp::create(builder, loc));
  return kernel;
}

KernelFunction attnres::cpu::createKernel(OpBuilder &builder, KernelOp kernel) {
  builder.setInsertionPoint(kernel);
  KernelFunction result =
      createKernel(builder, kernel.getLoc(), kernel.getName(),
                   kernel.getArgumentTypes(), kernel.getResultTypes());
  result.function->setAttrs(kernel->getAttrDictionary());
  return result;
}

void attnres::cpu::finishKernel(KernelFunction &kernel, int64_t grid) {
  kernel.function.setGrid(grid);
  kernel.function.setScratchBytes(kernel.scratchBytes);
}

void attnres::cpu::forEachItem(OpBuilder &builder, Location loc,
                               const KernelFunction &kernel,
                               function_ref<void(Value item)> body) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  forRange(builder, loc, kernel.begin, kernel.end, one, body);
}

Value attnres::cpu::allocateScratch(OpBuilder &builder, Location loc,
                                    KernelFunction &kernel, MemRefType type) {
  int64_t bytes = llvm::divideCeil(
      type.getNumElements() * type.getElementTypeBitWidth(), 8);
  Value offset =
      arith::ConstantIndexOp::create(builder, loc, kernel.scratchBytes);
  kernel.scratchBytes += llvm::alignTo(bytes, kAlignment);
  return memref::ViewOp::create(builder, loc, type, kernel.scratch, offset,
                                /*sizes=*/ValueRange());
}

Value attnres::cpu::getListCount(OpBuilder &builder, Location loc, Value list) {
  Value count = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), list);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    count);
}

Value attnres::cpu::getListElement(OpBuilder &builder, Location loc, Value list,
                                   Value i, MemRefType type) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value index =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), i);
  Value dataField =
      LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(), list,
                          ArrayRef<LLVM::GEPArg>{1});
  Value data = LLVM::LoadOp::create(builder, loc, pointer, dataField);
  Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, data,
                                   ArrayRef<LLVM::GEPArg>{index});
  Value element = LLVM::LoadOp::create(builder, loc, pointer, slot);
  return createMemRef(builder, loc, element, type);
}

Value attnres::cpu::createMemRef(OpBuilder &builder, Location loc,
                                 Value pointer, MemRefType type) {
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor =
      MemRefDescriptor::fromStaticShape(builder, loc, converter, type, pointer);
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}
