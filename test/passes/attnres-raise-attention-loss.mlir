// Cross entropies and rows of tables in linalg, and what differs from them in a
// detail. Five rows of seven classes.
// MM-8.
//
// RUN: attnres-opt %s --attnres-flatten --attnres-raise-attention | FileCheck %s

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#rows = affine_map<(r) -> (r)>

// x - max x
func.func private @shifted(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %low = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<5x7xf32>
  %i = linalg.fill ins(%low : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<5x7xf32>) outs(%i : tensor<5xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e : tensor<5x7xf32>) dimensions = [1]
  %s = arith.subf %x, %mb : tensor<5x7xf32>
  return %s : tensor<5x7xf32>
}

// ln sum exp x
func.func private @log_sum(%x: tensor<5x7xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<5xf32>) -> tensor<5xf32>
  %exp = math.exp %x : tensor<5x7xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<5x7xf32>) outs(%z : tensor<5xf32>) dimensions = [1]
  %log = math.log %sum : tensor<5xf32>
  return %log : tensor<5xf32>
}

func.func private @log_softmax(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %s = call @shifted(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %l = call @log_sum(%s) : (tensor<5x7xf32>) -> tensor<5xf32>
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%e : tensor<5x7xf32>) dimensions = [1]
  %y = arith.subf %s, %lb : tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// The element of each row at its target: targets below 0 count from the end,
// outside is NaN.
func.func private @chosen(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<5xf32> {
  %er = tensor.empty() : tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%t : tensor<5xi32>) outs(%er : tensor<5xf32>) {
  ^bb0(%target: i32, %o: f32):
    %r = linalg.index 0 : index
    %zero = arith.constant 0 : i32
    %classes = arith.constant 7 : i32
    %first = arith.constant 0 : index
    %last = arith.constant 6 : index
    %nan = arith.constant 0x7FC00000 : f32
    %below = arith.cmpi slt, %target, %zero : i32
    %from_end = arith.addi %target, %classes : i32
    %class = arith.select %below, %from_end, %target : i32
    %least = arith.cmpi sge, %class, %zero : i32
    %most = arith.cmpi slt, %class, %classes : i32
    %inside = arith.andi %least, %most : i1
    %i = arith.index_cast %class : i32 to index
    %j = arith.maxsi %i, %first : index
    %k = arith.minsi %j, %last : index
    %v = tensor.extract %x[%r, %k] : tensor<5x7xf32>
    %w = arith.select %inside, %v, %nan : f32
    linalg.yield %w : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

func.func private @sum(%x: tensor<5xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<5xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @mean
// CHECK-SAME: %[[X:.*]]: tensor<5x7xf32>, %[[T:.*]]: tensor<5xi32>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[T]] : tensor<5xi32> to tensor<5xi64>
// CHECK: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy %[[X]], %[[WIDE]] : tensor<5x7xf32>, tensor<5xi64>
// CHECK-NEXT: return %[[LOSS]]
func.func @mean(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %rows = arith.constant dense<5.0> : tensor<f32>
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %c = call @chosen(%l, %t) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %s = call @sum(%c) : (tensor<5xf32>) -> tensor<f32>
  %m = arith.divf %s, %rows : tensor<f32>
  %y = arith.negf %m : tensor<f32>
  return %y : tensor<f32>
}

// A sum; the logarithm is subtracted behind the choice. A target that is no
// class is NaN there, so that none may be left out.

// CHECK-LABEL: func.func @sum_of_differences
// CHECK: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy {{.*}} {ignore_index = -9223372036854775808 : i64}
// CHECK: %[[FIVE:.*]] = arith.constant dense<5.0{{.*}}> : tensor<f32>
// CHECK: %[[Y:.*]] = arith.mulf %[[LOSS]], %[[FIVE]]
// CHECK: return %[[Y]]
func.func @sum_of_differences(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %s = call @shifted(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %l = call @log_sum(%s) : (tensor<5x7xf32>) -> tensor<5xf32>
  %c = call @chosen(%s, %t) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %d = arith.subf %l, %c : tensor<5xf32>
  %y = call @sum(%d) : (tensor<5xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Logits that were rounded are read as they are then.

// CHECK-LABEL: func.func @rounded
// CHECK-SAME: %[[X:.*]]: tensor<5x7xf32>, %[[T:.*]]: tensor<5xi32>
// CHECK: %[[H:.*]] = arith.truncf %[[X]]
// CHECK: attnres.cross_entropy %[[H]], %{{.*}} : tensor<5x7xbf16>, tensor<5xi64>
func.func @rounded(%w: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %rows = arith.constant dense<-5.0> : tensor<f32>
  %h = arith.truncf %w : tensor<5x7xf32> to tensor<5x7xbf16>
  %x = arith.extf %h : tensor<5x7xbf16> to tensor<5x7xf32>
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %c = call @chosen(%l, %t) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %s = call @sum(%c) : (tensor<5xf32>) -> tensor<f32>
  %y = arith.divf %s, %rows : tensor<f32>
  return %y : tensor<f32>
}

// By comparison with all classes, in one sum over both; logits in bf16. What is
// no class added nothing to the sum, but counted as a row.

// CHECK-LABEL: func.func @compared
// CHECK-SAME: %[[H:.*]]: tensor<5x7xbf16>, %[[T:.*]]: tensor<5xi64>
// CHECK: %[[LOSS:.*]], %{{.*}} = attnres.cross_entropy %[[H]], %[[T]] {ignore_index = -9223372036854775808 : i64} : tensor<5x7xbf16>, tensor<5xi64>
// CHECK-NEXT: return %[[LOSS]]
func.func @compared(%h: tensor<5x7xbf16>, %t: tensor<5xi64>) -> tensor<f32> {
  %share = arith.constant dense<-0.2> : tensor<f32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %x = arith.extf %h : tensor<5x7xbf16> to tensor<5x7xf32>
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, affine_map<(r, c) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%l, %t : tensor<5x7xf32>, tensor<5xi64>) outs(%z : tensor<f32>) {
  ^bb0(%v: f32, %target: i64, %o: f32):
    %c = linalg.index 1 : index
    %class = arith.index_cast %c : index to i64
    %is = arith.cmpi eq, %target, %class : i64
    %flag = arith.uitofp %is : i1 to f32
    %p = arith.mulf %flag, %v : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<f32>
  %y = arith.mulf %s, %share : tensor<f32>
  return %y : tensor<f32>
}

// The maximum is missing in the logarithm; probabilities instead of their
// logarithms; the class beside the target.

// CHECK-LABEL: func.func @other_shift
// CHECK-NOT: attnres.
func.func @other_shift(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %s = call @shifted(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %l = call @log_sum(%x) : (tensor<5x7xf32>) -> tensor<5xf32>
  %c = call @chosen(%s, %t) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %d = arith.subf %l, %c : tensor<5xf32>
  %y = call @sum(%d) : (tensor<5xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @probabilities
// CHECK-NOT: attnres.
func.func @probabilities(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %p = math.exp %l : tensor<5x7xf32>
  %c = call @chosen(%p, %t) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %y = call @sum(%c) : (tensor<5xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @class_beside
// CHECK-NOT: attnres.
func.func @class_beside(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %one = arith.constant dense<1> : tensor<5xi32>
  %next = arith.addi %t, %one : tensor<5xi32>
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %c = call @chosen(%l, %next) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %y = call @sum(%c) : (tensor<5xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Rows that do not count, as the module says: it divides by those that do, or
// by all.

func.func private @kept(%x: tensor<5x7xf32>, %t: tensor<5xi32>, %valid: tensor<5xi1>) -> tensor<f32> {
  %none = arith.constant dense<0> : tensor<5xi32>
  %nothing = arith.constant dense<0.0> : tensor<5xf32>
  %l = call @log_softmax(%x) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %class = arith.select %valid, %t, %none : tensor<5xi1>, tensor<5xi32>
  %c = call @chosen(%l, %class) : (tensor<5x7xf32>, tensor<5xi32>) -> tensor<5xf32>
  %k = arith.select %valid, %c, %nothing : tensor<5xi1>, tensor<5xf32>
  %s = call @sum(%k) : (tensor<5xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func @masked
// CHECK-NOT: attnres.
func.func @masked(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %ignored = arith.constant dense<-100> : tensor<5xi32>
  %valid = arith.cmpi ne, %t, %ignored : tensor<5xi32>
  %s = call @kept(%x, %t, %valid) : (tensor<5x7xf32>, tensor<5xi32>, tensor<5xi1>) -> tensor<f32>
  %ones = arith.uitofp %valid : tensor<5xi1> to tensor<5xf32>
  %count = call @sum(%ones) : (tensor<5xf32>) -> tensor<f32>
  %m = arith.divf %s, %count : tensor<f32>
  %y = arith.negf %m : tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @masked_of_all
// CHECK-NOT: attnres.
func.func @masked_of_all(%x: tensor<5x7xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %rows = arith.constant dense<-5.0> : tensor<f32>
  %ignored = arith.constant dense<-100> : tensor<5xi32>
  %valid = arith.cmpi ne, %t, %ignored : tensor<5xi32>
  %s = call @kept(%x, %t, %valid) : (tensor<5x7xf32>, tensor<5xi32>, tensor<5xi1>) -> tensor<f32>
  %y = arith.divf %s, %rows : tensor<f32>
  return %y : tensor<f32>
}

// Rows of a table, tokens below 0 counting from the end as they did; and
// columns of one, which are no rows.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[T:.*]]: tensor<2x3xi32>, %[[W:.*]]: tensor<7x4xf32>
// CHECK: %[[I:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2x3xi32>)
// CHECK: arith.select
// CHECK: %[[Y:.*]] = attnres.embedding %[[I]], %[[W]] : tensor<2x3xi64>, tensor<7x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @rows(%t: tensor<2x3xi32>, %w: tensor<7x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, t, d) -> (b, t)>, affine_map<(b, t, d) -> (b, t, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<2x3xi32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%token: i32, %o: f32):
    %d = linalg.index 2 : index
    %zero = arith.constant 0 : i32
    %size = arith.constant 7 : i32
    %below = arith.cmpi slt, %token, %zero : i32
    %from_end = arith.addi %token, %size : i32
    %row = arith.select %below, %from_end, %token : i32
    %i = arith.index_cast %row : i32 to index
    %v = tensor.extract %w[%i, %d] : tensor<7x4xf32>
    linalg.yield %v : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK-NOT: attnres.
func.func @columns(%t: tensor<3xi64>, %w: tensor<4x7xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%token: i64, %o: f32):
    %d = linalg.index 1 : index
    %i = arith.index_cast %token : i64 to index
    %v = tensor.extract %w[%d, %i] : tensor<4x7xf32>
    linalg.yield %v : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
