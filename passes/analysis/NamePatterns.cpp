//===- NamePatterns.cpp - which parameters an option is about -------------===//
#include "passes/analysis/NamePatterns.h"

using namespace mlir;
using namespace attnres;

FailureOr<NamePatterns> NamePatterns::parse(Operation *op, StringRef option,
                                            ArrayRef<std::string> texts) {
  NamePatterns patterns;
  patterns.option = option.str();
  for (const std::string &given : texts) {
    auto text = std::make_shared<const std::string>(given);
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(*text);
    if (!glob)
      return op->emitError("expected ")
             << option << " to be patterns of names, got '" << *text
             << "': " << llvm::toString(glob.takeError());
    patterns.patterns.push_back({text, std::move(*glob)});
  }
  return patterns;
}

std::optional<size_t> NamePatterns::find(StringRef name) {
  std::optional<size_t> first;
  for (auto [index, pattern] : llvm::enumerate(patterns)) {
    if (!pattern.glob.match(name))
      continue;
    pattern.used = true;
    if (!first)
      first = index;
  }
  return first;
}

LogicalResult NamePatterns::verifyUsed(Operation *op) const {
  for (const Pattern &pattern : patterns)
    if (!pattern.used)
      return op->emitError("expected ")
             << option << " to name a parameter, got '" << *pattern.text << "'";
  return success();
}
