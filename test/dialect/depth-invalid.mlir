// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @da7_at_least_one_query(%v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected at least one query}}
  attnres.depth_attention queries() gains() sources(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @da7_at_least_one_source(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected at least one source}}
  attnres.depth_attention queries(%q) gains(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @da7_sources_have_a_last_dimension(%q: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @below {{custom op 'attnres.depth_attention' expected the ranked tensor type of a source, of rank at least 1, got 'tensor<f32>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%z) {eps = 1.0e-8 : f64} : tensor<f32>
  return
}

// -----

func.func @da7_sources_have_a_last_dimension_in_the_long_form(%q: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @below {{expected a tensor of rank at least 1}}
  attnres.depth_attention queries(%q) gains(%q) sources(%z) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<f32>)
  return
}

// -----

func.func @every_operand_has_a_type(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.depth_attention' expected 3 operand types, got 2}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @da7_sources_have_one_shape(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected source of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %u) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @da7_sources_have_one_storage_type(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %b: tensor<3x8xbf16>) {
  // expected-error @below {{'attnres.depth_attention' op expected source of type 'tensor<3x8xf32>', got 'tensor<3x8xbf16>'}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %b) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xbf16>)
  return
}

// -----

func.func @da7_width_of_a_query(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected query of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_attention queries(%q7) gains(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<7xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @da7_width_of_a_gain(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected gain of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_attention queries(%q) gains(%q7) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<7xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @g15_a_list_is_alone_in_its_group(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %L: !attnres.list<tensor<3x8xf32>>) {
  // expected-error @below {{'attnres.depth_attention' op expected a list to be alone among the source, got 2 operands}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v, %L) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, !attnres.list<tensor<3x8xf32>>)
  return
}

// -----

func.func @g6_eps_is_not_negative(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = -1.0 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @g6_eps_is_not_nan(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got nan}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 0x7FF8000000000000 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @g6_eps_is_finite(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected eps to be finite and not negative, got INF}}
  attnres.depth_attention queries(%q) gains(%q) sources(%v) {eps = 0x7FF0000000000000 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @g2_queries_are_f32(%v: tensor<3x8xf32>, %h: tensor<8xbf16>) {
  // expected-error @below {{'attnres.depth_attention' op operand #0 must be variadic of ranked tensor of 32-bit float values or any number of tensors of one type, but got 'tensor<8xbf16>'}}
  attnres.depth_attention queries(%h) gains(%h) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xbf16>, tensor<8xbf16>, tensor<3x8xf32>)
  return
}

// -----

func.func @da7_queries_and_gains_come_in_pairs(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected as many gains as queries, got 1 gains and 2 queries}}
  attnres.depth_attention_backward queries(%q, %q) gains(%q) sources(%v) lses(%s, %s) output_grads(%v, %v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_an_lse_for_each_query(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected 2 lses and output gradients, got 1 and 2}}
  attnres.depth_attention_backward queries(%q, %q) gains(%q, %q) sources(%v) lses(%s) output_grads(%v, %v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_an_output_gradient_for_each_query(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected 1 lses and output gradients, got 1 and 0}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads() {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>
  return
}

// -----

func.func @g14_lse_gradients_for_all_queries_or_none(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected no lse gradient or 1, got 2}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) lse_grads(%s, %s) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @g14_shape_of_an_lse(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s4) output_grads(%v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_shape_of_an_lse_gradient(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lse gradient of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) lse_grads(%s4) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @g14_type_of_an_output_gradient(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %b: tensor<3x8xbf16>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<3x8xbf16>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%b) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xbf16>
  return
}

// -----

func.func @da11_accumulators_for_all_sources_or_none(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected no accumulator or one for each of 2 sources, got 1}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v, %v) lses(%s) output_grads(%v) accumulators(%v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @da11_type_of_an_accumulator(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected accumulator of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) accumulators(%u) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @pr6_at_least_one_partial_sum(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected at least 1 partial sum, got 0}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) {eps = 1.0e-8 : f64, partials = 0 : i64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @da7_sources_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected at least one source}}
  attnres.depth_merge %v, %s query(%q) gain(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @every_operand_of_a_merge_has_a_type(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{custom op 'attnres.depth_merge' expected 5 operand types, got 4}}
  attnres.depth_merge %v, %s query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @me1_type_of_a_state(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected state of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge %u, %s query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<4x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @me1_shape_of_the_lse_of_a_state(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected state lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge %v, %s4 query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<3x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @da7_sources_of_a_merge_have_a_last_dimension(%q: tensor<8xf32>, %z: tensor<f32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_merge' op expected sources of rank at least 1, got 'tensor<f32>'}}
  attnres.depth_merge %z, %z query(%q) gain(%q) sources(%z) {eps = 1.0e-8 : f64} : (tensor<f32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>)
  return
}

// -----

func.func @g14_state_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected state of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge_backward %u, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<4x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_lse_of_the_state_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected state lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s4 query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_lse_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s4) output_grad(%v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_output_gradient_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%u) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @g14_lse_gradient_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected lse gradient of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) lse_grad(%s4) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @da11_accumulators_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected no accumulator or one for each of 1 sources, got 2}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) accumulators(%v, %v) {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @pr6_partial_sums_of_a_merge(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_merge_backward' op expected at least 1 partial sum, got -1}}
  attnres.depth_merge_backward %v, %s query(%q) gain(%q) sources(%v) lse(%s) output_grad(%v) {eps = 1.0e-8 : f64, partials = -1 : i64} : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @da7_sources_of_weights(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected at least one source}}
  attnres.depth_weights query(%q) gain(%q) sources() {eps = 1.0e-8 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @every_operand_of_weights_has_a_type(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.depth_weights' expected 3 operand types, got 1}}
  attnres.depth_weights query(%q) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<8xf32>)
  return
}

// -----

func.func @da7_query_of_weights(%q: tensor<8xf32>, %q7: tensor<7xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_weights' op expected query of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.depth_weights query(%q7) gain(%q) sources(%v) {eps = 1.0e-8 : f64} : (tensor<7xf32>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @me1_mixtures_have_a_last_dimension(%z: tensor<f32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected mixtures of rank at least 1, got 'tensor<f32>'}}
  attnres.merge_states %z, %z, %z, %z : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @me1_states_have_one_type(%v: tensor<3x8xf32>, %u: tensor<4x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected second mixture of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.merge_states %v, %s, %u, %s : tensor<3x8xf32>, tensor<3xf32>, tensor<4x8xf32>, tensor<3xf32>
  return
}

// -----

func.func @me1_first_lse(%v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected first lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states %v, %s4, %v, %s : tensor<3x8xf32>, tensor<4xf32>, tensor<3x8xf32>, tensor<3xf32>
  return
}

// -----

func.func @me1_second_lse(%v: tensor<3x8xf32>, %s: tensor<3xf32>, %s4: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states' op expected second lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states %v, %s, %v, %s4 : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @sm2_at_least_one_source(%w2: tensor<2xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected at least one source}}
  %h = "attnres.static_mix"(%w2) : (tensor<2xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @every_operand_of_a_static_mixture_has_a_type(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.static_mix' expected 3 operand types, got 2}}
  attnres.static_mix %w2, %v, %v : (tensor<2xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @sm2_a_logit_for_each_source(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected one weight for each of 2 sources, got 'tensor<3xf32>'}}
  attnres.static_mix %w3, %v, %v : (tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @sm2_sources_have_one_type(%w2: tensor<2xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.static_mix' op expected source of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.static_mix %w2, %v, %u : (tensor<2xf32>, tensor<3x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @sm2_a_logit_for_each_source_of_the_backward_operation(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected one weight for each of 2 sources, got 'tensor<3xf32>'}}
  attnres.static_mix_backward %w3 sources(%v, %v) output_grad(%v) : tensor<3xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @sm2_at_least_one_source_of_the_backward_operation(%w3: tensor<3xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected at least one source}}
  attnres.static_mix_backward %w3 sources() output_grad(%v) : tensor<3xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_output_gradient_of_a_static_mixture(%w2: tensor<2xf32>, %v: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%u) : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @da11_accumulators_of_a_static_mixture(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected no accumulator or one for each of 2 sources, got 1}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%v) accumulators(%v) : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @pr6_partial_sums_of_a_static_mixture(%w2: tensor<2xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected at least 1 partial sum, got 0}}
  attnres.static_mix_backward %w2 sources(%v, %v) output_grad(%v) {partials = 0 : i64} : tensor<2xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_lse_of_merged_states(%v: tensor<3x8xf32>, %l: tensor<3xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'attnres.merge_states_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.merge_states_backward %v, %l, %v, %l, %m, %v : tensor<3x8xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @sm2_logits_are_a_vector(%w: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_weights' op expected logits of rank 1, got 'tensor<3x8xf32>'}}
  attnres.static_weights %w : tensor<3x8xf32>
  return
}

// -----

func.func @g15_gains_of_listed_queries(%q: !attnres.list<tensor<8xf32>>, %g: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.depth_attention' op expected gains as a list, like queries}}
  attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 1.0e-8 : f64} : (!attnres.list<tensor<8xf32>>, tensor<8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @g15_listed_lses(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: !attnres.list<tensor<3xf32>>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lses as tensors, like queries}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%v) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, !attnres.list<tensor<3xf32>>, tensor<3x8xf32>
  return
}

// -----

func.func @g15_listed_output_gradients(%q: tensor<8xf32>, %v: tensor<3x8xf32>, %s: tensor<3xf32>, %d: !attnres.list<tensor<3x8xf32>>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected output gradients as tensors, like queries}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%d) {eps = 1.0e-8 : f64} : tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>, !attnres.list<tensor<3x8xf32>>
  return
}

