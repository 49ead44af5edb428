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

LogicalResult AdamWOp::verify() {
  // OP-2.
  auto type = cast<RankedTensorType>(getParam().getType());
  if (failed(expectType(*this, "gradient", getGrad(), type)) ||
      failed(expectType(*this, "first moment", getM(), type)) ||
      failed(expectType(*this, "second moment", getV(), type)))
    return failure();
  for (auto [name, value] : {std::pair<StringRef, APFloat>{"beta1", getBeta1()},
                             {"beta2", getBeta2()}}) {
    double beta = value.convertToDouble();
    // What follows divides by 1 - beta, in f32.
    if (!(beta >= 0 && static_cast<float>(beta) < 1))
      return emitOpError("expected ") << name << " in [0, 1), got " << beta;
  }
  if (!getWeightDecay().isFinite())
    return emitOpError("expected a finite weight_decay, got ")
           << getWeightDecay().convertToDouble();
  return expectEps(*this, getEps());
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
