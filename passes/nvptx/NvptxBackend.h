//===- NvptxBackend.h - NVIDIA GPUs as targets ------------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_NVPTXBACKEND_H
#define ATTNRES_PASSES_NVPTX_NVPTXBACKEND_H

#include "passes/Targets.h"

namespace attnres::nvptx {

/// The generation of GPUs that `name` means, such as "sm_80". Null for any
/// other name.
std::unique_ptr<Target> createBackend(std::string_view name);

/// The generations that there is code for.
std::vector<std::string> backendNames();

} // namespace attnres::nvptx

#endif
