// attnres-exec compare: whether a device computes what the processor does.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"
#include "tools/exec/RandomInputs.h"

#include "runtime/device/Devices.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

using runtime::DType;
using runtime::TensorView;

/// How far the elements of one output are from those of another.
struct Difference {
  std::string name;
  double largest = 0; ///< of two elements
  double size = 0;    ///< of the largest element
  /// Of the largest element; infinite where one is no number.
  double relative() const {
    return largest == 0 ? 0 : largest / std::max(size, 1e-30);
  }
};

double elementOf(const TensorView &tensor, int64_t index) {
  const char *data = static_cast<const char *>(tensor.data);
  auto at = [&](auto value) {
    std::memcpy(&value, data + index * static_cast<int64_t>(sizeof value),
                sizeof value);
    return value;
  };
  switch (tensor.dtype) {
  case DType::F64:
    return at(double());
  case DType::F32:
    return at(float());
  case DType::BF16: {
    uint32_t bits = uint32_t{at(uint16_t())} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case DType::I64:
    return static_cast<double>(at(int64_t()));
  case DType::I32:
    return at(int32_t());
  default:
    return at(uint8_t());
  }
}

Difference differenceOf(const TensorView &a, const TensorView &b) {
  Difference difference;
  difference.name = a.name;
  int64_t count = 1;
  for (int64_t size : a.shape)
    count *= size;
  for (int64_t i = 0; i < count; ++i) {
    double x = elementOf(a, i), y = elementOf(b, i);
    // NaN of both says nothing about the device.
    double distance = x == y ? 0 : std::abs(x - y);
    if (!(distance <= difference.largest))
      difference.largest = std::isnan(distance) ? INFINITY : distance;
    if (std::isfinite(y))
      difference.size = std::max(difference.size, std::abs(y));
  }
  return difference;
}

struct CompareCommand {
  ProgramOption file;
  std::string purpose;
  double tolerance = 1e-3;

  void run() {
    file.open();
    auto processor = unwrap(runtime::openDevice("cpu", 0));
    std::vector<std::unique_ptr<runtime::BoundProgram>> runs;
    std::vector<runtime::MappedTensors> results;
    for (runtime::Device *device : {&file.device(), processor.get()}) {
      runs.push_back(std::make_unique<runtime::BoundProgram>(
          unwrap(runtime::BoundProgram::create(
              *device, unwrap(file.pack().choose(*device, purpose))))));
      fillInputs(*runs.back());
      runtime::Executable::RunOptions options;
      options.poison = true;
      check(runs.back()->executable().run(options));
      results.push_back(unwrap(runs.back()->outputs()));
    }
    if (results[0].tensors.size() != results[1].tensors.size())
      throw CommandError(file.path() + ": the programs have different outputs");
    Difference worst;
    for (size_t i = 0; i < results[0].tensors.size(); ++i) {
      Difference one =
          differenceOf(results[0].tensors[i], results[1].tensors[i]);
      if (i == 0 || one.relative() > worst.relative())
        worst = one;
    }
    bool isClose = worst.relative() <= tolerance;
    std::cout << fmt::format(
        "{}: {} outputs, the farthest is {}: {:.2g} of {:.2g}, {:.2g}\n",
        isClose ? "close" : "different", results[0].tensors.size(), worst.name,
        worst.largest, worst.size, worst.relative());
    if (!isClose)
      throw CommandError(fmt::format("{}: '{}' differs by {:.2g}, expected at "
                                     "most {:.2g}",
                                     file.path(), worst.name, worst.relative(),
                                     tolerance));
  }
};

} // namespace

void addCompareCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "compare", "whether a device computes what the processor does");
  auto state = std::make_shared<CompareCommand>();
  state->file.add(*command);
  addPurpose(*command, state->purpose);
  command
      ->add_option("--tolerance", state->tolerance,
                   "the largest difference of two elements of an output, as a "
                   "part of its largest element")
      ->capture_default_str();
  command->footer("Needs a program for the processor and one for the device. "
                  "Inputs are random.\nExample:\n  attnres-exec compare "
                  "toy.program --purpose forward --device cuda");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
