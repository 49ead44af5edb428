// RUN: attnres-opt %s --pass-pipeline='builtin.module(func.func(attnres-hoist-selections,cse))' | FileCheck %s
// Numbers: unit/passes/ScheduleTest.cpp

// SE-3 throughout: the same program, of fewer tokens.

// Projections, norms and activations, in bf16.
// CHECK-LABEL: @layers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x5x8xbf16>
// CHECK-SAME: %[[AT:[a-z0-9]+]]: tensor<3xi64>
// CHECK-NEXT: %[[T:.*]] = attnres.select_token %[[X]] at(%[[AT]]) : tensor<3x5x8xbf16>, tensor<3xi64>
// CHECK-NEXT: %[[N:.*]] = attnres.rms_norm %[[T]], %{{.*}} {{.*}} : tensor<3x1x8xbf16>
// CHECK-NEXT: %[[M:.*]] = attnres.layer_norm %[[N]], %{{.*}}, %{{.*}} {{.*}} : tensor<3x1x8xbf16>
// CHECK-NEXT: %[[A:.*]] = attnres.linear %[[M]], %{{.*}} bias(%{{.*}}) : tensor<3x1x8xbf16>
// CHECK-NEXT: %[[B:.*]] = attnres.gelu %[[A]] : tensor<3x1x16xbf16>
// CHECK-NEXT: %[[C:.*]] = attnres.swiglu %[[A]], %[[B]] : tensor<3x1x16xbf16>
// CHECK-NEXT: return %[[C]] : tensor<3x1x16xbf16>
func.func @layers(%x: tensor<3x5x8xbf16>, %at: tensor<3xi64>, %g: tensor<8xf32>, %w: tensor<16x8xbf16>, %bias: tensor<16xf32>) -> tensor<3x1x16xbf16> {
  %n = attnres.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<3x5x8xbf16>, tensor<8xf32>
  %m = attnres.layer_norm %n, %g, %g {eps = 1.0e-5 : f64} : tensor<3x5x8xbf16>, tensor<8xf32>, tensor<8xf32>
  %a = attnres.linear %m, %w bias(%bias) : tensor<3x5x8xbf16>, tensor<16x8xbf16>, tensor<16xf32>
  %b = attnres.gelu %a : tensor<3x5x16xbf16>
  %c = attnres.swiglu %a, %b : tensor<3x5x16xbf16>
  %y = attnres.select_token %c at(%at) : tensor<3x5x16xbf16>, tensor<3xi64>
  return %y : tensor<3x1x16xbf16>
}

// Elementwise operations, of one value with itself, and casts.
// CHECK-LABEL: @elementwise(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5x8xf32>, %[[Y:[a-z0-9]+]]: tensor<2x5x8xf32>
// CHECK-DAG:  %[[TX:.*]] = attnres.select_token %[[X]]
// CHECK-DAG:  %[[TY:.*]] = attnres.select_token %[[Y]]
// CHECK-DAG:  %[[A:.*]] = arith.addf %[[TX]], %[[TY]] : tensor<2x1x8xf32>
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[A]] : tensor<2x1x8xf32>
// CHECK-NEXT: %[[C:.*]] = arith.truncf %[[B]] : tensor<2x1x8xf32> to tensor<2x1x8xbf16>
// CHECK-NEXT: return %[[C]]
func.func @elementwise(%x: tensor<2x5x8xf32>, %y: tensor<2x5x8xf32>, %at: tensor<2xi64>) -> tensor<2x1x8xbf16> {
  %a = arith.addf %x, %y : tensor<2x5x8xf32>
  %b = arith.mulf %a, %a : tensor<2x5x8xf32>
  %c = arith.truncf %b : tensor<2x5x8xf32> to tensor<2x5x8xbf16>
  %z = attnres.select_token %c at(%at) : tensor<2x5x8xbf16>, tensor<2xi64>
  return %z : tensor<2x1x8xbf16>
}

