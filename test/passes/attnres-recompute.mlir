// RUN: attnres-opt %s --attnres-recompute=budget-bytes=0 --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-recompute=budget-bytes=0 --cse --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-recompute=budget-bytes=128 --split-input-file | FileCheck %s --check-prefix=BUDGET
// RUN: attnres-opt %s --attnres-recompute="budget-bytes=0 allow-matmul" --split-input-file | FileCheck %s --check-prefix=MATMUL
// RUN: attnres-opt %s --attnres-recompute --split-input-file > %t.default
// RUN: FileCheck %s --check-prefix=DEFAULT < %t.default
// RUN: attnres-opt %s --attnres-recompute=budget-bytes=100000 --split-input-file | diff %t.default -
// RUN: attnres-opt %s --attnres-recompute=budget-bytes=0 --split-input-file --remarks-filter=attnres-recompute \
// RUN:   --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// Numbers: unit/passes/ScheduleTest.cpp

// Residuals: %n 2*8*4 = 64 bytes, %gate and %up 2*16*4 = 128 each, %y 128. %n
// and %y can be recomputed from what is at hand; %gate and %up are projections.
// %y has its backward operation beside it, whatever the budget.

// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:.*]]: tensor<2x8xf32>, %[[G:.*]]: tensor<8xf32>
// CHECK: attnres.rms_norm %[[X]], %[[G]] {eps = 1.000000e-05 : f64}
// CHECK: %[[GATE:.*]] = attnres.linear
// CHECK: %[[UP:.*]] = attnres.linear
// CHECK: attnres.swiglu %[[GATE]], %[[UP]] :
// CHECK: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy
// CHECK: %[[DY:.*]] = arith.constant dense<1.0
// CHECK: %[[Y2:.*]] = attnres.swiglu %[[GATE]], %[[UP]] {attnres.recomputed}
// CHECK-NEXT: attnres.swiglu_backward %[[GATE]], %[[UP]]
// CHECK-NEXT: attnres.matmul %{{.*}}, %[[Y2]] {transpose_lhs}
// CHECK-NEXT: %[[N2:.*]] = attnres.rms_norm %[[X]], %[[G]] {attnres.recomputed, eps = 1.000000e-05 : f64}
// CHECK-NEXT: attnres.matmul %{{.*}}, %[[N2]] {transpose_lhs}
// CHECK-NEXT: attnres.matmul %{{.*}}, %[[N2]] {transpose_lhs}
// CHECK-NEXT: return

// DEFAULT-LABEL: func.func @chain
// DEFAULT: attnres.swiglu %{{.*}}, %{{.*}} {attnres.recomputed}
// DEFAULT-NEXT: attnres.swiglu_backward
// DEFAULT-NOT: attnres.recomputed
// DEFAULT: return

