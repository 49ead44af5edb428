// One planted fault for every check, and the same program without it.

#include "PlantedFaults.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

class FaultsTest : public PlantedFaults {};

// This thread's word of the tile in %r2, its right neighbour's in %r3.
const char *const tileAddresses = "mov.u32 %r1, tile;\n"
                                  "shl.b32 %r2, %r0, 2;\n"
                                  "add.u32 %r4, %r2, 4;\n"
                                  "and.b32 %r4, %r4, 127;\n"
                                  "add.u32 %r3, %r1, %r4;\n"
                                  "add.u32 %r2, %r1, %r2;\n";

TEST_F(FaultsTest, OutOfBoundsGlobal) {
  runBody("mul.wide.u32 %rd4, %r0, 4;\nadd.s64 %rd5, %rd0, %rd4;\n"
          "st.global.u32 [%rd5+900], %r0;");
  expectFinding(FindingKind::OutOfBounds, "st.global.u32");
  // 1024 bytes hold the words up to offset 1020: lane 31 is the first outside.
  EXPECT_EQ(device.findings()[0].thread.x, 31u);
  EXPECT_EQ(device.findings()[0].address, buffers[0] + 1024);
  EXPECT_EQ(device.findings()[0].count, 1u);
}

TEST_F(FaultsTest, OutOfBoundsSharedAndNull) {
  runBody("mov.u32 %r1, tile;\nst.shared.u32 [%r1+256], %r0;", 1, sharedTile);
  expectFinding(FindingKind::OutOfBounds, "st.shared");
  runBody("mov.u32 %r1, tile;\nmov.u32 %r2, 0;\nst.shared.u32 [%r2], %r0;", 1,
          sharedTile);
  expectFinding(FindingKind::OutOfBounds, "[%r2]");
  runBody("mov.u64 %rd5, 0;\nst.u32 [%rd5], %r0;", 1);
  expectFinding(FindingKind::OutOfBounds, "st.u32");
}

TEST_F(FaultsTest, Misaligned) {
  runBody("ld.global.u32 %r1, [%rd0+2];", 1);
  expectFinding(FindingKind::Misaligned, "ld.global.u32");
  runBody("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd0+8];", 1);
  expectFinding(FindingKind::Misaligned, "ld.global.v4");
}

TEST_F(FaultsTest, UseAfterFree) {
  ASSERT_TRUE(device.loadModule(wrapPtx("ld.global.u32 %r1, [%rd0];")).ok());
  uint64_t buffer = upload(std::vector<int>{1});
  ASSERT_TRUE(device.free(buffer).ok());
  EXPECT_FALSE(device.free(buffer).ok());
  EXPECT_TRUE(tryRun("k", shape(1, 1), buffer, buffer, buffer, buffer).ok());
  ASSERT_EQ(device.findings().size(), 1u);
  EXPECT_EQ(device.findings()[0].kind, FindingKind::UseAfterFree);
}

TEST_F(FaultsTest, UninitializedMemory) {
  runBody("mov.u32 %r1, tile;\nst.shared.u32 [%r1], %r0;\n"
          "ld.shared.u32 %r2, [%r1];\nld.shared.u16 %h1, [%r1+4];",
          1, sharedTile);
  expectFinding(FindingKind::UninitializedMemory, "ld.shared.u16");

  device = Device();
  ASSERT_TRUE(device.loadModule(wrapPtx("ld.global.u32 %r1, [%rd0+4];")).ok());
  uint64_t buffer = *device.allocate(8);
  int one = 1;
  EXPECT_TRUE(device.copyToDevice(buffer, &one, 4).ok());
  EXPECT_TRUE(tryRun("k", shape(1, 1), buffer, buffer, buffer, buffer).ok());
  ASSERT_EQ(device.findings().size(), 1u);
  EXPECT_EQ(device.findings()[0].kind, FindingKind::UninitializedMemory);
  EXPECT_EQ(device.findings()[0].address, buffer + 4);
}

