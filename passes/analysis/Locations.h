//===- Locations.h - where to report what is wrong --------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ANALYSIS_LOCATIONS_H
#define ATTNRES_PASSES_ANALYSIS_LOCATIONS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace attnres {

/// The location of `op`, or the innermost one around it that is known:
/// constants that were folded or moved have none.
mlir::Location nearestLocation(mlir::Operation *op);

/// emitOpError() there.
mlir::InFlightDiagnostic emitOpErrorNear(mlir::Operation *op);

} // namespace attnres

#endif
