// RUN: attnres-run model --model %golden/off --seq-len 5 | FileCheck %s --check-prefix=OFF
// RUN: attnres-run model --model %golden/full --seq-len 5 | FileCheck %s --check-prefix=FULL
// RUN: attnres-run model --model %golden/full_no_final --seq-len 5 | FileCheck %s --check-prefix=NOFINAL
// RUN: attnres-run model --model %golden/block_remainder --seq-len 5 | FileCheck %s --check-prefix=REMAINDER
// RUN: attnres-run model --model %golden/block_one --seq-len 5 | FileCheck %s --check-prefix=ONE
// RUN: attnres-run model --model %golden/odd_sizes --seq-len 0 --batch-size 0 | attnres-opt --attnres-expand-stack | FileCheck %s --check-prefix=EMPTY

// OFF:         attnres.stack %{{[a-z0-9]+}} off : tensor<1x5x32xf32>
// OFF-COUNT-8: attnres.yield
// OFF-NOT:     attnres.yield

// Nine queries for eight sublayers: the last one is the final mixture.
// FULL:     mixer.residuals.7.query
// FULL:     %[[Q:[a-z0-9]+]]: tensor<32xf32> {attnres.name = "mixer.final_residual.query"
// CF-7: its norm is its gain.
// FULL-SAME: %[[G:[a-z0-9]+]]: tensor<32xf32> {attnres.name = "mixer.final_residual.norm.weight"
// FULL:     attnres.stack %{{[a-z0-9]+}} full eps(1.000000e-08) queries(
// FULL-SAME:  %[[Q]] : tensor
// FULL-SAME:  gains({{.*}} %[[G]] : tensor

// NOFINAL-NOT: mixer.final_residual
// NOFINAL:     attnres.stack %{{[a-z0-9]+}} full
// NOFINAL-COUNT-6: attnres.yield

// A depth block of 2 decoder blocks is 4 sublayers.
// REMAINDER: attnres.stack %{{[a-z0-9]+}} block sublayers_per_block(4)
// REMAINDER-COUNT-10: attnres.yield

// ONE: attnres.stack %{{[a-z0-9]+}} block sublayers_per_block(18)

// EMPTY: attnres.attention {{.*}} tensor<0x0x3x20xf32>, tensor<0x0x1x20xf32>
