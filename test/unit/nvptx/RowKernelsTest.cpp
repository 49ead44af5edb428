// Row kernels of GPUs on the emulator: they compute what the float64
// interpreter says and what processors compute, write everything, and keep to
// the rules of memory that the emulator checks.
#include "passes/nvptx/RowKernels.h"
#include "runtime/emulator/Device.h"
#include "test/unit/compile/CompiledCode.h"

#include <cstring>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

//===----------------------------------------------------------------------===//
// Tensors on the emulated device
//===----------------------------------------------------------------------===//

bool isBf16(const Type &type) {
  return cast<RankedTensorType>(type).getElementType().isBF16();
}

int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

std::vector<uint8_t> toBytes(const Tensor &tensor, Type type) {
  std::vector<uint8_t> bytes(bytesOf(type));
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (tensor.isInteger) {
      std::memcpy(&bytes[8 * i], &tensor.integers[i], 8);
      continue;
    }
    auto number = static_cast<float>(tensor.reals[i]);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    uint16_t upper = bits >> 16; // inputs of bf16 are exact
    if (isBf16(type))
      std::memcpy(&bytes[2 * i], &upper, 2);
    else
      std::memcpy(&bytes[4 * i], &bits, 4);
  }
  return bytes;
}

Tensor toTensor(const std::vector<uint8_t> &bytes, Type type) {
  Tensor tensor = Tensor::ofReals(cast<RankedTensorType>(type).getShape(), 0.0);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint32_t bits = 0;
    if (isBf16(type)) {
      uint16_t upper;
      std::memcpy(&upper, &bytes[2 * i], 2);
      bits = uint32_t(upper) << 16;
    } else {
      std::memcpy(&bits, &bytes[4 * i], 4);
    }
    float number;
    std::memcpy(&number, &bits, 4);
    tensor.reals[i] = number;
  }
  return tensor;
}

/// The launches of a program of the stage kernels, on an emulated device.
class EmulatedProgram {
public:
  /// `seed` draws the order of warps and blocks; 0 is in order.
  EmulatedProgram(ModuleOp module, uint64_t seed)
      : module(module), device(optionsOf(seed)) {}

  /// What @main returns; a test failure and nothing on an error or a finding.
  SmallVector<Tensor> run(ArrayRef<Tensor> inputs) {
    auto compiled = nvptx::compileRowKernels(module);
    if (failed(compiled)) {
      ADD_FAILURE() << "the kernels do not compile";
      return {};
    }
    ptx = compiled->text;
    EXPECT_TRUE(isGood(device.loadModule(ptx))) << ptx;
    auto main = module.lookupSymbol<func::FuncOp>("main");
    for (auto [argument, input] : llvm::zip_equal(main.getArguments(), inputs))
      write(argument, input);
    for (auto launch : main.getOps<LaunchOp>())
      for (const nvptx::RowLaunch &kernel : compiled->kernels)
        if (kernel.name == launch.getKernel())
          execute(launch, kernel);
    for (const emulator::Finding &finding : device.findings())
      ADD_FAILURE() << finding.text() << "\n" << ptx;
    SmallVector<Tensor> results;
    for (Value value : main.front().getTerminator()->getOperands()) {
      std::vector<uint8_t> bytes(bytesOf(value.getType()));
      EXPECT_TRUE(isGood(
          device.copyToHost(bytes.data(), addressOf(value), bytes.size())));
      results.push_back(toTensor(bytes, value.getType()));
    }
    return results;
  }

  std::string ptx;

private:
  static emulator::DeviceOptions optionsOf(uint64_t seed) {
    emulator::DeviceOptions options;
    options.shuffleSeed = seed;
    return options;
  }

  static ::testing::AssertionResult isGood(const Status &status) {
    if (status.ok())
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << status.message();
  }

  uint64_t allocate(int64_t bytes) {
    auto address = device.allocate(std::max<int64_t>(bytes, 1));
    EXPECT_TRUE(address.ok());
    return address.ok() ? *address : 0;
  }

