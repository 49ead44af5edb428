//===- MmaKdaChunk.cpp - chunks of the delta rule on GPUs -----------------===//
#include "passes/nvptx/MmaKdaChunk.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

KdaLayout::KdaLayout(const Kda &kda, int64_t gatedBytes, int64_t pairBytes)
    : columns(llvm::PowerOf2Ceil(std::max<int64_t>(kda.keyDim, 64))),
      bytes(kda.isBf16() ? 2 : 4), query{kKdaChunk, columns,
                                         kda.q.elementBytes()},
      key{kKdaChunk, columns, kda.k.elementBytes()},
      factor{kKdaChunk, columns, 4}, natural{kKdaChunk, columns, bytes},
      gated(natural),
      rest(natural), pairs{kKdaChunk, kPanelBytes / bytes, bytes} {
  if (bytes == 4) {
    gated.reads = pairs.reads = TileShape::Reads::Quads;
    rest.reads = TileShape::Reads::EvenQuads;
  }
  queries = allocate(query.bytes());
  keys = allocate(key.bytes());
  factors = allocate(factor.bytes());
  gatedQueries = allocate(std::max(3 * gated.bytes(), gatedBytes));
  gatedKeys = gatedQueries + gated.bytes();
  restKeys = gatedKeys + gated.bytes();
  // Of bits that are worked on at once, all unless that is too much.
  bitsAtOnce = natural.bytes() > 8192 ? kKdaBits / 2 : kKdaBits;
  uppers = allocate(std::max(bitsAtOnce / 2 * 3 * natural.bytes(), pairBytes));
  lowers = uppers + bitsAtOnce * natural.bytes();
  inverse = allocate(pairs.bytes());
  queryPairs = allocate(pairs.bytes());
  keySums = allocate(kKdaChunk * kPairStride * 4);
  querySums = allocate(kKdaChunk * kPairStride * 4);
  totals = allocate(columns * 4);
  betas = allocate(kKdaChunk * 4);
  diagonal = allocate(kKdaChunk * 4);
}

KdaChunkCode::KdaChunkCode(OpBuilder &builder, Location loc, const Kda &kda,
                           int64_t warps, int64_t parts, Queries queries,
                           int64_t gatedBytes, int64_t pairBytes)
    : kda(kda), layout(kda, gatedBytes, pairBytes), queries(queries),
      warps(warps), channels(llvm::alignTo(kda.keyDim, kKdaChunk)),
      code(builder, loc, 32 * warps), a(builder, loc), group8(code.lane / 4),
      inGroup(code.lane % 4), head(code.block / parts % kda.valueHeads),
      text(code.block / parts / kda.valueHeads),
      column(code.block % parts * (warps * kWarpColumns) +
             code.warp * kWarpColumns + group8),
      along(code, kda.isBf16() ? layout.natural : layout.gated,
            TileFragments::Side::Right, true, code.number(0), 1),
      alongPairs(code, layout.pairs, TileFragments::Side::Right, true,
                 code.number(0), 1),
      upper(code, layout.natural, TileFragments::Side::Left, true,
            code.number(0), 1),
      lower(code, layout.natural, TileFragments::Side::Right, true,
            code.number(0), 1) {}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void KdaChunkCode::issueCopies(Int firstToken, Int count) const {
  auto issue = [&](Value pointer, bool isBf16, const TileShape &tile,
                   int64_t place, int64_t heads, Int head) {
    int64_t bytes = isBf16 ? 2 : 4;
    Value start = code.offsetWide(
        pointer,
        code.addWide(code.wide(text, kda.tokens * heads * kda.keyDim * bytes),
                     code.wide(head, kda.keyDim * bytes)));
    TileCopy(code, tile,
             {start, isBf16, heads * kda.keyDim, kda.tokens, kda.keyDim},
             /*checkRows=*/true, kda.keyDim != tile.columns)
        .issue(firstToken, code.number(0), at(place), count);
  };
  Int keyHead = head / (kda.valueHeads / kda.heads);
  issue(kda.q.pointer, kda.q.isBf16, layout.query, layout.queries, kda.heads,
        keyHead);
  issue(kda.k.pointer, kda.k.isBf16, layout.key, layout.keys, kda.heads,
        keyHead);
  issue(kda.decay, false, layout.factor, layout.factors, kda.valueHeads, head);
}

