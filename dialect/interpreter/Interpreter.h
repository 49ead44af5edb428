//===- Interpreter.h - float64 reference interpreter ------------*- C++ -*-===//
//
// The executable meaning of programs on tensors: every attnres operation and
// the func, arith, math, tensor, linalg and scf operations that programs use.
// It favours the obvious formula over speed and is what compiled code, the
// decompositions and the passes are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_INTERPRETER_INTERPRETER_H
#define ATTNRES_DIALECT_INTERPRETER_INTERPRETER_H

#include "dialect/Attnres.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace attnres {

/// A dense row-major tensor. Floating-point elements are doubles whatever the
/// declared type; integers and indices are int64, booleans 0 or 1. Exactly one
/// of the two vectors holds the elements. A scalar has the shape {}.
struct Tensor {
  static Tensor ofReals(mlir::ArrayRef<int64_t> shape, double fill = 0);
  static Tensor ofReals(mlir::ArrayRef<int64_t> shape,
                        std::vector<double> elements);
  static Tensor ofIntegers(mlir::ArrayRef<int64_t> shape, int64_t fill = 0);
  static Tensor ofIntegers(mlir::ArrayRef<int64_t> shape,
                           std::vector<int64_t> elements);
  /// The elements of a constant; failure for element types other than floats,
  /// integers and indices.
  static mlir::FailureOr<Tensor> ofAttribute(mlir::ElementsAttr attribute);

  int64_t size() const {
    return isInteger ? integers.size() : reals.size();
  }
  /// Number of rows of [..., D] and the width D.
  int64_t rows() const;
  int64_t width() const { return shape.back(); }

  /// The tensor of shape `shape` whose element i is element `indices[i]`.
  Tensor gather(mlir::ArrayRef<int64_t> shape,
                mlir::ArrayRef<int64_t> indices) const;
  /// The same elements in another shape of the same size.
  Tensor reshaped(mlir::ArrayRef<int64_t> shape) const;
  /// Rounds the elements to bf16, f16 or f32; other types change nothing.
  void roundTo(mlir::Type elementType);

  mlir::SmallVector<int64_t> shape;
  bool isInteger = false;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

/// `value` rounded to the nearest number of the floating-point type.
double roundToType(double value, mlir::Type type);

struct InterpreterOptions {
  /// Round every result, also of the scalar operations inside linalg bodies,
  /// to its declared element type: the naive computation in that precision.
  /// Without it, all arithmetic is float64 (constants keep the value that
  /// their own type gave them).
  bool roundToStorage = false;
};

/// Runs `function` on `inputs`, one tensor for each argument, and returns its
/// results. Fails after a diagnostic at an operation that has no reference
/// evaluation, that meets an invalid value (a token outside its table, a slice
/// out of bounds), or whose `attnres.expect_close` does not hold.
mlir::FailureOr<mlir::SmallVector<Tensor>>
interpret(mlir::func::FuncOp function, mlir::ArrayRef<Tensor> inputs,
          const InterpreterOptions &options = {});

} // namespace attnres

#endif
