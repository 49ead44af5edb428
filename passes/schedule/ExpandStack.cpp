//===- ExpandStack.cpp - residual stacks to depth attentions --------------===//
//
// Writes the sublayers of `attnres.stack` out in sequence; see StackOps.td for
// what each mode means.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/schedule/DepthVariants.h"
#include "support/BindingNames.h"

#include "mlir/IR/IRMapping.h"

namespace attnres {
#define GEN_PASS_DEF_EXPANDSTACK
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Expands one stack in front of itself.
class StackExpander {
public:
  StackExpander(StackOp stack, bool recordWeights)
      : stack(stack), builder(stack), recordWeights(recordWeights) {}

  /// The value that replaces the result of the stack.
  Value expand() {
    switch (stack.getMode()) {
    case StackMode::Off:
      return expandOff();
    case StackMode::Static:
      return expandStatic();
    case StackMode::Full:
    case StackMode::Block:
      return expandAttending(stack.getBlockSize());
    }
    llvm_unreachable("unknown stack mode");
  }

  /// The weights of every mixture, in order, when they are recorded.
  SmallVector<Value> weights;
  /// What the sublayers yield besides their outputs, in order.
  SmallVector<Value> others;

private:
  Value add(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, stack.getLoc(), lhs, rhs);
  }

  /// The output of sublayer `index` on `input`.
  Value sublayer(size_t index, Value input) {
    Block &body = stack.getSublayers()[index].front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), input);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    auto yield = cast<YieldOp>(body.getTerminator());
    for (Value other : yield.getOthers())
      others.push_back(mapping.lookupOrDefault(other));
    return mapping.lookupOrDefault(yield.getValue());
  }

  /// The first source and as many of the last as the window takes.
  SmallVector<Value> inWindow(ArrayRef<Value> sources) {
    SmallVector<Value> seen(sources);
    if (stack.getWindow() && seen.size() > 1 + size_t(*stack.getWindow()))
      seen.erase(seen.begin() + 1, seen.end() - *stack.getWindow());
    return seen;
  }

  /// The mixture that query `index` makes of what it sees of `all`.
  Value mixture(size_t index, ArrayRef<Value> all) {
    SmallVector<Value> sources = inWindow(all);
    if (!stack.getWeights().empty())
      return staticMixture(stack.getWeights()[index], sources);
    if (!stack.mixesByDepthAttention()) {
      DepthVariant variant(builder, stack, index, sources);
      if (recordWeights)
        weights.push_back(variant.stackedWeights());
      return variant.mixture();
    }
    Value query = stack.getQueries()[index], gain = stack.getGains()[index];
    if (recordWeights)
      weights.push_back(DepthWeightsOp::create(
          builder, stack.getLoc(), query, gain, sources, stack.getEpsAttr()));
    auto op = DepthAttentionOp::create(builder, stack.getLoc(), query, gain,
                                       sources, stack.getEpsAttr());
    return op.getOutputs().front();
  }

  /// softmax(logits) in the shape [n, 1, ..., 1] of the weights of all rows.
  Value staticWeights(Value logits) {
    Value flat = StaticWeightsOp::create(builder, stack.getLoc(), logits);
    auto type = cast<RankedTensorType>(flat.getType());
    int64_t rank = cast<RankedTensorType>(stack.getInput().getType()).getRank();
    SmallVector<int64_t> shape(rank, 1);
    shape[0] = type.getDimSize(0);
    ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(0, rank));
    return tensor::ExpandShapeOp::create(
        builder, stack.getLoc(),
        RankedTensorType::get(shape, type.getElementType()), flat, {all});
  }

  Value staticMixture(Value logits, ArrayRef<Value> sources) {
    if (recordWeights)
      weights.push_back(staticWeights(logits));
    return StaticMixOp::create(builder, stack.getLoc(), logits, sources);
  }

  Value expandOff() {
    Value x = stack.getInput();
    for (size_t i = 0; i < stack.getSublayers().size(); ++i)
      x = add(x, sublayer(i, x));
    return x;
  }

  Value expandStatic() {
    SmallVector<Value> sources{stack.getInput()};
    for (auto [index, logits] : llvm::enumerate(stack.getWeights())) {
      Value h = staticMixture(logits, sources);
      for (size_t i : {2 * index, 2 * index + 1})
        h = add(h, sublayer(i, h));
      sources.push_back(h);
    }
    return sources.back();
  }

  Value expandAttending(int64_t size) {
    SmallVector<Value> sources{stack.getInput()};
    Value partial;
    size_t count = stack.getSublayers().size();
    for (size_t i = 0; i < count; ++i) {
      SmallVector<Value> seen(sources);
      if (partial)
        seen.push_back(partial);
      Value output = sublayer(i, mixture(i, seen));
      partial = partial ? add(partial, output) : output;
      if ((i + 1) % size == 0 || i + 1 == count) {
        sources.push_back(partial);
        partial = nullptr;
      }
    }
    if (std::max(stack.getQueries().size(), stack.getWeights().size()) == count)
      return sources.back();
    return mixture(count, sources);
  }

  StackOp stack;
  OpBuilder builder;
  bool recordWeights;
};

struct ExpandStackPass : attnres::impl::ExpandStackBase<ExpandStackPass> {
  using ExpandStackBase::ExpandStackBase;

  void runOnOperation() override {
    unsigned numWeights = 0;
    // The outermost first: a stack in a sublayer is then beside it.
    while (StackOp stack = outermostStack()) {
      numSublayers += stack.getSublayers().size();
      StackExpander expander(stack, recordWeights);
      stack.getResult().replaceAllUsesWith(expander.expand());
      stack.getOthers().replaceAllUsesWith(expander.others);
      if (recordWeights &&
          failed(returnWeights(stack, expander.weights, numWeights)))
        return signalPassFailure();
      stack.erase();
    }
  }

  StackOp outermostStack() {
    StackOp found;
    getOperation()->walk<WalkOrder::PreOrder>([&](StackOp stack) {
      found = stack;
      return WalkResult::interrupt();
    });
    return found;
  }

  /// Appends the weights to the results of the function, which has returned
  /// `numReturned` so far.
  static LogicalResult returnWeights(StackOp stack, ArrayRef<Value> weights,
                                     unsigned &numReturned) {
    if (weights.empty())
      return success();
    auto function = dyn_cast<func::FuncOp>(stack->getParentOp());
    if (!function || !llvm::hasSingleElement(function.getBody()))
      return stack.emitOpError("expected to be in a function of one block, and "
                               "in nothing else, to record its weights");
    if (failed(expectNoUsers(function)))
      return failure();
    Operation *exit = function.front().getTerminator();
    Builder builder(function);
    for (Value value : weights) {
      unsigned index = function.getNumResults();
      if (failed(function.insertResult(
              index, value.getType(),
              builder.getDictionaryAttr(builder.getNamedAttr(
                  kNameAttr, builder.getStringAttr(names::depthWeights +
                                                   Twine(numReturned++)))))))
        return failure();
      exit->insertOperands(exit->getNumOperands(), value);
    }
    return success();
  }
};

} // namespace
