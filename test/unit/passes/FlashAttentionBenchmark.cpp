//===- FlashAttentionBenchmark.cpp - Speed of the attention kernels -------===//
//
// FlashAttentionBenchmark [threads]: GFLOP/s of attention, counting only the
// pairs that the mask leaves, against the machine's rate of multiply-adds
// measured in turns with it. Medians.
//
//===----------------------------------------------------------------------===//

#include "JitKernel.h"
#include "passes/cpu/EmitObject.h"
#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/LowerToLLVM.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

using namespace attnres::cpu;

namespace {

using Buffer = std::unique_ptr<float, decltype(&std::free)>;

Buffer allocate(size_t count, std::mt19937 *random = nullptr) {
  size_t bytes = (4 * count + 127) / 64 * 64;
  Buffer buffer(static_cast<float *>(std::aligned_alloc(64, bytes)),
                &std::free);
  std::memset(buffer.get(), 0xff, bytes);
  std::normal_distribution<float> normal;
  for (size_t i = 0; random && i < count; ++i)
    buffer.get()[i] = normal(*random);
  return buffer;
}

double seconds(const std::function<void(int thread)> &work, int threads) {
  auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> pool;
  for (int i = 1; i < threads; ++i)
    pool.emplace_back(work, i);
  work(0);
  for (std::thread &thread : pool)
    thread.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                       start)
      .count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Multiply-adds on 24 registers, enough to hide their latency.
constexpr int64_t kPeakIterations = 1 << 22;
void peakLoop() {
  asm volatile("vxorps %%xmm0, %%xmm0, %%xmm0\n"
               "vxorps %%xmm1, %%xmm1, %%xmm1\n"
               "mov %0, %%rcx\n"
               "1:\n"
               ".irp r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
               "23,24,25\n"
               "vfmadd231ps %%zmm0, %%zmm1, %%zmm\\r\n"
               ".endr\n"
               "dec %%rcx\n"
               "jnz 1b\n"
               "vzeroupper\n"
               :
               : "i"(kPeakIterations)
               : "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                 "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                 "xmm14", "xmm15", "cc");
}

struct Case {
  const char *name;
  AttentionShape shape;
};

double visiblePairs(const AttentionShape &s) {
  double pairs = 0;
  for (int64_t t = 0; t < s.queries; ++t)
    pairs += s.causal ? std::clamp<int64_t>(t + s.keys - s.queries + 1, 0,
                                            s.keys)
                      : s.keys;
  return pairs * s.batch * s.heads;
}

void measure(const Case &c, bool backward, int threads) {
  const AttentionShape &s = c.shape;
  CpuTarget target = CpuTarget::host();
  mlir::MLIRContext context;
  loadCpuDialects(context);
  auto begin = std::chrono::steady_clock::now();
  mlir::OpBuilder builder(&context);
  auto loc = builder.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  auto tensor = [&](std::initializer_list<int64_t> dims) -> mlir::Type {
    return mlir::MemRefType::get(dims, builder.getF32Type());
  };
  mlir::Type q = tensor({s.batch, s.queries, s.heads, s.keyDim});
  mlir::Type k = tensor({s.batch, s.keys, s.kvHeads, s.keyDim});
  mlir::Type v = tensor({s.batch, s.keys, s.kvHeads, s.valueDim});
  mlir::Type o = tensor({s.batch, s.queries, s.heads, s.valueDim});
  mlir::Type lse = tensor({s.batch, s.queries, s.heads});
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    KernelFunction kernel =
        createKernel(builder, loc, "forward", {q, k, v}, {o, lse});
    buildAttentionForward(builder, loc, kernel, s, target);
  }
  if (backward) {
    KernelFunction kernel = createKernel(
        builder, loc, "backward", {q, k, v, o, lse, o}, {q, k, v});
    buildAttentionBackward(builder, loc, kernel, s, target);
  }
  if (getenv("ASM")) module->walk([&](mlir::func::FuncOp f) {
    auto text = emitAssembly(f, target);
    FILE *out = fopen(("/tmp/" + f.getName() + "_" + std::to_string(s.keyDim) + ".s").str().c_str(), "w");
    fputs(text->c_str(), out); fclose(out); });
  auto jit = JitModule::compile(*module, target);
  double compile = std::chrono::duration<double>(
                       std::chrono::steady_clock::now() - begin)
                       .count();

