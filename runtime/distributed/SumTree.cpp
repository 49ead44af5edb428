// The order in which the gradients of a batch are added.
#include "runtime/distributed/SumTree.h"

namespace attnres::runtime {

int TreeSum::push(TreeNode node) {
  int added = 0;
  for (;;) {
    bool isLeft = node.index % 2 == 0;
    bool isRoot = node.index == 0 && (int64_t{1} << node.level) >= leaves;
    if (isRoot)
      break;
    if (isLeft && (node.index + 1) << node.level >= leaves) {
      node = {node.level + 1, node.index / 2}; // it has no right half
      continue;
    }
    bool hasLeft = !isLeft && !nodes_.empty() &&
                   nodes_.back().level == node.level &&
                   nodes_.back().index == node.index - 1;
    if (!hasLeft)
      break;
    nodes_.pop_back();
    node = {node.level + 1, node.index / 2};
    ++added;
  }
  nodes_.push_back(node);
  return added;
}

std::pair<int64_t, int64_t> leavesOf(int rank, int size, int64_t leaves) {
  return {leaves * rank / size, leaves * (rank + 1) / size};
}

std::vector<TreeNode> nodesOf(int rank, int size, int64_t leaves) {
  auto [begin, end] = leavesOf(rank, size, leaves);
  TreeSum sum(leaves);
  for (int64_t leaf = begin; leaf < end; ++leaf)
    sum.push({0, leaf});
  return sum.nodes();
}

} // namespace attnres::runtime
