//===- ChunkKda.cpp - kernels of Kimi delta attention to vector code ------===//
#include "passes/Passes.h"
#include "passes/cpu/KdaKernel.h"
#include "passes/cpu/OperationKernel.h"

namespace attnres {
#define GEN_PASS_DEF_CHUNKKDA
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// Shape of the operation, or of its backward operation.
template <typename Kda>
static KdaShape kdaShapeOf(Kda op) {
  ArrayRef<int64_t> q = op.getQ().getType().getShape();
  ArrayRef<int64_t> v = op.getV().getType().getShape();
  KdaShape shape;
  shape.batch = q[0];
  shape.tokens = q[1];
  shape.heads = q[2];
  shape.keyDim = q[3];
  shape.valueHeads = v[2];
  shape.valueDim = v[3];
  shape.scale = op.getScaleValue();
  return shape;
}

template <typename Kda>
static KdaOperands getOperands(Kda op, const KernelMemory &memory) {
  return {memory.of(op.getQ()),     memory.of(op.getK()),
          memory.of(op.getV()),     memory.of(op.getDecay()),
          memory.of(op.getBeta()),  memory.of(op.getState()),
          memory.of(op.getLength())};
}

namespace {

struct ChunkKdaPass : attnres::impl::ChunkKdaBase<ChunkKdaPass> {
  using ChunkKdaBase::ChunkKdaBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    numLowered += lowerKernelsOf<KdaOp, KdaBackwardOp>(
        getOperation(),
        [&](const OperationCode &code, auto op) { lower(code, op, *target); });
  }

private:
  static void lower(const OperationCode &code, KdaOp op,
                    const CpuTarget &target) {
    const KernelMemory &memory = code.memory;
    // An item reads the state of its head before it writes it, and no other:
    // the new state may lie over it.
    KdaResults results{memory.of(cast<OpResult>(op.getOutput())),
                       memory.of(cast<OpResult>(op.getNewState()))};
    buildKdaForward(code.builder, op.getLoc(), code.kernel,
                    getOperands(op, memory), results, kdaShapeOf(op), target);
  }

  static void lower(const OperationCode &code, KdaBackwardOp op,
                    const CpuTarget &target) {
    const KernelMemory &memory = code.memory;
    auto result = [&](Value value) -> Value {
      return value ? memory.of(cast<OpResult>(value)) : Value();
    };
    KdaGradients gradients{
        memory.of(op.getOutputGrad()), memory.of(op.getStateGrad()),
        result(op.getQGrad()),         result(op.getKGrad()),
        result(op.getVGrad()),         result(op.getDecayGrad()),
        result(op.getBetaGrad()),      result(op.getInitialStateGrad())};
    buildKdaBackward(code.builder, op.getLoc(), code.kernel,
                     getOperands(op, memory), gradients, kdaShapeOf(op),
                     target);
  }
};

} // namespace
