//===- MemoryEstimate.h - whether a program fits into memory ----*- C++ -*-===//
//
// Before anything is compiled: a bound from below, from the configuration
// alone. What is surely too large is refused at once, also where the sizes of
// tensors overflow. After planning: the sizes of the program.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_MEMORYESTIMATE_H
#define ATTNRES_TOOLS_COMPILE_MEMORYESTIMATE_H

#include "runtime/MemoryLimit.h"
#include "tools/compile/Compiler.h"

namespace attnres {

/// Memory that the program of `config` cannot do without.
runtime::MemoryNeed estimateMemory(const ModelConfig &config,
                                   const CompileOptions &options);

/// Memory of a program: what it is bound to, its constants and its arena.
runtime::MemoryNeed memoryOf(const runtime::Program &program);

/// Fails when the machine or the limits of the process do not allow `need`.
Status expectMemory(const runtime::MemoryNeed &need);

/// The same before compiling. Parts of MLIR do not survive it when the address
/// space is used up, so that the compiler needs its share of that too.
Status expectMemoryToCompile(runtime::MemoryNeed need);

/// From now on, running out of memory ends the process with status 1 and one
/// line that begins with the name of the program and names the limit, also
/// inside LLVM.
void endWithoutMemoryInOneLine(const char *program);

} // namespace attnres

#endif
