// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @st11_input_has_a_last_dimension(%z: tensor<f32>) {
  // expected-error @below {{'attnres.stack' op expected an input of rank at least 1, got 'tensor<f32>'}}
  attnres.stack %z off  : tensor<f32> {
  ^bb0(%h: tensor<f32>):
    attnres.yield %h : tensor<f32>
  }
  return
}

// -----

func.func @st11_one_argument_of_a_sublayer(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to take one argument of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>, %i: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st11_type_of_the_argument_of_a_sublayer(%x: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to take one argument of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32>{
  ^bb0(%h: tensor<4x8xf32>):
    attnres.yield %x : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st11_type_of_the_output_of_a_sublayer(%x: tensor<3x8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to yield a value of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32>{
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %u : tensor<4x8xf32>
  }
  return
}

// -----

func.func @st8_a_query_for_each_sublayer(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_eps_is_given(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @g6_eps(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_no_queries_in_mode_off(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_no_queries_in_mode_static(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_queries_and_gains_come_in_pairs(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_width_of_a_query(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
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

func.func @st8_width_of_a_gain(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %q7: tensor<7xf32>) {
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

func.func @st4_block_size_is_given(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st4_block_size_is_positive(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st4_block_size_without_blocks(%x: tensor<3x8xf32>, %q: tensor<8xf32>) {
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

func.func @st8_no_weights_in_mode_off(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
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

func.func @st6_an_even_number_of_sublayers(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected an even number of sublayers in mode static, got 1}}
  attnres.stack %x static weights(%a1 : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st8_weights_for_each_decoder_block(%x: tensor<3x8xf32>, %a1: tensor<1xf32>) {
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

func.func @st6_a_weight_for_each_source(%x: tensor<3x8xf32>, %a2: tensor<2xf32>) {
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

func.func @mode(%x: tensor<3x8xf32>) {
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

func.func @st11_yield_elsewhere(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.yield' op expects parent op 'attnres.stack'}}
  attnres.yield %x : tensor<3x8xf32>
  return
}

// -----

func.func @st10_other_results(%x: tensor<3x8xf32>, %c: tensor<2x4x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected other results of types ('tensor<2x4x8xf32>'), as the sublayers yield, got ()}}
  attnres.stack %x off : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h, %c : tensor<3x8xf32>, tensor<2x4x8xf32>
  }
  return
}

// -----

func.func @st14_variants_belong_to_mixtures(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected no heads, window, raw_keys or sigmoid in mode off}}
  attnres.stack %x off {window = 2 : i64} : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_heads_are_equal_parts(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected heads to be equal parts of 8 elements, got 3}}
  attnres.stack %x full eps(1.0e-8) queries(%w : tensor<8xf32>) gains(%w : tensor<8xf32>) {heads = 3 : i64} : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_window_has_a_source(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @below {{'attnres.stack' op expected a window of at least 1 source, got 0}}
  attnres.stack %x full eps(1.0e-8) queries(%w : tensor<8xf32>) gains(%w : tensor<8xf32>) {window = 0 : i64} : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_one_logit_for_each_source(%x: tensor<3x8xf32>, %w: tensor<2xf32>) {
  // expected-error @below {{'attnres.stack' op expected weights of type 'tensor<1xf32>', got 'tensor<2xf32>'}}
  attnres.stack %x full eps(1.0e-8) weights(%w : tensor<2xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_logits_have_no_keys(%x: tensor<3x8xf32>, %w: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected no heads, raw_keys or sigmoid where weights mix}}
  attnres.stack %x full eps(1.0e-8) weights(%w : tensor<1xf32>) {raw_keys} : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_queries_or_logits(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %w: tensor<1xf32>) {
  // expected-error @below {{'attnres.stack' op expected queries or weights, got both}}
  attnres.stack %x full eps(1.0e-8) queries(%q : tensor<8xf32>) gains(%q : tensor<8xf32>) weights(%w : tensor<1xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st14_queries_of_one_kind(%x: tensor<3x8xf32>, %q: tensor<8xf32>, %w: tensor<8x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected query of type 'tensor<8x8xf32>', got 'tensor<8xf32>'}}
  attnres.stack %x full eps(1.0e-8) queries(%w, %q : tensor<8x8xf32>, tensor<8xf32>) gains(%q, %q : tensor<8xf32>, tensor<8xf32>) : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    attnres.yield %h : tensor<3x8xf32>
  }
  return
}

// -----

func.func @st11_sublayer_that_yields_nothing(%x: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.stack' op expected sublayer 0 to yield a value of type 'tensor<3x8xf32>'}}
  attnres.stack %x off  : tensor<3x8xf32> {
  ^bb0(%h: tensor<3x8xf32>):
    "attnres.yield"() : () -> ()
  }
  return
}
