//===- OperationCases.h - modules of one operation --------------*- C++ -*-===//
//
// Operations that `attnres-run bench` times, as modules of their own. Free of
// MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_OPERATIONCASES_H
#define ATTNRES_TOOLS_COMPILE_OPERATIONCASES_H

#include <cstdint>
#include <string>
#include <vector>

namespace attnres {

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
  /// `bf16` is about activations and what products read.
  std::vector<OperationCase> (*cases)(const Shape &shape, bool bf16);
};

const std::vector<OperationBenchmark> &operationBenchmarks();

} // namespace attnres

#endif
