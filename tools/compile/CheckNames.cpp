//===- CheckNames.cpp - names of a function's tensors ---------------------===//
#include "tools/compile/CheckNames.h"

#include "dialect/Attnres.h"
#include "support/StackName.h"
#include "support/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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

/// Why the parameter cannot be in a file with the stacks.
static std::string whyTaken(StringRef name, const llvm::StringSet<> &stacks) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  for (StringRef &part : parts) {
    if (part.empty() || !llvm::all_of(part, llvm::isDigit))
      continue;
    StringRef number = std::exchange(part, "*");
    std::string stack = llvm::join(parts, ".");
    part = number;
    if (stacks.contains(stack))
      return "is that of one of " + inQuotes(stack);
  }
  return "";
}

/// Files hold stacks apart, under names that no other parameter can have.
static LogicalResult checkStacks(func::FuncOp function) {
  llvm::StringSet<> stacks;
  auto nameOf = [&](unsigned i) -> StringRef {
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    return name ? name.getValue() : "";
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
        type && isStack(nameOf(i), type.getRank()))
      stacks.insert(nameOf(i));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (std::string why = whyTaken(nameOf(i), stacks); !why.empty())
      return emitError(function.isExternal() ? function.getLoc()
                                             : function.getArgument(i).getLoc())
             << "the name of argument " << i << ", " << inQuotes(nameOf(i))
             << ", " << why << "; choose another attnres.name";
  return success();
}

LogicalResult attnres::checkNames(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(checkStacks(function)))
      return failure();
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Location location = function.isExternal()
                              ? function.getLoc()
                              : function.getArgument(i).getLoc();
      auto role = function.getArgAttrOfType<StringAttr>(i, kRoleAttr);
      if (failed(check(location, "argument", i,
                       function.getArgAttrOfType<StringAttr>(i, kNameAttr),
                       role && role.getValue() == "parameter")))
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
