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

/// A role as people write it: #attnres.role<parameter>, or "parameter". Null
/// for anything else.
RoleAttr toRole(mlir::Attribute attribute);

/// attnres.role of an argument or result, null when it has none; a result that
/// updates an argument has the role of that argument.
RoleAttr argumentRole(mlir::func::FuncOp function, unsigned index);
RoleAttr resultRole(mlir::func::FuncOp function, unsigned index);

/// Whether the argument has the role, which belongs to no parameter.
bool hasRole(mlir::func::FuncOp function, unsigned index, Role role);

/// Index of the result that is the gradient of the parameter of that name.
std::optional<unsigned> findGradient(mlir::func::FuncOp function,
                                     llvm::StringRef parameter);

/// The attributes of an argument or result.
mlir::DictionaryAttr namedRole(const llvm::Twine &name, RoleAttr role);

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
