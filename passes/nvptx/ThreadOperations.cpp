//===- ThreadOperations.cpp - products and sums over rows to threads ------===//
//
// What has no faster code. Products have a thread for each element of the
// result; sums over rows one for each column, which adds the rows from first to
// last; scalars are sums of one warp, in f64, lane l having every 32nd term
// from l on.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/TensorKernels.h"
#include "passes/nvptx/GpuKernel.h"
#include "passes/rows/Arithmetic.h"
#include "passes/rows/Control.h"
#include "passes/rows/Views.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

namespace attnres {
#define GEN_PASS_DEF_THREADOPERATIONS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

/// Into how many parts an embedding's words are cut, each with threads of its
/// own.
static constexpr int64_t kWordRanges = 64;

/// Of an operation that is a kernel. Partial sums are row operations.
static bool isKnown(Operation *op) {
  if (!llvm::equal(op->getResults(),
                   op->getBlock()->getTerminator()->getOperands()))
    return false;
  if (auto sums = dyn_cast<SumRowsOp>(op))
    return !sums.getPartials();
  return isa<LinearOp, MatmulOp, EmbeddingBackwardOp, LiveMeanOp, LiveScaleOp,
             ClipScaleOp>(op);
}

namespace {

class OperationCode {
public:
  OperationCode(KernelOp function, const Launches &launches)
      : b(function.getLoc(), function), function(function), launches(launches),
        kernel(createKernel(b, function)), index(b, b.getLoc()),
        a(b, b.getLoc()), inputs(memRefsAt(b, b.getLoc(), kernel.inputs,
                                           function.getArgumentTypes())),
        outputs(memRefsAt(b, b.getLoc(), kernel.outputs,
                          function.getResultTypes())) {}

  LogicalResult lower(Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case<LinearOp, MatmulOp, SumRowsOp, EmbeddingBackwardOp, LiveMeanOp,
              LiveScaleOp, ClipScaleOp>([&](auto o) { emit(o); });
    function.erase();
    return result;
  }

private:
  //===--- Memory ---------------------------------------------------------===//

  /// The memory of an operand; null for an absent one.
  Value of(Value operand) const {
    return operand ? inputs[cast<BlockArgument>(operand).getArgNumber()]
                   : Value();
  }
  Value flat(Value memref) { return rows::flatView(b, b.getLoc(), memref); }
  /// [..., D] as [rows, D].
  Value matrix(Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    int64_t columns = type.getShape().back(), count = 1;
    for (int64_t extent : type.getShape().drop_back())
      count *= extent;
    return rows::matrixView(b, b.getLoc(), memref, count, columns);
  }
  static int64_t extent(Value memref, unsigned dim) {
    return cast<MemRefType>(memref.getType()).getDimSize(dim);
  }
  Value load(Value memref, ValueRange position) {
    Value value = memref::LoadOp::create(b, memref, position);
    if (isa<FloatType>(value.getType()) && !value.getType().isF32())
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    return value;
  }
  void store(Value value, Value memref, ValueRange position) {
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    if (value.getType() != element)
      value = arith::TruncFOp::create(b, element, value);
    memref::StoreOp::create(b, value, memref, position);
  }
  SmallVector<Value>
  forRange(Value from, int64_t to, int64_t step, ValueRange init,
           function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    return rows::forRange(b, b.getLoc(), from, index.constant(to),
                          index.constant(step), init, body);
  }

  /// Runs `body` for each of `count` items, a thread each.
  void forThreads(int64_t count, function_ref<void(Value)> body) {
    Value thread = threadInGrid(b, b.getLoc(), kBlockThreads);
    rows::ifTrue(b, b.getLoc(), index.isLess(thread, index.constant(count)),
                 [&] { body(thread); });
    result =
        finishKernel(kernel, launches, llvm::divideCeil(count, kBlockThreads),
                     kBlockThreads);
  }

  //===--- Products -------------------------------------------------------===//

  /// result[m, n] = sum_k lhs[m, k] rhs[k, n] + bias[n] + init[m, n]; an
  /// operand that is transposed is stored the other way around.
  struct Product {
    Value lhs, rhs, bias, init;
    bool transposeLhs, transposeRhs;
  };

