//===- MmaKdaBackward.cpp - gradients of delta attention on tensor cores --===//
//
// A block has a value head of a text with all columns of its state. It passes
// the chunks forwards, which leaves the state before each of them in scratch
// memory, and then backwards. With D the gradient of the state behind a chunk
// and the names of passes/cpu/KdaBackward.cpp, for M = (I + diag(beta) A)^-1
// and N = (I + A diag(beta))^-1,
//
//   X^T = (V^T - S^T (gate k)^T) N^T            U^T = X^T diag(beta)
//   dU^T = dO^T P + D^T (rest k)^T              dU'^T = dU^T M
//   dX^T = dU'^T diag(beta)                     dV = dX
//   y = scale dO S^T, z = -dX S^T, w = U D^T    dP = scale dO U^T, dA = -dX U^T
//   D^T <- D^T diag(total) + dO^T (scale gate q) - dX^T (gate k)
//
// A warp has 16 rows of what is transposed, as forwards. Sums over the values,
// which are y, z, w and the gradients of pairs, are of other warps: 16 channels
// each, from S^T and D^T in shared memory, one after the other in one place.
// What a channel alone is part in is the work of a thread for each.
//
// Where several value heads read a key, each leaves its gradients of queries
// and keys in scratch memory, and the last block to arrive adds them in order.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaKdaChunk.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <utility>

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

namespace {

class KdaBackwardBuilder : KdaChunkCode {
public:
  KdaBackwardBuilder(OpBuilder &builder, Location loc, const Kda &kda,
                     const KdaGradients &gradients, int64_t warps);

  void build();
  int64_t sharedBytes() const { return layout.end; }
  /// States [batch, valueHeads, chunks][rows][columns], then gradients of
  /// queries and keys of each value head in f32.
  int64_t scratchBytes() const {
    return statesBytes() + (group > 1 ? 2 * shareBytes() : 0);
  }

private:
  int64_t chunksOfText() const { return divideCeil(kda.tokens, kKdaChunk); }
  int64_t statesBytes() const {
    return kda.batch * kda.valueHeads * chunksOfText() * stateTile.bytes();
  }
  int64_t shareBytes() const {
    return kda.batch * kda.tokens * kda.valueHeads * kda.keyDim * 4;
  }
  /// The row of the transposed state that is this lane's first, in a block.
  Int stateRow() const { return code.warp * kWarpColumns + group8; }
  Value stateAt(Int chunk) const;
  void storeStateOperand(Int chunk, ValueRange state) const;
  Registers stepBackwards(Int chunk, Int count, ValueRange before) const;

  /// Two f32 as a pair of operands.
  Value asPair(ValueRange numbers) const;
  /// Of tokens by values, transposed sums of this warp: as rows of a tile.
  void storeRows(ValueRange sums, int64_t place) const;
  /// The sums of this warp's values in the gradients of beta and of the decay
  /// of a whole chunk.
  void storeParts(ValueRange errors, ValueRange updateGrads,
                  ValueRange stateGrad) const;
  /// Operands of 16 rows of a tile of rows, a step of the depth.
  MmaOperand rowsOperand(int64_t place, bool isLeft, int64_t step) const;
  /// M and its transpose, and that of P, each by a warp.
  void invertBoth() const;
  /// sums += rows matrix, over all values, for 16 channels.
  void addOverValues(int64_t rows, Int part, MutableArrayRef<Value> sums) const;
  void multiplyPairGrads() const;
  void storeStateGrad(ValueRange stateGrad) const;
  void channelGradients(Int firstToken, Int count) const;
  void storeChannel(Int token, Int channel, Value queryGrad, Value keyGrad,
                    Value decayGrad) const;
  void storeBeta(Int token, Value isOwn, Value number) const;
  void clearTokens(Int first) const;
  void addShares() const;

