//===- AttentionBlocks.h - keys in a block of attention ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_CPU_ATTENTIONBLOCKS_H
#define ATTNRES_PASSES_CPU_ATTENTIONBLOCKS_H

#include "llvm/ADT/StringRef.h"

namespace attnres::cpu {

/// Of a kernel of attention, i64: how many keys a block has in the forward
/// pass, a multiple of the columns of a register tile. Without it the target
/// chooses. Sums, and so the last bits of results, depend on it.
inline constexpr llvm::StringLiteral kBlockKeysAttr = "attnres.block_keys";

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_ATTENTIONBLOCKS_H
