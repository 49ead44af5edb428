// RUN: attnres-opt --split-input-file --attnres-plan-memory --attnres-check-memory-plan %s | FileCheck %s
// RUN: attnres-opt --split-input-file --attnres-plan-memory --verify-roundtrip -o /dev/null %s
// Numbers: unit/passes/PlanMemoryTest.cpp

// A chain without work in place: two places, used in turn; the result of the
// function is written where the caller wants it.

// CHECK:      module attributes {attnres.constant_bytes = 0 : i64, attnres.live_bytes = 128 : i64, attnres.workspace_bytes = 128 : i64}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<workspace + 64>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<workspace + 64>], result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]
module {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %2 = attnres.launch @k (%1) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %3 = attnres.launch @k (%2) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    return %3 : tensor<9xf32>
  }
}

// -----

// The same chain in place: everything after the argument happens in the result.

// CHECK:      attnres.workspace_bytes = 0 : i64
// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 0>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<result 0>], result_buffers = [#attnres.buffer<result 0>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<result 0>], result_buffers = [#attnres.buffer<result 0>]
module {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %2 = attnres.launch @k (%1) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}

// -----

// No work in place while the operand is still needed, when it is passed twice,
// or when it is larger than the result.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @k{{.*}}result_buffers = [#attnres.buffer<workspace[[A:.*]]>]
// CHECK-NEXT: attnres.launch @k{{.*}}operand_buffers = [#attnres.buffer<workspace[[A]]>], result_buffers = [#attnres.buffer<workspace[[B:.*]]>]
// CHECK-NEXT: attnres.launch @add{{.*}}operand_buffers = [#attnres.buffer<workspace[[A]]>, #attnres.buffer<workspace[[B]]>], result_buffers = [#attnres.buffer<workspace[[A]]>]
// CHECK-NEXT: attnres.launch @add{{.*}}operand_buffers = [#attnres.buffer<workspace[[A]]>, #attnres.buffer<workspace[[A]]>], result_buffers = [#attnres.buffer<workspace[[B]]>]
// CHECK-NEXT: attnres.launch @sum{{.*}}operand_buffers = [#attnres.buffer<workspace[[B]]>], result_buffers = [#attnres.buffer<result 0>]
module {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
  attnres.kernel @add : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32> inplace [0]
  attnres.kernel @sum : (tensor<9xf32>) -> tensor<f32>
  func.func @main(%a: tensor<9xf32>) -> tensor<f32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    %2 = attnres.launch @add (%0, %1) operand_groups [-1, -1] result_groups [-1] : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %3 = attnres.launch @add (%2, %2) operand_groups [-1, -1] result_groups [-1] : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %4 = attnres.launch @sum (%3) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<f32>
    return %4 : tensor<f32>
  }
}

// -----

