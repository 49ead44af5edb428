// What the passes of this compiler counted: those that counted nothing are left
// out, one that ran twice has one sum.
// RUN: attnres-opt %s --attnres-flatten --attnres-share-kernels \
// RUN:   --attnres-share-kernels --attnres-pass-statistics 2>&1 >/dev/null | FileCheck %s

// CHECK-NOT:  attnres-flatten
// CHECK:      {{^ *}}5  attnres-share-kernels  kernels before
// CHECK-NEXT: {{^ *}}4  attnres-share-kernels  kernels that remain
// CHECK-NOT:  attnres
attnres.kernel @a(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
attnres.kernel @b(%p: tensor<8xf32>, %q: tensor<8xf32>) -> tensor<8xf32> {
  %r = attnres.rms_norm %p, %q {eps = 1.0e-6 : f64} : tensor<8xf32>, tensor<8xf32>
  attnres.return %r : tensor<8xf32>
}
attnres.kernel @c(%p: tensor<8xf32>, %q: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.mulf %p, %q : tensor<8xf32>
  attnres.return %r : tensor<8xf32>
}
