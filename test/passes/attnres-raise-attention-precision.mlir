// What is computed in f32 stays in f32, whatever its operands are stored in; an
// eps that no layer has leaves a norm as it is.
// RUN: attnres-opt %s --split-input-file --attnres-raise-attention | FileCheck %s
// CHECK-NOT: attnres.{{.*}} : tensor<{{.*}}xbf16>
#id = affine_map<(r,d)->(r,d)>
#row = affine_map<(r,d)->(r)>
func.func @main(%v: tensor<5x8xbf16>) -> tensor<5x8xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %e1 = tensor.empty() : tensor<5xf32>
  %e2 = tensor.empty() : tensor<5x8xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %sq = linalg.generic {indexing_maps=[#id,#row],iterator_types=["parallel","reduction"]} ins(%v: tensor<5x8xbf16>) outs(%f1: tensor<5xf32>) {
  ^bb0(%h: bf16, %o: f32):
    %a = arith.extf %h : bf16 to f32
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %r = linalg.generic {indexing_maps=[#id,#row,#id],iterator_types=["parallel","parallel"]} ins(%v,%sq: tensor<5x8xbf16>,tensor<5xf32>) outs(%e2: tensor<5x8xf32>) {
  ^bb0(%h: bf16, %b: f32, %o: f32):
    %a = arith.extf %h : bf16 to f32
    %m = arith.divf %b, %c : f32
    %n = arith.addf %m, %eps : f32
    %q = math.rsqrt %n : f32
    %y = arith.mulf %a, %q : f32
    linalg.yield %y : f32 } -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// -----

#id = affine_map<(r,d)->(r,d)>
func.func @main(%v: tensor<5x8xbf16>, %u: tensor<5x8xbf16>) -> tensor<5x8xf32> {
  %one = arith.constant 1.0 : f32
  %e2 = tensor.empty() : tensor<5x8xf32>
  %r = linalg.generic {indexing_maps=[#id,#id,#id],iterator_types=["parallel","parallel"]} ins(%v,%u: tensor<5x8xbf16>,tensor<5x8xbf16>) outs(%e2: tensor<5x8xf32>) {
  ^bb0(%h: bf16, %g: bf16, %o: f32):
    %a = arith.extf %h : bf16 to f32
    %b = arith.extf %g : bf16 to f32
    %n = arith.negf %a : f32
    %x = math.exp %n : f32
    %d = arith.addf %x, %one : f32
    %s = arith.divf %one, %d : f32
    %t = arith.mulf %a, %s : f32
    %y = arith.mulf %t, %b : f32
    linalg.yield %y : f32 } -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// -----

#id = affine_map<(r,d)->(r,d)>
#row = affine_map<(r,d)->(r)>
func.func @main(%v: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-40 : f32
  %e1 = tensor.empty() : tensor<5xf32>
  %e2 = tensor.empty() : tensor<5x8xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %sq = linalg.generic {indexing_maps=[#id,#row],iterator_types=["parallel","reduction"]} ins(%v: tensor<5x8xf32>) outs(%f1: tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<5xf32>
  %r = linalg.generic {indexing_maps=[#id,#row,#id],iterator_types=["parallel","parallel"]} ins(%v,%sq: tensor<5x8xf32>,tensor<5xf32>) outs(%e2: tensor<5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %b, %c : f32
    %n = arith.addf %m, %eps : f32
    %q = math.rsqrt %n : f32
    %y = arith.mulf %a, %q : f32
    linalg.yield %y : f32 } -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}
