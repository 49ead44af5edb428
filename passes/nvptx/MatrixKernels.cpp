//===- MatrixKernels.cpp - matrix kernels for NVIDIA GPUs -----------------===//
#include "passes/nvptx/MatrixKernels.h"

#include "passes/analysis/TensorKernels.h"
#include "passes/nvptx/MmaAttention.h"
#include "passes/nvptx/MmaGrouped.h"
#include "passes/nvptx/MmaKda.h"
#include "passes/nvptx/MmaProduct.h"
#include "passes/nvptx/ThreadConvolution.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

static bool isBf16(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType().isBF16();
}

/// The generation that has wgmma.
static bool hasWarpGroups(const GpuTarget &target) {
  return target.processor == "sm_90a";
}

namespace {

/// The sizes that a kernel says its tiles are cut by, one for each of `names`.
class WantedTiles {
public:
  WantedTiles(Operation *op, ArrayRef<StringRef> names)
      : kernel(op->getParentOfType<KernelOp>()),
        attribute(kernel->getAttr(kTilesAttr)) {
    if (!attribute)
      return;
    auto array = dyn_cast<DenseI64ArrayAttr>(attribute);
    if (array && !names.empty() &&
        array.size() == static_cast<int64_t>(names.size())) {
      sizes = array;
      return;
    }
    InFlightDiagnostic error = kernel.emitOpError();
    if (names.empty()) {
      error << "takes no '" << kTilesAttr << "', got " << attribute;
      return;
    }
    error << "expected '" << kTilesAttr << "' as array<i64> of " << names.size()
          << " (";
    llvm::interleaveComma(names, error);
    error << "), got " << attribute;
  }

  /// Whether it says any, of the right number.
  explicit operator bool() const { return !sizes.empty(); }
  int64_t operator[](size_t i) const { return sizes[i]; }
  /// Whether there are others, of which there has been an error.
  bool areMalformed() const { return attribute && sizes.empty(); }
  /// An error unless what is asked for, if anything is, fits.
  LogicalResult expect(bool fits) const {
    if (fits || !attribute)
      return success();
    return kernel.emitOpError("cannot be cut by '")
           << kTilesAttr << "' = " << attribute;
  }

private:
  mutable KernelOp kernel;
  Attribute attribute;
  ArrayRef<int64_t> sizes;
};

} // namespace

static std::optional<Product> productOf(Operation *op,
                                        const KernelMemory &memory) {
  auto shapeOf = [](Value value) -> std::array<int64_t, 2> {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t columns = type.getShape().back(), rows = 1;
    for (int64_t size : type.getShape().drop_back())
      rows *= size;
    return {rows, columns};
  };
  Product product;
  Value left, right;
  if (auto linear = dyn_cast<LinearOp>(op)) {
    left = linear.getX();
    right = linear.getWeight();
    product.left.alongDepth = product.right.alongDepth = true;
    product.bias = memory.of(linear.getBias());
  } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    left = matmul.getLhs();
    right = matmul.getRhs();
    product.left.alongDepth = !matmul.getTransposeLhs();
    product.right.alongDepth = matmul.getTransposeRhs();
    product.init = memory.of(matmul.getInit());
  } else {
    return std::nullopt;
  }
  auto [leftRows, leftColumns] = shapeOf(left);
  auto [rightRows, rightColumns] = shapeOf(right);
  product.rows = product.left.alongDepth ? leftRows : leftColumns;
  product.depth = product.left.alongDepth ? leftColumns : leftRows;
  product.columns = product.right.alongDepth ? rightRows : rightColumns;
  product.left.pointer = memory.of(left);
  product.left.isBf16 = isBf16(left);
  product.right.pointer = memory.of(right);
  product.right.isBf16 = isBf16(right);
  product.result = memory.of(op->getResult(0));
  product.isResultBf16 = isBf16(op->getResult(0));
  return product;
}

