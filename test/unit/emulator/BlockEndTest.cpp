// What is under way when a block ends: its own asynchronous copies, and other
// blocks of the cluster that still use its shared memory.

#include "PlantedFaults.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

class BlockEndTest : public PlantedFaults {
protected:
  void runCluster(const std::string &body, uint32_t blocks,
                  uint32_t threads = 32) {
    device = Device(options);
    text = wrapPtx(body, barrierAndTile);
    load(text);
    for (uint64_t &buffer : buffers)
      buffer = upload(std::vector<uint8_t>(1024));
    LaunchConfig config = shape(blocks, threads);
    config.cluster = {blocks, 1, 1};
    Status status =
        tryRun("k", config, buffers[0], buffers[1], buffers[2], buffers[3]);
    EXPECT_TRUE(status.ok()) << status.message();
  }
};

// %r1 is the tile, %p1 thread 0.
const std::string begin =
    "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\nsetp.eq.u32 %p1, %r0, 0;\n"
    "shl.b32 %r3, %r0, 2;\nadd.u32 %r3, %r1, %r3;\n"
    "st.shared.u32 [%r3], %r0;\nst.shared.u32 [%r3+128], %r0;\n";

TEST_F(BlockEndTest, BulkStores) {
  const std::string store =
      begin + "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
              "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], "
              "128;\n";
  const std::string commit = "@%p1 cp.async.bulk.commit_group;\n";
  for (const std::string &body :
       {store, store + commit,
        store + commit + "@%p1 cp.async.bulk.wait_group.read 1;\n"}) {
    runBody(body, 32, sharedTile + std::string(".shared .b64 bar;"));
    expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
    EXPECT_EQ(device.findings().size(), 1u);
  }
  for (const char *wait : {"@%p1 cp.async.bulk.wait_group.read 0;\n",
                           "@%p1 cp.async.bulk.wait_group 0;\n"}) {
    runBody(store + commit + wait, 32,
            sharedTile + std::string(".shared .b64 bar;"));
    expectClean();
  }
}

// Groups belong to threads: another one cannot wait for them.
TEST_F(BlockEndTest, BulkStoresOfAnotherThread) {
  const std::string store =
      begin + "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
              "setp.eq.u32 %p2, %r0, 1;\n"
              "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], "
              "128;\n";
  const std::string variables = sharedTile + std::string(".shared .b64 bar;");
  runBody(store + "@%p1 cp.async.bulk.commit_group;\n"
                  "@%p2 cp.async.bulk.wait_group 0;\n",
          32, variables);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
  runBody(store + "@%p2 cp.async.bulk.commit_group;\n"
                  "cp.async.bulk.wait_group 0;\n",
          32, variables);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
  runBody(store + "cp.async.bulk.commit_group;\n"
                  "cp.async.bulk.wait_group 0;\n",
          32, variables);
  expectClean();
}

TEST_F(BlockEndTest, BulkLoads) {
  const std::string init = begin + "@%p1 mbarrier.init.shared.b64 [%r2], 1;\n"
                                   "@%p1 fence.mbarrier_init.release.cluster;\n"
                                   "bar.sync 0;\n";
  const std::string expect =
      "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r2], 128;\n";
  const std::string copy =
      "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1], [%rd0], 128, [%r2];\n";
  const std::string wait =
      "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r2], "
      "0;\n@!%p2 bra W;\n";
  runBody(init + expect + copy + wait, 32, barrierAndTile);
  expectClean();
  runBody(init + expect + copy, 32, barrierAndTile);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.shared");
  // Bytes that never come, and some that nobody expects.
  runBody(init + expect, 32, barrierAndTile);
  expectFinding(FindingKind::MissingWait, "expect_tx");
  runBody(init + copy, 32, barrierAndTile);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.shared");
}

TEST_F(BlockEndTest, ThreadCopies) {
  const std::string copy = begin + "bar.sync 0;\n"
                                   "cp.async.ca.shared.global [%r3], [%rd0], "
                                   "4;\n";
  runBody(copy, 32, barrierAndTile);
  expectFinding(FindingKind::MissingWait, "cp.async.ca");
  EXPECT_EQ(device.findings()[0].count, 32u);
  runBody(copy + "cp.async.commit_group;\ncp.async.wait_group 1;", 32,
          barrierAndTile);
  expectFinding(FindingKind::MissingWait, "cp.async.ca");
  runBody(copy + "cp.async.wait_all;", 32, barrierAndTile);
  expectClean();
}

// Every block accesses the tile of the one `step` further on.
std::string neighbour(unsigned blocks, unsigned step, const char *access) {
  return begin +
         fmt::format("barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                     "mov.u32 %r4, %cluster_ctarank;\nadd.u32 %r4, %r4, {};\n"
                     "rem.u32 %r4, %r4, {};\n"
                     "mapa.shared::cluster.u32 %r5, %r3, %r4;\n{}\n",
                     step, blocks, access);
}

