// Sequences of points, thinned to what a picture can show.
#ifndef ATTNRES_TOOLS_REPORT_SERIES_H
#define ATTNRES_TOOLS_REPORT_SERIES_H

#include <cstddef>
#include <vector>

namespace attnres::report {

struct Point {
  double x, y;
};
/// Ordered by x.
using Series = std::vector<Point>;

/// At most 2 * `buckets` + 2 points with the same outline: the lowest and the
/// highest of each of `buckets` equally long runs of points, and the first and
/// the last point. Points that are not finite are left out.
Series thin(const Series &series, size_t buckets);

/// The exponential moving average over about `window` points, without the bias
/// of a fixed start: the first value is the first point's. Points that are not
/// finite are left out.
Series smooth(const Series &series, double window);

/// `count` indices of [0, size), evenly spaced, with the first and the last;
/// all of them when there are no more.
std::vector<size_t> evenlySpaced(size_t size, size_t count);

} // namespace attnres::report
#endif
