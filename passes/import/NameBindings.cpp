//===- NameBindings.cpp - names for arguments and results -----------------===//
#include "passes/import/NameBindings.h"

#include "passes/analysis/FunctionNames.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace attnres;

/// The name in the location of an argument, as %x loc("x") has it.
static StringRef nameOf(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  return name ? name.getName().strref() : StringRef();
}

/// `wanted`, unless it is empty or taken, or else a name made of `other`.
static StringAttr choose(MLIRContext *context, StringRef wanted,
                         const std::string &other, llvm::StringSet<> &taken) {
  std::string name = wanted.str();
  for (int i = 0; name.empty() || taken.contains(name); ++i)
    name = i == 0 ? other : other + "_" + std::to_string(i);
  taken.insert(name);
  return StringAttr::get(context, name);
}

void attnres::nameBindings(func::FuncOp main) {
  MLIRContext *context = main.getContext();
  llvm::StringSet<> taken;
  unsigned arguments = main.getNumArguments(), results = main.getNumResults();
  for (unsigned i = 0; i < arguments; ++i)
    if (main.getArgAttr(i, kNameAttr))
      taken.insert(argumentName(main, i));
  for (unsigned i = 0; i < arguments; ++i)
    if (!main.getArgAttr(i, kNameAttr))
      main.setArgAttr(i, kNameAttr,
                      choose(context, nameOf(main.getArgument(i).getLoc()),
                             "arg" + std::to_string(i), taken));
  // A result may have the name of an argument only where it replaces it.
  for (unsigned i = 0; i < results; ++i)
    if (main.getResultAttr(i, kNameAttr))
      taken.insert(resultName(main, i));
  for (unsigned i = 0; i < results; ++i)
    if (!main.getResultAttr(i, kNameAttr))
      main.setResultAttr(
          i, kNameAttr,
          choose(context, "",
                 results == 1 ? "result" : "result" + std::to_string(i),
                 taken));
}