// With projections everything is recomputed from the arguments, each operation
// once.
// MATMUL-LABEL: func.func @chain
// MATMUL: arith.constant dense<1.0
// MATMUL: %[[N2:.*]] = attnres.rms_norm %{{.*}}, %{{.*}} {attnres.recomputed,
// MATMUL-NEXT: %[[GATE2:.*]] = attnres.linear %[[N2]], %{{.*}} {attnres.recomputed}
// MATMUL-NEXT: %[[UP2:.*]] = attnres.linear %[[N2]], %{{.*}} {attnres.recomputed}
// MATMUL-NEXT: attnres.swiglu %[[GATE2]], %[[UP2]] {attnres.recomputed}
// MATMUL-NOT: attnres.recomputed
// MATMUL: return
// REMARK: chain{{.*}}[Analysis] OverBudget | Category:attnres-recompute | BytesAfter=256, BytesBefore=448, Recomputed=2
func.func @chain(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %w0: tensor<16x8xf32>, %w1: tensor<16x8xf32>, %w2: tensor<5x16xf32>, %t: tensor<2xi64>)
    -> (tensor<f32> {attnres.name = "loss"}, tensor<5x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %n = attnres.rms_norm %x, %g {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>
  %gate = attnres.linear %n, %w0 : tensor<2x8xf32>, tensor<16x8xf32>
  %up = attnres.linear %n, %w1 : tensor<2x8xf32>, tensor<16x8xf32>
  %y = attnres.swiglu %gate, %up : tensor<2x16xf32>
  %logits = attnres.linear %y, %w2 : tensor<2x16xf32>, tensor<5x16xf32>
  %loss, %lse = attnres.cross_entropy %logits, %t : tensor<2x5xf32>, tensor<2xi64>
  %dlogits = arith.constant dense<1.0> : tensor<2x5xf32>
  %dy = attnres.matmul %dlogits, %w2 : tensor<2x5xf32>, tensor<5x16xf32> -> tensor<2x16xf32>
  %dw2 = attnres.matmul %dlogits, %y {transpose_lhs} : tensor<2x5xf32>, tensor<2x16xf32> -> tensor<5x16xf32>
  %dgate, %dup = attnres.swiglu_backward %gate, %up, %dy : tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  %dw0 = attnres.matmul %dgate, %n {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  %dw1 = attnres.matmul %dup, %n {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  return %loss, %dw2, %dw0, %dw1 : tensor<f32>, tensor<5x16xf32>, tensor<16x8xf32>, tensor<16x8xf32>
} loc("chain")

// -----

// %n frees 64 bytes at 96 operations (a root-mean-square norm costs 6 for each
// element), %y 128 bytes at 384: %n goes first, and the 128 bytes left are few
// enough.

// BUDGET-LABEL: func.func @budget
// BUDGET-NOT: attnres.gelu {{.*}}attnres.recomputed
// BUDGET: attnres.rms_norm {{.*}}attnres.recomputed
// BUDGET-NOT: attnres.gelu {{.*}}attnres.recomputed
// BUDGET: return
// REMARK: budget{{.*}}BytesAfter=0, BytesBefore=192, Recomputed=2
func.func @budget(%x: tensor<2x8xf32>, %z: tensor<2x16xf32>, %g: tensor<8xf32>, %t: tensor<2xi64>)
    -> (tensor<f32> {attnres.name = "loss"}, tensor<16x8xf32>) {
  %n = attnres.rms_norm %x, %g {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>
  %y = attnres.gelu %z : tensor<2x16xf32>
  %rows = arith.constant dense<0.0> : tensor<2xf32>
  %loss = attnres.live_mean %rows, %t : tensor<2xf32>, tensor<2xi64>
  %dw = attnres.matmul %y, %n {transpose_lhs} : tensor<2x16xf32>, tensor<2x8xf32> -> tensor<16x8xf32>
  return %loss, %dw : tensor<f32>, tensor<16x8xf32>
} loc("budget")

// -----

// Norms and activations are recomputed beside their backward operations. Their
// readers follow these in their order, also when they read a reshape. %n is
// kept: the gradient that its backward operation reads is computed from it.

// DEFAULT-LABEL: func.func @beside
// DEFAULT: attnres.live_mean
// DEFAULT-NEXT: %[[DL:.*]] = attnres.gelu_backward
// DEFAULT-NEXT: %[[L2:.*]] = attnres.layer_norm %arg0, %arg1, %arg2 {attnres.recomputed,
// DEFAULT-NEXT: attnres.layer_norm_backward %arg0, %arg1, %[[DL]]
// DEFAULT-NEXT: attnres.matmul %[[DL]], %[[L2]] {transpose_lhs}
// DEFAULT-NEXT: %[[R2:.*]] = tensor.expand_shape %[[L2]] {{.*}} {attnres.recomputed}
// DEFAULT-NEXT: arith.negf %[[R2]]
// DEFAULT-NEXT: %[[DN:.*]] = arith.mulf %{{.*}}, %[[N:.*]] :
// DEFAULT-NEXT: attnres.rms_norm_backward %arg0, %arg1, %[[DN]]
// DEFAULT-NOT: attnres.recomputed
// DEFAULT: return
func.func @beside(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %t: tensor<2xi64>)
    -> (tensor<f32> {attnres.name = "loss"}, tensor<8x8xf32>, tensor<2x2x4xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<2x8xf32>, tensor<8xf32>) {
  %l = attnres.layer_norm %x, %g, %b {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>
  %r = tensor.expand_shape %l [[0], [1, 2]] output_shape [2, 2, 4] : tensor<2x8xf32> into tensor<2x2x4xf32>
  %n = attnres.rms_norm %x, %g {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>
  %rows = arith.constant dense<0.0> : tensor<2xf32>
  %loss = attnres.live_mean %rows, %t : tensor<2xf32>, tensor<2xi64>
  %dl = attnres.gelu_backward %x, %x : tensor<2x8xf32>
  %dw = attnres.matmul %dl, %l {transpose_lhs} : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<8x8xf32>
  %dr = arith.negf %r : tensor<2x2x4xf32>
  %dx, %dg, %db = attnres.layer_norm_backward %x, %g, %dl {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>, tensor<2x8xf32>
  %dn = arith.mulf %dl, %n : tensor<2x8xf32>
  %dx1, %dg1 = attnres.rms_norm_backward %x, %g, %dn {eps = 1.0e-5 : f64} : tensor<2x8xf32>, tensor<8xf32>, tensor<2x8xf32>
  return %loss, %dw, %dr, %dx, %dg, %db, %dx1, %dg1 : tensor<f32>, tensor<8x8xf32>, tensor<2x2x4xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>,
    tensor<2x8xf32>, tensor<8xf32>
} loc("beside")

// -----

// A chain of cheap operations is recomputed from its start when that is
// smaller: %b and then %a, which was no residual. %d is not recomputed: its
// operand %c, a projection, would have to be kept, and is as large. A reshape
// counts as what it reshapes, and is copied with it.

// CHECK-LABEL: func.func @transitive
// CHECK: %[[LOSS:.*]] = attnres.live_mean
// CHECK: %[[A2:.*]] = attnres.gelu %arg0 {attnres.recomputed}
// CHECK-NEXT: %[[B2:.*]] = attnres.gelu %[[A2]] {attnres.recomputed}
// CHECK-NEXT: %[[R2:.*]] = tensor.expand_shape %[[B2]] {{.*}} {attnres.recomputed}
// CHECK-NEXT: attnres.gelu_backward %[[R2]], %[[R2]]
// CHECK-NEXT: attnres.gelu_backward %[[B2]], %[[B2]]
// CHECK-NOT: attnres.recomputed
// CHECK: return
// REMARK: transitive{{.*}}BytesAfter=64, BytesBefore=128, Recomputed=2
func.func @transitive(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>, %t: tensor<2xi64>)
    -> (tensor<f32> {attnres.name = "loss"}, tensor<2x2x4xf32>, tensor<2x8xf32>, tensor<2x8xf32>) {
  %a = attnres.gelu %x : tensor<2x8xf32>
  %b = attnres.gelu %a : tensor<2x8xf32>
  %r = tensor.expand_shape %b [[0], [1, 2]] output_shape [2, 2, 4] : tensor<2x8xf32> into tensor<2x2x4xf32>
  %c = attnres.linear %b, %w : tensor<2x8xf32>, tensor<8x8xf32>
  %d = attnres.gelu %c : tensor<2x8xf32>
  %rows = arith.constant dense<0.0> : tensor<2xf32>
  %loss = attnres.live_mean %rows, %t : tensor<2xf32>, tensor<2xi64>
  %dr = attnres.gelu_backward %r, %r : tensor<2x2x4xf32>
  %db = attnres.gelu_backward %b, %b : tensor<2x8xf32>
  %dd = attnres.gelu_backward %d, %d : tensor<2x8xf32>
  return %loss, %dr, %db, %dd : tensor<f32>, tensor<2x2x4xf32>, tensor<2x8xf32>, tensor<2x8xf32>
} loc("transitive")

// -----

// The result of a function lives anyway: it is not recomputed, and an operation
// may be recomputed from it. Both results of a mixture come back together.

// CHECK-LABEL: func.func @returned
// CHECK: %[[A:.*]] = attnres.gelu %arg0
// CHECK: attnres.live_mean
// CHECK-NEXT: %[[H2:.*]], %[[L2:.*]] = attnres.depth_attention queries(%arg1) gains(%arg2) sources(%arg0, %[[A]]) {attnres.recomputed,
// CHECK-NEXT: attnres.depth_attention_backward {{.*}} sources(%arg0, %[[A]]) lses(%[[L2]]) output_grads(%[[H2]])
// CHECK-NEXT: return %{{.*}}, %[[A]]
// REMARK: returned{{.*}}BytesAfter=64, BytesBefore=136, Recomputed=1
func.func @returned(%x: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>, %t: tensor<2xi64>)
    -> (tensor<f32> {attnres.name = "loss"}, tensor<2x8xf32>, tensor<2x8xf32>) {
  %a = attnres.gelu %x : tensor<2x8xf32>
  %h, %l = attnres.depth_attention queries(%q) gains(%g) sources(%x, %a) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %loss = attnres.live_mean %l, %t : tensor<2xf32>, tensor<2xi64>
  %dx, %da, %dq, %dg = attnres.depth_attention_backward queries(%q) gains(%g) sources(%x, %a) lses(%l) output_grads(%h) {eps = 1.0e-8 : f64}
      : tensor<8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
  return %loss, %a, %dx : tensor<f32>, tensor<2x8xf32>, tensor<2x8xf32>
} loc("returned")

// -----

// Without a loss there is no boundary.

// CHECK-LABEL: func.func @no_loss
// CHECK-NOT: attnres.recomputed
// CHECK: return
func.func @no_loss(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %a = attnres.gelu %x : tensor<2x8xf32>
  %b = attnres.gelu_backward %a, %a : tensor<2x8xf32>
  return %b : tensor<2x8xf32>
}
