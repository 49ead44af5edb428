//===- FunctionNames.cpp - what a function's arguments are ----------------===//
#include "passes/analysis/FunctionNames.h"

using namespace mlir;
using namespace attnres;

LogicalResult attnres::verifyOneBlock(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a function of one block, got ")
           << function.getBody().getBlocks().size();
  Operation *exit = function.front().getTerminator();
  if (!isa<func::ReturnOp>(exit))
    return exit->emitOpError("expected a function that returns");
  return success();
}

StringRef attnres::argumentName(func::FuncOp function, unsigned index) {
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr);
  return name ? name.getValue() : StringRef();
}

StringRef attnres::resultName(func::FuncOp function, unsigned index) {
  auto name = function.getResultAttrOfType<StringAttr>(index, kNameAttr);
  return name ? name.getValue() : StringRef();
}

RoleAttr attnres::toRole(Attribute attribute) {
  if (auto text = dyn_cast_if_present<StringAttr>(attribute))
    if (std::optional<Role> role = symbolizeRole(text.getValue()))
      return RoleAttr::get(text.getContext(), *role, StringAttr());
  return dyn_cast_if_present<RoleAttr>(attribute);
}

RoleAttr attnres::argumentRole(func::FuncOp function, unsigned index) {
  return toRole(function.getArgAttr(index, kRoleAttr));
}

RoleAttr attnres::resultRole(func::FuncOp function, unsigned index) {
  auto updates = function.getResultAttrOfType<IntegerAttr>(index, kUpdatesAttr);
  if (updates && updates.getValue().ult(function.getNumArguments()))
    return argumentRole(function, updates.getInt());
  return toRole(function.getResultAttr(index, kRoleAttr));
}

bool attnres::hasRole(func::FuncOp function, unsigned index, Role role) {
  RoleAttr attribute = argumentRole(function, index);
  return attribute && attribute.getKind() == role;
}

std::optional<unsigned> attnres::findGradient(func::FuncOp function,
                                              StringRef parameter) {
  if (parameter.empty())
    return std::nullopt;
  auto wanted = RoleAttr::get(function.getContext(), Role::Gradient, parameter);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (resultRole(function, i) == wanted)
      return i;
  return std::nullopt;
}

DictionaryAttr attnres::namedRole(const Twine &name, RoleAttr role) {
  Builder builder(role.getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
       builder.getNamedAttr(kRoleAttr, role)});
}

LogicalResult attnres::expectNoUsers(func::FuncOp function) {
  auto uses = SymbolTable::getSymbolUses(function, function->getParentOp());
  if (uses && uses->empty())
    return success();
  InFlightDiagnostic error = function.emitError("expected no caller of ")
                             << function.getNameAttr()
                             << ": its arguments or results change";
  if (uses)
    error.attachNote((*uses->begin()).getUser()->getLoc()) << "called here";
  return error;
}

std::optional<unsigned> attnres::findArgument(func::FuncOp function,
                                              StringRef name) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (argumentName(function, i) == name)
      return i;
  return std::nullopt;
}

std::optional<unsigned> attnres::findResult(func::FuncOp function,
                                            StringRef name) {
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (resultName(function, i) == name)
      return i;
  return std::nullopt;
}
