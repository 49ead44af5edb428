// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// Queries.
func.func @test(%v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected at least one query}}
  attnres.depth_attention queries() gains() sources(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

// Sources.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected at least one source}}
  attnres.depth_attention queries(%q) gains(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

// Rank of a source, short form.
func.func @test(%q: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @below {{custom op 'attnres.depth_attention' expected the ranked tensor type of a source, of rank at least 1, got 'tensor<f32>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%z) {eps = 1.0e-8 : f64} : tensor<f32>
  return
}

// -----

// Rank of a source, long form.
func.func @test(%q: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @below {{expected a tensor of rank at least 1}}
  attnres.depth_attention queries(%q) gains(%q) sources(%z) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<f32>)
  return
}

// -----

// Number of operand types.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.depth_attention' expected 3 operand types, got 2}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Sources of one type.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected source of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %u) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4x8xf32>)
  return
}

// -----

// One storage type.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %b: tensor<3x8xbf16>) {
  // expected-error @below {{'attnres.depth_attention' op expected source of type 'tensor<3x8xf32>', got 'tensor<3x8xbf16>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %b) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xbf16>)
  return
}

// -----

// Width of a query.
func.func @test(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected query of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_attention queries(%q7) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<7xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Width of a gain.
func.func @test(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected gain of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_attention queries(%q) gains(%q7) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<7xf32>, tensor<3x8xf32>)
  return
}

// -----

// A list among other sources.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %L: !attnres.list<tensor<3x8xf32>>) {
  // expected-error @below {{'attnres.depth_attention' op expected a list to be alone among the source, got 2 operands}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %L) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, !attnres.list<tensor<3x8xf32>>)
  return
}

// -----

// Negative eps.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = -1.0 : f64} : tensor<3x8xf32>
  return
}

// -----

// NaN eps.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got nan}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 0x7FF8000000000000 : f64} : tensor<3x8xf32>
  return
}

// -----

// Infinite eps.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got INF}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 0x7FF0000000000000 : f64} : tensor<3x8xf32>
  return
}

// -----

// Statistics are f32.
func.func @test(%v: tensor<3x8xf32>, %h: tensor<8xbf16>) {
  // expected-error @below {{'attnres.depth_attention' op operand #0 must be variadic of ranked tensor of 32-bit float values or any number of tensors of one type, but got 'tensor<8xbf16>'}}
  attnres.depth_attention queries(%h) gains(%h) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xbf16>, tensor<8xbf16>, tensor<3x8xf32>)
  return
}

// -----

// Gains for each query of the backward operation.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected as many gains as queries, got 1 gains and 2 queries}}
  attnres.depth_attention_backward queries(%q, %q) gains(%q) sources(%v) lses(%s, %s) output_grads(%v, %v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// As many lses as queries.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected 2 lses and output gradients, got 1 and 2}}
  attnres.depth_attention_backward queries(%q, %q) gains(%q, %q) sources(%v) lses(%s) output_grads(%v, %v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// As many output gradients as queries.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected 1 lses and output gradients, got 1 and 0}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads() {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>
  return
}

// -----

// Lse gradients for all queries or none.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected no lse gradient or 1, got 2}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) lse_grads(%s, %s) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// Shape of an lse.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s4) output_grads(%v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

// Shape of an lse gradient.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lse gradient of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) lse_grads(%s4) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

// Type of an output gradient.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %b: tensor<3x8xbf16>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<3x8xbf16>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%b) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xbf16>
  return
}

// -----

// Accumulators for all sources or none.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected no accumulator or one for each of 2 sources, got 1}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v, %v) lses(%s) output_grads(%v) accumulators(%v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// Type of an accumulator.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected accumulator of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) accumulators(%u) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4x8xf32>
  return
}

// -----

// Number of partial sums.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected at least 1 partial sum, got 0}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) {eps = 1.0e-8 : f64, partials = 0 : i64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

