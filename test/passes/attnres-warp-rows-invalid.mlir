// RUN: attnres-opt %s --attnres-warp-rows -verify-diagnostics
// RUN: not attnres-opt %s --attnres-warp-rows=target=sm_1 2>&1 | FileCheck %s

// CHECK: unknown GPU 'sm_1'
attnres.kernel @rotation(%x: tensor<1x5x3x8xf32>) -> tensor<1x5x3x8xf32> {
  // expected-error @+1 {{'attnres.rope' op has no formula of a row in this form}}
  %y = attnres.rope %x {theta = 1.0e2 : f64} : tensor<1x5x3x8xf32>
  attnres.return %y : tensor<1x5x3x8xf32>
}
