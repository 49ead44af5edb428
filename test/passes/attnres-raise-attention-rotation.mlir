// Rotations of halves in linalg, and what differs from them in a detail.
// MM-8.
//
// RUN: attnres-opt %s --attnres-flatten --attnres-raise-attention | FileCheck %s

// The angle of each token and pair of columns, at both halves.
func.func private @angle(%base: tensor<f32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(t, i) -> ()>, affine_map<(t, i) -> (t, i)>], iterator_types = ["parallel", "parallel"]} ins(%base : tensor<f32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%b: f32, %o: f32):
    %half = arith.constant 4 : index
    %zero = arith.constant 0 : index
    %four = arith.constant -4.0 : f32
    %t = linalg.index 0 : index
    %i = linalg.index 1 : index
    %second = arith.cmpi sge, %i, %half : index
    %shift = arith.select %second, %half, %zero : index
    %pair = arith.subi %i, %shift : index
    %ti = arith.index_cast %t : index to i32
    %pi = arith.index_cast %pair : index to i32
    %tf = arith.sitofp %ti : i32 to f32
    %pf = arith.sitofp %pi : i32 to f32
    %share = arith.divf %pf, %four : f32
    %f = math.powf %b, %share : f32
    %angle = arith.mulf %tf, %f : f32
    linalg.yield %angle : f32
  } -> tensor<6x8xf32>
  return %a : tensor<6x8xf32>
}

// [-x2, x1] of [x1, x2].
func.func private @swapped(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 6, 3, 4] [1, 1, 1, 1] : tensor<2x6x3x8xf32> to tensor<2x6x3x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 4] [2, 6, 3, 4] [1, 1, 1, 1] : tensor<2x6x3x8xf32> to tensor<2x6x3x4xf32>
  %minus = arith.negf %b : tensor<2x6x3x4xf32>
  %y = tensor.concat dim(3) %minus, %a : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// x cos + swapped(x) sin, with heads behind the tokens.
func.func private @rotated(%x: tensor<2x6x3x8xf32>, %a: tensor<6x8xf32>) -> tensor<2x6x3x8xf32> {
  %e = tensor.empty() : tensor<2x6x3x8xf32>
  %cos = math.cos %a : tensor<6x8xf32>
  %sin = math.sin %a : tensor<6x8xf32>
  %c = linalg.broadcast ins(%cos : tensor<6x8xf32>) outs(%e : tensor<2x6x3x8xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<6x8xf32>) outs(%e : tensor<2x6x3x8xf32>) dimensions = [0, 2]
  %r = call @swapped(%x) : (tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32>
  %xc = arith.mulf %x, %c : tensor<2x6x3x8xf32>
  %xs = arith.mulf %r, %s : tensor<2x6x3x8xf32>
  %y = arith.addf %xc, %xs : tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// CHECK-LABEL: func.func @rotation
// CHECK-SAME: %[[X:.*]]: tensor<2x6x3x8xf32>
// CHECK: %[[Y:.*]] = attnres.rope %[[X]] {theta = 1.000000e+04 : f64} : tensor<2x6x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @rotation(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<10000.0> : tensor<f32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %y = call @rotated(%x, %a) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// What is rotated is a sum of its own.

// CHECK-LABEL: func.func @rotation_of_sum
// CHECK: %[[X:.*]] = arith.addf
// CHECK: attnres.rope %[[X]] {theta = 5.000000e+02 : f64}
func.func @rotation_of_sum(%u: tensor<2x6x3x8xf32>, %v: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<500.0> : tensor<f32>
  %x = arith.addf %u, %v : tensor<2x6x3x8xf32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %y = call @rotated(%x, %a) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// Backwards.

// CHECK-LABEL: func.func @inverse
// CHECK: attnres.rope %{{.*}} {inverse, theta = 1.000000e+04 : f64}
func.func @inverse(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<10000.0> : tensor<f32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %m = arith.negf %a : tensor<6x8xf32>
  %y = call @rotated(%x, %m) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// Heads before the tokens; halves joined element by element, as JAX joins them;
// tables as constants, of frequencies 1 and 1 / 10.

// CHECK-LABEL: func.func @constant_tables
// CHECK-SAME: %[[X:.*]]: tensor<3x2x4xf32>
// CHECK: %[[R:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<3x2x1x4xf32>
// CHECK: attnres.rope %[[R]] {theta = 1.000000e+02 : f64}
func.func @constant_tables(%x: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0], [0.540302277, 0.995004177]]> : tensor<2x2xf32>
  %sin = arith.constant dense<[[0.0, 0.0], [0.84147096, 0.0998334214]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<3x2x2xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<3x2x4xf32> to tensor<3x2x2xf32>
  %b = tensor.extract_slice %x[0, 0, 2] [3, 2, 2] [1, 1, 1] : tensor<3x2x4xf32> to tensor<3x2x2xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x2xf32>) outs(%e : tensor<3x2x2xf32>) dimensions = [0]
  %s = linalg.broadcast ins(%sin : tensor<2x2xf32>) outs(%e : tensor<3x2x2xf32>) dimensions = [0]
  %ac = arith.mulf %a, %c : tensor<3x2x2xf32>
  %bs = arith.mulf %b, %s : tensor<3x2x2xf32>
  %low = arith.subf %ac, %bs : tensor<3x2x2xf32>
  %bc = arith.mulf %b, %c : tensor<3x2x2xf32>
  %as = arith.mulf %a, %s : tensor<3x2x2xf32>
  %high = arith.addf %bc, %as : tensor<3x2x2xf32>
  %o = tensor.empty() : tensor<3x2x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, t, i) -> (h, t, i)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<3x2x4xf32>) {
  ^bb0(%out: f32):
    %half = arith.constant 2 : index
    %h = linalg.index 0 : index
    %t = linalg.index 1 : index
    %i = linalg.index 2 : index
    %first = arith.cmpi ult, %i, %half : index
    %v = scf.if %first -> (f32) {
      %l = tensor.extract %low[%h, %t, %i] : tensor<3x2x2xf32>
      scf.yield %l : f32
    } else {
      %j = arith.subi %i, %half : index
      %l = tensor.extract %high[%h, %t, %j] : tensor<3x2x2xf32>
      scf.yield %l : f32
    }
    linalg.yield %v : f32
  } -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}

