// RUN: attnres-opt --attnres-annotate-phases %s | FileCheck %s
// RUN: not attnres-opt --attnres-annotate-phases %S/Inputs/early_update.mlir 2>&1 | FileCheck %s --check-prefix=EARLY

// EARLY: early_update.mlir:6:{{[0-9]+}}: error: 'attnres.launch' op expected result 0, a new parameter, to be made behind all outputs and gradients

// %s feeds the loss through a view, %g the gradient alone; %n, which only the
// update needs, stands before the norm and so belongs to the backward pass.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @copy(%arg1) {{.*}} result_groups [-1] :
// CHECK: attnres.launch @copy(%{{.*}}) {{.*}} result_groups [-1] :
// CHECK: attnres.launch @copy(%arg0) {{.*}} result_groups [-1] {attnres.phase = #attnres.phase<backward>} :
// CHECK: attnres.launch @copy(%{{.*}}) {{.*}} result_groups [-1] {attnres.phase = #attnres.phase<backward>} :
// CHECK: attnres.launch @copy(%{{.*}}) {{.*}} result_groups [-1] {attnres.phase = #attnres.phase<backward>} :
// CHECK: attnres.launch @copy(%{{.*}}) {{.*}} result_groups [-1] {attnres.phase = #attnres.phase<update>} :
// CHECK: attnres.launch @copy(%arg2) {{.*}} result_groups [-1] {attnres.phase = #attnres.phase<update>} :
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %m: tensor<4xf32> {attnres.name = "m.w", attnres.role = #attnres.role<first_moment of "w">})
    -> (tensor<2x2xf32> {attnres.name = "y"},
        tensor<4xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">},
        tensor<4xf32> {attnres.name = "norm", attnres.role = #attnres.role<gradient_norm>},
        tensor<4xf32> {attnres.name = "w", attnres.updates = 0 : i64},
        tensor<4xf32> {attnres.name = "m.w", attnres.updates = 2 : i64}) {
  %s = attnres.launch @copy(%x) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %f = tensor.collapse_shape %v [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %t = attnres.launch @copy(%f) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %g = attnres.launch @copy(%w) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %n = attnres.launch @copy(%g) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %norm = attnres.launch @copy(%g) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %new = attnres.launch @copy(%n) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %newm = attnres.launch @copy(%m) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %g, %norm, %new, %newm : tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
attnres.kernel @copy : (tensor<4xf32>) -> tensor<4xf32>
