//===- MathLoweringTest.cpp - Accuracy of vector math functions -----------===//

#include "JitKernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace attnres::cpu;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class MathLoweringTest : public ::testing::TestWithParam<CpuTarget> {
protected:
  /// Applies the one-operand math operation `op` ("name" or "name flags") to
  /// every element of `x`, whose size is a multiple of 16.
  std::vector<float> apply(const std::string &op, std::vector<float> x) {
    std::string name = op.substr(0, op.find(' '));
    std::string flags = op.substr(name.size());
    std::string shape = "<" + std::to_string(x.size()) + "xf32>";
    std::string type = "memref" + shape, tensor = "tensor" + shape;
    std::string text = "attnres.kernel @k : (" + tensor + ") -> " + tensor +
                       " grid " + std::to_string(x.size() / 16) +
                       " scratch 0 code(%x: " + type + ", %y: " + type + R"(,
        %scratch: memref<?xi8>, %begin: index, %end: index) {
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      scf.for %item = %begin to %end step %c1 {
        %i = arith.muli %item, %c16 : index
        %v = vector.load %x[%i] : )" +
                       type + R"(, vector<16xf32>
        %r = )" + name +
                       " %v " + flags + R"( : vector<16xf32>
        vector.store %r, %y[%i] : )" +
                       type + R"(, vector<16xf32>
      }
      attnres.return
    })";
    auto module = JitModule::compile(text, GetParam());
    if (!module) {
      ADD_FAILURE() << op << " does not compile";
      return std::vector<float>(x.size(), NAN);
    }
    std::vector<float> y(x.size(), 12345.0f);
    (*module)["k"].run({x.data(), y.data()});
    return y;
  }

  /// The largest distance of `op` from `reference` in units in the last place
  /// of the exact result, on a dense grid over [from, to].
  double measureUlps(const std::string &op,
                     llvm::function_ref<double(double)> reference, float from,
                     float to) {
    std::vector<float> x(1 << 16);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = from + (to - from) * (double(i) / (x.size() - 1));
    std::vector<float> y = apply(op, x);
    double worst = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      double exact = reference(x[i]);
      int exponent;
      std::frexp(exact, &exponent);
      double ulp = std::ldexp(1.0, std::max(exponent, -125) - 24);
      double distance = std::abs(y[i] - exact) / ulp;
      if (!(distance <= worst))
        worst = distance;
    }
    return worst;
  }
};

TEST_P(MathLoweringTest, Exp) {
  auto exp = [](double x) { return std::exp(x); };
  EXPECT_LE(measureUlps("math.exp", exp, -87.0f, 88.7f), 1.5);
  EXPECT_LE(measureUlps("math.exp", exp, -1.0f, 1.0f), 1.5);
  std::vector<float> x(16, 0.0f);
  x[0] = -kInfinity, x[1] = kInfinity, x[2] = NAN, x[3] = -1e30f, x[4] = 1e30f,
  x[5] = -0.0f, x[6] = -104.0f, x[7] = 89.0f;
  std::vector<float> y = apply("math.exp", x);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(y[1], kInfinity);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], 0.0f);
  EXPECT_EQ(y[4], kInfinity);
  EXPECT_EQ(y[5], 1.0f);
  EXPECT_EQ(y[6], 0.0f);
  EXPECT_EQ(y[7], kInfinity);
}

TEST_P(MathLoweringTest, Exp2) {
  auto exp2 = [](double x) { return std::exp2(x); };
  EXPECT_LE(measureUlps("math.exp2", exp2, -148.0f, 127.99f), 1.5);
  std::vector<float> x(16, 0.0f);
  x[0] = -kInfinity, x[1] = kInfinity, x[2] = NAN, x[3] = 128.0f,
  x[4] = -151.0f;
  x[5] = -149.0f, x[6] = 10.0f;
  std::vector<float> y = apply("math.exp2", x);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(y[1], kInfinity);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], kInfinity);
  EXPECT_EQ(y[4], 0.0f);
  EXPECT_EQ(y[5], std::ldexp(1.0f, -149));
  EXPECT_EQ(y[6], 1024.0f);
}

