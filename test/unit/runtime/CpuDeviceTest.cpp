// A small program runs on the processor: results, binding errors, poisoning,
// and the same bits for any number of threads.
#include "runtime/device/CpuDevice.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

using namespace attnres;
using namespace attnres::runtime;

namespace {

constexpr int64_t width = 37, items = 101, numElements = width * items;
constexpr int64_t tensorSize = numElements * sizeof(float);

/// mixed = 0.25 a + 0.75 w; loss = sum(mixed^2); w -= mixed / 2.
Program sampleProgram() {
  Program program;
  program.blobs = {readBytes(ATTNRES_OBJECT_DIR "/device_kernels.o")};
  float weights[2] = {0.25f, 0.75f};
  program.constants.assign(128, '\0');
  std::memcpy(&program.constants[0], weights, sizeof weights);
  std::memcpy(&program.constants[64], &items, sizeof items);
  program.bindings = {
      {"a", DType::F32, {items, width}, Direction::Input, -1},
      {"w", DType::F32, {items, width}, Direction::Input, -1},
      {"w", DType::F32, {items, width}, Direction::Output, 1},
      {"loss", DType::F32, {}, Direction::Output, -1},
  };
  constexpr int64_t partial = (tensorSize + 63) / 64 * 64;
  program.workspaceBytes = partial + items * 4;
  program.kernels = {{"mix", 0, "mix", {items}, width * 4},
                     {"squares", 0, "partial_squares", {items}},
                     {"total", 0, "total", {1}},
                     {"update", 0, "update", {items}}};
  Arg mixed = Arg::toWorkspace(0), sums = Arg::toWorkspace(partial);
  program.launches = {
      {0,
       {Arg::toList({Arg::toBinding(0), Arg::toBinding(1)}), Arg::toConstant(0),
        mixed}},
      {1, {mixed, sums}},
      {2, {sums, Arg::toConstant(64), Arg::toBinding(3)}},
      {3, {mixed, Arg::toBinding(2)}},
  };
  return program;
}

/// Memory of a tensor, aligned as bindings must be.
struct alignas(64) Tensors {
  float a[numElements];
  alignas(64) float w[numElements];
  alignas(64) float loss;

  Tensors() {
    for (int64_t i = 0; i < numElements; ++i) {
      a[i] = std::sin(static_cast<float>(i));
      w[i] = std::cos(static_cast<float>(3 * i));
    }
    loss = -1;
  }

  /// Bit for bit; padding between the tensors may differ.
  bool operator==(const Tensors &other) const {
    return std::memcmp(a, other.a, sizeof a) == 0 &&
           std::memcmp(w, other.w, sizeof w) == 0 &&
           std::memcmp(&loss, &other.loss, sizeof loss) == 0;
  }
};

Status bindAll(Executable &executable, Tensors &tensors) {
  if (Status status = executable.bind("a", Direction::Input,
                                      CpuDevice::shared(tensors.a, tensorSize));
      !status.ok())
    return status;
  if (Status status = executable.bind("w", Direction::Input,
                                      CpuDevice::shared(tensors.w, tensorSize));
      !status.ok())
    return status;
  return executable.bind("loss", Direction::Output,
                         CpuDevice::shared(&tensors.loss, 4));
}

std::unique_ptr<Executable> make(CpuDevice &device,
                                 Program program = sampleProgram()) {
  auto executable =
      device.load(std::make_shared<const Program>(std::move(program)));
  EXPECT_TRUE(executable.ok()) << executable.status().message();
  return executable.ok() ? *std::move(executable) : nullptr;
}

std::string creationError(CpuDevice &device, Program program) {
  auto executable =
      device.load(std::make_shared<const Program>(std::move(program)));
  return executable.ok() ? "" : executable.status().message();
}

CpuOptions withThreads(int threads) {
  CpuOptions options;
  options.threads = threads;
  return options;
}

TEST(CpuDevice, Computes) {
  CpuDevice device(withThreads(2));
  auto executable = make(device);
  ASSERT_TRUE(executable);
  auto tensors = std::make_unique<Tensors>();
  Tensors before = *tensors;
  Status status = bindAll(*executable, *tensors);
  ASSERT_TRUE(status.ok()) << status.message();
  Executable::RunOptions options;
  options.poison = true;
  std::vector<LaunchTime> times;
  options.launchTimes = &times;
  status = executable->run(options);
  ASSERT_TRUE(status.ok()) << status.message();

  double loss = 0;
  for (int64_t i = 0; i < numElements; ++i) {
    float mixed = 0.25f * before.a[i] + 0.75f * before.w[i];
    loss += double{mixed} * mixed;
    EXPECT_NEAR(tensors->w[i], before.w[i] - 0.5f * mixed, 1e-6);
    EXPECT_EQ(tensors->a[i], before.a[i]);
  }
  EXPECT_NEAR(tensors->loss, loss, 1e-4 * loss);
  ASSERT_EQ(times.size(), 4u);
  for (size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i].launch, static_cast<int64_t>(i));
    EXPECT_GT(times[i].seconds(), 0);
    if (i > 0) {
      EXPECT_LE(times[i - 1].end, times[i].begin);
    }
  }
}