Registers KdaChunkCode::loadPair(int64_t place, const TileShape &tile, Int row,
                                 Int pair) const {
  int64_t bytes = 2 * tile.elementBytes;
  Value pointer = placeOf(place, tile, row, pair * bytes);
  if (tile.elementBytes == 4)
    return code.elementsOf(
        code.load(pointer, VectorType::get({2}, code.f32()), bytes));
  Value bits = code.load(pointer, code.i32(), bytes);
  return {code.unpackBf16(bits, false), code.unpackBf16(bits, true)};
}

void KdaChunkCode::storePair(ValueRange values, int64_t place,
                             const TileShape &tile, Int row, Int pair) const {
  int64_t bytes = 2 * tile.elementBytes;
  Value value = tile.elementBytes == 4 ? code.vectorOf(values)
                                       : code.packBf16(values[0], values[1]);
  code.store(value, placeOf(place, tile, row, pair * bytes), bytes);
}

/// The order of a lane's sums of 16 rows and columns: column 8 e + 2 t + i of
/// row g + 8 r is number 4 e + 2 r + i.
void attnres::nvptx::forSums(
    function_ref<void(int64_t e, int64_t r, int64_t i)> body) {
  for (int64_t e = 0; e < 2; ++e)
    for (int64_t r = 0; r < 2; ++r)
      for (int64_t i = 0; i < 2; ++i)
        body(e, r, i);
}

Registers KdaChunkCode::loadState(Value pointer) const {
  if (!pointer)
    return Registers(channels / kKdaChunk * 8, code.f32(0));
  Registers state;
  Value start =
      code.offsetWide(pointer, code.wide(text * kda.valueHeads + head,
                                         kda.keyDim * kda.valueDim * 4));
  for (int64_t first = 0; first < channels; first += kKdaChunk)
    forSums([&](int64_t e, int64_t r, int64_t i) {
      Int channel = inGroup * 2 + (first + 8 * e + i), v = column + 8 * r;
      Int row = code.min(channel, code.number(kda.keyDim - 1));
      Int place =
          row * kda.valueDim + code.min(v, code.number(kda.valueDim - 1));
      Value number = code.load(code.offset(start, place * 4), code.f32(), 4);
      Value isThere = code.both(code.isLess(channel, code.number(kda.keyDim)),
                                code.isLess(v, code.number(kda.valueDim)));
      state.push_back(code.select(isThere, number, code.f32(0)));
    });
  return state;
}

void KdaChunkCode::storeState(ValueRange state, Value pointer) const {
  Value start =
      code.offsetWide(pointer, code.wide(text * kda.valueHeads + head,
                                         kda.keyDim * kda.valueDim * 4));
  for (int64_t first = 0; first < channels; first += kKdaChunk)
    forSums([&](int64_t e, int64_t r, int64_t i) {
      Int channel = inGroup * 2 + (first + 8 * e + i), v = column + 8 * r;
      Value isThere = code.both(code.isLess(channel, code.number(kda.keyDim)),
                                code.isLess(v, code.number(kda.valueDim)));
      code.ifTrue(isThere, [&] {
        code.store(state[first / 2 + 4 * e + 2 * r + i],
                   code.offset(start, (channel * kda.valueDim + v) * 4), 4);
      });
    });
}

