// The device of NVIDIA GPUs on a driver that has the emulator for a GPU: what
// it asks of the driver, and what it says when the driver refuses.
#include "runtime/device/CudaDevice.h"
#include "runtime/device/BoundProgram.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

using namespace attnres;
using namespace attnres::runtime;

namespace {

constexpr int64_t count = 1000;

// result[i] = sum of the sources[.][i], a thread for each i.
constexpr char ptx[] = R"(
.version 8.0
.target sm_80
.address_size 64

.visible .entry add(.param .align 8 .b8 sources[24], .param .u64 result)
{
  .reg .pred %p;
  .reg .b32 %t, %b, %n;
  .reg .f32 %sum, %x;
  .reg .b64 %i, %count, %s, %at, %list, %out;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mad.lo.u32 %n, %b, 100, %t;
  mul.wide.u32 %i, %n, 4;
  ld.param.u64 %count, [sources];
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
  add.rn.f32 %sum, %sum, %x;
  add.u64 %s, %s, 1;
  bra loop;
done:
  ld.param.u64 %out, [result];
  add.u64 %out, %out, %i;
  st.global.f32 [%out], %sum;
  ret;
}
)";

/// twice = a + a in the workspace; result = twice + b.
Program sampleProgram() {
  Program program;
  program.target = "sm_80";
  program.blobs = {ptx};
  program.workspaceBytes = count * 4;
  program.bindings = {{"a", DType::F32, {count}, Direction::Input},
                      {"b", DType::F32, {count}, Direction::Input},
                      {"result", DType::F32, {count}, Direction::Output}};
  Kernel kernel;
  kernel.name = kernel.symbol = "add";
  kernel.grid.x = count / 100;
  kernel.block.x = 100;
  program.kernels = {kernel};
  program.launches = {{0,
                       {Arg::toList({Arg::toBinding(0), Arg::toBinding(0)}),
                        Arg::toWorkspace(0)}},
                      {0,
                       {Arg::toList({Arg::toWorkspace(0), Arg::toBinding(1)}),
                        Arg::toBinding(2)}}};
  return program;
}

class Cuda : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("ATTNRES_CUDA_DRIVER", ATTNRES_FAKE_CUDA, 1);
    Result<std::unique_ptr<CudaDevice>> made = CudaDevice::create();
    ASSERT_TRUE(made.ok()) << made.status().message();
    device = *std::move(made);
  }

  std::vector<float> upload(BoundProgram &bound, size_t binding, float first) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    EXPECT_TRUE(
        device->upload(bound.tensor(binding).memory, values.data()).ok());
    return values;
  }

  void expectSum(BoundProgram &bound, const std::vector<float> &a,
                 const std::vector<float> &b) {
    std::vector<float> result(count);
    ASSERT_TRUE(device->download(result.data(), bound.tensor(2).memory).ok());
    for (size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], 2 * a[i] + b[i]) << i;
  }

  Result<BoundProgram> bind(const Program &program) {
    return BoundProgram::create(*device,
                                std::make_shared<const Program>(program));
  }

  std::unique_ptr<CudaDevice> device;
};

} // namespace

TEST_F(Cuda, ARunIsOneGraph) {
  EXPECT_EQ(device->name(), "cuda (Fake GPU, sm_90, 132 multiprocessors)");
  Result<BoundProgram> bound = bind(sampleProgram());
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  for (float first : {1.f, 2.f, 3.f}) {
    std::vector<float> a = upload(*bound, 0, first);
    std::vector<float> b = upload(*bound, 1, -5 * first);
    Executable::RunOptions options;
    options.poison = first == 1;
    Status status = bound->executable().run(options);
    ASSERT_TRUE(status.ok()) << status.message();
    expectSum(*bound, a, b);
  }
  EXPECT_EQ(device->graphLaunches, 3);
  EXPECT_EQ(device->launches, 6);
}

