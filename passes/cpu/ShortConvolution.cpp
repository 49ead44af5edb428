//===- ShortConvolution.cpp - short convolutions to vector code -----------===//
//
// Tokens stream by, a block of channels at a time, while the last W - 1 inputs
// stay in registers. Backwards the gradients of the last W - 1 sums do too: the
// gradient of an input is complete when the last sum that reads it has come,
// and those of the weights grow in registers from the first text to the last.
// Forwards an item is a text and a block, backwards a block, whose weight
// gradients need all texts.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/cpu/FlashTiles.h"
#include "passes/cpu/OperationKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace attnres {
#define GEN_PASS_DEF_VECTORIZECONVOLUTION
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

/// The operands of both directions; `tail` may be null.
struct ConvolutionOperands {
  Value x, weight, tail;
};

/// Gradients of the result and of the operands, null where nobody wants them.
struct ConvolutionGradients {
  Value output, x, weight, tail;
};

class ConvolutionBuilder {
public:
  ConvolutionBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                     const CpuTarget &target,
                     const ConvolutionOperands &operands)
      : t(builder, loc, kernel, target), index(t.index), kernel(kernel),
        operands(operands) {
    ArrayRef<int64_t> shape = cast<MemRefType>(operands.x.getType()).getShape();
    texts = shape[0];
    tokens = shape[1];
    channels = shape[2];
    window = cast<MemRefType>(operands.weight.getType()).getShape()[1];
    blocks = llvm::divideCeil(channels, t.lanes);
    taps = t.scratch({window, t.lanes});
  }

  void buildForward(Value result);
  void buildBackward(const ConvolutionGradients &gradients);

private:
  using Vectors = SmallVector<Value>;

  /// Calls `body` with the first channel of block `block` and how many of its
  /// lanes are channels.
  void forBlock(Value block, function_ref<void(Value, int64_t)> body);
  /// The weights of a block of channels, one vector for each place.
  Vectors loadTaps(Value first, int64_t valid);
  void storeTaps(ArrayRef<Value> vectors, Value first, int64_t valid,
                 Value target);
  /// The W - 1 inputs before the first token of a text.
  Vectors firstInputs(Value text, Value first, int64_t valid);
  /// sum_j taps[j] inputs[j].
  Value sum(ArrayRef<Value> taps, ArrayRef<Value> inputs);
  /// One text backwards: takes and returns the gradients of the taps.
  Vectors buildText(Value text, Value first, int64_t valid,
                    ArrayRef<Value> weights, ValueRange tapGrads,
                    const ConvolutionGradients &gradients);
  /// Writes the gradient of input `token`, which may lie in the tail.
  void storeInputGrad(Value grad, Value text, Value token, Value first,
                      int64_t valid, const ConvolutionGradients &gradients);

  TileBuilder t;
  IndexBuilder &index;
  KernelFunction &kernel;
  const ConvolutionOperands &operands;
  int64_t texts, tokens, channels, window, blocks;
  Value taps; ///< scratch [W][lanes]
};

} // namespace

void ConvolutionBuilder::forBlock(Value block,
                                  function_ref<void(Value, int64_t)> body) {
  int64_t rest = channels % t.lanes;
  Value first = index.mul(block, t.lanes);
  if (rest == 0)
    return body(first, t.lanes);
  Value isLast = t.equal(block, index.constant(blocks - 1));
  t.ifElse(
      isLast, [&] { body(first, rest); }, [&] { body(first, t.lanes); });
}

ConvolutionBuilder::Vectors ConvolutionBuilder::loadTaps(Value first,
                                                         int64_t valid) {
  Vectors vectors;
  for (int64_t j = 0; j < window; ++j) {
    Value place = index.constant(j);
    t.store(t.splat(0.0f, t.lanes), taps, {place, index.constant(0)});
    t.forRange(valid, [&](Value lane) {
      Value weight =
          memref::LoadOp::create(t.builder, t.loc, operands.weight,
                                 ValueRange{index.add(first, lane), place});
      if (!weight.getType().isF32())
        weight = arith::ExtFOp::create(t.builder, t.loc, t.builder.getF32Type(),
                                       weight);
      memref::StoreOp::create(t.builder, t.loc, weight, taps,
                              ValueRange{place, lane});
    });
    vectors.push_back(t.load(taps, {place, index.constant(0)}, t.lanes));
  }
  return vectors;
}

