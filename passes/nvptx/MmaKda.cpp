//===- MmaKda.cpp - Kimi delta attention on tensor cores ------------------===//
//
// A block has some columns of the state of a value head and takes the tokens in
// order, 16 at a time. With the decays a_t of a channel, the names of
// passes/cpu/KdaChunk.h and everything transposed,
//
//   X^T = V^T - S^T (gate k)^T           U^T = X^T T^T
//   O^T = S^T (scale gate q)^T + U^T P^T
//   S^T <- S^T diag(total) + U^T (rest k)     T = (I + diag(beta) A)^-1
//   diag(beta)
//
// Each warp has 16 rows of S^T, which never leave its registers: the result of
// a matrix instruction has the form of a left operand, and columns of the state
// do not depend on each other. What all warps need (gate k, gate q, rest k, T
// and P) they make together in shared memory.
//
// Every factor is a product of decays, so that nothing overflows and a decay to
// nothing is exact. Of A and P, the pairs of a token i with bit l set and a
// token j with bit l clear, equal in the bits above, are products of decays on
// both sides of the place between: a_(m+1) ... a_i of i and a_(j+1) ... a_m of
// j. These are four products of 8 x 8 pairs, one for each bit, and every pair i
// > j is in one of them.
//
//===----------------------------------------------------------------------===//
#include "passes/nvptx/MmaKda.h"

#include "passes/rows/Arithmetic.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

namespace {

/// Tokens of a chunk, its bits, and columns of the state of a warp.
constexpr int64_t kChunk = 16, kBits = 4, kWarpColumns = 16;
constexpr int64_t kMostChannels = 256, kMostWarps = 8;
/// f32 from row to row of the pairs in shared memory, so that rows begin at
/// different banks.
constexpr int64_t kPairStride = 40;

/// Where things are in the shared memory of a block.
struct Layout {
  Layout(const Kda &kda)
      : columns(llvm::PowerOf2Ceil(std::max<int64_t>(kda.keyDim, 64))),
        bytes(kda.isBf16() ? 2 : 4), query{kChunk, columns,
                                           kda.q.elementBytes()},
        key{kChunk, columns, kda.k.elementBytes()}, factor{kChunk, columns, 4},
        natural{kChunk, columns, bytes}, gated(natural),
        rest(natural), pairs{kChunk, kPanelBytes / bytes, bytes} {
    if (bytes == 4) {
      gated.reads = pairs.reads = TileShape::Reads::Quads;
      rest.reads = TileShape::Reads::EvenQuads;
    }
    auto allocate = [&](int64_t size) {
      int64_t place = end;
      end += size;
      return place;
    };
    queries = allocate(query.bytes());
    keys = allocate(key.bytes());
    factors = allocate(factor.bytes());
    gatedQueries = allocate(gated.bytes());
    gatedKeys = allocate(gated.bytes());
    restKeys = allocate(rest.bytes());
    // Of bits that are worked on at once, all unless that is too much.
    bitsAtOnce = natural.bytes() > 8192 ? kBits / 2 : kBits;
    uppers = allocate(bitsAtOnce * natural.bytes());
    lowers = allocate(bitsAtOnce / 2 * natural.bytes());
    inverse = allocate(pairs.bytes());
    queryPairs = allocate(pairs.bytes());
    keySums = allocate(kChunk * kPairStride * 4);
    querySums = allocate(kChunk * kPairStride * 4);
    totals = allocate(columns * 4);
    betas = allocate(kChunk * 4);
    diagonal = allocate(kChunk * 4);
  }