/// A part of the launches; running all parts in order is running all.
TEST(CpuDevice, RunsPartsOfAProgram) {
  CpuDevice device(withThreads(2));
  auto executable = make(device);
  ASSERT_TRUE(executable);
  auto whole = std::make_unique<Tensors>();
  auto parts = std::make_unique<Tensors>(*whole);
  ASSERT_TRUE(bindAll(*executable, *whole).ok());
  ASSERT_TRUE(executable->run().ok());
  ASSERT_TRUE(bindAll(*executable, *parts).ok());
  std::vector<LaunchTime> times;
  for (auto [begin, end] : {std::make_pair(0, 1), {1, 1}, {1, 3}, {3, -1}}) {
    Executable::RunOptions options;
    options.begin = begin;
    options.end = end;
    options.launchTimes = &times;
    ASSERT_TRUE(executable->run(options).ok());
  }
  EXPECT_EQ(times.size(), 4u);
  EXPECT_EQ(std::memcmp(whole.get(), parts.get(), sizeof(Tensors)), 0);
  for (auto [begin, end] : {std::make_pair(-1, 2), {5, 5}, {0, 5}}) {
    Executable::RunOptions options;
    options.begin = begin;
    options.end = end;
    EXPECT_FALSE(executable->run(options).ok());
  }
}

TEST(CpuDevice, G8SameBitsForAnyThreadCount) {
  auto reference = std::make_unique<Tensors>();
  for (int threads : {1, 2, 3, 5, 16}) {
    CpuDevice device(withThreads(threads));
    EXPECT_EQ(device.threads().size(), threads);
    auto executable = make(device);
    ASSERT_TRUE(executable);
    auto tensors = std::make_unique<Tensors>();
    ASSERT_TRUE(bindAll(*executable, *tensors).ok());
    for (int step = 0; step < 20; ++step)
      ASSERT_TRUE(executable->run().ok());
    if (threads == 1)
      *reference = *tensors;
    EXPECT_TRUE(*tensors == *reference) << threads << " threads";
  }
}

TEST(CpuDevice, PoisonShowsMissingWrites) {
  CpuDevice device(withThreads(1));
  Program program = sampleProgram();
  program.launches.erase(program.launches.begin()); // nobody writes `mixed`
  auto executable = make(device, std::move(program));
  auto tensors = std::make_unique<Tensors>();
  ASSERT_TRUE(bindAll(*executable, *tensors).ok());
  Executable::RunOptions options;
  options.poison = true;
  ASSERT_TRUE(executable->run(options).ok());
  EXPECT_TRUE(std::isnan(tensors->loss));
  EXPECT_TRUE(std::isnan(tensors->w[0]));
}

