//===- KdaChunk.h - A chunk of tokens of the delta rule ---------*- C++ -*-===//
//
// What both directions compute of a chunk of C tokens of one value head. With
// the decay factors a_t = exp(decay_t), the state S [K, V] before the chunk and
//
//   gate_i = a_1 ... a_i,  rest_j = a_(j+1) ... a_C,  total = a_1 ... a_C
//   A_ij = sum_d k_id k_jd (a_(j+1) ... a_i)_d  for i > j, else 0
//   P_ij = scale sum_d q_id k_jd (a_(j+1) ... a_i)_d  for i >= j, else 0
//
// the recurrence of the C tokens is
//
//   x_i = v_i - S^T (gate_i k_i) - sum_(j<i) A_ij u_j,  u_i = beta_i x_i
//   output_i = S^T (scale gate_i q_i) + sum_(j<=i) P_ij u_j
//   S' = diag(total) S + sum_j (rest_j k_j) u_j^T
//
// Every factor is a product of decays, never a quotient: nothing overflows, and
// a decay to nothing is exact. Tokens behind the end of a text count as zero
// rows with a decay of 1, which change nothing.
//
// A state lies in panels of some columns, as wide as a register tile. Columns
// do not depend on each other, so that all of the above happens to a panel
// while that is in the first-level cache.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_KDACHUNK_H
#define ATTNRES_PASSES_CPU_KDACHUNK_H

#include "passes/cpu/FlashTiles.h"
#include "passes/cpu/KdaKernel.h"

namespace attnres::cpu {

/// A state in scratch: `memory` [prefix ...][panels][stateRows][panelWidth].
struct KdaState {
  mlir::Value memory;
  llvm::SmallVector<mlir::Value> prefix = {};

  llvm::SmallVector<mlir::Value> at(mlir::Value panel, mlir::Value row,
                                    mlir::Value column) const;
};

class KdaChunk {
public:
  KdaChunk(mlir::OpBuilder &builder, mlir::Location loc, KernelFunction &kernel,
           const KdaOperands &operands, const KdaShape &shape,
           const CpuTarget &target);

  TileBuilder t;
  IndexBuilder &index;
  const KdaOperands &operands;
  const KdaShape &shape;
  int64_t size;       ///< C, a multiple of the rows of a register tile
  int64_t chunks;     ///< of a whole text
  int64_t panelWidth; ///< columns of a panel
  int64_t panels;
  /// With padding, which holds zeros: to registers of channels, to register
  /// tiles of them as rows, to panels of values.
  int64_t keyWidth, stateRows, valueWidth;
  /// From row to row in scratch: no power of two, which would make columns
  /// share few places of the caches.
  int64_t keyStride, valueStride, pairStride;

  // Scratch in f32, one row for each token of the chunk.
  mlir::Value queries, keys, factors; ///< [C][keyStride]: q, k, a
  mlir::Value gates, rests;           ///< [C][keyStride]
  mlir::Value gatedQueries;           ///< [C][keyStride]: scale gate q
  mlir::Value gatedKeys, restKeys;    ///< [C][keyStride]: -gate k, rest k
  mlir::Value totals;                 ///< [keyStride]
  mlir::Value values, updates;        ///< [C][valueStride]: v, u
  mlir::Value errors;                 ///< the same: x, if somebody allocates it
  mlir::Value steps;                  ///< [C]: beta
  mlir::Value keyPairs, queryPairs;   ///< [C][pairStride]: -A, P
  mlir::Value decayedKeys;            ///< [pairs at once][keyStride]

  /// The head, text and tokens at work. Set before any of what follows.
  mlir::Value text, valueHead, head;
  mlir::Value count; ///< tokens of the text
  /// Rows of the chunk at work, a multiple of those of a register tile: tokens,
  /// and what they are padded with.
  mlir::Value liveRows;

  /// Zeros what stays zero. Once for each call of the kernel.
  void clear();
  /// Sets text, heads and count.
  void select(mlir::Value text, mlir::Value valueHead);
  /// Chunks of the text at work.
  mlir::Value liveChunks();