Registers KdaChunkCode::loadTokens(const Kda::Tensor &tensor, Int firstToken,
                                   Int count) const {
  Registers values;
  int64_t bytes = tensor.elementBytes();
  forSums([&](int64_t e, int64_t r, int64_t i) {
    Int token = firstToken + inGroup * 2 + (8 * e + i), v = column + 8 * r;
    Int row =
        (text * kda.tokens + code.min(token, count - 1)) * kda.valueHeads +
        head;
    Value pointer = code.offsetWide(
        tensor.pointer,
        code.addWide(
            code.wide(row, kda.valueDim * bytes),
            code.wide(code.min(v, code.number(kda.valueDim - 1)), bytes)));
    Value number =
        tensor.isBf16
            ? code.fromBf16(code.load(pointer, code.builder.getI16Type(), 2))
            : code.load(pointer, code.f32(), 4);
    Value isThere = code.both(code.isLess(token, count),
                              code.isLess(v, code.number(kda.valueDim)));
    values.push_back(code.select(isThere, number, code.f32(0)));
  });
  return values;
}

void KdaChunkCode::storeTokens(const Kda::Tensor &tensor, ValueRange sums,
                               Int firstToken) const {
  int64_t bytes = tensor.elementBytes();
  forSums([&](int64_t e, int64_t r, int64_t i) {
    Int token = firstToken + inGroup * 2 + (8 * e + i), v = column + 8 * r;
    Value isThere = code.both(code.isLess(token, code.number(kda.tokens)),
                              code.isLess(v, code.number(kda.valueDim)));
    Value sum = sums[4 * e + 2 * r + i];
    code.ifTrue(isThere, [&] {
      Int row = (text * kda.tokens + token) * kda.valueHeads + head;
      Value pointer = code.offsetWide(
          tensor.pointer, code.addWide(code.wide(row, kda.valueDim * bytes),
                                       code.wide(v, bytes)));
      code.store(tensor.isBf16 ? code.toBf16(sum) : sum, pointer, bytes);
    });
  });
}

//===----------------------------------------------------------------------===//
// What all warps need
//===----------------------------------------------------------------------===//

void KdaChunkCode::forPairs(int64_t task,
                            function_ref<void(Int pair)> body) const {
  int64_t pairs = layout.columns / 2;
  int64_t shift = code.threads - task * pairs % code.threads;
  code.loop((code.thread + shift) % code.threads, code.number(pairs),
            code.threads, {}, [&](Int pair, ValueRange) {
              body(pair);
              return Registers();
            });
}

void KdaChunkCode::prepare(Int firstToken, Int count) const {
  int64_t pairs = layout.columns / 2;
  code.loop(code.thread, code.number(kKdaChunk * pairs), code.threads, {},
            [&](Int item, ValueRange) {
              Int row = item / pairs, pair = item % pairs;
              Registers factors;
              for (Value x : loadPair(layout.factors, layout.factor, row, pair))
                factors.push_back(
                    kda.isBf16()
                        ? code.exp2(code.mul(x, code.f32(1.4426950408889634)))
                        : a.exp(x));
              storePair(factors, layout.factors, layout.factor, row, pair);
              return Registers();
            });
  // q_i . k_i, a token for each warp.
  code.loop(code.warp, code.number(kKdaChunk), warps, {},
            [&](Int row, ValueRange) {
              Value sum = code.f32(0);
              for (int64_t first = 0; first < pairs; first += 32) {
                Int pair = code.lane + first;
                Registers q = loadPair(layout.queries, layout.query, row, pair);
                Registers k = loadPair(layout.keys, layout.key, row, pair);
                for (int64_t i = 0; i < 2; ++i)
                  sum = code.fma(q[i], k[i], sum);
              }
              for (int64_t distance = 16; distance > 0; distance /= 2)
                sum = code.add(sum, code.shuffleXor(sum, distance));
              code.ifTrue(code.isEqual(code.lane, code.number(0)), [&] {
                code.store(code.mul(sum, code.f32(kda.scale)),
                           code.offset(at(layout.diagonal), row * 4), 4);
              });
              return Registers();
            });
  code.ifTrue(code.isLess(code.thread, code.number(kKdaChunk)), [&] {
    Int token = firstToken + code.thread;
    Value beta =
        code.ifElse(
                code.isLess(token, count), code.f32(),
                [&]() -> Registers {
                  Int row = (text * kda.tokens + token) * kda.valueHeads + head;
                  int64_t bytes = kda.beta.elementBytes();
                  Value pointer =
                      code.offsetWide(kda.beta.pointer, code.wide(row, bytes));
                  if (!kda.beta.isBf16)
                    return {code.load(pointer, code.f32(), 4)};
                  return {code.fromBf16(
                      code.load(pointer, code.builder.getI16Type(), 2))};
                },
                [&]() -> Registers { return {code.f32(0)}; })
            .front();
    code.store(beta, code.offset(at(layout.betas), code.thread * 4), 4);
  });
}

