// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @pr3_tile_is_positive(%m: tensor<6x8xf32>) {
  // expected-error @below {{expected a positive tile, got 0}}
  attnres.pack %m {tile = 0 : i64} : tensor<6x8xf32>
  return
}

// -----

func.func @pr3_tile_is_given(%m: tensor<6x8xf32>) {
  // expected-error @below {{expected tile}}
  attnres.pack %m : tensor<6x8xf32>
  return
}

// -----

func.func @pr4_lhs_has_a_last_dimension(%z: tensor<f32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected lhs of rank at least 1, got 'tensor<f32>'}}
  attnres.matmul_packed %z, %p : tensor<f32>, tensor<2x8x4xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @pr4_rank_of_panels(%v: tensor<3x8xf32>, %p2: tensor<8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected panels of rank 3, got 'tensor<8x4xf32>'}}
  attnres.matmul_packed %v, %p2 : tensor<3x8xf32>, tensor<8x4xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @pr4_panels_hold_all_columns(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected panels that hold 9 columns, got 'tensor<2x8x4xf32>'}}
  attnres.matmul_packed %v, %p : tensor<3x8xf32>, tensor<2x8x4xf32> -> tensor<3x9xf32>
  return
}

// -----

func.func @pr4_inner_dimensions(%v: tensor<3x8xf32>, %p7: tensor<2x7x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected equal inner dimensions, got 8 and 7}}
  attnres.matmul_packed %v, %p7 : tensor<3x8xf32>, tensor<2x7x4xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @pr4_bias(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected bias of type 'tensor<7xf32>', got 'tensor<8xf32>'}}
  attnres.matmul_packed %v, %p bias(%q) : tensor<3x8xf32>, tensor<2x8x4xf32>, tensor<8xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @pr4_shape_of_the_result(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected result of shape [3, 7], got 'tensor<4x7xf32>'}}
  attnres.matmul_packed %v, %p : tensor<3x8xf32>, tensor<2x8x4xf32> -> tensor<4x7xf32>
  return
}

// -----

func.func @pr4_type_of_init(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected init of type 'tensor<3x7xf32>', got 'tensor<4x8xf32>'}}
  attnres.matmul_packed %v, %p init(%u) : tensor<3x8xf32>, tensor<2x8x4xf32>, tensor<4x8xf32> -> tensor<3x7xf32>
  return
}

// -----

func.func @la1_a_function_is_launched(%q: tensor<8xf32>) {
  // expected-error @below {{'attnres.launch' op expected a function named @k}}
  attnres.launch @k(%q) operand_groups [-1] result_groups [] : (tensor<8xf32>) -> ()
  return
}

// -----

func.func private @k(tensor<8xf32>)
func.func @la1_a_kernel_is_launched(%q: tensor<8xf32>) {
  // expected-error @below {{'attnres.launch' op expected @k to be a kernel}}
  attnres.launch @k(%q) operand_groups [-1] result_groups [] : (tensor<8xf32>) -> ()
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_number_of_operand_groups(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand groups, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_a_list_is_no_tensor(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 1 to be a list}}
  attnres.launch @k(%q, %v) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_a_tensor_is_no_list(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_too_few_operands(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected more than 2 operands}}
  attnres.launch @k(%q, %v) operand_groups [-1, 2] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_too_many_operands(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operands, got 3}}
  attnres.launch @k(%q, %v, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_type_of_an_operand(%q: tensor<8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand 1 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %u) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_number_of_result_groups(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result groups, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_a_result_is_no_list(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la1_type_of_a_result(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result 0 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la2_a_buffer_for_each_operand(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand buffers, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la2_a_buffer_for_each_result(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result buffers, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = []} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la2_offset_of_a_buffer(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected an offset of at least 0, got -64}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<workspace + -64>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la2_kind_of_a_buffer(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected argument, result, workspace or constant, got stack}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<stack>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @la2_index_of_a_buffer(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected no argument -1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<argument -1>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @la3_equal_types(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.expect_close' op failed to verify that all of {actual, expected} have same type}}
  "attnres.expect_close"(%q, %v) {atol = 0.0 : f64, rtol = 0.0 : f64} : (tensor<8xf32>, tensor<3x8xf32>) -> ()
  return
}

// -----

func.func @pr4_columns_that_are_not_known(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected panels that hold ? columns, got 'tensor<2x8x4xf32>'}}
  attnres.matmul_packed %v, %p : tensor<3x8xf32>, tensor<2x8x4xf32> -> tensor<3x?xf32>
  return
}

// -----

func.func @pr3_rows_that_are_not_known(%m: tensor<?x2x8xf32>) {
  // expected-error @below {{'attnres.pack' op inferred type(s) 'tensor<2x?x4xf32>' are incompatible with return type(s) of operation 'tensor<2x0x4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  "attnres.pack"(%m) {tile = 4 : i64} : (tensor<?x2x8xf32>) -> tensor<2x0x4xf32>
  return
}

// -----

func.func @pr3_columns_that_are_not_known(%m: tensor<6x?xf32>) {
  // expected-error @below {{'attnres.pack' op inferred type(s) 'tensor<?x6x4xf32>' are incompatible with return type(s) of operation 'tensor<0x6x4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  "attnres.pack"(%m) {tile = 4 : i64} : (tensor<6x?xf32>) -> tensor<0x6x4xf32>
  return
}

// -----

func.func @pr3_one_panel_of_any_tile(%m: tensor<6x8xf32>) {
  // expected-error @below {{'attnres.pack' op inferred type(s) 'tensor<1x6x9223372036854775807xf32>' are incompatible with return type(s) of operation 'tensor<2x6x4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  "attnres.pack"(%m) {tile = 9223372036854775807 : i64} : (tensor<6x8xf32>) -> tensor<2x6x4xf32>
  return
}
