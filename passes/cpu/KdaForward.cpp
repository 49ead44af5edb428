//===- KdaForward.cpp - The gated delta rule on the CPU -------------------===//
//
// An item is one value head of one text. Its state stays in scratch while the
// chunks of the text pass by. Where there is one token, as in decoding, the
// state is read and written where it lies.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/KdaChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres::cpu;

namespace {

class KdaForwardBuilder {
public:
  KdaForwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                    const KdaOperands &operands, const KdaResults &results,
                    const KdaShape &shape, const CpuTarget &target)
      : kernel(kernel), operands(operands), results(results), shape(shape),
        chunk(builder, loc, kernel, operands, shape, target), t(chunk.t),
        index(chunk.index) {}

  void buildTexts();
  void buildTokens();

private:
  /// Calls `body` for every item, with its text and value head selected.
  void forItems(function_ref<void(Value item)> body);
  /// A panel of the outputs, from the state before the chunk.
  void computeOutputs(const KdaState &state, Value panel, Value outputs);

  // Of a single token.
  /// sum_k gatedKeys_k S_k and sum_k gatedQueries_k S_k to `sums` [2].
  void readState(Value sums);
  /// Updates and, if somebody wants it, the output.
  void finishToken(Value sums);
  /// diag(a) S + k u^T; asks for the state of the next item.
  void writeState(Value item);

  KernelFunction &kernel;
  const KdaOperands &operands;
  const KdaResults &results;
  const KdaShape &shape;
  KdaChunk chunk;
  TileBuilder &t;
  IndexBuilder &index;
};

} // namespace

void KdaForwardBuilder::forItems(function_ref<void(Value)> body) {
  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) {
    chunk.select(index.div(item, shape.valueHeads),
                 index.rem(item, shape.valueHeads));
    body(item);
  });
  finishKernel(kernel, shape.batch * shape.valueHeads);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

void KdaForwardBuilder::buildTexts() {
  KdaState state{chunk.scratchStates({})};
  Value outputs = chunk.scratchRows(chunk.size, chunk.valueStride);
  chunk.clear();
  forItems([&](Value) {
    chunk.loadState(operands.state, state);
    t.forRange(chunk.zero(), chunk.liveChunks(), 1, [&](Value number) {
      chunk.load(number);
      t.forRange(chunk.panels, [&](Value panel) {
        chunk.solve(state, panel);
        if (results.output)
          computeOutputs(state, panel, outputs);
        chunk.advance(state, state, panel);
      });
      if (results.output)
        chunk.forTokens(
            number,
            [&](Value place, Value token) {
              chunk.storeRow(outputs, place, results.output,
                             {chunk.text, token, chunk.valueHead},
                             shape.valueDim);
            },
            [](Value) {});
    });
    if (results.output && operands.length)
      t.forRange(chunk.count, index.constant(shape.tokens), 1,
                 [&](Value token) {
                   chunk.zeroTensorRow(results.output,
                                       {chunk.text, token, chunk.valueHead},
                                       shape.valueDim);
                 });
    if (results.newState)
      chunk.storeState(state, results.newState);
  });
}

void KdaForwardBuilder::computeOutputs(const KdaState &state, Value panel,
                                       Value outputs) {
  Value column = chunk.firstColumn(panel);
  chunk.forRowTiles(
      chunk.liveRows, /*backwards=*/false, [&](ArrayRef<Value> rows) {
        SmallVector<Value> sums(rows.size(), t.splat(0.0f, chunk.panelWidth));
        chunk.addProducts(
            sums, rows, chunk.zero(), index.constant(shape.keyDim),
            chunk.rowsOf(chunk.gatedQueries), chunk.vectorsOf(state, panel));
        chunk.addProducts(sums, rows, chunk.zero(), index.add(rows.back(), 1),
                          chunk.rowsOf(chunk.queryPairs),
                          chunk.vectorsOf(chunk.updates, column));
        for (auto [row, sum] : llvm::zip(rows, sums))
          t.store(sum, outputs, {row, column});
      });
}

//===----------------------------------------------------------------------===//
// Single tokens
//===----------------------------------------------------------------------===//

/// Rows of a state that are read before its columns are gone through again:
/// together they stay in the first-level cache.
static constexpr int64_t kRowsAtOnce = 16;
/// Registers of columns whose two sums are accumulated together.
static constexpr int64_t kColumnRegisters = 4;

void KdaForwardBuilder::buildTokens() {
  Value sums = chunk.scratchRows(2, chunk.valueStride);
  forItems([&](Value item) {
    // A text without a token is padded with one that changes nothing.
    chunk.loadOperands(chunk.zero(), index.constant(1));
    chunk.computeGates();
    readState(sums);
    finishToken(sums);
    if (results.newState)
      writeState(item);
  });
}

