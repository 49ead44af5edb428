//===- MatmulBenchmark.cpp - Speed of matrix products ---------------------===//
//
// For every shape: seconds of packing and product on all threads, measured in
// turn with a loop of fused multiply-adds on registers (the peak), best of
// several rounds. Results are checked against float64 at random places.
//
//   MatmulBenchmark [--target=LEVEL] [--threads=N | --thread-time] [--rounds=N]
//
//===----------------------------------------------------------------------===//

#include "MatmulKernels.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <thread>

using namespace attnres::cpu;

namespace {

/// Runs the items of kernels on a fixed number of threads, which take them one
/// by one.
class Threads {
public:
  explicit Threads(int count) : count(count) {
    for (int i = 1; i < count; ++i)
      workers.emplace_back([this, i] { work(i); });
  }
  ~Threads() {
    kernel = nullptr;
    generation.fetch_add(1);
    for (std::thread &worker : workers)
      worker.join();
  }

  void run(const JitKernel &newKernel, std::vector<const void *> newArgs) {
    kernel = &newKernel;
    args = std::move(newArgs);
    next = 0;
    running = count;
    generation.fetch_add(1);
    runItems();
    while (running.load(std::memory_order_acquire) != 0)
      ;
  }

private:
  void work(int) {
    for (uint64_t seen = 0;;) {
      while (generation.load(std::memory_order_acquire) == seen)
        ;
      ++seen;
      if (!kernel)
        return;
      runItems();
    }
  }
  void runItems() {
    thread_local std::vector<char> scratch;
    if (scratch.size() < size_t(kernel->scratchBytes) + 64)
      scratch.resize(kernel->scratchBytes + 64);
    void *aligned = reinterpret_cast<void *>(
        (reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
    for (int64_t i; (i = next.fetch_add(1)) < kernel->grid;)
      kernel->function(const_cast<void *const *>(args.data()), aligned, i,
                       i + 1);
    running.fetch_sub(1, std::memory_order_release);
  }

  int count;
  std::vector<std::thread> workers;
  const JitKernel *kernel = nullptr;
  std::vector<const void *> args;
  std::atomic<uint64_t> generation{0};
  std::atomic<int64_t> next{0};
  std::atomic<int> running{0};
};

constexpr int64_t kPeakItems = 8, kPeakSteps = 20000, kPeakChains = 12;

/// Independent chains of fused multiply-adds, as many as hide their latency.
std::unique_ptr<JitModule> compilePeak(const CpuTarget &target) {
  std::string vector = "vector<" + std::to_string(target.lanes) + "xf32>";
  std::string initial, carried, next, types;
  for (int i = 0; i < kPeakChains; ++i) {
    std::string n = std::to_string(i), comma = i ? ", " : "";
    initial += comma + "%a" + n + " = %v";
    types += comma + vector;
    carried +=
        "%b" + n + " = vector.fma %v, %v, %a" + n + " : " + vector + "\n";
    next += comma + "%b" + n;
  }
  std::string sum;
  for (int i = 0; i < kPeakChains; ++i)
    sum += "%s" + std::to_string(i + 1) + " = arith.addf %s" +
           std::to_string(i) + ", %r#" + std::to_string(i) + " : " + vector +
           "\n";
  std::string text = R"(
    attnres.kernel @peak : (tensor<16xf32>) -> tensor<16xf32> grid )" +
                     std::to_string(kPeakItems) + R"( scratch 0
        code(%x: memref<16xf32>, %y: memref<16xf32>, %scratch: memref<?xi8>,
             %begin: index, %end: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %steps = arith.constant )" +
                     std::to_string(kPeakSteps) + R"( : index
      %v = vector.load %x[%c0] : memref<16xf32>, )" +
                     vector + R"(
      scf.for %item = %begin to %end step %c1 {
        %r:)" + std::to_string(kPeakChains) +
                     R"( = scf.for %k = %c0 to %steps step %c1
            iter_args()" +
                     initial + ") -> (" + types + ") {\n" + carried +
                     "scf.yield " + next + " : " + types +
                     "}\n%s0 = arith.constant dense<0.0> : " + vector + "\n" +
                     sum + "vector.store %s" + std::to_string(kPeakChains) +
                     ", %y[%c0] : memref<16xf32>, " + vector + R"(
      }
      attnres.return
    })";
  return JitModule::compile(text, target);
}

/// With one thread on a busy machine, the time that this thread ran tells more
/// than the time that passed.
bool usesThreadTime = false;