void KdaChunkCode::gateRows() const {
  forPairs(kKdaBits, [&](Int pair) {
    Registers gate = ones(), scale(2, code.f32(kda.scale));
    for (int64_t row = 0; row < kKdaChunk; ++row) {
      gate = times(gate, factorRow(row, pair));
      Registers key = times(gate, keyRow(row, pair));
      for (Value &number : key)
        number = a.neg(number);
      storePair(key, layout.gatedKeys, layout.gated, code.number(row), pair);
      if (queries != Queries::None)
        storePair(times(scale, times(gate, queryRow(row, pair))),
                  layout.gatedQueries, layout.gated, code.number(row), pair);
    }
  });
  forPairs(kKdaBits + 1, [&](Int pair) {
    Registers rest = ones();
    for (int64_t row = kKdaChunk - 1; row >= 0; --row) {
      storePair(times(rest, keyRow(row, pair)), layout.restKeys, layout.rest,
                code.number(row), pair);
      rest = times(rest, factorRow(row, pair));
    }
    code.store(code.vectorOf(rest), code.offset(at(layout.totals), pair * 8),
               8);
  });
}

// Row `place` of the uppers is the key of the token with that number among
// those with the bit, row 8 + `place` its query. Two bits share a tile of
// lowers.
void KdaChunkCode::splitRows(int64_t bit) const {
  int64_t half = int64_t(1) << bit, slot = bit % layout.bitsAtOnce;
  int64_t uppers = layout.uppers + slot * layout.natural.bytes();
  int64_t lowers = layout.lowers + slot / 2 * layout.natural.bytes();
  forPairs(bit, [&](Int pair) {
    for (int64_t first = 0; first < kKdaChunk; first += 2 * half) {
      int64_t place = first / 2;
      Registers product = ones();
      for (int64_t i = half - 1; i >= 0; --i) {
        storePair(times(product, keyRow(first + i, pair)), lowers,
                  layout.natural, code.number(slot % 2 * 8 + place + i), pair);
        if (i > 0)
          product = times(product, factorRow(first + i, pair));
      }
      product = ones();
      for (int64_t i = 0; i < half; ++i) {
        int64_t token = first + half + i;
        product = times(product, factorRow(token, pair));
        storePair(times(product, keyRow(token, pair)), uppers, layout.natural,
                  code.number(place + i), pair);
        storePair(times(product, queryRow(token, pair)), uppers, layout.natural,
                  code.number(8 + place + i), pair);
      }
    }
  });
}

