// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s
// Numbers: unit/passes/ScheduleTest.cpp

// Generics on [B, H, T, D], every step of the softmax apart, no scale. The
// sources of the transposes are the arguments.

// CHECK-LABEL: func.func @sa7_generics_bhtd
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x5x8xf32>, %[[K:.*]]: tensor<2x3x7x8xf32>, %[[V:.*]]: tensor<2x3x7x6xf32>)
// CHECK: %[[QT:.*]] = linalg.transpose ins(%[[Q]] : tensor<2x3x5x8xf32>) outs(%{{.*}} : tensor<2x5x3x8xf32>) permutation = [0, 2, 1, 3]
// CHECK: %[[KT:.*]] = linalg.transpose ins(%[[K]] : tensor<2x3x7x8xf32>) outs(%{{.*}} : tensor<2x7x3x8xf32>) permutation = [0, 2, 1, 3]
// CHECK: %[[VT:.*]] = linalg.transpose ins(%[[V]] : tensor<2x3x7x6xf32>) outs(%{{.*}} : tensor<2x7x3x6xf32>) permutation = [0, 2, 1, 3]
// CHECK: %[[O:.*]], %{{.*}} = attnres.attention %[[QT]], %[[KT]], %[[VT]] {scale = 1.000000e+00 : f64}
// CHECK: %[[OT:.*]] = linalg.transpose ins(%[[O]] : tensor<2x5x3x6xf32>) outs(%{{.*}} : tensor<2x3x5x6xf32>) permutation = [0, 2, 1, 3]
// CHECK-NOT: linalg
// CHECK: return %[[OT]]
#full = affine_map<(b, h, m, n) -> (b, h, m, n)>
#row = affine_map<(b, h, m, n) -> (b, h, m)>
func.func @sa7_generics_bhtd(%q: tensor<2x3x5x8xf32>, %k: tensor<2x3x7x8xf32>, %v: tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %eo = tensor.empty() : tensor<2x3x5x6xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x3x5x8xf32>, tensor<2x3x7x8xf32>) outs(%s0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %x = arith.maximumf %a, %c : f32
    linalg.yield %x : f32
  } -> tensor<2x3x5xf32>
  %d = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.subf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<2x3x5x7xf32>
  %e = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%d : tensor<2x3x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %c: f32):
    %x = math.exp %a : f32
    linalg.yield %x : f32
  } -> tensor<2x3x5x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x3x5x7xf32>) outs(%l0 : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %x = arith.addf %c, %a : f32
    linalg.yield %x : f32
  } -> tensor<2x3x5xf32>
  %p = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %l : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.divf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<2x3x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%o0 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x6xf32>
  return %o : tensor<2x3x5x6xf32>
}

// -----

// Generics that read [B, T, H, D] in place: no transposes at all. The scale is
// fused with the mask, subtraction with exp, and exp is recomputed in the sum.
// The maximum starts from the lowest finite number and uses maxnumf.

// CHECK-LABEL: func.func @sa7_generics_bthd_causal
// CHECK-SAME: %[[Q:.*]]: tensor<2x5x3x8xf32>, %[[K:.*]]: tensor<2x7x3x8xf32>, %[[V:.*]]: tensor<2x7x3x8xf32>)
// CHECK-NEXT: %[[O:.*]], %{{.*}} = attnres.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 2.500000e-01 : f64}
// CHECK-NEXT: return %[[O]]
#full = affine_map<(b, h, m, n) -> (b, h, m, n)>
#row = affine_map<(b, h, m, n) -> (b, h, m)>
func.func @sa7_generics_bthd_causal(%q: tensor<2x5x3x8xf32>, %k: tensor<2x7x3x8xf32>, %v: tensor<2x7x3x8xf32>) -> tensor<2x5x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %eo = tensor.empty() : tensor<2x5x3x8xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>, affine_map<(b, h, m, n, k) -> (b, n, h, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>) outs(%s0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %x, %c : f32
    linalg.yield %y : f32
  } -> tensor<2x3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %c: f32):
    %four = arith.constant 4.0 : f32
    %two = arith.constant 2 : index
    %m = linalg.index 2 : index
    %n = linalg.index 3 : index
    %last = arith.addi %m, %two : index
    %visible = arith.cmpi sle, %n, %last : index
    %scaled = arith.divf %a, %four : f32
    %masked = arith.select %visible, %scaled, %ninf : f32
    linalg.yield %masked : f32
  } -> tensor<2x3x5x7xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.reduce { arith.maxnumf } ins(%x : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) dimensions = [3]
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %l = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %m : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%l0 : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    %w = arith.addf %z, %c : f32
    linalg.yield %w : f32
  } -> tensor<2x3x5xf32>
  %p = linalg.generic {indexing_maps = [#full, #row, #row, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m, %l : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    %w = arith.divf %z, %c : f32
    linalg.yield %w : f32
  } -> tensor<2x3x5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x3x8xf32>) -> tensor<2x5x3x8xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, m, h, d, n) -> (b, n, h, d)>, affine_map<(b, m, h, d, n) -> (b, h, m, n)>, affine_map<(b, m, h, d, n) -> (b, m, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%v, %p : tensor<2x7x3x8xf32>, tensor<2x3x5x7xf32>) outs(%o0 : tensor<2x5x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.mulf %a, %b : f32
    %z = arith.addf %c, %y : f32
    linalg.yield %z : f32
  } -> tensor<2x5x3x8xf32>
  return %o : tensor<2x5x3x8xf32>
}

