// RUN: attnres-run model --model %golden/gqa_tied --batch-size 2 --seq-len 11 | FileCheck %s
// RUN: attnres-run model --model %golden/gqa_tied --batch-size 2 --seq-len 11 | attnres-opt --verify-roundtrip -o /dev/null

// Grouped-query attention (4 heads on 2), tied embeddings, depth blocks of one
// decoder block, a final mixture.

// CHECK:      func.func @main(
// CHECK-SAME: %[[EMBEDDING:[a-z0-9]+]]: tensor<32x32xf32> {attnres.name = "embedding.weight", attnres.role = #attnres.role<parameter>},
// CHECK-SAME: %[[NORM:[a-z0-9]+]]: tensor<32xf32> {attnres.name = "blocks.0.attn_norm.weight", attnres.role = #attnres.role<parameter>},
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<32x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.attn.q_proj.weight"
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<16x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.attn.k_proj.weight"
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<16x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.attn.v_proj.weight"
// CHECK-SAME: %[[O:[a-z0-9]+]]: tensor<32x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.attn.o_proj.weight"
// CHECK-SAME: %[[FFNNORM:[a-z0-9]+]]: tensor<32xf32> {attnres.name = "blocks.0.ffn_norm.weight"
// CHECK-SAME: %[[GATE:[a-z0-9]+]]: tensor<64x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.ffn.gate_proj.weight"
// CHECK-SAME: %[[UP:[a-z0-9]+]]: tensor<64x32xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.ffn.up_proj.weight"
// CHECK-SAME: %[[DOWN:[a-z0-9]+]]: tensor<32x64xf32> {attnres.matrices = 1 : i64, attnres.name = "blocks.0.ffn.down_proj.weight"
// CHECK-SAME: %[[FINALNORM:[a-z0-9]+]]: tensor<32xf32> {attnres.name = "norm.weight"
// CHECK-SAME: %[[TOKENS:[a-z0-9]+]]: tensor<2x11xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>},
// CHECK-SAME: %[[TARGETS:[a-z0-9]+]]: tensor<2x11xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
// CHECK-SAME: -> (tensor<f32> {attnres.name = "loss"}, tensor<2x11x32xf32> {attnres.name = "logits"})

// CHECK:      %[[X:.*]] = attnres.embedding %[[TOKENS]], %[[EMBEDDING]]
// CHECK:      %[[Y:.*]] = attnres.stack %[[X]] block sublayers_per_block(2) eps(1.000000e-08)
// CHECK-NEXT: ^bb0(%[[H:.*]]: tensor<2x11x32xf32>):
// CHECK-NEXT:   %[[N:.*]] = attnres.rms_norm %[[H]], %[[NORM]]
// CHECK-NEXT:   %[[QX:.*]] = attnres.linear %[[N]], %[[Q]]
// CHECK-NEXT:   %[[QH:.*]] = tensor.expand_shape %[[QX]] {{.*}} into tensor<2x11x4x8xf32>
// CHECK-NEXT:   %[[KX:.*]] = attnres.linear %[[N]], %[[K]]
// CHECK-NEXT:   %[[KH:.*]] = tensor.expand_shape %[[KX]] {{.*}} into tensor<2x11x2x8xf32>
// CHECK-NEXT:   %[[VX:.*]] = attnres.linear %[[N]], %[[V]]
// CHECK-NEXT:   %[[VH:.*]] = tensor.expand_shape %[[VX]] {{.*}} into tensor<2x11x2x8xf32>
// CHECK-NEXT:   %[[QR:.*]] = attnres.rope %[[QH]] {theta = 1.000000e+04 : f64}
// CHECK-NEXT:   %[[KR:.*]] = attnres.rope %[[KH]] {theta = 1.000000e+04 : f64}
// CHECK-NEXT:   %[[A:.*]], %{{.*}} = attnres.attention %[[QR]], %[[KR]], %[[VH]] {causal}
// CHECK-NEXT:   %[[J:.*]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT:   %[[R:.*]] = attnres.linear %[[J]], %[[O]]
// CHECK-NEXT:   attnres.yield %[[R]]
// CHECK:      ^bb0(%[[H1:.*]]: tensor<2x11x32xf32>):
// CHECK-NEXT:   %[[N1:.*]] = attnres.rms_norm %[[H1]], %[[FFNNORM]]
// CHECK-NEXT:   %[[G:.*]] = attnres.linear %[[N1]], %[[GATE]]
// CHECK-NEXT:   %[[U:.*]] = attnres.linear %[[N1]], %[[UP]]
// CHECK-NEXT:   %[[S:.*]] = attnres.swiglu %[[G]], %[[U]]
// CHECK-NEXT:   %[[R1:.*]] = attnres.linear %[[S]], %[[DOWN]]
// CHECK-NEXT:   attnres.yield %[[R1]]
// CHECK-COUNT-6: attnres.yield
// CHECK:      %[[F:.*]] = attnres.rms_norm %[[Y]], %[[FINALNORM]]
// CHECK-NEXT: %[[LOGITS:.*]] = attnres.linear %[[F]], %[[EMBEDDING]]
// CHECK-NEXT: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy %[[LOGITS]], %[[TARGETS]]
// CHECK-NEXT: return %[[LOSS]], %[[LOGITS]]
