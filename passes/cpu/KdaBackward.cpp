//===- KdaBackward.cpp - Gradients of the gated delta rule on the CPU -----===//
//
// An item is one head of one text with the value heads that read it, one after
// the other. The chunks pass by forwards, which leaves the state before each of
// them in scratch, and then backwards. Of a long text that happens segment by
// segment from the last to the first; a pass before it leaves the states before
// the segments, so that scratch grows with the root of the text at most. With D
// the gradient of the state behind a chunk, dO that of the outputs and the
// names of KdaChunk.h:
//
//   du_i = sum_j P_ji dO_j + D^T (rest_i k_i) - sum_(j>i) A_ji dx_j
//   dx_i = beta_i du_i,  dbeta_i = du_i . x_i,  dv_i = dx_i
//   dA_ij = -dx_i . u_j,  dP_ij = scale dO_i . u_j
//   y_i = scale S dO_i,  z_i = -S dx_i,  w_i = D u_i         rows over channels
//   dq_i = gate_i y_i + sum_(j<=i) dP_ij E_ij k_j
//   dk_i = gate_i z_i + rest_i w_i + sum_(j<i) dA_ij E_ij k_j
//          + sum_(j>=i) E_ji (dP_ji q_j + dA_ji k_j)
//   D <- diag(total) D + sum_i (scale gate_i q_i) dO_i^T - (gate_i k_i) dx_i^T
//
// where E_ij = a_(j+1) ... a_i. A decay has as gradient what passes through it:
// of the tokens from it on, gate_i (q_i y_i + k_i z_i); of those before it,
// rest_j k_j w_j; of the pairs around it, k_j E_ij (dP_ij q_i + dA_ij k_i),
// which is the sum over tokens from it on of what a token's query and key take
// part in as i, less what its key does as j; and total times the row sums of D
// * S.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/KdaChunk.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

namespace {

class KdaBackwardBuilder {
public:
  KdaBackwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                     const KdaOperands &operands, const KdaGradients &gradients,
                     const KdaShape &shape, const CpuTarget &target)
      : kernel(kernel), gradients(gradients), shape(shape),
        chunk(builder, loc, kernel, operands, shape, target), t(chunk.t),
        index(chunk.index), group(shape.valueHeads / shape.heads) {}

  void build();

private:
  void chooseSegments();
  void allocate();
  void buildValueHead(Value text, Value head, Value member);
  /// The states before the segments.
  void passSegments(Value liveSegments);
  /// The states before the chunks [first, first + count) of a segment.
  void forwards(Value first, Value count);
  /// Chunk `number`, from the state before it.
  void backwards(Value number, const KdaState &state, Value member);
  void copy(const KdaState &from, const KdaState &to);
  /// A panel of `updateGrads` and `errorGrads`: du and dx.
  void solveBackwards(Value panel);
  /// A panel of diag(total) D + ...
  void stepBack(Value panel);
  /// dA and dP, and y, z and w, from products with what is transposed.
  void multiplyTransposed();
  void channelGradients();
  void pairGradients(Value column);
  void storeTokens(Value number, Value member);
  /// Writes a row of the gradient of a query or key, at [text, token, head], or
  /// adds it to those of the other value heads.
  void storeShareOf(Value rows, Value sums, Value tensor, Value place,
                    ArrayRef<Value> shared, Value member);
  void storeShared(Value text, Value head);
  void zeroDeadTokens();
  /// The columns of a panel as rows of `target`.
  void transpose(const KdaState &panels, Value panel, Value target);
  /// The rows of the chunk at work as columns of `target`.
  void transposeRows(Value source, Value target);
  /// target = factor rows columns, over all values, for the rows at work.
  void multiply(Value rows, Value columns, const ColumnTiles &tiles,
                float factor, Value target);

  KernelFunction &kernel;
  const KdaGradients &gradients;
  const KdaShape &shape;
  KdaChunk chunk;
  TileBuilder &t;
  IndexBuilder &index;
  int64_t group; ///< value heads of a head
  int64_t segments = 1;
  int64_t segmentChunks; ///< in each but the last

