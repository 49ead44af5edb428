// RUN: attnres-opt %s --attnres-vectorize-convolution=isa=avx2 | FileCheck %s
// Numbers: unit/compile/ConvolutionTest.cpp

// Short convolutions become loops over tokens with channels in registers.
// CHECK-LABEL: attnres.kernel @forward
// CHECK-SAME: code(%{{.*}}: memref<2x11x20xf32>, %{{.*}}: memref<20x4xf32>, %{{.*}}: memref<2x3x20xf32>, %{{.*}}: memref<2x11x20xf32>, %{{.*}}: memref<?xi8>, %[[BEGIN:.*]]: index, %[[END:.*]]: index) {
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: math.fma
// CHECK-NOT: attnres.short_convolution
// CHECK: attnres.return
attnres.kernel @forward(%x: tensor<2x11x20xf32>, %w: tensor<20x4xf32>, %t: tensor<2x3x20xf32>) -> tensor<2x11x20xf32> {
  %y = attnres.short_convolution %x, %w tail(%t) : tensor<2x11x20xf32>, tensor<20x4xf32>, tensor<2x3x20xf32>
  attnres.return %y : tensor<2x11x20xf32>
}

// CHECK-LABEL: attnres.kernel @backward
// CHECK-SAME: -> (tensor<2x11x20xf32>, tensor<20x4xf32>)
// CHECK-SAME: code(
// CHECK: math.fma
// CHECK-NOT: attnres.short_convolution_backward
// CHECK: attnres.return
attnres.kernel @backward(%x: tensor<2x11x20xf32>, %w: tensor<20x4xf32>, %g: tensor<2x11x20xf32>) -> (tensor<2x11x20xf32>, tensor<20x4xf32>) {
  %dx, %dw = attnres.short_convolution_backward %x, %w, %g : tensor<2x11x20xf32>, tensor<20x4xf32>, tensor<2x11x20xf32>
  attnres.return %dx, %dw : tensor<2x11x20xf32>, tensor<20x4xf32>
}