TEST_F(FaultsTest, UninitializedRegister) {
  runBody("setp.lt.u32 %p1, %r0, 7;\n@%p1 mov.u32 %r1, 5;\n"
          "add.u32 %r2, %r1, 1;\nmul.wide.u32 %rd4, %r0, 4;\n"
          "add.s64 %rd4, %rd0, %rd4;\nst.global.u32 [%rd4], %r2;");
  expectFinding(FindingKind::UninitializedRegister, "st.global.u32");
  EXPECT_EQ(device.findings()[0].thread.x, 7u);
  EXPECT_NE(device.findings()[0].message.find("%r1"), std::string::npos);
}

TEST_F(FaultsTest, SharedRace) {
  std::string write =
      std::string(tileAddresses) + "st.shared.u32 [%r2], %r0;\n";
  std::string read = "ld.shared.u32 %r5, [%r3];";
  runBody(write + read, 32, sharedTile);
  expectFinding(FindingKind::DataRace, "ld.shared");
  runBody(write + "bar.warp.sync -1;\n" + read, 32, sharedTile);
  expectClean();
  runBody(write + "bar.sync 0;\n" + read, 32, sharedTile);
  expectClean();
}

TEST_F(FaultsTest, SharedRaceBetweenWarps) {
  // Word tid of warp 1 is read by warp 0.
  std::string write = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 2;\n"
                      "add.u32 %r2, %r1, %r2;\nxor.b32 %r3, %r2, 128;\n"
                      "st.shared.u32 [%r2], %r0;\n";
  runBody(write + "bar.warp.sync -1;\nld.shared.u32 %r5, [%r3];", 64,
          ".shared .align 256 .b8 tile[256];");
  // Warp 0 runs first and reads what nobody has written: both are reported.
  bool race = false;
  for (const Finding &finding : device.findings())
    race |= finding.kind == FindingKind::DataRace;
  EXPECT_TRUE(race);
  runBody(write + "bar.sync 0;\nld.shared.u32 %r5, [%r3];", 64,
          ".shared .align 256 .b8 tile[256];");
  expectClean();
}

TEST_F(FaultsTest, WriteAfterReadRace) {
  std::string body = std::string(tileAddresses) +
                     "st.shared.u32 [%r2], %r0;\nbar.sync 0;\n"
                     "ld.shared.u32 %r5, [%r3];\n";
  runBody(body + "st.shared.u32 [%r2], %r5;", 32, sharedTile);
  expectFinding(FindingKind::DataRace, "st.shared.u32 [%r2], %r5");
  EXPECT_NE(device.findings()[0].otherLine, 0u);
  runBody(body + "bar.sync 0;\nst.shared.u32 [%r2], %r5;", 32, sharedTile);
  expectClean();
}

TEST_F(FaultsTest, LanesOfOneStore) {
  runBody("st.global.u32 [%rd0], %r0;");
  expectFinding(FindingKind::DataRace, "st.global");
  runBody("mov.u32 %r1, 1;\nst.global.u32 [%rd0], %r1;");
  expectClean();
}

TEST_F(FaultsTest, GlobalRaceBetweenBlocks) {
  options.threads = 1;
  runBody("mov.u32 %r1, %ctaid.x;\nst.global.u32 [%rd0], %r1;", 1, "", 2);
  expectFinding(FindingKind::DataRace, "st.global");
  runBody("atom.global.add.u32 %r1, [%rd0], 1;", 1, "", 2);
  expectClean();
}

TEST_F(FaultsTest, ByteGranularity) {
  // Neighbouring bytes are no race, the same byte is.
  std::string body = "cvt.u64.u32 %rd4, %r0;\nadd.s64 %rd5, %rd0, %rd4;\n"
                     "mov.u16 %h1, 3;\nst.global.u8 [%rd5], %h1;\n";
  runBody(body, 64);
  expectClean();
  runBody(body + "ld.global.u16 %h2, [%rd0];", 64);
  expectFinding(FindingKind::DataRace, "ld.global.u16");
}

