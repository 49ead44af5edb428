// Operands of one printed type have one type.
// RUN: not attnres-opt %s 2>&1 | FileCheck %s
// CHECK: 'attnres.swiglu' op failed to verify that all of {gate, up, result} have same type
func.func @main(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>) -> tensor<?x4xf32> {
  %z = "attnres.swiglu"(%x, %y) : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
