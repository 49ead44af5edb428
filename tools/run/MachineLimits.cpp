#include "tools/run/MachineLimits.h"

#include "support/machine/ArithmeticLoops.h"
#include "tools/run/Options.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sched.h>

namespace attnres::run {
namespace {

constexpr int64_t kSteps = 100000, kItems = 16;
constexpr int64_t kTileSteps = 20000; // an instruction of tiles takes long
/// Processor time of a sample, as a part of all that there was: less, and other
/// processes ran.
constexpr double kUndisturbedShare = 0.85;
constexpr int kTries = 4;
constexpr size_t kCopyBytes = size_t(256) << 20;
constexpr size_t kCopyItem = size_t(1) << 20;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Keeps what is read from being left out.
volatile uint64_t sink;

/// Seconds of processor time that this process has used.
double cpuSeconds() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// The rate at which `items` calls of `piece` on all threads do `work`.
LimitSample timeWork(runtime::ThreadPool &threads, int64_t items,
                     runtime::ThreadPool::Piece piece, void *context,
                     double work) {
  cpu_set_t processors;
  int available = ::sched_getaffinity(0, sizeof processors, &processors) == 0
                      ? CPU_COUNT(&processors)
                      : threads.size();
  double start = now(), cpuStart = cpuSeconds();
  threads.run(items, piece, context);
  double seconds = now() - start, cpu = cpuSeconds() - cpuStart;
  return {work / seconds, cpu < kUndisturbedShare * seconds *
                                    std::min(available, threads.size())};
}

/// Operations per second of `loop` on all threads.
LimitSample timeLoop(runtime::ThreadPool &threads,
                     const machine::ArithmeticLoop &loop,
                     int64_t steps = kSteps) {
  struct {
    void (*run)(int64_t);
    int64_t steps;
  } item = {loop.run, steps};
  return timeWork(
      threads, kItems,
      [](void *context, int, int64_t begin, int64_t end) {
        auto *each = static_cast<decltype(item) *>(context);
        for (int64_t i = begin; i < end; ++i)
          each->run(each->steps);
      },
      &item, loop.flops * static_cast<double>(steps * kItems));
}

} // namespace

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

nlohmann::ordered_json toJson(std::optional<double> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

std::string formatShare(std::optional<double> share, int width, int digits) {
  std::string text =
      share ? fmt::format("{:.{}f}%", 100 * *share, digits) : "?";
  return fmt::format("{:>{}}", text, width);
}

MachineLimits::MachineLimits(runtime::CpuDevice &device, const std::string &isa)
    : threads(device.threads()),
      level(isa == "host" ? device.features().toString() : isa) {
  using runtime::IsaLevel;
  auto features = unwrap(runtime::CpuFeatures::parse(level));
  // A program for more than this machine has does not run; its limits are what
  // is there.
  check(device.features().supports(toString(features.level)));
  hasAvx512 = features.level >= IsaLevel::Avx512;
  hasAvx2 = features.level >= IsaLevel::Avx2;
  hasBf16 = features.level >= IsaLevel::Avx512Bf16;
  usesDots = features.dotBf16;
  hasAmx = features.amxBf16;
  if (hasAmx)
    check(runtime::enableAmx());
}

const char *MachineLimits::describe(Limit limit) const {
  switch (limit) {
  case Limit::Flops:
    return "multiply-adds in f32";
  case Limit::ProductFlops:
    return hasAmx ? "f32 on AMX tiles" : describe(Limit::Flops);
  case Limit::Bf16Flops:
    return hasAmx     ? "bf16 on AMX tiles"
           : usesDots ? "dot products in bf16"
                      : describe(Limit::Flops);
  case Limit::Copy:
    return "copying";
  case Limit::Update:
    return "updating";
  case Limit::Read:
    return "reading";
  }
  return "";
}

void MachineLimits::measure(Limit limit) {
  for (int i = 0; i < kTries; ++i)
    if (LimitSample taken = sample(limit); !taken.isDisturbed) {
      samples[static_cast<size_t>(limit)].push_back(taken.rate);
      return;
    }
}

std::optional<double> MachineLimits::find(Limit limit) {
  const std::vector<double> &taken = samples[static_cast<size_t>(limit)];
  if (taken.empty())
    measure(limit);
  if (taken.empty())
    return std::nullopt;
  return median(taken);
}

std::optional<double> MachineLimits::findShare(Limit limit, double rate) {
  std::optional<double> found = find(limit);
  if (!found)
    return std::nullopt;
  if (rate <= *found)
    return rate / *found;
  // What is faster than the limit even so, such as a copy within the caches,
  // need not be found out again for every kernel.
  const std::vector<double> &taken = samples[static_cast<size_t>(limit)];
  int &doubts = numDoubts[static_cast<size_t>(limit)];
  for (; doubts < kTries; ++doubts)
    measure(limit);
  double best = *std::max_element(taken.begin(), taken.end());
  if (rate <= best)
    return rate / best;
  return std::nullopt;
}

void MachineLimits::touchMemory() {
  for (runtime::AlignedBuffer *buffer : {&from, &to})
    if (!buffer->data()) {
      *buffer = unwrap(runtime::AlignedBuffer::allocate(kCopyBytes));
      std::memset(buffer->data(), 1, kCopyBytes);
    }
}

LimitSample MachineLimits::sample(Limit limit) {
  switch (limit) {
  case Limit::Flops:
    break;
  case Limit::ProductFlops:
    if (hasAmx) {
      LimitSample pieces = sample(Limit::Bf16Flops);
      return {pieces.rate / 6, pieces.isDisturbed};
    }
    break;
  case Limit::Bf16Flops:
    if (hasAmx)
      return timeLoop(threads, machine::kAmxBf16Tiles, kTileSteps);
    if (usesDots)
      return timeLoop(threads, machine::kBf16Dots);
    break;
  case Limit::Copy:
    return sampleCopy();
  case Limit::Update:
    return sampleUpdate();
  case Limit::Read:
    return sampleRead();
  }
  if (hasAvx512)
    return timeLoop(threads, machine::kAvx512MultiplyAdds);
  if (hasAvx2)
    return timeLoop(threads, machine::kAvx2MultiplyAdds);
  return timeLoop(threads, machine::kGenericMultiplyAdds);
}

LimitSample MachineLimits::sampleCopy() {
  touchMemory();
  return timeWork(
      threads, kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        auto *self = static_cast<MachineLimits *>(context);
        std::memcpy(
            reinterpret_cast<char *>(self->to.data()) + begin * kCopyItem,
            reinterpret_cast<char *>(self->from.data()) + begin * kCopyItem,
            (end - begin) * kCopyItem);
      },
      this, 2.0 * kCopyBytes);
}

LimitSample MachineLimits::sampleUpdate() {
  touchMemory();
  return timeWork(
      threads, kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        auto *self = static_cast<MachineLimits *>(context);
        auto *values = reinterpret_cast<uint64_t *>(self->to.data());
        constexpr int64_t count = kCopyItem / sizeof *values;
        for (int64_t i = begin * count; i < end * count; ++i)
          values[i] += 1;
      },
      this, 2.0 * kCopyBytes);
}

LimitSample MachineLimits::sampleRead() {
  touchMemory();
  return timeWork(
      threads, kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        // Several places at once, each fetched ahead: left to itself, a core
        // keeps fewer requests in flight than memory can serve.
        constexpr size_t streams = 4, words = 8, ahead = 2048;
        constexpr size_t stride = kCopyItem / streams;
        auto *self = static_cast<MachineLimits *>(context);
        const auto *data = reinterpret_cast<const char *>(self->from.data());
        uint64_t sums[words] = {};
        for (int64_t item = begin; item < end; ++item)
          for (size_t at = 0; at < stride; at += sizeof sums)
            for (size_t stream = 0; stream < streams; ++stream) {
              const char *place = data + static_cast<size_t>(item) * kCopyItem +
                                  stream * stride + at;
              __builtin_prefetch(place + ahead);
              uint64_t line[words];
              std::memcpy(line, place, sizeof line);
              for (size_t word = 0; word < words; ++word)
                sums[word] += line[word];
            }
        uint64_t total = 0;
        for (uint64_t sum : sums)
          total += sum;
        sink = total;
      },
      this, static_cast<double>(kCopyBytes));
}

} // namespace attnres::run
