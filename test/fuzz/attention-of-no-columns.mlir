// Heads without columns stay what they were written as: there is no attention of them.
// RUN: attnres-fuzz %s
// PIPELINE: func.func(attnres-raise-attention)
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x0xf32>, %arg1: tensor<5x0xf32>, %arg2: tensor<5x6xf32>, %arg3: tensor<5x5xf32>, %arg4: tensor<5x6xf32> {attnres.name = "x", attnres.role = #attnres.role<input>}) -> tensor<5x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = linalg.fill ins(%cst : f32) outs(%arg3 : tensor<5x5xf32>) -> tensor<5x5xf32>
    %1 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<5x0xf32>, tensor<5x0xf32>) outs(%0 : tensor<5x5xf32>) -> tensor<5x5xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<5x5xf32>) outs(%arg3 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = linalg.index 0 : index
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %6 : index to i32
      %9 = arith.index_cast %7 : index to i32
      %10 = arith.trunci %8 : i32 to i4
      %11 = arith.trunci %9 : i32 to i4
      %12 = arith.cmpi sge, %10, %11 : i4
      %13 = arith.select %12, %in, %cst_0 : f32
      linalg.yield %13 : f32
    } -> tensor<5x5xf32>
    %3 = linalg.softmax dimension(1) ins(%2 : tensor<5x5xf32>) outs(%arg3 : tensor<5x5xf32>) -> tensor<5x5xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%arg4 : tensor<5x6xf32>) -> tensor<5x6xf32>
    %5 = linalg.matmul ins(%3, %arg2 : tensor<5x5xf32>, tensor<5x6xf32>) outs(%4 : tensor<5x6xf32>) -> tensor<5x6xf32>
    return %5 : tensor<5x6xf32>
  }
}
