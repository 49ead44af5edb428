//===- IntegerValues.cpp - what an integer may be -------------------------===//
#include "passes/analysis/IntegerValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace attnres;

namespace {

using Wide = __int128;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

/// More pieces than code that people write needs; beyond, nothing is known.
constexpr size_t kMaxPieces = 64;

int64_t clip(Wide value) {
  return static_cast<int64_t>(
      std::clamp<Wide>(value, Wide(kLeast), Wide(kGreatest)));
}

Wide floorDivide(Wide a, Wide b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}
Wide ceilDivide(Wide a, Wide b) { return -floorDivide(-a, b); }

/// The x with low <= slope x + offset.low and slope x + offset.high <= high.
Interval solve(int64_t slope, Interval offset, Interval limits) {
  Wide low = Wide(limits.low) - offset.low,
       high = Wide(limits.high) - offset.high;
  if (slope == 0)
    return low <= 0 && high >= 0 ? Interval() : Interval{1, 0};
  if (slope < 0)
    std::swap(low, high);
  Wide first = ceilDivide(low, slope), last = floorDivide(high, slope);
  if (first > last || first > kGreatest || last < kLeast)
    return {1, 0};
  return {clip(first), clip(last)};
}

/// Adds a piece whose values may not fit into `width` bits: it keeps its input
/// where they do and is anything elsewhere. `low` and `high` are the offset.
void addPiece(IntegerValues &to, Piece piece, Wide slope, Wide low, Wide high,
              unsigned width) {
  Interval range = rangeOfWidth(width);
  Piece lost = piece;
  lost.slope = 0;
  lost.offset = range;
  if (slope != clip(slope) || low != clip(low) || high != clip(high)) {
    to.push_back(lost);
    return;
  }
  piece.slope = static_cast<int64_t>(slope);
  piece.offset = {static_cast<int64_t>(low), static_cast<int64_t>(high)};
  if (piece.slope == 0) {
    if (!range.contains(piece.offset))
      piece.offset = range;
    to.push_back(piece);
    return;
  }
  Interval fits = solve(piece.slope, piece.offset, range) & piece.when;
  if (fits.empty()) {
    to.push_back(lost);
    return;
  }
  Interval all = piece.when;
  piece.when = fits;
  to.push_back(piece);
  if (all.low < fits.low) {
    lost.when = {all.low, fits.low - 1};
    to.push_back(lost);
  }
  if (fits.high < all.high) {
    lost.when = {fits.high + 1, all.high};
    to.push_back(lost);
  }
}

/// Without the input: all values that it may have.
Piece withoutInput(const Piece &piece) {
  Piece plain;
  plain.offset = piece.values();
  return plain;
}

/// Pieces of `piece` on either side of where slope x + offset passes `bound`:
/// first those with all values <= bound, then those that may be above.
void splitAt(const Piece &piece, int64_t bound,
             llvm::function_ref<void(const Piece &, bool below)> visit) {
  Interval below =
      piece.slope == 0
          ? (piece.offset.high <= bound ? piece.when : Interval{1, 0})
          : solve(piece.slope, piece.offset, {kLeast, bound}) & piece.when;
  auto part = [&](Interval when, bool isBelow) {
    if (when.empty())
      return;
    Piece copy = piece;
    copy.when = when;
    visit(copy, isBelow);
  };
  if (below.empty())
    return part(piece.when, false);
  part(below, true);
  if (piece.when.low < below.low)
    part({piece.when.low, below.low - 1}, false);
  if (below.high < piece.when.high)
    part({below.high + 1, piece.when.high}, false);
}

IntegerValues bounded(IntegerValues values) {
  if (values.size() <= kMaxPieces)
    return values;
  Interval all{kGreatest, kLeast};
  for (const Piece &piece : values) {
    Interval range = piece.values();
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  return constantValue(all);
}

/// The maximum, or with `sign` -1 the minimum, of two.
IntegerValues extremum(const IntegerValues &lhs, const IntegerValues &rhs,
                       bool isMaximum) {
  return combine(lhs, rhs, [&](Piece a, Piece b, IntegerValues &to) {
    // The usual case: one of them is a number.
    if (a.slope == 0 && a.offset.low == a.offset.high)
      std::swap(a, b);
    if (b.slope == 0 && b.offset.low == b.offset.high) {
      int64_t bound = b.offset.low;
      auto at = [&](int64_t value) {
        return isMaximum ? std::max(value, bound) : std::min(value, bound);
      };
      splitAt(a, isMaximum ? bound : clip(Wide(bound) - 1),
              [&](const Piece &part, bool isBelow) {
                Piece result = part;
                // All values are on one side, or some may be on either.
                bool isExact = part.offset.low == part.offset.high;
                if (isBelow ? isMaximum : !isMaximum && isExact) {
                  result.slope = 0;
                  result.offset = b.offset;
                } else if (!isBelow && !isExact) {
                  Interval range = part.values();
                  result.slope = 0;
                  result.offset = {at(range.low), at(range.high)};
                }
                to.push_back(result);
              });
      return;
    }
    Interval x = a.values(), y = b.values();
    a.slope = 0;
    a.offset = isMaximum
                   ? Interval{std::max(x.low, y.low), std::max(x.high, y.high)}
                   : Interval{std::min(x.low, y.low), std::min(x.high, y.high)};
    to.push_back(a);
  });
}

} // namespace

Interval Piece::values() const {
  if (slope == 0)
    return offset;
  Wide a = Wide(slope) * when.low, b = Wide(slope) * when.high;
  return {clip(std::min(a, b) + offset.low),
          clip(std::max(a, b) + offset.high)};
}

Interval attnres::rangeOfWidth(unsigned width) {
  if (width == 1)
    return {0, 1};
  if (width >= 64)
    return {};
  int64_t limit = int64_t{1} << (width - 1);
  return {-limit, limit - 1};
}

IntegerValues attnres::anything(unsigned width) {
  return constantValue(rangeOfWidth(width));
}

IntegerValues attnres::constantValue(Interval values) {
  Piece piece;
  piece.offset = values;
  return {piece};
}

IntegerValues attnres::inputElement(Source source,
                                    llvm::ArrayRef<Interval> range) {
  IntegerValues result;
  for (Interval interval : range) {
    Piece piece;
    piece.source = source;
    piece.when = interval;
    piece.slope = 1;
    piece.offset = {0, 0};
    result.push_back(piece);
  }
  return result;
}

IntegerValues attnres::combine(
    const IntegerValues &lhs, const IntegerValues &rhs,
    llvm::function_ref<void(Piece, Piece, IntegerValues &)> apply) {
  IntegerValues result;
  for (const Piece &x : lhs)
    for (const Piece &y : rhs) {
      Piece a = x, b = y;
      if (!a.source) {
        a.source = b.source;
        a.when = b.when;
      } else if (!b.source || !(a.source == b.source)) {
        a.mixed |= static_cast<bool>(b.source);
        b = withoutInput(b);
        b.source = a.source;
        b.when = a.when;
      }
      a.mixed = b.mixed = a.mixed || y.mixed;
      a.when = b.when = a.when & b.when;
      if (!a.when.empty())
        apply(a, b, result);
    }
  return bounded(std::move(result));
}

IntegerValues attnres::add(const IntegerValues &lhs, const IntegerValues &rhs,
                           unsigned width) {
  return combine(lhs, rhs, [&](Piece a, Piece b, IntegerValues &to) {
    addPiece(to, a, Wide(a.slope) + b.slope, Wide(a.offset.low) + b.offset.low,
             Wide(a.offset.high) + b.offset.high, width);
  });
}

IntegerValues attnres::subtract(const IntegerValues &lhs,
                                const IntegerValues &rhs, unsigned width) {
  return combine(lhs, rhs, [&](Piece a, Piece b, IntegerValues &to) {
    addPiece(to, a, Wide(a.slope) - b.slope, Wide(a.offset.low) - b.offset.high,
             Wide(a.offset.high) - b.offset.low, width);
  });
}

IntegerValues attnres::multiply(const IntegerValues &lhs,
                                const IntegerValues &rhs, unsigned width) {
  return combine(lhs, rhs, [&](Piece a, Piece b, IntegerValues &to) {
    if (a.slope == 0 && a.offset.low == a.offset.high)
      std::swap(a, b);
    if (b.slope == 0 && b.offset.low == b.offset.high) {
      Wide factor = b.offset.low;
      Wide low = a.offset.low * factor, high = a.offset.high * factor;
      addPiece(to, a, a.slope * factor, std::min(low, high),
               std::max(low, high), width);
      return;
    }
    Interval x = a.values(), y = b.values();
    Wide products[] = {Wide(x.low) * y.low, Wide(x.low) * y.high,
                       Wide(x.high) * y.low, Wide(x.high) * y.high};
    addPiece(to, a, 0, *std::min_element(products, products + 4),
             *std::max_element(products, products + 4), width);
  });
}

IntegerValues attnres::maximum(const IntegerValues &lhs,
                               const IntegerValues &rhs) {
  return extremum(lhs, rhs, true);
}

IntegerValues attnres::minimum(const IntegerValues &lhs,
                               const IntegerValues &rhs) {
  return extremum(lhs, rhs, false);
}

IntegerValues attnres::convert(const IntegerValues &value, unsigned width) {
  IntegerValues result;
  for (const Piece &piece : value)
    addPiece(result, piece, piece.slope, piece.offset.low, piece.offset.high,
             width);
  return bounded(std::move(result));
}

IntegerValues attnres::compare(Relation relation, const IntegerValues &lhs,
                               const IntegerValues &rhs) {
  return combine(lhs, rhs, [&](Piece a, Piece b, IntegerValues &to) {
    // The sign of the difference, which is exact in 128 bits.
    Piece difference = a;
    Wide slope = Wide(a.slope) - b.slope;
    Wide low = Wide(a.offset.low) - b.offset.high;
    Wide high = Wide(a.offset.high) - b.offset.low;
    Piece truth = a;
    truth.slope = 0;
    truth.offset = {0, 1};
    if (slope != clip(slope) || low != clip(low) || high != clip(high)) {
      // With a number at one end of the range, as in x < 0, intervals tell.
      Interval x = a.values(), y = b.values();
      bool always = relation == Relation::Less        ? x.high < y.low
                    : relation == Relation::LessEqual ? x.high <= y.low
                                                      : false;
      bool never = relation == Relation::Less ? x.low >= y.high
                   : relation == Relation::LessEqual
                       ? x.low > y.high
                       : x.high < y.low || y.high < x.low;
      truth.offset = {always, !never};
      to.push_back(truth);
      return;
    }
    difference.slope = static_cast<int64_t>(slope);
    difference.offset = {static_cast<int64_t>(low), static_cast<int64_t>(high)};
    auto visit = [&](const Piece &part, bool isBelow) {
      Piece result = part;
      result.slope = 0;
      if (isBelow) {
        result.offset = {1, 1};
      } else {
        Interval rest = part.values();
        // Not all of it is below; none may be.
        int64_t bound = relation == Relation::Less ? -1 : 0;
        result.offset = {0, rest.low <= bound};
      }
      to.push_back(result);
    };
    if (relation != Relation::Equal)
      return splitAt(difference, relation == Relation::Less ? -1 : 0, visit);
    splitAt(difference, -1, [&](const Piece &part, bool isBelow) {
      if (isBelow) {
        Piece result = part;
        result.slope = 0;
        result.offset = {0, 0};
        to.push_back(result);
        return;
      }
      splitAt(part, 0, [&](const Piece &inner, bool isZero) {
        Interval rest = inner.values();
        Piece result = inner;
        result.slope = 0;
        result.offset = {isZero && rest.low == 0 && rest.high == 0,
                         rest.low <= 0 && rest.high >= 0};
        to.push_back(result);
      });
    });
  });
}

IntegerValues attnres::logicalAnd(const IntegerValues &lhs,
                                  const IntegerValues &rhs) {
  return minimum(lhs, rhs);
}

IntegerValues attnres::logicalNot(const IntegerValues &value) {
  IntegerValues result(value);
  for (Piece &piece : result) {
    Interval range = piece.values() & Interval{0, 1};
    piece.slope = 0;
    piece.offset = {1 - range.high, 1 - range.low};
  }
  return result;
}

IntegerValues attnres::select(const IntegerValues &condition,
                              const IntegerValues &whenTrue,
                              const IntegerValues &whenFalse) {
  IntegerValues result;
  auto take = [&](const IntegerValues &values, int64_t truth) {
    llvm::append_range(result,
                       combine(condition, values,
                               [&](Piece flag, Piece value, IntegerValues &to) {
                                 Interval range = flag.values();
                                 if (range.low <= truth && truth <= range.high)
                                   to.push_back(value);
                               }));
  };
  take(whenTrue, 1);
  take(whenFalse, 0);
  return bounded(std::move(result));
}

IntegerValues attnres::join(const IntegerValues &lhs,
                            const IntegerValues &rhs) {
  IntegerValues result(lhs);
  llvm::append_range(result, rhs);
  return bounded(std::move(result));
}

Interval attnres::insideFor(const Piece &piece, Interval limits) {
  if (limits.empty())
    return {1, 0};
  return solve(piece.slope, piece.offset, limits) & piece.when;
}