// Twice the angle; a sum with what is not swapped.

// CHECK-LABEL: func.func @twice_the_angle
// CHECK-NOT: attnres.
func.func @twice_the_angle(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<10000.0> : tensor<f32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %m = arith.addf %a, %a : tensor<6x8xf32>
  %y = call @rotated(%x, %m) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// CHECK-LABEL: func.func @not_swapped
// CHECK-NOT: attnres.
func.func @not_swapped(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<10000.0> : tensor<f32>
  %e = tensor.empty() : tensor<2x6x3x8xf32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %cos = math.cos %a : tensor<6x8xf32>
  %sin = math.sin %a : tensor<6x8xf32>
  %c = linalg.broadcast ins(%cos : tensor<6x8xf32>) outs(%e : tensor<2x6x3x8xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<6x8xf32>) outs(%e : tensor<2x6x3x8xf32>) dimensions = [0, 2]
  %xc = arith.mulf %x, %c : tensor<2x6x3x8xf32>
  %xs = arith.mulf %x, %s : tensor<2x6x3x8xf32>
  %y = arith.addf %xc, %xs : tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// Angles that are inputs.

// CHECK-LABEL: func.func @angles_given
// CHECK-NOT: attnres.
func.func @angles_given(%x: tensor<2x6x3x8xf32>, %a: tensor<6x8xf32>) -> tensor<2x6x3x8xf32> {
  %y = call @rotated(%x, %a) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}

// Positions in bf16, of which 257 is none, and angles rounded to it are others;
// cosines and sines may be rounded. Nor is a rotation that begins behind the
// first token one.

func.func private @pair(%x: tensor<260x2xf32>, %c: tensor<260x1xf32>, %s: tensor<260x1xf32>) -> tensor<260x2xf32> {
  %u = tensor.extract_slice %x[0, 0] [260, 1] [1, 1] : tensor<260x2xf32> to tensor<260x1xf32>
  %v = tensor.extract_slice %x[0, 1] [260, 1] [1, 1] : tensor<260x2xf32> to tensor<260x1xf32>
  %uc = arith.mulf %u, %c : tensor<260x1xf32>
  %vs = arith.mulf %v, %s : tensor<260x1xf32>
  %low = arith.subf %uc, %vs : tensor<260x1xf32>
  %vc = arith.mulf %v, %c : tensor<260x1xf32>
  %us = arith.mulf %u, %s : tensor<260x1xf32>
  %high = arith.addf %vc, %us : tensor<260x1xf32>
  %y = tensor.concat dim(1) %low, %high : (tensor<260x1xf32>, tensor<260x1xf32>) -> tensor<260x2xf32>
  return %y : tensor<260x2xf32>
}

func.func private @positions() -> tensor<260x1xi32> {
  %e = tensor.empty() : tensor<260x1xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(t, i) -> (t, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<260x1xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %ti = arith.index_cast %i : index to i32
    linalg.yield %ti : i32
  } -> tensor<260x1xi32>
  return %t : tensor<260x1xi32>
}

// CHECK-LABEL: func.func @rounded_tables
// CHECK: attnres.rope
func.func @rounded_tables(%x: tensor<260x2xf32>) -> tensor<260x2xf32> {
  %t = call @positions() : () -> tensor<260x1xi32>
  %a = arith.sitofp %t : tensor<260x1xi32> to tensor<260x1xf32>
  %cos = math.cos %a : tensor<260x1xf32>
  %sin = math.sin %a : tensor<260x1xf32>
  %ch = arith.truncf %cos : tensor<260x1xf32> to tensor<260x1xbf16>
  %sh = arith.truncf %sin : tensor<260x1xf32> to tensor<260x1xbf16>
  %c = arith.extf %ch : tensor<260x1xbf16> to tensor<260x1xf32>
  %s = arith.extf %sh : tensor<260x1xbf16> to tensor<260x1xf32>
  %y = call @pair(%x, %c, %s) : (tensor<260x2xf32>, tensor<260x1xf32>, tensor<260x1xf32>) -> tensor<260x2xf32>
  return %y : tensor<260x2xf32>
}

// CHECK-LABEL: func.func @positions_in_bf16
// CHECK-NOT: attnres.
func.func @positions_in_bf16(%x: tensor<260x2xf32>) -> tensor<260x2xf32> {
  %t = call @positions() : () -> tensor<260x1xi32>
  %h = arith.sitofp %t : tensor<260x1xi32> to tensor<260x1xbf16>
  %a = arith.extf %h : tensor<260x1xbf16> to tensor<260x1xf32>
  %c = math.cos %a : tensor<260x1xf32>
  %s = math.sin %a : tensor<260x1xf32>
  %y = call @pair(%x, %c, %s) : (tensor<260x2xf32>, tensor<260x1xf32>, tensor<260x1xf32>) -> tensor<260x2xf32>
  return %y : tensor<260x2xf32>
}

// CHECK-LABEL: func.func @rounded_positions
// CHECK-NOT: attnres.
func.func @rounded_positions(%x: tensor<260x2xf32>) -> tensor<260x2xf32> {
  %t = call @positions() : () -> tensor<260x1xi32>
  %e = tensor.empty() : tensor<260x1xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(t, i) -> (t, i)>, affine_map<(t, i) -> (t, i)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<260x1xi32>) outs(%e : tensor<260x1xf32>) {
  ^bb0(%i: i32, %o: f32):
    %wide = arith.sitofp %i : i32 to f32
    %h = arith.truncf %wide : f32 to bf16
    %f = arith.extf %h : bf16 to f32
    linalg.yield %f : f32
  } -> tensor<260x1xf32>
  %c = math.cos %a : tensor<260x1xf32>
  %s = math.sin %a : tensor<260x1xf32>
  %y = call @pair(%x, %c, %s) : (tensor<260x2xf32>, tensor<260x1xf32>, tensor<260x1xf32>) -> tensor<260x2xf32>
  return %y : tensor<260x2xf32>
}

// CHECK-LABEL: func.func @from_an_offset
// CHECK-NOT: attnres.
func.func @from_an_offset(%x: tensor<260x2xf32>) -> tensor<260x2xf32> {
  %three = arith.constant dense<3.0> : tensor<260x1xf32>
  %t = call @positions() : () -> tensor<260x1xi32>
  %f = arith.sitofp %t : tensor<260x1xi32> to tensor<260x1xf32>
  %a = arith.addf %f, %three : tensor<260x1xf32>
  %c = math.cos %a : tensor<260x1xf32>
  %s = math.sin %a : tensor<260x1xf32>
  %y = call @pair(%x, %c, %s) : (tensor<260x2xf32>, tensor<260x1xf32>, tensor<260x1xf32>) -> tensor<260x2xf32>
  return %y : tensor<260x2xf32>
}

// CHECK-LABEL: func.func @rounded_angles
// CHECK-NOT: attnres.
func.func @rounded_angles(%x: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %base = arith.constant dense<10000.0> : tensor<f32>
  %a = call @angle(%base) : (tensor<f32>) -> tensor<6x8xf32>
  %h = arith.truncf %a : tensor<6x8xf32> to tensor<6x8xbf16>
  %r = arith.extf %h : tensor<6x8xbf16> to tensor<6x8xf32>
  %y = call @rotated(%x, %r) : (tensor<2x6x3x8xf32>, tensor<6x8xf32>) -> tensor<2x6x3x8xf32>
  return %y : tensor<2x6x3x8xf32>
}