  void emit(Product product) {
    Value lhs = matrix(product.lhs), rhs = matrix(product.rhs);
    Value result = matrix(outputs[0]);
    Value init = product.init ? matrix(product.init) : Value();
    int64_t depth = extent(lhs, product.transposeLhs ? 0 : 1);
    int64_t columns = extent(result, 1);
    auto at = [&](Value memref, bool isTransposed, Value row, Value column) {
      return isTransposed ? load(memref, {column, row})
                          : load(memref, {row, column});
    };
    forThreads(extent(result, 0) * columns, [&](Value thread) {
      Value row = index.div(thread, columns);
      Value column = index.rem(thread, columns);
      Value sum = forRange(index.constant(0), depth, 1, a.f32(0),
                           [&](Value k, ValueRange acc) {
                             Value x = at(lhs, product.transposeLhs, row, k);
                             Value y = at(rhs, product.transposeRhs, k, column);
                             return SmallVector<Value>{a.fma(x, y, acc[0])};
                           })[0];
      if (product.bias)
        sum = a.add(sum, load(product.bias, column));
      if (init)
        sum = a.add(sum, load(init, {row, column}));
      store(sum, result, {row, column});
    });
  }

  void emit(LinearOp op) {
    emit(Product{of(op.getX()), of(op.getWeight()), of(op.getBias()), Value(),
                 /*transposeLhs=*/false, /*transposeRhs=*/true});
  }

  void emit(MatmulOp op) {
    emit(Product{of(op.getLhs()), of(op.getRhs()), Value(), of(op.getInit()),
                 op.getTransposeLhs(), op.getTransposeRhs()});
  }

  //===--- Sums over rows -------------------------------------------------===//

  void emit(SumRowsOp op) {
    Value x = matrix(of(op.getX()));
    forThreads(extent(x, 1), [&](Value column) {
      Value sum = forRange(index.constant(0), extent(x, 0), 1, a.f32(0),
                           [&](Value row, ValueRange acc) {
                             Value next = load(x, {row, column});
                             return SmallVector<Value>{a.add(acc[0], next)};
                           })[0];
      store(sum, outputs[0], column);
    });
  }

  /// A thread has a column of some consecutive words.
  void emit(EmbeddingBackwardOp op) {
    Value tokens = flat(of(op.getTokens()));
    Value grads = matrix(of(op.getOutputGrad())), table = outputs[0];
    int64_t words = extent(table, 0), columns = extent(table, 1);
    int64_t range = std::max<int64_t>(1, llvm::divideCeil(words, kWordRanges));
    int64_t ranges = llvm::divideCeil(words, range);
    forThreads(ranges * columns, [&](Value thread) {
      Value column = index.rem(thread, columns);
      Value first = index.mul(index.div(thread, columns), range);
      Value last = index.min(index.add(first, range), words);
      rows::forRange(b, b.getLoc(), first, last, index.constant(1),
                     [&](Value word) {
                       store(a.f32(0), table, {word, column});
                     });
      forRange(index.constant(0), extent(grads, 0), 1, {},
               [&](Value row, ValueRange) {
                 // As in the lookup, a token outside the table reads row 0.
                 Value word = index.within(load(tokens, row), words);
                 // As unsigned numbers, words before the first are large.
                 Value isOwn = index.isLess(index.sub(word, first),
                                            index.sub(last, first));
                 rows::ifTrue(b, b.getLoc(), isOwn, [&] {
                   Value sum = a.add(load(table, {word, column}),
                                     load(grads, {row, column}));
                   store(sum, table, {word, column});
                 });
                 return SmallVector<Value>();
               });
    });
  }

  //===--- Scalars --------------------------------------------------------===//

  Value f64(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }

