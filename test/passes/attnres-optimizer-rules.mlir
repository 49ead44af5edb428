// RUN: attnres-opt %s --attnres-optimizer="algorithm=muon momentum=0.875 weight-decay=0.25 clip-norm=0 no-decay=*q* rates=w=0.5,*e*=2" | FileCheck %s
// RUN: attnres-opt %s --attnres-optimizer="algorithm=sgd clip-norm=0" | FileCheck %s --check-prefix=SGD
// RUN: not attnres-opt %s --attnres-optimizer="no-decay=nobody" 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not attnres-opt %s --attnres-optimizer="rates=w=often" 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not attnres-opt %s --attnres-optimizer="rates=w" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not attnres-opt %s --attnres-optimizer="no-decay=[" 2>&1 | FileCheck %s --check-prefix=GLOB
// RUN: not attnres-opt %s --attnres-optimizer="algorithm=muon function=vectors" 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: not attnres-opt %s --attnres-optimizer="function=still" 2>&1 | FileCheck %s --check-prefix=STILL
// RUN: not attnres-opt %s --attnres-optimizer="function=uneven" 2>&1 | FileCheck %s --check-prefix=UNEVEN

// UNUSED: error: expected no-decay to name a parameter, got 'nobody'
// FACTOR: error: expected rates as PATTERN=FACTOR with a finite factor of at least 0, got 'w=often'
// NONE: error: expected rates as PATTERN=FACTOR with a finite factor of at least 0, got 'w'
// GLOB: error: expected no-decay to be patterns of names, got '[': {{.*}}
// VECTORS: error: expected a parameter with attnres.matrices for Muon
// STILL: error: expected a parameter that is not frozen
// UNEVEN: error: expected attnres.matrices of parameter w to divide the rows of 'tensor<4x8xf32>', got 3

// OP-8: matrices by Muon, each by itself; everything else by AdamW. A frozen
// parameter is no result, and the bias of a router has no moments (EX-8).

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<4x8xf32> {attnres.matrices = 1 : i64, attnres.name = "w"
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<4x2xf32> {attnres.matrices = 2 : i64, attnres.name = "q"
// CHECK-SAME: %[[E:[a-z0-9]*]]: tensor<3x8xf32> {attnres.name = "e"
// CHECK-SAME: attnres.frozen
// CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<3xf32> {attnres.name = "b"
// CHECK-SAME: attnres.name = "m.w", attnres.role = #attnres.role<first_moment of "w">
// CHECK-SAME: attnres.name = "m.q", attnres.role = #attnres.role<first_moment of "q">
// CHECK-SAME: attnres.name = "m.e"
// CHECK-SAME: attnres.name = "v.e"
// CHECK-NOT: "m.b"
// CHECK-NOT: "v.w"
// CHECK-SAME: -> (tensor<f32> {attnres.name = "loss"}, tensor<4x8xf32> {attnres.name = "w", attnres.updates = 0 : i64}, tensor<4x8xf32> {attnres.name = "m.w", attnres.updates = 6 : i64}, tensor<4x2xf32> {attnres.name = "q", attnres.updates = 1 : i64}, tensor<4x2xf32> {attnres.name = "m.q", attnres.updates = 7 : i64}, tensor<3x8xf32> {attnres.name = "e", attnres.updates = 2 : i64}, tensor<3x8xf32> {attnres.name = "m.e", attnres.updates = 8 : i64}, tensor<3x8xf32> {attnres.name = "v.e", attnres.updates = 9 : i64}, tensor<3xf32> {attnres.name = "b", attnres.updates = 4 : i64}, tensor<f32> {attnres.name = "grad_norm"
// CHECK: %[[NORM:.*]], %[[SCALE:.*]] = attnres.clip_scale %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} :
// CHECK: %[[HALF:.*]] = arith.mulf
// CHECK: %[[DW:.*]], %[[MW:.*]] = attnres.momentum %{{.*}}, %{{.*}}, %[[SCALE]] {beta = 8.750000e-01 : f64, nesterov}
// CHECK: %[[OW:.*]] = attnres.orthogonalize %[[DW]] : tensor<4x8xf32>
// CHECK: attnres.descend %[[W]], %[[OW]], %[[HALF]] {factor = 0.5656{{[0-9]*}} : f64, weight_decay = 2.500000e-01 : f64}
// CHECK: %[[DQ:.*]], %{{.*}} = attnres.momentum
// CHECK: %[[OQ:.*]] = attnres.orthogonalize %[[DQ]] {matrices = 2 : i64} : tensor<4x2xf32>
// CHECK: attnres.descend %[[Q]], %[[OQ]], %{{.*}} {factor = 0.2828{{[0-9]*}} : f64, weight_decay = 0.000000e+00 : f64}
// CHECK: %[[TWICE:.*]] = arith.mulf
// CHECK: attnres.adamw %[[E]], {{.*}} %[[TWICE]], %[[SCALE]] {{.*}}weight_decay = 2.500000e-01
// CHECK: %[[NEW:.*]] = attnres.balance_bias %{{.*}}, %[[B]] {top_k = 2 : i64}
// CHECK: return {{.*}}, %[[NEW]], %[[NORM]]

// SGD: %[[D:.*]], %{{.*}} = attnres.momentum %{{.*}} {beta = 0.94{{9*}}6 : f64} : tensor<4x8xf32>
// SGD: attnres.descend %{{.*}}, %[[D]], %{{.*}} {factor = 1.000000e+00 : f64, weight_decay = 1.000000e-01 : f64}
// SGD-NOT: attnres.orthogonalize
// SGD-NOT: attnres.adamw
func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>, attnres.matrices = 1 : i64},
                %q: tensor<4x2xf32> {attnres.name = "q", attnres.role = #attnres.role<parameter>, attnres.matrices = 2 : i64},
                %e: tensor<3x8xf32> {attnres.name = "e", attnres.role = #attnres.role<parameter>},
                %f: tensor<8xf32> {attnres.name = "f", attnres.role = #attnres.role<parameter>, attnres.frozen},
                %b: tensor<3xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>},
                %x: tensor<4x3xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}, tensor<4x8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">},
        tensor<4x2xf32> {attnres.name = "grad.q", attnres.role = #attnres.role<gradient of "q">},
        tensor<3x8xf32> {attnres.name = "grad.e", attnres.role = #attnres.role<gradient of "e">},
        tensor<3xf32> {attnres.name = "grad.b", attnres.role = #attnres.role<gradient of "b">}) {
  %loss = arith.constant dense<2.0> : tensor<f32>
  %none = arith.constant dense<0.0> : tensor<3xf32>
  %chosen, %weights = attnres.router %x, %b {top_k = 2 : i64} : tensor<4x3xf32>, tensor<3xf32>
  %dw = arith.negf %w : tensor<4x8xf32>
  %dq = arith.negf %q : tensor<4x2xf32>
  %de = arith.negf %e : tensor<3x8xf32>
  return %loss, %dw, %dq, %de, %none : tensor<f32>, tensor<4x8xf32>, tensor<4x2xf32>, tensor<3x8xf32>, tensor<3xf32>
}

func.func @vectors(%b: tensor<8xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.name = "grad.b", attnres.role = #attnres.role<gradient of "b">}) {
  return %b : tensor<8xf32>
}

func.func @still(%b: tensor<8xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>, attnres.frozen}) {
  return
}

func.func @uneven(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>, attnres.matrices = 3 : i64})
    -> (tensor<4x8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<4x8xf32>
}
