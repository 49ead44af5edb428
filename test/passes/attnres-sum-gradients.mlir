// RUN: attnres-opt %s --attnres-differentiate=loss-weight --attnres-sum-gradients --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-differentiate=loss-weight --attnres-sum-gradients --attnres-fold-accumulation --split-input-file | FileCheck %s --check-prefix=FOLD
// Numbers: end_to_end/TrainingTest.cpp

// The loss stays as it is, the gradients are those of loss_weight * loss, and
// each is added to an argument that it replaces.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<5x4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>}
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<3xi64>
// CHECK-SAME: %[[WEIGHT:[a-z0-9]+]]: tensor<f32> {attnres.name = "loss_weight", attnres.role = #attnres.role<input>}
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<5x4xf32> {attnres.name = "sum.w", attnres.role = #attnres.role<gradient_sum of "w">}
// CHECK-SAME: tensor<f32> {attnres.name = "loss"}
// CHECK-SAME: tensor<5x4xf32> {attnres.name = "sum.w", attnres.updates = 4 : i64}
// CHECK: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy
// CHECK: attnres.live_scale %[[WEIGHT]]
// CHECK: attnres.cross_entropy_rows_backward
// CHECK: %[[GRAD:.*]] = attnres.matmul {{.*}} -> tensor<5x4xf32>
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %[[GRAD]] : tensor<5x4xf32>
// CHECK: return %[[LOSS]], %[[NEW]]

// FOLD: attnres.matmul {{.*}} init(%{{.*}})
// FOLD-NOT: arith.addf
func.func @main(%w: tensor<5x4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %x: tensor<3x4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %t: tensor<3xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %y = attnres.linear %x, %w : tensor<3x4xf32>, tensor<5x4xf32>
  %loss, %lse = attnres.cross_entropy %y, %t : tensor<3x5xf32>, tensor<3xi64>
  return %loss : tensor<f32>
}
