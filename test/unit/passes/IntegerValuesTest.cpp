//===- IntegerValuesTest.cpp - what an integer may be ---------------------===//
//
// Random expressions of one input of few bits, evaluated for every input: each
// value has to be in a piece.
//
//===----------------------------------------------------------------------===//
#include "passes/analysis/IntegerValues.h"
#include "gtest/gtest.h"

#include <random>

using namespace attnres;

namespace {

/// What is known of an expression, and what it is for each input.
struct Case {
  IntegerValues known;
  std::vector<int64_t> values;
};

class RandomExpression {
public:
  explicit RandomExpression(uint64_t seed) : random(seed) {}

  static constexpr unsigned width = 5;
  Interval range = rangeOfWidth(width);

  Case number(int depth) {
    switch (depth == 0 ? pick(3) : pick(9)) {
    case 0:
      return input();
    case 1:
      return constant();
    case 2:
      return anyOf();
    case 3:
      return binary(
          depth, [](auto &a, auto &b) { return add(a, b, width); },
          [](int64_t a, int64_t b) { return a + b; });
    case 4:
      return binary(
          depth, [](auto &a, auto &b) { return subtract(a, b, width); },
          [](int64_t a, int64_t b) { return a - b; });
    case 5:
      return binary(
          depth, [](auto &a, auto &b) { return multiply(a, b, width); },
          [](int64_t a, int64_t b) { return a * b; });
    case 6:
      return binary(depth, maximum,
                    [](int64_t a, int64_t b) { return std::max(a, b); });
    case 7:
      return binary(depth, minimum,
                    [](int64_t a, int64_t b) { return std::min(a, b); });
    default: {
      Case flag = condition(depth - 1), yes = number(depth - 1),
           no = number(depth - 1);
      Case result{select(flag.known, yes.known, no.known), {}};
      for (size_t i = 0; i < flag.values.size(); ++i)
        result.values.push_back(flag.values[i] ? yes.values[i] : no.values[i]);
      return result;
    }
    }
  }

  Case condition(int depth) {
    Case a = number(depth), b = number(depth);
    auto relation = static_cast<Relation>(pick(3));
    Case result{compare(relation, a.known, b.known), {}};
    for (size_t i = 0; i < a.values.size(); ++i)
      result.values.push_back(
          relation == Relation::Equal  ? a.values[i] == b.values[i]
          : relation == Relation::Less ? a.values[i] < b.values[i]
                                       : a.values[i] <= b.values[i]);
    if (pick(3) == 0) {
      result.known = logicalNot(result.known);
      for (int64_t &value : result.values)
        value = !value;
    }
    return result;
  }

  int64_t inputAt(size_t i) const {
    return range.low + static_cast<int64_t>(i);
  }

private:
  unsigned pick(unsigned count) { return random() % count; }
  size_t count() const { return 1u << width; }

  static int64_t wrap(int64_t value) {
    int64_t size = int64_t{1} << width;
    value = ((value % size) + size) % size;
    return value >= size / 2 ? value - size : value;
  }

  Case input() {
    Case result{inputElement({0, 0}, rangeOfWidth(width)), {}};
    for (size_t i = 0; i < count(); ++i)
      result.values.push_back(inputAt(i));
    return result;
  }

  Case constant() {
    int64_t value = inputAt(pick(count()));
    return {constantValue({value, value}),
            std::vector<int64_t>(count(), value)};
  }

  /// Another number at every input, such as the index of a loop.
  Case anyOf() {
    int64_t low = inputAt(pick(count()));
    int64_t size = 1 + pick(static_cast<unsigned>(range.high - low + 1));
    Case result{constantValue({low, low + size - 1}), {}};
    for (size_t i = 0; i < count(); ++i)
      result.values.push_back(low + pick(static_cast<unsigned>(size)));
    return result;
  }

  template <typename Known, typename Value>
  Case binary(int depth, Known known, Value value) {
    Case a = number(depth - 1), b = number(depth - 1);
    Case result{known(a.known, b.known), {}};
    for (size_t i = 0; i < count(); ++i)
      result.values.push_back(wrap(value(a.values[i], b.values[i])));
    return result;
  }