  /// Adds every 32nd term of `count` from the lane on.
  Value addTerms(int64_t count, Value sum,
                 function_ref<Value(Value position)> term) {
    return forRange(lane, count, kWarpLanes, sum, [&](Value i, ValueRange acc) {
      return SmallVector<Value>{a.add(acc[0], term(i))};
    })[0];
  }
  Value addElements(Value memref, Value sum) {
    Value elements = flat(memref);
    return addTerms(extent(elements, 0), sum, [&](Value i) -> Value {
      return arith::ExtFOp::create(b, b.getF64Type(), load(elements, i));
    });
  }
  /// The sum over the lanes, in all of them.
  Value sumLanes(Value value) {
    for (int64_t distance = kWarpLanes / 2; distance > 0; distance /= 2)
      value = a.add(value, exchangeLanes(b, b.getLoc(), value, distance));
    return value;
  }
  /// max(1, number of targets that are not `ignored`).
  Value liveRows(Value targets, int64_t ignored) {
    Value elements = flat(targets);
    Value count = addTerms(extent(elements, 0), f64(0), [&](Value i) {
      Value isLive =
          index.isDifferent(load(elements, i), index.integer(ignored));
      return a.select(isLive, f64(1), f64(0));
    });
    return arith::MaximumFOp::create(b, sumLanes(count), f64(1));
  }

  /// Runs `body` in one warp, with `lane` set.
  void inWarp(function_ref<void()> body) {
    lane = threadInBlock(b, b.getLoc());
    body();
    result = finishKernel(kernel, launches, 1, kWarpLanes);
  }
  void storeResult(unsigned i, Value value) {
    rows::ifTrue(b, b.getLoc(), index.isLess(lane, index.constant(1)),
                 [&] { store(value, outputs[i], ValueRange()); });
  }

  void emit(LiveMeanOp op) {
    inWarp([&] {
      Value sum = sumLanes(addElements(inputs[0], f64(0)));
      storeResult(0, a.div(sum, liveRows(inputs[1], op.getIgnoreIndex())));
    });
  }

  void emit(LiveScaleOp op) {
    inWarp([&] {
      Value x = arith::ExtFOp::create(b, b.getF64Type(),
                                      load(flat(inputs[0]), index.constant(0)));
      storeResult(0, a.div(x, liveRows(inputs[1], op.getIgnoreIndex())));
    });
  }

  void emit(ClipScaleOp op) {
    inWarp([&] {
      Value sum = f64(0);
      for (Value value : op.getSums()) {
        auto list = dyn_cast<ListType>(value.getType());
        Value input = of(value); // equal sums share an argument
        if (!list) {
          sum = addElements(input, sum);
          continue;
        }
        RankedTensorType type = tensorOf(list);
        sum = rows::forRange(
            b, b.getLoc(), index.constant(0), listCount(b, b.getLoc(), input),
            index.constant(1), sum, [&](Value i, ValueRange acc) {
              Value member = listMember(b, b.getLoc(), input, i, type);
              return SmallVector<Value>{addElements(member, acc[0])};
            })[0];
      }
      Value norm = math::SqrtOp::create(b, sumLanes(sum));
      Value scale = f64(1);
      if (op.getMaxNorm())
        scale = arith::MinimumFOp::create(
            b, scale,
            a.div(f64(op.getMaxNorm()->convertToDouble()),
                  a.add(norm, f64(1e-6))));
      storeResult(0, norm);
      storeResult(1, scale);
    });
  }

  ImplicitLocOpBuilder b;
  KernelOp function;
  const Launches &launches;
  GpuKernel kernel;
  rows::IndexBuilder index;
  rows::Arithmetic a;
  SmallVector<Value> inputs, outputs; ///< memrefs, or lists
  Value lane;
  LogicalResult result = success();
};

struct ThreadOperationsPass
    : attnres::impl::ThreadOperationsBase<ThreadOperationsPass> {
  using ThreadOperationsBase::ThreadOperationsBase;

  void runOnOperation() override {
    FailureOr<GpuTarget> gpu = GpuTarget::get(getOperation(), target);
    if (failed(gpu))
      return signalPassFailure();
    Launches launches(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      Operation *op = getSoleOperation(function);
      if (!op || !isKnown(op))
        continue;
      if (failed(OperationCode(function, launches).lower(op)))
        return signalPassFailure();
      ++numLowered;
    }
  }
};

} // namespace
