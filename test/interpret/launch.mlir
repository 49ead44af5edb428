// RUN: attnres-opt %s --attnres-interpret
// Written by test/reference/interpret_cases.py.

// Three tensors become one list argument. Also G-15.
func.func @la1_list_operands() {
  %w = arith.constant dense<[1.0, -1.625, 1.875]> : tensor<3xf32>
  %v0 = arith.constant dense<[[1.0, 1.75, -1.625, 0.125, 0.25], [1.5, 0.375, 0.375, 0.375, 1.0]]> : tensor<2x5xf32>
  %v1 = arith.constant dense<[[1.375, 0.625, 1.375, -2.0, -0.625], [0.125, -1.375, -0.625, -1.625, 0.0]]> : tensor<2x5xf32>
  %v2 = arith.constant dense<[[0.25, 1.75, -1.25, -1.25, 1.875], [1.5, 1.375, -1.75, -1.375, -0.375]]> : tensor<2x5xf32>
  %h = attnres.launch @mix (%w, %v0, %v1, %v2) operand_groups [-1, 3] result_groups [-1]
      : (tensor<3xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %want_h = arith.constant dense<[[4.8953306295943277e-01, 1.7265233850957937e+00, -1.3032494559177992e+00, -8.6954758850155478e-01, 1.3547074405376616e+00], [1.4713063595615257e+00, 1.0295374550494161e+00, -1.1143634489393179e+00, -8.7608531340540530e-01, 2.8929026402651159e-02]]> : tensor<2x5xf64>
  %wide_h = arith.extf %h : tensor<2x5xf32> to tensor<2x5xf64>
  attnres.expect_close %wide_h, %want_h {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x5xf64>
  return
}

// Lists of queries give lists of outputs. Also G-15.
func.func @la1_list_results() {
  %q0 = arith.constant dense<[-0.125, 0.25, -0.25, 1.0, -1.25]> : tensor<5xf32>
  %q1 = arith.constant dense<[0.5, -1.5, 1.5, 1.125, -1.625]> : tensor<5xf32>
  %g0 = arith.constant dense<[1.75, -0.625, 1.75, 0.375, -1.0]> : tensor<5xf32>
  %g1 = arith.constant dense<[1.75, 1.25, 1.25, -1.75, 1.0]> : tensor<5xf32>
  %v0 = arith.constant dense<[[1.0, 1.75, -1.625, 0.125, 0.25], [1.5, 0.375, 0.375, 0.375, 1.0]]> : tensor<2x5xf32>
  %v1 = arith.constant dense<[[1.375, 0.625, 1.375, -2.0, -0.625], [0.125, -1.375, -0.625, -1.625, 0.0]]> : tensor<2x5xf32>
  %v2 = arith.constant dense<[[0.25, 1.75, -1.25, -1.25, 1.875], [1.5, 1.375, -1.75, -1.375, -0.375]]> : tensor<2x5xf32>
  %h:4 = attnres.launch @attend (%q0, %q1, %g0, %g1, %v0, %v1, %v2) operand_groups [2, 2, 3] result_groups [2, 2]
      : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
      -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>)
  %want_h_0 = arith.constant dense<[[4.7281525207966801e-01, 1.7240078266969903e+00, -1.2877631350146392e+00, -9.0648580444480020e-01, 1.3907896108661078e+00], [1.2108017747961979e+00, 1.4636565637577650e-01, -1.3162774720248221e-01, -2.8966518236251648e-01, 5.9794934641025210e-01]]> : tensor<2x5xf64>
  %wide_h_0 = arith.extf %h#0 : tensor<2x5xf32> to tensor<2x5xf64>
  attnres.expect_close %wide_h_0, %want_h_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x5xf64>
  %want_h_2 = arith.constant dense<[1.8340123081247475e+00, 1.4097964383111794e+00]> : tensor<2xf64>
  %wide_h_2 = arith.extf %h#2 : tensor<2xf32> to tensor<2xf64>
  attnres.expect_close %wide_h_2, %want_h_2 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2xf64>
  %want_h_1 = arith.constant dense<[[1.3749459391796073e+00, 6.2506636216283906e-01, 1.3748390042821521e+00, -1.9999332060969555e+00, -6.2487918143565835e-01], [1.3331887893336264e-01, -1.3609071063048261e+00, -6.2639851912638533e-01, -1.6190339642573544e+00, 1.2304030722394485e-03]]> : tensor<2x5xf64>
  %wide_h_1 = arith.extf %h#1 : tensor<2x5xf32> to tensor<2x5xf64>
  attnres.expect_close %wide_h_1, %want_h_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x5xf64>
  %want_h_3 = arith.constant dense<[5.7773773956300554e+00, 4.7483148817713783e+00]> : tensor<2xf64>
  %wide_h_3 = arith.extf %h#3 : tensor<2xf32> to tensor<2xf64>
  attnres.expect_close %wide_h_3, %want_h_3 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2xf64>
  return
}

attnres.kernel @mix(%w: tensor<3xf32>, %v: !attnres.list<tensor<2x5xf32>>) -> tensor<2x5xf32> {
  %h = attnres.static_mix %w, %v : (tensor<3xf32>, !attnres.list<tensor<2x5xf32>>)
  attnres.return %h : tensor<2x5xf32>
}

attnres.kernel @attend(%q: !attnres.list<tensor<5xf32>>, %g: !attnres.list<tensor<5xf32>>, %v: !attnres.list<tensor<2x5xf32>>) -> (!attnres.list<tensor<2x5xf32>>, !attnres.list<tensor<2xf32>>) {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 9.7656250000000000e-04 : f64} : (!attnres.list<tensor<5xf32>>, !attnres.list<tensor<5xf32>>, !attnres.list<tensor<2x5xf32>>)
  attnres.return %h, %lse : !attnres.list<tensor<2x5xf32>>, !attnres.list<tensor<2xf32>>
}
