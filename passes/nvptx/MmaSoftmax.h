//===- MmaSoftmax.h - softmax of scores in registers ------------*- C++ -*-===//
//
// The states of passes/rows/OnlineSoftmax.h for the rows whose scores a warp
// has as results of matrix instructions: lane 4 g + t has two columns of rows g
// and g + 8, so that the four lanes of a row must agree about its maximum. Sums
// stay apart until the end.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_MMASOFTMAX_H
#define ATTNRES_PASSES_NVPTX_MMASOFTMAX_H

#include "passes/nvptx/MmaCode.h"

namespace attnres::nvptx {

class MmaSoftmax {
public:
  /// Scores are `scale` times what is given; not 0.
  MmaSoftmax(const MmaCode &code, double scale) : code(code), scale(scale) {}

  /// What is given for a key that is not seen.
  mlir::Value unseen() const;

  struct State {
    mlir::Value max; ///< of what is given times the sign of scale; -inf: empty
    mlir::Value sum; ///< of this lane's weights
  };
  State empty() const;

  /// The state with the scores of one row in this lane and its neighbours,
  /// which become weights. Returns what sums so far are to be multiplied by.
  mlir::Value add(State &state,
                  llvm::MutableArrayRef<mlir::Value> scores) const;

  /// 1 / sum, 0 for an empty state, and the natural log-sum-exp; afterwards the
  /// state's sum is that of all lanes.
  mlir::Value inverse(State &state) const;
  mlir::Value inverseOfSum(mlir::Value sum) const;
  /// What the sums of a state of maximum `before` are multiplied by to join one
  /// of maximum `max`.
  mlir::Value factor(mlir::Value before, mlir::Value max) const;
  mlir::Value logSumExp(const State &state) const;

  /// The weight of a score when the log-sum-exp is known (times log2 e, 0 for
  /// an empty row).
  mlir::Value weight(mlir::Value score, mlir::Value binaryLse) const;

private:
  mlir::Value ofLanes(mlir::Value value, bool isMax) const;
  /// What a maximum shifts binary exponents by.
  mlir::Value shiftOf(mlir::Value max) const;
  double toBase2() const;

  const MmaCode &code;
  double scale;
};

} // namespace attnres::nvptx

#endif
