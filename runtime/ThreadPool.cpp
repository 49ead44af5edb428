// Fork-join with bounded spinning; thread counts from the environment.
#include "runtime/ThreadPool.h"

#include "support/File.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <immintrin.h>
#include <sched.h>

namespace attnres::runtime {
namespace {

// ------------------------------------------------------------- thread counts

std::optional<int64_t> parseInteger(std::string_view text) {
  int64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data())
    return std::nullopt;
  return value;
}

/// The first words of a file, empty where there is none. Files of control
/// groups have no size, so this reads a stream.
std::vector<std::string> wordsOf(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; words.size() < 2 && file >> word;)
    words.push_back(word);
  return words;
}

std::optional<int> processorsFor(std::optional<int64_t> quota,
                                 std::optional<int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0)
    return std::nullopt;
  int64_t processors = *quota / *period + (*quota % *period != 0);
  return static_cast<int>(std::min<int64_t>(processors, 1 << 20));
}

/// Of one group, without its ancestors.
std::optional<int> quotaOf(const std::string &folder, bool version2) {
  std::vector<std::string> words;
  if (version2) { // "QUOTA PERIOD" or "max PERIOD"
    words = wordsOf(folder + "/cpu.max");
  } else {
    words = wordsOf(folder + "/cpu.cfs_quota_us"); // -1 without a limit
    std::vector<std::string> period = wordsOf(folder + "/cpu.cfs_period_us");
    words.insert(words.end(), period.begin(), period.end());
  }
  if (words.size() != 2)
    return std::nullopt;
  return processorsFor(parseInteger(words[0]), parseInteger(words[1]));
}

/// The tightest limit of a group and its ancestors up to `mount`.
std::optional<int> tightestQuota(const std::string &mount, std::string group,
                                 bool version2) {
  std::optional<int> tightest;
  while (true) {
    if (std::optional<int> quota = quotaOf(mount + group, version2))
      tightest = std::min(*quota, tightest.value_or(*quota));
    size_t slash = group.rfind('/');
    if (slash == std::string::npos)
      return tightest;
    group.resize(slash);
  }
}

int allowedProcessors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace

std::optional<int> cpuQuota(std::string_view membership,
                            const std::string &root) {
  std::optional<int> tightest;
  std::istringstream lines{std::string(membership)};
  // "ID:CONTROLLER,CONTROLLER:/GROUP"; no controllers for version 2.
  for (std::string line; std::getline(lines, line);) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    bool version2 = controllers.empty();
    std::vector<std::string> mounts;
    if (version2)
      mounts = {root, root + "/unified"};
    else if (concat(',', controllers, ',').find(",cpu,") != std::string::npos)
      mounts = {root + "/cpu", root + "/" + controllers};
    for (const std::string &mount : mounts)
      if (std::optional<int> quota = tightestQuota(mount, group, version2))
        tightest = std::min(*quota, tightest.value_or(*quota));
  }
  return tightest;
}

int defaultThreadCount() {
  if (const char *text = std::getenv("OMP_NUM_THREADS"))
    if (std::optional<int64_t> count = parseInteger(text);
        count && *count > 0 && *count <= 4096)
      return static_cast<int>(*count);
  std::ifstream file("/proc/self/cgroup");
  std::string membership{std::istreambuf_iterator<char>(file), {}};
  int processors = allowedProcessors();
  return std::min(processors,
                  cpuQuota(membership, "/sys/fs/cgroup").value_or(processors));
}

// ---------------------------------------------------------------------- pool

namespace {

constexpr uint64_t joinedMask = 0x7fffffff;
constexpr uint64_t openBit = 0x80000000;
uint64_t jobOf(uint64_t state) { return state >> 32; }

/// Gives `done` about as long to become true as two wake-ups take: launches
/// that follow each other find the workers awake, and pauses free the
/// processor. Measured with kernels of 40 microseconds: launches take as long
/// as with a spinning OpenMP runtime on idle processors, and a tenth on busy
/// ones.
template <typename Predicate>
bool spinUntil(Predicate done) {
  constexpr int spins = 2048; // roughly 80 microseconds
  for (int i = 0; i < spins; ++i) {
    if (done())
      return true;
    _mm_pause();
  }
  return false;
}

} // namespace

ThreadPool::ThreadPool(int threads) : shares(std::max(threads, 1)) {
  for (int i = 1; i < threads; ++i)
    workers.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(sleep);
    stopping = true;
  }
  jobArrived.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

// Waking a thread pairs a flag or counter of the sleeper with `state`. Both
// sides write one and then read the other, sequentially consistently, so at
// least one of them sees what the other did; the mutex covers the rest.

void ThreadPool::run(int64_t count, Piece newPiece, void *newContext) {
  if (count <= 0)
    return;
  std::lock_guard<std::mutex> lock(turn);
  if (workers.empty() || count == 1) {
    newPiece(newContext, 0, 0, count);
    return;
  }
  piece = newPiece;
  context = newContext;
  // Small enough to balance, large enough that taking one costs little.
  chunk = std::max<int64_t>(1, count / (16 * size()));
  for (int i = 0; i < size(); ++i) {
    shares[i].next.store(count * i / size(), std::memory_order_relaxed);
    shares[i].end = count * (i + 1) / size();
  }
  state.store(((jobOf(state.load()) + 1) << 32) | openBit);
  if (sleepers.load() > 0) {
    { std::lock_guard<std::mutex> sleeping(sleep); }
    jobArrived.notify_all();
  }

  takePieces(0);

  state.fetch_and(~openBit);
  auto done = [this] { return (state.load() & joinedMask) == 0; };
  if (!spinUntil(done)) {
    std::unique_lock<std::mutex> sleeping(sleep);
    callerSleeps = true;
    jobDone.wait(sleeping, done);
    callerSleeps = false;
  }
}

void ThreadPool::takePieces(int thread) {
  for (int i = 0; i < size(); ++i) {
    Share &share = shares[(thread + i) % size()];
    while (true) {
      int64_t begin = share.next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= share.end)
        break;
      piece(context, thread, begin, std::min(begin + chunk, share.end));
    }
  }
}

/// The state once it shows another job than `seen`, or the pool ends.
uint64_t ThreadPool::awaitJob(uint64_t seen) {
  auto arrived = [&] { return jobOf(state.load()) != seen || stopping.load(); };
  if (!spinUntil(arrived)) {
    std::unique_lock<std::mutex> lock(sleep);
    ++sleepers;
    jobArrived.wait(lock, arrived);
    --sleepers;
  }
  return state.load();
}

void ThreadPool::work(int thread) {
  uint64_t seen = 0;
  while (true) {
    uint64_t current = awaitJob(seen);
    if (stopping.load())
      return;
    seen = jobOf(current);
    // Join while the job is open. When it has changed meanwhile, the next
    // round looks at the newer one.
    while ((current & openBit) && jobOf(current) == seen) {
      if (!state.compare_exchange_weak(current, current + 1))
        continue;
      takePieces(thread);
      if ((state.fetch_sub(1) & joinedMask) == 1 && callerSleeps.load()) {
        { std::lock_guard<std::mutex> lock(sleep); }
        jobDone.notify_one();
      }
      break;
    }
  }
}

} // namespace attnres::runtime
