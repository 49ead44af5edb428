// Written by model.py.
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map11 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map12 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2) -> ()>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map17 = affine_map<(d0, d1, d2) -> (d2)>
#map18 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map21 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map25 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map26 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map27 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map28 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map30 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map31 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map32 = affine_map<() -> ()>
#map33 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map34 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
module @jit_forward {
  func.func @main(%arg0: tensor<256x32xf32> {attnres.name = "embedding", attnres.role = #attnres.role<parameter>},
    %arg1: tensor<32xf32> {attnres.name = "final.mixture.gain", attnres.role = #attnres.role<parameter>},
    %arg2: tensor<32xf32> {attnres.name = "final.mixture.query", attnres.role = #attnres.role<parameter>},
    %arg3: tensor<32xf32> {attnres.name = "final.norm", attnres.role = #attnres.role<parameter>},
    %arg4: tensor<32x16xf32> {attnres.name = "layer0.attention.k", attnres.role = #attnres.role<parameter>},
    %arg5: tensor<32xf32> {attnres.name = "layer0.attention.mixture.gain", attnres.role = #attnres.role<parameter>},
    %arg6: tensor<32xf32> {attnres.name = "layer0.attention.mixture.query", attnres.role = #attnres.role<parameter>},
    %arg7: tensor<32xf32> {attnres.name = "layer0.attention.norm", attnres.role = #attnres.role<parameter>},
    %arg8: tensor<32x32xf32> {attnres.name = "layer0.attention.o", attnres.role = #attnres.role<parameter>},
    %arg9: tensor<32x32xf32> {attnres.name = "layer0.attention.q", attnres.role = #attnres.role<parameter>},
    %arg10: tensor<32x16xf32> {attnres.name = "layer0.attention.v", attnres.role = #attnres.role<parameter>},
    %arg11: tensor<64x32xf32> {attnres.name = "layer0.feed_forward.down", attnres.role = #attnres.role<parameter>},
    %arg12: tensor<32x64xf32> {attnres.name = "layer0.feed_forward.gate", attnres.role = #attnres.role<parameter>},
    %arg13: tensor<32xf32> {attnres.name = "layer0.feed_forward.mixture.gain", attnres.role = #attnres.role<parameter>},
    %arg14: tensor<32xf32> {attnres.name = "layer0.feed_forward.mixture.query", attnres.role = #attnres.role<parameter>},
    %arg15: tensor<32xf32> {attnres.name = "layer0.feed_forward.norm", attnres.role = #attnres.role<parameter>},
    %arg16: tensor<32x64xf32> {attnres.name = "layer0.feed_forward.up", attnres.role = #attnres.role<parameter>},
    %arg17: tensor<32x16xf32> {attnres.name = "layer1.attention.k", attnres.role = #attnres.role<parameter>},
    %arg18: tensor<32xf32> {attnres.name = "layer1.attention.mixture.gain", attnres.role = #attnres.role<parameter>},
    %arg19: tensor<32xf32> {attnres.name = "layer1.attention.mixture.query", attnres.role = #attnres.role<parameter>},
    %arg20: tensor<32xf32> {attnres.name = "layer1.attention.norm", attnres.role = #attnres.role<parameter>},
    %arg21: tensor<32x32xf32> {attnres.name = "layer1.attention.o", attnres.role = #attnres.role<parameter>},
    %arg22: tensor<32x32xf32> {attnres.name = "layer1.attention.q", attnres.role = #attnres.role<parameter>},
    %arg23: tensor<32x16xf32> {attnres.name = "layer1.attention.v", attnres.role = #attnres.role<parameter>},
    %arg24: tensor<64x32xf32> {attnres.name = "layer1.feed_forward.down", attnres.role = #attnres.role<parameter>},
    %arg25: tensor<32x64xf32> {attnres.name = "layer1.feed_forward.gate", attnres.role = #attnres.role<parameter>},
    %arg26: tensor<32xf32> {attnres.name = "layer1.feed_forward.mixture.gain", attnres.role = #attnres.role<parameter>},
    %arg27: tensor<32xf32> {attnres.name = "layer1.feed_forward.mixture.query", attnres.role = #attnres.role<parameter>},
    %arg28: tensor<32xf32> {attnres.name = "layer1.feed_forward.norm", attnres.role = #attnres.role<parameter>},
    %arg29: tensor<32x64xf32> {attnres.name = "layer1.feed_forward.up", attnres.role = #attnres.role<parameter>},
    %arg30: tensor<32x256xf32> {attnres.name = "output", attnres.role = #attnres.role<parameter>},
    %arg31: tensor<4x32xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>},
    %arg32: tensor<4x32xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<4x32x256xf32> {attnres.name = "logits"}, tensor<f32> {attnres.name = "loss"}) {
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cst = arith.constant 1.280000e+02 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %c255 = arith.constant 255 : index
    %c0 = arith.constant 0 : index
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant dense<2.82842708> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_7 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_8 = arith.constant dense<256> : tensor<i64>
    %cst_9 = arith.constant dense<"0x0000803F0000803F0000803F0000803F40510A3F98B87E3FB9FC7F3FF8FF7F3F3311D5BEA5E57A3FE5F27F3FDEFF7F3F26707DBFEF90743F83E27F3FB5FF7F3F305527BFA7CA6B3F94CB7F3F7AFF7F3F2C3C913E40A9603F19AE7F3F2EFF7F3FB8CD753F3249533F128A7F3FD2FE7F3FBDFF403FB3CC433F815F7F3F65FE7F3FF6FD14BE5F5B323F662E7F3FE7FD7F3FD53F69BFD5211F3FC2F67E3F59FD7F3F64CD56BF40510A3F98B87E3FB9FC7F3F7205913BC03DE83EE8737E3F09FC7F3FD006583FF586B93EB5287E3F48FB7F3F6F4E683F9BF5883E00D77D3F76FA7F3FD7040C3EDE0B2E3ECC7E7D3F94F97F3FE87A42BFAADE903D1A207D3FA1F87F3F2C2975BFD633EFBCEDBA7C3F9DF77F3F36E28CBED0EF03BE494F7C3F88F67F3F840A293FAAA768BE2EDD7B3F62F57F3FBF1B7D3F3686A5BEA1647B3F2CF47F3F22F0D03E3311D5BEA5E57A3FE5F27F3FFC370CBF983D01BF3C607A3F8DF17F3F6FFD7FBF02A816BF6AD4793F24F07F3FBF6708BF11912ABF3342793FABEE7F3FFE2DD93ED6C53CBF9BA9783F20ED7F3F78BF7D3FBF174DBFA50A783F85EB7F3F819C253F105D5BBF5565773FDAE97F3F389395BE467167BFB1B9763F1DE87F3F576D76BF7C3571BFBB07763F50E67F3FB3803FBFB79078BF784F753F72E47F3F18F41D3E26707DBFEF90743F83E27F3F8E2C6A3F52C77FBF22CC733F83E07F3F"> : tensor<32x1x4xf32>
    %cst_10 = arith.constant dense<"0x00000000000000000000000000000000A46A573F7675CC3D57D6233C6D12833AB7C7683FF96F4B3E3ED4A33C6912033BC381103E6D4E973E20B9F53C939B443BCFBD41BFD761C73EDBCB233D5812833B107C75BF4477F53EF5B64C3DDED6A33B8C0F8FBE698C103FD19C753D599BC43B4630283F73EB243F323E8F3DC75FE53B95467D3FA6A4373F51AAA33D1312033C3201D33E1D88483F3F12B83D3A74133CF8440BBFA46A573F7675CC3D57D6233C5CFF7FBF2A26643F72D3E03D6A38343CD85C09BF1D9A6E3FAC2BF53D719A443C2220D73EC0AB763FD0BE043E6BFC543C72987D3F6F467C3F64E40E3E565E653C4479263FD55B7F3F4F06193E33C0753C106893BE0EE47F3F5024233E0011833C251E76BFBFDD7D3F233E2D3EDE418B3CB34040BF144E793F8753373EB372933C6979193EB940723F3A64413E7EA39B3CC8B6693FB7C7683FF96F4B3E3ED4A33C102F563F4AFB5C3F8376553EF504AC3C150511BC9FF94E3F96775F3E9F35B43CE7A158BF89E63E3FF172693E3E66BC3CFCD367BF28EB2C3F5168733ED196C43C388707BE7835193F77577D3E57C7CC3C0837433FE6F7033F10A0833ECFF7D43C0ED5743F89D1DA3E0691883E3928DD3C2AB48A3E9183AB3E7D7E8D3E9558E53CE9E329BFC7FD743E5468923EE288ED3CA4EF7CBFC381103E6D4E973E20B9F53C06DECEBE7C502A3DA5309C3E4DE9FD3C"> : tensor<32x1x4xf32>
    %cst_11 = arith.constant dense<0> : tensor<i64>
    %0 = tensor.empty() : tensor<4x32xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<i64>) outs(%0 : tensor<4x32xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x32xi64>
    %2 = tensor.empty() : tensor<4x32xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg31, %1 : tensor<4x32xi64>, tensor<4x32xi64>) outs(%2 : tensor<4x32xi1>) {
    ^bb0(%in: i64, %in_29: i64, %out: i1):
      %348 = arith.cmpi slt, %in, %in_29 : i64
      linalg.yield %348 : i1
    } -> tensor<4x32xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<i64>) outs(%0 : tensor<4x32xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x32xi64>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg31, %4 : tensor<4x32xi64>, tensor<4x32xi64>) outs(%0 : tensor<4x32xi64>) {
    ^bb0(%in: i64, %in_29: i64, %out: i64):
      %348 = arith.addi %in, %in_29 : i64
      linalg.yield %348 : i64
    } -> tensor<4x32xi64>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg31 : tensor<4x32xi1>, tensor<4x32xi64>, tensor<4x32xi64>) outs(%0 : tensor<4x32xi64>) {
    ^bb0(%in: i1, %in_29: i64, %in_30: i64, %out: i64):
      %348 = arith.select %in, %in_29, %in_30 : i64
      linalg.yield %348 : i64
    } -> tensor<4x32xi64>
    %7 = tensor.empty() : tensor<4x32xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x32xi64>) outs(%7 : tensor<4x32xi32>) {
    ^bb0(%in: i64, %out: i32):
      %348 = arith.trunci %in : i64 to i32
      linalg.yield %348 : i32
    } -> tensor<4x32xi32>
    %9 = tensor.empty() : tensor<4x32x1xi32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<4x32xi32>) outs(%9 : tensor<4x32x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x32x1xi32>
    %11 = tensor.empty() : tensor<4x32x32xf32>
    %12 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 0 : index
      %349 = linalg.index 1 : index
      %350 = linalg.index 2 : index
      %extracted = tensor.extract %10[%348, %349, %c0] : tensor<4x32x1xi32>
      %351 = arith.index_cast %extracted : i32 to index
      %352 = arith.maxsi %351, %c0 : index
      %353 = arith.minsi %352, %c255 : index
      %extracted_29 = tensor.extract %arg0[%353, %350] : tensor<256x32xf32>
      linalg.yield %extracted_29 : f32
    } -> tensor<4x32x32xf32>
    %13 = tensor.empty() : tensor<1x4x32x32xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %14 : tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x32xf32>
    %16 = tensor.empty() : tensor<1x4x32xf32>
    %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x4x32x32xf32>) outs(%17 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32xf32>
    %19 = tensor.empty() : tensor<1x4x32x1xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x32xf32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x1xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x1xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %21 : tensor<1x4x32x1xf32>, tensor<1x4x32x1xf32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x1xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x1xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %23 : tensor<1x4x32x1xf32>, tensor<1x4x32x1xf32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x1xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x4x32x1xf32>) outs(%19 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x1xf32>
    %26 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x32x1xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %26 : tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x32xf32>
    %28 = tensor.empty() : tensor<1x1x1x32xf32>
    %29 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<32xf32>) outs(%28 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %30 = linalg.generic {indexing_maps = [#map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x1x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32x32xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31, %arg6 : tensor<1x4x32x32xf32>, tensor<32xf32>) outs(%17 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<1x4x32xf32>
    %33 = tensor.empty() : tensor<4x32xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %35 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32 : tensor<1x4x32xf32>) outs(%34 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %35 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %38 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %38 : tensor<1x4x32xf32>, tensor<1x4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32xf32>
    %41 = linalg.fill ins(%cst_1 : f32) outs(%33 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %42 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<1x4x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %43 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x4x32xf32>, tensor<1x4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<1x4x32xf32>
    %45 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %46 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44, %14 : tensor<1x4x32xf32>, tensor<1x4x32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %47 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %46 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<4x32x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %49 = tensor.empty() : tensor<4x32x1xf32>
    %50 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<4x32xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %51 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %51 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %53 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %53 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %56 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<4x32x1xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %56 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %58 = tensor.empty() : tensor<1x1x32xf32>
    %59 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32xf32>) outs(%58 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %60 = linalg.generic {indexing_maps = [#map18, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x1x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %60 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %62 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61, %arg9 : tensor<4x32x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %expanded = tensor.expand_shape %62 [[0], [1], [2, 3]] output_shape [4, 32, 4, 8] : tensor<4x32x32xf32> into tensor<4x32x4x8xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [4, 32, 4, 4] [1, 1, 1, 1] : tensor<4x32x4x8xf32> to tensor<4x32x4x4xf32>
    %extracted_slice_12 = tensor.extract_slice %expanded[0, 0, 0, 4] [4, 32, 4, 4] [1, 1, 1, 1] : tensor<4x32x4x8xf32> to tensor<4x32x4x4xf32>
    %63 = tensor.empty() : tensor<1x32x1x4xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_9 : tensor<32x1x4xf32>) outs(%63 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4xf32>
    %65 = tensor.empty() : tensor<4x32x4x4xf32>
    %66 = linalg.generic {indexing_maps = [#map21, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x32x1x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x4x4xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %66 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<32x1x4xf32>) outs(%63 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4xf32>
    %69 = linalg.generic {indexing_maps = [#map21, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x32x1x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x4x4xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_12, %69 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_12, %66 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %69 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %73 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %75 = tensor.empty() : tensor<4x32x4x8xf32>
    %76 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%75 : tensor<4x32x4x8xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 0 : index
      %349 = linalg.index 1 : index
      %350 = linalg.index 2 : index
      %351 = linalg.index 3 : index
      %352 = arith.cmpi ult, %351, %c4 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %71[%348, %349, %350, %351] : tensor<4x32x4x4xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.subi %351, %c4 : index
        %extracted = tensor.extract %74[%348, %349, %350, %354] : tensor<4x32x4x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %353 : f32
    } -> tensor<4x32x4x8xf32>
    %77 = tensor.empty() : tensor<4x32x16xf32>
    %78 = linalg.fill ins(%cst_1 : f32) outs(%77 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %79 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61, %arg4 : tensor<4x32x32xf32>, tensor<32x16xf32>) outs(%78 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x16xf32>
    %expanded_13 = tensor.expand_shape %79 [[0], [1], [2, 3]] output_shape [4, 32, 2, 8] : tensor<4x32x16xf32> into tensor<4x32x2x8xf32>
    %extracted_slice_14 = tensor.extract_slice %expanded_13[0, 0, 0, 0] [4, 32, 2, 4] [1, 1, 1, 1] : tensor<4x32x2x8xf32> to tensor<4x32x2x4xf32>
    %extracted_slice_15 = tensor.extract_slice %expanded_13[0, 0, 0, 4] [4, 32, 2, 4] [1, 1, 1, 1] : tensor<4x32x2x8xf32> to tensor<4x32x2x4xf32>
    %80 = tensor.empty() : tensor<4x32x2x4xf32>
    %81 = linalg.generic {indexing_maps = [#map21, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x32x1x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x4xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14, %81 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %83 = linalg.generic {indexing_maps = [#map21, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x32x1x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x4xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15, %83 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %84 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15, %81 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14, %83 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %87 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %89 = tensor.empty() : tensor<4x32x2x8xf32>
    %90 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%89 : tensor<4x32x2x8xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 0 : index
      %349 = linalg.index 1 : index
      %350 = linalg.index 2 : index
      %351 = linalg.index 3 : index
      %352 = arith.cmpi ult, %351, %c4 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %85[%348, %349, %350, %351] : tensor<4x32x2x4xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.subi %351, %c4 : index
        %extracted = tensor.extract %88[%348, %349, %350, %354] : tensor<4x32x2x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %353 : f32
    } -> tensor<4x32x2x8xf32>
    %91 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61, %arg10 : tensor<4x32x32xf32>, tensor<32x16xf32>) outs(%78 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x16xf32>
    %expanded_16 = tensor.expand_shape %91 [[0], [1], [2, 3]] output_shape [4, 32, 2, 8] : tensor<4x32x16xf32> into tensor<4x32x2x8xf32>
    %92 = tensor.empty() : tensor<4x32x2x2x8xf32>
    %93 = linalg.generic {indexing_maps = [#map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<4x32x2x8xf32>) outs(%92 : tensor<4x32x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x2x8xf32>
    %collapsed = tensor.collapse_shape %93 [[0], [1], [2, 3], [4]] : tensor<4x32x2x2x8xf32> into tensor<4x32x4x8xf32>
    %94 = linalg.generic {indexing_maps = [#map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<4x32x2x8xf32>) outs(%92 : tensor<4x32x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x2x8xf32>
    %collapsed_17 = tensor.collapse_shape %94 [[0], [1], [2, 3], [4]] : tensor<4x32x2x2x8xf32> into tensor<4x32x4x8xf32>
    %95 = tensor.empty() : tensor<4x4x32x32xf32>
    %96 = linalg.fill ins(%cst_1 : f32) outs(%95 : tensor<4x4x32x32xf32>) -> tensor<4x4x32x32xf32>
    %97 = linalg.generic {indexing_maps = [#map24, #map25, #map26], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%76, %collapsed : tensor<4x32x4x8xf32>, tensor<4x32x4x8xf32>) outs(%96 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x4x32x32xf32>
    %98 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %99 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %98 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %100 = tensor.empty() : tensor<32x32xi1>
    %101 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%100 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<32x32xi1>
    %102 = call @tril(%101) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %103 = call @_where(%102, %99, %cst_2) : (tensor<32x32xi1>, tensor<4x4x32x32xf32>, tensor<f32>) -> tensor<4x4x32x32xf32>
    %104 = tensor.empty() : tensor<4x4x32xf32>
    %105 = linalg.fill ins(%cst_0 : f32) outs(%104 : tensor<4x4x32xf32>) -> tensor<4x4x32xf32>
    %106 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%103 : tensor<4x4x32x32xf32>) outs(%105 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %107 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %106 : tensor<4x4x32xf32>, tensor<4x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %109 = tensor.empty() : tensor<4x4x32x1xf32>
    %110 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108 : tensor<4x4x32xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %111 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<4x4x32x1xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %111 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %114 = linalg.fill ins(%cst_1 : f32) outs(%104 : tensor<4x4x32xf32>) -> tensor<4x4x32xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%113 : tensor<4x4x32x32xf32>) outs(%114 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %116 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<4x4x32xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %117 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116 : tensor<4x4x32x1xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %118 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %117 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %119 = tensor.empty() : tensor<4x4x8x32xf32>
    %120 = linalg.fill ins(%cst_1 : f32) outs(%119 : tensor<4x4x8x32xf32>) -> tensor<4x4x8x32xf32>
    %121 = linalg.generic {indexing_maps = [#map27, #map28, #map26], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_17, %118 : tensor<4x32x4x8xf32>, tensor<4x4x32x32xf32>) outs(%120 : tensor<4x4x8x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x4x8x32xf32>
    %122 = linalg.generic {indexing_maps = [#map29, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121 : tensor<4x4x8x32xf32>) outs(%75 : tensor<4x32x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x4x8xf32>
    %collapsed_18 = tensor.collapse_shape %122 [[0], [1], [2, 3]] : tensor<4x32x4x8xf32> into tensor<4x32x32xf32>
    %123 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_18, %arg8 : tensor<4x32x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %125 = tensor.empty() : tensor<2x4x32x32xf32>
    %126 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 1 : index
      %349 = linalg.index 2 : index
      %350 = linalg.index 3 : index
      %351 = linalg.index 0 : index
      %352 = arith.cmpi ult, %351, %c1 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %14[%351, %348, %349, %350] : tensor<1x4x32x32xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.subi %351, %c1 : index
        %extracted = tensor.extract %124[%354, %348, %349, %350] : tensor<1x4x32x32xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %353 : f32
    } -> tensor<2x4x32x32xf32>
    %127 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %126 : tensor<2x4x32x32xf32>, tensor<2x4x32x32xf32>) outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x32xf32>
    %128 = tensor.empty() : tensor<2x4x32xf32>
    %129 = linalg.fill ins(%cst_1 : f32) outs(%128 : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %130 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<2x4x32x32xf32>) outs(%129 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32xf32>
    %131 = tensor.empty() : tensor<2x4x32x1xf32>
    %132 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<2x4x32xf32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32x1xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32x1xf32>
    %134 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %133 : tensor<2x4x32x1xf32>, tensor<2x4x32x1xf32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x1xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32x1xf32>
    %136 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %135 : tensor<2x4x32x1xf32>, tensor<2x4x32x1xf32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x1xf32>
    %137 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<2x4x32x1xf32>) outs(%131 : tensor<2x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x1xf32>
    %138 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<2x4x32x1xf32>) outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32x32xf32>
    %139 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %138 : tensor<2x4x32x32xf32>, tensor<2x4x32x32xf32>) outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x32xf32>
    %140 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg13 : tensor<32xf32>) outs(%28 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %141 = linalg.generic {indexing_maps = [#map30, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<1x1x1x32xf32>) outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32x32xf32>
    %142 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %141 : tensor<2x4x32x32xf32>, tensor<2x4x32x32xf32>) outs(%125 : tensor<2x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32x32xf32>
    %143 = linalg.generic {indexing_maps = [#map5, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%142, %arg14 : tensor<2x4x32x32xf32>, tensor<32xf32>) outs(%129 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<2x4x32xf32>
    %144 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%143 : tensor<2x4x32xf32>) outs(%34 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %144 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %146 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %147 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<1x4x32xf32>) outs(%128 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32xf32>
    %148 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %147 : tensor<2x4x32xf32>, tensor<2x4x32xf32>) outs(%128 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32xf32>
    %149 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x4x32xf32>) outs(%128 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32xf32>
    %150 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149 : tensor<2x4x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %151 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %152 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<1x4x32xf32>) outs(%128 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x32xf32>
    %153 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %152 : tensor<2x4x32xf32>, tensor<2x4x32xf32>) outs(%128 : tensor<2x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<2x4x32xf32>
    %154 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%153, %126 : tensor<2x4x32xf32>, tensor<2x4x32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %155 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %154 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %156 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%155 : tensor<4x32x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %157 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<4x32xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %158 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %51 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %159 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %53 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %160 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %161 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<4x32x1xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %162 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %161 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %163 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg15 : tensor<32xf32>) outs(%58 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %164 = linalg.generic {indexing_maps = [#map18, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<1x1x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %165 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %164 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %166 = tensor.empty() : tensor<4x32x64xf32>
    %167 = linalg.fill ins(%cst_1 : f32) outs(%166 : tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
    %168 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%165, %arg12 : tensor<4x32x32xf32>, tensor<32x64xf32>) outs(%167 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x64xf32>
    %169 = call @silu(%168) : (tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
    %170 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%165, %arg16 : tensor<4x32x32xf32>, tensor<32x64xf32>) outs(%167 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x64xf32>
    %171 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %170 : tensor<4x32x64xf32>, tensor<4x32x64xf32>) outs(%166 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x64xf32>
    %172 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%171, %arg11 : tensor<4x32x64xf32>, tensor<64x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %173 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%172 : tensor<4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %174 = tensor.empty() : tensor<3x4x32x32xf32>
    %175 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 1 : index
      %349 = linalg.index 2 : index
      %350 = linalg.index 3 : index
      %351 = linalg.index 0 : index
      %352 = arith.cmpi ult, %351, %c1 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %14[%351, %348, %349, %350] : tensor<1x4x32x32xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.cmpi ult, %351, %c2 : index
        %355 = scf.if %354 -> (f32) {
          %356 = arith.subi %351, %c1 : index
          %extracted = tensor.extract %124[%356, %348, %349, %350] : tensor<1x4x32x32xf32>
          scf.yield %extracted : f32
        } else {
          %356 = arith.subi %351, %c2 : index
          %extracted = tensor.extract %173[%356, %348, %349, %350] : tensor<1x4x32x32xf32>
          scf.yield %extracted : f32
        }
        scf.yield %355 : f32
      }
      linalg.yield %353 : f32
    } -> tensor<3x4x32x32xf32>
    %176 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175, %175 : tensor<3x4x32x32xf32>, tensor<3x4x32x32xf32>) outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x32xf32>
    %177 = tensor.empty() : tensor<3x4x32xf32>
    %178 = linalg.fill ins(%cst_1 : f32) outs(%177 : tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
    %179 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%176 : tensor<3x4x32x32xf32>) outs(%178 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32xf32>
    %180 = tensor.empty() : tensor<3x4x32x1xf32>
    %181 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%179 : tensor<3x4x32xf32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32x1xf32>
    %182 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32x1xf32>
    %183 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%181, %182 : tensor<3x4x32x1xf32>, tensor<3x4x32x1xf32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x1xf32>
    %184 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32x1xf32>
    %185 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%183, %184 : tensor<3x4x32x1xf32>, tensor<3x4x32x1xf32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x1xf32>
    %186 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185 : tensor<3x4x32x1xf32>) outs(%180 : tensor<3x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x1xf32>
    %187 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%186 : tensor<3x4x32x1xf32>) outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32x32xf32>
    %188 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175, %187 : tensor<3x4x32x32xf32>, tensor<3x4x32x32xf32>) outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x32xf32>
    %189 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg18 : tensor<32xf32>) outs(%28 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %190 = linalg.generic {indexing_maps = [#map30, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189 : tensor<1x1x1x32xf32>) outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32x32xf32>
    %191 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%188, %190 : tensor<3x4x32x32xf32>, tensor<3x4x32x32xf32>) outs(%174 : tensor<3x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32x32xf32>
    %192 = linalg.generic {indexing_maps = [#map5, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%191, %arg19 : tensor<3x4x32x32xf32>, tensor<32xf32>) outs(%178 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<3x4x32xf32>
    %193 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%192 : tensor<3x4x32xf32>) outs(%34 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %194 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %193 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %195 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %196 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<1x4x32xf32>) outs(%177 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32xf32>
    %197 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %196 : tensor<3x4x32xf32>, tensor<3x4x32xf32>) outs(%177 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32xf32>
    %198 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<3x4x32xf32>) outs(%177 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32xf32>
    %199 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%198 : tensor<3x4x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %200 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %201 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200 : tensor<1x4x32xf32>) outs(%177 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x32xf32>
    %202 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198, %201 : tensor<3x4x32xf32>, tensor<3x4x32xf32>) outs(%177 : tensor<3x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<3x4x32xf32>
    %203 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%202, %175 : tensor<3x4x32xf32>, tensor<3x4x32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %204 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %203 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %205 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%204 : tensor<4x32x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %206 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<4x32xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %207 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %51 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %208 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207, %53 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %209 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208 : tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %210 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<4x32x1xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %211 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %210 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %212 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20 : tensor<32xf32>) outs(%58 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %213 = linalg.generic {indexing_maps = [#map18, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<1x1x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %214 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %213 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %215 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%214, %arg22 : tensor<4x32x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %expanded_19 = tensor.expand_shape %215 [[0], [1], [2, 3]] output_shape [4, 32, 4, 8] : tensor<4x32x32xf32> into tensor<4x32x4x8xf32>
    %extracted_slice_20 = tensor.extract_slice %expanded_19[0, 0, 0, 0] [4, 32, 4, 4] [1, 1, 1, 1] : tensor<4x32x4x8xf32> to tensor<4x32x4x4xf32>
    %extracted_slice_21 = tensor.extract_slice %expanded_19[0, 0, 0, 4] [4, 32, 4, 4] [1, 1, 1, 1] : tensor<4x32x4x8xf32> to tensor<4x32x4x4xf32>
    %216 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20, %66 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %217 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_21, %69 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %218 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%216, %217 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %219 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_21, %66 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %220 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20, %69 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %221 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%219, %220 : tensor<4x32x4x4xf32>, tensor<4x32x4x4xf32>) outs(%65 : tensor<4x32x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x4x4xf32>
    %222 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%75 : tensor<4x32x4x8xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 0 : index
      %349 = linalg.index 1 : index
      %350 = linalg.index 2 : index
      %351 = linalg.index 3 : index
      %352 = arith.cmpi ult, %351, %c4 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %218[%348, %349, %350, %351] : tensor<4x32x4x4xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.subi %351, %c4 : index
        %extracted = tensor.extract %221[%348, %349, %350, %354] : tensor<4x32x4x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %353 : f32
    } -> tensor<4x32x4x8xf32>
    %223 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%214, %arg17 : tensor<4x32x32xf32>, tensor<32x16xf32>) outs(%78 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x16xf32>
    %expanded_22 = tensor.expand_shape %223 [[0], [1], [2, 3]] output_shape [4, 32, 2, 8] : tensor<4x32x16xf32> into tensor<4x32x2x8xf32>
    %extracted_slice_23 = tensor.extract_slice %expanded_22[0, 0, 0, 0] [4, 32, 2, 4] [1, 1, 1, 1] : tensor<4x32x2x8xf32> to tensor<4x32x2x4xf32>
    %extracted_slice_24 = tensor.extract_slice %expanded_22[0, 0, 0, 4] [4, 32, 2, 4] [1, 1, 1, 1] : tensor<4x32x2x8xf32> to tensor<4x32x2x4xf32>
    %224 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_23, %81 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %225 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24, %83 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %226 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%224, %225 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %227 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24, %81 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %228 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_23, %83 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %229 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%227, %228 : tensor<4x32x2x4xf32>, tensor<4x32x2x4xf32>) outs(%80 : tensor<4x32x2x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x2x4xf32>
    %230 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%89 : tensor<4x32x2x8xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 0 : index
      %349 = linalg.index 1 : index
      %350 = linalg.index 2 : index
      %351 = linalg.index 3 : index
      %352 = arith.cmpi ult, %351, %c4 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %226[%348, %349, %350, %351] : tensor<4x32x2x4xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.subi %351, %c4 : index
        %extracted = tensor.extract %229[%348, %349, %350, %354] : tensor<4x32x2x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %353 : f32
    } -> tensor<4x32x2x8xf32>
    %231 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%214, %arg23 : tensor<4x32x32xf32>, tensor<32x16xf32>) outs(%78 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x16xf32>
    %expanded_25 = tensor.expand_shape %231 [[0], [1], [2, 3]] output_shape [4, 32, 2, 8] : tensor<4x32x16xf32> into tensor<4x32x2x8xf32>
    %232 = linalg.generic {indexing_maps = [#map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%230 : tensor<4x32x2x8xf32>) outs(%92 : tensor<4x32x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x2x8xf32>
    %collapsed_26 = tensor.collapse_shape %232 [[0], [1], [2, 3], [4]] : tensor<4x32x2x2x8xf32> into tensor<4x32x4x8xf32>
    %233 = linalg.generic {indexing_maps = [#map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<4x32x2x8xf32>) outs(%92 : tensor<4x32x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x2x2x8xf32>
    %collapsed_27 = tensor.collapse_shape %233 [[0], [1], [2, 3], [4]] : tensor<4x32x2x2x8xf32> into tensor<4x32x4x8xf32>
    %234 = linalg.generic {indexing_maps = [#map24, #map25, #map26], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%222, %collapsed_26 : tensor<4x32x4x8xf32>, tensor<4x32x4x8xf32>) outs(%96 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x4x32x32xf32>
    %235 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%234, %98 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %236 = call @tril(%101) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %237 = call @_where(%236, %235, %cst_2) : (tensor<32x32xi1>, tensor<4x4x32x32xf32>, tensor<f32>) -> tensor<4x4x32x32xf32>
    %238 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%237 : tensor<4x4x32x32xf32>) outs(%105 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %239 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %238 : tensor<4x4x32xf32>, tensor<4x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %240 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%239 : tensor<4x4x32xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %241 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%240 : tensor<4x4x32x1xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %242 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%237, %241 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %243 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%242 : tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %244 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%243 : tensor<4x4x32x32xf32>) outs(%114 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %245 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%244 : tensor<4x4x32xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %246 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245 : tensor<4x4x32x1xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %247 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%243, %246 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %248 = linalg.generic {indexing_maps = [#map27, #map28, #map26], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_27, %247 : tensor<4x32x4x8xf32>, tensor<4x4x32x32xf32>) outs(%120 : tensor<4x4x8x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x4x8x32xf32>
    %249 = linalg.generic {indexing_maps = [#map29, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%248 : tensor<4x4x8x32xf32>) outs(%75 : tensor<4x32x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x4x8xf32>
    %collapsed_28 = tensor.collapse_shape %249 [[0], [1], [2, 3]] : tensor<4x32x4x8xf32> into tensor<4x32x32xf32>
    %250 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_28, %arg21 : tensor<4x32x32xf32>, tensor<32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %251 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%250 : tensor<4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %252 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 1 : index
      %349 = linalg.index 2 : index
      %350 = linalg.index 3 : index
      %351 = linalg.index 0 : index
      %352 = arith.cmpi ult, %351, %c1 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %14[%351, %348, %349, %350] : tensor<1x4x32x32xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.cmpi ult, %351, %c2 : index
        %355 = scf.if %354 -> (f32) {
          %356 = arith.subi %351, %c1 : index
          %extracted = tensor.extract %124[%356, %348, %349, %350] : tensor<1x4x32x32xf32>
          scf.yield %extracted : f32
        } else {
          %356 = arith.cmpi ult, %351, %c3 : index
          %357 = scf.if %356 -> (f32) {
            %358 = arith.subi %351, %c2 : index
            %extracted = tensor.extract %173[%358, %348, %349, %350] : tensor<1x4x32x32xf32>
            scf.yield %extracted : f32
          } else {
            %358 = arith.subi %351, %c3 : index
            %extracted = tensor.extract %251[%358, %348, %349, %350] : tensor<1x4x32x32xf32>
            scf.yield %extracted : f32
          }
          scf.yield %357 : f32
        }
        scf.yield %355 : f32
      }
      linalg.yield %353 : f32
    } -> tensor<4x4x32x32xf32>
    %253 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%252, %252 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %254 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%253 : tensor<4x4x32x32xf32>) outs(%114 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %255 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%254 : tensor<4x4x32xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %256 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %257 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%255, %256 : tensor<4x4x32x1xf32>, tensor<4x4x32x1xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x1xf32>
    %258 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x1xf32>
    %259 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%257, %258 : tensor<4x4x32x1xf32>, tensor<4x4x32x1xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x1xf32>
    %260 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%259 : tensor<4x4x32x1xf32>) outs(%109 : tensor<4x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x1xf32>
    %261 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%260 : tensor<4x4x32x1xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %262 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%252, %261 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %263 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg26 : tensor<32xf32>) outs(%28 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %264 = linalg.generic {indexing_maps = [#map30, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%263 : tensor<1x1x1x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %265 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%262, %264 : tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%95 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32x32xf32>
    %266 = linalg.generic {indexing_maps = [#map5, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%265, %arg27 : tensor<4x4x32x32xf32>, tensor<32xf32>) outs(%114 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x4x32xf32>
    %267 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%266 : tensor<4x4x32xf32>) outs(%34 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %268 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %267 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %269 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%268 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %270 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269 : tensor<1x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32xf32>
    %271 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%266, %270 : tensor<4x4x32xf32>, tensor<4x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %272 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%271 : tensor<4x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %273 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%272 : tensor<4x4x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %274 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %275 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%274 : tensor<1x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32xf32>
    %276 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%272, %275 : tensor<4x4x32xf32>, tensor<4x4x32xf32>) outs(%104 : tensor<4x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x4x32xf32>
    %277 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%276, %252 : tensor<4x4x32xf32>, tensor<4x4x32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %278 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277, %277 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %279 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%278 : tensor<4x32x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %280 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%279 : tensor<4x32xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %281 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280, %51 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %282 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%281, %53 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %283 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %284 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%283 : tensor<4x32x1xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %285 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277, %284 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %286 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg28 : tensor<32xf32>) outs(%58 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %287 = linalg.generic {indexing_maps = [#map18, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<1x1x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %288 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%285, %287 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %289 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%288, %arg25 : tensor<4x32x32xf32>, tensor<32x64xf32>) outs(%167 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x64xf32>
    %290 = call @silu(%289) : (tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
    %291 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%288, %arg29 : tensor<4x32x32xf32>, tensor<32x64xf32>) outs(%167 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x64xf32>
    %292 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%290, %291 : tensor<4x32x64xf32>, tensor<4x32x64xf32>) outs(%166 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x64xf32>
    %293 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%292, %arg24 : tensor<4x32x64xf32>, tensor<64x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %294 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%293 : tensor<4x32x32xf32>) outs(%13 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x32xf32>
    %295 = tensor.empty() : tensor<5x4x32x32xf32>
    %296 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%out: f32):
      %348 = linalg.index 1 : index
      %349 = linalg.index 2 : index
      %350 = linalg.index 3 : index
      %351 = linalg.index 0 : index
      %352 = arith.cmpi ult, %351, %c1 : index
      %353 = scf.if %352 -> (f32) {
        %extracted = tensor.extract %14[%351, %348, %349, %350] : tensor<1x4x32x32xf32>
        scf.yield %extracted : f32
      } else {
        %354 = arith.cmpi ult, %351, %c2 : index
        %355 = scf.if %354 -> (f32) {
          %356 = arith.subi %351, %c1 : index
          %extracted = tensor.extract %124[%356, %348, %349, %350] : tensor<1x4x32x32xf32>
          scf.yield %extracted : f32
        } else {
          %356 = arith.cmpi ult, %351, %c3 : index
          %357 = scf.if %356 -> (f32) {
            %358 = arith.subi %351, %c2 : index
            %extracted = tensor.extract %173[%358, %348, %349, %350] : tensor<1x4x32x32xf32>
            scf.yield %extracted : f32
          } else {
            %358 = arith.cmpi ult, %351, %c4 : index
            %359 = scf.if %358 -> (f32) {
              %360 = arith.subi %351, %c3 : index
              %extracted = tensor.extract %251[%360, %348, %349, %350] : tensor<1x4x32x32xf32>
              scf.yield %extracted : f32
            } else {
              %360 = arith.subi %351, %c4 : index
              %extracted = tensor.extract %294[%360, %348, %349, %350] : tensor<1x4x32x32xf32>
              scf.yield %extracted : f32
            }
            scf.yield %359 : f32
          }
          scf.yield %357 : f32
        }
        scf.yield %355 : f32
      }
      linalg.yield %353 : f32
    } -> tensor<5x4x32x32xf32>
    %297 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%296, %296 : tensor<5x4x32x32xf32>, tensor<5x4x32x32xf32>) outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x32xf32>
    %298 = tensor.empty() : tensor<5x4x32xf32>
    %299 = linalg.fill ins(%cst_1 : f32) outs(%298 : tensor<5x4x32xf32>) -> tensor<5x4x32xf32>
    %300 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%297 : tensor<5x4x32x32xf32>) outs(%299 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32xf32>
    %301 = tensor.empty() : tensor<5x4x32x1xf32>
    %302 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%300 : tensor<5x4x32xf32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32x1xf32>
    %303 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32x1xf32>
    %304 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%302, %303 : tensor<5x4x32x1xf32>, tensor<5x4x32x1xf32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x1xf32>
    %305 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32x1xf32>
    %306 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%304, %305 : tensor<5x4x32x1xf32>, tensor<5x4x32x1xf32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x1xf32>
    %307 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%306 : tensor<5x4x32x1xf32>) outs(%301 : tensor<5x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x1xf32>
    %308 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%307 : tensor<5x4x32x1xf32>) outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32x32xf32>
    %309 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%296, %308 : tensor<5x4x32x32xf32>, tensor<5x4x32x32xf32>) outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x32xf32>
    %310 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%28 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x32xf32>
    %311 = linalg.generic {indexing_maps = [#map30, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%310 : tensor<1x1x1x32xf32>) outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32x32xf32>
    %312 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%309, %311 : tensor<5x4x32x32xf32>, tensor<5x4x32x32xf32>) outs(%295 : tensor<5x4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32x32xf32>
    %313 = linalg.generic {indexing_maps = [#map5, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%312, %arg2 : tensor<5x4x32x32xf32>, tensor<32xf32>) outs(%299 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<5x4x32xf32>
    %314 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%313 : tensor<5x4x32xf32>) outs(%34 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.maximumf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %315 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %314 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%33 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.maximumf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %316 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%315 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %317 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%316 : tensor<1x4x32xf32>) outs(%298 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32xf32>
    %318 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%313, %317 : tensor<5x4x32xf32>, tensor<5x4x32xf32>) outs(%298 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.subf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32xf32>
    %319 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%318 : tensor<5x4x32xf32>) outs(%298 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.exp %in : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32xf32>
    %320 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%319 : tensor<5x4x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %321 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%320 : tensor<4x32xf32>) outs(%16 : tensor<1x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32xf32>
    %322 = linalg.generic {indexing_maps = [#map31, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%321 : tensor<1x4x32xf32>) outs(%298 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4x32xf32>
    %323 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%319, %322 : tensor<5x4x32xf32>, tensor<5x4x32xf32>) outs(%298 : tensor<5x4x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<5x4x32xf32>
    %324 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%323, %296 : tensor<5x4x32xf32>, tensor<5x4x32x32xf32>) outs(%45 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x32xf32>
    %325 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%324, %324 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %326 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%325 : tensor<4x32x32xf32>) outs(%41 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32xf32>
    %327 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%326 : tensor<4x32xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %328 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%327, %51 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.divf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %329 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%328, %53 : tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.addf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %330 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%329 : tensor<4x32x1xf32>) outs(%49 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = math.rsqrt %in : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x1xf32>
    %331 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%330 : tensor<4x32x1xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %332 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%324, %331 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %333 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%58 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32xf32>
    %334 = linalg.generic {indexing_maps = [#map18, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%333 : tensor<1x1x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x32xf32>
    %335 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%332, %334 : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%11 : tensor<4x32x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      linalg.yield %348 : f32
    } -> tensor<4x32x32xf32>
    %336 = tensor.empty() : tensor<4x32x256xf32>
    %337 = linalg.fill ins(%cst_1 : f32) outs(%336 : tensor<4x32x256xf32>) -> tensor<4x32x256xf32>
    %338 = linalg.generic {indexing_maps = [#map19, #map20, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%335, %arg30 : tensor<4x32x32xf32>, tensor<32x256xf32>) outs(%337 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %348 = arith.mulf %in, %in_29 : f32
      %349 = arith.addf %out, %348 : f32
      linalg.yield %349 : f32
    } -> tensor<4x32x256xf32>
    %339 = call @log_softmax(%338) : (tensor<4x32x256xf32>) -> tensor<4x32x256xf32>
    %340 = tensor.empty() : tensor<4x32x1xi64>
    %341 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg32 : tensor<4x32xi64>) outs(%340 : tensor<4x32x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x32x1xi64>
    %342 = call @take_along_axis(%339, %341) : (tensor<4x32x256xf32>, tensor<4x32x1xi64>) -> tensor<4x32x1xf32>
    %343 = tensor.empty() : tensor<f32>
    %344 = linalg.fill ins(%cst_1 : f32) outs(%343 : tensor<f32>) -> tensor<f32>
    %345 = linalg.generic {indexing_maps = [#map3, #map15], iterator_types = ["reduction", "reduction", "reduction"]} ins(%342 : tensor<4x32x1xf32>) outs(%344 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.addf %out, %in : f32
      linalg.yield %348 : f32
    } -> tensor<f32>
    %346 = linalg.generic {indexing_maps = [#map32, #map32], iterator_types = []} ins(%345 : tensor<f32>) outs(%343 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.divf %in, %cst : f32
      linalg.yield %348 : f32
    } -> tensor<f32>
    %347 = linalg.generic {indexing_maps = [#map32, #map32], iterator_types = []} ins(%346 : tensor<f32>) outs(%343 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %348 = arith.negf %in : f32
      linalg.yield %348 : f32
    } -> tensor<f32>
    return %338, %347 : tensor<4x32x256xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i64>
    %0 = tensor.empty() : tensor<32x32xi64>
    %1 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<32x32xi64>) {
    ^bb0(%out: i64):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i64
      linalg.yield %10 : i64
    } -> tensor<32x32xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i64>) outs(%0 : tensor<32x32xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<32x32xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<32x32xi64>, tensor<32x32xi64>) outs(%0 : tensor<32x32xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %9 = arith.addi %in, %in_1 : i64
      linalg.yield %9 : i64
    } -> tensor<32x32xi64>
    %4 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<32x32xi64>) {
    ^bb0(%out: i64):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i64
      linalg.yield %10 : i64
    } -> tensor<32x32xi64>
    %5 = tensor.empty() : tensor<32x32xi1>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<32x32xi64>, tensor<32x32xi64>) outs(%5 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %in_1: i64, %out: i1):
      %9 = arith.cmpi sge, %in, %in_1 : i64
      linalg.yield %9 : i1
    } -> tensor<32x32xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<32x32xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<32x32xi1>, tensor<32x32xi1>, tensor<32x32xi1>) outs(%5 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1):
      %9 = arith.select %in, %in_1, %in_2 : i1
      linalg.yield %9 : i1
    } -> tensor<32x32xi1>
    return %8 : tensor<32x32xi1>
  }
  func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<4x4x32x32xf32>, %arg2: tensor<f32>) -> tensor<4x4x32x32xf32> {
    %0 = tensor.empty() : tensor<4x4x32x32xi1>
    %1 = linalg.generic {indexing_maps = [#map33, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<32x32xi1>) outs(%0 : tensor<4x4x32x32xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<4x4x32x32xi1>
    %2 = tensor.empty() : tensor<4x4x32x32xf32>
    %3 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x32x32xf32>
    %4 = linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<4x4x32x32xi1>, tensor<4x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%2 : tensor<4x4x32x32xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %5 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %5 : f32
    } -> tensor<4x4x32x32xf32>
    return %4 : tensor<4x4x32x32xf32>
  }
  func.func private @silu(%arg0: tensor<4x32x64xf32>) -> tensor<4x32x64xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<4x32x64xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x32x64xf32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.negf %in : f32
      linalg.yield %7 : f32
    } -> tensor<4x32x64xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x32x64xf32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = math.exp %in : f32
      linalg.yield %7 : f32
    } -> tensor<4x32x64xf32>
    %3 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x64xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %2 : tensor<4x32x64xf32>, tensor<4x32x64xf32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.addf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<4x32x64xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %4 : tensor<4x32x64xf32>, tensor<4x32x64xf32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.divf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<4x32x64xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<4x32x64xf32>, tensor<4x32x64xf32>) outs(%0 : tensor<4x32x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<4x32x64xf32>
    return %6 : tensor<4x32x64xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x32x256xf32>) -> tensor<4x32x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4x32xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %2 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<4x32x256xf32>) outs(%1 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.maximumf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<4x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%0 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.maximumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x32xf32>
    %5 = tensor.empty() : tensor<4x32x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x32xf32>) outs(%5 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %7 = tensor.empty() : tensor<4x32x256xf32>
    %8 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x32x1xf32>) outs(%7 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x256xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<4x32x256xf32>, tensor<4x32x256xf32>) outs(%7 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x32x256xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<4x32x256xf32>) outs(%7 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<4x32x256xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x32x256xf32>) outs(%11 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<4x32xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<4x32xf32>) outs(%5 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<4x32x1xf32>) outs(%5 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.log %in : f32
      linalg.yield %17 : f32
    } -> tensor<4x32x1xf32>
    %15 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<4x32x1xf32>) outs(%7 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x256xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<4x32x256xf32>, tensor<4x32x256xf32>) outs(%7 : tensor<4x32x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x32x256xf32>
    return %16 : tensor<4x32x256xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x32x256xf32>, %arg1: tensor<4x32x1xi64>) -> tensor<4x32x1xf32> {
    %c255 = arith.constant 255 : index
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant dense<255> : tensor<1xi32>
    %cst_1 = arith.constant dense<256> : tensor<i32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<4x32x1xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x32x1xi64>) outs(%0 : tensor<4x32x1xi32>) {
    ^bb0(%in: i64, %out: i32):
      %23 = arith.trunci %in : i64 to i32
      linalg.yield %23 : i32
    } -> tensor<4x32x1xi32>
    %2 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<4x32x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x32x1xi32>
    %3 = tensor.empty() : tensor<4x32x1xi1>
    %4 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<4x32x1xi32>, tensor<4x32x1xi32>) outs(%3 : tensor<4x32x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %23 = arith.cmpi slt, %in, %in_3 : i32
      linalg.yield %23 : i1
    } -> tensor<4x32x1xi1>
    %5 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<4x32x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x32x1xi32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<4x32x1xi32>, tensor<4x32x1xi32>) outs(%0 : tensor<4x32x1xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %23 = arith.addi %in, %in_3 : i32
      linalg.yield %23 : i32
    } -> tensor<4x32x1xi32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6, %1 : tensor<4x32x1xi1>, tensor<4x32x1xi32>, tensor<4x32x1xi32>) outs(%0 : tensor<4x32x1xi32>) {
    ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
      %23 = arith.select %in, %in_3, %in_4 : i32
      linalg.yield %23 : i32
    } -> tensor<4x32x1xi32>
    %expanded = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [4, 32, 1, 1] : tensor<4x32x1xi32> into tensor<4x32x1x1xi32>
    %8 = tensor.empty() : tensor<4x32x1x1xi32>
    %9 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%8 : tensor<4x32x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x32x1x1xi32>
    %10 = tensor.empty() : tensor<4x32x1x1xi1>
    %11 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %9 : tensor<4x32x1x1xi32>, tensor<4x32x1x1xi32>) outs(%10 : tensor<4x32x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %23 = arith.cmpi sge, %in, %in_3 : i32
      linalg.yield %23 : i1
    } -> tensor<4x32x1x1xi1>
    %12 = tensor.empty() : tensor<1x1x1x1xi32>
    %13 = linalg.generic {indexing_maps = [#map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<1xi32>) outs(%12 : tensor<1x1x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1x1x1xi32>
    %14 = linalg.generic {indexing_maps = [#map34, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x1x1xi32>) outs(%8 : tensor<4x32x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x32x1x1xi32>
    %15 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %14 : tensor<4x32x1x1xi32>, tensor<4x32x1x1xi32>) outs(%10 : tensor<4x32x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %23 = arith.cmpi sle, %in, %in_3 : i32
      linalg.yield %23 : i1
    } -> tensor<4x32x1x1xi1>
    %16 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %15 : tensor<4x32x1x1xi1>, tensor<4x32x1x1xi1>) outs(%10 : tensor<4x32x1x1xi1>) {
    ^bb0(%in: i1, %in_3: i1, %out: i1):
      %23 = arith.andi %in, %in_3 : i1
      linalg.yield %23 : i1
    } -> tensor<4x32x1x1xi1>
    %17 = linalg.fill ins(%true : i1) outs(%3 : tensor<4x32x1xi1>) -> tensor<4x32x1xi1>
    %18 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<4x32x1x1xi1>) outs(%17 : tensor<4x32x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %23 = arith.andi %out, %in : i1
      linalg.yield %23 : i1
    } -> tensor<4x32x1xi1>
    %19 = tensor.empty() : tensor<4x32x1xf32>
    %20 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%19 : tensor<4x32x1xf32>) {
    ^bb0(%out: f32):
      %23 = linalg.index 0 : index
      %24 = linalg.index 1 : index
      %extracted = tensor.extract %expanded[%23, %24, %c0, %c0] : tensor<4x32x1x1xi32>
      %25 = arith.index_cast %extracted : i32 to index
      %26 = arith.maxsi %25, %c0 : index
      %27 = arith.minsi %26, %c255 : index
      %extracted_3 = tensor.extract %arg0[%23, %24, %27] : tensor<4x32x256xf32>
      linalg.yield %extracted_3 : f32
    } -> tensor<4x32x1xf32>
    %21 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%19 : tensor<4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x32x1xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %20, %21 : tensor<4x32x1xi1>, tensor<4x32x1xf32>, tensor<4x32x1xf32>) outs(%19 : tensor<4x32x1xf32>) {
    ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32):
      %23 = arith.select %in, %in_3, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<4x32x1xf32>
    return %22 : tensor<4x32x1xf32>
  }
}
