//===- TensorTypes.cpp - tensors that programs can hold -------------------===//
#include "passes/analysis/TensorTypes.h"

#include "passes/analysis/Locations.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;

bool attnres::isKernelElement(Type type) {
  if (type.isIndex() ||
      isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(type))
    return true;
  return type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

int64_t attnres::elementBytes(Type element) {
  if (element.isIndex())
    return 8;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

LogicalResult attnres::verifyProgramType(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return emitOpErrorNear(op)
           << "expected tensors alone in a program, got " << type;
  if (!tensor.hasStaticShape())
    return emitOpErrorNear(op)
           << "expected tensors of static shape, got " << type;
  if (tensor.getEncoding())
    return emitOpErrorNear(op)
           << "expected tensors without encoding, got " << type;
  Type element = tensor.getElementType();
  if (!isKernelElement(element))
    return emitOpErrorNear(op)
           << "expected elements of i1, i8, i16, i32, i64, index, "
              "bf16, f16, f32 or f64, got "
           << type;
  // The product of all sizes but those of 0, which strides are made of.
  int64_t bytes = elementBytes(element);
  for (int64_t extent : tensor.getShape())
    if (extent > 0 &&
        (llvm::MulOverflow(bytes, extent, bytes) || bytes > kMaxTensorBytes))
      return emitOpErrorNear(op) << "expected tensors of at most "
                                 << kMaxTensorBytes << " bytes, got " << type;
  return success();
}

FailureOr<func::FuncOp> attnres::findProgram(ModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function || function.isDeclaration())
    return module.emitError("expected a function of one block named ") << name;
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a function of one block, got ")
           << function.getBody().getBlocks().size();
  if (!isa<func::ReturnOp>(function.front().getTerminator()))
    return function.front().getTerminator()->emitOpError(
        "expected a function that returns");
  for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                          TypeRange(function.getResultTypes())})
    for (Type type : types)
      if (failed(verifyProgramType(function, type)))
        return failure();
  return function;
}
