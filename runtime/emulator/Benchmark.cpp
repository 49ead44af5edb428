// Speed of the emulator: lane-instructions per second on arithmetic and memory
// accesses, with one and two host threads, and what a matrix instruction costs
// in plain ones.

#include "runtime/emulator/Device.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/format.h>

using namespace attnres::emulator;

namespace {

constexpr uint32_t blocks = 8;

// A loop with `body` repeated. %f0 to %f19 and %r0 to %r19 are set. A thread
// has of shared memory 4 bytes at %r32, 16 at %r34, in a column 4 at %r36 and,
// with the same lanes of all warps, 4 at %r40; of global memory 4 bytes at %rd2
// and 16 at %rd3.
std::string kernelText(const std::string &body, int repeat) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u32 count)\n{\n"
      ".reg .pred %p<3>;\n.reg .f32 %f<20>;\n.reg .b32 %r<41>;\n"
      ".reg .b64 %rd<6>;\n.shared .align 16 .b8 tile[16384];\n"
      "ld.param.u64 %rd0, [out];\nld.param.u32 %r30, [count];\n"
      "mov.u32 %r38, %nctaid.x;\nmul.wide.u32 %rd4, %r38, 512;\n"
      "mov.u32 %r31, %tid.x;\nmov.u32 %r32, tile;\n"
      "shl.b32 %r33, %r31, 4;\nadd.s32 %r34, %r32, %r33;\n"
      "shl.b32 %r33, %r31, 2;\nadd.s32 %r32, %r32, %r33;\n"
      "and.b32 %r40, %r33, 127;\nmov.u32 %r33, tile;\n"
      "add.s32 %r40, %r40, %r33;\n"
      // Eight columns of 16 threads: 32 bytes apart.
      "shl.b32 %r33, %r31, 5;\nmov.u32 %r36, tile;\n"
      "add.s32 %r36, %r36, %r33;\n"
      "mov.u32 %r35, %ctaid.x;\nmad.lo.u32 %r35, %r35, 128, %r31;\n"
      "mul.wide.u32 %rd1, %r35, 4;\nadd.s64 %rd2, %rd0, %rd1;\n"
      "mul.wide.u32 %rd1, %r35, 16;\nadd.s64 %rd3, %rd0, %rd1;\n"
      // The wide words lie behind the narrow ones.
      "add.s64 %rd3, %rd3, %rd4;\n"
      "mov.u32 %r37, 0;\n"
      "FILL:\nmad.lo.u32 %r38, %r37, 128, %r31;\nshl.b32 %r38, %r38, 2;\n"
      "mov.u32 %r39, tile;\nadd.u32 %r39, %r39, %r38;\n"
      "st.shared.u32 [%r39], %r31;\nadd.u32 %r37, %r37, 1;\n"
      "setp.lt.u32 %p1, %r37, 32;\n@%p1 bra FILL;\n"
      "st.global.u32 [%rd2], %r31;\n"
      "st.global.v4.u32 [%rd3], {%r31, %r31, %r31, %r31};\n"
      "bar.sync 0;\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("mov.f32 %f{}, 0f3f800000;\nmov.u32 %r{}, {};\n", i, i,
                        i * 0x3c003c);
  text += "LOOP:\n";
  for (int i = 0; i < repeat; ++i)
    text += body;
  text += "sub.u32 %r30, %r30, 1;\nsetp.ne.u32 %p0, %r30, 0;\n"
          "@%p0 bra LOOP;\nbar.sync 0;\n"
          "add.f32 %f0, %f0, %f1;\nst.global.f32 [%rd2], %f0;\nret;\n}\n";
  return text;
}

struct Measurement {
  double seconds = 0;
  /// Of the processor, all threads together: what the work costs even where
  /// other processes take turns with this one.
  double processorSeconds = 0;
  double lanes = 0;
  double perLane() const { return lanes > 0 ? processorSeconds / lanes : 0; }
};

