// RUN: attnres-opt %s --attnres-split-reductions --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-split-reductions="rows=10 most=3" --split-input-file | FileCheck %s --check-prefix=FEW
// RUN: attnres-opt %S/../interpret/rms_norm_backward.mlir --attnres-split-reductions="rows=1 most=2" --attnres-interpret
// RUN: attnres-opt %S/../interpret/depth_attention_backward.mlir --attnres-split-reductions="rows=1 most=2" --attnres-interpret

// Sums over 100 rows become sums of 7 ranges, of at least 16 rows each, and
// their sum; what no sum over rows is stays.
// CHECK-LABEL: func.func @norm
// CHECK: %[[DX:.*]], %[[PARTS:.*]] = attnres.rms_norm_backward {{.*}}partials = 7 : i64
// CHECK: %[[SUM:.*]] = attnres.sum_rows %[[PARTS]] : tensor<7x8xf32>
// CHECK: return %[[DX]], %[[SUM]] : tensor<100x8xf32>, tensor<8xf32>
// FEW-LABEL: func.func @norm
// FEW: partials = 3 : i64
// FEW: attnres.sum_rows {{.*}} : tensor<3x8xf32>
func.func @norm(%x: tensor<100x8xf32>, %w: tensor<8xf32>, %dy: tensor<100x8xf32>) -> (tensor<100x8xf32>, tensor<8xf32>) {
  %dx, %dw = attnres.rms_norm_backward %x, %w, %dy {eps = 1.0e-6 : f64}
      : tensor<100x8xf32>, tensor<8xf32>, tensor<100x8xf32>
  return %dx, %dw : tensor<100x8xf32>, tensor<8xf32>
}

// -----

// A sum of up to 64 rows stays one step; a longer one does not.
// CHECK-LABEL: func.func @sums
// CHECK: attnres.sum_rows %arg0 : tensor<64x8xf32>
// CHECK: %[[PARTS:.*]] = attnres.sum_rows %arg1 {partials = 5 : i64} : tensor<65x8xf32>
// CHECK: attnres.sum_rows %[[PARTS]] : tensor<5x8xf32>
func.func @sums(%x: tensor<64x8xf32>, %y: tensor<65x8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = attnres.sum_rows %x : tensor<64x8xf32>
  %1 = attnres.sum_rows %y : tensor<65x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is cut already stays as it is.
// CHECK-LABEL: func.func @cut
// CHECK: partials = 2 : i64
// CHECK-NOT: attnres.sum_rows
func.func @cut(%x: tensor<100x8xf32>, %w: tensor<8xf32>, %dy: tensor<100x8xf32>) -> tensor<2x8xf32> {
  %dx, %dw = attnres.rms_norm_backward %x, %w, %dy {eps = 1.0e-6 : f64, partials = 2 : i64}
      : tensor<100x8xf32>, tensor<8xf32>, tensor<100x8xf32>
  return %dw : tensor<2x8xf32>
}
