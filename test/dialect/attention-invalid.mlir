// RUN: attnres-opt %s --split-input-file --verify-diagnostics

func.func @sa1_queries_of_rank_4(%Q3: tensor<5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{expected a tensor of rank at least 4}}
  attnres.attention %Q3, %K, %V : tensor<5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa1_keys_of_rank_4(%Q: tensor<2x5x4x8xf32>, %K3: tensor<7x2x8xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected k of rank 4, got 'tensor<7x2x8xf32>'}}
  attnres.attention %Q, %K3, %V : tensor<2x5x4x8xf32>, tensor<7x2x8xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa1_static_shapes(%Qd: tensor<2x?x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected q with a static shape, got 'tensor<2x?x4x8xf32>'}}
  attnres.attention %Qd, %K, %V : tensor<2x?x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa1_one_storage_type(%Q: tensor<2x5x4x8xf32>, %Kb: tensor<2x7x2x8xbf16>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected k of element type 'f32', got 'bf16'}}
  attnres.attention %Q, %Kb, %V : tensor<2x5x4x8xf32>, tensor<2x7x2x8xbf16>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa1_one_head_size(%Q: tensor<2x5x4x8xf32>, %Kd: tensor<2x7x2x9xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected k of shape [2, 7, 2, 8], got [2, 7, 2, 9]}}
  attnres.attention %Q, %Kd, %V : tensor<2x5x4x8xf32>, tensor<2x7x2x9xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa1_a_value_for_each_key(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V9: tensor<2x9x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected v of shape [2, 7, 2, 6], got [2, 9, 2, 6]}}
  attnres.attention %Q, %K, %V9 : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x9x2x6xf32>
  return
}

// -----

func.func @sa1_key_heads_divide_query_heads(%Q: tensor<2x5x4x8xf32>, %K3h: tensor<2x7x3x8xf32>, %V3h: tensor<2x7x3x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected the number of key heads to divide the number of query heads, got 3 and 4}}
  attnres.attention %Q, %K3h, %V3h : tensor<2x5x4x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x6xf32>
  return
}

// -----

func.func @sa1_heads_are_not_empty(%Q0: tensor<2x5x4x0xf32>, %K0: tensor<2x7x2x0xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected a head size of at least 1, got 0}}
  attnres.attention %Q0, %K0, %V : tensor<2x5x4x0xf32>, tensor<2x7x2x0xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @sa2_scale_is_finite(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>) {
  // expected-error @below {{'attnres.attention' op expected a finite scale}}
  attnres.attention %Q, %K, %V {scale = 0x7FF0000000000000 : f64} : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>
  return
}

// -----

func.func @g14_keys_of_the_backward_operation(%Q: tensor<2x5x4x8xf32>, %Kd: tensor<2x7x2x9xf32>, %V: tensor<2x7x2x6xf32>, %O: tensor<2x5x4x6xf32>, %l: tensor<2x5x4xf32>) {
  // expected-error @below {{'attnres.attention_backward' op expected k of shape [2, 7, 2, 8], got [2, 7, 2, 9]}}
  attnres.attention_backward %Q, %Kd, %V, %O, %l, %O : tensor<2x5x4x8xf32>, tensor<2x7x2x9xf32>, tensor<2x7x2x6xf32>, tensor<2x5x4x6xf32>, tensor<2x5x4xf32>, tensor<2x5x4x6xf32>
  return
}

// -----

func.func @g14_output(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>, %l: tensor<2x5x4xf32>, %O: tensor<2x5x4x6xf32>) {
  // expected-error @below {{'attnres.attention_backward' op expected output of type 'tensor<2x5x4x6xf32>', got 'tensor<2x5x4x8xf32>'}}
  attnres.attention_backward %Q, %K, %V, %Q, %l, %O : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4x6xf32>
  return
}

// -----

func.func @g14_output_gradient(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>, %O: tensor<2x5x4x6xf32>, %l: tensor<2x5x4xf32>) {
  // expected-error @below {{'attnres.attention_backward' op expected output gradient of type 'tensor<2x5x4x6xf32>', got 'tensor<2x5x4x8xf32>'}}
  attnres.attention_backward %Q, %K, %V, %O, %l, %Q : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>, tensor<2x5x4x6xf32>, tensor<2x5x4xf32>, tensor<2x5x4x8xf32>
  return
}

// -----

func.func @g14_lse(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>, %O: tensor<2x5x4x6xf32>, %ls: tensor<2x5x3xf32>) {
  // expected-error @below {{'attnres.attention_backward' op expected lse of type 'tensor<2x5x4xf32>', got 'tensor<2x5x3xf32>'}}
  attnres.attention_backward %Q, %K, %V, %O, %ls, %O : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>, tensor<2x5x4x6xf32>, tensor<2x5x3xf32>, tensor<2x5x4x6xf32>
  return
}

// -----

