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
            message = placeOf(diagnostic.getLocation()) + diagnostic.str();
          return mlir::success();
        }) {}

  /// "STEP failed: FIRST ERROR", with the error's place if it has one.
  runtime::Status status(std::string_view step) const {
    return runtime::unsupported(step, " failed: ",
                                message.empty() ? "no reason given" : message);
  }

private:
  /// "line L, column C: " for a place in a text.
  static std::string placeOf(mlir::Location location) {
    auto place = location->findInstanceOf<mlir::FileLineColLoc>();
    return place ? runtime::concat("line ", place.getLine(), ", column ",
                                   place.getColumn(), ": ")
                 : "";
  }

  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace attnres

#endif
