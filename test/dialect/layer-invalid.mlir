// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @g1_rms_norm_has_a_last_dimension(%z: tensor<f32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.rms_norm' op expected x of rank at least 1, got 'tensor<f32>'}}
  attnres.rms_norm %z, %q {eps = 1.0e-8 : f64} : tensor<f32>, tensor<8xf32>
  return
}

// -----

func.func @g6_eps_of_rms_norm(%v: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.rms_norm' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.rms_norm %v, %q {eps = -1.0 : f64} : tensor<3x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @no1_weight_is_a_row(%v: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
  // expected-error @below {{'attnres.rms_norm' op expected weight of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.rms_norm %v, %q7 {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<7xf32>
  return
}

// -----

func.func @g1_layer_norm_has_a_last_dimension(%z: tensor<f32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.layer_norm' op expected x of rank at least 1, got 'tensor<f32>'}}
  attnres.layer_norm %z, %q, %q {eps = 1.0e-8 : f64} : tensor<f32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @g6_eps_of_layer_norm(%v: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.layer_norm' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.layer_norm %v, %q, %q {eps = -1.0 : f64} : tensor<3x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @no2_weight_is_a_row(%v: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
  // expected-error @below {{'attnres.layer_norm' op expected weight of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.layer_norm %v, %q7, %q {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<7xf32>, tensor<8xf32>
  return
}

// -----

func.func @no2_bias_is_a_row(%v: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
  // expected-error @below {{'attnres.layer_norm' op expected bias of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.layer_norm %v, %q, %q7 {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<8xf32>, tensor<7xf32>
  return
}

// -----

func.func @pr1_x_has_a_last_dimension(%z: tensor<f32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{expected a tensor of rank at least 1}}
  attnres.linear %z, %m : tensor<f32>, tensor<6x8xf32>
  return
}

// -----

func.func @pr1_width_of_a_weight(%v: tensor<3x8xf32>, %m7: tensor<6x7xf32>) {
  // expected-error @below {{'attnres.linear' op expected weight of shape [N, 8], got 'tensor<6x7xf32>'}}
  attnres.linear %v, %m7 : tensor<3x8xf32>, tensor<6x7xf32>
  return
}

// -----

func.func @pr1_rank_of_a_weight(%v: tensor<3x8xf32>, %Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.linear' op expected weight of shape [N, 8], got 'tensor<2x5x4x8xf32>'}}
  attnres.linear %v, %Q : tensor<3x8xf32>, tensor<2x5x4x8xf32>
  return
}

// -----

func.func @pr1_bias(%v: tensor<3x8xf32>, %m: tensor<6x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.linear' op expected bias of type 'tensor<6xf32>', got 'tensor<8xf32>'}}
  attnres.linear %v, %m bias(%q) : tensor<3x8xf32>, tensor<6x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @pr2_lhs_has_a_last_dimension(%z: tensor<f32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.matmul' op expected lhs of rank at least 1, got 'tensor<f32>'}}
  attnres.matmul %z, %m : tensor<f32>, tensor<6x8xf32> -> tensor<6x8xf32>
  return
}

// -----

func.func @pr2_rhs_has_a_last_dimension(%z: tensor<f32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.matmul' op expected rhs of rank at least 1, got 'tensor<f32>'}}
  attnres.matmul %m, %z : tensor<6x8xf32>, tensor<f32> -> tensor<6x8xf32>
  return
}

// -----

func.func @pr2_inner_dimensions(%v: tensor<3x8xf32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.matmul' op expected equal inner dimensions, got 8 and 6}}
  attnres.matmul %v, %m : tensor<3x8xf32>, tensor<6x8xf32> -> tensor<3x8xf32>
  return
}

// -----

func.func @pr2_inner_dimensions_transposed(%v: tensor<3x8xf32>, %m7: tensor<6x7xf32>) {
  // expected-error @below {{'attnres.matmul' op expected equal inner dimensions, got 8 and 7}}
  attnres.matmul %v, %m7 {transpose_rhs} : tensor<3x8xf32>, tensor<6x7xf32> -> tensor<3x6xf32>
  return
}

// -----

func.func @pr2_shape_of_the_result(%v: tensor<3x8xf32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.matmul' op expected result of shape [3, 6], got 'tensor<3x7xf32>'}}
  attnres.matmul %v, %m {transpose_rhs} : tensor<3x8xf32>, tensor<6x8xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @pr2_type_of_init(%v: tensor<3x8xf32>, %m: tensor<6x8xf32>, %r: tensor<3x7xf32>) {
  // expected-error @below {{'attnres.matmul' op expected init of type 'tensor<3x6xf32>', got 'tensor<3x7xf32>'}}
  attnres.matmul %v, %m init(%r) {transpose_rhs} : tensor<3x8xf32>, tensor<6x8xf32>, tensor<3x7xf32> -> tensor<3x6xf32>
  return
}

// -----

func.func @el1_rank_of_a_table(%t: tensor<3xi64>, %Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.embedding' op expected a table of rank 2, got 'tensor<2x5x4x8xf32>'}}
  attnres.embedding %t, %Q : tensor<3xi64>, tensor<2x5x4x8xf32>
  return
}

// -----

func.func @el1_a_table_has_rows(%t: tensor<3xi64>, %e0: tensor<0x8xf32>) {
  // expected-error @below {{'attnres.embedding' op expected a table with at least one row, got 'tensor<0x8xf32>'}}
  attnres.embedding %t, %e0 : tensor<3xi64>, tensor<0x8xf32>
  return
}

// -----

func.func @el2_vocab_size_is_given(%t: tensor<3xi64>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected vocab_size}}
  attnres.embedding_backward %t, %v : tensor<3xi64>, tensor<3x8xf32>
  return
}

