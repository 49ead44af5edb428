// RUN: attnres-opt --split-input-file --attnres-flatten %s | FileCheck %s
// Numbers: unit/compile/ForeignProgramsTest.cpp

// A loop is its iterations, in order; the inner one counts with the outer.
// CHECK-LABEL: func.func @mm4_loops
// CHECK-NOT:     scf.for
// CHECK:         %[[A:.+]] = attnres.gelu %arg0
// CHECK-NEXT:    return %[[A]]
func.func @mm4_loops(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<2x8xf32> {
    %z = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> tensor<2x8xf32> {
      %l = attnres.gelu %b : tensor<2x8xf32>
      scf.yield %l : tensor<2x8xf32>
    }
    scf.yield %z : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

// A loop that does not run passes on what it started with.
// CHECK-LABEL: func.func @mm4_no_iterations
// CHECK:         return %arg0
func.func @mm4_no_iterations(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c1 to %c1 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %l = math.exp %a : tensor<8xf32>
    scf.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Unsigned bounds count beyond the signed ones; a step over the end stops.
// CHECK-LABEL: func.func @mm4_wide_steps
// CHECK-COUNT-2: math.exp
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @mm4_wide_steps(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i8
  %step = arith.constant 100 : i8
  %end = arith.constant 127 : i8
  %y = scf.for %i = %c0 to %end step %step iter_args(%a = %x) -> tensor<8xf32> : i8 {
    %l = math.exp %a : tensor<8xf32>
    scf.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Functions that are written out everywhere go.
// CHECK-NOT:   @f
// CHECK-LABEL: func.func @mm4_calls
// CHECK-NEXT:    %[[A:.+]] = math.exp %arg0
// CHECK-NEXT:    %[[B:.+]] = math.sqrt %[[A]]
// CHECK-NEXT:    %[[C:.+]] = math.exp %[[B]]
// CHECK-NEXT:    return %[[C]]
// CHECK:       func.func @public
func.func @mm4_calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = call @public(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @public(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = math.sqrt %y : tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @public(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @mm4_branches
// CHECK-NEXT:    %[[A:.+]] = math.exp %arg0
// CHECK-NEXT:    %[[B:.+]] = math.sqrt %arg0
// CHECK-NEXT:    %[[C:.+]] = arith.select %arg1, %[[A]], %[[B]]
// CHECK-NEXT:    return %[[C]]
func.func @mm4_branches(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %y = scf.if %c -> tensor<8xf32> {
    %a = math.exp %x : tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } else {
    %b = math.sqrt %x : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Constants stand in the module.
// CHECK-LABEL: func.func @mm3_constants
// CHECK:         arith.constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK:         arith.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK:         arith.constant dense<[0.000000e+00, 5.000000e-01]> : tensor<2xf32>
func.func @mm3_constants() -> (tensor<2xf32>, tensor<3xi1>, tensor<2xf32>) {
  %a = arith.constant dense_resource<floats> : tensor<2xf32>
  %b = arith.constant dense_resource<bools> : tensor<3xi1>
  %c = arith.constant sparse<[[1]], [0.5]> : tensor<2xf32>
  return %a, %b, %c : tensor<2xf32>, tensor<3xi1>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F000000C0",
      bools: "0x01000000010001"
    }
  }
#-}
