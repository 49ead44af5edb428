//===- Diagnostics.h - diagnostics as status values -------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_DIAGNOSTICS_H
#define ATTNRES_TOOLS_COMPILE_DIAGNOSTICS_H

#include "support/Status.h"

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
            message = place(diagnostic.getLocation()) + diagnostic.str();
          return mlir::success();
        }) {}

  /// "STEP failed: FILE:LINE:COLUMN: FIRST ERROR".
  Status status(std::string_view step) const {
    return unsupported(
        step, " failed: ", message.empty() ? "no reason given" : message);
  }

private:
  /// Where it stands in a file, if that is known.
  static std::string place(mlir::Location location) {
    auto file = location->findInstanceOf<mlir::FileLineColLoc>();
    if (!file || file.getLine() == 0)
      return "";
    return concat(file.getFilename().str(), ":", file.getLine(), ":",
                  file.getColumn(), ": ");
  }

  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace attnres

#endif
