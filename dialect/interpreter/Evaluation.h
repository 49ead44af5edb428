//===- Evaluation.h - what the evaluations of operations share --*- C++ -*-===//
//
// Internal to the interpreter: the frame of a running function, the table of
// evaluations, and the arithmetic on rows that several of them use.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_INTERPRETER_EVALUATION_H
#define ATTNRES_DIALECT_INTERPRETER_EVALUATION_H

#include "dialect/interpreter/Interpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>
#include <functional>
#include <limits>

namespace attnres::interpreter {

using Tensors = std::vector<Tensor>;

/// The values of one function call. A value of list type holds any number of
/// tensors, any other exactly one.
class Frame {
public:
  Frame(const InterpreterOptions &options, unsigned depth)
      : options(options), depth(depth) {}

  const Tensor &tensor(mlir::Value value) const {
    return values.find(value)->second.front();
  }
  /// Whether `value` has been computed here.
  bool knows(mlir::Value value) const { return values.contains(value); }
  const Tensors &list(mlir::Value value) const {
    return values.find(value)->second;
  }
  /// The tensors of all values in order, lists spread out.
  mlir::SmallVector<const Tensor *> tensors(mlir::ValueRange group) const;
  /// The tensor of an optional operand, or null.
  const Tensor *optional(mlir::Value value) const {
    return value ? &tensor(value) : nullptr;
  }
  /// The only element of a scalar index or integer.
  int64_t integer(mlir::Value value) const {
    return tensor(value).integers.front();
  }

  void set(mlir::Value value, Tensor tensor);
  void setList(mlir::Value value, Tensors tensors) {
    values[value] = std::move(tensors);
  }
  /// Gives one tensor to each result, or all to the only one when it is a list.
  void setGroup(mlir::ValueRange results, Tensors tensors);

  /// Runs a block on `arguments`; the operands of its terminator.
  mlir::FailureOr<Tensors> run(mlir::Block &block, Tensors arguments);
  /// Runs a function or kernel in a frame of its own; `arguments` and the
  /// results have one entry for each argument or result, several tensors where
  /// it is a list.
  mlir::FailureOr<std::vector<Tensors>>
  call(mlir::Operation *caller, mlir::FunctionOpInterface function,
       std::vector<Tensors> arguments) const;

  const InterpreterOptions &options;

private:
  /// Runs the operations before the terminator.
  mlir::LogicalResult runOperations(mlir::Block &block);
  mlir::LogicalResult runOperation(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, Tensors> values;
  /// How many calls lead here.
  unsigned depth;
};

/// The evaluation of every known operation, by operation type.
class EvaluationTable {
public:
  using Evaluation =
      std::function<mlir::LogicalResult(mlir::Operation *, Frame &)>;

  template <typename Op>
  void add(mlir::LogicalResult (*evaluate)(Op, Frame &)) {
    entries[mlir::TypeID::get<Op>()] = [evaluate](mlir::Operation *op,
                                                  Frame &frame) {
      return evaluate(mlir::cast<Op>(op), frame);
    };
  }
  template <typename Op>
  void add(void (*evaluate)(Op, Frame &)) {
    entries[mlir::TypeID::get<Op>()] = [evaluate](mlir::Operation *op,
                                                  Frame &frame) {
      evaluate(mlir::cast<Op>(op), frame);
      return mlir::success();
    };
  }
  /// Null for an unknown operation.
  const Evaluation *find(mlir::Operation *op) const {
    auto entry = entries.find(op->getName().getTypeID());
    return entry == entries.end() ? nullptr : &entry->second;
  }

private:
  llvm::DenseMap<mlir::TypeID, Evaluation> entries;
};

void addDepthEvaluations(EvaluationTable &table);
void addStackEvaluations(EvaluationTable &table);
void addAttentionEvaluations(EvaluationTable &table);
void addLayerEvaluations(EvaluationTable &table);
void addLossEvaluations(EvaluationTable &table);
void addRecurrentEvaluations(EvaluationTable &table);
void addExpertEvaluations(EvaluationTable &table);
void addOptimizerEvaluations(EvaluationTable &table);
void addKernelEvaluations(EvaluationTable &table);
void addBuiltinEvaluations(EvaluationTable &table);

/// An error unless a tensor of this shape is one and fits into memory.
mlir::LogicalResult expectCountable(mlir::Operation *op,
                                    mlir::ArrayRef<int64_t> shape);

/// Any linalg operation with indexing maps and a scalar body.
mlir::LogicalResult evaluateLinalg(mlir::Operation *op, Frame &frame);
/// `tensor.generate`: its body for every index of the result.
mlir::LogicalResult evaluateGenerate(mlir::Operation *op, Frame &frame);
/// `tensor.pad`.
mlir::LogicalResult evaluatePad(mlir::Operation *op, Frame &frame);
/// `linalg.softmax`.
void evaluateSoftmax(mlir::Operation *op, Frame &frame);

//===----------------------------------------------------------------------===//
// Scalar operations
//===----------------------------------------------------------------------===//

/// One element; which member counts follows from the type.
struct Scalar {
  double real = 0;
  int64_t integer = 0;
};

using ScalarFunction = std::function<Scalar(const Scalar *operands)>;

/// What an arith or math operation computes element by element, rounded to
/// the result type when `round` is set; null for any other operation.
ScalarFunction scalarFunction(mlir::Operation *op, bool round);

/// Applies `function` to every element; operands of rank 0 that are scalars
/// next to tensors (the condition of a select) are spread.
mlir::LogicalResult evaluateElementwise(mlir::Operation *op,
                                        const ScalarFunction &function,
                                        Frame &frame);

//===----------------------------------------------------------------------===//
// Arithmetic on rows
//===----------------------------------------------------------------------===//

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline double dot(const double *a, const double *b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// rsqrt(mean(v^2) + eps).
inline double inverseRms(const double *v, int64_t width, double eps) {
  return 1 / std::sqrt(dot(v, v, width) / width + eps);
}

/// ln sum exp(s); -inf over nothing, NaN when a score is NaN.
inline double logSumExp(mlir::ArrayRef<double> scores) {
  double maximum = -kInfinity;
  for (double score : scores) {
    if (std::isnan(score))
      return score;
    maximum = std::fmax(maximum, score);
  }
  if (maximum == -kInfinity)
    return -kInfinity;
  double sum = 0;
  for (double score : scores)
    sum += std::exp(score - maximum);
  return maximum + std::log(sum);
}

/// exp(score - lse), 0 for everything in an empty softmax.
inline double softmaxWeight(double score, double lse) {
  return lse == -kInfinity ? 0 : std::exp(score - lse);
}

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Which of `partials` sums over consecutive ranges of ceil(count / partials)
/// items item `index` belongs to.
inline int64_t partialOf(int64_t index, int64_t count, int64_t partials) {
  return index / ((count + partials - 1) / partials);
}

/// Zeros [width], or [partials, width].
inline Tensor parameterGrad(int64_t width, std::optional<int64_t> partials) {
  return partials ? Tensor::ofReals({*partials, width})
                  : Tensor::ofReals({width});
}

} // namespace attnres::interpreter

#endif