/// `afn` allows tiny results to become 0, and nothing else.
TEST_P(MathLoweringTest, ApproximateExp) {
  auto exp = [](double x) { return std::exp(x); };
  auto exp2 = [](double x) { return std::exp2(x); };
  const char *expOp = "math.exp fastmath<afn>",
             *exp2Op = "math.exp2 fastmath<afn>";
  EXPECT_LE(measureUlps(expOp, exp, -87.33f, 88.37f), 1.5);
  EXPECT_LE(measureUlps(exp2Op, exp2, -126.0f, 127.49f), 1.5);
  std::vector<float> x(16, 0.0f);
  x[0] = -kInfinity, x[1] = kInfinity, x[2] = NAN, x[3] = -1e30f, x[4] = 1e30f,
  x[5] = -100.0f, x[6] = 89.0f;
  for (const char *op : {expOp, exp2Op}) {
    std::vector<float> y = apply(op, x);
    EXPECT_EQ(y[0], 0.0f);
    EXPECT_EQ(y[1], kInfinity);
    EXPECT_TRUE(std::isnan(y[2]));
    EXPECT_EQ(y[3], 0.0f);
    EXPECT_EQ(y[4], kInfinity);
    EXPECT_EQ(y[7], 1.0f);
  }
  EXPECT_EQ(apply(expOp, x)[5], 0.0f);
  EXPECT_EQ(apply(expOp, x)[6], kInfinity);
}

/// Absolute errors, in units of 2^-24: what a rotation sees.
TEST_P(MathLoweringTest, SineAndCosine) {
  std::vector<float> x(1 << 16);
  for (float range : {4.0f, 10000.0f, 1e6f}) {
    if (range > 10000.0f && !GetParam().hasFma)
      continue;
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = range * (double(i) / (x.size() - 1) * 2 - 1);
    std::vector<float> sine = apply("math.sin", x),
                       cosine = apply("math.cos", x);
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i)
      worst = std::max({worst, std::abs(sine[i] - std::sin(double(x[i]))),
                        std::abs(cosine[i] - std::cos(double(x[i])))});
    EXPECT_LE(worst * 0x1p24, 2.0) << "up to " << range;
  }
  std::vector<float> special(16, 0.0f);
  special[0] = kInfinity, special[1] = NAN;
  std::vector<float> sine = apply("math.sin", special),
                     cosine = apply("math.cos", special);
  EXPECT_TRUE(std::isnan(sine[0]) && std::isnan(cosine[0]));
  EXPECT_TRUE(std::isnan(sine[1]) && std::isnan(cosine[1]));
  EXPECT_EQ(sine[2], 0.0f);
  EXPECT_EQ(cosine[2], 1.0f);
}

TEST_P(MathLoweringTest, OtherFunctions) {
  auto log = [](double x) { return std::log(x); };
  auto log1p = [](double x) { return std::log1p(x); };
  auto tanh = [](double x) { return std::tanh(x); };
  auto erf = [](double x) { return std::erf(x); };
  auto rsqrt = [](double x) { return 1 / std::sqrt(x); };
  EXPECT_LE(measureUlps("math.log", log, 1e-3f, 1e4f), 2.0);
  EXPECT_LE(measureUlps("math.log1p", log1p, -0.9f, 100.0f), 4.0);
  EXPECT_LE(measureUlps("math.tanh", tanh, -9.0f, 9.0f), 8.0);
  EXPECT_LE(measureUlps("math.erf", erf, -5.0f, 5.0f), 8.0);
  EXPECT_LE(measureUlps("math.rsqrt", rsqrt, 1e-3f, 1e4f), 2.0);
}

TEST_P(MathLoweringTest, Rounding) {
  std::vector<float> x = {0.5f,   -0.5f,      1.5f,      2.5f,
                          -0.0f,  0.0f,       -1.25f,    1e10f,
                          -1e10f, 8388607.5f, kInfinity, -kInfinity,
                          3.99f,  -3.99f,     0.499999f, -2.5f};
  std::vector<float> floor = apply("math.floor", x),
                     ceil = apply("math.ceil", x),
                     even = apply("math.roundeven", x);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(floor[i], std::floor(x[i]));
    EXPECT_EQ(ceil[i], std::ceil(x[i]));
    EXPECT_EQ(even[i], std::nearbyint(x[i]));
    EXPECT_EQ(std::signbit(floor[i]), std::signbit(std::floor(x[i])));
    EXPECT_EQ(std::signbit(ceil[i]), std::signbit(std::ceil(x[i])));
    EXPECT_EQ(std::signbit(even[i]), std::signbit(std::nearbyint(x[i])));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, MathLoweringTest,
                         ::testing::ValuesIn(getRunnableTargets()),
                         getTestName);

} // namespace
