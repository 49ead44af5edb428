//===- GenericEmitter.cpp - linalg.generic in few words -------------------===//
#include "passes/training/GenericEmitter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace attnres;

Value GenericEmitter::generic(ArrayRef<Value> inputs, ArrayRef<AffineMap> maps,
                              ArrayRef<utils::IteratorType> iterators,
                              Value init, Body emit) {
  return linalg::GenericOp::create(
             b, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &inner, Location, ValueRange args) {
               linalg::YieldOp::create(inner, loc, emit(inner, args));
             })
      .getResult(0);
}

Value GenericEmitter::number(OpBuilder &builder, Type type, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value GenericEmitter::empty(RankedTensorType type) {
  return tensor::EmptyOp::create(b, loc, type.getShape(),
                                 type.getElementType());
}

Value GenericEmitter::zeros(RankedTensorType type) {
  Value zero = number(b, type.getElementType(), 0);
  return linalg::FillOp::create(b, loc, zero, empty(type)).getResult(0);
}

/// Whether every loop is an index of something.
static bool giveEveryLoop(ArrayRef<AffineMap> maps) {
  llvm::SmallBitVector given(maps.front().getNumDims());
  for (AffineMap map : maps)
    for (AffineExpr index : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(index))
        given.set(loop.getPosition());
  return given.all();
}

linalg::GenericOp GenericEmitter::dropUnused(linalg::GenericOp generic) {
  Block &inner = generic.getRegion().front();
  for (Operation &nested : llvm::make_early_inc_range(llvm::reverse(inner)))
    if (isOpTriviallyDead(&nested))
      nested.erase();
  SmallVector<Value> inputs(generic.getInputs());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (unsigned i = inputs.size(); i-- > 0;) {
    if (!inner.getArgument(i).use_empty())
      continue;
    SmallVector<AffineMap> rest(maps);
    rest.erase(rest.begin() + i);
    if (!giveEveryLoop(rest))
      continue;
    inputs.erase(inputs.begin() + i);
    maps = rest;
    inner.eraseArgument(i);
  }
  auto smaller = linalg::GenericOp::create(b, loc, generic.getResultTypes(),
                                           inputs, generic.getOutputs(), maps,
                                           generic.getIteratorTypesArray());
  smaller.getRegion().takeBody(generic.getRegion());
  generic.erase();
  return smaller;
}
