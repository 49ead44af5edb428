// RUN: attnres-opt %s --attnres-rope-tables | FileCheck %s
// RUN: attnres-opt %S/../interpret/rope.mlir --attnres-rope-tables --attnres-interpret
// RUN: attnres-opt %s --attnres-to-planned | FileCheck %s --check-prefix=PLANNED

// RO-3: two rotations share a table that is computed; no constant grows with the
// positions, here ten million of one function and a hundred million of the
// other.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = arith.constant dense<{{.*}}> : tensor<8xf64>
// CHECK: %[[TABLE:.*]] = linalg.generic {{.*}} ins(%[[F]] : tensor<8xf64>)
// CHECK: math.cos {{.*}} : f64
// CHECK: math.sin {{.*}} : f64
// CHECK: arith.truncf {{.*}} : f64 to f32
// CHECK-NOT: linalg.generic
// CHECK: attnres.rope %{{.*}} table(%[[TABLE]])
// CHECK: attnres.rope %{{.*}} table(%[[TABLE]])
// PLANNED: module attributes {attnres.constant_bytes = 64 : i64
func.func @main(%q: tensor<1x10000000x2x8xf32> {attnres.name = "q"}, %k: tensor<1x10000000x2x8xf32> {attnres.name = "k"})
    -> (tensor<1x10000000x2x8xf32> {attnres.name = "a"}, tensor<1x10000000x2x8xf32> {attnres.name = "b"}) {
  %a = attnres.rope %q {theta = 1.0e4 : f64} : tensor<1x10000000x2x8xf32>
  %b = attnres.rope %k {theta = 1.0e4 : f64} : tensor<1x10000000x2x8xf32>
  return %a, %b : tensor<1x10000000x2x8xf32>, tensor<1x10000000x2x8xf32>
}

// RO-3: with starts the table has a row for each token, not for each position.
// CHECK-LABEL: func.func @starts
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x8xf32>)
func.func @starts(%q: tensor<2x3x4x8xf32>, %s: tensor<2xi64>) -> tensor<2x3x4x8xf32> {
  %a = attnres.rope %q start(%s) {theta = 1.0e4 : f64, positions = 100000000 : i64} : tensor<2x3x4x8xf32>, tensor<2xi64>
  return %a : tensor<2x3x4x8xf32>
}
