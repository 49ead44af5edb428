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
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_KDACHUNK_H
#define ATTNRES_PASSES_CPU_KDACHUNK_H

#include "passes/cpu/FlashTiles.h"
#include "passes/cpu/KdaKernel.h"

namespace attnres::cpu {

class KdaChunk {
public:
  KdaChunk(mlir::OpBuilder &builder, mlir::Location loc, KernelFunction &kernel,
           const KdaOperands &operands, const KdaShape &shape,
           const CpuTarget &target);

  TileBuilder t;
  IndexBuilder &index;
  const KdaOperands &operands;
  const KdaShape &shape;
  int64_t size;   ///< C
  int64_t chunks; ///< of a whole text
  ColumnTiles keyTiles, valueTiles, tokenTiles;
  int64_t keyWidth, valueWidth; ///< with padding, which holds zeros

  // Scratch in f32, one row for each token of the chunk.
  mlir::Value queries, keys, factors;  ///< [C][keyWidth]: q, k, a
  mlir::Value gates, rests;            ///< [C][keyWidth]
  mlir::Value gatedQueries;            ///< [C][keyWidth]: scale gate q
  mlir::Value gatedKeys, restKeys;     ///< [C][keyWidth]: gate k, rest k
  mlir::Value totals;                  ///< [keyWidth]
  mlir::Value values, errors, updates; ///< [C][valueWidth]: v, x, u
  mlir::Value steps;                   ///< [C]: beta
  mlir::Value keyPairs, queryPairs;    ///< [C][C padded]: A, P
  mlir::Value decayedKey;              ///< [keyWidth]

  /// The head, text and tokens at work. Set before any of what follows.
  mlir::Value text, valueHead, head;
  mlir::Value count; ///< tokens of the text

  /// Zeros what stays zero. Once for each call of the kernel.
  void clear();
  /// Sets text, heads and count.
  void select(mlir::Value text, mlir::Value valueHead);
  /// Chunks of the text at work.
  mlir::Value liveChunks();

  /// Loads the operands of chunk `chunk` and computes gates and pairs.
  void load(mlir::Value chunk);
  /// Computes errors and updates from the state before the chunk.
  void solve(mlir::Value state);
  /// `next` = the state behind the chunk; may be `state` itself.
  void advance(mlir::Value state, mlir::Value next);

  //===--- Pieces ---------------------------------------------------------===//

  using Element = std::function<mlir::Value(mlir::Value row, mlir::Value k)>;
  /// Part of a sum of products: a [rows, depth] times the matrix b [depth,
  /// ...].
  struct Term {
    int64_t depth;
    Element a;
    mlir::Value b;
  };
  using RowVector = llvm::function_ref<mlir::Value(
      mlir::Value row, mlir::Value column, int64_t width)>;
  using RowSink = llvm::function_ref<void(mlir::Value row, mlir::Value column,
                                          mlir::Value vector)>;
  /// store(row, column, init(row, column) + sum of the terms) for all tiles of
  /// a result of `rows` rows, a multiple of kRowTile. Without `init` from 0.
  void multiply(int64_t rows, const ColumnTiles &tiles,
                llvm::ArrayRef<Term> terms, RowVector init, RowSink store);

  /// matrix[row][k], and the same with the indices swapped.
  Element rowsOf(mlir::Value matrix);
  Element columnsOf(mlir::Value matrix);

  mlir::Value scalar(mlir::Value memref, mlir::ValueRange indices);
  void storeScalar(mlir::Value value, mlir::Value memref,
                   mlir::ValueRange indices);
  /// A token of the chunk at `place` with its number in the text, in case the
  /// text has it; otherwise `otherwise`.
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
  /// A state of memory, or zeros where there is none, into scratch
  /// [keyWidth][valueWidth], and back.
  void loadState(mlir::Value source, mlir::Value state);
  void storeState(mlir::Value state, mlir::Value target);
  /// The sum of the lanes of a register.
  mlir::Value sumLanes(mlir::Value vector);

  /// Rows of a register tile.
  static constexpr int64_t kRowTile = 4;

private:
  void computeGates();
  void computePairs();
};

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_KDACHUNK_H
