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
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map18 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map19 = affine_map<(d0, d1, d2) -> (d2)>
#map20 = affine_map<(d0, d1, d2) -> ()>
#map21 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map22 = affine_map<(d0) -> (d0)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map25 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map26 = affine_map<(d0, d1) -> (d1, d0)>
#map27 = affine_map<(d0, d1) -> (d0)>
#map28 = affine_map<(d0) -> ()>
#map29 = affine_map<(d0, d1) -> (d1)>
#map30 = affine_map<(d0, d1) -> (0, d1)>
#map31 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
module @depth {
  func.func @depth_stack(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
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
    %6 = call @mixed(%5, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
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
  func.func @depth_stack_no_gain(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = call @rms_0(%0) : (tensor<3x2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %14 = arith.mulf %in, %in_0 : f32
      %15 = arith.addf %out, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<3x2x6xf32>
    %5 = call @softmax(%4) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = tensor.empty() : tensor<3x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<3x2x6xf32>) outs(%6 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %8 = tensor.empty() : tensor<3x2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<3x2x6x1xf32>) outs(%8 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32): %14 = arith.mulf %in, %in_0 : f32 linalg.yield %14 : f32 } -> tensor<3x2x6x32xf32>
    %11 = tensor.empty() : tensor<2x6x32xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<3x2x6x32xf32>) outs(%12 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %14 = arith.addf %out, %in : f32 linalg.yield %14 : f32 } -> tensor<2x6x32xf32>
    return %13 : tensor<2x6x32xf32>
  }
  func.func private @rms_0(%arg0: tensor<3x2x6x32xf32>) -> tensor<3x2x6x32xf32> {
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
  func.func @depth_stack_inner(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x1x32xf32>
    %1 = linalg.generic {indexing_maps = [#map16, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x32xf32>
    %2 = linalg.generic {indexing_maps = [#map16, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x32xf32>
    %3 = linalg.generic {indexing_maps = [#map16, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x32xf32>
    %4 = tensor.empty() : tensor<2x6x3x32xf32>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%out: f32):
      %14 = linalg.index 0 : index
      %15 = linalg.index 1 : index
      %16 = linalg.index 3 : index
      %17 = linalg.index 2 : index
      %18 = arith.cmpi ult, %17, %c1 : index
      %19 = scf.if %18 -> (f32) {
        %extracted = tensor.extract %1[%14, %15, %17, %16] : tensor<2x6x1x32xf32>
        scf.yield %extracted : f32
      } else {
        %20 = arith.cmpi ult, %17, %c2 : index
        %21 = scf.if %20 -> (f32) {
          %22 = arith.subi %17, %c1 : index
          %extracted = tensor.extract %2[%14, %15, %22, %16] : tensor<2x6x1x32xf32>
          scf.yield %extracted : f32
        } else {
          %22 = arith.subi %17, %c2 : index
          %extracted = tensor.extract %3[%14, %15, %22, %16] : tensor<2x6x1x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %21 : f32
      }
      linalg.yield %19 : f32
    } -> tensor<2x6x3x32xf32>
    %6 = call @rms_1(%5, %arg4) : (tensor<2x6x3x32xf32>, tensor<32xf32>) -> tensor<2x6x3x32xf32>
    %7 = tensor.empty() : tensor<2x6x3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6, %arg3 : tensor<2x6x3x32xf32>, tensor<32xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %14 = arith.mulf %in, %in_0 : f32
      %15 = arith.addf %out, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<2x6x3xf32>
    %10 = call @softmax_2(%9) : (tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %11 = tensor.empty() : tensor<2x6x32xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map16, #map17, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10, %5 : tensor<2x6x3xf32>, tensor<2x6x3x32xf32>) outs(%12 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %14 = arith.mulf %in, %in_0 : f32
      %15 = arith.addf %out, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<2x6x32xf32>
    return %13 : tensor<2x6x32xf32>
  }
  func.func private @rms_1(%arg0: tensor<2x6x3x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x6x3x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x3x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%0 : tensor<2x6x3x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x32xf32>
    %2 = tensor.empty() : tensor<2x6x3xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x3x32xf32>) outs(%3 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<2x6x3xf32>
    %5 = tensor.empty() : tensor<2x6x3x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6x3xf32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x3x1xf32>, tensor<2x6x3x1xf32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x3x1xf32>, tensor<2x6x3x1xf32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x3x1xf32>) outs(%5 : tensor<2x6x3x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x1xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x3x1xf32>) outs(%0 : tensor<2x6x3x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%0 : tensor<2x6x3x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x32xf32>
    %14 = tensor.empty() : tensor<1x1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x32xf32>) outs(%0 : tensor<2x6x3x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%0 : tensor<2x6x3x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x3x32xf32>
    return %17 : tensor<2x6x3x32xf32>
  }
  func.func private @softmax_2(%arg0: tensor<2x6x3xf32>) -> tensor<2x6x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x3xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %7 = tensor.empty() : tensor<2x6x3xf32>
    %8 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6x3xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x6x3xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x6x3xf32>) outs(%11 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x3xf32>
    %15 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6x3xf32>
    return %15 : tensor<2x6x3xf32>
  }
  func.func @depth_concatenated(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %34 = linalg.index 1 : index
      %35 = linalg.index 2 : index
      %36 = linalg.index 3 : index
      %37 = linalg.index 0 : index
      %38 = arith.cmpi ult, %37, %c1 : index
      %39 = scf.if %38 -> (f32) {
        %extracted = tensor.extract %1[%37, %34, %35, %36] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %40 = arith.cmpi ult, %37, %c2 : index
        %41 = scf.if %40 -> (f32) {
          %42 = arith.subi %37, %c1 : index
          %extracted = tensor.extract %2[%42, %34, %35, %36] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %42 = arith.subi %37, %c2 : index
          %extracted = tensor.extract %3[%42, %34, %35, %36] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %41 : f32
      }
      linalg.yield %39 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.mulf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %34 = arith.addf %out, %in : f32 linalg.yield %34 : f32 } -> tensor<3x2x6xf32>
    %10 = tensor.empty() : tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.divf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.addf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %34 = math.sqrt %in : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.divf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x32xf32>
    %19 = tensor.empty() : tensor<1x1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.mulf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.mulf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x32xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %34 = arith.addf %out, %in : f32 linalg.yield %34 : f32 } -> tensor<3x2x6xf32>
    %27 = call @softmax(%26) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6x32xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %34 = arith.mulf %in, %in_2 : f32 linalg.yield %34 : f32 } -> tensor<3x2x6x32xf32>
    %31 = tensor.empty() : tensor<2x6x32xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %33 = linalg.generic {indexing_maps = [#map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<3x2x6x32xf32>) outs(%32 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %34 = arith.addf %out, %in : f32 linalg.yield %34 : f32 } -> tensor<2x6x32xf32>
    return %33 : tensor<2x6x32xf32>
  }
  func.func @depth_list(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @rms_3(%arg0, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %1 = tensor.empty() : tensor<2x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map12, #map19, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.mulf %in, %in_5 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<2x6xf32>
    %4 = call @rms_3(%arg1, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map19, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.mulf %in, %in_5 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<2x6xf32>
    %6 = call @rms_3(%arg2, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map12, #map19, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<2x6xf32>) {
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
    %18 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %extracted_slice_1 = tensor.extract_slice %14[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %23 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %extracted_slice_3 = tensor.extract_slice %14[2, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_4 : tensor<2x6xf32>) outs(%15 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x6x1xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.mulf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%17 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_5: f32, %out: f32): %30 = arith.addf %in, %in_5 : f32 linalg.yield %30 : f32 } -> tensor<2x6x32xf32>
    return %29 : tensor<2x6x32xf32>
  }
  func.func private @rms_3(%arg0: tensor<2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x6x32xf32> {
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
    %7 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map19, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map21, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x6x32xf32>
    return %17 : tensor<2x6x32xf32>
  }
  func.func @depth_loop(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @rms_3(%arg0, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %1 = tensor.empty() : tensor<1x1x32xf32>
    %2 = linalg.generic {indexing_maps = [#map19, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%1 : tensor<1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x32xf32>
    %3 = tensor.empty() : tensor<2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map21, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x1x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %6 = tensor.empty() : tensor<2x6xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = arith.addf %out, %in : f32 linalg.yield %44 : f32 } -> tensor<2x6xf32>
    %9 = tensor.empty() : tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %11 = call @rms_3(%arg1, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %12 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = arith.addf %out, %in : f32 linalg.yield %44 : f32 } -> tensor<2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %15 = call @rms_3(%arg2, %arg4) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %16 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %44 = arith.addf %out, %in : f32 linalg.yield %44 : f32 } -> tensor<2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x6xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.maximumf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.maximumf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %20 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.subf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.exp %in : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %23 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %20 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.subf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %24 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.exp %in : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.subf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %44 = math.exp %in : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %22 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %24 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %26 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %31 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %30 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.divf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %33 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %34 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %35 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %30 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.divf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %37 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %38 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %39 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %40 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.divf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x1xf32>
    %41 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32xf32>
    %42 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.mulf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    %43 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %in_1: f32, %out: f32): %44 = arith.addf %in, %in_1 : f32 linalg.yield %44 : f32 } -> tensor<2x6x32xf32>
    return %43 : tensor<2x6x32xf32>
  }
  func.func @depth_folded(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %1 = tensor.empty() : tensor<3x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.mulf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<3x2x6x32xf32>
    %3 = tensor.empty() : tensor<3x2x6xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = arith.addf %out, %in : f32 linalg.yield %17 : f32 } -> tensor<3x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %7 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.divf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<3x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.addf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<3x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %out: f32): %17 = math.rsqrt %in : f32 linalg.yield %17 : f32 } -> tensor<3x2x6xf32>
    %11 = tensor.empty() : tensor<32xf32>
    %12 = linalg.generic {indexing_maps = [#map22, #map22, #map22], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<32xf32>, tensor<32xf32>) outs(%11 : tensor<32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.mulf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0, %12 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.mulf %in, %in_2 : f32
      %18 = arith.addf %out, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<3x2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %10 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%3 : tensor<3x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %17 = arith.mulf %in, %in_2 : f32 linalg.yield %17 : f32 } -> tensor<3x2x6xf32>
    %15 = call @softmax(%14) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %16 = call @mixed(%15, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %16 : tensor<2x6x32xf32>
  }
  func.func @depth_bf16(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<2x6x32xbf16>, %arg2: tensor<2x6x32xbf16>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack_4(%arg0, %arg1, %arg2) : (tensor<2x6x32xbf16>, tensor<2x6x32xbf16>, tensor<2x6x32xbf16>) -> tensor<3x2x6x32xbf16>
    %1 = tensor.empty() : tensor<3x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<3x2x6x32xbf16>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: bf16, %out: f32): %13 = arith.extf %in : bf16 to f32 linalg.yield %13 : f32 } -> tensor<3x2x6x32xf32>
    %3 = call @rms(%2, %arg4) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%5 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %13 = arith.mulf %in, %in_0 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<3x2x6xf32>
    %7 = call @softmax(%6) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %8 = tensor.empty() : tensor<2x6x32xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7, %2 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%9 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %13 = arith.mulf %in, %in_0 : f32
      %14 = arith.addf %out, %13 : f32
      linalg.yield %14 : f32
    } -> tensor<2x6x32xf32>
    %11 = tensor.empty() : tensor<2x6x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x32xf32>) outs(%11 : tensor<2x6x32xbf16>) { ^bb0(%in: f32, %out: bf16): %13 = arith.truncf %in : f32 to bf16 linalg.yield %13 : bf16 } -> tensor<2x6x32xbf16>
    return %12 : tensor<2x6x32xbf16>
  }
  func.func private @stack_4(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<2x6x32xbf16>, %arg2: tensor<2x6x32xbf16>) -> tensor<3x2x6x32xbf16> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<1x2x6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<1x2x6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<1x2x6x32xbf16>
    %3 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<1x2x6x32xbf16>
    %4 = tensor.empty() : tensor<3x2x6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%out: bf16):
      %6 = linalg.index 1 : index
      %7 = linalg.index 2 : index
      %8 = linalg.index 3 : index
      %9 = linalg.index 0 : index
      %10 = arith.cmpi ult, %9, %c1 : index
      %11 = scf.if %10 -> (bf16) {
        %extracted = tensor.extract %1[%9, %6, %7, %8] : tensor<1x2x6x32xbf16>
        scf.yield %extracted : bf16
      } else {
        %12 = arith.cmpi ult, %9, %c2 : index
        %13 = scf.if %12 -> (bf16) {
          %14 = arith.subi %9, %c1 : index
          %extracted = tensor.extract %2[%14, %6, %7, %8] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        } else {
          %14 = arith.subi %9, %c2 : index
          %extracted = tensor.extract %3[%14, %6, %7, %8] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        }
        scf.yield %13 : bf16
      }
      linalg.yield %11 : bf16
    } -> tensor<3x2x6x32xbf16>
    return %5 : tensor<3x2x6x32xbf16>
  }
  func.func @depth_bf16_parameters(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<2x6x32xbf16>, %arg2: tensor<2x6x32xbf16>, %arg3: tensor<32xbf16>, %arg4: tensor<32xbf16>) -> tensor<2x6x32xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = call @stack_4(%arg0, %arg1, %arg2) : (tensor<2x6x32xbf16>, tensor<2x6x32xbf16>, tensor<2x6x32xbf16>) -> tensor<3x2x6x32xbf16>
    %1 = tensor.empty() : tensor<3x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<3x2x6x32xbf16>) outs(%1 : tensor<3x2x6x32xf32>) { ^bb0(%in: bf16, %out: f32): %18 = arith.extf %in : bf16 to f32 linalg.yield %18 : f32 } -> tensor<3x2x6x32xf32>
    %3 = call @rms_0(%2) : (tensor<3x2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xbf16>) { ^bb0(%in: f32, %out: bf16): %18 = arith.truncf %in : f32 to bf16 linalg.yield %18 : bf16 } -> tensor<3x2x6x32xbf16>
    %6 = tensor.empty() : tensor<1x1x1x32xbf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xbf16>) outs(%6 : tensor<1x1x1x32xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<1x1x1x32xbf16>
    %8 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x1x32xbf16>) outs(%4 : tensor<3x2x6x32xbf16>) { ^bb0(%in: bf16, %out: bf16): linalg.yield %in : bf16 } -> tensor<3x2x6x32xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %8 : tensor<3x2x6x32xbf16>, tensor<3x2x6x32xbf16>) outs(%4 : tensor<3x2x6x32xbf16>) { ^bb0(%in: bf16, %in_0: bf16, %out: bf16): %18 = arith.mulf %in, %in_0 : bf16 linalg.yield %18 : bf16 } -> tensor<3x2x6x32xbf16>
    %10 = tensor.empty() : tensor<3x2x6xbf16>
    %11 = linalg.fill ins(%cst : bf16) outs(%10 : tensor<3x2x6xbf16>) -> tensor<3x2x6xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9, %arg3 : tensor<3x2x6x32xbf16>, tensor<32xbf16>) outs(%11 : tensor<3x2x6xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %18 = arith.mulf %in, %in_0 : bf16
      %19 = arith.addf %out, %18 : bf16
      linalg.yield %19 : bf16
    } -> tensor<3x2x6xbf16>
    %13 = tensor.empty() : tensor<3x2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<3x2x6xbf16>) outs(%13 : tensor<3x2x6xf32>) { ^bb0(%in: bf16, %out: f32): %18 = arith.extf %in : bf16 to f32 linalg.yield %18 : f32 } -> tensor<3x2x6xf32>
    %15 = call @softmax(%14) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %16 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6xbf16>) { ^bb0(%in: f32, %out: bf16): %18 = arith.truncf %in : f32 to bf16 linalg.yield %18 : bf16 } -> tensor<3x2x6xbf16>
    %17 = call @mixed_5(%16, %0) : (tensor<3x2x6xbf16>, tensor<3x2x6x32xbf16>) -> tensor<2x6x32xbf16>
    return %17 : tensor<2x6x32xbf16>
  }
  func.func private @mixed_5(%arg0: tensor<3x2x6xbf16>, %arg1: tensor<3x2x6x32xbf16>) -> tensor<2x6x32xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty() : tensor<2x6x32xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<2x6x32xbf16>) -> tensor<2x6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x2x6xbf16>, tensor<3x2x6x32xbf16>) outs(%1 : tensor<2x6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %3 = arith.mulf %in, %in_0 : bf16
      %4 = arith.addf %out, %3 : bf16
      linalg.yield %4 : bf16
    } -> tensor<2x6x32xbf16>
    return %2 : tensor<2x6x32xbf16>
  }
  func.func @depth_given(%arg0: tensor<3x2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @rms(%arg0, %arg2) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %1 = tensor.empty() : tensor<3x2x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0, %arg1 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<3x2x6xf32>
    %4 = call @softmax(%3) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %5 = call @mixed(%4, %arg0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %5 : tensor<2x6x32xf32>
  }
  func.func @depth_table(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<4x32xf32>, %arg4: tensor<4x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack(%arg0, %arg1, %arg2) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %extracted_slice = tensor.extract_slice %arg3[2, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %extracted_slice_0 = tensor.extract_slice %arg4[2, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
    %collapsed_1 = tensor.collapse_shape %extracted_slice_0 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %1 = call @rms(%0, %collapsed_1) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %1 : tensor<32xf32>, tensor<3x2x6x32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %7 = arith.mulf %in, %in_2 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<3x2x6xf32>
    %5 = call @softmax(%4) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %6 = call @mixed(%5, %0) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
  func.func @depth_layers(%arg0: tensor<2x6x32xf32>, %arg1: tensor<3x32xf32>, %arg2: tensor<3x32xf32>, %arg3: tensor<3x32x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack_6(%arg0) : (tensor<2x6x32xf32>) -> tensor<1x2x6x32xf32>
    %extracted_slice = tensor.extract_slice %arg2[0, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %1 = call @rms_7(%0, %collapsed) : (tensor<1x2x6x32xf32>, tensor<32xf32>) -> tensor<1x2x6x32xf32>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_1 = tensor.collapse_shape %extracted_slice_0 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %2 = tensor.empty() : tensor<1x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %collapsed_1 : tensor<1x2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x6xf32>
    %5 = call @softmax_8(%4) : (tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %6 = call @mixed_9(%5, %0) : (tensor<1x2x6xf32>, tensor<1x2x6x32xf32>) -> tensor<2x6x32xf32>
    %extracted_slice_2 = tensor.extract_slice %arg3[0, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_3 = tensor.collapse_shape %extracted_slice_2 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %7 = tensor.empty() : tensor<2x6x32xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map16, #map23, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6, %collapsed_3 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%8 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %29 = math.tanh %in : f32 linalg.yield %29 : f32 } -> tensor<2x6x32xf32>
    %11 = call @stack_10(%arg0, %10) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<2x2x6x32xf32>
    %extracted_slice_4 = tensor.extract_slice %arg2[1, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %12 = call @rms_11(%11, %collapsed_5) : (tensor<2x2x6x32xf32>, tensor<32xf32>) -> tensor<2x2x6x32xf32>
    %extracted_slice_6 = tensor.extract_slice %arg1[1, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %13 = tensor.empty() : tensor<2x2x6xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12, %collapsed_7 : tensor<2x2x6x32xf32>, tensor<32xf32>) outs(%14 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x2x6xf32>
    %16 = call @softmax_12(%15) : (tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %17 = call @mixed_13(%16, %11) : (tensor<2x2x6xf32>, tensor<2x2x6x32xf32>) -> tensor<2x6x32xf32>
    %extracted_slice_8 = tensor.extract_slice %arg3[1, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice_8 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %18 = linalg.generic {indexing_maps = [#map16, #map23, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %collapsed_9 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%8 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %29 = math.tanh %in : f32 linalg.yield %29 : f32 } -> tensor<2x6x32xf32>
    %20 = call @stack(%arg0, %10, %19) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<3x2x6x32xf32>
    %extracted_slice_10 = tensor.extract_slice %arg2[2, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_10 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %21 = call @rms(%20, %collapsed_11) : (tensor<3x2x6x32xf32>, tensor<32xf32>) -> tensor<3x2x6x32xf32>
    %extracted_slice_12 = tensor.extract_slice %arg1[2, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %22 = tensor.empty() : tensor<3x2x6xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21, %collapsed_13 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%23 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<3x2x6xf32>
    %25 = call @softmax(%24) : (tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %26 = call @mixed(%25, %20) : (tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) -> tensor<2x6x32xf32>
    %extracted_slice_14 = tensor.extract_slice %arg3[2, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_15 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %27 = linalg.generic {indexing_maps = [#map16, #map23, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26, %collapsed_15 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%8 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %29 = arith.mulf %in, %in_16 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x6x32xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6x32xf32>) { ^bb0(%in: f32, %out: f32): %29 = math.tanh %in : f32 linalg.yield %29 : f32 } -> tensor<2x6x32xf32>
    return %28 : tensor<2x6x32xf32>
  }
  func.func private @stack_6(%arg0: tensor<2x6x32xf32>) -> tensor<1x2x6x32xf32> {
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    return %1 : tensor<1x2x6x32xf32>
  }
  func.func private @rms_7(%arg0: tensor<1x2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<1x2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x32xf32>
    %2 = tensor.empty() : tensor<1x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<1x2x6x32xf32>) outs(%3 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<1x2x6xf32>
    %5 = tensor.empty() : tensor<1x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x6xf32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x2x6x1xf32>) outs(%5 : tensor<1x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x6x1xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map24, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<1x2x6x32xf32>
    return %17 : tensor<1x2x6x32xf32>
  }
  func.func private @softmax_8(%arg0: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x2x6xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %13 = arith.maximumf %out, %in : f32 linalg.yield %13 : f32 } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %13 = arith.maximumf %in, %in_2 : f32 linalg.yield %13 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<1x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %7 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<1x2x6xf32>, tensor<1x2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %13 = arith.subf %in, %in_2 : f32 linalg.yield %13 : f32 } -> tensor<1x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): %13 = math.exp %in : f32 linalg.yield %13 : f32 } -> tensor<1x2x6xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x6xf32>) outs(%9 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %13 = arith.addf %out, %in : f32 linalg.yield %13 : f32 } -> tensor<2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<1x2x6xf32>, tensor<1x2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %13 = arith.divf %in, %in_2 : f32 linalg.yield %13 : f32 } -> tensor<1x2x6xf32>
    return %12 : tensor<1x2x6xf32>
  }
  func.func private @mixed_9(%arg0: tensor<1x2x6xf32>, %arg1: tensor<1x2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x6xf32>, tensor<1x2x6x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<2x6x32xf32>
    return %2 : tensor<2x6x32xf32>
  }
  func.func private @stack_10(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>) -> tensor<2x2x6x32xf32> {
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6x32xf32>
    %3 = tensor.empty() : tensor<2x2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<2x2x6x32xf32>) {
    ^bb0(%out: f32):
      %5 = linalg.index 1 : index
      %6 = linalg.index 2 : index
      %7 = linalg.index 3 : index
      %8 = linalg.index 0 : index
      %9 = arith.cmpi ult, %8, %c1 : index
      %10 = scf.if %9 -> (f32) {
        %extracted = tensor.extract %1[%8, %5, %6, %7] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %11 = arith.subi %8, %c1 : index
        %extracted = tensor.extract %2[%11, %5, %6, %7] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %10 : f32
    } -> tensor<2x2x6x32xf32>
    return %4 : tensor<2x2x6x32xf32>
  }
  func.func private @rms_11(%arg0: tensor<2x2x6x32xf32>, %arg1: tensor<32xf32>) -> tensor<2x2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%0 : tensor<2x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x32xf32>
    %2 = tensor.empty() : tensor<2x2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x2x6x32xf32>) outs(%3 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %18 = arith.addf %out, %in : f32 linalg.yield %18 : f32 } -> tensor<2x2x6xf32>
    %5 = tensor.empty() : tensor<2x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2x6xf32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x2x6x1xf32>, tensor<2x2x6x1xf32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.divf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x2x6x1xf32>, tensor<2x2x6x1xf32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.addf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x2x6x1xf32>) outs(%5 : tensor<2x2x6x1xf32>) { ^bb0(%in: f32, %out: f32): %18 = math.rsqrt %in : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x2x6x1xf32>) outs(%0 : tensor<2x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%0 : tensor<2x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%14 : tensor<1x1x1x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x32xf32>) outs(%0 : tensor<2x2x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%0 : tensor<2x2x6x32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %18 = arith.mulf %in, %in_2 : f32 linalg.yield %18 : f32 } -> tensor<2x2x6x32xf32>
    return %17 : tensor<2x2x6x32xf32>
  }
  func.func private @softmax_12(%arg0: tensor<2x2x6xf32>) -> tensor<2x2x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x2x6xf32>) outs(%1 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<1x2x6xf32>
    %6 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %7 = tensor.empty() : tensor<2x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x6xf32>) outs(%7 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%7 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x2x6xf32>) outs(%7 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x2x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x2x6xf32>) outs(%11 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x6xf32>) outs(%5 : tensor<1x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x6xf32>) outs(%7 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%7 : tensor<2x2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x2x6xf32>
    return %15 : tensor<2x2x6xf32>
  }
  func.func private @mixed_13(%arg0: tensor<2x2x6xf32>, %arg1: tensor<2x2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x2x6xf32>, tensor<2x2x6x32xf32>) outs(%1 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<2x6x32xf32>
    return %2 : tensor<2x6x32xf32>
  }
  func.func @depth_two_no_batch(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>) -> tensor<6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = call @stack_14(%arg0, %arg1) : (tensor<6x32xf32>, tensor<6x32xf32>) -> tensor<2x6x32xf32>
    %1 = call @rms_3(%0, %arg3) : (tensor<2x6x32xf32>, tensor<32xf32>) -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map12, #map19, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %arg2 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      %10 = arith.addf %out, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<2x6xf32>
    %5 = call @softmax_15(%4) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %6 = tensor.empty() : tensor<6x32xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map25, #map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5, %0 : tensor<2x6xf32>, tensor<2x6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      %10 = arith.addf %out, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<6x32xf32>
    return %8 : tensor<6x32xf32>
  }
  func.func private @stack_14(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>) -> tensor<2x6x32xf32> {
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<1x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%0 : tensor<1x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<6x32xf32>) outs(%0 : tensor<1x6x32xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6x32xf32>
    %3 = tensor.empty() : tensor<2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map12], iterator_types = ["parallel", "parallel", "parallel"]} outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%out: f32):
      %5 = linalg.index 1 : index
      %6 = linalg.index 2 : index
      %7 = linalg.index 0 : index
      %8 = arith.cmpi ult, %7, %c1 : index
      %9 = scf.if %8 -> (f32) {
        %extracted = tensor.extract %1[%7, %5, %6] : tensor<1x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %10 = arith.subi %7, %c1 : index
        %extracted = tensor.extract %2[%10, %5, %6] : tensor<1x6x32xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %9 : f32
    } -> tensor<2x6x32xf32>
    return %4 : tensor<2x6x32xf32>
  }
  func.func private @softmax_15(%arg0: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %2 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x6xf32>) outs(%1 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.maximumf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %3 = linalg.generic {indexing_maps = [#map28, #map22], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<6xf32>
    %4 = linalg.generic {indexing_maps = [#map22, #map22, #map22], iterator_types = ["parallel"]} ins(%3, %2 : tensor<6xf32>, tensor<6xf32>) outs(%0 : tensor<6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.maximumf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %5 = tensor.empty() : tensor<1x6xf32>
    %6 = linalg.generic {indexing_maps = [#map29, #map10], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6xf32>) outs(%5 : tensor<1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6xf32>
    %7 = tensor.empty() : tensor<2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map30, #map10], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<1x6xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.subf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x6xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): %16 = math.exp %in : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %12 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<2x6xf32>) outs(%11 : tensor<6xf32>) { ^bb0(%in: f32, %out: f32): %16 = arith.addf %out, %in : f32 linalg.yield %16 : f32 } -> tensor<6xf32>
    %13 = linalg.generic {indexing_maps = [#map29, #map10], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6xf32>) outs(%5 : tensor<1x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<1x6xf32>
    %14 = linalg.generic {indexing_maps = [#map30, #map10], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<1x6xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%10, %14 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%7 : tensor<2x6xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %16 = arith.divf %in, %in_2 : f32 linalg.yield %16 : f32 } -> tensor<2x6xf32>
    return %15 : tensor<2x6xf32>
  }
  func.func @depth_last_axis(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> tensor<2x6x32xf32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32x1xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32x1xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32x1xf32>
    %4 = tensor.empty() : tensor<2x6x32x3xf32>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<2x6x32x3xf32>) {
    ^bb0(%out: f32):
      %26 = linalg.index 0 : index
      %27 = linalg.index 1 : index
      %28 = linalg.index 2 : index
      %29 = linalg.index 3 : index
      %30 = arith.cmpi ult, %29, %c1 : index
      %31 = scf.if %30 -> (f32) {
        %extracted = tensor.extract %1[%26, %27, %28, %29] : tensor<2x6x32x1xf32>
        scf.yield %extracted : f32
      } else {
        %32 = arith.cmpi ult, %29, %c2 : index
        %33 = scf.if %32 -> (f32) {
          %34 = arith.subi %29, %c1 : index
          %extracted = tensor.extract %2[%26, %27, %28, %34] : tensor<2x6x32x1xf32>
          scf.yield %extracted : f32
        } else {
          %34 = arith.subi %29, %c2 : index
          %extracted = tensor.extract %3[%26, %27, %28, %34] : tensor<2x6x32x1xf32>
          scf.yield %extracted : f32
        }
        scf.yield %33 : f32
      }
      linalg.yield %31 : f32
    } -> tensor<2x6x32x3xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<2x6x32x3xf32>, tensor<2x6x32x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32x3xf32>
    %7 = tensor.empty() : tensor<2x6x3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %9 = linalg.generic {indexing_maps = [#map17, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<2x6x32x3xf32>) outs(%8 : tensor<2x6x3xf32>) { ^bb0(%in: f32, %out: f32): %26 = arith.addf %out, %in : f32 linalg.yield %26 : f32 } -> tensor<2x6x3xf32>
    %10 = tensor.empty() : tensor<2x6x1x3xf32>
    %11 = linalg.generic {indexing_maps = [#map16, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x3xf32>
    %12 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x3xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x6x1x3xf32>, tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.divf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x1x3xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x1x3xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x6x1x3xf32>, tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.addf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x1x3xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) { ^bb0(%in: f32, %out: f32): %26 = math.rsqrt %in : f32 linalg.yield %26 : f32 } -> tensor<2x6x1x3xf32>
    %17 = linalg.generic {indexing_maps = [#map31, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<2x6x32x3xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<2x6x32x3xf32>, tensor<2x6x32x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<2x6x32x3xf32>
    %19 = tensor.empty() : tensor<32xf32>
    %20 = linalg.generic {indexing_maps = [#map22, #map22, #map22], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<32xf32>, tensor<32xf32>) outs(%19 : tensor<32xf32>) { ^bb0(%in: f32, %in_2: f32, %out: f32): %26 = arith.mulf %in, %in_2 : f32 linalg.yield %26 : f32 } -> tensor<32xf32>
    %21 = linalg.generic {indexing_maps = [#map17, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %20 : tensor<2x6x32x3xf32>, tensor<32xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %26 = arith.mulf %in, %in_2 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x3xf32>
    %22 = call @softmax_2(%21) : (tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %23 = tensor.empty() : tensor<2x6x32xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map16, #map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %5 : tensor<2x6x3xf32>, tensor<2x6x32x3xf32>) outs(%24 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %26 = arith.mulf %in, %in_2 : f32
      %27 = arith.addf %out, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x32xf32>
    return %25 : tensor<2x6x32xf32>
  }
}
