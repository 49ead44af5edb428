//===- ThreadConvolution.cpp - short convolutions for GPUs ----------------===//
//
// A thread has one or two channels of a run of tokens, neighbouring threads
// have neighbouring channels. The last W - 1 inputs stay in registers; those
// before the run are read again, and backwards the W - 1 sums behind it are
// computed again. Of the weights' gradients each run leaves its part in scratch
// memory, and the last block to arrive of some channels adds the runs in their
// order.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/ThreadConvolution.h"

#include "passes/nvptx/MmaCode.h"
#include "passes/rows/Arithmetic.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

namespace {

/// Tokens of a run forwards and, at least, backwards; runs backwards, at most,
/// unless there are more texts.
constexpr int64_t kRun = 16, kMostRuns = 64;

class ConvolutionBuilder {
public:
  ConvolutionBuilder(OpBuilder &builder, Location loc,
                     const Convolution &convolution, int64_t run)
      : c(convolution), perThread(c.channels % 2 == 0 ? 2 : 1),
        threads(std::clamp<int64_t>(llvm::alignTo(c.channels / perThread, 32),
                                    32, 128)),
        run(run), runs(std::max<int64_t>(divideCeil(c.tokens, run), 1)),
        columnBlocks(divideCeil(c.channels, threads * perThread)),
        code(builder, loc, threads), a(builder, loc),
        columnBlock(code.block % columnBlocks), item(code.block / columnBlocks),
        channel((columnBlock * threads + code.thread) * perThread),
        text(item / runs), first(item % runs * run),
        end(code.min(first + run, code.number(c.tokens))) {}

  static int64_t runOfBackward(const Convolution &c) {
    return std::max<int64_t>(kRun, divideCeil(c.texts * c.tokens, kMostRuns));
  }

  void buildForward(const Convolution::Tensor &result);
  void buildBackward(const ConvolutionGradients &gradients);
  GpuLaunch launch() const {
    GpuLaunch launch;
    launch.grid[0] = columnBlocks * c.texts * runs;
    launch.block[0] = threads;
    return launch;
  }
  int64_t numColumnBlocks() const { return columnBlocks; }
  /// [texts * runs, window, channels] in f32.
  int64_t scratchBytes() const {
    return c.texts * runs * c.window * c.channels * 4;
  }

private:
  /// One number for each of the thread's channels.
  using Numbers = Registers;

  Numbers zeros() const { return Numbers(perThread, code.f32(0)); }
  void ifChannel(function_ref<void()> body) const {
    Value isChannel;
    if (c.channels % (threads * perThread) != 0)
      isChannel = code.isLess(channel, code.number(c.channels));
    code.ifTrue(isChannel, body);
  }
  /// Where this thread's channels of a row are, of so many bytes each.
  Value at(Value pointer, Int row, int64_t bytes) const {
    return code.offsetWide(pointer,
                           code.addWide(code.wide(row, c.channels * bytes),
                                        code.wide(channel, bytes)));
  }
  Numbers load(const Convolution::Tensor &tensor, Int row) const;
  void store(const Numbers &numbers, const Convolution::Tensor &tensor,
             Int row) const;
  Numbers loadIf(Value condition, const Convolution::Tensor &tensor,
                 Int row) const;
  /// Of each place of the window.
  SmallVector<Numbers> loadWeights() const;
  /// The W - 1 inputs before the run.
  SmallVector<Numbers> firstInputs() const;
  /// sum_j left[j] right[j]
  Numbers sum(ArrayRef<Numbers> left, ArrayRef<Numbers> right) const;
  void storeWeightGrad(ArrayRef<Numbers> sums, Value pointer) const;
  /// The last block of some channels adds what the runs have left.
  void addRuns(const ConvolutionGradients &gradients) const;

  static Registers flatten(ArrayRef<Numbers> list) {
    Registers all;
    for (const Numbers &numbers : list)
      all.append(numbers);
    return all;
  }
  SmallVector<Numbers> groups(ValueRange values) const {
    SmallVector<Numbers> list;
    for (size_t i = 0; i < values.size(); i += perThread)
      list.push_back(Numbers(values.slice(i, perThread)));
    return list;
  }

