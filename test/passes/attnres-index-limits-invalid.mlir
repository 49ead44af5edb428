// G-11: Indices outside, and indices that nothing bounds.
//
// RUN: attnres-opt %s --attnres-index-limits --split-input-file --verify-diagnostics

func.func @main(%w: tensor<9x8xf32>) -> tensor<2x8xf32> {
  %t = arith.constant dense<[3, 9]> : tensor<2xi64>
  // expected-error@+1 {{'attnres.embedding' op chooses 9 of the rows of the table, expected 0 to 8}}
  %x = attnres.embedding %t, %w : tensor<2xi64>, tensor<9x8xf32>
  return %x : tensor<2x8xf32>
}

// -----

func.func @main(%x: tensor<2x8xf32>) -> tensor<f32> {
  %t = arith.constant dense<-1> : tensor<2xi64>
  // expected-error@+1 {{'attnres.cross_entropy' op chooses -1 of the classes, expected -100 or 0 to 7}}
  %l, %e = attnres.cross_entropy %x, %t : tensor<2x8xf32>, tensor<2xi64>
  return %l : tensor<f32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> f32 {
  %i = arith.constant 8 : index
  // expected-error@+1 {{'tensor.extract' op chooses 8 of dimension 0, expected 0 to 7}}
  %e = tensor.extract %x[%i] : tensor<8xf32>
  return %e : f32
}

// -----

// A float.
func.func @main(%w: tensor<9xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.fptosi %a : f32 to i64
    %i = arith.index_cast %r : i64 to index
    // expected-error@+1 {{an index that does not follow from an integer input has to be clamped}}
    %v = tensor.extract %w[%i] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Elements at two positions of one input are two numbers.
func.func @main(%w: tensor<9xf32>, %t: tensor<4xi64>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t, %t : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: i64, %b: i64, %o: f32):
    %d = arith.subi %a, %b : i64
    %i = arith.index_cast %d : i64 to index
    // expected-error@+1 {{'tensor.extract' op chooses from outside of dimension 0, expected 0 to 8, whatever argument 1 is}}
    %v = tensor.extract %w[%i] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// One row, two offsets.
func.func @main(%w: tensor<1xf32>, %t: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %v = tensor.extract %w[%i] : tensor<1xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %j = arith.addi %i, %one : index
    // expected-error@+1 {{'tensor.extract' op chooses from outside of dimension 0, expected 0, whatever argument 1 is}}
    %v = tensor.extract %w[%j] : tensor<1xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Whoever reads integers says what they choose. A launch does not: limits are
// found before there are kernels.
attnres.kernel @k(%t: tensor<4xi64>, %x: tensor<9xf32>) -> tensor<9xf32> {
  attnres.return %x : tensor<9xf32>
}
func.func @main(%t: tensor<4xi64>, %x: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error@+1 {{'attnres.launch' op reads integers and does not say what they choose}}
  %y = attnres.launch @k(%t, %x) operand_groups [-1, -1] result_groups [-1] : (tensor<4xi64>, tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