void KdaForwardBuilder::readState(Value sums) {
  for (int64_t i = 0; i < 2; ++i)
    chunk.fillRow(sums, index.constant(i), chunk.valueWidth, 0);
  Value end = index.constant(shape.keyDim);
  t.forRange(chunk.zero(), end, kRowsAtOnce, [&](Value first) {
    Value last = index.min(index.add(first, kRowsAtOnce), end);
    int64_t step = kColumnRegisters * t.lanes;
    for (int64_t begin = 0; begin < shape.valueDim; begin += step) {
      SmallVector<Value> columns;
      for (int64_t column = begin;
           column < std::min(begin + step, shape.valueDim); column += t.lanes)
        columns.push_back(index.constant(column));
      SmallVector<Value> carried;
      for (int64_t i = 0; i < 2; ++i)
        for (Value column : columns)
          carried.push_back(t.load(sums, {index.constant(i), column}, t.lanes));
      carried =
          t.forRange(first, last, 1, carried, [&](Value k, ValueRange before) {
            Value key =
                t.loadBroadcast(chunk.gatedKeys, {chunk.zero(), k}, t.lanes);
            Value query =
                t.loadBroadcast(chunk.gatedQueries, {chunk.zero(), k}, t.lanes);
            SmallVector<Value> byKey, byQuery;
            for (auto [i, column] : llvm::enumerate(columns)) {
              int64_t offset = begin + static_cast<int64_t>(i) * t.lanes;
              Value row = t.load(
                  operands.state, {chunk.text, chunk.valueHead, k, column},
                  t.lanes, std::min(t.lanes, shape.valueDim - offset));
              byKey.push_back(t.fma(key, row, before[i]));
              byQuery.push_back(t.fma(query, row, before[columns.size() + i]));
            }
            byKey.append(byQuery);
            return byKey;
          });
      for (size_t i = 0; i < 2; ++i)
        for (auto [j, column] : llvm::enumerate(columns))
          t.store(carried[i * columns.size() + j], sums,
                  {index.constant(i), column});
    }
  });
}

void KdaForwardBuilder::finishToken(Value sums) {
  Value zero = chunk.zero(), one = index.constant(1);
  Value step = t.loadBroadcast(chunk.steps, {zero}, t.lanes);
  Value pair =
      t.broadcast(t.mul(t.f32(shape.scale), t.rowDot(chunk.queries, chunk.keys,
                                                     {zero}, chunk.keyWidth)),
                  t.lanes);
  t.forRegisters(llvm::alignTo(shape.valueDim, t.lanes), [&](Value column) {
    Value error = t.add(t.load(chunk.values, {zero, column}, t.lanes),
                        t.load(sums, {zero, column}, t.lanes));
    Value update = t.mul(step, error);
    t.store(update, chunk.updates, {zero, column});
    t.store(t.fma(pair, update, t.load(sums, {one, column}, t.lanes)), sums,
            {one, column});
  });
  if (results.output)
    chunk.storeRow(sums, one, results.output,
                   {chunk.text, zero, chunk.valueHead}, shape.valueDim);
}

void KdaForwardBuilder::writeState(Value item) {
  Value next =
      index.min(index.add(item, 1), shape.batch * shape.valueHeads - 1);
  Value nextText = index.div(next, shape.valueHeads);
  Value nextHead = index.rem(next, shape.valueHeads);
  t.forRange(shape.keyDim, [&](Value k) {
    t.prefetchRow(operands.state, {nextText, nextHead, k}, shape.valueDim);
    SmallVector<Value> row{chunk.text, chunk.valueHead, k};
    Value factor = t.loadBroadcast(chunk.factors, {chunk.zero(), k}, t.lanes);
    Value key = t.loadBroadcast(chunk.keys, {chunk.zero(), k}, t.lanes);
    t.forRowVectors(
        operands.state, row, shape.valueDim,
        [&](Value column, Value vector, int64_t valid) {
          Value update = t.load(chunk.updates, {chunk.zero(), column}, t.lanes);
          t.store(t.fma(key, update, t.mul(factor, vector)), results.newState,
                  {chunk.text, chunk.valueHead, k, column}, valid);
        });
  });
}

void attnres::cpu::buildKdaForward(OpBuilder &builder, Location loc,
                                   KernelFunction &kernel,
                                   const KdaOperands &operands,
                                   const KdaResults &results,
                                   const KdaShape &shape,
                                   const CpuTarget &target) {
  if (shape.batch * shape.valueHeads == 0)
    return finishKernel(kernel, 0);
  KdaForwardBuilder forward(builder, loc, kernel, operands, results, shape,
                            target);
  if (shape.tokens == 1 && operands.state)
    forward.buildTokens();
  else
    forward.buildTexts();
}
