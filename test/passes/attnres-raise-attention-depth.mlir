// Depth mixtures in linalg, and what differs from one in a detail.
//
// RUN: attnres-opt %s --attnres-raise-attention --split-input-file | FileCheck %s

// Sources stacked by insert_slice, scores of normalized sources with a gain.

// CHECK-LABEL: func.func @da12_stacked
// CHECK-SAME: %[[V0:.*]]: tensor<2x5x8xf32>, %[[V1:.*]]: tensor<2x5x8xf32>, %[[V2:.*]]: tensor<2x5x8xf32>, %[[Q:.*]]: tensor<8xf32>, %[[G:.*]]: tensor<8xf32>)
// CHECK: attnres.depth_attention queries(%{{.*}}) gains(%{{.*}}) sources(%[[V0]], %[[V1]], %[[V2]]) {eps = 0.00999{{.*}} : f64} : tensor<2x5x8xf32>
// CHECK-NOT: linalg
func.func @da12_stacked(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// Sources stacked by concat.

// CHECK-LABEL: func.func @da12_concatenated
// CHECK-SAME: %[[V0:.*]]: tensor<2x5x8xf32>, %[[V1:.*]]: tensor<2x5x8xf32>, %[[V2:.*]]: tensor<2x5x8xf32>, %[[Q:.*]]: tensor<8xf32>, %[[G:.*]]: tensor<8xf32>)
// CHECK: attnres.depth_attention queries(%{{.*}}) gains(%{{.*}}) sources(%[[V0]], %[[V1]], %[[V2]]) {eps = 0.00999{{.*}} : f64} : tensor<2x5x8xf32>
// CHECK-NOT: linalg
func.func @da12_concatenated(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %s = tensor.concat dim(0) %e0, %e1, %e2 : (tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// The stack is an argument: its slices are the sources.

// CHECK-LABEL: func.func @da12_a_stack
// CHECK: %[[E0:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 2, 5, 8]
// CHECK: %[[S0:.*]] = tensor.collapse_shape %[[E0]]
// CHECK: %[[E1:.*]] = tensor.extract_slice %{{.*}}[1, 0, 0, 0] [1, 2, 5, 8]
// CHECK: %[[S1:.*]] = tensor.collapse_shape %[[E1]]
// CHECK: %[[E2:.*]] = tensor.extract_slice %{{.*}}[2, 0, 0, 0] [1, 2, 5, 8]
// CHECK: %[[S2:.*]] = tensor.collapse_shape %[[E2]]
// CHECK: attnres.depth_attention {{.*}} sources(%[[S0]], %[[S1]], %[[S2]])
func.func @da12_a_stack(%s: tensor<3x2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  // one tensor
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// One vector, the normalization by a division outside of the sum.

// CHECK-LABEL: func.func @da12_normalized_outside
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK: attnres.depth_attention queries(%{{.*}}) gains(%[[ONE]]) sources(%{{.*}}, %{{.*}}, %{{.*}})
func.func @da12_normalized_outside(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.sqrt %some : tensor<3x2x5xf32>
  %raw = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %score = arith.divf %raw, %r : tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// The normalized sources are summed: another thing.

// CHECK-LABEL: func.func @da12_normalized_values
// CHECK-NOT: attnres.depth_attention
func.func @da12_normalized_values(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %n : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// Scores of sources that are not normalized.

// CHECK-LABEL: func.func @da12_raw_scores
// CHECK-NOT: attnres.depth_attention
func.func @da12_raw_scores(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %s, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// Scores that are normalized twice.

// CHECK-LABEL: func.func @da12_normalized_twice
// CHECK-NOT: attnres.depth_attention
func.func @da12_normalized_twice(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %raw = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%n, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %score = arith.mulf %raw, %r : tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// A softmax over the tokens.

// CHECK-LABEL: func.func @da12_softmax_over_tokens
// CHECK-NOT: attnres.depth_attention
func.func @da12_softmax_over_tokens(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(2) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// A mean over another number of elements.

// CHECK-LABEL: func.func @da12_another_width
// CHECK-NOT: attnres.depth_attention
func.func @da12_another_width(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %seven = arith.constant dense<7.0> : tensor<3x2x5xf32>
  %mean = arith.divf %sum, %seven : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [0, 1, 2]
  %ng = arith.mulf %n, %gb : tensor<3x2x5x8xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ng, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}

// -----

// A factor on the scores.

// CHECK-LABEL: func.func @da12_scaled_scores
// CHECK-NOT: attnres.depth_attention
func.func @da12_scaled_scores(%v0: tensor<2x5x8xf32>, %v1: tensor<2x5x8xf32>, %v2: tensor<2x5x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant dense<8.0> : tensor<3x2x5xf32>
  %eps = arith.constant dense<1.0e-2> : tensor<3x2x5xf32>
  %es = tensor.empty() : tensor<3x2x5x8xf32>
  %er = tensor.empty() : tensor<3x2x5xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %e0 = tensor.expand_shape %v0 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e1 = tensor.expand_shape %v1 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %e2 = tensor.expand_shape %v2 [[0, 1], [2], [3]] output_shape [1, 2, 5, 8] : tensor<2x5x8xf32> into tensor<1x2x5x8xf32>
  %t0 = tensor.empty() : tensor<3x2x5x8xf32>
  %t1 = tensor.insert_slice %e0 into %t0[0, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %t2 = tensor.insert_slice %e1 into %t1[1, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %s = tensor.insert_slice %e2 into %t2[2, 0, 0, 0] [1, 2, 5, 8] [1, 1, 1, 1] : tensor<1x2x5x8xf32> into tensor<3x2x5x8xf32>
  %square = arith.mulf %s, %s : tensor<3x2x5x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%square : tensor<3x2x5x8xf32>) outs(%zr : tensor<3x2x5xf32>) dimensions = [3]
  %mean = arith.divf %sum, %width : tensor<3x2x5xf32>
  %some = arith.addf %mean, %eps : tensor<3x2x5xf32>
  %r = math.rsqrt %some : tensor<3x2x5xf32>
  %rb = linalg.broadcast ins(%r : tensor<3x2x5xf32>) outs(%es : tensor<3x2x5x8xf32>) dimensions = [3]
  %n = arith.mulf %s, %rb : tensor<3x2x5x8xf32>
  %raw = linalg.generic {indexing_maps = [affine_map<(i, b, t, d) -> (i, b, t, d)>, affine_map<(i, b, t, d) -> (d)>, affine_map<(i, b, t, d) -> (i, b, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%n, %q : tensor<3x2x5x8xf32>, tensor<8xf32>) outs(%zr : tensor<3x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<3x2x5xf32>
  %score = arith.mulf %raw, %width : tensor<3x2x5xf32>
  %p = linalg.softmax dimension(0) ins(%score : tensor<3x2x5xf32>) outs(%er : tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %eo = tensor.empty() : tensor<2x5x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(b, t, d, i) -> (i, b, t)>, affine_map<(b, t, d, i) -> (i, b, t, d)>, affine_map<(b, t, d, i) -> (b, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %s : tensor<3x2x5xf32>, tensor<3x2x5x8xf32>) outs(%zo : tensor<2x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x5x8xf32>
  return %h : tensor<2x5x8xf32>
}
