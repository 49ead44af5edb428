// G-11: What the elements of integer inputs may be.
//
// RUN: attnres-opt %s --attnres-index-limits --split-input-file | FileCheck %s

// Rows of a table, classes, and a target that is ignored.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2x8xi64> {attnres.limits = array<i64: 0, 99>, attnres.name = "tokens"}
// CHECK-SAME: %{{.*}}: tensor<2x8xi64> {attnres.limits = array<i64: -100, -100, 0, 255>, attnres.name = "targets"}
// CHECK-SAME: %{{.*}}: tensor<2x8xi64> {attnres.limits = array<i64: 0, 6>
// CHECK-SAME: %{{.*}}: tensor<2x8xi64> {attnres.name = "unused"}
func.func @main(%w: tensor<100x8xf32>, %u: tensor<256x8xf32>, %tokens: tensor<2x8xi64> {attnres.name = "tokens"}, %targets: tensor<2x8xi64> {attnres.name = "targets"},
    %other: tensor<2x8xi64>, %unused: tensor<2x8xi64> {attnres.name = "unused"}, %y: tensor<2x8x7xf32>) -> (tensor<f32>, tensor<f32>) {
  %x = attnres.embedding %tokens, %w : tensor<2x8xi64>, tensor<100x8xf32>
  %l, %e = attnres.linear_cross_entropy %x, %u, %targets : tensor<2x8x8xf32>, tensor<256x8xf32>, tensor<2x8xi64>
  %m, %f = attnres.cross_entropy %y, %other {ignore_index = 3 : i64} : tensor<2x8x7xf32>, tensor<2x8xi64>
  return %l, %m : tensor<f32>, tensor<f32>
}

// -----

// Two tables: inside both.

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4xi64> {attnres.limits = array<i64: 0, 8>}
func.func @main(%w: tensor<9x8xf32>, %u: tensor<20x8xf32>, %tokens: tensor<4xi64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %x = attnres.embedding %tokens, %w : tensor<4xi64>, tensor<9x8xf32>
  %y = attnres.embedding %tokens, %u : tensor<4xi64>, tensor<20x8xf32>
  return %x, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Negative indices count from the end, as JAX has them, in several operations.

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x3xi64> {attnres.limits = array<i64: -256, 255>}
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%w: tensor<256x5xf32>, %tokens: tensor<2x3xi64>) -> tensor<2x3x1x5xf32> {
  %zero = arith.constant 0 : i64
  %size = arith.constant 256 : i64
  %e1 = tensor.empty() : tensor<2x3xi1>
  %e64 = tensor.empty() : tensor<2x3xi64>
  %e32 = tensor.empty() : tensor<2x3xi32>
  %below = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%tokens : tensor<2x3xi64>) outs(%e1 : tensor<2x3xi1>) {
  ^bb0(%a: i64, %o: i1):
    %c = arith.cmpi slt, %a, %zero : i64
    linalg.yield %c : i1
  } -> tensor<2x3xi1>
  %plus = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%tokens : tensor<2x3xi64>) outs(%e64 : tensor<2x3xi64>) {
  ^bb0(%a: i64, %o: i64):
    %c = arith.addi %a, %size : i64
    linalg.yield %c : i64
  } -> tensor<2x3xi64>
  %chosen = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%below, %plus, %tokens : tensor<2x3xi1>, tensor<2x3xi64>, tensor<2x3xi64>) outs(%e64 : tensor<2x3xi64>) {
  ^bb0(%c: i1, %a: i64, %b: i64, %o: i64):
    %d = arith.select %c, %a, %b : i64
    linalg.yield %d : i64
  } -> tensor<2x3xi64>
  %narrow = arith.trunci %chosen : tensor<2x3xi64> to tensor<2x3xi32>
  %shaped = tensor.expand_shape %narrow [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %e = tensor.empty() : tensor<2x3x1x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k)>, affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%shaped : tensor<2x3x1xi32>) outs(%e : tensor<2x3x1x5xf32>) {
  ^bb0(%a: i32, %o: f32):
    %row = arith.index_cast %a : i32 to index
    %column = linalg.index 3 : index
    %v = tensor.extract %w[%row, %column] : tensor<256x5xf32>
    linalg.yield %v : f32
  } -> tensor<2x3x1x5xf32>
  return %x : tensor<2x3x1x5xf32>
}

// -----

// Clamped: anything.

// CHECK-LABEL: func.func @main
// CHECK-NOT: attnres.limits
func.func @main(%w: tensor<9xf32>, %tokens: tensor<4xi64>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %eight = arith.constant 8 : index
  %nine = arith.constant 9 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%tokens : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %j = arith.maxsi %i, %zero : index
    %k = arith.minsi %j, %eight : index
    %v = tensor.extract %w[%k] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  // A float that is rounded, and what remains of it.
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.fptosi %a : f32 to i64
    %i = arith.index_cast %r : i64 to index
    %k = arith.remui %i, %nine : index
    %v = tensor.extract %w[%k] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Positions: of caches, of rotations, of selections, of slices. How many rows a
// cache gets.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 5>}
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 8>}
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 4>}
// CHECK-SAME: %{{.*}}: index {attnres.limits = array<i64: 0, 1>}
func.func @main(%c: tensor<2x9x2x8xf32>, %x: tensor<2x4x2x8xf32>, %s: tensor<2xi64>, %p: tensor<2xi64>, %n: tensor<2xi64>, %i: index)
    -> (tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2x1x2x8xf32>, tensor<2x3x2x8xf32>) {
  %w = attnres.cache_write %c, %x at(%s) length(%n) : tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2xi64>, tensor<2xi64>
  %r = attnres.rope %x start(%s) {theta = 1.0e1 : f64, positions = 11 : i64} : tensor<2x4x2x8xf32>, tensor<2xi64>
  %o, %l = attnres.attention %x, %c, %c start(%s) {causal} : tensor<2x4x2x8xf32>, tensor<2x9x2x8xf32>, tensor<2x9x2x8xf32>, tensor<2xi64>
  %t = attnres.select_token %c at(%p) : tensor<2x9x2x8xf32>, tensor<2xi64>
  %u = tensor.extract_slice %x[0, %i, 0, 0] [2, 3, 2, 8] [1, 1, 1, 1] : tensor<2x4x2x8xf32> to tensor<2x3x2x8xf32>
  return %w, %r, %o, %t, %u : tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2x1x2x8xf32>, tensor<2x3x2x8xf32>
}

