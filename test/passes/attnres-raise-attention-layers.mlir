// Products, norms, gates and joined tensors in linalg, and what differs from
// them in a detail.
// MM-8.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// A weight as [K, N] is transposed.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<8x6xf32>)
// CHECK: attnres.linear %[[X]], %[[T]] : tensor<5x8xf32>, tensor<6x8xf32>
// CHECK-NOT: linalg.matmul
func.func @main(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

// A transposed weight [N, K] is read as it is.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[W:.*]]: tensor<6x8xf32>
// CHECK: attnres.linear %[[X]], %[[W]] : tensor<5x8xf32>, tensor<6x8xf32>
func.func @main(%x: tensor<5x8xf32>, %w: tensor<6x8xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %et = tensor.empty() : tensor<8x6xf32>
  %t = linalg.transpose ins(%w : tensor<6x8xf32>) outs(%et : tensor<8x6xf32>) permutation = [1, 0]
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%x, %t : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

// Columns of two dimensions, in front of the rows.

// CHECK-LABEL: func.func @main
// CHECK: attnres.linear %{{.*}}, %{{.*}} : tensor<3x2x8xf32>, tensor<10x8xf32>
// CHECK-NOT: linalg.generic
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<8x3x2xf32>) -> tensor<3x2x2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x5xf32>) -> tensor<3x2x2x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, i, b, t, k) -> (b, t, k)>, affine_map<(h, i, b, t, k) -> (k, h, i)>, affine_map<(h, i, b, t, k) -> (h, i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x5x8xf32>, tensor<8x3x2xf32>) outs(%z : tensor<3x2x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x2x2x5xf32>
  return %y : tensor<3x2x2x5xf32>
}

// -----

// A sum that does not begin at zero, and a product for each text: not raised.

// CHECK-LABEL: func.func @main
// CHECK-NOT: attnres.linear
func.func @main(%x: tensor<2x5x8xf32>, %w: tensor<2x8x6xf32>, %u: tensor<5x8xf32>, %v: tensor<8x6xf32>, %init: tensor<5x6xf32>) -> (tensor<2x5x6xf32>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x5x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %t = linalg.matmul ins(%u, %v : tensor<5x8xf32>, tensor<8x6xf32>) outs(%init : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y, %t : tensor<2x5x6xf32>, tensor<5x6xf32>
}

// -----

// A norm with a gain; and the same of half of the mean, which is none.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[G:.*]]: tensor<8xf32>
// CHECK: attnres.rms_norm %[[X]], %[[G]] {eps = 0.00999{{.*}} : f64} : tensor<5x8xf32>, tensor<8xf32>
// CHECK-NOT: attnres.rms_norm
func.func @main(%x: tensor<5x8xf32>, %g: tensor<8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant dense<0.01> : tensor<5xf32>
  %width = arith.constant dense<8.0> : tensor<5xf32>
  %twice = arith.constant dense<16.0> : tensor<5xf32>
  %er = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %square = arith.mulf %x, %x : tensor<5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<5x8xf32>) outs(%z : tensor<5xf32>) dimensions = [1]
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%e : tensor<5x8xf32>) dimensions = [0]
  %mean = arith.divf %sum, %width : tensor<5xf32>
  %some = arith.addf %mean, %eps : tensor<5xf32>
  %r = math.rsqrt %some : tensor<5xf32>
  %rb = linalg.broadcast ins(%r : tensor<5xf32>) outs(%e : tensor<5x8xf32>) dimensions = [1]
  %n = arith.mulf %x, %rb : tensor<5x8xf32>
  %y = arith.mulf %n, %gb : tensor<5x8xf32>
  %mean2 = arith.divf %sum, %twice : tensor<5xf32>
  %some2 = arith.addf %mean2, %eps : tensor<5xf32>
  %r2 = math.rsqrt %some2 : tensor<5xf32>
  %rb2 = linalg.broadcast ins(%r2 : tensor<5xf32>) outs(%e : tensor<5x8xf32>) dimensions = [1]
  %n2 = arith.mulf %x, %rb2 : tensor<5x8xf32>
  %y2 = arith.mulf %n2, %gb : tensor<5x8xf32>
  return %y, %y2 : tensor<5x8xf32>, tensor<5x8xf32>
}

// -----

// A gate; and the sigmoid of the other factor's negative, which is none.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: tensor<5x8xf32>, %[[B:.*]]: tensor<5x8xf32>
// CHECK: attnres.swiglu %[[A]], %[[B]] : tensor<5x8xf32>
// CHECK-NOT: attnres.swiglu
func.func @main(%a: tensor<5x8xf32>, %b: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %one = arith.constant dense<1.0> : tensor<5x8xf32>
  %minus = arith.negf %a : tensor<5x8xf32>
  %exp = math.exp %minus : tensor<5x8xf32>
  %sum = arith.addf %exp, %one : tensor<5x8xf32>
  %sigmoid = arith.divf %one, %sum : tensor<5x8xf32>
  %silu = arith.mulf %a, %sigmoid : tensor<5x8xf32>
  %y = arith.mulf %silu, %b : tensor<5x8xf32>
  %exp2 = math.exp %a : tensor<5x8xf32>
  %sum2 = arith.addf %exp2, %one : tensor<5x8xf32>
  %sigmoid2 = arith.divf %one, %sum2 : tensor<5x8xf32>
  %silu2 = arith.mulf %a, %sigmoid2 : tensor<5x8xf32>
  %y2 = arith.mulf %silu2, %b : tensor<5x8xf32>
  return %y, %y2 : tensor<5x8xf32>, tensor<5x8xf32>
}

// -----

// Tensors joined element by element, as JAX joins them.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<4x2xf32>
// CHECK: tensor.concat dim(1) %[[A]], %[[B]], %[[A]] : (tensor<4x3xf32>, tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
// CHECK-NOT: linalg.generic
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, i) -> (t, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %three = arith.constant 3 : index
    %five = arith.constant 5 : index
    %t = linalg.index 0 : index
    %i = linalg.index 1 : index
    %first = arith.cmpi ult, %i, %three : index
    %v = scf.if %first -> (f32) {
      %x = tensor.extract %a[%t, %i] : tensor<4x3xf32>
      scf.yield %x : f32
    } else {
      %second = arith.cmpi ult, %i, %five : index
      %w = scf.if %second -> (f32) {
        %j = arith.subi %i, %three : index
        %x = tensor.extract %b[%t, %j] : tensor<4x2xf32>
        scf.yield %x : f32
      } else {
        %j = arith.subi %i, %five : index
        %x = tensor.extract %a[%t, %j] : tensor<4x3xf32>
        scf.yield %x : f32
      }
      scf.yield %w : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The second tensor from its second column on: no whole tensors.

// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.concat
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, i) -> (t, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x5xf32>) {
  ^bb0(%out: f32):
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %t = linalg.index 0 : index
    %i = linalg.index 1 : index
    %first = arith.cmpi ult, %i, %three : index
    %v = scf.if %first -> (f32) {
      %x = tensor.extract %a[%t, %i] : tensor<4x3xf32>
      scf.yield %x : f32
    } else {
      %j = arith.subi %i, %two : index
      %x = tensor.extract %b[%t, %j] : tensor<4x3xf32>
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
