// The counters against numbers worked out by hand.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

class CountersTest : public EmulatorTest {
protected:
  /// Counters of `body`, run by one block of `threads`.
  const Counters &count(const std::string &body, uint32_t threads = 32,
                        const std::string &declarations = "") {
    device = Device();
    load(wrapPtx(body, declarations));
    uint64_t data = upload(std::vector<uint32_t>(32 * 1024));
    run("k", shape(1, threads), data, data, data, data);
    return device.counters();
  }
  static uint64_t warpCount(const Counters &counters, InstructionClass kind) {
    return counters.classes[static_cast<size_t>(kind)].warpInstructions;
  }
  static uint64_t laneCount(const Counters &counters, InstructionClass kind) {
    return counters.classes[static_cast<size_t>(kind)].laneInstructions;
  }
  /// Each lane loads `bytes`, `stride` bytes from the lane before.
  static std::string strided(const char *load, unsigned stride) {
    return fmt::format("mul.wide.u32 %rd4, %r0, {};\nadd.u64 %rd4, %rd0, "
                       "%rd4;\n{};",
                       stride, load);
  }
};

TEST_F(CountersTest, InstructionsByClass) {
  // 40 threads: a full warp and one of 8 lanes.
  const Counters &counters =
      count("setp.lt.u32 %p1, %r0, 4;\nadd.u32 %r1, %r0, 1;\n"
            "@%p1 mul.lo.u32 %r2, %r0, %r0;\nmov.f32 %f1, 0f3F800000;\n"
            "fma.rn.f32 %f2, %f1, %f1, %f1;\nex2.approx.f32 %f3, %f1;\n"
            "cvt.u64.u32 %rd5, %r1;\nshl.b32 %r3, %r1, 2;\nbar.sync 0;\n",
            40);
  using Kind = InstructionClass;
  EXPECT_EQ(warpCount(counters, Kind::Comparison), 2u);
  EXPECT_EQ(laneCount(counters, Kind::Comparison), 40u);
  // The predicated product runs in lanes 0 to 3 of the first warp only.
  EXPECT_EQ(warpCount(counters, Kind::Integer), 4u);
  EXPECT_EQ(laneCount(counters, Kind::Integer), 44u);
  EXPECT_EQ(laneCount(counters, Kind::Float32), 40u);
  EXPECT_EQ(laneCount(counters, Kind::Special), 40u);
  EXPECT_EQ(laneCount(counters, Kind::Conversion), 40u);
  EXPECT_EQ(laneCount(counters, Kind::Logic), 40u);
  EXPECT_EQ(laneCount(counters, Kind::Load), 4 * 40u); // the parameters
  EXPECT_EQ(laneCount(counters, Kind::Move), 2 * 40u);
  EXPECT_EQ(counters.barriers, 2u);
  EXPECT_EQ(counters.warps, 2u);
  EXPECT_EQ(counters.blocks, 1u);
}

TEST_F(CountersTest, SectorsOfGlobalMemory) {
  struct Case {
    const char *load;
    unsigned stride;
    uint64_t bytes, sectors, ideal;
  };
  const Case cases[] = {
      {"ld.global.u32 %r1, [%rd4]", 4, 128, 4, 4},
      {"ld.global.u32 %r1, [%rd4]", 8, 128, 8, 4},
      {"ld.global.u32 %r1, [%rd4]", 32, 128, 32, 4},
      {"ld.global.u32 %r1, [%rd4]", 128, 128, 32, 4},
      {"ld.global.u32 %r1, [%rd4]", 0, 128, 1, 1}, // a broadcast
      {"ld.global.u8 %h1, [%rd4]", 1, 32, 1, 1},
      {"ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd4]", 16, 512, 16, 16},
      {"ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd4]", 64, 512, 32, 16},
      // Four bytes from an odd sector on.
      {"ld.global.u32 %r1, [%rd4+16]", 4, 128, 5, 4},
  };
  for (const Case &each : cases) {
    const Counters &counters = count(strided(each.load, each.stride));
    SCOPED_TRACE(fmt::format("{} by {}", each.load, each.stride));
    EXPECT_EQ(counters.global.loadBytes, each.bytes);
    EXPECT_EQ(counters.global.requests, 1u);
    EXPECT_EQ(counters.global.transactions, each.sectors);
    EXPECT_EQ(counters.global.idealTransactions, each.ideal);
    EXPECT_DOUBLE_EQ(counters.coalescingEfficiency(),
                     double(each.ideal) / double(each.sectors));
    EXPECT_EQ(counters.global.storeBytes, 0u);
  }
}