void ConvolutionBuilder::storeTaps(ArrayRef<Value> vectors, Value first,
                                   int64_t valid, Value target) {
  for (auto [j, vector] : llvm::enumerate(vectors)) {
    Value place = index.constant(j);
    t.store(vector, taps, {place, index.constant(0)});
    t.forRange(valid, [&](Value lane) {
      Value grad = memref::LoadOp::create(t.builder, t.loc, taps,
                                          ValueRange{place, lane});
      memref::StoreOp::create(t.builder, t.loc, grad, target,
                              ValueRange{index.add(first, lane), place});
    });
  }
}

ConvolutionBuilder::Vectors
ConvolutionBuilder::firstInputs(Value text, Value first, int64_t valid) {
  Vectors inputs;
  for (int64_t j = 0; j + 1 < window; ++j)
    inputs.push_back(operands.tail ? t.load(operands.tail,
                                            {text, index.constant(j), first},
                                            t.lanes, valid)
                                   : t.splat(0.0f, t.lanes));
  return inputs;
}

Value ConvolutionBuilder::sum(ArrayRef<Value> taps, ArrayRef<Value> inputs) {
  Value sum = t.mul(taps.front(), inputs.front());
  for (auto [tap, input] :
       llvm::zip_equal(taps.drop_front(), inputs.drop_front()))
    sum = t.fma(tap, input, sum);
  return sum;
}

void ConvolutionBuilder::buildForward(Value result) {
  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) {
    Value text = index.div(item, blocks);
    forBlock(index.rem(item, blocks), [&](Value first, int64_t valid) {
      Vectors weights = loadTaps(first, valid);
      t.forRange(index.constant(0), index.constant(tokens), 1,
                 firstInputs(text, first, valid),
                 [&](Value token, ValueRange last) -> Vectors {
                   Vectors inputs(last);
                   inputs.push_back(t.load(operands.x, {text, token, first},
                                           t.lanes, valid));
                   Value y = sum(weights, inputs);
                   t.store(t.mul(y, t.sigmoid(y)), result, {text, token, first},
                           valid);
                   return llvm::to_vector(ArrayRef(inputs).drop_front());
                 });
    });
  });
  finishKernel(kernel, texts * blocks);
}

void ConvolutionBuilder::storeInputGrad(Value grad, Value text, Value token,
                                        Value first, int64_t valid,
                                        const ConvolutionGradients &gradients) {
  Value isInText = arith::CmpIOp::create(
      t.builder, t.loc, arith::CmpIPredicate::sge, token, index.constant(0));
  t.ifElse(
      isInText,
      [&] {
        if (gradients.x)
          t.store(grad, gradients.x, {text, token, first}, valid);
      },
      [&] {
        if (gradients.tail)
          t.store(grad, gradients.tail,
                  {text, index.add(token, window - 1), first}, valid);
      });
}