func.func @g14_lse_gradient(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %V: tensor<2x7x2x6xf32>, %O: tensor<2x5x4x6xf32>, %l: tensor<2x5x4xf32>, %ls: tensor<2x5x3xf32>) {
  // expected-error @below {{'attnres.attention_backward' op expected lse gradient of type 'tensor<2x5x4xf32>', got 'tensor<2x5x3xf32>'}}
  attnres.attention_backward %Q, %K, %V, %O, %l, %O lse_grad(%ls) : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x6xf32>, tensor<2x5x4x6xf32>, tensor<2x5x4xf32>, tensor<2x5x4x6xf32>, tensor<2x5x3xf32>
  return
}

// -----

func.func @ro1_rank_4(%v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected x of rank 4, got 'tensor<3x8xf32>'}}
  attnres.rope %v {theta = 1.0e4 : f64} : tensor<3x8xf32>
  return
}

// -----

func.func @ro1_even_head_size(%X7: tensor<2x5x4x7xf32>) {
  // expected-error @below {{'attnres.rope' op expected an even head size, got 7}}
  attnres.rope %X7 {theta = 1.0e4 : f64} : tensor<2x5x4x7xf32>
  return
}

// -----

func.func @ro1_theta_is_positive(%Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected a positive finite theta}}
  attnres.rope %Q {theta = 0.0 : f64} : tensor<2x5x4x8xf32>
  return
}

// -----

func.func @ro1_theta_is_finite(%Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected a positive finite theta}}
  attnres.rope %Q {theta = 0x7FF0000000000000 : f64} : tensor<2x5x4x8xf32>
  return
}

// -----

func.func @ro1_offset_is_exact(%Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected an offset of at most 2^53 in magnitude, got -9007199254740993}}
  attnres.rope %Q {theta = 1.0e4 : f64, offset = -9007199254740993 : i64} : tensor<2x5x4x8xf32>
  return
}

// -----

func.func @ro3_table_has_a_row_for_each_position(%Q: tensor<2x5x4x8xf32>, %T4: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected table of type 'tensor<5x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.rope %Q table(%T4) {theta = 1.0e4 : f64} : tensor<2x5x4x8xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @sa8_a_start_for_each_batch_row(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %s: tensor<3xi64>) {
  // expected-error @below {{'attnres.attention' op expected start of shape [2], got [3]}}
  attnres.attention %Q, %K, %K start(%s) {causal} : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @sa8_caches_are_read_causally(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x2x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.attention' op expected causal with start}}
  attnres.attention %Q, %K, %K start(%s) : tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @sa8_no_more_queries_than_positions(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x4x2x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.attention' op expected at most 4 tokens, one for each position, got 5}}
  attnres.attention %Q, %K, %K start(%s) {causal} : tensor<2x5x4x8xf32>, tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ca1_rank_of_a_cache(%C: tensor<2x7xf32>, %X: tensor<2x5xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected a cache of rank at least 3, got 'tensor<2x7xf32>'}}
  attnres.cache_write %C, %X at(%s) : tensor<2x7xf32>, tensor<2x5xf32>, tensor<2xi64>
  return
}

// -----

func.func @ca1_rank_of_what_is_written(%C: tensor<2x7x2x8xf32>, %X: tensor<2x5x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected x of rank 4 with at least one token, got 'tensor<2x5x8xf32>'}}
  attnres.cache_write %C, %X at(%s) : tensor<2x7x2x8xf32>, tensor<2x5x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ca1_something_is_written(%C: tensor<2x7x2x8xf32>, %X: tensor<2x0x2x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected x of rank 4 with at least one token, got 'tensor<2x0x2x8xf32>'}}
  attnres.cache_write %C, %X at(%s) : tensor<2x7x2x8xf32>, tensor<2x0x2x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ca1_type_of_what_is_written(%C: tensor<2x7x2x8xf32>, %X: tensor<2x5x2x8xbf16>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected x of type 'tensor<2x5x2x8xf32>', got 'tensor<2x5x2x8xbf16>'}}
  attnres.cache_write %C, %X at(%s) : tensor<2x7x2x8xf32>, tensor<2x5x2x8xbf16>, tensor<2xi64>
  return
}

// -----

func.func @ca1_no_more_tokens_than_positions(%C: tensor<2x4x2x8xf32>, %X: tensor<2x5x2x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected at most 4 tokens, one for each position, got 5}}
  attnres.cache_write %C, %X at(%s) : tensor<2x4x2x8xf32>, tensor<2x5x2x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ca1_a_start_for_each_batch_row(%C: tensor<2x7x2x8xf32>, %X: tensor<2x5x2x8xf32>, %s: tensor<i64>) {
  // expected-error @below {{'attnres.cache_write' op expected start of shape [2], got []}}
  attnres.cache_write %C, %X at(%s) : tensor<2x7x2x8xf32>, tensor<2x5x2x8xf32>, tensor<i64>
  return
}

// -----

