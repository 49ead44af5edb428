// Attention whose operands are not those of attnres.attention: nothing may be
// raised. Where a function is raised, its comment says so: the others differ
// from it.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// One batch dimension: raised.

// CHECK-LABEL: func.func @sa7_plain
// CHECK: attnres.attention
func.func @sa7_plain(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x6xf32>, %es: tensor<2x5x7xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// The output transposed and heads before batches, all by indexing maps: raised.

// CHECK-LABEL: func.func @sa7_transposed_output
// CHECK: attnres.attention
func.func @sa7_transposed_output(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x6xf32>, %es: tensor<2x5x7xf32>, %eo: tensor<6x5x2xf32>) -> tensor<6x5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x2xf32>) -> tensor<6x5x2xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (d, m, b)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%o0 : tensor<6x5x2xf32>) -> tensor<6x5x2xf32>
  return %o : tensor<6x5x2xf32>
}

// -----

// Keys and values without the batch dimension, as of heads that share them: raised.

// CHECK-LABEL: func.func @sa7_shared_keys
// CHECK: attnres.attention {{.*}} tensor<1x2x5x8xf32>, tensor<1x7x1x8xf32>
func.func @sa7_shared_keys(%q: tensor<2x5x8xf32>, %k: tensor<7x8xf32>, %v: tensor<7x6xf32>, %es: tensor<2x5x7xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf32>, tensor<7x8xf32>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<7x6xf32>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// Values without the batch dimension.

// CHECK-LABEL: func.func @sa7_shared_values
// CHECK-NOT: attnres.attention
func.func @sa7_shared_values(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<7x6xf32>, %es: tensor<2x5x7xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<7x6xf32>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// f64.

// CHECK-LABEL: func.func @sa7_double_precision
// CHECK-NOT: attnres.attention
func.func @sa7_double_precision(%q: tensor<2x5x8xf64>, %k: tensor<2x7x8xf64>, %v: tensor<2x7x6xf64>, %es: tensor<2x5x7xf64>, %eo: tensor<2x5x6xf64>) -> tensor<2x5x6xf64> {
  %zero = arith.constant 0.0 : f64
  %s0 = linalg.fill ins(%zero : f64) outs(%es : tensor<2x5x7xf64>) -> tensor<2x5x7xf64>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf64>, tensor<2x7x8xf64>) outs(%s0 : tensor<2x5x7xf64>) -> tensor<2x5x7xf64>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf64>) outs(%es : tensor<2x5x7xf64>) -> tensor<2x5x7xf64>
  %o0 = linalg.fill ins(%zero : f64) outs(%eo : tensor<2x5x6xf64>) -> tensor<2x5x6xf64>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf64>, tensor<2x7x6xf64>) outs(%o0 : tensor<2x5x6xf64>) -> tensor<2x5x6xf64>
  return %o : tensor<2x5x6xf64>
}

// -----

// f16.

// CHECK-LABEL: func.func @sa7_half_precision
// CHECK-NOT: attnres.attention
func.func @sa7_half_precision(%q: tensor<2x5x8xf16>, %k: tensor<2x7x8xf16>, %v: tensor<2x7x6xf16>, %es: tensor<2x5x7xf16>, %eo: tensor<2x5x6xf16>) -> tensor<2x5x6xf16> {
  %zero = arith.constant 0.0 : f16
  %s0 = linalg.fill ins(%zero : f16) outs(%es : tensor<2x5x7xf16>) -> tensor<2x5x7xf16>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf16>, tensor<2x7x8xf16>) outs(%s0 : tensor<2x5x7xf16>) -> tensor<2x5x7xf16>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf16>) outs(%es : tensor<2x5x7xf16>) -> tensor<2x5x7xf16>
  %o0 = linalg.fill ins(%zero : f16) outs(%eo : tensor<2x5x6xf16>) -> tensor<2x5x6xf16>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%o0 : tensor<2x5x6xf16>) -> tensor<2x5x6xf16>
  return %o : tensor<2x5x6xf16>
}

