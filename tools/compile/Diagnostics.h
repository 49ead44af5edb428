//===- Diagnostics.h - diagnostics as status values -------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_DIAGNOSTICS_H
#define ATTNRES_TOOLS_COMPILE_DIAGNOSTICS_H

#include "runtime/Status.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace attnres {

/// While it lives, keeps the errors of a context instead of printing them.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::failure(); // warnings and remarks are printed
          if (message.empty())
            message = diagnostic.str();
          return mlir::success();
        }) {}

  /// "STEP failed: FIRST ERROR".
  runtime::Status status(std::string_view step) const {
    return runtime::unsupported(step, " failed: ",
                                message.empty() ? "no reason given" : message);
  }

private:
  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace attnres

#endif