void KdaChunkCode::multiplyPairs(int64_t bit) const {
  int64_t half = int64_t(1) << bit, slot = bit % layout.bitsAtOnce;
  Value uppers = at(layout.uppers + slot * layout.natural.bytes());
  Value lowers = at(layout.lowers + slot / 2 * layout.natural.bytes());
  int64_t steps = channels * layout.bytes / kStepBytes;
  // Place p of those with the bit, or without, is this token.
  auto tokenOf = [&](Int place, bool isUpper) {
    return place / half * (2 * half) + place % half + (isUpper ? half : 0);
  };
  // Of row `group8` and columns 2 t and 2 t + 1, where they are equal above.
  auto store = [&](int64_t to, ArrayRef<Value> values, bool rowsAreUppers) {
    for (int64_t i = 0; i < 2; i += bit == 0 ? 1 : 2) {
      ArrayRef<Value> run = values.slice(i, bit == 0 ? 1 : 2);
      Int place = inGroup * 2 + i;
      code.ifTrue(code.isEqual(group8 / half, place / half), [&] {
        Int element = tokenOf(group8, rowsAreUppers) * kPairStride +
                      tokenOf(place, !rowsAreUppers);
        code.store(code.vectorOf(run), code.offset(at(to), element * 4),
                   4 * run.size());
      });
    }
  };
  auto scaled = [&](ArrayRef<Value> sums) {
    Registers result;
    for (Value sum : sums)
      result.push_back(code.mul(sum, code.f32(kda.scale)));
    return result;
  };
  code.ifTrue(code.isEqual(code.warp, code.number(bit % warps)), [&] {
    Registers sums(8, code.f32(0));
    for (int64_t step = 0; step < steps; ++step)
      code.multiplyAdd(upper.load(uppers, 0, step), lower.load(lowers, 0, step),
                       sums);
    // Lowers of this bit are the first or the last eight columns.
    ArrayRef<Value> own = ArrayRef<Value>(sums).slice(slot % 2 * 4, 4);
    store(layout.keySums, own.take_front(2), true);
    if (queries == Queries::Forwards)
      store(layout.querySums, scaled(own.drop_front(2)), true);
  });
  if (queries != Queries::Backwards)
    return;
  code.ifTrue(
      code.isEqual(code.warp, code.number((kKdaBits + bit) % warps)), [&] {
        Registers sums(8, code.f32(0));
        for (int64_t step = 0; step < steps; ++step)
          code.multiplyAdd(upper.load(lowers, 0, step),
                           lower.load(uppers, 0, step), sums);
        // Queries are the last eight columns.
        ArrayRef<Value> own = ArrayRef<Value>(sums).slice(4 + slot % 2 * 2, 2);
        store(layout.querySums, scaled(own), false);
      });
}

// Lane c has column c of T: row i is beta_i (e_i - sum_(j<i) A_ij T_j).
void KdaChunkCode::invert() const {
  code.ifTrue(code.isEqual(code.warp, code.number(0)), [&] {
    Int lane = code.lane % kKdaChunk;
    Type four = VectorType::get({4}, code.f32());
    Registers rows;
    for (int64_t row = 0; row < kKdaChunk; ++row) {
      Value sum = code.select(code.isEqual(lane, code.number(row)), code.f32(1),
                              code.f32(0));
      for (int64_t first = 0; first < row; first += 4) {
        Registers pairs = code.elementsOf(code.load(
            at(layout.keySums + (row * kPairStride + first) * 4), four, 16));
        for (int64_t i = first; i < std::min(first + 4, row); ++i)
          sum = code.fma(a.neg(pairs[i - first]), rows[i], sum);
      }
      Value beta = code.load(at(layout.betas + row * 4), code.f32(), 4);
      rows.push_back(code.mul(beta, sum));
    }
    code.ifTrue(code.isLess(code.lane, code.number(kKdaChunk)), [&] {
      for (int64_t row = 0; row < kKdaChunk; ++row)
        storePairNumber(rows[row], layout.inverse, code.number(row), code.lane);
    });
  });
}

