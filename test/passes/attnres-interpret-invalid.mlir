// RUN: attnres-opt %s --split-input-file --verify-diagnostics --attnres-interpret

func.func @la3_differs() {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 2.5, 3.5]> : tensor<3xf32>
  // expected-error @below {{expected element 1 to be 2.5, got 2; 2 of 3 elements differ}}
  attnres.expect_close %a, %b {atol = 0.1 : f64, rtol = 0.0 : f64} : tensor<3xf32>
  return
}

// -----

func.func @la3_infinite() {
  %a = arith.constant dense<[0x7F800000, 0x7F800000]> : tensor<2xf32>
  %b = arith.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  // expected-error @below {{expected element 1 to be -inf, got inf; 1 of 2 elements differ}}
  attnres.expect_close %a, %b {atol = 1.0e30 : f64, rtol = 1.0 : f64} : tensor<2xf32>
  return
}

// -----

func.func @unknown(%x: memref<2xf32>) {
  return
}

func.func @operation() {
  // expected-error @below {{'memref.alloc' op has no reference evaluation}}
  %m = memref.alloc() : memref<2xf32>
  return
}

// -----

func.func @scalar_body() {
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %y = linalg.map ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>)
    (%in: f32, %out: f32) {
      // expected-error @below {{has no reference evaluation in a scalar body}}
      %bits = arith.bitcast %in : f32 to i32
      %same = arith.bitcast %bits : i32 to f32
      linalg.yield %same : f32
    }
  return
}

// -----

func.func @el1_token() {
  %w = arith.constant dense<1.0> : tensor<3x2xf32>
  %t = arith.constant dense<[0, 3]> : tensor<2xi64>
  // expected-error @below {{expected tokens in [0, 3), got 3 at position 1}}
  %x = attnres.embedding %t, %w : tensor<2xi64>, tensor<3x2xf32>
  return
}

// -----

func.func @g11_cache_write() {
  %c = arith.constant dense<1.0> : tensor<2x5x1x2xf32>
  %x = arith.constant dense<1.0> : tensor<2x3x1x2xf32>
  %s = arith.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @below {{expected a start from 0 to 2, got 3 in row 1}}
  %y = attnres.cache_write %c, %x at(%s) : tensor<2x5x1x2xf32>, tensor<2x3x1x2xf32>, tensor<2xi64>
  return
}

// -----

func.func @g11_select_token() {
  %x = arith.constant dense<1.0> : tensor<2x3x2xf32>
  %i = arith.constant dense<[3, 0]> : tensor<2xi64>
  // expected-error @below {{expected a token from 0 to 2, got 3 in row 0}}
  %y = attnres.select_token %x at(%i) : tensor<2x3x2xf32>, tensor<2xi64>
  return
}

// -----

func.func @g11_cached_attention() {
  %c = arith.constant dense<1.0> : tensor<2x5x1x2xf32>
  %x = arith.constant dense<1.0> : tensor<2x3x1x2xf32>
  %s = arith.constant dense<[-1, 2]> : tensor<2xi64>
  // expected-error @below {{expected a start from 0 to 2, got -1 in row 0}}
  %o, %l = attnres.attention %x, %c, %c start(%s) {causal} : tensor<2x3x1x2xf32>, tensor<2x5x1x2xf32>, tensor<2x5x1x2xf32>, tensor<2xi64>
  return
}

// -----

func.func @g11_rope() {
  %x = arith.constant dense<1.0> : tensor<2x3x1x2xf32>
  %s = arith.constant dense<[0, 6]> : tensor<2xi64>
  // expected-error @below {{expected a start from 0 to 5, got 6 in row 1}}
  %y = attnres.rope %x start(%s) {theta = 1.0e4 : f64, positions = 8 : i64} : tensor<2x3x1x2xf32>, tensor<2xi64>
  return
}

// -----

func.func @el3_target() {
  %x = arith.constant dense<1.0> : tensor<2x3xf32>
  %t = arith.constant dense<[-100, -1]> : tensor<2xi64>
  // expected-error @below {{expected targets in [0, 3) or -100, got -1 at position 1}}
  %loss, %lse = attnres.cross_entropy %x, %t : tensor<2x3xf32>, tensor<2xi64>
  return
}

// -----

func.func @g11_slice() {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %i = arith.constant 3 : index
  // expected-error @below {{takes elements 3 to 4 of dimension 0 of size 4}}
  %y = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return
}

// -----

func.func @g11_element() {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %i = arith.constant 4 : index
  // expected-error @below {{accesses index 4 of a dimension of size 4}}
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return
}

// -----

func.func @forever() {
  // expected-error @below {{is nested in more than 256 calls}}
  call @forever() : () -> ()
  return
}

// -----

func.func private @elsewhere() -> tensor<2xf32>

func.func @declared() {
  // expected-error @below {{expected a function with a body named @elsewhere}}
  %x = call @elsewhere() : () -> tensor<2xf32>
  return
}

// -----

// expected-error @below {{expected a function of one block to evaluate, got 2}}
func.func @blocks() {
  cf.br ^end
^end:
  return
}

// -----

func.func @weights() {
  %w = arith.constant dense<1.0> : tensor<2xf32>
  %v = arith.constant dense<1.0> : tensor<3x5xf32>
  %h = attnres.launch @mix(%w, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<2xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

attnres.kernel @mix(%w: tensor<2xf32>, %v: !attnres.list<tensor<3x5xf32>>) -> tensor<3x5xf32> {
  // expected-error @below {{expected one weight for each of 1 sources, got 2}}
  %h = attnres.static_mix %w, %v : (tensor<2xf32>, !attnres.list<tensor<3x5xf32>>)
  attnres.return %h : tensor<3x5xf32>
}

// -----

func.func @large() {
  %c = arith.constant 1.0 : f32
  // expected-error @below {{makes a tensor of more than 268435456 elements, which the interpreter refuses}}
  %x = tensor.splat %c : tensor<1099511627776x1099511627776xf32>
  return
}

// -----

func.func @negative() {
  %n = arith.constant -1 : index
  // expected-error @below {{makes a dimension of size -1}}
  %x = tensor.empty(%n) : tensor<?xf32>
  return
}

// -----

func.func @wide() {
  %a = arith.constant 1 : i8
  %b = arith.extui %a : i8 to i16
  // expected-error @below {{'arith.extui' op has no reference evaluation}}
  %c = arith.extui %b : i16 to i128
  return
}

// -----

// A pooling whose window sticks out.
func.func @window() {
  %n = arith.constant 9 : index
  %x = arith.constant dense<1.0> : tensor<8xf32>
  %w = tensor.empty(%n) : tensor<?xf32>
  %o = arith.constant dense<0.0> : tensor<2xf32>
  // expected-error @below {{accesses an element outside of an operand}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<8xf32>, tensor<?xf32>) outs(%o : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return
}
