// An i1 that was never set is no boolean: widening it must not overflow, which
// a build with sanitizers sees.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-flatten
func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {
  %never = tensor.empty() : tensor<1xi1>
  %y = linalg.generic
      {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
       iterator_types = ["parallel"]}
      ins(%never : tensor<1xi1>) outs(%x : tensor<1xi32>) {
  ^bb0(%in: i1, %out: i32):
    %wide = arith.extsi %in : i1 to i32
    linalg.yield %wide : i32
  } -> tensor<1xi32>
  return %y : tensor<1xi32>
}
