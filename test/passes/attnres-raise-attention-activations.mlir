// The exact GELU; its approximation by tanh, one of another width and the gate of
// another tensor stay.
// MM-8.
//
// RUN: attnres-opt %s --attnres-raise-attention | FileCheck %s

// CHECK-LABEL: func.func @gelu
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>
// CHECK: %[[Y:.*]] = attnres.gelu %[[X]] : tensor<5x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @gelu(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %half = arith.constant dense<0.5> : tensor<5x8xf32>
  %one = arith.constant dense<1.0> : tensor<5x8xf32>
  %root = arith.constant dense<1.41421354> : tensor<5x8xf32>
  %u = arith.divf %x, %root : tensor<5x8xf32>
  %erf = math.erf %u : tensor<5x8xf32>
  %sum = arith.addf %erf, %one : tensor<5x8xf32>
  %h = arith.mulf %x, %half : tensor<5x8xf32>
  %y = arith.mulf %h, %sum : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @complement
// CHECK-SAME: %[[A:.*]]: tensor<5x8xf32>
// CHECK: %[[X:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: attnres.gelu %[[X]] : tensor<5x8xf32>
func.func @complement(%a: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %half = arith.constant dense<0.5> : tensor<5x8xf32>
  %root = arith.constant dense<0.707106769> : tensor<5x8xf32>
  %x = arith.mulf %a, %a : tensor<5x8xf32>
  %minus = arith.negf %x : tensor<5x8xf32>
  %u = arith.mulf %minus, %root : tensor<5x8xf32>
  %erfc = math.erfc %u : tensor<5x8xf32>
  %h = arith.mulf %x, %erfc : tensor<5x8xf32>
  %y = arith.mulf %half, %h : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @by_tanh
// CHECK-NOT: attnres.
func.func @by_tanh(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %half = arith.constant dense<0.5> : tensor<5x8xf32>
  %one = arith.constant dense<1.0> : tensor<5x8xf32>
  %a = arith.constant dense<0.797884583> : tensor<5x8xf32>
  %c = arith.constant dense<4.471500e-02> : tensor<5x8xf32>
  %x2 = arith.mulf %x, %x : tensor<5x8xf32>
  %x3 = arith.mulf %x2, %x : tensor<5x8xf32>
  %t = arith.mulf %c, %x3 : tensor<5x8xf32>
  %s = arith.addf %x, %t : tensor<5x8xf32>
  %u = arith.mulf %a, %s : tensor<5x8xf32>
  %tanh = math.tanh %u : tensor<5x8xf32>
  %sum = arith.addf %tanh, %one : tensor<5x8xf32>
  %h = arith.mulf %x, %half : tensor<5x8xf32>
  %y = arith.mulf %h, %sum : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @other_width
// CHECK-NOT: attnres.
func.func @other_width(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %half = arith.constant dense<0.5> : tensor<5x8xf32>
  %one = arith.constant dense<1.0> : tensor<5x8xf32>
  %root = arith.constant dense<0.7070> : tensor<5x8xf32>
  %u = arith.mulf %x, %root : tensor<5x8xf32>
  %erf = math.erf %u : tensor<5x8xf32>
  %sum = arith.addf %erf, %one : tensor<5x8xf32>
  %h = arith.mulf %x, %half : tensor<5x8xf32>
  %y = arith.mulf %h, %sum : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @other_tensor
// CHECK-NOT: attnres.
func.func @other_tensor(%x: tensor<5x8xf32>, %g: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %half = arith.constant dense<0.5> : tensor<5x8xf32>
  %one = arith.constant dense<1.0> : tensor<5x8xf32>
  %root = arith.constant dense<1.41421354> : tensor<5x8xf32>
  %u = arith.divf %g, %root : tensor<5x8xf32>
  %erf = math.erf %u : tensor<5x8xf32>
  %sum = arith.addf %erf, %one : tensor<5x8xf32>
  %h = arith.mulf %x, %half : tensor<5x8xf32>
  %y = arith.mulf %h, %sum : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}