// Lists are reused element by element. A second result cannot take an operand
// that the first one took, even when the first one is never read.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @make{{.*}}result_buffers = [#attnres.buffer<workspace>, #attnres.buffer<result 1>]
// CHECK-NEXT: attnres.launch @each{{.*}}operand_buffers = [#attnres.buffer<workspace>, #attnres.buffer<result 1>], result_buffers = [#attnres.buffer<workspace>, #attnres.buffer<result 1>]
// CHECK-NEXT: attnres.launch @two{{.*}}operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<workspace>, #attnres.buffer<result 0>]
// CHECK-NEXT: attnres.launch @each{{.*}}operand_buffers = [#attnres.buffer<result 1>], result_buffers = [#attnres.buffer<result 1>]
module {
  attnres.kernel @make : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  attnres.kernel @each : (!attnres.list<tensor<9xf32>>) -> !attnres.list<tensor<9xf32>> inplace [0]
  attnres.kernel @two : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) inplace [0, -1]
  func.func @main(%a: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
    %0:2 = attnres.launch @make (%a) operand_groups [-1] result_groups [-1, -1] : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
    %1:2 = attnres.launch @each (%0#0, %0#1) operand_groups [2] result_groups [2] : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
    %2:2 = attnres.launch @two (%1#0) operand_groups [-1] result_groups [-1, -1] : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
    %3 = attnres.launch @each (%1#1) operand_groups [1] result_groups [1] : (tensor<9xf32>) -> (tensor<9xf32>)
    return %2#1, %3 : tensor<9xf32>, tensor<9xf32>
  }
}

// -----

// Views lie in their source, and keep it alive.

// CHECK:      attnres.workspace_bytes = 256 : i64
// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @make{{.*}}result_buffers = [#attnres.buffer<workspace + 128>]
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: attnres.launch @other{{.*}}result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @add{{.*}}operand_buffers = [#attnres.buffer<workspace + 160>, #attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]
// CHECK-NEXT: tensor.expand_shape
module {
  attnres.kernel @make : (tensor<16xf32>) -> tensor<3x2x4xf32>
  attnres.kernel @other : (tensor<16xf32>) -> tensor<32xf32>
  attnres.kernel @add : (tensor<16xf32>, tensor<32xf32>) -> tensor<16xf32>
  func.func @main(%a: tensor<16xf32>) -> tensor<4x4xf32> {
    %0 = attnres.launch @make (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<3x2x4xf32>
    %s = tensor.extract_slice %0[1, 0, 0] [2, 2, 4] [1, 1, 1] : tensor<3x2x4xf32> to tensor<2x2x4xf32>
    %v = tensor.collapse_shape %s [[0, 1, 2]] : tensor<2x2x4xf32> into tensor<16xf32>
    %1 = attnres.launch @other (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<32xf32>
    %2 = attnres.launch @add (%v, %1) operand_groups [-1, -1] result_groups [-1] : (tensor<16xf32>, tensor<32xf32>) -> tensor<16xf32>
    %3 = tensor.expand_shape %2 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
    return %3 : tensor<4x4xf32>
  }
}

// -----

// The parts of a concatenation are written inside it.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: attnres.launch @k{{.*}}result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @k{{.*}}result_buffers = [#attnres.buffer<workspace + 12>]
// CHECK-NEXT: tensor.concat dim(0) {{.*}} {attnres.buffer = #attnres.buffer<workspace>}
// CHECK-NEXT: attnres.launch @join{{.*}}operand_buffers = [#attnres.buffer<workspace>]
module {
  attnres.kernel @k : (tensor<3xf32>) -> tensor<3xf32>
  attnres.kernel @join : (tensor<6xf32>) -> tensor<3xf32>
  func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<3xf32>) -> tensor<3xf32>
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] : (tensor<3xf32>) -> tensor<3xf32>
    %2 = tensor.concat dim(0) %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %3 = attnres.launch @join (%2) operand_groups [-1] result_groups [-1] : (tensor<6xf32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  }
}

// -----

// An updated parameter: written in place by a kernel that allows it, after the
// last launch that reads the old value. Constants have their own memory.

// CHECK:      attnres.constant_bytes = 128 : i64
// CHECK-LABEL: func.func @main
// CHECK-NEXT: arith.constant {attnres.buffer = #attnres.buffer<constant>}
// CHECK-NEXT: arith.constant {attnres.buffer = #attnres.buffer<constant + 64>}
// CHECK-NEXT: attnres.launch @grad{{.*}}operand_buffers = [#attnres.buffer<argument 0>, #attnres.buffer<constant + 64>], result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @step{{.*}}operand_buffers = [#attnres.buffer<argument 0>, #attnres.buffer<workspace>, #attnres.buffer<constant>], result_buffers = [#attnres.buffer<argument 0>]
module {
  attnres.kernel @grad : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  attnres.kernel @step : (tensor<9xf32>, tensor<9xf32>, tensor<f32>) -> tensor<9xf32> inplace [0]
  func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 0 : i64}) {
    %c = arith.constant dense<0.1> : tensor<f32>
    %d = arith.constant dense<2.0> : tensor<9xf32>
    %0 = attnres.launch @grad (%p, %d) operand_groups [-1, -1] result_groups [-1] : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %1 = attnres.launch @step (%p, %0, %c) operand_groups [-1, -1, -1] result_groups [-1] : (tensor<9xf32>, tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}

// -----

// Empty tensors need no memory.

// CHECK:      attnres.workspace_bytes = 0 : i64
// CHECK-LABEL: func.func @main(%{{.*}}: tensor<0x9xf32>)
module {
  attnres.kernel @k : (tensor<0x9xf32>) -> tensor<0x9xf32>
  func.func @main(%a: tensor<0x9xf32>) -> tensor<0x9xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<0x9xf32>) -> tensor<0x9xf32>
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] : (tensor<0x9xf32>) -> tensor<0x9xf32>
    return %1 : tensor<0x9xf32>
  }
}

// -----

// Best fit: the small tensor %4 goes into the small gap that %1 left, not into
// the large one that %0 left.

// CHECK:      attnres.live_bytes = [[BYTES:.*]] : i64, attnres.workspace_bytes = [[BYTES]] : i64
// CHECK-LABEL: func.func @main
// CHECK:      attnres.launch @large{{.*}}result_buffers = [#attnres.buffer<workspace>]
// CHECK-NEXT: attnres.launch @small{{.*}}result_buffers = [#attnres.buffer<workspace + [[SMALL:.*]]>]
// CHECK-NEXT: attnres.launch @use
// CHECK-NEXT: attnres.launch @small{{.*}}result_buffers = [#attnres.buffer<workspace + [[SMALL]]>]
// CHECK-NEXT: attnres.launch @large{{.*}}result_buffers = [#attnres.buffer<workspace>]
module {
  attnres.kernel @large : (tensor<16xf32>) -> tensor<64xf32>
  attnres.kernel @small : (tensor<16xf32>) -> tensor<16xf32>
  attnres.kernel @use : (tensor<64xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.func @main(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = attnres.launch @large (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<64xf32>
    %1 = attnres.launch @small (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<16xf32>
    %2 = attnres.launch @use (%0, %1) operand_groups [-1, -1] result_groups [-1] : (tensor<64xf32>, tensor<16xf32>) -> tensor<16xf32>
    %4 = attnres.launch @small (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<16xf32>
    %5 = attnres.launch @large (%a) operand_groups [-1] result_groups [-1] : (tensor<16xf32>) -> tensor<64xf32>
    %6 = attnres.launch @use (%5, %4) operand_groups [-1, -1] result_groups [-1] : (tensor<64xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2, %6 : tensor<16xf32>, tensor<16xf32>
  }
}
