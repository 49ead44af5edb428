// What a stage does not hold is an error where it stands.
//
// RUN: attnres-opt %s --attnres-verify-stage=stage=naive --split-input-file --verify-diagnostics

func.func @main(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{'attnres.stack' op is no operation of the stage naive}}
  %y = attnres.stack %x off : tensor<2x8xf32> {
  ^bb0(%h: tensor<2x8xf32>):
    %v = attnres.linear %h, %w : tensor<2x8xf32>, tensor<8x8xf32>
    attnres.yield %v : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' op is no operation of the stage naive}}
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> tensor<2x8xf32> {
    scf.yield %a : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

// Another function is no part of the program.
func.func @other(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> tensor<2x8xf32> {
    scf.yield %a : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  return %x : tensor<2x8xf32>
}

// -----

func.func @main(%x: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.name = "g", attnres.role = #attnres.role<gradient of "w">}) {
  return %x : tensor<8xf32>
}

// -----

// expected-error@+1 {{expected result 0 to belong to a parameter of the function, got #attnres.role<gradient of "v">}}
func.func @main(%x: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.name = "g", attnres.role = #attnres.role<gradient of "v">}) {
  return %x : tensor<8xf32>
}
