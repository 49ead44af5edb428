// Running compiled programs on tensors of the interpreter.
#include "test/unit/compile/CompiledCode.h"

#include "runtime/device/CpuDevice.h"
#include "runtime/device/EmulatedDevice.h"
#include "tools/compile/EmitProgram.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

/// Largest errors, relative to the largest magnitude of the expected tensor.
static constexpr double kForward = 5e-5, kBackward = 2e-4;
/// Half a unit in the last place of bf16, relative to the number.
static constexpr double kBFloat16 = 0x1p-8;

//===----------------------------------------------------------------------===//
// Tensors in memory
//===----------------------------------------------------------------------===//

static void store(const Tensor &tensor, runtime::DType dtype,
                  std::byte *memory) {
  for (int64_t i = 0; i < tensor.size(); ++i) {
    std::byte *element = memory + i * runtime::dtypeBytes(dtype);
    if (dtype == runtime::DType::I64 || dtype == runtime::DType::I32) {
      // The low bytes come first.
      std::memcpy(element, &tensor.integers[i], runtime::dtypeBytes(dtype));
      continue;
    }
    if (dtype == runtime::DType::F64) {
      std::memcpy(element, &tensor.reals[i], 8);
      continue;
    }
    // A bf16 number is the upper half of an f32 one.
    auto number = static_cast<float>(tensor.reals[i]);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    if (dtype == runtime::DType::BF16)
      bits >>= 16;
    std::memcpy(element, &bits, runtime::dtypeBytes(dtype));
  }
}

/// Integers of the tests are small: f64 holds them.
static double load(runtime::DType dtype, const std::byte *memory,
                   int64_t index) {
  auto read = [&](auto element) {
    std::memcpy(&element, memory + index * sizeof element, sizeof element);
    return static_cast<double>(element);
  };
  if (dtype == runtime::DType::F64)
    return read(double());
  if (dtype == runtime::DType::I64)
    return read(int64_t());
  if (dtype == runtime::DType::I32)
    return read(int32_t());
  uint32_t bits = 0;
  std::memcpy(&bits, memory + index * runtime::dtypeBytes(dtype),
              runtime::dtypeBytes(dtype));
  if (dtype == runtime::DType::BF16)
    bits <<= 16;
  float number;
  std::memcpy(&number, &bits, 4);
  return number;
}

double attnres::testing::largestMagnitude(const Tensor &tensor) {
  double largest = 0;
  for (double value : tensor.reals)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest; // integers have no tolerance
}

