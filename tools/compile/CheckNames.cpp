//===- CheckNames.cpp - names of a function's tensors ---------------------===//
#include "tools/compile/CheckNames.h"

#include "dialect/Attnres.h"
#include "support/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace attnres;

/// Why no tensor can have this name; empty if one can.
static std::string whyInvalid(StringRef name) {
  if (name.empty())
    return "is empty";
  if (name == "__metadata__")
    return "is what safetensors files call their own description";
  if (!llvm::json::isUTF8(name))
    return "is not UTF-8";
  if (llvm::any_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
    return "has control characters";
  return "";
}

/// Why no parameter can have this name: training has tensors of its own.
static std::string whyReserved(StringRef name) {
  for (StringRef taken : {"tokens", "targets", "loss", "step", "learning_rate",
                          "grad_norm", "loss_weight"})
    if (name == taken)
      return "is that of a tensor of the training step";
  for (StringRef prefix : {"m.", "v.", "grad.", "sum.", "grad_squares."})
    if (name.starts_with(prefix))
      return ("begins with '" + prefix +
              "', as tensors of the training step do")
          .str();
  return "";
}

static LogicalResult check(Location location, StringRef what, unsigned index,
                           StringAttr name, bool isParameter) {
  if (!name)
    return success();
  std::string why = whyInvalid(name.getValue());
  if (why.empty() && isParameter)
    why = whyReserved(name.getValue());
  if (why.empty())
    return success();
  return emitError(location) << "the name of " << what << " " << index << ", "
                             << inQuotes(name.getValue()) << ", " << why
                             << "; choose another attnres.name";
}

LogicalResult attnres::checkNames(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Location location = function.isExternal()
                              ? function.getLoc()
                              : function.getArgument(i).getLoc();
      auto role = function.getArgAttrOfType<RoleAttr>(i, kRoleAttr);
      if (failed(check(location, "argument", i,
                       function.getArgAttrOfType<StringAttr>(i, kNameAttr),
                       role && role.getKind() == Role::Parameter)))
        return failure();
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (failed(check(function.getLoc(), "result", i,
                       function.getResultAttrOfType<StringAttr>(i, kNameAttr),
                       /*isParameter=*/false)))
        return failure();
  }
  return success();
}
