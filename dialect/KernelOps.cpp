//===- KernelOps.cpp - kernels, launches, where tensors are ---------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(type);
  state.addRegion();
}

int64_t KernelOp::getReusedArgument(unsigned result) {
  std::optional<ArrayRef<int64_t>> inplace = getInplace();
  return inplace ? (*inplace)[result] : -1;
}

/// Parses `keyword N` if it is there.
static ParseResult parseCount(OpAsmParser &parser, StringRef keyword,
                              IntegerAttr &attribute) {
  int64_t count;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parser.parseInteger(count))
    return failure();
  attribute = parser.getBuilder().getI64IntegerAttr(count);
  return success();
}

/// Parses `: type`, or the arguments with their types and `-> results`.
static ParseResult
parseSignature(OpAsmParser &parser, FunctionType &type,
               SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(type);
  SmallVector<Type> results;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalArrowTypeList(results))
    return failure();
  auto types = llvm::map_to_vector(
      arguments, [](const OpAsmParser::Argument &a) { return a.type; });
  type = parser.getBuilder().getFunctionType(types, results);
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  FunctionType type;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(properties.sym_name) ||
      parseSignature(parser, type, arguments))
    return failure();
  properties.function_type = TypeAttr::get(type);
  if (succeeded(parser.parseOptionalKeyword("inplace"))) {
    properties.inplace = dyn_cast_or_null<DenseI64ArrayAttr>(
        DenseI64ArrayAttr::parse(parser, {}));
    if (!properties.inplace)
      return failure();
  }
  if (parseCount(parser, "flops", properties.flops) ||
      parseCount(parser, "grid", properties.grid))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("blocks"))) {
    properties.blocks =
        dyn_cast_or_null<BlocksAttr>(BlocksAttr::parse(parser, {}));
    if (!properties.blocks)
      return failure();
  }
  if (parseCount(parser, "scratch", properties.scratch_bytes) ||
      parseCount(parser, "per_item", properties.scratch_bytes_per_item) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  if ((properties.grid || properties.blocks) &&
      (parser.parseKeyword("code") ||
       parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                /*allowType=*/true)))
    return failure();
  Region *body = state.addRegion();
  OptionalParseResult parsed = parser.parseOptionalRegion(*body, arguments);
  return failure(parsed.has_value() && failed(*parsed));
}

void KernelOp::print(OpAsmPrinter &printer) {
  auto printArguments = [&] {
    printer << '(';
    llvm::interleaveComma(getArguments(), printer, [&](BlockArgument argument) {
      printer.printRegionArgument(argument);
    });
    printer << ')';
  };
  printer << ' ';
  printer.printSymbolName(getSymName());
  if (isLowered() || isExternal()) {
    printer << " : " << getFunctionType();
  } else {
    printArguments();
    printer.printOptionalArrowTypeList(getResultTypes());
  }
  if (DenseI64ArrayAttr inplace = getInplaceAttr()) {
    printer << " inplace ";
    inplace.print(printer);
  }
  auto printCount = [&](StringRef keyword, IntegerAttr count) {
    if (count)
      printer << ' ' << keyword << ' ' << count.getInt();
  };
  printCount("flops", getFlopsAttr());
  printCount("grid", getGridAttr());
  if (BlocksAttr blocks = getBlocksAttr()) {
    printer << " blocks";
    blocks.print(printer);
  }
  printCount("scratch", getScratchBytesAttr());
  printCount("per_item", getScratchBytesPerItemAttr());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           getAttributeNames());
  if (isLowered()) {
    printer << " code";
    printArguments();
  }
  if (isExternal())
    return;
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// LA-4: a launch passes tensors that have a size.
LogicalResult KernelOp::verifyType() {
  auto verifyTypes = [&](StringRef what,
                         ArrayRef<Type> types) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types)) {
      RankedTensorType tensor = tensorOf(type);
      if (!tensor || !tensor.hasStaticShape())
        return emitOpError("expected ")
               << what << " " << index
               << " to be a tensor of static shape or a list of them, got "
               << type;
    }
    return success();
  };
  if (failed(verifyTypes("argument", getArgumentTypes())))
    return failure();
  return verifyTypes("result", getResultTypes());
}

