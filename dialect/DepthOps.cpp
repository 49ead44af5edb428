//===- DepthOps.cpp - verifiers and folds of attention over depth ---------===//
#include "dialect/VerifierHelpers.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace attnres;

/// DA-7: queries and gains pair up as vectors [D]; all sources have one type
/// [..., D].
static LogicalResult verifyDepth(Operation *op, ValueRange queries,
                                 ValueRange gains, ValueRange sources,
                                 const APFloat &eps) {
  if (queries.empty())
    return op->emitOpError("expected at least one query");
  if (queries.size() != gains.size())
    return op->emitOpError("expected as many gains as queries, got ")
           << gains.size() << " gains and " << queries.size() << " queries";
  if (sources.empty())
    return op->emitOpError("expected at least one source");
  RankedTensorType source = tensorOf(sources.front().getType());
  if (source.getRank() < 1)
    return op->emitOpError("expected sources of rank at least 1, got ")
           << source;
  RankedTensorType vector = vectorType(op, source.getShape().back());
  if (failed(expectGroup(op, "source", sources, source)) ||
      failed(expectGroup(op, "query", queries, vector)) ||
      failed(expectGroup(op, "gain", gains, vector)) ||
      failed(expectListsTogether(op, "gains", gains, "queries", queries)))
    return failure();
  return expectEps(op, eps);
}

/// DA-11: no accumulators, or one for each source.
static LogicalResult verifyAccumulators(Operation *op, ValueRange sources,
                                        ValueRange accumulators) {
  if (!accumulators.empty() && accumulators.size() != sources.size())
    return op->emitOpError("expected no accumulator or one for each of ")
           << sources.size() << " sources, got " << accumulators.size();
  if (failed(expectGroup(op, "accumulator", accumulators,
                         tensorOf(sources.front().getType()))))
    return failure();
  return expectListsTogether(op, "accumulators", accumulators, "sources",
                             sources);
}

LogicalResult DepthAttentionOp::verify() {
  return verifyDepth(*this, getQueries(), getGains(), getSources(), getEps());
}

/// DA-5: one source without a use of lse gives the source itself, whatever the
/// query.
LogicalResult DepthAttentionOp::canonicalize(DepthAttentionOp op,
                                             PatternRewriter &rewriter) {
  Value source = op.getSources().front();
  if (op.getSources().size() != 1 || isa<ListType>(source.getType()) ||
      isa<ListType>(op.getQueries().front().getType()))
    return failure();
  bool changed = false;
  for (auto [output, lse] : llvm::zip_equal(op.getOutputs(), op.getLses())) {
    if (!lse.use_empty() || output.use_empty())
      continue;
    rewriter.replaceAllUsesWith(output, source);
    changed = true;
  }
  return success(changed);
}

LogicalResult DepthAttentionBackwardOp::verify() {
  if (failed(
          verifyDepth(*this, getQueries(), getGains(), getSources(), getEps())))
    return failure();
  // G-14.
  size_t count = getQueries().size();
  if (getLses().size() != count || getOutputGrads().size() != count)
    return emitOpError("expected ")
           << count << " lses and output gradients, got " << getLses().size()
           << " and " << getOutputGrads().size();
  if (!getLseGrads().empty() && getLseGrads().size() != count)
    return emitOpError("expected no lse gradient or ")
           << count << ", got " << getLseGrads().size();
  RankedTensorType source = tensorOf(getSources().front().getType());
  RankedTensorType stat = rowStatType(source);
  if (failed(expectGroup(*this, "lse", getLses(), stat)) ||
      failed(expectGroup(*this, "lse gradient", getLseGrads(), stat)) ||
      failed(expectGroup(*this, "output gradient", getOutputGrads(), source)) ||
      failed(expectListsTogether(*this, "lses", getLses(), "queries",
                                 getQueries())) ||
      failed(expectListsTogether(*this, "output gradients", getOutputGrads(),
                                 "queries", getQueries())) ||
      failed(expectListsTogether(*this, "lse gradients", getLseGrads(),
                                 "queries", getQueries())) ||
      failed(verifyAccumulators(*this, getSources(), getAccumulators())))
    return failure();
  return expectPartials(*this, getPartials());
}

LogicalResult DepthMergeOp::verify() {
  if (failed(verifyDepth(*this, getQuery(), getGain(), getSources(), getEps())))
    return failure();
  // ME-1.
  RankedTensorType source = tensorOf(getSources().front().getType());
  if (failed(expectType(*this, "state", getState(), source)))
    return failure();
  return expectType(*this, "state lse", getStateLse(), rowStatType(source));
}

