//===- LinalgNest.h - points of a linalg operation --------------*- C++ -*-===//
//
// A kernel of one linalg operation, for any target: what computes the results
// at one point of its parallel loops. Reductions are loops around that point,
// in the order of the operation, with the results carried in registers and
// stored once.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_LINALGNEST_H
#define ATTNRES_PASSES_CPU_LINALGNEST_H

#include "dialect/Attnres.h"
#include "passes/rows/Control.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace attnres::cpu {

/// Makes elementwise operations on tensors linalg operations.
mlir::FrozenRewritePatternSet elementwisePatterns(mlir::MLIRContext *context);

/// The operation of a kernel on tensors that consists of one, its destinations
/// and scalar constants, in general form; null for any other kernel. An error
/// where there is no code for its types or its body.
mlir::FailureOr<mlir::linalg::GenericOp>
generalizeLinalgKernel(KernelOp kernel,
                       const mlir::FrozenRewritePatternSet &elementwise);

class LinalgNest {
public:
  /// `op` is that of `kernel`, whose arguments and results are the memrefs
  /// `inputs` and `outputs`. Constants are built where the builder stands.
  LinalgNest(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
             mlir::linalg::GenericOp op, mlir::ValueRange inputs,
             mlir::ValueRange outputs);

  /// Of the parallel loops, in order.
  llvm::SmallVector<int64_t> parallelExtents() const;
  /// How often the body is computed for each point of the parallel loops: at
  /// least once, and at most 2^30 times.
  int64_t reductionPoints() const;

  /// Whether points that follow each other along the last parallel loop can be
  /// computed as vectors: all is f32, bf16 or a condition, the body is
  /// elementwise, and operands lie side by side along that loop or do not
  /// depend on it.
  bool hasVectorForm();

  /// Builds what computes and stores the results at `point`, which has an index
  /// for each parallel loop, and at the next points along the last one, `lanes`
  /// together; several need a vector form. Code is complete after
  /// `widenSmallFloats`.
  void emitPoint(mlir::ValueRange point, int64_t lanes = 1);

private:
  llvm::SmallVector<mlir::Value> reduce(llvm::ArrayRef<unsigned> rest,
                                        llvm::SmallVector<mlir::Value> carried);
  llvm::SmallVector<mlir::Value> indices(mlir::OpOperand *operand);
  mlir::Value read(mlir::Value source, mlir::ValueRange position,
                   bool isRow = false);
  /// Whether the operand depends on the last parallel loop.
  bool isRow(mlir::OpOperand *operand);
  /// A value for all lanes as a vector, if there are several.
  mlir::Value inLanes(mlir::Value value);
  llvm::SmallVector<mlir::Value> initialValues();
  llvm::SmallVector<mlir::Value> runBody(llvm::ArrayRef<mlir::Value> carried);
  void cloneScalar(mlir::Operation *inner, mlir::IRMapping &mapping);
  mlir::Value readAt(mlir::tensor::ExtractOp extract, mlir::IRMapping &mapping);

  mlir::ImplicitLocOpBuilder &b;
  KernelOp kernel;
  mlir::linalg::GenericOp op;
  llvm::SmallVector<mlir::Value> outputs;
  rows::IndexBuilder index;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<unsigned> parallel, reduction;
  mlir::IRMapping values;
  llvm::SmallVector<mlir::Value> dims; ///< of the point in progress
  int64_t lanes = 1;                   ///< of that
};

} // namespace attnres::cpu

#endif
