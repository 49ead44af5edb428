// A kernel that is called, not launched, stays although another one is equal.
// RUN: attnres-opt %s --attnres-share-kernels | FileCheck %s

// CHECK: func.func private @a
// CHECK-NOT: func.func private @b
// CHECK: func.func private @c
func.func private @a(%x: tensor<8xf32>) -> tensor<8xf32> attributes {attnres.kernel} {
  %y = attnres.gelu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @b(%x: tensor<8xf32>) -> tensor<8xf32> attributes {attnres.kernel} {
  %y = attnres.gelu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @c(%x: tensor<8xf32>) -> tensor<8xf32> attributes {attnres.kernel} {
  %y = attnres.gelu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
// CHECK: attnres.launch @a
// CHECK: attnres.launch @a
// CHECK: call @c
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = attnres.launch @a(%x) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
  %1 = attnres.launch @b(%0) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @c(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
