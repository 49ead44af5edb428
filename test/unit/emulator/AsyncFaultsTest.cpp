// Waits of cp.async, which each thread makes for itself, and proxy fences
// before asynchronous reads of shared memory.

#include "PlantedFaults.h"

using namespace attnres::emulator;

namespace {

class AsyncFaultsTest : public PlantedFaults {
protected:
  struct Case {
    const char *text;
    bool clean;
  };
  template <size_t Count>
  void runCases(const std::string &before, const Case (&cases)[Count],
                const char *where, uint32_t threads, const char *tile) {
    for (const Case &each : cases) {
      SCOPED_TRACE(each.text);
      // Nothing may be under way when the block ends.
      runBody(before + each.text + "\ncp.async.wait_all;", threads, tile);
      if (each.clean)
        expectClean();
      else
        expectFinding(FindingKind::MissingWait, where);
    }
  }
};

// Of two warps, the first copies 16 bytes per lane. %r2 is the lane's own
// place, %r3 its neighbour's, %p1 the first warp, %p2 lane 0, %p3 lane 7.
TEST_F(AsyncFaultsTest, EveryLaneWaitsForItsOwnCopies) {
  const char *tile = ".shared .align 16 .b8 tile[512];";
  const std::string copy =
      "mov.u32 %r1, tile;\nand.b32 %r4, %r0, 31;\nshl.b32 %r2, %r4, 4;\n"
      "cvt.u64.u32 %rd4, %r2;\nadd.u64 %rd4, %rd0, %rd4;\n"
      "add.u32 %r3, %r2, 16;\nand.b32 %r3, %r3, 511;\n"
      "add.u32 %r3, %r1, %r3;\nadd.u32 %r2, %r1, %r2;\n"
      "setp.lt.u32 %p1, %r0, 32;\nsetp.eq.u32 %p2, %r0, 0;\n"
      "setp.eq.u32 %p3, %r0, 7;\n"
      "@%p1 cp.async.cg.shared.global [%r2], [%rd4], 16;\n"
      "@%p1 cp.async.commit_group;\n";
  const Case cases[] = {
      {"@%p2 cp.async.wait_group 0;\n@%p1 ld.shared.u32 %r5, [%r2];", false},
      {"@%p2 cp.async.wait_group 0;\n@%p2 ld.shared.u32 %r5, [%r2];", true},
      {"@%p2 cp.async.wait_group 0;\n@%p3 ld.shared.u32 %r5, [%r2];", false},
      {"cp.async.wait_group 0;\n@%p1 ld.shared.u32 %r5, [%r2];", true},
      {"cp.async.wait_all;\n@%p1 ld.shared.u32 %r5, [%r2];", true},
      // Others know of a wait only once they synchronize with the lane.
      {"cp.async.wait_group 0;\n@%p1 ld.shared.u32 %r5, [%r3];", false},
      {"cp.async.wait_group 0;\nbar.warp.sync -1;\n"
       "@%p1 ld.shared.u32 %r5, [%r3];",
       true},
      {"bar.warp.sync -1;\ncp.async.wait_group 0;\n"
       "@%p1 ld.shared.u32 %r5, [%r3];",
       false},
      {"@%p2 cp.async.wait_group 0;\nbar.sync 0;\nld.shared.u32 %r5, [%r2];",
       false},
      {"cp.async.wait_group 0;\nbar.sync 0;\nld.shared.u32 %r5, [%r2];", true},
      {"bar.sync 0;\ncp.async.wait_group 0;\nld.shared.u32 %r5, [%r3];", false},
      // All but lane 7 have waited.
      {"@!%p3 cp.async.wait_group 0;\nbar.sync 0;\n"
       "@%p2 ld.shared.u32 %r5, [%r1+96];",
       true},
      {"@!%p3 cp.async.wait_group 0;\nbar.sync 0;\n"
       "@%p2 ld.shared.u32 %r5, [%r1+112];",
       false},
      {"@%p2 cp.async.wait_group 0;\nbar.sync 0;\n"
       "@!%p1 st.shared.u32 [%r2], %r0;",
       false},
  };
  runCases(copy, cases, "shared", 64, tile);
}

TEST_F(AsyncFaultsTest, GroupsOfALane) {
  // Lane 3 has committed one group more than the others.
  const std::string copies =
      "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 2;\nadd.u32 %r2, %r1, %r2;\n"
      "setp.eq.u32 %p1, %r0, 3;\n"
      "cp.async.ca.shared.global [%r2], [%rd0], 4;\n"
      "cp.async.commit_group;\n"
      "@%p1 cp.async.commit_group;\n"
      "cp.async.ca.shared.global [%r2+128], [%rd0], 4;\n"
      "cp.async.commit_group;\n";
  const Case cases[] = {
      {"cp.async.wait_group 1;\nld.shared.u32 %r5, [%r2];", true},
      {"cp.async.wait_group 1;\nld.shared.u32 %r5, [%r2+128];", false},
      {"cp.async.wait_group 2;\n@%p1 ld.shared.u32 %r5, [%r2];", true},
      {"cp.async.wait_group 2;\n@!%p1 ld.shared.u32 %r5, [%r2];", false},
      {"cp.async.wait_group 100;\n@%p1 ld.shared.u32 %r5, [%r2];", false},
  };
  runCases(copies, cases, "shared", 32, sharedTile);
}

// An mbarrier tells of the copies before the arrival, not of those after.
TEST_F(AsyncFaultsTest, CopiesAfterAnArrival) {
  const std::string copies =
      "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\n"
      "mbarrier.init.shared.b64 [%r2], 1;\n"
      "cp.async.ca.shared.global [%r1], [%rd0], 4;\n"
      "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];\n"
      "cp.async.ca.shared.global [%r1+4], [%rd0], 4;\n"
      "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n@!%p1 bra W;\n";
  const Case cases[] = {
      {"ld.shared.u32 %r5, [%r1];", true},
      {"ld.shared.u32 %r5, [%r1+4];", false},
      {"cp.async.wait_all;\nld.shared.u32 %r5, [%r1+4];", true},
  };
  runCases(copies, cases, "shared", 1, barrierAndTile);
}

// 64 threads write 4 bytes each, thread 0 (%p1) copies them to global memory.
TEST_F(AsyncFaultsTest, ProxyFenceBeforeABulkCopy) {
  const std::string begin = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 2;\n"
                            "add.u32 %r2, %r1, %r2;\n"
                            "setp.eq.u32 %p1, %r0, 0;\n"
                            "setp.lt.u32 %p2, %r0, 32;\n";
  const std::string write = "st.shared.u32 [%r2], %r0;\n";
  const std::string barrier = "bar.sync 0;\n";
  const std::string copy =
      "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 256;\n"
      "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;";
  const std::string fence = "fence.proxy.async.shared::cta;\n";
  struct Text {
    std::string text;
    bool clean;
  };
  const Text texts[] = {
      {write + barrier + copy, false},
      {write + fence + barrier + copy, true},
      {write + "fence.proxy.async;\n" + barrier + copy, true},
      // By the thread that copies, which has synchronized with the others.
      {write + barrier + "@%p1 " + fence + copy, true},
      // By some of those that wrote.
      {write + "@%p1 " + fence + barrier + copy, false},
      {write + "@%p2 " + fence + barrier + copy, false},
      // For something else.
      {write + "fence.proxy.async.global;\n" + barrier + copy, false},
      {write + "fence.proxy.alias;\n" + barrier + copy, false},
      {write + "fence.acq_rel.cta;\n" + barrier + copy, false},
      // Too early or too late.
      {fence + write + barrier + copy, false},
      {write + fence + write + barrier + copy, false},
      {write + fence + barrier + "@%p1 " + write + copy, false},
      {write + fence + barrier + "@!%p2 st.shared.u32 [%r2], %r0;\n" + barrier +
           copy,
       false},
      {write + fence + barrier + write + fence + barrier + copy, true},
      // By a third thread on the way.
      {write + barrier + "@!%p2 " + fence + barrier + copy, true},
      // What other asynchronous accesses wrote or read needs none.
      {write + fence + barrier + copy + "\n" + copy, true},
  };
  for (const Text &each : texts) {
    SCOPED_TRACE(each.text);
    runBody(begin + each.text, 64, sharedTile);
    if (each.clean)
      expectClean();
    else
      expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
  }
  // A fence does not make up for the barrier.
  const std::string smallCopy =
      "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 128;\n"
      "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;";
  runBody(begin + write + fence + smallCopy, 32, sharedTile);
  expectFinding(FindingKind::DataRace, "cp.async.bulk.global");
  runBody(begin + write + fence + "bar.warp.sync -1;\n" + smallCopy, 32,
          sharedTile);
  expectClean();
  // The fence after cp.async must come after its wait.
  const std::string load = "cp.async.ca.shared.global [%r2], [%rd1], 4;\n";
  const std::string wait = "cp.async.wait_all;\n";
  runBody(begin + load + wait + fence + barrier + copy, 64, sharedTile);
  expectClean();
  runBody(begin + load + wait + barrier + "@%p1 " + fence + copy, 64,
          sharedTile);
  expectClean();
  runBody(begin + load + wait + barrier + copy, 64, sharedTile);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
  runBody(begin + load + fence + wait + barrier + copy, 64, sharedTile);
  expectFinding(FindingKind::MissingWait, "cp.async.bulk.global");
}

} // namespace
