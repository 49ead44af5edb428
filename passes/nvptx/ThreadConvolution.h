//===- ThreadConvolution.h - short convolutions for GPUs --------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_THREADCONVOLUTION_H
#define ATTNRES_PASSES_NVPTX_THREADCONVOLUTION_H

#include "passes/nvptx/MatrixKernels.h"

namespace attnres::nvptx {

/// Of attnres.short_convolution: x [texts, tokens, channels], weight [channels,
/// window], tail [texts, window - 1, channels] or null, each f32 or bf16.
struct Convolution {
  struct Tensor {
    mlir::Value pointer;
    bool isBf16 = false;
  };
  int64_t texts, tokens, channels, window;
  Tensor x, weight, tail;
};

/// Gradients of the result and of the operands, null where nobody wants them.
/// That of the weights is f32.
struct ConvolutionGradients {
  Convolution::Tensor output, x, weight, tail;
  mlir::Value scratch;
};

GpuLaunch buildConvolution(mlir::OpBuilder &builder, mlir::Location loc,
                           const Convolution &convolution,
                           const Convolution::Tensor &result);
GpuLaunch buildConvolutionBackward(mlir::OpBuilder &builder, mlir::Location loc,
                                   const Convolution &convolution,
                                   const ConvolutionGradients &gradients);

} // namespace attnres::nvptx

#endif