// Lanes in the order of their places take a quick way through the checks,
// others the way lane by lane: both find the same.
TEST_F(FaultsTest, RowsAndScatteredLanesAgree) {
  struct Case {
    const char *body;
    bool clean;
  };
  // %r2 is the lane's word of the tile, %r3 its neighbour's, %r1 the first.
  const Case cases[] = {
      {"st.shared.u32 [%r2], %r0;\nld.shared.u32 %r5, [%r2];\n"
       "st.shared.u32 [%r2], %r5;",
       true},
      {"st.shared.u32 [%r2], %r0;\nld.shared.u32 %r5, [%r3];", false},
      {"st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\n"
       "ld.shared.u32 %r5, [%r3];\nst.shared.u32 [%r2], %r5;",
       false},
      {"st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\n"
       "ld.shared.u32 %r5, [%r3];\nbar.warp.sync -1;\n"
       "st.shared.u32 [%r2], %r5;",
       true},
      // Reads that two lanes made, then a write of one of them.
      {"st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\n"
       "ld.shared.u32 %r5, [%r3];\nld.shared.u32 %r6, [%r2];\n"
       "st.shared.u32 [%r2], %r0;",
       false},
      // Broadcasts.
      {"@%p1 st.shared.u32 [%r1], %r0;\nld.shared.u32 %r5, [%r1];", false},
      {"@%p1 st.shared.u32 [%r1], %r0;\nbar.warp.sync -1;\n"
       "ld.shared.u32 %r5, [%r1];\nld.shared.u32 %r6, [%r1];",
       true},
      {"@%p1 st.shared.u32 [%r1], %r0;\nbar.warp.sync -1;\n"
       "ld.shared.u32 %r5, [%r1];\n@%p2 st.shared.u32 [%r1], %r5;",
       false},
      {"st.shared.u32 [%r2], %r0;\nld.shared.u32 %r5, [%r1];", false},
  };
  for (const char *order : {"mov.u32 %r7, %r0;\n", "xor.b32 %r7, %r0, 31;\n"})
    for (const Case &each : cases) {
      SCOPED_TRACE(std::string(order) + each.body);
      runBody(std::string(order) +
                  "mov.u32 %r1, tile;\nshl.b32 %r2, %r7, 2;\n"
                  "add.u32 %r4, %r2, 4;\nand.b32 %r4, %r4, 127;\n"
                  "add.u32 %r3, %r1, %r4;\nadd.u32 %r2, %r1, %r2;\n"
                  "setp.eq.u32 %p1, %r0, 0;\nsetp.eq.u32 %p2, %r0, 5;\n" +
                  each.body,
              32, sharedTile);
      if (each.clean)
        expectClean();
      else
        expectFinding(FindingKind::DataRace, "shared");
    }
}

TEST_F(FaultsTest, DivergentBarrier) {
  runBody("setp.lt.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\n"
          "bar.sync 0;\nB:");
  expectFinding(FindingKind::DivergentBarrier, "bar.sync");
  // Lanes that meet again before the barrier are fine.
  runBody("setp.lt.u32 %p1, %r0, 16;\n@%p1 bra A;\nadd.u32 %r1, %r0, 1;\nA:\n"
          "bar.sync 0;");
  expectClean();
}

TEST_F(FaultsTest, BarrierThatNobodyCompletes) {
  std::string status = runBody(
      "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.sync 1, 64;\nA:", 64);
  EXPECT_NE(status.find("was stopped"), std::string::npos) << status;
  expectFinding(FindingKind::Deadlock, "bar.sync 1");
}

TEST_F(FaultsTest, MismatchedShuffle) {
  runBody("setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra A;\n"
          "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\nA:");
  expectFinding(FindingKind::MismatchedLanes, "shfl.sync");
  runBody("setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra A;\n"
          "shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffff;\nA:");
  expectClean();
}