ConvolutionBuilder::Vectors
ConvolutionBuilder::buildText(Value text, Value first, int64_t valid,
                              ArrayRef<Value> weights, ValueRange tapGrads,
                              const ConvolutionGradients &gradients) {
  // Carried: the last W - 1 inputs, the gradients of the last W - 1 sums from
  // the earliest to the latest, and those of the taps.
  Vectors init = firstInputs(text, first, valid);
  init.append(window - 1, t.splat(0.0f, t.lanes));
  llvm::append_range(init, tapGrads);
  // The gradient of input p is sum_j taps[j] dy[p + W - 1 - j].
  Vectors reversed = llvm::to_vector(llvm::reverse(weights));
  Vectors after = t.forRange(
      index.constant(0), index.constant(tokens), 1, init,
      [&](Value token, ValueRange carried) -> Vectors {
        Vectors inputs(carried.take_front(window - 1));
        Vectors sumGrads(carried.slice(window - 1, window - 1));
        Vectors grads(carried.take_back(window));
        inputs.push_back(
            t.load(operands.x, {text, token, first}, t.lanes, valid));
        Value y = sum(weights, inputs), s = t.sigmoid(y);
        Value one = t.splat(1.0f, t.lanes);
        Value slope = t.mul(s, t.fma(y, t.sub(one, s), one));
        Value output =
            t.load(gradients.output, {text, token, first}, t.lanes, valid);
        sumGrads.push_back(t.mul(output, slope));
        for (auto [grad, input] : llvm::zip_equal(grads, inputs))
          grad = t.fma(sumGrads.back(), input, grad);
        Value complete = index.sub(token, index.constant(window - 1));
        storeInputGrad(sum(reversed, sumGrads), text, complete, first, valid,
                       gradients);
        Vectors next(ArrayRef(inputs).drop_front());
        llvm::append_range(next, ArrayRef(sumGrads).drop_front());
        llvm::append_range(next, grads);
        return next;
      });
  // No sums follow the last one.
  Vectors sumGrads(ArrayRef(after).slice(window - 1, window - 1));
  for (int64_t step = 0; step + 1 < window; ++step) {
    sumGrads.push_back(t.splat(0.0f, t.lanes));
    storeInputGrad(sum(reversed, sumGrads), text,
                   index.constant(tokens - (window - 1) + step), first, valid,
                   gradients);
    sumGrads.erase(sumGrads.begin());
  }
  return llvm::to_vector(ArrayRef(after).take_back(window));
}

void ConvolutionBuilder::buildBackward(const ConvolutionGradients &gradients) {
  t.forRange(kernel.begin, kernel.end, 1, [&](Value block) {
    forBlock(block, [&](Value first, int64_t valid) {
      Vectors weights = loadTaps(first, valid);
      Vectors none(window, t.splat(0.0f, t.lanes));
      Vectors grads = t.forRange(index.constant(0), index.constant(texts), 1,
                                 none, [&](Value text, ValueRange tapGrads) {
                                   return buildText(text, first, valid, weights,
                                                    tapGrads, gradients);
                                 });
      if (gradients.weight)
        storeTaps(grads, first, valid, gradients.weight);
    });
  });
  finishKernel(kernel, blocks);
}

namespace {

struct VectorizeConvolutionPass
    : attnres::impl::VectorizeConvolutionBase<VectorizeConvolutionPass> {
  using VectorizeConvolutionBase::VectorizeConvolutionBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    numLowered +=
        lowerKernelsOf<ShortConvolutionOp, ShortConvolutionBackwardOp>(
            getOperation(), [&](const OperationCode &code, auto op) {
              lower(code, op, *target);
            });
  }

private:
  static void lower(const OperationCode &code, ShortConvolutionOp op,
                    const CpuTarget &target) {
    ConvolutionOperands operands = operandsOf(code.memory, op);
    ConvolutionBuilder(code.builder, op.getLoc(), code.kernel, target, operands)
        .buildForward(code.memory.of(cast<OpResult>(op.getResult())));
  }

  static void lower(const OperationCode &code, ShortConvolutionBackwardOp op,
                    const CpuTarget &target) {
    auto result = [&](Value value) -> Value {
      return value ? code.memory.of(cast<OpResult>(value)) : Value();
    };
    ConvolutionOperands operands = operandsOf(code.memory, op);
    ConvolutionGradients gradients{
        code.memory.of(op.getOutputGrad()), result(op.getXGrad()),
        result(op.getWeightGrad()), result(op.getTailGrad())};
    ConvolutionBuilder(code.builder, op.getLoc(), code.kernel, target, operands)
        .buildBackward(gradients);
  }

  template <typename Op>
  static ConvolutionOperands operandsOf(const KernelMemory &memory, Op op) {
    return {memory.of(op.getX()), memory.of(op.getWeight()),
            memory.of(op.getTail())};
  }
};

} // namespace
