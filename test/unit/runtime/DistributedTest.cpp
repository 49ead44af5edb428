// Ranks as threads: what they send, the tree in which they add, and how they
// notice that one of them is gone.
#include "runtime/distributed/GradientReduction.h"
#include "runtime/distributed/LocalCommunicator.h"
#include "runtime/distributed/RankWatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <future>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

using namespace attnres;
using namespace attnres::runtime;
using namespace std::chrono_literals;

namespace {

/// Runs `rank` for every rank in a thread of its own.
void onRanks(int size, const std::function<void(Communicator &)> &rank) {
  auto all = localCommunicators(size);
  std::vector<std::thread> threads;
  for (auto &communicator : all)
    threads.emplace_back([&rank, &own = *communicator] { rank(own); });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Communicator, BytesArriveAsTheyWereSent) {
  onRanks(3, [](Communicator &ranks) {
    auto self = static_cast<size_t>(ranks.rank());
    // Rank r sends r + to + 1 bytes to each.
    std::vector<std::string> out, in;
    std::vector<SentBytes> sent;
    std::vector<ReceivedBytes> received;
    for (size_t r = 0; r < 3; ++r) {
      out.push_back(std::string(self + r + 1, static_cast<char>('a' + self)));
      in.push_back(std::string(self + r + 1, '?'));
    }
    for (size_t r = 0; r < 3; ++r) {
      sent.push_back({out[r].data(), static_cast<int64_t>(out[r].size())});
      received.push_back({in[r].data(), static_cast<int64_t>(in[r].size())});
    }
    ASSERT_TRUE(ranks.exchange(sent, received).ok());
    for (size_t r = 0; r < 3; ++r)
      EXPECT_EQ(in[r], std::string(self + r + 1, static_cast<char>('a' + r)));

    std::string text = ranks.rank() == 1 ? "from one" : "";
    ASSERT_TRUE(ranks.broadcast(1, text).ok());
    EXPECT_EQ(text, "from one");
    auto texts = ranks.allGather(std::string(self, 'x'));
    ASSERT_TRUE(texts.ok());
    EXPECT_EQ(*texts, (std::vector<std::string>{"", "x", "xx"}));
    EXPECT_TRUE(ranks.barrier().ok());
    EXPECT_GT(ranks.bytesSent(), 0);
  });
}

TEST(Communicator, SizesThatDisagree) {
  onRanks(2, [](Communicator &ranks) {
    char byte = 0, two[2];
    std::vector<SentBytes> sent(2);
    std::vector<ReceivedBytes> received(2);
    auto other = static_cast<size_t>(1 - ranks.rank());
    sent[other] = {&byte, 1};
    received[other] = {two, ranks.rank() == 0 ? 2 : 1};
    Status status = ranks.exchange(sent, received);
    EXPECT_EQ(status.message(), ranks.rank() == 0
                                    ? "rank 1 sends 1 bytes where rank 0 "
                                      "expects 2"
                                    : "");
  });
}

TEST(Communicator, TimeLimit) {
  onRanks(2, [](Communicator &ranks) {
    if (ranks.rank() == 1)
      return; // does not come
    ranks.setTimeLimit(20ms);
    EXPECT_EQ(ranks.barrier().message(), "a rank did not answer for 20 ms");
  });
}

/// The sum of the leaves [begin, end) as SumTree.h describes it.
float treeSum(const std::vector<float> &leaves, int level, size_t index) {
  if (level == 0)
    return leaves[index];
  float left = treeSum(leaves, level - 1, 2 * index);
  size_t middle = (2 * index + 1) << (level - 1);
  if (middle >= leaves.size())
    return left;
  return left + treeSum(leaves, level - 1, 2 * index + 1);
}

float treeSum(const std::vector<float> &leaves) {
  int level = 0;
  while ((size_t{1} << level) < leaves.size())
    ++level;
  return treeSum(leaves, level, 0);
}

TEST(SumTree, EveryRankHasFewNodes) {
  for (int64_t leaves = 1; leaves <= 40; ++leaves)
    for (int size = 1; size <= leaves; ++size) {
      TreeSum all(leaves);
      for (int rank = 0; rank < size; ++rank) {
        std::vector<TreeNode> nodes = nodesOf(rank, size, leaves);
        auto [begin, end] = leavesOf(rank, size, leaves);
        EXPECT_LE(static_cast<double>(nodes.size()),
                  2 * std::log2(static_cast<double>(end - begin)) + 1);
        for (TreeNode node : nodes)
          all.push(node);
      }
      ASSERT_EQ(all.nodes().size(), 1u) << leaves << " on " << size;
    }
  EXPECT_EQ(nodesOf(1, 4, 16).size(), 1u); // powers of two fit
}

/// What each rank has for gradient g of leaf l; magnitudes differ so that the
/// order of additions shows.
float element(int64_t leaf, size_t gradient, int64_t i) {
  std::mt19937 random(static_cast<unsigned>(leaf * 1009 + i * 31 +
                                            static_cast<int64_t>(gradient)));
  return std::ldexp(static_cast<float>(random() % 20001) / 1e4f - 1,
                    static_cast<int>(random() % 20));
}

const std::vector<int64_t> counts = {5000, 1, 0, 77, 2049, 3};

/// Runs `steps` steps of `leaves` leaves and returns the sums of the owners.
std::vector<std::vector<float>> reduce(int size, int64_t leaves, int steps) {
  std::vector<std::vector<float>> sums(counts.size());
  std::mutex mutex;
  onRanks(size, [&](Communicator &ranks) {
    std::vector<std::vector<float>> own;
    std::vector<ReducedGradient> gradients;
    for (size_t g = 0; g < counts.size(); ++g) {
      own.emplace_back(static_cast<size_t>(counts[g]), NAN);
      gradients.push_back({own[g].data(), counts[g],
                           static_cast<int64_t>(counts.size() - g) - 1});
    }
    GradientReduction reduction(ranks, gradients, leaves, 4000);
    auto [begin, end] = leavesOf(ranks.rank(), size, leaves);
    for (int step = 0; step < steps; ++step) {
      for (int64_t leaf = begin; leaf < end; ++leaf) {
        for (size_t g = 0; g < counts.size(); ++g)
          for (int64_t i = 0; i < counts[g]; ++i)
            own[g][static_cast<size_t>(i)] = element(leaf, g, i);
        if (leaf + 1 < end)
          reduction.addLeaf();
      }
      for (size_t b = 0; b < reduction.buckets().size(); ++b)
        reduction.post(b);
      ASSERT_TRUE(reduction.finish().ok());
      EXPECT_EQ(reduction.firstBadRank(), -1);
    }
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t g = 0; g < counts.size(); ++g)
      if (reduction.owns(g))
        sums[g] = own[g];
  });
  return sums;
}

