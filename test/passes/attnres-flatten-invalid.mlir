// RUN: attnres-opt --split-input-file --verify-diagnostics --attnres-flatten %s

func.func @mm4_unknown_length(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op expected constant bounds and a constant step: loops over tensors are written out}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %l = math.exp %a : tensor<8xf32>
    scf.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @mm4_no_step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op expected a positive step, got 0}}
  %y = scf.for %i = %c0 to %c1 step %c0 iter_args(%a = %x) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @mm4_too_long(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4611686018427387904 : index
  // expected-error @below {{'scf.for' op expected a program of at most 1048576 operations once calls and loops are written out}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'func.call' op is recursive: @g cannot be written out}}
  %y = call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func private @outside(tensor<8xf32>) -> tensor<8xf32>
func.func @mm4_declared(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'func.call' op expected a function with a body, got @outside}}
  %y = call @outside(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @mm4_may_fail(%c: i1, %i: i64, %j: i64) -> i64 {
  // expected-error @below {{'scf.if' op expected a constant condition, or branches that can both be computed}}
  %y = scf.if %c -> i64 {
    // expected-note @below {{'arith.divsi' may fail or has effects}}
    %a = arith.divsi %i, %j : i64
    scf.yield %a : i64
  } else {
    scf.yield %i : i64
  }
  return %y : i64
}

// -----

// A token outside the table is an error only where it is looked up.
func.func @mm4_chooses(%c: i1, %t: tensor<3xi64>, %w: tensor<5x2xf32>, %x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{'scf.if' op expected a constant condition, or branches that can both be computed}}
  %y = scf.if %c -> tensor<3x2xf32> {
    // expected-note @below {{'attnres.embedding' may fail or has effects}}
    %e = attnres.embedding %t, %w : tensor<3xi64>, tensor<5x2xf32>
    scf.yield %e : tensor<3x2xf32>
  } else {
    scf.yield %x : tensor<3x2xf32>
  }
  return %y : tensor<3x2xf32>
}

// -----

// Without a place nothing is chosen.
func.func @mm4_speculated(%c: i1, %x: tensor<1x3x1x2xf32>) -> tensor<1x3x1x2xf32> {
  %y = scf.if %c -> tensor<1x3x1x2xf32> {
    %r = attnres.rope %x {theta = 100.0 : f64} : tensor<1x3x1x2xf32>
    scf.yield %r : tensor<1x3x1x2xf32>
  } else {
    scf.yield %x : tensor<1x3x1x2xf32>
  }
  return %y : tensor<1x3x1x2xf32>
}

// -----

func.func @mm4_placed(%c: i1, %x: tensor<1x3x1x2xf32>, %s: tensor<1xi64>) -> tensor<1x3x1x2xf32> {
  // expected-error @below {{'scf.if' op expected a constant condition, or branches that can both be computed}}
  %y = scf.if %c -> tensor<1x3x1x2xf32> {
    // expected-note @below {{'attnres.rope' may fail or has effects}}
    %r = attnres.rope %x start(%s) {theta = 100.0 : f64, positions = 8 : i64} : tensor<1x3x1x2xf32>, tensor<1xi64>
    scf.yield %r : tensor<1x3x1x2xf32>
  } else {
    scf.yield %x : tensor<1x3x1x2xf32>
  }
  return %y : tensor<1x3x1x2xf32>
}

// -----

func.func @mm3_short_resource() -> tensor<3xf32> {
  // expected-error @below {{expected 12 bytes in the resource short, got 8}}
  %a = arith.constant dense_resource<short> : tensor<3xf32>
  return %a : tensor<3xf32>
}
{-#
  dialect_resources: { builtin: { short: "0x040000000000803F000000C0" } }
#-}

// -----

func.func @mm3_no_resource() -> tensor<3xf32> {
  // expected-error @below {{expected data for the resource nowhere}}
  %a = arith.constant dense_resource<nowhere> : tensor<3xf32>
  return %a : tensor<3xf32>
}
