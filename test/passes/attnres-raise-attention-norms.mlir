// Layer norms in linalg, and what differs from them in a detail. A mean stands
// at every column of its row here, so that a form is a few lines.
// MM-8.
//
// RUN: attnres-opt %s --attnres-flatten --attnres-raise-attention | FileCheck %s

func.func private @mean(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<5xf32>
  %er = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<5x8xf32>) outs(%z : tensor<5xf32>) dimensions = [1]
  %mean = arith.divf %sum, %width : tensor<5xf32>
  %y = linalg.broadcast ins(%mean : tensor<5xf32>) outs(%e : tensor<5x8xf32>) dimensions = [1]
  return %y : tensor<5x8xf32>
}

func.func private @columns(%g: tensor<8xf32>) -> tensor<5x8xf32> {
  %e = tensor.empty() : tensor<5x8xf32>
  %y = linalg.broadcast ins(%g : tensor<8xf32>) outs(%e : tensor<5x8xf32>) dimensions = [0]
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[Y:.*]] = attnres.layer_norm %[[X]], %[[G]], %[[B]] {eps = 0.00999{{.*}} : f64}
// CHECK-NEXT: return %[[Y]]
func.func @layer_norm(%x: tensor<5x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %c, %c : tensor<5x8xf32>
  %v = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.rsqrt %s : tensor<5x8xf32>
  %n = arith.mulf %c, %r : tensor<5x8xf32>
  %gb = call @columns(%g) : (tensor<8xf32>) -> tensor<5x8xf32>
  %bb = call @columns(%b) : (tensor<8xf32>) -> tensor<5x8xf32>
  %w = arith.mulf %n, %gb : tensor<5x8xf32>
  %y = arith.addf %w, %bb : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// The variance as the mean of squares without the square of the mean, bounded
// below; the gain beside the root; no bias.

// CHECK-LABEL: func.func @layer_norm_of_squares
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[G:.*]]: tensor<8xf32>
// CHECK: %[[Z:.*]] = arith.constant dense<0.0{{.*}}> : tensor<8xf32>
// CHECK: %[[Y:.*]] = attnres.layer_norm %[[X]], %[[G]], %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @layer_norm_of_squares(%x: tensor<5x8xf32>, %g: tensor<8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %zero = arith.constant dense<0.0> : tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %sq = arith.mulf %x, %x : tensor<5x8xf32>
  %ms = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %mm = arith.mulf %m, %m : tensor<5x8xf32>
  %d = arith.subf %ms, %mm : tensor<5x8xf32>
  %v = arith.maximumf %d, %zero : tensor<5x8xf32>
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.rsqrt %s : tensor<5x8xf32>
  %gb = call @columns(%g) : (tensor<8xf32>) -> tensor<5x8xf32>
  %rg = arith.mulf %r, %gb : tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %y = arith.mulf %c, %rg : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// bf16 outside, f32 inside.

// CHECK-LABEL: func.func @layer_norm_bf16
// CHECK: attnres.layer_norm %{{.*}} : tensor<5x8xbf16>, tensor<8xf32>, tensor<8xf32>
func.func @layer_norm_bf16(%h: tensor<5x8xbf16>) -> tensor<5x8xbf16> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %x = arith.extf %h : tensor<5x8xbf16> to tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %c, %c : tensor<5x8xf32>
  %v = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.sqrt %s : tensor<5x8xf32>
  %y = arith.divf %c, %r : tensor<5x8xf32>
  %n = arith.truncf %y : tensor<5x8xf32> to tensor<5x8xbf16>
  return %n : tensor<5x8xbf16>
}

// Neither: the mean square of what is not centred; eps beside the root; the
// mean of another tensor; the variance of a sample, over 7 instead of 8.

// CHECK-LABEL: func.func @second_moment
// CHECK-NOT: attnres.
func.func @second_moment(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %x, %x : tensor<5x8xf32>
  %v = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.rsqrt %s : tensor<5x8xf32>
  %y = arith.mulf %c, %r : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @eps_outside
// CHECK-NOT: attnres.
func.func @eps_outside(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %c, %c : tensor<5x8xf32>
  %v = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %r = math.sqrt %v : tensor<5x8xf32>
  %s = arith.addf %r, %eps : tensor<5x8xf32>
  %y = arith.divf %c, %s : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @other_mean
// CHECK-NOT: attnres.layer_norm
func.func @other_mean(%x: tensor<5x8xf32>, %u: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %m = call @mean(%u) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %c, %c : tensor<5x8xf32>
  %v = call @mean(%sq) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.rsqrt %s : tensor<5x8xf32>
  %y = arith.mulf %c, %r : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @of_a_sample
// CHECK-NOT: attnres.
func.func @of_a_sample(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %eps = arith.constant dense<0.01> : tensor<5x8xf32>
  %zero = arith.constant 0.0 : f32
  %others = arith.constant dense<7.0> : tensor<5xf32>
  %er = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %m = call @mean(%x) : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %c = arith.subf %x, %m : tensor<5x8xf32>
  %sq = arith.mulf %c, %c : tensor<5x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.reduce { arith.addf } ins(%sq : tensor<5x8xf32>) outs(%z : tensor<5xf32>) dimensions = [1]
  %var = arith.divf %sum, %others : tensor<5xf32>
  %v = linalg.broadcast ins(%var : tensor<5xf32>) outs(%e : tensor<5x8xf32>) dimensions = [1]
  %s = arith.addf %v, %eps : tensor<5x8xf32>
  %r = math.rsqrt %s : tensor<5x8xf32>
  %y = arith.mulf %c, %r : tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}