TEST(GradientReduction, SameBitsForAnyNumberOfRanks) {
  for (int64_t leaves : {1, 2, 3, 5, 8, 12}) {
    std::vector<std::vector<float>> expected;
    for (size_t g = 0; g < counts.size(); ++g) {
      expected.emplace_back();
      for (int64_t i = 0; i < counts[g]; ++i) {
        std::vector<float> column;
        for (int64_t leaf = 0; leaf < leaves; ++leaf)
          column.push_back(element(leaf, g, i));
        expected[g].push_back(treeSum(column));
      }
    }
    for (int size : {1, 2, 3, 4})
      if (size <= leaves)
        EXPECT_EQ(reduce(size, leaves, 2), expected)
            << leaves << " leaves on " << size << " ranks";
  }
}

TEST(GradientReduction, SendsWhatOthersOwnOnce) {
  // With a power of two of leaves for each rank, a rank has one partial sum.
  for (int size : {1, 2, 4})
    onRanks(size, [&](Communicator &ranks) {
      std::vector<float> memory(1000, 1.0f);
      std::vector<ReducedGradient> gradients = {{memory.data(), 400, -1},
                                                {memory.data() + 400, 300, -1},
                                                {memory.data() + 700, 200, -1},
                                                {memory.data() + 900, 100, -1}};
      GradientReduction reduction(ranks, gradients, 2 * size);
      int64_t before = ranks.bytesSent();
      reduction.addLeaf();
      reduction.post(0);
      ASSERT_TRUE(reduction.finish().ok());
      int64_t others = 0;
      for (size_t g = 0; g < gradients.size(); ++g)
        if (!reduction.owns(g))
          others += gradients[g].count * int64_t{sizeof(float)};
      EXPECT_EQ(ranks.bytesSent() - before, others);
    });
}

