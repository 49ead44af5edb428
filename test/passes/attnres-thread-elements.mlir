// RUN: attnres-opt %s --attnres-thread-elements | FileCheck %s
// Numbers: end_to_end/EmulatorTest.cpp

// A thread for each element of the result, the last block's threads beyond them
// do nothing; the sum is carried in a register and stored once.
// CHECK-LABEL: attnres.kernel @product : (tensor<41x5xf32>, tensor<5x6xf32>) -> tensor<41x6xf32> flops 2460
// CHECK-SAME: blocks<[2, 1, 1] of [128, 1, 1]> scratch 0 code
// CHECK: %[[COUNT:.*]] = arith.constant 246 : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %[[COUNT]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args({{.*}}) -> (f32) {
// CHECK: memref.load {{.*}} : memref<41x5xf32, 1>
// CHECK: memref.load {{.*}} : memref<5x6xf32, 1>
// CHECK: memref.store %[[SUM]], {{.*}} : memref<41x6xf32, 1>
// CHECK: attnres.return
attnres.kernel @product(%a: tensor<41x5xf32>, %b: tensor<5x6xf32>) -> tensor<41x6xf32> flops 2460 {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<41x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<41x6xf32>) -> tensor<41x6xf32>
  %c = linalg.matmul ins(%a, %b : tensor<41x5xf32>, tensor<5x6xf32>) outs(%f : tensor<41x6xf32>) -> tensor<41x6xf32>
  attnres.return %c : tensor<41x6xf32>
}

// CHECK-LABEL: attnres.kernel @integers : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64> blocks<[1, 1, 1] of [128, 1, 1]>
// CHECK: arith.addi {{.*}} : i64
attnres.kernel @integers(%a: tensor<9xi64>, %b: tensor<9xi64>) -> tensor<9xi64> {
  %c = arith.addi %a, %b : tensor<9xi64>
  attnres.return %c : tensor<9xi64>
}

// Nothing to do, no blocks.
// CHECK-LABEL: attnres.kernel @empty : (tensor<0x4xf32>) -> tensor<0x4xf32> blocks<[0, 1, 1] of [128, 1, 1]>
attnres.kernel @empty(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %b = math.absf %a : tensor<0x4xf32>
  attnres.return %b : tensor<0x4xf32>
}
