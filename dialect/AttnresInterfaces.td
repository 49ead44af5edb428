//===- AttnresInterfaces.td - interfaces of the dialect -----*- tablegen -*-===//
//
// What passes ask of operations, so that no pass names an operation that is
// not its subject.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_INTERFACES_TD
#define ATTNRES_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    Reverse-mode derivative of one operation. Fused operations emit a
    hand-written backward operation; nothing is derived from a decomposition.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the backward computation. `resultGrads` has one entry for each
        result, null where nothing flows back. Fills `operandGrads` with one
        entry for each operand, null where no gradient exists (integers) or is
        identically zero. Residuals are ordinary SSA uses of the operands and
        results of the operation.
      }],
      "::llvm::LogicalResult", "buildBackward",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultGrads,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGrads)>
  ];
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

def RowOpInterface : OpInterface<"RowOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation that treats the rows of [..., D] independently, or would once
    its sums over rows are partial sums. Chains of such operations become one
    kernel.
  }];
  let methods = [
    InterfaceMethod<"What the operation and its tensors are to a row.",
                    "::attnres::RowForm", "getRowForm">
  ];
}

// Implements RowOpInterface. `operands` and `results` list what each declared
// operand and result is, in the words of dialect/RowForm.h; `overwrites` lists
// pairs {result, operand}. `joins` is false while the operation cannot join a
// row kernel.
class ByRows<string operands, string results, string overwrites = "",
             string rowsAre = "AllButLast", string joins = "true">
    : NativeOpTrait<"RowOpInterface::Trait", [], [{
        ::attnres::RowForm getRowForm();
      }], [{
        ::attnres::RowForm $cppClass::getRowForm() {
          using namespace ::attnres::row_parts;
          auto form = ::attnres::RowForm::of(*this,
              }] # "{" # operands # "}, {" # results # "}, {" # overwrites # "}" # [{,
              ::attnres::RowsAre::}] # rowsAre # [{);
          form.joins = }] # joins # [{;
          return form;
        }
      }]> {
  let cppNamespace = "::attnres";
}

def ListOpInterface : OpInterface<"ListOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation other than those of rows that can be a kernel. A kernel takes
    some of its tensors one by one and some as lists of tensors of one type, of
    any number.
  }];
  let methods = [
    InterfaceMethod<"All operands in order, cut into groups; those of several are lists.",
                    "::llvm::SmallVector<::attnres::Group>", "getOperandLists">,
    InterfaceMethod<"All results, likewise.",
                    "::llvm::SmallVector<::attnres::Group>", "getResultLists", (ins), /*methodBody=*/[{}], [{
        return ::attnres::oneByOne($_op->getNumResults());
      }]>
  ];
}

// Implements ListOpInterface: no lists.
def TakesNoLists : NativeOpTrait<"ListOpInterface::Trait", [], [{
        ::llvm::SmallVector<::attnres::Group> getOperandLists();
      }], [{
        ::llvm::SmallVector<::attnres::Group> $cppClass::getOperandLists() {
          return ::attnres::oneByOne((*this)->getNumOperands());
        }
      }]> {
  let cppNamespace = "::attnres";
}

def PartialSumsOpInterface : OpInterface<"PartialSumsOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    A row operation with results that are sums over all rows, which can be
    partial sums [P, ...] over P ranges of rows instead. The methods are those
    of an optional attribute `partials`.
  }];
  let methods = [
    InterfaceMethod<"P, or nothing for whole sums.",
                    "::std::optional<uint64_t>", "getPartials">,
    InterfaceMethod<"Says that the results are partial sums, without changing their types.",
                    "void", "setPartials", (ins "::std::optional<uint64_t>":$ranges)>
  ];
}

def AccumulatingOpInterface : OpInterface<"AccumulatingOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation that can add its results to what has been summed so far. It
    takes an accumulator for each of these results or none at all, and may
    write the sum over it.
  }];
  let methods = [
    InterfaceMethod<"The results that accumulators are added to.",
                    "::mlir::ResultRange", "getAccumulatedResults">,
    InterfaceMethod<"The accumulators, one for each of these results, or none.",
                    "::mlir::MutableOperandRange", "getAccumulatedOperandsMutable">
  ];
}

// Implements AccumulatingOpInterface: `operands` are added to `results`, both
// given as accessors.
class Accumulates<string results, string operands>
    : NativeOpTrait<"AccumulatingOpInterface::Trait", [], [{
        ::mlir::ResultRange getAccumulatedResults();
        ::mlir::MutableOperandRange getAccumulatedOperandsMutable();
      }], [{
        ::mlir::ResultRange $cppClass::getAccumulatedResults() { return }] # results # [{; }
        ::mlir::MutableOperandRange $cppClass::getAccumulatedOperandsMutable() { return }] # operands # [{; }
      }]> {
  let cppNamespace = "::attnres";
}