TEST(GradientReduction, BucketsInTheOrderOfCompletion) {
  auto ranks = localCommunicators(1);
  std::vector<float> memory(10);
  std::vector<ReducedGradient> gradients = {{memory.data(), 3, 9},
                                            {memory.data() + 3, 1, 2},
                                            {memory.data() + 4, 2, 4},
                                            {memory.data() + 6, 4, -1}};
  GradientReduction reduction(*ranks[0], gradients, 1, 12);
  ASSERT_EQ(reduction.buckets().size(), 3u);
  EXPECT_EQ(reduction.buckets()[0].gradients, std::vector<size_t>{3});
  EXPECT_EQ(reduction.buckets()[0].completeBehind, -1);
  EXPECT_EQ(reduction.buckets()[1].gradients, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(reduction.buckets()[1].completeBehind, 4);
  EXPECT_EQ(reduction.buckets()[2].completeBehind, 9);
}

TEST(GradientReduction, NamesTheRankOfWhatIsNotFinite) {
  onRanks(3, [](Communicator &ranks) {
    std::vector<float> value(5, 1.0f);
    if (ranks.rank() == 1)
      value[3] = std::numeric_limits<float>::infinity();
    GradientReduction reduction(ranks, {{value.data(), 5, -1}}, 3);
    reduction.post(0);
    ASSERT_TRUE(reduction.finish().ok());
    EXPECT_EQ(reduction.firstBadRank(), reduction.owns(0) ? 1 : -1);
  });
}

TEST(GradientReduction, GathersWhatOwnersHave) {
  onRanks(2, [](Communicator &ranks) {
    std::vector<float> sums(7), values(7, static_cast<float>(ranks.rank()));
    GradientReduction reduction(
        ranks, {{sums.data(), 4, -1}, {sums.data() + 4, 3, -1}}, 2);
    EXPECT_NE(reduction.owner(0), reduction.owner(1));
    ASSERT_TRUE(
        reduction.gather({{values.data(), 16}, {values.data() + 4, 12}}).ok());
    for (int i = 0; i < 7; ++i)
      EXPECT_EQ(values[static_cast<size_t>(i)],
                static_cast<float>(reduction.owner(i < 4 ? 0 : 1)));
  });
}

TEST(GradientReduction, GathersGroupsBesideTheCaller) {
  onRanks(3, [](Communicator &ranks) {
    std::vector<float> sums(12),
        values(12, static_cast<float>(10 + ranks.rank()));
    std::vector<ReducedGradient> gradients;
    std::vector<OwnedBytes> tensors;
    for (int g = 0; g < 4; ++g) {
      gradients.push_back({sums.data() + 3 * g, 3, -1});
      tensors.push_back({values.data() + 3 * g, 12});
    }
    GradientReduction reduction(ranks, gradients, 3);
    std::vector<ReductionBucket> groups = {{0, {2}}, {1, {0, 3}}, {5, {1}}};
    for (int step = 0; step < 3; ++step) {
      reduction.postGather(tensors, groups);
      for (size_t group = 0; group < groups.size(); ++group) {
        ASSERT_TRUE(reduction.awaitGather(group + 1).ok());
        for (size_t g : groups[group].gradients)
          EXPECT_EQ(values[3 * g],
                    static_cast<float>(10 * (step + 1) + reduction.owner(g)));
      }
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(10 * (step + 2) + ranks.rank());
    }
  });
}

/// Starts a watch on every rank, which then acts; those that `isTold` names
/// wait until they are told something. Returns what each was told.
std::vector<std::string>
watchRanks(int size, const std::function<void(int, RankWatch &)> &act,
           const std::function<bool(int)> &isTold, int silent = -1) {
  std::vector<std::promise<std::string>> told(static_cast<size_t>(size));
  std::vector<std::string> results(told.size());
  onRanks(size, [&](Communicator &ranks) {
    auto self = static_cast<size_t>(ranks.rank());
    RankWatch::Options options;
    bool isSilent = ranks.rank() == silent;
    options.pulse = isSilent ? 100s : 20ms;
    options.silence = ranks.rank() == 0 && silent > 0 ? 1500ms : 100000ms;
    auto watch = RankWatch::start(
        ranks, options, [&told, self](int rank, const std::string &cause) {
          told[self].set_value(concat("rank ", rank, ": ", cause));
        });
    ASSERT_TRUE(watch.ok()) << watch.status().message();
    ASSERT_TRUE(ranks.barrier().ok());
    act(ranks.rank(), **watch);
    auto future = told[self].get_future();
    if (isTold(ranks.rank()))
      future.wait_for(20s);
    ASSERT_TRUE(ranks.barrier().ok()); // none leaves before all have waited
    watch->reset();
    ASSERT_TRUE(ranks.barrier().ok());
    if (future.wait_for(0s) == std::future_status::ready)
      results[self] = future.get();
  });
  return results;
}

TEST(RankWatch, FailuresAreToldToAll) {
  for (int failed : {0, 2}) {
    auto told = watchRanks(
        3,
        [&](int rank, RankWatch &watch) {
          if (rank == failed)
            watch.fail("no space left");
        },
        [&](int rank) { return rank != failed; });
    for (int rank = 0; rank < 3; ++rank)
      EXPECT_EQ(told[static_cast<size_t>(rank)],
                rank == failed ? ""
                               : concat("rank ", failed, ": no space left"));
  }
}

TEST(RankWatch, SilenceIsAFailure) {
  auto told = watchRanks(
      3, [](int, RankWatch &) {}, [](int rank) { return rank != 1; }, 1);
  EXPECT_EQ(told[0], "rank 1: no sign of life for 1500 ms");
  // It is cut off, and may see that before it leaves.
  EXPECT_TRUE(told[1].empty() || told[1] == "rank 0: its process is gone")
      << told[1];
  EXPECT_EQ(told[2], told[0]);
}

TEST(RankWatch, AGoodbyeIsNoFailure) {
  auto told = watchRanks(
      3, [](int, RankWatch &) {}, [](int) { return false; });
  EXPECT_EQ(told, std::vector<std::string>(3));
}

} // namespace
