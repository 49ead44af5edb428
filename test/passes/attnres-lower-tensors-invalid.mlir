// RUN: attnres-opt --split-input-file --verify-diagnostics --attnres-lower-tensors --allow-unregistered-dialect %s

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = arith.constant dense<[[1], [2]]> : tensor<2x1xindex>
  %s = arith.constant dense<1.0> : tensor<2x1xf32>
  // expected-error @below {{'tensor.scatter' op has no kernel}}
  %y = tensor.scatter %s into %x[%i] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<8xf32>, tensor<2x1xindex>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected tensors of static shape, got 'tensor<?xf32>'}}
  %d = tensor.empty(%c0) : tensor<?xf32>
  return %x : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{reads this one}}
  %a = "test.scalar"() : () -> f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected scalars computed from tensors and constants}}
  %f = linalg.fill ins(%a : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}
