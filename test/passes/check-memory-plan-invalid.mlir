// RUN: attnres-opt --split-input-file --verify-diagnostics --attnres-check-memory-plan %s

// expected-error @below {{expected attnres.workspace_bytes and attnres.constant_bytes}}
module {
  func.func @main() { return }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-error @below {{has no operand_buffers or result_buffers}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

// A value overwritten while it is still needed.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  attnres.kernel @add : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-note @below {{value defined here}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-note @below {{overwritten here}}
    %1 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{operand 0 at #attnres.buffer<workspace> was overwritten before this use}}
    %2 = attnres.launch @add (%0, %1) operand_groups [-1, -1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace>, #attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}

// -----

// One element is enough: 68 bytes at 0 end behind 64.

module attributes {attnres.workspace_bytes = 192 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<17xf32>
  attnres.kernel @add : (tensor<17xf32>, tensor<17xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-note @below {{value defined here}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<17xf32>
    // expected-note @below {{overwritten here}}
    %1 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace + 64>]} : (tensor<9xf32>) -> tensor<17xf32>
    // expected-error @below {{operand 0 at #attnres.buffer<workspace> was overwritten before this use}}
    %2 = attnres.launch @add (%0, %1) operand_groups [-1, -1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace>, #attnres.buffer<workspace + 64>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<17xf32>, tensor<17xf32>) -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}

// -----

// An operand looked for in the wrong place.

module attributes {attnres.workspace_bytes = 128 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-note @below {{placed here}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{expected operand 0 at #attnres.buffer<workspace>, got #attnres.buffer<workspace + 64>}}
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace + 64>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 128 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-error @below {{result 0 at #attnres.buffer<workspace + 32> is not aligned to 64 bytes}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace + 32>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<17xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<17xf32> {
    // expected-error @below {{result 0 of 68 bytes at #attnres.buffer<workspace> ends beyond the 64 bytes there}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<17xf32>
    return %0 : tensor<17xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-error @below {{result 0 at #attnres.buffer<result 1>, which the function does not have}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 1>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

// Work in place that the kernel does not allow.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{result 0 at #attnres.buffer<result 0> overlaps operand 0 at #attnres.buffer<result 0>, which kernel @k does not allow}}
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<result 0>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}

// -----

// The kernel allows the first operand alone.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @add : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32> inplace [0]
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    %0 = attnres.launch @add (%a, %a) operand_groups [-1, -1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>, #attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{overlaps operand 1 at #attnres.buffer<result 0>, which kernel @add does not allow}}
    %1 = attnres.launch @add (%0, %0) operand_groups [-1, -1] result_groups [-1] {operand_buffers = [#attnres.buffer<result 0>, #attnres.buffer<result 0>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}

// -----

// In place means in the same place.

module attributes {attnres.workspace_bytes = 192 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<32xf32>) -> tensor<32xf32> inplace [0]
  func.func @main(%a: tensor<32xf32>) -> tensor<32xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<32xf32>) -> tensor<32xf32>
    // expected-error @below {{result 0 at #attnres.buffer<workspace + 64> overlaps operand 0 at #attnres.buffer<workspace>, which kernel @k does not allow}}
    %1 = attnres.launch @k (%0) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<workspace + 64>]} : (tensor<32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @two : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-error @below {{result 1 at #attnres.buffer<result 0> overlaps result 0 at #attnres.buffer<result 0>}}
    %0:2 = attnres.launch @two (%a) operand_groups [-1] result_groups [-1, -1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 0>, #attnres.buffer<result 0>]} : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
    return %0#1 : tensor<9xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-error @below {{result 0 is written to argument 0, which no result updates}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<argument 0>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 64 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
  func.func @main() -> tensor<9xf32> {
    %c = arith.constant {attnres.buffer = #attnres.buffer<constant>} dense<1.0> : tensor<9xf32>
    // expected-error @below {{result 0 is written to a constant}}
    %0 = attnres.launch @k (%c) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<constant>], result_buffers = [#attnres.buffer<constant>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

// Two constants in one place: the second one destroys the first one.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 64 : i64} {
  attnres.kernel @add : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  func.func @main() -> tensor<9xf32> {
    // expected-note @below {{value defined here}}
    %c = arith.constant {attnres.buffer = #attnres.buffer<constant>} dense<1.0> : tensor<9xf32>
    // expected-note @below {{overwritten here}}
    %d = arith.constant {attnres.buffer = #attnres.buffer<constant>} dense<2.0> : tensor<9xf32>
    // expected-error @below {{operand 0 at #attnres.buffer<constant> was overwritten before this use}}
    %0 = attnres.launch @add (%c, %d) operand_groups [-1, -1] result_groups [-1] {operand_buffers = [#attnres.buffer<constant>, #attnres.buffer<constant>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}

// -----

// The caller looks for the result in result 0.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32>
  func.func @main(%a: tensor<9xf32>) -> tensor<9xf32> {
    // expected-note @below {{placed here}}
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{expected result 0 at #attnres.buffer<workspace>, got #attnres.buffer<result 0>}}
    return %0 : tensor<9xf32>
  }
}

// -----

// An updated parameter overwritten too early.

module attributes {attnres.workspace_bytes = 64 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0]
  // expected-note @below {{value defined here}}
  func.func @main(%p: tensor<9xf32>) -> (tensor<9xf32> {attnres.updates = 0 : i64}, tensor<9xf32>) {
    // expected-note @below {{overwritten here}}
    %0 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<argument 0>]} : (tensor<9xf32>) -> tensor<9xf32>
    // expected-error @below {{operand 0 at #attnres.buffer<argument 0> was overwritten before this use}}
    %1 = attnres.launch @k (%p) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<result 1>]} : (tensor<9xf32>) -> tensor<9xf32>
    return %0, %1 : tensor<9xf32>, tensor<9xf32>
  }
}

// -----

// A concatenation whose parts do not follow each other.

module attributes {attnres.workspace_bytes = 128 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @k : (tensor<3xf32>) -> tensor<3xf32>
  attnres.kernel @join : (tensor<6xf32>) -> tensor<3xf32>
  func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
    %0 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<3xf32>) -> tensor<3xf32>
    %1 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace + 64>]} : (tensor<3xf32>) -> tensor<3xf32>
    // expected-error @below {{expected operand 1 at #attnres.buffer<workspace + 12>, got #attnres.buffer<workspace + 64>}}
    %2 = tensor.concat dim(0) %0, %1 {attnres.buffer = #attnres.buffer<workspace>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %3 = attnres.launch @join (%2) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<6xf32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  }
}

// -----

// A view of a value that is gone.

module attributes {attnres.workspace_bytes = 128 : i64, attnres.constant_bytes = 0 : i64} {
  attnres.kernel @make : (tensor<16xf32>) -> tensor<2x16xf32>
  attnres.kernel @k : (tensor<16xf32>) -> tensor<16xf32>
  func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
    // expected-note @below {{value defined here}}
    %0 = attnres.launch @make (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<16xf32>) -> tensor<2x16xf32>
    %v = tensor.extract_slice %0[1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
    // The first row may be overwritten, the second may not.
    %1 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = attnres.launch @k (%v) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace + 64>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @below {{overwritten here}}
    %3 = attnres.launch @k (%a) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace + 64>]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @below {{operand 0 at #attnres.buffer<workspace + 64> was overwritten before this use}}
    %4 = attnres.launch @k (%v) operand_groups [-1] result_groups [-1] {operand_buffers = [#attnres.buffer<workspace + 64>], result_buffers = [#attnres.buffer<result 0>]} : (tensor<16xf32>) -> tensor<16xf32>
    return %4 : tensor<16xf32>
  }
}