TEST_F(BlockEndTest, NeighboursInTheCluster) {
  const std::string end = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  for (uint32_t blocks : {2u, 4u, 8u})
    for (const char *access : {"ld.shared::cluster.u32 %r6, [%r5];",
                               "st.shared::cluster.u32 [%r5+128], %r0;",
                               "atom.shared::cluster.add.u32 %r6, [%r5], 1;"})
      for (uint32_t step : {1u, blocks - 1}) {
        SCOPED_TRACE(fmt::format("{} of {}: {}", step, blocks, access));
        std::string body = neighbour(blocks, step, access);
        runCluster(body, blocks);
        expectFinding(FindingKind::UseAfterFree, "shared::cluster");
        EXPECT_EQ(device.findings().size(), 1u);
        // An arrival is enough for the one that reads, not for the owner.
        runCluster(body + "barrier.cluster.arrive;\n", blocks);
        expectFinding(FindingKind::UseAfterFree, "shared::cluster");
        runCluster(body + end, blocks);
        expectClean();
      }
}

// Block 0 arrives at the mbarrier of block 1, which may be gone.
TEST_F(BlockEndTest, RemoteArrivals) {
  const std::string init =
      begin + "@%p1 mbarrier.init.shared.b64 [%r2], 1;\n"
              "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
              "mov.u32 %r4, %cluster_ctarank;\nsetp.eq.u32 %p3, %r4, 0;\n"
              "and.pred %p4, %p1, %p3;\nmapa.shared::cluster.u32 %r5, %r2, 1;\n"
              "@%p4 mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
              "[%r5];\n";
  runCluster(init, 2);
  expectFinding(FindingKind::UseAfterFree, "mbarrier.arrive.release");
  runCluster(init + "@%p3 bra END;\nW:\nmbarrier.try_wait.parity.shared.b64 "
                    "%p2, [%r2], 0;\n@!%p2 bra W;\nEND:",
             2);
  expectClean();
}

TEST_F(BlockEndTest, CopiesToOtherBlocks) {
  // Block 0 copies its tile into the tile of block 1.
  const std::string copy =
      begin +
      "@%p1 mbarrier.init.shared.b64 [%r2], 1;\n"
      "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r2], 128;\n"
      "@%p1 fence.mbarrier_init.release.cluster;\n"
      "fence.proxy.async.shared::cta;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
      "mov.u32 %r4, %cluster_ctarank;\nsetp.eq.u32 %p3, %r4, 0;\n"
      "and.pred %p4, %p1, %p3;\nmapa.shared::cluster.u32 %r5, %r2, 1;\n"
      "mapa.shared::cluster.u32 %r6, %r1, 1;\n"
      "@%p4 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
      "bytes [%r6], [%r1], 128, [%r5];\n"
      "@%p4 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], 128;\n"
      "@%p3 bra END;\n";
  const std::string wait =
      "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r2], "
      "0;\n@!%p2 bra W;\n";
  const std::string end = "END:\nbarrier.cluster.arrive;\n"
                          "barrier.cluster.wait;\n";
  runCluster(copy + wait + end, 2);
  expectClean();
  // Nobody waits: it writes into the one and reads from the other.
  runCluster(copy + end, 2);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.shared");
  // Block 1 waits, but block 0, from which it reads, does not know.
  runCluster(copy + wait + "END:", 2);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.shared");
}

TEST_F(BlockEndTest, BarriersForBulkCopiesNeedAFence) {
  struct Text {
    const char *afterInit;
    const char *afterSync;
    bool clean;
  };
  const Text texts[] = {
      {"", "", false},
      {"@%p1 fence.mbarrier_init.release.cluster;\n", "", true},
      {"@%p1 fence.proxy.async.shared::cta;\n", "", true},
      {"@%p1 fence.proxy.async;\n", "", true},
      {"@%p1 fence.acq_rel.cluster;\n", "", false},
      // By others, who initialized nothing.
      {"@!%p1 fence.mbarrier_init.release.cluster;\n", "", false},
      {"@!%p1 fence.proxy.async;\n", "", false},
      // By the thread that copies, after it has synchronized.
      {"", "fence.proxy.async;\n", true},
  };
  for (const Text &each : texts) {
    SCOPED_TRACE(std::string(each.afterInit) + each.afterSync);
    runBody(std::string("mov.u32 %r1, tile;\nmov.u32 %r2, bar;\n"
                        "setp.eq.u32 %p1, %r0, 0;\n"
                        "@%p1 mbarrier.init.shared.b64 [%r2], 1;\n") +
                each.afterInit + "bar.sync 0;\n" + each.afterSync +
                "setp.eq.u32 %p3, %r0, 32;\n"
                "@%p3 mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r2], 128;\n"
                "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::"
                "complete_tx::bytes [%r1], [%rd0], 128, [%r2];\n"
                "W:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0;\n"
                "@!%p2 bra W;\n",
            64, barrierAndTile);
    if (each.clean)
      expectClean();
    else
      expectFinding(FindingKind::MissingWait, "cp.async.bulk.shared");
  }
}

} // namespace
