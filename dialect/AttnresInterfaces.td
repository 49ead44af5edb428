//===- AttnresInterfaces.td - interfaces of the dialect -----*- tablegen -*-===//
#ifndef ATTNRES_INTERFACES_TD
#define ATTNRES_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    Reverse-mode derivative of one operation. Fused operations emit a
    hand-written backward operation; nothing is derived from a decomposition.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the backward computation. `resultGrads` has one entry for each
        result, null where nothing flows back. Fills `operandGrads` with one
        entry for each operand, null where no gradient exists (integers) or is
        identically zero. Residuals are ordinary SSA uses of the operands and
        results of the operation.
      }],
      "::llvm::LogicalResult", "buildBackward",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultGrads,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGrads)>
  ];
}

#endif