  // Scratch in f32.
  Value states;        ///< before the chunks of a segment
  Value segmentStates; ///< before the segments, if there are several
  KdaState stateGrad;  ///< D
  Value stateColumns, stateGradColumns;       ///< [valueWidth][keyStride]
  Value updateColumns;                        ///< [valueWidth][pairStride]
  Value outputGrads, updateGrads, errorGrads; ///< [C][valueStride]
  Value keyPairGrads, queryPairGrads;         ///< [C][pairStride]: dA, dP
  Value readGrads, matchGrads, writeGrads;    ///< [C][keyStride]: y, z, w
  Value queryGrads, keyGrads, decayGrads;     ///< [C][keyStride]
  Value pairKeyGrads; ///< [C][keyStride]: of the pairs with later tokens
  /// [chunks C][keyWidth]: sums over the value heads of a head.
  Value queryGradSums, keyGradSums;
};

} // namespace

/// What the states before chunks may take of scratch, if segments can help:
/// more of it than a few of them gains little.
static constexpr int64_t kStateBytes = 4 << 20;

/// As few segments as the states before them and before the chunks of one of
/// them allow, at most about the root of the number of chunks.
void KdaBackwardBuilder::chooseSegments() {
  int64_t chunks = std::max<int64_t>(chunk.chunks, 1);
  int64_t bytes = 4 * chunk.stateRows * chunk.valueWidth;
  int64_t most = kStateBytes / std::max<int64_t>(bytes, 1);
  segmentChunks = chunks;
  while (segments * segments < chunks && segments + segmentChunks > most) {
    ++segments;
    segmentChunks = llvm::divideCeil(chunks, segments);
  }
  segments = llvm::divideCeil(chunks, segmentChunks);
}

void KdaBackwardBuilder::allocate() {
  chooseSegments();
  states = chunk.scratchStates({segmentChunks});
  if (segments > 1)
    segmentStates = chunk.scratchStates({segments});
  stateGrad.memory = chunk.scratchStates({});
  stateColumns = chunk.scratchRows(chunk.valueWidth, chunk.keyStride);
  stateGradColumns = chunk.scratchRows(chunk.valueWidth, chunk.keyStride);
  updateColumns = chunk.scratchRows(chunk.valueWidth, chunk.pairStride);
  for (Value *rows : {&outputGrads, &updateGrads, &errorGrads, &chunk.errors})
    *rows = chunk.scratchRows(chunk.size, chunk.valueStride);
  for (Value *pairs : {&keyPairGrads, &queryPairGrads})
    *pairs = chunk.scratchRows(chunk.size, chunk.pairStride);
  for (Value *rows : {&readGrads, &matchGrads, &writeGrads, &queryGrads,
                      &keyGrads, &decayGrads, &pairKeyGrads})
    *rows = chunk.scratchRows(chunk.size, chunk.keyStride);
  if (group > 1)
    for (Value *sums : {&queryGradSums, &keyGradSums})
      *sums = chunk.scratchRows(chunk.chunks * chunk.size, chunk.keyWidth);
}

void KdaBackwardBuilder::build() {
  int64_t grid = shape.batch * shape.heads;
  if (grid == 0)
    return finishKernel(kernel, 0);
  allocate();
  chunk.clear();
  t.forRange(chunk.valueWidth, [&](Value row) {
    chunk.fillRow(updateColumns, row, chunk.pairStride, 0);
  });
  t.forRange(chunk.size, [&](Value place) {
    chunk.fillRow(outputGrads, place, chunk.valueStride, 0);
  });
  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) {
    Value text = index.div(item, shape.heads);
    Value head = index.rem(item, shape.heads);
    t.forRange(group,
               [&](Value member) { buildValueHead(text, head, member); });
    if (group > 1)
      storeShared(text, head);
  });
  finishKernel(kernel, grid);
}