/// The sizes of an attention within one text whose tensors have one type and
/// heads that fit; nullopt for others.
template <typename Op>
static std::optional<AttentionShape> shapeOf(Op op) {
  if (op.getDocuments())
    return std::nullopt;
  auto q = op.getQ().getType(), v = op.getV().getType();
  AttentionShape shape{};
  shape.batch = q.getDimSize(0);
  shape.queries = q.getDimSize(1);
  shape.heads = q.getDimSize(2);
  shape.keyDim = q.getDimSize(3);
  shape.keys = v.getDimSize(1);
  shape.kvHeads = v.getDimSize(2);
  shape.valueDim = v.getDimSize(3);
  shape.causal = op.getCausal();
  shape.scale = op.getScaleValue();
  shape.isBf16 = q.getElementType().isBF16();
  for (Value operand : {op.getQ(), op.getK(), op.getV()})
    if (cast<RankedTensorType>(operand.getType()).getElementType() !=
        q.getElementType())
      return std::nullopt;
  bool fits = std::max(shape.keyDim, shape.valueDim) <= kMostHeadSize &&
              std::min(shape.keyDim, shape.valueDim) > 0 && shape.kvHeads > 0 &&
              shape.scale != 0;
  return fits ? std::optional(shape) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Experts, convolutions and delta attention
//===----------------------------------------------------------------------===//

static Choices choicesOf(TypedValue<RankedTensorType> experts, int64_t matrices,
                         const KernelMemory &memory) {
  return {memory.of(experts), experts.getType().getNumElements(), matrices};
}

/// [..., J, D], or [..., D] with a row for all choices [..., J] of it.
static ChoiceRows rowsOf(TypedValue<RankedTensorType> rows,
                         TypedValue<RankedTensorType> experts,
                         const KernelMemory &memory) {
  RankedTensorType type = rows.getType(), choices = experts.getType();
  bool isShared = type.getRank() == choices.getRank();
  return {memory.of(rows), isBf16(rows), type.getShape().back(),
          isShared ? choices.getShape().back() : 1};
}

static GpuLaunch buildKernel(GroupedLinearOp op, OpBuilder &builder,
                             const KernelMemory &memory,
                             const GpuTarget &target) {
  ArrayRef<int64_t> weight = op.getWeight().getType().getShape();
  GroupedLinear product{choicesOf(op.getExperts(), weight[0], memory),
                        rowsOf(op.getX(), op.getExperts(), memory),
                        memory.of(op.getWeight()),
                        isBf16(op.getWeight()),
                        op.getTranspose(),
                        weight[op.getTranspose() ? 2 : 1],
                        memory.of(cast<OpResult>(op.getResult())),
                        isBf16(op.getResult())};
  return buildGroupedLinear(builder, op.getLoc(), product, target.processors);
}

static GpuLaunch buildKernel(GroupedWeightGradOp op, OpBuilder &builder,
                             const KernelMemory &memory) {
  GroupedWeightGrad product{
      choicesOf(op.getExperts(), op.getMatrices(), memory),
      rowsOf(op.getLhs(), op.getExperts(), memory),
      rowsOf(op.getRhs(), op.getExperts(), memory),
      memory.of(cast<OpResult>(op.getResult()))};
  return buildGroupedWeightGrad(builder, op.getLoc(), product);
}

template <typename Op>
static Convolution convolutionOf(Op op, const KernelMemory &memory) {
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  auto tensorOf = [&](Value operand) -> Convolution::Tensor {
    if (!operand)
      return {};
    return {memory.of(operand), isBf16(operand)};
  };
  return {shape[0],
          shape[1],
          shape[2],
          op.getWeight().getType().getDimSize(1),
          tensorOf(op.getX()),
          tensorOf(op.getWeight()),
          tensorOf(op.getTail())};
}

static Convolution::Tensor resultOf(Value result, const KernelMemory &memory) {
  if (!result)
    return {};
  return {memory.of(cast<OpResult>(result)), isBf16(result)};
}

static GpuLaunch buildKernel(ShortConvolutionOp op, OpBuilder &builder,
                             const KernelMemory &memory) {
  return buildConvolution(builder, op.getLoc(), convolutionOf(op, memory),
                          resultOf(op.getResult(), memory));
}

static GpuLaunch buildKernel(ShortConvolutionBackwardOp op, OpBuilder &builder,
                             const KernelMemory &memory, Value scratch) {
  ConvolutionGradients gradients{
      {memory.of(op.getOutputGrad()), isBf16(op.getOutputGrad())},
      resultOf(op.getXGrad(), memory),
      resultOf(op.getWeightGrad(), memory),
      resultOf(op.getTailGrad(), memory),
      scratch};
  return buildConvolutionBackward(builder, op.getLoc(),
                                  convolutionOf(op, memory), gradients);
}

template <typename Op>
static Kda kdaOf(Op op, const KernelMemory &memory) {
  ArrayRef<int64_t> q = op.getQ().getType().getShape();
  ArrayRef<int64_t> v = op.getV().getType().getShape();
  auto tensorOf = [&](Value operand) -> Kda::Tensor {
    return {memory.of(operand), isBf16(operand)};
  };
  return {q[0],
          q[1],
          q[2],
          v[2],
          q[3],
          v[3],
          op.getScaleValue(),
          tensorOf(op.getQ()),
          tensorOf(op.getK()),
          tensorOf(op.getV()),
          tensorOf(op.getBeta()),
          memory.of(op.getDecay()),
          memory.of(op.getState()),
          memory.of(op.getLength())};
}

/// Warps of a block.
static FailureOr<std::optional<GpuLaunch>>
buildKernel(KdaOp op, OpBuilder &builder, const KernelMemory &memory,
            const GpuTarget &target) {
  KdaResults results{
      {memory.of(cast<OpResult>(op.getOutput())), isBf16(op.getOutput())},
      memory.of(cast<OpResult>(op.getNewState()))};
  Kda kda = kdaOf(op, memory);
  int64_t warps = chooseKdaWarps(kda, target.processors);
  WantedTiles wanted(op, {"warps"});
  if (wanted.areMalformed())
    return failure();
  if (wanted)
    warps = wanted[0];
  bool fits = fitsKda(kda, warps, target.sharedBytes);
  if (failed(wanted.expect(fits)))
    return failure();
  std::optional<GpuLaunch> launch;
  if (fits)
    launch = buildKda(builder, op.getLoc(), kda, results, warps);
  return launch;
}

static std::optional<GpuLaunch>
buildKernel(KdaBackwardOp op, OpBuilder &builder, const KernelMemory &memory,
            const GpuTarget &target, Value scratch) {
  auto tensorOf = [&](Value result) -> Kda::Tensor {
    return {memory.of(cast<OpResult>(result)), isBf16(result)};
  };
  KdaGradients gradients{
      {memory.of(op.getOutputGrad()), isBf16(op.getOutputGrad())},
      memory.of(op.getStateGrad()),
      tensorOf(op.getQGrad()),
      tensorOf(op.getKGrad()),
      tensorOf(op.getVGrad()),
      tensorOf(op.getBetaGrad()),
      memory.of(cast<OpResult>(op.getDecayGrad())),
      op.getInitialStateGrad()
          ? memory.of(cast<OpResult>(op.getInitialStateGrad()))
          : Value(),
      scratch};
  return buildKdaBackward(builder, op.getLoc(), kdaOf(op, memory), gradients,
                          target.sharedBytes);
}

//===----------------------------------------------------------------------===//
// Products and attention
//===----------------------------------------------------------------------===//

static FailureOr<std::optional<GpuLaunch>>
buildKernel(Product &product, Operation *op, OpBuilder &builder,
            const GpuTarget &target) {
  ProductTiles tiles =
      chooseTiles(product, target.processors, hasWarpGroups(target));
  WantedTiles sizes(op, {"rows", "columns", "warps along rows",
                         "warps along columns", "stages", "splits"});
  if (sizes.areMalformed())
    return failure();
  if (sizes)
    tiles = {sizes[0],
             sizes[1],
             sizes[2],
             sizes[3],
             sizes[4],
             sizes[5],
             hasWarpGroups(target) && sizes[3] == 1 &&
                 sizes[0] == kGroupSize * sizes[2] && sizes[0] % 64 == 0 &&
                 product.isBf16()};
  bool fits = tiles.fit(product, target.sharedBytes);
  if (failed(sizes.expect(fits)))
    return failure();
  std::optional<GpuLaunch> launch;
  if (fits)
    launch = buildProduct(builder, op->getLoc(), product, tiles);
  return launch;
}

static FailureOr<std::optional<GpuLaunch>>
buildKernel(AttentionOp op, OpBuilder &builder, const KernelMemory &memory,
            const GpuTarget &target, Value scratch) {
  std::optional<GpuLaunch> launch;
  std::optional<AttentionShape> shape = shapeOf(op);
  if (!shape)
    return launch;
  AttentionForward attention{*shape,
                             memory.of(op.getQ()),
                             memory.of(op.getK()),
                             memory.of(op.getV()),
                             memory.of(op.getStart()),
                             memory.of(op->getResult(0)),
                             memory.of(op->getResult(1)),
                             scratch};
  AttentionTiles tiles = chooseForwardTiles(
      *shape, target.processors, hasWarpGroups(target), target.sharedBytes);
  WantedTiles sizes(op,
                    {"warps", "groups of queries", "keys", "stages", "splits"});
  if (sizes.areMalformed())
    return failure();
  if (sizes)
    tiles = {sizes[0], sizes[1], sizes[2],
             sizes[3], sizes[4], tiles.warpGroups};
  bool fits = fitsForward(*shape, tiles, target.sharedBytes);
  if (failed(sizes.expect(fits)))
    return failure();
  if (fits)
    launch = buildAttentionForward(builder, op->getLoc(), attention, tiles);
  return launch;
}

/// Whether a result may lie over an argument.
static bool overwrites(KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getResultTypes().size(); ++i)
    if (kernel.getReusedArgument(i) >= 0)
      return true;
  return false;
}

