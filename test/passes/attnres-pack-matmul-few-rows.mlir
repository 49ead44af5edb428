// RUN: attnres-opt %s --attnres-pack-matmul | FileCheck %s
// RUN: attnres-opt %s --attnres-pack-matmul='unpacked-rows=0 tile=16' | FileCheck %s --check-prefix=ALL

// Five rows: the weight is packed, once for both products.
// CHECK-LABEL: @many
// ALL-LABEL: @many
func.func @many(%x: tensor<5x8xf32>, %y: tensor<5x8xf32>, %w: tensor<40x8xf32>, %b: tensor<40xf32>) -> (tensor<5x40xf32>, tensor<5x40xf32>) {
  // CHECK: %[[P:.*]] = attnres.pack %{{.*}} {tile = 32 : i64, transpose} : tensor<40x8xf32>
  // CHECK-NEXT: attnres.matmul_packed %{{.*}}, %[[P]] bias(%{{.*}})
  // CHECK-NEXT: attnres.matmul_packed %{{.*}}, %[[P]]
  // ALL: attnres.pack %{{.*}} {tile = 16 : i64, transpose}
  %0 = attnres.linear %x, %w bias(%b) : tensor<5x8xf32>, tensor<40x8xf32>, tensor<40xf32>
  %1 = attnres.linear %y, %w : tensor<5x8xf32>, tensor<40x8xf32>
  return %0, %1 : tensor<5x40xf32>, tensor<5x40xf32>
}

// Four rows: the weight is read where it lies.
// CHECK-LABEL: @few
// ALL-LABEL: @few
func.func @few(%x: tensor<2x2x8xf32>, %w: tensor<40x8xf32>, %v: tensor<8x40xf32>) -> (tensor<2x2x40xf32>, tensor<2x2x40xf32>) {
  // CHECK-NEXT: attnres.linear
  // CHECK-NEXT: attnres.matmul %
  // ALL-COUNT-2: attnres.matmul_packed
  %0 = attnres.linear %x, %w : tensor<2x2x8xf32>, tensor<40x8xf32>
  %1 = attnres.matmul %x, %v : tensor<2x2x8xf32>, tensor<8x40xf32> -> tensor<2x2x40xf32>
  return %0, %1 : tensor<2x2x40xf32>, tensor<2x2x40xf32>
}

// The rows of the result count, not those of a transposed operand.
// CHECK-LABEL: @transposed
func.func @transposed(%x: tensor<3x8xf32>, %y: tensor<9x4xf32>, %w: tensor<40x3xf32>, %v: tensor<9x40xf32>) -> (tensor<8x40xf32>, tensor<4x40xf32>) {
  // CHECK: attnres.matmul_packed
  // CHECK: attnres.matmul %
  %0 = attnres.matmul %x, %w {transpose_lhs, transpose_rhs} : tensor<3x8xf32>, tensor<40x3xf32> -> tensor<8x40xf32>
  %1 = attnres.matmul %y, %v {transpose_lhs} : tensor<9x4xf32>, tensor<9x40xf32> -> tensor<4x40xf32>
  return %0, %1 : tensor<8x40xf32>, tensor<4x40xf32>
}