void KdaBackwardBuilder::buildValueHead(Value text, Value head, Value member) {
  chunk.select(text, index.add(index.mul(head, group), member));
  Value liveChunks = chunk.liveChunks(), one = index.constant(1);
  Value liveSegments =
      index.div(index.add(liveChunks, segmentChunks - 1), segmentChunks);
  if (segments > 1)
    passSegments(liveSegments);
  chunk.loadState(gradients.newState, stateGrad);
  t.forRange(chunk.zero(), liveSegments, 1, [&](Value step) {
    Value segment = index.sub(index.sub(liveSegments, one), step);
    Value first = index.mul(segment, segmentChunks);
    Value count = index.min(index.sub(liveChunks, first), segmentChunks);
    if (segments > 1)
      copy({segmentStates, {segment}}, {states, {chunk.zero()}});
    else
      chunk.loadState(chunk.operands.state, {states, {chunk.zero()}});
    forwards(first, count);
    t.forRange(chunk.zero(), count, 1, [&](Value step) {
      Value place = index.sub(index.sub(count, one), step);
      backwards(index.add(first, place), {states, {place}}, member);
    });
  });
  if (gradients.state)
    chunk.storeState(stateGrad, gradients.state);
  if (chunk.operands.length)
    zeroDeadTokens();
}

void KdaBackwardBuilder::passSegments(Value liveSegments) {
  Value one = index.constant(1);
  KdaState state{states, {chunk.zero()}};
  chunk.loadState(chunk.operands.state, {segmentStates, {chunk.zero()}});
  t.forRange(one, liveSegments, 1, [&](Value next) {
    Value segment = index.sub(next, one);
    Value first = index.mul(segment, segmentChunks);
    copy({segmentStates, {segment}}, state);
    t.forRange(segmentChunks, [&](Value place) {
      chunk.load(index.add(first, place));
      t.forRange(chunk.panels, [&](Value panel) {
        chunk.solve(state, panel);
        chunk.advance(state, state, panel);
      });
    });
    copy(state, {segmentStates, {next}});
  });
}

void KdaBackwardBuilder::copy(const KdaState &from, const KdaState &to) {
  t.forRange(chunk.panels, [&](Value panel) {
    t.forRange(chunk.stateRows, [&](Value row) {
      Value vector = t.load(from.memory, from.at(panel, row, chunk.zero()),
                            chunk.panelWidth);
      t.store(vector, to.memory, to.at(panel, row, chunk.zero()));
    });
  });
}

void KdaBackwardBuilder::forwards(Value first, Value count) {
  Value one = index.constant(1);
  // The last chunk has no state behind it that is needed here.
  t.forRange(one, count, 1, [&](Value next) {
    Value place = index.sub(next, one);
    chunk.load(index.add(first, place));
    t.forRange(chunk.panels, [&](Value panel) {
      chunk.solve({states, {place}}, panel);
      chunk.advance({states, {place}}, {states, {next}}, panel);
    });
  });
}

void KdaBackwardBuilder::backwards(Value number, const KdaState &state,
                                   Value member) {
  chunk.load(number);
  chunk.forTokens(
      number,
      [&](Value place, Value token) {
        chunk.loadRow(gradients.output, {chunk.text, token, chunk.valueHead},
                      shape.valueDim, outputGrads, place);
      },
      [&](Value place) {
        chunk.fillRow(outputGrads, place, chunk.valueWidth, 0);
      });
  t.forRange(chunk.panels, [&](Value panel) {
    chunk.solve(state, panel);
    solveBackwards(panel);
    transpose(state, panel, stateColumns);
    transpose(stateGrad, panel, stateGradColumns);
    stepBack(panel);
  });
  transposeRows(chunk.updates, updateColumns);
  multiplyTransposed();
  channelGradients();
  storeTokens(number, member);
}

void KdaBackwardBuilder::solveBackwards(Value panel) {
  Value column = chunk.firstColumn(panel);
  int64_t width = chunk.panelWidth;
  chunk.forRowTiles(
      chunk.liveRows, /*backwards=*/true, [&](ArrayRef<Value> rows) {
        SmallVector<Value> sums(rows.size(), t.splat(0.0f, width));
        chunk.addProducts(
            sums, rows, chunk.zero(), index.constant(shape.keyDim),
            chunk.rowsOf(chunk.restKeys), chunk.vectorsOf(stateGrad, panel));
        chunk.addProducts(sums, rows, rows.front(), chunk.liveRows,
                          chunk.columnsOf(chunk.queryPairs),
                          chunk.vectorsOf(outputGrads, column));
        chunk.addProducts(sums, rows, index.add(rows.back(), 1), chunk.liveRows,
                          chunk.columnsOf(chunk.keyPairs),
                          chunk.vectorsOf(errorGrads, column));
        for (size_t r = rows.size(); r-- > 0;) {
          t.store(sums[r], updateGrads, {rows[r], column});
          Value grad =
              t.mul(t.loadBroadcast(chunk.steps, {rows[r]}, width), sums[r]);
          t.store(grad, errorGrads, {rows[r], column});
          for (size_t s = 0; s < r; ++s)
            sums[s] = t.fma(
                t.loadBroadcast(chunk.keyPairs, {rows[r], rows[s]}, width),
                grad, sums[s]);
        }
      });
}

