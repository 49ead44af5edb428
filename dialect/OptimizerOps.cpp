//===- OptimizerOps.cpp - operations of the optimizer step ----------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult AdamWOp::verify() {
  auto type = cast<RankedTensorType>(getParam().getType());
  if (failed(expectType(*this, "gradient", getGrad(), type)) ||
      failed(expectType(*this, "first moment", getM(), type)) ||
      failed(expectType(*this, "second moment", getV(), type)))
    return failure();
  for (auto [name, value] : {std::pair<StringRef, APFloat>{"beta1", getBeta1()},
                             {"beta2", getBeta2()}}) {
    double beta = value.convertToDouble();
    if (!(beta >= 0 && beta < 1))
      return emitOpError("expected ") << name << " in [0, 1), got " << beta;
  }
  return expectEps(*this, getEps());
}

SmallVector<Group> ClipScaleOp::getOperandGroups() {
  // One list only where all sums have one type.
  unsigned number = getSums().size();
  SmallVector<Group> groups;
  if (number > 0 && llvm::all_equal(getSums().getTypes()))
    groups.push_back({0, number});
  else
    for (unsigned i = 0; i < number; ++i)
      groups.push_back({i, 1});
  return groups;
}
