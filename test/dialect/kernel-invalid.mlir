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

func.func @la1_a_kernel_that_there_is(%q: tensor<8xf32>) {
  // expected-error @below {{'attnres.launch' op expected a kernel named @k}}
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

// expected-error @below {{'attnres.kernel' op expected argument 1 to be a tensor of static shape or a list of them, got 'f32'}}
attnres.kernel @la4_argument_that_is_no_tensor : (tensor<8xf32>, f32) -> tensor<8xf32>

// -----

// expected-error @below {{'attnres.kernel' op expected result 0 to be a tensor of static shape or a list of them, got 'tensor<?xf32>'}}
attnres.kernel @la4_result_of_unknown_shape : (tensor<8xf32>) -> tensor<?xf32>

// -----

// expected-error @below {{'attnres.kernel' op expected no attributes of arguments and results}}
"attnres.kernel"() <{sym_name = "la4_no_attributes_of_arguments", function_type = (tensor<8xf32>) -> (), arg_attrs = [{attnres.name = "x"}]}> ({}) : () -> ()

// -----

// expected-error @below {{'attnres.kernel' op expected inplace with 1 entries, one for each result, got 2}}
attnres.kernel @la5_an_entry_for_each_result : (tensor<9xf32>) -> tensor<9xf32> inplace [0, 0]

// -----

// expected-error @below {{'attnres.kernel' op expected the entries of inplace to be arguments from 0 to 0 or -1, got 1}}
attnres.kernel @la5_an_argument_that_there_is : (tensor<9xf32>) -> tensor<9xf32> inplace [1]

// -----

// expected-error @below {{'attnres.kernel' op expected the entries of inplace to be arguments from 0 to 0 or -1, got -2}}
attnres.kernel @la5_no_negative_argument : (tensor<9xf32>) -> tensor<9xf32> inplace [-2]

// -----

// expected-error @below {{'attnres.kernel' op expected result 0 of the type of the argument that it takes over, 'tensor<9xf32>', got 'tensor<9xbf16>'}}
attnres.kernel @la5_of_one_type : (tensor<9xf32>) -> tensor<9xbf16> inplace [0]

// -----

// expected-error @below {{'attnres.kernel' op expected result 0 of the type of the argument that it takes over, 'tensor<9xf32>', got '!attnres.list<tensor<9xf32>>'}}
attnres.kernel @la5_no_list_over_a_tensor : (tensor<9xf32>) -> !attnres.list<tensor<9xf32>> inplace [0]

// -----

// expected-error @below {{'attnres.kernel' op expected one result to take over argument 0, got two}}
attnres.kernel @la5_no_argument_twice : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) inplace [0, 0]

// -----

// expected-error @below {{'attnres.kernel' op attribute 'flops' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
attnres.kernel @la4_flops_are_not_negative : (tensor<9xf32>) -> tensor<9xf32> flops -1

// -----

// expected-error @below {{'attnres.kernel' op attribute 'grid' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
attnres.kernel @la6_grid_is_not_negative : () -> tensor<9xf32> grid -1 scratch 0 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected a grid and scratch, or neither}}
attnres.kernel @la6_grid_without_scratch : () -> tensor<9xf32> grid 1 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected a grid and scratch, or neither}}
attnres.kernel @la6_scratch_without_grid : () -> tensor<9xf32> scratch 64

// -----

// expected-error @below {{'attnres.kernel' op expected scratch for each tensor of a list only of code that takes lists}}
attnres.kernel @la6_scratch_per_item_of_lists : () -> tensor<9xf32> grid 1 scratch 0 per_item 4 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected scratch for each tensor of a list only of code that takes lists}}
attnres.kernel @la6_scratch_per_item_of_blocks : (!attnres.list<tensor<9xf32>>) -> () blocks<[1, 1, 1] of [32, 1, 1] lists [2]>
    scratch 0 per_item 4 code(%x: !llvm.ptr, %s: !llvm.ptr<1>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected a grid of work items or of blocks, got both}}
attnres.kernel @la6_one_grid : () -> tensor<9xf32> grid 1 blocks<[1, 1, 1] of [32, 1, 1]> scratch 0 code(%x: !llvm.ptr<1>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected blocks with room for 1 lists, got 0}}
attnres.kernel @la6_room_for_lists : (!attnres.list<tensor<9xf32>>) -> () blocks<[1, 1, 1] of [32, 1, 1]> scratch 0
    code(%x: !llvm.ptr) {
  attnres.return
}

// -----

