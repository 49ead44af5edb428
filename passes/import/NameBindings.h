//===- NameBindings.h - names for arguments and results ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NAMEBINDINGS_H
#define ATTNRES_PASSES_NAMEBINDINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace attnres {

/// Names what nobody has named, so that files can hold it: arguments of `main`
/// without attnres.name by the name in their location, or arg0, arg1, ...;
/// results without one as result, or result0, result1, ... where there are
/// several. `main` has a body.
void nameBindings(mlir::func::FuncOp main);

} // namespace attnres

#endif
