// RUN: attnres-opt --split-input-file --attnres-form-kernels %s | FileCheck %s

// Rows that a kernel of its own writes are joined in place, others are copied.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[E:.+]] = attnres.launch @exp(%arg0)
// CHECK-DAG:     %[[COPY:.+]] = attnres.launch @copy(%arg0)
// CHECK:         tensor.concat dim(0) %[[E]], %[[COPY]]
func.func @main(%x: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %e = math.exp %x : tensor<4x8xf32>
  %c = tensor.concat dim(0) %e, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// A tensor that a body reads is an operand of the kernel; scalar constants and
// destinations move in.
// CHECK-LABEL: func.func @main
// CHECK:         attnres.launch @generic(%arg0, %arg1)
// CHECK:       attnres.kernel @generic(%[[T:.+]]: tensor<16x8xf32>, %[[I:.+]]: tensor<4xi64>)
// CHECK:         tensor.empty
// CHECK:         linalg.generic {{.+}} ins(%[[I]]
// CHECK:           %[[C:.+]] = arith.constant 3 : index
// CHECK:           tensor.extract %[[T]][%{{.+}}, %[[C]]]
func.func @main(%t: tensor<16x8xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%j: i64, %o: f32):
    %k = arith.index_cast %j : i64 to index
    %v = tensor.extract %t[%k, %c3] : tensor<16x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// f64 has no row kernels; each operation is a kernel of its own.
// CHECK-LABEL: func.func @main
// CHECK:         attnres.launch @addf(
// CHECK:         attnres.launch @negf(
func.func @main(%x: tensor<2x8xf64>) -> tensor<2x8xf64> {
  %y = arith.addf %x, %x : tensor<2x8xf64>
  %z = arith.negf %y : tensor<2x8xf64>
  return %z : tensor<2x8xf64>
}

// -----

// What is no memory is copied when it is looked at or returned.
// CHECK-LABEL: func.func @main
// CHECK:         %[[C:.+]] = attnres.launch @copy()
// CHECK:         tensor.expand_shape %[[C]]
func.func @main() -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.expand_shape %f [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %v : tensor<2x4xf32>
}
