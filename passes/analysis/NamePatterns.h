//===- NamePatterns.h - which parameters an option is about -----*- C++ -*-===//
#ifndef ATTNRES_PASSES_NAMEPATTERNS_H
#define ATTNRES_PASSES_NAMEPATTERNS_H

#include "dialect/Mlir.h"

#include "llvm/Support/GlobPattern.h"

#include <memory>

namespace attnres {

/// Patterns of names as in a shell, `*` standing for any text. Remembers which
/// of them a name has matched.
class NamePatterns {
public:
  /// Patterns of the option `option`. Errors are those of `op`.
  static mlir::FailureOr<NamePatterns> parse(mlir::Operation *op,
                                             llvm::StringRef option,
                                             llvm::ArrayRef<std::string> texts);

  /// The first pattern that matches.
  std::optional<size_t> find(llvm::StringRef name);
  bool matches(llvm::StringRef name) { return find(name).has_value(); }

  /// An error of `op` unless every pattern has matched a name.
  mlir::LogicalResult verifyUsed(mlir::Operation *op) const;

private:
  struct Pattern {
    /// Where it stays: `glob` refers to it.
    std::shared_ptr<const std::string> text;
    llvm::GlobPattern glob;
    bool used = false;
  };
  std::string option;
  std::vector<Pattern> patterns;
};

} // namespace attnres

#endif
