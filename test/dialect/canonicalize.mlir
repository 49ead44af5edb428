// RUN: attnres-opt %s --canonicalize | FileCheck %s

// One source without a use of lse is the source.
// CHECK-LABEL: @da5_one_source
// CHECK-SAME: %[[V:[a-z0-9]*]]: tensor<3x8xf32>
func.func @da5_one_source(%v: tensor<3x8xf32>, %q: tensor<8xf32>) -> tensor<3x8xf32> {
  // CHECK-NEXT: return %[[V]]
  %h, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return %h : tensor<3x8xf32>
}

// Its lse still depends on the query.
// CHECK-LABEL: @da5_one_source_with_lse
func.func @da5_one_source_with_lse(%v: tensor<3x8xf32>, %q: tensor<8xf32>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  // CHECK: %[[H:.*]], %[[L:.*]] = attnres.depth_attention
  // CHECK: return %[[H]], %[[L]]
  %h, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return %h, %lse : tensor<3x8xf32>, tensor<3xf32>
}

// Of two queries only the one whose lse is used keeps its output.
// CHECK-LABEL: @da5_one_source_two_queries
// CHECK-SAME: %[[V:[a-z0-9]*]]: tensor<3x8xf32>
func.func @da5_one_source_two_queries(%v: tensor<3x8xf32>, %q: tensor<8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3xf32>) {
  // CHECK: %[[H:.*]]:2, %[[L:.*]]:2 = attnres.depth_attention
  // CHECK: return %[[V]], %[[H]]#1, %[[L]]#1
  %h:2, %lse:2 = attnres.depth_attention queries(%q, %q) gains(%q, %q) sources(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return %h#0, %h#1, %lse#1 : tensor<3x8xf32>, tensor<3x8xf32>, tensor<3xf32>
}

// The same source twice is a mixture of two.
// CHECK-LABEL: @da9_repeated_source
func.func @da9_repeated_source(%v: tensor<3x8xf32>, %q: tensor<8xf32>) -> tensor<3x8xf32> {
  // CHECK: attnres.depth_attention
  %h, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v, %v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return %h : tensor<3x8xf32>
}

// A list may hold any number of sources.
// CHECK-LABEL: @g15_list
func.func @g15_list(%v: !attnres.list<tensor<3x8xf32>>, %q: tensor<8xf32>) -> tensor<3x8xf32> {
  // CHECK: attnres.depth_attention
  %h, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<3x8xf32>>)
  return %h : tensor<3x8xf32>
}

// Of one token there is nothing to select.
// CHECK-LABEL: @one_token
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<2x1x8xf32>, %[[Y:[a-z0-9]*]]: tensor<2x3x8xf32>
func.func @one_token(%x: tensor<2x1x8xf32>, %y: tensor<2x3x8xf32>, %i: tensor<2xi64>) -> (tensor<2x1x8xf32>, tensor<2x1x8xf32>) {
  // CHECK-NEXT: %[[S:.*]] = attnres.select_token %[[Y]]
  // CHECK-NEXT: return %[[X]], %[[S]]
  %a = attnres.select_token %x at(%i) : tensor<2x1x8xf32>, tensor<2xi64>
  %b = attnres.select_token %y at(%i) : tensor<2x3x8xf32>, tensor<2xi64>
  return %a, %b : tensor<2x1x8xf32>, tensor<2x1x8xf32>
}

// Unused operations disappear.
// CHECK-LABEL: @unused
func.func @unused(%v: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // CHECK-NEXT: return
  %y = attnres.rms_norm %v, %q {eps = 1.0e-6 : f64} : tensor<3x8xf32>, tensor<8xf32>
  return
}

// The states of a merge keep their order: a constant does not move behind what
// belongs to the other state.
// CHECK-LABEL: @me3_merge_of_constant
// CHECK-SAME: %[[V:[a-z0-9]*]]: tensor<3x8xf32>, %[[L:[a-z0-9]*]]: tensor<3xf32>
func.func @me3_merge_of_constant(%v: tensor<3x8xf32>, %l: tensor<3xf32>) -> tensor<3x8xf32> {
  // CHECK: %[[C:.*]] = arith.constant
  // CHECK: attnres.merge_states %[[C]], %[[L]], %[[V]], %[[L]]
  %c = arith.constant dense<1.0> : tensor<3x8xf32>
  %o, %lse = attnres.merge_states %c, %l, %v, %l : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>
  return %o : tensor<3x8xf32>
}