TEST_F(FaultsTest, MissingCpAsyncWait) {
  std::string copy = "mov.u32 %r1, tile;\n"
                     "cp.async.cg.shared.global [%r1], [%rd0], 16;\n"
                     "cp.async.commit_group;\n";
  runBody(copy + "ld.shared.u32 %r2, [%r1];", 1, sharedTile);
  expectFinding(FindingKind::MissingWait, "ld.shared");
  runBody(copy + "cp.async.wait_group 1;\nld.shared.u32 %r2, [%r1];", 1,
          sharedTile);
  expectFinding(FindingKind::MissingWait, "ld.shared");
  runBody(copy + "cp.async.wait_group 0;\nld.shared.u32 %r2, [%r1];", 1,
          sharedTile);
  expectClean();
}

TEST_F(FaultsTest, MissingMbarrierWait) {
  std::string copy =
      "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\n"
      "mbarrier.init.shared.b64 [%r2], 1;\nfence.proxy.async.shared::cta;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r2], 64;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1], [%rd0], 64, [%r2];\n";
  runBody(copy + "ld.shared.u32 %r3, [%r1];", 1, barrierAndTile);
  expectFinding(FindingKind::MissingWait, "ld.shared");
  runBody(copy + "W:\nmbarrier.try_wait.shared.b64 %p1, [%r2], %rd4;\n"
                 "@!%p1 bra W;\nld.shared.u32 %r3, [%r1];",
          1, barrierAndTile);
  expectClean();
}

TEST_F(FaultsTest, MbarrierThatNobodyCompletes) {
  std::string status =
      runBody("mov.u32 %r2, bar;\nmbarrier.init.shared.b64 [%r2], 2;\n"
              "mbarrier.arrive.shared.b64 %rd4, [%r2];\n"
              "W:\nmbarrier.try_wait.shared.b64 %p1, [%r2], %rd4;\n"
              "@!%p1 bra W;",
              1, barrierAndTile);
  EXPECT_NE(status.find("was stopped"), std::string::npos) << status;
  ASSERT_FALSE(device.findings().empty());
  EXPECT_EQ(device.findings()[0].kind, FindingKind::Deadlock);
}

TEST_F(FaultsTest, MissingWgmmaWait) {
  const std::string tile = ".shared .align 1024 .b8 tile[4096];";
  // Fill 2 KiB, then one product of 64x8 with itself as both operands.
  std::string fill = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\n"
                     "add.u32 %r2, %r1, %r2;\nmov.u32 %r3, 0;\n"
                     "st.shared.v4.u32 [%r2], {%r3,%r3,%r3,%r3};\n"
                     "st.shared.v4.u32 [%r2+2048], {%r3,%r3,%r3,%r3};\n"
                     "fence.proxy.async;\nbar.sync 0;\nshr.u32 %r4, %r1, 4;\n"
                     "cvt.u64.u32 %rd4, %r4;\n"
                     "mov.u64 %rd6, 0x0000004000080000;\n"
                     "or.b64 %rd5, %rd4, %rd6;\n"
                     "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, 0f00000000;\n"
                     "mov.f32 %f2, 0f00000000;\nmov.f32 %f3, 0f00000000;\n"
                     "wgmma.fence.sync.aligned;\n";
  std::string product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                        "{%f0,%f1,%f2,%f3}, %rd4, %rd4, 1, 1, 1, 0, 0;\n"
                        "wgmma.commit_group.sync.aligned;\n";
  std::string use = "add.f32 %f4, %f0, %f1;";
  runBody(fill + product + use, 128, tile);
  expectFinding(FindingKind::MissingWait, "add.f32");
  runBody(fill + product + "wgmma.wait_group.sync.aligned 0;\n" + use, 128,
          tile);
  expectClean();
  // Operands written without a fence before the barrier.
  const std::string fence = "fence.proxy.async;\n";
  std::string unfenced = fill;
  unfenced.erase(unfenced.find(fence), fence.size());
  runBody(unfenced + product + "wgmma.wait_group.sync.aligned 0;\n" + use, 128,
          tile);
  expectFinding(FindingKind::MissingWait, "wgmma.mma_async");
  // Overwriting an operand that may still be read.
  runBody(fill + product +
              "st.shared.u32 [%r2], %r3;\n"
              "wgmma.wait_group.sync.aligned 0;",
          128, tile);
  bool missing = false;
  for (const Finding &finding : device.findings())
    missing |= finding.kind == FindingKind::MissingWait;
  EXPECT_TRUE(missing);
}

