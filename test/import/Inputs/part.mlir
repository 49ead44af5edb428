// Written by write_forms.py.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1) -> ()>
#map12 = affine_map<(d0, d1) -> (d0, d1)>
#map13 = affine_map<(d0, d1) -> (d0)>
#map14 = affine_map<(d0) -> ()>
#map15 = affine_map<(d0, d1) -> (d1)>
#map16 = affine_map<(d0, d1) -> (d0, 0)>
#map17 = affine_map<(d0, d1) -> (0, d1)>
#map18 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map21 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map25 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map26 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map27 = affine_map<(d0, d1, d2, d3) -> ()>
#map28 = affine_map<(d0, d1, d2, d3) -> (d3)>
module @part {
  func.func @part_rms_norm(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %0 = call @rms(%arg0, %arg1) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    return %0 : tensor<2x6x32xf32>
  }
  func.func private @rms(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    return %17 : tensor<2x6x32xf32>
  }
  func.func @part_rms_norm_bf16(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<32xbf16>) -> tensor<2x6x32xbf16> {
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xbf16>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: bf16, %out: f32): %11 = arith.extf %in : bf16 to f32 linalg.yield %11 : f32 } -> tensor<2x6x32xf32>
    %2 = call @rms_0(%1) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %3 = tensor.empty() : tensor<32xf32>
    %4 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%3 : tensor<32xf32>) { ^bb0(%in: bf16, %out: f32): %11 = arith.extf %in : bf16 to f32 linalg.yield %11 : f32 } -> tensor<32xf32>
    %5 = tensor.empty() : tensor<1x1x32xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<32xf32>) outs(%5 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %7 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %7 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %11 = arith.mulf %in, %in_0 : f32 linalg.yield %11 : f32 } -> tensor<2x6x32xf32>
    %9 = tensor.empty() : tensor<2x6x32xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6x32xf32>) outs(%9 : tensor<2x6x32xbf16>) { ^bb0(%in: f32, %out: bf16): %11 = arith.truncf %in : f32 to bf16 linalg.yield %11 : bf16 } -> tensor<2x6x32xbf16>
    return %10 : tensor<2x6x32xbf16>
  }
  func.func private @rms_0(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %14 = arith.addf %out, %in : f32 linalg.yield %14 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.divf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.addf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %14 = math.rsqrt %in : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    return %13 : tensor<2x6x32xf32>
  }
  func.func @part_layer_norm(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_0 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = arith.addf %out, %in : f32 linalg.yield %26 : f32 } -> tensor<2x6xf32>
    %3 = tensor.empty() : tensor<2x6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.divf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.subf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = arith.addf %out, %in : f32 linalg.yield %26 : f32 } -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.divf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.addf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.rsqrt %in : f32 linalg.yield %26 : f32 } -> tensor<2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %17 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32xf32>
    %19 = tensor.empty() : tensor<1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%19 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%19 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.addf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32xf32>
    return %25 : tensor<2x6x32xf32>
  }
  func.func @part_layer_norm_variance(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %23 = arith.addf %out, %in : f32 linalg.yield %23 : f32 } -> tensor<2x6xf32>
    %3 = tensor.empty() : tensor<2x6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.divf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.subf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x32xf32>
    %10 = call @_var(%arg0, %cst_0) : (tensor<2x6x32xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.addf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %23 = math.sqrt %in : f32 linalg.yield %23 : f32 } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %14 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.divf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x32xf32>
    %16 = tensor.empty() : tensor<1x1x32xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%16 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.mulf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%16 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %23 = arith.addf %in, %in_3 : f32 linalg.yield %23 : f32 } -> tensor<2x6x32xf32>
    return %22 : tensor<2x6x32xf32>
  }
  func.func private @_var(%arg0: tensor<2x6x32xf32>, %arg1: tensor<i32>) -> tensor<2x6x1xf32> {
    %cst = arith.constant 3.200000e+01 : f32
    %cst_0 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = arith.addf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %3 = tensor.empty() : tensor<2x6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %21 = arith.divf %in, %in_3 : f32 linalg.yield %21 : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %21 = arith.subf %in, %in_3 : f32 linalg.yield %21 : f32 } -> tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %21 = arith.mulf %in, %in_3 : f32 linalg.yield %21 : f32 } -> tensor<2x6x32xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%11 : tensor<f32>) { ^bb0(%in: i32, %out: f32): %21 = arith.sitofp %in : i32 to f32 linalg.yield %21 : f32 } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%12 : tensor<f32>) outs(%11 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %21 = arith.subf %cst, %in : f32 linalg.yield %21 : f32 } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = arith.addf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %21 = arith.divf %in, %in_3 : f32 linalg.yield %21 : f32 } -> tensor<2x6x1xf32>
    %18 = tensor.empty() : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%13 : tensor<f32>) outs(%18 : tensor<i1>) { ^bb0(%in: f32, %out: i1): %21 = arith.cmpf ogt, %in, %cst_2 : f32 linalg.yield %21 : i1 } -> tensor<i1>
    %20 = call @_where(%19, %17, %cst_0) : (tensor<i1>, tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6x1xf32>
    return %20 : tensor<2x6x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<f32>) -> tensor<2x6x1xf32> {
    %0 = tensor.empty() : tensor<2x6x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%0 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %3 = arith.select %extracted, %in, %in_0 : f32 linalg.yield %3 : f32 } -> tensor<2x6x1xf32>
    return %2 : tensor<2x6x1xf32>
  }
  func.func @part_layer_norm_squares(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_0 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %30 = arith.addf %out, %in : f32 linalg.yield %30 : f32 } -> tensor<2x6xf32>
    %3 = tensor.empty() : tensor<2x6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.divf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.mulf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x6x32xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %30 = arith.addf %out, %in : f32 linalg.yield %30 : f32 } -> tensor<2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %5 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.divf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.mulf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.subf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %13 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.maximumf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.subf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.addf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %30 = math.rsqrt %in : f32 linalg.yield %30 : f32 } -> tensor<2x6x1xf32>
    %21 = tensor.empty() : tensor<1x1x32xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%21 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %24 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.mulf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %25 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.mulf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%21 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<1x1x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %30 = arith.addf %in, %in_3 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    return %29 : tensor<2x6x32xf32>
  }
  func.func @part_swiglu(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %0 = call @silu(%arg0) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %1 = tensor.empty() : tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%1 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %3 = arith.mulf %in, %in_0 : f32 linalg.yield %3 : f32 } -> tensor<2x6x32xf32>
    return %2 : tensor<2x6x32xf32>
  }
  func.func private @silu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %7 = arith.negf %in : f32 linalg.yield %7 : f32 } -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %7 = math.exp %in : f32 linalg.yield %7 : f32 } -> tensor<2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.addf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.divf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.mulf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
  func.func @part_gelu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_2 = arith.constant dense<4.471500e-02> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.addf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %5 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %14 = math.tanh %in : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %8 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.addf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %10 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %14 = arith.mulf %in, %in_3 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    return %13 : tensor<2x6x32xf32>
  }
  func.func @part_feed_forward(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<32x64xf32>, %arg3: tensor<64x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x64xf32>) -> tensor<2x6x64xf32>
    %2 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x32xf32>, tensor<32x64xf32>) outs(%1 : tensor<2x6x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      %10 = arith.addf %out, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<2x6x64xf32>
    %3 = call @silu_1(%2) : (tensor<2x6x64xf32>) -> tensor<2x6x64xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x6x32xf32>, tensor<32x64xf32>) outs(%1 : tensor<2x6x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      %10 = arith.addf %out, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<2x6x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %4 : tensor<2x6x64xf32>, tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %9 = arith.mulf %in, %in_0 : f32 linalg.yield %9 : f32 } -> tensor<2x6x64xf32>
    %6 = tensor.empty() : tensor<2x6x32xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %arg3 : tensor<2x6x64xf32>, tensor<64x32xf32>) outs(%7 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      %10 = arith.addf %out, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<2x6x32xf32>
    return %8 : tensor<2x6x32xf32>
  }
  func.func private @silu_1(%arg0: tensor<2x6x64xf32>) -> tensor<2x6x64xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %out: f32): %7 = arith.negf %in : f32 linalg.yield %7 : f32 } -> tensor<2x6x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %out: f32): %7 = math.exp %in : f32 linalg.yield %7 : f32 } -> tensor<2x6x64xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x6x64xf32>, tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.addf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %4 : tensor<2x6x64xf32>, tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.divf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x64xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<2x6x64xf32>, tensor<2x6x64xf32>) outs(%0 : tensor<2x6x64xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %7 = arith.mulf %in, %in_0 : f32 linalg.yield %7 : f32 } -> tensor<2x6x64xf32>
    return %6 : tensor<2x6x64xf32>
  }
  func.func @part_embedding(%arg0: tensor<2x6xi32>, %arg1: tensor<50x32xf32>) -> tensor<2x6x32xf32> {
    %c49 = arith.constant 49 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<50> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<2x6xi32>
    %1 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<2x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6xi32>
    %2 = tensor.empty() : tensor<2x6xi1>
    %3 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<2x6xi32>, tensor<2x6xi32>) outs(%2 : tensor<2x6xi1>) { ^bb0(%in: i32, %in_1: i32, %out: i1): %11 = arith.cmpi slt, %in, %in_1 : i32 linalg.yield %11 : i1 } -> tensor<2x6xi1>
    %4 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<2x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6xi32>
    %5 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<2x6xi32>, tensor<2x6xi32>) outs(%0 : tensor<2x6xi32>) { ^bb0(%in: i32, %in_1: i32, %out: i32): %11 = arith.addi %in, %in_1 : i32 linalg.yield %11 : i32 } -> tensor<2x6xi32>
    %6 = linalg.generic {indexing_maps = [#map12, #map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg0 : tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) outs(%0 : tensor<2x6xi32>) { ^bb0(%in: i1, %in_1: i32, %in_2: i32, %out: i32): %11 = arith.select %in, %in_1, %in_2 : i32 linalg.yield %11 : i32 } -> tensor<2x6xi32>
    %7 = tensor.empty() : tensor<2x6x1xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6xi32>) outs(%7 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %9 = tensor.empty() : tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%9 : tensor<2x6x32xf32>) {
    ^bb0(%out: f32):
      %11 = linalg.index 0 : index
      %12 = linalg.index 1 : index
      %13 = linalg.index 2 : index
      %extracted = tensor.extract %8[%11, %12, %c0] : tensor<2x6x1xi32>
      %14 = arith.index_cast %extracted : i32 to index
      %15 = arith.maxsi %14, %c0 : index
      %16 = arith.minsi %15, %c49 : index
      %extracted_1 = tensor.extract %arg1[%16, %13] : tensor<50x32xf32>
      linalg.yield %extracted_1 : f32
    } -> tensor<2x6x32xf32>
    return %10 : tensor<2x6x32xf32>
  }
  func.func @part_rotation(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<1.000000e+04> : tensor<f32>
    %cst_0 = arith.constant dense<8.000000e+00> : tensor<f32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<2> : tensor<i32>
    %0 = tensor.empty() : tensor<6xi32>
    %1 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%0 : tensor<6xi32>) {
    ^bb0(%out: i32):
      %44 = linalg.index 0 : index
      %45 = arith.index_cast %44 : index to i32
      linalg.yield %45 : i32
    } -> tensor<6xi32>
    %2 = tensor.empty() : tensor<6x1xi32>
    %3 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6xi32>) outs(%2 : tensor<6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x1xi32>
    %4 = tensor.empty() : tensor<4xi32>
    %5 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%4 : tensor<4xi32>) {
    ^bb0(%out: i32):
      %44 = linalg.index 0 : index
      %45 = arith.index_cast %44 : index to i32
      linalg.yield %45 : i32
    } -> tensor<4xi32>
    %6 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_2 : tensor<i32>) outs(%4 : tensor<4xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<4xi32>
    %7 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%6, %5 : tensor<4xi32>, tensor<4xi32>) outs(%4 : tensor<4xi32>) { ^bb0(%in: i32, %in_4: i32, %out: i32): %44 = arith.muli %in, %in_4 : i32 linalg.yield %44 : i32 } -> tensor<4xi32>
    %8 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_1 : tensor<i32>) outs(%4 : tensor<4xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<4xi32>
    %9 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%8, %7 : tensor<4xi32>, tensor<4xi32>) outs(%4 : tensor<4xi32>) { ^bb0(%in: i32, %in_4: i32, %out: i32): %44 = arith.addi %in, %in_4 : i32 linalg.yield %44 : i32 } -> tensor<4xi32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%9 : tensor<4xi32>) outs(%4 : tensor<4xi32>) { ^bb0(%in: i32, %out: i32): %44 = arith.subi %c0_i32, %in : i32 linalg.yield %44 : i32 } -> tensor<4xi32>
    %11 = tensor.empty() : tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%10 : tensor<4xi32>) outs(%11 : tensor<4xf32>) { ^bb0(%in: i32, %out: f32): %44 = arith.sitofp %in : i32 to f32 linalg.yield %44 : f32 } -> tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%11 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
    %14 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%12, %13 : tensor<4xf32>, tensor<4xf32>) outs(%11 : tensor<4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.divf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%11 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%15, %14 : tensor<4xf32>, tensor<4xf32>) outs(%11 : tensor<4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = math.powf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<4xf32>
    %17 = tensor.empty() : tensor<6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x1xi32>) outs(%17 : tensor<6x1xf32>) { ^bb0(%in: i32, %out: f32): %44 = arith.sitofp %in : i32 to f32 linalg.yield %44 : f32 } -> tensor<6x1xf32>
    %19 = tensor.empty() : tensor<1x4xf32>
    %20 = linalg.generic {indexing_maps = [#map15, #map12], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<4xf32>) outs(%19 : tensor<1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x4xf32>
    %21 = tensor.empty() : tensor<6x4xf32>
    %22 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<6x1xf32>) outs(%21 : tensor<6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x4xf32>
    %23 = linalg.generic {indexing_maps = [#map17, #map12], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<1x4xf32>) outs(%21 : tensor<6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x4xf32>
    %24 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<6x4xf32>, tensor<6x4xf32>) outs(%21 : tensor<6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.mulf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<6x4xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<6x4xf32>) outs(%21 : tensor<6x4xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.cos %in : f32 linalg.yield %44 : f32 } -> tensor<6x4xf32>
    %26 = tensor.empty() : tensor<6x1x4xf32>
    %27 = linalg.generic {indexing_maps = [#map18, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<6x4xf32>) outs(%26 : tensor<6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1x4xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<6x4xf32>) outs(%21 : tensor<6x4xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.sin %in : f32 linalg.yield %44 : f32 } -> tensor<6x4xf32>
    %29 = linalg.generic {indexing_maps = [#map18, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<6x4xf32>) outs(%26 : tensor<6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1x4xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [2, 6, 4, 4] [1, 1, 1, 1] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %extracted_slice_3 = tensor.extract_slice %arg0[0, 0, 0, 4] [2, 6, 4, 4] [1, 1, 1, 1] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %30 = tensor.empty() : tensor<1x6x1x4xf32>
    %31 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<6x1x4xf32>) outs(%30 : tensor<1x6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x1x4xf32>
    %32 = tensor.empty() : tensor<2x6x4x4xf32>
    %33 = linalg.generic {indexing_maps = [#map21, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x6x1x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x4xf32>
    %34 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %33 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.mulf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %35 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<6x1x4xf32>) outs(%30 : tensor<1x6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x1x4xf32>
    %36 = linalg.generic {indexing_maps = [#map21, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x6x1x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x4xf32>
    %37 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_3, %36 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.mulf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %38 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.subf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %39 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_3, %33 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.mulf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %40 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %36 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.mulf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %41 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %40 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%32 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %44 = arith.addf %in, %in_4 : f32 linalg.yield %44 : f32 } -> tensor<2x6x4x4xf32>
    %42 = tensor.empty() : tensor<2x6x4x8xf32>
    %43 = linalg.generic {indexing_maps = [#map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%42 : tensor<2x6x4x8xf32>) {
    ^bb0(%out: f32):
      %44 = linalg.index 0 : index
      %45 = linalg.index 1 : index
      %46 = linalg.index 2 : index
      %47 = linalg.index 3 : index
      %48 = arith.cmpi ult, %47, %c4 : index
      %49 = scf.if %48 -> (f32) {
        %extracted = tensor.extract %38[%44, %45, %46, %47] : tensor<2x6x4x4xf32>
        scf.yield %extracted : f32
      } else {
        %50 = arith.subi %47, %c4 : index
        %extracted = tensor.extract %41[%44, %45, %46, %50] : tensor<2x6x4x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %49 : f32
    } -> tensor<2x6x4x8xf32>
    return %43 : tensor<2x6x4x8xf32>
  }
  func.func @part_rotation_half(%arg0: tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16> {
    %c4 = arith.constant 4 : index
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+04> : tensor<f32>
    %cst_1 = arith.constant dense<8.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %cst_3 = arith.constant dense<2> : tensor<i32>
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%0 : tensor<4xi32>) {
    ^bb0(%out: i32):
      %48 = linalg.index 0 : index
      %49 = arith.index_cast %48 : index to i32
      linalg.yield %49 : i32
    } -> tensor<4xi32>
    %2 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_3 : tensor<i32>) outs(%0 : tensor<4xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<4xi32>
    %3 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%2, %1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) { ^bb0(%in: i32, %in_5: i32, %out: i32): %48 = arith.muli %in, %in_5 : i32 linalg.yield %48 : i32 } -> tensor<4xi32>
    %4 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<4xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<4xi32>
    %5 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%4, %3 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) { ^bb0(%in: i32, %in_5: i32, %out: i32): %48 = arith.addi %in, %in_5 : i32 linalg.yield %48 : i32 } -> tensor<4xi32>
    %6 = tensor.empty() : tensor<4xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%5 : tensor<4xi32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: i32, %out: f32): %48 = arith.sitofp %in : i32 to f32 linalg.yield %48 : f32 } -> tensor<4xf32>
    %8 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
    %9 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%7, %8 : tensor<4xf32>, tensor<4xf32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.divf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
    %11 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%10, %9 : tensor<4xf32>, tensor<4xf32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = math.powf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%12, %11 : tensor<4xf32>, tensor<4xf32>) outs(%6 : tensor<4xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.divf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<4xf32>
    %14 = tensor.empty() : tensor<6xi32>
    %15 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%14 : tensor<6xi32>) {
    ^bb0(%out: i32):
      %48 = linalg.index 0 : index
      %49 = arith.index_cast %48 : index to i32
      linalg.yield %49 : i32
    } -> tensor<6xi32>
    %16 = tensor.empty() : tensor<8xf32>
    %17 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%16 : tensor<8xf32>) {
    ^bb0(%out: f32):
      %48 = linalg.index 0 : index
      %49 = arith.cmpi ult, %48, %c4 : index
      %50 = scf.if %49 -> (f32) {
        %extracted = tensor.extract %13[%48] : tensor<4xf32>
        scf.yield %extracted : f32
      } else {
        %51 = arith.subi %48, %c4 : index
        %extracted = tensor.extract %13[%51] : tensor<4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %50 : f32
    } -> tensor<8xf32>
    %18 = tensor.empty() : tensor<6xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%15 : tensor<6xi32>) outs(%18 : tensor<6xf32>) { ^bb0(%in: i32, %out: f32): %48 = arith.sitofp %in : i32 to f32 linalg.yield %48 : f32 } -> tensor<6xf32>
    %20 = tensor.empty() : tensor<6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<6xf32>) outs(%20 : tensor<6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1xf32>
    %22 = tensor.empty() : tensor<1x8xf32>
    %23 = linalg.generic {indexing_maps = [#map15, #map12], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8xf32>) outs(%22 : tensor<1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x8xf32>
    %24 = tensor.empty() : tensor<6x8xf32>
    %25 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<6x1xf32>) outs(%24 : tensor<6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x8xf32>
    %26 = linalg.generic {indexing_maps = [#map17, #map12], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x8xf32>) outs(%24 : tensor<6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x8xf32>
    %27 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%24 : tensor<6x8xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.mulf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<6x8xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<6x8xf32>) outs(%24 : tensor<6x8xf32>) { ^bb0(%in: f32, %out: f32): %48 = math.cos %in : f32 linalg.yield %48 : f32 } -> tensor<6x8xf32>
    %29 = tensor.empty() : tensor<6x1x8xf32>
    %30 = linalg.generic {indexing_maps = [#map18, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<6x8xf32>) outs(%29 : tensor<6x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1x8xf32>
    %31 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<6x8xf32>) outs(%24 : tensor<6x8xf32>) { ^bb0(%in: f32, %out: f32): %48 = math.sin %in : f32 linalg.yield %48 : f32 } -> tensor<6x8xf32>
    %32 = linalg.generic {indexing_maps = [#map18, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<6x8xf32>) outs(%29 : tensor<6x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1x8xf32>
    %33 = tensor.empty() : tensor<2x6x4x8xf32>
    %34 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x4x8xbf16>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: bf16, %out: f32): %48 = arith.extf %in : bf16 to f32 linalg.yield %48 : f32 } -> tensor<2x6x4x8xf32>
    %extracted_slice = tensor.extract_slice %34[0, 0, 0, 0] [2, 6, 4, 4] [1, 1, 1, 1] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %extracted_slice_4 = tensor.extract_slice %34[0, 0, 0, 4] [2, 6, 4, 4] [1, 1, 1, 1] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %35 = tensor.empty() : tensor<1x6x1x8xf32>
    %36 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<6x1x8xf32>) outs(%35 : tensor<1x6x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x1x8xf32>
    %37 = linalg.generic {indexing_maps = [#map21, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x6x1x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    %38 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.mulf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<2x6x4x8xf32>
    %39 = tensor.empty() : tensor<2x6x4x4xf32>
    %40 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_4 : tensor<2x6x4x4xf32>) outs(%39 : tensor<2x6x4x4xf32>) { ^bb0(%in: f32, %out: f32): %48 = arith.negf %in : f32 linalg.yield %48 : f32 } -> tensor<2x6x4x4xf32>
    %41 = linalg.generic {indexing_maps = [#map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%33 : tensor<2x6x4x8xf32>) {
    ^bb0(%out: f32):
      %48 = linalg.index 0 : index
      %49 = linalg.index 1 : index
      %50 = linalg.index 2 : index
      %51 = linalg.index 3 : index
      %52 = arith.cmpi ult, %51, %c4 : index
      %53 = scf.if %52 -> (f32) {
        %extracted = tensor.extract %40[%48, %49, %50, %51] : tensor<2x6x4x4xf32>
        scf.yield %extracted : f32
      } else {
        %54 = arith.subi %51, %c4 : index
        %extracted = tensor.extract %extracted_slice[%48, %49, %50, %54] : tensor<2x6x4x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %53 : f32
    } -> tensor<2x6x4x8xf32>
    %42 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<6x1x8xf32>) outs(%35 : tensor<1x6x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x1x8xf32>
    %43 = linalg.generic {indexing_maps = [#map21, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x6x1x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    %44 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %43 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.mulf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<2x6x4x8xf32>
    %45 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %44 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %48 = arith.addf %in, %in_5 : f32 linalg.yield %48 : f32 } -> tensor<2x6x4x8xf32>
    %46 = tensor.empty() : tensor<2x6x4x8xbf16>
    %47 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x6x4x8xf32>) outs(%46 : tensor<2x6x4x8xbf16>) { ^bb0(%in: f32, %out: bf16): %48 = arith.truncf %in : f32 to bf16 linalg.yield %48 : bf16 } -> tensor<2x6x4x8xbf16>
    return %47 : tensor<2x6x4x8xbf16>
  }
  func.func @part_rotation_heads_first(%arg0: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant dense<[[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [0.540302277, 0.999292969, 0.999998986, 1.000000e+00], [-0.416146845, 0.997172892, 9.999960e-01, 1.000000e+00], [-0.989992499, 0.993642807, 0.999990999, 1.000000e+00], [-0.653643608, 0.988707602, 9.999840e-01, 1.000000e+00], [0.2836622, 0.98237437, 9.999750e-01, 0.99999994]]> : tensor<6x4xf32>
    %cst_0 = arith.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.841470957, 0.0375971682, 0.0014142131, 5.31829573E-5], [0.909297406, 0.0751411691, 0.0028284234, 1.06365915E-4], [1.411200e-01, 0.112578921, 0.00424262788, 1.59548872E-4], [-0.756802499, 0.149857476, 0.00565682398, 2.12731829E-4], [-0.958924293, 0.18692413, 0.0070710089, 2.65914801E-4]]> : tensor<6x4xf32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 4, 6, 2, 4] : tensor<2x4x6x8xf32> into tensor<2x4x6x2x4xf32>
    %0 = tensor.empty() : tensor<2x2x4x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x6x2x4xf32>) outs(%0 : tensor<2x2x4x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x4x6x4xf32>
    %extracted_slice = tensor.extract_slice %1[0, 0, 0, 0, 0] [1, 2, 4, 6, 4] [1, 1, 1, 1, 1] : tensor<2x2x4x6x4xf32> to tensor<1x2x4x6x4xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x4x6x4xf32> into tensor<2x4x6x4xf32>
    %extracted_slice_1 = tensor.extract_slice %1[1, 0, 0, 0, 0] [1, 2, 4, 6, 4] [1, 1, 1, 1, 1] : tensor<2x2x4x6x4xf32> to tensor<1x2x4x6x4xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1], [2], [3], [4]] : tensor<1x2x4x6x4xf32> into tensor<2x4x6x4xf32>
    %2 = tensor.empty() : tensor<1x1x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map24, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<6x4xf32>) outs(%2 : tensor<1x1x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x4xf32>
    %4 = tensor.empty() : tensor<2x4x6x4xf32>
    %5 = linalg.generic {indexing_maps = [#map25, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x1x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x4xf32>
    %6 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed, %5 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.mulf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %7 = linalg.generic {indexing_maps = [#map24, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<6x4xf32>) outs(%2 : tensor<1x1x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x4xf32>
    %8 = linalg.generic {indexing_maps = [#map25, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x4xf32>
    %9 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2, %8 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.mulf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %10 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %9 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.subf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %11 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed, %8 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.mulf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %12 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2, %5 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.mulf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %13 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%4 : tensor<2x4x6x4xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %19 = arith.addf %in, %in_4 : f32 linalg.yield %19 : f32 } -> tensor<2x4x6x4xf32>
    %14 = tensor.empty() : tensor<2x4x6x1x4xf32>
    %15 = linalg.generic {indexing_maps = [#map26, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x4x6x4xf32>) outs(%14 : tensor<2x4x6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x4xf32>
    %16 = linalg.generic {indexing_maps = [#map26, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x4xf32>) outs(%14 : tensor<2x4x6x1x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x4xf32>
    %17 = tensor.empty() : tensor<2x4x6x2x4xf32>
    %18 = linalg.generic {indexing_maps = [#map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%17 : tensor<2x4x6x2x4xf32>) {
    ^bb0(%out: f32):
      %19 = linalg.index 0 : index
      %20 = linalg.index 1 : index
      %21 = linalg.index 2 : index
      %22 = linalg.index 4 : index
      %23 = linalg.index 3 : index
      %24 = arith.cmpi ult, %23, %c1 : index
      %25 = scf.if %24 -> (f32) {
        %extracted = tensor.extract %15[%19, %20, %21, %23, %22] : tensor<2x4x6x1x4xf32>
        scf.yield %extracted : f32
      } else {
        %26 = arith.subi %23, %c1 : index
        %extracted = tensor.extract %16[%19, %20, %21, %26, %22] : tensor<2x4x6x1x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %25 : f32
    } -> tensor<2x4x6x2x4xf32>
    %collapsed_3 = tensor.collapse_shape %18 [[0], [1], [2], [3, 4]] : tensor<2x4x6x2x4xf32> into tensor<2x4x6x8xf32>
    return %collapsed_3 : tensor<2x4x6x8xf32>
  }
  func.func @part_cross_entropy(%arg0: tensor<2x6x50xf32>, %arg1: tensor<2x6xi32>) -> tensor<f32> {
    %cst = arith.constant 1.200000e+01 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = call @log_softmax(%arg0) : (tensor<2x6x50xf32>) -> tensor<2x6x50xf32>
    %1 = tensor.empty() : tensor<2x6x1xi32>
    %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6xi32>) outs(%1 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %3 = call @take_along_axis(%0, %2) : (tensor<2x6x50xf32>, tensor<2x6x1xi32>) -> tensor<2x6x1xf32>
    %4 = tensor.empty() : tensor<f32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<f32>) -> tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "reduction"]} ins(%3 : tensor<2x6x1xf32>) outs(%5 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %9 = arith.addf %out, %in : f32 linalg.yield %9 : f32 } -> tensor<f32>
    %7 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%6 : tensor<f32>) outs(%4 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %9 = arith.divf %in, %cst : f32 linalg.yield %9 : f32 } -> tensor<f32>
    %8 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%7 : tensor<f32>) outs(%4 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %9 = arith.negf %in : f32 linalg.yield %9 : f32 } -> tensor<f32>
    return %8 : tensor<f32>
  }
  func.func private @log_softmax(%arg0: tensor<2x6x50xf32>) -> tensor<2x6x50xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x50xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = arith.maximumf %out, %in : f32 linalg.yield %17 : f32 } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.maximumf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x50xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x50xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6x50xf32>, tensor<2x6x50xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.subf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x6x50xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x50xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %out: f32): %17 = math.exp %in : f32 linalg.yield %17 : f32 } -> tensor<2x6x50xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x6x50xf32>) outs(%11 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = arith.addf %out, %in : f32 linalg.yield %17 : f32 } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %17 = math.log %in : f32 linalg.yield %17 : f32 } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x50xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<2x6x50xf32>, tensor<2x6x50xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.subf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x6x50xf32>
    return %16 : tensor<2x6x50xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x6x50xf32>, %arg1: tensor<2x6x1xi32>) -> tensor<2x6x1xf32> {
    %c49 = arith.constant 49 : index
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant dense<49> : tensor<1xi32>
    %cst_1 = arith.constant dense<50> : tensor<i32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<2x6x1xi32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %2 = tensor.empty() : tensor<2x6x1xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<2x6x1xi32>, tensor<2x6x1xi32>) outs(%2 : tensor<2x6x1xi1>) { ^bb0(%in: i32, %in_3: i32, %out: i1): %22 = arith.cmpi slt, %in, %in_3 : i32 linalg.yield %22 : i1 } -> tensor<2x6x1xi1>
    %4 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %4 : tensor<2x6x1xi32>, tensor<2x6x1xi32>) outs(%0 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %in_3: i32, %out: i32): %22 = arith.addi %in, %in_3 : i32 linalg.yield %22 : i32 } -> tensor<2x6x1xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %5, %arg1 : tensor<2x6x1xi1>, tensor<2x6x1xi32>, tensor<2x6x1xi32>) outs(%0 : tensor<2x6x1xi32>) { ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32): %22 = arith.select %in, %in_3, %in_4 : i32 linalg.yield %22 : i32 } -> tensor<2x6x1xi32>
    %expanded = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [2, 6, 1, 1] : tensor<2x6x1xi32> into tensor<2x6x1x1xi32>
    %7 = tensor.empty() : tensor<2x6x1x1xi32>
    %8 = linalg.generic {indexing_maps = [#map27, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%7 : tensor<2x6x1x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1x1xi32>
    %9 = tensor.empty() : tensor<2x6x1x1xi1>
    %10 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) outs(%9 : tensor<2x6x1x1xi1>) { ^bb0(%in: i32, %in_3: i32, %out: i1): %22 = arith.cmpi sge, %in, %in_3 : i32 linalg.yield %22 : i1 } -> tensor<2x6x1x1xi1>
    %11 = tensor.empty() : tensor<1x1x1x1xi32>
    %12 = linalg.generic {indexing_maps = [#map28, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<1xi32>) outs(%11 : tensor<1x1x1x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<1x1x1x1xi32>
    %13 = linalg.generic {indexing_maps = [#map25, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1x1xi32>) outs(%7 : tensor<2x6x1x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1x1xi32>
    %14 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %13 : tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) outs(%9 : tensor<2x6x1x1xi1>) { ^bb0(%in: i32, %in_3: i32, %out: i1): %22 = arith.cmpi sle, %in, %in_3 : i32 linalg.yield %22 : i1 } -> tensor<2x6x1x1xi1>
    %15 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x6x1x1xi1>, tensor<2x6x1x1xi1>) outs(%9 : tensor<2x6x1x1xi1>) { ^bb0(%in: i1, %in_3: i1, %out: i1): %22 = arith.andi %in, %in_3 : i1 linalg.yield %22 : i1 } -> tensor<2x6x1x1xi1>
    %16 = linalg.fill ins(%true : i1) outs(%2 : tensor<2x6x1xi1>) -> tensor<2x6x1xi1>
    %17 = linalg.generic {indexing_maps = [#map20, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x6x1x1xi1>) outs(%16 : tensor<2x6x1xi1>) { ^bb0(%in: i1, %out: i1): %22 = arith.andi %out, %in : i1 linalg.yield %22 : i1 } -> tensor<2x6x1xi1>
    %18 = tensor.empty() : tensor<2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%18 : tensor<2x6x1xf32>) {
    ^bb0(%out: f32):
      %22 = linalg.index 0 : index
      %23 = linalg.index 1 : index
      %extracted = tensor.extract %expanded[%22, %23, %c0, %c0] : tensor<2x6x1x1xi32>
      %24 = arith.index_cast %extracted : i32 to index
      %25 = arith.maxsi %24, %c0 : index
      %26 = arith.minsi %25, %c49 : index
      %extracted_3 = tensor.extract %arg0[%22, %23, %26] : tensor<2x6x50xf32>
      linalg.yield %extracted_3 : f32
    } -> tensor<2x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%18 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %19, %20 : tensor<2x6x1xi1>, tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%18 : tensor<2x6x1xf32>) { ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32): %22 = arith.select %in, %in_3, %in_4 : f32 linalg.yield %22 : f32 } -> tensor<2x6x1xf32>
    return %21 : tensor<2x6x1xf32>
  }
  func.func @part_cross_entropy_sum(%arg0: tensor<12x50xbf16>, %arg1: tensor<2x6xi32>) -> tensor<f32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<12x50xf32>
    %1 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<12x50xbf16>) outs(%0 : tensor<12x50xf32>) { ^bb0(%in: bf16, %out: f32): %21 = arith.extf %in : bf16 to f32 linalg.yield %21 : f32 } -> tensor<12x50xf32>
    %expanded = tensor.expand_shape %1 [[0, 1], [2]] output_shape [2, 6, 50] : tensor<12x50xf32> into tensor<2x6x50xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x6x50xf32>) outs(%3 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = arith.maximumf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x50xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x50xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<2x6x50xf32>, tensor<2x6x50xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %21 = arith.subf %in, %in_1 : f32 linalg.yield %21 : f32 } -> tensor<2x6x50xf32>
    %10 = tensor.empty() : tensor<2x6x1xi32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6xi32>) outs(%10 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %12 = call @take_along_axis(%9, %11) : (tensor<2x6x50xf32>, tensor<2x6x1xi32>) -> tensor<2x6x1xf32>
    %collapsed = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<2x6x1xf32> into tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x50xf32>) outs(%7 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %out: f32): %21 = math.exp %in : f32 linalg.yield %21 : f32 } -> tensor<2x6x50xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<2x6x50xf32>) outs(%14 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = arith.addf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %16 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<2x6xf32>) outs(%2 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = math.log %in : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%16, %collapsed : tensor<2x6xf32>, tensor<2x6xf32>) outs(%2 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %21 = arith.subf %in, %in_1 : f32 linalg.yield %21 : f32 } -> tensor<2x6xf32>
    %18 = tensor.empty() : tensor<f32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<f32>) -> tensor<f32>
    %20 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["reduction", "reduction"]} ins(%17 : tensor<2x6xf32>) outs(%19 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %21 = arith.addf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<f32>
    return %20 : tensor<f32>
  }
  func.func @part_cross_entropy_one_hot(%arg0: tensor<2x6x50xf32>, %arg1: tensor<2x6xi32>) -> tensor<f32> {
    %cst = arith.constant 1.200000e+01 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = call @log_softmax(%arg0) : (tensor<2x6x50xf32>) -> tensor<2x6x50xf32>
    %1 = call @_one_hot(%arg1) : (tensor<2x6xi32>) -> tensor<2x6x50xf32>
    %2 = tensor.empty() : tensor<2x6x50xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %0 : tensor<2x6x50xf32>, tensor<2x6x50xf32>) outs(%2 : tensor<2x6x50xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %12 = arith.mulf %in, %in_1 : f32 linalg.yield %12 : f32 } -> tensor<2x6x50xf32>
    %4 = tensor.empty() : tensor<2x6xf32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x6x50xf32>) outs(%5 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %12 = arith.addf %out, %in : f32 linalg.yield %12 : f32 } -> tensor<2x6xf32>
    %7 = tensor.empty() : tensor<f32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<f32>) -> tensor<f32>
    %9 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["reduction", "reduction"]} ins(%6 : tensor<2x6xf32>) outs(%8 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %12 = arith.addf %out, %in : f32 linalg.yield %12 : f32 } -> tensor<f32>
    %10 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%9 : tensor<f32>) outs(%7 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %12 = arith.divf %in, %cst : f32 linalg.yield %12 : f32 } -> tensor<f32>
    %11 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%10 : tensor<f32>) outs(%7 : tensor<f32>) { ^bb0(%in: f32, %out: f32): %12 = arith.negf %in : f32 linalg.yield %12 : f32 } -> tensor<f32>
    return %11 : tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<2x6xi32>) -> tensor<2x6x50xf32> {
    %0 = tensor.empty() : tensor<2x6x1xi32>
    %1 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6xi32>) outs(%0 : tensor<2x6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x1xi32>
    %2 = tensor.empty() : tensor<1x1x50xi32>
    %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%2 : tensor<1x1x50xi32>) {
    ^bb0(%out: i32):
      %11 = linalg.index 2 : index
      %12 = arith.index_cast %11 : index to i32
      linalg.yield %12 : i32
    } -> tensor<1x1x50xi32>
    %4 = tensor.empty() : tensor<2x6x50xi32>
    %5 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x6x1xi32>) outs(%4 : tensor<2x6x50xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x50xi32>
    %6 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x1x50xi32>) outs(%4 : tensor<2x6x50xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<2x6x50xi32>
    %7 = tensor.empty() : tensor<2x6x50xi1>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<2x6x50xi32>, tensor<2x6x50xi32>) outs(%7 : tensor<2x6x50xi1>) { ^bb0(%in: i32, %in_0: i32, %out: i1): %11 = arith.cmpi eq, %in, %in_0 : i32 linalg.yield %11 : i1 } -> tensor<2x6x50xi1>
    %9 = tensor.empty() : tensor<2x6x50xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6x50xi1>) outs(%9 : tensor<2x6x50xf32>) { ^bb0(%in: i1, %out: f32): %11 = arith.uitofp %in : i1 to f32 linalg.yield %11 : f32 } -> tensor<2x6x50xf32>
    return %10 : tensor<2x6x50xf32>
  }
}
