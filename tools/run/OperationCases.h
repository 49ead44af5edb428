// Operations that `attnres-run bench` times, as modules of their own.
#ifndef ATTNRES_TOOLS_RUN_OPERATIONCASES_H
#define ATTNRES_TOOLS_RUN_OPERATIONCASES_H

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::run {

/// What an operation cannot be faster than.
enum class Bound { Arithmetic, Copying, Reading };

/// One operation, and what bounds it.
struct OperationCase {
  std::string name;
  std::string text; ///< a module
  Bound bound;
  int64_t classes = 1;    ///< integer inputs are below this
  double leastInput = -1; ///< random inputs are from here up to 1
};

std::vector<OperationCase> matmulCases();
std::vector<OperationCase> attentionCases();
std::vector<OperationCase> depthCases();
std::vector<OperationCase> normCases();
std::vector<OperationCase> lossCases();
std::vector<OperationCase> optimizerCases();

} // namespace attnres::run

#endif