void KdaBackwardBuilder::stepBack(Value panel) {
  Value column = chunk.firstColumn(panel);
  Value end = index.constant(llvm::alignTo(shape.keyDim, t.rows));
  chunk.forRowTiles(end, /*backwards=*/false, [&](ArrayRef<Value> rows) {
    SmallVector<Value> sums;
    for (Value row : rows)
      sums.push_back(
          t.mul(t.loadBroadcast(chunk.totals, {row}, chunk.panelWidth),
                t.load(stateGrad.memory, stateGrad.at(panel, row, chunk.zero()),
                       chunk.panelWidth)));
    chunk.addProducts(sums, rows, chunk.zero(), chunk.liveRows,
                      chunk.columnsOf(chunk.gatedQueries),
                      chunk.vectorsOf(outputGrads, column));
    chunk.addProducts(sums, rows, chunk.zero(), chunk.liveRows,
                      chunk.columnsOf(chunk.gatedKeys),
                      chunk.vectorsOf(errorGrads, column));
    for (auto [row, sum] : llvm::zip(rows, sums))
      t.store(sum, stateGrad.memory, stateGrad.at(panel, row, chunk.zero()));
  });
}

void KdaBackwardBuilder::multiply(Value rows, Value columns,
                                  const ColumnTiles &tiles, float factor,
                                  Value target) {
  t.forColumnTiles(tiles, [&](Value tile, int64_t width) {
    Value column = index.mul(tile, tiles.tileWidth);
    chunk.forRowTiles(
        chunk.liveRows, /*backwards=*/false, [&](ArrayRef<Value> places) {
          SmallVector<Value> sums(places.size(), t.splat(0.0f, width));
          chunk.addProducts(sums, places, chunk.zero(),
                            index.constant(shape.valueDim), chunk.rowsOf(rows),
                            [&](Value k) {
                              return t.load(columns, {k, column}, width);
                            });
          for (auto [place, sum] : llvm::zip(places, sums))
            t.store(t.mul(sum, t.splat(factor, width)), target,
                    {place, column});
        });
  });
}

void KdaBackwardBuilder::multiplyTransposed() {
  ColumnTiles keyTiles(shape.keyDim, t.lanes, t.columns);
  ColumnTiles tokenTiles(chunk.size, t.lanes, t.columns);
  float scale = static_cast<float>(shape.scale);
  multiply(errorGrads, updateColumns, tokenTiles, -1, keyPairGrads);
  multiply(outputGrads, updateColumns, tokenTiles, scale, queryPairGrads);
  multiply(outputGrads, stateColumns, keyTiles, scale, readGrads);
  multiply(errorGrads, stateColumns, keyTiles, -1, matchGrads);
  multiply(chunk.updates, stateGradColumns, keyTiles, 1, writeGrads);
}

