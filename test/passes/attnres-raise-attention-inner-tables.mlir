// A tensor that is made in the body is no operand of anything outside of it:
// neither rows of a table nor joined tensors.
// MM-8.
//
// RUN: attnres-opt %s --attnres-raise-attention | FileCheck %s

// CHECK-LABEL: func.func @table_in_body
// CHECK-NOT: attnres.
func.func @table_in_body(%t: tensor<3xi64>, %w: tensor<7x2x2xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%token: i64, %o: f32):
    %d = linalg.index 1 : index
    %i = arith.index_cast %token : i64 to index
    %table = tensor.collapse_shape %w [[0], [1, 2]] : tensor<7x2x2xf32> into tensor<7x4xf32>
    %v = tensor.extract %table[%i, %d] : tensor<7x4xf32>
    linalg.yield %v : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @parts_in_body
// CHECK-NOT: tensor.concat
func.func @parts_in_body(%a: tensor<2x2xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %half = arith.constant 4 : index
    %i = linalg.index 0 : index
    %first = arith.cmpi ult, %i, %half : index
    %v = scf.if %first -> (f32) {
      %flat = tensor.collapse_shape %a [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
      %l = tensor.extract %flat[%i] : tensor<4xf32>
      scf.yield %l : f32
    } else {
      %j = arith.subi %i, %half : index
      %l = tensor.extract %b[%j] : tensor<4xf32>
      scf.yield %l : f32
    }
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
