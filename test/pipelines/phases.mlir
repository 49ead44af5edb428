// RUN: attnres-opt %s --attnres-to-kernels="gradients=true optimizer=true" | FileCheck %s

// Two parameters that the loss does not depend on have one gradient, zero,
// whose squares are two results: a launch and a copy, before the update.

// CHECK: attnres.launch @cross_entropy{{.*}} result_groups [{{[-0-9, ]+}}] :
// CHECK: attnres.launch @sum_squares{{.*}} {attnres.phase = #attnres.phase<backward>}
// CHECK-NOT: #attnres.phase<update>
// CHECK: attnres.launch @copy{{.*}} {attnres.phase = #attnres.phase<backward>}
// CHECK: attnres.launch @clip_scale{{.*}} {attnres.phase = #attnres.phase<backward>}
// CHECK-COUNT-3: attnres.launch @adamw{{.*}} {attnres.phase = #attnres.phase<update>}
// CHECK-NOT: attnres.launch
func.func @main(%w: tensor<5x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %a: tensor<4x8xf32> {attnres.name = "a", attnres.role = #attnres.role<parameter>},
                %b: tensor<4x8xf32> {attnres.name = "b", attnres.role = #attnres.role<parameter>},
                %x: tensor<3x8xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %targets: tensor<3xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %y = attnres.linear %x, %w : tensor<3x8xf32>, tensor<5x8xf32>
  %loss, %lse = attnres.cross_entropy %y, %targets : tensor<3x5xf32>, tensor<3xi64>
  return %loss : tensor<f32>
}