void KdaBackwardBuilder::channelGradients() {
  Value zero = chunk.zero();
  Value none = t.splat(0.0f, t.lanes);
  t.forRange(zero, index.constant(chunk.keyWidth), t.lanes, [&](Value column) {
    auto load = [&](Value rows, Value i) {
      return t.load(rows, {i, column}, t.lanes);
    };
    auto store = [&](Value vector, Value rows, Value i) {
      t.store(vector, rows, {i, column});
    };
    // Through the decay of the whole chunk, and of what was written before.
    Value whole =
        t.forRange(zero, index.constant(shape.valueDim), 1, {none},
                   [&](Value v, ValueRange sum) -> SmallVector<Value> {
                     return {t.fma(load(stateColumns, v),
                                   load(stateGradColumns, v), sum.front())};
                   })
            .front();
    whole = t.mul(whole, t.load(chunk.totals, {column}, t.lanes));
    t.forRange(zero, chunk.liveRows, 1, {whole},
               [&](Value i, ValueRange sum) -> SmallVector<Value> {
                 Value gate = load(chunk.gates, i);
                 Value write = t.mul(load(chunk.rests, i), load(writeGrads, i));
                 store(t.mul(gate, load(readGrads, i)), queryGrads, i);
                 store(t.mul(gate, load(matchGrads, i)), keyGrads, i);
                 store(write, writeGrads, i);
                 store(sum.front(), decayGrads, i);
                 return {t.fma(load(chunk.keys, i), write, sum.front())};
               });
    pairGradients(column);
    // The gradient of a product of decays is that of each of them.
    t.forRange(
        zero, chunk.liveRows, 1, {none},
        [&](Value step, ValueRange sum) -> SmallVector<Value> {
          Value i =
              index.sub(index.sub(chunk.liveRows, index.constant(1)), step);
          Value query = load(chunk.queries, i), key = load(chunk.keys, i);
          Value queryGrad = load(queryGrads, i), keyGrad = load(keyGrads, i);
          Value asEarlier = load(pairKeyGrads, i);
          Value next =
              t.fma(query, queryGrad,
                    t.fma(key, t.sub(keyGrad, asEarlier), sum.front()));
          store(t.add(load(decayGrads, i), next), decayGrads, i);
          Value self = t.loadBroadcast(queryPairGrads, {i, i}, t.lanes);
          store(t.fma(self, key, queryGrad), queryGrads, i);
          keyGrad = t.add(t.add(keyGrad, asEarlier), load(writeGrads, i));
          store(t.fma(self, query, keyGrad), keyGrads, i);
          return {next};
        });
  });
}

/// Of the pairs of two tokens: adds to the gradients of the later one's query
/// and key, and sets that of the earlier one's key.
void KdaBackwardBuilder::pairGradients(Value column) {
  auto load = [&](Value rows, Value i) {
    return t.load(rows, {i, column}, t.lanes);
  };
  t.forRange(chunk.zero(), chunk.liveRows, 1, [&](Value j) {
    SmallVector<Value> sums = t.forRange(
        index.add(j, 1), chunk.liveRows, 1,
        {load(chunk.keys, j), t.splat(1.0f, t.lanes), t.splat(0.0f, t.lanes)},
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          Value factor = load(chunk.factors, i);
          Value key = t.mul(carried[0], factor);
          Value decay = t.mul(carried[1], factor);
          Value byQuery = t.loadBroadcast(queryPairGrads, {i, j}, t.lanes);
          Value byKey = t.loadBroadcast(keyPairGrads, {i, j}, t.lanes);
          t.store(t.fma(byQuery, key, load(queryGrads, i)), queryGrads,
                  {i, column});
          t.store(t.fma(byKey, key, load(keyGrads, i)), keyGrads, {i, column});
          Value met = t.fma(byQuery, load(chunk.queries, i),
                            t.mul(byKey, load(chunk.keys, i)));
          return {key, decay, t.fma(met, decay, carried[2])};
        });
    t.store(sums[2], pairKeyGrads, {j, column});
  });
}

void KdaBackwardBuilder::storeShareOf(Value rows, Value sums, Value tensor,
                                      Value place, ArrayRef<Value> shared,
                                      Value member) {
  if (group == 1) {
    if (tensor)
      chunk.storeRow(rows, place, tensor, shared, shape.keyDim);
    return;
  }
  Value token = shared[1], isFirst = t.equal(member, index.constant(0));
  t.forRegisters(chunk.keyWidth, [&](Value column) {
    Value grad = t.load(rows, {place, column}, t.lanes);
    Value sum = t.add(t.load(sums, {token, column}, t.lanes), grad);
    t.store(t.select(isFirst, grad, sum), sums, {token, column});
  });
}

