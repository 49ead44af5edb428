// RUN: attnres-opt %s --attnres-warp-rows --split-input-file | FileCheck %s
// Numbers: unit/nvptx/RowKernelsTest.cpp

// A chain of row operations becomes the code of a warp: four warps to a block,
// one row each, lane by lane over the columns. The value between the operations
// stays in scratch, of which every warp has its own in shared memory.
// CHECK-LABEL: attnres.kernel @chain : (tensor<40x24xf32>, tensor<24xf32>) -> tensor<40x24xf32> inplace [0] flops 0
// CHECK-SAME: blocks<[10, 1, 1] of [128, 1, 1] shared 512> scratch 0
// CHECK-SAME: code(%[[X:.*]]: !llvm.ptr<1>, %[[W:.*]]: !llvm.ptr<1>, %[[Y:.*]]: !llvm.ptr<1>, %[[S:.*]]: !llvm.ptr<1>) {
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: vector.load {{.*}} : memref<40x24xf32, 1>
// CHECK: nvvm.shfl.sync bfly
// CHECK: math.sqrt
// CHECK: vector.store {{.*}} : memref<40x24xf32, 1>
// CHECK: attnres.return
attnres.kernel @chain(%x: tensor<40x24xf32>, %w: tensor<24xf32>) -> tensor<40x24xf32> inplace [0] flops 0 {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<40x24xf32>, tensor<24xf32>
  %z = arith.mulf %y, %x : tensor<40x24xf32>
  attnres.return %z : tensor<40x24xf32>
}

// -----

// A warp for each partial sum: 40 rows in 5 ranges.
// CHECK-LABEL: attnres.kernel @partial_sums
// CHECK-SAME: blocks<[2, 1, 1] of [128, 1, 1]>
attnres.kernel @partial_sums(%x: tensor<40x24xf32>) -> tensor<5x24xf32> {
  %s = attnres.sum_rows %x {partials = 5 : i64} : tensor<40x24xf32>
  attnres.return %s : tensor<5x24xf32>
}

// -----

// Lists have room for the most tensors of any launch, and so has scratch.
// CHECK-LABEL: attnres.kernel @list
// CHECK-SAME: blocks<[1, 1, 1] of [128, 1, 1] shared 1024 lists [3]> scratch 0
// CHECK-SAME: code(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr,
attnres.kernel @list(%q: tensor<8xf32>, %g: tensor<8xf32>, %v: !attnres.list<tensor<3x8xf32>>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 1.0e-8 : f64}
      : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<3x8xf32>>)
  attnres.return %h, %lse : tensor<3x8xf32>, tensor<3xf32>
}
func.func @main(%q: tensor<8xf32>, %x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %a:2 = attnres.launch @list(%q, %q, %x, %x) operand_groups [-1, -1, 2] result_groups [-1, -1]
      : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<3xf32>)
  %b:2 = attnres.launch @list(%q, %q, %x, %x, %a#0) operand_groups [-1, -1, 3] result_groups [-1, -1]
      : (tensor<8xf32>, tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<3xf32>)
  return %b#0 : tensor<3x8xf32>
}

// -----

// Eight warps share a wide row, and exchange its sums by shared memory.
// CHECK-LABEL: attnres.kernel @wide
// CHECK-SAME: blocks<[3, 1, 1] of [256, 1, 1] shared 1024> scratch 0
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
attnres.kernel @wide(%x: tensor<3x8192xbf16>, %w: tensor<8192xf32>) -> tensor<3x8192xbf16> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<3x8192xbf16>, tensor<8192xf32>
  attnres.return %y : tensor<3x8192xbf16>
}

// -----

// What shared memory has no room for is in the scratch of the launch.
// CHECK-LABEL: attnres.kernel @large
// CHECK-SAME: blocks<[3, 1, 1] of [512, 1, 1] shared 1024> scratch 600000
attnres.kernel @large(%x: tensor<3x50000xf32>, %w: tensor<50000xf32>) -> tensor<3x50000xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<3x50000xf32>, tensor<50000xf32>
  %z = arith.mulf %y, %x : tensor<3x50000xf32>
  attnres.return %z : tensor<3x50000xf32>
}