static FailureOr<std::optional<GpuLaunch>>
buildKernel(AttentionBackwardOp op, OpBuilder &builder,
            const KernelMemory &memory, const GpuTarget &target,
            Value scratch) {
  std::optional<GpuLaunch> launch;
  std::optional<AttentionShape> shape = shapeOf(op);
  if (!shape)
    return launch;
  AttentionBackward attention{*shape,
                              memory.of(op.getQ()),
                              memory.of(op.getK()),
                              memory.of(op.getV()),
                              memory.of(op.getOutput()),
                              memory.of(op.getLse()),
                              memory.of(op.getOutputGrad()),
                              memory.of(op.getLseGrad()),
                              memory.of(op->getResult(0)),
                              memory.of(op->getResult(1)),
                              memory.of(op->getResult(2)),
                              scratch,
                              overwrites(op->getParentOfType<KernelOp>())};
  BackwardTiles tiles =
      chooseBackwardTiles(*shape, hasWarpGroups(target), target.sharedBytes);
  WantedTiles sizes(op, {"warps", "rows", "parts", "stages"});
  if (sizes.areMalformed())
    return failure();
  if (sizes) {
    tiles = {sizes[0], sizes[1], sizes[2], sizes[3], tiles.warpGroups};
    if (!fitsBackward(*shape, tiles, target.sharedBytes))
      tiles.warpGroups = false;
  }
  bool fits = fitsBackward(*shape, tiles, target.sharedBytes);
  if (failed(sizes.expect(fits)))
    return failure();
  if (fits)
    launch = buildAttentionBackward(builder, op->getLoc(), attention, tiles);
  return launch;
}

