// RUN: attnres-opt %s --attnres-differentiate=loss-weight --attnres-sum-gradients --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-differentiate=loss-weight --attnres-sum-gradients --attnres-fold-accumulation --split-input-file | FileCheck %s --check-prefix=FOLD
// Numbers: end_to_end/TrainingTest.cpp

// The loss stays as it is, the gradients are those of loss_weight * loss, and
// each is added to an argument that it replaces.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<5x4xf32> {attnres.decay = false, attnres.name = "w", attnres.role = #attnres.role<parameter>}
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

// What the optimizer makes an update of: the sums as gradients.

// CHECK-LABEL: func.func @attnres.update(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<5x4xf32> {attnres.decay = false, attnres.name = "w", attnres.role = #attnres.role<parameter>}
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<5x4xf32> {attnres.name = "sum.w", attnres.role = #attnres.role<gradient_sum of "w">}
// CHECK-SAME: -> (tensor<5x4xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">})
// CHECK: return %[[SUM]]

// FOLD: attnres.matmul {{.*}} init(%{{.*}})
// FOLD-NOT: arith.addf
// FOLD: func.func @attnres.update
func.func @main(%w: tensor<5x4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>, attnres.decay = false},
                %x: tensor<3x4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %t: tensor<3xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %y = attnres.linear %x, %w : tensor<3x4xf32>, tensor<5x4xf32>
  %loss, %lse = attnres.cross_entropy %y, %t : tensor<3x5xf32>, tensor<3xi64>
  return %loss : tensor<f32>
}

// -----

// EX-8: of the bias of a router the change is summed, and added to it in the end. A
// frozen parameter has no sum.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<5xf32> {attnres.name = "b",
// CHECK-SAME: %[[WEIGHT:[a-z0-9]+]]: tensor<f32> {attnres.name = "loss_weight"
// CHECK-SAME: tensor<5x4xf32> {attnres.name = "sum.w"
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<5xf32> {attnres.name = "sum.b", attnres.role = #attnres.role<gradient_sum of "b">}
// CHECK-NOT: "sum.f"
// CHECK: %[[NEW:.*]] = attnres.balance_bias %{{.*}}, %[[B]] {top_k = 2 : i64}
// CHECK: %[[AGAINST:.*]] = arith.subf %[[B]], %[[NEW]]
// CHECK: attnres.descend %[[SUM]], %[[AGAINST]], %[[WEIGHT]] {factor = 1.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}

// CHECK-LABEL: func.func @attnres.update(
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<5xf32> {attnres.name = "b",
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<5xf32> {attnres.name = "sum.b",
// CHECK-SAME: tensor<5xf32> {attnres.name = "b", attnres.updates = 2 : i64})
// CHECK: arith.addf %[[B]], %[[SUM]]
func.func @main(%w: tensor<5x4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %f: tensor<3x4xf32> {attnres.name = "f", attnres.role = #attnres.role<parameter>, attnres.frozen},
                %b: tensor<5xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>},
                %t: tensor<3x2xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %y = attnres.linear %f, %w : tensor<3x4xf32>, tensor<5x4xf32>
  %chosen, %weights = attnres.router %y, %b {top_k = 2 : i64} : tensor<3x5xf32>, tensor<5xf32>
  %z = tensor.expand_shape %weights [[0], [1, 2]] output_shape [3, 2, 1] : tensor<3x2xf32> into tensor<3x2x1xf32>
  %loss, %lse = attnres.cross_entropy %z, %t : tensor<3x2x1xf32>, tensor<3x2xi64>
  return %loss : tensor<f32>
}