  int64_t columns; ///< of tiles of channels
  int64_t bytes;   ///< of operands of matrix instructions
  /// As they come from memory; a factor is first its logarithm.
  TileShape query, key, factor;
  TileShape natural, gated, rest, pairs;
  int64_t queries, keys, factors, gatedQueries, gatedKeys, restKeys;
  int64_t uppers, lowers, bitsAtOnce;
  int64_t inverse, queryPairs;
  /// f32: sums of pairs [16][kPairStride]; products of all factors; [16].
  int64_t keySums, querySums, totals, betas, diagonal;
  int64_t end = 0;
};

class KdaBuilder {
public:
  KdaBuilder(OpBuilder &builder, Location loc, const Kda &kda,
             const KdaResults &results, int64_t warps, int64_t parts)
      : kda(kda), results(results), layout(kda), warps(warps),
        channels(llvm::alignTo(kda.keyDim, kChunk)),
        code(builder, loc, 32 * warps), a(builder, loc), group(code.lane / 4),
        inGroup(code.lane % 4), head(code.block / parts % kda.valueHeads),
        text(code.block / parts / kda.valueHeads),
        column(code.block % parts * (warps * kWarpColumns) +
               code.warp * kWarpColumns + group),
        along(code, kda.isBf16() ? layout.natural : layout.gated,
              TileFragments::Side::Right, true, code.number(0), 1),
        alongPairs(code, layout.pairs, TileFragments::Side::Right, true,
                   code.number(0), 1),
        across(code, layout.rest, TileFragments::Side::Right, false,
               code.number(0), channels / kChunk),
        upper(code, layout.natural, TileFragments::Side::Left, true,
              code.number(0), 1),
        lower(code, layout.natural, TileFragments::Side::Right, true,
              code.number(0), 1) {}

  void build();

private:
  struct Copies {
    TileCopy queries, keys, factors;
  };
  Copies makeCopies() const;
  void issueCopies(const Copies &copies, Int chunk, Int count) const;

  /// From the copies of a chunk: factors, steps and the pairs of a token with
  /// itself.
  void prepare(Int firstToken, Int count) const;
  void gateRows() const;
  /// Operands of the pairs of a bit, and what their product is.
  void splitRows(int64_t bit) const;
  void multiplyPairs(int64_t bit) const;
  void invert() const;
  void convertQueryPairs() const;

  Registers loadState() const;
  void storeState(ValueRange state) const;
  /// Of tokens by columns, as sums of a warp have them.
  Registers loadValues(Int firstToken, Int count) const;
  void storeOutput(ValueRange sums, Int firstToken) const;
  /// sums += left tile^T, where left are sums of `columns` columns.
  void addProduct(ArrayRef<Value> left, const TileFragments &fragments,
                  const TileShape &tile, int64_t place, int64_t columns,
                  MutableArrayRef<Value> sums) const;

  Value at(int64_t place) const { return code.offset(code.shared, place); }
  /// Two neighbouring elements of a tile in shared memory as f32.
  Registers loadPair(int64_t place, const TileShape &tile, Int row,
                     Int pair) const;
  void storePair(ValueRange values, int64_t place, const TileShape &tile,
                 Int row, Int pair) const;
  Value placeOf(int64_t place, const TileShape &tile, Int row, Int byte) const {
    return code.offset(at(place), tile.offsetOf(row, byte / kPieceBytes) +
                                      byte % kPieceBytes);
  }
  /// Calls `body` for pairs of channels of this thread; tasks of different
  /// numbers begin with different threads.
  void forPairs(int64_t task, function_ref<void(Int pair)> body) const;
  Registers times(const Registers &x, const Registers &y) const {
    return {a.mul(x[0], y[0]), a.mul(x[1], y[1])};
  }
  Registers ones() const { return {code.f32(1), code.f32(1)}; }
  Registers keyRow(int64_t row, Int pair) const {
    return loadPair(layout.keys, layout.key, code.number(row), pair);
  }
  Registers queryRow(int64_t row, Int pair) const {
    return loadPair(layout.queries, layout.query, code.number(row), pair);
  }
  Registers factorRow(int64_t row, Int pair) const {
    return loadPair(layout.factors, layout.factor, code.number(row), pair);
  }

