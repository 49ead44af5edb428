// RUN: attnres-opt %s --attnres-sum-gradients --split-input-file --verify-diagnostics

// expected-error @below {{expected a result that is a gradient by its role}}
func.func @main(%x: tensor<f32>) -> (tensor<f32> {attnres.name = "loss"}) {
  return %x : tensor<f32>
}

// -----

// expected-error @below {{expected a function of one block named main}}
module {
  func.func private @main(tensor<f32>) -> tensor<f32>
}

// -----

// expected-error @below {{expected no caller of "main": its arguments or results change}}
func.func @main(%x: tensor<f32>) -> (tensor<f32> {attnres.name = "grad.x", attnres.role = #attnres.role<gradient of "x">}) {
  return %x : tensor<f32>
}
func.func @caller(%x: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{called here}}
  %y = call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// expected-error @below {{expected the gradient of "x" to be a tensor of floats, got 'tensor<i64>'}}
func.func @main(%x: tensor<i64>) -> (tensor<i64> {attnres.name = "grad.x", attnres.role = #attnres.role<gradient of "x">}) {
  return %x : tensor<i64>
}
