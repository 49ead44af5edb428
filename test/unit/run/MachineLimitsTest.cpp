// Shares of limits that are measured badly, as they are while other processes
// run.
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"
#include "tools/run/TrainProgress.h"

#include <deque>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace attnres::run;
using attnres::runtime::CpuDevice;

namespace {

/// Limits whose samples are written down; the last one repeats.
class WrittenLimits : public MachineLimits {
public:
  WrittenLimits(CpuDevice &device, std::deque<LimitSample> samples)
      : MachineLimits(device, "generic"), samples(std::move(samples)) {}

  int taken = 0;

protected:
  LimitSample sample(Limit) override {
    ++taken;
    LimitSample next = samples.front();
    if (samples.size() > 1)
      samples.pop_front();
    return next;
  }

private:
  std::deque<LimitSample> samples;
};

class MachineLimitsTest : public ::testing::Test {
protected:
  CpuDevice device{{/*threads=*/1}};
};

TEST_F(MachineLimitsTest, TheMiddleOfWhatWasNotDisturbed) {
  WrittenLimits limits(
      device, {{10, true}, {90, false}, {20, true}, {100, false}, {80, false}});
  for (int i = 0; i < 3; ++i)
    limits.measure(Limit::Flops);
  EXPECT_EQ(limits.taken, 5);
  EXPECT_EQ(limits.find(Limit::Flops), 90);
  EXPECT_EQ(limits.findShare(Limit::Flops, 45), 0.5);
  EXPECT_EQ(limits.findShare(Limit::Flops, 90), 1);
}

TEST_F(MachineLimitsTest, MeasuredAgainWhenExceeded) {
  WrittenLimits limits(device, {{40, false}, {42, false}, {100, false}});
  limits.measure(Limit::Copy);
  EXPECT_EQ(limits.findShare(Limit::Copy, 80), 0.8);
}

TEST_F(MachineLimitsTest, WhatIsFasterThanItsLimitHasNoShare) {
  WrittenLimits limits(device, {{40, false}});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(limits.findShare(Limit::Copy, 63), std::nullopt);
  // Not found out again every time.
  EXPECT_LT(limits.taken, 10);
  EXPECT_EQ(limits.findShare(Limit::Copy, 10), 0.25);
}

TEST_F(MachineLimitsTest, NothingIsKnownWhenAllIsDisturbed) {
  WrittenLimits limits(device, {{40, true}});
  limits.measure(Limit::Flops);
  EXPECT_EQ(limits.find(Limit::Flops), std::nullopt);
  EXPECT_EQ(limits.findShare(Limit::Flops, 10), std::nullopt);
  EXPECT_TRUE(toJson(limits.find(Limit::Flops)).is_null());
}

TEST_F(MachineLimitsTest, Formats) {
  EXPECT_EQ(formatShare(0.8634), "86.3%");
  EXPECT_EQ(formatShare(0.8634, 9, 0), "      86%");
  EXPECT_EQ(formatShare(std::nullopt, 6), "     ?");
}

/// Every loop runs on this machine, at every level that it has.
TEST_F(MachineLimitsTest, LoopsRun) {
  using attnres::machine::Isa;
  for (std::string_view name : attnres::machine::isaNames()) {
    if (!attnres::machine::hostIsa().isa.includes(*Isa::parse(name)))
      continue;
    MachineLimits limits(device, std::string(name));
    EXPECT_EQ(limits.isa(), name);
    for (Limit limit : {Limit::Flops, Limit::ProductFlops, Limit::Bf16Flops}) {
      EXPECT_STRNE(limits.describe(limit), "");
      limits.measure(limit);
      EXPECT_GT(limits.find(limit).value_or(1), 0);
    }
  }
}

/// What train shows of it.
TEST(TrainProgress, NoShareThatIsNotKnown) {
  auto show = [](std::optional<double> share) {
    ::testing::internal::CaptureStderr();
    {
      TrainProgress progress(1, 2, [&](double flops) {
        EXPECT_EQ(flops, 20);
        return share;
      });
      attnres::runtime::TrainingProgress done;
      done.step = 1;
      done.tokens = 8;
      done.seconds = 1;
      progress.onStep(done, {}, 0.1, 10);
    }
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(show(0.863).find("10 tokens/s (86 % of peak)"), std::string::npos);
  EXPECT_EQ(show(std::nullopt).find("peak"), std::string::npos);
}

} // namespace
