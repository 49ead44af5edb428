//===- IntegerArithmetic.h - what arith makes of integers -------*- C++ -*-===//
#ifndef ATTNRES_PASSES_INTEGERARITHMETIC_H
#define ATTNRES_PASSES_INTEGERARITHMETIC_H

#include "passes/analysis/IntegerValues.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace attnres {

/// Bits of an integer or of the integers of a tensor; an index has 64.
unsigned integerWidth(mlir::Type type);

/// What the result of an operation of arith on integers may be when operand i
/// may be `operand(i)`. Nothing is known of other operations.
std::optional<IntegerValues>
integerArithmetic(mlir::Operation *op,
                  llvm::function_ref<IntegerValues(unsigned)> operand);

} // namespace attnres

#endif
