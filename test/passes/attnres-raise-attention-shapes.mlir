// Attention cut by changes of shape, and in bf16 with its softmax in f32.
//
// RUN: attnres-opt %s --attnres-raise-attention --canonicalize --split-input-file | FileCheck %s

// Two batch dimensions in one around the products.

// CHECK-LABEL: func.func @sa7_collapsed_batch
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x5x8xf32>, %[[K:.*]]: tensor<2x3x7x8xf32>, %[[V:.*]]: tensor<2x3x7x6xf32>)
// CHECK: linalg.transpose ins(%[[Q]] : tensor<2x3x5x8xf32>)
// CHECK: attnres.attention {{.*}} {scale = 1.000000e+00 : f64} : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x6xf32>
// CHECK-NOT: linalg.batch_matmul
func.func @sa7_collapsed_batch(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
  %ekt = tensor.empty() : tensor<6x8x7xf32>
  %kt = linalg.transpose ins(%k3 : tensor<6x7x8xf32>) outs(%ekt : tensor<6x8x7xf32>) permutation = [0, 2, 1]
  %es3 = tensor.empty() : tensor<6x5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s3 = linalg.batch_matmul ins(%q3, %kt : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%s0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %eo = tensor.empty() : tensor<6x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %o = linalg.batch_matmul ins(%p3, %v3 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%o0 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %oe = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
  return %oe : tensor<2x3x5x6xf32>
}

// -----

// The result keeps one batch dimension.

// CHECK-LABEL: func.func @sa7_result_stays_collapsed
// CHECK: attnres.attention {{.*}} : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x6xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<2x3x5x6xf32> into tensor<6x5x6xf32>
// CHECK-NOT: linalg.batch_matmul
func.func @sa7_result_stays_collapsed(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<2x3x7x6xf32>) -> tensor<6x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
  %ekt = tensor.empty() : tensor<6x8x7xf32>
  %kt = linalg.transpose ins(%k3 : tensor<6x7x8xf32>) outs(%ekt : tensor<6x8x7xf32>) permutation = [0, 2, 1]
  %es3 = tensor.empty() : tensor<6x5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s3 = linalg.batch_matmul ins(%q3, %kt : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%s0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %eo = tensor.empty() : tensor<6x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %o = linalg.batch_matmul ins(%p3, %v3 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%o0 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  return %o : tensor<6x5x6xf32>
}

// -----

// The values were heads first: their batch is another one. Not raised.

// CHECK-LABEL: func.func @sa7_values_in_another_order
// CHECK-NOT: attnres.attention
func.func @sa7_values_in_another_order(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<3x2x7x6xf32>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<3x2x7x6xf32> into tensor<6x7x6xf32>
  %ekt = tensor.empty() : tensor<6x8x7xf32>
  %kt = linalg.transpose ins(%k3 : tensor<6x7x8xf32>) outs(%ekt : tensor<6x8x7xf32>) permutation = [0, 2, 1]
  %es3 = tensor.empty() : tensor<6x5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s3 = linalg.batch_matmul ins(%q3, %kt : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%s0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %eo = tensor.empty() : tensor<6x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %o = linalg.batch_matmul ins(%p3, %v3 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%o0 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %oe = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
  return %oe : tensor<2x3x5x6xf32>
}

// -----

// The rows of the values were made of two dimensions: an operand in itself.

// CHECK-LABEL: func.func @sa7_keys_in_columns
// CHECK: attnres.attention {{.*}} : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x6xf32>
func.func @sa7_keys_in_columns(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<6x42xf32>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 3, 7, 6] : tensor<6x42xf32> into tensor<2x3x7x6xf32>
  %v3 = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
  %ekt = tensor.empty() : tensor<6x8x7xf32>
  %kt = linalg.transpose ins(%k3 : tensor<6x7x8xf32>) outs(%ekt : tensor<6x8x7xf32>) permutation = [0, 2, 1]
  %es3 = tensor.empty() : tensor<6x5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s3 = linalg.batch_matmul ins(%q3, %kt : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%s0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %eo = tensor.empty() : tensor<6x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %o = linalg.batch_matmul ins(%p3, %v3 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%o0 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %oe = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
  return %oe : tensor<2x3x5x6xf32>
}

// -----

// The result is used only in bf16: attention in bf16.

// CHECK-LABEL: func.func @sa7_bf16_rounded_at_once
// CHECK: attnres.attention {{.*}} : tensor<2x5x3x8xbf16>, tensor<2x7x3x8xbf16>, tensor<2x7x3x6xbf16>
// CHECK-NOT: arith.truncf
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
func.func @sa7_bf16_rounded_at_once(%q: tensor<2x3x5x8xbf16>, %k: tensor<2x3x7x8xbf16>, %v: tensor<2x3x7x6xbf16>) -> tensor<2x3x5x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x3x5x8xbf16>, tensor<2x3x7x8xbf16>) outs(%s0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %pr = arith.truncf %p : tensor<2x3x5x7xf32> to tensor<2x3x5x7xbf16>
  %eo = tensor.empty() : tensor<2x3x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pr, %v : tensor<2x3x5x7xbf16>, tensor<2x3x7x6xbf16>) outs(%o0 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x6xf32>
  %eb = tensor.empty() : tensor<2x3x5x6xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x3x5x6xf32>) outs(%eb : tensor<2x3x5x6xbf16>) {
  ^bb0(%a: f32, %c: bf16):
    %x = arith.truncf %a : f32 to bf16
    linalg.yield %x : bf16
  } -> tensor<2x3x5x6xbf16>
  return %r : tensor<2x3x5x6xbf16>
}

// -----

// Another shape, then bf16.

// CHECK-LABEL: func.func @sa7_bf16_rounded_in_another_shape
// CHECK: attnres.attention {{.*}} : tensor<2x5x3x8xbf16>, tensor<2x7x3x8xbf16>, tensor<2x7x3x6xbf16>
// CHECK-NOT: arith.truncf
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
func.func @sa7_bf16_rounded_in_another_shape(%q: tensor<2x3x5x8xbf16>, %k: tensor<2x3x7x8xbf16>, %v: tensor<2x3x7x6xbf16>) -> tensor<6x5x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x3x5x8xbf16>, tensor<2x3x7x8xbf16>) outs(%s0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %pr = arith.truncf %p : tensor<2x3x5x7xf32> to tensor<2x3x5x7xbf16>
  %eo = tensor.empty() : tensor<2x3x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pr, %v : tensor<2x3x5x7xbf16>, tensor<2x3x7x6xbf16>) outs(%o0 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x6xf32>
  %oc = tensor.collapse_shape %o [[0, 1], [2], [3]] : tensor<2x3x5x6xf32> into tensor<6x5x6xf32>
  %r = arith.truncf %oc : tensor<6x5x6xf32> to tensor<6x5x6xbf16>
  return %r : tensor<6x5x6xbf16>
}

// -----

// The result is used in f32: attention in f32, its operands extended.

// CHECK-LABEL: func.func @sa7_bf16_used_in_f32
// CHECK: arith.extf %{{.*}} : tensor<2x3x5x8xbf16> to tensor<2x3x5x8xf32>
// CHECK: attnres.attention {{.*}} : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x6xf32>
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
func.func @sa7_bf16_used_in_f32(%q: tensor<2x3x5x8xbf16>, %k: tensor<2x3x7x8xbf16>, %v: tensor<2x3x7x6xbf16>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x3x5x8xbf16>, tensor<2x3x7x8xbf16>) outs(%s0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %mb = linalg.broadcast ins(%m : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %d = arith.subf %s, %mb : tensor<2x3x5x7xf32>
  %e = math.exp %d : tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) dimensions = [3]
  %lb = linalg.broadcast ins(%l : tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) dimensions = [3]
  %p = arith.divf %e, %lb : tensor<2x3x5x7xf32>
  %pr = arith.truncf %p : tensor<2x3x5x7xf32> to tensor<2x3x5x7xbf16>
  %eo = tensor.empty() : tensor<2x3x5x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pr, %v : tensor<2x3x5x7xbf16>, tensor<2x3x7x6xbf16>) outs(%o0 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %x = arith.mulf %aw, %bw : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x6xf32>
  return %o : tensor<2x3x5x6xf32>
}