  std::mt19937 random(1);
  auto size = [](mlir::Type type) {
    return mlir::cast<mlir::MemRefType>(type).getNumElements();
  };
  Buffer qs = allocate(size(q), &random), ks = allocate(size(k), &random),
         vs = allocate(size(v), &random), os = allocate(size(o)),
         lses = allocate(size(lse)), dos = allocate(size(o), &random),
         dqs = allocate(size(q)), dks = allocate(size(k)),
         dvs = allocate(size(v));
  std::vector<void *> args = {qs.get(), ks.get(), vs.get(), os.get(),
                              lses.get()};
  auto run = [&](const JitKernel &kernel) {
    std::vector<Buffer> scratch;
    for (int i = 0; i < threads; ++i)
      scratch.push_back(allocate(kernel.scratchBytes / 4 + 16));
    auto work = [&](int i) {
      kernel.function(args.data(), scratch[i].get(), kernel.grid * i / threads,
                      kernel.grid * (i + 1) / threads);
    };
    auto peak = [&](int) { peakLoop(); };
    seconds(work, threads);
    std::vector<double> times, peaks;
    for (double total = 0; times.size() < 9 || total < 0.7;) {
      times.push_back(seconds(work, threads));
      peaks.push_back(seconds(peak, threads));
      total += times.back() + peaks.back();
    }
    bool isForward = kernel.name == "forward";
    double flops = visiblePairs(s) * (isForward
                                          ? 2 * (s.keyDim + s.valueDim)
                                          : 6 * s.keyDim + 4 * s.valueDim);
    double rate = flops / median(times) / 1e9;
    double peakRate =
        threads * kPeakIterations * 24 * 32.0 / median(peaks) / 1e9;
    std::printf("%-28s %-8s %8.3f ms %7.1f GFLOP/s, peak %6.1f: %4.1f %%  "
                "(grid %ld, scratch %.1f MB)\n",
                c.name, kernel.name.c_str(), median(times) * 1e3, rate,
                peakRate, 100 * rate / peakRate, long(kernel.grid),
                kernel.scratchBytes / 1e6);
  };
  std::printf("%-28s compile %.0f ms\n", c.name, compile * 1e3);
  run((*jit)["forward"]);
  if (!backward)
    return;
  args = {qs.get(),  ks.get(),  vs.get(),  os.get(), lses.get(),
          dos.get(), dqs.get(), dks.get(), dvs.get()};
  run((*jit)["backward"]);
}

AttentionShape shape(int64_t batch, int64_t tokens, int64_t heads, int64_t dim,
                     bool causal = true) {
  return {batch, tokens, tokens, heads,
          heads, dim,    dim,    causal, 1 / std::sqrt(double(dim))};
}

} // namespace

int main(int argc, char **argv) {
  int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  bool backward = argc < 3 || std::atoi(argv[2]);
  const Case cases[] = {
      {"B1 T2048 H8 D64 causal", shape(1, 2048, 8, 64)},
      {"B1 T2048 H8 D128 causal", shape(1, 2048, 8, 128)},
      {"B1 T2048 H8 D64 full", shape(1, 2048, 8, 64, false)},
      {"B8 T256 H8 D32 causal", shape(8, 256, 8, 32)},
      {"B8 T256 H4 D64 causal", shape(8, 256, 4, 64)},
  };
  for (const Case &c : cases)
    measure(c, backward, threads);
}
