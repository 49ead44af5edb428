//===- Attnres.cpp - dialect registration and shared helpers --------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;

#include "dialect/AttnresDialect.cpp.inc"
#include "dialect/AttnresEnums.cpp.inc"
#include "dialect/AttnresInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/AttnresAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/AttnresTypes.cpp.inc"

void AttnresDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/AttnresAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/AttnresTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/AttnresOps.cpp.inc"
      >();
  attachBuiltinModels(*getContext());
}

RankedTensorType attnres::tensorOf(Type type) {
  if (auto list = dyn_cast<ListType>(type))
    return list.getElement();
  return dyn_cast<RankedTensorType>(type);
}

int64_t attnres::lastDim(Value tensor) {
  return tensorOf(tensor.getType()).getShape().back();
}

int64_t attnres::elementCount(Value tensor) {
  return tensorOf(tensor.getType()).getNumElements();
}

bool attnres::readsOperandsAndGradient(Operation *backward, Operation *op) {
  OperandRange operands = backward->getOperands().drop_back();
  return operands.size() <= op->getNumOperands() &&
         operands == op->getOperands().take_front(operands.size());
}

int64_t attnres::rowCount(RankedTensorType type) {
  ArrayRef<int64_t> extents = type.getShape().drop_back();
  if (ShapedType::isDynamicShape(extents))
    return ShapedType::kDynamic;
  if (llvm::is_contained(extents, 0))
    return 0;
  int64_t rows = 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(rows, extent, rows))
      return ShapedType::kDynamic;
  return rows;
}

bool attnres::isCountable(RankedTensorType type) {
  if (!type.hasStaticShape())
    return false;
  // Of the dimensions that are not empty: their product is what loops and
  // offsets are computed from, also when another one is empty.
  int64_t bytes = sizeof(double);
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes) ||
        bytes >= int64_t(1) << 62)
      return false;
  return true;
}

bool attnres::hasCountableTensors(Operation *op) {
  auto countable = [](Type type) {
    RankedTensorType tensor = tensorOf(type);
    return tensor ? isCountable(tensor) : !isa<ShapedType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), countable) &&
         llvm::all_of(op->getResultTypes(), countable);
}

RankedTensorType attnres::rowStatType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape().drop_back(),
                               Float32Type::get(type.getContext()));
}
