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
#include "passes/cpu/AttentionBlocks.h"
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
    if (failed(target) || failed(checkBlocks(*target)))
      return signalPassFailure();
    numLowered += lowerKernelsOf<AttentionOp, AttentionBackwardOp>(
        getOperation(),
        [&](const OperationCode &code, auto op) { lower(code, op, *target); });
  }

private:
  /// Whether the blocks that somebody asked for are made of register tiles.
  LogicalResult checkBlocks(const CpuTarget &target) {
    for (auto kernel : getOperation().getOps<KernelOp>()) {
      Attribute wanted = kernel->getAttr(kBlockKeysAttr);
      auto keys = dyn_cast_if_present<IntegerAttr>(wanted);
      if (wanted &&
          (!keys || !keys.getType().isInteger(64) || keys.getInt() <= 0 ||
           keys.getInt() % target.tileColumns != 0))
        return kernel.emitOpError("'")
               << kBlockKeysAttr << "': expected a multiple of "
               << target.tileColumns << ", got " << wanted;
    }
    return success();
  }

  static void lower(const OperationCode &code, AttentionOp op,
                    const CpuTarget &target) {
    const KernelMemory &memory = code.memory;
    AttentionForwardMemory arguments{memory.of(op.getQ()),
                                     memory.of(op.getK()),
                                     memory.of(op.getV()),
                                     memory.of(cast<OpResult>(op.getOutput())),
                                     memory.of(cast<OpResult>(op.getLse())),
                                     memory.of(op.getStart()),
                                     memory.of(op.getDocuments())};
    AttentionShape shape = getShape(op);
    CpuTarget chosen = target;
    if (auto keys = op->getParentOfType<KernelOp>()->getAttrOfType<IntegerAttr>(
            kBlockKeysAttr))
      chosen.tiles.attention.blockKeys = keys.getInt();
    if (op.getStart() && shape.queries == 1)
      return buildDecodeAttention(code.builder, op.getLoc(), code.kernel,
                                  arguments, shape, target);
    // A group of queries is read before its output is written, and by no other
    // item, so that the output may lie over the queries.
    buildAttentionForward(code.builder, op.getLoc(), code.kernel, arguments,
                          shape, chosen);
  }

  static void lower(const OperationCode &code, AttentionBackwardOp op,
                    const CpuTarget &target) {
    const KernelMemory &memory = code.memory;
    // A head's gradients are written when all of it has been read, and no item
    // reads what another one writes: they may lie over what they belong to.
    AttentionBackwardMemory arguments{memory.of(op.getQ()),
                                      memory.of(op.getK()),
                                      memory.of(op.getV()),
                                      memory.of(op.getOutput()),
                                      memory.of(op.getLse()),
                                      memory.of(op.getOutputGrad()),
                                      memory.of(op.getLseGrad()),
                                      memory.of(cast<OpResult>(op.getQGrad())),
                                      memory.of(cast<OpResult>(op.getKGrad())),
                                      memory.of(cast<OpResult>(op.getVGrad())),
                                      memory.of(op.getDocuments())};
    buildAttentionBackward(code.builder, op.getLoc(), code.kernel, arguments,
                           getShape(op), target);
  }
};

} // namespace
