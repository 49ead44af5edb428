//===- OpDefinitions.cpp - the generated operation definitions ------------===//
//
// Alone in its file because it is the largest translation unit of the dialect.
// The parsers of the type abbreviations that the generated code calls are
// declared in TypeSyntax.h.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "dialect/TypeSyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;

#define GET_OP_CLASSES
#include "dialect/AttnresOps.cpp.inc"
