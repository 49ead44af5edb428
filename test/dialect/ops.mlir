// RUN: attnres-opt %s | attnres-opt | FileCheck %s
// RUN: attnres-opt %s --mlir-print-op-generic | attnres-opt | FileCheck %s
// RUN: attnres-opt %s --verify-roundtrip | FileCheck %s

//===----------------------------------------------------------------------===//
// Attention over depth
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @depth_attention
func.func @depth_attention(%q: tensor<32xf32>, %g: tensor<32xf32>, %v: tensor<2x11x32xf32>, %b: tensor<7x32xbf16>) {
  // CHECK: %[[O:.*]]:2, %[[L:.*]]:2 = attnres.depth_attention queries(%{{.*}}, %{{.*}}) gains(%{{.*}}, %{{.*}}) sources(%{{.*}}, %{{.*}}, %{{.*}}) {eps = 1.000000e-08 : f64} : tensor<2x11x32xf32>
  %o:2, %l:2 = attnres.depth_attention queries(%q, %q) gains(%g, %g) sources(%v, %v, %v) {eps = 1.0e-8 : f64} : tensor<2x11x32xf32>
  // CHECK: attnres.depth_attention queries(%{{.*}}) gains(%{{.*}}) sources(%{{.*}}) {eps = 0.000000e+00 : f64} : tensor<7x32xbf16>
  %o2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%b) {eps = 0.0 : f64} : tensor<7x32xbf16>
  // CHECK: attnres.depth_attention_backward queries(%{{.*}}, %{{.*}}) gains(%{{.*}}, %{{.*}}) sources(%{{.*}}) lses(%[[L]]#0, %[[L]]#1) output_grads(%[[O]]#0, %[[O]]#1) {eps = 1.000000e-08 : f64} : tensor<32xf32>,
  %d:5 = attnres.depth_attention_backward queries(%q, %q) gains(%g, %g) sources(%v) lses(%l#0, %l#1) output_grads(%o#0, %o#1) {eps = 1.0e-8 : f64}
      : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<2x11xf32>, tensor<2x11x32xf32>, tensor<2x11x32xf32>
  // CHECK: attnres.depth_attention_backward {{.*}} lse_grads(%{{.*}}) accumulators(%{{.*}}) {eps = 1.000000e-08 : f64, partials = 3 : i64}
  %e:3 = attnres.depth_attention_backward queries(%q) gains(%g) sources(%v) lses(%l#0) output_grads(%o#0) lse_grads(%l#0) accumulators(%v) {eps = 1.0e-8 : f64, partials = 3 : i64}
      : tensor<32xf32>, tensor<32xf32>, tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<2x11x32xf32>
  // Partial sums have a leading dimension.
  // CHECK: attnres.sum_rows %{{.*}} : tensor<3x32xf32>
  %s = attnres.sum_rows %e#1 : tensor<3x32xf32>
  return
}

// CHECK-LABEL: @lists
func.func @lists(%q: !attnres.list<tensor<32xf32>>, %w: tensor<4xf32>, %v: !attnres.list<tensor<2x11x32xf32>>, %one: tensor<32xf32>,
                 %st: tensor<2x11x32xf32>, %sl: tensor<2x11xf32>) -> (!attnres.list<tensor<2x11x32xf32>>, !attnres.list<tensor<2x11xf32>>) {
  // CHECK: %[[O:.*]], %[[L:.*]] = attnres.depth_attention queries(%{{.*}}) gains(%{{.*}}) sources(%{{.*}}) {eps = 1.000000e-08 : f64} : (!attnres.list<tensor<32xf32>>, !attnres.list<tensor<32xf32>>, !attnres.list<tensor<2x11x32xf32>>)
  %o, %l = attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64}
      : (!attnres.list<tensor<32xf32>>, !attnres.list<tensor<32xf32>>, !attnres.list<tensor<2x11x32xf32>>)
  // CHECK: attnres.static_mix %{{.*}}, %{{.*}} : (tensor<4xf32>, !attnres.list<tensor<2x11x32xf32>>)
  %m = attnres.static_mix %w, %v : (tensor<4xf32>, !attnres.list<tensor<2x11x32xf32>>)
  // CHECK: attnres.depth_merge %{{.*}}, %{{.*}} query(%{{.*}}) gain(%{{.*}}) sources(%{{.*}}) {eps = 1.000000e-08 : f64} : (tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<32xf32>, tensor<32xf32>, !attnres.list<tensor<2x11x32xf32>>)
  %h, %hl = attnres.depth_merge %st, %sl query(%one) gain(%one) sources(%v) {eps = 1.0e-8 : f64}
      : (tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<32xf32>, tensor<32xf32>, !attnres.list<tensor<2x11x32xf32>>)
  // CHECK: return %[[O]], %[[L]] : !attnres.list<tensor<2x11x32xf32>>, !attnres.list<tensor<2x11xf32>>
  return %o, %l : !attnres.list<tensor<2x11x32xf32>>, !attnres.list<tensor<2x11xf32>>
}