// -----

// Named operations on [BH, T, D]: transpose, batch_matmul, a scale on the
// queries by a tensor constant and on the scores by a fill, broadcasts, an added
// constant mask.

// CHECK-LABEL: func.func @sa7_named_bhtd
// CHECK-SAME: %[[Q:.*]]: tensor<6x3x8xf32>, %[[K:.*]]: tensor<6x3x8xf32>, %[[V:.*]]: tensor<6x3x4xf32>)
// CHECK-NEXT: %[[Q4:.*]] = tensor.expand_shape %[[Q]] {{\[}}[0], [1], [2, 3]] output_shape [6, 3, 1, 8]
// CHECK-NEXT: %[[K4:.*]] = tensor.expand_shape %[[K]]
// CHECK-NEXT: %[[V4:.*]] = tensor.expand_shape %[[V]]
// CHECK-NEXT: %[[O:.*]], %{{.*}} = attnres.attention %[[Q4]], %[[K4]], %[[V4]] {causal, scale = 1.250000e-01 : f64}
// CHECK-NEXT: %[[O3:.*]] = tensor.collapse_shape %[[O]] {{\[.*\]}} : tensor<6x3x1x4xf32> into tensor<6x3x4xf32>
// CHECK-NEXT: return %[[O3]]
func.func @sa7_named_bhtd(%q: tensor<6x3x8xf32>, %k: tensor<6x3x8xf32>, %v: tensor<6x3x4xf32>) -> tensor<6x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %quarter = arith.constant 0.25 : f32
  %half = arith.constant dense<0.5> : tensor<6x3x8xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %es = tensor.empty() : tensor<6x3x3xf32>
  %er = tensor.empty() : tensor<6x3xf32>
  %ek = tensor.empty() : tensor<6x8x3xf32>
  %eo = tensor.empty() : tensor<6x3x4xf32>
  %qs = arith.mulf %q, %half : tensor<6x3x8xf32>
  %kt = linalg.transpose ins(%k : tensor<6x3x8xf32>) outs(%ek : tensor<6x8x3xf32>) permutation = [0, 2, 1]
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %s = linalg.batch_matmul ins(%qs, %kt : tensor<6x3x8xf32>, tensor<6x8x3xf32>) outs(%s0 : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %c = linalg.fill ins(%quarter : f32) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %ss = linalg.mul ins(%c, %s : tensor<6x3x3xf32>, tensor<6x3x3xf32>) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %mb = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%es : tensor<6x3x3xf32>) dimensions = [0]
  %x = linalg.add ins(%ss, %mb : tensor<6x3x3xf32>, tensor<6x3x3xf32>) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<6x3xf32>) -> tensor<6x3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<6x3x3xf32>) outs(%m0 : tensor<6x3xf32>) dimensions = [2]
  %mx = linalg.broadcast ins(%m : tensor<6x3xf32>) outs(%es : tensor<6x3x3xf32>) dimensions = [2]
  %d = linalg.sub ins(%x, %mx : tensor<6x3x3xf32>, tensor<6x3x3xf32>) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %e = linalg.exp ins(%d : tensor<6x3x3xf32>) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<6x3xf32>) -> tensor<6x3xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<6x3x3xf32>) outs(%l0 : tensor<6x3xf32>) dimensions = [2]
  %lx = linalg.broadcast ins(%l : tensor<6x3xf32>) outs(%es : tensor<6x3x3xf32>) dimensions = [2]
  %p = linalg.div ins(%e, %lx : tensor<6x3x3xf32>, tensor<6x3x3xf32>) outs(%es : tensor<6x3x3xf32>) -> tensor<6x3x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<6x3x3xf32>, tensor<6x3x4xf32>) outs(%o0 : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
  return %o : tensor<6x3x4xf32>
}

