//===- DepthFormula.h - rows of attention over depth ------------*- C++ -*-===//
//
// The formulas stand in dialect/DepthOps.td. One row of depth attention reads
// each source twice, the second time from the cache: first the scores of all
// sources, then the softmax over the few scores, then the mixture. Several
// queries go in blocks of four, so that a source is loaded once for four dot
// products. Nothing depends on the number of sources or queries at compile
// time: both may be lists.
//
// A block keeps its scores in scratch, entry (source i, query q) at
// i * block + q, so that the exponentials are taken in full vectors.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_DEPTHFORMULA_H
#define ATTNRES_PASSES_ROWS_DEPTHFORMULA_H

#include "passes/rows/OnlineSoftmax.h"
#include "passes/rows/RowFormula.h"

namespace attnres::rows {

/// What depth attention, merging and their gradients share: queries as folded
/// weights w = query * gain, sources, and score tables.
class DepthFormula : public RowFormula {
public:
  DepthFormula(RowKernel &k, mlir::ValueRange queries, mlir::ValueRange gains,
               mlir::ValueRange sources, const llvm::APFloat &eps,
               unsigned tables);

  /// w of every query, once for each work item.
  void prologue() override;

protected:
  /// A block of queries: `size` of them from `first` on.
  struct Block {
    mlir::Value first;
    int64_t size;
  };
  /// Runs `body` on all queries, in blocks of four and then one by one.
  void forQueryBlocks(llvm::function_ref<void(Block)> body);

  mlir::Value query(const Block &block, int64_t q) {
    return m.index.add(block.first, q);
  }
  /// w of query `q`.
  RowRef weight(mlir::Value q) {
    return {weights.memref, {}, m.index.mul(q, width)};
  }

  /// rsqrt(mean(v^2) + eps) from the sum of squares.
  mlir::Value inverseRms(mlir::Value squares) {
    return m.rsqrt(m.add(m.div(squares, m.f32(width)), m.f32(eps)));
  }

  /// The entry of source `source` and query `q` of a block.
  mlir::Value loadEntry(const RowRef &table, mlir::Value source,
                        const Block &block, int64_t q) {
    return m.loadElement(table, entry(source, block, q));
  }
  void storeEntry(mlir::Value value, const RowRef &table, mlir::Value source,
                  const Block &block, int64_t q) {
    m.storeElement(value, table, entry(source, block, q));
  }

  /// The weights of the scores in `from`, given the shift of each query.
  void weigh(const RowRef &from, const RowRef &to,
             llvm::ArrayRef<mlir::Value> shifts);
  /// Adds the entries of all sources to `sums`, one for each query.
  llvm::SmallVector<mlir::Value>
  sumEntries(const RowRef &table, const Block &block, mlir::ValueRange sums);

  RowGroup queries, gains, sources;
  double eps;
  int64_t width;
  OnlineSoftmax softmax;
  /// w of all queries, and the tables of scores.
  RowRef weights;
  llvm::SmallVector<RowRef> tables;

private:
  mlir::Value entry(mlir::Value source, const Block &block, int64_t q) {
    return m.index.add(m.index.mul(source, block.size), q);
  }
};

} // namespace attnres::rows

#endif