double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The best of three runs, so that a busy host disturbs less.
Measurement measure(const char *name, const std::string &body, int repeat,
                    uint32_t count, unsigned threads, bool checks) {
  Measurement best;
  for (int run = 0; run < 3; ++run) {
    DeviceOptions options;
    options.threads = threads;
    options.setChecks(checks);
    Device device(options);
    attnres::Status status = device.loadModule(kernelText(body, repeat));
    uint64_t address = *device.allocate(blocks * 128 * 20);
    LaunchConfig config;
    config.grid.x = blocks;
    config.block.x = 128;
    auto start = std::chrono::steady_clock::now();
    double processorStart = processorSeconds();
    if (status.ok())
      status = device.launch("k", config, {&address, &count});
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    if (!status.ok() || !device.findings().empty()) {
      std::printf("%s: %s\n", name,
                  status.ok() ? device.findings()[0].text().c_str()
                              : status.message().c_str());
      return {};
    }
    double spent = processorSeconds() - processorStart;
    if (run == 0 || seconds < best.seconds)
      best = {seconds, spent, double(device.counters().laneInstructions())};
  }
  std::printf("%-28s %2u thread%s checks %-3s %8.1f M lane-instructions/s, "
              "%8.1f per processor second\n",
              name, threads, threads == 1 ? ", " : "s,", checks ? "on" : "off",
              best.lanes / best.seconds / 1e6,
              best.lanes / best.processorSeconds / 1e6);
  return best;
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
  Measurement plain = measure("arithmetic", arithmetic, 8, 16000, 1, true);
  measure("arithmetic", arithmetic, 8, 16000, 1, false);
  measure("arithmetic", arithmetic, 8, 16000, 2, true);
  measure("ex2.approx", "ex2.approx.f32 %f1, %f0;\n", 32, 1000, 1, true);
  measure("shuffle", "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n", 16, 1000, 1,
          true);
  // Every lane its own words; a barrier now and then, as kernels have.
  struct Memory {
    const char *name;
    const char *body;
  };
  const Memory accesses[] = {
      {"shared load, 4 bytes", "ld.shared.u32 %r1, [%r32];\n"},
      {"shared load, 16 bytes",
       "ld.shared.v4.u32 {%r1,%r2,%r3,%r4}, [%r34];\n"},
      {"shared load by all warps", "ld.shared.u32 %r1, [%r40];\n"},
      {"shared store, 4 bytes", "st.shared.u32 [%r32], %r1;\n"},
      {"shared load, 8-way conflicts", "ld.shared.u32 %r1, [%r36];\n"},
      {"global load, 4 bytes", "ld.global.u32 %r1, [%rd2];\n"},
      {"global load, 16 bytes",
       "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd3];\n"},
      {"global store, 4 bytes", "st.global.u32 [%rd2], %r1;\n"},
      {"ldmatrix.x4",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r34];\n"},
  };
  for (const Memory &each : accesses) {
    std::string body;
    for (int i = 0; i < 8; ++i)
      body += each.body;
    body += "bar.sync 0;\n";
    for (unsigned threads : {1u, 2u})
      measure(each.name, body, 1, 400, threads, true);
    measure(each.name, body, 1, 400, 1, false);
  }
  const std::string mma =
      "mma.sync.aligned.m16n8k16.row.col.f32.{}.{}.f32 "
      "{{%f10,%f11,%f12,%f13}}, {{%r0,%r1,%r2,%r3}}, {{%r4,%r5}}, "
      "{{%f14,%f15,%f16,%f17}};\n";
  for (const char *type : {"f16", "bf16"}) {
    std::string name = fmt::format("mma m16n8k16 {}", type);
    std::string body = fmt::format(fmt::runtime(mma), type, type);
    Measurement each = measure(name.c_str(), body, 16, 250, 1, true);
    measure(name.c_str(), body, 16, 250, 2, true);
    if (plain.lanes > 0)
      std::printf("  one costs %.1f plain instructions\n",
                  each.perLane() / plain.perLane());
  }
  return 0;
}