// -----

// linalg.softmax, matmuls of rank 2, the transpose in the indexing map, the
// keys scaled, a mask from a generic without inputs selected against.

// CHECK-LABEL: func.func @sa7_softmax_rank_2
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<5x8xbf16>
// CHECK: %[[Q4:.*]] = tensor.expand_shape %[[Q]] {{\[.*\]}} output_shape [1, 5, 1, 8]
// CHECK: %[[O:.*]], %{{.*}} = attnres.attention %[[Q4]], %{{.*}}, %{{.*}} {causal, scale = 5.000000e-01 : f64}
// CHECK: tensor.collapse_shape %[[O]] {{\[.*\]}} : tensor<1x5x1x8xbf16> into tensor<5x8xbf16>
func.func @sa7_softmax_rank_2(%q: tensor<5x8xbf16>, %k: tensor<5x8xbf16>, %v: tensor<5x8xbf16>) -> tensor<5x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %ninf = arith.constant dense<0xFF80> : tensor<5x5xbf16>
  %half = arith.constant dense<0.5> : tensor<5x8xbf16>
  %es = tensor.empty() : tensor<5x5xbf16>
  %eo = tensor.empty() : tensor<5x8xbf16>
  %ei = tensor.empty() : tensor<5x5xi1>
  %hidden = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%ei : tensor<5x5xi1>) {
  ^bb0(%out: i1):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %mi = arith.index_cast %m : index to i32
    %ni = arith.index_cast %n : index to i32
    %h = arith.cmpi sgt, %ni, %mi : i32
    linalg.yield %h : i1
  } -> tensor<5x5xi1>
  %ks = arith.mulf %half, %k : tensor<5x8xbf16>
  %s0 = linalg.fill ins(%zero : bf16) outs(%es : tensor<5x5xbf16>) -> tensor<5x5xbf16>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %ks : tensor<5x8xbf16>, tensor<5x8xbf16>) outs(%s0 : tensor<5x5xbf16>) -> tensor<5x5xbf16>
  %x = arith.select %hidden, %ninf, %s : tensor<5x5xi1>, tensor<5x5xbf16>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xbf16>) outs(%es : tensor<5x5xbf16>) -> tensor<5x5xbf16>
  %o0 = linalg.fill ins(%zero : bf16) outs(%eo : tensor<5x8xbf16>) -> tensor<5x8xbf16>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xbf16>, tensor<5x8xbf16>) outs(%o0 : tensor<5x8xbf16>) -> tensor<5x8xbf16>
  return %o : tensor<5x8xbf16>
}

// -----

// linalg.map, linalg.contract, a mask of booleans in a constant, a mask added
// by selection between 0 and -inf. The weights have another use and stay.

// CHECK-LABEL: func.func @sa7_map_and_contract
// CHECK: linalg.softmax
// CHECK: %[[O:.*]], %{{.*}} = attnres.attention %{{.*}} {causal, scale = 3.000000e+00 : f64}
func.func @sa7_map_and_contract(%q: tensor<4x2x8xf32>, %k: tensor<4x2x8xf32>, %v: tensor<4x2x8xf32>) -> (tensor<4x2x8xf32>, tensor<4x2x2xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<4x2x2xf32>
  %zeros_o = arith.constant dense<0.0> : tensor<4x2x8xf32>
  %visible = arith.constant dense<[[[true, false], [true, true]]]> : tensor<1x2x2xi1>
  %es = tensor.empty() : tensor<4x2x2xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<4x2x8xf32>, tensor<4x2x8xf32>) outs(%zeros : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %ss = linalg.map ins(%s : tensor<4x2x2xf32>) outs(%es : tensor<4x2x2xf32>)
    (%a: f32, %out: f32) {
      %c = arith.constant 3.0 : f32
      %y = arith.mulf %a, %c : f32
      linalg.yield %y : f32
    }
  %x = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (0, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ss, %visible : tensor<4x2x2xf32>, tensor<1x2x2xi1>) outs(%es : tensor<4x2x2xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %zero = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    %bias = arith.select %b, %zero, %ninf : f32
    %y = arith.addf %bias, %a : f32
    linalg.yield %y : f32
  } -> tensor<4x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x2x2xf32>) outs(%es : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>]
      ins(%p, %v : tensor<4x2x2xf32>, tensor<4x2x8xf32>) outs(%zeros_o : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  return %o, %p : tensor<4x2x8xf32>, tensor<4x2x2xf32>
}
