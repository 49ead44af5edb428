//===- KdaBackward.cpp - Gradients of the gated delta rule on the CPU -----===//
//
// An item is one head of one text with the value heads that read it, one after
// the other. The chunks pass by forwards, which leaves the state before each of
// them in scratch, and then backwards. With D the gradient of the state behind
// a chunk, dO that of the outputs and the names of KdaChunk.h:
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
// the sums of k_j E_ij (dP_ij q_i + dA_ij k_i) over the pairs around it, of
// gate_i (q_i y_i + k_i z_i) over the tokens from it on, of rest_j k_j w_j over
// those before it, and total times the row sums of D * S.
//
//===----------------------------------------------------------------------===//
#include "passes/cpu/KdaChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres::cpu;

namespace {

class BackwardBuilder {
public:
  BackwardBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                  const KdaOperands &operands, const KdaGradients &gradients,
                  const KdaShape &shape, const CpuTarget &target)
      : kernel(kernel), gradients(gradients), shape(shape),
        chunk(builder, loc, kernel, operands, shape, target), t(chunk.t),
        index(chunk.index), group(shape.valueHeads / shape.heads) {}

  void build();

private:
  void allocate();
  void buildValueHead(Value text, Value head, Value member);
  void forwards(Value liveChunks);
  void backwards(Value number, Value member);
  /// `updateGrads` and `errorGrads`: du and dx.
  void solveBackwards();
  /// dA and dP, and y, z and w, from products with what is transposed.
  void multiplyTransposed();
  void channelGradients();
  void pairGradients(Value column);
  /// diag(total) D + ...
  void stepBack();
  void storeTokens(Value number, Value member);
  /// Writes a row of the gradient of a query or key, at [text, token, head], or
  /// adds it to those of the other value heads.
  void storeShareOf(Value rows, Value sums, Value tensor, Value place,
                    ArrayRef<Value> shared, Value member);
  void storeShared(Value text, Value head);
  void zeroDeadTokens();
  /// `rows` rows of `width` columns of `source` as columns of `target`.
  void transpose(Value source, int64_t rows, int64_t width, Value target);

  KernelFunction &kernel;
  const KdaGradients &gradients;
  const KdaShape &shape;
  KdaChunk chunk;
  TileBuilder &t;
  IndexBuilder &index;
  int64_t group; ///< value heads of a head

  // Scratch in f32.
  Value states;    ///< [chunks keyWidth][valueWidth], the state before each
  Value state;     ///< [keyWidth][valueWidth]: S
  Value stateGrad; ///< [keyWidth][valueWidth]: D
  Value stateColumns, stateGradColumns;       ///< [valueWidth][keyWidth]
  Value updateColumns;                        ///< [valueWidth][C padded]
  Value outputGrads, updateGrads, errorGrads; ///< [C][valueWidth]
  Value keyPairGrads, queryPairGrads;         ///< [C][C padded]: dA, dP
  Value readGrads, matchGrads, writeGrads;    ///< [C][keyWidth]: y, z, w
  Value queryGrads, keyGrads, decayGrads;     ///< [C][keyWidth]
  /// [chunks C][keyWidth]: sums over the value heads of a head.
  Value queryGradSums, keyGradSums;
};

} // namespace

void BackwardBuilder::allocate() {
  int64_t keyWidth = chunk.keyWidth, valueWidth = chunk.valueWidth;
  int64_t tokenWidth = chunk.tokenTiles.paddedWidth();
  states = t.scratch({chunk.chunks * keyWidth, valueWidth});
  state = t.scratch({keyWidth, valueWidth});
  stateGrad = t.scratch({keyWidth, valueWidth});
  stateColumns = t.scratch({valueWidth, keyWidth});
  stateGradColumns = t.scratch({valueWidth, keyWidth});
  updateColumns = t.scratch({valueWidth, tokenWidth});
  for (Value *rows : {&outputGrads, &updateGrads, &errorGrads})
    *rows = t.scratch({chunk.size, valueWidth});
  for (Value *pairs : {&keyPairGrads, &queryPairGrads})
    *pairs = t.scratch({chunk.size, tokenWidth});
  for (Value *rows : {&readGrads, &matchGrads, &writeGrads, &queryGrads,
                      &keyGrads, &decayGrads})
    *rows = t.scratch({chunk.size, keyWidth});
  if (group > 1)
    for (Value *sums : {&queryGradSums, &keyGradSums})
      *sums = t.scratch({chunk.chunks * chunk.size, keyWidth});
}