// Sources of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected at least one source}}
  attnres.depth_merge %v, %s query(%q) gain(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

// Number of operand types of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{custom op 'attnres.depth_merge' expected 5 operand types, got 4}}
  attnres.depth_merge %v, %s query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// Type of a state.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected state of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge %u, %s query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<4x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Shape of the lse of a state.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected state lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge %v, %s4 query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<3x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Rank of a source of a merge.
func.func @test(%q: tensor<8xf32>, %z: tensor<f32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected sources of rank at least 1, got 'tensor<f32>'}}
  attnres.depth_merge %z, %z query(%q) gain(%q) sources(%z) {eps = 1.0e-8 : f64} : (tensor<f32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>)
  return
}

// -----

// State of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected state of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge_backward %u, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<4x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

// Lse of the state of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected state lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s4 query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

// Lse of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s4) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

// Output gradient of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%u) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<4x8xf32>
  return
}

// -----

// Lse gradient of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected lse gradient of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) lse_grad(%s4) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

// Accumulators of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected no accumulator or one for each of 1 sources, got 2}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) accumulators(%v, %v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// Partial sums of a merge.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected at least 1 partial sum, got -1}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64, partials = -1 : i64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

// Sources of the weights.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected at least one source}}
  attnres.depth_weights query(%q) gain(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

// Number of operand types of the weights.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.depth_weights' expected 3 operand types, got 1}}
  attnres.depth_weights query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>)
  return
}

// -----

// Query of the weights.
func.func @test(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_weights' op expected query of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_weights query(%q7) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<7xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Rank of a mixture.
func.func @test(%z: tensor<f32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected mixtures of rank at least 1, got 'tensor<f32>'}}
  attnres.merge_states %z, %z, %z, %z : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

// Second mixture.
func.func @test(%v: tensor<3x8xf32>, %u: tensor<4x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected second mixture of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.merge_states %v, %s, %u, %s : tensor<3x8xf32>, tensor<3xf32>, tensor<4x8xf32>, tensor<3xf32>
  return
}

// -----

// First lse.
func.func @test(%v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected first lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states %v, %s4, %v, %s : tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>, tensor<3xf32>
  return
}

// -----

// Second lse.
func.func @test(%v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected second lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states %v, %s, %v, %s4 : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

// No source at all.
func.func @test(%w2: tensor<2xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected at least one source}}
  %h = "attnres.static_mix"(%w2) : (tensor<2xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Number of operand types of a static mixture.
func.func @test(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.static_mix' expected 3 operand types, got 2}}
  attnres.static_mix %w2, %v, %v : (tensor<2xf32>, tensor<3x8xf32>)
  return
}

// -----

// One weight for each source.
func.func @test(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected one weight for each of 2 sources, got 'tensor<3xf32>'}}
  attnres.static_mix %w3, %v, %v : (tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>)
  return
}

// -----

// Sources of one type.
func.func @test(%w2: tensor<2xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected source of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.static_mix %w2, %v, %u : (tensor<2xf32>, tensor<3x8xf32>, tensor<4x8xf32>)
  return
}

// -----

// One weight for each source.
func.func @test(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected one weight for each of 2 sources, got 'tensor<3xf32>'}}
  attnres.static_mix_backward %w3 sources(%v, %v) output_grad(%v) : tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// Sources.
func.func @test(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected at least one source}}
  attnres.static_mix_backward %w3 sources() output_grad(%v) : tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

// Output gradient.
func.func @test(%w2: tensor<2xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%u) : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<4x8xf32>
  return
}

// -----

// Accumulators.
func.func @test(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected no accumulator or one for each of 2 sources, got 1}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%v) accumulators(%v) : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

// Partial sums.
func.func @test(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected at least 1 partial sum, got 0}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%v) {partials = 0 : i64} : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @test(%v: tensor<3x8xf32>, %l: tensor<3xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states_backward %v, %l, %v, %l, %m, %v : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @test(%w: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_weights' op expected logits of rank 1, got 'tensor<3x8xf32>'}}
  attnres.static_weights %w : tensor<3x8xf32>
  return
}