TEST_F(FaultsTest, SharedAndLocalAddresses) {
  runBody("mov.u32 %r1, tile;\nld.shared.u32 %r2, [%r1+2];", 1, sharedTile);
  expectFinding(FindingKind::Misaligned, "ld.shared");
  runBody("mov.u32 %r1, tile;\nst.shared.v2.u32 [%r1+4], {%r1,%r1};", 1,
          sharedTile);
  expectFinding(FindingKind::Misaligned, "st.shared.v2");
  const std::string frame = ".local .align 8 .b8 frame[16];\n";
  runBody(frame + "mov.u32 %r1, frame;\nst.local.u32 [%r1+16], %r1;", 1);
  expectFinding(FindingKind::OutOfBounds, "st.local");
  runBody(frame + "mov.u32 %r1, frame;\nst.local.u32 [%r1], %r1;\n"
                  "ld.local.u32 %r2, [%r1+4];",
          1);
  expectFinding(FindingKind::UninitializedMemory, "ld.local");
  runBody("ld.shared.u32 %r2, [%rd0];", 1);
  expectFinding(FindingKind::OutOfBounds, "ld.shared");
}

TEST_F(FaultsTest, AtomicAddresses) {
  runBody("atom.global.add.u32 %r1, [%rd0+1024], 1;", 1);
  expectFinding(FindingKind::OutOfBounds, "atom.global");
  runBody("red.global.add.u64 [%rd0+4], 1;", 1);
  expectFinding(FindingKind::Misaligned, "red.global");
  runBody("mov.u32 %r1, tile;\natom.shared.add.u32 %r2, [%r1], 1;", 1,
          sharedTile);
  expectFinding(FindingKind::UninitializedMemory, "atom.shared");
  runBody("mov.u32 %r1, tile;\natom.shared.exch.b32 %r2, [%r1+256], 1;", 1,
          sharedTile);
  expectFinding(FindingKind::OutOfBounds, "atom.shared");
  // An atomic and a plain access race, two atomics do not.
  const std::string word = "mov.u32 %r1, 1;\n";
  runBody(word + "red.global.add.u32 [%rd0], %r1;\n"
                 "ld.global.u32 %r2, [%rd0];");
  expectFinding(FindingKind::DataRace, "ld.global");
  runBody(word + "red.global.add.u32 [%rd0], %r1;\nbar.sync 0;\n"
                 "ld.global.u32 %r2, [%rd0];");
  expectClean();
}

TEST_F(FaultsTest, GlobalRaceBetweenWarps) {
  const std::string write =
      "xor.b32 %r1, %r0, 32;\nmul.wide.u32 %rd4, %r0, 4;\n"
      "mul.wide.u32 %rd5, %r1, 4;\n"
      "add.u64 %rd4, %rd0, %rd4;\n"
      "add.u64 %rd5, %rd0, %rd5;\n"
      "st.global.u32 [%rd4], %r0;\n";
  runBody(write + "ld.global.u32 %r2, [%rd5];", 64);
  expectFinding(FindingKind::DataRace, "global");
  runBody(write + "bar.sync 0;\nld.global.u32 %r2, [%rd5];", 64);
  expectClean();
  // A barrier of the one warp alone orders nothing between the two.
  runBody(write + "bar.warp.sync -1;\nld.global.u32 %r2, [%rd5];", 64);
  expectFinding(FindingKind::DataRace, "global");
}

