#include "test/unit/nvptx/EmulatedKernel.h"

#include "passes/cpu/LowerToLLVM.h"
#include "passes/nvptx/EmitPtx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace attnres::testing {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string KernelText::function() const {
  return "func.func @main(" + arguments + ") -> (" + types + ") {\n" + body +
         "\n  return " + results + " : " + types + "\n}\n";
}

std::string KernelText::kernel(const std::string &attributes) const {
  std::string dictionary =
      attributes.empty() ? "" : " attributes {" + attributes + "}";
  if (!inplace.empty())
    dictionary = " inplace [" + inplace + "]" + dictionary;
  return "attnres.kernel @k(" + arguments + ") -> (" + types + ")" +
         dictionary + " {\n" + body + "\n  attnres.return " + results + " : " +
         types + "\n}\n";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool isBf16(Type type) {
  return cast<RankedTensorType>(type).getElementType().isBF16();
}

static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

static std::vector<uint8_t> toBytes(const Tensor &tensor, Type type) {
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

static Tensor toTensor(const std::vector<uint8_t> &bytes, Type type) {
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

double largestError(const Tensor &actual, const Tensor &expected) {
  double largest = 0;
  EXPECT_EQ(actual.size(), expected.size());
  for (int64_t i = 0; i < actual.size(); ++i) {
    double x = actual.reals[i], y = expected.reals[i];
    if (!std::isfinite(x) || !std::isfinite(y)) {
      if (x == y || (std::isnan(x) && std::isnan(y)))
        continue;
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, std::abs(x - y));
  }
  return largest;
}

Expected interpret(const KernelText &text, uint64_t seed) {
  OwningOpRef<ModuleOp> module = parseModule(text.function());
  if (!module)
    return {};
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  return evaluateOn(text, storableInputs(main, seed, /*scaleWeights=*/false));
}

Expected evaluateOn(const KernelText &text, ArrayRef<Tensor> inputs) {
  OwningOpRef<ModuleOp> module = parseModule(text.function());
  if (!module)
    return {};
  auto results = evaluate(*module, inputs);
  return {{inputs.begin(), inputs.end()}, {results.begin(), results.end()}};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static ::testing::AssertionResult isGood(const Status &status) {
  if (status.ok())
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << status.message();
}

/// The PTX of a module's kernel and its launch; empty after a failure.
static std::string compile(KernelOp kernel, const nvptx::GpuTarget &target,
                           nvptx::GpuLaunch &launch) {
  MLIRContext *context = kernel.getContext();
  cpu::loadCpuDialects(*context);
  context->getOrLoadDialect<NVVM::NVVMDialect>();
  OwningOpRef<ModuleOp> functions = ModuleOp::create(kernel.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(functions->getBody());
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  unsigned numInputs = kernel.getArgumentTypes().size();
  unsigned numOutputs = kernel.getResultTypes().size();
  SmallVector<Type> arguments(numInputs + numOutputs + 1, pointer);
  auto function = func::FuncOp::create(builder, kernel.getLoc(), "k",
                                       builder.getFunctionType(arguments, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  builder.setInsertionPoint(func::ReturnOp::create(builder, kernel.getLoc()));
  ValueRange values = function.getArguments();
  FailureOr<std::optional<nvptx::GpuLaunch>> built = nvptx::buildMatrixKernel(
      builder, kernel, values.take_front(numInputs),
      values.slice(numInputs, numOutputs), values.back(), target);
  if (failed(built) || !*built) {
    ADD_FAILURE() << "no matrix kernel takes it";
    return "";
  }
  launch = **built;
  SmallVector<int32_t> block(launch.block, launch.block + 3);
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr(block));
  auto text = nvptx::emitPtx(*functions, target);
  if (failed(text)) {
    ADD_FAILURE() << "the kernel does not compile";
    return "";
  }
  return *text;
}

EmulatedRun runEmulated(const KernelText &text, ArrayRef<Tensor> inputs,
                        const EmulatedOptions &options) {
  EmulatedRun run;
  OwningOpRef<ModuleOp> module = parseModule(text.kernel(options.attributes));
  if (!module)
    return run;
  auto kernel = *module->getOps<KernelOp>().begin();
  run.ptx = compile(kernel, options.target, run.launch);
  if (run.ptx.empty())
    return run;

  emulator::DeviceOptions deviceOptions;
  deviceOptions.shuffleSeed = options.seed;
  deviceOptions.setChecks(options.checks);
  emulator::Device device(deviceOptions);
  if (auto loaded = isGood(device.loadModule(run.ptx)); !loaded) {
    ADD_FAILURE() << loaded.message() << "\n" << run.ptx;
    return run;
  }
  std::vector<uint64_t> arguments;
  auto allocate = [&](int64_t bytes) {
    auto address = device.allocate(std::max<int64_t>(bytes, 1));
    EXPECT_TRUE(address.ok());
    arguments.push_back(address.ok() ? *address : 0);
    return arguments.back();
  };
  for (auto [type, input] :
       llvm::zip_equal(kernel.getArgumentTypes(), inputs)) {
    std::vector<uint8_t> bytes = toBytes(input, type);
    EXPECT_TRUE(isGood(device.copyToDevice(allocate(bytes.size()), bytes.data(),
                                           bytes.size())));
  }
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes())) {
    // Results that may lie over an argument do.
    int64_t argument = kernel.getReusedArgument(i);
    if (argument >= 0)
      arguments.push_back(arguments[argument]);
    else
      EXPECT_TRUE(
          isGood(device.fill(allocate(bytesOf(type)), 0xff, bytesOf(type))));
  }
  allocate(run.launch.scratchBytes);

  std::vector<const void *> pointers;
  for (const uint64_t &argument : arguments)
    pointers.push_back(&argument);
  auto sizes = [](const int64_t(&size)[3]) {
    return emulator::Dim3{uint32_t(size[0]), uint32_t(size[1]),
                          uint32_t(size[2])};
  };
  emulator::LaunchConfig config;
  config.grid = sizes(run.launch.grid);
  config.block = sizes(run.launch.block);
  config.dynamicSharedBytes = run.launch.sharedBytes;
  if (config.grid.count() > 0)
    EXPECT_TRUE(isGood(device.launch("k", config, pointers)));
  if (!device.findings().empty())
    ADD_FAILURE() << device.findings().front().text() << "\n" << run.ptx;
  run.counters = device.counters();
  EXPECT_LE(run.counters.bankConflicts, options.mostBankConflicts);
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes())) {
    std::vector<uint8_t> bytes(bytesOf(type));
    EXPECT_TRUE(isGood(device.copyToHost(
        bytes.data(), arguments[inputs.size() + i], bytes.size())));
    run.results.push_back(toTensor(bytes, type));
  }
  return run;
}

//===----------------------------------------------------------------------===//
// The assembler
//===----------------------------------------------------------------------===//

void expectAssembles(const std::string &ptx, const std::string &processor,
                     int mostRegisters, int mostSpilled) {
  auto tool = llvm::sys::findProgramByName("ptxas");
  if (!tool)
    tool = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"});
  if (!tool)
    GTEST_SKIP() << "no ptxas: registers and warnings were not looked at";
  llvm::SmallString<128> source, object, log;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "ptx", source));
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "cubin", object));
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "log", log));
  {
    std::error_code error;
    llvm::raw_fd_ostream(source, error) << ptx;
    ASSERT_FALSE(error);
  }
  std::string architecture = "-arch=" + processor;
  std::string object_ = object.str().str();
  StringRef arguments[] = {*tool, "-v", architecture, "-o", object_, source};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  int code =
      llvm::sys::ExecuteAndWait(*tool, arguments, std::nullopt, redirects);
  std::string messages;
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    messages = (*buffer)->getBuffer().str();
  for (const auto &file : {source, object, log})
    llvm::sys::fs::remove(file);
  EXPECT_EQ(code, 0) << messages;
  EXPECT_EQ(messages.find("warning"), std::string::npos) << messages;
  EXPECT_EQ(messages.find("C75"), std::string::npos) << messages;
  auto numberBefore = [&](const std::string &words) {
    size_t end = messages.find(words);
    if (end == std::string::npos)
      return -1;
    size_t begin = messages.find_last_not_of("0123456789", end - 1) + 1;
    return std::atoi(messages.c_str() + begin);
  };
  for (const char *spills : {" bytes spill stores", " bytes spill loads"}) {
    int bytes = numberBefore(spills);
    EXPECT_GE(bytes, 0) << messages;
    EXPECT_LE(bytes, mostSpilled) << messages;
  }
  int registers = numberBefore(" registers");
  EXPECT_GT(registers, 0) << messages;
  EXPECT_LE(registers, mostRegisters) << messages;
}

} // namespace attnres::testing
