// A small language model as JAX exports it through StableHLO: embedding with
// indices from the end, RMS norms, attention with a constant mask, a gated feed
// forward, and the mean of the log probabilities of the targets.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map9 = affine_map<() -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1) -> (d1, d0)>
#map13 = affine_map<(d0, d1, d2) -> ()>
module @jit_loss {
  func.func public @main(%arg0: tensor<256x32xf32> {attnres.name = "embedding.weight", attnres.role = #attnres.role<parameter>}, %arg1: tensor<32x32xf32> {attnres.name = "wq", attnres.role = #attnres.role<parameter>}, %arg2: tensor<32x32xf32> {attnres.name = "wk", attnres.role = #attnres.role<parameter>}, %arg3: tensor<32x32xf32> {attnres.name = "wv", attnres.role = #attnres.role<parameter>}, %arg4: tensor<32x32xf32> {attnres.name = "wo", attnres.role = #attnres.role<parameter>}, %arg5: tensor<32x64xf32> {attnres.name = "w1", attnres.role = #attnres.role<parameter>}, %arg6: tensor<64x32xf32> {attnres.name = "w2", attnres.role = #attnres.role<parameter>}, %arg7: tensor<32xf32> {attnres.name = "norm.weight", attnres.role = #attnres.role<parameter>}, %arg8: tensor<2x8xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>}, %arg9: tensor<2x8xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>}) -> (tensor<f32> {attnres.name = "loss"}) {
    %cst = arith.constant 1.600000e+01 : f32
    %cst_0 = arith.constant 0x7FC00000 : f32
    %c255 = arith.constant 255 : index
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %c255_i32 = arith.constant 255 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant 0.353553385 : f32
    %cst_4 = arith.constant 9.99999997E-7 : f32
    %cst_5 = arith.constant 3.200000e+01 : f32
    %cst_6 = arith.constant 0.000000e+00 : f32
    %c256_i64 = arith.constant 256 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst_7 = arith.constant dense<[[true, false, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, true, false, false, false, false, false], [true, true, true, true, false, false, false, false], [true, true, true, true, true, false, false, false], [true, true, true, true, true, true, false, false], [true, true, true, true, true, true, true, false], [true, true, true, true, true, true, true, true]]> : tensor<8x8xi1>
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<2x8xi64>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %108 = arith.cmpi slt, %in, %c0_i64 : i64
      linalg.yield %108 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<2x8xi64>) outs(%2 : tensor<2x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %108 = arith.addi %in, %c256_i64 : i64
      linalg.yield %108 : i64
    } -> tensor<2x8xi64>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg8 : tensor<2x8xi1>, tensor<2x8xi64>, tensor<2x8xi64>) outs(%2 : tensor<2x8xi64>) {
    ^bb0(%in: i1, %in_30: i64, %in_31: i64, %out: i64):
      %108 = arith.select %in, %in_30, %in_31 : i64
      linalg.yield %108 : i64
    } -> tensor<2x8xi64>
    %5 = tensor.empty() : tensor<2x8xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<2x8xi64>) outs(%5 : tensor<2x8xi32>) {
    ^bb0(%in: i64, %out: i32):
      %108 = arith.trunci %in : i64 to i32
      linalg.yield %108 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %6 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %7 = tensor.empty() : tensor<2x8x1x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%7 : tensor<2x8x1x32xf32>) {
    ^bb0(%in: i32, %out: f32):
      %108 = arith.index_cast %in : i32 to index
      %109 = linalg.index 3 : index
      %extracted = tensor.extract %arg0[%108, %109] : tensor<256x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x1x32xf32>
    %collapsed = tensor.collapse_shape %8 [[0], [1], [2, 3]] : tensor<2x8x1x32xf32> into tensor<2x8x32xf32>
    %9 = tensor.empty() : tensor<2x8x32xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.mulf %in, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %11 = tensor.empty() : tensor<2x8xf32>
    %12 = linalg.fill ins(%cst_6 : f32) outs(%11 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8xf32>
    %expanded_8 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %14 = tensor.empty() : tensor<2x8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.divf %in, %cst_5 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %in, %cst_4 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.rsqrt %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x1xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %18 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.mulf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %20 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.mulf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_9 = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %22 = tensor.empty() : tensor<16x32xf32>
    %23 = linalg.fill ins(%cst_6 : f32) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %24 = linalg.matmul ins(%collapsed_9, %arg1 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_10 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %25 = tensor.empty() : tensor<2x4x8x8xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x8x4x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %27 = linalg.matmul ins(%collapsed_9, %arg2 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_11 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<2x8x4x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %29 = linalg.matmul ins(%collapsed_9, %arg3 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_12 = tensor.expand_shape %29 [[0, 1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<16x32xf32> into tensor<2x8x4x8xf32>
    %30 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<2x8x4x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_13 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_14 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %32 = tensor.empty() : tensor<8x8x8xf32>
    %33 = linalg.fill ins(%cst_6 : f32) outs(%32 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_15 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.mulf %in, %cst_3 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x8xf32>
    %36 = tensor.empty() : tensor<f32>
    %37 = linalg.generic {indexing_maps = [#map9], iterator_types = []} outs(%36 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_2 : f32
    } -> tensor<f32>
    %38 = tensor.empty() : tensor<2x4x8x8xi1>
    %39 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<8x8xi1>) outs(%38 : tensor<2x4x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x8x8xi1>
    %40 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<f32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %41 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %35, %40 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_30: f32, %in_31: f32, %out: f32):
      %108 = arith.select %in, %in_30, %in_31 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x8xf32>
    %42 = tensor.empty() : tensor<2x4x8xf32>
    %43 = linalg.fill ins(%cst_2 : f32) outs(%42 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<2x4x8x8xf32>) outs(%43 : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.maximumf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x4x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %46 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %45 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.subf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x8xf32>
    %47 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.exp %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x8xf32>
    %48 = linalg.fill ins(%cst_6 : f32) outs(%42 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %49 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<2x4x8x8xf32>) outs(%48 : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x4x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%25 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.divf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_16 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_17 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %52 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%33 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_18 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %53 = tensor.empty() : tensor<2x8x4x8xf32>
    %54 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x4x8x8xf32>) outs(%53 : tensor<2x8x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4x8xf32>
    %collapsed_19 = tensor.collapse_shape %54 [[0, 1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<16x32xf32>
    %55 = linalg.matmul ins(%collapsed_19, %arg4 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_20 = tensor.expand_shape %55 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %expanded_20 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.addf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.mulf %in, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<2x8x32xf32>) outs(%12 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8xf32>
    %expanded_21 = tensor.expand_shape %58 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.divf %in, %cst_5 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %in, %cst_4 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.rsqrt %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %62 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x8x1xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %62 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.mulf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_22 = tensor.collapse_shape %63 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %64 = tensor.empty() : tensor<16x64xf32>
    %65 = linalg.fill ins(%cst_6 : f32) outs(%64 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %66 = linalg.matmul ins(%collapsed_22, %arg5 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%65 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_23 = tensor.expand_shape %66 [[0, 1], [2]] output_shape [2, 8, 64] : tensor<16x64xf32> into tensor<2x8x64xf32>
    %67 = tensor.empty() : tensor<2x8x64xf32>
    %68 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x8x64xf32>) outs(%67 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.negf %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x64xf32>
    %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x8x64xf32>) outs(%67 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.exp %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x64xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x64xf32>) outs(%67 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %in, %cst_1 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x64xf32>
    %71 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x8x64xf32>) outs(%67 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.divf %cst_1, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x64xf32>
    %72 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_23, %71 : tensor<2x8x64xf32>, tensor<2x8x64xf32>) outs(%67 : tensor<2x8x64xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.mulf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x64xf32>
    %collapsed_24 = tensor.collapse_shape %72 [[0, 1], [2]] : tensor<2x8x64xf32> into tensor<16x64xf32>
    %73 = linalg.matmul ins(%collapsed_24, %arg6 : tensor<16x64xf32>, tensor<64x32xf32>) outs(%23 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_25 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %expanded_25 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%9 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.addf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x32xf32>
    %75 = tensor.empty() : tensor<32x256xf32>
    %76 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<256x32xf32>) outs(%75 : tensor<32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x256xf32>
    %collapsed_26 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %77 = tensor.empty() : tensor<16x256xf32>
    %78 = linalg.fill ins(%cst_6 : f32) outs(%77 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %79 = linalg.matmul ins(%collapsed_26, %76 : tensor<16x32xf32>, tensor<32x256xf32>) outs(%78 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %expanded_27 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [2, 8, 256] : tensor<16x256xf32> into tensor<2x8x256xf32>
    %80 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_27 : tensor<2x8x256xf32>) outs(%80 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.maximumf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8xf32>
    %82 = tensor.empty() : tensor<2x8x256xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x8xf32>) outs(%82 : tensor<2x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x256xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27, %83 : tensor<2x8x256xf32>, tensor<2x8x256xf32>) outs(%82 : tensor<2x8x256xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.subf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x256xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x8x256xf32>) outs(%82 : tensor<2x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.exp %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x256xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<2x8x256xf32>) outs(%12 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<2x8xf32>) outs(%11 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = math.log %in : f32
      linalg.yield %108 : f32
    } -> tensor<2x8xf32>
    %88 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x8xf32>) outs(%82 : tensor<2x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x256xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %88 : tensor<2x8x256xf32>, tensor<2x8x256xf32>) outs(%82 : tensor<2x8x256xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %108 = arith.subf %in, %in_30 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x256xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<2x8xi64>) outs(%5 : tensor<2x8xi32>) {
    ^bb0(%in: i64, %out: i32):
      %108 = arith.trunci %in : i64 to i32
      linalg.yield %108 : i32
    } -> tensor<2x8xi32>
    %expanded_28 = tensor.expand_shape %90 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %91 = tensor.empty() : tensor<2x8x1xi1>
    %92 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<2x8x1xi32>) outs(%91 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %108 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %108 : i1
    } -> tensor<2x8x1xi1>
    %93 = tensor.empty() : tensor<2x8x1xi32>
    %94 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<2x8x1xi32>) outs(%93 : tensor<2x8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      %108 = arith.addi %in, %c256_i32 : i32
      linalg.yield %108 : i32
    } -> tensor<2x8x1xi32>
    %95 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %94, %expanded_28 : tensor<2x8x1xi1>, tensor<2x8x1xi32>, tensor<2x8x1xi32>) outs(%93 : tensor<2x8x1xi32>) {
    ^bb0(%in: i1, %in_30: i32, %in_31: i32, %out: i32):
      %108 = arith.select %in, %in_30, %in_31 : i32
      linalg.yield %108 : i32
    } -> tensor<2x8x1xi32>
    %expanded_29 = tensor.expand_shape %95 [[0], [1], [2, 3]] output_shape [2, 8, 1, 1] : tensor<2x8x1xi32> into tensor<2x8x1x1xi32>
    %96 = tensor.empty() : tensor<2x8x1x1xi1>
    %97 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x8x1x1xi32>) outs(%96 : tensor<2x8x1x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %108 = arith.cmpi sge, %in, %c0_i32 : i32
      linalg.yield %108 : i1
    } -> tensor<2x8x1x1xi1>
    %98 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x8x1x1xi32>) outs(%96 : tensor<2x8x1x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %108 = arith.cmpi sle, %in, %c255_i32 : i32
      linalg.yield %108 : i1
    } -> tensor<2x8x1x1xi1>
    %99 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %98 : tensor<2x8x1x1xi1>, tensor<2x8x1x1xi1>) outs(%96 : tensor<2x8x1x1xi1>) {
    ^bb0(%in: i1, %in_30: i1, %out: i1):
      %108 = arith.andi %in, %in_30 : i1
      linalg.yield %108 : i1
    } -> tensor<2x8x1x1xi1>
    %100 = linalg.fill ins(%true : i1) outs(%91 : tensor<2x8x1xi1>) -> tensor<2x8x1xi1>
    %101 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%99 : tensor<2x8x1x1xi1>) outs(%100 : tensor<2x8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %108 = arith.andi %out, %in : i1
      linalg.yield %108 : i1
    } -> tensor<2x8x1xi1>
    %102 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%out: f32):
      %108 = linalg.index 0 : index
      %109 = linalg.index 1 : index
      %extracted = tensor.extract %expanded_29[%108, %109, %c0, %c0] : tensor<2x8x1x1xi32>
      %110 = arith.index_cast %extracted : i32 to index
      %111 = arith.maxsi %110, %c0 : index
      %112 = arith.minsi %111, %c255 : index
      %extracted_30 = tensor.extract %89[%108, %109, %112] : tensor<2x8x256xf32>
      linalg.yield %extracted_30 : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %102 : tensor<2x8x1xi1>, tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: i1, %in_30: f32, %out: f32):
      %108 = arith.select %in, %in_30, %cst_0 : f32
      linalg.yield %108 : f32
    } -> tensor<2x8x1xf32>
    %104 = linalg.fill ins(%cst_6 : f32) outs(%36 : tensor<f32>) -> tensor<f32>
    %105 = linalg.generic {indexing_maps = [#map3, #map13], iterator_types = ["reduction", "reduction", "reduction"]} ins(%103 : tensor<2x8x1xf32>) outs(%104 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.addf %out, %in : f32
      linalg.yield %108 : f32
    } -> tensor<f32>
    %106 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = []} ins(%105 : tensor<f32>) outs(%36 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.divf %in, %cst : f32
      linalg.yield %108 : f32
    } -> tensor<f32>
    %107 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = []} ins(%106 : tensor<f32>) outs(%36 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %108 = arith.negf %in : f32
      linalg.yield %108 : f32
    } -> tensor<f32>
    return %107 : tensor<f32>
  }
}

