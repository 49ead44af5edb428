// RUN: attnres-opt %s --attnres-interpret=print-results -o /dev/null | FileCheck %s
// RUN: attnres-opt %s --attnres-interpret='function=third print-results' -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: attnres-opt %s --attnres-interpret='function=third print-results round-to-storage' -o /dev/null | FileCheck %s --check-prefix=ROUNDED
// RUN: not attnres-opt %s --attnres-interpret=function=nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not attnres-opt %s --attnres-interpret=function=takes_arguments 2>&1 | FileCheck %s --check-prefix=ARGUMENTS

// NOTHING: error: expected a function with a body named nothing
// ARGUMENTS: error: expected 1 inputs, got 0

// 1 / 3 in float64, and rounded to bf16.
// CHECK: @third#0 : tensor<bf16> = [0.33333333333333331]
// ONE: @third#0 : tensor<bf16> = [0.33333333333333331]
// ONE-NOT: @integers
// ROUNDED: @third#0 : tensor<bf16> = [0.333984375]
func.func @third() -> tensor<bf16> {
  %one = arith.constant dense<1.0> : tensor<bf16>
  %three = arith.constant dense<3.0> : tensor<bf16>
  %third = arith.divf %one, %three : tensor<bf16>
  return %third : tensor<bf16>
}

// Integers of their width, booleans, calls, loops and branches.
// CHECK: @integers#0 : tensor<2xi8> = [-126, 5]
// CHECK: @integers#1 : tensor<2xi1> = [1, 0]
// CHECK: @integers#2 : index = [10]
func.func @integers() -> (tensor<2xi8>, tensor<2xi1>, index) {
  %a = arith.constant dense<[127, 2]> : tensor<2xi8>
  %b = arith.constant dense<3> : tensor<2xi8>
  %sum = arith.addi %a, %b : tensor<2xi8>
  %larger = arith.cmpi sgt, %a, %b : tensor<2xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %total = scf.for %i = %zero to %five step %one iter_args(%sofar = %zero) -> index {
    %next = func.call @add(%sofar, %i) : (index, index) -> index
    scf.yield %next : index
  }
  return %sum, %larger, %total : tensor<2xi8>, tensor<2xi1>, index
}

func.func private @add(%a: index, %b: index) -> index {
  %sum = arith.addi %a, %b : index
  return %sum : index
}

// Slices, concatenation, named linalg operations, generated tensors.
// CHECK: @tensors#0 : tensor<2x4xf32> = [1, 3, 4, 6, 0, 0, 10, 20]
// CHECK: @tensors#1 : tensor<3x2xf32> = [1, 4, 2, 5, 3, 6]
// CHECK: @tensors#2 : tensor<2x2xf32> = [14, 32, 32, 77]
// CHECK: @tensors#3 : tensor<3xindex> = [0, 2, 4]
// CHECK: @tensors#4 : tensor<3xf32> = [5, 7, 9]
func.func @tensors() -> (tensor<2x4xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<3xindex>, tensor<3xf32>) {
  %m = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %outer = tensor.extract_slice %m[0, 0] [2, 2] [1, 2] : tensor<2x3xf32> to tensor<2x2xf32>
  %flat = tensor.collapse_shape %outer [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %tens = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %row = tensor.concat dim(0) %zeros, %tens : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %into = tensor.empty() : tensor<2x4xf32>
  %first = tensor.insert_slice %flat into %into[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  %both = tensor.insert_slice %row into %first[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>

  %t = tensor.empty() : tensor<3x2xf32>
  %transposed = linalg.transpose ins(%m : tensor<2x3xf32>) outs(%t : tensor<3x2xf32>) permutation = [1, 0]
  %init = arith.constant dense<0.0> : tensor<2x2xf32>
  %product = linalg.matmul ins(%m, %transposed : tensor<2x3xf32>, tensor<3x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %even = tensor.generate {
  ^bb0(%i: index):
    %twice = arith.addi %i, %i : index
    tensor.yield %twice : index
  } : tensor<3xindex>
  %sums = arith.constant dense<0.0> : tensor<3xf32>
  %columns = linalg.reduce ins(%m : tensor<2x3xf32>) outs(%sums : tensor<3xf32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %next = arith.addf %in, %out : f32
      linalg.yield %next : f32
    }
  return %both, %transposed, %product, %even, %columns : tensor<2x4xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<3xindex>, tensor<3xf32>
}

// Not run without inputs.
// CHECK-NOT: @takes_arguments
func.func @takes_arguments(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