LogicalResult DepthMergeBackwardOp::verify() {
  if (failed(verifyDepth(*this, getQuery(), getGain(), getSources(), getEps())))
    return failure();
  // G-14.
  RankedTensorType source = tensorOf(getSources().front().getType());
  RankedTensorType stat = rowStatType(source);
  if (failed(expectType(*this, "state", getState(), source)) ||
      failed(expectType(*this, "state lse", getStateLse(), stat)) ||
      failed(expectType(*this, "lse", getLse(), stat)) ||
      failed(expectType(*this, "output gradient", getOutputGrad(), source)) ||
      (getLseGrad() &&
       failed(expectType(*this, "lse gradient", getLseGrad(), stat))) ||
      failed(verifyAccumulators(*this, getSources(), getAccumulators())))
    return failure();
  return expectPartials(*this, getPartials());
}

LogicalResult DepthWeightsOp::verify() {
  return verifyDepth(*this, getQuery(), getGain(), getSources(), getEps());
}

LogicalResult MergeStatesOp::verify() {
  // ME-1.
  RankedTensorType lhs = tensorOf(getLhs().getType());
  if (lhs.getRank() < 1)
    return emitOpError("expected mixtures of rank at least 1, got ") << lhs;
  RankedTensorType stat = rowStatType(lhs);
  if (failed(expectType(*this, "second mixture", getRhs(), lhs)) ||
      failed(expectType(*this, "first lse", getLhsLse(), stat)))
    return failure();
  return expectType(*this, "second lse", getRhsLse(), stat);
}

LogicalResult MergeStatesBackwardOp::verify() {
  // G-14.
  RankedTensorType lhs = tensorOf(getLhs().getType());
  if (lhs.getRank() < 1)
    return emitOpError("expected mixtures of rank at least 1, got ") << lhs;
  RankedTensorType stat = rowStatType(lhs);
  if (failed(expectType(*this, "second mixture", getRhs(), lhs)) ||
      failed(expectType(*this, "first lse", getLhsLse(), stat)) ||
      failed(expectType(*this, "second lse", getRhsLse(), stat)) ||
      failed(expectType(*this, "lse", getLse(), stat)) ||
      failed(expectType(*this, "output gradient", getOutputGrad(), lhs)))
    return failure();
  if (getLseGrad())
    return expectType(*this, "lse gradient", getLseGrad(), stat);
  return success();
}

LogicalResult StaticWeightsOp::verify() {
  // SM-2.
  if (cast<RankedTensorType>(getLogits().getType()).getRank() == 1)
    return success();
  return emitOpError("expected logits of rank 1, got ")
         << getLogits().getType();
}

/// SM-2: weights hold one logit for each source, unless the sources are a list.
static LogicalResult verifyStaticMix(Operation *op, Value weights,
                                     ValueRange sources) {
  if (sources.empty())
    return op->emitOpError("expected at least one source");
  RankedTensorType source = tensorOf(sources.front().getType());
  auto type = cast<RankedTensorType>(weights.getType());
  bool isList = isa<ListType>(sources.front().getType());
  if (type.getRank() != 1 ||
      (!isList && type.getDimSize(0) != static_cast<int64_t>(sources.size())))
    return op->emitOpError("expected one weight for each of ")
           << sources.size() << " sources, got " << type;
  return expectGroup(op, "source", sources, source);
}

LogicalResult StaticMixOp::verify() {
  return verifyStaticMix(*this, getWeights(), getSources());
}

LogicalResult StaticMixBackwardOp::verify() {
  if (failed(verifyStaticMix(*this, getWeights(), getSources())))
    return failure();
  // G-14.
  RankedTensorType source = tensorOf(getSources().front().getType());
  if (failed(expectType(*this, "output gradient", getOutputGrad(), source)) ||
      failed(verifyAccumulators(*this, getSources(), getAccumulators())))
    return failure();
  return expectPartials(*this, getPartials());
}

RowForm DepthAttentionBackwardOp::getRowForm() {
  using namespace row_parts;
  RowForm form = RowForm::of(*this,
                             {list(Shared), list(Shared), list(Row), list(Stat),
                              list(Row), list(Stat), list(Row)},
                             /*results=*/{});
  // One variadic result holds three groups.
  form.addResults(list(Row), getSources().size());
  form.addResults(list(Partial), getQueries().size());
  form.addResults(list(Partial), getGains().size());
  return form;
}
