// What Python asks about configurations: presets, overrides, parameters and
// their first values, and folders that hold both.
#include "models/Parameters.h"
#include "python/src/Compile.h"
#include "python/src/Errors.h"
#include "runtime/Safetensors.h"
#include "runtime/training/Checkpoint.h"
#include "support/File.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace attnres::python {
namespace {

ModelConfig parseConfig(const std::string &json, const std::string &where) {
  return unwrap(ModelConfig::fromJson(json, where));
}

/// Shapes by name, in the order of the parameters; stacks are one tensor.
nb::dict listParameters(const std::string &json) {
  nb::dict result;
  for (const Parameter &parameter :
       parameterShapes(parseConfig(json, "configuration"))) {
    nb::list sizes;
    for (int64_t size : parameter.shape)
      sizes.append(size);
    result[parameter.name.c_str()] = nb::tuple(sizes);
  }
  return result;
}

nb::dict initialize(const std::string &json, uint64_t seed) {
  ModelConfig config = parseConfig(json, "configuration");
  nb::dict result;
  for (const Parameter &parameter : parameterShapes(config)) {
    std::unique_ptr<float[]> data(
        new float[static_cast<size_t>(parameter.numElements())]);
    initializeParameter(config, parameter, seed, data.get());
    std::vector<size_t> shape(parameter.shape.begin(), parameter.shape.end());
    float *values = data.get();
    nb::capsule owner(data.release(), [](void *memory) noexcept {
      delete[] static_cast<float *>(memory);
    });
    result[parameter.name.c_str()] = nb::cast(nb::ndarray<nb::numpy, float>(
        values, shape.size(), shape.data(), owner));
  }
  return result;
}

void saveModel(const std::string &folder, const std::string &json,
               const nb::dict &arrays) {
  ModelConfig config = parseConfig(json, "configuration");
  using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
  std::vector<Array> kept;
  std::vector<runtime::TensorView> tensors;
  for (const Parameter &parameter : parameterShapes(config)) {
    Array array;
    if (!arrays.contains(parameter.name.c_str()))
      throw Failure(invalidArgument("parameter ", inQuotes(parameter.name),
                                    " is missing"));
    if (!nb::try_cast<Array>(arrays[parameter.name.c_str()], array) ||
        !std::equal(parameter.shape.begin(), parameter.shape.end(),
                    array.shape_ptr(), array.shape_ptr() + array.ndim()))
      throw Failure(invalidArgument("parameter ", inQuotes(parameter.name),
                                    ": expected float32 ",
                                    runtime::describeShape(parameter.shape)));
    tensors.push_back({parameter.name, runtime::DType::F32, parameter.shape,
                       array.data(), static_cast<int64_t>(array.nbytes())});
    kept.push_back(std::move(array));
  }
  nb::gil_scoped_release unlocked;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Failure(ioError(folder, ": ", error.message()));
  check(writeFileAtomically(folder + "/config.json", {config.toJson() + "\n"}));
  check(runtime::writeSafetensors(folder + "/model.safetensors", tensors));
}

} // namespace

void addConfigurations(nb::module_ &module) {
  module.def(
      "presets",
      [] {
        std::vector<std::string> names;
        for (std::string_view name : presetNames())
          names.emplace_back(name);
        return names;
      },
      "Names of the configurations that come with the compiler.");
  module.def(
      "preset",
      [](const std::string &name) {
        return unwrap(ModelConfig::preset(name)).toJson();
      },
      nb::arg("name"), "The configuration of a preset, as JSON.");
  module.def(
      "read_config",
      [](const std::string &path) {
        std::error_code error;
        if (!std::filesystem::is_directory(path, error))
          return unwrap(ModelConfig::fromFile(path)).toJson();
        auto held = runtime::HeldCheckpoint::open(path);
        return unwrap(ModelConfig::fromFile(held.path() + "/config.json"))
            .toJson();
      },
      nb::arg("path"),
      "The configuration in a config.json, or in a folder, as JSON.");
  module.def(
      "configure",
      [](const std::string &json, const std::string &where,
         const std::vector<std::string> &assignments) {
        return unwrap(parseConfig(json, where).with(assignments, where))
            .toJson();
      },
      nb::arg("json"), nb::arg("where"),
      nb::arg("assignments") = std::vector<std::string>(),
      "A configuration, checked, with fields replaced by FIELD=VALUE.");
  module.def("list_parameters", &listParameters, nb::arg("json"),
             nb::sig("def list_parameters(json: str) -> dict[str, tuple[int, "
                     "...]]"),
             "Shapes of the parameters of a configuration.");
  module.def("initialize", &initialize, nb::arg("json"), nb::arg("seed") = 0,
             nb::sig("def initialize(json: str, seed: int = 0) -> dict[str, "
                     "numpy.typing.NDArray[numpy.float32]]"),
             "The values that training with this seed begins with.");
  module.def("save_model", &saveModel, nb::arg("folder"), nb::arg("json"),
             nb::arg("arrays"), "Writes config.json and model.safetensors.");
}

} // namespace attnres::python
