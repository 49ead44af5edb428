//===- PackMatmul.cpp - matrix products with a packed right-hand side -----===//
#include "passes/Passes.h"

namespace attnres {
#define GEN_PASS_DEF_PACKMATMUL
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {
struct PackMatmulPass : attnres::impl::PackMatmulBase<PackMatmulPass> {
  using PackMatmulBase::PackMatmulBase;

  void runOnOperation() override {
    constexpr int64_t kMaxTile = 4096;
    if (tile < 1 || tile > kMaxTile) {
      getOperation()->emitError("expected a tile of 1 to ")
          << kMaxTile << " columns, got " << tile.getValue();
      return signalPassFailure();
    }
    if (unpackedRows < 0) {
      getOperation()->emitError("expected unpacked-rows of at least 0, got ")
          << unpackedRows.getValue();
      return signalPassFailure();
    }
    if (f32InKernels < 0) {
      getOperation()->emitError("expected f32-in-kernels of at least 0, got ")
          << f32InKernels.getValue();
      return signalPassFailure();
    }
    Packings packed;
    getOperation()->walk([&](Operation *op) {
      OpBuilder builder(op);
      std::optional<int64_t> rows = productRows(op);
      if (!rows || !hasCountableTensors(op) || *rows <= unpackedRows ||
          isProductOfRows(op) || isPackedByKernel(op, *rows))
        return;
      if (auto linear = dyn_cast<LinearOp>(op)) {
        Value panels =
            pack(packed, builder, op, linear.getWeight(), /*transpose=*/true);
        replace(op, MatmulPackedOp::create(
                        builder, op->getLoc(), op->getResult(0).getType(),
                        linear.getX(), panels, linear.getBias(), Value(),
                        UnitAttr()));
      } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
        Value panels = pack(packed, builder, op, matmul.getRhs(),
                            matmul.getTransposeRhs());
        replace(op, MatmulPackedOp::create(
                        builder, op->getLoc(), op->getResult(0).getType(),
                        matmul.getLhs(), panels, Value(), matmul.getInit(),
                        matmul.getTransposeLhsAttr()));
      }
    });
  }

  /// Rows of the result of a matrix product.
  static std::optional<int64_t> productRows(Operation *op) {
    if (auto linear = dyn_cast<LinearOp>(op))
      return rowCount(cast<RankedTensorType>(linear.getX().getType()));
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      auto lhs = cast<RankedTensorType>(matmul.getLhs().getType());
      return matmul.getTransposeLhs() ? lhs.getShape().back() : rowCount(lhs);
    }
    return std::nullopt;
  }

  /// Whether both operands are stored row after row of what is summed over, as
  /// in weight gradients: then each item of the kernel packs its part of them,
  /// with partial sums in the result, which must hold f32.
  static bool isProductOfRows(Operation *op) {
    auto matmul = dyn_cast<MatmulOp>(op);
    return matmul && matmul.getTransposeLhs() && !matmul.getTransposeRhs() &&
           getElementTypeOrSelf(matmul.getResult()).isF32();
  }

  /// What kernels compute that pack both operands by themselves.
  bool isPackedByKernel(Operation *op, int64_t rows) {
    Type type = getElementTypeOrSelf(op->getOperand(0));
    if (type != getElementTypeOrSelf(op->getOperand(1)))
      return false;
    return type.isBF16() ? bf16InKernels
                         : f32InKernels > 0 && rows >= f32InKernels;
  }

  /// The panels of what was packed in a block, transposed or not.
  using Packings = DenseMap<std::tuple<Block *, Value, int>, Value>;

  /// The panels of `source`. A packing made earlier in the block is used again.
  Value pack(Packings &packed, OpBuilder &builder, Operation *op, Value source,
             bool transpose) {
    Value &panels = packed[{op->getBlock(), source, transpose}];
    numPackings += !panels;
    if (!panels)
      panels = PackOp::create(builder, op->getLoc(), source,
                              builder.getI64IntegerAttr(tile),
                              transpose ? builder.getUnitAttr() : UnitAttr());
    return panels;
  }

  void replace(Operation *op, MatmulPackedOp product) {
    ++numProducts;
    if (Attribute recomputed = op->getAttr(kRecomputedAttr))
      product->setAttr(kRecomputedAttr, recomputed);
    op->getResult(0).replaceAllUsesWith(product.getResult());
    op->erase();
  }
};
} // namespace
