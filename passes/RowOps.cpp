//===- RowOps.cpp - operations that work row by row -----------------------===//
#include "passes/RowOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;

static bool isElementwise(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::TruncFOp, arith::ExtFOp>(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

bool attnres::isRowOp(Operation *op) {
  if (isElementwise(op))
    return true;
  if (auto sum = dyn_cast<SumRowsOp>(op))
    return sum.getPartials().has_value();
  if (auto sum = dyn_cast<SumSquaresOp>(op))
    return sum.getPartials().has_value();
  return isa<RMSNormOp, RMSNormBackwardOp, LayerNormOp, LayerNormBackwardOp,
             SwigluOp, SwigluBackwardOp, GeluOp, GeluBackwardOp, RopeOp,
             DepthAttentionOp, DepthAttentionBackwardOp, DepthMergeOp,
             DepthMergeBackwardOp, DepthWeightsOp, MergeStatesOp,
             MergeStatesBackwardOp, StaticMixOp, StaticMixBackwardOp,
             EmbeddingOp, CrossEntropyRowsOp, CrossEntropyRowsBackwardOp,
             CacheWriteOp, SelectTokenOp, AdamWOp>(op);
}

/// The tensor whose rows the operation iterates over.
static RankedTensorType primaryType(Operation *op) {
  return TypeSwitch<Operation *, RankedTensorType>(op)
      .Case<DepthAttentionOp, DepthAttentionBackwardOp, DepthMergeOp,
            DepthMergeBackwardOp, DepthWeightsOp, StaticMixOp,
            StaticMixBackwardOp>(
          [](auto o) { return tensorOf(o.getSources().front().getType()); })
      .Case<EmbeddingOp, SelectTokenOp>(
          [](auto o) { return tensorOf(o.getResult().getType()); })
      .Case<CacheWriteOp>([](auto o) { return tensorOf(o.getX().getType()); })
      .Default(
          [](Operation *o) { return tensorOf(o->getOperand(0).getType()); });
}

int64_t attnres::rowsOf(Operation *op) {
  RankedTensorType type = primaryType(op);
  if (type.getRank() == 0)
    return 1;
  if (isa<RopeOp, CacheWriteOp, SelectTokenOp>(op)) // a row holds all heads
    return type.getDimSize(0) * type.getDimSize(1);
  return rowCount(type);
}

RowKind attnres::operandKind(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned i = operand.getOperandNumber();
  auto in = [&](OperandRange range) {
    return !range.empty() && i >= range.getBeginOperandIndex() &&
           i < range.getBeginOperandIndex() + range.size();
  };
  return TypeSwitch<Operation *, RowKind>(op)
      .Case<RMSNormOp, LayerNormOp>(
          [&](auto) { return i == 0 ? RowKind::Row : RowKind::Shared; })
      .Case<RMSNormBackwardOp, LayerNormBackwardOp>(
          [&](auto) { return i == 1 ? RowKind::Shared : RowKind::Row; })
      .Case<DepthAttentionOp>([&](auto o) {
        return in(o.getSources()) ? RowKind::Row : RowKind::Shared;
      })
      .Case<DepthAttentionBackwardOp>([&](auto o) {
        if (in(o.getQueries()) || in(o.getGains()))
          return RowKind::Shared;
        return in(o.getLses()) || in(o.getLseGrads()) ? RowKind::Stat
                                                      : RowKind::Row;
      })
      .Case<DepthMergeOp>([&](auto) {
        return i == 1             ? RowKind::Stat
               : i == 2 || i == 3 ? RowKind::Shared
                                  : RowKind::Row;
      })
      .Case<DepthMergeBackwardOp>([&](auto o) {
        if (i == 2 || i == 3)
          return RowKind::Shared;
        Value value = operand.get();
        return i == 1 || value == o.getLse() || value == o.getLseGrad()
                   ? RowKind::Stat
                   : RowKind::Row;
      })
      .Case<DepthWeightsOp>(
          [&](auto) { return i < 2 ? RowKind::Shared : RowKind::Row; })
      .Case<MergeStatesOp>(
          [&](auto) { return i % 2 ? RowKind::Stat : RowKind::Row; })
      .Case<MergeStatesBackwardOp>([&](auto) {
        return i == 1 || i == 3 || i == 4 || i == 6 ? RowKind::Stat
                                                    : RowKind::Row;
      })
      .Case<StaticMixOp, StaticMixBackwardOp>(
          [&](auto) { return i == 0 ? RowKind::Shared : RowKind::Row; })
      .Case<EmbeddingOp>(
          [&](auto) { return i == 0 ? RowKind::Stat : RowKind::Shared; })
      .Case<CrossEntropyRowsOp>(
          [&](auto) { return i == 0 ? RowKind::Row : RowKind::Stat; })
      .Case<CrossEntropyRowsBackwardOp>([&](auto) {
        return i == 0 ? RowKind::Row : i == 3 ? RowKind::Shared : RowKind::Stat;
      })
      .Case<RopeOp>(
          [&](auto) { return i == 0 ? RowKind::Row : RowKind::Shared; })
      .Case<CacheWriteOp>(
          [&](auto) { return i == 1 ? RowKind::Row : RowKind::Shared; })
      .Case<SelectTokenOp>(
          [&](auto) { return i == 0 ? RowKind::Shared : RowKind::Stat; })
      .Case<AdamWOp>(
          [&](auto) { return i < 4 ? RowKind::Row : RowKind::Shared; })
      .Default([](Operation *) { return RowKind::Row; });
}

RowKind attnres::resultKind(OpResult result) {
  unsigned i = result.getResultNumber();
  return TypeSwitch<Operation *, RowKind>(result.getOwner())
      .Case<RMSNormBackwardOp, LayerNormBackwardOp>(
          [&](auto) { return i == 0 ? RowKind::Row : RowKind::Partial; })
      .Case<DepthAttentionOp>([&](auto o) {
        return i < o.getOutputs().size() ? RowKind::Row : RowKind::Stat;
      })
      .Case<DepthAttentionBackwardOp>([&](auto o) {
        return i < o.getSources().size() ? RowKind::Row : RowKind::Partial;
      })
      .Case<DepthMergeOp, MergeStatesOp>(
          [&](auto) { return i == 0 ? RowKind::Row : RowKind::Stat; })
      .Case<DepthMergeBackwardOp>([&](auto o) {
        return i == 1                          ? RowKind::Stat
               : i < 2 + o.getSources().size() ? RowKind::Row
                                               : RowKind::Partial;
      })
      .Case<MergeStatesBackwardOp>(
          [&](auto) { return i % 2 ? RowKind::Stat : RowKind::Row; })
      .Case<StaticMixBackwardOp>(
          [&](auto) { return i == 0 ? RowKind::Partial : RowKind::Row; })
      .Case<CrossEntropyRowsOp>([&](auto) { return RowKind::Stat; })
      .Case<SumRowsOp, SumSquaresOp, DepthWeightsOp, CacheWriteOp>(
          [&](auto) { return RowKind::Partial; })
      .Default([](Operation *) { return RowKind::Row; });
}

SmallVector<Group> attnres::operandGroups(Operation *op) {
  SmallVector<Group> groups;
  auto single = [&](Value value) {
    if (value)
      groups.push_back(
          {groups.empty() ? 0 : groups.back().first + groups.back().size, 1});
  };
  auto group = [&](OperandRange range) {
    if (!range.empty())
      groups.push_back(
          {groups.empty() ? 0 : groups.back().first + groups.back().size,
           static_cast<unsigned>(range.size())});
  };
  TypeSwitch<Operation *>(op)
      .Case<DepthAttentionOp>([&](auto o) {
        group(o.getQueries());
        group(o.getGains());
        group(o.getSources());
      })
      .Case<DepthAttentionBackwardOp>([&](auto o) {
        group(o.getQueries());
        group(o.getGains());
        group(o.getSources());
        group(o.getLses());
        group(o.getOutputGrads());
        group(o.getLseGrads());
        group(o.getAccumulators());
      })
      .Case<DepthMergeOp>([&](auto o) {
        for (Value v :
             {o.getState(), o.getStateLse(), o.getQuery(), o.getGain()})
          single(v);
        group(o.getSources());
      })
      .Case<DepthMergeBackwardOp>([&](auto o) {
        for (Value v :
             {o.getState(), o.getStateLse(), o.getQuery(), o.getGain()})
          single(v);
        group(o.getSources());
        for (Value v : {Value(o.getLse()), Value(o.getOutputGrad()),
                        Value(o.getLseGrad())})
          single(v);
        group(o.getAccumulators());
      })
      .Case<StaticMixOp>([&](auto o) {
        single(o.getWeights());
        group(o.getSources());
      })
      .Case<StaticMixBackwardOp>([&](auto o) {
        single(o.getWeights());
        group(o.getSources());
        single(o.getOutputGrad());
        group(o.getAccumulators());
      })
      .Case<ClipScaleOp>([&](auto o) {
        // A list for each run of sums of one type.
        OperandRange sums = o.getSums();
        while (!sums.empty()) {
          Type type = sums.front().getType();
          size_t run =
              llvm::find_if(sums,
                            [&](Value sum) { return sum.getType() != type; }) -
              sums.begin();
          group(sums.take_front(run));
          sums = sums.drop_front(run);
        }
      })
      .Default([&](Operation *o) {
        for (Value v : o->getOperands())
          single(v);
      });
  return groups;
}

SmallVector<Group> attnres::resultGroups(Operation *op) {
  SmallVector<unsigned> sizes;
  TypeSwitch<Operation *>(op)
      .Case<DepthAttentionOp>(
          [&](auto o) { sizes.assign(2, o.getQueries().size()); })
      .Case<DepthAttentionBackwardOp>([&](auto o) {
        sizes.push_back(o.getSources().size());
        sizes.append(2, o.getQueries().size());
      })
      .Case<DepthMergeBackwardOp>([&](auto o) {
        sizes = {1, 1, static_cast<unsigned>(o.getSources().size()), 1, 1};
      })
      .Case<StaticMixBackwardOp>([&](auto o) {
        sizes = {1, static_cast<unsigned>(o.getSources().size())};
      })
      .Default([&](Operation *o) { sizes.assign(o->getNumResults(), 1); });
  SmallVector<Group> groups;
  unsigned first = 0;
  for (unsigned size : sizes) {
    groups.push_back({first, size});
    first += size;
  }
  return groups;
}

SmallVector<OpOperand *> attnres::reusableOperands(OpResult result) {
  Operation *op = result.getOwner();
  unsigned i = result.getResultNumber();
  SmallVector<OpOperand *> operands;
  auto allow = [&](unsigned index) {
    if (op->getOperand(index).getType() == result.getType())
      operands.push_back(&op->getOpOperand(index));
  };
  TypeSwitch<Operation *>(op)
      .Case<DepthAttentionBackwardOp>([&](auto o) {
        if (i < o.getAccumulators().size())
          allow(o.getAccumulators().getBeginOperandIndex() + i);
      })
      .Case<DepthMergeBackwardOp>([&](auto o) {
        if (i >= 2 && i - 2 < o.getAccumulators().size())
          allow(o.getAccumulators().getBeginOperandIndex() + i - 2);
      })
      .Case<StaticMixBackwardOp>([&](auto o) {
        if (i >= 1 && i - 1 < o.getAccumulators().size())
          allow(o.getAccumulators().getBeginOperandIndex() + i - 1);
      })
      .Case<RMSNormBackwardOp, LayerNormBackwardOp>([&](auto) {
        if (i == 0) {
          allow(2);
          allow(0);
        }
      })
      .Case<SwigluBackwardOp>([&](auto) { allow(i); })
      .Case<GeluBackwardOp>([&](auto) {
        allow(1);
        allow(0);
      })
      .Case<SwigluOp>([&](auto) {
        allow(0);
        allow(1);
      })
      .Case<GeluOp, RopeOp>([&](auto) { allow(0); })
      .Case<CrossEntropyRowsBackwardOp>([&](auto) { allow(0); })
      .Case<AdamWOp>([&](auto) { allow(i == 0 ? 0 : i + 1); })
      .Case<CacheWriteOp>([&](auto) { allow(0); })
      .Case<MatmulOp, MatmulPackedOp>([&](auto o) {
        if (o.getInit())
          allow(o.getInitMutable()[0].getOperandNumber());
      })
      .Default([&](Operation *o) {
        if (isElementwise(o))
          for (unsigned k = 0; k < o->getNumOperands(); ++k)
            allow(k);
      });
  return operands;
}

int64_t attnres::rowRanges(int64_t rows) {
  return std::clamp<int64_t>((rows + 15) / 16, 1, 64);
}
