// A dialect of row operations that no pass knows: everything that the compiler
// needs of them, they say themselves.
#ifndef ATTNRES_TEST_UNIT_ROWS_TESTROWS_H
#define ATTNRES_TEST_UNIT_ROWS_TESTROWS_H

#include "passes/rows/RowFormula.h"

namespace attnres::testing {
// The generated declarations name these unqualified.
using mlir::FailureOr;
using mlir::OpBuilder;
using mlir::SmallVector;
using mlir::Value;
} // namespace attnres::testing

#include "test/unit/rows/TestRowsDialect.h.inc"
#define GET_OP_CLASSES
#include "test/unit/rows/TestRowsOps.h.inc"

#endif