// Mixtures with one query and several; log-sum-exps are statistics of tokens.
// Each source is selected once.
// CHECK-LABEL: @mixtures(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x5x8xf32>, %[[B:[a-z0-9]+]]: tensor<2x5x8xf32>, %[[L:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-DAG:  %[[TA:.*]] = attnres.select_token %[[A]]
// CHECK-DAG:  %[[TB:.*]] = attnres.select_token %[[B]]
// CHECK-DAG:  %[[H:.*]]:2, %[[S:.*]]:2 = attnres.depth_attention queries(%{{.*}}, %{{.*}}) gains(%{{.*}}, %{{.*}}) sources(%[[TA]], %[[TB]]) {{.*}} : tensor<2x1x8xf32>
// CHECK-DAG:  %[[M:.*]], %[[SM:.*]] = attnres.depth_merge %[[H]]#0, %[[S]]#0 query(%{{.*}}) gain(%{{.*}}) sources(%[[TA]]) {{.*}} : tensor<2x1x8xf32>
// CHECK-DAG:  %[[TL:.*]] = attnres.select_token %[[L]] at(%{{.*}}) : tensor<2x5xf32>
// CHECK-DAG:  %[[R:.*]], %[[SR:.*]] = attnres.merge_states %[[H]]#1, %[[S]]#1, %[[TB]], %[[TL]] : tensor<2x1x8xf32>, tensor<2x1xf32>
// CHECK:      %[[X:.*]] = attnres.static_mix %{{.*}}, %[[M]], %[[R]] : tensor<2x1x8xf32>
// CHECK-NEXT: return %[[X]], %[[SM]] : tensor<2x1x8xf32>, tensor<2x1xf32>
func.func @mixtures(%a: tensor<2x5x8xf32>, %b: tensor<2x5x8xf32>, %lse: tensor<2x5xf32>, %q: tensor<8xf32>, %w: tensor<2xf32>, %at: tensor<2xi64>) -> (tensor<2x1x8xf32>, tensor<2x1xf32>) {
  %h:2, %s:2 = attnres.depth_attention queries(%q, %q) gains(%q, %q) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x5x8xf32>
  %m, %sm = attnres.depth_merge %h#0, %s#0 query(%q) gain(%q) sources(%a) {eps = 1.0e-8 : f64} : tensor<2x5x8xf32>
  %r, %sr = attnres.merge_states %h#1, %s#1, %b, %lse : tensor<2x5x8xf32>, tensor<2x5xf32>, tensor<2x5x8xf32>, tensor<2x5xf32>
  %x = attnres.static_mix %w, %m, %r : tensor<2x5x8xf32>
  %y = attnres.select_token %x at(%at) : tensor<2x5x8xf32>, tensor<2xi64>
  %l = attnres.select_token %sm at(%at) : tensor<2x5xf32>, tensor<2xi64>
  return %y, %l : tensor<2x1x8xf32>, tensor<2x1xf32>
}

