// RUN: attnres-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{expected argument, result, workspace or constant, got arena}}
func.func private @la2_kind_of_a_buffer() attributes {test.a = #attnres.buffer<arena>}

// -----

// expected-error @below {{expected an offset of at least 0, got -64}}
func.func private @la2_offset_of_a_buffer() attributes {test.a = #attnres.buffer<workspace + -64>}

// -----

// expected-error @below {{expected no argument -1}}
func.func private @la2_index_of_a_buffer() attributes {test.a = #attnres.buffer<argument -1>}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
func.func @la2_a_buffer_for_each_operand(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @below {{expected 1 operand buffers, got 0}}
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = []} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
func.func @la2_a_buffer_for_each_result(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @below {{expected 1 result buffers, got 2}}
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {result_buffers = [#attnres.buffer<workspace>, #attnres.buffer<result 0>]} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
