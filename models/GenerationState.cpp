// The state of a model is that of its layers.
#include "models/GenerationState.h"

#include "models/layers/Layers.h"

using namespace attnres;

std::vector<StateTensor> attnres::listState(const ModelConfig &config) {
  std::vector<StateTensor> list;
  for (const Sublayer &sublayer : listSublayers(config))
    for (StateTensor &tensor : sublayer.layer->state()) {
      tensor.name = concat(sublayer.layerName, ".", tensor.name);
      list.push_back(std::move(tensor));
    }
  return list;
}

StateBytes attnres::countStateBytes(const ModelConfig &config, double element) {
  StateBytes bytes;
  for (const StateTensor &tensor : listState(config)) {
    double size = tensor.precision == StateTensor::Precision::F32 ? 4 : element;
    for (int64_t extent : tensor.shape)
      size *= static_cast<double>(extent);
    (tensor.kind == StateTensor::Kind::Positional ? bytes.perPosition
                                                  : bytes.fixed) += size;
  }
  return bytes;
}
