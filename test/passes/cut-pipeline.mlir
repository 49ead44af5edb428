// RUN: attnres-opt --attnres-cut-pipeline="stages=2 stage=0" -split-input-file %s | FileCheck %s --check-prefix=FIRST
// RUN: attnres-opt --attnres-cut-pipeline="stages=2 stage=1" -split-input-file %s | FileCheck %s --check-prefix=LAST
// RUN: attnres-opt --attnres-cut-pipeline="stages=1 stage=0" -split-input-file %s | FileCheck %s --check-prefix=WHOLE
// Numbers: unit/compile/PipelineTest.cpp

// Two parts. What prepares a parameter and what the backward pass computes again
// goes where it is read; the gradient of part 1 goes back.

// FIRST-LABEL: func.func @main
// FIRST-SAME: %[[G1:arg[0-9]+]]: tensor<4xf32> {attnres.name = "from_next.4", attnres.role = #attnres.role<input>})
// FIRST-SAME: (tensor<4xf32> {attnres.name = "sum.w0", attnres.updates = 2 : i64}, tensor<4xf32> {attnres.name = "to_next.1"})
// FIRST-NEXT: %[[P:.*]] = attnres.launch @copy(%arg0)
// FIRST-NEXT: %[[H:.*]] = attnres.launch @add(%arg4, %[[P]])
// FIRST-NEXT: %[[R:.*]] = attnres.launch @copy(%[[H]])
// FIRST-NEXT: %[[G0:.*]] = attnres.launch @add(%[[G1]], %[[R]])
// FIRST-NEXT: %[[S0:.*]] = attnres.launch @add(%arg2, %[[G0]])
// FIRST-NEXT: return %[[S0]], %[[H]] :
// FIRST-NOT: @mul

// LAST-LABEL: func.func @main
// LAST-SAME: %[[H:arg[0-9]+]]: tensor<4xf32> {attnres.name = "from_previous.1", attnres.role = #attnres.role<input>})
// LAST-SAME: (tensor<4xf32> {attnres.name = "y"}, tensor<4xf32> {attnres.name = "sum.w1", attnres.updates = 3 : i64}, tensor<4xf32> {attnres.name = "to_previous.4"})
// LAST-NEXT: %[[Q:.*]] = attnres.launch @copy(%arg1)
// LAST-NEXT: %[[Y:.*]] = attnres.launch @mul(%[[H]], %[[Q]])
// LAST-NEXT: %[[G1:.*]] = attnres.launch @add(%arg5, %[[Y]])
// LAST-NEXT: %[[S1:.*]] = attnres.launch @add(%arg3, %[[G1]])
// LAST-NEXT: return %[[Y]], %[[S1]], %[[G1]] :

// WHOLE-LABEL: func.func @main
// WHOLE-COUNT-9: attnres.launch
// WHOLE: return
func.func @main(%w0: tensor<4xf32> {attnres.name = "w0", attnres.part = 0 : i64, attnres.role = #attnres.role<parameter>},
                %w1: tensor<4xf32> {attnres.name = "w1", attnres.part = 1 : i64, attnres.role = #attnres.role<parameter>},
                %sw0: tensor<4xf32> {attnres.name = "sum.w0", attnres.role = #attnres.role<gradient_sum of "w0">},
                %sw1: tensor<4xf32> {attnres.name = "sum.w1", attnres.role = #attnres.role<gradient_sum of "w1">},
                %x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %weight: tensor<4xf32> {attnres.name = "loss_weight", attnres.role = #attnres.role<input>})
    -> (tensor<4xf32> {attnres.name = "y"},
        tensor<4xf32> {attnres.name = "sum.w0", attnres.updates = 2 : i64},
        tensor<4xf32> {attnres.name = "sum.w1", attnres.updates = 3 : i64}) {
  %p = attnres.launch @copy(%w0) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %h = attnres.launch @add(%x, %p) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %q = attnres.launch @copy(%w1) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %y = attnres.launch @mul(%h, %q) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g1 = attnres.launch @add(%weight, %y) operand_groups [-1, -1] result_groups [-1] {attnres.phase = #attnres.phase<backward>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s1 = attnres.launch @add(%sw1, %g1) operand_groups [-1, -1] result_groups [-1] {attnres.phase = #attnres.phase<backward>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = attnres.launch @copy(%h) operand_groups [-1] result_groups [-1] {attnres.phase = #attnres.phase<backward>} : (tensor<4xf32>) -> tensor<4xf32>
  %g0 = attnres.launch @add(%g1, %r) operand_groups [-1, -1] result_groups [-1] {attnres.phase = #attnres.phase<backward>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s0 = attnres.launch @add(%sw0, %g0) operand_groups [-1, -1] result_groups [-1] {attnres.phase = #attnres.phase<backward>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %s0, %s1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
attnres.kernel @copy : (tensor<4xf32>) -> tensor<4xf32>
attnres.kernel @add : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
attnres.kernel @mul : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

// Three parts, of which the last two are joined by a launch that reads
// parameters of both: the cut is before them, although the first is the
// cheapest. A parameter of the first part that the last one reads too is no
// such thing.

// FIRST-LABEL: func.func @main
// FIRST: attnres.launch @add(%arg3, %arg0)
// FIRST-NEXT: return
// LAST-LABEL: func.func @main
// LAST: attnres.launch @joined(%{{.*}}, %arg1, %arg2)
// LAST-NEXT: attnres.launch @add(%{{.*}}, %arg0)
// LAST-NEXT: return
// WHOLE-LABEL: func.func @main
func.func @main(%w0: tensor<4xf32> {attnres.name = "w0", attnres.part = 0 : i64, attnres.role = #attnres.role<parameter>},
                %w1: tensor<4xf32> {attnres.name = "w1", attnres.part = 1 : i64, attnres.role = #attnres.role<parameter>},
                %w2: tensor<4xf32> {attnres.name = "w2", attnres.part = 2 : i64, attnres.role = #attnres.role<parameter>},
                %x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<4xf32> {attnres.name = "y"}) {
  %h = attnres.launch @add(%x, %w0) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %k = attnres.launch @joined(%h, %w1, %w2) operand_groups [-1, -1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = attnres.launch @add(%k, %w0) operand_groups [-1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
attnres.kernel @add : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
attnres.kernel @joined : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> flops 100