void KdaChunkCode::convertQueryPairs() const {
  code.ifTrue(code.isEqual(code.warp, code.number(1 % warps)), [&] {
    Int column = code.lane % kKdaChunk;
    for (int64_t step = 0; step < kKdaChunk / 2; ++step) {
      // Two rows that share no bank.
      Int row = code.lane / kKdaChunk * 2 + (step / 2 * 4 + step % 2);
      Value sum = code.load(
          code.offset(at(layout.querySums), (row * kPairStride + column) * 4),
          code.f32(), 4);
      Value own =
          code.load(code.offset(at(layout.diagonal), row * 4), code.f32(), 4);
      sum = code.select(code.isEqual(column, row), own, sum);
      storePairNumber(sum, layout.queryPairs, row, column);
    }
  });
}

// Of bf16, the rest of a number lies a step of the depth behind it.
void KdaChunkCode::storePairNumber(Value number, int64_t place, Int row,
                                   Int column) const {
  auto put = [&](Value value, int64_t offset) {
    code.store(
        value,
        placeOf(place, layout.pairs, row, column * layout.bytes + offset),
        layout.bytes);
  };
  if (layout.bytes == 4)
    return put(number, 0);
  Value whole = code.toBf16(number);
  put(whole, 0);
  put(code.toBf16(code.sub(number, code.fromBf16(whole))), kStepBytes);
}

//===----------------------------------------------------------------------===//
// The recurrence
//===----------------------------------------------------------------------===//

void KdaChunkCode::addPairs(ArrayRef<Value> left, int64_t place, bool isExact,
                            MutableArrayRef<Value> sums) const {
  if (!kda.isBf16())
    return addProduct(left, alongPairs, layout.pairs, place, kKdaChunk, sums);
  MmaOperand whole = code.operandOfSums(left, 0, true);
  MmaOperand right = alongPairs.load(at(place), 0, 0);
  code.multiplyAdd(whole, alongPairs.load(at(place), 0, 1), sums);
  if (!isExact)
    code.multiplyAdd(roundingOf(left, whole), right, sums);
  code.multiplyAdd(whole, right, sums);
}

void KdaChunkCode::addProduct(ArrayRef<Value> left,
                              const TileFragments &fragments,
                              const TileShape &tile, int64_t place,
                              int64_t columns,
                              MutableArrayRef<Value> sums) const {
  bool isBf16 = kda.isBf16();
  for (int64_t step = 0; step < columns * layout.bytes / kStepBytes; ++step) {
    MmaOperand right;
    if (isBf16) {
      right = fragments.load(at(place), 0, step);
    } else {
      // Sums have columns 2 t and 2 t + 1 at places t and t + 4 of the depth.
      Registers bits = loadStep(place, tile, group8, step);
      bits.append(loadStep(place, tile, group8 + 8, step));
      right = code.operand(bits, false);
    }
    code.multiplyAdd(code.operandOfSums(left, step, isBf16), right, sums);
  }
}

MmaOperand KdaChunkCode::roundingOf(ArrayRef<Value> sums,
                                    const MmaOperand &operand) const {
  Registers rest;
  for (int64_t i = 0; i < 8; ++i)
    rest.push_back(code.sub(
        sums[i], code.unpackBf16(operand.high[i / 2], /*isHigh=*/i % 2 != 0)));
  return code.operandOfSums(rest, 0, true);
}

void KdaChunkCode::addOuter(ArrayRef<Value> left, bool asSum,
                            const TileFragments &fragments, int64_t place,
                            MutableArrayRef<Value> state) const {
  bool isBf16 = kda.isBf16();
  for (int64_t step = 0; step < kKdaChunk * layout.bytes / kStepBytes; ++step) {
    MmaOperand whole = code.operandOfSums(left, step, isBf16);
    std::optional<MmaOperand> rest;
    if (isBf16 && asSum)
      rest = roundingOf(left, whole);
    for (int64_t part = 0; part < channels / kKdaChunk; ++part) {
      MmaOperand right = fragments.load(at(place), part, step);
      auto sums = state.slice(8 * part, 8);
      if (rest)
        code.multiplyAdd(*rest, right, sums);
      code.multiplyAdd(whole, right, sums);
    }
  }
}

