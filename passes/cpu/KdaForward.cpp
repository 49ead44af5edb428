//===- KdaForward.cpp - The gated delta rule on the CPU -------------------===//
//
// An item is one value head of one text. Its state stays in scratch while the
// chunks of the text pass by.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/KdaChunk.h"

using namespace mlir;
using namespace attnres::cpu;

void attnres::cpu::buildKdaForward(OpBuilder &builder, Location loc,
                                   KernelFunction &kernel,
                                   const KdaOperands &operands,
                                   const KdaResults &results,
                                   const KdaShape &shape,
                                   const CpuTarget &target) {
  int64_t grid = shape.batch * shape.valueHeads;
  if (grid == 0)
    return finishKernel(kernel, 0);
  KdaChunk chunk(builder, loc, kernel, operands, shape, target);
  TileBuilder &t = chunk.t;
  IndexBuilder &index = chunk.index;
  Value state = t.scratch({chunk.keyWidth, chunk.valueWidth});
  Value outputs = t.scratch({chunk.size, chunk.valueWidth});
  chunk.clear();

  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) {
    chunk.select(index.div(item, shape.valueHeads),
                 index.rem(item, shape.valueHeads));
    chunk.loadState(operands.state, state);
    t.forRange(index.constant(0), chunk.liveChunks(), 1, [&](Value number) {
      chunk.load(number);
      chunk.solve(state);
      if (results.output) {
        chunk.multiply(
            chunk.size, chunk.valueTiles,
            {{chunk.keyWidth, chunk.rowsOf(chunk.gatedQueries), state},
             {chunk.size, chunk.rowsOf(chunk.queryPairs), chunk.updates}},
            nullptr, [&](Value row, Value column, Value vector) {
              t.store(vector, outputs, {row, column});
            });
        chunk.forTokens(
            number,
            [&](Value place, Value token) {
              chunk.storeRow(outputs, place, results.output,
                             {chunk.text, token, chunk.valueHead},
                             shape.valueDim);
            },
            [](Value) {});
      }
      chunk.advance(state, state);
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
  finishKernel(kernel, grid);
}