  std::mt19937_64 random;
};

bool isIn(const Piece &piece, int64_t x, int64_t value) {
  if (piece.source && (x < piece.when.low || x > piece.when.high))
    return false;
  int64_t rest = value - piece.slope * x;
  return piece.offset.low <= rest && rest <= piece.offset.high;
}

TEST(IntegerValues, G11HoldEveryValue) {
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    RandomExpression expression(seed);
    Case result = expression.number(4);
    for (size_t i = 0; i < result.values.size(); ++i) {
      int64_t x = expression.inputAt(i), value = result.values[i];
      bool found = false;
      for (const Piece &piece : result.known)
        found |= isIn(piece, x, value);
      ASSERT_TRUE(found) << "seed " << seed << ": " << value << " at " << x;
      // Limits that insideFor() finds safe are safe.
      Interval limits{-3, 7};
      bool safe = true;
      for (const Piece &piece : result.known) {
        if (piece.source && (x < piece.when.low || x > piece.when.high))
          continue;
        Interval inside = insideFor(piece, limits);
        safe &= !inside.empty() &&
                (!piece.source || (inside.low <= x && x <= inside.high));
      }
      if (safe) {
        ASSERT_TRUE(value >= limits.low && value <= limits.high)
            << "seed " << seed << ": " << value << " at " << x;
      }
    }
  }
}

/// x < 0 ? x + 256 : x in 64 bits, then in 32: what stays a row of 256 is
/// exactly -256 to 255.
TEST(IntegerValues, NegativeIndicesFromTheEnd) {
  IntegerValues x = inputElement({0, 0}, rangeOfWidth(64));
  IntegerValues zero = constantValue({0, 0});
  IntegerValues size = constantValue({256, 256});
  IntegerValues row = convert(
      select(compare(Relation::Less, x, zero), add(x, size, 64), x), 32);
  auto isSafe = [&](int64_t value) {
    for (const Piece &piece : row) {
      if (value < piece.when.low || value > piece.when.high)
        continue;
      Interval inside = insideFor(piece, {0, 255});
      if (value < inside.low || value > inside.high)
        return false;
    }
    return true;
  };
  EXPECT_FALSE(isSafe(-257));
  EXPECT_TRUE(isSafe(-256));
  EXPECT_TRUE(isSafe(-1));
  EXPECT_TRUE(isSafe(0));
  EXPECT_TRUE(isSafe(255));
  EXPECT_FALSE(isSafe(256));
  EXPECT_FALSE(isSafe(int64_t{1} << 32)); // is 0 in 32 bits
  EXPECT_FALSE(isSafe(std::numeric_limits<int64_t>::max()));
  EXPECT_FALSE(isSafe(std::numeric_limits<int64_t>::min()));
}

TEST(IntegerValues, Clamped) {
  IntegerValues x = inputElement({0, 0}, rangeOfWidth(64));
  IntegerValues row =
      minimum(maximum(x, constantValue({0, 0})), constantValue({255, 255}));
  for (const Piece &piece : row) {
    Interval range = piece.values();
    EXPECT_GE(range.low, 0);
    EXPECT_LE(range.high, 255);
  }
}

/// Elements at other positions, or of other inputs, are other numbers.
TEST(IntegerValues, SourcesAreKeptApart) {
  IntegerValues x = inputElement({0, 0}, rangeOfWidth(8)),
                moved = inputElement({0, 1}, rangeOfWidth(8)),
                other = inputElement({1, 0}, rangeOfWidth(8));
  IntegerValues zero = subtract(x, x, 64);
  ASSERT_EQ(zero.size(), 1u);
  EXPECT_EQ(zero[0].values().low, 0);
  EXPECT_EQ(zero[0].values().high, 0);
  for (const IntegerValues &y : {moved, other}) {
    IntegerValues difference = subtract(x, y, 64);
    ASSERT_EQ(difference.size(), 1u);
    EXPECT_EQ(difference[0].values().low, -255);
    EXPECT_EQ(difference[0].values().high, 255);
  }
}

} // namespace
