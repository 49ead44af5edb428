// RUN: attnres-run model --model %golden/off --seq-len 5 --no-loss | FileCheck %s --check-prefix=LOGITS
// RUN: attnres-run model --model %golden/off --seq-len 5 --no-logits | FileCheck %s --check-prefix=LOSS
// RUN: attnres-run model --model %golden/off --seq-len 5 --fuse-loss | FileCheck %s --check-prefix=FUSED

// CF-9: names of results.

// LOGITS-NOT: targets
// LOGITS:     -> (tensor<1x5x32xf32> {attnres.name = "logits"})
// LOGITS-NOT: cross_entropy

// LOSS: -> (tensor<f32> {attnres.name = "loss"})
// LOSS: attnres.cross_entropy

// FUSED: -> (tensor<f32> {attnres.name = "loss"})
// FUSED: %[[RESULT:.*]], %{{.*}} = attnres.linear_cross_entropy %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x5x32xf32>, tensor<32x32xf32>, tensor<1x5xi64>
// FUSED: return %[[RESULT]] : tensor<f32>
