#include "passes/cpu/FlashAttention.h"
void attnres::cpu::buildAttentionBackward(mlir::OpBuilder &builder, mlir::Location loc,
                            KernelFunction &kernel,
                            const AttentionShape &shape,
                            const CpuTarget &target) {}
