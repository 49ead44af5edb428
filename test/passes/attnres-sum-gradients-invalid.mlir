// RUN: attnres-opt %s --attnres-sum-gradients --split-input-file --verify-diagnostics

// expected-error @below {{expected a result named grad.NAME}}
func.func @main(%x: tensor<f32>) -> (tensor<f32> {attnres.name = "loss"}) {
  return %x : tensor<f32>
}

// -----

// expected-error @below {{expected a function of one block named main}}
module {
  func.func private @main(tensor<f32>) -> tensor<f32>
}