TEST(CpuDevice, BindingErrors) {
  CpuDevice device(withThreads(1));
  auto executable = make(device);
  auto tensors = std::make_unique<Tensors>();
  EXPECT_EQ(executable->run().message(),
            "input 'a' (F32 [101, 37]) is not bound");
  EXPECT_EQ(executable->bind(0, CpuDevice::shared(tensors->a, tensorSize - 4))
                .message(),
            "input 'a' (F32 [101, 37]): expected 14948 bytes, got 14944");
  const char *inside = reinterpret_cast<const char *>(tensors->a) + 2;
  EXPECT_EQ(
      executable->bind(0, CpuDevice::shared(inside, tensorSize)).message(),
      "input 'a' (F32 [101, 37]): address is not a multiple of 4");
  EXPECT_EQ(
      executable->bind(0, CpuDevice::shared(nullptr, tensorSize)).message(),
      "input 'a' (F32 [101, 37]): no memory");
  EXPECT_EQ(
      executable->bind(2, CpuDevice::shared(tensors->w, tensorSize)).message(),
      "output 'w' (F32 [101, 37]) overwrites input 'w' (F32 [101, 37]) "
      "and has no memory of its own");
  EXPECT_EQ(
      executable->bind(4, CpuDevice::shared(tensors->w, tensorSize)).message(),
      "binding 4 of 4");
  EXPECT_EQ(
      executable->bind(-1, CpuDevice::shared(tensors->w, tensorSize)).message(),
      "binding -1 of 4");
  EXPECT_EQ(
      executable->bind("x", Direction::Output, CpuDevice::shared(tensors->w, 4))
          .message(),
      "no output 'x' in the program");
  ASSERT_TRUE(
      executable->bind(0, CpuDevice::shared(tensors->a, tensorSize)).ok());
  ASSERT_TRUE(
      executable->bind(1, CpuDevice::shared(tensors->w, tensorSize)).ok());
  EXPECT_EQ(executable->run().message(), "output 'loss' (F32 []) is not bound");
  EXPECT_EQ(tensors->loss, -1) << "nothing ran";
}

/// The sample program with everything `bytes` further into its workspace.
Program withLargerWorkspace(int64_t bytes) {
  Program program = sampleProgram();
  program.workspaceBytes += bytes;
  for (Launch &launch : program.launches)
    for (Arg &arg : launch.args)
      if (arg.kind == Arg::Kind::Workspace)
        arg.offset += bytes;
  return program;
}

/// Executables of several sizes use one memory, by turns, also those that were
/// resolved before it grew.
TEST(CpuDevice, ExecutablesShareTheirWorkspace) {
  auto expected = std::make_unique<Tensors>();
  {
    CpuDevice device(withThreads(2));
    auto executable = make(device);
    ASSERT_TRUE(bindAll(*executable, *expected).ok());
    for (int step = 0; step < 6; ++step)
      ASSERT_TRUE(executable->run().ok());
  }
  CpuDevice device(withThreads(2));
  EXPECT_EQ(device.workspace().bytes, 0);
  auto tensors = std::make_unique<Tensors>();
  std::vector<std::unique_ptr<Executable>> executables;
  Executable::RunOptions poison;
  poison.poison = true;
  int64_t largest = 0;
  for (int64_t bytes : {int64_t(1) << 16, int64_t(8) << 20, int64_t(0)}) {
    executables.push_back(make(device, withLargerWorkspace(bytes)));
    ASSERT_TRUE(bindAll(*executables.back(), *tensors).ok());
    ASSERT_TRUE(executables.back()->run().ok());
    largest = std::max(largest, executables.back()->program().workspaceBytes);
    EXPECT_EQ(device.workspace().bytes, largest);
  }
  for (auto &executable : executables)
    ASSERT_TRUE(executable->run(poison).ok());
  EXPECT_TRUE(*tensors == *expected);
  executables.clear();
  EXPECT_EQ(device.workspace().bytes, largest);
}

TEST(CpuDevice, RebindingTakesEffect) {
  CpuDevice device(withThreads(2));
  auto executable = make(device);
  auto first = std::make_unique<Tensors>(),
       second = std::make_unique<Tensors>();
  ASSERT_TRUE(bindAll(*executable, *first).ok());
  ASSERT_TRUE(executable->run().ok());
  ASSERT_TRUE(bindAll(*executable, *second).ok());
  ASSERT_TRUE(executable->run().ok());
  EXPECT_EQ(first->loss, second->loss);
  EXPECT_TRUE(*first == *second);
}

