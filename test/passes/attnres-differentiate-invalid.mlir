// G-10: A gradient that cannot be computed is an error where it is lost, never a zero.
//
// RUN: attnres-opt %s --attnres-differentiate --split-input-file --verify-diagnostics
// Numbers: unit/dialect/DerivativeTest.cpp

func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %i = arith.bitcast %w : tensor<4xf32> to tensor<4xi32>
  %mask = arith.constant dense<0x7fffffff> : tensor<4xi32>
  %j = arith.andi %i, %mask : tensor<4xi32>
  // expected-error@+1 {{'arith.bitcast' op has no derivative, but the gradient of parameter "w" passes through it}}
  %f = arith.bitcast %j : tensor<4xi32> to tensor<4xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%f : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// An integer that depends on a parameter by its bits.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %i = arith.bitcast %w : tensor<4xf32> to tensor<4xi32>
  // expected-error@+1 {{'arith.sitofp' op has no derivative, but the gradient of parameter "w" passes through it}}
  %f = arith.sitofp %i : tensor<4xi32> to tensor<4xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%f : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// A condition that depends on a parameter by its bits.
func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %x: tensor<f32> {attnres.name = "x", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %i = arith.bitcast %w : tensor<f32> to tensor<i32>
  %c = arith.trunci %i : tensor<i32> to tensor<i1>
  // expected-error@+1 {{'arith.select' op has no derivative, but the gradient of parameter "w" passes through it, as operand 0}}
  %l = arith.select %c, %x, %x : tensor<i1>, tensor<f32>
  return %l : tensor<f32>
}

// -----

// The same inside a body.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%w : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %i = arith.bitcast %a : f32 to i32
    // expected-error@+1 {{'arith.bitcast' op has no derivative, but the gradient of parameter "w" passes through it}}
    %f = arith.bitcast %i : i32 to f32
    %t = arith.addf %o, %f : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  // expected-error@+1 {{'linalg.reduce' op cannot be differentiated with respect to parameter "w": expected a sum, a maximum or a minimum over the loops that do not index the result}}
  %l = linalg.reduce { arith.mulf } ins(%w : tensor<4xf32>) outs(%one : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<6xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %k: tensor<3xf32> {attnres.name = "k", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@+1 {{'linalg.conv_1d' op cannot be differentiated with respect to parameter "w": expected each index of an operand to be one loop}}
  %c = linalg.conv_1d ins(%w, %k : tensor<6xf32>, tensor<3xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%c : tensor<4xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// The first value of a maximum.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %b: tensor<f32> {attnres.name = "b", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  // expected-error@+1 {{expected the first value of a maximum or minimum not to depend on a parameter}}
  %l = linalg.reduce { arith.maximumf } ins(%w : tensor<4xf32>) outs(%b : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// A padding that depends on a parameter, besides a tensor that does.
func.func @main(%w: tensor<2xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %p = tensor.extract %w[%c0] : tensor<2xf32>
  // expected-error@+1 {{'tensor.pad' op has no derivative, but the gradient of parameter "w" passes through it}}
  %g = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<2xf32> to tensor<4xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%g : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %n: index {attnres.name = "n", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' op cannot be differentiated with respect to parameter "w": expected constant bounds and a positive step}}
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %w) -> tensor<f32> {
    %b = arith.addf %a, %w : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  // expected-error@+1 {{expected at most 131072 iterations, got 1000000000000}}
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %w) -> tensor<f32> {
    %b = arith.addf %a, %w : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %c: i1 {attnres.name = "c", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  // expected-error@+1 {{'scf.if' op cannot be differentiated with respect to parameter "w": expected a constant condition}}
  %l = scf.if %c -> tensor<f32> {
    scf.yield %w : tensor<f32>
  } else {
    %b = arith.addf %w, %w : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %l : tensor<f32>
}

// -----

func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  // expected-error@+1 {{'func.call' op cannot be differentiated with respect to parameter "w": expected a function of one block named f}}
  %l = call @f(%w) : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @f(tensor<f32>) -> tensor<f32>

// -----

func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  // expected-error@+1 {{'func.call' op cannot be differentiated with respect to parameter "w": the function calls itself}}
  %l = call @f(%w) : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %l = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %l = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// Memory hides what depends on what.
func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %x: tensor<f32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %m = memref.alloc() : memref<f32>
  %e = tensor.extract %w[] : tensor<f32>
  // expected-error@+1 {{'memref.store' op cannot be differentiated with respect to parameter "w": it has effects on memory}}
  memref.store %e, %m[] : memref<f32>
  %f = memref.load %m[] : memref<f32>
  %l = tensor.from_elements %f : tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error@+1 {{expected parameter "w" to be a floating-point tensor of static shape, got 'tensor<4xi64>'}}
func.func @main(%w: tensor<4xi64> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %x: tensor<f32> {attnres.name = "x", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  return %x : tensor<f32>
}

// -----

func.func @main(%x: tensor<1x4x1x2xf32> {attnres.name = "x", attnres.role = #attnres.role<parameter>}, %t: tensor<4x2xf32> {attnres.name = "t", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  // expected-error@+1 {{'attnres.rope' op has no derivative, but the gradient of parameter "t" passes through it, as operand 1}}
  %r = attnres.rope %x table(%t) {theta = 1.0e2 : f64} : tensor<1x4x1x2xf32>, tensor<4x2xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%r : tensor<1x4x1x2xf32>) outs(%z : tensor<f32>) dimensions = [0, 1, 2, 3]
  return %l : tensor<f32>
}

// -----

// Sums of beginnings: each depends on the sum before.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error@+1 {{expected no result to depend on what another one carries from point to point}}
  %s:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]}
      ins(%w : tensor<4xf32>) outs(%z, %e : tensor<f32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t, %t : f32, f32
  } -> (tensor<f32>, tensor<4xf32>)
  %l = linalg.reduce { arith.addf } ins(%s#1 : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// The same, and the last sum is used too.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error@+1 {{expected a sum, a maximum or a minimum over the loops that do not index the result}}
  %s:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]}
      ins(%w : tensor<4xf32>) outs(%z, %e : tensor<f32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t, %t : f32, f32
  } -> (tensor<f32>, tensor<4xf32>)
  %l = linalg.reduce { arith.addf } ins(%s#1 : tensor<4xf32>) outs(%s#0 : tensor<f32>) dimensions = [0]
  return %l : tensor<f32>
}

// -----

// expected-error@+1 {{expected a function without gradients, got the gradient of "w"}}
func.func @main(%w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}, tensor<f32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  return %w, %one : tensor<f32>, tensor<f32>
}

// -----

// A conditional in a body.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%w : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %is = arith.cmpf ogt, %a, %zero : f32
    // expected-error@+1 {{'scf.if' op has no derivative, but the gradient of parameter "w" passes through it}}
    %l = scf.if %is -> f32 {
      %b = math.log %a : f32
      scf.yield %b : f32
    } else {
      scf.yield %zero : f32
    }
    %t = arith.addf %o, %l : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// What a loop in a body reads from outside.
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<f32> {attnres.name = "loss"}) {
  %e = tensor.empty() : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %s = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%e : tensor<f32>) {
  ^bb0(%o: f32):
    // expected-error@+1 {{'scf.for' op has no derivative, but the gradient of parameter "w" passes through it}}
    %t = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> f32 {
      %a = tensor.extract %w[%i] : tensor<4xf32>
      %n = arith.addf %sum, %a : f32
      scf.yield %n : f32
    }
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}
