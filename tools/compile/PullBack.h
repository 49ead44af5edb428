//===- PullBack.h - programs of vector-Jacobian products --------*- C++ -*-===//
//
// What a framework asks of an operation in its backward pass: the gradients of
// its results are given, those of its parameters wanted. Free of MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_PULLBACK_H
#define ATTNRES_TOOLS_COMPILE_PULLBACK_H

#include "tools/compile/Compiler.h"

#include <string>

namespace attnres {

/// In front of the name of a result: the input that holds its gradient.
inline constexpr char kCotangent[] = "cotangent.";

/// Compiles the function of a configuration, or `@main` of a module of the
/// model stage, turned around: beside the arguments that it has, the program
/// takes cotangent.NAME, of the type of NAME, for each floating-point result
/// NAME, and returns grad.P = sum over the results of cotangent^T dNAME/dP for
/// each parameter P, and as `loss` (f32) the sum of all <NAME, cotangent.NAME>.
/// The forward pass is part of the program; other results are not.
Result<runtime::Program> compilePullBack(const ModelConfig &config,
                                         const CompileOptions &options);
Result<runtime::Program> compilePullBack(const std::string &text,
                                         const std::string &name,
                                         const CompileOptions &options);

} // namespace attnres

#endif