TEST_F(FaultsTest, RaceInSharedMemoryOfACluster) {
  const std::string text =
      "mov.u32 %r1, tile;\nmov.u32 %r2, %cluster_ctarank;\n"
      "xor.b32 %r3, %r2, 1;\nmapa.shared::cluster.u32 %r4, %r1, %r3;\n"
      "st.shared.u32 [%r1], %r2;\n";
  const std::string read = "ld.shared::cluster.u32 %r5, [%r4];\n";
  const std::string barrier = "barrier.cluster.arrive.release.aligned;\n"
                              "barrier.cluster.wait.acquire.aligned;\n";
  auto runCluster = [&](const std::string &body) {
    device = Device();
    this->text = wrapPtx(body, sharedTile);
    ASSERT_TRUE(device.loadModule(this->text).ok());
    uint64_t zero = 0;
    LaunchConfig config = shape(2, 1);
    config.cluster = {2, 1, 1};
    Status status = tryRun("k", config, zero, zero, zero, zero);
    EXPECT_TRUE(status.ok()) << status.message();
  };
  runCluster(text + barrier + read + barrier);
  expectClean();
  runCluster(text + barrier + read + barrier + "st.shared.u32 [%r1], %r5;");
  expectClean();
  runCluster(text + barrier + read + "st.shared.u32 [%r1], %r5;\n" + barrier);
  expectFinding(FindingKind::DataRace, "shared");
}

TEST_F(FaultsTest, BarrierWithTwoCounts) {
  runBody("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.sync 1, 96;\nbra B;\n"
          "A:\nbar.sync 1, 64;\nB:",
          64);
  bool divergent = false;
  for (const Finding &finding : device.findings())
    divergent |= finding.kind == FindingKind::DivergentBarrier;
  EXPECT_TRUE(divergent);
  runBody("mov.u32 %r2, 40;\nbar.sync 1, %r2;", 64);
  expectFinding(FindingKind::InvalidOperation, "bar.sync");
  runBody("mov.u32 %r1, 16;\nbar.sync %r1;", 64);
  expectFinding(FindingKind::InvalidOperation, "bar.sync");
}

TEST_F(FaultsTest, LanesThatDoNotTakePart) {
  // Lane 16 reads from lane 17, which is not a member.
  runBody("setp.le.u32 %p1, %r0, 16;\n@!%p1 bra A;\n"
          "shfl.sync.down.b32 %r1, %r0, 1, 31, 0x1ffff;\nA:");
  expectFinding(FindingKind::MismatchedLanes, "shfl.sync");
  EXPECT_EQ(device.findings()[0].thread.x, 16u);
  // A lane outside of its own member mask.
  runBody("vote.sync.ballot.b32 %r1, 1, 0xffff;");
  expectFinding(FindingKind::MismatchedLanes, "vote.sync");
  // Members that have exited.
  runBody("setp.lt.u32 %p1, %r0, 8;\n@%p1 exit;\n"
          "redux.sync.add.u32 %r1, %r0, -1;");
  expectFinding(FindingKind::MismatchedLanes, "redux.sync");
  // Half a warp at a matrix instruction.
  runBody("setp.lt.u32 %p1, %r0, 16;\nmov.u32 %r2, 0;\n@!%p1 bra A;\n"
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
          "{%f1,%f2,%f3,%f4}, {%r2,%r2,%r2,%r2}, {%r2,%r2}, "
          "{%r2,%r2,%r2,%r2};\nA:");
  expectFinding(FindingKind::MismatchedLanes, "mma.sync");
}

TEST_F(FaultsTest, MatrixLoads) {
  const std::string load = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\n"
                           "add.u32 %r1, %r1, %r2;\n";
  const std::string fill = "st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};\n";
  const std::string matrix =
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4,%r5,%r6,%r7}, [%r1];";
  const std::string tile = ".shared .align 16 .b8 tile[512];";
  runBody(load + matrix, 32, tile);
  expectFinding(FindingKind::UninitializedMemory, "ldmatrix");
  runBody(load + fill + matrix, 32, tile);
  expectClean(); // every lane loads the row that it stored
  runBody(load + fill + "xor.b32 %r1, %r1, 16;\n" + matrix, 32, tile);
  expectFinding(FindingKind::DataRace, "ldmatrix");
  runBody(load + fill + "add.u32 %r1, %r1, 8;\nbar.sync 0;\n" + matrix, 32,
          tile);
  expectFinding(FindingKind::Misaligned, "ldmatrix");
  runBody(load + fill + "add.u32 %r1, %r1, 16;\nbar.sync 0;\n" + matrix, 32,
          tile);
  expectFinding(FindingKind::OutOfBounds, "ldmatrix");
}

