// RUN: attnres-run model --model %golden/static --batch-size 3 --seq-len 5 | FileCheck %s
// RUN: attnres-run model --model %golden/static --batch-size 3 --seq-len 5 | attnres-opt --verify-roundtrip -o /dev/null

// Static mixtures, layer norms with bias, plain two-matrix networks with bias.

// CHECK:     attnres.stack %{{.*}} static weights(
// CHECK-SAME:  tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>)
// CHECK:       attnres.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {eps = 1.000000e-05 : f64}
// CHECK:       attnres.attention
// CHECK:       attnres.yield
// CHECK:       attnres.layer_norm
// CHECK-NEXT:  %[[U:.*]] = attnres.linear %{{.*}} bias(%{{.*}}) : tensor<3x5x32xf32>, tensor<64x32xf32>, tensor<64xf32>
// CHECK-NEXT:  %[[G:.*]] = attnres.gelu %[[U]]
// CHECK-NEXT:  attnres.linear %[[G]], %{{.*}} bias(%{{.*}}) : tensor<3x5x64xf32>, tensor<32x64xf32>, tensor<32xf32>