// CHECK-LABEL: @merges
func.func @merges(%s: tensor<3x8xf32>, %l: tensor<3xf32>, %q: tensor<8xf32>) {
  // CHECK: attnres.depth_merge %{{.*}}, %{{.*}} query(%{{.*}}) gain(%{{.*}}) sources(%{{.*}}, %{{.*}}) {eps = 1.000000e-08 : f64} : tensor<3x8xf32>
  %h, %hl = attnres.depth_merge %s, %l query(%q) gain(%q) sources(%s, %s) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  // CHECK: attnres.depth_merge_backward %{{.*}}, %{{.*}} query(%{{.*}}) gain(%{{.*}}) sources(%{{.*}}) lse(%{{.*}}) output_grad(%{{.*}}) lse_grad(%{{.*}}) accumulators(%{{.*}}) {eps = 1.000000e-08 : f64, partials = 2 : i64}
  %d:5 = attnres.depth_merge_backward %s, %l query(%q) gain(%q) sources(%s) lse(%hl) output_grad(%h) lse_grad(%l) accumulators(%s) {eps = 1.0e-8 : f64, partials = 2 : i64}
      : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  // CHECK: attnres.merge_states %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>
  %o, %ol = attnres.merge_states %s, %l, %h, %hl : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>
  // CHECK: attnres.merge_states_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lse_grad(%{{.*}}) :
  %e:4 = attnres.merge_states_backward %s, %l, %h, %hl, %ol, %o lse_grad(%l) : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>
  // CHECK: attnres.depth_weights query(%{{.*}}) gain(%{{.*}}) sources(%{{.*}}, %{{.*}}) {eps = 1.000000e-08 : f64} : tensor<3x8xf32>
  %w = attnres.depth_weights query(%q) gain(%q) sources(%s, %s) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  // CHECK: attnres.sum_squares %{{.*}} : tensor<2x3xf32>
  %n = attnres.sum_squares %w : tensor<2x3xf32>
  return
}

// CHECK-LABEL: @static_mixes
func.func @static_mixes(%w: tensor<2xf32>, %v: tensor<3x8xbf16>) {
  // CHECK: attnres.static_mix %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x8xbf16>
  %h = attnres.static_mix %w, %v, %v : tensor<3x8xbf16>
  // CHECK: attnres.static_weights %{{.*}} : tensor<2xf32>
  %a = attnres.static_weights %w : tensor<2xf32>
  // CHECK: attnres.static_mix_backward %{{.*}} sources(%{{.*}}, %{{.*}}) output_grad(%{{.*}}) accumulators(%{{.*}}, %{{.*}}) {partials = 2 : i64} : tensor<2xf32>, tensor<3x8xbf16>
  %d:3 = attnres.static_mix_backward %w sources(%v, %v) output_grad(%h) accumulators(%v, %v) {partials = 2 : i64}
      : tensor<2xf32>, tensor<3x8xbf16>, tensor<3x8xbf16>, tensor<3x8xbf16>, tensor<3x8xbf16>, tensor<3x8xbf16>
  return
}

