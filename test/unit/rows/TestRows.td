//===- TestRows.td - row operations that no pass knows ------*- tablegen -*-===//
#ifndef ATTNRES_TEST_ROWS_TD
#define ATTNRES_TEST_ROWS_TD

include "dialect/AttnresBase.td"
include "dialect/AttnresInterfaces.td"
include "passes/rows/RowFormulaInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"

def TestRows_Dialect : Dialect {
  let name = "test_rows";
  let cppNamespace = "::attnres::testing";
}

class TestRows_Op<string mnemonic, list<Trait> traits>
    : Op<TestRows_Dialect, mnemonic, !listconcat([Pure], traits)>;

defvar Decomposable = DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>;
defvar Differentiable = DeclareOpInterfaceMethods<DifferentiableOpInterface>;
defvar Formula = DeclareOpInterfaceMethods<RowFormulaOpInterface, ["makeRowFormula"]>;

def SoftsignScaleOp : TestRows_Op<"softsign_scale", [Decomposable, Differentiable, Formula,
     Recomputable<3>, ByRows<"Row, Shared", "Row", "{0, 0}">]> {
  let summary = "y = gain x / (1 + |x|)";
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "[D]">:$gain);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $gain attr-dict `:` type(operands) `->` type($result)";
}

def SoftsignScaleBackwardOp : TestRows_Op<"softsign_scale_backward", [Decomposable, Formula,
     PartialSumsOpInterface, ByRows<"Row, Shared, Row", "Row, Partial", "{0, 2}, {0, 0}">]> {
  let summary = "x_grad = g gain / (1 + |x|)^2, gain_grad = sum_rows g x / (1 + |x|)";
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "[D]">:$gain,
                       Arg<Storage, "g, the gradient of the result">:$output_grad,
                       OptionalAttr<I64Attr>:$partials);
  let results = (outs Storage:$x_grad, Stat:$gain_grad);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// A row form, but no formula of a row.
def UnwrittenOp : TestRows_Op<"unwritten", [ByRows<"Row", "Row">]> {
  let arguments = (ins Storage:$x);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
}

#endif
