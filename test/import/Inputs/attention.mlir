// Written by write_forms.py.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map15 = affine_map<(d0, d1) -> ()>
#map16 = affine_map<(d0, d1) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map23 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map24 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map25 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map26 = affine_map<(d0, d1) -> (d1, d0)>
#map27 = affine_map<(d0, d1) -> (d0)>
#map28 = affine_map<(d0) -> ()>
#map29 = affine_map<(d0) -> (d0)>
#map30 = affine_map<(d0, d1) -> (d0, 0)>
#map31 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map32 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map33 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map34 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map35 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3, d2)>
#map36 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map37 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map38 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map39 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
#map40 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3, d1)>
#map41 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#map42 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map43 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map44 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map45 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
#map46 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2, d1)>
#map47 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1)>
#map48 = affine_map<() -> ()>
#map49 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map50 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map51 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map52 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map53 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map54 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map55 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
#map56 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map57 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map58 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map59 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map60 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map61 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d0, d2, d4)>
#map62 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map63 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map64 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map65 = affine_map<(d0, d1) -> (d1)>
#map66 = affine_map<(d0, d1) -> (0, d1)>
module @attention {
  func.func @attention_plain(%arg0: tensor<2x4x6x8xf32>, %arg1: tensor<2x4x6x8xf32>, %arg2: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x8x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x4x6x8xf32>) outs(%0 : tensor<2x4x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x8x6xf32>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %1 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %11 = arith.divf %in, %in_1 : f32 linalg.yield %11 : f32 } -> tensor<2x4x6x6xf32>
    %7 = call @softmax(%6) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %8 = tensor.empty() : tensor<2x4x6x8xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%7, %arg2 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%9 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<2x4x6x8xf32>
    return %10 : tensor<2x4x6x8xf32>
  }
  func.func private @softmax(%arg0: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    return %15 : tensor<2x4x6x6xf32>
  }
  func.func @attention_tokens_first(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = call @softmax(%0) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @values(%1, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %2 : tensor<2x6x4x8xf32>
  }
  func.func private @scores(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.mulf %in, %in_1 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %5 = arith.divf %in, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x6xf32>
    return %4 : tensor<2x4x6x6xf32>
  }
  func.func private @values(%arg0: tensor<2x4x6x6xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x8x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %2 = linalg.generic {indexing_maps = [#map12, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x8x6xf32>
    %3 = tensor.empty() : tensor<2x6x4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x8x6xf32>) outs(%3 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_inf(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @_where(%0, %1, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = call @softmax(%2) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = call @values(%3, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func private @tril() -> tensor<6x6xi1> {
    %cst = arith.constant dense<true> : tensor<i1>
    %0 = tensor.empty() : tensor<6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%0 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %2 = call @tril_0(%1) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    return %2 : tensor<6x6xi1>
  }
  func.func private @tril_0(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map16], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %2 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<6x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x6xi32>
    %3 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%0 : tensor<6x6xi32>) { ^bb0(%in: i32, %in_1: i32, %out: i32): %9 = arith.addi %in, %in_1 : i32 linalg.yield %9 : i32 } -> tensor<6x6xi32>
    %4 = linalg.generic {indexing_maps = [#map16], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %5 = tensor.empty() : tensor<6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i32, %in_1: i32, %out: i1): %9 = arith.cmpi sge, %in, %in_1 : i32 linalg.yield %9 : i1 } -> tensor<6x6xi1>
    %7 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map16, #map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1): %9 = arith.select %in, %in_1, %in_2 : i1 linalg.yield %9 : i1 } -> tensor<6x6xi1>
    return %8 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<2x4x6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%0 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %5 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x6xf32>
    return %4 : tensor<2x4x6x6xf32>
  }
  func.func @attention_causal_1e9(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<-1.000000e+09> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @_where(%0, %1, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = call @softmax(%2) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = call @values(%3, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_lowest(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = call @tril() : () -> tensor<6x6xi1>
    %2 = call @_where(%1, %0, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = call @softmax(%2) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = call @values(%3, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_added(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<-1.000000e+09> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = tensor.empty() : tensor<6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x6xi1>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: i1, %out: f32): %15 = arith.uitofp %in : i1 to f32 linalg.yield %15 : f32 } -> tensor<6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %15 = arith.subf %in, %in_1 : f32 linalg.yield %15 : f32 } -> tensor<6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %15 = arith.mulf %in, %in_1 : f32 linalg.yield %15 : f32 } -> tensor<6x6xf32>
    %7 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %8 = tensor.empty() : tensor<1x1x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<6x6xf32>) outs(%8 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %10 = tensor.empty() : tensor<2x4x6x6xf32>
    %11 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x6x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %11 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %15 = arith.addf %in, %in_1 : f32 linalg.yield %15 : f32 } -> tensor<2x4x6x6xf32>
    %13 = call @softmax(%12) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %14 = call @values(%13, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %14 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_zero_one(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<1.000000e+10> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = tensor.empty() : tensor<6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x6xi1>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: i1, %out: f32): %18 = arith.uitofp %in : i1 to f32 linalg.yield %18 : f32 } -> tensor<6x6xf32>
    %3 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %4 = tensor.empty() : tensor<1x1x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<6x6xf32>) outs(%4 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x1x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.mulf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.subf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<6x6xf32>
    %11 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%11, %10 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%1 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.mulf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<6x6xf32>) outs(%4 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %14 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.subf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<2x4x6x6xf32>
    %16 = call @softmax(%15) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %17 = call @values(%16, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %17 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_weights(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = tensor.empty() : tensor<2x4x6xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0 : tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %23 = arith.maximumf %out, %in : f32 linalg.yield %23 : f32 } -> tensor<2x4x6xf32>
    %4 = tensor.empty() : tensor<2x4x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x4x6xf32>) outs(%4 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %7 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %23 = arith.subf %in, %in_1 : f32 linalg.yield %23 : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %23 = math.exp %in : f32 linalg.yield %23 : f32 } -> tensor<2x4x6x6xf32>
    %10 = call @tril() : () -> tensor<6x6xi1>
    %11 = tensor.empty() : tensor<6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x6xi1>) outs(%11 : tensor<6x6xf32>) { ^bb0(%in: i1, %out: f32): %23 = arith.uitofp %in : i1 to f32 linalg.yield %23 : f32 } -> tensor<6x6xf32>
    %13 = tensor.empty() : tensor<1x1x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %23 = arith.mulf %in, %in_1 : f32 linalg.yield %23 : f32 } -> tensor<2x4x6x6xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<2x4x6x6xf32>) outs(%17 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %23 = arith.addf %out, %in : f32 linalg.yield %23 : f32 } -> tensor<2x4x6xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x4x6xf32>) outs(%4 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %23 = arith.divf %in, %in_1 : f32 linalg.yield %23 : f32 } -> tensor<2x4x6x6xf32>
    %22 = call @values(%21, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %22 : tensor<2x6x4x8xf32>
  }
  func.func @attention_no_batch(%arg0: tensor<6x4x8xf32>, %arg1: tensor<6x4x8xf32>, %arg2: tensor<6x4x8xf32>) -> tensor<6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<4x6x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<6x4x8xf32>, tensor<6x4x8xf32>) outs(%1 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%0 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %11 = arith.mulf %in, %in_1 : f32 linalg.yield %11 : f32 } -> tensor<4x6x6xf32>
    %5 = call @softmax_3(%4) : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %6 = tensor.empty() : tensor<4x8x6xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
    %8 = linalg.generic {indexing_maps = [#map21, #map22, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %5 : tensor<6x4x8xf32>, tensor<4x6x6xf32>) outs(%7 : tensor<4x8x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x8x6xf32>
    %9 = tensor.empty() : tensor<6x4x8xf32>
    %10 = linalg.generic {indexing_maps = [#map23, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<4x8x6xf32>) outs(%9 : tensor<6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x4x8xf32>
    return %10 : tensor<6x4x8xf32>
  }
  func.func private @softmax_3(%arg0: tensor<4x6x6xf32>) -> tensor<4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map8, #map24], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<4x6x6xf32>) outs(%1 : tensor<4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<4x6xf32>
    %5 = tensor.empty() : tensor<4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map24, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x6xf32>) outs(%5 : tensor<4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6x1xf32>
    %7 = tensor.empty() : tensor<4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map25, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x6x1xf32>) outs(%7 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%7 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<4x6x6xf32>) outs(%7 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map24], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x6x6xf32>) outs(%11 : tensor<4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map24, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<4x6xf32>) outs(%5 : tensor<4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map25, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<4x6x1xf32>) outs(%7 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%7 : tensor<4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<4x6x6xf32>
    return %15 : tensor<4x6x6xf32>
  }
  func.func @attention_one_head(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<8x6xf32>
    %1 = linalg.generic {indexing_maps = [#map26, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x8xf32>) outs(%0 : tensor<8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6xf32>
    %2 = tensor.empty() : tensor<6x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<6x6xf32>) -> tensor<6x6xf32>
    %4 = linalg.matmul ins(%arg0, %1 : tensor<6x8xf32>, tensor<8x6xf32>) outs(%3 : tensor<6x6xf32>) -> tensor<6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%2 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%2 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %11 = arith.mulf %in, %in_1 : f32 linalg.yield %11 : f32 } -> tensor<6x6xf32>
    %7 = call @softmax_4(%6) : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %8 = tensor.empty() : tensor<6x8xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %10 = linalg.matmul ins(%7, %arg2 : tensor<6x6xf32>, tensor<6x8xf32>) outs(%9 : tensor<6x8xf32>) -> tensor<6x8xf32>
    return %10 : tensor<6x8xf32>
  }
  func.func private @softmax_4(%arg0: tensor<6x6xf32>) -> tensor<6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %2 = linalg.generic {indexing_maps = [#map16, #map27], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x6xf32>) outs(%1 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %3 = linalg.generic {indexing_maps = [#map28, #map29], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6xf32>
    %4 = linalg.generic {indexing_maps = [#map29, #map29, #map29], iterator_types = ["parallel"]} ins(%3, %2 : tensor<6xf32>, tensor<6xf32>) outs(%0 : tensor<6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %5 = tensor.empty() : tensor<6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map27, #map16], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6xf32>) outs(%5 : tensor<6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1xf32>
    %7 = tensor.empty() : tensor<6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map30, #map16], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x1xf32>) outs(%7 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%7 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x6xf32>) outs(%7 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %12 = linalg.generic {indexing_maps = [#map16, #map27], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<6x6xf32>) outs(%11 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %13 = linalg.generic {indexing_maps = [#map27, #map16], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6xf32>) outs(%5 : tensor<6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map30, #map16], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<6x1xf32>) outs(%7 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%10, %14 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%7 : tensor<6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<6x6xf32>
    return %15 : tensor<6x6xf32>
  }
  func.func @attention_heads_in_batch(%arg0: tensor<2x4x6x8xf32>, %arg1: tensor<2x4x6x8xf32>, %arg2: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
    %collapsed_1 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
    %collapsed_2 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
    %0 = tensor.empty() : tensor<8x8x6xf32>
    %1 = linalg.generic {indexing_maps = [#map31, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_1 : tensor<8x6x8xf32>) outs(%0 : tensor<8x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x8x6xf32>
    %2 = tensor.empty() : tensor<8x6x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %1 : tensor<8x6x8xf32>, tensor<8x8x6xf32>) outs(%3 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%2 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x6x6xf32>, tensor<8x6x6xf32>) outs(%2 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %11 = arith.divf %in, %in_3 : f32 linalg.yield %11 : f32 } -> tensor<8x6x6xf32>
    %7 = call @softmax_5(%6) : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %8 = tensor.empty() : tensor<8x6x8xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<8x6x8xf32>) -> tensor<8x6x8xf32>
    %10 = linalg.batch_matmul ins(%7, %collapsed_2 : tensor<8x6x6xf32>, tensor<8x6x8xf32>) outs(%9 : tensor<8x6x8xf32>) -> tensor<8x6x8xf32>
    %expanded = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [2, 4, 6, 8] : tensor<8x6x8xf32> into tensor<2x4x6x8xf32>
    return %expanded : tensor<2x4x6x8xf32>
  }
  func.func private @softmax_5(%arg0: tensor<8x6x6xf32>) -> tensor<8x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<8x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %2 = linalg.generic {indexing_maps = [#map8, #map24], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x6x6xf32>) outs(%1 : tensor<8x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<8x6xf32>
    %3 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6xf32>
    %4 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%0 : tensor<8x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<8x6xf32>
    %5 = tensor.empty() : tensor<8x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map24, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<8x6xf32>) outs(%5 : tensor<8x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6x1xf32>
    %7 = tensor.empty() : tensor<8x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map25, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x6x1xf32>) outs(%7 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<8x6x6xf32>, tensor<8x6x6xf32>) outs(%7 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<8x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<8x6x6xf32>) outs(%7 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<8x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map24], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x6x6xf32>) outs(%11 : tensor<8x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<8x6xf32>
    %13 = linalg.generic {indexing_maps = [#map24, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<8x6xf32>) outs(%5 : tensor<8x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map25, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<8x6x1xf32>) outs(%7 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<8x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<8x6x6xf32>, tensor<8x6x6xf32>) outs(%7 : tensor<8x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<8x6x6xf32>
    return %15 : tensor<8x6x6xf32>
  }
  func.func @attention_grouped_five(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x2x8xf32>, %arg2: tensor<2x6x2x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<f32>
    %cst_1 = arith.constant dense<2.82842708> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 6, 2, 2, 8] : tensor<2x6x4x8xf32> into tensor<2x6x2x2x8xf32>
    %0 = tensor.empty() : tensor<2x2x6x6x2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2x6x6x2xf32>) -> tensor<2x2x6x6x2xf32>
    %2 = linalg.generic {indexing_maps = [#map32, #map33, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %expanded : tensor<2x6x2x8xf32>, tensor<2x6x2x2x8xf32>) outs(%1 : tensor<2x2x6x6x2xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %15 = arith.mulf %in, %in_2 : f32
      %16 = arith.addf %out, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<2x2x6x6x2xf32>
    %3 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map35, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x6x6x2xf32>) outs(%3 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%3 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %15 = arith.divf %in, %in_2 : f32 linalg.yield %15 : f32 } -> tensor<2x2x2x6x6xf32>
    %7 = call @tril() : () -> tensor<6x6xi1>
    %8 = call @_where_6(%7, %6, %cst_0) : (tensor<6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %9 = call @softmax_7(%8) : (tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32>
    %10 = tensor.empty() : tensor<2x2x8x2x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<2x2x8x2x6xf32>) -> tensor<2x2x8x2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map38, #map39, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %9 : tensor<2x6x2x8xf32>, tensor<2x2x2x6x6xf32>) outs(%11 : tensor<2x2x8x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %15 = arith.mulf %in, %in_2 : f32
      %16 = arith.addf %out, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<2x2x8x2x6xf32>
    %13 = tensor.empty() : tensor<2x6x2x2x8xf32>
    %14 = linalg.generic {indexing_maps = [#map40, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x8x2x6xf32>) outs(%13 : tensor<2x6x2x2x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x2x2x8xf32>
    %collapsed = tensor.collapse_shape %14 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func private @_where_6(%arg0: tensor<6x6xi1>, %arg1: tensor<2x2x2x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x6x6xf32> {
    %0 = tensor.empty() : tensor<2x2x2x6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map41, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%0 : tensor<2x2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x2x6x6xi1>
    %2 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map36, #map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<2x2x2x6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%2 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %5 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x2x2x6x6xf32>
    return %4 : tensor<2x2x2x6x6xf32>
  }
  func.func private @softmax_7(%arg0: tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x2x2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x2x2x6x6xf32>) outs(%1 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) outs(%0 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6xf32>
    %5 = tensor.empty() : tensor<2x2x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2x2x6xf32>) outs(%5 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %7 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x2x2x6x1xf32>) outs(%7 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%7 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x2x2x6x6xf32>) outs(%7 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x2x2x6x6xf32>) outs(%11 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x2x6xf32>) outs(%5 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x2x2x6x1xf32>) outs(%7 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%7 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x2x2x6x6xf32>
    return %15 : tensor<2x2x2x6x6xf32>
  }
  func.func @attention_grouped_repeat(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x2x8xf32>, %arg2: tensor<2x6x2x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<-1.000000e+09> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x2x2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x2x8xf32>) outs(%0 : tensor<2x6x2x2x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x2x2x8xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xf32> into tensor<2x6x4x8xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x2x8xf32>) outs(%0 : tensor<2x6x2x2x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x2x2x8xf32>
    %collapsed_0 = tensor.collapse_shape %2 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xf32> into tensor<2x6x4x8xf32>
    %3 = call @tril() : () -> tensor<6x6xi1>
    %4 = call @scores(%arg0, %collapsed) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %5 = call @_where(%3, %4, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %6 = call @softmax(%5) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %7 = call @values(%6, %collapsed_0) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %7 : tensor<2x6x4x8xf32>
  }
  func.func @attention_grouped_broadcast(%arg0: tensor<2x4x6x8xf32>, %arg1: tensor<2x2x6x8xf32>, %arg2: tensor<2x2x6x8xf32>) -> tensor<2x4x6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x2x1x6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map13, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x6x8xf32>) outs(%0 : tensor<2x2x1x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x1x6x8xf32>
    %2 = tensor.empty() : tensor<2x2x2x6x8xf32>
    %3 = linalg.generic {indexing_maps = [#map43, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x2x1x6x8xf32>) outs(%2 : tensor<2x2x2x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x8xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
    %4 = tensor.empty() : tensor<2x4x8x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x4x6x8xf32>) outs(%4 : tensor<2x4x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x8x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %5 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.mulf %in, %in_2 : f32
      %18 = arith.addf %out, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.divf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x4x6x6xf32>
    %11 = call @softmax(%10) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map13, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x6x8xf32>) outs(%0 : tensor<2x2x1x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x1x6x8xf32>
    %13 = linalg.generic {indexing_maps = [#map43, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x1x6x8xf32>) outs(%2 : tensor<2x2x2x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x8xf32>
    %collapsed_1 = tensor.collapse_shape %13 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
    %14 = tensor.empty() : tensor<2x4x6x8xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%11, %collapsed_1 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%15 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.mulf %in, %in_2 : f32
      %18 = arith.addf %out, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<2x4x6x8xf32>
    return %16 : tensor<2x4x6x8xf32>
  }
  func.func @attention_one_key_head(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x6x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
    %2 = linalg.generic {indexing_maps = [#map44, #map45, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x6x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x6x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<2x6x6x4xf32>
    %3 = tensor.empty() : tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map46, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6x6x4xf32>) outs(%3 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %13 = arith.divf %in, %in_1 : f32 linalg.yield %13 : f32 } -> tensor<2x4x6x6xf32>
    %7 = call @softmax(%6) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %8 = tensor.empty() : tensor<2x8x4x6xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x8x4x6xf32>) -> tensor<2x8x4x6xf32>
    %10 = linalg.generic {indexing_maps = [#map47, #map45, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %7 : tensor<2x6x8xf32>, tensor<2x4x6x6xf32>) outs(%9 : tensor<2x8x4x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<2x8x4x6xf32>
    %11 = tensor.empty() : tensor<2x6x4x8xf32>
    %12 = linalg.generic {indexing_maps = [#map46, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x8x4x6xf32>) outs(%11 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %12 : tensor<2x6x4x8xf32>
  }
  func.func @attention_bf16_softmax_f32(%arg0: tensor<2x6x4x8xbf16>, %arg1: tensor<2x6x4x8xbf16>, %arg2: tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16> {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = call @scores_8(%arg0, %arg1) : (tensor<2x6x4x8xbf16>, tensor<2x6x4x8xbf16>) -> tensor<2x4x6x6xbf16>
    %1 = tensor.empty() : tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x4x6x6xbf16>) outs(%1 : tensor<2x4x6x6xf32>) { ^bb0(%in: bf16, %out: f32): %9 = arith.extf %in : bf16 to f32 linalg.yield %9 : f32 } -> tensor<2x4x6x6xf32>
    %3 = call @tril() : () -> tensor<6x6xi1>
    %4 = call @_where(%3, %2, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %5 = call @softmax(%4) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xbf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xbf16>) { ^bb0(%in: f32, %out: bf16): %9 = arith.truncf %in : f32 to bf16 linalg.yield %9 : bf16 } -> tensor<2x4x6x6xbf16>
    %8 = call @values_9(%7, %arg2) : (tensor<2x4x6x6xbf16>, tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16>
    return %8 : tensor<2x6x4x8xbf16>
  }
  func.func private @scores_8(%arg0: tensor<2x6x4x8xbf16>, %arg1: tensor<2x6x4x8xbf16>) -> tensor<2x4x6x6xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant dense<2.828130e+00> : tensor<bf16>
    %0 = tensor.empty() : tensor<2x4x6x6xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<2x4x6x6xbf16>) -> tensor<2x4x6x6xbf16>
    %2 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xbf16>, tensor<2x6x4x8xbf16>) outs(%1 : tensor<2x4x6x6xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %5 = arith.mulf %in, %in_1 : bf16
      %6 = arith.addf %out, %5 : bf16
      linalg.yield %6 : bf16
    } -> tensor<2x4x6x6xbf16>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<bf16>) outs(%0 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6x6xbf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x6xbf16>, tensor<2x4x6x6xbf16>) outs(%0 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %in_1: bf16, %out: bf16): %5 = arith.divf %in, %in_1 : bf16 linalg.yield %5 : bf16 } -> tensor<2x4x6x6xbf16>
    return %4 : tensor<2x4x6x6xbf16>
  }
  func.func private @values_9(%arg0: tensor<2x4x6x6xbf16>, %arg1: tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty() : tensor<2x4x8x6xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<2x4x8x6xbf16>) -> tensor<2x4x8x6xbf16>
    %2 = linalg.generic {indexing_maps = [#map12, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x6x4x8xbf16>, tensor<2x4x6x6xbf16>) outs(%1 : tensor<2x4x8x6xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %5 = arith.mulf %in, %in_0 : bf16
      %6 = arith.addf %out, %5 : bf16
      linalg.yield %6 : bf16
    } -> tensor<2x4x8x6xbf16>
    %3 = tensor.empty() : tensor<2x6x4x8xbf16>
    %4 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x8x6xbf16>) outs(%3 : tensor<2x6x4x8xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x6x4x8xbf16>
    return %4 : tensor<2x6x4x8xbf16>
  }
  func.func @attention_bf16(%arg0: tensor<2x6x4x8xbf16>, %arg1: tensor<2x6x4x8xbf16>, %arg2: tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16> {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = call @scores_8(%arg0, %arg1) : (tensor<2x6x4x8xbf16>, tensor<2x6x4x8xbf16>) -> tensor<2x4x6x6xbf16>
    %2 = call @_where_10(%0, %1, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xbf16>, tensor<f32>) -> tensor<2x4x6x6xbf16>
    %3 = call @softmax_11(%2) : (tensor<2x4x6x6xbf16>) -> tensor<2x4x6x6xbf16>
    %4 = call @values_9(%3, %arg2) : (tensor<2x4x6x6xbf16>, tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16>
    return %4 : tensor<2x6x4x8xbf16>
  }
  func.func private @_where_10(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xbf16>, %arg2: tensor<f32>) -> tensor<2x4x6x6xbf16> {
    %0 = tensor.empty() : tensor<bf16>
    %1 = linalg.generic {indexing_maps = [#map48, #map48], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%0 : tensor<bf16>) { ^bb0(%in: f32, %out: bf16): %7 = arith.truncf %in : f32 to bf16 linalg.yield %7 : bf16 } -> tensor<bf16>
    %2 = tensor.empty() : tensor<2x4x6x6xi1>
    %3 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%2 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %4 = tensor.empty() : tensor<2x4x6x6xbf16>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<bf16>) outs(%4 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6x6xbf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %arg1, %5 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xbf16>, tensor<2x4x6x6xbf16>) outs(%4 : tensor<2x4x6x6xbf16>) { ^bb0(%in: i1, %in_0: bf16, %in_1: bf16, %out: bf16): %7 = arith.select %in, %in_0, %in_1 : bf16 linalg.yield %7 : bf16 } -> tensor<2x4x6x6xbf16>
    return %6 : tensor<2x4x6x6xbf16>
  }
  func.func private @softmax_11(%arg0: tensor<2x4x6x6xbf16>) -> tensor<2x4x6x6xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF80> : tensor<bf16>
    %cst_1 = arith.constant 0xFF80 : bf16
    %0 = tensor.empty() : tensor<2x4x6xbf16>
    %1 = linalg.fill ins(%cst_1 : bf16) outs(%0 : tensor<2x4x6xbf16>) -> tensor<2x4x6xbf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xbf16>) outs(%1 : tensor<2x4x6xbf16>) { ^bb0(%in: bf16, %out: bf16): %21 = arith.maximumf %out, %in : bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6xbf16>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<bf16>) outs(%0 : tensor<2x4x6xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6xbf16>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xbf16>, tensor<2x4x6xbf16>) outs(%0 : tensor<2x4x6xbf16>) { ^bb0(%in: bf16, %in_2: bf16, %out: bf16): %21 = arith.maximumf %in, %in_2 : bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6xbf16>
    %5 = tensor.empty() : tensor<2x4x6x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xbf16>) outs(%5 : tensor<2x4x6x1xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6x1xbf16>
    %7 = tensor.empty() : tensor<2x4x6x6xbf16>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1xbf16>) outs(%7 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6x6xbf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xbf16>, tensor<2x4x6x6xbf16>) outs(%7 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %in_2: bf16, %out: bf16): %21 = arith.subf %in, %in_2 : bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6x6xbf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xbf16>) outs(%7 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %out: bf16): %21 = math.exp %in : bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6x6xbf16>
    %11 = tensor.empty() : tensor<2x4x6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x4x6x6xbf16>) outs(%11 : tensor<2x4x6x6xf32>) { ^bb0(%in: bf16, %out: f32): %21 = arith.extf %in : bf16 to f32 linalg.yield %21 : f32 } -> tensor<2x4x6x6xf32>
    %13 = tensor.empty() : tensor<2x4x6xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x4x6x6xf32>) outs(%14 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %21 = arith.addf %out, %in : f32 linalg.yield %21 : f32 } -> tensor<2x4x6xf32>
    %16 = tensor.empty() : tensor<2x4x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x4x6xf32>) outs(%16 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x6x1xf32>) outs(%5 : tensor<2x4x6x1xbf16>) { ^bb0(%in: f32, %out: bf16): %21 = arith.truncf %in : f32 to bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6x1xbf16>
    %19 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x4x6x1xbf16>) outs(%7 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x4x6x6xbf16>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %19 : tensor<2x4x6x6xbf16>, tensor<2x4x6x6xbf16>) outs(%7 : tensor<2x4x6x6xbf16>) { ^bb0(%in: bf16, %in_2: bf16, %out: bf16): %21 = arith.divf %in, %in_2 : bf16 linalg.yield %21 : bf16 } -> tensor<2x4x6x6xbf16>
    return %20 : tensor<2x4x6x6xbf16>
  }
  func.func @attention_library(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 6, 4, 1, 8] : tensor<2x6x4x8xf32> into tensor<2x6x4x1x8xf32>
    %0 = tensor.empty() : tensor<2x4x6x1x6xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x4x6x1x6xf32>) -> tensor<2x4x6x1x6xf32>
    %2 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x6x4x1x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x1x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.mulf %in, %in_3 : f32
      %32 = arith.addf %out, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<2x4x6x1x6xf32>
    %3 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x1x6xf32>, tensor<2x4x6x1x6xf32>) outs(%0 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %31 = arith.mulf %in, %in_3 : f32 linalg.yield %31 : f32 } -> tensor<2x4x6x1x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x1xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x4x6x1xf32>) -> tensor<2x4x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<2x4x6x1x6xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): %31 = arith.maximumf %out, %in : f32 linalg.yield %31 : f32 } -> tensor<2x4x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %7 : tensor<2x4x6x1xf32>, tensor<2x4x6x1xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %31 = arith.maximumf %in, %in_3 : f32 linalg.yield %31 : f32 } -> tensor<2x4x6x1xf32>
    %10 = tensor.empty() : tensor<1x2x4x6xf32>
    %11 = linalg.generic {indexing_maps = [#map51, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x1xf32>) outs(%10 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6xf32>
    %12 = tensor.empty() : tensor<1x2x4x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x4x6xf32>) outs(%12 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %14 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map52, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6x1x6xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x4x6x1xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %31 = arith.subf %in, %in_3 : f32 linalg.yield %31 : f32 } -> tensor<1x2x4x6x6xf32>
    %18 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x4x6x6xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %31 = math.exp %in : f32 linalg.yield %31 : f32 } -> tensor<1x2x4x6x6xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %20 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x4x6x6xf32>) outs(%19 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %31 = arith.addf %out, %in : f32 linalg.yield %31 : f32 } -> tensor<1x2x4x6xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x4x6xf32>) outs(%12 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x4x6x1xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %22 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%14 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %31 = arith.divf %in, %in_3 : f32 linalg.yield %31 : f32 } -> tensor<1x2x4x6x6xf32>
    %24 = tensor.empty() : tensor<2x4x8x1x6xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x4x8x1x6xf32>) -> tensor<2x4x8x1x6xf32>
    %26 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %23 : tensor<2x6x4x8xf32>, tensor<1x2x4x6x6xf32>) outs(%25 : tensor<2x4x8x1x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.mulf %in, %in_3 : f32
      %32 = arith.addf %out, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<2x4x8x1x6xf32>
    %27 = tensor.empty() : tensor<1x2x6x4x8xf32>
    %28 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x8x1x6xf32>) outs(%27 : tensor<1x2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x4x8xf32>
    %29 = tensor.empty() : tensor<2x6x4x1x8xf32>
    %30 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x6x4x8xf32>) outs(%29 : tensor<2x6x4x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x1x8xf32>
    %collapsed = tensor.collapse_shape %30 [[0], [1], [2], [3, 4]] : tensor<2x6x4x1x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func @attention_library_causal(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 6, 4, 1, 8] : tensor<2x6x4x8xf32> into tensor<2x6x4x1x8xf32>
    %0 = tensor.empty() : tensor<2x4x6x1x6xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x4x6x1x6xf32>) -> tensor<2x4x6x1x6xf32>
    %2 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x6x4x1x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x1x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %38 = arith.mulf %in, %in_5 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<2x4x6x1x6xf32>
    %3 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x1x6xf32>, tensor<2x4x6x1x6xf32>) outs(%0 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.mulf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<2x4x6x1x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%5 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %7 = tensor.empty() : tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%7 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %9 = call @tril_0(%8) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %10 = tensor.empty() : tensor<1x1x6x6xi1>
    %11 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<6x6xi1>) outs(%10 : tensor<1x1x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x1x6x6xi1>
    %12 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x6x6xi1>) outs(%5 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xi1>) outs(%5 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %in_5: i1, %out: i1): %38 = arith.andi %in, %in_5 : i1 linalg.yield %38 : i1 } -> tensor<2x4x6x6xi1>
    %14 = call @_where_13(%13, %4, %cst_2) : (tensor<2x4x6x6xi1>, tensor<2x4x6x1x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %15 = tensor.empty() : tensor<1x2x4x6xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x4x6x6xf32>) outs(%16 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = arith.maximumf %out, %in : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%15 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %17 : tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>) outs(%15 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.maximumf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6xf32>
    %20 = tensor.empty() : tensor<1x2x4x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x4x6xf32>) outs(%20 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %22 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x4x6x1xf32>) outs(%22 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %24 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %23 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%22 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.subf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6x6xf32>
    %25 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x4x6x6xf32>) outs(%22 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = math.exp %in : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6x6xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %27 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x4x6x6xf32>) outs(%26 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = arith.addf %out, %in : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x4x6xf32>) outs(%20 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x4x6x1xf32>) outs(%22 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %30 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %29 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%22 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.divf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<1x2x4x6x6xf32>
    %31 = tensor.empty() : tensor<2x4x8x1x6xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<2x4x8x1x6xf32>) -> tensor<2x4x8x1x6xf32>
    %33 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %30 : tensor<2x6x4x8xf32>, tensor<1x2x4x6x6xf32>) outs(%32 : tensor<2x4x8x1x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %38 = arith.mulf %in, %in_5 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<2x4x8x1x6xf32>
    %34 = tensor.empty() : tensor<1x2x6x4x8xf32>
    %35 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x4x8x1x6xf32>) outs(%34 : tensor<1x2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x4x8xf32>
    %36 = tensor.empty() : tensor<2x6x4x1x8xf32>
    %37 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x6x4x8xf32>) outs(%36 : tensor<2x6x4x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x1x8xf32>
    %collapsed = tensor.collapse_shape %37 [[0], [1], [2], [3, 4]] : tensor<2x6x4x1x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func private @_where_13(%arg0: tensor<2x4x6x6xi1>, %arg1: tensor<2x4x6x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %2 = tensor.empty() : tensor<1x2x4x6x6xi1>
    %3 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x4x6x6xi1>) outs(%2 : tensor<1x2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x2x4x6x6xi1>
    %4 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x4x6x6xf32>) outs(%4 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map52, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x4x6x1x6xf32>) outs(%4 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map36, #map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3, %6, %5 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%4 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %8 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %8 : f32 } -> tensor<1x2x4x6x6xf32>
    return %7 : tensor<1x2x4x6x6xf32>
  }
  func.func @attention_library_grouped(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x2x8xf32>, %arg2: tensor<2x6x2x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 6, 2, 2, 8] : tensor<2x6x4x8xf32> into tensor<2x6x2x2x8xf32>
    %0 = tensor.empty() : tensor<2x2x6x2x6xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x2x6x2x6xf32>) -> tensor<2x2x6x2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x6x2x2x8xf32>, tensor<2x6x2x8xf32>) outs(%1 : tensor<2x2x6x2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %38 = arith.mulf %in, %in_5 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<2x2x6x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<2x2x6x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x2x6x2x6xf32>, tensor<2x2x6x2x6xf32>) outs(%0 : tensor<2x2x6x2x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.mulf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<2x2x6x2x6xf32>
    %5 = tensor.empty() : tensor<2x2x6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%5 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x6x6xi1>
    %7 = tensor.empty() : tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%7 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %9 = call @tril_0(%8) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %10 = tensor.empty() : tensor<1x1x6x6xi1>
    %11 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<6x6xi1>) outs(%10 : tensor<1x1x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x1x6x6xi1>
    %12 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x6x6xi1>) outs(%5 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x6x6xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<2x2x6x6xi1>, tensor<2x2x6x6xi1>) outs(%5 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %in_5: i1, %out: i1): %38 = arith.andi %in, %in_5 : i1 linalg.yield %38 : i1 } -> tensor<2x2x6x6xi1>
    %14 = call @_where_15(%13, %4, %cst_2) : (tensor<2x2x6x6xi1>, tensor<2x2x6x2x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %15 = tensor.empty() : tensor<2x2x2x6xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x2x2x6x6xf32>) outs(%16 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = arith.maximumf %out, %in : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%15 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %17 : tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) outs(%15 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.maximumf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6xf32>
    %20 = tensor.empty() : tensor<2x2x2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x2x2x6xf32>) outs(%20 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %22 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x2x2x6x1xf32>) outs(%22 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %24 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %23 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%22 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.subf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6x6xf32>
    %25 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x2x2x6x6xf32>) outs(%22 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = math.exp %in : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6x6xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x2x2x6x6xf32>) outs(%26 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %38 = arith.addf %out, %in : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x2x2x6xf32>) outs(%20 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x2x2x6x1xf32>) outs(%22 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %30 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %29 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%22 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %38 = arith.divf %in, %in_5 : f32 linalg.yield %38 : f32 } -> tensor<2x2x2x6x6xf32>
    %31 = tensor.empty() : tensor<2x2x8x2x6xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<2x2x8x2x6xf32>) -> tensor<2x2x8x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %30 : tensor<2x6x2x8xf32>, tensor<2x2x2x6x6xf32>) outs(%32 : tensor<2x2x8x2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %38 = arith.mulf %in, %in_5 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<2x2x8x2x6xf32>
    %34 = tensor.empty() : tensor<2x2x6x2x8xf32>
    %35 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x2x8x2x6xf32>) outs(%34 : tensor<2x2x6x2x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x2x8xf32>
    %36 = tensor.empty() : tensor<2x6x2x2x8xf32>
    %37 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x2x6x2x8xf32>) outs(%36 : tensor<2x6x2x2x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x2x2x8xf32>
    %collapsed = tensor.collapse_shape %37 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func private @_where_15(%arg0: tensor<2x2x6x6xi1>, %arg1: tensor<2x2x6x2x6xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x6x6xf32> {
    %0 = tensor.empty() : tensor<2x2x6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x6xf32>
    %2 = tensor.empty() : tensor<2x2x2x6x6xi1>
    %3 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x2x6x6xi1>) outs(%2 : tensor<2x2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x2x6x6xi1>
    %4 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x2x6x6xf32>) outs(%4 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map52, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x6x2x6xf32>) outs(%4 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map36, #map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3, %6, %5 : tensor<2x2x2x6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%4 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %8 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %8 : f32 } -> tensor<2x2x2x6x6xf32>
    return %7 : tensor<2x2x2x6x6xf32>
  }
  func.func @attention_library_bf16(%arg0: tensor<2x6x4x8xbf16>, %arg1: tensor<2x6x2x8xbf16>, %arg2: tensor<2x6x2x8xbf16>) -> tensor<2x6x4x8xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [2, 6, 2, 2, 8] : tensor<2x6x4x8xbf16> into tensor<2x6x2x2x8xbf16>
    %0 = tensor.empty() : tensor<2x6x2x2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x2x2x8xbf16>) outs(%0 : tensor<2x6x2x2x8xf32>) { ^bb0(%in: bf16, %out: f32): %44 = arith.extf %in : bf16 to f32 linalg.yield %44 : f32 } -> tensor<2x6x2x2x8xf32>
    %2 = tensor.empty() : tensor<2x6x2x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x2x8xbf16>) outs(%2 : tensor<2x6x2x8xf32>) { ^bb0(%in: bf16, %out: f32): %44 = arith.extf %in : bf16 to f32 linalg.yield %44 : f32 } -> tensor<2x6x2x8xf32>
    %4 = tensor.empty() : tensor<2x2x6x2x6xf32>
    %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<2x2x6x2x6xf32>) -> tensor<2x2x6x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%1, %3 : tensor<2x6x2x2x8xf32>, tensor<2x6x2x8xf32>) outs(%5 : tensor<2x2x6x2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %44 = arith.mulf %in, %in_6 : f32
      %45 = arith.addf %out, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<2x2x6x2x6xf32>
    %7 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%4 : tensor<2x2x6x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x2x6x2x6xf32>, tensor<2x2x6x2x6xf32>) outs(%4 : tensor<2x2x6x2x6xf32>) { ^bb0(%in: f32, %in_6: f32, %out: f32): %44 = arith.mulf %in, %in_6 : f32 linalg.yield %44 : f32 } -> tensor<2x2x6x2x6xf32>
    %9 = tensor.empty() : tensor<2x2x6x6xi1>
    %10 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<i1>) outs(%9 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x6x6xi1>
    %11 = tensor.empty() : tensor<6x6xi1>
    %12 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i1>) outs(%11 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %13 = call @tril_0(%12) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %14 = tensor.empty() : tensor<1x1x6x6xi1>
    %15 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<6x6xi1>) outs(%14 : tensor<1x1x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x1x6x6xi1>
    %16 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x6x6xi1>) outs(%9 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x2x6x6xi1>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %16 : tensor<2x2x6x6xi1>, tensor<2x2x6x6xi1>) outs(%9 : tensor<2x2x6x6xi1>) { ^bb0(%in: i1, %in_6: i1, %out: i1): %44 = arith.andi %in, %in_6 : i1 linalg.yield %44 : i1 } -> tensor<2x2x6x6xi1>
    %18 = call @_where_15(%17, %8, %cst_3) : (tensor<2x2x6x6xi1>, tensor<2x2x6x2x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %19 = tensor.empty() : tensor<2x2x2x6xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x2x2x6x6xf32>) outs(%20 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = arith.maximumf %out, %in : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%19 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %21 : tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) outs(%19 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %in_6: f32, %out: f32): %44 = arith.maximumf %in, %in_6 : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6xf32>
    %24 = tensor.empty() : tensor<2x2x2x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x2x2x6xf32>) outs(%24 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %26 = tensor.empty() : tensor<2x2x2x6x6xf32>
    %27 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x2x2x6x1xf32>) outs(%26 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %28 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %27 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%26 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_6: f32, %out: f32): %44 = arith.subf %in, %in_6 : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6x6xf32>
    %29 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x2x2x6x6xf32>) outs(%26 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.exp %in : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6x6xf32>
    %30 = linalg.fill ins(%cst_1 : f32) outs(%19 : tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<2x2x2x6x6xf32>) outs(%30 : tensor<2x2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = arith.addf %out, %in : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x2x2x6xf32>) outs(%24 : tensor<2x2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x1xf32>
    %33 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x2x2x6x1xf32>) outs(%26 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x2x6x6xf32>
    %34 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29, %33 : tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) outs(%26 : tensor<2x2x2x6x6xf32>) { ^bb0(%in: f32, %in_6: f32, %out: f32): %44 = arith.divf %in, %in_6 : f32 linalg.yield %44 : f32 } -> tensor<2x2x2x6x6xf32>
    %35 = tensor.empty() : tensor<2x2x2x6x6xbf16>
    %36 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x2x2x6x6xf32>) outs(%35 : tensor<2x2x2x6x6xbf16>) { ^bb0(%in: f32, %out: bf16): %44 = arith.truncf %in : f32 to bf16 linalg.yield %44 : bf16 } -> tensor<2x2x2x6x6xbf16>
    %37 = tensor.empty() : tensor<2x2x8x2x6xbf16>
    %38 = linalg.fill ins(%cst : bf16) outs(%37 : tensor<2x2x8x2x6xbf16>) -> tensor<2x2x8x2x6xbf16>
    %39 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %36 : tensor<2x6x2x8xbf16>, tensor<2x2x2x6x6xbf16>) outs(%38 : tensor<2x2x8x2x6xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %44 = arith.mulf %in, %in_6 : bf16
      %45 = arith.addf %out, %44 : bf16
      linalg.yield %45 : bf16
    } -> tensor<2x2x8x2x6xbf16>
    %40 = tensor.empty() : tensor<2x2x6x2x8xbf16>
    %41 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x2x8x2x6xbf16>) outs(%40 : tensor<2x2x6x2x8xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x2x6x2x8xbf16>
    %42 = tensor.empty() : tensor<2x6x2x2x8xbf16>
    %43 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x2x6x2x8xbf16>) outs(%42 : tensor<2x6x2x2x8xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<2x6x2x2x8xbf16>
    %collapsed = tensor.collapse_shape %43 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xbf16> into tensor<2x6x4x8xbf16>
    return %collapsed : tensor<2x6x4x8xbf16>
  }
  func.func @attention_library_bias(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>, %arg3: tensor<2x1x6x6xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 6, 4, 1, 8] : tensor<2x6x4x8xf32> into tensor<2x6x4x1x8xf32>
    %0 = tensor.empty() : tensor<2x1x1x6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map13, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x6x6xf32>) outs(%0 : tensor<2x1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x1x1x6x6xf32>
    %2 = tensor.empty() : tensor<2x4x6x1x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x4x6x1x6xf32>) -> tensor<2x4x6x1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x6x4x1x8xf32>, tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x1x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %35 = arith.mulf %in, %in_3 : f32
      %36 = arith.addf %out, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<2x4x6x1x6xf32>
    %5 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%2 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x6xf32>
    %6 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x4x6x1x6xf32>, tensor<2x4x6x1x6xf32>) outs(%2 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %35 = arith.mulf %in, %in_3 : f32 linalg.yield %35 : f32 } -> tensor<2x4x6x1x6xf32>
    %7 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map52, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %9 = tensor.empty() : tensor<1x2x1x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map57, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x1x6x6xf32>) outs(%9 : tensor<1x2x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x1x6x6xf32>
    %11 = linalg.generic {indexing_maps = [#map43, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x2x1x6x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %12 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %35 = arith.addf %in, %in_3 : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6x6xf32>
    %13 = tensor.empty() : tensor<1x2x4x6xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %15 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x4x6x6xf32>) outs(%14 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %35 = arith.maximumf %out, %in : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%13 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %15 : tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>) outs(%13 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %35 = arith.maximumf %in, %in_3 : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6xf32>
    %18 = tensor.empty() : tensor<1x2x4x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x4x6xf32>) outs(%18 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x4x6x1xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %21 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12, %20 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %35 = arith.subf %in, %in_3 : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6x6xf32>
    %22 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x4x6x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %35 = math.exp %in : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6x6xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %24 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x4x6x6xf32>) outs(%23 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %35 = arith.addf %out, %in : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x4x6xf32>) outs(%18 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x4x6x1xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %27 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %26 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%7 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_3: f32, %out: f32): %35 = arith.divf %in, %in_3 : f32 linalg.yield %35 : f32 } -> tensor<1x2x4x6x6xf32>
    %28 = tensor.empty() : tensor<2x4x8x1x6xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<2x4x8x1x6xf32>) -> tensor<2x4x8x1x6xf32>
    %30 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %27 : tensor<2x6x4x8xf32>, tensor<1x2x4x6x6xf32>) outs(%29 : tensor<2x4x8x1x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %35 = arith.mulf %in, %in_3 : f32
      %36 = arith.addf %out, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<2x4x8x1x6xf32>
    %31 = tensor.empty() : tensor<1x2x6x4x8xf32>
    %32 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x4x8x1x6xf32>) outs(%31 : tensor<1x2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x4x8xf32>
    %33 = tensor.empty() : tensor<2x6x4x1x8xf32>
    %34 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x6x4x8xf32>) outs(%33 : tensor<2x6x4x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x1x8xf32>
    %collapsed = tensor.collapse_shape %34 [[0], [1], [2], [3, 4]] : tensor<2x6x4x1x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func @attention_library_mask(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>, %arg3: tensor<2x1x6x6xi1>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [2, 6, 4, 1, 8] : tensor<2x6x4x8xf32> into tensor<2x6x4x1x8xf32>
    %0 = tensor.empty() : tensor<2x1x1x6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map13, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x6x6xi1>) outs(%0 : tensor<2x1x1x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x1x1x6x6xi1>
    %2 = tensor.empty() : tensor<2x4x6x1x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x4x6x1x6xf32>) -> tensor<2x4x6x1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map49, #map50, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<2x6x4x1x8xf32>, tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x1x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %39 = arith.mulf %in, %in_5 : f32
      %40 = arith.addf %out, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<2x4x6x1x6xf32>
    %5 = linalg.generic {indexing_maps = [#map37, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%2 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1x6xf32>
    %6 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x4x6x1x6xf32>, tensor<2x4x6x1x6xf32>) outs(%2 : tensor<2x4x6x1x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %39 = arith.mulf %in, %in_5 : f32 linalg.yield %39 : f32 } -> tensor<2x4x6x1x6xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%7 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %9 = tensor.empty() : tensor<1x2x4x6x6xi1>
    %10 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x4x6x6xi1>) outs(%9 : tensor<1x2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x2x4x6x6xi1>
    %11 = tensor.empty() : tensor<1x2x1x6x6xi1>
    %12 = linalg.generic {indexing_maps = [#map57, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x1x6x6xi1>) outs(%11 : tensor<1x2x1x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x2x1x6x6xi1>
    %13 = linalg.generic {indexing_maps = [#map43, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x1x6x6xi1>) outs(%9 : tensor<1x2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<1x2x4x6x6xi1>
    %14 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %13 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xi1>) outs(%9 : tensor<1x2x4x6x6xi1>) { ^bb0(%in: i1, %in_5: i1, %out: i1): %39 = arith.andi %in, %in_5 : i1 linalg.yield %39 : i1 } -> tensor<1x2x4x6x6xi1>
    %15 = call @_where_16(%14, %6, %cst_2) : (tensor<1x2x4x6x6xi1>, tensor<2x4x6x1x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %16 = tensor.empty() : tensor<1x2x4x6xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %18 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x4x6x6xf32>) outs(%17 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %39 = arith.maximumf %out, %in : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%16 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>) outs(%16 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %39 = arith.maximumf %in, %in_5 : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6xf32>
    %21 = tensor.empty() : tensor<1x2x4x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x4x6xf32>) outs(%21 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %23 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %24 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x4x6x1xf32>) outs(%23 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %25 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %24 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%23 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %39 = arith.subf %in, %in_5 : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6x6xf32>
    %26 = linalg.generic {indexing_maps = [#map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x4x6x6xf32>) outs(%23 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %39 = math.exp %in : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6x6xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %28 = linalg.generic {indexing_maps = [#map36, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x4x6x6xf32>) outs(%27 : tensor<1x2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %39 = arith.addf %out, %in : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x4x6xf32>) outs(%21 : tensor<1x2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map42, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x4x6x1xf32>) outs(%23 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %31 = linalg.generic {indexing_maps = [#map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%23 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %39 = arith.divf %in, %in_5 : f32 linalg.yield %39 : f32 } -> tensor<1x2x4x6x6xf32>
    %32 = tensor.empty() : tensor<2x4x8x1x6xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<2x4x8x1x6xf32>) -> tensor<2x4x8x1x6xf32>
    %34 = linalg.generic {indexing_maps = [#map38, #map53, #map34], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %31 : tensor<2x6x4x8xf32>, tensor<1x2x4x6x6xf32>) outs(%33 : tensor<2x4x8x1x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %39 = arith.mulf %in, %in_5 : f32
      %40 = arith.addf %out, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<2x4x8x1x6xf32>
    %35 = tensor.empty() : tensor<1x2x6x4x8xf32>
    %36 = linalg.generic {indexing_maps = [#map54, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x4x8x1x6xf32>) outs(%35 : tensor<1x2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x4x8xf32>
    %37 = tensor.empty() : tensor<2x6x4x1x8xf32>
    %38 = linalg.generic {indexing_maps = [#map55, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x6x4x8xf32>) outs(%37 : tensor<2x6x4x1x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x1x8xf32>
    %collapsed = tensor.collapse_shape %38 [[0], [1], [2], [3, 4]] : tensor<2x6x4x1x8xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
  func.func private @_where_16(%arg0: tensor<1x2x4x6x6xi1>, %arg1: tensor<2x4x6x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %2 = tensor.empty() : tensor<1x2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map56, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x4x6x6xf32>) outs(%2 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map52, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x4x6x1x6xf32>) outs(%2 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map36, #map36, #map36, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %4, %3 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>, tensor<1x2x4x6x6xf32>) outs(%2 : tensor<1x2x4x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %6 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %6 : f32 } -> tensor<1x2x4x6x6xf32>
    return %5 : tensor<1x2x4x6x6xf32>
  }
  func.func @attention_mask_input(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>, %arg3: tensor<6x6xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = tensor.empty() : tensor<1x1x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<6x6xf32>) outs(%1 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %3 = tensor.empty() : tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x1x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %4 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %8 = arith.addf %in, %in_0 : f32 linalg.yield %8 : f32 } -> tensor<2x4x6x6xf32>
    %6 = call @softmax(%5) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %7 = call @values(%6, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %7 : tensor<2x6x4x8xf32>
  }
  func.func @attention_projected(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 2.82842708 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x32xf32>
    %expanded = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %3 = tensor.empty() : tensor<2x4x6x8xf32>
    %4 = linalg.generic {indexing_maps = [#map60, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x8xf32>
    %5 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x32xf32>
    %expanded_2 = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %6 = linalg.generic {indexing_maps = [#map60, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_2 : tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x8xf32>
    %7 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg3 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x32xf32>
    %expanded_3 = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %8 = linalg.generic {indexing_maps = [#map60, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x8xf32>
    %9 = tensor.empty() : tensor<2x4x8x6xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x8xf32>) outs(%9 : tensor<2x4x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x8x6xf32>
    %11 = tensor.empty() : tensor<2x4x6x6xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4, %10 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%12 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x6x6xf32>
    %14 = tensor.empty() : tensor<f32>
    %15 = linalg.generic {indexing_maps = [#map48], iterator_types = []} outs(%14 : tensor<f32>) { ^bb0(%out: f32): linalg.yield %cst : f32 } -> tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<f32>) outs(%11 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %26 = arith.divf %in, %in_4 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x6xf32>
    %18 = call @tril() : () -> tensor<6x6xi1>
    %19 = call @_where(%18, %17, %cst_1) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %20 = call @softmax(%19) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%20, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%21 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x4x6x8xf32>
    %23 = tensor.empty() : tensor<2x6x4x8xf32>
    %24 = linalg.generic {indexing_maps = [#map60, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x4x6x8xf32>) outs(%23 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    %collapsed = tensor.collapse_shape %24 [[0], [1], [2, 3]] : tensor<2x6x4x8xf32> into tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg4 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.mulf %in, %in_4 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x32xf32>
    return %25 : tensor<2x6x32xf32>
  }
  func.func @attention_projected_together(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32x96xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x96xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x96xf32>) -> tensor<2x6x96xf32>
    %2 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x32xf32>, tensor<32x96xf32>) outs(%1 : tensor<2x6x96xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %6 = arith.mulf %in, %in_4 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x96xf32>
    %extracted_slice = tensor.extract_slice %2[0, 0, 0] [2, 6, 32] [1, 1, 1] : tensor<2x6x96xf32> to tensor<2x6x32xf32>
    %extracted_slice_0 = tensor.extract_slice %2[0, 0, 32] [2, 6, 32] [1, 1, 1] : tensor<2x6x96xf32> to tensor<2x6x32xf32>
    %extracted_slice_1 = tensor.extract_slice %2[0, 0, 64] [2, 6, 32] [1, 1, 1] : tensor<2x6x96xf32> to tensor<2x6x32xf32>
    %expanded = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %expanded_2 = tensor.expand_shape %extracted_slice_0 [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %expanded_3 = tensor.expand_shape %extracted_slice_1 [[0], [1], [2, 3]] output_shape [2, 6, 4, 8] : tensor<2x6x32xf32> into tensor<2x6x4x8xf32>
    %3 = call @scores(%expanded, %expanded_2) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %4 = call @softmax(%3) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %5 = call @values(%4, %expanded_3) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    %collapsed = tensor.collapse_shape %5 [[0], [1], [2, 3]] : tensor<2x6x4x8xf32> into tensor<2x6x32xf32>
    return %collapsed : tensor<2x6x32xf32>
  }
  func.func @attention_projected_five(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32x96xf32>) -> tensor<2x4x6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x96xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x96xf32>) -> tensor<2x6x96xf32>
    %2 = linalg.generic {indexing_maps = [#map58, #map59, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x32xf32>, tensor<32x96xf32>) outs(%1 : tensor<2x6x96xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %16 = arith.mulf %in, %in_5 : f32
      %17 = arith.addf %out, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<2x6x96xf32>
    %expanded = tensor.expand_shape %2 [[0], [1], [2, 3, 4]] output_shape [2, 6, 3, 4, 8] : tensor<2x6x96xf32> into tensor<2x6x3x4x8xf32>
    %3 = tensor.empty() : tensor<3x2x4x6x8xf32>
    %4 = linalg.generic {indexing_maps = [#map61, #map36], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x6x3x4x8xf32>) outs(%3 : tensor<3x2x4x6x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x4x6x8xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0, 0, 0, 0] [1, 2, 4, 6, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x6x8xf32> to tensor<1x2x4x6x8xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x4x6x8xf32> into tensor<2x4x6x8xf32>
    %extracted_slice_1 = tensor.extract_slice %4[1, 0, 0, 0, 0] [1, 2, 4, 6, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x6x8xf32> to tensor<1x2x4x6x8xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1], [2], [3], [4]] : tensor<1x2x4x6x8xf32> into tensor<2x4x6x8xf32>
    %extracted_slice_3 = tensor.extract_slice %4[2, 0, 0, 0, 0] [1, 2, 4, 6, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x6x8xf32> to tensor<1x2x4x6x8xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2], [3], [4]] : tensor<1x2x4x6x8xf32> into tensor<2x4x6x8xf32>
    %5 = tensor.empty() : tensor<2x4x8x6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<2x4x6x8xf32>) outs(%5 : tensor<2x4x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x8x6xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %6 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %16 = arith.mulf %in, %in_5 : f32
      %17 = arith.addf %out, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %16 = arith.mulf %in, %in_5 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %12 = call @softmax(%11) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %13 = tensor.empty() : tensor<2x4x6x8xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%12, %collapsed_4 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%14 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %16 = arith.mulf %in, %in_5 : f32
      %17 = arith.addf %out, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<2x4x6x8xf32>
    return %15 : tensor<2x4x6x8xf32>
  }
  func.func @attention_vmap(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x8x6xf32>
    %1 = linalg.generic {indexing_maps = [#map62, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x8x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x8x6xf32>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %1 : tensor<2x6x4x8xf32>, tensor<2x4x8x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %13 = arith.mulf %in, %in_1 : f32 linalg.yield %13 : f32 } -> tensor<2x4x6x6xf32>
    %7 = call @softmax(%6) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %8 = tensor.empty() : tensor<2x4x6x8xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map63, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%7, %arg2 : tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) outs(%9 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<2x4x6x8xf32>
    %11 = tensor.empty() : tensor<2x6x4x8xf32>
    %12 = linalg.generic {indexing_maps = [#map60, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x4x6x8xf32>) outs(%11 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %12 : tensor<2x6x4x8xf32>
  }
  func.func @attention_no_maximum(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = tensor.empty() : tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %11 = math.exp %in : f32 linalg.yield %11 : f32 } -> tensor<2x4x6x6xf32>
    %3 = tensor.empty() : tensor<2x4x6xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<2x4x6x6xf32>) outs(%4 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %11 = arith.addf %out, %in : f32 linalg.yield %11 : f32 } -> tensor<2x4x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x6xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x4x6x1xf32>) outs(%1 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %11 = arith.divf %in, %in_0 : f32 linalg.yield %11 : f32 } -> tensor<2x4x6x6xf32>
    %10 = call @values(%9, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %10 : tensor<2x6x4x8xf32>
  }
  func.func @attention_one_query(%arg0: tensor<2x1x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x1x4x8xf32> {
    %0 = call @scores_18(%arg0, %arg1) : (tensor<2x1x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x1x6xf32>
    %1 = call @softmax_19(%0) : (tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %2 = call @values_20(%1, %arg2) : (tensor<2x4x1x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x1x4x8xf32>
    return %2 : tensor<2x1x4x8xf32>
  }
  func.func private @scores_18(%arg0: tensor<2x1x4x8xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x4x1x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x1x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %2 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x1x4x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x1x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.mulf %in, %in_1 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x1x6xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) outs(%0 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %5 = arith.divf %in, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x1x6xf32>
    return %4 : tensor<2x4x1x6xf32>
  }
  func.func private @softmax_19(%arg0: tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x1xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x1x6xf32>) outs(%1 : tensor<2x4x1xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x1xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x1xf32>, tensor<2x4x1xf32>) outs(%0 : tensor<2x4x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x1xf32>
    %5 = tensor.empty() : tensor<2x4x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x1xf32>) outs(%5 : tensor<2x4x1x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x1xf32>
    %7 = tensor.empty() : tensor<2x4x1x6xf32>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x1x1xf32>) outs(%7 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x1x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x1x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x1x6xf32>) outs(%11 : tensor<2x4x1xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x1xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x1xf32>) outs(%5 : tensor<2x4x1x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x1x1xf32>) outs(%7 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x1x6xf32>
    return %15 : tensor<2x4x1x6xf32>
  }
  func.func private @values_20(%arg0: tensor<2x4x1x6xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x1x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x8x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %2 = linalg.generic {indexing_maps = [#map12, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x6x4x8xf32>, tensor<2x4x1x6xf32>) outs(%1 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x8x1xf32>
    %3 = tensor.empty() : tensor<2x1x4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x8x1xf32>) outs(%3 : tensor<2x1x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x1x4x8xf32>
    return %4 : tensor<2x1x4x8xf32>
  }
  func.func @attention_other_keys(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x9x4x8xf32>, %arg2: tensor<2x9x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores_21(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x9x4x8xf32>) -> tensor<2x4x6x9xf32>
    %1 = call @softmax_22(%0) : (tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32>
    %2 = call @values_23(%1, %arg2) : (tensor<2x4x6x9xf32>, tensor<2x9x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %2 : tensor<2x6x4x8xf32>
  }
  func.func private @scores_21(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x9x4x8xf32>) -> tensor<2x4x6x9xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x6x9xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32>
    %2 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x9x4x8xf32>) outs(%1 : tensor<2x4x6x9xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.mulf %in, %in_1 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x6x9xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x9xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x9xf32>, tensor<2x4x6x9xf32>) outs(%0 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %5 = arith.divf %in, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x9xf32>
    return %4 : tensor<2x4x6x9xf32>
  }
  func.func private @softmax_22(%arg0: tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x9xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %7 = tensor.empty() : tensor<2x4x6x9xf32>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x9xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x9xf32>, tensor<2x4x6x9xf32>) outs(%7 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x9xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x9xf32>) outs(%7 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x9xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x9xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x9xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x6x9xf32>, tensor<2x4x6x9xf32>) outs(%7 : tensor<2x4x6x9xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x9xf32>
    return %15 : tensor<2x4x6x9xf32>
  }
  func.func private @values_23(%arg0: tensor<2x4x6x9xf32>, %arg1: tensor<2x9x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x8x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %2 = linalg.generic {indexing_maps = [#map12, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x9x4x8xf32>, tensor<2x4x6x9xf32>) outs(%1 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x8x6xf32>
    %3 = tensor.empty() : tensor<2x6x4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x8x6xf32>) outs(%3 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func @attention_log_sum(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = tensor.empty() : tensor<2x4x6xf32>
    %2 = linalg.fill ins(%cst_1 : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0 : tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = arith.maximumf %out, %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %5 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %3 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %26 = arith.maximumf %in, %in_4 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x6xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %8 = tensor.empty() : tensor<2x4x6x1xi1>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x4x6x1xf32>) outs(%8 : tensor<2x4x6x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %26 = math.absf %in : f32
      %27 = arith.cmpf one, %26, %cst_0 : f32
      linalg.yield %27 : i1
    } -> tensor<2x4x6x1xi1>
    %10 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %7, %10 : tensor<2x4x6x1xi1>, tensor<2x4x6x1xf32>, tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32): %26 = arith.select %in, %in_4, %in_5 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x1xf32>
    %12 = tensor.empty() : tensor<2x4x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x4x6x1xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %13 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %26 = arith.subf %in, %in_4 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.exp %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x6xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = arith.addf %out, %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6xf32>
    %18 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x6xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.absf %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.log %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %11 : tensor<2x4x6x1xf32>, tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %26 = arith.addf %in, %in_4 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x4x6x1xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %22 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_4: f32, %out: f32): %26 = arith.subf %in, %in_4 : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x6xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.exp %in : f32 linalg.yield %26 : f32 } -> tensor<2x4x6x6xf32>
    %25 = call @values(%24, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %25 : tensor<2x6x4x8xf32>
  }
  func.func @attention_log_softmax(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = call @log_softmax(%0) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %5 = math.exp %in : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x6xf32>
    %4 = call @values(%3, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = arith.maximumf %out, %in : f32 linalg.yield %17 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.maximumf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.subf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = math.exp %in : f32 linalg.yield %17 : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = arith.addf %out, %in : f32 linalg.yield %17 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x1xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): %17 = math.log %in : f32 linalg.yield %17 : f32 } -> tensor<2x4x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.subf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<2x4x6x6xf32>
    return %16 : tensor<2x4x6x6xf32>
  }
  func.func @attention_keys_first(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%0 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %11 = arith.mulf %in, %in_1 : f32 linalg.yield %11 : f32 } -> tensor<2x6x4x8xf32>
    %3 = tensor.empty() : tensor<2x4x6x6xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %2 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<2x4x6x6xf32>
    %6 = call @softmax_24(%5) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %7 = tensor.empty() : tensor<2x4x8x6xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %6 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%8 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<2x4x8x6xf32>
    %10 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x8x6xf32>) outs(%0 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %10 : tensor<2x6x4x8xf32>
  }
  func.func private @softmax_24(%arg0: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x1x6xf32>
    %6 = linalg.generic {indexing_maps = [#map58, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map64, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map58, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %14 = linalg.generic {indexing_maps = [#map64, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    return %15 : tensor<2x4x6x6xf32>
  }
  func.func @attention_divided_late(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = tensor.empty() : tensor<2x4x6xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0 : tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %20 = arith.maximumf %out, %in : f32 linalg.yield %20 : f32 } -> tensor<2x4x6xf32>
    %4 = tensor.empty() : tensor<2x4x6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x4x6xf32>) outs(%4 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x6x1xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %7 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %20 = arith.subf %in, %in_1 : f32 linalg.yield %20 : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %20 = math.exp %in : f32 linalg.yield %20 : f32 } -> tensor<2x4x6x6xf32>
    %10 = call @values(%9, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %20 = arith.addf %out, %in : f32 linalg.yield %20 : f32 } -> tensor<2x4x6xf32>
    %13 = tensor.empty() : tensor<2x6x4xf32>
    %14 = linalg.generic {indexing_maps = [#map31, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%13 : tensor<2x6x4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4xf32>
    %15 = tensor.empty() : tensor<2x6x4x1xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6x4xf32>) outs(%15 : tensor<2x6x4x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x1xf32>
    %17 = tensor.empty() : tensor<2x6x4x8xf32>
    %18 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x4x1xf32>) outs(%17 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %18 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%17 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %20 = arith.divf %in, %in_1 : f32 linalg.yield %20 : f32 } -> tensor<2x6x4x8xf32>
    return %19 : tensor<2x6x4x8xf32>
  }
  func.func @attention_causal_positions(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<6xi32>
    %1 = linalg.generic {indexing_maps = [#map29], iterator_types = ["parallel"]} outs(%0 : tensor<6xi32>) {
    ^bb0(%out: i32):
      %20 = linalg.index 0 : index
      %21 = arith.index_cast %20 : index to i32
      linalg.yield %21 : i32
    } -> tensor<6xi32>
    %2 = tensor.empty() : tensor<6x1xi32>
    %3 = linalg.generic {indexing_maps = [#map27, #map16], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6xi32>) outs(%2 : tensor<6x1xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x1xi32>
    %4 = tensor.empty() : tensor<1x6xi32>
    %5 = linalg.generic {indexing_maps = [#map65, #map16], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6xi32>) outs(%4 : tensor<1x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<1x6xi32>
    %6 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %7 = tensor.empty() : tensor<6x6xi32>
    %8 = linalg.generic {indexing_maps = [#map30, #map16], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x1xi32>) outs(%7 : tensor<6x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x6xi32>
    %9 = linalg.generic {indexing_maps = [#map66, #map16], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<1x6xi32>) outs(%7 : tensor<6x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x6xi32>
    %10 = tensor.empty() : tensor<6x6xi1>
    %11 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%10 : tensor<6x6xi1>) { ^bb0(%in: i32, %in_1: i32, %out: i1): %20 = arith.cmpi sge, %in, %in_1 : i32 linalg.yield %20 : i1 } -> tensor<6x6xi1>
    %12 = call @_where_25(%11, %cst_0, %cst) : (tensor<6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<6x6xf32>
    %13 = tensor.empty() : tensor<1x1x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %15 = tensor.empty() : tensor<2x4x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x6x6xf32>) outs(%15 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %16 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%15 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %20 = arith.addf %in, %in_1 : f32 linalg.yield %20 : f32 } -> tensor<2x4x6x6xf32>
    %18 = call @softmax(%17) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %19 = call @values(%18, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %19 : tensor<2x6x4x8xf32>
  }
  func.func private @_where_25(%arg0: tensor<6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6x6xf32> {
    %0 = tensor.empty() : tensor<6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<f32>) outs(%0 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map16, #map16, #map16, #map16], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1, %2 : tensor<6x6xi1>, tensor<6x6xf32>, tensor<6x6xf32>) outs(%0 : tensor<6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %4 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %4 : f32 } -> tensor<6x6xf32>
    return %3 : tensor<6x6xf32>
  }
}
