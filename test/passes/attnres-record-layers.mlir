// RUN: attnres-opt %s --attnres-record-layers | FileCheck %s

// Results are numbered by kind in program order; what was there stays.
// Numbers: end_to_end/PropertiesTest.cpp

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<2x3x2xf32> {attnres.name = "y"}, tensor<5x2x3xf32> {attnres.name = "router_load.0"}, tensor<10x2x3xf32> {attnres.name = "decay.0"}, tensor<4x2xf32> {attnres.name = "state_norm.0"})
// CHECK: %[[CHOSEN:.*]], %[[WEIGHTS:.*]] = attnres.router
// CHECK: %[[LOAD:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins({{.*}}, %[[CHOSEN]] :
// CHECK: %{{.*}}, %[[STATE:.*]] = attnres.kda
// CHECK: %[[DECAY:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<10x2x3xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[STATE]] :
// CHECK: math.sqrt
// CHECK: return %[[WEIGHTS]], %[[LOAD]], %[[DECAY]], %{{.*}} :
func.func @main(%l: tensor<2x3x5xf32>, %b: tensor<5xf32>, %q: tensor<2x3x2x8xf32>, %v: tensor<2x3x4x6xf32>,
                %g: tensor<2x3x4x8xf32>, %beta: tensor<2x3x4xf32>) -> (tensor<2x3x2xf32> {attnres.name = "y"}) {
  %e, %w = attnres.router %l, %b {top_k = 2 : i64} : tensor<2x3x5xf32>, tensor<5xf32>
  %o, %s = attnres.kda %q, %q, %v, %g, %beta
      : tensor<2x3x2x8xf32>, tensor<2x3x2x8xf32>, tensor<2x3x4x6xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4xf32>
  return %w : tensor<2x3x2xf32>
}
