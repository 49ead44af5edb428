// RUN: attnres-opt %s --attnres-fold-accumulation --split-input-file | FileCheck %s
// Numbers: unit/passes/ScheduleTest.cpp

// All sources accumulate, on either side of the addition.

// CHECK-LABEL: func.func @da11_depth_attention
// CHECK-SAME: %[[S0:[a-z0-9]*]]: tensor<2x8xf32>, %[[S1:[a-z0-9]*]]: tensor<2x8xf32>)
// CHECK: %[[D:.*]]:4 = attnres.depth_attention_backward {{.*}} accumulators(%[[S0]], %[[S1]]) {eps
// CHECK-NEXT: return %[[D]]#0, %[[D]]#1, %[[D]]#2
func.func @da11_depth_attention(%q: tensor<8xf32>, %v0: tensor<2x8xf32>, %v1: tensor<2x8xf32>, %l: tensor<2xf32>, %dh: tensor<2x8xf32>, %s0: tensor<2x8xf32>, %s1: tensor<2x8xf32>)
    -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<8xf32>) {
  %d:4 = attnres.depth_attention_backward queries(%q) gains(%q) sources(%v0, %v1) lses(%l) output_grads(%dh) {eps = 1.0e-8 : f64}
      : tensor<8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
  %a = arith.addf %s0, %d#0 : tensor<2x8xf32>
  %b = arith.addf %d#1, %s1 : tensor<2x8xf32>
  return %a, %b, %d#2 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<8xf32>
}

// -----

// One source has nothing to accumulate, so none does.

// CHECK-LABEL: func.func @da11_not_all
// CHECK-NOT: accumulators
// CHECK: arith.addf
// CHECK: return
func.func @da11_not_all(%q: tensor<8xf32>, %v0: tensor<2x8xf32>, %v1: tensor<2x8xf32>, %l: tensor<2xf32>, %dh: tensor<2x8xf32>, %s0: tensor<2x8xf32>)
    -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %d:4 = attnres.depth_attention_backward queries(%q) gains(%q) sources(%v0, %v1) lses(%l) output_grads(%dh) {eps = 1.0e-8 : f64}
      : tensor<8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
  %a = arith.addf %s0, %d#0 : tensor<2x8xf32>
  return %a, %d#1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// A source that is listed twice: both gradients are added to each other.

// CHECK-LABEL: func.func @da11_source_listed_twice
// CHECK-NOT: accumulators
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: return
func.func @da11_source_listed_twice(%q: tensor<8xf32>, %v: tensor<2x8xf32>, %l: tensor<2xf32>, %dh: tensor<2x8xf32>, %s: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %d:4 = attnres.depth_attention_backward queries(%q) gains(%q) sources(%v, %v) lses(%l) output_grads(%dh) {eps = 1.0e-8 : f64}
      : tensor<8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
  %a = arith.addf %s, %d#0 : tensor<2x8xf32>
  %b = arith.addf %a, %d#1 : tensor<2x8xf32>
  return %b : tensor<2x8xf32>
}

// -----

// The gradient of the state does not accumulate; those of the sources do.

// CHECK-LABEL: func.func @da11_depth_merge
// CHECK: %{{.*}}, %{{.*}}, %[[D:.*]], %{{.*}}, %{{.*}} = attnres.depth_merge_backward {{.*}} accumulators(%[[S:[a-z0-9]*]]) {eps
// CHECK: arith.addf %[[S]], %{{.*}}
// CHECK: return %[[D]]
func.func @da11_depth_merge(%o: tensor<2x8xf32>, %l: tensor<2xf32>, %q: tensor<8xf32>, %p: tensor<2x8xf32>, %dh: tensor<2x8xf32>, %s: tensor<2x8xf32>)
    -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %do, %dl, %dp, %dq, %dg = attnres.depth_merge_backward %o, %l query(%q) gain(%q) sources(%p) lse(%l) output_grad(%dh) {eps = 1.0e-8 : f64}
      : tensor<2x8xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
  %a = arith.addf %s, %dp : tensor<2x8xf32>
  %b = arith.addf %s, %do : tensor<2x8xf32>
  return %a, %b : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func @da11_static_mix
