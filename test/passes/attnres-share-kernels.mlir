// RUN: attnres-opt %s --attnres-share-kernels | FileCheck %s
// Numbers: unit/compile/CompiledMeaningTest.cpp

// Of equal kernels the first stays, whatever their names; launches follow.
// CHECK:     attnres.kernel @a(
// CHECK-NOT: attnres.kernel @b(
// CHECK:     attnres.kernel @another_operation(
// CHECK:     attnres.kernel @another_attribute(
// CHECK:     attnres.kernel @another_type(
// CHECK:     attnres.kernel @another_promise(
// CHECK:     attnres.kernel @declared
// CHECK:     attnres.kernel @declared_again
attnres.kernel @a(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
attnres.kernel @b(%p: tensor<8xf32>, %q: tensor<8xf32>) -> tensor<8xf32> {
  %r = attnres.rms_norm %p, %q {eps = 1.0e-6 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %r : tensor<8xf32>
}
attnres.kernel @another_operation(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.mulf %x, %w : tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
attnres.kernel @another_attribute(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-5 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
attnres.kernel @another_type(%x: tensor<2x8xf32>, %w: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<2x8xf32>, tensor<8xf32>
  attnres.return %y : tensor<2x8xf32>
}
attnres.kernel @another_promise(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> inplace [0] {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
attnres.kernel @declared : (tensor<8xf32>) -> tensor<8xf32>
attnres.kernel @declared_again : (tensor<8xf32>) -> tensor<8xf32>

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @a(
// CHECK: attnres.launch @a(
// CHECK: attnres.launch @another_promise(
// CHECK: attnres.launch @declared_again(
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %0 = attnres.launch @a(%x, %w) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = attnres.launch @b(%0, %w) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = attnres.launch @another_promise(%1, %w) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = attnres.launch @declared_again(%2) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
