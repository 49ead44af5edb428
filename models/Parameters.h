// The parameters of a model: names, shapes, order, and initial values.
#ifndef ATTNRES_MODELS_PARAMETERS_H
#define ATTNRES_MODELS_PARAMETERS_H

#include "models/ModelConfig.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnres {

struct Parameter {
  std::string name;
  std::vector<int64_t> shape; ///< linear weights are [out, in]

  int64_t numElements() const {
    int64_t count = 1;
    for (int64_t dim : shape)
      count *= dim;
    return count;
  }
};

/// Every parameter of a valid configuration, in the order of checkpoints and
/// of the compiled program's arguments.
std::vector<Parameter> parameterShapes(const ModelConfig &config);

/// Elements of all parameters together.
int64_t countParameters(const ModelConfig &config);

/// How large initial matrices are.
struct InitialScales {
  double deviation = 0.02;
  /// Of the output projections of the sublayers, in units of `deviation`;
  /// absent for 1/sqrt(2 L).
  std::optional<double> output;
};

/// Writes the initial value of one parameter to data[0, numElements).
///
/// Matrices are normal with the deviation of `scales`, which is another one for
/// the output projections of the sublayers (o_proj, down_proj, latent_up_proj);
/// norm gains 1, biases and depth weights 0, depth queries 0 or like matrices;
/// convolution taps have the variance 1/(3 taps) of a uniform distribution on
/// +-1/sqrt(taps). KDA decay rates exp(A_log) are uniform in [1, 16) and
/// softplus(dt_bias) log-uniform in [0.001, 0.1).
///
/// A value depends on the seed, the parameter's name and the position in it
/// alone, so models that differ in one part start equal in all others.
void initializeParameter(const ModelConfig &config, const Parameter &parameter,
                         uint64_t seed, float *data,
                         const InitialScales &scales = {});

} // namespace attnres
#endif
