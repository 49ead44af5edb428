// What a model is: the fields of config.json, their meaning and limits, the
// parameters that follow from them, and the presets. Knows nothing of MLIR.
#ifndef ATTNRES_MODELS_MODELCONFIG_H
#define ATTNRES_MODELS_MODELCONFIG_H

#include "support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres {

enum class NormType { RmsNorm, LayerNorm };
enum class HiddenAct {
  Silu, ///< SwiGLU
  Gelu, ///< plain feed-forward network of two matrices
  Situ, ///< SiTU-GLU
};
/// The token mixer of one decoder block.
enum class LayerType { Attention, Kda, Mla };
/// How a sublayer's input follows from earlier outputs.
enum class AttnResMode { Off, Full, Block, Static };

/// What the scores of a mixture over depth are made of.
enum class AttnResQuery {
  Vector, ///< a learned vector
  Input,  ///< a learned projection of the newest source's key
  Scalar, ///< nothing: a learned logit for each source
};
/// How scores become weights.
enum class AttnResWeights { Softmax, Sigmoid };

std::string_view toString(NormType value);
std::string_view toString(HiddenAct value);
std::string_view toString(LayerType value);
std::string_view toString(AttnResMode value);
/// The mode called `name`, or nothing.
std::optional<AttnResMode> parseAttnResMode(std::string_view name);

/// One field per field of config.json, under its camelBack name; an absent
/// optional is JSON null. Sizes are in elements unless stated.
struct ModelConfig {
  int64_t vocabSize = 32;
  int64_t hiddenSize = 32;
  int64_t numHiddenLayers = 4; ///< decoder blocks; each is two sublayers
  int64_t numAttentionHeads = 4;
  int64_t numKeyValueHeads = 4;
  int64_t headDim = 8;
  int64_t intermediateSize = 64;
  NormType normType = NormType::RmsNorm;
  double normEps = 1e-6;
  HiddenAct hiddenAct = HiddenAct::Silu;
  bool attentionBias = false;
  bool qkNorm = false; ///< RMS norms of every head's query and key
  bool mlpBias = false;
  std::optional<double> ropeTheta = 10000.0; ///< absent: no rotation
  bool tieWordEmbeddings = false;
  /// One per decoder block; empty (JSON null) means attention everywhere.
  std::vector<LayerType> layerTypes;

  // Attention residuals.
  AttnResMode attnres = AttnResMode::Off;
  /// In decoder blocks; see sublayersPerBlock().
  std::optional<int64_t> attnresBlockSize;
  bool attnresZeroInitQueries = true;
  bool attnresFinalAggregate = true;
  double attnresEps = 1e-8;
  // Variants of the mixtures in modes Full and Block, see dialect/StackOps.td.
  AttnResQuery attnresQuery = AttnResQuery::Vector;
  AttnResWeights attnresWeights = AttnResWeights::Softmax;
  bool attnresKeyNorm = true;
  int64_t attnresHeads = 1;
  /// A mixture reads the embedding and that many of its last other sources;
  /// absent: all of them.
  std::optional<int64_t> attnresWindow;

  // Kimi Delta Attention.
  int64_t kdaNumHeads = 2;
  int64_t kdaHeadDim = 8;
  int64_t kdaConvSize = 4; ///< taps
  std::optional<double> kdaGateLowerBound;

  // Multi-head latent attention.
  int64_t mlaNumHeads = 2;
  int64_t mlaKvLoraRank = 16;
  std::optional<int64_t> mlaQLoraRank;
  int64_t mlaQkHeadDim = 12;
  int64_t mlaVHeadDim = 8;

  // Latent mixture of experts; no experts means a dense feed-forward network.
  int64_t numExperts = 0;
  int64_t numExpertsPerTok = 2;
  int64_t numSharedExperts = 1;
  std::optional<int64_t> moeLatentSize;
  int64_t moeIntermediateSize = 16;
  int64_t firstKDenseReplace = 1; ///< leading decoder blocks that stay dense

  LayerType layerType(int64_t block) const {
    return layerTypes.empty() ? LayerType::Attention
                              : layerTypes[static_cast<size_t>(block)];
  }
  bool isMoe(int64_t block) const {
    return numExperts > 0 && block >= firstKDenseReplace;
  }
  int64_t numSublayers() const { return 2 * numHiddenLayers; }
  /// Sublayers per depth block: 2 * attnresBlockSize, by default
  /// 2 * ceil(numHiddenLayers / 8). Meaningful in mode Block.
  int64_t sublayersPerBlock() const;
  /// Whether the model mixes by one of the variants.
  bool hasDepthVariant() const;

  /// Whether the fields are in range and agree; the message is "WHERE: field
  /// 'NAME': REASON". A valid configuration has no overflowing size: every
  /// tensor, and all parameters together in bytes, fit in int64_t.
  Status validate(const std::string &where) const;

  /// Parses and validates config.json text; `where` names it in messages.
  /// Absent fields keep their defaults, unknown ones are errors.
  static Result<ModelConfig> fromJson(std::string_view text,
                                      const std::string &where);
  static Result<ModelConfig> fromFile(const std::string &path);
  /// This configuration with fields replaced by "FIELD=VALUE" texts, later ones
  /// over earlier ones; VALUE is JSON, or a name without quotes. `where` names
  /// the texts in messages.
  Result<ModelConfig> with(const std::vector<std::string> &assignments,
                           const std::string &where) const;
  /// One of presetNames().
  static Result<ModelConfig> preset(std::string_view name);

  /// All fields, in the order above; reads back equal.
  std::string toJson() const;

  /// The names in config.json, in the order above.
  static const std::vector<std::string> &fieldNames();
};

const std::vector<std::string_view> &presetNames();
/// What a preset is for, in a few words; empty for an unknown name.
std::string_view presetDescription(std::string_view name);

} // namespace attnres
#endif
