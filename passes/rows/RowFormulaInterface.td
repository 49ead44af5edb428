//===- RowFormulaInterface.td - operations with a formula ---*- tablegen -*-===//
#ifndef ATTNRES_ROW_FORMULA_INTERFACE_TD
#define ATTNRES_ROW_FORMULA_INTERFACE_TD

include "mlir/IR/OpBase.td"

def RowFormulaOpInterface : OpInterface<"RowFormulaOpInterface"> {
  let cppNamespace = "::attnres::rows";
  let description = [{
    An operation of RowOpInterface whose row every target computes by the same
    formula.
  }];
  let methods = [
    InterfaceMethod<"The formula, for the kernel that the operation is in.",
                    "std::unique_ptr<::attnres::rows::RowFormula>", "makeRowFormula",
                    (ins "::attnres::rows::RowKernel &":$kernel)>,
    InterfaceMethod<"Whether there is one for the operation as it stands.",
                    "bool", "hasRowFormula", (ins), /*methodBody=*/[{}], [{ return true; }]>
  ];
}

#endif
