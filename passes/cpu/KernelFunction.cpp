//===- KernelFunction.cpp - Building kernels in cpu-stage form ------------===//

#include "passes/cpu/KernelFunction.h"

#include "passes/analysis/TensorTypes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

bool attnres::cpu::isTensorKernel(func::FuncOp function) {
  if (!function->hasAttr(kKernelAttr) || function->hasAttr(kGridAttr) ||
      function.isDeclaration() || !llvm::hasSingleElement(function.getBody()) ||
      !isa<func::ReturnOp>(function.front().getTerminator()))
    return false;
  auto isStatic = [](Type type) {
    auto tensor = attnres::tensorOf(type);
    return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
           attnres::isKernelElement(tensor.getElementType());
  };
  return llvm::all_of(function.getArgumentTypes(), isStatic) &&
         llvm::all_of(function.getResultTypes(), isStatic);
}

bool attnres::cpu::isWholeKernel(Operation *op) {
  Block *block = op->getBlock();
  return llvm::equal(op->getOperands(), block->getArguments()) &&
         llvm::equal(op->getResults(), block->getTerminator()->getOperands());
}

Type attnres::cpu::getArgumentType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  if (isa<MemRefType>(type))
    return type;
  return LLVM::LLVMPointerType::get(type.getContext());
}

KernelFunction attnres::cpu::createKernel(OpBuilder &builder, Location loc,
                                          StringRef name, TypeRange inputs,
                                          TypeRange outputs) {
  SmallVector<Type> arguments;
  for (TypeRange types : {inputs, outputs})
    for (Type type : types)
      arguments.push_back(getArgumentType(type));
  arguments.push_back(
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()));
  arguments.append(2, builder.getIndexType());

  KernelFunction kernel;
  kernel.function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(arguments, {}));
  kernel.function->setAttr(kKernelAttr, builder.getUnitAttr());

  Block *body = kernel.function.addEntryBlock();
  auto values = body->getArguments();
  kernel.inputs.assign(values.begin(), values.begin() + inputs.size());
  kernel.outputs.assign(values.begin() + inputs.size(), values.end() - 3);
  kernel.scratch = values.drop_back(2).back();
  kernel.begin = values.drop_back(1).back();
  kernel.end = values.back();

  builder.setInsertionPointToStart(body);
  auto end = func::ReturnOp::create(builder, loc);
  builder.setInsertionPoint(end);
  return kernel;
}

KernelFunction attnres::cpu::createKernel(OpBuilder &builder,
                                          func::FuncOp kernel) {
  builder.setInsertionPoint(kernel);
  FunctionType type = kernel.getFunctionType();
  KernelFunction result =
      createKernel(builder, kernel.getLoc(), kernel.getName(), type.getInputs(),
                   type.getResults());
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    result.function->setDiscardableAttr(attribute.getName(),
                                        attribute.getValue());
  // Launches are still checked against the types of the tensors.
  result.function->setAttr(kTensorTypeAttr, TypeAttr::get(type));
  for (unsigned i = 0; i < type.getNumInputs(); ++i)
    if (kernel.getArgAttr(i, kMayAliasAttr))
      result.function.setArgAttr(i, kMayAliasAttr, builder.getUnitAttr());
  result.function.setVisibility(kernel.getVisibility());
  return result;
}

void attnres::cpu::finishKernel(KernelFunction &kernel, int64_t grid) {
  Builder builder(kernel.function.getContext());
  kernel.function->setAttr(kGridAttr, builder.getI64IntegerAttr(grid));
  kernel.function->setAttr(kScratchBytesAttr,
                           builder.getI64IntegerAttr(kernel.scratchBytes));
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
