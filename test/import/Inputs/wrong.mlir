// Written by write_forms.py.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map17 = affine_map<(d0, d1, d2) -> (d2)>
#map18 = affine_map<(d0, d1, d2) -> ()>
#map19 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map26 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map27 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map28 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map30 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map31 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
module @wrong {
  func.func @wrong_depth_normalized_values(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = call @rms(%0, %arg4) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<3x2x6xf32>
    %5 = call @softmax(%4) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = call @mixed(%5, %1) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
  func.func private @stack(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %6 = linalg.index 1 : index
      %7 = linalg.index 2 : index
      %8 = linalg.index 3 : index
      %9 = linalg.index 0 : index
      %10 = arith.cmpi ult, %9, %c1 : index
      %11 = scf.if %10 -> (f32) {
        %extracted = tensor.extract %1[%9, %6, %7, %8] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %12 = arith.cmpi ult, %9, %c2 : index
        %13 = scf.if %12 -> (f32) {
          %14 = arith.subi %9, %c1 : index
          %extracted = tensor.extract %2[%14, %6, %7, %8] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %14 = arith.subi %9, %c2 : index
          %extracted = tensor.extract %3[%14, %6, %7, %8] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %13 : f32
      }
      linalg.yield %11 : f32
    } -> tensor<3x2x6x32xf32>
    return %5 : tensor<3x2x6x32xf32>
  }
  func.func private @rms(%arg0: tensor<3x2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<3x2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<3x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<3x2x6x32xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<3x2x6xf32>
    %5 = tensor.empty() : tensor<3x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<3x2x6xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<3x2x6x1xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    return %17 : tensor<3x2x6x32xf32>
  }
  func.func private @softmax(%arg0: tensor<3x2x6xf32>) -> tensor<3x2x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x2x6xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<1x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<3x2x6xf32>) outs(%11 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    return %15 : tensor<3x2x6xf32>
  }
  func.func private @mixed(%arg0: tensor<3x2x6xf32>, %arg1: tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<2x6x32xf32>
    return %2 : tensor<2x6x32xf32>
  }
  func.func @wrong_depth_other_axis(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = call @rms(%0, %arg4) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<3x2x6xf32>
    %5 = call @softmax_0(%4) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = call @mixed(%5, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
  func.func private @softmax_0(%arg0: tensor<3x2x6xf32>) -> tensor<3x2x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<3x2xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %2 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x2x6xf32>) outs(%1 : tensor<3x2xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<3x2xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<3x2xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%0 : tensor<3x2xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<3x2xf32>
    %5 = tensor.empty() : tensor<3x2x1xf32>
    %6 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<3x2xf32>) outs(%5 : tensor<3x2x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x1xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x2x1xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %12 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<3x2x6xf32>) outs(%11 : tensor<3x2xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<3x2xf32>
    %13 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<3x2xf32>) outs(%5 : tensor<3x2x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x1xf32>
    %14 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<3x2x1xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<3x2x6xf32>
    return %15 : tensor<3x2x6xf32>
  }
  func.func @wrong_depth_raw_scores(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = tensor.empty() : tensor<3x2x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<3x2x6xf32>
    %4 = call @softmax(%3) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %5 = call @mixed(%4, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %5 : tensor<2x6x32xf32>
  }
  func.func @wrong_depth_sum_of_squares(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = tensor.empty() : tensor<3x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.mulf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    %3 = tensor.empty() : tensor<3x2x6xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<3x2x6xf32>
    %6 = tensor.empty() : tensor<3x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<3x2x6xf32>) outs(%6 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%6 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.addf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6x1xf32>) outs(%6 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<3x2x6x1xf32>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %11 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %18 = arith.mulf %in, %in_1 : f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %18 = arith.mulf %in, %in_1 : f32
      %19 = arith.addf %out, %18 : f32
      linalg.yield %19 : f32
    } -> tensor<3x2x6xf32>
    %14 = call @softmax(%13) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %15 = tensor.empty() : tensor<2x6x32xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14, %0 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%16 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %18 = arith.mulf %in, %in_1 : f32
      %19 = arith.addf %out, %18 : f32
      linalg.yield %19 : f32
    } -> tensor<2x6x32xf32>
    return %17 : tensor<2x6x32xf32>
  }
  func.func @wrong_depth_shifted_sources(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @rms_1(%arg0, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %1 = tensor.empty() : tensor<2x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.mulf %in, %in_5 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<2x6xf32>
    %4 = call @rms_1(%arg1, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.mulf %in, %in_5 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<2x6xf32>
    %6 = call @rms_1(%arg2, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.mulf %in, %in_5 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<2x6xf32>
    %8 = tensor.empty() : tensor<1x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %12 = tensor.empty() : tensor<3x2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map12], iterator_types = ["parallel", "parallel", "parallel"]} outs(%12 : tensor<3x2x6xf32>) {
    ^bb0(%out: f32):
      %30 = linalg.index 1 : index
      %31 = linalg.index 2 : index
      %32 = linalg.index 0 : index
      %33 = arith.cmpi ult, %32, %c1 : index
      %34 = scf.if %33 -> (f32) {
        %extracted = tensor.extract %9[%32, %30, %31] : tensor<1x2x6xf32>
        scf.yield %extracted : f32
      } else {
        %35 = arith.cmpi ult, %32, %c2 : index
        %36 = scf.if %35 -> (f32) {
          %37 = arith.subi %32, %c1 : index
          %extracted = tensor.extract %10[%37, %30, %31] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        } else {
          %37 = arith.subi %32, %c2 : index
          %extracted = tensor.extract %11[%37, %30, %31] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        }
        scf.yield %36 : f32
      }
      linalg.yield %34 : f32
    } -> tensor<3x2x6xf32>
    %14 = call @softmax(%13) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %extracted_slice = tensor.extract_slice %14[0, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %15 = tensor.empty() : tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %17 = tensor.empty() : tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %extracted_slice_1 = tensor.extract_slice %14[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %23 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %extracted_slice_3 = tensor.extract_slice %14[2, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_4 : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    return %29 : tensor<2x6x32xf32>
  }
  func.func private @rms_1(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map17, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map19, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    return %17 : tensor<2x6x32xf32>
  }
  func.func @wrong_depth_query_each(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<3x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = call @rms_2(%0) : (tensor<3x2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map20, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg3 : tensor<3x2x6x32xf32>, tensor<3x32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<3x2x6xf32>
    %5 = call @softmax(%4) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = call @mixed(%5, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
  func.func private @rms_2(%arg0: tensor<3x2x6x32xf32>) -> tensor<3x2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<3x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<3x2x6x32xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %14 = arith.addf %out, %in : f32 linalg.yield %14 : f32 } -> tensor<3x2x6xf32>
    %5 = tensor.empty() : tensor<3x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<3x2x6xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.divf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.addf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %14 = math.rsqrt %in : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<3x2x6x1xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x32xf32>
    return %13 : tensor<3x2x6x32xf32>
  }
  func.func @wrong_depth_one_left_out(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @rms_3(%arg0) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %1 = tensor.empty() : tensor<2x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %24 = arith.mulf %in, %in_2 : f32
      %25 = arith.addf %out, %24 : f32
      linalg.yield %25 : f32
    } -> tensor<2x6xf32>
    %4 = call @rms_3(%arg1) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %24 = arith.mulf %in, %in_2 : f32
      %25 = arith.addf %out, %24 : f32
      linalg.yield %25 : f32
    } -> tensor<2x6xf32>
    %6 = call @rms_3(%arg2) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map12, #map17, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %24 = arith.mulf %in, %in_2 : f32
      %25 = arith.addf %out, %24 : f32
      linalg.yield %25 : f32
    } -> tensor<2x6xf32>
    %8 = tensor.empty() : tensor<1x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x6xf32>) outs(%8 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %12 = tensor.empty() : tensor<3x2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map12], iterator_types = ["parallel", "parallel", "parallel"]} outs(%12 : tensor<3x2x6xf32>) {
    ^bb0(%out: f32):
      %24 = linalg.index 1 : index
      %25 = linalg.index 2 : index
      %26 = linalg.index 0 : index
      %27 = arith.cmpi ult, %26, %c1 : index
      %28 = scf.if %27 -> (f32) {
        %extracted = tensor.extract %9[%26, %24, %25] : tensor<1x2x6xf32>
        scf.yield %extracted : f32
      } else {
        %29 = arith.cmpi ult, %26, %c2 : index
        %30 = scf.if %29 -> (f32) {
          %31 = arith.subi %26, %c1 : index
          %extracted = tensor.extract %10[%31, %24, %25] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        } else {
          %31 = arith.subi %26, %c2 : index
          %extracted = tensor.extract %11[%31, %24, %25] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        }
        scf.yield %30 : f32
      }
      linalg.yield %28 : f32
    } -> tensor<3x2x6xf32>
    %14 = call @softmax(%13) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %extracted_slice = tensor.extract_slice %14[0, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %15 = tensor.empty() : tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %17 = tensor.empty() : tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %24 = arith.mulf %in, %in_2 : f32 linalg.yield %24 : f32 } -> tensor<2x6x32xf32>
    %extracted_slice_0 = tensor.extract_slice %14[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_1 = tensor.collapse_shape %extracted_slice_0 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %20 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_1 : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %24 = arith.mulf %in, %in_2 : f32 linalg.yield %24 : f32 } -> tensor<2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %24 = arith.addf %in, %in_2 : f32 linalg.yield %24 : f32 } -> tensor<2x6x32xf32>
    return %23 : tensor<2x6x32xf32>
  }
  func.func private @rms_3(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %14 = arith.addf %out, %in : f32 linalg.yield %14 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.divf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.addf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %14 = math.rsqrt %in : f32 linalg.yield %14 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map16, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %14 = arith.mulf %in, %in_2 : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    return %13 : tensor<2x6x32xf32>
  }
  func.func @wrong_attention_query_axis(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = call @softmax_4(%0) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @values(%1, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %2 : tensor<2x6x4x8xf32>
  }
  func.func private @scores(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map21, #map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.mulf %in, %in_1 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %5 = arith.divf %in, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x6xf32>
    return %4 : tensor<2x4x6x6xf32>
  }
  func.func private @softmax_4(%arg0: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map24, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x1x6xf32>
    %6 = linalg.generic {indexing_maps = [#map25, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map26, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map24, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map25, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x1x6xf32>
    %14 = linalg.generic {indexing_maps = [#map26, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x1x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    return %15 : tensor<2x4x6x6xf32>
  }
  func.func private @values(%arg0: tensor<2x4x6x6xf32>, %arg1: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x8x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %2 = linalg.generic {indexing_maps = [#map27, #map28, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg0 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4x8x6xf32>
    %3 = tensor.empty() : tensor<2x6x4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map29, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x8x6xf32>) outs(%3 : tensor<2x6x4x8xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func @wrong_attention_mask_after(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %0 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %1 = call @softmax_5(%0) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @tril() : () -> tensor<6x6xi1>
    %3 = tensor.empty() : tensor<6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x6xi1>) outs(%3 : tensor<6x6xf32>) { ^bb0(%in: i1, %out: f32): %11 = arith.uitofp %in : i1 to f32 linalg.yield %11 : f32 } -> tensor<6x6xf32>
    %5 = tensor.empty() : tensor<1x1x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map30, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<6x6xf32>) outs(%5 : tensor<1x1x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x6x6xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map31, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %11 = arith.mulf %in, %in_0 : f32 linalg.yield %11 : f32 } -> tensor<2x4x6x6xf32>
    %10 = call @values(%9, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %10 : tensor<2x6x4x8xf32>
  }
  func.func private @softmax_5(%arg0: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x4x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x4x6x6xf32>) outs(%1 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%0 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %5 = tensor.empty() : tensor<2x4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %7 = tensor.empty() : tensor<2x4x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x1xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%7 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x4x6x6xf32>
    return %15 : tensor<2x4x6x6xf32>
  }
  func.func private @tril() -> tensor<6x6xi1> {
    %cst = arith.constant dense<true> : tensor<i1>
    %0 = tensor.empty() : tensor<6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%0 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %2 = call @tril_6(%1) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    return %2 : tensor<6x6xi1>
  }
  func.func private @tril_6(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %2 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<6x6xi32>) { ^bb0(%in: i32, %out: i32): linalg.yield %in : i32 } -> tensor<6x6xi32>
    %3 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%0 : tensor<6x6xi32>) { ^bb0(%in: i32, %in_1: i32, %out: i32): %9 = arith.addi %in, %in_1 : i32 linalg.yield %9 : i32 } -> tensor<6x6xi32>
    %4 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %5 = tensor.empty() : tensor<6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i32, %in_1: i32, %out: i1): %9 = arith.cmpi sge, %in, %in_1 : i32 linalg.yield %9 : i1 } -> tensor<6x6xi1>
    %7 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map10, #map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) outs(%5 : tensor<6x6xi1>) { ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1): %9 = arith.select %in, %in_1, %in_2 : i1 linalg.yield %9 : i1 } -> tensor<6x6xi1>
    return %8 : tensor<6x6xi1>
  }
  func.func @wrong_attention_mask_zero(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @tril() : () -> tensor<6x6xi1>
    %1 = call @scores(%arg0, %arg1) : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
    %2 = call @_where(%0, %1, %cst) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = call @softmax_5(%2) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %4 = call @values(%3, %arg2) : (tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %4 : tensor<2x6x4x8xf32>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<2x4x6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map30, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%0 : tensor<2x4x6x6xi1>) { ^bb0(%in: i1, %out: i1): linalg.yield %in : i1 } -> tensor<2x4x6x6xi1>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) { ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32): %5 = arith.select %in, %in_0, %in_1 : f32 linalg.yield %5 : f32 } -> tensor<2x4x6x6xf32>
    return %4 : tensor<2x4x6x6xf32>
  }
}