TEST_F(Cuda, NewMemoryMakesANewGraph) {
  Result<BoundProgram> bound = bind(sampleProgram());
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  std::vector<float> a = upload(*bound, 0, 1), b = upload(*bound, 1, 7);
  ASSERT_TRUE(bound->executable().run().ok());
  Result<DeviceBuffer> other = device->allocate(count * 4);
  ASSERT_TRUE(other.ok());
  std::vector<float> c(count, 0.5f);
  ASSERT_TRUE(device->upload(other->memory(), c.data()).ok());
  ASSERT_TRUE(bound->executable().bind(1, other->memory()).ok());
  ASSERT_TRUE(bound->executable().run().ok());
  expectSum(*bound, a, c);
}

TEST_F(Cuda, LaunchesAreTimedByEvents) {
  Result<BoundProgram> bound = bind(sampleProgram());
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  std::vector<float> a = upload(*bound, 0, 1), b = upload(*bound, 1, 7);
  std::vector<LaunchTime> times;
  Executable::RunOptions options;
  options.launchTimes = &times;
  ASSERT_TRUE(bound->executable().run(options).ok());
  expectSum(*bound, a, b);
  ASSERT_EQ(times.size(), 2u);
  // The fake driver's clock advances by a millisecond with each launch.
  for (const LaunchTime &time : times)
    EXPECT_NEAR(time.seconds(), 1e-3, 1e-6);
  EXPECT_LE(times[0].end, times[1].begin);
}

TEST_F(Cuda, LargeTransfersGoInPieces) {
  constexpr int64_t bytes = (int64_t(9) << 20) + 12345;
  Result<DeviceBuffer> buffer = device->allocate(bytes);
  ASSERT_TRUE(buffer.ok());
  std::vector<unsigned char> in(bytes), out(bytes, 1);
  ASSERT_TRUE(device->download(out.data(), buffer->memory()).ok());
  EXPECT_EQ(out, in); // zeroed
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
  ASSERT_TRUE(device->upload(buffer->memory(), in.data()).ok());
  Result<DeviceBuffer> copy = device->allocate(bytes);
  ASSERT_TRUE(copy.ok());
  ASSERT_TRUE(device->copy(copy->memory(), buffer->memory()).ok());
  ASSERT_TRUE(device->download(out.data(), copy->memory()).ok());
  EXPECT_EQ(out, in);
}

TEST_F(Cuda, ProgramsAreForGenerations) {
  for (const char *target : {"sm_80", "sm_90", "sm_90a"})
    EXPECT_TRUE(device->expectTarget(target).ok()) << target;
  for (const char *target : {"sm_100a", "sm_80a", "cpu:avx2", "sm_", "sm_9x"})
    EXPECT_FALSE(device->expectTarget(target).ok()) << target;
  EXPECT_EQ(device->expectTarget("sm_100a").message(),
            "the program is for 'sm_100a', Fake GPU runs programs for sm_90 "
            "and earlier generations");
}

TEST_F(Cuda, ErrorsHaveNames) {
  Program program = sampleProgram();
  program.blobs[0] = "no PTX";
  Status status = bind(program).status();
  EXPECT_EQ(status.message().rfind("program: blob 0: cuModuleLoadDataEx: "
                                   "CUDA_ERROR_INVALID_IMAGE (the fake driver "
                                   "says so): ",
                                   0),
            0u)
      << status.message();
  program = sampleProgram();
  program.kernels[0].symbol = "subtract";
  EXPECT_EQ(bind(program).status().message(),
            "program: kernel 'add': cuModuleGetFunction: CUDA_ERROR_NOT_FOUND "
            "(the fake driver says so)");
  program = sampleProgram();
  program.kernels[0].grid.x += 1; // reads behind the tensors
  Result<BoundProgram> bound = bind(program);
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(
      bound->executable().run().message(),
      "cuGraphLaunch: CUDA_ERROR_LAUNCH_FAILED (the fake driver says so)");
  EXPECT_EQ(CudaDevice::create(1).status().message(),
            "no NVIDIA GPU 1: the driver has 1");
}