/// Whether `memory` can be what code has for a tensor or list of type `type`.
static bool isMemoryOf(Type memory, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto memref = dyn_cast<MemRefType>(memory);
  if (tensor && memref)
    return memref.getShape() == tensor.getShape() &&
           memref.getElementType() == tensor.getElementType();
  return !memref && !tensorOf(memory);
}

LogicalResult KernelOp::verifyBody() {
  // LA-4; LA-6 for code.
  if (isExternal())
    return success();
  TypeRange types = front().getArgumentTypes();
  if (!isLowered()) {
    if (types != TypeRange(getArgumentTypes()))
      return emitOpError("expected a block that takes the arguments of ")
             << getFunctionType();
    return success();
  }
  SmallVector<Type> signature(getArgumentTypes());
  llvm::append_range(signature, getResultTypes());
  if (types.size() < signature.size())
    return emitOpError("expected code to take memory for ")
           << signature.size() << " arguments and results, got "
           << types.size();
  for (auto [index, type] : llvm::enumerate(signature))
    if (!isMemoryOf(types[index], type))
      return emitOpError("expected code to take memory of ")
             << type << " as its argument " << index << ", got "
             << types[index];
  return success();
}

/// LA-5: each entry names an argument of the type of its result, or none.
static LogicalResult verifyInplace(KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> inplace = kernel.getInplace();
  if (!inplace)
    return success();
  ArrayRef<Type> arguments = kernel.getArgumentTypes();
  ArrayRef<Type> results = kernel.getResultTypes();
  if (inplace->size() != results.size())
    return kernel.emitOpError("expected inplace with ")
           << results.size() << " entries, one for each result, got "
           << inplace->size();
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [result, argument] : llvm::enumerate(*inplace)) {
    if (argument == -1)
      continue;
    if (argument < 0 || argument >= static_cast<int64_t>(arguments.size()))
      return kernel.emitOpError("expected the entries of inplace to be "
                                "arguments from 0 to ")
             << static_cast<int64_t>(arguments.size()) - 1 << " or -1, got "
             << argument;
    if (arguments[argument] != results[result])
      return kernel.emitOpError("expected result ")
             << result << " of the type of the argument that it takes over, "
             << arguments[argument] << ", got " << results[result];
    if (!taken.insert(argument).second)
      return kernel.emitOpError("expected one result to take over argument ")
             << argument << ", got two";
  }
  return success();
}

LogicalResult KernelOp::verify() {
  // LA-4.
  if (getArgAttrsAttr() || getResAttrsAttr())
    return emitOpError("expected no attributes of arguments and results");
  if (failed(verifyInplace(*this)))
    return failure();
  // LA-6.
  if (isLowered() != (getScratchBytesAttr() != nullptr))
    return emitOpError("expected a grid and scratch, or neither");
  if (getGridAttr() && getBlocksAttr())
    return emitOpError("expected a grid of work items or of blocks, got both");
  auto isList = llvm::IsaPred<ListType>;
  size_t lists = llvm::count_if(getArgumentTypes(), isList) +
                 llvm::count_if(getResultTypes(), isList);
  if (getScratchBytesPerItemAttr() && (!getGridAttr() || lists == 0))
    return emitOpError("expected scratch for each tensor of a list only of "
                       "code that takes lists");
  if (BlocksAttr blocks = getBlocksAttr();
      blocks && blocks.getCapacities().size() != lists)
    return emitOpError("expected blocks with room for ")
           << lists << " lists, got " << blocks.getCapacities().size();
  if (isLowered() && isExternal())
    return emitOpError("expected code with a body");
  // LA-4.
  if (!isExternal() && !isa_and_nonnull<attnres::ReturnOp>(
                           front().empty() ? nullptr : &front().back()))
    return emitOpError("expected a body that ends with attnres.return");
  return success();
}

