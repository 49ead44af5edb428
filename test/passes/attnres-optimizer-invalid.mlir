// RUN: attnres-opt %s --attnres-optimizer --split-input-file --verify-diagnostics
// RUN: not attnres-opt %s --attnres-optimizer=beta1=1.5 --split-input-file 2>&1 | FileCheck %s --check-prefix=BETA1
// RUN: not attnres-opt %s --attnres-optimizer=beta2=-0.5 --split-input-file 2>&1 | FileCheck %s --check-prefix=BETA2
// RUN: not attnres-opt %s --attnres-optimizer=eps=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=EPS
// RUN: not attnres-opt %s --attnres-optimizer=eps=1e-40 --split-input-file 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not attnres-opt %s --attnres-optimizer=beta2=0.999999999999 --split-input-file 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not attnres-opt %s --attnres-optimizer=weight-decay=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not attnres-opt %s --attnres-optimizer=clip-norm=nan --split-input-file 2>&1 | FileCheck %s --check-prefix=CLIP

// BETA1: expected beta1 in [0, 1), got 1.5
// BETA2: expected beta2 in [0, 1), got -5.000000e-01
// EPS: expected eps from 1.18e-38 to 3.4e+38, got 0
// SMALL: expected eps from 1.18e-38 to 3.4e+38, got 1.000000e-40
// ONE: expected beta2 in [0, 1), got
// DECAY: expected a finite weight-decay of at least 0, got -1
// CLIP: expected a finite clip-norm of at least 0, got nan

// expected-error @+1 {{expected a result with attnres.role = #attnres.role<gradient of "w"> for parameter 0}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> tensor<8xf32> {
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected an argument with attnres.role = #attnres.role<parameter>}}
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected parameter w and its gradient to be f32 tensors of one type, got 'tensor<8xbf16>' and 'tensor<8xbf16>'}}
func.func @main(%w: tensor<8xbf16> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<8xbf16> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xbf16>
}

// -----

// expected-error @+1 {{expected no argument named learning_rate: the function is a training step already}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %lr: tensor<f32> {attnres.name = "learning_rate"}) -> (tensor<8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected a function of one block, got 2}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  cf.br ^exit
^exit:
  return %w : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected a function named main}}
module {
  func.func @step() {
    return
  }
}

// -----

// expected-error @below {{expected parameter w and its gradient to be f32 tensors of one type, got 'f32' and 'f32'}}
func.func @main(%w: f32 {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (f32 {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : f32
}

// -----

// expected-error @below {{expected no caller of "main": its arguments or results change}}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xf32>
}
func.func @caller(%w: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{called here}}
  %y = call @main(%w) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// expected-error @below {{expected parameter 0 to have attnres.name}}
func.func @main(%w: tensor<8xf32> {attnres.role = #attnres.role<parameter>}) -> (tensor<8xf32> {attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xf32>
}
