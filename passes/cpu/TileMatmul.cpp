//===- TileMatmul.cpp - matrix product kernels to vector code -------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "passes/Passes.h"

#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/MatmulEmitter.h"

namespace attnres {
#define GEN_PASS_DEF_TILEMATMUL
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// The operation of a kernel in tensor form that does nothing but one product
/// or one packing of its own arguments; null for other functions.
static Operation *getRoot(KernelOp function) {
  if (!isTensorKernel(function))
    return nullptr;
  Block &body = function.front();
  if (!llvm::hasNItems(body.without_terminator(), 1) ||
      body.getTerminator()->getNumOperands() != 1)
    return nullptr;
  Operation *root = &body.front();
  if (!isa<PackOp, MatmulPackedOp, MatmulOp, LinearOp>(root) ||
      body.getTerminator()->getOperand(0) != root->getResult(0))
    return nullptr;
  return root;
}

/// Panels must be cut into whole vectors.
static LogicalResult checkTile(Operation *op, Value panels,
                               const CpuTarget &target) {
  int64_t tile = cast<RankedTensorType>(panels.getType()).getShape().back();
  if (tile % target.lanes == 0)
    return success();
  return op->emitOpError("expected panels of a multiple of ")
         << target.lanes << " columns for " << target.name << ", got " << tile;
}

/// The kernel's memory in the order of the operation's operands: the function
/// may take them in another order, or one argument for two operands.
static SmallVector<Value> getMemory(Operation *root,
                                    const KernelFunction &kernel) {
  SmallVector<Value> memory;
  for (Value operand : root->getOperands())
    memory.push_back(
        kernel.inputs[cast<BlockArgument>(operand).getArgNumber()]);
  return memory;
}

static LogicalResult lowerKernel(KernelOp function, Operation *root,
                                 const CpuTarget &target, int64_t threads) {
  for (Value operand : root->getOperands())
    if (!isa<BlockArgument>(operand))
      return root->emitOpError("expected only arguments of its kernel");
  if (auto op = dyn_cast<PackOp>(root))
    if (failed(checkTile(op, op.getPanels(), target)))
      return failure();
  if (auto op = dyn_cast<MatmulPackedOp>(root))
    if (failed(checkTile(op, op.getPanels(), target)))
      return failure();

  OpBuilder builder(function);
  KernelFunction kernel = createKernel(builder, function);
  // The emitters find an operation's operands as the kernel's inputs.
  KernelFunction ordered = kernel;
  ordered.inputs = getMemory(root, kernel);
  if (auto op = dyn_cast<PackOp>(root)) {
    emitPack(builder, ordered, target, op.getTranspose());
  } else {
    MatmulOptions options;
    options.wantedItems = threads;
    if (auto op = dyn_cast<MatmulPackedOp>(root)) {
      options.transposedA = op.getTransposeLhs();
      options.hasBias = static_cast<bool>(op.getBias());
      options.hasInit = static_cast<bool>(op.getInit());
    } else if (auto op = dyn_cast<MatmulOp>(root)) {
      options.transposedA = op.getTransposeLhs();
      options.hasInit = static_cast<bool>(op.getInit());
      options.right = op.getTransposeRhs() ? RightOperand::Transposed
                                           : RightOperand::RowMajor;
    } else {
      options.hasBias = static_cast<bool>(cast<LinearOp>(root).getBias());
      options.right = RightOperand::Transposed;
    }
    emitMatmul(builder, ordered, target, options);
  }
  function.erase();
  return success();
}

namespace {
struct TileMatmulPass : attnres::impl::TileMatmulBase<TileMatmulPass> {
  using TileMatmulBase::TileMatmulBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    if (threads < 1) {
      getOperation().emitError("expected threads of at least 1, got ")
          << threads.getValue();
      return signalPassFailure();
    }
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (Operation *root = getRoot(function)) {
        if (failed(lowerKernel(function, root, *target, threads)))
          return signalPassFailure();
        ++numLowered;
      }
  }
};
} // namespace