// -----

func.func @el3_logits_have_a_last_dimension(%z: tensor<f32>, %t: tensor<3xi64>) {
  // expected-error @below {{expected a tensor of rank at least 1}}
  attnres.cross_entropy %z, %t : tensor<f32>, tensor<3xi64>
  return
}

// -----

func.func @el3_at_least_one_class(%c0: tensor<3x0xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.cross_entropy' op expected at least one class, got 'tensor<3x0xf32>'}}
  attnres.cross_entropy %c0, %t : tensor<3x0xf32>, tensor<3xi64>
  return
}

// -----

func.func @el3_a_target_for_each_row(%v: tensor<3x8xf32>, %t4: tensor<4xi64>) {
  // expected-error @below {{'attnres.cross_entropy' op expected targets of shape [3], got [4]}}
  attnres.cross_entropy %v, %t4 : tensor<3x8xf32>, tensor<4xi64>
  return
}

// -----

func.func @el5_x_has_a_last_dimension(%z: tensor<f32>, %m: tensor<6x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{expected a tensor of rank at least 1}}
  attnres.linear_cross_entropy %z, %m, %t : tensor<f32>, tensor<6x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @el5_width_of_a_weight(%v: tensor<3x8xf32>, %m7: tensor<6x7xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.linear_cross_entropy' op expected weight of shape [V, 8], got 'tensor<6x7xf32>'}}
  attnres.linear_cross_entropy %v, %m7, %t : tensor<3x8xf32>, tensor<6x7xf32>, tensor<3xi64>
  return
}

// -----

