// RUN: attnres-opt %s --attnres-pack-matmul | FileCheck %s
// RUN: attnres-opt %s --attnres-pack-matmul="tile=16 bf16-in-kernels f32-in-kernels=96" | FileCheck %s --check-prefix=KEEP
// RUN: attnres-opt %s --attnres-pack-matmul=bf16-in-kernels | FileCheck %s --check-prefix=DOTS
// RUN: attnres-opt %S/../interpret/linear.mlir --attnres-pack-matmul="unpacked-rows=0 tile=3" --attnres-interpret
// RUN: attnres-opt %S/../interpret/matmul.mlir --attnres-pack-matmul="unpacked-rows=0 tile=3" --attnres-interpret

// Both products read the packing of one weight; the other one's gradient packs
// the weight as it lies.
// CHECK-LABEL: func.func @shared
// CHECK: %[[PANELS:.*]] = attnres.pack %{{.*}} {tile = 32 : i64, transpose} : tensor<40x24xf32>
// CHECK-NEXT: attnres.matmul_packed %{{.*}}, %[[PANELS]]
// CHECK-NEXT: attnres.matmul_packed %{{.*}}, %[[PANELS]]
// CHECK: attnres.pack %{{.*}} {tile = 32 : i64} : tensor<40x24xf32>
// KEEP-LABEL: func.func @shared
// KEEP: attnres.pack %{{.*}} {tile = 16 : i64, transpose}
// KEEP-NEXT: attnres.matmul_packed %{{.*}} tensor<3x24x16xf32> -> tensor<6x40xf32>
func.func @shared(%x: tensor<6x24xf32>, %w: tensor<40x24xf32>, %g: tensor<6x40xf32>) -> (tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x24xf32>) {
  %0 = attnres.linear %x, %w : tensor<6x24xf32>, tensor<40x24xf32>
  %1 = attnres.matmul %x, %w {transpose_rhs} : tensor<6x24xf32>, tensor<40x24xf32> -> tensor<6x40xf32>
  %2 = attnres.matmul %g, %w : tensor<6x40xf32>, tensor<40x24xf32> -> tensor<6x24xf32>
  return %0, %1, %2 : tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x24xf32>
}

// CHECK-LABEL: func.func @bf16
// CHECK-COUNT-2: attnres.matmul_packed
// DOTS-LABEL: func.func @bf16
// DOTS-NOT: attnres.pack
// DOTS: return
// KEEP-LABEL: func.func @bf16
// KEEP-NOT: attnres.pack
// KEEP: attnres.linear
// KEEP-NEXT: attnres.matmul
// KEEP-NOT: attnres.matmul_packed
// KEEP: return
func.func @bf16(%x: tensor<6x24xbf16>, %w: tensor<40x24xbf16>, %g: tensor<6x40xbf16>) -> (tensor<6x40xbf16>, tensor<40x24xbf16>) {
  %0 = attnres.linear %x, %w : tensor<6x24xbf16>, tensor<40x24xbf16>
  %1 = attnres.matmul %g, %x {transpose_lhs} : tensor<6x40xbf16>, tensor<6x24xbf16> -> tensor<40x24xbf16>
  return %0, %1 : tensor<6x40xbf16>, tensor<40x24xbf16>
}

// A weight gradient: both operands are rows of what is summed over.
// CHECK-LABEL: func.func @weight_gradient
// CHECK-NOT: attnres.pack
// CHECK: attnres.matmul %{{.*}} {transpose_lhs}
func.func @weight_gradient(%x: tensor<6x24xf32>, %g: tensor<6x40xf32>) -> tensor<40x24xf32> {
  %0 = attnres.matmul %g, %x {transpose_lhs} : tensor<6x40xf32>, tensor<6x24xf32> -> tensor<40x24xf32>
  return %0 : tensor<40x24xf32>
}

// Rows enough for AMX tiles, but not with operands of two types. Dot products
// are for bf16 alone.
// DOTS-LABEL: func.func @rows
// DOTS-COUNT-2: attnres.matmul_packed
// KEEP-LABEL: func.func @rows
// KEEP-NEXT: attnres.linear
// KEEP-NEXT: attnres.pack %{{.*}} {tile = 16 : i64, transpose} : tensor<40x24xf32>
// KEEP-NEXT: attnres.matmul_packed %{{.*}} tensor<3x24x16xf32> -> tensor<96x40xbf16>
func.func @rows(%x: tensor<96x24xf32>, %y: tensor<96x24xbf16>, %w: tensor<40x24xf32>) -> (tensor<96x40xf32>, tensor<96x40xbf16>) {
  %0 = attnres.linear %x, %w : tensor<96x24xf32>, tensor<40x24xf32>
  %1 = attnres.linear %y, %w : tensor<96x24xbf16>, tensor<40x24xf32>
  return %0, %1 : tensor<96x40xf32>, tensor<96x40xbf16>
}
