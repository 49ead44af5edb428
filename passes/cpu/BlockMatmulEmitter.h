//===- BlockMatmulEmitter.h - Products of packed pairs ----------*- C++ -*-===//
//
// Products whose operands are packed as pairs of bf16 (AmxPacking.h), in blocks
// of 32x32 of C and steps of 32 k. What multiplies a block, AMX tiles or dot
// products of vectors, is for derived classes to say.
//
// An item goes over k in chunks. Of each it packs its columns of B into
// scratch, then, one block of rows after another, its A (unless that can be
// read where it lies), and multiplies that with all its columns, a slice of k
// at a time. Sums wait in scratch for the next slice.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_BLOCKMATMULEMITTER_H
#define ATTNRES_PASSES_CPU_BLOCKMATMULEMITTER_H

#include "passes/cpu/AmxPacking.h"
#include "passes/cpu/MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/VectorAccess.h"

namespace attnres::cpu {

/// How a product is cut into items, in blocks of 32 rows and columns, and an
/// item into chunks and slices, in steps of 32 k.
struct BlockTiling {
  int64_t itemRows, itemColumns;
  int64_t rowRanges, columnRanges; ///< items
  int64_t chunkSteps, sliceSteps;
};

/// What a way to multiply blocks costs, and what it needs of the caches.
struct BlockCosts {
  /// Steps of k in a slice, at most: what they hold of a block of A stays in
  /// the first-level cache.
  int64_t sliceSteps;
  /// What an item holds in scratch shares the second-level cache.
  int64_t itemBytes;
  /// Time to multiply a block by a step of k, on the scale of
  /// PairTiles::copyCost.
  int64_t multiplication;
};

class BlockMatmulEmitter {
public:
  BlockMatmulEmitter(mlir::OpBuilder &builder, KernelFunction &kernel,
                     const PairTiles &tiles, const MatmulOptions &options);
  virtual ~BlockMatmulEmitter() = default;

  void emit();

protected:
  using Value = mlir::Value;

  /// A cache line to fetch.
  struct Line {
    Value memory, offset;
    int64_t level;
  };
  using Lines = llvm::SmallVector<Line>;

  virtual BlockCosts getCosts() const = 0;
  /// How A is packed when it is stored as [K,M]; as [M,K] it keeps its order.
  virtual Order getOrderOfTransposedA() const { return Order::DepthInner; }
  /// Before the first and after the last item.
  virtual void emitBegin() {}
  virtual void emitEnd() {}
  /// Adds one slice of k to one block of C, and stores that after the last.
  /// The block's sums are at `bytesOfSums` in `sums`.
  virtual void emitBlock(Value rowBlock, Value columnBlock,
                         Value bytesOfSums) = 0;

  /// Where a step of k of a block begins in packed B, in A as the latter is
  /// read.
  Value getBytesOfB(Value columnBlock, Value step);
  Value getBytesOfA(Value rowBlock, Value step);
  /// Bytes from one row to the next, and from the first sixteen to the others,
  /// of A as it is read.
  int64_t getStrideOfA() const { return packsA ? kTileRowBytes : k * 2; }
  int64_t getHalfOfA() const { return packsA ? kTileBytes : kTile * k * 2; }
  /// Bytes of a step of k of a packed block.
  int64_t getStepBytes() const { return 2 * pieces * kTileBytes; }
  /// Whether sixteen rows of a pair lie side by side, not the pairs of a row.
  bool isDepthOuterA() const {
    return packsA && packedA.order == Order::DepthOuter;
  }
  Value getMemoryOfA() { return packsA ? packedA.memory : sourceA.memory; }

  /// Calls `body` with the first row and column of the block and how many of
  /// each exist.
  void forExtent(Value rowBlock, Value columnBlock,
                 llvm::function_ref<void(Value, int64_t, Value, int64_t)> body);
  /// C = sums + bias + init for a block whose tiles of sums start at element
  /// `offsetSums`.
  void storeWithAddends(Value row, int64_t rows, Value column, int64_t columns,
                        Value offsetSums);
  /// Whether a whole block's sums are C as they are.
  bool storesSums() const;

  /// What to fetch while a step multiplies part `part` of `parts` of a block:
  /// the block's place in C, in the slice after which it is stored, and what is
  /// packed or read next.
  Lines findLinesOfC(Value rowBlock, Value columnBlock, Value step, Value part,
                     int64_t parts);
  Lines findLinesOfSources(Value rowBlock, Value columnBlock, Value step,
                           Value part, int64_t parts);
  /// Fetches those of `lines` that are due after one of `count` shares.
  void fetchShare(const Lines &lines, size_t share, size_t count);

  void emitIf(Value condition, llvm::function_ref<void()> emitThen,
              llvm::function_ref<void()> emitElse);
  Value isEqual(Value x, Value y) {
    return mlir::arith::CmpIOp::create(builder, loc,
                                       mlir::arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return mlir::arith::SelectOp::create(builder, loc, condition, x, y);
  }

  /// Bytes of a row of a tile, of the sums of a block.
  static constexpr int64_t kTileRowBytes = kTileBytes / kTile;
  static constexpr int64_t kSumsBytes = kBlock * kBlock * 4;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  const PairTiles &tiles;
  const MatmulOptions &options;
  int64_t m, n, k, depthSteps;
  int64_t pieces; ///< bf16 that an element of A or B becomes
  bool packsA;
  BlockTiling tiling;

  Value c, bias, init; // flat
  AmxSource sourceA, sourceB;
  AmxPacked packedA, packedB; // scratch
  /// Scratch: 2x2 tiles of 16x16 sums for each block.
  Value sums;
  // Blocks of the item, steps of k of the chunk and the slice.
  Value firstRow, endRow, firstColumn, endColumn;
  Value chunkBegin, chunkEnd, sliceBegin, sliceEnd;

private:
  BlockTiling chooseTiling() const;
  int64_t addMultiplications(int64_t packing, int64_t rows,
                             int64_t columns) const;
  void emitChunk(Value begin);
  Value findSums(Value rowBlock, Value columnBlock);
  void storeBf16(Value low, Value high, Value offset);
  void addLines(const AmxSource &source, Value block, Value step, Value part,
                int64_t parts, Lines &lines);
};

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_BLOCKMATMULEMITTER_H
