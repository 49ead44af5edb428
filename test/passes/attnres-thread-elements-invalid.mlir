// RUN: attnres-opt %s --attnres-thread-elements -verify-diagnostics

attnres.kernel @remainder(%x: tensor<9xf32>) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    // expected-error @below {{'arith.remf' op has no code for processors}}
    %z = arith.remf %in, %in : f32
    linalg.yield %z : f32
  } -> tensor<9xf32>
  attnres.return %y : tensor<9xf32>
}
