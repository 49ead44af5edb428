//===- ChunkMachine.h - row machines with vectors as chunks -----*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_CHUNKMACHINE_H
#define ATTNRES_PASSES_ROWS_CHUNKMACHINE_H

#include "passes/rows/RowMachine.h"

namespace attnres::rows {

/// What row machines share whose chunks are vectors of f32, on a processor and
/// in a thread of a GPU alike.
class ChunkMachine : public RowMachine {
public:
  using RowMachine::RowMachine;

  mlir::Value splat(mlir::Value scalar, const Chunk &chunk) override;
  mlir::Value splat(double value, const Chunk &chunk) override;
  mlir::Value keepColumns(mlir::Value value, double otherwise,
                          const Chunk &chunk) override;
  mlir::Value isColumn(mlir::Value column, const Chunk &chunk) override;
  mlir::Value splatWord(mlir::Value word, const Chunk &chunk) override;
  mlir::Value columnWords(const Chunk &chunk) override;

protected:
  mlir::VectorType vectorType(int64_t width) const;
};

} // namespace attnres::rows

#endif