FailureOr<std::optional<GpuLaunch>>
attnres::nvptx::buildMatrixKernel(OpBuilder &builder, KernelOp kernel,
                                  ValueRange inputs, ValueRange outputs,
                                  Value scratch, const GpuTarget &target) {
  using Launch = FailureOr<std::optional<GpuLaunch>>;
  Operation *op = getSoleOperation(kernel);
  if (!op)
    return std::optional<GpuLaunch>();
  KernelMemory memory(kernel, inputs, outputs);
  if (std::optional<Product> product = productOf(op, memory)) {
    product->scratch = scratch;
    return buildKernel(*product, op, builder, target);
  }
  auto withoutTiles = [&](std::optional<GpuLaunch> launch) -> Launch {
    if (launch && WantedTiles(op, {}).areMalformed())
      return failure();
    return launch;
  };
  return llvm::TypeSwitch<Operation *, Launch>(op)
      .Case([&](KdaOp op) { return buildKernel(op, builder, memory, target); })
      .Case<AttentionOp, AttentionBackwardOp>([&](auto op) {
        return buildKernel(op, builder, memory, target, scratch);
      })
      .Case([&](GroupedLinearOp op) {
        return withoutTiles(buildKernel(op, builder, memory, target));
      })
      .Case<GroupedWeightGradOp, ShortConvolutionOp>([&](auto op) {
        return withoutTiles(buildKernel(op, builder, memory));
      })
      .Case([&](ShortConvolutionBackwardOp op) {
        return withoutTiles(buildKernel(op, builder, memory, scratch));
      })
      .Case([&](KdaBackwardOp op) {
        return withoutTiles(buildKernel(op, builder, memory, target, scratch));
      })
      .Default([](Operation *) { return std::optional<GpuLaunch>(); });
}