// -----

// A start and a loop; a factor; a narrow type.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<i64> {attnres.limits = array<i64: 0, 5>}
// CHECK-SAME: %{{.*}}: tensor<4xi32> {attnres.limits = array<i64: 0, 2>}
// CHECK-SAME: %{{.*}}: tensor<4xi8> {attnres.limits = array<i64: 0, 127>}
func.func @main(%w: tensor<9xf32>, %v: tensor<200xf32>, %start: tensor<i64>, %n: tensor<4xi32>, %b: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %three = arith.constant 3 : i32
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%start : tensor<i64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %t = linalg.index 0 : index
    %k = arith.addi %i, %t : index
    %y = tensor.extract %w[%k] : tensor<9xf32>
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %p = arith.muli %a, %three : i32
    %k = arith.index_cast %p : i32 to index
    %z = tensor.extract %w[%k] : tensor<9xf32>
    linalg.yield %z : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%b : tensor<4xi8>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %k = arith.index_cast %a : i8 to index
    %u = tensor.extract %v[%k] : tensor<200xf32>
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %x, %y, %z : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Through a call, a slice, a concatenation with a constant.

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4xi64> {attnres.limits = array<i64: -1, 7>}
func.func @main(%w: tensor<9x8xf32>, %tokens: tensor<4xi64>) -> tensor<4x8xf32> {
  %x = call @look(%tokens, %w) : (tensor<4xi64>, tensor<9x8xf32>) -> tensor<4x8xf32>
  return %x : tensor<4x8xf32>
}
func.func private @look(%tokens: tensor<4xi64>, %w: tensor<9x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant dense<1> : tensor<4xi64>
  %bos = arith.constant dense<8> : tensor<1xi64>
  %next = arith.addi %tokens, %one : tensor<4xi64>
  %rest = tensor.extract_slice %next[0] [3] [1] : tensor<4xi64> to tensor<3xi64>
  %all = tensor.concat dim(0) %bos, %rest : (tensor<1xi64>, tensor<3xi64>) -> tensor<4xi64>
  %x = attnres.embedding %all, %w : tensor<4xi64>, tensor<9x8xf32>
  return %x : tensor<4x8xf32>
}

// -----

// The sum of two inputs, each inside a range of its own: a token of a text that
// begins somewhere.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 13>}
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 2>}
func.func @main(%c: tensor<2x16x2x8xf32>, %x: tensor<2x3x2x8xf32>, %start: tensor<2xi64>, %at: tensor<2xi64>) -> (tensor<2x16x2x8xf32>, tensor<2x1x2x8xf32>) {
  %sum = arith.addi %start, %at : tensor<2xi64>
  %one = attnres.select_token %x at(%at) : tensor<2x3x2x8xf32>, tensor<2xi64>
  %r = attnres.rope %one start(%sum) {theta = 1.0e1 : f64, positions = 16 : i64} : tensor<2x1x2x8xf32>, tensor<2xi64>
  %w = attnres.cache_write %c, %x at(%start) : tensor<2x16x2x8xf32>, tensor<2x3x2x8xf32>, tensor<2xi64>
  return %w, %r : tensor<2x16x2x8xf32>, tensor<2x1x2x8xf32>
}

// -----

// Constant targets, some of them ignored.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<5x9xf32>) -> tensor<f32> {
  %t = arith.constant dense<[8, -100, 0, -100, 3]> : tensor<5xi64>
  %l, %e = attnres.cross_entropy %x, %t : tensor<5x9xf32>, tensor<5xi64>
  return %l : tensor<f32>
}

// -----

// A text has from none to all of the tokens.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2xi64> {attnres.limits = array<i64: 0, 3>}
func.func @main(%q: tensor<2x3x1x4xf32>, %b: tensor<2x3x1xf32>, %n: tensor<2xi64>) -> tensor<2x3x1x4xf32> {
  %o, %s = attnres.kda %q, %q, %q, %q, %b length(%n)
      : tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>, tensor<2x3x1xf32>, tensor<2xi64>
  return %o : tensor<2x3x1x4xf32>
}

// -----

// What a router chooses is an expert; what an input chooses, a matrix.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<3x2xi64> {attnres.limits = array<i64: 0, 4>}
func.func @main(%l: tensor<3x5xf32>, %b: tensor<5xf32>, %w: tensor<5x7x5xf32>, %e: tensor<3x2xi64>)
    -> (tensor<3x2x7xf32>, tensor<3x2x7xf32>) {
  %chosen, %weights = attnres.router %l, %b {top_k = 2 : i64} : tensor<3x5xf32>, tensor<5xf32>
  %x = attnres.grouped_linear %l, %w, %chosen : tensor<3x5xf32>, tensor<5x7x5xf32>, tensor<3x2xi64>
  %y = attnres.grouped_linear %l, %w, %e : tensor<3x5xf32>, tensor<5x7x5xf32>, tensor<3x2xi64>
  return %x, %y : tensor<3x2x7xf32>, tensor<3x2x7xf32>
}