func.func @el5_at_least_one_class(%v: tensor<3x8xf32>, %e0: tensor<0x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.linear_cross_entropy' op expected at least one class, got 'tensor<0x8xf32>'}}
  attnres.linear_cross_entropy %v, %e0, %t : tensor<3x8xf32>, tensor<0x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @el5_a_target_for_each_row(%v: tensor<3x8xf32>, %m: tensor<6x8xf32>, %t4: tensor<4xi64>) {
  // expected-error @below {{'attnres.linear_cross_entropy' op expected targets of shape [3], got [4]}}
  attnres.linear_cross_entropy %v, %m, %t4 : tensor<3x8xf32>, tensor<6x8xf32>, tensor<4xi64>
  return
}

// -----

func.func @g6_eps_that_is_0_in_f32_alone(%v: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.rms_norm' op expected eps to be 0 or a normal number of f32, got 1.000000e-60}}
  attnres.rms_norm %v, %q {eps = 1.0e-60 : f64} : tensor<3x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @g14_output_gradient_of_rms_norm(%v: tensor<3x8xf32>, %w: tensor<3x7xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.rms_norm_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<3x7xf32>'}}
  attnres.rms_norm_backward %v, %q, %w {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<8xf32>, tensor<3x7xf32>
  return
}

// -----

func.func @g14_weight_of_layer_norm(%v: tensor<3x8xf32>, %q: tensor<7xf32>) {
  // expected-error @below {{'attnres.layer_norm_backward' op expected weight of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.layer_norm_backward %v, %q, %v {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<7xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @pr6_at_least_one_partial_sum(%v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.sum_rows' op expected at least 1 partial sum, got 0}}
  attnres.sum_rows %v {partials = 0 : i64} : tensor<3x8xf32>
  return
}

// -----

func.func @g14_up_of_swiglu(%v: tensor<3x8xf32>, %w: tensor<3x7xf32>) {
  // expected-error @below {{'attnres.swiglu_backward' op expected up of type 'tensor<3x8xf32>', got 'tensor<3x7xf32>'}}
  attnres.swiglu_backward %v, %w, %v : tensor<3x8xf32>, tensor<3x7xf32>, tensor<3x8xf32>
  return
}

// -----

func.func @g14_tokens_of_embedding(%v: tensor<3x8xf32>, %t: tensor<4xi64>) {
  // expected-error @below {{'attnres.embedding_backward' op expected tokens of shape [3], got [4]}}
  attnres.embedding_backward %t, %v {vocab_size = 5 : i64} : tensor<4xi64>, tensor<3x8xf32>
  return
}

// -----

func.func @el2_a_table_has_rows(%v: tensor<3x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.embedding_backward' op expected a table with at least one row, got -2}}
  attnres.embedding_backward %t, %v {vocab_size = -2 : i64} : tensor<3xi64>, tensor<3x8xf32>
  return
}

// -----

func.func @el6_a_target_for_each_row(%v: tensor<3x8xf32>, %t: tensor<4xi64>) {
  // expected-error @below {{'attnres.cross_entropy_rows' op expected targets of shape [3], got [4]}}
  attnres.cross_entropy_rows %v, %t : tensor<3x8xf32>, tensor<4xi64>
  return
}

// -----

func.func @g14_lse_of_row_losses(%v: tensor<3x8xf32>, %t: tensor<3xi64>, %l: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @below {{'attnres.cross_entropy_rows_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<4xf32>'}}
  attnres.cross_entropy_rows_backward %v, %t, %l, %s : tensor<3x8xf32>, tensor<3xi64>, tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @g14_weight_of_a_projected_loss(%x: tensor<3x8xf32>, %w: tensor<5x7xf32>, %t: tensor<3xi64>, %l: tensor<3xf32>, %s: tensor<f32>) {
  // expected-error @below {{'attnres.linear_cross_entropy_backward' op expected weight of shape [V, 8], got 'tensor<5x7xf32>'}}
  attnres.linear_cross_entropy_backward %x, %w, %t, %l, %s : tensor<3x8xf32>, tensor<5x7xf32>, tensor<3xi64>, tensor<3xf32>, tensor<f32>
  return
}

// -----

func.func @g14_lse_of_a_projected_loss(%x: tensor<3x8xf32>, %w: tensor<5x8xf32>, %t: tensor<3xi64>, %l: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error @below {{'attnres.linear_cross_entropy_backward' op expected lse of type 'tensor<3xf32>', got 'tensor<2xf32>'}}
  attnres.linear_cross_entropy_backward %x, %w, %t, %l, %s : tensor<3x8xf32>, tensor<5x8xf32>, tensor<3xi64>, tensor<2xf32>, tensor<f32>
  return
}

// -----

func.func @el6_a_target_for_each_term(%x: tensor<3xf32>, %t: tensor<4xi64>) {
  // expected-error @below {{'attnres.live_mean' op expected targets of shape [3], got [4]}}
  attnres.live_mean %x, %t : tensor<3xf32>, tensor<4xi64>
  return
}

// -----

func.func @g2_weights_of_norms_are_f32(%v: tensor<3x8xf32>, %w: tensor<8xbf16>) {
  // expected-error @below {{'attnres.rms_norm' op operand #1 must be ranked tensor of 32-bit float values, but got 'tensor<8xbf16>'}}
  attnres.rms_norm %v, %w {eps = 1.0e-8 : f64} : tensor<3x8xf32>, tensor<8xbf16>
  return
}

// -----

func.func @g2_activations_are_f32_or_bf16(%v: tensor<3x8xf64>, %w: tensor<8xf32>) {
  // expected-error @below {{'attnres.rms_norm' op operand #0 must be ranked tensor of 32-bit float or bfloat16 type values, but got 'tensor<3x8xf64>'}}
  attnres.rms_norm %v, %w {eps = 1.0e-8 : f64} : tensor<3x8xf64>, tensor<8xf32>
  return
}

// -----

func.func @g14_output_gradient_of_swiglu(%v: tensor<3x8xf32>, %w: tensor<3x7xf32>) {
  // expected-error @below {{'attnres.swiglu_backward' op expected output gradient of type 'tensor<3x8xf32>', got 'tensor<3x7xf32>'}}
  attnres.swiglu_backward %v, %v, %w : tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x7xf32>
  return
}

// -----

func.func @pr2_rows_that_are_not_known(%v: tensor<?x2x8xf32>, %m: tensor<8x6xf32>) {
  // expected-error @below {{'attnres.matmul' op expected result of shape [?, 6], got 'tensor<0x6xf32>'}}
  attnres.matmul %v, %m : tensor<?x2x8xf32>, tensor<8x6xf32> -> tensor<0x6xf32>
  return
}

// -----

func.func @pr2_rows_that_nothing_counts(%v: tensor<4294967296x4294967296x8xf32>, %m: tensor<8x6xf32>) {
  // expected-error @below {{'attnres.matmul' op expected result of shape [?, 6], got 'tensor<0x6xf32>'}}
  attnres.matmul %v, %m : tensor<4294967296x4294967296x8xf32>, tensor<8x6xf32> -> tensor<0x6xf32>
  return
}

// -----

func.func @pr2_inner_dimensions_that_are_not_known(%v: tensor<?x2x8xf32>, %m: tensor<0x6xf32>) {
  // expected-error @below {{'attnres.matmul' op expected equal inner dimensions, got ? and 0}}
  attnres.matmul %v, %m {transpose_lhs} : tensor<?x2x8xf32>, tensor<0x6xf32> -> tensor<8x6xf32>
  return
}

// -----

func.func @pr1_width_that_is_not_known(%v: tensor<3x?xf32>, %m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.linear' op expected weight of shape [N, ?], got 'tensor<6x8xf32>'}}
  attnres.linear %v, %m : tensor<3x?xf32>, tensor<6x8xf32>
  return
}

// -----

func.func @el3_rows_that_are_not_known(%v: tensor<?x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.cross_entropy' op expected targets of shape [?], got [3]}}
  attnres.cross_entropy %v, %t : tensor<?x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @el8_a_share_of_the_target_stays(%x: tensor<3x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.cross_entropy' op expected label_smoothing in [0, 1), got 1}}
  attnres.cross_entropy %x, %t {label_smoothing = 1.0 : f64} : tensor<3x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @el8_no_negative_share(%x: tensor<3x8xf32>, %w: tensor<5x8xf32>, %t: tensor<3xi64>) {
  // expected-error @below {{'attnres.linear_cross_entropy' op expected label_smoothing in [0, 1), got -5.000000e-01}}
  attnres.linear_cross_entropy %x, %w, %t {label_smoothing = -0.5 : f64} : tensor<3x8xf32>, tensor<5x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @dr1_something_is_kept(%x: tensor<3x8xf32>, %r: tensor<2xi64>) {
  // expected-error @below {{'attnres.dropout' op expected a rate in [0, 1), got 1}}
  attnres.dropout %x random(%r) {rate = 1.0 : f64, site = 0 : i64} : tensor<3x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @dr1_a_site_has_32_bits(%x: tensor<3x8xf32>, %r: tensor<2xi64>) {
  // expected-error @below {{'attnres.dropout' op expected a site in [0, 2^32), got -1}}
  attnres.dropout %x random(%r) {rate = 0.5 : f64, site = -1 : i64} : tensor<3x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @dr1_a_seed_and_a_number(%x: tensor<3x8xf32>, %r: tensor<3xi64>) {
  // expected-error @below {{'attnres.dropout' op expected random of shape [2], got [3]}}
  attnres.dropout %x random(%r) {rate = 0.5 : f64, site = 0 : i64} : tensor<3x8xf32>, tensor<3xi64>
  return
}