  const Convolution &c;
  int64_t perThread, threads, run, runs, columnBlocks;
  MmaCode code;
  rows::Arithmetic a;
  Int columnBlock, item, channel, text, first, end;
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Registers ConvolutionBuilder::load(const Convolution::Tensor &tensor,
                                   Int row) const {
  int64_t bytes = tensor.isBf16 ? 2 : 4;
  Type element = tensor.isBf16 ? Type(code.builder.getI16Type()) : code.f32();
  Type type =
      perThread == 1 ? element : Type(VectorType::get({perThread}, element));
  Numbers numbers = code.elementsOf(
      code.load(at(tensor.pointer, row, bytes), type, perThread * bytes));
  if (tensor.isBf16)
    for (Value &number : numbers)
      number = code.fromBf16(number);
  return numbers;
}

void ConvolutionBuilder::store(const Numbers &numbers,
                               const Convolution::Tensor &tensor,
                               Int row) const {
  int64_t bytes = tensor.isBf16 ? 2 : 4;
  Numbers stored = numbers;
  if (tensor.isBf16)
    for (Value &number : stored)
      number = code.toBf16(number);
  code.store(code.vectorOf(stored), at(tensor.pointer, row, bytes),
             perThread * bytes);
}

Registers ConvolutionBuilder::loadIf(Value condition,
                                     const Convolution::Tensor &tensor,
                                     Int row) const {
  return code.ifElse(
      condition, SmallVector<Type>(perThread, code.f32()),
      [&] { return load(tensor, row); }, [&] { return zeros(); });
}

SmallVector<Registers> ConvolutionBuilder::loadWeights() const {
  SmallVector<Numbers> weights;
  int64_t bytes = c.weight.isBf16 ? 2 : 4;
  for (int64_t place = 0; place < c.window; ++place) {
    Numbers numbers;
    for (int64_t i = 0; i < perThread; ++i) {
      Value pointer = code.offsetWide(
          c.weight.pointer, code.wide((channel + i) * c.window + place, bytes));
      numbers.push_back(
          c.weight.isBf16
              ? code.fromBf16(code.load(pointer, code.builder.getI16Type(), 2))
              : code.load(pointer, code.f32(), 4));
    }
    weights.push_back(numbers);
  }
  return weights;
}

SmallVector<Registers> ConvolutionBuilder::firstInputs() const {
  SmallVector<Numbers> inputs;
  int64_t before = c.window - 1;
  for (int64_t place = 0; place < before; ++place) {
    // Token first + place - before.
    Value isInText = code.isLess(code.number(before - 1), first + place);
    inputs.push_back(code.ifElse(
        isInText, SmallVector<Type>(perThread, code.f32()),
        [&] { return load(c.x, text * c.tokens + first + place - before); },
        [&] {
          return c.tail.pointer ? load(c.tail, text * before + first + place)
                                : zeros();
        }));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

Registers ConvolutionBuilder::sum(ArrayRef<Numbers> left,
                                  ArrayRef<Numbers> right) const {
  Numbers sums;
  for (int64_t i = 0; i < perThread; ++i) {
    Value sum = a.mul(left[0][i], right[0][i]);
    for (size_t j = 1; j < left.size(); ++j)
      sum = a.fma(left[j][i], right[j][i], sum);
    sums.push_back(sum);
  }
  return sums;
}

void ConvolutionBuilder::buildForward(const Convolution::Tensor &result) {
  ifChannel([&] {
    SmallVector<Numbers> weights = loadWeights();
    code.loop(first, end, 1, flatten(firstInputs()),
              [&](Int token, ValueRange carried) {
                SmallVector<Numbers> inputs = groups(carried);
                Int row = text * c.tokens + token;
                inputs.push_back(load(c.x, row));
                Numbers values;
                for (Value y : sum(weights, inputs))
                  values.push_back(a.mul(y, a.sigmoid(y)));
                store(values, result, row);
                return flatten(ArrayRef(inputs).drop_front());
              });
  });
}

void ConvolutionBuilder::buildBackward(const ConvolutionGradients &gradients) {
  if (c.texts == 0)
    return ifChannel([&] {
      storeWeightGrad(SmallVector<Numbers>(c.window, zeros()),
                      gradients.weight.pointer);
    });
  int64_t before = c.window - 1;
  ifChannel([&] {
    SmallVector<Numbers> weights = loadWeights();
    // The gradient of input p is sum_j weight[j] dy[p + W - 1 - j].
    SmallVector<Numbers> reversed(llvm::reverse(weights));
    // Carried: the last W - 1 inputs, the gradients of the last W - 1 sums, and
    // those of the weights.
    SmallVector<Numbers> init = firstInputs();
    init.append(before + c.window, zeros());
    Value one = code.f32(1);
    Registers after = code.loop(
        first, first + (run + before), 1, flatten(init),
        [&](Int token, ValueRange carried) {
          SmallVector<Numbers> all = groups(carried);
          SmallVector<Numbers> inputs(ArrayRef(all).take_front(before));
          SmallVector<Numbers> sumGrads(ArrayRef(all).slice(before, before));
          SmallVector<Numbers> grads(ArrayRef(all).take_back(c.window));
          Int row = text * c.tokens + token;
          // No sums follow those of the last token.
          Value isToken = code.isLess(token, code.number(c.tokens));
          inputs.push_back(loadIf(isToken, c.x, row));
          Numbers outputs = loadIf(isToken, gradients.output, row), own;
          Value isOwn = code.isLess(token, end);
          sumGrads.emplace_back();
          for (auto [y, output] :
               llvm::zip_equal(sum(weights, inputs), outputs)) {
            Value s = a.sigmoid(y);
            Value slope = a.mul(s, a.fma(y, a.sub(one, s), one));
            sumGrads.back().push_back(a.mul(output, slope));
            own.push_back(
                code.select(isOwn, sumGrads.back().back(), code.f32(0)));
          }
          for (auto [grad, input] : llvm::zip_equal(grads, inputs))
            for (int64_t i = 0; i < perThread; ++i)
              grad[i] = a.fma(own[i], input[i], grad[i]);
          // The gradient of input token - (W - 1) is complete, which may be one
          // of the tail.
          Numbers complete = sum(reversed, sumGrads);
          Int start = first + before;
          if (gradients.x.pointer) {
            Value isInput = code.both(code.isLess(start - 1, token),
                                      code.isLess(token, end + before));
            code.ifTrue(isInput,
                        [&] { store(complete, gradients.x, row - before); });
          }
          if (gradients.tail.pointer) {
            Value isTail = code.isLess(token + first, code.number(before));
            // Of the first run alone, whose tokens begin at 0.
            isTail = code.both(isTail, code.isEqual(first, code.number(0)));
            code.ifTrue(isTail, [&] {
              store(complete, gradients.tail, text * before + token);
            });
          }
          SmallVector<Numbers> next(ArrayRef(inputs).drop_front());
          llvm::append_range(next, ArrayRef(sumGrads).drop_front());
          llvm::append_range(next, grads);
          return flatten(next);
        });
    SmallVector<Numbers> last = groups(after);
    if (gradients.weight.pointer)
      for (auto [place, grad] :
           llvm::enumerate(ArrayRef(last).take_back(c.window)))
        store(grad, {gradients.scratch},
              item * c.window + static_cast<int64_t>(place));
  });
  if (gradients.weight.pointer)
    addRuns(gradients);
}

void ConvolutionBuilder::storeWeightGrad(ArrayRef<Numbers> sums,
                                         Value pointer) const {
  for (auto [place, sum] : llvm::enumerate(sums))
    for (int64_t i = 0; i < perThread; ++i) {
      Int element = (channel + i) * c.window + static_cast<int64_t>(place);
      code.store(sum[i], code.offset(pointer, element * 4), 4);
    }
}

void ConvolutionBuilder::addRuns(const ConvolutionGradients &gradients) const {
  int64_t items = c.texts * runs;
  Value isLast =
      code.isLastToArrive(code.arrivals(columnBlocks), columnBlock, items);
  code.ifTrue(isLast, [&] {
    ifChannel([&] {
      Registers sums =
          code.loop(code.number(0), code.number(items), 1,
                    flatten(SmallVector<Numbers>(c.window, zeros())),
                    [&](Int item, ValueRange carried) {
                      SmallVector<Numbers> sums = groups(carried);
                      for (auto [place, sum] : llvm::enumerate(sums)) {
                        Numbers part =
                            load({gradients.scratch},
                                 item * c.window + static_cast<int64_t>(place));
                        for (int64_t i = 0; i < perThread; ++i)
                          sum[i] = code.add(sum[i], part[i]);
                      }
                      return flatten(sums);
                    });
      storeWeightGrad(groups(sums), gradients.weight.pointer);
    });
  });
}

GpuLaunch attnres::nvptx::buildConvolution(OpBuilder &builder, Location loc,
                                           const Convolution &convolution,
                                           const Convolution::Tensor &result) {
  ConvolutionBuilder work(builder, loc, convolution, kRun);
  GpuLaunch launch = work.launch();
  if (launch.grid[0] > 0)
    work.buildForward(result);
  return launch;
}

GpuLaunch attnres::nvptx::buildConvolutionBackward(
    OpBuilder &builder, Location loc, const Convolution &convolution,
    const ConvolutionGradients &gradients) {
  ConvolutionBuilder work(builder, loc, convolution,
                          ConvolutionBuilder::runOfBackward(convolution));
  GpuLaunch launch = work.launch();
  // Without texts the gradients of the weights are zeros.
  if (convolution.texts == 0 && gradients.weight.pointer)
    launch.grid[0] = work.numColumnBlocks();
  else if (gradients.weight.pointer) {
    launch.scratchBytes = work.scratchBytes();
    launch.sharedBytes = 16; // of isLastToArrive
  }
  if (launch.grid[0] > 0)
    work.buildBackward(gradients);
  return launch;
}
