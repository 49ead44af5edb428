// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// Rank of the input.
func.func @test(%z: tensor<f32>) {
  // expected-error @below {{'attnres.stack' op expected an input of rank at least 1, got 'tensor<f32>'}}
  attnres.stack %z off  : tensor<f32> {
  ^bb0(%h: tensor<f32>):
    attnres.yield %h : tensor<f32>
  }
  return
}

// -----

// Argument of a sublayer.
func.func @test(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to take one argument of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>, %i: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Type of the argument of a sublayer.
func.func @test(%x: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to take one argument of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32>{
  ^bb0(%h: tensor<4x8xf32>):
    attnres.yield %x : tensor<3x8xf32>
  }
  return
}

// -----

// Output of a sublayer.
func.func @test(%x: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to yield a value of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32>{
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %u : tensor<4x8xf32>
  }
  return
}

// -----

// Number of queries.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected 2 queries, or one more for a final mixture, got 1}}
  attnres.stack %x full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// No eps.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected eps in mode full}}
  attnres.stack %x full queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Negative eps.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected eps to be finite and not negative, got -1.000000e+00}}
  attnres.stack %x full eps(-1.0) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Queries without attention.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected no queries in mode off, got 2}}
  attnres.stack %x off queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Queries in mode static.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected no queries in mode static, got 2}}
  attnres.stack %x static queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Gains for each query.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected as many gains as queries, got 1 gains and 2 queries}}
  attnres.stack %x full eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q : tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Width of a query.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
  // expected-error @below {{'attnres.stack' op expected query of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.stack %x full eps(1.0e-8) queries(%q7, %q7 : tensor<7xf32>, tensor<7xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Width of a gain.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
  // expected-error @below {{'attnres.stack' op expected gain of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  attnres.stack %x full eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q7, %q7 : tensor<7xf32>, tensor<7xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// No block size.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayers_per_block in mode block}}
  attnres.stack %x block eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Block size.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected at least 1 sublayer in a block, got 0}}
  attnres.stack %x block sublayers_per_block(0) eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Block size without blocks.
func.func @test(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected no sublayers_per_block in mode full}}
  attnres.stack %x full sublayers_per_block(2) eps(1.0e-8) queries(%q, %q : tensor<8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Weights without static mixtures.
func.func @test(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected no weights in mode off, got 1}}
  attnres.stack %x off weights(%a1 : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// An odd number of sublayers.
func.func @test(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected an even number of sublayers in mode static, got 1}}
  attnres.stack %x static weights(%a1 : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Weights for each decoder block.
func.func @test(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected weights for 2 decoder blocks, got 1}}
  attnres.stack %x static weights(%a1 : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Number of weights.
func.func @test(%x: tensor<3x8xf32>, %a2: tensor<2xf32>) {
  // expected-error @below {{'attnres.stack' op expected weights of type 'tensor<1xf32>', got 'tensor<2xf32>'}}
  attnres.stack %x static weights(%a2 : tensor<2xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// Mode.
func.func @test(%x: tensor<3x8xf32>) {
  // expected-error @below {{custom op 'attnres.stack' expected string or keyword containing one of the following enum values for attribute 'mode' [off, full, block, static]}}
  attnres.stack %x sideways  : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }, {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

// A yield elsewhere.
func.func @test(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.yield' op expects parent op 'attnres.stack'}}
  attnres.yield %x : tensor<3x8xf32>
  return
}

// -----

// What sublayers yield besides their outputs.
func.func @test(%x: tensor<3x8xf32>, %c: tensor<2x4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected other results of types ('tensor<2x4x8xf32>'), as the sublayers yield, got ()}}
  attnres.stack %x off : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h, %c : tensor<3x8xf32>, tensor<2x4x8xf32>
  }
  return
}
