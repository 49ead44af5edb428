// Scores that leave out the source are none of a depth mixture.
// RUN: attnres-opt %s --attnres-raise-attention | FileCheck %s
// CHECK: func.func @main
// CHECK-NOT: attnres.depth_attention
#id = affine_map<(r,d)->(r,d)>
#row = affine_map<(r,d)->(r)>
#col = affine_map<(r,d)->(d)>
func.func @main(%v0: tensor<5x8xf32>, %v1: tensor<5x8xf32>, %w: tensor<8xf32>) -> tensor<5x8xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %e1 = tensor.empty() : tensor<5xf32>
  %e2 = tensor.empty() : tensor<5x8xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %sq0 = linalg.generic {indexing_maps=[#id,#row],iterator_types=["parallel","reduction"]} ins(%v0: tensor<5x8xf32>) outs(%f1: tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %dt0 = linalg.generic {indexing_maps=[#col,#row],iterator_types=["parallel","reduction"]} ins(%w: tensor<8xf32>) outs(%f1: tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %x0 = linalg.generic {indexing_maps=[affine_map<(r)->(r)>,affine_map<(r)->(r)>,affine_map<(r)->(r)>],iterator_types=["parallel"]} ins(%sq0,%dt0: tensor<5xf32>,tensor<5xf32>) outs(%e1: tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %one : f32
    %n = arith.addf %m, %eps : f32
    %q = math.rsqrt %n : f32
    %y = arith.mulf %b, %q : f32
    %p = math.exp %y : f32
    linalg.yield %p : f32 } -> tensor<5xf32>
  %sq1 = linalg.generic {indexing_maps=[#id,#row],iterator_types=["parallel","reduction"]} ins(%v1: tensor<5x8xf32>) outs(%f1: tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %dt1 = linalg.generic {indexing_maps=[#col,#row],iterator_types=["parallel","reduction"]} ins(%w: tensor<8xf32>) outs(%f1: tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %x1 = linalg.generic {indexing_maps=[affine_map<(r)->(r)>,affine_map<(r)->(r)>,affine_map<(r)->(r)>],iterator_types=["parallel"]} ins(%sq1,%dt1: tensor<5xf32>,tensor<5xf32>) outs(%e1: tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %one : f32
    %n = arith.addf %m, %eps : f32
    %q = math.rsqrt %n : f32
    %y = arith.mulf %b, %q : f32
    %p = math.exp %y : f32
    linalg.yield %p : f32 } -> tensor<5xf32>
  %r = linalg.generic {indexing_maps=[#id,#id,#row,#row,#id],iterator_types=["parallel","parallel"]} ins(%v0,%v1,%x0,%x1: tensor<5x8xf32>,tensor<5x8xf32>,tensor<5xf32>,tensor<5xf32>) outs(%e2: tensor<5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %p: f32, %q: f32, %o: f32):
    %l = arith.addf %p, %q : f32
    %m = arith.mulf %a, %p : f32
    %n = arith.mulf %b, %q : f32
    %t = arith.addf %m, %n : f32
    %u = arith.divf %t, %l : f32
    linalg.yield %u : f32 } -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}