TEST(CpuDevice, EmptyTensorsNeedNoMemory) {
  CpuDevice device(withThreads(1));
  Program program;
  program.blobs = {readBytes(ATTNRES_OBJECT_DIR "/device_kernels.o")};
  program.bindings = {{"a", DType::F32, {0, 37}, Direction::Input, -1}};
  program.kernels = {{"mix", 0, "mix", {0}}};
  program.launches = {{0, {Arg::toBinding(0), Arg::toList({})}}};
  auto executable = make(device, std::move(program));
  EXPECT_TRUE(executable->run().ok());
  EXPECT_TRUE(executable->bind(0, {}).ok());
  EXPECT_TRUE(executable->run().ok());
}

/// The message about the element `value` of an input of six integers.
template <typename T>
std::string limitError(DType dtype, T value, std::vector<IndexRange> limits) {
  CpuDevice device(withThreads(1));
  Program program;
  program.bindings = {
      {"tokens", dtype, {2, 3}, Direction::Input, -1, std::move(limits)}};
  auto executable = make(device, std::move(program));
  alignas(64) T tokens[6] = {1, 2, 0, 1, value, 1};
  EXPECT_TRUE(
      executable->bind(0, CpuDevice::shared(tokens, sizeof tokens)).ok());
  Status status = executable->run();
  return status.ok() ? "" : status.message();
}

TEST(CpuDevice, G11InputsAreInsideTheirLimits) {
  const std::vector<IndexRange> limits = {{-100, -100}, {0, 99}};
  for (int64_t inside : {-100, 0, 50, 99})
    EXPECT_EQ(limitError<int64_t>(DType::I64, inside, limits), "");
  EXPECT_EQ(limitError<int64_t>(DType::I64, 100, limits),
            "input 'tokens' (I64 [2, 3]): element [1, 1] is 100, expected -100 "
            "or 0 to 99");
  for (int64_t outside : {int64_t{-1}, int64_t{-101}, int64_t{1} << 32,
                          std::numeric_limits<int64_t>::min(),
                          std::numeric_limits<int64_t>::max()})
    EXPECT_NE(limitError<int64_t>(DType::I64, outside, limits), "") << outside;
  EXPECT_EQ(limitError<int32_t>(DType::I32, 99, limits), "");
  EXPECT_NE(limitError<int32_t>(DType::I32, 100, limits), "");
  EXPECT_NE(limitError<int16_t>(DType::I16, -1, limits), "");
  EXPECT_NE(limitError<int8_t>(DType::I8, -1, limits), "");
  EXPECT_NE(limitError<uint8_t>(DType::U8, 255, limits), "");
  EXPECT_EQ(limitError<uint8_t>(DType::U8, 99, limits), "");
  // Without limits anything goes.
  EXPECT_EQ(limitError<int64_t>(DType::I64, -7, {}), "");
}

TEST(CpuDevice, CreationErrors) {
  CpuOptions options = withThreads(1);
  options.features = *CpuFeatures::parse("avx2");
  CpuDevice device(options);

  Program program = sampleProgram();
  program.target = "cpu:avx512";
  EXPECT_EQ(creationError(device, program),
            "code needs avx512, this machine has avx2");
  program.target = "sm_90a";
  EXPECT_EQ(creationError(device, program),
            "the program is for 'sm_90a', the device cpu runs programs for "
            "cpu:ISA");
  program = sampleProgram();
  program.kernels[1].symbol = "squares";
  EXPECT_EQ(creationError(device, program),
            "program: kernel 'squares': no symbol 'squares' in blob 0");
  program = sampleProgram();
  program.blobs[0] = "not code";
  EXPECT_EQ(creationError(device, program), "program: blob 0: not an ELF file");
  program = sampleProgram();
  program.launches[0].kernel = 9;
  EXPECT_EQ(creationError(device, program), "program: launch 0: kernel 9 of 4");
  program = sampleProgram();
  program.workspaceBytes = INT64_MAX;
  EXPECT_NE(creationError(device, program).find("cannot allocate"),
            std::string::npos);
}

} // namespace