// The source of a bulk store belongs to it until the wait.
TEST_F(FaultsTest, MissingBulkWait) {
  const std::string store =
      "mov.u32 %r1, tile;\nst.shared.u32 [%r1], %r0;\n"
      "st.shared.v2.u32 [%r1+8], {%r0,%r0};\nst.shared.u32 [%r1+4], %r0;\n"
      "fence.proxy.async;\ncp.async.bulk.global.shared::cta.bulk_group "
      "[%rd0], [%r1], 16;\ncp.async.bulk.commit_group;\n";
  const std::string reuse = "st.shared.u32 [%r1], %r1;\n";
  runBody(store + reuse + "cp.async.bulk.wait_group 0;", 1, sharedTile);
  expectFinding(FindingKind::MissingWait, "st.shared.u32 [%r1], %r1");
  runBody(store + "cp.async.bulk.wait_group.read 0;\n" + reuse, 1, sharedTile);
  expectClean();
  runBody(store + "ld.global.u32 %r2, [%rd0];", 1, sharedTile);
  expectFinding(FindingKind::MissingWait, "ld.global");
  runBody(store + "cp.async.bulk.wait_group 0;\nld.global.u32 %r2, [%rd0];", 1,
          sharedTile);
  expectClean();
  // Reads done is not the same as written.
  runBody(store + "cp.async.bulk.wait_group.read 0;\n"
                  "ld.global.u32 %r2, [%rd0];",
          1, sharedTile);
  expectFinding(FindingKind::MissingWait, "ld.global");
}

TEST_F(FaultsTest, TrapAndInvalidBarrier) {
  EXPECT_NE(runBody("trap;", 1).find("trap"), std::string::npos);
  expectFinding(FindingKind::Trap, "trap");
  runBody("mov.u32 %r2, bar;\nmbarrier.arrive.shared.b64 %rd4, [%r2];", 1,
          barrierAndTile);
  expectFinding(FindingKind::InvalidOperation, "mbarrier.arrive");
}

TEST_F(FaultsTest, EndlessLoopIsStopped) {
  options.instructionLimit = 100000;
  std::string status = runBody("L:\nbra L;", 1);
  EXPECT_NE(status.find("limit"), std::string::npos) << status;
}

TEST_F(FaultsTest, ChecksCanBeTurnedOff) {
  options.setChecks(false);
  runBody(std::string(tileAddresses) + "ld.shared.u32 %r5, [%r3];\n"
                                       "st.shared.u32 [%r2], %r9;",
          32, sharedTile);
  expectClean();
  runBody("ld.global.u32 %r1, [%rd0+2];", 1);
  expectFinding(FindingKind::Misaligned, "ld.global");
}

TEST_F(FaultsTest, ImpossibleLaunches) {
  ASSERT_TRUE(device.loadModule(wrapPtx("")).ok());
  uint64_t zero = 0;
  EXPECT_NE(device.launch("none", shape(1, 1), {}).message().find("no kernel"),
            std::string::npos);
  EXPECT_NE(device.launch("k", shape(1, 1), {}).message().find("4 arguments"),
            std::string::npos);
  Status status = tryRun("k", shape(1, 1025), zero, zero, zero, zero);
  EXPECT_NE(status.message().find("1025 threads"), std::string::npos);
  LaunchConfig config = shape(3, 1);
  config.cluster = {2, 1, 1};
  status = tryRun("k", config, zero, zero, zero, zero);
  EXPECT_NE(status.message().find("multiple of cluster"), std::string::npos);
}

} // namespace
