// RUN: attnres-run model --model %golden/static --seq-len 5 --dtype bf16 | FileCheck %s
// RUN: attnres-run model --model %golden/full --seq-len 5 --dtype bf16 | FileCheck %s --check-prefix=DEPTH

// Parameters stay f32; matrices are truncated where they are read, gains,
// biases and depth weights are not. The loss is f32.

// CHECK:      %[[EMBEDDING:[a-z0-9]+]]: tensor<20x32xf32> {attnres.name = "embedding.weight"
// CHECK-SAME: -> (tensor<f32> {attnres.name = "loss"}, tensor<1x5x20xbf16> {attnres.name = "logits"})
// CHECK:      %[[TABLE:.*]] = arith.truncf %[[EMBEDDING]] : tensor<20x32xf32> to tensor<20x32xbf16>
// CHECK-NEXT: attnres.embedding %{{.*}}, %[[TABLE]]
// CHECK:      attnres.stack
// CHECK:      attnres.layer_norm {{.*}} : tensor<1x5x32xbf16>, tensor<32xf32>, tensor<32xf32>
// CHECK:      attnres.attention {{.*}} : tensor<1x5x4x8xbf16>
// CHECK:      attnres.linear {{.*}} bias({{.*}}) : tensor<1x5x32xbf16>, tensor<64x32xbf16>, tensor<64xf32>
// CHECK:      attnres.cross_entropy {{.*}} : tensor<1x5x20xbf16>, tensor<1x5xi64>

// DEPTH: attnres.stack {{.*}} full {{.*}} queries({{.*}} : tensor<32xf32>
