// The learning rate of every step.
#include "runtime/training/ParameterGroup.h"
#include "runtime/training/Schedule.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace attnres;
using namespace attnres::runtime;
using Shape = LearningRateSchedule::Shape;

namespace {

LearningRateSchedule schedule(Shape shape, int64_t warmup, int64_t steps) {
  LearningRateSchedule result;
  result.shape = shape;
  result.peak = 1;
  result.minimum = 0.1;
  result.warmup = warmup;
  result.steps = steps;
  return result;
}

TEST(Schedule, WarmUpRisesToThePeakAndNeverStartsAtZero) {
  LearningRateSchedule s = schedule(Shape::Cosine, 4, 100);
  EXPECT_DOUBLE_EQ(s.at(1), 0.25);
  EXPECT_DOUBLE_EQ(s.at(4), 1);
  EXPECT_LT(s.at(5), 1);
}

TEST(Schedule, CosineIsHalfwayInTheMiddle) {
  LearningRateSchedule s = schedule(Shape::Cosine, 0, 100);
  EXPECT_NEAR(s.at(50), 0.55, 1e-12);
  EXPECT_NEAR(s.at(25), 0.1 + 0.9 * 0.5 * (1 + std::cos(std::acos(-1) / 4)),
              1e-12);
}

TEST(Schedule, WsdIsFlatThenLinear) {
  LearningRateSchedule s = schedule(Shape::Wsd, 10, 100);
  EXPECT_DOUBLE_EQ(s.at(10), 1);
  EXPECT_DOUBLE_EQ(s.at(80), 1);
  EXPECT_NEAR(s.at(90), 0.55, 1e-12);
}

TEST(Schedule, ConstantStays) {
  LearningRateSchedule s = schedule(Shape::Constant, 2, 10);
  EXPECT_DOUBLE_EQ(s.at(3), 1);
  EXPECT_DOUBLE_EQ(s.at(1000), 1);
}

/// Divisions by zero, rises after the end, and rates beyond the limits.
TEST(Schedule, IsDefinedForEveryShapeAndSize) {
  for (Shape shape : {Shape::Constant, Shape::Cosine, Shape::Wsd})
    for (int64_t steps : {0, 1, 2, 5, 10})
      for (int64_t warmup : {0, 1, 5, 10, 20}) {
        LearningRateSchedule s = schedule(shape, warmup, steps);
        double last = 0;
        for (int64_t step = 1; step <= 3 * steps + 40; ++step) {
          double rate = s.at(step);
          ASSERT_TRUE(std::isfinite(rate));
          ASSERT_GT(rate, 0);
          ASSERT_LE(rate, 1);
          if (step > warmup + 1) {
            ASSERT_LE(rate, last) << "step " << step;
          }
          if (shape != Shape::Constant && step >= steps && step > warmup) {
            ASSERT_DOUBLE_EQ(rate, warmup < steps ? 0.1 : 1);
          }
          last = rate;
        }
      }
}

TEST(ParameterGroup, JoinsSublayersAndNorms) {
  EXPECT_EQ(parameterGroup("blocks.12.attn.q_proj.weight"), "blocks.12.attn");
  EXPECT_EQ(parameterGroup("blocks.12.attn_norm.weight"), "blocks.12.attn");
  EXPECT_EQ(parameterGroup("blocks.0.ffn.down_proj.bias"), "blocks.0.ffn");
  EXPECT_EQ(parameterGroup("mixer.residuals.3.query"), "mixer");
  EXPECT_EQ(parameterGroup("lm_head.weight"), "lm_head");
  EXPECT_EQ(parameterGroup("norm.weight"), "norm");
  EXPECT_EQ(parameterGroup("w"), "w");
}

} // namespace
