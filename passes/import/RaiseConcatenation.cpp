//===- RaiseConcatenation.cpp - joined tensors in linalg ------------------===//
//
// The root is a `linalg.generic` without inputs whose body reads one of several
// tensors by `tensor.extract`, as conditionals on its indices say. Along one
// dimension it is these tensors one behind the other, each of them whole.
//
//===----------------------------------------------------------------------===//
#include "passes/analysis/PointExpressions.h"
#include "passes/import/LayerMatches.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

/// Whether the root is `part` from `begin` on along dimension `d`.
static bool isPart(Value root, Value part, unsigned d, int64_t begin) {
  auto type = cast<RankedTensorType>(part.getType());
  MLIRContext *context = root.getContext();
  PointExpressions exprs(context, type.getShape());
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  SmallVector<AffineExpr> indices(identity.getResults());
  indices[d] = indices[d] + begin;
  const PointExpr *read = exprs.expand(
      exprs.access(root, AffineMap::get(type.getRank(), 0, indices, context)));
  return read && read == exprs.access(part, identity);
}

/// The parts of the root along dimension `d`, or none.
static SmallVector<Value> partsAlong(Value root, ArrayRef<Value> candidates,
                                     unsigned d) {
  auto type = cast<RankedTensorType>(root.getType());
  SmallVector<Value> parts;
  int64_t begin = 0;
  while (begin < type.getDimSize(d)) {
    auto fits = llvm::find_if(candidates, [&](Value candidate) {
      SmallVector<int64_t> shape(
          cast<RankedTensorType>(candidate.getType()).getShape());
      int64_t size = std::exchange(shape[d], type.getDimSize(d));
      return ArrayRef<int64_t>(shape) == type.getShape() && size > 0 &&
             begin + size <= type.getDimSize(d) &&
             isPart(root, candidate, d, begin);
    });
    if (fits == candidates.end())
      return {};
    parts.push_back(*fits);
    begin += cast<RankedTensorType>(fits->getType()).getDimSize(d);
  }
  return parts;
}

bool attnres::raiseConcatenation(Value root) {
  auto op = root.getDefiningOp<linalg::GenericOp>();
  auto type = cast<RankedTensorType>(root.getType());
  if (!op || op.getNumDpsInputs() > 0 || !type.hasStaticShape())
    return false;
  SmallVector<Value> candidates;
  op.getBody()->walk([&](tensor::ExtractOp extract) {
    auto part = extract.getTensor().getType();
    if (!isDefinedInside(extract.getTensor(), op) && part.hasStaticShape() &&
        part.getRank() == type.getRank() &&
        part.getElementType() == type.getElementType() &&
        !llvm::is_contained(candidates, extract.getTensor()))
      candidates.push_back(extract.getTensor());
  });
  for (unsigned d = 0; d < type.getRank(); ++d) {
    SmallVector<Value> parts = partsAlong(root, candidates, d);
    if (parts.empty())
      continue;
    OpBuilder b(op);
    root.replaceAllUsesWith(
        tensor::ConcatOp::create(b, op.getLoc(), type, d, parts));
    return true;
  }
  return false;
}