// CHECK: %{{.*}}, %[[D:.*]]:2 = attnres.static_mix_backward {{.*}} accumulators(%{{.*}}, %{{.*}})
// CHECK-NEXT: return %[[D]]#0, %[[D]]#1
func.func @da11_static_mix(%w: tensor<2xf32>, %v0: tensor<2x8xf32>, %v1: tensor<2x8xf32>, %dh: tensor<2x8xf32>, %s0: tensor<2x8xf32>, %s1: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %dw, %d:2 = attnres.static_mix_backward %w sources(%v0, %v1) output_grad(%dh) : tensor<2xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %a = arith.addf %s0, %d#0 : tensor<2x8xf32>
  %b = arith.addf %s1, %d#1 : tensor<2x8xf32>
  return %a, %b : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// What is added is made after the operation, or the gradient is used again, or
// there are accumulators already, or the gradient is doubled.

// CHECK-LABEL: func.func @too_late
// CHECK: attnres.static_mix_backward
// CHECK-NOT: accumulators
// CHECK: arith.addf
func.func @too_late(%w: tensor<1xf32>, %v: tensor<2x8xf32>, %dh: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %dw, %d = attnres.static_mix_backward %w sources(%v) output_grad(%dh) : tensor<1xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %s = arith.negf %dh : tensor<2x8xf32>
  %a = arith.addf %s, %d : tensor<2x8xf32>
  return %a : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @used_again
// CHECK-NOT: accumulators
// CHECK: return
func.func @used_again(%w: tensor<1xf32>, %v: tensor<2x8xf32>, %dh: tensor<2x8xf32>, %s: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %dw, %d = attnres.static_mix_backward %w sources(%v) output_grad(%dh) : tensor<1xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %a = arith.addf %s, %d : tensor<2x8xf32>
  return %a, %d : tensor<2x8xf32>, tensor<2x8xf32>
}

// CHECK-LABEL: func.func @accumulates_already
// CHECK: accumulators(%[[S:[a-z0-9]*]])
// CHECK: arith.addf %[[S]]
func.func @accumulates_already(%w: tensor<1xf32>, %v: tensor<2x8xf32>, %dh: tensor<2x8xf32>, %s: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %dw, %d = attnres.static_mix_backward %w sources(%v) output_grad(%dh) accumulators(%s) : tensor<1xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %a = arith.addf %s, %d : tensor<2x8xf32>
  return %a : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @doubled
// CHECK-NOT: accumulators
// CHECK: arith.addf %[[D:.*]], %[[D]]
func.func @doubled(%w: tensor<1xf32>, %v: tensor<2x8xf32>, %dh: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %dw, %d = attnres.static_mix_backward %w sources(%v) output_grad(%dh) : tensor<1xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %a = arith.addf %d, %d : tensor<2x8xf32>
  return %a : tensor<2x8xf32>
}

// -----

// A sum of three products is a chain: each starts from the one before.

// CHECK-LABEL: func.func @matmul
// CHECK-NEXT: %[[A:.*]] = attnres.matmul %{{.*}}, %{{.*}} {transpose_lhs} :
// CHECK-NEXT: %[[B:.*]] = attnres.matmul %{{.*}}, %{{.*}} init(%[[A]]) {transpose_lhs} :
// CHECK-NEXT: %[[C:.*]] = attnres.matmul %{{.*}}, %{{.*}} init(%[[B]]) {transpose_lhs} :
// CHECK-NEXT: return %[[C]]
func.func @matmul(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %a = attnres.matmul %x, %y {transpose_lhs} : tensor<3x4xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
  %b = attnres.matmul %x, %y {transpose_lhs} : tensor<3x4xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
  %ab = arith.addf %a, %b : tensor<4x5xf32>
  %c = attnres.matmul %x, %y {transpose_lhs} : tensor<3x4xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
  %abc = arith.addf %ab, %c : tensor<4x5xf32>
  return %abc : tensor<4x5xf32>
}