// The queries behind a cache. The sum of the positions is made once; keys stay.
// CHECK-LABEL: @cached(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5x32xf32>, %[[K:[a-z0-9]+]]: tensor<2x64x2x8xf32>, %[[S:[a-z0-9]+]]: tensor<2xi64>, %[[AT:[a-z0-9]+]]: tensor<2xi64>
// CHECK-NEXT: %[[T:.*]] = attnres.select_token %[[X]] at(%[[AT]])
// CHECK-NEXT: %[[Q:.*]] = tensor.expand_shape %[[T]] {{\[}}[0], [1], [2, 3]] output_shape [2, 1, 4, 8] : tensor<2x1x32xf32> into tensor<2x1x4x8xf32>
// CHECK-NEXT: %[[P:.*]] = arith.addi %[[S]], %[[AT]] : tensor<2xi64>
// CHECK-NEXT: %[[R:.*]] = attnres.rope %[[Q]] start(%[[P]]) {positions = 64 : i64, theta = 1.000000e+04 : f64} : tensor<2x1x4x8xf32>
// CHECK-NEXT: %[[O:.*]], %{{.*}} = attnres.attention %[[R]], %[[K]], %[[K]] start(%[[P]]) {causal} : tensor<2x1x4x8xf32>, tensor<2x64x2x8xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[O]] {{.*}} into tensor<2x1x32xf32>
// CHECK-NEXT: return %[[C]]
func.func @cached(%x: tensor<2x5x32xf32>, %k: tensor<2x64x2x8xf32>, %s: tensor<2xi64>, %at: tensor<2xi64>) -> tensor<2x1x32xf32> {
  %q = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 5, 4, 8] : tensor<2x5x32xf32> into tensor<2x5x4x8xf32>
  %r = attnres.rope %q start(%s) {theta = 1.0e4 : f64, positions = 64 : i64} : tensor<2x5x4x8xf32>, tensor<2xi64>
  %o, %lse = attnres.attention %r, %k, %k start(%s) {causal} : tensor<2x5x4x8xf32>, tensor<2x64x2x8xf32>, tensor<2x64x2x8xf32>, tensor<2xi64>
  %c = tensor.collapse_shape %o [[0], [1], [2, 3]] : tensor<2x5x4x8xf32> into tensor<2x5x32xf32>
  %y = attnres.select_token %c at(%at) : tensor<2x5x32xf32>, tensor<2xi64>
  return %y : tensor<2x1x32xf32>
}

// Whole texts: the place is the position.
// CHECK-LABEL: @whole(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5x4x8xf32>, %[[C:[a-z0-9]+]]: tensor<5x8xf32>, %[[AT:[a-z0-9]+]]: tensor<2xi64>
// CHECK:      %[[K:.*]] = attnres.rope %[[X]] table(%[[C]]) {offset = 3 : i64, theta = 1.000000e+04 : f64} : tensor<2x5x4x8xf32>
// CHECK-NEXT: %[[T:.*]] = attnres.select_token %[[X]] at(%[[AT]])
// CHECK-NEXT: %[[Q:.*]] = attnres.rope %[[T]] start(%[[AT]]) {offset = 3 : i64, positions = 5 : i64, theta = 1.000000e+04 : f64} : tensor<2x1x4x8xf32>
// CHECK-NEXT: %[[O:.*]], %[[L:.*]] = attnres.attention %[[Q]], %[[K]], %[[X]] start(%[[AT]]) {causal, scale = 5.000000e-01 : f64} : tensor<2x1x4x8xf32>, tensor<2x5x4x8xf32>
// CHECK-NEXT: %[[P:.*]], %{{.*}} = attnres.attention %[[O]], %[[K]], %[[X]] : tensor<2x1x4x8xf32>, tensor<2x5x4x8xf32>
// CHECK-NEXT: return %[[P]], %[[L]]
func.func @whole(%x: tensor<2x5x4x8xf32>, %c: tensor<5x8xf32>, %at: tensor<2xi64>) -> (tensor<2x1x4x8xf32>, tensor<2x1x4xf32>) {
  %k = attnres.rope %x table(%c) {theta = 1.0e4 : f64, offset = 3 : i64} : tensor<2x5x4x8xf32>, tensor<5x8xf32>
  %q = attnres.rope %x {theta = 1.0e4 : f64, offset = 3 : i64} : tensor<2x5x4x8xf32>
  %o, %lse = attnres.attention %q, %k, %x {causal, scale = 0.5 : f64} : tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>
  // Without a mask there are no positions.
  %p, %lse2 = attnres.attention %o, %k, %x : tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>
  %y = attnres.select_token %p at(%at) : tensor<2x5x4x8xf32>, tensor<2xi64>
  %l = attnres.select_token %lse at(%at) : tensor<2x5x4xf32>, tensor<2xi64>
  return %y, %l : tensor<2x1x4x8xf32>, tensor<2x1x4xf32>
}

