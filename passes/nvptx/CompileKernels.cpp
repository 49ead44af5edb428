//===- CompileKernels.cpp - kernels of a program as PTX -------------------===//
#include "passes/nvptx/CompileKernels.h"

#include "passes/analysis/TensorTypes.h"
#include "passes/cpu/LowerToLLVM.h"
#include "passes/nvptx/EmitPtx.h"
#include "passes/nvptx/GpuKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

/// Tells LLVM what is known about the parameters of a kernel, and that lists
/// lie in parameter memory.
static void describeArguments(func::FuncOp function, KernelOp kernel) {
  Builder builder(kernel.getContext());
  StringRef noalias = LLVM::LLVMDialect::getNoAliasAttrName();
  StringRef readonly = LLVM::LLVMDialect::getReadonlyAttrName();
  StringRef aligned = LLVM::LLVMDialect::getAlignAttrName();
  StringRef byValue = LLVM::LLVMDialect::getByValAttrName();
  SmallVector<Type> types(kernel.getArgumentTypes());
  size_t numInputs = types.size();
  llvm::append_range(types, kernel.getResultTypes());
  llvm::SmallDenseSet<size_t> mayAlias;
  for (unsigned result = 0; result < kernel.getNumResults(); ++result)
    if (int64_t argument = kernel.getReusedArgument(result); argument >= 0) {
      mayAlias.insert(argument);
      mayAlias.insert(numInputs + result);
    }
  ArrayRef<int64_t> capacities = kernel.getBlocks()->getCapacities();
  for (auto [i, type] : llvm::enumerate(types)) {
    if (isa<ListType>(type)) {
      auto words = LLVM::LLVMArrayType::get(builder.getI64Type(),
                                            1 + capacities.front());
      capacities = capacities.drop_front();
      function.setArgAttr(i, byValue, TypeAttr::get(words));
      function.setArgAttr(i, aligned, builder.getI64IntegerAttr(8));
      continue;
    }
    Type element = cast<RankedTensorType>(type).getElementType();
    function.setArgAttr(i, aligned,
                        builder.getI64IntegerAttr(elementBytes(element)));
    if (mayAlias.contains(i))
      continue;
    function.setArgAttr(i, noalias, builder.getUnitAttr());
    if (i < numInputs)
      function.setArgAttr(i, readonly, builder.getUnitAttr());
  }
}

/// Adds the code of `kernel`, which loses it, as a function to `functions`.
static void addFunction(ModuleOp functions, KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockEnd(functions.getBody());
  Location loc = kernel.getLoc();
  Block &body = kernel.front();
  if (*kernel.getScratchBytes() == 0) {
    // The launch has none either.
    BlockArgument scratch = body.getArguments().back();
    OpBuilder atEntry = OpBuilder::atBlockBegin(&body);
    if (!scratch.use_empty())
      scratch.replaceAllUsesWith(
          LLVM::ZeroOp::create(atEntry, loc, scratch.getType()));
    body.eraseArgument(scratch.getArgNumber());
  }
  auto function = func::FuncOp::create(
      builder, loc, kernel.getName(),
      builder.getFunctionType(body.getArgumentTypes(), {}));
  Operation *exit = body.getTerminator();
  OpBuilder atExit(exit);
  func::ReturnOp::create(atExit, exit->getLoc());
  exit->erase();
  function.getBody().takeBody(kernel.getBody());
  describeArguments(function, kernel);

  BlocksAttr blocks = *kernel.getBlocks();
  auto extents = [&](ArrayRef<int64_t> values) {
    return builder.getDenseI32ArrayAttr(llvm::to_vector_of<int32_t>(values));
  };
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    extents(blocks.getBlock()));
  if (llvm::any_of(blocks.getCluster(), [](int64_t n) { return n != 1; }))
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      extents(blocks.getCluster()));
}

FailureOr<CompiledCode>
attnres::nvptx::compileKernels(ModuleOp module, const GpuTarget &target,
                               const std::function<bool()> &isCancelled) {
  MLIRContext *context = module.getContext();
  cpu::loadCpuDialects(*context);
  context->getOrLoadDialect<NVVM::NVVMDialect>();
  auto toExtents = [](ArrayRef<int64_t> values) {
    return Extents{values[0], values[1], values[2]};
  };
  CompiledCode code;
  OwningOpRef<ModuleOp> functions = ModuleOp::create(module.getLoc());
  for (auto kernel : module.getOps<KernelOp>()) {
    BlocksAttr blocks = *kernel.getBlocks();
    CompiledKernel &compiled = code.kernels.emplace_back();
    compiled.name = kernel.getName().str();
    compiled.object = 0;
    compiled.grid = toExtents(blocks.getGrid());
    compiled.block = toExtents(blocks.getBlock());
    compiled.cluster = toExtents(blocks.getCluster());
    compiled.sharedBytes = blocks.getSharedBytes();
    compiled.scratchBytes = *kernel.getScratchBytes();
    OwningOpRef<KernelOp> copy = kernel.clone();
    addFunction(*functions, *copy);
  }
  functions->walk([&](LLVM::AddressOfOp op) {
    if (op.getGlobalName() == kSharedVariable)
      declareSharedMemory(*functions);
  });
  if (isCancelled && isCancelled())
    return failure();
  FailureOr<std::string> text = emitPtx(*functions, target);
  if (failed(text))
    return failure();
  code.objects.push_back(std::move(*text));
  return code;
}
