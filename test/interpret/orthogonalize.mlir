// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.orthogonalize{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Fewer rows than columns.
func.func @op6_wide() {
  %x = arith.constant dense<[[-1.0, 0.25, -1.5, -0.375, -1.5], [1.25, 1.5, 0.25, 0.25, -1.125], [-1.375, 0.125, 1.75, 0.125, -1.875]]> : tensor<3x5xf32>
  %y = attnres.orthogonalize %x {matrices = 1 : i64} : tensor<3x5xf32>
  %want_y = arith.constant dense<[[-3.2673002356538849e-01, 1.0588907533415258e-01, -4.7143405722590570e-01, -1.1858971417355879e-01, -5.3210949431106924e-01], [4.0993925201667580e-01, 5.1408674265074294e-01, 6.3834365048571290e-02, 7.9604487832489634e-02, -4.0570607910574030e-01], [-5.0527543003429798e-01, 4.8474479709015500e-02, 6.1300303108683041e-01, 4.0906313365286301e-02, -6.9187484561071799e-01]]> : tensor<3x5xf64>
  %wide_y = arith.extf %y : tensor<3x5xf32> to tensor<3x5xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<3x5xf64>
  return
}

// More rows than columns.
func.func @op6_tall() {
  %x = arith.constant dense<[[-0.625, -0.5], [0.0, 1.0], [0.625, 1.375], [1.0, 1.375], [-1.5, 0.875], [1.625, 0.625], [1.625, 1.25]]> : tensor<7x2xf32>
  %y = attnres.orthogonalize %x {matrices = 1 : i64} : tensor<7x2xf32>
  %want_y = arith.constant dense<[[-1.5113901271164731e-01, -1.1777397626463409e-01], [-7.3785587114448159e-02, 3.2777993642232783e-01], [8.6576623986505008e-02, 4.0458142063417135e-01], [1.9939570774782800e-01, 3.7691182546625313e-01], [-5.1583872377043227e-01, 3.9748582504120855e-01], [4.4276670435253496e-01, 8.4960881202977401e-02], [3.9665071240600502e-01, 2.8982334146693212e-01]]> : tensor<7x2xf64>
  %wide_y = arith.extf %y : tensor<7x2xf32> to tensor<7x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<7x2xf64>
  return
}

// As many.
func.func @op6_square() {
  %x = arith.constant dense<[[1.75, -0.625, 0.75], [-0.75, -0.625, 1.125], [0.875, 0.875, 1.25]]> : tensor<3x3xf32>
  %y = attnres.orthogonalize %x {matrices = 1 : i64} : tensor<3x3xf32>
  %want_y = arith.constant dense<[[8.4421168477802078e-01, -5.8861595592624827e-01, 2.7404285205942158e-01], [-3.8422876862191901e-01, -4.5409793236815443e-01, 5.7548473972733283e-01], [3.2883478206641398e-01, 7.8828066892042092e-01, 6.4455250303815648e-01]]> : tensor<3x3xf64>
  %wide_y = arith.extf %y : tensor<3x3xf32> to tensor<3x3xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<3x3xf64>
  return
}

// Two wide matrices, one above the other.
func.func @op6_heads() {
  %x = arith.constant dense<[[-1.0, -0.875, -0.125, -0.25, 0.5], [0.25, 0.375, 1.25, -0.75, 0.625], [-0.625, -1.625, -2.0, 0.0, -1.625], [1.625, 0.75, -0.875, -1.625, 1.0], [1.0, 0.875, -0.125, 0.25, -0.625], [1.75, -2.0, 0.25, 1.0, 0.875]]> : tensor<6x5xf32>
  %y = attnres.orthogonalize %x {matrices = 2 : i64} : tensor<6x5xf32>
  %want_y = arith.constant dense<[[-6.9990863639061351e-01, -4.9270305667062930e-01, 6.7689797490826625e-02, -1.4340960277614401e-01, 5.3603891691184768e-01], [7.4532851370761488e-02, -1.6331275698155495e-01, 4.5758549388674519e-01, -6.6705579349730315e-01, -2.0957211920349592e-02], [-3.1289559889254970e-02, -3.8294486960099317e-01, -3.1444350009588629e-01, -2.2789098586842227e-01, -4.6200394979743109e-01], [5.2945266318879569e-01, 2.1297343036378447e-01, -3.3298769827245223e-01, -6.7073272890750990e-01, 4.5558141390728235e-01], [6.7533446928594820e-01, 5.6967485571256105e-01, -2.4888424707148124e-03, 3.9447906255864851e-01, -5.8081760375592406e-01], [6.7984981208181372e-01, -7.3568522640030687e-01, 9.4781952133121683e-02, 3.9073398493575029e-01, 3.1013429235043188e-01]]> : tensor<6x5xf64>
  %wide_y = arith.extf %y : tensor<6x5xf32> to tensor<6x5xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<6x5xf64>
  return
}

// Three tall matrices of a stack.
func.func @op6_tall_stack() {
  %x = arith.constant dense<[[[0.875, 0.875], [0.25, -0.375], [0.0, 1.5], [0.875, 0.625]], [[1.75, -0.25], [-0.5, 0.375], [1.25, 1.375], [-1.375, -0.25]], [[1.75, 1.375], [-2.0, 1.625], [-0.125, -1.625], [0.375, 1.875]]]> : tensor<3x4x2xf32>
  %y = attnres.orthogonalize %x {matrices = 3 : i64} : tensor<3x4x2xf32>
  %want_y = arith.constant dense<[[[5.8403081934931578e-01, 1.5599305990980716e-01], [3.5764849259284237e-01, -2.5763671274009758e-01], [-4.5787810609757629e-01, 7.2529478022867311e-01], [6.6034383703224564e-01, 3.5110596538361349e-02]], [[5.6566121124789337e-01, -4.7793535829996892e-01], [-2.0953494179322774e-01, 3.8148086739314457e-01], [1.5881911059771969e-01, 9.1207218859439587e-01], [-3.7398125210300726e-01, 1.5332538842396382e-02]], [[6.1271682332311994e-01, 4.4782864592759963e-01], [-7.0164258282738823e-01, 5.3102721667930064e-01], [-4.3099263382474981e-02, -5.3009995754793193e-01], [1.3060686186229731e-01, 6.1155309934646906e-01]]]> : tensor<3x4x2xf64>
  %wide_y = arith.extf %y : tensor<3x4x2xf32> to tensor<3x4x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<3x4x2xf64>
  return
}

// A row becomes one of length 1.
func.func @op6_row() {
  %x = arith.constant dense<[[-0.125, 0.875, 0.125, -1.75]]> : tensor<1x4xf32>
  %y = attnres.orthogonalize %x {matrices = 1 : i64} : tensor<1x4xf32>
  %want_y = arith.constant dense<[[-4.4313190905087341e-02, 3.1019233633561116e-01, 4.4313190905087341e-02, -6.2038467267122233e-01]]> : tensor<1x4xf64>
  %wide_y = arith.extf %y : tensor<1x4xf32> to tensor<1x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.0000000000000001e-05 : f64, rtol = 1.0000000000000001e-05 : f64} : tensor<1x4xf64>
  return
}

// Nothing has no direction.
func.func @op6_zero() {
  %x = arith.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %y = attnres.orthogonalize %x : tensor<2x3xf32>
  %want_y = arith.constant dense<[[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]]> : tensor<2x3xf64>
  %wide_y = arith.extf %y : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3xf64>
  return
}
