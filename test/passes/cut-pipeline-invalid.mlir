// RUN: attnres-opt --attnres-cut-pipeline="stages=2 stage=0" -split-input-file -verify-diagnostics %s
// RUN: not attnres-opt --attnres-cut-pipeline="stages=2 stage=2" -split-input-file %s 2>&1 | FileCheck %s --check-prefix=STAGE

// STAGE: error: expected a stage of 2, from 0 on, got 2

// expected-error@+1 {{expected parameter w to have attnres.part: a model is cut where it says which part of its stack each parameter belongs to}}
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> tensor<4xf32> {
  %y = attnres.launch @copy(%w) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
attnres.kernel @copy : (tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error@+1 {{expected a model of at least 2 parts that no mixture over depth joins, got 1}}
func.func @main(%w0: tensor<4xf32> {attnres.name = "w0", attnres.part = 0 : i64, attnres.role = #attnres.role<parameter>},
                %w1: tensor<4xf32> {attnres.name = "w1", attnres.part = 1 : i64, attnres.role = #attnres.role<parameter>},
                %x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> tensor<4xf32> {
  %y = attnres.launch @joined(%x, %w0, %w1) operand_groups [-1, -1, -1] result_groups [-1] : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
attnres.kernel @joined : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
