// Written by write_forms.py.
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
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
module @wrong_depth_normalized_values {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %42 = linalg.index 1 : index
      %43 = linalg.index 2 : index
      %44 = linalg.index 3 : index
      %45 = linalg.index 0 : index
      %46 = arith.cmpi ult, %45, %c1 : index
      %47 = scf.if %46 -> (f32) {
        %extracted = tensor.extract %1[%45, %42, %43, %44] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %48 = arith.cmpi ult, %45, %c2 : index
        %49 = scf.if %48 -> (f32) {
          %50 = arith.subi %45, %c1 : index
          %extracted = tensor.extract %2[%50, %42, %43, %44] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %50 = arith.subi %45, %c2 : index
          %extracted = tensor.extract %3[%50, %42, %43, %44] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %49 : f32
      }
      linalg.yield %47 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %10 = tensor.empty() : tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.addf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.rsqrt %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %19 = tensor.empty() : tensor<1x1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<3x2x6xf32>
    %24 = tensor.empty() : tensor<2x6xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<3x2x6xf32>) outs(%25 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.maximumf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%24 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%27, %26 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%24 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.maximumf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6xf32>
    %29 = tensor.empty() : tensor<1x2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6xf32>) outs(%29 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %31 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.subf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.exp %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33 : tensor<3x2x6xf32>) outs(%34 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6xf32>) outs(%29 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %37 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %39 = tensor.empty() : tensor<2x6x32xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %41 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38, %22 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%40 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<2x6x32xf32>
    return %41 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @wrong_depth_other_axis {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %42 = linalg.index 1 : index
      %43 = linalg.index 2 : index
      %44 = linalg.index 3 : index
      %45 = linalg.index 0 : index
      %46 = arith.cmpi ult, %45, %c1 : index
      %47 = scf.if %46 -> (f32) {
        %extracted = tensor.extract %1[%45, %42, %43, %44] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %48 = arith.cmpi ult, %45, %c2 : index
        %49 = scf.if %48 -> (f32) {
          %50 = arith.subi %45, %c1 : index
          %extracted = tensor.extract %2[%50, %42, %43, %44] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %50 = arith.subi %45, %c2 : index
          %extracted = tensor.extract %3[%50, %42, %43, %44] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %49 : f32
      }
      linalg.yield %47 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %10 = tensor.empty() : tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.addf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.rsqrt %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %19 = tensor.empty() : tensor<1x1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<3x2x6xf32>
    %24 = tensor.empty() : tensor<3x2xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<3x2x6xf32>) outs(%25 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.maximumf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2xf32>
    %27 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%24 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2xf32>
    %28 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%27, %26 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%24 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.maximumf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2xf32>
    %29 = tensor.empty() : tensor<3x2x1xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<3x2xf32>) outs(%29 : tensor<3x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x1xf32>
    %31 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<3x2x1xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %31 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.subf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.exp %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33 : tensor<3x2x6xf32>) outs(%34 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<3x2xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<3x2xf32>) outs(%29 : tensor<3x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x1xf32>
    %37 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<3x2x1xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %39 = tensor.empty() : tensor<2x6x32xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %41 = linalg.generic {indexing_maps = [#map12, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%40 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<2x6x32xf32>
    return %41 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @wrong_depth_raw_scores {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %27 = linalg.index 1 : index
      %28 = linalg.index 2 : index
      %29 = linalg.index 3 : index
      %30 = linalg.index 0 : index
      %31 = arith.cmpi ult, %30, %c1 : index
      %32 = scf.if %31 -> (f32) {
        %extracted = tensor.extract %1[%30, %27, %28, %29] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %33 = arith.cmpi ult, %30, %c2 : index
        %34 = scf.if %33 -> (f32) {
          %35 = arith.subi %30, %c1 : index
          %extracted = tensor.extract %2[%35, %27, %28, %29] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %35 = arith.subi %30, %c2 : index
          %extracted = tensor.extract %3[%35, %27, %28, %29] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %34 : f32
      }
      linalg.yield %32 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = tensor.empty() : tensor<3x2x6xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %27 = arith.mulf %in, %in_2 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<3x2x6xf32>
    %9 = tensor.empty() : tensor<2x6xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<3x2x6xf32>) outs(%10 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.maximumf %out, %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%12, %11 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %27 = arith.maximumf %in, %in_2 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6xf32>
    %14 = tensor.empty() : tensor<1x2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6xf32>) outs(%14 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %16 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x6xf32>) outs(%6 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %16 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%6 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %27 = arith.subf %in, %in_2 : f32
      linalg.yield %27 : f32
    } -> tensor<3x2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<3x2x6xf32>) outs(%6 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<3x2x6xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<3x2x6xf32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %out, %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6xf32>) outs(%14 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x6xf32>) outs(%6 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %22 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%6 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %27 = arith.divf %in, %in_2 : f32
      linalg.yield %27 : f32
    } -> tensor<3x2x6xf32>
    %24 = tensor.empty() : tensor<2x6x32xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%25 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %27 = arith.mulf %in, %in_2 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x6x32xf32>
    return %26 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @wrong_depth_sum_of_squares {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %36 = linalg.index 1 : index
      %37 = linalg.index 2 : index
      %38 = linalg.index 3 : index
      %39 = linalg.index 0 : index
      %40 = arith.cmpi ult, %39, %c1 : index
      %41 = scf.if %40 -> (f32) {
        %extracted = tensor.extract %1[%39, %36, %37, %38] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %42 = arith.cmpi ult, %39, %c2 : index
        %43 = scf.if %42 -> (f32) {
          %44 = arith.subi %39, %c1 : index
          %extracted = tensor.extract %2[%44, %36, %37, %38] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %44 = arith.subi %39, %c2 : index
          %extracted = tensor.extract %3[%44, %36, %37, %38] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %43 : f32
      }
      linalg.yield %41 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.mulf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %out, %in : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6xf32>
    %10 = tensor.empty() : tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.addf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.rsqrt %in : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %15 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.mulf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.mulf %in, %in_3 : f32
      %37 = arith.addf %out, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %18 = tensor.empty() : tensor<2x6xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<3x2x6xf32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.maximumf %out, %in : f32
      linalg.yield %36 : f32
    } -> tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%18 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%21, %20 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%18 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.maximumf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<2x6xf32>
    %23 = tensor.empty() : tensor<1x2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x6xf32>) outs(%23 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %25 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.subf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<3x2x6xf32>) outs(%28 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %out, %in : f32
      linalg.yield %36 : f32
    } -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x6xf32>) outs(%23 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %31 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.divf %in, %in_3 : f32
      linalg.yield %36 : f32
    } -> tensor<3x2x6xf32>
    %33 = tensor.empty() : tensor<2x6x32xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %35 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%34 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %36 = arith.mulf %in, %in_3 : f32
      %37 = arith.addf %out, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6x32xf32>
    return %35 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @wrong_depth_shifted_sources {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %out, %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.divf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.rsqrt %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%14 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      %71 = arith.addf %out, %70 : f32
      linalg.yield %71 : f32
    } -> tensor<2x6xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %out, %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.divf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.rsqrt %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %25 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      %71 = arith.addf %out, %70 : f32
      linalg.yield %71 : f32
    } -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %out, %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.divf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.rsqrt %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %35 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      %71 = arith.addf %out, %70 : f32
      linalg.yield %71 : f32
    } -> tensor<2x6xf32>
    %39 = tensor.empty() : tensor<1x2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x6xf32>) outs(%39 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6xf32>) outs(%39 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x6xf32>) outs(%39 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %43 = tensor.empty() : tensor<3x2x6xf32>
    %44 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%out: f32):
      %70 = linalg.index 1 : index
      %71 = linalg.index 2 : index
      %72 = linalg.index 0 : index
      %73 = arith.cmpi ult, %72, %c1 : index
      %74 = scf.if %73 -> (f32) {
        %extracted = tensor.extract %40[%72, %70, %71] : tensor<1x2x6xf32>
        scf.yield %extracted : f32
      } else {
        %75 = arith.cmpi ult, %72, %c2 : index
        %76 = scf.if %75 -> (f32) {
          %77 = arith.subi %72, %c1 : index
          %extracted = tensor.extract %41[%77, %70, %71] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        } else {
          %77 = arith.subi %72, %c2 : index
          %extracted = tensor.extract %42[%77, %70, %71] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        }
        scf.yield %76 : f32
      }
      linalg.yield %74 : f32
    } -> tensor<3x2x6xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %46 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%44 : tensor<3x2x6xf32>) outs(%45 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.maximumf %out, %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %48 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%47, %46 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.maximumf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x6xf32>) outs(%39 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %50 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x6xf32>) outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %50 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.subf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<3x2x6xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<3x2x6xf32>) outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.exp %in : f32
      linalg.yield %70 : f32
    } -> tensor<3x2x6xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%52 : tensor<3x2x6xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %out, %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6xf32>
    %54 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x6xf32>) outs(%39 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %55 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x6xf32>) outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %55 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%43 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.divf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<3x2x6xf32>
    %extracted_slice = tensor.extract_slice %56[0, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %60 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %59 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_5 = tensor.extract_slice %56[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_6 = tensor.collapse_shape %extracted_slice_5 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %64 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_7 = tensor.extract_slice %56[2, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_8 = tensor.collapse_shape %extracted_slice_7 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_8 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %67 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.mulf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %70 = arith.addf %in, %in_9 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x32xf32>
    return %69 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @wrong_depth_query_each {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<3x32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %4 = tensor.empty() : tensor<3x2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %38 = linalg.index 1 : index
      %39 = linalg.index 2 : index
      %40 = linalg.index 3 : index
      %41 = linalg.index 0 : index
      %42 = arith.cmpi ult, %41, %c1 : index
      %43 = scf.if %42 -> (f32) {
        %extracted = tensor.extract %1[%41, %38, %39, %40] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %44 = arith.cmpi ult, %41, %c2 : index
        %45 = scf.if %44 -> (f32) {
          %46 = arith.subi %41, %c1 : index
          %extracted = tensor.extract %2[%46, %38, %39, %40] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %46 = arith.subi %41, %c2 : index
          %extracted = tensor.extract %3[%46, %38, %39, %40] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %45 : f32
      }
      linalg.yield %43 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %out, %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %10 = tensor.empty() : tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.divf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.addf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.rsqrt %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %arg3 : tensor<3x2x6x32xf32>, tensor<3x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<3x2x6xf32>
    %20 = tensor.empty() : tensor<2x6xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<3x2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.maximumf %out, %in : f32
      linalg.yield %38 : f32
    } -> tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%23, %22 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.maximumf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<2x6xf32>
    %25 = tensor.empty() : tensor<1x2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x6xf32>) outs(%25 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.subf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.exp %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<3x2x6xf32>) outs(%30 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %out, %in : f32
      linalg.yield %38 : f32
    } -> tensor<2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x6xf32>) outs(%25 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %33 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.divf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %35 = tensor.empty() : tensor<2x6x32xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%36 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      %39 = arith.addf %out, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<2x6x32xf32>
    return %37 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @wrong_depth_one_left_out {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %out, %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.divf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.addf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.rsqrt %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      %59 = arith.addf %out, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %out, %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.divf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.addf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.rsqrt %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %21 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      %59 = arith.addf %out, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %out, %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.divf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.addf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.rsqrt %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %30 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31, %arg3 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      %59 = arith.addf %out, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<2x6xf32>
    %33 = tensor.empty() : tensor<1x2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6xf32>) outs(%33 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x6xf32>) outs(%33 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x6xf32>) outs(%33 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %37 = tensor.empty() : tensor<3x2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%out: f32):
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = linalg.index 0 : index
      %61 = arith.cmpi ult, %60, %c1 : index
      %62 = scf.if %61 -> (f32) {
        %extracted = tensor.extract %34[%60, %58, %59] : tensor<1x2x6xf32>
        scf.yield %extracted : f32
      } else {
        %63 = arith.cmpi ult, %60, %c2 : index
        %64 = scf.if %63 -> (f32) {
          %65 = arith.subi %60, %c1 : index
          %extracted = tensor.extract %35[%65, %58, %59] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        } else {
          %65 = arith.subi %60, %c2 : index
          %extracted = tensor.extract %36[%65, %58, %59] : tensor<1x2x6xf32>
          scf.yield %extracted : f32
        }
        scf.yield %64 : f32
      }
      linalg.yield %62 : f32
    } -> tensor<3x2x6xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38 : tensor<3x2x6xf32>) outs(%39 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.maximumf %out, %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %41 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%41, %40 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.maximumf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x6xf32>) outs(%33 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x6xf32>) outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %44 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.subf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<3x2x6xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<3x2x6xf32>) outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<3x2x6xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46 : tensor<3x2x6xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %out, %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x6xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<2x6xf32>) outs(%33 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %49 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x6xf32>) outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%37 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.divf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<3x2x6xf32>
    %extracted_slice = tensor.extract_slice %50[0, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_4 = tensor.extract_slice %50[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<3x2x6xf32> to tensor<1x2x6xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_5 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.mulf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %58 = arith.addf %in, %in_6 : f32
      linalg.yield %58 : f32
    } -> tensor<2x6x32xf32>
    return %57 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @wrong_attention_query_axis {
  func.func public @main(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> (tensor<2x6x4x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      %26 = arith.addf %out, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.divf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6x6xf32>
    %5 = tensor.empty() : tensor<2x4x6xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %7 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.maximumf %out, %in : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6xf32>
    %8 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6xf32>
    %9 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %7 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.maximumf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6xf32>
    %10 = tensor.empty() : tensor<2x4x1x6xf32>
    %11 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6xf32>) outs(%10 : tensor<2x4x1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x1x6xf32>
    %12 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x4x1x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.subf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.exp %in : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6x6xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x4x6x6xf32>) outs(%15 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %out, %in : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x6xf32>) outs(%10 : tensor<2x4x1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x1x6xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x1x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.divf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<2x4x6x6xf32>
    %20 = tensor.empty() : tensor<2x4x8x6xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %22 = linalg.generic {indexing_maps = [#map11, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %19 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%21 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      %26 = arith.addf %out, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<2x4x8x6xf32>
    %23 = tensor.empty() : tensor<2x6x4x8xf32>
    %24 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x4x8x6xf32>) outs(%23 : tensor<2x6x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x8xf32>
    return %24 : tensor<2x6x4x8xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> ()>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @wrong_attention_mask_after {
  func.func public @main(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> (tensor<2x6x4x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<true> : tensor<i1>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<2.82842708> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x6x6xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%1 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.mulf %in, %in_4 : f32
      %35 = arith.addf %out, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.divf %in, %in_4 : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6x6xf32>
    %5 = tensor.empty() : tensor<2x4x6xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.maximumf %out, %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6xf32>
    %9 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %7 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%5 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.maximumf %in, %in_4 : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6xf32>
    %10 = tensor.empty() : tensor<2x4x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x6xf32>) outs(%10 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x4x6x1xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.subf %in, %in_4 : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6x6xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x4x6x6xf32>) outs(%15 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %out, %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x6xf32>) outs(%10 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x6x1xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.divf %in, %in_4 : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6x6xf32>
    %20 = tensor.empty() : tensor<6x6xi1>
    %21 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i1>) outs(%20 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x6xi1>
    %22 = call @tril(%21) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %23 = tensor.empty() : tensor<6x6xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<6x6xi1>) outs(%23 : tensor<6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %34 = arith.uitofp %in : i1 to f32
      linalg.yield %34 : f32
    } -> tensor<6x6xf32>
    %25 = tensor.empty() : tensor<1x1x6x6xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<6x6xf32>) outs(%25 : tensor<1x1x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x6x6xf32>
    %27 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%0 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.mulf %in, %in_4 : f32
      linalg.yield %34 : f32
    } -> tensor<2x4x6x6xf32>
    %29 = tensor.empty() : tensor<2x4x8x6xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %31 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %28 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%30 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %34 = arith.mulf %in, %in_4 : f32
      %35 = arith.addf %out, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x8x6xf32>
    %32 = tensor.empty() : tensor<2x6x4x8xf32>
    %33 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x4x8x6xf32>) outs(%32 : tensor<2x6x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x8xf32>
    return %33 : tensor<2x6x4x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %2 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %3 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%0 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %9 = arith.addi %in, %in_1 : i32
      linalg.yield %9 : i32
    } -> tensor<6x6xi32>
    %4 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %5 = tensor.empty() : tensor<6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %9 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %9 : i1
    } -> tensor<6x6xi1>
    %7 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map10, #map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1):
      %9 = arith.select %in, %in_1, %in_2 : i1
      linalg.yield %9 : i1
    } -> tensor<6x6xi1>
    return %8 : tensor<6x6xi1>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
module @wrong_attention_mask_zero {
  func.func public @main(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> (tensor<2x6x4x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %0 = tensor.empty() : tensor<6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i1>) outs(%0 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x6xi1>
    %2 = call @tril(%1) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %3 = tensor.empty() : tensor<2x4x6x6xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.mulf %in, %in_5 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x4x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.divf %in, %in_5 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6x6xf32>
    %8 = call @_where(%2, %7, %cst_2) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %9 = tensor.empty() : tensor<2x4x6xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %11 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x4x6x6xf32>) outs(%10 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.maximumf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%9 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %11 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%9 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.maximumf %in, %in_5 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6xf32>
    %14 = tensor.empty() : tensor<2x4x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x6xf32>) outs(%14 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x4x6x1xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %16 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.subf %in, %in_5 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6x6xf32>
    %18 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.exp %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6x6xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x4x6x6xf32>) outs(%19 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x4x6xf32>) outs(%14 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x4x6x1xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %22 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%3 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.divf %in, %in_5 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x6x6xf32>
    %24 = tensor.empty() : tensor<2x4x8x6xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %23 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) outs(%25 : tensor<2x4x8x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %29 = arith.mulf %in, %in_5 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<2x4x8x6xf32>
    %27 = tensor.empty() : tensor<2x6x4x8xf32>
    %28 = linalg.generic {indexing_maps = [#map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x8x6xf32>) outs(%27 : tensor<2x6x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x8xf32>
    return %28 : tensor<2x6x4x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%0 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %9 = arith.addi %in, %in_1 : i32
      linalg.yield %9 : i32
    } -> tensor<6x6xi32>
    %4 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<6x6xi32>
    %5 = tensor.empty() : tensor<6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %9 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %9 : i1
    } -> tensor<6x6xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x6xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1):
      %9 = arith.select %in, %in_1, %in_2 : i1
      linalg.yield %9 : i1
    } -> tensor<6x6xi1>
    return %8 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<2x4x6x6xi1>
    %1 = linalg.generic {indexing_maps = [#map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%0 : tensor<2x4x6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x6x6xi1>
    %2 = tensor.empty() : tensor<2x4x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%2 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %5 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %5 : f32
    } -> tensor<2x4x6x6xf32>
    return %4 : tensor<2x4x6x6xf32>
  }
}
