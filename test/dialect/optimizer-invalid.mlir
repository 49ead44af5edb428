// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @op2_type_of_the_gradient(%m: tensor<6x8xf32>, %v: tensor<3x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected gradient of type 'tensor<6x8xf32>', got 'tensor<3x8xf32>'}}
  attnres.adamw %m, %v, %m, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<3x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op2_type_of_the_first_moment(%m: tensor<6x8xf32>, %v: tensor<3x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected first moment of type 'tensor<6x8xf32>', got 'tensor<3x8xf32>'}}
  attnres.adamw %m, %m, %v, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<3x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op2_type_of_the_second_moment(%m: tensor<6x8xf32>, %v: tensor<3x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected second moment of type 'tensor<6x8xf32>', got 'tensor<3x8xf32>'}}
  attnres.adamw %m, %m, %m, %v, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<3x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op2_beta1_is_below_1(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected beta1 in [0, 1), got 1.000000e+00}}
  attnres.adamw %m, %m, %m, %m, %z, %z, %z {beta1 = 1.0 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op2_beta2_is_not_negative(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected beta2 in [0, 1), got -5.000000e-01}}
  attnres.adamw %m, %m, %m, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = -0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @g6_eps(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.adamw %m, %m, %m, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = -1.0 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op2_beta2_is_below_1_in_f32(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected beta2 in [0, 1), got 1.000000e+00}}
  attnres.adamw %m, %m, %m, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.99999999999 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @pr6_at_least_one_partial_sum(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.sum_squares' op expected at least 1 partial sum, got -1}}
  attnres.sum_squares %x {partials = -1 : i64} : tensor<3x8xf32>
  return
}

// -----

func.func @op1_max_norm_is_not_negative(%x: tensor<f32>) {
  // expected-error @below {{'attnres.clip_scale' op expected max_norm to be finite and not negative, got -1.000000e+00}}
  attnres.clip_scale %x {max_norm = -1.0 : f64} : tensor<f32>
  return
}

// -----

func.func @op2_weight_decay_is_finite(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.adamw' op expected a finite weight_decay, got nan}}
  attnres.adamw %m, %m, %m, %m, %z, %z, %z {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0x7FF8000000000000 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @op5_type_of_the_moment(%m: tensor<6x8xf32>, %v: tensor<3x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.momentum' op expected first moment of type 'tensor<6x8xf32>', got 'tensor<3x8xf32>'}}
  attnres.momentum %m, %v, %z {beta = 0.9 : f64} : tensor<6x8xf32>, tensor<3x8xf32>, tensor<f32>
  return
}

// -----

func.func @op5_beta_is_below_1(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.momentum' op expected beta in [0, 1), got 1.000000e+00}}
  attnres.momentum %m, %m, %z {beta = 1.0 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>
  return
}

// -----

func.func @op6_matrices(%x: tensor<8xf32>) {
  // expected-error @below {{'attnres.orthogonalize' op expected matrices, got 'tensor<8xf32>'}}
  attnres.orthogonalize %x : tensor<8xf32>
  return
}

// -----

func.func @op6_matrices_of_one_size(%x: tensor<2x3x8xf32>) {
  // expected-error @below {{'attnres.orthogonalize' op expected the 6 rows to be those of matrices of one size, got 4 matrices}}
  attnres.orthogonalize %x {matrices = 4 : i64} : tensor<2x3x8xf32>
  return
}

// -----

func.func @op6_at_least_one_matrix(%x: tensor<2x3x8xf32>) {
  // expected-error @below {{'attnres.orthogonalize' op expected the 6 rows to be those of matrices of one size, got 0 matrices}}
  attnres.orthogonalize %x {matrices = 0 : i64} : tensor<2x3x8xf32>
  return
}

// -----

func.func @op6_few_steps(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.orthogonalize' op expected 0 to 64 steps, got 65}}
  attnres.orthogonalize %x {steps = 65 : i64} : tensor<3x8xf32>
  return
}

// -----

func.func @op6_steps(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.orthogonalize' op expected 0 to 64 steps, got -1}}
  attnres.orthogonalize %x {steps = -1 : i64} : tensor<3x8xf32>
  return
}

// -----

func.func @op7_type_of_the_direction(%m: tensor<6x8xf32>, %v: tensor<3x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.descend' op expected direction of type 'tensor<6x8xf32>', got 'tensor<3x8xf32>'}}
  attnres.descend %m, %v, %z {factor = 1.0 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<3x8xf32>, tensor<f32>
  return
}

// -----

func.func @op7_factor_is_finite(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.descend' op expected a finite factor, got INF}}
  attnres.descend %m, %m, %z {factor = 0x7FF0000000000000 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>
  return
}

// -----

func.func @op9_beta_below_one(%m: tensor<6x8xf32>, %z: tensor<f32>) {
  // expected-error @below {{'attnres.lion' op expected beta2 in [0, 1), got 1}}
  attnres.lion %m, %m, %m, %z, %z {beta1 = 0.9 : f64, beta2 = 1.0 : f64, weight_decay = 0.1 : f64} : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>
  return
}
