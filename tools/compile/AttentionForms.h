//===- AttentionForms.h - attention in chosen blocks ------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_ATTENTIONFORMS_H
#define ATTNRES_TOOLS_COMPILE_ATTENTIONFORMS_H

#include "tools/compile/Compiler.h"

#include <cstdint>
#include <string>

namespace attnres {

/// As compileText() of a module of the model stage, but flash attention has
/// `blockKeys` keys in a block of its forward pass; 0: as many as the target
/// chooses. For processors.
Result<runtime::Program> compileInBlocks(const std::string &text,
                                         const CompileOptions &options,
                                         int64_t blockKeys);

} // namespace attnres

#endif
