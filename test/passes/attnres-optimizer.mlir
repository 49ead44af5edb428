// RUN: attnres-opt %s --attnres-optimizer | FileCheck %s
// RUN: attnres-opt %s --attnres-optimizer="beta1=0.5 beta2=0.75 eps=0.001953125 weight-decay=0.25 clip-norm=0 keep-gradients" \
// RUN:   | FileCheck %s --check-prefix=OPTIONS
// RUN: attnres-opt %s --attnres-optimizer=function=other | FileCheck %s --check-prefix=OTHER
// Numbers: end_to_end/TrainingTest.cpp

// OP-4: a matrix decays, a vector does not, and attnres.decay decides otherwise.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4x8xf32> {attnres.name = "x", attnres.role = #attnres.role<input>}
// CHECK-SAME: %[[G:[a-z0-9]*]]: tensor<8xf32> {attnres.name = "g", attnres.role = #attnres.role<parameter>}
// CHECK-SAME: %[[E:[a-z0-9]*]]: tensor<2x2xf32> {attnres.decay = false, attnres.name = "e", attnres.role = #attnres.role<parameter>}
// CHECK-SAME: %[[MW:[a-z0-9]*]]: tensor<4x8xf32> {attnres.name = "m.w", attnres.role = #attnres.role<first_moment of "w">}
// CHECK-SAME: %[[VW:[a-z0-9]*]]: tensor<4x8xf32> {attnres.name = "v.w", attnres.role = #attnres.role<second_moment of "w">}
// CHECK-SAME: %[[MG:[a-z0-9]*]]: tensor<8xf32> {attnres.name = "m.g", attnres.role = #attnres.role<first_moment of "g">}
// CHECK-SAME: %[[VG:[a-z0-9]*]]: tensor<8xf32> {attnres.name = "v.g", attnres.role = #attnres.role<second_moment of "g">}
// CHECK-SAME: %[[ME:[a-z0-9]*]]: tensor<2x2xf32> {attnres.name = "m.e", attnres.role = #attnres.role<first_moment of "e">}
// CHECK-SAME: %[[VE:[a-z0-9]*]]: tensor<2x2xf32> {attnres.name = "v.e", attnres.role = #attnres.role<second_moment of "e">}
// CHECK-SAME: %[[STEP:[a-z0-9]*]]: tensor<f32> {attnres.name = "step", attnres.role = #attnres.role<input>}
// CHECK-SAME: %[[RATE:[a-z0-9]*]]: tensor<f32> {attnres.name = "learning_rate", attnres.role = #attnres.role<input>}
// CHECK-SAME: -> (tensor<f32> {attnres.name = "loss"}, tensor<4xf32> {attnres.name = "lse"}, tensor<4x8xf32> {attnres.name = "w", attnres.updates = 0 : i64}, tensor<4x8xf32> {attnres.name = "m.w", attnres.updates = 4 : i64}, tensor<4x8xf32> {attnres.name = "v.w", attnres.updates = 5 : i64}, tensor<8xf32> {attnres.name = "g", attnres.updates = 2 : i64}, tensor<8xf32> {attnres.name = "m.g", attnres.updates = 6 : i64}, tensor<8xf32> {attnres.name = "v.g", attnres.updates = 7 : i64}, tensor<2x2xf32> {attnres.name = "e", attnres.updates = 3 : i64}, tensor<2x2xf32> {attnres.name = "m.e", attnres.updates = 8 : i64}, tensor<2x2xf32> {attnres.name = "v.e", attnres.updates = 9 : i64}, tensor<f32> {attnres.name = "grad_norm", attnres.role = #attnres.role<gradient_norm>})
// CHECK: %[[LOSS:.*]] = arith.constant dense<2.0
// CHECK: %[[DW:.*]] = arith.addf
// CHECK: %[[DG:.*]] = arith.negf %[[G]]
// CHECK: %[[DE:.*]] = arith.negf %[[E]]
// CHECK: %[[S0:.*]] = attnres.sum_squares %[[DW]]
// CHECK: %[[S1:.*]] = attnres.sum_squares %[[DG]]
// CHECK: %[[S2:.*]] = attnres.sum_squares %[[DE]]
// CHECK: %[[NORM:.*]], %[[SCALE:.*]] = attnres.clip_scale %[[S0]], %[[S1]], %[[S2]] {max_norm = 1.000000e+00 : f64}
// CHECK: %[[W1:.*]], %[[MW1:.*]], %[[VW1:.*]] = attnres.adamw %[[W]], %[[DW]], %[[MW]], %[[VW]], %[[STEP]], %[[RATE]], %[[SCALE]] {beta1 = 9.000000e-01 : f64, beta2 = 0.9499{{9*}}6 : f64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64}
// CHECK: %[[G1:.*]], %[[MG1:.*]], %[[VG1:.*]] = attnres.adamw %[[G]], %[[DG]], %[[MG]], %[[VG]], %[[STEP]], %[[RATE]], %[[SCALE]] {{.*}}weight_decay = 0.000000e+00
// CHECK: %[[E1:.*]], %[[ME1:.*]], %[[VE1:.*]] = attnres.adamw %[[E]], %[[DE]], %[[ME]], %[[VE]], %[[STEP]], %[[RATE]], %[[SCALE]] {{.*}}weight_decay = 0.000000e+00
// CHECK: return %[[LOSS]], %{{.*}}, %[[W1]], %[[MW1]], %[[VW1]], %[[G1]], %[[MG1]], %[[VG1]], %[[E1]], %[[ME1]], %[[VE1]], %[[NORM]]

