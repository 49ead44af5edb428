// RUN: attnres-opt --split-input-file --attnres-lower-tensors --canonicalize %s | FileCheck %s
// Numbers: unit/compile/ForeignProgramsTest.cpp

// MM-7: the largest score starts at -inf and passes NaN on; sums are f32.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[LOW:.+]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT:     linalg.softmax
// CHECK:         linalg.fill ins(%[[LOW]] : f32)
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:           arith.extf %{{.+}} : bf16 to f32
// CHECK-NEXT:      arith.maximumf
// CHECK:         math.exp %{{.+}} : f32
// CHECK:         linalg.fill ins(%[[ZERO]] : f32)
// CHECK:           arith.addf %{{.+}} : f32
// CHECK:           arith.divf %{{.+}} : f32
// CHECK-NEXT:      arith.truncf %{{.+}} : f32 to bf16
func.func @main(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %e = tensor.empty() : tensor<4x8xbf16>
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %s : tensor<4x8xbf16>
}

// -----

// Slices that are contiguous stay.
// CHECK-LABEL: func.func @main
// CHECK:         tensor.extract_slice %arg0[1, 0] [2, 8] [1, 1]
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic
// CHECK:           %[[C:.+]] = linalg.index 1
// CHECK:           %[[D:.+]] = arith.addi %[[C]], %c3
// CHECK:           tensor.extract %arg0[%{{.+}}, %[[D]]]
func.func @main(%x: tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x2xf32>) {
  %a = tensor.extract_slice %x[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %b = tensor.extract_slice %x[0, 3] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  return %a, %b : tensor<2x8xf32>, tensor<4x2xf32>
}

// -----

// A scalar is computed where it is used.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     tensor.extract
// CHECK:         linalg.generic {{.*}} outs(
// CHECK:           %[[A:.+]] = tensor.extract %arg0[]
// CHECK-NEXT:      %[[B:.+]] = math.exp %[[A]] : f32
// CHECK-NEXT:      linalg.yield %[[B]] : f32
func.func @main(%s: tensor<f32>) -> tensor<4xf32> {
  %a = tensor.extract %s[] : tensor<f32>
  %b = math.exp %a : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%b : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK:         tensor.collapse_shape %arg0 {{\[\[}}0, 1]]
// CHECK:         tensor.expand_shape %{{.+}} {{\[\[}}0, 1, 2]]
func.func @main(%x: tensor<4x6xf32>) -> tensor<3x4x2xf32> {
  %shape = arith.constant dense<[3, 4, 2]> : tensor<3xindex>
  %a = tensor.reshape %x(%shape) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<3x4x2xf32>
  return %a : tensor<3x4x2xf32>
}
