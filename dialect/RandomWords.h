//===- RandomWords.h - counter-based random numbers in IR -------*- C++ -*-===//
#ifndef ATTNRES_DIALECT_RANDOMWORDS_H
#define ATTNRES_DIALECT_RANDOMWORDS_H

#include "mlir/IR/Builders.h"

#include <array>

namespace attnres {

/// Four random words of 32 bits.
using RandomWords = std::array<mlir::Value, 4>;

/// Emits what support/Philox.h computes: the words of a counter and a key, all
/// i32 or all vectors of i32 of one shape.
RandomWords emitPhilox(mlir::OpBuilder &builder, mlir::Location loc,
                       RandomWords counter, std::array<mlir::Value, 2> key);

/// The low 32 bits of the i64 `value`, from bit `shift` on.
mlir::Value emitWord(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, unsigned shift = 0);

/// Of attnres.dropout: the least word that keeps an element, and the factor of
/// those that are kept.
uint32_t leastKept(double rate);
double keptFactor(double rate);

} // namespace attnres

#endif
