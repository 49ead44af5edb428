// RUN: attnres-opt --split-input-file --verify-diagnostics --attnres-plan-memory %s

// expected-error @below {{expected a function named main}}
module {}

// -----

func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @below {{is not a launch, a dense constant, a contiguous view or a concatenation along dimension 0}}
  %0 = arith.addf %a, %a : tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<3x9xf32>) -> tensor<3x9xf32>
func.func @main(%a: tensor<3x9xf32>) -> tensor<3x9xf32> {
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<3x9xf32>) -> tensor<3x9xf32>
  // expected-error @below {{is not a launch, a dense constant, a contiguous view}}
  %1 = tensor.extract_slice %0[0, 1] [2, 8] [1, 1] : tensor<3x9xf32> to tensor<2x8xf32>
  return %0 : tensor<3x9xf32>
}

// -----

// expected-error @below {{expected static tensors of integers or floats, got 'tensor<?xf32>'}}
func.func @main(%a: tensor<?xf32>) {
  return
}

// -----

// expected-error @below {{expected tensors of at most 2^48 bytes, got 'tensor<1099511627776x1099511627776xf32>'}}
func.func @main(%a: tensor<1099511627776x1099511627776xf32>) {
  return
}

// -----

func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @below {{expected result 0 to be computed by a launch, got a program argument}}
  return %a : tensor<9xf32>
}

// -----

func.func @main() -> tensor<2xf32> {
  %c = arith.constant dense<1.0> : tensor<2xf32>
  // expected-error @below {{expected result 0 to be computed by a launch, got a program constant}}
  return %c : tensor<2xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
func.func @main(%a: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  // expected-error @below {{expected result 1 to share no memory with another result}}
  return %0, %0 : tensor<9xf32>, tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
func.func @main(%a: tensor<9xf32>) -> tensor<3xf32> {
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  %1 = tensor.extract_slice %0[0] [3] [1] : tensor<9xf32> to tensor<3xf32>
  // expected-error @below {{expected result 0 of 12 bytes to be a whole tensor, got a part of 36 bytes}}
  return %1 : tensor<3xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
attnres.kernel @j : (tensor<18xf32>) -> tensor<9xf32>
func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  // expected-error @below {{expected operand 1 to be the whole result of a launch and a part of no other concatenation}}
  %1 = tensor.concat dim(0) %0, %a : (tensor<9xf32>, tensor<9xf32>) -> tensor<18xf32>
  %2 = attnres.launch @j (%1) operand_groups [-1] result_groups [-1] : (tensor<18xf32>) -> tensor<9xf32>
  return %2 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
attnres.kernel @j : (tensor<18xf32>) -> tensor<9xf32>
func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
  %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  // expected-error @below {{expected operand 1 to be the whole result of a launch and a part of no other concatenation}}
  %1 = tensor.concat dim(0) %0, %0 : (tensor<9xf32>, tensor<9xf32>) -> tensor<18xf32>
  %2 = attnres.launch @j (%1) operand_groups [-1] result_groups [-1] : (tensor<18xf32>) -> tensor<9xf32>
  return %2 : tensor<9xf32>
}

// -----

attnres.kernel @step : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 0 : i64}, tensor<9xf32>) {
  // expected-note @below {{updated by this launch}}
  %0 = attnres.launch @step (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  // expected-error @below {{reads argument 0 after it was updated}}
  %1 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  return %0, %1 : tensor<9xf32>, tensor<9xf32>
}

// -----

attnres.kernel @step : (tensor<9xf32>) -> tensor<9xf32>
func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 0 : i64}) {
  // expected-note @below {{updated by this launch}}
  // expected-error @below {{reads argument 0 while it is updated, which its kernel does not allow}}
  %0 = attnres.launch @step (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
// expected-error @below {{expected result 0 to update one of 1 arguments, got 1}}
func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 1 : i64}) {
  %0 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
// expected-error @below {{expected result 0 to update an argument of type 'tensor<9xf32>', got 'tensor<3x3xf32>'}}
func.func @main(%p: tensor<9xf32>, %q: tensor<3x3xf32>) -> (tensor<9xf32> {attnres.updates = 1 : i64}) {
  %0 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
// expected-error @below {{expected one result to update argument 0, got a second one, result 1}}
func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 0 : i64}, tensor<9xf32> {attnres.updates = 0 : i64}) {
  %0 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  %1 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
  return %0, %1 : tensor<9xf32>, tensor<9xf32>
}