// What something else needs whole is selected from, as its operands are whole
// anyway.
// CHECK-LABEL: @needed_whole(
// CHECK-NEXT: %[[N:.*]] = attnres.rms_norm %{{.*}} : tensor<2x5x8xf32>
// CHECK-NEXT: %[[T:.*]] = attnres.select_token %[[N]]
// CHECK-NEXT: %[[G:.*]] = attnres.gelu %[[T]] : tensor<2x1x8xf32>
// CHECK-NEXT: %[[W:.*]] = attnres.gelu %[[N]] : tensor<2x5x8xf32>
// CHECK-NEXT: return %[[G]], %[[W]]
func.func @needed_whole(%x: tensor<2x5x8xf32>, %g: tensor<8xf32>, %at: tensor<2xi64>) -> (tensor<2x1x8xf32>, tensor<2x5x8xf32>) {
  %n = attnres.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x5x8xf32>, tensor<8xf32>
  %a = attnres.gelu %n : tensor<2x5x8xf32>
  %b = attnres.gelu %n : tensor<2x5x8xf32>
  %y = attnres.select_token %a at(%at) : tensor<2x5x8xf32>, tensor<2xi64>
  return %y, %b : tensor<2x1x8xf32>, tensor<2x5x8xf32>
}

// A log-sum-exp that is returned whole needs the mixture whole.
// CHECK-LABEL: @other_result(
// CHECK-NEXT: %[[H:.*]], %[[L:.*]] = attnres.depth_attention {{.*}} : tensor<2x5x8xf32>
// CHECK-NEXT: %[[T:.*]] = attnres.select_token %[[H]]
// CHECK-NEXT: return %[[T]], %[[L]]
func.func @other_result(%x: tensor<2x5x8xf32>, %q: tensor<8xf32>, %at: tensor<2xi64>) -> (tensor<2x1x8xf32>, tensor<2x5xf32>) {
  %h, %l = attnres.depth_attention queries(%q) gains(%q) sources(%x, %x) {eps = 1.0e-8 : f64} : tensor<2x5x8xf32>
  %y = attnres.select_token %h at(%at) : tensor<2x5x8xf32>, tensor<2xi64>
  return %y, %l : tensor<2x1x8xf32>, tensor<2x5xf32>
}

// Selections at different places.
// CHECK-LABEL: @different_places(
// CHECK-NEXT: %[[A:.*]] = attnres.gelu %{{.*}} : tensor<2x5x8xf32>
// CHECK-NEXT: attnres.select_token %[[A]]
// CHECK-NEXT: attnres.select_token %[[A]]
func.func @different_places(%x: tensor<2x5x8xf32>, %i: tensor<2xi64>, %j: tensor<2xi64>) -> (tensor<2x1x8xf32>, tensor<2x1x8xf32>) {
  %a = attnres.gelu %x : tensor<2x5x8xf32>
  %y = attnres.select_token %a at(%i) : tensor<2x5x8xf32>, tensor<2xi64>
  %z = attnres.select_token %a at(%j) : tensor<2x5x8xf32>, tensor<2xi64>
  return %y, %z : tensor<2x1x8xf32>, tensor<2x1x8xf32>
}

// Places that are known too late.
// CHECK-LABEL: @late_places(
// CHECK-NEXT: attnres.gelu %{{.*}} : tensor<2x5x8xf32>
// CHECK-NEXT: arith.addi
// CHECK-NEXT: attnres.select_token
func.func @late_places(%x: tensor<2x5x8xf32>, %i: tensor<2xi64>) -> tensor<2x1x8xf32> {
  %a = attnres.gelu %x : tensor<2x5x8xf32>
  %j = arith.addi %i, %i : tensor<2xi64>
  %y = attnres.select_token %a at(%j) : tensor<2x5x8xf32>, tensor<2xi64>
  return %y : tensor<2x1x8xf32>
}

