//===- FlashAttention.cpp - attention kernels to vector code --------------===//
//
// Kernels in tensor form that consist of one attention operation become
// cpu-stage functions; see FlashAttentionForward.cpp,
// DecodeAttention.cpp and FlashAttentionBackward.cpp for how they compute.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/FlashAttention.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/cpu/OperationKernel.h"

namespace attnres {
#define GEN_PASS_DEF_FLASHATTENTION
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// Shape of an attention operation from the types of its operands.
template <typename Op>
static AttentionShape getShape(Op op) {
  ArrayRef<int64_t> q = op.getQ().getType().getShape();
  ArrayRef<int64_t> v = op.getV().getType().getShape();
  AttentionShape shape;
  shape.batch = q[0];
  shape.queries = q[1];
  shape.heads = q[2];
  shape.keyDim = q[3];
  shape.keys = v[1];
  shape.kvHeads = v[2];
  shape.valueDim = v[3];
  shape.causal = op.getCausal();
  shape.scale = op.getScaleValue();
  return shape;
}

namespace {

struct FlashAttentionPass
    : attnres::impl::FlashAttentionBase<FlashAttentionPass> {
  using FlashAttentionBase::FlashAttentionBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      Operation *op = getSoleOperation(function);
      if (isa_and_nonnull<AttentionOp, AttentionBackwardOp>(op)) {
        lower(function, op, *target);
        function.erase();
        ++numLowered;
      }
    }
  }

private:
  static void lower(KernelOp function, Operation *op, const CpuTarget &target) {
    OpBuilder builder(function);
    KernelFunction kernel = createKernel(builder, function);
    KernelMemory memory(function, kernel);
    if (auto forward = dyn_cast<AttentionOp>(op)) {
      AttentionForwardMemory arguments{
          memory.of(forward.getQ()),
          memory.of(forward.getK()),
          memory.of(forward.getV()),
          memory.of(cast<OpResult>(forward.getOutput())),
          memory.of(cast<OpResult>(forward.getLse())),
          memory.of(forward.getStart())};
      AttentionShape shape = getShape(forward);
      if (forward.getStart() && shape.queries == 1)
        return buildDecodeAttention(builder, op->getLoc(), kernel, arguments,
                                    shape, target);
      // A group of queries is read before its output is written, and by no
      // other item, so that the output may lie over the queries.
      return buildAttentionForward(builder, op->getLoc(), kernel, arguments,
                                   shape, target);
    }
    auto backward = cast<AttentionBackwardOp>(op);
    // A head's gradients are written when all of it has been read, and no item
    // reads what another one writes: they may lie over what they belong to.
    AttentionBackwardMemory arguments{
        memory.of(backward.getQ()),
        memory.of(backward.getK()),
        memory.of(backward.getV()),
        memory.of(backward.getOutput()),
        memory.of(backward.getLse()),
        memory.of(backward.getOutputGrad()),
        memory.of(backward.getLseGrad()),
        memory.of(cast<OpResult>(backward.getQGrad())),
        memory.of(cast<OpResult>(backward.getKGrad())),
        memory.of(cast<OpResult>(backward.getVGrad()))};
    buildAttentionBackward(builder, op->getLoc(), kernel, arguments,
                           getShape(backward), target);
  }
};

} // namespace
