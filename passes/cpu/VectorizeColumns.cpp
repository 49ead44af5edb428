//===- VectorizeColumns.cpp - sums over rows to vector code ---------------===//
//
// Kernels that sum over rows in a fixed order. Sums of vectors are cut by
// columns: a work item owns a block of columns and adds the rows from first to
// last. Scalar reductions are one work item and sum in f64.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/VectorRowMachine.h"
#include "passes/rows/Views.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace attnres {
#define GEN_PASS_DEF_VECTORIZECOLUMNS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;
using rows::Chunk;
using rows::RowRef;

namespace {

class ColumnKernel {
public:
  ColumnKernel(KernelOp function, const CpuTarget &target)
      : b(function.getLoc(), function), function(function),
        kernel(createKernel(b, function)), block(target.tiles.sumColumns),
        m(b, b.getLoc(), kernel, target, /*rows=*/1) {}

  LogicalResult lower() {
    Operation &op = function.front().front();
    auto grid =
        TypeSwitch<Operation *, FailureOr<int64_t>>(&op)
            .Case<SumRowsOp, EmbeddingBackwardOp, LiveMeanOp, LiveScaleOp,
                  ClipScaleOp>([&](auto o) { return emit(o); })
            .Default([](Operation *) { return failure(); });
    if (failed(grid))
      return failure();
    finishKernel(kernel, *grid);
    function.erase();
    return success();
  }

private:
  /// Runs `body` for each block of columns of `width`.
  int64_t forBlocks(int64_t width, function_ref<void(Chunk)> body) {
    int64_t grid = llvm::divideCeil(width, block);
    forEachItem(b, b.getLoc(), kernel, [&](Value item) {
      Value column = m.index.mul(item, block), mask;
      if (width % block)
        mask = vector::CreateMaskOp::create(
            b, VectorType::get({block}, b.getI1Type()),
            arith::SubIOp::create(b, m.index.constant(width), column)
                .getResult());
      body({column, block, mask});
    });
    return grid;
  }

  Value flatView(Value memref) { return rows::flatView(b, b.getLoc(), memref); }

  /// A tensor argument of the type `type` as a matrix.
  Value matrix(Value memref, RankedTensorType type) {
    return rows::matrixView(b, b.getLoc(), memref, rowCount(type),
                            type.getShape().back());
  }

  FailureOr<int64_t> emit(SumRowsOp op) {
    auto type = cast<RankedTensorType>(op.getX().getType());
    int64_t rows = rowCount(type);
    Value x = matrix(kernel.inputs[0], type);
    RowRef output{kernel.outputs[0]};
    return forBlocks(type.getShape().back(), [&](Chunk c) {
      SmallVector<Value> sum = forRange(
          b, b.getLoc(), m.index.constant(0), m.index.constant(rows),
          m.index.constant(1), m.splat(0.0, c), [&](Value row, ValueRange acc) {
            return SmallVector<Value>{m.add(acc[0], m.load({x, row}, c))};
          });
      m.store(output, c, sum[0]);
    });
  }

  FailureOr<int64_t> emit(EmbeddingBackwardOp op) {
    auto type = cast<RankedTensorType>(op.getOutputGrad().getType());
    int64_t rows = rowCount(type);
    Value tokens = flatView(kernel.inputs[0]);
    Value grads = matrix(kernel.inputs[1], type), table = kernel.outputs[0];
    Value vocabulary = m.index.constant(op.getVocabSize());
    return forBlocks(type.getShape().back(), [&](Chunk c) {
      forRange(b, b.getLoc(), m.index.constant(0), vocabulary,
               m.index.constant(1), [&](Value token) {
                 m.store({table, token}, c, m.splat(0.0, c));
               });
      forRange(
          b, b.getLoc(), m.index.constant(0), m.index.constant(rows),
          m.index.constant(1), [&](Value row) {
            Value token = memref::LoadOp::create(b, tokens, row);
            token = arith::IndexCastOp::create(b, b.getIndexType(), token);
            // As in the lookup, a token outside the table reads row 0.
            Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                                 token, vocabulary);
            token =
                arith::SelectOp::create(b, inside, token, m.index.constant(0));
            RowRef sum{table, token};
            m.store(sum, c, m.add(m.load(sum, c), m.load({grads, row}, c)));
          });
    });
  }