// OPTIONS-LABEL: func.func @main
// OPTIONS-SAME: {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}, tensor<8xf32> {attnres.name = "grad.g", attnres.role = #attnres.role<gradient of "g">}, tensor<4xf32> {attnres.name = "lse"}, tensor<2x2xf32> {attnres.name = "grad.e", attnres.role = #attnres.role<gradient of "e">}, tensor<4x8xf32> {attnres.name = "w", attnres.updates = 0 : i64}
// OPTIONS: attnres.clip_scale %{{[^{]*}} :
// OPTIONS: attnres.adamw {{.*}} {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, eps = 0.001953125 : f64, weight_decay = 2.500000e-01 : f64}
func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %x: tensor<4x8xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %g: tensor<8xf32> {attnres.name = "g", attnres.role = #attnres.role<parameter>},
                %e: tensor<2x2xf32> {attnres.name = "e", attnres.role = #attnres.role<parameter>, attnres.decay = false})
    -> (tensor<f32> {attnres.name = "loss"}, tensor<4x8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}, tensor<8xf32> {attnres.name = "grad.g", attnres.role = #attnres.role<gradient of "g">},
        tensor<4xf32> {attnres.name = "lse"}, tensor<2x2xf32> {attnres.name = "grad.e", attnres.role = #attnres.role<gradient of "e">}) {
  %loss = arith.constant dense<2.0> : tensor<f32>
  %lse = arith.constant dense<3.0> : tensor<4xf32>
  %dw = arith.addf %w, %x : tensor<4x8xf32>
  %dg = arith.negf %g : tensor<8xf32>
  %de = arith.negf %e : tensor<2x2xf32>
  return %loss, %dw, %dg, %lse, %de : tensor<f32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2x2xf32>
}

// OP-4: a vector that says so decays.

// OTHER-LABEL: func.func @main
// OTHER-NOT: attnres.adamw
// OTHER-LABEL: func.func @other
// OTHER: attnres.adamw {{.*}} weight_decay = 1.000000e-01
func.func @other(%b: tensor<8xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>, attnres.decay = true})
    -> (tensor<8xf32> {attnres.name = "grad.b", attnres.role = #attnres.role<gradient of "b">}) {
  return %b : tensor<8xf32>
}
