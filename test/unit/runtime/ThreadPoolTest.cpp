// Every item runs exactly once, whatever the sizes; idle pools cost nothing;
// quotas of containers are read right.
#include "runtime/ThreadPool.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

using namespace attnres;
using namespace attnres::runtime;

namespace {

class ThreadPoolTest : public testing::TestWithParam<int> {};

TEST_P(ThreadPoolTest, CoversEveryItemOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.size(), GetParam());
  struct Context {
    std::vector<std::atomic<int>> *hits;
    int size;
    std::atomic<bool> goodThreads{true};
  };
  for (int64_t items : {0, 1, 2, 3, 7, 64, 1001, 100'000}) {
    std::vector<std::atomic<int>> hits(items);
    Context context{&hits, pool.size()};
    pool.run(
        items,
        [](void *data, int thread, int64_t begin, int64_t end) {
          auto &context = *static_cast<Context *>(data);
          if (thread < 0 || thread >= context.size)
            context.goodThreads = false;
          for (int64_t i = begin; i < end; ++i)
            ++(*context.hits)[i];
        },
        &context);
    EXPECT_TRUE(context.goodThreads);
    for (int64_t i = 0; i < items; ++i)
      ASSERT_EQ(hits[i], 1) << i << " of " << items;
  }
}

TEST_P(ThreadPoolTest, ManyShortJobsAndPauses) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum{0};
  int64_t expected = 0;
  for (int round = 0; round < 5000; ++round) {
    int64_t items = round % 9;
    pool.run(
        items,
        [](void *data, int, int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i)
            *static_cast<std::atomic<int64_t> *>(data) += i + 1;
        },
        &sum);
    expected += items * (items + 1) / 2;
    ASSERT_EQ(sum, expected) << "round " << round;
    if (round % 500 == 0) // long enough for every worker to fall asleep
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST_P(ThreadPoolTest, CallersTakeTurns) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 300; ++round)
        pool.run(
            10,
            [](void *data, int, int64_t begin, int64_t end) {
              *static_cast<std::atomic<int64_t> *>(data) += end - begin;
            },
            &sum);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum, 3 * 300 * 10);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadPoolTest, testing::Values(1, 2, 3, 8));

TEST(ThreadPool, IdleThreadsSleep) {
  ThreadPool pool(4);
  pool.run(
      100, [](void *, int, int64_t, int64_t) {}, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  auto processTime = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
  };
  double before = processTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LT(processTime() - before, 0.02);
}

TEST(ThreadCount, EnvironmentWins) {
  setenv("OMP_NUM_THREADS", "7", 1);
  EXPECT_EQ(defaultThreadCount(), 7);
  setenv("OMP_NUM_THREADS", "3,2", 1); // nested levels
  EXPECT_EQ(defaultThreadCount(), 3);
  for (const char *text : {"0", "-1", "", "many", "99999999999999999999"}) {
    setenv("OMP_NUM_THREADS", text, 1);
    EXPECT_GE(defaultThreadCount(), 1) << text;
    EXPECT_LE(defaultThreadCount(),
              static_cast<int>(std::thread::hardware_concurrency()))
        << text;
  }
  unsetenv("OMP_NUM_THREADS");
}

TEST(ThreadCount, QuotaOfControlGroups) {
  TemporaryDirectory directory;
  auto file = [&](const std::string &name, std::string_view text) {
    std::filesystem::create_directories((directory.path / name).parent_path());
    directory.write(name, text);
  };
  std::string root = directory.path.string();
  EXPECT_EQ(cpuQuota("0::/a/b\n", root), std::nullopt);

  file("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cpuQuota("0::/a/b\n", root), std::nullopt);
  file("a/b/cpu.max", "250000 100000\n");
  EXPECT_EQ(cpuQuota("0::/a/b\n", root), 3);
  file("a/cpu.max", "150000 100000\n"); // an ancestor's limit counts too
  EXPECT_EQ(cpuQuota("0::/a/b\n", root), 2);
  // Inside a container the group's folder is often not visible; the root is.
  file("cpu.max", "50000 100000\n");
  EXPECT_EQ(cpuQuota("0::/kubepods/x\n", root), 1);

  file("cpu/c/cpu.cfs_quota_us", "400000\n");
  file("cpu/c/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpuQuota("4:cpu,cpuacct:/c\n3:memory:/m\n", root), 4);
  EXPECT_EQ(cpuQuota("4:cpuset:/c\n", root), std::nullopt);
  file("cpu/c/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cpuQuota("4:cpu:/c\n", root), std::nullopt);

  for (std::string_view text : {"", "x", "1", "1 0", "-5 10", "1 x", "::"}) {
    file("d/cpu.max", text);
    EXPECT_EQ(cpuQuota("0::/d\n", root + "/d"), std::nullopt) << text;
    EXPECT_EQ(cpuQuota(text, root + "/d"), std::nullopt) << text;
  }
}

} // namespace
