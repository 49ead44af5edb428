// Estimates follow from counters and data sheets alone.
#include "runtime/emulator/Estimate.h"

#include "gtest/gtest.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

const machine::GpuSheet &h200() { return *machine::gpuOfTarget("sm_90a"); }

Counters::ClassCount &countOf(Counters &counters, InstructionClass kind) {
  return counters.classes[static_cast<size_t>(kind)];
}

/// One block that does as much as a multiprocessor does in 1000 clocks.
Counters thousandClocks() {
  Counters counters;
  counters.blocks = 1;
  counters.groupProductWork = 1000 * 2048;
  countOf(counters, InstructionClass::Special).warpInstructions = 500;
  countOf(counters, InstructionClass::Float32).warpInstructions = 3500;
  counters.shared.transactions = 600;
  counters.groupOperandBytes = 400 * 128;
  counters.global.transactions = 1 << 20;
  return counters;
}

} // namespace

TEST(Estimate, EveryResourceHasItsTime) {
  LaunchWork work{thousandClocks(), 132, 4.8e6};
  Estimate estimate = estimateLaunch(work, h200());
  double clocks = 1000 / h200().clock;
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Tensor), clocks);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Special), clocks);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Issue), clocks);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Lanes), clocks * 3500 * 32 / 128000);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Shared), clocks);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Cache), 132 * 32. * (1 << 20) / 6e12);
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Memory), 1e-6);
  EXPECT_EQ(estimate.bound(), Resource::Cache);
}

TEST(Estimate, MultiprocessorsShareBlocks) {
  Counters counters = thousandClocks();
  counters.global.transactions = 0;
  double clocks = 1000 / h200().clock;
  // Fewer blocks than multiprocessors take as long as one of them.
  for (uint64_t blocks : {1, 2, 132})
    EXPECT_DOUBLE_EQ(estimateLaunch({counters, blocks, 0}, h200()).total(),
                     clocks);
  EXPECT_DOUBLE_EQ(estimateLaunch({counters, 264, 0}, h200()).total(),
                   2 * clocks);
  // What was counted of some blocks stands for all.
  Counters four = counters;
  for (int i = 0; i < 3; ++i)
    four.add(counters);
  EXPECT_DOUBLE_EQ(estimateLaunch({four, 264, 0}, h200()).total(), 2 * clocks);
}

TEST(Estimate, GathersReadLessThanTheirTables) {
  Counters counters;
  counters.blocks = 1;
  counters.global.transactions = 1000;
  Estimate estimate = estimateLaunch({counters, 10, 1e12}, h200());
  EXPECT_DOUBLE_EQ(estimate.of(Resource::Memory), 320000 / 4.8e12);
  EXPECT_EQ(estimateLaunch({Counters(), 10, 1e12}, h200()).total(), 0);
}

TEST(Estimate, Occupancy) {
  Occupancy occupancy = occupancyOf(128, 0, 0, h200());
  EXPECT_EQ(occupancy.blocks, 16);
  EXPECT_STREQ(occupancy.limit, "warps");
  // 255 registers are 8192 of a warp: 8 warps.
  occupancy = occupancyOf(128, 255, 0, h200());
  EXPECT_EQ(occupancy.warps, 8);
  EXPECT_STREQ(occupancy.limit, "registers");
  occupancy = occupancyOf(256, 64, 100 * 1024, h200());
  EXPECT_EQ(occupancy.blocks, 2);
  EXPECT_STREQ(occupancy.limit, "shared memory");
  occupancy = occupancyOf(32, 16, 0, h200());
  EXPECT_EQ(occupancy.blocks, 32);
  EXPECT_STREQ(occupancy.limit, "blocks");
}

TEST(Estimate, SheetsSayWhatTheySumUpTo) {
  // Dense rates of bf16 in the data sheets, TFLOP/s.
  const machine::GpuSheet *a100 = machine::gpuOfTarget("sm_80");
  EXPECT_NEAR(2e-12 * a100->warpMultiplyAdds * a100->clock *
                  static_cast<double>(a100->processors),
              312, 1);
  EXPECT_NEAR(2e-12 * h200().groupMultiplyAdds * h200().clock *
                  static_cast<double>(h200().processors),
              989, 1);
  EXPECT_EQ(machine::gpuOfTarget("cpu:avx2"), nullptr);
}
