//===- KernelOps.cpp - kernel launches and where their tensors are --------===//
#include "dialect/VerifierHelpers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace attnres;

/// LA-1: checks that the values, cut into `groups`, have the types `expected`.
/// A group of size -1 is one tensor, any other is a list.
static LogicalResult verifyGroups(Operation *op, StringRef what,
                                  TypeRange values, ArrayRef<int64_t> groups,
                                  TypeRange expected) {
  if (groups.size() != expected.size())
    return op->emitOpError("expected ") << expected.size() << " " << what
                                        << " groups, got " << groups.size();
  size_t next = 0;
  for (auto [index, group] : llvm::enumerate(groups)) {
    bool isList = isa<ListType>(expected[index]);
    if (isList != (group >= 0))
      return op->emitOpError("expected ")
             << what << " group " << index
             << (isList ? " to be a list" : " to be a single tensor");
    int64_t size = isList ? group : 1;
    for (int64_t i = 0; i < size; ++i, ++next) {
      if (next >= values.size())
        return op->emitOpError("expected more than ")
               << values.size() << " " << what << "s";
      if (values[next] != tensorOf(expected[index]))
        return op->emitOpError("expected ")
               << what << " " << next << " of type "
               << tensorOf(expected[index]) << ", got " << values[next];
    }
  }
  if (next != values.size())
    return op->emitOpError("expected ")
           << next << " " << what << "s, got " << values.size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  // LA-1.
  if (!kernel)
    return emitOpError("expected a function named ") << getKernelAttr();
  if (!kernel->hasAttr(kKernelAttr))
    return emitOpError("expected ") << getKernelAttr() << " to be a kernel";
  FunctionType type = kernel.getFunctionType();
  // A kernel lowered to memory takes its results as arguments; the tensor
  // types are kept on the side.
  if (auto original = kernel->getAttrOfType<TypeAttr>(kTensorTypeAttr)) {
    type = dyn_cast<FunctionType>(original.getValue());
    if (!type)
      return emitOpError("expected ")
             << kTensorTypeAttr << " of " << getKernelAttr()
             << " to be a function type, got " << original;
  }
  if (failed(verifyGroups(*this, "operand", getInputs().getTypes(),
                          getOperandGroups(), type.getInputs())))
    return failure();
  return verifyGroups(*this, "result", getResultTypes(), getResultGroups(),
                      type.getResults());
}

LogicalResult LaunchOp::verify() {
  // LA-2.
  if (std::optional<ArrayAttr> buffers = getOperandBuffers();
      buffers && buffers->size() != getInputs().size())
    return emitOpError("expected ")
           << getInputs().size() << " operand buffers, got " << buffers->size();
  if (std::optional<ArrayAttr> buffers = getResultBuffers();
      buffers && buffers->size() != getNumResults())
    return emitOpError("expected ")
           << getNumResults() << " result buffers, got " << buffers->size();
  return success();
}

//===----------------------------------------------------------------------===//
// BufferAttr
//===----------------------------------------------------------------------===//

/// Arguments and results are counted, there is one workspace and one block of
/// constants.
static bool isCounted(BufferKind kind) {
  return kind == BufferKind::Argument || kind == BufferKind::Result;
}

/// LA-2.
LogicalResult BufferAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 BufferKind kind, int64_t index,
                                 int64_t offset) {
  if (offset < 0)
    return emitError() << "expected an offset of at least 0, got " << offset;
  if (index < 0 || (index > 0 && !isCounted(kind)))
    return emitError() << "expected no " << stringifyBufferKind(kind) << " "
                       << index;
  return success();
}

Attribute BufferAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<BufferKind> kind = symbolizeBufferKind(keyword);
  if (!kind) {
    parser.emitError(loc, "expected argument, result, workspace or constant, "
                          "got ")
        << keyword;
    return {};
  }
  int64_t index = 0, offset = 0;
  if (isCounted(*kind) && parser.parseInteger(index))
    return {};
  if (succeeded(parser.parseOptionalPlus()) && parser.parseInteger(offset))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferAttr>(loc, parser.getContext(), *kind, index,
                                       offset);
}

void BufferAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyBufferKind(getKind());
  if (isCounted(getKind()))
    printer << ' ' << getIndex();
  if (getOffset() != 0)
    printer << " + " << getOffset();
  printer << '>';
}
