//===- RecordLayers.cpp - what routers and states do, as results ----------===//
//
// Statistics of layers that reports show beside the weights of mixtures over
// depth. They say of each token, or of each text, what its layer did; whoever
// runs the program averages over those that are no padding.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "support/BindingNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace attnres {
#define GEN_PASS_DEF_RECORDLAYERS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

constexpr int64_t kDecayBins = 10;

/// Loops [first, first + count).
SmallVector<int64_t> loops(int64_t first, int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(first, first + count));
}

/// [E, ...]: the share of a token's choices that each expert is.
Value routerLoad(OpBuilder &builder, RouterOp router) {
  LinalgEmitter emitter(builder, router.getLoc());
  int64_t experts = typeOf(router.getBias()).getDimSize(0);
  RankedTensorType choices = typeOf(router.getExperts());
  double share = 1.0 / static_cast<double>(choices.getShape().back());
  // Loops (expert, token dimensions, choice). The zeros give the first its
  // extent.
  return emitter.reduce(Reduction::Sum,
                        {{emitter.zeros({experts}), {0}},
                         {router.getExperts(), loops(1, choices.getRank())}},
                        loops(0, choices.getRank()), [&](Scalars &s, Terms in) {
                          return select(equal(in[1], s.index(0)),
                                        s.constant(share), s.constant(0));
                        });
}

/// [10, B, T]: the share of a token's channels that keep a tenth of the state
/// or less, two tenths or less, and so on.
Value decayShares(OpBuilder &builder, KdaOp kda) {
  LinalgEmitter emitter(builder, kda.getLoc());
  ArrayRef<int64_t> shape = typeOf(kda.getDecay()).getShape();
  double share = 1.0 / static_cast<double>(shape[2] * shape[3]);
  // Loops (bin, B, T, H, K).
  return emitter.reduce(
      Reduction::Sum,
      {{emitter.zeros({kDecayBins}), {0}}, {kda.getDecay(), {1, 2, 3, 4}}},
      {0, 1, 2}, [&](Scalars &s, Terms in) {
        Term bin = s.index(0).toF32(), kept = exp(in[1]);
        Term above = select(lessOrEqual(kept, bin / kDecayBins), s.constant(0),
                            s.constant(share));
        Term isFirst = equal(bin, s.constant(0));
        Term notBelow = select(isFirst, s.constant(share), above);
        return select(lessOrEqual(kept, (bin + 1.0) / kDecayBins), notBelow,
                      s.constant(0));
      });
}

/// [HV, B]: the norm of each head's state behind each text.
Value stateNorms(OpBuilder &builder, KdaOp kda) {
  LinalgEmitter emitter(builder, kda.getLoc());
  Value squares =
      emitter.reduce(Reduction::Sum, {{kda.getNewState(), {1, 0, 2, 3}}},
                     {0, 1}, [](Scalars &, Terms in) { return in[0] * in[0]; });
  return emitter.elementwise(typeOf(squares), {{squares, {0, 1}}},
                             [](Scalars &, Terms in) { return sqrt(in[0]); });
}

struct RecordLayersPass : attnres::impl::RecordLayersBase<RecordLayersPass> {
  using RecordLayersBase::RecordLayersBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isDeclaration())
      return;
    if (failed(verifyOneBlock(main)) || failed(expectNoUsers(main)))
      return signalPassFailure();
    values.clear();
    attributes.clear();
    for (auto [number, router] :
         llvm::enumerate(llvm::to_vector(main.getOps<RouterOp>()))) {
      OpBuilder builder = after(router);
      add(names::routerLoad, number, routerLoad(builder, router));
      ++numRouters;
    }
    for (auto [number, kda] :
         llvm::enumerate(llvm::to_vector(main.getOps<KdaOp>()))) {
      OpBuilder builder = after(kda);
      add(names::decay, number, decayShares(builder, kda));
      add(names::stateNorm, number, stateNorms(builder, kda));
      ++numStates;
    }
    if (failed(main.insertResults(
            SmallVector<unsigned>(values.size(), main.getNumResults()),
            llvm::to_vector(ValueRange(values).getTypes()), attributes)))
      return signalPassFailure();
    Operation *exit = main.front().getTerminator();
    exit->insertOperands(exit->getNumOperands(), values);
  }

private:
  static OpBuilder after(Operation *op) {
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    return builder;
  }

  void add(StringRef name, size_t number, Value value) {
    Builder builder(&getContext());
    values.push_back(value);
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        kNameAttr, builder.getStringAttr(name + Twine(number)))));
  }

  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
};

} // namespace
