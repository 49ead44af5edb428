// RUN: attnres-opt %s --attnres-form-kernels --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-form-kernels --attnres-plan-memory --attnres-check-memory-plan --split-input-file | FileCheck %s --check-prefix=PLAN

// A recomputed operation runs in the kernel of an operation that reads the same
// rows. That writes its results over them: by then both have read the row. %y
// cannot lie there, so that the plan needs four tensors of 128 bytes.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @swiglu_swiglu_backward
// CHECK-LABEL: attnres.kernel @swiglu_swiglu_backward
// CHECK-SAME: inplace [-1, 0, 1]
// CHECK: %[[Y:.*]] = attnres.swiglu %arg0, %arg1 :
// CHECK-NEXT: %[[GATE:.*]], %[[UP:.*]] = attnres.swiglu_backward %arg0, %arg1, %arg2
// CHECK-NEXT: return %[[Y]], %[[GATE]], %[[UP]]

// PLAN: attnres.workspace_bytes = 512
// PLAN: attnres.launch @swiglu_swiglu_backward
// PLAN-SAME: operand_buffers = [#attnres.buffer<[[GATE:[^>]*]]>, #attnres.buffer<[[UP:[^>]*]]>, #attnres.buffer<[[DY:[^>]*]]>],
// PLAN-SAME: result_buffers = [#attnres.buffer<{{[^>]*}}>, #attnres.buffer<[[GATE]]>, #attnres.buffer<[[UP]]>]
func.func @main(%x: tensor<2x8xf32>, %w0: tensor<16x8xf32>, %w1: tensor<16x8xf32>, %w2: tensor<16x8xf32>)
    -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %gate = attnres.linear %x, %w0 : tensor<2x8xf32>, tensor<16x8xf32>
  %up = attnres.linear %x, %w1 : tensor<2x8xf32>, tensor<16x8xf32>
  %dy = attnres.linear %x, %w2 : tensor<2x8xf32>, tensor<16x8xf32>
  %y = attnres.swiglu %gate, %up {attnres.recomputed} : tensor<2x16xf32>
  %dgate, %dup = attnres.swiglu_backward %gate, %up, %dy : tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  %dw = attnres.matmul %x, %y {transpose_lhs} : tensor<2x8xf32>, tensor<2x16xf32> -> tensor<8x16xf32>
  %dw0 = attnres.matmul %dgate, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  %dw1 = attnres.matmul %dup, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  return %dw, %dw0, %dw1 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}

// -----

// An operation that was not recomputed keeps its kernel.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @swiglu{{[ (]}}
// CHECK-NOT: swiglu_swiglu_backward
// CHECK: attnres.launch @swiglu_backward{{[ (]}}
func.func @main(%x: tensor<2x8xf32>, %w0: tensor<16x8xf32>, %w1: tensor<16x8xf32>, %w2: tensor<16x8xf32>)
    -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %gate = attnres.linear %x, %w0 : tensor<2x8xf32>, tensor<16x8xf32>
  %up = attnres.linear %x, %w1 : tensor<2x8xf32>, tensor<16x8xf32>
  %dy = attnres.linear %x, %w2 : tensor<2x8xf32>, tensor<16x8xf32>
  %y = attnres.swiglu %gate, %up : tensor<2x16xf32>
  %dgate, %dup = attnres.swiglu_backward %gate, %up, %dy : tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  %dw = attnres.matmul %x, %y {transpose_lhs} : tensor<2x8xf32>, tensor<2x16xf32> -> tensor<8x16xf32>
  %dw0 = attnres.matmul %dgate, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  %dw1 = attnres.matmul %dup, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  return %dw, %dw0, %dw1 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}

// -----

// So does one whose result is needed earlier.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @swiglu{{[ (]}}
// CHECK: attnres.launch @matmul
// CHECK: attnres.launch @swiglu_backward{{[ (]}}
func.func @main(%x: tensor<2x8xf32>, %w0: tensor<16x8xf32>, %w1: tensor<16x8xf32>, %w2: tensor<16x8xf32>)
    -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %gate = attnres.linear %x, %w0 : tensor<2x8xf32>, tensor<16x8xf32>
  %up = attnres.linear %x, %w1 : tensor<2x8xf32>, tensor<16x8xf32>
  %dy = attnres.linear %x, %w2 : tensor<2x8xf32>, tensor<16x8xf32>
  %y = attnres.swiglu %gate, %up {attnres.recomputed} : tensor<2x16xf32>
  %dw = attnres.matmul %x, %y {transpose_lhs} : tensor<2x8xf32>, tensor<2x16xf32> -> tensor<8x16xf32>
  %dgate, %dup = attnres.swiglu_backward %gate, %up, %dy : tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  %dw0 = attnres.matmul %dgate, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  %dw1 = attnres.matmul %dup, %x {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  return %dw, %dw0, %dw1 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
