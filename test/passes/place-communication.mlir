// RUN: attnres-opt --attnres-place-communication -split-input-file %s | FileCheck %s

// The sums of a run on a part of a batch: %v's is complete first, and nothing
// is added to that of %u.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @add(%arg3, %arg5) {{.*}} {attnres.completes = ["v"]} :
// CHECK: attnres.launch @add(%arg1, %arg5) {{.*}} result_groups [-1] :
// CHECK: attnres.launch @add({{.*}}) {{.*}} {attnres.completes = ["w"]} :
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %sw: tensor<4xf32> {attnres.name = "sum.w", attnres.role = #attnres.role<gradient_sum of "w">},
                %v: tensor<4xf32> {attnres.name = "v", attnres.role = #attnres.role<parameter>},
                %sv: tensor<4xf32> {attnres.name = "sum.v", attnres.role = #attnres.role<gradient_sum of "v">},
                %su: tensor<4xf32> {attnres.name = "sum.u", attnres.role = #attnres.role<gradient_sum of "u">},
                %x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<4xf32> {attnres.name = "sum.w", attnres.updates = 1 : i64},
        tensor<4xf32> {attnres.name = "sum.v", attnres.updates = 3 : i64},
        tensor<4xf32> {attnres.name = "sum.u", attnres.updates = 4 : i64}) {
  %gv = attnres.launch @add(%sv, %x) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a = attnres.launch @add(%sw, %x) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %gw = attnres.launch @add(%a, %x) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %gw, %gv, %su : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
attnres.kernel @add : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

// An update: squares belong to their parameter, the norm of both to nobody, and
// what only one parameter reads of the norm to that one.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @add(%arg1, %arg1) {{.*}} {attnres.owner = "w"} :
// CHECK: attnres.launch @add(%arg3, %arg3) {{.*}} {attnres.owner = "v"} :
// CHECK: attnres.launch @add({{.*}}) operand_groups [-1, -1] result_groups [-1] :
// CHECK: attnres.launch @add({{.*}}) {{.*}} {attnres.owner = "w"} :
// CHECK: attnres.launch @add({{.*}}) {{.*}} {attnres.owner = "w"} :
// CHECK: attnres.launch @add({{.*}}) {{.*}} {attnres.owner = "v"} :
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %sw: tensor<4xf32> {attnres.name = "sum.w", attnres.role = #attnres.role<gradient_sum of "w">},
                %v: tensor<4xf32> {attnres.name = "v", attnres.role = #attnres.role<parameter>},
                %sv: tensor<4xf32> {attnres.name = "sum.v", attnres.role = #attnres.role<gradient_sum of "v">})
    -> (tensor<4xf32> {attnres.name = "w", attnres.updates = 0 : i64},
        tensor<4xf32> {attnres.name = "grad_squares.w", attnres.role = #attnres.role<gradient_squares of "w">},
        tensor<4xf32> {attnres.name = "v", attnres.updates = 2 : i64},
        tensor<4xf32> {attnres.name = "grad_squares.v", attnres.role = #attnres.role<gradient_squares of "v">},
        tensor<4xf32> {attnres.name = "grad_norm", attnres.role = #attnres.role<gradient_norm>}) {
  %qw = attnres.launch @add(%sw, %sw) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %qv = attnres.launch @add(%sv, %sv) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %norm = attnres.launch @add(%qw, %qv) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t = attnres.launch @add(%norm, %norm) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %nw = attnres.launch @add(%w, %t) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %nv = attnres.launch @add(%v, %norm) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %nw, %qw, %nv, %qv, %norm : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
attnres.kernel @add : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
