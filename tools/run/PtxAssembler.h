// NVIDIA's assembler, where it is installed: how many registers kernels have.
#ifndef ATTNRES_TOOLS_RUN_PTXASSEMBLER_H
#define ATTNRES_TOOLS_RUN_PTXASSEMBLER_H

#include "runtime/Program.h"
#include "support/Status.h"

#include <map>
#include <string>

namespace attnres::run {

struct AssembledKernel {
  int64_t registers = 0; ///< of a thread
  int64_t spilledBytes = 0;
};

/// The tool ptxas on the path or in the usual place of CUDA; empty where there
/// is none.
std::string findPtxAssembler();

/// The kernels of a program for a GPU by their symbols, assembled by `tool`.
Result<std::map<std::string, AssembledKernel>>
assembleKernels(const runtime::Program &program, const std::string &tool);

} // namespace attnres::run

#endif
