// Operations that `attnres-run bench` times, as modules of their own.
#ifndef ATTNRES_TOOLS_RUN_OPERATIONCASES_H
#define ATTNRES_TOOLS_RUN_OPERATIONCASES_H

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::run {

/// What an operation cannot be faster than.
enum class Bound { Products, Arithmetic, Copying, Updating, Reading };

/// Whether operations count, rather than bytes.
inline bool countsFlops(Bound bound) {
  return bound == Bound::Products || bound == Bound::Arithmetic;
}

/// Where random numbers lie: [least, end), integers at `least` and above.
struct InputRange {
  double least = -1, end = 1;
};

/// One operation, and what bounds it.
struct OperationCase {
  std::string name;
  std::string text; ///< a module
  Bound bound;
  std::vector<InputRange> ranges = {}; ///< of the first inputs, in order
};

/// Sizes, in the order that a benchmark names them.
using Shape = std::vector<int64_t>;

/// Operations of one kind, which are timed at some shapes.
struct OperationBenchmark {
  std::string name;
  std::string description;
  std::vector<std::string> sizes; ///< of a shape, as users know them
  std::vector<Shape> shapes;      ///< unless a user asks for others
  /// `dtype` is that of activations and of what products read.
  std::vector<OperationCase> (*cases)(const Shape &shape,
                                      const std::string &dtype);
};

const std::vector<OperationBenchmark> &operationBenchmarks();

} // namespace attnres::run

#endif
