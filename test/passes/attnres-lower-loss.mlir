// RUN: attnres-opt %s --split-input-file --attnres-lower-loss=chunk-bytes=448 | FileCheck %s
// RUN: attnres-opt %s --split-input-file --attnres-lower-loss="chunk-bytes=448 max-chunks=1" | FileCheck %s --check-prefix=ONE
// RUN: attnres-opt %S/../interpret/linear_cross_entropy.mlir --attnres-lower-loss=chunk-bytes=40 --attnres-interpret
// RUN: attnres-opt %S/../interpret/linear_cross_entropy.mlir --attnres-lower-loss=chunk-bytes=40 --cse --attnres-interpret
// RUN: attnres-opt %S/../interpret/linear_cross_entropy_backward.mlir --attnres-lower-loss=chunk-bytes=40 --attnres-interpret
// RUN: attnres-opt %S/../interpret/linear_cross_entropy_backward.mlir --attnres-lower-loss=chunk-bytes=40 --canonicalize --cse --attnres-interpret
// RUN: attnres-opt %s --split-input-file --attnres-lower-loss=chunk-bytes=448 --canonicalize --cse | FileCheck %s --check-prefix=CSE

// EL-7: the loss and its gradients, 40 rows of 7 classes: chunks of 16, 16 and 8
// rows. Each chunk's logits are computed once, and used up before the next.
// CHECK-LABEL: func.func @together
// CHECK: %[[SCALE:.*]] = attnres.live_scale
// CHECK: %[[LOGITS:.*]] = attnres.linear {{.*}} : tensor<16x5xf32>
// CHECK-NEXT: %{{.*}}, %[[LSE:.*]] = attnres.cross_entropy_rows %[[LOGITS]]
// CHECK-NEXT: %[[GRAD:.*]] = attnres.cross_entropy_rows_backward %[[LOGITS]], %{{.*}}, %[[LSE]], %[[SCALE]]
// CHECK-NEXT: %[[X0:.*]] = attnres.matmul %[[GRAD]], %{{.*}} : tensor<16x7xf32>
// CHECK-NEXT: %[[W0:.*]] = attnres.matmul %[[GRAD]], %{{.*}} {transpose_lhs}
// CHECK: attnres.linear {{.*}} : tensor<16x5xf32>
// CHECK: %[[W1:.*]] = attnres.matmul {{.*}} init(%[[W0]])
// CHECK: attnres.linear {{.*}} : tensor<8x5xf32>
// CHECK: attnres.matmul {{.*}} init(%[[W1]])
// CHECK-NOT: attnres.linear
// CHECK: attnres.live_mean

// More logits at a time rather than more chunks.
// ONE-LABEL: func.func @together
// ONE: attnres.linear {{.*}} : tensor<40x5xf32>
// ONE-NOT: attnres.linear
// ONE: return

// CSE-LABEL: func.func @together
// CSE-COUNT-3: attnres.linear
// CSE-NOT: attnres.linear
// CSE: return
func.func @together(%x: tensor<40x5xf32>, %w: tensor<7x5xf32>, %t: tensor<40xi64>) -> (tensor<f32>, tensor<40x5xf32>, tensor<7x5xf32>) {
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<40x5xf32>, tensor<7x5xf32>, tensor<40xi64>
  %one = arith.constant dense<1.0> : tensor<f32>
  %d:2 = attnres.linear_cross_entropy_backward %x, %w, %t, %lse, %one : tensor<40x5xf32>, tensor<7x5xf32>, tensor<40xi64>, tensor<40xf32>, tensor<f32>
  return %loss, %d#0, %d#1 : tensor<f32>, tensor<40x5xf32>, tensor<7x5xf32>
}

// -----

// EL-7: the gradient of the loss depends on the loss: the logits are computed again,
// and nothing merges them with those of the loss.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: attnres.linear {{.*}}
// CHECK: attnres.live_mean
// CHECK-COUNT-3: attnres.linear {{.*}} {attnres.recomputed}

// CSE-LABEL: func.func @apart
// CSE-COUNT-6: attnres.linear
func.func @apart(%x: tensor<40x5xf32>, %w: tensor<7x5xf32>, %t: tensor<40xi64>) -> (tensor<f32>, tensor<40x5xf32>, tensor<7x5xf32>) {
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<40x5xf32>, tensor<7x5xf32>, tensor<40xi64>
  %two = arith.addf %loss, %loss : tensor<f32>
  %d:2 = attnres.linear_cross_entropy_backward %x, %w, %t, %lse, %two : tensor<40x5xf32>, tensor<7x5xf32>, tensor<40xi64>, tensor<40xf32>, tensor<f32>
  return %loss, %d#0, %d#1 : tensor<f32>, tensor<40x5xf32>, tensor<7x5xf32>
}

// -----

// Without a gradient there are no products but the logits.
// CHECK-LABEL: func.func @forward
// CHECK-COUNT-3: attnres.cross_entropy_rows
// CHECK-NOT: attnres.matmul
// CHECK: return
func.func @forward(%x: tensor<40x5xf32>, %w: tensor<7x5xf32>, %t: tensor<40xi64>) -> tensor<f32> {
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<40x5xf32>, tensor<7x5xf32>, tensor<40xi64>
  return %loss : tensor<f32>
}
