//===- PassStatistic.h - counters of passes ---------------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_PASSSTATISTIC_H
#define ATTNRES_PASSES_PASSSTATISTIC_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class Pass;
} // namespace mlir

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace attnres {
/// A counter of a pass: what `Statistic` of a Passes.td becomes. The MLIR of
/// distributions is built without its own statistics, whose class moreover has
/// another layout in a library with assertions than in one without.
/// Passes may count from several threads.
class PassStatistic {
public:
  PassStatistic(mlir::Pass *owner, const char *name, const char *description)
      : owner(owner), name(name), description(description) {}

  PassStatistic &operator+=(int64_t count);
  PassStatistic &operator++() { return *this += 1; }

private:
  mlir::Pass *owner;
  const char *name, *description;
};

/// What a pass has counted in this process, in all its runs.
struct PassCount {
  /// The pass as in a pipeline, for example "attnres-two-phase".
  std::string pass;
  std::string name, description;
  int64_t count;
};

/// The counts so far other than zero: passes in the order of their first
/// count, the counters of one in theirs.
std::vector<PassCount> passCounts();

/// Prints counts as a table: count, pass, description.
void printPassCounts(const std::vector<PassCount> &, llvm::raw_ostream &);
} // namespace attnres

#endif