/// Whether the largest error is at most tolerance times the largest magnitude,
/// plus `slack`. An element of bf16 may also be rounded. To f32, magnitudes
/// below its range are all zero.
static ::testing::AssertionResult isNear(const runtime::Binding &binding,
                                         const std::string &bytes,
                                         const Tensor &expected,
                                         double tolerance, double slack) {
  if (ArrayRef(binding.shape) != ArrayRef<int64_t>(expected.shape))
    return ::testing::AssertionFailure() << "another shape";
  double largest = largestMagnitude(expected), worst = 0;
  if (binding.dtype != runtime::DType::F64)
    largest = std::max(largest, 0x1p-126);
  if (binding.dtype == runtime::DType::F64)
    tolerance = std::min(tolerance, 1e-12);
  for (int64_t i = 0; i < expected.size(); ++i) {
    double actual = load(binding.dtype,
                         reinterpret_cast<const std::byte *>(bytes.data()), i);
    double want = expected.isInteger ? static_cast<double>(expected.integers[i])
                                     : expected.reals[i];
    if (!std::isfinite(want)) {
      if (std::isnan(want) ? !std::isnan(actual) : actual != want)
        return ::testing::AssertionFailure()
               << "element " << i << " is " << actual << ", expected " << want;
      continue;
    }
    double error = std::fabs(actual - want);
    if (binding.dtype == runtime::DType::BF16)
      error = std::max(0.0, error - kBFloat16 * std::fabs(want));
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  if (worst <= tolerance * largest + slack)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "largest error " << worst << " of numbers up to " << largest;
}

//===----------------------------------------------------------------------===//
// Running compiled programs
//===----------------------------------------------------------------------===//

bool attnres::testing::runStages(ModuleOp module, ArrayRef<Stage> stages,
                                 const StageOptions &options) {
  PassManager passes(module.getContext());
  for (Stage stage : stages)
    addStage(passes, stage, options);
  return succeeded(passes.run(module));
}

/// A device for the program, which `variant` changes in what results may not
/// depend on: the number of threads of a processor, the order in which an
/// emulated GPU takes blocks and warps.
static std::unique_ptr<runtime::Device>
createDevice(const runtime::Program &program, int variant) {
  if (StringRef(program.target).starts_with("cpu")) {
    runtime::CpuOptions options;
    options.threads = variant;
    return std::make_unique<runtime::CpuDevice>(options);
  }
  emulator::DeviceOptions options;
  options.shuffleSeed = static_cast<uint64_t>(variant - 1);
  return std::make_unique<runtime::EmulatedDevice>(options);
}

/// The bytes of every output, empty after a test failure.
static std::vector<std::string>
runProgram(const std::shared_ptr<const runtime::Program> &program,
           ArrayRef<Tensor> inputs, int variant) {
  std::vector<std::string> outputs;
  auto isGood = [](const Status &status) {
    EXPECT_TRUE(status.ok()) << status.message();
    return status.ok();
  };
  std::unique_ptr<runtime::Device> device = createDevice(*program, variant);
  auto executable = device->load(program);
  if (!isGood(executable.status()))
    return {};
  std::vector<runtime::DeviceBuffer> memory;
  size_t numInputs = 0;
  for (size_t i = 0; i < program->bindings.size(); ++i) {
    const runtime::Binding &binding = program->bindings[i];
    auto buffer = device->allocate(binding.bytes());
    if (!isGood(buffer.status()))
      return {};
    if (binding.direction == runtime::Direction::Input) {
      std::vector<std::byte> content(binding.bytes());
      store(inputs[numInputs++], binding.dtype, content.data());
      isGood(device->upload(buffer->memory(), content.data()));
    }
    isGood((*executable)->bind(i, buffer->memory()));
    memory.push_back(std::move(*buffer));
  }
  EXPECT_EQ(numInputs, inputs.size());
  runtime::Executable::RunOptions run;
  // An emulated GPU finds reads of what nothing wrote, unless it is poisoned.
  run.poison = program->target.rfind("cpu", 0) == 0 || variant == 1;
  if (!isGood((*executable)->run(run)))
    return {};
  for (size_t i = 0; i < program->bindings.size(); ++i)
    if (program->bindings[i].direction == runtime::Direction::Output) {
      std::string bytes(program->bindings[i].bytes(), '\0');
      isGood(device->download(bytes.data(), memory[i].memory()));
      outputs.push_back(std::move(bytes));
    }
  return outputs;
}

std::shared_ptr<const runtime::Program>
attnres::testing::compileStages(ModuleOp module, ArrayRef<Stage> stages,
                                const StageOptions &options) {
  OwningOpRef<ModuleOp> planned = module.clone();
  if (!runStages(*planned, stages, options)) {
    ADD_FAILURE() << "the passes failed";
    return nullptr;
  }
  auto compiled = compileProgram(*planned, *createTarget(options.target));
  if (!compiled.ok()) {
    ADD_FAILURE() << compiled.status().message();
    return nullptr;
  }
  return std::make_shared<const runtime::Program>(std::move(*compiled));
}

std::vector<std::string>
attnres::testing::runCompiled(ModuleOp module, ArrayRef<Stage> stages,
                              const StageOptions &options,
                              ArrayRef<Tensor> inputs) {
  auto program = compileStages(module, stages, options);
  return program ? runProgram(program, inputs, 2) : std::vector<std::string>();
}

/// The same options, for another target where one is asked for.
static StageOptions withTarget(StageOptions options) {
  if (const char *target = std::getenv("ATTNRES_TARGET");
      target && options.target == "cpu")
    options.target = target;
  return options;
}

void attnres::testing::expectCompiled(ModuleOp module,
                                      const StageOptions &given,
                                      ArrayRef<Tensor> inputs,
                                      ArrayRef<Tensor> expected,
                                      size_t numForward, double slack) {
  StageOptions options = withTarget(given);
  auto program = compileStages(
      module, stagesTo(createTarget(options.target)->stage()), options);
  ASSERT_TRUE(program);
  std::vector<std::string> outputs = runProgram(program, inputs, 1);
  ASSERT_EQ(outputs.size(), expected.size());
  size_t result = 0;
  for (const runtime::Binding &binding : program->bindings) {
    if (binding.direction != runtime::Direction::Output)
      continue;
    bool isForward = result < numForward;
    EXPECT_TRUE(isNear(binding, outputs[result], expected[result],
                       isForward ? kForward : kBackward, isForward ? 0 : slack))
        << "in result " << result << ", " << binding.name;
    ++result;
  }
  EXPECT_TRUE(runProgram(program, inputs, 2) == outputs)
      << "the results depend on the number of threads or the order of blocks";
}

SmallVector<Tensor> attnres::testing::storableInputs(func::FuncOp function,
                                                     uint64_t seed,
                                                     bool scaleWeights) {
  std::mt19937_64 random(seed);
  SmallVector<Tensor> inputs = randomInputs(function, random);
  for (auto [input, type] : llvm::zip(inputs, function.getArgumentTypes())) {
    if (scaleWeights && input.shape.size() == 2)
      for (double &weight : input.reals)
        weight /= std::sqrt(static_cast<double>(input.width()));
    input.roundTo(cast<RankedTensorType>(type).getElementType());
  }
  return inputs;
}

void attnres::testing::nameBindings(func::FuncOp function) {
  Builder b(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!function.getArgAttr(i, kNameAttr))
      function.setArgAttr(i, kNameAttr, b.getStringAttr("a" + Twine(i)));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (!function.getResultAttr(i, kNameAttr))
      function.setResultAttr(i, kNameAttr, b.getStringAttr("r" + Twine(i)));
}
