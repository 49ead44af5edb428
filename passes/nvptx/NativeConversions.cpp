//===- NativeConversions.cpp - conversions that GPUs have -----------------===//
#include "passes/nvptx/NativeConversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace {

struct NarrowToBf16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &b) const final {
    Type from = op.getIn().getType(), to = op.getType();
    auto vector = dyn_cast<VectorType>(to);
    if (!getElementTypeOrSelf(from).isF32() ||
        !getElementTypeOrSelf(to).isBF16() || (vector && vector.getRank() != 1))
      return b.notifyMatchFailure(op, "no conversion of f32 to bf16");
    Location loc = op.getLoc();
    Type bits = b.getI16Type();
    if (vector)
      bits = vector.clone(bits);
    Value narrow = LLVM::FPTruncOp::create(b, loc, to, op.getIn());
    Value stored = LLVM::BitcastOp::create(b, loc, bits, narrow);
    b.replaceOpWithNewOp<UnrealizedConversionCastOp>(op, to, stored);
    return success();
  }
};

} // namespace

void attnres::nvptx::populateNativeConversions(RewritePatternSet &patterns) {
  patterns.add<NarrowToBf16>(patterns.getContext());
}
