// Attention but for one detail each: nothing may be raised. Where a function is
// raised, its comment says so: the others differ from it.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// Keys up to the query: raised.

// CHECK-LABEL: func.func @sa7_masked
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_masked(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The same by a difference of indices: raised.

// CHECK-LABEL: func.func @sa7_masked_by_difference
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_masked_by_difference(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c4 = arith.constant -1 : index
    %diff = arith.subi %m, %n : index
    %c = arith.cmpi sgt, %diff, %c4 : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// softmax over the queries.

// CHECK-LABEL: func.func @sa7_softmax_over_queries
// CHECK-NOT: attnres.attention
func.func @sa7_softmax_over_queries(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(0) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The query itself is hidden.

// CHECK-LABEL: func.func @sa7_strictly_lower
// CHECK-NOT: attnres.attention
func.func @sa7_strictly_lower(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sgt, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// One key after the query is visible.

// CHECK-LABEL: func.func @sa7_one_more
// CHECK-NOT: attnres.attention
func.func @sa7_one_more(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %one = arith.constant 1 : index
    %m1 = arith.addi %m, %one : index
    %c = arith.cmpi sge, %m1, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Earlier keys are hidden.

// CHECK-LABEL: func.func @sa7_upper
// CHECK-NOT: attnres.attention
func.func @sa7_upper(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Later keys are kept, the others hidden.

// CHECK-LABEL: func.func @sa7_selection_the_wrong_way
// CHECK-NOT: attnres.attention
func.func @sa7_selection_the_wrong_way(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %ninf, %a : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Only the query itself is visible.

// CHECK-LABEL: func.func @sa7_diagonal
// CHECK-NOT: attnres.attention
func.func @sa7_diagonal(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi eq, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Unsigned comparison of differences, which hides nothing: raised without a mask.

// CHECK-LABEL: func.func @sa7_unsigned
// CHECK: attnres.attention %{{[^{]*}} {scale
func.func @sa7_unsigned(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c4 = arith.constant 0 : index
    %diff = arith.subi %m, %n : index
    %c = arith.cmpi uge, %diff, %c4 : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A number in place of -inf that is far below any score: raised.

// CHECK-LABEL: func.func @sa7_finite_stand_in
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_finite_stand_in(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %low = arith.constant -1.0e9 : f32
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A number that is not far enough.

// CHECK-LABEL: func.func @sa7_small_stand_in
// CHECK-NOT: attnres.attention
func.func @sa7_small_stand_in(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %low = arith.constant -1.0e8 : f32
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The same mask twice: raised.

// CHECK-LABEL: func.func @sa7_masked_twice
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_masked_twice(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    %r0 = arith.select %c, %a, %ninf : f32
    %r = arith.select %c, %r0, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A mask under a factor, which would turn -inf around if negative.

// CHECK-LABEL: func.func @sa7_masked_then_scaled
// CHECK-NOT: attnres.attention
func.func @sa7_masked_then_scaled(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %low = arith.constant -1.0 : f32
    %c = arith.cmpi sge, %m, %n : index
    %r0 = arith.select %c, %a, %ninf : f32
    %r = arith.mulf %r0, %low : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// 1, not 0, is added to the visible scores.

// CHECK-LABEL: func.func @sa7_masked_plus_one
// CHECK-NOT: attnres.attention
func.func @sa7_masked_plus_one(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %one = arith.constant 1.0 : f32
    %c = arith.cmpi sge, %m, %n : index
    %bias = arith.select %c, %one, %ninf : f32
    %r = arith.addf %a, %bias : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// More keys than queries, aligned at the top left.

// CHECK-LABEL: func.func @sa7_aligned_top_left
// CHECK-NOT: attnres.attention
func.func @sa7_aligned_top_left(%q: tensor<3x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<3x5xf32>, %eo: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<3x5xf32>) -> tensor<3x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<3x8xf32>, tensor<5x8xf32>) outs(%s0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<3x5xf32>) outs(%es : tensor<3x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%es : tensor<3x5xf32>) -> tensor<3x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// Fewer keys than queries: the first rows are NaN.

// CHECK-LABEL: func.func @sa7_fewer_keys
// CHECK-NOT: attnres.attention
func.func @sa7_fewer_keys(%q: tensor<5x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x6xf32>, %es: tensor<5x3xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<5x3xf32>) -> tensor<5x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<5x8xf32>, tensor<3x8xf32>) outs(%s0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x3xf32>) outs(%es : tensor<5x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %two = arith.constant 2 : index
    %n2 = arith.addi %n, %two : index
    %c = arith.cmpi sge, %m, %n2 : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x3xf32>) outs(%es : tensor<5x3xf32>) -> tensor<5x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x3xf32>, tensor<3x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A constant mask: raised.

// CHECK-LABEL: func.func @sa7_constant_mask
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_constant_mask(%q: tensor<3x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x6xf32>, %es: tensor<3x3xf32>, %eo: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<3x8xf32>, tensor<3x8xf32>) outs(%s0 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %x = linalg.add ins(%s, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x3xf32>, tensor<3x6xf32>) outs(%o0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// A constant mask that hides one key more.

// CHECK-LABEL: func.func @sa7_constant_mask_with_a_hole
// CHECK-NOT: attnres.attention
func.func @sa7_constant_mask_with_a_hole(%q: tensor<3x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x6xf32>, %es: tensor<3x3xf32>, %eo: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<3x8xf32>, tensor<3x8xf32>) outs(%s0 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0xFF800000, 0.0, 0.0]]> : tensor<3x3xf32>
  %x = linalg.add ins(%s, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x3xf32>, tensor<3x6xf32>) outs(%o0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// A constant mask that adds 1 to one score.

// CHECK-LABEL: func.func @sa7_constant_mask_with_a_bias
// CHECK-NOT: attnres.attention
func.func @sa7_constant_mask_with_a_bias(%q: tensor<3x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x6xf32>, %es: tensor<3x3xf32>, %eo: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<3x8xf32>, tensor<3x8xf32>) outs(%s0 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %x = linalg.add ins(%s, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x3xf32>, tensor<3x6xf32>) outs(%o0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// A constant mask the other way round.

// CHECK-LABEL: func.func @sa7_constant_mask_transposed
// CHECK-NOT: attnres.attention
func.func @sa7_constant_mask_transposed(%q: tensor<3x8xf32>, %k: tensor<3x8xf32>, %v: tensor<3x6xf32>, %es: tensor<3x3xf32>, %eo: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<3x8xf32>, tensor<3x8xf32>) outs(%s0 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %mask = arith.constant dense<[[0.0, 0.0, 0.0], [0xFF800000, 0.0, 0.0], [0xFF800000, 0xFF800000, 0.0]]> : tensor<3x3xf32>
  %x = linalg.add ins(%s, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x3xf32>) outs(%es : tensor<3x3xf32>) -> tensor<3x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x3xf32>, tensor<3x6xf32>) outs(%o0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}