  uint64_t addressOf(Value value) {
    uint64_t &address = addresses[value];
    if (!address)
      address = allocate(bytesOf(value.getType()));
    return address;
  }

  void write(Value value, const Tensor &tensor) {
    std::vector<uint8_t> bytes = toBytes(tensor, value.getType());
    EXPECT_TRUE(isGood(
        device.copyToDevice(addressOf(value), bytes.data(), bytes.size())));
  }

  /// A struct attnres_list of some tensors, on the device.
  uint64_t listOf(ValueRange values) {
    std::vector<uint64_t> pointers;
    for (Value value : values)
      pointers.push_back(addressOf(value));
    uint64_t data = allocate(8 * pointers.size());
    EXPECT_TRUE(isGood(
        device.copyToDevice(data, pointers.data(), 8 * pointers.size())));
    const uint64_t list[] = {pointers.size(), data};
    uint64_t address = allocate(sizeof list);
    EXPECT_TRUE(isGood(device.copyToDevice(address, list, sizeof list)));
    return address;
  }

  void addArguments(ValueRange values, ArrayRef<int64_t> groups,
                    std::vector<uint64_t> &arguments, int64_t &members) {
    for (int64_t size : groups) {
      if (size < 0) {
        arguments.push_back(addressOf(values.front()));
        values = values.drop_front();
        continue;
      }
      arguments.push_back(listOf(values.take_front(size)));
      values = values.drop_front(size);
      members += size;
    }
  }

  void execute(LaunchOp launch, const nvptx::RowLaunch &kernel) {
    std::vector<uint64_t> arguments;
    int64_t members = 0;
    addArguments(launch.getInputs(), launch.getOperandGroups(), arguments,
                 members);
    addArguments(launch.getResults(), launch.getResultGroups(), arguments,
                 members);
    arguments.push_back(
        allocate(kernel.items * (kernel.scratchBytes +
                                 members * kernel.scratchBytesPerMember)));
    std::vector<const void *> pointers;
    for (const uint64_t &argument : arguments)
      pointers.push_back(&argument);
    emulator::LaunchConfig config;
    config.grid.x = llvm::divideCeil(kernel.items, nvptx::kBlockWarps);
    config.block.x = nvptx::kBlockWarps * 32;
    EXPECT_TRUE(isGood(device.launch(kernel.name, config, pointers)));
  }

  ModuleOp module;
  emulator::Device device;
  DenseMap<Value, uint64_t> addresses;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

constexpr Stage kToKernels[] = {Stage::Naive, Stage::Scheduled, Stage::Training,
                                Stage::Kernels};

/// Runs @main on the emulator and compares it with the interpreter and with a
/// processor. Returns the PTX.
std::string expectEmulated(llvm::StringRef text, double tolerance) {
  OwningOpRef<ModuleOp> module = parseModule(text);
  if (!module)
    return "";
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  SmallVector<Tensor> inputs = storableInputs(main, 11, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = evaluate(*module, inputs);
  StageOptions options;
  expectCompiled(*module, options, inputs, expected, expected.size());
  EXPECT_TRUE(runStages(*module, kToKernels, options));
  EmulatedProgram program(*module, 0);
  SmallVector<Tensor> actual = program.run(inputs);
  SmallVector<Tensor> shuffled = EmulatedProgram(*module, 5).run(inputs);
  EXPECT_EQ(actual.size(), expected.size());
  for (auto [first, second] : llvm::zip_equal(actual, shuffled))
    EXPECT_TRUE(first.reals == second.reals) << "depends on the order of warps";
  for (auto [i, pair] : llvm::enumerate(llvm::zip(actual, expected)))
    EXPECT_TRUE(isClose(std::get<0>(pair), std::get<1>(pair), tolerance))
        << "in result " << i;
  return program.ptx;
}

constexpr double kF32 = 2e-6, kBf16 = 5e-3;

} // namespace

TEST(WarpRows, RmsNormOfBf16ReadsSixteenBytes) {
  std::string ptx = expectEmulated(R"(
func.func @main(%x: tensor<9x512xbf16>, %w: tensor<512xf32>) -> tensor<9x512xbf16> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<9x512xbf16>, tensor<512xf32>
  return %y : tensor<9x512xbf16>
})",
                                   kBf16);
  // Eight bf16 to a lane, or four words.
  EXPECT_NE(ptx.find("ld.global.v4.b32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("shfl.sync.bfly"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("ld.global.b16"), std::string::npos) << ptx;
}

TEST(WarpRows, RmsNormOfAnyWidth) {
  for (const char *width : {"1", "5", "37", "96", "160", "260"}) {
    SCOPED_TRACE(width);
    std::string type = std::string("tensor<7x") + width + "xf32>";
    std::string weight = std::string("tensor<") + width + "xf32>";
    expectEmulated(
        "func.func @main(%x: " + type + ", %w: " + weight + ") -> " + type +
            " {\n"
            "  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : " +
            type + ", " + weight + "\n  return %y : " + type + "\n}",
        kF32);
  }
}

/// A chain: the sum stays in scratch.
TEST(WarpRows, AdditionAndNormInOneKernel) {
  expectEmulated(R"(
func.func @main(%x: tensor<5x3x72xf32>, %u: tensor<5x3x72xf32>, %w: tensor<72xf32>)
    -> (tensor<5x3x72xf32>) {
  %s = arith.addf %x, %u : tensor<5x3x72xf32>
  %y = attnres.rms_norm %s, %w {eps = 1.0e-6 : f64} : tensor<5x3x72xf32>, tensor<72xf32>
  return %y : tensor<5x3x72xf32>
})",
                 kF32);
}

