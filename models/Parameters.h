// The parameters of a model: names, shapes, order, and initial values. Knows
// nothing of MLIR.
#ifndef ATTNRES_MODELS_PARAMETERS_H
#define ATTNRES_MODELS_PARAMETERS_H

#include "models/ModelConfig.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres {

/// What the elements of a parameter are before training.
struct InitialValue {
  enum class Kind {
    Constant, ///< `value`
    Normal,   ///< normal with the deviation `value`
    Matrix,   ///< normal with InitialScales::deviation
    Output,   ///< normal with the deviation of what sublayers end with
    Mapped,   ///< `map` of numbers that are uniform in [0, 1)
  };
  Kind kind = Kind::Constant;
  double value = 0;
  double (*map)(double) = nullptr;

  static InitialValue constant(double value) { return {Kind::Constant, value}; }
  static InitialValue normal(double deviation) {
    return {Kind::Normal, deviation};
  }
  static InitialValue matrix() { return {Kind::Matrix}; }
  static InitialValue output() { return {Kind::Output}; }
  static InitialValue mapped(double (*map)(double)) {
    return {Kind::Mapped, 0, map};
  }
};

struct Parameter {
  std::string name; ///< with a `*` that of a stack, see support/StackName.h
  std::vector<int64_t> shape; ///< linear weights are [out, in]
  InitialValue initial;
  /// Of a weight that layers multiply by: how many matrices it is, one above
  /// the other, such as those of heads or experts. 0 of everything else, also
  /// of tables, output projections over the vocabulary, and routers.
  int64_t matrices = 0;

  int64_t numElements() const {
    int64_t count = 1;
    for (int64_t dim : shape)
      count *= dim;
    return count;
  }
};

/// Adds the parameters of one part of a model to a list, all under one name.
class ParameterScope {
public:
  /// `name` is that of the part, "" for the whole model.
  ParameterScope(std::vector<Parameter> &list, std::string name)
      : list(list), name(std::move(name)) {}

  ParameterScope within(std::string_view part) const {
    ParameterScope scope = *this;
    scope.name = path(part);
    return scope;
  }
  /// Of `count` parts of one kind: every parameter is a stack of theirs.
  ParameterScope ofEach(std::string_view part, int64_t count) const {
    ParameterScope scope = within(concat(part, ".*"));
    scope.count = count;
    return scope;
  }
  /// `shape` is that of one part.
  void add(std::string_view parameter, std::vector<int64_t> shape,
           InitialValue initial, int64_t matrices = 0);
  /// PART.weight [out, in], and PART.bias [out] of zeros if there is one.
  void addLinear(std::string_view part, int64_t out, int64_t in,
                 bool bias = false);
  /// The same, of a matrix [width, in] for each head.
  void addHeads(std::string_view part, int64_t heads, int64_t width,
                int64_t in);
  /// PART.weight [count, width], a row for each of `count` things to choose
  /// from: tokens, experts.
  void addTable(std::string_view part, int64_t count, int64_t width);
  /// The same for a matrix whose product is added to the residual stream.
  void addOutput(std::string_view part, int64_t out, int64_t in,
                 bool bias = false);
  /// PART.weight [size] of ones, and of a layer norm PART.bias of zeros.
  void addNorm(std::string_view part, int64_t size,
               NormType type = NormType::RmsNorm);

private:
  std::string path(std::string_view part) const {
    return name.empty() ? std::string(part) : concat(name, ".", part);
  }
  void addMatrix(std::string_view part, int64_t out, int64_t in, bool bias,
                 InitialValue initial, int64_t matrices = 1);

  std::vector<Parameter> &list;
  std::string name;
  int64_t count = 0; ///< of the parts, if there are several
};

/// Every parameter of a valid configuration, in the order of checkpoints and
/// of the compiled program's arguments.
std::vector<Parameter> parameterShapes(const ModelConfig &config);

/// Elements of all parameters together.
int64_t countParameters(const ModelConfig &config);

/// How a parameter of a model without a configuration begins: as that of the
/// layer type whose parameter has the last parts of its name, otherwise norm
/// gains ("...norm.weight") with 1, matrices like those of a layer, all else
/// with 0.
InitialValue guessInitialValue(std::string_view name,
                               const std::vector<int64_t> &shape);

/// How large initial matrices are.
struct InitialScales {
  double deviation = 0.02;
  /// Of the output projections of the sublayers, in units of `deviation`;
  /// absent for 1/sqrt(2 L).
  std::optional<double> output;
};

/// The deviation of the output projections of the sublayers.
double outputDeviation(const ModelConfig &config, const InitialScales &scales);

/// Writes the initial value of one parameter to data[0, numElements).
///
/// A value depends on the seed, the parameter's name and the position in it
/// alone, so models that differ in one part start equal in all others. The
/// slices of a stack begin as separate parameters of their names would.
void initializeParameter(const ModelConfig &config, const Parameter &parameter,
                         uint64_t seed, float *data,
                         const InitialScales &scales = {});

} // namespace attnres
#endif