double now() {
  timespec time;
  clock_gettime(usesThreadTime ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC,
                &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

double measure(llvm::function_ref<void()> run) {
  double begin = now();
  run();
  return now() - begin;
}

std::vector<float> makeRandom(int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(generator);
  return values;
}

/// Compares random elements of C with float64. Returns the largest error in
/// units of the sum of the magnitudes.
double check(const ProductKernels &product, const Tensor &a, const Tensor &b,
             const Tensor &c) {
  std::mt19937 generator(7);
  double worst = 0;
  for (int sample = 0; sample < 500; ++sample) {
    int64_t i = generator() % product.m, j = generator() % product.n;
    double sum = 0, magnitude = 0;
    for (int64_t k = 0; k < product.k; ++k) {
      double term =
          double(a[product.options.transposedA ? k * product.m + i
                                               : i * product.k + k]) *
          b[product.isTransposedB() ? j * product.k + k : k * product.n + j];
      sum += term;
      magnitude += std::abs(term);
    }
    double error = std::abs(c[i * product.n + j] - sum) / magnitude;
    if (!(error <= worst))
      worst = error;
  }
  return worst;
}

void benchmark(const char *name, const ProductKernels &product,
               const JitKernel &peak, Threads &threads, int count, int rounds) {
  std::unique_ptr<JitModule> module;
  double compileSeconds = measure([&] { module = product.compile(); });
  if (!module)
    std::exit(1);
  Tensor a(product.typeA, makeRandom(product.m * product.k, 1)),
      b(product.typeB, makeRandom(product.k * product.n, 2)),
      x(ElementType::F32, std::vector<float>(16)),
      y(ElementType::F32, std::vector<float>(16));
  Tensor panels = Tensor::poison(ElementType::F32, product.getPackedElements());
  Tensor c = Tensor::poison(product.typeC, product.m * product.n);
  double packTime = 1e30, matmulTime = 1e30, peakTime = 1e30;
  for (int round = 0; round < rounds; ++round) {
    peakTime = std::min(peakTime, measure([&] {
                          threads.run(peak, {x.data(), y.data()});
                        }));
    if (product.isPacked())
      packTime =
          std::min(packTime, measure([&] {
                     threads.run((*module)["pack"], {b.data(), panels.data()});
                   }));
    const void *right = product.isPacked() ? panels.data() : b.data();
    matmulTime = std::min(
        matmulTime, measure([&] {
          threads.run((*module)["matmul"], {a.data(), right, c.data()});
        }));
  }
  if (!product.isPacked())
    packTime = 0;
  double peakRate = 2.0 * product.target.lanes * kPeakChains * kPeakSteps *
                    kPeakItems / peakTime;
  double flops = 2.0 * product.m * product.n * product.k;
  double rate = flops / (packTime + matmulTime);
  double weightBytes = double(product.n) * product.k * b.elementBytes();
  std::printf(
      "%-10s %5ld %5ld %5ld  pack %8.1f us %5.1f GB/s  product %9.1f us "
      "%6.1f GFLOP/s  with packing %6.1f  of peak %5.1f: %4.1f %% "
      "(%4.1f %%)  weights %5.1f GB/s  error %.1e  compile %.0f ms\n",
      name, product.m, product.n, product.k, packTime * 1e6,
      product.isPacked() ? weightBytes / packTime * 1e-9 : 0.0,
      matmulTime * 1e6, flops / matmulTime * 1e-9, rate * 1e-9, peakRate * 1e-9,
      100 * rate / peakRate, 100 * flops / matmulTime / peakRate,
      weightBytes / matmulTime * 1e-9, check(product, a, b, c),
      compileSeconds * 1e3);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  CpuTarget target = CpuTarget::host();
  int threadCount = std::thread::hardware_concurrency(), rounds = 20;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument.consume_front("--target=")) {
      std::optional<CpuTarget> found = CpuTarget::forLevel(argument);
      if (!found)
        return std::fprintf(stderr, "unknown target\n"), 1;
      target = *found;
    } else if (argument.consume_front("--threads=")) {
      threadCount = std::atoi(argument.data());
    } else if (argument == "--thread-time") {
      usesThreadTime = true;
      threadCount = 1;
    } else if (argument.consume_front("--rounds=")) {
      rounds = std::atoi(argument.data());
    } else {
      return std::fprintf(stderr, "unknown option %s\n", argv[i]), 1;
    }
  }
  std::unique_ptr<JitModule> peak = compilePeak(target);
  if (!peak)
    return 1;
  Threads threads(threadCount);
  std::printf("target %s, %d threads\n", target.name.str().c_str(),
              threadCount);

  auto run = [&](const char *name, int64_t m, int64_t n, int64_t k,
                 llvm::function_ref<void(ProductKernels &)> change) {
    ProductKernels product{m, n, k};
    product.target = target;
    change(product);
    benchmark(name, product, (*peak)["peak"], threads, threadCount, rounds);
  };
  // y = x W^T with W [out, in].
  auto linear = [](ProductKernels &product) { product.packsTransposed = true; };
  // dx = dy W.
  auto plain = [](ProductKernels &) {};
  // dW = dy^T x: k runs over the tokens.
  auto gradient = [](ProductKernels &product) {
    product.options.transposedA = true;
  };
  for (auto [n, k] : {std::pair{256, 256},
                      {768, 256},
                      {768, 768},
                      {3072, 768},
                      {768, 3072},
                      {688, 256}}) {
    run("linear", 2048, n, k, linear);
    run("plain", 2048, n, k, plain);
  }
  for (auto [m, n] : {std::pair{256, 256}, {768, 256}, {768, 768}, {3072, 768}})
    run("gradient", m, n, 2048, gradient);
  // Decoding: one row, or a few, times weights that are read in place.
  auto decode = [](ProductKernels &product) {
    product.options.right = RightOperand::Transposed;
  };
  for (auto [m, n, k] : {std::tuple{1, 768, 768},
                         {4, 768, 768},
                         {1, 3072, 768},
                         {4, 3072, 768},
                         {16, 768, 768}})
    run("decode", m, n, k, decode);
  return 0;
}
