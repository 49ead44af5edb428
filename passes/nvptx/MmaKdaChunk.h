//===- MmaKdaChunk.h - chunks of the delta rule on GPUs ---------*- C++ -*-===//
//
// A block has some columns of the state of a value head and takes the tokens in
// order, 16 at a time. With the decays a_t of a channel, the names of
// passes/cpu/KdaChunk.h and everything transposed,
//
//   X^T = V^T - S^T (gate k)^T           U^T = X^T T^T
//   O^T = S^T (scale gate q)^T + U^T P^T
//   S^T <- S^T diag(total) + U^T (rest k)
//   T = (I + diag(beta) A)^-1 diag(beta)
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
// j. These are four products of 8 x 8 pairs, one for each bit, and every pair
// i > j is in one of them.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_MMAKDACHUNK_H
#define ATTNRES_PASSES_NVPTX_MMAKDACHUNK_H

#include "passes/nvptx/MmaKda.h"
#include "passes/rows/Arithmetic.h"

namespace attnres::nvptx {

/// Tokens of a chunk, its bits, and columns of the state of a warp.
inline constexpr int64_t kKdaChunk = 16, kKdaBits = 4, kWarpColumns = 16;
/// f32 from row to row of the pairs in shared memory, so that rows begin at
/// different banks.
inline constexpr int64_t kPairStride = 40;

/// Where things are in the shared memory of a block.
struct KdaLayout {
  /// At least so many bytes for the gated rows, and for the operands of pairs.
  KdaLayout(const Kda &kda, int64_t gatedBytes, int64_t pairBytes);

  int64_t allocate(int64_t size) {
    int64_t place = end;
    end += size;
    return place;
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

class KdaChunkCode {
public:
  /// What is made of the queries: nothing, what outputs need, or what gradients
  /// need, which has P transposed.
  enum class Queries { None, Forwards, Backwards };

  /// Where blocks are `parts` for each value head.
  KdaChunkCode(mlir::OpBuilder &builder, mlir::Location loc, const Kda &kda,
               int64_t warps, int64_t parts, Queries queries,
               int64_t gatedBytes = 0, int64_t pairBytes = 0);

protected:
  //===--- A chunk --------------------------------------------------------===//

  Int liveTokens() const;
  /// Issues the copies of queries, keys and decays, to be committed.
  void issueCopies(Int firstToken, Int count) const;
  /// What all warps need but T and P, from the copies, which `afterCopies` may
  /// overwrite.
  void makeOperands(Int firstToken, Int count,
                    llvm::function_ref<void()> afterCopies) const;
  void invert() const;
  void convertQueryPairs() const;
  /// Calls `body` for every chunk in order: with its number, the state before
  /// it, and the updates [16 columns x 16 tokens] of this warp, when `outputs`
  /// have what the state gives. Returns the last state.
  using Body =
      llvm::function_ref<void(Int chunk, mlir::ValueRange updates,
                              llvm::MutableArrayRef<mlir::Value> outputs)>;
  Registers runForwards(
      Int count, Registers state,
      llvm::function_ref<void(Int chunk, mlir::ValueRange state)> before,
      Body after) const;
  /// state diag(total)
  void scaleByTotals(llvm::MutableArrayRef<mlir::Value> state) const;

  //===--- Memory ---------------------------------------------------------===//

  /// Rows of the state in memory; zeros where there is none.
  Registers loadState(mlir::Value pointer) const;
  void storeState(mlir::ValueRange state, mlir::Value pointer) const;
  /// Rows of values by tokens, [batch, tokens, valueHeads, valueDim].
  Registers loadTokens(const Kda::Tensor &tensor, Int firstToken,
                       Int count) const;
  void storeTokens(const Kda::Tensor &tensor, mlir::ValueRange sums,
                   Int firstToken) const;
  mlir::Value at(int64_t place) const {
    return code.offset(code.shared, place);
  }
  mlir::Value placeOf(int64_t place, const TileShape &tile, Int row,
                      Int byte) const {
    return code.offset(at(place), tile.offsetOf(row, byte / kPieceBytes) +
                                      byte % kPieceBytes);
  }
  /// Two neighbouring elements of a tile in shared memory as f32.
  Registers loadPair(int64_t place, const TileShape &tile, Int row,
                     Int pair) const;
  void storePair(mlir::ValueRange values, int64_t place, const TileShape &tile,
                 Int row, Int pair) const;
  /// Of f32, the bits of a row's columns 2 t and 2 t + 1 in a step.
  Registers loadStep(int64_t place, const TileShape &tile, Int row,
                     int64_t step) const;
  /// A number of a tile of 16 x 16, in f32 or as a sum of two bf16: they are
  /// part in whatever the chunk does, and few.
  void storePairNumber(mlir::Value number, int64_t place, Int row,
                       Int column) const;
  /// sums += left pairs^T of such a tile; the left is rounded to operands only
  /// where it `isExact`.
  void addPairs(llvm::ArrayRef<mlir::Value> left, int64_t place, bool isExact,
                llvm::MutableArrayRef<mlir::Value> sums) const;
  /// state += left tile, for a tile of tokens by channels. With `asSum`, the
  /// left is a sum of two operands of bf16.
  void addOuter(llvm::ArrayRef<mlir::Value> left, bool asSum,
                const TileFragments &fragments, int64_t place,
                llvm::MutableArrayRef<mlir::Value> state) const;
  /// What sums of 16 columns have beyond their operand of bf16.
  MmaOperand roundingOf(llvm::ArrayRef<mlir::Value> sums,
                        const MmaOperand &operand) const;
  /// sums += left tile^T, where left are sums of `columns` columns.
  void addProduct(llvm::ArrayRef<mlir::Value> left,
                  const TileFragments &fragments, const TileShape &tile,
                  int64_t place, int64_t columns,
                  llvm::MutableArrayRef<mlir::Value> sums) const;

  const Kda &kda;
  KdaLayout layout;
  Queries queries;
  int64_t warps, channels;
  MmaCode code;
  rows::Arithmetic a;
  /// Of the lane: its row of eight and place in it; the column of the state of
  /// its first row.
  Int group8, inGroup, head, text, column;
  TileFragments along, alongPairs, upper, lower;

private:
  void prepare(Int firstToken, Int count) const;
  void gateRows() const;
  void splitRows(int64_t bit) const;
  void multiplyPairs(int64_t bit) const;
  void forPairs(int64_t task, llvm::function_ref<void(Int pair)> body) const;
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
};

/// The order of a lane's sums of 16 rows and columns: column 8 e + 2 t + i of
/// row g + 8 r is number 4 e + 2 r + i.
void forSums(llvm::function_ref<void(int64_t e, int64_t r, int64_t i)> body);

} // namespace attnres::nvptx

#endif
