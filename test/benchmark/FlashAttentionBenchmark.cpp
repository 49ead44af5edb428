//===- FlashAttentionBenchmark.cpp - Speed of the attention kernels -------===//
//
// FlashAttentionBenchmark [threads]: GFLOP/s of attention, counting only the
// pairs that the mask leaves, against the machine's rate of multiply-adds
// measured in turns with it. Medians.
//
//===----------------------------------------------------------------------===//

#include "JitKernel.h"
#include "passes/cpu/FlashAttention.h"
#include "passes/cpu/LowerToLLVM.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <time.h>

using namespace attnres::cpu;

namespace {

using Buffer = std::unique_ptr<float, decltype(&std::free)>;

Buffer allocate(size_t count, std::mt19937 *random = nullptr) {
  // Huge pages, as a runtime's arena would use.
  constexpr size_t page = 2 << 20;
  size_t bytes = (4 * count + page) / page * page;
  Buffer buffer(static_cast<float *>(std::aligned_alloc(page, bytes)),
                &std::free);
  madvise(buffer.get(), bytes, MADV_HUGEPAGE);
  std::memset(buffer.get(), 0xff, bytes);
  std::normal_distribution<float> normal;
  for (size_t i = 0; random && i < count; ++i)
    buffer.get()[i] = normal(*random);
  return buffer;
}

double seconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// Seconds that `work` takes on `threads` threads; on one thread, of processor
/// time, which other programs disturb less.
double measureSeconds(const std::function<void(int thread)> &work,
                      int threads) {
  clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  double start = seconds(clock);
  std::vector<std::thread> pool;
  for (int i = 1; i < threads; ++i)
    pool.emplace_back(work, i);
  work(0);
  for (std::thread &thread : pool)
    thread.join();
  return seconds(clock) - start;
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

/// The arguments of a kernel in order, dlse being optional.
AttentionForwardMemory attentionForwardMemory(const KernelFunction &kernel) {
  return {kernel.inputs[0], kernel.inputs[1], kernel.inputs[2],
          kernel.outputs[0], kernel.outputs[1]};
}

AttentionBackwardMemory attentionBackwardMemory(const KernelFunction &kernel) {
  mlir::Value lseGrad = kernel.inputs.size() > 6 ? kernel.inputs[6] : nullptr;
  return {kernel.inputs[0], kernel.inputs[1],  kernel.inputs[2],
          kernel.inputs[3], kernel.inputs[4],  kernel.inputs[5],
          lseGrad,          kernel.outputs[0], kernel.outputs[1],
          kernel.outputs[2]};
}

struct Case {
  const char *name;
  AttentionShape shape;
};

double visiblePairs(const AttentionShape &s) {
  double pairs = 0;
  for (int64_t t = 0; t < s.queries; ++t)
    pairs += s.causal
                 ? std::clamp<int64_t>(t + s.keys - s.queries + 1, 0, s.keys)
                 : s.keys;
  return pairs * s.batch * s.heads;
}

void measure(const Case &c, int threads) {
  const AttentionShape &s = c.shape;
  CpuTarget target = CpuTarget::host();
  mlir::MLIRContext context;
  loadCpuDialects(context);
  context.loadDialect<attnres::AttnresDialect>();
  double begin = seconds(CLOCK_MONOTONIC);
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
    buildAttentionForward(builder, loc, kernel, attentionForwardMemory(kernel),
                          s, target);
  }
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    KernelFunction kernel =
        createKernel(builder, loc, "backward", {q, k, v, o, lse, o}, {q, k, v});
    buildAttentionBackward(builder, loc, kernel,
                           attentionBackwardMemory(kernel), s, target);
  }
  auto jit = JitModule::compile(*module, target);
  double compile = seconds(CLOCK_MONOTONIC) - begin;

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
    // Items are handed out one by one, as the runtime does with few of them.
    std::atomic<int64_t> next;
    auto work = [&](int i) {
      for (int64_t item; (item = next.fetch_add(1)) < kernel.grid;)
        kernel.function(args.data(), scratch[i].get(), item, item + 1);
    };
    auto runOnce = [&] {
      next = 0;
      return measureSeconds(work, threads);
    };
    auto peak = [&](int) { peakLoop(); };
    runOnce();
    std::vector<double> times, peaks;
    for (double total = 0; times.size() < 9 || total < 0.7;) {
      times.push_back(runOnce());
      peaks.push_back(measureSeconds(peak, threads));
      total += times.back() + peaks.back();
    }
    bool isForward = kernel.name == "forward";
    double flops =
        visiblePairs(s) * (isForward ? 2 * (s.keyDim + s.valueDim)
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
  args = {qs.get(),  ks.get(),  vs.get(),  os.get(), lses.get(),
          dos.get(), dqs.get(), dks.get(), dvs.get()};
  run((*jit)["backward"]);
}

AttentionShape shape(int64_t batch, int64_t tokens, int64_t heads, int64_t dim,
                     bool causal = true) {
  return {batch, tokens, tokens,
          heads, heads,  dim,
          dim,   causal, 1 / std::sqrt(double(dim))};
}

} // namespace

int main(int argc, char **argv) {
  if (CpuTarget::host().lanes != 16) {
    std::fprintf(stderr, "needs AVX-512 to measure the peak\n");
    return 1;
  }
  int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const Case cases[] = {
      {"B1 T2048 H8 D64 causal", shape(1, 2048, 8, 64)},
      {"B1 T2048 H8 D128 causal", shape(1, 2048, 8, 128)},
      {"B1 T2048 H8 D64 full", shape(1, 2048, 8, 64, false)},
      {"B8 T256 H8 D32 causal", shape(8, 256, 8, 32)},
      {"B8 T256 H4 D64 causal", shape(8, 256, 4, 64)},
  };
  for (const Case &c : cases)
    measure(c, threads);
}
