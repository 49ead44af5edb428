//===- Roles.cpp - what tensors of a program are --------------------------===//
#include "dialect/Attnres.h"

using namespace mlir;
using namespace attnres;

bool attnres::belongsToParameter(Role role) {
  switch (role) {
  case Role::Gradient:
  case Role::GradientSum:
  case Role::GradientSquares:
  case Role::FirstMoment:
  case Role::SecondMoment:
    return true;
  case Role::Input:
  case Role::Output:
  case Role::Parameter:
  case Role::State:
  case Role::Cache:
  case Role::GradientNorm:
    return false;
  }
  llvm_unreachable("unknown role");
}

bool attnres::isArgumentRole(Role role) {
  switch (role) {
  case Role::Input:
  case Role::Parameter:
  case Role::State:
  case Role::Cache:
  case Role::GradientSum:
  case Role::FirstMoment:
  case Role::SecondMoment:
    return true;
  case Role::Output:
  case Role::Gradient:
  case Role::GradientSquares:
  case Role::GradientNorm:
    return false;
  }
  llvm_unreachable("unknown role");
}

LogicalResult RoleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Role kind, StringAttr parameter) {
  if (belongsToParameter(kind) && (!parameter || parameter.empty()))
    return emitError() << "expected the parameter that the "
                       << stringifyRole(kind) << " belongs to";
  if (!belongsToParameter(kind) && parameter)
    return emitError() << "expected no parameter, since the role "
                       << stringifyRole(kind) << " belongs to none, got "
                       << parameter;
  return success();
}