TEST_F(CountersTest, BankConflicts) {
  struct Case {
    unsigned words; // between the lanes' places
    unsigned bytes;
    uint64_t passes;
  };
  // Eight bytes go by half warps, sixteen by quarters: each part alone.
  const Case cases[] = {{1, 4, 1},   {2, 4, 2},  {32, 4, 32}, {33, 4, 1},
                        {0, 4, 1},   {3, 4, 1},  {16, 4, 16}, {2, 8, 2},
                        {32, 8, 32}, {4, 16, 4}, {36, 16, 4}, {32, 16, 32}};
  for (const Case &each : cases) {
    SCOPED_TRACE(
        fmt::format("{} words apart, {} bytes", each.words, each.bytes));
    const char *store = each.bytes == 4   ? "st.shared.u32 [%r2], %r0;"
                        : each.bytes == 8 ? "st.shared.v2.u32 [%r2], {%r9,%r9};"
                                          : "st.shared.v4.u32 [%r2], "
                                            "{%r9,%r9,%r9,%r9};";
    const char *once = each.words == 0 ? "mov.u32 %r0, 7;\n" : "";
    const Counters &counters =
        count(fmt::format("mov.u32 %r1, tile;\nmov.u32 %r9, 0;\n"
                          "mad.lo.u32 %r2, %r0, {}, %r1;\n{}{}",
                          4 * each.words, once, store),
              32, ".shared .align 16 .b8 tile[8192];");
    unsigned parts = each.bytes / 4;
    EXPECT_EQ(counters.shared.storeBytes, 32u * each.bytes);
    EXPECT_EQ(counters.shared.transactions, each.passes);
    EXPECT_EQ(counters.bankConflicts, each.passes - parts);
  }
}

TEST_F(CountersTest, BranchesAndOccupancy) {
  const Counters &counters =
      count("setp.lt.u32 %p1, %r0, 8;\n@%p1 bra A;\nadd.u32 %r1, %r0, 1;\n"
            "bra B;\nA:\nadd.u32 %r1, %r0, 2;\nB:\nsetp.lt.u32 %p2, %r0, "
            "99;\n@%p2 bra C;\nC:\n");
  EXPECT_EQ(counters.branches, 3u);
  EXPECT_EQ(counters.divergentBranches, 1u);
  EXPECT_EQ(laneCount(counters, InstructionClass::Integer), 32u);
  EXPECT_EQ(warpCount(counters, InstructionClass::Integer), 2u);
  // bra B by 24 lanes, the two sums by 24 and 8: the others are full. The
  // guarded branch counts the lanes that take it.
  uint64_t lanes = counters.laneInstructions();
  uint64_t warps = counters.warpInstructions();
  EXPECT_DOUBLE_EQ(counters.laneOccupancy(),
                   double(lanes) / (32 * double(warps)));
}

TEST_F(CountersTest, AtomicsMatricesAndLines) {
  const Counters &counters =
      count("atom.global.add.u32 %r1, [%rd0], 1;\n"
            "red.global.add.u32 [%rd0+128], %r0;\n"
            "mov.u32 %r2, 0;\nmma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16."
            "f32 {%f1,%f2,%f3,%f4}, {%r2,%r2,%r2,%r2}, {%r2,%r2}, "
            "{%r2,%r2,%r2,%r2};\n",
            64);
  EXPECT_EQ(counters.atomics, 2u * 64);
  EXPECT_EQ(counters.matrixInstructions, 2u);
  EXPECT_EQ(counters.tensorMultiplyAdds, 2u * 16 * 8 * 16);
  uint64_t total = 0;
  for (auto [line, executed] : device.lineCounts())
    total += executed;
  EXPECT_EQ(total, counters.warpInstructions());
  std::string json = counters.json("k");
  EXPECT_NE(json.find("\"atomics\": 128"), std::string::npos) << json;
  EXPECT_NE(json.find("\"tensor_multiply_adds\": 4096"), std::string::npos)
      << json;
}

// Not by one thread of the host nor by two, nor in another order.
TEST_F(CountersTest, TheSameWithAnyNumberOfThreads) {
  std::vector<std::string> answers;
  for (unsigned threads : {1u, 2u, 3u}) {
    DeviceOptions options;
    options.threads = threads;
    device = Device(options);
    loadFile("basics.ptx");
    const int n = 5000;
    std::vector<uint8_t> x(n);
    Numbers numbers(6);
    for (uint8_t &value : x)
      value = static_cast<uint8_t>(numbers.bits());
    uint64_t in = upload(x);
    uint64_t bins = upload(std::vector<uint32_t>(256));
    run("histogram", shape(40, 96), n, in, bins);
    answers.push_back(device.counters().json("histogram"));
    // Every block reports at its first and last lane.
    uint64_t small = upload(std::vector<uint8_t>(n - 30));
    EXPECT_TRUE(tryRun("histogram", shape(40, 96), n, small, bins).ok());
    for (const Finding &finding : device.findings())
      answers.back() += finding.text();
  }
  EXPECT_NE(answers[0].find("out of bounds"), std::string::npos);
  EXPECT_EQ(answers[1], answers[0]);
  EXPECT_EQ(answers[2], answers[0]);
}

} // namespace
