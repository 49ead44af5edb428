//===- RaiseProduct.cpp - matrix products in linalg -----------------------===//
//
// The root is O[r,c] = sum over n of X[r,n] W[c,n], summed from 0, where r and
// c are any numbers of dimensions, in any order, at least one of each that is
// not of extent 1, and none is in both operands. It becomes `attnres.linear`, X
// being the operand whose dimensions the root has first. Operands and root are
// f32 or bf16, all shapes are static.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

using namespace mlir;
using namespace attnres;

namespace {

struct ProductMatch {
  PointOperand x, w;
  SmallVector<unsigned> rows, columns; ///< as in the root
  SmallVector<unsigned> order;         ///< both, as in the root
  unsigned summed;
  SmallVector<int64_t> extents;
};

class ProductMatcher : SoftmaxMatcher {
public:
  using SoftmaxMatcher::refined;
  using SoftmaxMatcher::SoftmaxMatcher;

  std::optional<ProductMatch> match() {
    auto factors = product(accessRoot(), n);
    if (!factors || !lastOperand(factors->first, result.x, false) ||
        !lastOperand(factors->second, result.w, false) ||
        !isStorage(result.x.value) || !isStorage(result.w.value))
      return std::nullopt;
    result.summed = n;
    result.extents = extents;
    if (!assignDims())
      return std::nullopt;
    return result;
  }

private:
  bool assignDims() {
    SmallVector<unsigned> x = result.x.dims(), w = result.w.dims();
    if (!llvm::is_contained(x, n) || !llvm::is_contained(w, n))
      return false;
    for (ArrayRef<unsigned> group : groups)
      for (unsigned dim : group) {
        bool inX = llvm::is_contained(x, dim), inW = llvm::is_contained(w, dim);
        if (extents[dim] == 1)
          continue;
        if (inX == inW)
          return false;
        (inX ? result.rows : result.columns).push_back(dim);
        result.order.push_back(dim);
      }
    if (result.rows.empty() || result.columns.empty())
      return false;
    if (result.order.front() != result.rows.front()) {
      std::swap(result.x, result.w);
      std::swap(result.rows, result.columns);
    }
    return true;
  }

  ProductMatch result;
};

class ProductBuilder {
public:
  ProductBuilder(OpBuilder &b, Value root, const ProductMatch &match)
      : b(b), root(root), match(match) {}

  Value build(Type storage) {
    // Rows as the dimensions that they are, columns as one.
    Value x = matrix(match.x, match.rows, storage);
    Value w = matrix(match.w, match.columns, storage);
    int64_t columns = 1;
    for (unsigned dim : match.columns)
      columns *= match.extents[dim];
    w = reshaped(b, w, {columns, match.extents[match.summed]});
    Value y = LinearOp::create(b, root.getLoc(), x, w, /*bias=*/Value());
    SmallVector<unsigned> order(match.rows);
    llvm::append_range(order, match.columns);
    y = reshaped(b, y, shapeOf(order));
    y = reordered(b, y, order, match.order);
    return reshaped(b, y, cast<RankedTensorType>(root.getType()).getShape());
  }

private:
  SmallVector<int64_t> shapeOf(ArrayRef<unsigned> dims) {
    return llvm::map_to_vector(
        dims, [&](unsigned dim) { return match.extents[dim]; });
  }

  /// The operand with `dims` and what is summed behind them.
  Value matrix(const PointOperand &operand, ArrayRef<unsigned> dims,
               Type storage) {
    SmallVector<unsigned> order(dims);
    order.push_back(match.summed);
    SmallVector<unsigned> present = operand.dims();
    llvm::erase_if(
        present, [&](unsigned dim) { return !llvm::is_contained(order, dim); });
    Value value = reshaped(b, operand.value, shapeOf(present));
    value = converted(b, value, storage);
    return reordered(b, value, present, order);
  }

  OpBuilder &b;
  Value root;
  const ProductMatch &match;
};

} // namespace

bool attnres::raiseProduct(Value root) {
  if (!isStorage(root))
    return false;
  auto match = matchRefining<ProductMatcher>(root);
  if (!match)
    return false;
  bool readsBf16 = getElementTypeOrSelf(match->x.value).isBF16() &&
                   getElementTypeOrSelf(match->w.value).isBF16();
  replaceInStorage(root, readsBf16, [&](OpBuilder &b, Type storage) {
    return ProductBuilder(b, root, *match).build(storage);
  });
  return true;
}
