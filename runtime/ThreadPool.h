// The one set of threads that runs kernels, and how many it should have.
#ifndef ATTNRES_RUNTIME_THREADPOOL_H
#define ATTNRES_RUNTIME_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace attnres::runtime {

/// Threads worth using: OMP_NUM_THREADS when it is set to a positive number,
/// else the processors this process may run on, at most what the container's
/// CPU quota pays for.
int defaultThreadCount();

/// The processors that the quota of a Linux control group is worth, rounded
/// up, or nothing without one. `membership` is the text of /proc/self/cgroup
/// and `root` the folder where control groups are mounted; versions 1 and 2.
std::optional<int> cpuQuota(std::string_view membership,
                            const std::string &root);

/// Fork-join over a range of items. Idle threads spin for some tens of
/// microseconds, so that launches that follow each other start at once, then
/// sleep. (GCC's OpenMP runtime offers no such choice to a program: how long it
/// spins is read from the environment before main, and is milliseconds.)
class ThreadPool {
public:
  /// The caller of run() is one of the threads.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int size() const { return static_cast<int>(workers.size()) + 1; }

  /// A piece of the work: items [begin, end), by thread 0 <= thread < size().
  using Piece = void (*)(void *context, int thread, int64_t begin, int64_t end);

  /// Calls `piece` until [0, items) is covered exactly once, and returns when
  /// all calls have. A thread first takes pieces of its own share, one after
  /// another: threads find in their caches what they wrote for the same rows
  /// in the launch before. Then it helps the others, so which thread gets which
  /// items varies. Calls from different threads take turns; `piece` must
  /// neither throw nor call run().
  void run(int64_t items, Piece piece, void *context);

private:
  void work(int thread);
  void takePieces(int thread);
  uint64_t awaitJob(uint64_t seen);

  // The current job; written while no worker has joined and none may.
  Piece piece = nullptr;
  void *context = nullptr;
  int64_t chunk = 1;
  /// The items [next, end) of a thread that nobody has taken yet.
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  std::vector<Share> shares;

  std::mutex turn; // held during run()
  /// Number of the job, whether workers may join it, how many have: one word,
  /// so that a worker that wakes late finds the job closed and is not awaited.
  std::atomic<uint64_t> state{0};
  std::atomic<int> sleepers{0};
  std::atomic<bool> callerSleeps{false};
  std::atomic<bool> stopping{false};
  std::mutex sleep;
  std::condition_variable jobArrived, jobDone;
  std::vector<std::thread> workers;
};

} // namespace attnres::runtime
#endif
