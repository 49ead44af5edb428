// The order in which the gradients of a batch are added.
//
// A batch has L leaves, parts of a fixed number of sequences. Their sums are
// made in one binary tree: the node i of level l is the sum of the leaves from
// i 2^l to (i + 1) 2^l, left half plus right half, and one whose right half
// would begin behind the last leaf is its left half. Whoever adds, and however
// many ranks share the leaves, the additions are the same ones.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_SUMTREE_H
#define ATTNRES_RUNTIME_DISTRIBUTED_SUMTREE_H

#include <cstdint>
#include <utility>
#include <vector>

namespace attnres::runtime {

struct TreeNode {
  int level = 0;
  int64_t index = 0;
};

/// Nodes of a tree that follow each other, as few as possible: those whose
/// parts are both there have been added.
class TreeSum {
public:
  explicit TreeSum(int64_t leaves) : leaves(leaves) {}

  /// Takes the node behind the last one. Returns how many of those before are
  /// added to it, each in its turn from the last one on: they and the node
  /// become one.
  int push(TreeNode node);

  const std::vector<TreeNode> &nodes() const { return nodes_; }

private:
  int64_t leaves;
  std::vector<TreeNode> nodes_;
};

/// The leaves [begin, end) of `leaves` that belong to a rank.
std::pair<int64_t, int64_t> leavesOf(int rank, int size, int64_t leaves);

/// The nodes that a rank makes of its leaves.
std::vector<TreeNode> nodesOf(int rank, int size, int64_t leaves);

} // namespace attnres::runtime
#endif
