// A planned module written by hand is read, verified, compiled and run.
// RUN: attnres-opt %s --attnres-check-memory-plan --attnres-verify-stage=stage=planned | FileCheck %s
// RUN: attnres-run compile --module %s --from planned --target cpu:generic --dump-stage cpu --out %t.program | FileCheck %s --check-prefix=CPU
// RUN: %python %S/Inputs/product_tensors.py write %t.inputs
// RUN: attnres-run run %t.program --inputs %t.inputs --out %t.outputs --poison --threads 2
// RUN: %python %S/Inputs/product_tensors.py check %t.outputs

// What is not at the stage that was said, or not planned well, is an error.
// RUN: not attnres-run compile --module %s --from scheduled --out %t.other 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: sed 's/workspace_bytes = 192/workspace_bytes = 128/' %s > %t.short.mlir
// RUN: not attnres-run compile --module %t.short.mlir --from planned --out %t.other 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not attnres-run compile --preset toy --from planned --out %t.other 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not attnres-run compile --module %s --from cpu --out %t.other 2>&1 | FileCheck %s --check-prefix=FROM
// RUN: not attnres-run run %t.program --inputs %t.outputs --out %t.other 2>&1 | FileCheck %s --check-prefix=INPUT
// STAGE: attnres-run: reading stage 'scheduled' failed: {{.*}}planned.mlir:{{[0-9]+}}:{{[0-9]+}}: 'attnres.launch' op {{.*}}
// SHORT: attnres-run: reading stage 'planned' failed: {{.*}}short.mlir:{{[0-9]+}}:{{[0-9]+}}: 'attnres.launch' op result 0 of 140 bytes {{.*}} ends beyond the 128 bytes there
// NEEDS: attnres-run: {{.*}}--module
// FROM:  attnres-run: {{.*}}--from
// INPUT: attnres-run: no tensor for the program's input 'a'

// CHECK: attnres.kernel @product(%{{.*}}: tensor<5x7xf32>, %{{.*}}: tensor<5x7xf32>) -> tensor<5x7xf32> inplace [0] {
// CPU:   attnres.kernel @product : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32> inplace [0] grid 1 scratch {{[0-9]+}} code(
module attributes {attnres.constant_bytes = 0 : i64, attnres.live_bytes = 192 : i64, attnres.workspace_bytes = 192 : i64} {
  attnres.kernel @product(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> inplace [0] {
    %z = arith.mulf %x, %y : tensor<5x7xf32>
    attnres.return %z : tensor<5x7xf32>
  }
  func.func @main(%a: tensor<5x7xf32> {attnres.name = "a", attnres.role = #attnres.role<input>},
                  %b: tensor<5x7xf32> {attnres.name = "b", attnres.role = #attnres.role<input>})
      -> (tensor<5x7xf32> {attnres.name = "product"}) {
    %0 = attnres.launch @product(%a, %b) operand_groups [-1, -1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<argument 0>, #attnres.buffer<argument 1>],
         result_buffers = [#attnres.buffer<workspace>]}
        : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %1 = attnres.launch @product(%0, %b) operand_groups [-1, -1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<workspace>, #attnres.buffer<argument 1>],
         result_buffers = [#attnres.buffer<workspace>]}
        : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %2 = attnres.launch @product(%1, %a) operand_groups [-1, -1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<workspace>, #attnres.buffer<argument 0>],
         result_buffers = [#attnres.buffer<result 0>]}
        : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    return %2 : tensor<5x7xf32>
  }
}
