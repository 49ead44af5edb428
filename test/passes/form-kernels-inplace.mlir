// RUN: attnres-opt %s --attnres-form-kernels --attnres-plan-memory --attnres-check-memory-plan --split-input-file | FileCheck %s
// Numbers: unit/compile/CompiledMeaningTest.cpp

// A rotation reads both elements of a pair before it writes them: it may leave
// its result where its operand was.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @rope
// CHECK-SAME: operand_buffers = [#attnres.buffer<[[X:[^>]*]]>,
// CHECK-SAME: result_buffers = [#attnres.buffer<[[X]]>]
// CHECK: attnres.kernel @rope({{.*}} inplace [0] {
func.func @main(%x: tensor<2x8xf32>, %w: tensor<16x8xf32>, %table: tensor<2x8xf32>, %v: tensor<4x16xf32>) -> tensor<2x4xf32> {
  %y = attnres.linear %x, %w : tensor<2x8xf32>, tensor<16x8xf32>
  %heads = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [1, 2, 2, 8] : tensor<2x16xf32> into tensor<1x2x2x8xf32>
  %rotated = attnres.rope %heads table(%table) {theta = 1.0e4 : f64} : tensor<1x2x2x8xf32>, tensor<2x8xf32>
  %flat = tensor.collapse_shape %rotated [[0, 1], [2, 3]] : tensor<1x2x2x8xf32> into tensor<2x16xf32>
  %z = attnres.linear %flat, %v : tensor<2x16xf32>, tensor<4x16xf32>
  return %z : tensor<2x4xf32>
}

// -----

// Attention has read a group of queries before it writes their outputs: these
// lie over the queries, with or without a cache.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @attention(
// CHECK-SAME: operand_buffers = [#attnres.buffer<[[Q:workspace[^>]*]]>,
// CHECK-SAME: result_buffers = [#attnres.buffer<[[Q]]>, #attnres.buffer<result 1>]
// CHECK: attnres.launch @[[CACHED:attention_[0-9]+]](
// CHECK-SAME: operand_buffers = [#attnres.buffer<[[Q1:workspace[^>]*]]>,
// CHECK-SAME: result_buffers = [#attnres.buffer<[[Q1]]>]
// CHECK: attnres.kernel @attention({{.*}} inplace [0, -1] {
// CHECK: attnres.kernel @[[CACHED]]({{.*}} inplace [0] {
func.func @main(%x: tensor<1x7x2x16xf32>, %k: tensor<1x7x2x16xf32>, %x1: tensor<1x1x2x16xf32>, %start: tensor<1xi64>)
    -> (tensor<1x7x2x16xf32>, tensor<1x7x2xf32>, tensor<1x1x2x16xf32>) {
  %q = math.exp %x : tensor<1x7x2x16xf32>
  %o, %lse = attnres.attention %q, %k, %k {causal}
      : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>
  %y = math.exp %o : tensor<1x7x2x16xf32>
  %q1 = math.exp %x1 : tensor<1x1x2x16xf32>
  %o1, %lse1 = attnres.attention %q1, %k, %k start(%start) {causal}
      : tensor<1x1x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1xi64>
  %y1 = math.exp %o1 : tensor<1x1x2x16xf32>
  return %y, %lse, %y1 : tensor<1x7x2x16xf32>, tensor<1x7x2xf32>, tensor<1x1x2x16xf32>
}

// -----

// The gradients lie over what they belong to, except over keys that are values
// too: of these, more is read after the gradient of a head's keys is written.

// CHECK-LABEL: func.func @main
// CHECK: attnres.kernel @attention_backward({{.*}} inplace [0, -1, -1] {
// CHECK: attnres.kernel @attention_backward_{{[0-9]+}}({{.*}} inplace [0, 1, 2] {
func.func @main(%q: tensor<1x7x2x16xf32>, %k: tensor<1x7x2x16xf32>, %v: tensor<1x7x2x16xf32>,
                %o: tensor<1x7x2x16xf32>, %lse: tensor<1x7x2xf32>, %do: tensor<1x7x2x16xf32>)
    -> (tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>,
        tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>) {
  %0:3 = attnres.attention_backward %q, %k, %k, %o, %lse, %do
      : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>,
        tensor<1x7x2xf32>, tensor<1x7x2x16xf32>
  %1:3 = attnres.attention_backward %q, %k, %v, %o, %lse, %do
      : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>,
        tensor<1x7x2xf32>, tensor<1x7x2x16xf32>
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2
      : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>,
        tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>
}
