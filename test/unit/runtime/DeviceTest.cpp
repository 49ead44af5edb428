// One program, as x86-64 objects on the processor and as PTX on the emulator,
// through the same interface, with the same bits.
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/device/EmulatedDevice.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

using namespace attnres;
using namespace attnres::runtime;

namespace {

constexpr int64_t width = 37, items = 101;

// The kernels of objects/device_kernels.c. A thread is a work item: `mix` has
// 37 of them beside each other for each, `partial_squares` sums into scratch
// memory first.
constexpr char ptx[] = R"(
.version 8.0
.target sm_90a
.address_size 64

.visible .entry mix(.param .align 8 .b8 sources[24], .param .u64 weights,
                    .param .u64 result)
{
  .reg .pred %p;
  .reg .b32 %t, %b, %n;
  .reg .f32 %sum, %x, %w;
  .reg .b64 %i, %count, %s, %at, %list, %weight, %out;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mad.lo.u32 %n, %b, 37, %t;
  mul.wide.u32 %i, %n, 4;
  ld.param.u64 %count, [sources];
  ld.param.u64 %weight, [weights];
  mov.u64 %list, sources;
  mov.f32 %sum, 0f00000000;
  mov.u64 %s, 0;
loop:
  setp.ge.u64 %p, %s, %count;
  @%p bra done;
  add.u64 %list, %list, 8;
  ld.param.u64 %at, [%list];
  add.u64 %at, %at, %i;
  ld.global.f32 %x, [%at];
  ld.global.f32 %w, [%weight];
  mul.rn.f32 %x, %w, %x;
  add.rn.f32 %sum, %sum, %x;
  add.u64 %weight, %weight, 4;
  add.u64 %s, %s, 1;
  bra loop;
done:
  ld.param.u64 %out, [result];
  add.u64 %out, %out, %i;
  st.global.f32 [%out], %sum;
  ret;
}

.visible .entry partial_squares(.param .u64 values, .param .u64 partial,
                                .param .u64 scratch)
{
  .reg .pred %p;
  .reg .b32 %t, %b, %n, %k;
  .reg .f32 %sum, %x;
  .reg .b64 %i, %at, %out, %own;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mad.lo.u32 %n, %b, 32, %t;
  setp.ge.u32 %p, %n, 101;
  @%p bra end;
  mul.wide.u32 %i, %n, 148;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %i;
  mov.f32 %sum, 0f00000000;
  mov.u32 %k, 0;
next:
  ld.global.f32 %x, [%at];
  mul.rn.f32 %x, %x, %x;
  add.rn.f32 %sum, %sum, %x;
  add.u64 %at, %at, 4;
  add.u32 %k, %k, 1;
  setp.lt.u32 %p, %k, 37;
  @%p bra next;
  mul.wide.u32 %i, %n, 4;
  ld.param.u64 %own, [scratch];
  add.u64 %own, %own, %i;
  st.global.f32 [%own], %sum;
  ld.global.f32 %sum, [%own];
  ld.param.u64 %out, [partial];
  add.u64 %out, %out, %i;
  st.global.f32 [%out], %sum;
end:
  ret;
}
)";

/// sums = the sums of squares of the rows of 0.25 a + 0.75 b.
Program sampleProgram() {
  Program program;
  float weights[2] = {0.25f, 0.75f};
  program.constants.assign(reinterpret_cast<char *>(weights), sizeof weights);
  program.bindings = {
      {"a", DType::F32, {items, width}, Direction::Input},
      {"b", DType::F32, {items, width}, Direction::Input},
      {"sums", DType::F32, {items}, Direction::Output},
  };
  program.workspaceBytes = items * width * 4;
  program.launches = {
      {0,
       {Arg::toList({Arg::toBinding(0), Arg::toBinding(1)}), Arg::toConstant(0),
        Arg::toWorkspace(0)}},
      {1, {Arg::toWorkspace(0), Arg::toBinding(2)}},
  };
  return program;
}

