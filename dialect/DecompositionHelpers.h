//===- DecompositionHelpers.h - emission of plain linalg --------*- C++ -*-===//
//
// What the decompositions share: scalar formulas written with operators, one
// function for elementwise operations and one for reductions, and the view of
// a tensor [..., D] as rows. Everything is computed in f32, whatever the
// storage types: operands are extended where they are read and results
// truncated where they are stored.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_DECOMPOSITIONHELPERS_H
#define ATTNRES_DIALECT_DECOMPOSITIONHELPERS_H

#include "dialect/Attnres.h"

#include "mlir/IR/Builders.h"

namespace attnres {

/// Failure, with a note to the rewriter, when an operand or result of `op` is a
/// list, or has a dynamic shape or an encoding.
mlir::LogicalResult expectDecomposable(mlir::Operation *op,
                                       mlir::OpBuilder &builder);

//===----------------------------------------------------------------------===//
// Scalar formulas
//===----------------------------------------------------------------------===//

/// A scalar of type f32, i64 or i1 inside the body of a linalg operation.
/// Operators emit the operation of the operand type; a double stands for a
/// constant of the other operand's type.
class Term {
public:
  Term(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::Value getValue() const { return value; }
  /// A term of the same builder.
  Term with(mlir::Value other) const { return Term(*builder, loc, other); }
  /// A constant of this term's type.
  Term constant(double number) const;
  /// An i64 as f32.
  Term toF32() const;

private:
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
};

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
inline Term operator+(Term a, double b) { return a + a.constant(b); }
inline Term operator-(Term a, double b) { return a - a.constant(b); }
inline Term operator-(double a, Term b) { return b.constant(a) - b; }
inline Term operator*(double a, Term b) { return b.constant(a) * b; }
inline Term operator/(Term a, double b) { return a / a.constant(b); }
inline Term operator/(double a, Term b) { return b.constant(a) / b; }

Term exp(Term x);
Term log(Term x);
Term sqrt(Term x);
Term rsqrt(Term x);
Term erf(Term x);
Term sin(Term x);
Term cos(Term x);
Term pow(Term base, Term exponent);
Term maximum(Term a, Term b);
Term minimum(Term a, Term b);
/// i1: a == b, a <= b.
Term equal(Term a, Term b);
Term lessOrEqual(Term a, Term b);
Term both(Term a, Term b);
Term select(Term condition, Term ifTrue, Term ifFalse);

/// 1 / (1 + exp(-x)).
Term sigmoid(Term x);
/// ln sum exp(scores), -inf when all are.
Term logSumExp(mlir::ArrayRef<Term> scores);
/// exp(score - lse), 0 when lse is -inf.
Term softmaxWeight(Term score, Term lse);

/// What a body has besides its operands.
class Scalars {
public:
  Scalars(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  Term constant(double number) const;
  /// Loop `loop` of the enclosing operation, i64.
  Term index(int64_t loop) const;
  /// Element of `tensor` at i64 positions, in f32.
  Term extract(mlir::Value tensor, mlir::ArrayRef<Term> position) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

using Terms = mlir::ArrayRef<Term>;
using Body = llvm::function_ref<Term(Scalars &scalars, Terms operands)>;

//===----------------------------------------------------------------------===//
// Tensor operations
//===----------------------------------------------------------------------===//

/// A tensor operand and the loop that indexes each of its dimensions.
struct Indexed {
  mlir::Value value;
  mlir::SmallVector<int64_t> loops;
};

enum class Reduction { Sum, Max };

/// Emits operations on tensors of static shape.
class LinalgEmitter {
public:
  LinalgEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::RankedTensorType f32(mlir::ArrayRef<int64_t> shape) const;

  /// result[loops] = body(operands), one loop for each dimension of `type`.
  mlir::Value elementwise(mlir::RankedTensorType type,
                          mlir::ArrayRef<Indexed> operands, Body body);
  /// result[kept loops] = sum or maximum over the other loops of
  /// body(operands), in f32 and in the order of the loops. Every loop has to
  /// index an operand.
  mlir::Value reduce(Reduction kind, mlir::ArrayRef<Indexed> operands,
                     mlir::ArrayRef<int64_t> kept, Body body);
  /// Sum of all elements of body(x), type tensor<f32>.
  mlir::Value sumAll(mlir::Value x, Body body);

  /// `value` with the element type of `type`, which has the same shape.
  mlir::Value storedAs(mlir::Value value, mlir::Type type);
  mlir::Value zeros(mlir::ArrayRef<int64_t> shape);
  /// The same elements in another shape.
  mlir::Value reshape(mlir::Value value, mlir::ArrayRef<int64_t> shape);
  /// [..., D] as the matrix [rows, D].
  mlir::Value matrix(mlir::Value value);
  /// The matrix in f32, with zeros after its end up to `shape`.
  mlir::Value padMatrix(mlir::Value matrix, mlir::ArrayRef<int64_t> shape);
  /// Element `position` of a vector, as a tensor of rank 0.
  mlir::Value element(mlir::Value vector, int64_t position);
  /// The part of `value` with `size` elements from `offset` in the last
  /// dimension, and its inverse.
  mlir::Value columns(mlir::Value value, int64_t offset, int64_t size);
  mlir::Value insertColumns(mlir::Value part, mlir::Value into, int64_t offset);
  /// Column sums [D] of a matrix [rows, D], or `partials` sums [P, D] over
  /// consecutive ranges of ceil(rows / P) rows.
  mlir::Value sumMatrixRows(mlir::Value matrix,
                            std::optional<int64_t> partials);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Emission over tensors [..., D]: D is the width, the rest are rows.
class Rows : public LinalgEmitter {
public:
  Rows(mlir::OpBuilder &builder, mlir::Location loc,
       mlir::RankedTensorType type)
      : LinalgEmitter(builder, loc), type(type) {}

  int64_t width() const { return type.getShape().back(); }

  /// Operands of shape [..., D], [...], [D] and [].
  Indexed full(mlir::Value value) const;
  Indexed row(mlir::Value value) const;
  Indexed column(mlir::Value value) const;
  Indexed scalar(mlir::Value value) const { return {value, {}}; }

  /// [..., D] with the storage type of the rows, and in f32.
  mlir::Value map(mlir::ArrayRef<Indexed> operands, Body body);
  mlir::Value mapF32(mlir::ArrayRef<Indexed> operands, Body body);
  /// [...] in f32 from operands [...] and [].
  mlir::Value mapRows(mlir::ArrayRef<Indexed> operands, Body body);
  /// [...]: sum or maximum over the width.
  mlir::Value sumRow(mlir::ArrayRef<Indexed> operands, Body body);
  mlir::Value maxRow(mlir::ArrayRef<Indexed> operands, Body body);
  /// ln sum_d exp(x_d) of each row [...].
  mlir::Value logSumExpRow(mlir::Value x);
  /// rsqrt(mean(x^2) + eps) of each row.
  mlir::Value inverseRms(mlir::Value x, double eps);
  /// [D] or [P, D]: sum over the rows of body.
  mlir::Value sumRows(mlir::ArrayRef<Indexed> operands,
                      std::optional<int64_t> partials, Body body);

private:
  mlir::RankedTensorType type;
};

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// The rows of tensors that are shaped like `like`.
inline Rows rowsOf(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value like) {
  return Rows(builder, loc, typeOf(like));
}

} // namespace attnres

#endif