// -----

func.func @g15_lse_gradients_of_listed_queries(%q: !attnres.list<tensor<8xf32>>, %v: tensor<3x8xf32>, %s: !attnres.list<tensor<3xf32>>, %d: !attnres.list<tensor<3x8xf32>>, %t: tensor<3xf32>) {
  // expected-error @below {{'attnres.depth_attention_backward' op expected lse gradients as a list, like queries}}
  attnres.depth_attention_backward queries(%q) gains(%q) sources(%v) lses(%s) output_grads(%d) lse_grads(%t) {eps = 1.0e-8 : f64} : !attnres.list<tensor<8xf32>>, !attnres.list<tensor<8xf32>>, tensor<3x8xf32>, !attnres.list<tensor<3xf32>>, !attnres.list<tensor<3x8xf32>>, tensor<3xf32>
  return
}

// -----

func.func @g15_accumulators_of_listed_sources(%w: tensor<2xf32>, %v: !attnres.list<tensor<3x8xf32>>, %d: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.static_mix_backward' op expected accumulators as a list, like sources}}
  attnres.static_mix_backward %w sources(%v) output_grad(%d) accumulators(%d) : tensor<2xf32>, !attnres.list<tensor<3x8xf32>>, tensor<3x8xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @me1_mixtures_of_a_backward_merge(%v: tensor<3x8xf32>, %u: tensor<4x8xf32>, %l: tensor<3xf32>) {
  // expected-error @below {{'attnres.merge_states_backward' op expected second mixture of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.merge_states_backward %v, %l, %u, %l, %l, %v : tensor<3x8xf32>, tensor<3xf32>, tensor<4x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x8xf32>
  return
}