def OverwritingOpInterface : OpInterface<"OverwritingOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation other than those of rows whose kernels may write results over
    operands. A promise of every target's kernels: a work item has read its
    part of the operand before it writes the same part of the result, and no
    other item reads that part.
  }];
  let methods = [
    InterfaceMethod<"The results and the operands, which count only where their types are equal.",
                    "::llvm::SmallVector<::attnres::Overwrite>", "getOverwrites">
  ];
}

// Implements OverwritingOpInterface: `pairs` lists {result, operand}.
class Overwrites<string pairs>
    : NativeOpTrait<"OverwritingOpInterface::Trait", [], [{
        ::llvm::SmallVector<::attnres::Overwrite> getOverwrites();
      }], [{
        ::llvm::SmallVector<::attnres::Overwrite> $cppClass::getOverwrites() {
          return }] # "{" # pairs # "}" # [{;
        }
      }]> {
  let cppNamespace = "::attnres";
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

def MatrixOpInterface : OpInterface<"MatrixOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation whose time is that of the multiplications and additions of
    matrix products. The time of other operations is that of their memory.
  }];
  let methods = [
    InterfaceMethod<"Two for each multiplication with its addition.",
                    "int64_t", "getFlops">
  ];
}

def RecomputableOpInterface : OpInterface<"RecomputableOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation that may be computed again for the backward side instead of
    keeping its results. Those of MatrixOpInterface are only when asked for.
  }];
  let methods = [
    InterfaceMethod<"Floating-point operations, an exponential counted as eight.",
                    "int64_t", "getRecomputeFlops">,
    InterfaceMethod<[{
        Whether `backward` is this operation's backward operation and reads,
        besides gradients, only operands of this one: then computing it again
        beside `backward` needs nothing that is not there.
      }], "bool", "isBesideBackward", (ins "::mlir::Operation *":$backward), /*methodBody=*/[{}], [{
        return false;
      }]>
  ];
}

// Implements RecomputableOpInterface: `perElement` operations for each element
// of the first result.
class Recomputable<int perElement>
    : NativeOpTrait<"RecomputableOpInterface::Trait", [], [{
        int64_t getRecomputeFlops();
      }], [{
        int64_t $cppClass::getRecomputeFlops() {
          return }] # perElement # [{ * ::attnres::elementCount((*this)->getResult(0));
        }
      }]> {
  let cppNamespace = "::attnres";
}

// The same for one whose backward operation reads the first operands of this
// one and then the gradient.
class RecomputableBeside<int perElement, string backward>
    : NativeOpTrait<"RecomputableOpInterface::Trait", [], [{
        int64_t getRecomputeFlops();
        bool isBesideBackward(::mlir::Operation *backward);
      }], [{
        int64_t $cppClass::getRecomputeFlops() {
          return }] # perElement # [{ * ::attnres::elementCount((*this)->getResult(0));
        }
        bool $cppClass::isBesideBackward(::mlir::Operation *backward) {
          return ::llvm::isa<}] # backward # [{>(backward) &&
                 ::attnres::readsOperandsAndGradient(backward, *this);
        }
      }]> {
  let cppNamespace = "::attnres";
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def ChoosingOpInterface : OpInterface<"ChoosingOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation that reads integers. Some choose an element of a tensor, a
    position or a length, and have to be inside its limits: an input that leads
    outside is refused before a program runs.
  }];
  let methods = [
    InterfaceMethod<"The integers that choose, with what they choose from.",
                    "::llvm::SmallVector<::attnres::IndexChoice>", "getIndexChoices">
  ];
}

// Implements ChoosingOpInterface: the integers are compared or counted only.
def ChoosesNothing : NativeOpTrait<"ChoosingOpInterface::Trait", [], [{
        ::llvm::SmallVector<::attnres::IndexChoice> getIndexChoices();
      }], [{
        ::llvm::SmallVector<::attnres::IndexChoice> $cppClass::getIndexChoices() { return {}; }
      }]> {
  let cppNamespace = "::attnres";
}

def IntegerResultOpInterface : OpInterface<"IntegerResultOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation whose first result holds integers of which something is known
    without arithmetic.
  }];
  let methods = [
    InterfaceMethod<"What they are.", "::attnres::IntegerOrigin", "getIntegerOrigin">
  ];
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def TokenOpInterface : OpInterface<"TokenOpInterface"> {
  let cppNamespace = "::attnres";
  let description = [{
    An operation that can do one token of each batch row alone, beyond what its
    row form says: tensors are [B, T, ...].
  }];
  let methods = [
    InterfaceMethod<[{
        The operands of which a token is enough for the same token of the
        results; it may depend on the others as a whole. Nothing where the
        results of a token depend on more.
      }], "::std::optional<::llvm::SmallVector<unsigned>>", "getTokenOperands">,
    InterfaceMethod<[{
        Told of a copy of `whole` whose operands and results have been narrowed
        to the tokens at the places `at` [B]: sets what else depends on the
        place.
      }], "void", "setTokenPlaces",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Operation *":$whole, "::mlir::Value":$at),
      /*methodBody=*/[{}], [{ /* Nothing depends on it. */ }]>
  ];
}

#endif
