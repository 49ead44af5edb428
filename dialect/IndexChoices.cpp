//===- IndexChoices.cpp - integers that choose ----------------------------===//
//
// What ChoosingOpInterface and IntegerResultOpInterface ask of the operations
// of the dialect. BuiltinModels.cpp answers for those of tensor.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include <limits>

using namespace mlir;
using namespace attnres;

using Choices = SmallVector<IndexChoice>;

void attnres::addIndexChoice(SmallVectorImpl<IndexChoice> &choices, Value index,
                             int64_t extent, StringRef what) {
  if (index && !ShapedType::isDynamic(extent))
    choices.push_back({index, {{0, extent - 1}}, what.str()});
}

static int64_t dim(Value value, unsigned index) {
  return tensorOf(value.getType()).getDimSize(index);
}

static Choices choice(Value index, int64_t extent, StringRef what) {
  Choices choices;
  addIndexChoice(choices, index, extent, what);
  return choices;
}

//===----------------------------------------------------------------------===//
// Rows of tables and matrices
//===----------------------------------------------------------------------===//

Choices EmbeddingOp::getIndexChoices() {
  return choice(getTokens(), dim(getWeight(), 0), "the rows of the table");
}

Choices EmbeddingBackwardOp::getIndexChoices() {
  return choice(getTokens(), getVocabSize(), "the rows of the table");
}

Choices GroupedLinearOp::getIndexChoices() {
  return choice(getExperts(), dim(getWeight(), 0), "the matrices");
}

Choices GroupedWeightGradOp::getIndexChoices() {
  return choice(getExperts(), getMatrices(), "the matrices");
}

Choices RouterBackwardOp::getIndexChoices() {
  return choice(getExperts(), lastDim(getLogits()), "the experts");
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// A class, or the number that stands for none. The least of all integers says
/// that every row counts.
static Choices chooseClass(Value targets, int64_t classes, int64_t ignored) {
  if (ShapedType::isDynamic(classes))
    return {};
  SmallVector<IntegerRange, 2> limits{{0, classes - 1}};
  if (ignored < 0 && ignored != std::numeric_limits<int64_t>::min())
    limits.insert(limits.begin(), {ignored, ignored});
  else if (ignored >= classes)
    limits.push_back({ignored, ignored});
  return {IndexChoice{targets, limits, "the classes"}};
}

Choices CrossEntropyOp::getIndexChoices() {
  return chooseClass(getTargets(), lastDim(getLogits()), getIgnoreIndex());
}

Choices CrossEntropyRowsOp::getIndexChoices() {
  return chooseClass(getTargets(), lastDim(getLogits()), getIgnoreIndex());
}

Choices CrossEntropyRowsBackwardOp::getIndexChoices() {
  return chooseClass(getTargets(), lastDim(getLogits()), getIgnoreIndex());
}

Choices LinearCrossEntropyOp::getIndexChoices() {
  return chooseClass(getTargets(), dim(getWeight(), 0), getIgnoreIndex());
}

Choices LinearCrossEntropyBackwardOp::getIndexChoices() {
  return chooseClass(getTargets(), dim(getWeight(), 0), getIgnoreIndex());
}

//===----------------------------------------------------------------------===//
// Positions and lengths
//===----------------------------------------------------------------------===//

/// Adds that `start` begins a range of `length` positions of `extent`.
static void addStart(Choices &choices, Value start, int64_t extent,
                     int64_t length) {
  if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(length))
    addIndexChoice(choices, start, extent - length + 1, "the positions");
}

/// Adds that `length` is a number of `tokens` tokens.
static void addLength(Choices &choices, Value length, int64_t tokens,
                      StringRef what = "the lengths") {
  if (!ShapedType::isDynamic(tokens))
    addIndexChoice(choices, length, tokens + 1, what);
}

Choices SelectTokenOp::getIndexChoices() {
  return choice(getAt(), dim(getX(), 1), "the positions");
}

Choices CacheWriteOp::getIndexChoices() {
  int64_t tokens = dim(getX(), 1);
  Choices choices;
  addLength(choices, getLength(), tokens, "the counts of new rows");
  addStart(choices, getStart(), dim(getCache(), 1), tokens);
  return choices;
}

Choices AttentionOp::getIndexChoices() {
  Choices choices;
  addStart(choices, getStart(), dim(getK(), 1), dim(getQ(), 1));
  return choices;
}

Choices RopeOp::getIndexChoices() {
  Choices choices;
  if (std::optional<uint64_t> positions = getPositions())
    addStart(choices, getStart(), *positions, dim(getX(), 1));
  return choices;
}

Choices KdaOp::getIndexChoices() {
  Choices choices;
  addLength(choices, getLength(), dim(getQ(), 1));
  return choices;
}

Choices KdaBackwardOp::getIndexChoices() {
  Choices choices;
  addLength(choices, getLength(), dim(getQ(), 1));
  return choices;
}

Choices ConvolutionTailOp::getIndexChoices() {
  Choices choices;
  addLength(choices, getLength(), dim(getX(), 1));
  return choices;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

IntegerOrigin SelectTokenOp::getIntegerOrigin() { return {{getX()}, {}}; }

IntegerOrigin RouterOp::getIntegerOrigin() {
  int64_t experts = lastDim(getLogits());
  if (ShapedType::isDynamic(experts))
    return {};
  return {{}, IntegerRange{0, experts - 1}};
}