//===----------------------------------------------------------------------===//
// Sequence attention and layers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x5x4x8xbf16>, %k: tensor<2x7x2x8xbf16>, %v: tensor<2x7x2x6xbf16>, %c: tensor<5x8xf32>, %s: tensor<2xi64>, %c9: tensor<2x5x8xf32>) {
  // CHECK: attnres.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, scale = 5.000000e-01 : f64} : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>
  %o, %l = attnres.attention %q, %k, %v {causal, scale = 0.5 : f64} : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>
  // CHECK: attnres.attention_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lse_grad(%{{.*}}) {causal} : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>, tensor<2x5x4x6xbf16>, tensor<2x5x4xf32>
  %d:3 = attnres.attention_backward %q, %k, %v, %o, %l, %o lse_grad(%l) {causal}
      : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>, tensor<2x5x4x6xbf16>, tensor<2x5x4xf32>, tensor<2x5x4x6xbf16>, tensor<2x5x4xf32>
  // CHECK: attnres.rope %{{.*}} table(%{{.*}}) {theta = 1.000000e+04 : f64} : tensor<2x5x4x8xbf16>, tensor<5x8xf32>
  %r2 = attnres.rope %q table(%c) {theta = 1.0e4 : f64} : tensor<2x5x4x8xbf16>, tensor<5x8xf32>
  // CHECK: attnres.attention %{{.*}}, %{{.*}}, %{{.*}} start(%{{.*}}) {causal} : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>, tensor<2xi64>
  %o2, %l2 = attnres.attention %q, %k, %v start(%s) {causal} : tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xbf16>, tensor<2xi64>
  // CHECK: attnres.cache_write %{{.*}}, %{{.*}} at(%{{.*}}) : tensor<2x7x2x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2xi64>
  %w = attnres.cache_write %k, %k at(%s) : tensor<2x7x2x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2xi64>
  // CHECK: attnres.select_token %{{.*}} at(%{{.*}}) : tensor<2x5x4x8xbf16>, tensor<2xi64>
  %y = attnres.select_token %q at(%s) : tensor<2x5x4x8xbf16>, tensor<2xi64>
  // CHECK: attnres.rope %{{.*}} start(%{{.*}}) {positions = 9 : i64, theta = 1.000000e+04 : f64} : tensor<2x5x4x8xbf16>, tensor<2xi64>
  %r3 = attnres.rope %q start(%s) {positions = 9 : i64, theta = 1.0e4 : f64} : tensor<2x5x4x8xbf16>, tensor<2xi64>
  // CHECK: attnres.rope %{{.*}} table(%{{.*}}) start(%{{.*}}) {positions = 9 : i64, theta = 1.000000e+04 : f64} : tensor<2x5x4x8xbf16>, tensor<2x5x8xf32>, tensor<2xi64>
  %r4 = attnres.rope %q table(%c9) start(%s) {positions = 9 : i64, theta = 1.0e4 : f64} : tensor<2x5x4x8xbf16>, tensor<2x5x8xf32>, tensor<2xi64>
  // CHECK: attnres.rope %{{.*}} {inverse, offset = 3 : i64, theta = 1.000000e+04 : f64} : tensor<2x5x4x8xbf16>
  %r = attnres.rope %q {inverse, offset = 3 : i64, theta = 1.0e4 : f64} : tensor<2x5x4x8xbf16>
  return
}