void BackwardBuilder::build() {
  int64_t grid = shape.batch * shape.heads;
  if (grid == 0)
    return finishKernel(kernel, 0);
  allocate();
  chunk.clear();
  t.forRange(chunk.valueWidth, [&](Value row) {
    chunk.fillRow(updateColumns, row, chunk.tokenTiles.paddedWidth(), 0);
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

void BackwardBuilder::buildValueHead(Value text, Value head, Value member) {
  chunk.select(text, index.add(index.mul(head, group), member));
  Value liveChunks = chunk.liveChunks();
  forwards(liveChunks);
  chunk.loadState(gradients.newState, stateGrad);
  t.forRange(index.constant(0), liveChunks, 1, [&](Value step) {
    Value last = index.sub(liveChunks, index.constant(1));
    backwards(index.sub(last, step), member);
  });
  if (gradients.state)
    chunk.storeState(stateGrad, gradients.state);
  if (chunk.operands.length)
    zeroDeadTokens();
}

void BackwardBuilder::forwards(Value liveChunks) {
  chunk.loadState(chunk.operands.state, state);
  t.forRange(index.constant(0), liveChunks, 1, [&](Value number) {
    Value first = index.mul(number, chunk.keyWidth);
    t.forRange(chunk.keyWidth, [&](Value row) {
      t.forRegisters(chunk.valueWidth, [&](Value column) {
        t.store(t.load(state, {row, column}, t.lanes), states,
                {index.add(first, row), column});
      });
    });
    chunk.load(number);
    chunk.solve(state);
    chunk.advance(state, state);
  });
}

void BackwardBuilder::backwards(Value number, Value member) {
  Value first = index.mul(number, chunk.keyWidth);
  t.forRange(chunk.keyWidth, [&](Value row) {
    t.forRegisters(chunk.valueWidth, [&](Value column) {
      t.store(t.load(states, {index.add(first, row), column}, t.lanes), state,
              {row, column});
    });
  });
  chunk.load(number);
  chunk.solve(state);
  chunk.forTokens(
      number,
      [&](Value place, Value token) {
        chunk.loadRow(gradients.output, {chunk.text, token, chunk.valueHead},
                      shape.valueDim, outputGrads, place);
      },
      [&](Value place) {
        chunk.fillRow(outputGrads, place, chunk.valueWidth, 0);
      });
  transpose(state, chunk.keyWidth, chunk.valueWidth, stateColumns);
  transpose(stateGrad, chunk.keyWidth, chunk.valueWidth, stateGradColumns);
  solveBackwards();
  multiplyTransposed();
  channelGradients();
  stepBack();
  storeTokens(number, member);
}

void BackwardBuilder::solveBackwards() {
  chunk.multiply(chunk.size, chunk.valueTiles,
                 {{chunk.size, chunk.columnsOf(chunk.queryPairs), outputGrads},
                  {chunk.keyWidth, chunk.rowsOf(chunk.restKeys), stateGrad}},
                 nullptr, [&](Value row, Value column, Value vector) {
                   t.store(vector, updateGrads, {row, column});
                 });
  Value end = index.constant(chunk.size);
  t.forRegisters(chunk.valueWidth, [&](Value column) {
    t.forRange(chunk.size, [&](Value step) {
      Value i = index.sub(index.constant(chunk.size - 1), step);
      Value grad = t.load(updateGrads, {i, column}, t.lanes);
      grad =
          t.forRange(
               index.add(i, 1), end, 1, {grad},
               [&](Value j, ValueRange sum) -> SmallVector<Value> {
                 Value pair = t.loadBroadcast(chunk.keyPairs, {j, i}, t.lanes);
                 Value error = t.load(errorGrads, {j, column}, t.lanes);
                 return {t.sub(sum.front(), t.mul(pair, error))};
               })
              .front();
      t.store(grad, updateGrads, {i, column});
      t.store(t.mul(t.loadBroadcast(chunk.steps, {i}, t.lanes), grad),
              errorGrads, {i, column});
    });
  });
}

void BackwardBuilder::multiplyTransposed() {
  int64_t depth = chunk.valueWidth;
  // Rows of the last group of `lanes` tokens may be beyond the chunk.
  transpose(chunk.updates, chunk.size, chunk.valueWidth, updateColumns);
  auto product = [&](Value rows, Value columns, const ColumnTiles &tiles,
                     float factor, Value target) {
    chunk.multiply(
        chunk.size, tiles, {{depth, chunk.rowsOf(rows), columns}}, nullptr,
        [&](Value row, Value column, Value vector) {
          int64_t width = cast<VectorType>(vector.getType()).getNumElements();
          t.store(t.mul(vector, t.splat(factor, width)), target, {row, column});
        });
  };
  float scale = static_cast<float>(shape.scale);
  product(errorGrads, updateColumns, chunk.tokenTiles, -1, keyPairGrads);
  product(outputGrads, updateColumns, chunk.tokenTiles, scale, queryPairGrads);
  product(outputGrads, stateColumns, chunk.keyTiles, scale, readGrads);
  product(errorGrads, stateColumns, chunk.keyTiles, -1, matchGrads);
  product(chunk.updates, stateGradColumns, chunk.keyTiles, 1, writeGrads);
}

void BackwardBuilder::channelGradients() {
  Value zero = index.constant(0), end = index.constant(chunk.size);
  Value none = t.splat(0.0f, t.lanes);
  t.forRegisters(chunk.keyWidth, [&](Value column) {
    auto load = [&](Value rows, Value i) {
      return t.load(rows, {i, column}, t.lanes);
    };
    // Through the decay of the whole chunk: the state, and what is written.
    Value whole =
        t.forRange(zero, index.constant(chunk.valueWidth), 1, {none},
                   [&](Value v, ValueRange sum) -> SmallVector<Value> {
                     return {t.fma(load(stateColumns, v),
                                   load(stateGradColumns, v), sum.front())};
                   })
            .front();
    whole = t.mul(whole, t.load(chunk.totals, {column}, t.lanes));
    whole = t.forRange(zero, end, 1, {whole},
                       [&](Value i, ValueRange sum) -> SmallVector<Value> {
                         Value key = load(chunk.keys, i);
                         Value gate = load(chunk.gates, i);
                         Value queryGrad = t.mul(gate, load(readGrads, i));
                         Value match = t.mul(gate, load(matchGrads, i));
                         Value write =
                             t.mul(load(chunk.rests, i), load(writeGrads, i));
                         t.store(queryGrad, queryGrads, {i, column});
                         t.store(t.add(match, write), keyGrads, {i, column});
                         Value decayGrad =
                             t.fma(load(chunk.queries, i), queryGrad,
                                   t.mul(key, t.sub(match, write)));
                         t.store(decayGrad, decayGrads, {i, column});
                         return {t.fma(key, write, sum.front())};
                       })
                .front();
    pairGradients(column);
    // The gradient of a product of decays is that of each of them.
    t.forRange(zero, end, 1, {whole},
               [&](Value step, ValueRange sum) -> SmallVector<Value> {
                 Value i = index.sub(index.constant(chunk.size - 1), step);
                 Value next = t.add(sum.front(), load(decayGrads, i));
                 t.store(next, decayGrads, {i, column});
                 return {next};
               });
  });
}

void BackwardBuilder::pairGradients(Value column) {
  Value zero = index.constant(0), end = index.constant(chunk.size);
  auto load = [&](Value rows, Value i) {
    return t.load(rows, {i, column}, t.lanes);
  };
  auto addTo = [&](Value rows, Value i, Value vector) {
    t.store(t.add(load(rows, i), vector), rows, {i, column});
  };
  t.forRange(zero, end, 1, [&](Value j) {
    Value key = load(chunk.keys, j);
    Value self = t.loadBroadcast(queryPairGrads, {j, j}, t.lanes);
    addTo(queryGrads, j, t.mul(self, key));
    SmallVector<Value> sums = t.forRange(
        index.add(j, 1), end, 1,
        {key, t.splat(1.0f, t.lanes), t.mul(self, load(chunk.queries, j)),
         t.splat(0.0f, t.lanes)},
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          Value factor = load(chunk.factors, i);
          Value decayed = t.mul(carried[0], factor);
          Value decay = t.mul(carried[1], factor);
          Value byQuery = t.loadBroadcast(queryPairGrads, {i, j}, t.lanes);
          Value byKey = t.loadBroadcast(keyPairGrads, {i, j}, t.lanes);
          addTo(queryGrads, i, t.mul(byQuery, decayed));
          addTo(keyGrads, i, t.mul(byKey, decayed));
          Value met = t.fma(byQuery, load(chunk.queries, i),
                            t.mul(byKey, load(chunk.keys, i)));
          Value through = t.mul(decayed, met);
          addTo(decayGrads, i, through);
          return {decayed, decay, t.fma(met, decay, carried[2]),
                  t.add(carried[3], through)};
        });
    addTo(keyGrads, j, sums[2]);
    t.store(t.sub(load(decayGrads, j), sums[3]), decayGrads, {j, column});
  });
}

void BackwardBuilder::stepBack() {
  KdaChunk::Element gatedKeys = chunk.columnsOf(chunk.gatedKeys);
  auto negated = [&](Value row, Value k) -> Value {
    return arith::NegFOp::create(t.builder, t.loc, gatedKeys(row, k));
  };
  chunk.multiply(
      chunk.keyWidth, chunk.valueTiles,
      {{chunk.size, chunk.columnsOf(chunk.gatedQueries), outputGrads},
       {chunk.size, negated, errorGrads}},
      [&](Value row, Value column, int64_t width) {
        return t.mul(t.loadBroadcast(chunk.totals, {row}, width),
                     t.load(stateGrad, {row, column}, width));
      },
      [&](Value row, Value column, Value vector) {
        t.store(vector, stateGrad, {row, column});
      });
}

void BackwardBuilder::storeShareOf(Value rows, Value sums, Value tensor,
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

void BackwardBuilder::storeTokens(Value number, Value member) {
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

void BackwardBuilder::storeShared(Value text, Value head) {
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

void BackwardBuilder::zeroDeadTokens() {
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

void BackwardBuilder::transpose(Value source, int64_t rows, int64_t width,
                                Value target) {
  Value zero = index.constant(0), last = index.constant(rows - 1);
  t.forRange(zero, index.constant(rows), t.lanes, [&](Value row) {
    t.forRange(zero, index.constant(width), t.lanes, [&](Value column) {
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
  BackwardBuilder(builder, loc, kernel, operands, gradients, shape, target)
      .build();
}