// expected-error @below {{expected blocks of 1 to 1024 threads, got [64, 32, 1]}}
attnres.kernel @la7_threads_of_a_block : () -> () blocks<[1, 1, 1] of [64, 32, 1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected blocks of 1 to 1024 threads, got [4, -8, -8]}}
attnres.kernel @la7_threads_are_positive : () -> () blocks<[1, 1, 1] of [4, -8, -8]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected a grid of 0 to 65535 blocks in clusters of 1, got 65536}}
attnres.kernel @la7_blocks_of_a_grid : () -> () blocks<[1, 65536, 1] of [32, 1, 1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected a grid of 0 to 2147483647 blocks in clusters of 2, got 3}}
attnres.kernel @la7_clusters_of_a_grid : () -> () blocks<[3, 1, 1] of [32, 1, 1] cluster [2, 1, 1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected clusters of 1 to 16 blocks, got [8, 4, 1]}}
attnres.kernel @la7_blocks_of_a_cluster : () -> () blocks<[32, 4, 1] of [32, 1, 1] cluster [8, 4, 1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected 3 extents, got 2}}
attnres.kernel @la7_three_extents : () -> () blocks<[3, 1] of [32, 1, 1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected shared memory of at least 0 bytes, got -4}}
attnres.kernel @la7_shared_bytes : () -> () blocks<[3, 1, 1] of [32, 1, 1] shared -4> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{expected lists of at least 0 tensors, got -1}}
attnres.kernel @la7_room_of_lists : () -> () blocks<[3, 1, 1] of [32, 1, 1] lists [-1]> scratch 0 code() {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected code to take memory for 2 arguments and results, got 1}}
attnres.kernel @la6_memory_for_each_result : (tensor<9xf32>) -> tensor<9xf32> grid 1 scratch 0 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected code to take memory of 'tensor<9xf32>' as its argument 0, got 'memref<8xf32>'}}
attnres.kernel @la6_shape_of_memory : () -> tensor<9xf32> grid 1 scratch 0 code(%x: memref<8xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected code to take memory of 'tensor<9xf32>' as its argument 0, got 'tensor<9xf32>'}}
attnres.kernel @la6_code_takes_no_tensors : () -> tensor<9xf32> grid 1 scratch 0 code(%x: tensor<9xf32>) {
  attnres.return
}

// -----

// expected-error @below {{'attnres.kernel' op expected a block that takes the arguments of '(tensor<9xf32>) -> ()'}}
"attnres.kernel"() <{sym_name = "la4_block_of_another_signature", function_type = (tensor<9xf32>) -> ()}> ({
^bb0(%x: tensor<8xf32>):
  attnres.return
}) : () -> ()

// -----

// expected-error @below {{'attnres.kernel' op expected code with a body}}
attnres.kernel @la6_code_has_a_body : (tensor<9xf32>) -> () grid 1 scratch 0 code()

// -----

attnres.kernel @la4_what_a_kernel_returns(%x: tensor<9xf32>) -> tensor<8xf32> {
  // expected-error @below {{'attnres.return' op expected operands of the kernel's result types 'tensor<8xf32>', got 'tensor<9xf32>'}}
  attnres.return %x : tensor<9xf32>
}

// -----

attnres.kernel @la6_what_code_returns : () -> tensor<f32> grid 1 scratch 0 code(%x: memref<f32>) {
  %e = tensor.empty() : tensor<f32>
  // expected-error @below {{'attnres.return' op expected no operands at the end of code, got 1}}
  attnres.return %e : tensor<f32>
}

// -----

// expected-error @below {{'attnres.kernel' op expected a body that ends with attnres.return}}
attnres.kernel @la4_end_of_a_body() {
  llvm.unreachable
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_number_of_operand_groups(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand groups, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_a_list_is_no_tensor(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 1 to be a list}}
  attnres.launch @k(%q, %v) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_a_tensor_is_no_list(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_too_few_operands(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected more than 2 operands}}
  attnres.launch @k(%q, %v) operand_groups [-1, 2] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_too_many_operands(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operands, got 3}}
  attnres.launch @k(%q, %v, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_type_of_an_operand(%q: tensor<8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand 1 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %u) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_number_of_result_groups(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result groups, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_a_result_is_no_list(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la1_type_of_a_result(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result 0 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la2_a_buffer_for_each_operand(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand buffers, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la2_a_buffer_for_each_result(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result buffers, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = []} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la2_offset_of_a_buffer(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected an offset of at least 0, got -64}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<workspace + -64>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @la2_kind_of_a_buffer(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected argument, result, workspace or constant, got stack}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<stack>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
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