  Value f64(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value widen(Value x) { return arith::ExtFOp::create(b, b.getF64Type(), x); }
  void storeResult(unsigned i, Value x) {
    memref::StoreOp::create(b, arith::TruncFOp::create(b, b.getF32Type(), x),
                            kernel.outputs[i], ValueRange());
  }

  /// max(1, number of targets that are not `ignored`), in f64.
  Value liveRows(Value targets, int64_t ignored) {
    Value flat = flatView(targets);
    int64_t rows = cast<MemRefType>(flat.getType()).getDimSize(0);
    Value count =
        forRange(b, b.getLoc(), m.index.constant(0), m.index.constant(rows),
                 m.index.constant(1), f64(0), [&](Value row, ValueRange acc) {
                   Value live = m.index.isDifferent(m.loadElement({flat}, row),
                                                    m.index.integer(ignored));
                   Value one = m.select(live, f64(1), f64(0));
                   return SmallVector<Value>{m.add(acc[0], one)};
                 })[0];
    return arith::MaximumFOp::create(b, count, f64(1));
  }

  /// Sum of all elements of a memref, in f64.
  Value total(Value memref, Value initial) {
    Value flat = flatView(memref);
    int64_t count = cast<MemRefType>(flat.getType()).getDimSize(0);
    return forRange(b, b.getLoc(), m.index.constant(0), m.index.constant(count),
                    m.index.constant(1), initial, [&](Value i, ValueRange acc) {
                      Value x = widen(m.loadElement({flat}, i));
                      return SmallVector<Value>{m.add(acc[0], x)};
                    })[0];
  }

  FailureOr<int64_t> emit(LiveMeanOp op) {
    forEachItem(b, b.getLoc(), kernel, [&](Value) {
      Value sum = total(kernel.inputs[0], f64(0));
      storeResult(0,
                  m.div(sum, liveRows(kernel.inputs[1], op.getIgnoreIndex())));
    });
    return 1;
  }

  FailureOr<int64_t> emit(LiveScaleOp op) {
    forEachItem(b, b.getLoc(), kernel, [&](Value) {
      Value scalar = flatView(kernel.inputs[0]);
      Value x = widen(m.loadElement({scalar}, m.index.constant(0)));
      storeResult(0, m.div(x, liveRows(kernel.inputs[1], op.getIgnoreIndex())));
    });
    return 1;
  }

  FailureOr<int64_t> emit(ClipScaleOp op) {
    forEachItem(b, b.getLoc(), kernel, [&](Value) {
      Value sum = f64(0);
      for (Value value : op.getSums()) {
        // Equal sums share an argument.
        Value input = kernel.inputs[cast<BlockArgument>(value).getArgNumber()];
        auto type = tensorOf(value.getType());
        auto memrefType =
            MemRefType::get(type.getShape(), type.getElementType());
        if (!isa<ListType>(value.getType())) {
          sum = total(input, sum);
          continue;
        }
        sum = forRange(b, b.getLoc(), m.index.constant(0),
                       getListCount(b, b.getLoc(), input), m.index.constant(1),
                       sum, [&, list = input](Value i, ValueRange acc) {
                         Value member =
                             getListElement(b, b.getLoc(), list, i, memrefType);
                         return SmallVector<Value>{total(member, acc[0])};
                       })[0];
      }
      Value norm = math::SqrtOp::create(b, sum);
      Value scale = f64(1);
      if (op.getMaxNorm())
        scale = arith::MinimumFOp::create(
            b, scale,
            m.div(f64(op.getMaxNorm()->convertToDouble()),
                  m.add(norm, f64(1e-6))));
      storeResult(0, norm);
      storeResult(1, scale);
    });
    return 1;
  }

  ImplicitLocOpBuilder b;
  KernelOp function;
  KernelFunction kernel;
  const int64_t block; ///< columns of one work item
  VectorRowMachine m;
};

struct VectorizeColumnsPass
    : attnres::impl::VectorizeColumnsBase<VectorizeColumnsPass> {
  using VectorizeColumnsBase::VectorizeColumnsBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function))
        continue;
      Block &body = function.front();
      // Clipping finds its sums by itself: equal ones share an argument.
      bool single = llvm::hasSingleElement(body.without_terminator()) &&
                    (isWholeKernel(&body.front()) ||
                     (mlir::isa<ClipScaleOp>(body.front()) &&
                      llvm::all_of(body.front().getOperands(),
                                   llvm::IsaPred<BlockArgument>) &&
                      llvm::equal(body.front().getResults(),
                                  body.getTerminator()->getOperands())));
      if (!single ||
          !mlir::isa<SumRowsOp, EmbeddingBackwardOp, LiveMeanOp, LiveScaleOp,
                     ClipScaleOp>(body.front()) ||
          (mlir::isa<SumRowsOp>(body.front()) &&
           cast<SumRowsOp>(body.front()).getPartials()))
        continue;
      if (failed(ColumnKernel(function, *target).lower()))
        return signalPassFailure();
      ++numLowered;
    }
  }
};

} // namespace