// Operations that mix what stands in the second dimension, or move it; a table
// lookup, whose indices have no selection.
// CHECK-LABEL: @not_tokens(
// CHECK:      attnres.rms_norm %{{.*}} : tensor<2x5xf32>
// CHECK:      tensor.expand_shape %{{.*}} : tensor<10x8xf32> into tensor<2x5x8xf32>
// CHECK:      tensor.collapse_shape %{{.*}} : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
// CHECK:      attnres.linear %{{.*}} : tensor<4x8xf32>, tensor<5x8xf32>
// CHECK:      attnres.cache_write %{{.*}} : tensor<2x5x8xf32>, tensor<2x3x8xf32>
// CHECK:      attnres.attention %{{.*}} {causal} : tensor<2x5x1x8xf32>, tensor<2x7x1x8xf32>
// CHECK:      attnres.embedding %{{.*}} : tensor<2x5xi64>, tensor<4x8xf32>
// CHECK-COUNT-7: attnres.select_token
func.func @not_tokens(%x: tensor<2x5xf32>, %y: tensor<10x8xf32>, %z: tensor<2x3x5x8xf32>, %v: tensor<4x8xf32>, %w: tensor<5x8xf32>, %c: tensor<2x5x8xf32>, %n: tensor<2x3x8xf32>, %q: tensor<2x5x1x8xf32>, %k: tensor<2x7x1x8xf32>, %g: tensor<5xf32>, %t: tensor<2x5xi64>, %i2: tensor<2xi64>, %i4: tensor<4xi64>, %i6: tensor<6xi64>)
    -> (tensor<2x1xf32>, tensor<2x1x8xf32>, tensor<6x1x8xf32>, tensor<4x1xf32>, tensor<2x1x8xf32>, tensor<2x1x1x8xf32>, tensor<2x1x8xf32>) {
  %0 = attnres.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x5xf32>, tensor<5xf32>
  %1 = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 5, 8] : tensor<10x8xf32> into tensor<2x5x8xf32>
  %2 = tensor.collapse_shape %z [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %3 = attnres.linear %v, %w : tensor<4x8xf32>, tensor<5x8xf32>
  %4 = attnres.cache_write %c, %n at(%i2) : tensor<2x5x8xf32>, tensor<2x3x8xf32>, tensor<2xi64>
  %5, %lse = attnres.attention %q, %k, %k {causal} : tensor<2x5x1x8xf32>, tensor<2x7x1x8xf32>, tensor<2x7x1x8xf32>
  %6 = attnres.embedding %t, %v : tensor<2x5xi64>, tensor<4x8xf32>
  %s0 = attnres.select_token %0 at(%i2) : tensor<2x5xf32>, tensor<2xi64>
  %s1 = attnres.select_token %1 at(%i2) : tensor<2x5x8xf32>, tensor<2xi64>
  %s2 = attnres.select_token %2 at(%i6) : tensor<6x5x8xf32>, tensor<6xi64>
  %s3 = attnres.select_token %3 at(%i4) : tensor<4x5xf32>, tensor<4xi64>
  %s4 = attnres.select_token %4 at(%i2) : tensor<2x5x8xf32>, tensor<2xi64>
  %s5 = attnres.select_token %5 at(%i2) : tensor<2x5x1x8xf32>, tensor<2xi64>
  %s6 = attnres.select_token %6 at(%i2) : tensor<2x5x8xf32>, tensor<2xi64>
  return %s0, %s1, %s2, %s3, %s4, %s5, %s6 : tensor<2x1xf32>, tensor<2x1x8xf32>, tensor<6x1x8xf32>, tensor<4x1xf32>, tensor<2x1x8xf32>, tensor<2x1x1x8xf32>, tensor<2x1x8xf32>
}

// Nothing gets narrower.
// CHECK-LABEL: @one_token(
// CHECK-NEXT: attnres.gelu
// CHECK-NEXT: attnres.select_token
func.func @one_token(%x: tensor<2x1x8xf32>, %i: tensor<2xi64>) -> tensor<2x1x8xf32> {
  %a = attnres.gelu %x : tensor<2x1x8xf32>
  %y = attnres.select_token %a at(%i) : tensor<2x1x8xf32>, tensor<2xi64>
  return %y : tensor<2x1x8xf32>
}