Program forCpu() {
  Program program = sampleProgram();
  program.blobs = {readBytes(ATTNRES_OBJECT_DIR "/device_kernels.o")};
  program.kernels = {{"mix", 0, "mix", {items}, width * 4},
                     {"squares", 0, "partial_squares", {items}}};
  return program;
}

Program forGpu() {
  Program program = sampleProgram();
  program.target = "sm_90a";
  program.blobs = {ptx};
  program.kernels = {{"mix", 0, "mix", {items}},
                     {"squares", 0, "partial_squares", {4}, items * 4}};
  program.kernels[0].block = {width};
  program.kernels[1].block = {32};
  return program;
}

std::string errorOf(Device &device, Program program) {
  auto executable =
      device.load(std::make_shared<const Program>(std::move(program)));
  return executable.ok() ? "" : executable.status().message();
}

/// The sums of sines and cosines.
std::vector<float> run(Device &device, Program program,
                       std::vector<LaunchTime> *times = nullptr) {
  auto bound = BoundProgram::create(
      device, std::make_shared<const Program>(std::move(program)));
  EXPECT_TRUE(bound.ok()) << bound.status().message();
  if (!bound.ok())
    return {};
  for (size_t i : {0, 1}) {
    auto mapping = bound->map(i, Access::Write);
    EXPECT_TRUE(mapping.ok()) << mapping.status().message();
    for (int64_t k = 0; k < items * width; ++k)
      mapping->as<float>()[k] = std::sin(static_cast<float>(k + 7 * i));
    EXPECT_TRUE(mapping->unmap().ok());
  }
  Executable::RunOptions options;
  options.poison = true;
  options.launchTimes = times;
  Status status = bound->executable().run(options);
  EXPECT_TRUE(status.ok()) << status.message();
  auto outputs = bound->outputs();
  EXPECT_TRUE(outputs.ok()) << outputs.status().message();
  const auto *sums = static_cast<const float *>(outputs->tensors[0].data);
  return {sums, sums + items};
}

TEST(Device, TheSameBitsOnEveryDevice) {
  CpuDevice cpu;
  EmulatedDevice gpu;
  std::vector<float> expected = run(cpu, forCpu());
  ASSERT_EQ(expected.size(), static_cast<size_t>(items));
  EXPECT_GT(expected[50], 1);
  std::vector<LaunchTime> times;
  EXPECT_EQ(run(gpu, forGpu(), &times), expected);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[1].launch, 1);
  EXPECT_LE(times[0].end, times[1].begin);

  EXPECT_TRUE(cpu.counters().empty());
  for (const DeviceCounter &counter : gpu.counters()) {
    if (counter.name == "launches") {
      EXPECT_EQ(counter.value, 2);
    }
    // Two sources, their weights, what was mixed, and the sums in scratch.
    if (counter.name == "global_load_bytes") {
      EXPECT_EQ(counter.value, (5 * items * width + items) * 4);
    }
  }
}

/// Programs whose kernels have the same names are different programs.
TEST(Device, ProgramsShareADevice) {
  EmulatedDevice gpu;
  Program other = forGpu();
  other.constants.assign(8, '\0');
  std::vector<float> expected = run(gpu, forGpu());
  EXPECT_EQ(run(gpu, std::move(other)), std::vector<float>(items, 0.0f));
  EXPECT_EQ(run(gpu, forGpu()), expected);
}

