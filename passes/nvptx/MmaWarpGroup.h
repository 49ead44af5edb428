//===- MmaWarpGroup.h - matrix instructions of warp groups ------*- C++ -*-===//
//
// wgmma of sm_90a: four warps multiply 64 rows by matrices that lie in shared
// memory as tiles of MmaTile.h do, which is what the hardware calls a swizzle
// of 128 bytes. Each warp has the sums of 16 rows, in the order of
// MmaCode::multiplyAdd. The instructions go on in the background: what they
// read stays, and what they write is not touched, until they have been waited
// for.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_MMAWARPGROUP_H
#define ATTNRES_PASSES_NVPTX_MMAWARPGROUP_H

#include "passes/nvptx/MmaTile.h"

namespace attnres::nvptx {

/// Rows of a warp group, and the most columns of an instruction.
inline constexpr int64_t kWarpGroupRows = 64, kMostInstructionColumns = 256;

/// A tile of bf16 as an operand in shared memory.
class WarpGroupOperand {
public:
  /// `alongDepth`: as in TileFragments. `first`, whose rows are 64 or more away
  /// from each other, is the operand's first row in the tile.
  WarpGroupOperand(const MmaCode &code, const TileShape &tile, bool alongDepth,
                   mlir::Value tileBegin, Int first);

  /// The descriptor of 16 elements of the depth.
  mlir::Value at(int64_t step) const;
  bool isTransposed() const { return !alongDepth; }

private:
  const MmaCode &code;
  TileShape tile;
  bool alongDepth;
  mlir::Value begin; ///< descriptor of step 0
};

/// sums += left right for all of `steps`, of 64 rows and `columns` columns, and
/// a commit. Of `fresh` sums, which need not have values, nothing is read: they
/// begin as 0.
void multiplyAdd(const MmaCode &code, const WarpGroupOperand &left,
                 const WarpGroupOperand &right, int64_t steps, int64_t columns,
                 llvm::MutableArrayRef<mlir::Value> sums, bool fresh);
/// The same of a left operand in registers, 16 elements of the depth after the
/// other; each warp has those of its 16 rows.
void multiplyAdd(const MmaCode &code, llvm::ArrayRef<MmaOperand> left,
                 const WarpGroupOperand &right, int64_t columns,
                 llvm::MutableArrayRef<mlir::Value> sums);
/// Until all but the last `pending` commits are done; afterwards the sums are
/// those in `sums`.
void waitForWarpGroup(const MmaCode &code, int64_t pending,
                      llvm::MutableArrayRef<mlir::Value> sums);

/// Lets the matrix instructions see what this thread has written, or waited
/// for, in shared memory.
void fenceForWarpGroups(const MmaCode &code);

} // namespace attnres::nvptx

#endif