  const Kda &kda;
  const KdaResults &results;
  Layout layout;
  int64_t warps, channels;
  MmaCode code;
  rows::Arithmetic a;
  /// Of the lane: its row of eight and place in it; the column of the state of
  /// its first row.
  Int group, inGroup, head, text, column;
  TileFragments along, alongPairs, across, upper, lower;
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

KdaBuilder::Copies KdaBuilder::makeCopies() const {
  auto copyOf = [&](Value pointer, bool isBf16, const TileShape &tile,
                    int64_t heads, Int head) {
    int64_t bytes = isBf16 ? 2 : 4;
    Value start = code.offsetWide(
        pointer,
        code.addWide(code.wide(text, kda.tokens * heads * kda.keyDim * bytes),
                     code.wide(head, kda.keyDim * bytes)));
    return TileCopy(code, tile,
                    {start, isBf16, heads * kda.keyDim, kda.tokens, kda.keyDim},
                    /*checkRows=*/true, kda.keyDim != tile.columns);
  };
  Int keyHead = head / (kda.valueHeads / kda.heads);
  return {copyOf(kda.q.pointer, kda.q.isBf16, layout.query, kda.heads, keyHead),
          copyOf(kda.k.pointer, kda.k.isBf16, layout.key, kda.heads, keyHead),
          copyOf(kda.decay, false, layout.factor, kda.valueHeads, head)};
}

void KdaBuilder::issueCopies(const Copies &copies, Int chunk, Int count) const {
  Int first = chunk * kChunk, zero = code.number(0);
  copies.queries.issue(first, zero, at(layout.queries), count);
  copies.keys.issue(first, zero, at(layout.keys), count);
  copies.factors.issue(first, zero, at(layout.factors), count);
}

Registers KdaBuilder::loadPair(int64_t place, const TileShape &tile, Int row,
                               Int pair) const {
  int64_t bytes = 2 * tile.elementBytes;
  Value pointer = placeOf(place, tile, row, pair * bytes);
  if (tile.elementBytes == 4)
    return code.elementsOf(
        code.load(pointer, VectorType::get({2}, code.f32()), bytes));
  Value bits = code.load(pointer, code.i32(), bytes);
  return {code.unpackBf16(bits, false), code.unpackBf16(bits, true)};
}

void KdaBuilder::storePair(ValueRange values, int64_t place,
                           const TileShape &tile, Int row, Int pair) const {
  int64_t bytes = 2 * tile.elementBytes;
  Value value = tile.elementBytes == 4 ? code.vectorOf(values)
                                       : code.packBf16(values[0], values[1]);
  code.store(value, placeOf(place, tile, row, pair * bytes), bytes);
}

/// The order of a lane's sums of 16 rows and columns: column 8 e + 2 t + i of
/// row g + 8 r is number 4 e + 2 r + i.
static void forSums(function_ref<void(int64_t e, int64_t r, int64_t i)> body) {
  for (int64_t e = 0; e < 2; ++e)
    for (int64_t r = 0; r < 2; ++r)
      for (int64_t i = 0; i < 2; ++i)
        body(e, r, i);
}

Registers KdaBuilder::loadState() const {
  if (!kda.state)
    return Registers(channels / kChunk * 8, code.f32(0));
  Registers state;
  Value start =
      code.offsetWide(kda.state, code.wide(text * kda.valueHeads + head,
                                           kda.keyDim * kda.valueDim * 4));
  for (int64_t first = 0; first < channels; first += kChunk)
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

void KdaBuilder::storeState(ValueRange state) const {
  Value start = code.offsetWide(
      results.newState,
      code.wide(text * kda.valueHeads + head, kda.keyDim * kda.valueDim * 4));
  for (int64_t first = 0; first < channels; first += kChunk)
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

Registers KdaBuilder::loadValues(Int firstToken, Int count) const {
  Registers values;
  int64_t bytes = kda.v.elementBytes();
  forSums([&](int64_t e, int64_t r, int64_t i) {
    Int token = firstToken + inGroup * 2 + (8 * e + i), v = column + 8 * r;
    Int row =
        (text * kda.tokens + code.min(token, count - 1)) * kda.valueHeads +
        head;
    Value pointer = code.offsetWide(
        kda.v.pointer,
        code.addWide(
            code.wide(row, kda.valueDim * bytes),
            code.wide(code.min(v, code.number(kda.valueDim - 1)), bytes)));
    Value number =
        kda.v.isBf16
            ? code.fromBf16(code.load(pointer, code.builder.getI16Type(), 2))
            : code.load(pointer, code.f32(), 4);
    Value isThere = code.both(code.isLess(token, count),
                              code.isLess(v, code.number(kda.valueDim)));
    values.push_back(code.select(isThere, number, code.f32(0)));
  });
  return values;
}

void KdaBuilder::storeOutput(ValueRange sums, Int firstToken) const {
  int64_t bytes = results.output.elementBytes();
  forSums([&](int64_t e, int64_t r, int64_t i) {
    Int token = firstToken + inGroup * 2 + (8 * e + i), v = column + 8 * r;
    Value isThere = code.both(code.isLess(token, code.number(kda.tokens)),
                              code.isLess(v, code.number(kda.valueDim)));
    Value sum = sums[4 * e + 2 * r + i];
    code.ifTrue(isThere, [&] {
      Int row = (text * kda.tokens + token) * kda.valueHeads + head;
      Value pointer =
          code.offsetWide(results.output.pointer,
                          code.addWide(code.wide(row, kda.valueDim * bytes),
                                       code.wide(v, bytes)));
      code.store(results.output.isBf16 ? code.toBf16(sum) : sum, pointer,
                 bytes);
    });
  });
}

//===----------------------------------------------------------------------===//
// What all warps need
//===----------------------------------------------------------------------===//

void KdaBuilder::forPairs(int64_t task,
                          function_ref<void(Int pair)> body) const {
  int64_t pairs = layout.columns / 2;
  int64_t shift = code.threads - task * pairs % code.threads;
  code.loop((code.thread + shift) % code.threads, code.number(pairs),
            code.threads, {}, [&](Int pair, ValueRange) {
              body(pair);
              return Registers();
            });
}

void KdaBuilder::prepare(Int firstToken, Int count) const {
  int64_t pairs = layout.columns / 2;
  code.loop(code.thread, code.number(kChunk * pairs), code.threads, {},
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
  code.loop(code.warp, code.number(kChunk), warps, {},
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
  code.ifTrue(code.isLess(code.thread, code.number(kChunk)), [&] {
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

void KdaBuilder::gateRows() const {
  forPairs(kBits, [&](Int pair) {
    Registers gate = ones(), scale(2, code.f32(kda.scale));
    for (int64_t row = 0; row < kChunk; ++row) {
      gate = times(gate, factorRow(row, pair));
      Registers key = times(gate, keyRow(row, pair));
      for (Value &number : key)
        number = a.neg(number);
      storePair(key, layout.gatedKeys, layout.gated, code.number(row), pair);
      if (results.output.pointer)
        storePair(times(scale, times(gate, queryRow(row, pair))),
                  layout.gatedQueries, layout.gated, code.number(row), pair);
    }
  });
  forPairs(kBits + 1, [&](Int pair) {
    Registers rest = ones();
    for (int64_t row = kChunk - 1; row >= 0; --row) {
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
void KdaBuilder::splitRows(int64_t bit) const {
  int64_t half = int64_t(1) << bit, slot = bit % layout.bitsAtOnce;
  int64_t uppers = layout.uppers + slot * layout.natural.bytes();
  int64_t lowers = layout.lowers + slot / 2 * layout.natural.bytes();
  forPairs(bit, [&](Int pair) {
    for (int64_t first = 0; first < kChunk; first += 2 * half) {
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

void KdaBuilder::multiplyPairs(int64_t bit) const {
  int64_t half = int64_t(1) << bit, slot = bit % layout.bitsAtOnce;
  code.ifTrue(code.isEqual(code.warp, code.number(bit % warps)), [&] {
    Registers sums(8, code.f32(0));
    for (int64_t step = 0; step < channels * layout.bytes / kStepBytes; ++step)
      code.multiplyAdd(
          upper.load(at(layout.uppers + slot * layout.natural.bytes()), 0,
                     step),
          lower.load(at(layout.lowers + slot / 2 * layout.natural.bytes()), 0,
                     step),
          sums);
    // Lane 4 g + t has uppers g and lowers 2 t and 2 t + 1.
    ArrayRef<Value> own = ArrayRef<Value>(sums).slice(slot % 2 * 4, 4);
    auto store = [&](int64_t place, ArrayRef<Value> values, Int lowerPlace) {
      code.ifTrue(code.isEqual(group / half, lowerPlace / half), [&] {
        Int row = group / half * (2 * half) + half + group % half;
        Int column = lowerPlace / half * (2 * half) + lowerPlace % half;
        code.store(code.vectorOf(values),
                   code.offset(at(place), (row * kPairStride + column) * 4),
                   4 * values.size());
      });
    };
    Registers queries;
    for (Value sum : own.drop_front(2))
      queries.push_back(code.mul(sum, code.f32(kda.scale)));
    for (int64_t i = 0; i < 2; i += bit == 0 ? 1 : 2) {
      int64_t run = bit == 0 ? 1 : 2;
      store(layout.keySums, own.slice(i, run), inGroup * 2 + i);
      store(layout.querySums, ArrayRef<Value>(queries).slice(i, run),
            inGroup * 2 + i);
    }
  });
}

// Lane c has column c of T: row i is beta_i (e_i - sum_(j<i) A_ij T_j).
void KdaBuilder::invert() const {
  code.ifTrue(code.isEqual(code.warp, code.number(0)), [&] {
    Int lane = code.lane % kChunk;
    Type four = VectorType::get({4}, code.f32());
    Registers rows;
    for (int64_t row = 0; row < kChunk; ++row) {
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
    code.ifTrue(code.isLess(code.lane, code.number(kChunk)), [&] {
      for (int64_t row = 0; row < kChunk; ++row)
        code.store(layout.bytes == 2 ? code.toBf16(rows[row]) : rows[row],
                   placeOf(layout.inverse, layout.pairs, code.number(row),
                           code.lane * layout.bytes),
                   layout.bytes);
    });
  });
}

void KdaBuilder::convertQueryPairs() const {
  code.ifTrue(code.isEqual(code.warp, code.number(1 % warps)), [&] {
    Int column = code.lane % kChunk;
    for (int64_t step = 0; step < kChunk / 2; ++step) {
      // Two rows that share no bank.
      Int row = code.lane / kChunk * 2 + (step / 2 * 4 + step % 2);
      Value sum = code.load(
          code.offset(at(layout.querySums), (row * kPairStride + column) * 4),
          code.f32(), 4);
      Value own =
          code.load(code.offset(at(layout.diagonal), row * 4), code.f32(), 4);
      sum = code.select(code.isEqual(column, row), own, sum);
      code.store(
          layout.bytes == 2 ? code.toBf16(sum) : sum,
          placeOf(layout.queryPairs, layout.pairs, row, column * layout.bytes),
          layout.bytes);
    }
  });
}

//===----------------------------------------------------------------------===//
// The recurrence
//===----------------------------------------------------------------------===//

void KdaBuilder::addProduct(ArrayRef<Value> left,
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
      Registers bits;
      for (int64_t half = 0; half < 2; ++half) {
        Value pointer = placeOf(place, tile, group + half * 8,
                                inGroup * 8 + step * kStepBytes);
        for (Value number : code.elementsOf(
                 code.load(pointer, VectorType::get({2}, code.f32()), 8)))
          bits.push_back(code.toBits(number));
      }
      right = code.operand(bits, false);
    }
    code.multiplyAdd(code.operandOfSums(left, step, isBf16), right, sums);
  }
}

void KdaBuilder::build() {
  Int zero = code.number(0);
  Int count = kda.length ? code.clampedElement(kda.length, text, kda.tokens)
                         : code.number(kda.tokens);
  Int chunks = (count + (kChunk - 1)) / kChunk;
  Copies copies = makeCopies();
  auto copyUnlessBehind = [&](Int chunk) {
    code.ifTrue(code.isLess(chunk, chunks),
                [&] { issueCopies(copies, chunk, count); });
    code.commitCopies();
  };
  copyUnlessBehind(zero);
  // Pairs above the diagonal stay zeros.
  code.loop(code.thread, code.number(2 * kChunk * kPairStride), code.threads,
            {}, [&](Int place, ValueRange) {
              code.store(code.f32(0),
                         code.offset(at(layout.keySums), place * 4), 4);
              return Registers();
            });
  Registers state = code.loop(
      zero, chunks, 1, loadState(), [&](Int chunk, ValueRange before) {
        Int firstToken = chunk * kChunk;
        Registers inputs = loadValues(firstToken, count);
        code.waitForCopies(0);
        code.barrier();
        prepare(firstToken, count);
        code.barrier();
        gateRows();
        for (int64_t first = 0; first < kBits; first += layout.bitsAtOnce) {
          for (int64_t bit = 0; bit < layout.bitsAtOnce; ++bit)
            splitRows(first + bit);
          code.barrier();
          if (first + layout.bitsAtOnce == kBits)
            copyUnlessBehind(chunk + 1);
          for (int64_t bit = 0; bit < layout.bitsAtOnce; ++bit)
            multiplyPairs(first + bit);
          code.barrier();
        }
        invert();
        if (results.output.pointer)
          convertQueryPairs();
        Registers next(before), outputs(8, code.f32(0));
        addProduct(next, along, layout.gated, layout.gatedKeys, channels,
                   inputs);
        if (results.output.pointer)
          addProduct(next, along, layout.gated, layout.gatedQueries, channels,
                     outputs);
        code.barrier();
        Registers updates(8, code.f32(0));
        addProduct(inputs, alongPairs, layout.pairs, layout.inverse, kChunk,
                   updates);
        if (results.output.pointer) {
          addProduct(updates, alongPairs, layout.pairs, layout.queryPairs,
                     kChunk, outputs);
          storeOutput(outputs, firstToken);
        }
        for (int64_t first = 0; first < channels; first += 8) {
          Registers totals = code.elementsOf(
              code.load(code.offset(at(layout.totals + first * 4), inGroup * 8),
                        VectorType::get({2}, code.f32()), 8));
          for (int64_t i = 0; i < 4; ++i)
            next[first / 2 + i] = code.mul(next[first / 2 + i], totals[i % 2]);
        }
        for (int64_t step = 0; step < kChunk * layout.bytes / kStepBytes;
             ++step) {
          MmaOperand left = code.operandOfSums(updates, step, kda.isBf16());
          for (int64_t part = 0; part < channels / kChunk; ++part)
            code.multiplyAdd(left, across.load(at(layout.restKeys), part, step),
                             MutableArrayRef<Value>(next).slice(8 * part, 8));
        }
        return next;
      });
  // Tokens behind the end.
  if (results.output.pointer && kda.length)
    code.loop(chunks, code.number(divideCeil(kda.tokens, kChunk)), 1, {},
              [&](Int chunk, ValueRange) {
                storeOutput(Registers(8, code.f32(0)), chunk * kChunk);
                return Registers();
              });
  if (!results.newState)
    return;
  // It may lie over the state, of which threads without a place in it have read
  // some, too.
  code.barrier();
  storeState(state);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Blocks that share a head.
static int64_t partsOf(const Kda &kda, int64_t warps) {
  return divideCeil(kda.valueDim, warps * kWarpColumns);
}

int64_t attnres::nvptx::chooseKdaWarps(const Kda &kda, int64_t processors) {
  // A power of two, as copies want it.
  int64_t warps = llvm::PowerOf2Ceil(std::clamp<int64_t>(
      divideCeil(kda.valueDim, kWarpColumns), 1, kMostWarps));
  // Few heads are cut further, though their keys are then read more than once.
  int64_t heads = kda.batch * kda.valueHeads;
  while (warps > 2 && heads * partsOf(kda, warps / 2) <= processors)
    warps /= 2;
  return warps;
}

std::optional<GpuLaunch> attnres::nvptx::buildKda(OpBuilder &builder,
                                                  Location loc, const Kda &kda,
                                                  const KdaResults &results,
                                                  int64_t warps,
                                                  int64_t mostSharedBytes) {
  Layout layout(kda);
  if (kda.keyDim < 1 || kda.keyDim > kMostChannels ||
      layout.end > mostSharedBytes)
    return std::nullopt;
  int64_t parts = partsOf(kda, warps);
  GpuLaunch launch;
  launch.grid[0] = kda.batch * kda.valueHeads * parts;
  launch.block[0] = 32 * warps;
  launch.sharedBytes = layout.end;
  if (launch.grid[0] > 0)
    KdaBuilder(builder, loc, kda, results, warps, parts).build();
  return launch;
}
