// What cannot be compiled is one error at its place.
// RUN: attnres-opt --split-input-file --verify-diagnostics --attnres-to-cpu=isa=avx2 %s

// MM-1: what arguments and results may be.
// expected-error @below {{expected tensors alone in a program, got 'f32'}}
func.func @main(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @below {{expected tensors of static shape, got 'tensor<?x8xf32>'}}
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected tensors without encoding, got 'tensor<8xf32, "rows">'}}
func.func @main(%x: tensor<8xf32, "rows">) -> tensor<8xf32, "rows"> {
  return %x : tensor<8xf32, "rows">
}

// -----

// expected-error @below {{expected tensors alone in a program, got 'memref<8xf32>'}}
func.func @main(%x: memref<8xf32>) {
  return
}

// -----

// expected-error @below {{expected elements of i1, i8, i16, i32, i64, index, bf16, f16, f32 or f64, got 'tensor<8xi4>'}}
func.func @main(%x: tensor<8xi4>) -> tensor<8xi4> {
  return %x : tensor<8xi4>
}

// -----

// expected-error @below {{expected tensors of at most 140737488355328 bytes, got 'tensor<1099511627776x1024xf32>'}}
func.func @main(%x: tensor<1099511627776x1024xf32>) -> tensor<1099511627776x1024xf32> {
  return %x : tensor<1099511627776x1024xf32>
}

// -----

// expected-error @below {{expected a function named main}}
module {
  func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// expected-error @below {{expected a function of one block, got 2}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^next
^next:
  return %x : tensor<8xf32>
}

// -----

// MM-2.
func.func @main(%x: tensor<8xf32>, %n: tensor<i1>) -> tensor<8xf32> {
  // expected-error @below {{'scf.while' op is no operation of the stage naive}}
  %y = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %c = tensor.extract %n[] : tensor<i1>
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %b = math.exp %a : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// MM-5.
func.func @main(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{'math.exp' op has no code for f64, expected f32}}
  %y = math.exp %x : tensor<8xf64>
  return %y : tensor<8xf64>
}

// -----

// MM-2.
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'arith.remf' op has no code for processors}}
  %y = arith.remf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// MM-1: also of what is computed.
func.func @main(%x: tensor<8xf32>, %i: tensor<3xi64>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xi4>
  // expected-error @below {{expected elements of i1, i8, i16, i32, i64, index, bf16, f16, f32 or f64, got 'tensor<8xi4>'}}
  %n = arith.fptosi %x : tensor<8xf32> to tensor<8xi4>
  %y = arith.sitofp %n : tensor<8xi4> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// MM-1: names.
// expected-note @below {{argument 0 has this name}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w"},
                // expected-error @below {{expected arguments of different names, got "w" for argument 1 too}}
                %v: tensor<8xf32> {attnres.name = "w"}) -> tensor<8xf32> {
  %y = arith.addf %w, %v : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// expected-error @below {{expected results of different names, got "y" for results 0 and 1}}
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {attnres.name = "y"}, tensor<8xf32> {attnres.name = "y"}) {
  return %w, %w : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error @below {{expected argument 0 to have a role of arguments as attnres.role, such as #attnres.role<parameter>, got "weight"}}
func.func @main(%w: tensor<8xf32> {attnres.role = "weight"}) -> tensor<8xf32> {
  return %w : tensor<8xf32>
}

// -----

// expected-error @below {{expected argument 0 to have a role of arguments as attnres.role, such as #attnres.role<parameter>, got #attnres.role<output>}}
func.func @main(%w: tensor<8xf32> {attnres.role = #attnres.role<output>}) -> tensor<8xf32> {
  return %w : tensor<8xf32>
}

// -----

// expected-error @below {{expected result 0 to have a role of results as attnres.role, such as #attnres.role<output>, got #attnres.role<state>}}
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {attnres.role = #attnres.role<state>}) {
  return %w : tensor<8xf32>
}

// -----

// expected-error @below {{expected result 0 to belong to a parameter of the function, got #attnres.role<gradient of "v">}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.role = #attnres.role<gradient of "v">}) {
  return %w : tensor<8xf32>
}

// -----

// expected-error @below {{expected result 1 to have another role than those before, got #attnres.role<gradient of "w">}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.role = #attnres.role<gradient of "w">}, tensor<8xf32> {attnres.role = #attnres.role<gradient of "w">}) {
  return %w, %w : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error @below {{expected result 0 to have no attnres.role besides that of the argument that it updates, got #attnres.role<output>}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<8xf32> {attnres.updates = 0 : i64, attnres.role = #attnres.role<output>}) {
  return %w : tensor<8xf32>
}

// -----

#map = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
func.func @main(%x: tensor<5xf32>, %y: tensor<f32>) -> (tensor<f32>, tensor<5xf32>) {
  // expected-error @below {{expected results indexed by parallel dimensions, got one by reduction d0}}
  %0:2 = linalg.generic {indexing_maps = [#map, #one, #map], iterator_types = ["reduction"]} ins(%x : tensor<5xf32>) outs(%y, %x : tensor<f32>, tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<f32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<5xf32>
}
