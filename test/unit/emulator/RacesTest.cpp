// Races with an access that was not the last one: an unordered reader, or
// atomic, must be found even where others that are ordered come before or
// after it.

#include "runtime/emulator/Races.h"
#include "PlantedFaults.h"

#include <algorithm>

using namespace attnres::emulator;

namespace {

class RacesTest : public PlantedFaults {
protected:
  /// Calls `test` with the numbers of A, B and C, in every order.
  template <typename F>
  void everyOrder(F test) {
    uint32_t roles[] = {0, 1, 2};
    do {
      SCOPED_TRACE(
          fmt::format("A {}, B {}, C {}", roles[0], roles[1], roles[2]));
      test(roles);
    } while (std::next_permutation(roles, roles + 3));
  }
  /// %p1 in A, %p2 in B, of the numbers in %r2.
  static std::string chooseRole(const uint32_t *roles) {
    return fmt::format("setp.eq.u32 %p1, %r2, {};\nsetp.eq.u32 %p2, %r2, {};\n",
                       roles[0], roles[1]);
  }
};

// Warp C comes after warp B; after warp A only in the program without a race.
TEST_F(RacesTest, WarpsOfABlock) {
  struct Case {
    const char *early; // of A and B
    const char *late;  // of C
    bool clean;        // even with nothing between
  };
  const Case cases[] = {
      {"ld.{0}.u32 %r5, [{1}];", "@%p3 st.{0}.u32 [{1}], %r0;", false},
      {"@%p3 ld.{0}.u32 %r5, [{1}];", "@%p3 st.{0}.u32 [{1}], %r0;", false},
      {"ld.{0}.u32 %r5, [{1}];", "@%p3 red.{0}.add.u32 [{1}], 1;", false},
      {"ld.volatile.{0}.u32 %r5, [{1}];", "@%p3 st.{0}.u32 [{1}], %r0;", false},
      {"red.{0}.add.u32 [{1}], 1;", "ld.{0}.u32 %r5, [{1}];", false},
      {"red.{0}.add.u32 [{1}], 1;", "@%p3 st.{0}.u32 [{1}], %r0;", false},
      {"red.{0}.add.u32 [{1}], 1;", "red.{0}.add.u32 [{1}], 1;", true},
      {"ld.volatile.{0}.u32 %r5, [{1}];", "@%p3 red.{0}.add.u32 [{1}], 1;",
       true},
      {"ld.{0}.u32 %r5, [{1}];", "ld.{0}.u32 %r5, [{1}];", true},
  };
  for (const char *space : {"shared", "global"})
    for (const Case &each : cases)
      everyOrder([&](const uint32_t *roles) {
        const char *address = *space == 's' ? "%r1" : "%rd0";
        SCOPED_TRACE(std::string(each.early) + each.late + space);
        auto text = [&](bool aComesBefore) {
          uint32_t threads = aComesBefore ? 96 : 64;
          std::string arrive = fmt::format("bar.arrive 1, {};\n", threads);
          return "mov.u32 %r1, tile;\nsetp.eq.u32 %p1, %r0, 0;\n"
                 "@%p1 st.shared.u32 [%r1], %r0;\nbar.sync 0;\n"
                 "and.b32 %r3, %r0, 31;\nsetp.eq.u32 %p3, %r3, 0;\n"
                 "shr.u32 %r2, %r0, 5;\n" +
                 chooseRole(roles) + "@%p1 bra A;\n@%p2 bra B;\n" +
                 fmt::format("bar.sync 1, {};\n", threads) +
                 fmt::format(fmt::runtime(each.late), space, address) +
                 "\nbra END;\nA:\n" +
                 fmt::format(fmt::runtime(each.early), space, address) + "\n" +
                 (aComesBefore ? arrive : "") + "bra END;\nB:\n" +
                 fmt::format(fmt::runtime(each.early), space, address) + "\n" +
                 arrive + "END:";
        };
        runBody(text(false), 96, sharedTile);
        if (each.clean)
          expectClean();
        else
          expectFinding(FindingKind::DataRace, space);
        runBody(text(true), 96, sharedTile);
        expectClean();
      });
}

// Numbers of records do not run out in a long launch.
TEST_F(RacesTest, RecordsStartOver) {
  RaceLog log;
  uint32_t first = log.reserve();
  EXPECT_TRUE(log.isLive(first));
  log.beginLaunch();
  EXPECT_FALSE(log.isLive(first));
  uint32_t second = log.reserve();
  EXPECT_TRUE(log.isLive(second));
  while (!log.isHalfUsed())
    ASSERT_NE(log.reserve(), 0u);
  EXPECT_FALSE(log.isLive(second)); // too long ago
  log.startOver();
  EXPECT_FALSE(log.isHalfUsed());
  EXPECT_EQ(log.reserve(), 1u);
  while (log.reserve() != 0) {
  }
  EXPECT_TRUE(log.isHalfUsed());
}

// Lanes of a warp that read a byte at once or one after the other, then one of
// them writes it.
TEST_F(RacesTest, LanesOfAWarp) {
  struct Case {
    const char *text;
    bool clean;
  };
  // %p1 is lane 0, %p2 lane 5, %p3 both.
  const Case cases[] = {
      {"ld.shared.u32 %r5, [%r1];\n@%p1 st.shared.u32 [%r1], %r0;", false},
      {"ld.shared.u32 %r5, [%r1];\n@%p2 st.shared.u32 [%r1], %r0;", false},
      {"@%p3 ld.shared.u32 %r5, [%r1];\n@%p1 st.shared.u32 [%r1], %r0;", false},
      {"@%p1 ld.shared.u32 %r5, [%r1];\n@%p2 ld.shared.u32 %r5, [%r1];\n"
       "@%p1 st.shared.u32 [%r1], %r0;",
       false},
      {"@%p2 ld.shared.u32 %r5, [%r1];\n@%p1 ld.shared.u32 %r5, [%r1];\n"
       "@%p1 st.shared.u32 [%r1], %r0;",
       false},
      {"@%p1 ld.shared.u32 %r5, [%r1];\n@%p1 st.shared.u32 [%r1], %r0;", true},
      {"ld.shared.u32 %r5, [%r1];\nbar.warp.sync -1;\n"
       "@%p1 ld.shared.u32 %r5, [%r1];\n@%p1 st.shared.u32 [%r1], %r0;",
       true},
      {"@%p1 ld.shared.v4.u32 {%r5,%r6,%r7,%r8}, [%r1];\n"
       "@%p2 ld.shared.u32 %r5, [%r1+8];\n@%p1 st.shared.u32 [%r1], %r0;",
       true},
      {"@%p1 ld.shared.v4.u32 {%r5,%r6,%r7,%r8}, [%r1];\n"
       "@%p2 ld.shared.u32 %r5, [%r1+8];\n@%p1 st.shared.u32 [%r1+8], %r0;",
       false},
  };
  for (const Case &each : cases) {
    SCOPED_TRACE(each.text);
    runBody(std::string("mov.u32 %r1, tile;\nsetp.eq.u32 %p1, %r0, 0;\n"
                        "setp.eq.u32 %p2, %r0, 5;\nor.pred %p3, %p1, %p2;\n"
                        "@%p1 st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};\n"
                        "bar.warp.sync -1;\n") +
                each.text,
            32, sharedTile);
    if (each.clean)
      expectClean();
    else
      expectFinding(FindingKind::DataRace, "st.shared.u32");
  }
}

TEST_F(RacesTest, AnyLaneAfterABroadcast) {
  for (int lane = 0; lane < 32; ++lane) {
    runBody(fmt::format("ld.global.u32 %r5, [%rd0];\n"
                        "setp.eq.u32 %p1, %r0, {};\n"
                        "@%p1 st.global.u32 [%rd0], %r0;",
                        lane));
    expectFinding(FindingKind::DataRace, "st.global.u32");
  }
}

// A volatile read does not race with an atomic, so it cannot stand for a plain
// read that does.
TEST_F(RacesTest, VolatileAndPlainReads) {
  const std::string plain = "ld.global.u32 %r5, [%rd5];\n";
  const std::string strong = "ld.volatile.global.u32 %r5, [%rd5];\n";
  const std::string warps = "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra A;\n";
  const std::string atomic = "red.global.add.u32 [%rd5], 1;\n";
  const std::string blocks =
      "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 2;\n@%p1 bra A;\n"
      "setp.eq.u32 %p2, %r1, 1;\n@%p2 bra B;\n";
  options.threads = 1;
  // All lanes at one place, or in an order that is looked at lane by lane.
  for (const char *place :
       {"mov.u64 %rd5, %rd0;\n", "and.b32 %r2, %r0, 31;\n"
                                 "xor.b32 %r2, %r2, 1;\n"
                                 "mul.wide.u32 %rd5, %r2, 4;\n"
                                 "add.u64 %rd5, %rd0, %rd5;\n"}) {
    SCOPED_TRACE(place);
    for (const std::string &reads : {plain + "bar.warp.sync -1;\n" + strong,
                                     strong + "bar.warp.sync -1;\n" + plain,
                                     plain + strong, strong + plain}) {
      SCOPED_TRACE(reads);
      runBody(place + warps + reads + "bra END;\nA:\n" + atomic + "END:", 64);
      expectFinding(FindingKind::DataRace, "red.global");
    }
    runBody(place + warps + strong + strong + "bra END;\nA:\n" + atomic +
                "END:",
            64);
    expectClean();
    // Of one block after the other.
    for (const auto &[first, second] :
         {std::pair(strong, plain), std::pair(plain, strong)}) {
      runBody(place + blocks + first + "bra END;\nB:\n" + second +
                  "bra END;\nA:\n" + atomic + "END:",
              32, "", 3);
      expectFinding(FindingKind::DataRace, "red.global");
    }
  }
}

// Of the readers that have ended, the one that was released last is remembered:
// block 1 acquires what block 0 released, not what block 2 does later.
TEST_F(RacesTest, TheLaterOfTwoReleases) {
  options.threads = 1;
  const std::string release =
      "fence.acq_rel.gpu;\nred.global.add.u32 [%rd1], 1;\nbra END;\n";
  runBody("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n"
          "setp.eq.u32 %p2, %r1, 1;\nsetp.eq.u32 %p3, %r1, 2;\n"
          "@%p1 bra FIRST;\n@%p2 bra WRITER;\n@%p3 bra SECOND;\n"
          "ld.global.u32 %r4, [%rd0];\nbra END;\n"
          "FIRST:\nld.global.u32 %r5, [%rd0];\n" +
              release + "SECOND:\nld.global.u32 %r6, [%rd0];\n" + release +
              // Long enough for the others to have their turn.
              "WRITER:\nld.volatile.global.u32 %r2, [%rd1];\nmov.u32 %r3, 0;\n"
              "L:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p4, %r3, 1500000;\n"
              "@%p4 bra L;\nst.global.u32 [%rd0], %r3;\nEND:",
          1, "", 4);
  expectFinding(FindingKind::DataRace, "st.global.u32 [%rd0], %r3");
  std::string others;
  for (const Finding &finding : device.findings())
    others += lineText(finding.otherLine);
  EXPECT_EQ(others.find("%r5"), std::string::npos) << others;
  EXPECT_NE(others.find("%r6"), std::string::npos) << others;
}

// Block C waits for flags of A and B, but A may have set its own without a
// fence.
TEST_F(RacesTest, BlocksOfAGrid) {
  for (unsigned threads : {1u, 2u})
    for (const char *early :
         {"ld.global.u32 %r5, [%rd0];", "red.global.add.u32 [%rd0], 1;"})
      everyOrder([&](const uint32_t *roles) {
        options.threads = threads;
        SCOPED_TRACE(fmt::format("{} threads, {}", threads, early));
        auto text = [&](bool aReleases) {
          const char *fence = "fence.acq_rel.gpu;\n";
          return "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, 1;\n" +
                 chooseRole(roles) + "@%p1 bra A;\n@%p2 bra B;\nC:\n" +
                 "ld.volatile.global.u32 %r6, [%rd1];\n"
                 "ld.volatile.global.u32 %r7, [%rd1+4];\n"
                 "and.b32 %r6, %r6, %r7;\nsetp.eq.u32 %p3, %r6, 0;\n"
                 "@%p3 bra C;\nst.global.u32 [%rd0], %r3;\nbra END;\nA:\n" +
                 early + "\n" + (aReleases ? fence : "") +
                 "st.volatile.global.u32 [%rd1], %r3;\nbra END;\nB:\n" + early +
                 "\n" + fence + "st.volatile.global.u32 [%rd1+4], %r3;\nEND:";
        };
        runBody(text(false), 1, "", 3);
        expectFinding(FindingKind::DataRace, "st.global.u32");
        runBody(text(true), 1, "", 3);
        expectClean();
      });
}

// The last block to count up writes what all have read. One that counts
// without a fence makes it a race.
TEST_F(RacesTest, LastBlockOfMany) {
  const uint32_t blocks = 150;
  for (unsigned threads : {1u, 2u})
    for (int careless : {-1, 0, 1, 70, 120}) {
      options.threads = threads;
      SCOPED_TRACE(fmt::format("{} threads, block {}", threads, careless));
      runBody(fmt::format("mov.u32 %r1, %ctaid.x;\nld.global.u32 %r2, [%rd0];\n"
                          "setp.ne.s32 %p1, %r1, {};\n@%p1 fence.acq_rel.gpu;\n"
                          "atom.global.add.u32 %r3, [%rd1], 1;\n"
                          "setp.eq.u32 %p2, %r3, {};\n"
                          "@%p2 st.global.u32 [%rd0], %r3;",
                          careless, blocks - 1),
              1, "", blocks);
      if (careless < 0)
        expectClean();
      else
        expectFinding(FindingKind::DataRace, "st.global.u32 [%rd0]");
    }
}

// Readers everywhere and one writer, on two host threads at once: found however
// they meet.
TEST_F(RacesTest, ManyReadersOnTwoThreads) {
  options.threads = 2;
  const std::string text =
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r4, 0;\nmul.wide.u32 %rd4, %r0, 4;\n"
      "add.u64 %rd5, %rd0, %rd4;\nL:\nld.global.u32 %r2, [%rd5];\n"
      "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 20;\n@%p1 bra L;\n";
  runBody(text, 256, "", 16);
  expectClean();
  for (int writer = 0; writer < 16; writer += 5) {
    runBody(text + fmt::format("setp.eq.u32 %p2, %r1, {};\n"
                               "@%p2 st.global.u32 [%rd5], %r4;",
                               writer),
            256, "", 16);
    expectFinding(FindingKind::DataRace, "global");
  }
}

} // namespace
