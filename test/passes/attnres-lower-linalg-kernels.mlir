// RUN: attnres-opt %s --attnres-lower-linalg-kernels | FileCheck %s
// Numbers: unit/compile/ForeignProgramsTest.cpp

// The first parallel dimension is cut into items, the sum is carried in a
// register and stored once.
// CHECK-LABEL: attnres.kernel @product : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32> flops 240 grid 4 scratch 0
// CHECK-SAME: code(%[[A:.*]]: memref<4x5xf32>, %[[B:.*]]: memref<5x6xf32>, %[[C:.*]]: memref<4x6xf32>, %{{.*}}: memref<?xi8>, %[[BEGIN:.*]]: index, %[[END:.*]]: index) {
// CHECK: scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args({{.*}}) -> (f32) {
// CHECK: memref.load %[[A]][%[[I]], %[[K]]]
// CHECK: memref.load %[[B]][%[[K]], %[[J]]]
// CHECK: scf.yield
// CHECK: memref.store %[[SUM]], %[[C]][%[[I]], %[[J]]]
// CHECK: attnres.return
attnres.kernel @product(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<4x6xf32> flops 240 {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  attnres.return %c : tensor<4x6xf32>
}

// Elementwise operations on integers are linalg operations too.
// CHECK-LABEL: attnres.kernel @integers : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64> grid 9
// CHECK: arith.addi {{.*}} : i64
// CHECK: memref.store
attnres.kernel @integers(%a: tensor<9xi64>, %b: tensor<9xi64>) -> tensor<9xi64> {
  %c = arith.addi %a, %b : tensor<9xi64>
  attnres.return %c : tensor<9xi64>
}

// A single loop is cut into pieces of 4096 points, which are computed 16 at a
// time; bf16 is computed in f32.
// CHECK-LABEL: attnres.kernel @pieces : (tensor<8213xbf16>) -> tensor<8213xbf16> grid 3
// CHECK: vector.load %{{.*}} : memref<8213xbf16>, vector<16xbf16>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: memref.load
// CHECK: arith.addf {{.*}} : f32
attnres.kernel @pieces(%a: tensor<8213xbf16>) -> tensor<8213xbf16> {
  %c = arith.addf %a, %a : tensor<8213xbf16>
  attnres.return %c : tensor<8213xbf16>
}

// A sum over everything is one item.
// CHECK-LABEL: attnres.kernel @everything : (tensor<4x5xf32>) -> tensor<f32> grid 1
attnres.kernel @everything(%a: tensor<4x5xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%a : tensor<4x5xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  attnres.return %s : tensor<f32>
}

// An index that the body computes is brought inside.
// CHECK-LABEL: attnres.kernel @gather :
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: memref.load
attnres.kernel @gather(%x: tensor<9xf32>, %i: tensor<3xindex>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<3xindex>) outs(%e : tensor<3xf32>) {
  ^bb0(%at: index, %out: f32):
    %v = tensor.extract %x[%at] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  attnres.return %r : tensor<3xf32>
}

// Two operations, and constants of tensors, are no single loop nest.
// CHECK-LABEL: attnres.kernel @two(
// CHECK: linalg.generic
attnres.kernel @two(%a: tensor<9xi64>, %b: tensor<9xi64>) -> tensor<9xi64> {
  %c = arith.addi %a, %b : tensor<9xi64>
  %d = arith.addi %c, %b : tensor<9xi64>
  attnres.return %d : tensor<9xi64>
}