func.func @ca1_a_length_for_each_batch_row(%C: tensor<2x7x2x8xf32>, %X: tensor<2x5x2x8xf32>, %s: tensor<2xi64>, %n: tensor<5xi64>) {
  // expected-error @below {{'attnres.cache_write' op expected length of shape [2], got [5]}}
  attnres.cache_write %C, %X at(%s) length(%n) : tensor<2x7x2x8xf32>, tensor<2x5x2x8xf32>, tensor<2xi64>, tensor<5xi64>
  return
}

// -----

func.func @se1_a_dimension_of_tokens(%x: tensor<2xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.select_token' op expected x of rank at least 2 with at least one token, got 'tensor<2xf32>'}}
  "attnres.select_token"(%x, %s) : (tensor<2xf32>, tensor<2xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @se1_at_least_one_token(%x: tensor<2x0x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.select_token' op expected x of rank at least 2 with at least one token, got 'tensor<2x0x8xf32>'}}
  attnres.select_token %x at(%s) : tensor<2x0x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @se1_a_place_for_each_batch_row(%x: tensor<2x5x8xf32>, %s: tensor<3xi64>) {
  // expected-error @below {{'attnres.select_token' op expected at of shape [2], got [3]}}
  attnres.select_token %x at(%s) : tensor<2x5x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @ro4_starts_need_positions(%Q: tensor<2x5x4x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.rope' op expected start and positions together, got only start}}
  attnres.rope %Q start(%s) {theta = 1.0e4 : f64} : tensor<2x5x4x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ro4_positions_need_starts(%Q: tensor<2x5x4x8xf32>) {
  // expected-error @below {{'attnres.rope' op expected start and positions together, got only positions}}
  attnres.rope %Q {theta = 1.0e4 : f64, positions = 9 : i64} : tensor<2x5x4x8xf32>
  return
}

// -----

func.func @ro4_no_more_tokens_than_positions(%Q: tensor<2x5x4x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.rope' op expected at most 4 tokens, one for each position, got 5}}
  attnres.rope %Q start(%s) {theta = 1.0e4 : f64, positions = 4 : i64} : tensor<2x5x4x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @ro3_table_with_starts_has_a_row_for_each_token(%Q: tensor<2x5x4x8xf32>, %T: tensor<5x8xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'attnres.rope' op expected table of type 'tensor<2x5x8xf32>', got 'tensor<5x8xf32>'}}
  attnres.rope %Q table(%T) start(%s) {theta = 1.0e4 : f64, positions = 9 : i64} : tensor<2x5x4x8xf32>, tensor<5x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @sa10_documents_are_causal(%Q: tensor<2x5x4x8xf32>, %d: tensor<2x5xi64>) {
  // expected-error @below {{'attnres.attention' op expected causal with documents}}
  attnres.attention %Q, %Q, %Q documents(%d) : tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5xi64>
  return
}

// -----

func.func @sa10_documents_see_no_other_keys(%Q: tensor<2x5x4x8xf32>, %K: tensor<2x7x4x8xf32>, %d: tensor<2x5xi64>) {
  // expected-error @below {{'attnres.attention' op expected as many keys as queries with documents, got 7 and 5}}
  attnres.attention %Q, %K, %K documents(%d) {causal} : tensor<2x5x4x8xf32>, tensor<2x7x4x8xf32>, tensor<2x7x4x8xf32>, tensor<2x5xi64>
  return
}

// -----

func.func @sa10_every_token_has_a_document(%Q: tensor<2x5x4x8xf32>, %d: tensor<2x4xi64>) {
  // expected-error @below {{'attnres.attention' op expected documents of shape [2, 5], got [2, 4]}}
  attnres.attention %Q, %Q, %Q documents(%d) {causal} : tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x4xi64>
  return
}

// -----

func.func @sa10_start_or_documents(%Q: tensor<2x5x4x8xf32>, %s: tensor<2xi64>, %d: tensor<2x5xi64>) {
  // expected-error @below {{'attnres.attention' op expected start or documents, got both}}
  attnres.attention %Q, %Q, %Q start(%s) documents(%d) {causal} : tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<2xi64>, tensor<2x5xi64>
  return
}

// -----

func.func @ro5_every_token_has_a_document(%Q: tensor<2x5x4x8xf32>, %d: tensor<5xi64>) {
  // expected-error @below {{'attnres.rope' op expected documents of shape [2, 5], got [5]}}
  attnres.rope %Q documents(%d) {theta = 1.0e4 : f64} : tensor<2x5x4x8xf32>, tensor<5xi64>
  return
}

// -----

func.func @ro5_start_or_documents(%Q: tensor<2x5x4x8xf32>, %s: tensor<2xi64>, %d: tensor<2x5xi64>) {
  // expected-error @below {{'attnres.rope' op expected start or documents, got both}}
  attnres.rope %Q start(%s) documents(%d) {theta = 1.0e4 : f64, positions = 9 : i64} : tensor<2x5x4x8xf32>, tensor<2xi64>, tensor<2x5xi64>
  return
}
