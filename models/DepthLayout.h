// What each mixture over depth reads, with names for people: rows and columns
// of every table of depth weights.
#ifndef ATTNRES_MODELS_DEPTHLAYOUT_H
#define ATTNRES_MODELS_DEPTHLAYOUT_H

#include "models/ModelConfig.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnres {

/// One mixture: it reads the first outputs of DepthLayout::outputs in order,
/// and last the partial sum of its depth block when there is one. With a window
/// it leaves out `numSkipped` of them behind the first.
struct DepthMixture {
  std::string name; ///< "block 2 attn", "block 2" or "final"
  size_t numOutputs;
  bool readsPartialSum;
  size_t numSkipped = 0;

  size_t numSources() const {
    return numOutputs - numSkipped + readsPartialSum;
  }
  /// The output that source k is; `numOutputs` for the partial sum.
  size_t outputOf(size_t k) const { return k == 0 ? 0 : k + numSkipped; }
};

/// "block i" is a decoder block. Mode Full reads "embedding" and sublayers
/// ("block 0 attn"); mode Block "embedding", "block sum k", the sum of depth
/// block k, and "partial sum", that of the depth block so far; mode Static
/// "embedding" and decoder blocks ("block 0").
struct DepthLayout {
  std::vector<std::string> outputs;
  /// In the order in which they are computed, the final aggregate last; none in
  /// mode Off.
  std::vector<DepthMixture> mixtures;

  DepthLayout() = default; ///< no mixtures
  explicit DepthLayout(const ModelConfig &config);

  /// How many of the outputs some mixture reads.
  size_t numOutputsRead() const;
  /// The name of source k of a mixture.
  std::string sourceName(const DepthMixture &mixture, size_t k) const;
};

/// The sublayers [begin, end) that a depth block sums up; mode Block only.
struct DepthBlock {
  int64_t begin, end;
};
std::vector<DepthBlock> depthBlocks(const ModelConfig &config);

/// Where a pipeline may be cut: between parts of the stack, which are the depth
/// blocks, in mode Full the sublayers, and the decoder blocks in other modes.
/// The part that reads the parameter first.
int64_t stackPart(const ModelConfig &config, std::string_view parameter);

/// "block 1 ffn" for sublayer 3.
std::string sublayerName(int64_t sublayer);

} // namespace attnres
#endif
