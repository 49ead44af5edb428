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
module @depth_stack {
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
    %41 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%40 : tensor<2x6x32xf32>) {
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
#map6 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_stack_no_gain {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
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
      %41 = linalg.index 1 : index
      %42 = linalg.index 2 : index
      %43 = linalg.index 3 : index
      %44 = linalg.index 0 : index
      %45 = arith.cmpi ult, %44, %c1 : index
      %46 = scf.if %45 -> (f32) {
        %extracted = tensor.extract %1[%44, %41, %42, %43] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %47 = arith.cmpi ult, %44, %c2 : index
        %48 = scf.if %47 -> (f32) {
          %49 = arith.subi %44, %c1 : index
          %extracted = tensor.extract %2[%49, %41, %42, %43] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %49 = arith.subi %44, %c2 : index
          %extracted = tensor.extract %3[%49, %41, %42, %43] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %48 : f32
      }
      linalg.yield %46 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
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
      %41 = arith.divf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.addf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      %42 = arith.addf %out, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %20 = tensor.empty() : tensor<2x6xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<3x2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.maximumf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%23, %22 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.maximumf %in, %in_4 : f32
      linalg.yield %41 : f32
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
      %41 = arith.subf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<3x2x6xf32>) outs(%30 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
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
      %41 = arith.divf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<3x2x6x32xf32>
    %38 = tensor.empty() : tensor<2x6x32xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%38 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %40 = linalg.generic {indexing_maps = [#map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<3x2x6x32xf32>) outs(%39 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x32xf32>
    return %40 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
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
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
module @depth_stack_inner {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x1x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x32xf32>
    %4 = tensor.empty() : tensor<2x6x3x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%out: f32):
      %42 = linalg.index 0 : index
      %43 = linalg.index 1 : index
      %44 = linalg.index 3 : index
      %45 = linalg.index 2 : index
      %46 = arith.cmpi ult, %45, %c1 : index
      %47 = scf.if %46 -> (f32) {
        %extracted = tensor.extract %1[%42, %43, %45, %44] : tensor<2x6x1x32xf32>
        scf.yield %extracted : f32
      } else {
        %48 = arith.cmpi ult, %45, %c2 : index
        %49 = scf.if %48 -> (f32) {
          %50 = arith.subi %45, %c1 : index
          %extracted = tensor.extract %2[%42, %43, %50, %44] : tensor<2x6x1x32xf32>
          scf.yield %extracted : f32
        } else {
          %50 = arith.subi %45, %c2 : index
          %extracted = tensor.extract %3[%42, %43, %50, %44] : tensor<2x6x1x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %49 : f32
      }
      linalg.yield %47 : f32
    } -> tensor<2x6x3x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x32xf32>
    %7 = tensor.empty() : tensor<2x6x3xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<2x6x3x32xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3xf32>
    %10 = tensor.empty() : tensor<2x6x3x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x3xf32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x6x3x1xf32>, tensor<2x6x3x1xf32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x6x3x1xf32>, tensor<2x6x3x1xf32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.addf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x3x1xf32>) outs(%10 : tensor<2x6x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.rsqrt %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x3x1xf32>) outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x32xf32>
    %19 = tensor.empty() : tensor<1x1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x32xf32>) outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x6x3x32xf32>, tensor<2x6x3x32xf32>) outs(%4 : tensor<2x6x3x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg3 : tensor<2x6x3x32xf32>, tensor<32xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.mulf %in, %in_4 : f32
      %43 = arith.addf %out, %42 : f32
      linalg.yield %43 : f32
    } -> tensor<2x6x3xf32>
    %24 = tensor.empty() : tensor<2x6xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<2x6x3xf32>) outs(%25 : tensor<2x6xf32>) {
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
    %29 = tensor.empty() : tensor<2x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6xf32>) outs(%29 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %31 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3xf32>
    %32 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %31 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.subf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.exp %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33 : tensor<2x6x3xf32>) outs(%34 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6xf32>) outs(%29 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %37 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %42 = arith.divf %in, %in_4 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6x3xf32>
    %39 = tensor.empty() : tensor<2x6x32xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38, %5 : tensor<2x6x3xf32>, tensor<2x6x3x32xf32>) outs(%40 : tensor<2x6x32xf32>) {
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
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_concatenated {
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
      %48 = linalg.index 1 : index
      %49 = linalg.index 2 : index
      %50 = linalg.index 3 : index
      %51 = linalg.index 0 : index
      %52 = arith.cmpi ult, %51, %c1 : index
      %53 = scf.if %52 -> (f32) {
        %extracted = tensor.extract %1[%51, %48, %49, %50] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %54 = arith.cmpi ult, %51, %c2 : index
        %55 = scf.if %54 -> (f32) {
          %56 = arith.subi %51, %c1 : index
          %extracted = tensor.extract %2[%56, %48, %49, %50] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %56 = arith.subi %51, %c2 : index
          %extracted = tensor.extract %3[%56, %48, %49, %50] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %55 : f32
      }
      linalg.yield %53 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
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
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.addf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.sqrt %in : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
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
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x32xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6xf32>
    %27 = tensor.empty() : tensor<2x6xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<3x2x6xf32>) outs(%28 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.maximumf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%27 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%30, %29 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%27 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.maximumf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x6xf32>
    %32 = tensor.empty() : tensor<1x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x6xf32>) outs(%32 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %34 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.subf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.exp %in : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%36 : tensor<3x2x6xf32>) outs(%37 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x6xf32>
    %39 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x6xf32>) outs(%32 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %41 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<3x2x6xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<3x2x6x1xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<3x2x6x32xf32>
    %45 = tensor.empty() : tensor<2x6x32xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %47 = linalg.generic {indexing_maps = [#map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<3x2x6x32xf32>) outs(%46 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x6x32xf32>
    return %47 : tensor<2x6x32xf32>
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
module @depth_list {
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
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
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
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
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
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
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
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
module @depth_loop {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %5 = tensor.empty() : tensor<2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.rsqrt %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
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
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%14 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %19 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.rsqrt %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %29 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %19 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %7 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %9 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.rsqrt %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %41 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %19 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%44 : tensor<2x6x32xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = arith.addf %out, %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x6xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %34 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.maximumf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %46 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.maximumf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %48 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.subf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.exp %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %48 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.subf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.exp %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %48 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.subf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %72 = math.exp %in : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %50 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %52 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %54 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %58 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %arg0 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %58 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %65 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %arg1 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %58 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%5 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.divf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x1xf32>
    %69 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x6x1xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %arg2 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.mulf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %72 = arith.addf %in, %in_3 : f32
      linalg.yield %72 : f32
    } -> tensor<2x6x32xf32>
    return %71 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_folded {
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
      %37 = linalg.index 1 : index
      %38 = linalg.index 2 : index
      %39 = linalg.index 3 : index
      %40 = linalg.index 0 : index
      %41 = arith.cmpi ult, %40, %c1 : index
      %42 = scf.if %41 -> (f32) {
        %extracted = tensor.extract %1[%40, %37, %38, %39] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %43 = arith.cmpi ult, %40, %c2 : index
        %44 = scf.if %43 -> (f32) {
          %45 = arith.subi %40, %c1 : index
          %extracted = tensor.extract %2[%45, %37, %38, %39] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %45 = arith.subi %40, %c2 : index
          %extracted = tensor.extract %3[%45, %37, %38, %39] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %44 : f32
      }
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x32xf32>
    %7 = tensor.empty() : tensor<3x2x6xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.divf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.addf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.rsqrt %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %15 = tensor.empty() : tensor<32xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<32xf32>, tensor<32xf32>) outs(%15 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<32xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %16 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %14 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %19 = tensor.empty() : tensor<2x6xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<3x2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%22, %21 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.maximumf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %24 = tensor.empty() : tensor<1x2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x6xf32>) outs(%24 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %26 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.subf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28 : tensor<3x2x6xf32>) outs(%29 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6xf32>) outs(%24 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%7 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.divf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %34 = tensor.empty() : tensor<2x6x32xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%35 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x6x32xf32>
    return %36 : tensor<2x6x32xf32>
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
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_bf16 {
  func.func public @main(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<2x6x32xbf16>, %arg2: tensor<2x6x32xbf16>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xbf16>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %4 = tensor.empty() : tensor<3x2x6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%out: bf16):
      %46 = linalg.index 1 : index
      %47 = linalg.index 2 : index
      %48 = linalg.index 3 : index
      %49 = linalg.index 0 : index
      %50 = arith.cmpi ult, %49, %c1 : index
      %51 = scf.if %50 -> (bf16) {
        %extracted = tensor.extract %1[%49, %46, %47, %48] : tensor<1x2x6x32xbf16>
        scf.yield %extracted : bf16
      } else {
        %52 = arith.cmpi ult, %49, %c2 : index
        %53 = scf.if %52 -> (bf16) {
          %54 = arith.subi %49, %c1 : index
          %extracted = tensor.extract %2[%54, %46, %47, %48] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        } else {
          %54 = arith.subi %49, %c2 : index
          %extracted = tensor.extract %3[%54, %46, %47, %48] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        }
        scf.yield %53 : bf16
      }
      linalg.yield %51 : bf16
    } -> tensor<3x2x6x32xbf16>
    %6 = tensor.empty() : tensor<3x2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<3x2x6x32xbf16>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %46 = arith.extf %in : bf16 to f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.mulf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x32xf32>
    %9 = tensor.empty() : tensor<3x2x6xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<3x2x6x32xf32>) outs(%10 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %out, %in : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6xf32>
    %12 = tensor.empty() : tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<3x2x6xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.divf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.addf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<3x2x6x1xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %19 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.mulf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x32xf32>
    %21 = tensor.empty() : tensor<1x1x1x32xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xf32>) outs(%21 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x1x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.mulf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24, %arg3 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%10 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.mulf %in, %in_4 : f32
      %47 = arith.addf %out, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<3x2x6xf32>
    %26 = tensor.empty() : tensor<2x6xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<3x2x6xf32>) outs(%27 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.maximumf %out, %in : f32
      linalg.yield %46 : f32
    } -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%26 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%29, %28 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%26 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.maximumf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<2x6xf32>
    %31 = tensor.empty() : tensor<1x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6xf32>) outs(%31 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %33 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.subf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6xf32>
    %35 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %37 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35 : tensor<3x2x6xf32>) outs(%36 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %out, %in : f32
      linalg.yield %46 : f32
    } -> tensor<2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<2x6xf32>) outs(%31 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %39 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.divf %in, %in_4 : f32
      linalg.yield %46 : f32
    } -> tensor<3x2x6xf32>
    %41 = tensor.empty() : tensor<2x6x32xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %43 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40, %7 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%42 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %46 = arith.mulf %in, %in_4 : f32
      %47 = arith.addf %out, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6x32xf32>
    %44 = tensor.empty() : tensor<2x6x32xbf16>
    %45 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<2x6x32xf32>) outs(%44 : tensor<2x6x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %46 = arith.truncf %in : f32 to bf16
      linalg.yield %46 : bf16
    } -> tensor<2x6x32xbf16>
    return %45 : tensor<2x6x32xbf16>
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
#map8 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> ()>
#map11 = affine_map<(d0, d1) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_bf16_parameters {
  func.func public @main(%arg0: tensor<2x6x32xbf16>, %arg1: tensor<2x6x32xbf16>, %arg2: tensor<2x6x32xbf16>, %arg3: tensor<32xbf16>, %arg4: tensor<32xbf16>) -> (tensor<2x6x32xbf16>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : bf16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_4 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xbf16>) outs(%0 : tensor<1x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x2x6x32xbf16>
    %4 = tensor.empty() : tensor<3x2x6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%out: bf16):
      %49 = linalg.index 1 : index
      %50 = linalg.index 2 : index
      %51 = linalg.index 3 : index
      %52 = linalg.index 0 : index
      %53 = arith.cmpi ult, %52, %c1 : index
      %54 = scf.if %53 -> (bf16) {
        %extracted = tensor.extract %1[%52, %49, %50, %51] : tensor<1x2x6x32xbf16>
        scf.yield %extracted : bf16
      } else {
        %55 = arith.cmpi ult, %52, %c2 : index
        %56 = scf.if %55 -> (bf16) {
          %57 = arith.subi %52, %c1 : index
          %extracted = tensor.extract %2[%57, %49, %50, %51] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        } else {
          %57 = arith.subi %52, %c2 : index
          %extracted = tensor.extract %3[%57, %49, %50, %51] : tensor<1x2x6x32xbf16>
          scf.yield %extracted : bf16
        }
        scf.yield %56 : bf16
      }
      linalg.yield %54 : bf16
    } -> tensor<3x2x6x32xbf16>
    %6 = tensor.empty() : tensor<3x2x6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<3x2x6x32xbf16>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.mulf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x32xf32>
    %9 = tensor.empty() : tensor<3x2x6xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<3x2x6x32xf32>) outs(%10 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %out, %in : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6xf32>
    %12 = tensor.empty() : tensor<3x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<3x2x6xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.divf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.addf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<3x2x6x1xf32>) outs(%12 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.rsqrt %in : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<3x2x6x1xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %19 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%6 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.mulf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %49 = arith.truncf %in : f32 to bf16
      linalg.yield %49 : bf16
    } -> tensor<3x2x6x32xbf16>
    %22 = tensor.empty() : tensor<1x1x1x32xbf16>
    %23 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32xbf16>) outs(%22 : tensor<1x1x1x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x1x1x32xbf16>
    %24 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x1x32xbf16>) outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<3x2x6x32xbf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<3x2x6x32xbf16>, tensor<3x2x6x32xbf16>) outs(%4 : tensor<3x2x6x32xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %49 = arith.mulf %in, %in_5 : bf16
      linalg.yield %49 : bf16
    } -> tensor<3x2x6x32xbf16>
    %26 = tensor.empty() : tensor<3x2x6xbf16>
    %27 = linalg.fill ins(%cst_0 : bf16) outs(%26 : tensor<3x2x6xbf16>) -> tensor<3x2x6xbf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %arg3 : tensor<3x2x6x32xbf16>, tensor<32xbf16>) outs(%27 : tensor<3x2x6xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %49 = arith.mulf %in, %in_5 : bf16
      %50 = arith.addf %out, %49 : bf16
      linalg.yield %50 : bf16
    } -> tensor<3x2x6xbf16>
    %29 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<3x2x6xbf16>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6xf32>
    %30 = tensor.empty() : tensor<2x6xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<3x2x6xf32>) outs(%31 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.maximumf %out, %in : f32
      linalg.yield %49 : f32
    } -> tensor<2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%30 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel"]} ins(%33, %32 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%30 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.maximumf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<2x6xf32>
    %35 = tensor.empty() : tensor<1x2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<2x6xf32>) outs(%35 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %37 = linalg.generic {indexing_maps = [#map13, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %37 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.subf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6xf32>
    %39 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.exp %in : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6xf32>
    %40 = linalg.fill ins(%cst_1 : f32) outs(%30 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %41 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<3x2x6xf32>) outs(%40 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %out, %in : f32
      linalg.yield %49 : f32
    } -> tensor<2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x6xf32>) outs(%35 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %43 = linalg.generic {indexing_maps = [#map13, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %44 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%9 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %49 = arith.divf %in, %in_5 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x6xf32>
    %45 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<3x2x6xf32>) outs(%26 : tensor<3x2x6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %49 = arith.truncf %in : f32 to bf16
      linalg.yield %49 : bf16
    } -> tensor<3x2x6xbf16>
    %46 = tensor.empty() : tensor<2x6x32xbf16>
    %47 = linalg.fill ins(%cst_0 : bf16) outs(%46 : tensor<2x6x32xbf16>) -> tensor<2x6x32xbf16>
    %48 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45, %5 : tensor<3x2x6xbf16>, tensor<3x2x6x32xbf16>) outs(%47 : tensor<2x6x32xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %49 = arith.mulf %in, %in_5 : bf16
      %50 = arith.addf %out, %49 : bf16
      linalg.yield %50 : bf16
    } -> tensor<2x6x32xbf16>
    return %48 : tensor<2x6x32xbf16>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_given {
  func.func public @main(%arg0: tensor<3x2x6x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<3x2x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x32xf32>
    %2 = tensor.empty() : tensor<3x2x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<3x2x6x32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %5 = tensor.empty() : tensor<3x2x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<3x2x6xf32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.divf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.addf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<3x2x6x1xf32>) outs(%5 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.rsqrt %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<3x2x6x1xf32>) outs(%0 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %12 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x32xf32>
    %14 = tensor.empty() : tensor<1x1x1x32xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%14 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%0 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %arg1 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%3 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<3x2x6xf32>
    %19 = tensor.empty() : tensor<2x6xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<3x2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%22, %21 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.maximumf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %24 = tensor.empty() : tensor<1x2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x6xf32>) outs(%24 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x6xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %26 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.subf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<3x2x6xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28 : tensor<3x2x6xf32>) outs(%29 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6xf32>) outs(%24 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x6xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%2 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.divf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<3x2x6xf32>
    %34 = tensor.empty() : tensor<2x6x32xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map13, #map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33, %arg0 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%35 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x6x32xf32>
    return %36 : tensor<2x6x32xf32>
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
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
module @depth_table {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<4x32xf32>, %arg4: tensor<4x32xf32>) -> (tensor<2x6x32xf32>) {
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
    %extracted_slice = tensor.extract_slice %arg3[2, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %extracted_slice_4 = tensor.extract_slice %arg4[2, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
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
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.divf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%10 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.addf %in, %in_6 : f32
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
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %19 = tensor.empty() : tensor<1x1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_5 : tensor<32xf32>) outs(%19 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%4 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6x32xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %22 : tensor<32xf32>, tensor<3x2x6x32xf32>) outs(%8 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
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
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.maximumf %in, %in_6 : f32
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
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.subf %in, %in_6 : f32
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
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.divf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<3x2x6xf32>
    %39 = tensor.empty() : tensor<2x6x32xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %41 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38, %5 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%40 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
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
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map7 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map18 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @depth_layers {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<3x32xf32>, %arg2: tensor<3x32xf32>, %arg3: tensor<3x32x32xf32>) -> (tensor<2x6x32xf32>) {
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
    %extracted_slice = tensor.extract_slice %arg2[0, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x32xf32>
    %3 = tensor.empty() : tensor<1x2x6xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<1x2x6x32xf32>) outs(%4 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6xf32>
    %6 = tensor.empty() : tensor<1x2x6x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x6xf32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.addf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x6x1xf32>) outs(%6 : tensor<1x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x6x1xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %13 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x32xf32>
    %15 = tensor.empty() : tensor<1x1x1x32xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<32xf32>) outs(%15 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x1x1x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6x32xf32>
    %extracted_slice_4 = tensor.extract_slice %arg1[0, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %collapsed_5 : tensor<1x2x6x32xf32>, tensor<32xf32>) outs(%4 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x6xf32>
    %20 = tensor.empty() : tensor<2x6xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.maximumf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%23, %22 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.maximumf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %25 : tensor<1x2x6xf32>, tensor<1x2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.subf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.exp %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<1x2x6xf32>) outs(%28 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x2x6xf32>, tensor<1x2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x6xf32>
    %32 = tensor.empty() : tensor<2x6x32xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %34 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31, %1 : tensor<1x2x6xf32>, tensor<1x2x6x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_6 = tensor.extract_slice %arg3[0, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %35 = linalg.generic {indexing_maps = [#map15, #map16, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34, %collapsed_7 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6x32xf32>) outs(%32 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.tanh %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %38 = tensor.empty() : tensor<2x2x6x32xf32>
    %39 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 1 : index
      %104 = linalg.index 2 : index
      %105 = linalg.index 3 : index
      %106 = linalg.index 0 : index
      %107 = arith.cmpi ult, %106, %c1 : index
      %108 = scf.if %107 -> (f32) {
        %extracted = tensor.extract %1[%106, %103, %104, %105] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %109 = arith.subi %106, %c1 : index
        %extracted = tensor.extract %37[%109, %103, %104, %105] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %108 : f32
    } -> tensor<2x2x6x32xf32>
    %extracted_slice_8 = tensor.extract_slice %arg2[1, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice_8 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %39 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x32xf32>
    %41 = tensor.empty() : tensor<2x2x6xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<2x2x6x32xf32>) outs(%42 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6xf32>
    %44 = tensor.empty() : tensor<2x2x6x1xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x2x6xf32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6x1xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6x1xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<2x2x6x1xf32>, tensor<2x2x6x1xf32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x1xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6x1xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %48 : tensor<2x2x6x1xf32>, tensor<2x2x6x1xf32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.addf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x1xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x2x6x1xf32>) outs(%44 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x1xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x2x6x1xf32>) outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6x32xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %51 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x32xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_9 : tensor<32xf32>) outs(%15 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %54 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x1x1x32xf32>) outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6x32xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %54 : tensor<2x2x6x32xf32>, tensor<2x2x6x32xf32>) outs(%38 : tensor<2x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6x32xf32>
    %extracted_slice_10 = tensor.extract_slice %arg1[1, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_10 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55, %collapsed_11 : tensor<2x2x6x32xf32>, tensor<32xf32>) outs(%42 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x2x6xf32>
    %57 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<2x2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.maximumf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %58 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%23, %57 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.maximumf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %59 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %60 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x2x6xf32>) outs(%41 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6xf32>
    %61 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %60 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%41 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.subf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6xf32>
    %62 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x2x6xf32>) outs(%41 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.exp %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6xf32>
    %63 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<2x2x6xf32>) outs(%28 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %64 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %65 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x2x6xf32>) outs(%41 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x6xf32>
    %66 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%41 : tensor<2x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x2x6xf32>
    %67 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66, %39 : tensor<2x2x6xf32>, tensor<2x2x6x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_12 = tensor.extract_slice %arg3[1, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %68 = linalg.generic {indexing_maps = [#map15, #map16, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67, %collapsed_13 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %69 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x6x32xf32>) outs(%32 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.tanh %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6x32xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<2x6x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6x32xf32>
    %71 = tensor.empty() : tensor<3x2x6x32xf32>
    %72 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%out: f32):
      %103 = linalg.index 1 : index
      %104 = linalg.index 2 : index
      %105 = linalg.index 3 : index
      %106 = linalg.index 0 : index
      %107 = arith.cmpi ult, %106, %c1 : index
      %108 = scf.if %107 -> (f32) {
        %extracted = tensor.extract %1[%106, %103, %104, %105] : tensor<1x2x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %109 = arith.cmpi ult, %106, %c2 : index
        %110 = scf.if %109 -> (f32) {
          %111 = arith.subi %106, %c1 : index
          %extracted = tensor.extract %37[%111, %103, %104, %105] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        } else {
          %111 = arith.subi %106, %c2 : index
          %extracted = tensor.extract %70[%111, %103, %104, %105] : tensor<1x2x6x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %110 : f32
      }
      linalg.yield %108 : f32
    } -> tensor<3x2x6x32xf32>
    %extracted_slice_14 = tensor.extract_slice %arg2[2, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_15 = tensor.collapse_shape %extracted_slice_14 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %72 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x32xf32>
    %74 = tensor.empty() : tensor<3x2x6xf32>
    %75 = linalg.fill ins(%cst_0 : f32) outs(%74 : tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<3x2x6x32xf32>) outs(%75 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6xf32>
    %77 = tensor.empty() : tensor<3x2x6x1xf32>
    %78 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<3x2x6xf32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %79 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x1xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x1xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %81 : tensor<3x2x6x1xf32>, tensor<3x2x6x1xf32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.addf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x1xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<3x2x6x1xf32>) outs(%77 : tensor<3x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x1xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<3x2x6x1xf32>) outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %84 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x32xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_15 : tensor<32xf32>) outs(%15 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %87 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x1x1x32xf32>) outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6x32xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %87 : tensor<3x2x6x32xf32>, tensor<3x2x6x32xf32>) outs(%71 : tensor<3x2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6x32xf32>
    %extracted_slice_16 = tensor.extract_slice %arg1[2, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %collapsed_17 = tensor.collapse_shape %extracted_slice_16 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88, %collapsed_17 : tensor<3x2x6x32xf32>, tensor<32xf32>) outs(%75 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<3x2x6xf32>
    %90 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<3x2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.maximumf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %91 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%23, %90 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.maximumf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %92 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %93 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x2x6xf32>) outs(%74 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %94 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %93 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%74 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.subf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6xf32>
    %95 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<3x2x6xf32>) outs(%74 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.exp %in : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6xf32>
    %96 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<3x2x6xf32>) outs(%28 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %out, %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6xf32>
    %97 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x6xf32>) outs(%3 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %98 = linalg.generic {indexing_maps = [#map18, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x2x6xf32>) outs(%74 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x6xf32>
    %99 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %98 : tensor<3x2x6xf32>, tensor<3x2x6xf32>) outs(%74 : tensor<3x2x6xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.divf %in, %in_20 : f32
      linalg.yield %103 : f32
    } -> tensor<3x2x6xf32>
    %100 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%99, %72 : tensor<3x2x6xf32>, tensor<3x2x6x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %extracted_slice_18 = tensor.extract_slice %arg3[2, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<1x32x32xf32>
    %collapsed_19 = tensor.collapse_shape %extracted_slice_18 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %101 = linalg.generic {indexing_maps = [#map15, #map16, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%100, %collapsed_19 : tensor<2x6x32xf32>, tensor<32x32xf32>) outs(%33 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %103 = arith.mulf %in, %in_20 : f32
      %104 = arith.addf %out, %103 : f32
      linalg.yield %104 : f32
    } -> tensor<2x6x32xf32>
    %102 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x6x32xf32>) outs(%32 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.tanh %in : f32
      linalg.yield %103 : f32
    } -> tensor<2x6x32xf32>
    return %102 : tensor<2x6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map7 = affine_map<(d0, d1) -> (d1, d0)>
#map8 = affine_map<(d0, d1) -> (d0)>
#map9 = affine_map<(d0) -> ()>
#map10 = affine_map<(d0) -> (d0)>
#map11 = affine_map<(d0, d1) -> (d1)>
#map12 = affine_map<(d0, d1) -> (d0, d1)>
#map13 = affine_map<(d0, d1) -> (0, d1)>
#map14 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map15 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
module @depth_two_no_batch {
  func.func public @main(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>) -> (tensor<6x32xf32>) {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<6x32xf32>) outs(%0 : tensor<1x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6x32xf32>
    %3 = tensor.empty() : tensor<2x6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%out: f32):
      %41 = linalg.index 1 : index
      %42 = linalg.index 2 : index
      %43 = linalg.index 0 : index
      %44 = arith.cmpi ult, %43, %c1 : index
      %45 = scf.if %44 -> (f32) {
        %extracted = tensor.extract %1[%43, %41, %42] : tensor<1x6x32xf32>
        scf.yield %extracted : f32
      } else {
        %46 = arith.subi %43, %c1 : index
        %extracted = tensor.extract %2[%46, %41, %42] : tensor<1x6x32xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %45 : f32
    } -> tensor<2x6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %4 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x32xf32>
    %6 = tensor.empty() : tensor<2x6xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<2x6x32xf32>) outs(%7 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6xf32>
    %9 = tensor.empty() : tensor<2x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6xf32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.divf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<2x6x1xf32>, tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.addf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6x1xf32>) outs(%9 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x1xf32>) outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %16 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x32xf32>
    %18 = tensor.empty() : tensor<1x1x32xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%18 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x1x32xf32>) outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x6x32xf32>, tensor<2x6x32xf32>) outs(%3 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21, %arg2 : tensor<2x6x32xf32>, tensor<32xf32>) outs(%7 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      %42 = arith.addf %out, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<2x6xf32>
    %23 = tensor.empty() : tensor<6xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<6xf32>) -> tensor<6xf32>
    %25 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<2x6xf32>) outs(%24 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.maximumf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<6xf32>
    %26 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%23 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %27 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel"]} ins(%26, %25 : tensor<6xf32>, tensor<6xf32>) outs(%23 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.maximumf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<6xf32>
    %28 = tensor.empty() : tensor<1x6xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<6xf32>) outs(%28 : tensor<1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6xf32>
    %30 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<1x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%22, %30 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.subf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<2x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x6xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<6xf32>) -> tensor<6xf32>
    %34 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "reduction"]} ins(%32 : tensor<2x6xf32>) outs(%33 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<6xf32>
    %35 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<6xf32>) outs(%28 : tensor<1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6xf32>
    %36 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<1x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %37 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%32, %36 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.divf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6xf32>
    %38 = tensor.empty() : tensor<6x32xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%38 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %40 = linalg.generic {indexing_maps = [#map14, #map15, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37, %4 : tensor<2x6xf32>, tensor<2x6x32xf32>) outs(%39 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      %42 = arith.addf %out, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<6x32xf32>
    return %40 : tensor<6x32xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> ()>
#map11 = affine_map<(d0, d1) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module @depth_last_axis {
  func.func public @main(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>) -> (tensor<2x6x32xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_3 = arith.constant dense<3.200000e+01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x32x1xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x32xf32>) outs(%0 : tensor<2x6x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32x1xf32>
    %4 = tensor.empty() : tensor<2x6x32x3xf32>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%4 : tensor<2x6x32x3xf32>) {
    ^bb0(%out: f32):
      %40 = linalg.index 0 : index
      %41 = linalg.index 1 : index
      %42 = linalg.index 2 : index
      %43 = linalg.index 3 : index
      %44 = arith.cmpi ult, %43, %c1 : index
      %45 = scf.if %44 -> (f32) {
        %extracted = tensor.extract %1[%40, %41, %42, %43] : tensor<2x6x32x1xf32>
        scf.yield %extracted : f32
      } else {
        %46 = arith.cmpi ult, %43, %c2 : index
        %47 = scf.if %46 -> (f32) {
          %48 = arith.subi %43, %c1 : index
          %extracted = tensor.extract %2[%40, %41, %42, %48] : tensor<2x6x32x1xf32>
          scf.yield %extracted : f32
        } else {
          %48 = arith.subi %43, %c2 : index
          %extracted = tensor.extract %3[%40, %41, %42, %48] : tensor<2x6x32x1xf32>
          scf.yield %extracted : f32
        }
        scf.yield %47 : f32
      }
      linalg.yield %45 : f32
    } -> tensor<2x6x32x3xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<2x6x32x3xf32>, tensor<2x6x32x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.mulf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x32x3xf32>
    %7 = tensor.empty() : tensor<2x6x3xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<2x6x32x3xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x3xf32>
    %10 = tensor.empty() : tensor<2x6x1x3xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x3xf32>
    %12 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x3xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x6x1x3xf32>, tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.divf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x1x3xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x3xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x6x1x3xf32>, tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.addf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x1x3xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x1x3xf32>) outs(%10 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.rsqrt %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x1x3xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x1x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x32x3xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %17 : tensor<2x6x32x3xf32>, tensor<2x6x32x3xf32>) outs(%4 : tensor<2x6x32x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.mulf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x32x3xf32>
    %19 = tensor.empty() : tensor<32xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<32xf32>, tensor<32xf32>) outs(%19 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.mulf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<32xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %20 : tensor<2x6x32x3xf32>, tensor<32xf32>) outs(%8 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.mulf %in, %in_4 : f32
      %41 = arith.addf %out, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x3xf32>
    %22 = tensor.empty() : tensor<2x6xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<2x6x3xf32>) outs(%23 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.maximumf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%22 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel"]} ins(%25, %24 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%22 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.maximumf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6xf32>
    %27 = tensor.empty() : tensor<2x6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x6xf32>) outs(%27 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %29 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %29 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.subf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x3xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x3xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31 : tensor<2x6x3xf32>) outs(%32 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x6xf32>) outs(%27 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1xf32>
    %35 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<2x6x1xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x3xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %35 : tensor<2x6x3xf32>, tensor<2x6x3xf32>) outs(%7 : tensor<2x6x3xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.divf %in, %in_4 : f32
      linalg.yield %40 : f32
    } -> tensor<2x6x3xf32>
    %37 = tensor.empty() : tensor<2x6x32xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36, %5 : tensor<2x6x3xf32>, tensor<2x6x32x3xf32>) outs(%38 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %40 = arith.mulf %in, %in_4 : f32
      %41 = arith.addf %out, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<2x6x32xf32>
    return %39 : tensor<2x6x32xf32>
  }
}
