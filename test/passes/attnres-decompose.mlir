// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// RUN: attnres-opt %s --attnres-decompose=ops=attnres.gelu | FileCheck %s --check-prefix=GELU
// RUN: attnres-opt %s '--attnres-decompose=ops=attnres.gelu documents=true' | FileCheck %s --check-prefix=DOCUMENTS
// RUN: not attnres-opt %s --attnres-decompose=ops=attnres.stack 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: not attnres-opt %s --attnres-decompose=ops=arith.addf 2>&1 | FileCheck %s --check-prefix=OTHER
// Numbers: unit/dialect/MeaningTest.cpp

// STACK: error: expected an operation that decomposes, got attnres.stack
// OTHER: error: expected an operation that decomposes, got arith.addf

// Computed in f32, stored in bf16.
// CHECK-LABEL: @storage
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<2x3xbf16>
// GELU-LABEL: @storage
func.func @storage(%x: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<2x3xbf16>
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<2x3xbf16>) outs(%[[E]] : tensor<2x3xbf16>)
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: math.erf %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // GELU: linalg.generic
  %y = attnres.gelu %x : tensor<2x3xbf16>
  // CHECK-NOT: attnres.swiglu
  // GELU: attnres.swiglu
  %z = attnres.swiglu %y, %x : tensor<2x3xbf16>
  return %z : tensor<2x3xbf16>
}

// Maxima start from -inf and never from NaN.
// CHECK-LABEL: @softmax
func.func @softmax(%x: tensor<3x5xf32>, %t: tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>) {
  // CHECK: arith.constant 0xFF800000 : f32
  // CHECK: arith.maximumf
  // CHECK-NOT: linalg.softmax
  %loss, %lse = attnres.cross_entropy %x, %t : tensor<3x5xf32>, tensor<3xi64>
  return %loss, %lse : tensor<f32>, tensor<3xf32>
}

// Lists, dynamic shapes and encodings have no such form.
// CHECK-LABEL: @stays
func.func @stays(%w: tensor<2xf32>, %v: !attnres.list<tensor<3x5xf32>>, %x: tensor<?x5xf32>, %e: tensor<3x5xf32, "sparse">)
    -> (tensor<3x5xf32>, tensor<?x5xf32>, tensor<3x5xf32, "sparse">) {
  // CHECK: attnres.static_mix
  %h = attnres.static_mix %w, %v : (tensor<2xf32>, !attnres.list<tensor<3x5xf32>>)
  // CHECK: attnres.gelu
  %y = attnres.gelu %x : tensor<?x5xf32>
  // CHECK: attnres.gelu
  %z = attnres.gelu %e : tensor<3x5xf32, "sparse">
  return %h, %y, %z : tensor<3x5xf32>, tensor<?x5xf32>, tensor<3x5xf32, "sparse">
}

// What targets have no kernel for.
// DOCUMENTS-LABEL: @documents
// GELU-LABEL: @documents
func.func @documents(%q: tensor<1x5x2x4xf32>, %d: tensor<1x5xi64>) -> (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) {
  // DOCUMENTS: linalg.generic
  // DOCUMENTS: attnres.attention
  // DOCUMENTS-NOT: documents(
  // GELU: attnres.attention {{.*}} documents(
  %o, %l = attnres.attention %q, %q, %q documents(%d) {causal}
      : tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5xi64>
  %p, %m = attnres.attention %q, %q, %q {causal} : tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>
  return %o, %p : tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>
}