  /// Loads the operands of chunk `chunk` and computes gates and pairs.
  void load(mlir::Value chunk);
  /// The first two parts of that, of `rows` rows.
  void loadOperands(mlir::Value chunk, mlir::Value rows);
  void computeGates();

  /// A panel of the updates, and of the errors if they have a place, from the
  /// state before the chunk.
  void solve(const KdaState &state, mlir::Value panel);
  /// A panel of the state behind the chunk; `next` may be `state` itself.
  void advance(const KdaState &state, const KdaState &next, mlir::Value panel);

  //===--- Pieces ---------------------------------------------------------===//

  using Element = std::function<mlir::Value(mlir::Value row, mlir::Value k)>;
  using Vector = std::function<mlir::Value(mlir::Value k)>;
  /// Adds sum over k in [from, to) of a(rows[r], k) * b(k) to sums[r].
  void addProducts(llvm::SmallVector<mlir::Value> &sums,
                   llvm::ArrayRef<mlir::Value> rows, mlir::Value from,
                   mlir::Value to, const Element &a, const Vector &b) const;
  /// Calls `body` with the rows of every register tile of [0, end), from the
  /// first to the last or the other way round.
  void forRowTiles(
      mlir::Value end, bool backwards,
      llvm::function_ref<void(llvm::ArrayRef<mlir::Value> rows)> body) const;

  /// matrix[row][k], and the same with the indices swapped.
  Element rowsOf(mlir::Value matrix) const;
  Element columnsOf(mlir::Value matrix) const;
  /// The panelWidth elements of matrix[k] from `column` on, and those of row k
  /// of a panel.
  Vector vectorsOf(mlir::Value matrix, mlir::Value column) const;
  Vector vectorsOf(const KdaState &state, mlir::Value panel) const;
  mlir::Value firstColumn(mlir::Value panel) const {
    return index.mul(panel, panelWidth);
  }
  mlir::Value zero() const { return index.constant(0); }

  mlir::Value scalar(mlir::Value memref, mlir::ValueRange indices) const;
  void storeScalar(mlir::Value value, mlir::Value memref,
                   mlir::ValueRange indices) const;
  /// `rows` rows of scratch, `stride` apart.
  mlir::Value scratchRows(int64_t rows, int64_t stride) const {
    return t.scratch({rows, stride});
  }
  /// A block of scratch for a state, with `prefix` before its dimensions.
  mlir::Value scratchStates(llvm::ArrayRef<int64_t> prefix) const;
  /// A token of the chunk at `place` with its number in the text, in case the
  /// text has it; otherwise `otherwise`. For the rows at work.
  void
  forTokens(mlir::Value chunk,
            llvm::function_ref<void(mlir::Value place, mlir::Value token)> live,
            llvm::function_ref<void(mlir::Value place)> otherwise);
  /// A row of a tensor into a row of scratch.
  void loadRow(mlir::Value source, mlir::ValueRange prefix, int64_t width,
               mlir::Value scratch, mlir::Value place);
  /// A row of scratch into a row of a tensor.
  void storeRow(mlir::Value scratch, mlir::Value place, mlir::Value tensor,
                mlir::ValueRange prefix, int64_t width);
  void fillRow(mlir::Value scratch, mlir::Value place, int64_t width,
               float value);
  void zeroTensorRow(mlir::Value tensor, mlir::ValueRange prefix,
                     int64_t width);
  /// A state of memory, or zeros where there is none, into scratch, and back.
  void loadState(mlir::Value source, const KdaState &state);
  void storeState(const KdaState &state, mlir::Value target);

private:
  /// Pairs of a token j and those after it, for as many j at once as
  /// `pairsAtOnce`, which divides the rows of a register tile.
  void computePairs();
  void startPairs(mlir::Value first);
  void continuePairs(mlir::Value first, mlir::Value i);
  /// factor times the sums of the lanes of `sums` to matrix[row][column ...],
  /// and zeros up to `pairsAtOnce` of them.
  void storePairs(llvm::SmallVector<mlir::Value> sums, float factor,
                  mlir::Value matrix, mlir::Value row, mlir::Value column);

  int64_t pairsAtOnce;
};

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_KDACHUNK_H
