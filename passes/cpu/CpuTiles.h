//===- CpuTiles.h - how work is cut for processors' caches ------*- C++ -*-===//
//
// What kernels assume of the caches of a core, 32 KiB or more in the first
// level, 1 MiB in the second that two threads may share, and of what it costs
// to bring data to where it is multiplied. Measured with AVX-512. Where a
// number decides in which order something is summed, it says so: results change
// with it.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_CPUTILES_H
#define ATTNRES_PASSES_CPU_CPUTILES_H

#include <cstdint>

namespace attnres::cpu {

/// Matrix products in f32 on register tiles.
struct ProductTiles {
  /// Rows of an item where panels are packed before: few enough for its block
  /// of A to stay in the first-level cache beside parts of a panel. Panels that
  /// do not fit the second-level cache come from memory once for every item,
  /// which then has more rows.
  int64_t blockRows = 48, manyBlockRows = 96;
  int64_t cachedPanelBytes = 2 << 20;
  /// Steps of k between two times that C is touched, at most: a panel of so
  /// many and the block of A beside it share the second-level cache. Sums
  /// depend on it.
  int64_t maxBlockK = 768;
  /// Items that a product should have, so that many threads share it evenly.
  int64_t wantedItems = 64;
  /// Steps of k that an item packs at a time, where it packs both operands.
  /// Sums depend on it.
  int64_t packedDepth = 128;
  /// What the blocks of A, B and C of such an item may take of the second-level
  /// cache.
  int64_t itemBytes = 896 << 10;
  /// Time of a step of a register tile that also copies A's rows or B's
  /// columns, beyond that of one that only multiplies.
  double timeOfCopyingA = 0.55, timeOfCopyingB = 0.25;
};

/// Products of pairs of bf16 in blocks of 32x32 of C, on AMX tiles or dot
/// products of vectors.
struct PairTiles {
  /// Steps of 32 k in a slice, at most, where an element is one bf16 or three:
  /// what they hold of a block of A stays in the first-level cache. Sums depend
  /// on it.
  int64_t sliceSteps = 8, sliceStepsOfPieces = 4;
  /// What an item holds in scratch: with dot products half of a second-level
  /// cache of 1 MiB that two threads share, with tiles of one of 2 MiB.
  int64_t dotItemBytes = 448 << 10, amxItemBytes = 1280 << 10;
  /// What it takes to bring a tile to where it is multiplied: reading it there,
  /// copying it or interleaving its rows in pairs, and transposing it; and to
  /// multiply a block by a step of k with dot products, on tiles nothing.
  int64_t readCost = 2, copyCost = 3, transposeCost = 5, dotCost = 32;
  /// Rows from which on a product of f32 is faster on AMX tiles: splitting the
  /// right operand into pieces has to pay, also when it comes from memory.
  int64_t fewestAmxRowsOfF32 = 96;
};

/// Attention, forward.
struct AttentionTiles {
  /// Bytes of packed keys and values. A group reads them at a few bytes a
  /// cycle, which the third-level cache can give; packing them anew costs more.
  int64_t panelBytes = 4 << 20;
  /// Keys in a block, and strips of queries in a group: their scores, the keys
  /// of a tile and the queries share a first-level cache. Sums depend on the
  /// first.
  int64_t blockKeys = 128, groupStrips = 4;
  /// Queries of an item: packing the keys for it then costs a few percent at
  /// most. With fewer items than `enoughItems` they are cut smaller.
  int64_t itemQueries = 1024, fewestItemQueries = 384, enoughItems = 16;
};

/// Attention, backward.
struct AttentionBackwardTiles {
  /// Queries in a block: a multiple of the rows and of the columns of every
  /// register tile (12x32, 6x16 and 4x8), since queries are columns of dS^T and
  /// rows of dQ. Sums depend on it.
  int64_t blockQueries = 96;
  /// Keys in a group: with a block of queries, what the first-level cache
  /// holds.
  int64_t groupKeys = 48;
  /// Keys in a panel, a multiple of those in a group, which pass a block of
  /// queries while that is in the second-level cache. Sums depend on it.
  int64_t panelKeys = 8 * 48;
};

struct CpuTiles {
  ProductTiles products;
  PairTiles pairs;
  AttentionTiles attention;
  AttentionBackwardTiles attentionBackward;
  /// Columns of a work item that sums over rows.
  int64_t sumColumns = 64;
};

} // namespace attnres::cpu

#endif
