// Comparisons of indices in narrow types: raised when no step wraps for these
// sizes, otherwise left alone.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// Indices up to 4 in four bits.

// CHECK-LABEL: func.func @sa7_cast_to_i4
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_cast_to_i4(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %c = arith.cmpi sge, %mi, %ni : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// In three bits 4 is -4.

// CHECK-LABEL: func.func @sa7_cast_to_i3
// CHECK-NOT: attnres.attention
func.func @sa7_cast_to_i3(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i3
    %ni = arith.index_cast %n : index to i3
    %c = arith.cmpi sge, %mi, %ni : i3
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Through i32 to four bits.

// CHECK-LABEL: func.func @sa7_truncated_to_i4
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_truncated_to_i4(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i32
    %ni = arith.index_cast %n : index to i32
    %mt = arith.trunci %mi : i32 to i4
    %nt = arith.trunci %ni : i32 to i4
    %c = arith.cmpi sge, %mt, %nt : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Through i32 to three bits.

// CHECK-LABEL: func.func @sa7_truncated_to_i3
// CHECK-NOT: attnres.attention
func.func @sa7_truncated_to_i3(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i32
    %ni = arith.index_cast %n : index to i32
    %mt = arith.trunci %mi : i32 to i3
    %nt = arith.trunci %ni : i32 to i3
    %c = arith.cmpi sge, %mt, %nt : i3
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// 4 + 3 in four bits.

// CHECK-LABEL: func.func @sa7_sum_that_fits
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_sum_that_fits(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %three = arith.constant 3 : i4
    %ms = arith.addi %mi, %three : i4
    %ns = arith.addi %ni, %three : i4
    %c = arith.cmpi sge, %ms, %ns : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// 4 + 4 in four bits is -8.

// CHECK-LABEL: func.func @sa7_sum_that_wraps
// CHECK-NOT: attnres.attention
func.func @sa7_sum_that_wraps(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %four = arith.constant 4 : i4
    %ms = arith.addi %mi, %four : i4
    %ns = arith.addi %ni, %four : i4
    %c = arith.cmpi sge, %ms, %ns : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// -4 - 5 in four bits is 7.

// CHECK-LABEL: func.func @sa7_difference_that_wraps
// CHECK-NOT: attnres.attention
func.func @sa7_difference_that_wraps(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %five = arith.constant 5 : i4
    %d = arith.subi %mi, %ni : i4
    %e = arith.subi %d, %five : i4
    %f = arith.constant -6 : i4
    %c = arith.cmpi sgt, %e, %f : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Numbers that are not negative compare alike without sign.

// CHECK-LABEL: func.func @sa7_unsigned
// CHECK: attnres.attention {{.*}}causal
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
    %mi = arith.index_cast %m : index to i32
    %ni = arith.index_cast %n : index to i32
    %c = arith.cmpi uge, %mi, %ni : i32
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// A difference without sign is never below 0, so that nothing is hidden: raised
// without a mask.

// CHECK-LABEL: func.func @sa7_unsigned_difference
// CHECK: attnres.attention %{{[^{]*}} {scale
func.func @sa7_unsigned_difference(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %zeroth = arith.constant 0 : index
    %d = arith.subi %m, %n : index
    %c = arith.cmpi uge, %d, %zeroth : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Extended without sign, a negative difference is large; nothing is hidden.

// CHECK-LABEL: func.func @sa7_extended_difference
// CHECK: attnres.attention %{{[^{]*}} {scale
func.func @sa7_extended_difference(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %d = arith.subi %mi, %ni : i4
    %w = arith.extui %d : i4 to i32
    %zeroth = arith.constant 0 : i32
    %c = arith.cmpi sge, %w, %zeroth : i32
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// The same by a cast to an index.

// CHECK-LABEL: func.func @sa7_cast_without_sign
// CHECK: attnres.attention %{{[^{]*}} {scale
func.func @sa7_cast_without_sign(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %d = arith.subi %mi, %ni : i4
    %w = arith.index_castui %d : i4 to index
    %zeroth = arith.constant 0 : index
    %c = arith.cmpi sge, %w, %zeroth : index
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Extended with sign it stays.

// CHECK-LABEL: func.func @sa7_extended
// CHECK: attnres.attention {{.*}}causal
func.func @sa7_extended(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %d = arith.subi %mi, %ni : i4
    %w = arith.extsi %d : i4 to i32
    %zeroth = arith.constant 0 : i32
    %c = arith.cmpi sge, %w, %zeroth : i32
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// -----

// Products of indices are not looked into.

// CHECK-LABEL: func.func @sa7_multiplied
// CHECK-NOT: attnres.attention
func.func @sa7_multiplied(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %es: tensor<5x5xf32>, %eo: tensor<5x6xf32>) -> tensor<5x6xf32> {
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
    %mi = arith.index_cast %m : index to i4
    %ni = arith.index_cast %n : index to i4
    %two = arith.constant 2 : i4
    %ms = arith.muli %mi, %two : i4
    %ns = arith.muli %ni, %two : i4
    %c = arith.cmpi sge, %ms, %ns : i4
    %r = arith.select %c, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x5xf32>) outs(%es : tensor<5x5xf32>) -> tensor<5x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x6xf32>) -> tensor<5x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x6xf32>) outs(%o0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}