  const KdaGradients &gradients;
  int64_t group; ///< value heads of a key
  TileShape stateTile, rowsTile;
  /// The transposed state and its gradient, one after the other; dO, dX and U.
  int64_t buffer, outputRows, errorRows, updateRows;
  int64_t inverseTransposed, keyPairGrads, queryPairGrads;
  /// y, z and w in f32 [3][16][channelStride]; sums of each warp.
  int64_t channelRows, channelStride, betaParts, decayParts;
};

} // namespace

static int64_t columnsOf(const Kda &kda) {
  return llvm::PowerOf2Ceil(std::max<int64_t>(kda.keyDim, 64));
}

KdaBackwardBuilder::KdaBackwardBuilder(OpBuilder &builder, Location loc,
                                       const Kda &kda,
                                       const KdaGradients &gradients,
                                       int64_t warps)
    // The rows of channels come when the gated rows are done with, the state
    // when the operands of pairs are.
    : KdaChunkCode(builder, loc, kda, warps, /*parts=*/1, Queries::Backwards,
                   3 * kKdaChunk * (columnsOf(kda) + 8) * 4,
                   warps * kWarpColumns * columnsOf(kda) *
                       (kda.isBf16() ? 2 : 4)),
      gradients(gradients),
      group(kda.valueHeads / kda.heads), stateTile{warps * kWarpColumns,
                                                   layout.columns,
                                                   layout.bytes},
      rowsTile{kKdaChunk,
               std::max(warps * kWarpColumns, kPanelBytes / layout.bytes),
               layout.bytes} {
  if (!kda.isBf16()) {
    stateTile.reads = TileShape::Reads::EvenQuads;
    rowsTile.reads = TileShape::Reads::Quads;
  }
  channelStride = layout.columns + 8; // rows begin at different banks
  channelRows = layout.gatedQueries;
  buffer = layout.uppers;
  outputRows = layout.allocate(rowsTile.bytes());
  errorRows = layout.allocate(rowsTile.bytes());
  updateRows = layout.allocate(rowsTile.bytes());
  inverseTransposed = layout.allocate(layout.pairs.bytes());
  keyPairGrads = layout.allocate(kKdaChunk * kPairStride * 4);
  queryPairGrads = layout.allocate(kKdaChunk * kPairStride * 4);
  betaParts = layout.allocate(warps * kKdaChunk * 4);
  decayParts = layout.allocate(warps * layout.columns * 4);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

Value KdaBackwardBuilder::stateAt(Int chunk) const {
  Int item = text * kda.valueHeads + head;
  return code.offsetWide(
      gradients.scratch,
      code.addWide(code.wide(item, chunksOfText() * stateTile.bytes()),
                   code.wide(chunk, stateTile.bytes())));
}

void KdaBackwardBuilder::storeStateOperand(Int chunk, ValueRange state) const {
  Value start = stateAt(chunk);
  for (int64_t first = 0; first < channels; first += 8)
    for (int64_t r = 0; r < 2; ++r) {
      Int row = stateRow() + 8 * r;
      Int column = inGroup * 2 + first;
      code.store(
          asPair(state.slice(first / 2 + 2 * r, 2)),
          code.offset(start, (row * layout.columns + column) * layout.bytes),
          2 * layout.bytes);
    }
}

Value KdaBackwardBuilder::asPair(ValueRange numbers) const {
  return layout.bytes == 2 ? code.packBf16(numbers[0], numbers[1])
                           : code.vectorOf(numbers);
}

void KdaBackwardBuilder::storeRows(ValueRange sums, int64_t place) const {
  forSums([&](int64_t e, int64_t r, int64_t i) {
    Int token = inGroup * 2 + (8 * e + i);
    Int v = stateRow() + 8 * r;
    Value sum = sums[4 * e + 2 * r + i];
    code.store(layout.bytes == 2 ? code.toBf16(sum) : sum,
               placeOf(place, rowsTile, token, v * layout.bytes), layout.bytes);
  });
}

MmaOperand KdaBackwardBuilder::rowsOperand(int64_t place, bool isLeft,
                                           int64_t step) const {
  if (layout.bytes == 2) {
    auto side = isLeft ? TileFragments::Side::Left : TileFragments::Side::Right;
    return TileFragments(code, rowsTile, side, true, code.number(0), 1)
        .load(at(place), 0, step);
  }
  // Columns 2 t and 2 t + 1 at places t and t + 4 of the depth.
  Registers low = loadStep(place, rowsTile, group8, step);
  Registers high = loadStep(place, rowsTile, group8 + 8, step);
  if (isLeft)
    return code.operand({low[0], high[0], low[1], high[1]}, false);
  return code.operand({low[0], low[1], high[0], high[1]}, false);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

// Lanes of warp 0 have a column of N each, those of the next warp a row of M,
// so that both are written along rows of their tiles. P^T has no inverse.
void KdaBackwardBuilder::invertBoth() const {
  auto pairAt = [&](int64_t row, int64_t column) {
    return code.load(at(layout.keySums + (row * kPairStride + column) * 4),
                     code.f32(), 4);
  };
  auto betaAt = [&](int64_t row) {
    return code.load(at(layout.betas + row * 4), code.f32(), 4);
  };
  Int lane = code.lane % kKdaChunk;
  auto unit = [&](int64_t place) {
    return code.select(code.isEqual(lane, code.number(place)), code.f32(1),
                       code.f32(0));
  };
  auto store = [&](int64_t place, int64_t row, Value number) {
    code.ifTrue(code.isLess(code.lane, code.number(kKdaChunk)), [&] {
      storePairNumber(number, place, code.number(row), code.lane);
    });
  };
  // N_i = e_i - sum_(j<i) A_ij beta_j N_j
  code.ifTrue(code.isEqual(code.warp, code.number(0)), [&] {
    Registers scaled;
    for (int64_t i = 0; i < kKdaChunk; ++i) {
      Value sum = unit(i);
      for (int64_t j = 0; j < i; ++j)
        sum = code.fma(a.neg(pairAt(i, j)), scaled[j], sum);
      store(layout.inverse, i, sum);
      scaled.push_back(code.mul(betaAt(i), sum));
    }
  });
  // M_rj = e_r - sum_(i>j) M_ri beta_i A_ij
  code.ifTrue(code.isEqual(code.warp, code.number(1 % warps)), [&] {
    Registers columns(kKdaChunk, Value());
    for (int64_t j = kKdaChunk - 1; j >= 0; --j) {
      Value sum = unit(j);
      for (int64_t i = j + 1; i < kKdaChunk; ++i)
        sum = code.fma(a.neg(pairAt(i, j)), columns[i], sum);
      store(inverseTransposed, j, sum);
      columns[j] = code.mul(betaAt(j), sum);
    }
  });
  convertQueryPairs(); // of transposed sums, by the next warp
}

void KdaBackwardBuilder::multiplyPairGrads() const {
  int64_t steps = stateTile.rows * layout.bytes / kStepBytes;
  auto multiply = [&](int64_t warp, int64_t rows, double factor,
                      int64_t place) {
    code.ifTrue(code.isEqual(code.warp, code.number(warp % warps)), [&] {
      Registers sums(8, code.f32(0));
      for (int64_t step = 0; step < steps; ++step)
        code.multiplyAdd(rowsOperand(rows, true, step),
                         rowsOperand(updateRows, false, step), sums);
      for (int64_t e = 0; e < 2; ++e)
        for (int64_t r = 0; r < 2; ++r) {
          Registers pair;
          for (int64_t i = 0; i < 2; ++i)
            pair.push_back(code.mul(sums[4 * e + 2 * r + i], code.f32(factor)));
          Int column = inGroup * 2 + 8 * e;
          code.store(code.vectorOf(pair),
                     code.offset(at(place),
                                 ((group8 + 8 * r) * kPairStride + column) * 4),
                     8);
        }
    });
  };
  multiply(0, errorRows, -1, keyPairGrads);
  multiply(1, outputRows, kda.scale, queryPairGrads);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

void KdaBackwardBuilder::addOverValues(int64_t rows, Int part,
                                       MutableArrayRef<Value> sums) const {
  TileFragments fragments(code, stateTile, TileFragments::Side::Right, false,
                          part * kKdaChunk, 1);
  for (int64_t step = 0; step < stateTile.rows * layout.bytes / kStepBytes;
       ++step)
    code.multiplyAdd(rowsOperand(rows, true, step),
                     fragments.load(at(buffer), 0, step), sums);
}

void KdaBackwardBuilder::storeStateGrad(ValueRange stateGrad) const {
  for (int64_t first = 0; first < channels; first += 8)
    for (int64_t r = 0; r < 2; ++r) {
      Int row = stateRow() + 8 * r;
      code.store(
          asPair(stateGrad.slice(first / 2 + 2 * r, 2)),
          placeOf(buffer, stateTile, row, (inGroup * 2 + first) * layout.bytes),
          2 * layout.bytes);
    }
}

// The gradient of a decay is that of all products it is part in: see
// channelGradients of passes/cpu/KdaBackward.cpp.
void KdaBackwardBuilder::channelGradients(Int firstToken, Int count) const {
  auto rowOf = [&](int64_t place, const TileShape &tile, int64_t row,
                   Int channel) {
    Value pointer =
        placeOf(place, tile, code.number(row), channel * tile.elementBytes);
    return tile.elementBytes == 4 ? code.load(pointer, code.f32(), 4)
                                  : code.fromBf16(code.load(
                                        pointer, code.builder.getI16Type(), 2));
  };
  Type four = VectorType::get({4}, code.f32());
  auto pairsOf = [&](int64_t place, int64_t row) {
    Registers pairs;
    for (int64_t first = 0; first <= row; first += 4)
      pairs.append(code.elementsOf(
          code.load(at(place + (row * kPairStride + first) * 4), four, 16)));
    return pairs;
  };
  code.loop(
      code.thread, code.number(kda.keyDim), code.threads, {},
      [&](Int channel, ValueRange) {
        auto ofChannels = [&](int64_t which, int64_t row) {
          return code.load(
              code.offset(at(channelRows +
                             (which * kKdaChunk + row) * channelStride * 4),
                          channel * 4),
              code.f32(), 4);
        };
        Registers q, k, f, queryGrads, keyGrads, writes, decays, asEarlier;
        Value decay = code.f32(0);
        for (int64_t warp = 0; warp < warps; ++warp)
          decay = code.add(
              decay,
              code.load(code.offset(at(decayParts + warp * layout.columns * 4),
                                    channel * 4),
                        code.f32(), 4));
        decay = code.mul(decay,
                         code.load(code.offset(at(layout.totals), channel * 4),
                                   code.f32(), 4));
        for (int64_t row = 0; row < kKdaChunk; ++row) {
          q.push_back(rowOf(layout.queries, layout.query, row, channel));
          k.push_back(rowOf(layout.keys, layout.key, row, channel));
          f.push_back(rowOf(layout.factors, layout.factor, row, channel));
          asEarlier.push_back(code.f32(0));
        }
        Registers rests(kKdaChunk, code.f32(1));
        for (int64_t row = kKdaChunk - 2; row >= 0; --row)
          rests[row] = code.mul(rests[row + 1], f[row + 1]);
        Value gate = code.f32(1);
        for (int64_t row = 0; row < kKdaChunk; ++row) {
          gate = code.mul(gate, f[row]);
          queryGrads.push_back(code.mul(gate, ofChannels(0, row)));
          keyGrads.push_back(code.mul(gate, ofChannels(1, row)));
          writes.push_back(code.mul(rests[row], ofChannels(2, row)));
          decays.push_back(decay);
          decay = code.fma(k[row], writes.back(), decay);
        }
        Registers products(kKdaChunk, code.f32(1)), selves;
        for (int64_t i = 0; i < kKdaChunk; ++i) {
          Registers byQuery = pairsOf(queryPairGrads, i);
          Registers byKey = pairsOf(keyPairGrads, i);
          selves.push_back(byQuery[i]);
          for (int64_t j = 0; j < i; ++j) {
            products[j] = code.mul(products[j], f[i]);
            Value key = code.mul(products[j], k[j]);
            queryGrads[i] = code.fma(byQuery[j], key, queryGrads[i]);
            keyGrads[i] = code.fma(byKey[j], key, keyGrads[i]);
            Value later = code.fma(byQuery[j], q[i], code.mul(byKey[j], k[i]));
            asEarlier[j] = code.fma(products[j], later, asEarlier[j]);
          }
        }
        Value sum = code.f32(0);
        for (int64_t row = kKdaChunk - 1; row >= 0; --row) {
          sum = code.fma(
              q[row], queryGrads[row],
              code.fma(k[row], code.sub(keyGrads[row], asEarlier[row]), sum));
          decays[row] = code.add(decays[row], sum);
          queryGrads[row] = code.fma(selves[row], k[row], queryGrads[row]);
          keyGrads[row] = code.fma(
              selves[row], q[row],
              code.add(code.add(keyGrads[row], asEarlier[row]), writes[row]));
        }
        for (int64_t row = 0; row < kKdaChunk; ++row) {
          Int token = firstToken + row;
          Value isLive = code.isLess(token, count);
          code.ifTrue(code.isLess(token, code.number(kda.tokens)), [&] {
            storeChannel(token, channel, queryGrads[row], keyGrads[row],
                         code.select(isLive, decays[row], code.f32(0)));
          });
        }
        return Registers();
      });
}

void KdaBackwardBuilder::storeChannel(Int token, Int channel, Value queryGrad,
                                      Value keyGrad, Value decayGrad) const {
  Int row = (text * kda.tokens + token) * kda.valueHeads + head;
  auto put = [&](Value number, Value pointer, bool isBf16, Int row) {
    int64_t bytes = isBf16 ? 2 : 4;
    code.store(isBf16 ? code.toBf16(number) : number,
               code.offsetWide(pointer,
                               code.addWide(code.wide(row, kda.keyDim * bytes),
                                            code.wide(channel, bytes))),
               bytes);
  };
  if (gradients.decay)
    put(decayGrad, gradients.decay, false, row);
  if (group == 1) {
    if (gradients.q.pointer)
      put(queryGrad, gradients.q.pointer, gradients.q.isBf16, row);
    if (gradients.k.pointer)
      put(keyGrad, gradients.k.pointer, gradients.k.isBf16, row);
    return;
  }
  Value shares = code.offset(gradients.scratch, statesBytes());
  put(queryGrad, shares, false, row);
  put(keyGrad, code.offset(shares, shareBytes()), false, row);
}

/// Zeros for the tokens from `first` on.
void KdaBackwardBuilder::clearTokens(Int first) const {
  Value zero = code.f32(0);
  code.loop(first, code.number(kda.tokens), 1, {}, [&](Int token, ValueRange) {
    code.loop(code.thread, code.number(kda.keyDim), code.threads, {},
              [&](Int channel, ValueRange) {
                storeChannel(token, channel, zero, zero, zero);
                return Registers();
              });
    storeBeta(token, code.isEqual(code.thread, code.number(0)), zero);
    return Registers();
  });
  if (!gradients.v.pointer)
    return;
  code.loop(first / kKdaChunk, code.number(chunksOfText()), 1, {},
            [&](Int chunk, ValueRange) {
              storeTokens(gradients.v, Registers(8, zero), chunk * kKdaChunk);
              return Registers();
            });
}

void KdaBackwardBuilder::storeBeta(Int token, Value isOwn, Value number) const {
  if (!gradients.beta.pointer)
    return;
  int64_t bytes = gradients.beta.elementBytes();
  code.ifTrue(isOwn, [&] {
    Int row = (text * kda.tokens + token) * kda.valueHeads + head;
    code.store(gradients.beta.isBf16 ? code.toBf16(number) : number,
               code.offsetWide(gradients.beta.pointer, code.wide(row, bytes)),
               bytes);
  });
}

/// The last block of the value heads that read a key adds what they have left.
void KdaBackwardBuilder::addShares() const {
  Int item = text * kda.heads + head / group;
  Value isLast =
      code.isLastToArrive(code.arrivals(kda.batch * kda.heads), item, group);
  code.ifTrue(isLast, [&] {
    int64_t elements = kda.tokens * kda.keyDim;
    code.loop(
        code.thread, code.number(elements), code.threads, {},
        [&](Int element, ValueRange) {
          Int token = element / kda.keyDim, channel = element % kda.keyDim;
          Int row = text * kda.tokens + token;
          int64_t share = statesBytes();
          for (const Kda::Tensor *grad : {&gradients.q, &gradients.k}) {
            Value sum = code.f32(0);
            for (int64_t member = 0; member < group; ++member) {
              Int from = row * kda.valueHeads + head / group * group + member;
              sum = code.add(
                  sum,
                  code.load(code.offsetWide(
                                code.offset(gradients.scratch, share),
                                code.addWide(code.wide(from, kda.keyDim * 4),
                                             code.wide(channel, 4))),
                            code.f32(), 4));
            }
            share += shareBytes();
            if (!grad->pointer)
              continue;
            int64_t bytes = grad->elementBytes();
            Int to = row * kda.heads + head / group;
            code.store(
                grad->isBf16 ? code.toBf16(sum) : sum,
                code.offsetWide(grad->pointer,
                                code.addWide(code.wide(to, kda.keyDim * bytes),
                                             code.wide(channel, bytes))),
                bytes);
          }
          return Registers();
        });
  });
}

//===----------------------------------------------------------------------===//
// The recurrence
//===----------------------------------------------------------------------===//

void KdaBackwardBuilder::storeParts(ValueRange errors, ValueRange updateGrads,
                                    ValueRange stateGrad) const {
  auto sumOfGroups = [&](Value number) {
    for (int64_t distance : {4, 8, 16})
      number = code.add(number, code.shuffleXor(number, distance));
    return number;
  };
  auto storeSums = [&](Registers pair, int64_t place, Int first) {
    for (Value &number : pair)
      number = sumOfGroups(number);
    code.ifTrue(code.isLess(code.lane, code.number(4)), [&] {
      code.store(code.vectorOf(pair), code.offset(at(place), first * 4), 8);
    });
  };
  for (int64_t e = 0; e < 2; ++e) {
    Registers pair;
    for (int64_t i = 0; i < 2; ++i)
      pair.push_back(code.fma(
          errors[4 * e + i], updateGrads[4 * e + i],
          code.mul(errors[4 * e + 2 + i], updateGrads[4 * e + 2 + i])));
    storeSums(pair, betaParts, code.warp * kKdaChunk + inGroup * 2 + 8 * e);
  }
  for (int64_t first = 0; first < channels; first += 8) {
    Registers pair(2, code.f32(0));
    for (int64_t r = 0; r < 2; ++r) {
      Int row = stateRow() + 8 * r;
      Registers state = loadPair(buffer, stateTile, row, inGroup + first / 2);
      for (int64_t i = 0; i < 2; ++i)
        pair[i] = code.fma(stateGrad[first / 2 + 2 * r + i], state[i], pair[i]);
    }
    storeSums(pair, decayParts,
              code.warp * layout.columns + inGroup * 2 + first);
  }
}

Registers KdaBackwardBuilder::stepBackwards(Int chunk, Int count,
                                            ValueRange before) const {
  bool isBf16 = kda.isBf16();
  Int firstToken = chunk * kKdaChunk, zero = code.number(0);
  Registers inputs = loadTokens(kda.v, firstToken, count);
  Registers outputs = loadTokens(gradients.output, firstToken, count);
  Registers stateGrad(before);
  code.barrier(); // nobody reads the last chunk any more
  issueCopies(firstToken, count);
  int64_t outputBytes = gradients.output.elementBytes();
  Value ofHead = code.offsetWide(
      gradients.output.pointer,
      code.addWide(code.wide(text, kda.tokens * kda.valueHeads * kda.valueDim *
                                       outputBytes),
                   code.wide(head, kda.valueDim * outputBytes)));
  TileCopy(code, rowsTile,
           {ofHead, gradients.output.isBf16, kda.valueHeads * kda.valueDim,
            kda.tokens, kda.valueDim},
           true, kda.valueDim != rowsTile.columns)
      .issue(firstToken, zero, at(outputRows), count);
  code.commitCopies();
  makeOperands(firstToken, count, [] {});
  TileCopy(code, stateTile,
           {stateAt(chunk), isBf16, layout.columns, stateTile.rows, channels},
           false, channels != layout.columns)
      .issue(zero, zero, at(buffer));
  code.commitCopies();
  invertBoth();
  code.waitForCopies(0);
  code.barrier();

  // Transposed, of this warp's values.
  TileFragments naturalKeys(code, layout.gated, TileFragments::Side::Right,
                            true, zero, 1);
  TileFragments acrossGated(code, layout.gated, TileFragments::Side::Right,
                            false, zero, channels / kKdaChunk);
  TileFragments stateRows(code, stateTile, TileFragments::Side::Left, true,
                          code.warp * kWarpColumns, 1);
  for (int64_t step = 0; step < channels * layout.bytes / kStepBytes; ++step)
    code.multiplyAdd(stateRows.load(at(buffer), 0, step),
                     naturalKeys.load(at(layout.gatedKeys), 0, step), inputs);
  Registers betas;
  forSums([&](int64_t e, int64_t, int64_t i) {
    betas.push_back(
        code.load(code.offset(at(layout.betas + (8 * e + i) * 4), inGroup * 8),
                  code.f32(), 4));
  });
  auto timesBeta = [&](const Registers &sums) {
    Registers scaled;
    for (auto [sum, beta] : llvm::zip_equal(sums, betas))
      scaled.push_back(code.mul(sum, beta));
    return scaled;
  };
  Registers none(8, code.f32(0));
  Registers rest = none, updateGrads = none, solved = none;
  addPairs(inputs, layout.inverse, /*isExact=*/false, rest);
  Registers updates = timesBeta(rest);
  addPairs(outputs, layout.queryPairs, gradients.output.isBf16, updateGrads);
  addProduct(stateGrad, along, layout.rest, layout.restKeys, channels,
             updateGrads);
  addPairs(updateGrads, inverseTransposed, /*isExact=*/false, solved);
  Registers errors = timesBeta(solved);
  if (gradients.v.pointer)
    storeTokens(gradients.v, errors, firstToken);
  storeParts(rest, solved, stateGrad);
  storeRows(errors, errorRows);
  storeRows(updates, updateRows);
  code.barrier();

  // Over all values: 16 channels of this warp, or several times so many.
  int64_t parts = channels / kKdaChunk, turns = divideCeil(parts, warps);
  SmallVector<Registers> reads(turns, none), matches(turns, none),
      writes(turns, none);
  auto partOf = [&](int64_t turn) {
    return code.min(code.warp + turn * warps, code.number(parts - 1));
  };
  for (int64_t turn = 0; turn < turns; ++turn) {
    addOverValues(outputRows, partOf(turn), reads[turn]);
    addOverValues(errorRows, partOf(turn), matches[turn]);
  }
  multiplyPairGrads();
  code.barrier();
  storeStateGrad(stateGrad);
  Registers next = stateGrad;
  scaleByTotals(next);
  addOuter(outputs, /*asSum=*/false, acrossGated, layout.gatedQueries, next);
  addOuter(errors, /*asSum=*/true, acrossGated, layout.gatedKeys,
           next); // these rows are negative
  code.barrier();
  for (int64_t turn = 0; turn < turns; ++turn) {
    addOverValues(updateRows, partOf(turn), writes[turn]);
    Value isOwn;
    if (parts % warps != 0)
      isOwn = code.isLess(code.warp + turn * warps, code.number(parts));
    code.ifTrue(isOwn, [&] {
      const Registers *all[] = {&reads[turn], &matches[turn], &writes[turn]};
      double factors[] = {kda.scale, -1, 1};
      for (int64_t which = 0; which < 3; ++which)
        for (int64_t e = 0; e < 2; ++e)
          for (int64_t r = 0; r < 2; ++r) {
            Registers pair;
            for (int64_t i = 0; i < 2; ++i)
              pair.push_back(code.mul((*all[which])[4 * e + 2 * r + i],
                                      code.f32(factors[which])));
            Int row = group8 + (which * kKdaChunk + 8 * r);
            Int channel = partOf(turn) * kKdaChunk + inGroup * 2 + 8 * e;
            code.store(code.vectorOf(pair),
                       code.offset(at(channelRows),
                                   (row * channelStride + channel) * 4),
                       8);
          }
    });
  }
  code.barrier();
  channelGradients(firstToken, count);
  Value betaGrad = code.f32(0);
  Int place = code.lane % kKdaChunk;
  for (int64_t warp = 0; warp < warps; ++warp)
    betaGrad = code.add(
        betaGrad,
        code.load(code.offset(at(betaParts + warp * kKdaChunk * 4), place * 4),
                  code.f32(), 4));
  storeBeta(
      firstToken + code.thread,
      code.both(code.isLess(code.thread, code.number(kKdaChunk)),
                code.isLess(firstToken + code.thread, code.number(kda.tokens))),
      betaGrad);
  return next;
}

void KdaBackwardBuilder::build() {
  Int count = liveTokens();
  Int chunks = (count + (kKdaChunk - 1)) / kKdaChunk;
  Queries wanted = std::exchange(queries, Queries::None);
  runForwards(
      count, loadState(kda.state),
      [&](Int chunk, ValueRange state) { storeStateOperand(chunk, state); },
      [](Int, ValueRange, MutableArrayRef<Value>) {});
  queries = wanted;
  // Of f32: products that the state is no left operand of, and others.
  if (!kda.isBf16())
    std::swap(layout.gated.reads, layout.rest.reads);
  Registers stateGrad =
      code.loop(code.number(0), chunks, 1, loadState(gradients.newState),
                [&](Int step, ValueRange before) {
                  return stepBackwards(chunks - step - 1, count, before);
                });
  if (gradients.state) {
    code.barrier(); // threads without a place in it have read some of the other
    storeState(stateGrad, gradients.state);
  }
  if (kda.length)
    clearTokens(chunks * kKdaChunk);
  if (group > 1)
    addShares();
}

/// Warps for all values, and for two parts of 16 channels each at most.
static int64_t warpsOf(const Kda &kda) {
  int64_t forValues = divideCeil(kda.valueDim, kWarpColumns);
  int64_t forKeys = divideCeil(kda.keyDim, 2 * kKdaChunk);
  return llvm::PowerOf2Ceil(std::max<int64_t>(std::max(forValues, forKeys), 1));
}

std::optional<GpuLaunch>
attnres::nvptx::buildKdaBackward(OpBuilder &builder, Location loc,
                                 const Kda &kda, const KdaGradients &gradients,
                                 int64_t mostSharedBytes) {
  int64_t warps = warpsOf(kda);
  // Registers of a state gradient and of what goes with it.
  if (kda.keyDim < 1 || warps > 16 || kda.keyDim * warps > 2048)
    return std::nullopt;
  KdaBackwardBuilder work(builder, loc, kda, gradients, warps);
  if (work.sharedBytes() > mostSharedBytes)
    return std::nullopt;
  GpuLaunch launch;
  launch.grid[0] = kda.batch * kda.valueHeads;
  launch.block[0] = 32 * warps;
  launch.sharedBytes = work.sharedBytes();
  launch.scratchBytes = work.scratchBytes();
  if (launch.grid[0] > 0)
    work.build();
  return launch;
}
