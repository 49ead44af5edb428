// Edit distance.
#include "support/NearestName.h"

#include "support/Status.h"

#include <algorithm>
#include <numeric>

namespace attnres {

/// Insertions, deletions, replacements, and exchanges of neighbours that turn
/// `a` into `b`, where no letter is changed twice.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> next(b.size() + 1, i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      next[j + 1] =
          std::min({row[j] + (a[i] != b[j]), row[j + 1] + 1, next[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
    }
    before = std::move(row);
    row = std::move(next);
  }
  return row.back();
}

std::string didYouMean(const std::string &given,
                       const std::vector<std::string> &names) {
  constexpr size_t longest = 100; // the distance takes quadratic time
  std::string best;
  size_t distance = given.size() / 3 + 1;
  if (given.size() <= longest)
    for (const std::string &name : names)
      if (size_t d = editDistance(given, name); d < distance) {
        best = name;
        distance = d;
      }
  return best.empty() ? "" : "; did you mean " + inQuotes(best) + "?";
}

} // namespace attnres