// -----

// bf16 operands and f32 results: raised in f32.

// CHECK-LABEL: func.func @sa7_mixed_precision
// CHECK: attnres.attention {{.*}} tensor<2x5x1x8xf32>
func.func @sa7_mixed_precision(%q: tensor<2x5x8xbf16>, %k: tensor<2x7x8xbf16>, %v: tensor<2x7x6xbf16>, %es: tensor<2x5x7xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<2x7x6xbf16>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// A batch of unknown size.

// CHECK-LABEL: func.func @sa7_dynamic_batch
// CHECK-NOT: attnres.attention
func.func @sa7_dynamic_batch(%q: tensor<?x5x8xf32>, %k: tensor<?x7x8xf32>, %v: tensor<?x7x6xf32>, %es: tensor<?x5x7xf32>, %eo: tensor<?x5x6xf32>) -> tensor<?x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<?x5x7xf32>) -> tensor<?x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<?x5x8xf32>, tensor<?x7x8xf32>) outs(%s0 : tensor<?x5x7xf32>) -> tensor<?x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x5x7xf32>) outs(%es : tensor<?x5x7xf32>) -> tensor<?x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x5x6xf32>) -> tensor<?x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<?x5x7xf32>, tensor<?x7x6xf32>) outs(%o0 : tensor<?x5x6xf32>) -> tensor<?x5x6xf32>
  return %o : tensor<?x5x6xf32>
}

// -----

// A head size of unknown extent.

// CHECK-LABEL: func.func @sa7_dynamic_head
// CHECK-NOT: attnres.attention
func.func @sa7_dynamic_head(%q: tensor<2x5x?xf32>, %k: tensor<2x7x?xf32>, %v: tensor<2x7x6xf32>, %es: tensor<2x5x7xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x?xf32>, tensor<2x7x?xf32>) outs(%s0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x7xf32>) outs(%es : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// Three batch dimensions: raised.

// CHECK-LABEL: func.func @sa7_three_batch_dimensions
// CHECK: attnres.attention {{.*}} tensor<6x5x4x8xf32>, tensor<6x7x4x8xf32>
func.func @sa7_three_batch_dimensions(%q: tensor<2x3x4x5x8xf32>, %k: tensor<2x3x4x7x8xf32>, %v: tensor<2x3x4x7x6xf32>, %es: tensor<2x3x4x5x7xf32>, %eo: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x4x5x7xf32>) -> tensor<2x3x4x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(a, b, c, m, n, k) -> (a, b, c, m, k)>, affine_map<(a, b, c, m, n, k) -> (a, b, c, n, k)>, affine_map<(a, b, c, m, n, k) -> (a, b, c, m, n)>]
      ins(%q, %k : tensor<2x3x4x5x8xf32>, tensor<2x3x4x7x8xf32>) outs(%s0 : tensor<2x3x4x5x7xf32>) -> tensor<2x3x4x5x7xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<2x3x4x5x7xf32>) outs(%es : tensor<2x3x4x5x7xf32>) -> tensor<2x3x4x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(a, b, c, m, d, n) -> (a, b, c, m, n)>, affine_map<(a, b, c, m, d, n) -> (a, b, c, n, d)>, affine_map<(a, b, c, m, d, n) -> (a, b, c, m, d)>]
      ins(%p, %v : tensor<2x3x4x5x7xf32>, tensor<2x3x4x7x6xf32>) outs(%o0 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %o : tensor<2x3x4x5x6xf32>
}

// -----

// The scores are transposed before the product: rows and columns change places.

// CHECK-LABEL: func.func @sa7_keys_for_values
// CHECK-NOT: attnres.attention
func.func @sa7_keys_for_values(%q: tensor<2x5x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x6xf32>, %es: tensor<2x5x5xf32>, %eo: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%s0 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x5xf32>) outs(%es : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, n, m)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<2x5x5xf32>, tensor<2x5x6xf32>) outs(%o0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}
