//===- StackOps.cpp - verifier of the residual stack ----------------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

int64_t StackOp::getBlockSize() { return getSublayersPerBlock().value_or(1); }

int64_t StackOp::getNumMixed(int64_t index) {
  int64_t size = getBlockSize(), count = getSublayers().size();
  int64_t blocks = std::min(index, count) / size;
  bool isOpen = std::min(index, count) % size != 0;
  // The input, the blocks before, and the sum of the block so far, which for
  // the final mixture is one more block.
  int64_t sources = 1 + blocks + isOpen;
  return getWindow() ? 1 + std::min<int64_t>(sources - 1, *getWindow())
                     : sources;
}

bool StackOp::mixesByDepthAttention() {
  bool byVectors = llvm::all_of(getQueries().getTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getRank() == 1;
  });
  return byVectors && getHeads().value_or(1) == 1 && !getRawKeys() &&
         !getSigmoid() && getWeights().empty();
}

/// What is there in modes full and block alone.
static LogicalResult verifyVariants(StackOp op, bool attends) {
  if (!attends) {
    if (op.getHeads() || op.getWindow() || op.getRawKeys() || op.getSigmoid())
      return op.emitOpError("expected no heads, window, raw_keys or sigmoid in "
                            "mode ")
             << stringifyStackMode(op.getMode());
    return success();
  }
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t width = type.getShape().back();
  if (op.getHeads() && (*op.getHeads() < 1 || width % *op.getHeads() != 0))
    return op.emitOpError("expected heads to be equal parts of ")
           << width << " elements, got " << *op.getHeads();
  if (op.getWindow() && *op.getWindow() < 1)
    return op.emitOpError("expected a window of at least 1 source, got ")
           << *op.getWindow();
  if (op.getWeights().empty())
    return success();
  if (op.getHeads() || op.getRawKeys() || op.getSigmoid())
    return op.emitOpError(
        "expected no heads, raw_keys or sigmoid where weights mix");
  for (auto [index, weights] : llvm::enumerate(op.getWeights()))
    if (failed(expectType(op, "weights", weights,
                          vectorType(op, op.getNumMixed(index)))))
      return failure();
  return success();
}

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
    if (!yield || yield->getNumOperands() == 0 ||
        yield.getValue().getType() != type)
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
    bool isStatic = !getWeights().empty();
    size_t mixtures = isStatic ? getWeights().size() : getQueries().size();
    if (mixtures != count && mixtures != count + 1)
      return emitOpError("expected ")
             << count << " queries, or one more for a final mixture, got "
             << mixtures;
    if (isStatic && !getQueries().empty())
      return emitOpError("expected queries or weights, got both");
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
  int64_t width = type.getShape().back();
  RankedTensorType vector = vectorType(*this, width), queryType = vector;
  if (attends && !getQueries().empty() &&
      cast<RankedTensorType>(getQueries().front().getType()).getRank() == 2)
    queryType = RankedTensorType::get({width, width}, vector.getElementType());
  if (failed(expectGroup(*this, "query", getQueries(), queryType)) ||
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

  if (failed(verifyVariants(*this, attends)))
    return failure();

  // ST-8.
  if (mode != StackMode::Static) {
    if (!getWeights().empty() && !attends)
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
