// Edit distance.
#include "runtime/NearestName.h"

#include "runtime/Status.h"

#include <algorithm>
#include <numeric>

namespace attnres::runtime {

/// Insertions, deletions and replacements that turn `a` into `b`.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j + 1] + 1, row[j] + 1});
    }
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

} // namespace attnres::runtime
