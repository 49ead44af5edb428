// How large activations are.
#ifndef ATTNRES_RUNTIME_TRAINING_ACTIVATIONNORM_H
#define ATTNRES_RUNTIME_TRAINING_ACTIVATIONNORM_H

#include <string>

namespace attnres::runtime {

/// The root mean square of what a token has at one place of the model: of the
/// tokens up to each sample's last target its mean and the largest. NaN where
/// there is one.
struct ActivationNorm {
  /// "embedding", "blocks.0.attn.input" (read by the sublayer),
  /// "blocks.0.attn.output" (written by it), "final".
  std::string name;
  double mean = 0, most = 0;
};

} // namespace attnres::runtime
#endif