void KdaBackwardBuilder::storeTokens(Value number, Value member) {
  chunk.forTokens(
      number,
      [&](Value place, Value token) {
        SmallVector<Value> own{chunk.text, token, chunk.valueHead};
        SmallVector<Value> shared{chunk.text, token, chunk.head};
        if (gradients.v)
          chunk.storeRow(errorGrads, place, gradients.v, own, shape.valueDim);
        if (gradients.decay)
          chunk.storeRow(decayGrads, place, gradients.decay, own, shape.keyDim);
        if (gradients.beta)
          chunk.storeScalar(
              t.rowDot(updateGrads, chunk.errors, {place}, chunk.valueWidth),
              gradients.beta, own);
        storeShareOf(queryGrads, queryGradSums, gradients.q, place, shared,
                     member);
        storeShareOf(keyGrads, keyGradSums, gradients.k, place, shared, member);
      },
      [](Value) {});
}

void KdaBackwardBuilder::storeShared(Value text, Value head) {
  chunk.select(text, index.mul(head, group));
  t.forRange(index.constant(0), chunk.count, 1, [&](Value token) {
    if (gradients.q)
      chunk.storeRow(queryGradSums, token, gradients.q, {text, token, head},
                     shape.keyDim);
    if (gradients.k)
      chunk.storeRow(keyGradSums, token, gradients.k, {text, token, head},
                     shape.keyDim);
  });
}

void KdaBackwardBuilder::zeroDeadTokens() {
  t.forRange(chunk.count, index.constant(shape.tokens), 1, [&](Value token) {
    SmallVector<Value> own{chunk.text, token, chunk.valueHead};
    SmallVector<Value> shared{chunk.text, token, chunk.head};
    if (gradients.q)
      chunk.zeroTensorRow(gradients.q, shared, shape.keyDim);
    if (gradients.k)
      chunk.zeroTensorRow(gradients.k, shared, shape.keyDim);
    if (gradients.v)
      chunk.zeroTensorRow(gradients.v, own, shape.valueDim);
    if (gradients.decay)
      chunk.zeroTensorRow(gradients.decay, own, shape.keyDim);
    if (gradients.beta)
      chunk.storeScalar(t.f32(0), gradients.beta, own);
  });
}

void KdaBackwardBuilder::transpose(const KdaState &state, Value panel,
                                   Value target) {
  t.forRange(
      chunk.zero(), index.constant(chunk.keyWidth), t.lanes, [&](Value row) {
        for (int64_t c = 0; c < chunk.panelWidth; c += t.lanes) {
          SmallVector<Value> vectors;
          for (int64_t i = 0; i < t.lanes; ++i)
            vectors.push_back(
                t.load(state.memory,
                       state.at(panel, index.add(row, i), index.constant(c)),
                       t.lanes));
          vectors = t.transpose(std::move(vectors));
          Value first = index.add(chunk.firstColumn(panel), c);
          for (int64_t i = 0; i < t.lanes; ++i)
            t.store(vectors[i], target, {index.add(first, i), row});
        }
      });
}

void KdaBackwardBuilder::transposeRows(Value source, Value target) {
  Value last = index.sub(chunk.liveRows, index.constant(1));
  t.forRange(chunk.zero(), chunk.liveRows, t.lanes, [&](Value row) {
    t.forRange(
        chunk.zero(), index.constant(chunk.valueWidth), t.lanes,
        [&](Value column) {
          SmallVector<Value> vectors;
          for (int64_t i = 0; i < t.lanes; ++i)
            // Rows beyond the last repeat it; no product reads them.
            vectors.push_back(t.load(
                source, {index.min(index.add(row, i), last), column}, t.lanes));
          vectors = t.transpose(std::move(vectors));
          for (int64_t i = 0; i < t.lanes; ++i)
            t.store(vectors[i], target, {index.add(column, i), row});
        });
  });
}

void attnres::cpu::buildKdaBackward(OpBuilder &builder, Location loc,
                                    KernelFunction &kernel,
                                    const KdaOperands &operands,
                                    const KdaGradients &gradients,
                                    const KdaShape &shape,
                                    const CpuTarget &target) {
  KdaBackwardBuilder(builder, loc, kernel, operands, gradients, shape, target)
      .build();
}
