//===- OptimizerOps.cpp - operations of the optimizer step ----------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult SumSquaresOp::verify() {
  return expectPartials(*this, getPartials());
}

LogicalResult ClipScaleOp::verify() {
  // OP-1.
  std::optional<APFloat> limit = getMaxNorm();
  if (!limit || (limit->isFinite() && !limit->isNegative()))
    return success();
  return emitOpError("expected max_norm to be finite and not negative, got ")
         << limit->convertToDouble();
}

/// A decay of a moment: what follows may divide by 1 - beta, in f32.
static LogicalResult expectBeta(Operation *op, StringRef name,
                                const APFloat &value) {
  double beta = value.convertToDouble();
  if (beta >= 0 && static_cast<float>(beta) < 1)
    return success();
  return op->emitOpError("expected ") << name << " in [0, 1), got " << beta;
}

static LogicalResult expectFinite(Operation *op, StringRef name,
                                  const APFloat &value) {
  if (value.isFinite())
    return success();
  return op->emitOpError("expected a finite ")
         << name << ", got " << value.convertToDouble();
}

LogicalResult AdamWOp::verify() {
  // OP-2.
  auto type = cast<RankedTensorType>(getParam().getType());
  if (failed(expectType(*this, "gradient", getGrad(), type)) ||
      failed(expectType(*this, "first moment", getM(), type)) ||
      failed(expectType(*this, "second moment", getV(), type)))
    return failure();
  if (failed(expectBeta(*this, "beta1", getBeta1())) ||
      failed(expectBeta(*this, "beta2", getBeta2())) ||
      failed(expectFinite(*this, "weight_decay", getWeightDecay())))
    return failure();
  return expectEps(*this, getEps());
}

LogicalResult LionOp::verify() {
  // OP-9.
  auto type = cast<RankedTensorType>(getParam().getType());
  if (failed(expectType(*this, "gradient", getGrad(), type)) ||
      failed(expectType(*this, "first moment", getM(), type)) ||
      failed(expectBeta(*this, "beta1", getBeta1())) ||
      failed(expectBeta(*this, "beta2", getBeta2())))
    return failure();
  return expectFinite(*this, "weight_decay", getWeightDecay());
}

LogicalResult MomentumOp::verify() {
  // OP-5.
  auto type = cast<RankedTensorType>(getGrad().getType());
  if (failed(expectType(*this, "first moment", getM(), type)))
    return failure();
  return expectBeta(*this, "beta", getBeta());
}

LogicalResult OrthogonalizeOp::verify() {
  // OP-6.
  auto type = cast<RankedTensorType>(getX().getType());
  if (type.getRank() < 2)
    return emitOpError("expected matrices, got ") << type;
  // Each becomes operations of its own.
  constexpr uint64_t most = 64;
  if (getSteps() > most)
    return emitOpError("expected 0 to ")
           << most << " steps, got " << static_cast<int64_t>(getSteps());
  auto matrices = static_cast<int64_t>(getMatrices());
  int64_t rows = rowCount(type);
  if (matrices < 1 || (!ShapedType::isDynamic(rows) && rows % matrices != 0))
    return emitOpError("expected the ")
           << dimension(rows) << " rows to be those of matrices of one size, "
           << "got " << matrices << " matrices";
  return success();
}

LogicalResult DescendOp::verify() {
  // OP-7.
  auto type = cast<RankedTensorType>(getParam().getType());
  if (failed(expectType(*this, "direction", getDirection(), type)) ||
      failed(expectFinite(*this, "factor", getFactor())))
    return failure();
  return expectFinite(*this, "weight_decay", getWeightDecay());
}

SmallVector<Group> ClipScaleOp::getOperandLists() {
  // A list for each run of sums of one type.
  SmallVector<Group> groups;
  for (auto [index, type] : llvm::enumerate(getSums().getTypes())) {
    if (index == 0 || type != getSums()[index - 1].getType())
      groups.push_back({static_cast<unsigned>(index), 0});
    ++groups.back().size;
  }
  return groups;
}
