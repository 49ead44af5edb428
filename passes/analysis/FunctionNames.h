//===- FunctionNames.h - what a function's arguments are --------*- C++ -*-===//
//
// Functions tie their arguments and results to the model by the attributes
// attnres.name and attnres.role; see dialect/Attnres.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_FUNCTIONNAMES_H
#define ATTNRES_PASSES_FUNCTIONNAMES_H

#include "passes/Passes.h"

namespace attnres {

/// An error unless `function` has one block, which ends with a return.
mlir::LogicalResult verifyOneBlock(mlir::func::FuncOp function);

/// attnres.name of an argument or result; empty when it has none.
llvm::StringRef argumentName(mlir::func::FuncOp function, unsigned index);
llvm::StringRef resultName(mlir::func::FuncOp function, unsigned index);

/// Whether the argument's attnres.role is `role`.
bool hasRole(mlir::func::FuncOp function, unsigned index, llvm::StringRef role);

/// Index of the argument or result of that name.
std::optional<unsigned> findArgument(mlir::func::FuncOp function,
                                     llvm::StringRef name);
std::optional<unsigned> findResult(mlir::func::FuncOp function,
                                   llvm::StringRef name);

/// An error when something calls or launches `function`, which is about to get
/// other arguments or results.
mlir::LogicalResult expectNoUsers(mlir::func::FuncOp function);

} // namespace attnres

#endif
