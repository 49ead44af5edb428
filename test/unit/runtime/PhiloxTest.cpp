// The generator against the known answers of its authors, and the moments of
// the derived distributions.
#include "support/Philox.h"

#include "support/Hash.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace attnres;
using namespace attnres::runtime;

namespace {

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, ~uint64_t{0}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   0x299f31d0a4093822),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, NormalMoments) {
  RandomStream random(7, 3);
  constexpr int n = 200'000;
  double sum = 0, squares = 0, neighbours = 0, last = 0;
  for (int i = 0; i < n; ++i) {
    double x = random.normal(i);
    sum += x;
    squares += x * x;
    neighbours += x * last;
    last = x;
    ASSERT_LT(std::abs(x), 4.9);
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.01);
  EXPECT_NEAR(neighbours / n, 0, 0.01);
}

TEST(Philox, UniformCoversTheInterval) {
  RandomStream random(1, 2);
  constexpr int n = 100'000;
  double sum = 0;
  int low = 0;
  for (int i = 0; i < n; ++i) {
    double u = random.uniform(i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    low += u < 0.1;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.005);
  EXPECT_NEAR(low / double{n}, 0.1, 0.005);
}

TEST(Philox, StreamsAndSeedsDiffer) {
  EXPECT_NE(RandomStream(1, 1).block(0), RandomStream(1, 2).block(0));
  EXPECT_NE(RandomStream(1, 1).block(0), RandomStream(2, 1).block(0));
  EXPECT_NE(RandomStream(1, 1).block(0),
            RandomStream(1, 1).block(uint64_t{1} << 32));
}

TEST(Hash, KnownAnswers) {
  EXPECT_EQ(fnv1a64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171f73967e8u);
}

} // namespace
