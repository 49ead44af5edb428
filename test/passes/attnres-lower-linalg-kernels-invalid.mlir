// RUN: attnres-opt %s --attnres-lower-linalg-kernels --verify-diagnostics

func.func private @kernel(%x: tensor<8xf64>) -> tensor<8xf64> attributes {attnres.kernel} {
  %e = tensor.empty() : tensor<8xf64>
  // The operation in the body has no place of its own.
  // expected-error @below {{'math.exp' op has no code for f64, expected f32}}
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>) {
  ^bb0(%in: f64, %out: f64):
    %z = math.exp %in : f64 loc(unknown)
    linalg.yield %z : f64
  } -> tensor<8xf64>
  return %y : tensor<8xf64>
}
