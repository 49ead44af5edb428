// What is kept of a text that is continued, between one call and the next.
// Knows nothing of MLIR.
#ifndef ATTNRES_MODELS_GENERATIONSTATE_H
#define ATTNRES_MODELS_GENERATIONSTATE_H

#include "models/ModelConfig.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres {

/// One tensor that a layer keeps of each text.
struct StateTensor {
  enum class Kind {
    /// A row for each position, such as keys: [B, capacity, shape...]. A call
    /// adds the rows of its tokens.
    Positional,
    /// One value, which each call replaces, such as the sum of what has been
    /// read: [B, shape...]. Zero before the first token.
    Recurrent,
  };
  enum class Precision {
    Storage, ///< as activations
    F32,
  };
  std::string name; ///< "k_cache"; with the layer's in front for a whole model
  Kind kind;
  std::vector<int64_t> shape; ///< of one row or value
  Precision precision = Precision::Storage;
};

/// What the model keeps, in the order of the arguments of its program.
std::vector<StateTensor> listState(const ModelConfig &config);

/// Bytes of what is kept of one text: `fixed + perPosition * capacity`.
struct StateBytes {
  double fixed = 0, perPosition = 0;
};
/// `element` is the size of stored activations, in bytes.
StateBytes countStateBytes(const ModelConfig &config, double element);

} // namespace attnres
#endif