Registers KdaChunkCode::loadStep(int64_t place, const TileShape &tile, Int row,
                                 int64_t step) const {
  Value pointer = placeOf(place, tile, row, inGroup * 8 + step * kStepBytes);
  Registers bits;
  for (Value number :
       code.elementsOf(code.load(pointer, VectorType::get({2}, code.f32()), 8)))
    bits.push_back(code.toBits(number));
  return bits;
}

void KdaChunkCode::scaleByTotals(MutableArrayRef<Value> state) const {
  for (int64_t first = 0; first < channels; first += 8) {
    Registers totals = code.elementsOf(
        code.load(code.offset(at(layout.totals + first * 4), inGroup * 8),
                  VectorType::get({2}, code.f32()), 8));
    for (int64_t i = 0; i < 4; ++i)
      state[first / 2 + i] = code.mul(state[first / 2 + i], totals[i % 2]);
  }
}

Int KdaChunkCode::liveTokens() const {
  return kda.length ? code.clampedElement(kda.length, text, kda.tokens)
                    : code.number(kda.tokens);
}

void KdaChunkCode::makeOperands(Int firstToken, Int count,
                                function_ref<void()> afterCopies) const {
  code.waitForCopies(0);
  code.barrier();
  prepare(firstToken, count);
  code.barrier();
  gateRows();
  for (int64_t first = 0; first < kKdaBits; first += layout.bitsAtOnce) {
    for (int64_t bit = 0; bit < layout.bitsAtOnce; ++bit)
      splitRows(first + bit);
    code.barrier();
    if (first + layout.bitsAtOnce == kKdaBits)
      afterCopies();
    for (int64_t bit = 0; bit < layout.bitsAtOnce; ++bit)
      multiplyPairs(first + bit);
    code.barrier();
  }
}

Registers KdaChunkCode::runForwards(
    Int count, Registers state,
    function_ref<void(Int chunk, ValueRange state)> before, Body after) const {
  Int zero = code.number(0), chunks = (count + (kKdaChunk - 1)) / kKdaChunk;
  auto copyUnlessBehind = [&](Int chunk) {
    code.ifTrue(code.isLess(chunk, chunks),
                [&] { issueCopies(chunk * kKdaChunk, count); });
    code.commitCopies();
  };
  TileFragments across(code, layout.rest, TileFragments::Side::Right, false,
                       zero, channels / kKdaChunk);
  copyUnlessBehind(zero);
  // Pairs on the other side of the diagonal stay zeros.
  code.loop(code.thread, code.number(2 * kKdaChunk * kPairStride), code.threads,
            {}, [&](Int place, ValueRange) {
              code.store(code.f32(0),
                         code.offset(at(layout.keySums), place * 4), 4);
              return Registers();
            });
  return code.loop(zero, chunks, 1, state, [&](Int chunk, ValueRange carried) {
    Int firstToken = chunk * kKdaChunk;
    Registers inputs = loadTokens(kda.v, firstToken, count);
    before(chunk, carried);
    makeOperands(firstToken, count, [&] { copyUnlessBehind(chunk + 1); });
    invert();
    if (queries == Queries::Forwards)
      convertQueryPairs();
    Registers next(carried), outputs(8, code.f32(0));
    addProduct(next, along, layout.gated, layout.gatedKeys, channels, inputs);
    if (queries == Queries::Forwards)
      addProduct(next, along, layout.gated, layout.gatedQueries, channels,
                 outputs);
    code.barrier();
    Registers updates(8, code.f32(0));
    addPairs(inputs, layout.inverse, /*isExact=*/false, updates);
    after(chunk, updates, outputs);
    scaleByTotals(next);
    addOuter(updates, /*asSum=*/false, across, layout.restKeys, next);
    return next;
  });
}
