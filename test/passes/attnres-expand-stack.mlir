// Recording the weights of stacks that are not simply in a function.
// RUN: attnres-opt %s --attnres-expand-stack=record-weights=true --split-input-file --verify-diagnostics | FileCheck %s
// Numbers: unit/dialect/MeaningTest.cpp

// A stack in a sublayer has its weights among the results too.
// CHECK-LABEL: @nested
// CHECK-SAME: -> (tensor<2x8xf32>, tensor<1x2xf32> {attnres.name = "depth_weights.0"}, tensor<1x2xf32> {attnres.name = "depth_weights.1"})
func.func @nested(%x: tensor<2x8xf32>, %q: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK-NOT: attnres.stack
  %y = attnres.stack %x full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<2x8xf32> {
  ^bb0(%h: tensor<2x8xf32>):
    %z = attnres.stack %h full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<2x8xf32> {
    ^bb0(%i: tensor<2x8xf32>):
      %v = attnres.gelu %i : tensor<2x8xf32>
      attnres.yield %v : tensor<2x8xf32>
    }
    attnres.yield %z : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

func.func @conditional(%c: i1, %x: tensor<2x8xf32>, %q: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = scf.if %c -> tensor<2x8xf32> {
    // expected-error @below {{'attnres.stack' op expected to be in a function of one block, and in nothing else, to record its weights}}
    %s = attnres.stack %x full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<2x8xf32> {
    ^bb0(%h: tensor<2x8xf32>):
      attnres.yield %h : tensor<2x8xf32>
    }
    scf.yield %s : tensor<2x8xf32>
  } else {
    scf.yield %x : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

// expected-error @below {{expected no caller of "called": its arguments or results change}}
func.func @called(%x: tensor<2x8xf32>, %q: tensor<8xf32>) -> tensor<2x8xf32> {
  %s = attnres.stack %x full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<2x8xf32> {
  ^bb0(%h: tensor<2x8xf32>):
    attnres.yield %h : tensor<2x8xf32>
  }
  return %s : tensor<2x8xf32>
}
func.func @caller(%x: tensor<2x8xf32>, %q: tensor<8xf32>) -> tensor<2x8xf32> {
  // expected-note @below {{called here}}
  %y = call @called(%x, %q) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
