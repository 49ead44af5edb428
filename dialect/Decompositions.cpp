//===- Decompositions.cpp - every operation as plain linalg ---------------===//
#include "dialect/Attnres.h"
using namespace mlir;
using namespace attnres;
#define TODO(Op) FailureOr<SmallVector<Value>> Op::decomposeOperation(OpBuilder &) { return failure(); }
TODO(DepthAttentionOp) TODO(DepthAttentionBackwardOp) TODO(DepthMergeOp) TODO(DepthMergeBackwardOp) TODO(DepthWeightsOp)
TODO(MergeStatesOp) TODO(MergeStatesBackwardOp) TODO(StaticMixOp) TODO(StaticWeightsOp) TODO(StaticMixBackwardOp) TODO(AttentionOp) TODO(AttentionBackwardOp)
TODO(RopeOp) TODO(RMSNormOp) TODO(RMSNormBackwardOp) TODO(LayerNormOp) TODO(LayerNormBackwardOp) TODO(LinearOp) TODO(MatmulOp) TODO(SumRowsOp)
TODO(SwigluOp) TODO(SwigluBackwardOp) TODO(GeluOp) TODO(GeluBackwardOp) TODO(EmbeddingOp) TODO(EmbeddingBackwardOp) TODO(CrossEntropyOp)
TODO(LinearCrossEntropyOp) TODO(LinearCrossEntropyBackwardOp) TODO(CrossEntropyRowsOp) TODO(CrossEntropyRowsBackwardOp) TODO(LiveMeanOp)
TODO(LiveScaleOp) TODO(SumSquaresOp) TODO(ClipScaleOp) TODO(AdamWOp) TODO(PackOp) TODO(MatmulPackedOp)
