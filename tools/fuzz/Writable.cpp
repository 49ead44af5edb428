//===- Writable.cpp - operations that have a text -------------------------===//
#include "tools/fuzz/Generator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

static bool hasExtents(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || !shaped.hasRank() ||
         llvm::all_of(shaped.getShape(), [](int64_t extent) {
           return extent >= 0 || ShapedType::isDynamic(extent);
         });
}

static bool isWritableAlone(Operation *op) {
  // Results of inference wrap around.
  if (!llvm::all_of(op->getResultTypes(), hasExtents))
    return false;
  // One type is printed for all, and shapes that are unknown fit every other.
  if (op->hasTrait<OpTrait::SameOperandsAndResultType>() &&
      !llvm::all_equal(
          llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                             SmallVector<Type>(op->getResultTypes()))))
    return false;
  // Its verifier makes a list with a type for each element first.
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    auto type = cast<ShapedType>(elements.getType());
    return type.hasStaticShape() &&
           ShapedType::getNumElements(type.getShape()) ==
               static_cast<int64_t>(elements.getElements().size());
  }
  return true;
}

bool attnres::fuzz::isWritable(Operation *op) {
  return !op->walk([](Operation *inner) {
              return isWritableAlone(inner) ? WalkResult::advance()
                                            : WalkResult::interrupt();
            }).wasInterrupted();
}
