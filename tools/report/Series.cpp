// Thinning and smoothing.
#include "tools/report/Series.h"

#include <algorithm>
#include <cmath>

namespace attnres::report {

static Series finitePart(const Series &series) {
  Series result;
  result.reserve(series.size());
  std::copy_if(
      series.begin(), series.end(), std::back_inserter(result),
      [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); });
  return result;
}

Series thin(const Series &series, size_t buckets) {
  Series points = finitePart(series);
  if (points.size() <= 2 * buckets + 2)
    return points;
  Series result{points.front()};
  size_t inner = points.size() - 2;
  for (size_t i = 0; i < buckets; ++i) {
    auto begin = points.begin() + 1 + inner * i / buckets;
    auto end = points.begin() + 1 + inner * (i + 1) / buckets;
    auto [low, high] = std::minmax_element(
        begin, end, [](Point a, Point b) { return a.y < b.y; });
    auto [first, second] = std::minmax(low, high);
    result.push_back(*first);
    if (first != second)
      result.push_back(*second);
  }
  result.push_back(points.back());
  return result;
}

Series smooth(const Series &series, double window) {
  Series result = finitePart(series);
  double keep = 1 - 2 / (std::max(window, 1.0) + 1);
  double sum = 0, weight = 0;
  for (Point &point : result) {
    sum = keep * sum + (1 - keep) * point.y;
    weight = keep * weight + (1 - keep);
    point.y = sum / weight;
  }
  return result;
}

std::vector<size_t> evenlySpaced(size_t size, size_t count) {
  std::vector<size_t> result;
  if (size <= count) {
    for (size_t i = 0; i < size; ++i)
      result.push_back(i);
  } else if (count == 1) {
    result.push_back(size - 1);
  } else {
    for (size_t i = 0; i < count; ++i)
      result.push_back(i * (size - 1) / (count - 1));
  }
  return result;
}

} // namespace attnres::report
