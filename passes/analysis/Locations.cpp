//===- Locations.cpp - where to report what is wrong ----------------------===//
#include "passes/analysis/Locations.h"

using namespace mlir;

Location attnres::nearestLocation(Operation *op) {
  for (Operation *at = op; at; at = at->getParentOp())
    if (!isa<UnknownLoc>(at->getLoc()))
      return at->getLoc();
  return op->getLoc();
}

InFlightDiagnostic attnres::emitOpErrorNear(Operation *op) {
  return emitError(nearestLocation(op)) << "'" << op->getName() << "' op ";
}