// CHECK-LABEL: @layers
func.func @layers(%x: tensor<2x3x8xf32>, %w: tensor<8xf32>, %m: tensor<6x8xf32>, %b: tensor<6xf32>) {
  // CHECK: attnres.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999999999995E-7 : f64} : tensor<2x3x8xf32>, tensor<8xf32>
  %n = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<2x3x8xf32>, tensor<8xf32>
  // CHECK: attnres.rms_norm_backward %{{.*}}, %{{.*}}, %{{.*}} {eps = 9.9999999999999995E-7 : f64, partials = 2 : i64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
  %nb:2 = attnres.rms_norm_backward %x, %w, %n {eps = 1.0e-6 : f64, partials = 2 : i64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
  // CHECK: attnres.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {eps = 1.000000e-05 : f64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = attnres.layer_norm %x, %w, %w {eps = 1.0e-5 : f64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>
  // CHECK: attnres.layer_norm_backward %{{.*}}, %{{.*}}, %{{.*}} {eps = 1.000000e-05 : f64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
  %yb:3 = attnres.layer_norm_backward %x, %w, %y {eps = 1.0e-5 : f64} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>
  // CHECK: attnres.linear %{{.*}}, %{{.*}} bias(%{{.*}}) : tensor<2x3x8xf32>, tensor<6x8xf32>, tensor<6xf32>
  %z = attnres.linear %x, %m bias(%b) : tensor<2x3x8xf32>, tensor<6x8xf32>, tensor<6xf32>
  // CHECK: attnres.matmul %{{.*}}, %{{.*}} init(%{{.*}}) {transpose_lhs} : tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = attnres.matmul %z, %x init(%m) {transpose_lhs} : tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<6x8xf32> -> tensor<6x8xf32>
  // CHECK: attnres.matmul %{{.*}}, %{{.*}} : tensor<2x3x6xf32>, tensor<6x8xf32> -> tensor<2x3x8xf32>
  %p2 = attnres.matmul %z, %m : tensor<2x3x6xf32>, tensor<6x8xf32> -> tensor<2x3x8xf32>
  // CHECK: attnres.sum_rows %{{.*}} {partials = 4 : i64} : tensor<2x3x8xf32>
  %s = attnres.sum_rows %x {partials = 4 : i64} : tensor<2x3x8xf32>
  // CHECK: attnres.swiglu %{{.*}}, %{{.*}} : tensor<2x3x8xf32>
  %a = attnres.swiglu %x, %x : tensor<2x3x8xf32>
  // CHECK: attnres.swiglu_backward %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>
  %ab:2 = attnres.swiglu_backward %x, %x, %a : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>
  // CHECK: attnres.gelu %{{.*}} : tensor<2x3x8xf32>
  %g = attnres.gelu %x : tensor<2x3x8xf32>
  // CHECK: attnres.gelu_backward %{{.*}}, %{{.*}} : tensor<2x3x8xf32>
  %gb = attnres.gelu_backward %x, %g : tensor<2x3x8xf32>
  return
}

// CHECK-LABEL: @losses
func.func @losses(%x: tensor<2x3x8xf32>, %w: tensor<9x8xf32>, %t: tensor<2x3xi64>) {
  // CHECK: attnres.embedding %{{.*}}, %{{.*}} : tensor<2x3xi64>, tensor<9x8xf32>
  %e = attnres.embedding %t, %w : tensor<2x3xi64>, tensor<9x8xf32>
  // CHECK: attnres.embedding_backward %{{.*}}, %{{.*}} {vocab_size = 9 : i64} : tensor<2x3xi64>, tensor<2x3x8xf32>
  %eb = attnres.embedding_backward %t, %e {vocab_size = 9 : i64} : tensor<2x3xi64>, tensor<2x3x8xf32>
  // CHECK: attnres.cross_entropy %{{.*}}, %{{.*}} {ignore_index = 0 : i64} : tensor<2x3x8xf32>, tensor<2x3xi64>
  %l, %lse = attnres.cross_entropy %x, %t {ignore_index = 0 : i64} : tensor<2x3x8xf32>, tensor<2x3xi64>
  // CHECK: attnres.linear_cross_entropy %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<9x8xf32>, tensor<2x3xi64>
  %l2, %lse2 = attnres.linear_cross_entropy %x, %w, %t : tensor<2x3x8xf32>, tensor<9x8xf32>, tensor<2x3xi64>
  // CHECK: attnres.linear_cross_entropy_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<9x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<f32>
  %lb:2 = attnres.linear_cross_entropy_backward %x, %w, %t, %lse2, %l2 : tensor<2x3x8xf32>, tensor<9x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<f32>
  // CHECK: attnres.cross_entropy_rows %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<2x3xi64>
  %n, %lse3 = attnres.cross_entropy_rows %x, %t : tensor<2x3x8xf32>, tensor<2x3xi64>
  // CHECK: attnres.cross_entropy_rows_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lse_grad(%{{.*}}) : tensor<2x3x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>
  %nb = attnres.cross_entropy_rows_backward %x, %t, %lse3, %l lse_grad(%n) : tensor<2x3x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>
  // CHECK: attnres.live_mean %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xi64>
  %m = attnres.live_mean %n, %t : tensor<2x3xf32>, tensor<2x3xi64>
  // CHECK: attnres.live_scale %{{.*}}, %{{.*}} : tensor<f32>, tensor<2x3xi64>
  %s = attnres.live_scale %m, %t : tensor<f32>, tensor<2x3xi64>
  return
}

// CHECK-LABEL: @optimizer
func.func @optimizer(%p: tensor<6x8xf32>, %s: tensor<f32>) {
  // CHECK: attnres.sum_squares %{{.*}} {partials = 4 : i64} : tensor<6x8xf32>
  %n = attnres.sum_squares %p {partials = 4 : i64} : tensor<6x8xf32>
  // CHECK: attnres.clip_scale %{{.*}}, %{{.*}} {max_norm = 1.000000e+00 : f64} : tensor<4xf32>, tensor<f32>
  %norm, %scale = attnres.clip_scale %n, %s {max_norm = 1.0 : f64} : tensor<4xf32>, tensor<f32>
  // CHECK: attnres.adamw %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01 : f64, beta2 = 0.94999999999999996 : f64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64} : tensor<6x8xf32>
  %q, %m, %v = attnres.adamw %p, %p, %p, %p, %s, %s, %scale {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64}
      : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

//===----------------------------------------------------------------------===//
// Stacks and kernels
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @stacks
func.func @stacks(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %a: tensor<1xf32>, %w: tensor<8x8xf32>) {
  // CHECK: attnres.stack %{{.*}} block sublayers_per_block(2) eps(1.000000e-08) queries(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>) gains(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3x8xf32>):
  // CHECK-NEXT: attnres.linear
  // CHECK-NEXT: attnres.yield %{{.*}} : tensor<3x8xf32>
  %y = attnres.stack %x block sublayers_per_block(2) eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    %v = attnres.linear %h, %w : tensor<3x8xf32>, tensor<8x8xf32>
    attnres.yield %v : tensor<3x8xf32>
  }
  // CHECK: attnres.stack %{{.*}} static weights(%{{.*}} : tensor<1xf32>) : tensor<3x8xf32> {
  // CHECK: }, {
  %z = attnres.stack %x static weights(%a : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// CHECK-LABEL: @kernels
func.func @kernels(%w: tensor<7x5xf32>, %x: tensor<2x3x5xf32>, %b: tensor<7xf32>, %logits: tensor<2xf32>) {
  // CHECK: attnres.pack %{{.*}} {tile = 4 : i64, transpose} : tensor<7x5xf32>
  %p = attnres.pack %w {tile = 4 : i64, transpose} : tensor<7x5xf32>
  // CHECK: attnres.matmul_packed %{{.*}}, %{{.*}} bias(%{{.*}}) : tensor<2x3x5xf32>, tensor<2x5x4xf32>, tensor<7xf32> -> tensor<2x3x7xf32>
  %y = attnres.matmul_packed %x, %p bias(%b) : tensor<2x3x5xf32>, tensor<2x5x4xf32>, tensor<7xf32> -> tensor<2x3x7xf32>
  // CHECK: attnres.launch @mix(%{{.*}}, %{{.*}}, %{{.*}}) operand_groups [-1, 2] result_groups [-1] : (tensor<2xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %z = attnres.launch @mix(%logits, %x, %x) operand_groups [-1, 2] result_groups [-1] : (tensor<2xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: attnres.launch @mix(%{{.*}}, %{{.*}}, %{{.*}}) operand_groups [-1, 2] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 3>, #attnres.buffer<workspace + 64>, #attnres.buffer<constant>], result_buffers = [#attnres.buffer<result 0>]} :
  %z2 = attnres.launch @mix(%logits, %x, %x) operand_groups [-1, 2] result_groups [-1]
      {operand_buffers = [#attnres.buffer<argument 3>, #attnres.buffer<workspace + 64>, #attnres.buffer<constant>], result_buffers = [#attnres.buffer<result 0>]}
      : (tensor<2xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: attnres.expect_close %{{.*}}, %{{.*}} {atol = 0.000000e+00 : f64, rtol = 1.000000e-09 : f64} : tensor<2x3x5xf32>
  attnres.expect_close %z, %x {atol = 0.0 : f64, rtol = 1.0e-9 : f64} : tensor<2x3x5xf32>
  return
}

attnres.kernel @mix(%w: tensor<2xf32>, %v: !attnres.list<tensor<2x3x5xf32>>) -> tensor<2x3x5xf32> {
  %h = attnres.static_mix %w, %v : (tensor<2xf32>, !attnres.list<tensor<2x3x5xf32>>)
  attnres.return %h : tensor<2x3x5xf32>
}

// CHECK: attnres.kernel @declared : (tensor<9xf32>, !attnres.list<tensor<9xf32>>) -> (tensor<9xf32>, tensor<f32>) inplace [0, -1] flops 18
attnres.kernel @declared : (tensor<9xf32>, !attnres.list<tensor<9xf32>>) -> (tensor<9xf32>, tensor<f32>) inplace [0, -1] flops 18

// CHECK: attnres.kernel @nothing() attributes {somebody.note = "kept"} {
// CHECK-NEXT: attnres.return
attnres.kernel @nothing() attributes {somebody.note = "kept"} {
  attnres.return
}

// CHECK: attnres.kernel @code : (!attnres.list<tensor<9xf32>>) -> tensor<9xf32> flops 0 grid 3 scratch 64 per_item 4 code(%{{.*}}: !llvm.ptr, %{{.*}}: memref<9xf32>, %{{.*}}: memref<?xi8>, %{{.*}}: index, %{{.*}}: index) {
// CHECK: attnres.return
attnres.kernel @code : (!attnres.list<tensor<9xf32>>) -> tensor<9xf32> flops 0 grid 3 scratch 64 per_item 4
    code(%v: !llvm.ptr, %y: memref<9xf32>, %scratch: memref<?xi8>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  scf.for %i = %begin to %end step %end {
    memref.store %zero, %y[%i] : memref<9xf32>
  }
  attnres.return
}
