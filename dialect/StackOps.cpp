//===- StackOps.cpp - verifier of the residual stack ----------------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult StackOp::verify() {
  // ST-11.
  auto type = cast<RankedTensorType>(getInput().getType());
  if (type.getRank() < 1)
    return emitOpError("expected an input of rank at least 1, got ") << type;
  size_t count = getSublayers().size();
  SmallVector<Type> others;
  for (auto [index, region] : llvm::enumerate(getSublayers())) {
    Block &block = region.front();
    if (block.getNumArguments() != 1 || block.getArgument(0).getType() != type)
      return emitOpError("expected sublayer ")
             << index << " to take one argument of type " << type;
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    if (!yield || yield.getValue().getType() != type)
      return emitOpError("expected sublayer ")
             << index << " to yield a value of type " << type;
    llvm::append_range(others, yield.getOthers().getTypes());
  }
  // ST-10.
  if (!llvm::equal(others, getOthers().getTypes())) {
    InFlightDiagnostic error = emitOpError("expected other results of types (");
    llvm::interleaveComma(others, error);
    error << "), as the sublayers yield, got (";
    llvm::interleaveComma(getOthers().getTypes(), error);
    return error << ")";
  }

  // ST-8.
  StackMode mode = getMode();
  bool attends = mode == StackMode::Full || mode == StackMode::Block;
  if (attends) {
    if (getQueries().size() != count && getQueries().size() != count + 1)
      return emitOpError("expected ")
             << count << " queries, or one more for a final mixture, got "
             << getQueries().size();
    if (!getEps())
      return emitOpError("expected eps in mode ") << stringifyStackMode(mode);
    if (failed(expectEps(*this, *getEps())))
      return failure();
  } else if (!getQueries().empty()) {
    return emitOpError("expected no queries in mode ")
           << stringifyStackMode(mode) << ", got " << getQueries().size();
  }
  if (getGains().size() != getQueries().size())
    return emitOpError("expected as many gains as queries, got ")
           << getGains().size() << " gains and " << getQueries().size()
           << " queries";
  RankedTensorType vector = vectorType(*this, type.getShape().back());
  if (failed(expectGroup(*this, "query", getQueries(), vector)) ||
      failed(expectGroup(*this, "gain", getGains(), vector)))
    return failure();

  // ST-4.
  if (mode == StackMode::Block) {
    if (!getSublayersPerBlock())
      return emitOpError("expected sublayers_per_block in mode block");
    if (*getSublayersPerBlock() < 1)
      return emitOpError("expected at least 1 sublayer in a block, got ")
             << *getSublayersPerBlock();
  } else if (getSublayersPerBlock()) {
    return emitOpError("expected no sublayers_per_block in mode ")
           << stringifyStackMode(mode);
  }

  // ST-8.
  if (mode != StackMode::Static) {
    if (!getWeights().empty())
      return emitOpError("expected no weights in mode ")
             << stringifyStackMode(mode) << ", got " << getWeights().size();
    return success();
  }
  // ST-6.
  if (count % 2 != 0)
    return emitOpError("expected an even number of sublayers in mode static, "
                       "got ")
           << count;
  if (getWeights().size() != count / 2)
    return emitOpError("expected weights for ")
           << count / 2 << " decoder blocks, got " << getWeights().size();
  for (auto [index, weights] : llvm::enumerate(getWeights()))
    if (failed(expectType(*this, "weights", weights,
                          vectorType(*this, index + 1))))
      return failure();
  return success();
}