TEST(WarpRows, Swiglu) {
  expectEmulated(R"(
func.func @main(%g: tensor<11x96xf32>, %u: tensor<11x96xf32>) -> tensor<11x96xf32> {
  %y = attnres.swiglu %g, %u : tensor<11x96xf32>
  return %y : tensor<11x96xf32>
})",
                 kF32);
}

/// One query, a list of sources.
TEST(WarpRows, DepthAttention) {
  expectEmulated(R"(
func.func @main(%q: tensor<64xf32>, %g: tensor<64xf32>, %a: tensor<6x64xf32>, %b: tensor<6x64xf32>,
                %c: tensor<6x64xf32>) -> (tensor<6x64xf32>, tensor<6xf32>) {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64}
    : tensor<6x64xf32>
  return %h, %lse : tensor<6x64xf32>, tensor<6xf32>
})",
                 kF32);
}

/// Six queries over five sources: a block of four and two single ones.
TEST(WarpRows, DepthAttentionOfManyQueries) {
  expectEmulated(R"(
func.func @main(%q0: tensor<40xf32>, %q1: tensor<40xf32>, %q2: tensor<40xf32>, %q3: tensor<40xf32>,
                %q4: tensor<40xf32>, %q5: tensor<40xf32>, %g: tensor<40xf32>, %a: tensor<3x40xbf16>,
                %b: tensor<3x40xbf16>, %c: tensor<3x40xbf16>, %d: tensor<3x40xbf16>, %e: tensor<3x40xbf16>)
    -> (tensor<3x40xbf16>, tensor<3x40xbf16>, tensor<3xf32>) {
  %h:6, %l:6 = attnres.depth_attention queries(%q0, %q1, %q2, %q3, %q4, %q5)
    gains(%g, %g, %g, %g, %g, %g) sources(%a, %b, %c, %d, %e) {eps = 1.0e-8 : f64} : tensor<3x40xbf16>
  return %h#0, %h#5, %l#4 : tensor<3x40xbf16>, tensor<3x40xbf16>, tensor<3xf32>
})",
                 kBf16);
}

/// Weights that all lanes read, each written by one.
TEST(WarpRows, StaticMixture) {
  expectEmulated(R"(
func.func @main(%x: tensor<4x50xf32>, %a: tensor<4x50xf32>, %w: tensor<2xf32>) -> tensor<4x50xf32> {
  %m = attnres.static_mix %w, %x, %a : tensor<4x50xf32>
  return %m : tensor<4x50xf32>
})",
                 kF32);
}
