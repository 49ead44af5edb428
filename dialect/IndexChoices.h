//===- IndexChoices.h - integers that choose --------------------*- C++ -*-===//
//
// What ChoosingOpInterface and IntegerResultOpInterface speak of: integers that
// have to be inside a table, and where the integers of a result come from.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_INDEXCHOICES_H
#define ATTNRES_DIALECT_INDEXCHOICES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace attnres {

/// The integers from `low` to `high`, both included.
struct IntegerRange {
  int64_t low, high;
};

/// Every element of `index`, an integer or a tensor of them, has to be inside
/// one of `limits`. These ascend and are apart.
struct IndexChoice {
  mlir::Value index;
  llvm::SmallVector<IntegerRange, 2> limits;
  /// What is chosen from, in the plural: "the rows of the table".
  std::string what;
};

/// Adds that `index`, where there is one, is in [0, extent). Nothing is known
/// of an extent that is dynamic.
void addIndexChoice(llvm::SmallVectorImpl<IndexChoice> &choices,
                    mlir::Value index, int64_t extent, llvm::StringRef what);

/// Every integer of a result is an element of one of `values` or inside
/// `range`.
struct IntegerOrigin {
  llvm::SmallVector<mlir::Value, 2> values;
  std::optional<IntegerRange> range;
};

} // namespace attnres

#endif