LogicalResult attnres::ReturnOp::verify() {
  // LA-4; LA-6 for code.
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  TypeRange expected;
  if (!kernel.isLowered())
    expected = kernel.getResultTypes();
  if (getOperandTypes() == expected)
    return success();
  if (kernel.isLowered())
    return emitOpError("expected no operands at the end of code, got ")
           << getNumOperands();
  return emitOpError("expected operands of the kernel's result types ")
         << expected << ", got " << getOperandTypes();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

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
  // LA-1.
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!symbol)
    return emitOpError("expected a kernel named ") << getKernelAttr();
  auto kernel = dyn_cast<KernelOp>(symbol);
  if (!kernel)
    return emitOpError("expected ") << getKernelAttr() << " to be a kernel";
  FunctionType type = kernel.getFunctionType();
  if (failed(verifyGroups(*this, "operand", getInputs().getTypes(),
                          getOperandGroups(), type.getInputs())))
    return failure();
  return verifyGroups(*this, "result", getResultTypes(), getResultGroups(),
                      type.getResults());
}

KernelOp LaunchOp::lookupKernel() {
  return SymbolTable::lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
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
// BlocksAttr
//===----------------------------------------------------------------------===//

/// LA-7: what every GPU can launch.
LogicalResult BlocksAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> grid,
                                 ArrayRef<int64_t> block,
                                 ArrayRef<int64_t> cluster, int64_t sharedBytes,
                                 ArrayRef<int64_t> capacities) {
  constexpr int64_t kMostBlocks[] = {(int64_t{1} << 31) - 1, 65535, 65535};
  constexpr int64_t kMostThreads = 1024, kMostOfCluster = 16;
  for (ArrayRef<int64_t> extents : {grid, block, cluster})
    if (extents.size() != 3)
      return emitError() << "expected 3 extents, got " << extents.size();
  // Factors beyond a limit are not multiplied.
  auto product = [](ArrayRef<int64_t> extents, int64_t most) {
    int64_t product = 1;
    for (int64_t extent : extents)
      product = extent < 1 || extent > most ? most + 1 : product * extent;
    return product;
  };
  if (product(block, kMostThreads) > kMostThreads)
    return emitError() << "expected blocks of 1 to " << kMostThreads
                       << " threads, got [" << block << "]";
  if (product(cluster, kMostOfCluster) > kMostOfCluster)
    return emitError() << "expected clusters of 1 to " << kMostOfCluster
                       << " blocks, got [" << cluster << "]";
  for (auto [blocks, most, size] : llvm::zip_equal(grid, kMostBlocks, cluster))
    if (blocks < 0 || blocks > most || blocks % size != 0)
      return emitError() << "expected a grid of 0 to " << most
                         << " blocks in clusters of " << size << ", got "
                         << blocks;
  if (sharedBytes < 0)
    return emitError() << "expected shared memory of at least 0 bytes, got "
                       << sharedBytes;
  for (int64_t capacity : capacities)
    if (capacity < 0)
      return emitError() << "expected lists of at least 0 tensors, got "
                         << capacity;
  return success();
}

Attribute BlocksAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> grid, block, cluster{1, 1, 1}, capacities;
  int64_t sharedBytes = 0;
  auto parseNumbers = [&](SmallVectorImpl<int64_t> &numbers) -> ParseResult {
    numbers.clear();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(numbers.emplace_back());
    });
  };
  if (parser.parseLess() || parseNumbers(grid) || parser.parseKeyword("of") ||
      parseNumbers(block))
    return {};
  if (succeeded(parser.parseOptionalKeyword("cluster")) &&
      parseNumbers(cluster))
    return {};
  if (succeeded(parser.parseOptionalKeyword("shared")) &&
      parser.parseInteger(sharedBytes))
    return {};
  if (succeeded(parser.parseOptionalKeyword("lists")) &&
      parseNumbers(capacities))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BlocksAttr>(
      loc, parser.getContext(), ArrayRef<int64_t>(grid),
      ArrayRef<int64_t>(block), ArrayRef<int64_t>(cluster), sharedBytes,
      ArrayRef<int64_t>(capacities));
}

void BlocksAttr::print(AsmPrinter &printer) const {
  printer << "<[" << getGrid() << "] of [" << getBlock() << ']';
  if (llvm::any_of(getCluster(), [](int64_t size) { return size != 1; }))
    printer << " cluster [" << getCluster() << ']';
  if (getSharedBytes() != 0)
    printer << " shared " << getSharedBytes();
  if (!getCapacities().empty())
    printer << " lists [" << getCapacities() << ']';
  printer << '>';
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
