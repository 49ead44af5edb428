// Speed of the emulator: lane-instructions per second on arithmetic, and what a
// matrix instruction costs in plain ones.

#include "runtime/emulator/Device.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

using namespace attnres::emulator;

namespace {

// A loop with `body` repeated; registers %f0..%f9, %r0..%r19 are set.
std::string kernelText(const std::string &body, int repeat) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u32 count)\n{\n"
      ".reg .pred %p<3>;\n.reg .f32 %f<20>;\n.reg .b32 %r<40>;\n"
      ".reg .b64 %rd<4>;\n"
      ".shared .align 16 .b8 tile[16384];\n"
      "ld.param.u64 %rd0, [out];\nld.param.u32 %r30, [count];\n"
      "mov.u32 %r31, %tid.x;\nmov.u32 %r32, tile;\n"
      "shl.b32 %r33, %r31, 2;\nadd.s32 %r32, %r32, %r33;\n"
      "st.shared.u32 [%r32], %r31;\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("mov.f32 %f{}, 0f3f800000;\nmov.u32 %r{}, {};\n", i, i,
                        i * 0x3c003c);
  text += "LOOP:\n";
  for (int i = 0; i < repeat; ++i)
    text += body;
  text += "sub.u32 %r30, %r30, 1;\nsetp.ne.u32 %p0, %r30, 0;\n"
          "@%p0 bra LOOP;\n"
          "mul.wide.u32 %rd1, %r31, 4;\nadd.s64 %rd2, %rd0, %rd1;\n"
          "add.f32 %f0, %f0, %f1;\nst.global.f32 [%rd2], %f0;\nret;\n}\n";
  return text;
}

// Seconds per executed lane-instruction, and the number of them.
double measure(const char *name, const std::string &body, int repeat,
               uint32_t count, unsigned threads, bool checks) {
  DeviceOptions options;
  options.threads = threads;
  options.setChecks(checks);
  Device device(options);
  Status status = device.loadModule(kernelText(body, repeat));
  Result<uint64_t> out = device.allocate(4096);
  uint64_t address = *out;
  LaunchConfig config;
  config.grid.x = 8;
  config.block.x = 128;
  auto start = std::chrono::steady_clock::now();
  if (status)
    status = device.launch("k", config, {&address, &count});
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!status) {
    std::printf("%s: %s\n", name, status.message().c_str());
    return 0;
  }
  double lanes = double(device.counters().laneInstructions());
  std::printf("%-28s %2u thread%s checks %-3s %9.1f M lane-instructions/s\n",
              name, threads, threads == 1 ? ", " : "s,", checks ? "on" : "off",
              lanes / seconds / 1e6);
  return seconds / lanes;
}

} // namespace

int main() {
  std::printf("host level: %s\n", Device::hostLevel());
  const std::string arithmetic = "fma.rn.f32 %f0, %f2, %f3, %f0;\n"
                                 "add.s32 %r0, %r0, %r1;\n"
                                 "mul.f32 %f1, %f4, %f5;\n"
                                 "xor.b32 %r2, %r0, %r3;\n"
                                 "mad.lo.s32 %r4, %r2, %r5, %r4;\n"
                                 "add.f32 %f6, %f1, %f0;\n"
                                 "shl.b32 %r6, %r4, 3;\n"
                                 "min.s32 %r7, %r6, %r2;\n";
  double plain = measure("arithmetic", arithmetic, 8, 4000, 1, true);
  measure("arithmetic", arithmetic, 8, 4000, 1, false);
  measure("arithmetic", arithmetic, 8, 4000, 2, true);
  measure("ex2.approx", "ex2.approx.f32 %f1, %f0;\n", 32, 2000, 1, true);
  measure("shared load", "ld.shared.u32 %r1, [%r32];\n", 16, 1000, 1, true);
  measure("shuffle", "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n", 16, 1000, 1,
          true);
  const std::string mma =
      "mma.sync.aligned.m16n8k16.row.col.f32.{}.{}.f32 "
      "{{%f10,%f11,%f12,%f13}}, {{%r0,%r1,%r2,%r3}}, {{%r4,%r5}}, "
      "{{%f14,%f15,%f16,%f17}};\n";
  for (const char *type : {"f16", "bf16"}) {
    double each =
        measure(fmt::format("mma m16n8k16 {}", type).c_str(),
                fmt::format(fmt::runtime(mma), type, type), 16, 500, 1, true);
    if (plain > 0)
      std::printf("  one costs %.1f plain instructions\n", each / plain);
  }
  return 0;
}