template <typename Made>
void checkMemory(Made &device) {
  auto first = device.allocate(256), second = device.allocate(256);
  ASSERT_TRUE(first.ok() && second.ok());
  std::vector<uint8_t> content(256), read(256, 1);
  ASSERT_TRUE(device.download(read.data(), first->memory()).ok());
  EXPECT_EQ(read, content) << "memory is zeroed";
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<uint8_t>(i);
  ASSERT_TRUE(device.upload(first->memory(), content.data()).ok());
  ASSERT_TRUE(device.fill(second->memory(), 9).ok());
  ASSERT_TRUE(
      device.copy(second->memory().part(100, 50), first->memory().part(10, 50))
          .ok());
  ASSERT_TRUE(device.download(read.data(), second->memory()).ok());
  for (size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(read[i], i >= 100 && i < 150 ? i - 90 : 9) << i;
  auto mapping = device.map(first->memory().part(64, 64), Access::Read);
  ASSERT_TRUE(mapping.ok());
  EXPECT_EQ(mapping->template as<uint8_t>()[3], 67);
  auto nothing = device.allocate(0);
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(device.fill(nothing->memory(), 1).ok());
  EXPECT_TRUE(device.upload(nothing->memory(), nullptr).ok());
}

TEST(Device, Memory) {
  CpuDevice cpu;
  checkMemory(cpu);
  EmulatedDevice gpu;
  checkMemory(gpu);
}

/// Host memory is a processor's own and never another device's.
TEST(Device, Borrowing) {
  alignas(64) float data[32] = {1};
  CpuDevice cpu;
  auto borrowed = cpu.borrow(data, sizeof data);
  ASSERT_TRUE(borrowed);
  auto mapping = cpu.map(*borrowed, Access::Write);
  ASSERT_TRUE(mapping.ok());
  EXPECT_EQ(mapping->data(), data);
  EXPECT_FALSE(cpu.borrow(data + 1, 4));
  EmulatedDevice gpu;
  EXPECT_FALSE(gpu.borrow(data, sizeof data));
}

TEST(Device, ProgramsForOtherDevices) {
  EmulatedDevice gpu;
  EXPECT_EQ(errorOf(gpu, forCpu()),
            "the program is for 'cpu:generic', the device emulator runs "
            "programs for sm_NN");
  CpuDevice cpu;
  EXPECT_EQ(errorOf(cpu, forGpu()),
            "the program is for 'sm_90a', the device cpu runs programs for "
            "cpu:ISA");
}

TEST(Device, KernelsThatTakeOtherArguments) {
  EmulatedDevice gpu;
  Program program = forGpu();
  program.launches[1].args.pop_back();
  EXPECT_EQ(errorOf(gpu, program),
            "program: kernel 'squares': expected 2 parameters, got 3");
  program = forGpu();
  program.launches[0].args[0] = Arg::toBinding(0);
  EXPECT_EQ(errorOf(gpu, program),
            "program: kernel 'mix': parameter 0: expected 8 bytes, got 24");
  program.launches.push_back(forGpu().launches[0]);
  EXPECT_EQ(errorOf(gpu, program),
            "program: launch 2: has other arguments than an earlier launch of "
            "kernel 'mix'");
  program = forGpu();
  program.kernels[0].symbol = "blend";
  EXPECT_EQ(errorOf(gpu, program),
            "program: kernel 'mix': no kernel 'blend' in blob 0");
  program = forGpu();
  program.blobs[0] = ".version 8.0\n.target sm_90a\nnonsense";
  EXPECT_EQ(errorOf(gpu, program).substr(0, 24), "program: blob 0: line 3:");
}

/// What the emulator finds in a launch ends the run.
TEST(Device, FindingsAreErrors) {
  EmulatedDevice gpu;
  Program program = forGpu();
  program.kernels[0].grid.x = items + 1; // one row too many
  auto bound = BoundProgram::create(
      gpu, std::make_shared<const Program>(std::move(program)));
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  Status status = bound->executable().run();
  EXPECT_EQ(status.message().substr(0, 20), "launch 0: kernel mix")
      << status.message();
  EXPECT_EQ(status.message().find('\n'), std::string::npos);
}

/// A launch without blocks does nothing, as one without work items.
TEST(Device, EmptyLaunches) {
  EmulatedDevice gpu;
  Program program = forGpu();
  program.kernels[1].grid.y = 0;
  std::vector<float> sums = run(gpu, std::move(program));
  EXPECT_TRUE(std::isnan(sums[0])) << "poison";
}

} // namespace
