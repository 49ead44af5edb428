// Attention but for one detail each: nothing may be raised. Where a function is
// raised, its comment says so: the others differ from it.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// All five steps: raised.

// CHECK-LABEL: func.func @sa7_steps
// CHECK: attnres.attention
func.func @sa7_steps(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The maximum of another tensor is subtracted.

// CHECK-LABEL: func.func @sa7_maximum_of_another_tensor
// CHECK-NOT: attnres.attention
func.func @sa7_maximum_of_another_tensor(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>, %other: tensor<5x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%other : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A given shift instead of the maximum: the quotient is the same, the range is not.

// CHECK-LABEL: func.func @sa7_no_maximum
// CHECK-NOT: attnres.attention
func.func @sa7_no_maximum(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>, %other: tensor<5x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %other : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The maximum starts from 0.

// CHECK-LABEL: func.func @sa7_maximum_from_zero
// CHECK-NOT: attnres.attention
func.func @sa7_maximum_from_zero(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A minimum.

// CHECK-LABEL: func.func @sa7_minimum
// CHECK-NOT: attnres.attention
func.func @sa7_minimum(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.minimumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The maximum runs over the queries and is broadcast along them.

// CHECK-LABEL: func.func @sa7_maximum_over_rows
// CHECK-NOT: attnres.attention
func.func @sa7_maximum_over_rows(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [0]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Maximum and sum run over the queries: a softmax over the wrong dimension.

// CHECK-LABEL: func.func @sa7_statistics_over_rows
// CHECK-NOT: attnres.attention
func.func @sa7_statistics_over_rows(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [0]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [0]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [0]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [0]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Maximum and sum run over the queries but are broadcast along the keys.

// CHECK-LABEL: func.func @sa7_transposed_statistics
// CHECK-NOT: attnres.attention
func.func @sa7_transposed_statistics(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [0]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [0]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The sum starts from 1, as a softmax with a sink does.

// CHECK-LABEL: func.func @sa7_sum_from_one
// CHECK-NOT: attnres.attention
func.func @sa7_sum_from_one(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%one : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The sum is taken before the exponential.

// CHECK-LABEL: func.func @sa7_sum_of_logits
// CHECK-NOT: attnres.attention
func.func @sa7_sum_of_logits(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%d : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A product in place of the sum.

// CHECK-LABEL: func.func @sa7_product_for_sum
// CHECK-NOT: attnres.attention
func.func @sa7_product_for_sum(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.mulf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The sum of another tensor.

// CHECK-LABEL: func.func @sa7_sum_of_another_tensor
// CHECK-NOT: attnres.attention
func.func @sa7_sum_of_another_tensor(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>, %other: tensor<5x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%other : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The weights are not divided.

// CHECK-LABEL: func.func @sa7_undivided
// CHECK-NOT: attnres.attention
func.func @sa7_undivided(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%e, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Divided by the maximum.

// CHECK-LABEL: func.func @sa7_divided_by_maximum
// CHECK-NOT: attnres.attention
func.func @sa7_divided_by_maximum(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The quotient is upside down.

// CHECK-LABEL: func.func @sa7_inverted
// CHECK-NOT: attnres.attention
func.func @sa7_inverted(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%lx, %e : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The product takes the scores.

// CHECK-LABEL: func.func @sa7_other_weights
// CHECK-NOT: attnres.attention
func.func @sa7_other_weights(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%s, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The product with V starts from 1.

// CHECK-LABEL: func.func @sa7_output_from_one
// CHECK-NOT: attnres.attention
func.func @sa7_output_from_one(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%s, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%one : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A scale that differs from row to row.

// CHECK-LABEL: func.func @sa7_scale_for_each_row
// CHECK-NOT: attnres.attention
func.func @sa7_scale_for_each_row(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>, %other: tensor<5x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.mul ins(%s, %other : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A constant scale that differs from row to row.

// CHECK-LABEL: func.func @sa7_constant_scale_for_each_row
// CHECK-NOT: attnres.attention
func.func @sa7_constant_scale_for_each_row(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %f = arith.constant dense<[1.0, 1.0, 1.0, 1.0, 2.0]> : tensor<5xf32>
  %fx = linalg.broadcast ins(%f : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %x = linalg.mul ins(%s, %fx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A bias on the scores.

// CHECK-LABEL: func.func @sa7_bias
// CHECK-NOT: attnres.attention
func.func @sa7_bias(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>, %other: tensor<5x5xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.add ins(%s, %other : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The scores are multiplied by themselves.

// CHECK-LABEL: func.func @sa7_square
// CHECK-NOT: attnres.attention
func.func @sa7_square(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.mul ins(%s, %s : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// An infinite scale.

// CHECK-LABEL: func.func @sa7_infinite_scale
// CHECK-NOT: attnres.attention
func.func @sa7_infinite_scale(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.mul ins(%s, %f : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A constant divided by the scores.

// CHECK-LABEL: func.func @sa7_divided_constant
// CHECK-NOT: attnres.attention
func.func @sa7_divided_constant(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %er: tensor<5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %f = linalg.fill ins(%one : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.div ins(%f, %s : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %mx = linalg.broadcast ins(%m : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %mx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = linalg.exp ins(%d : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%l0 : tensor<5xf32>) dimensions = [1]
  %lx = linalg.broadcast ins(%l : tensor<5xf32>) outs(%es : tensor<5x5xf32>) dimensions = [1]
  %p = linalg.div ins(%e, %lx : tensor<5x5xf32>, tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}
