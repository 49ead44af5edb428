//===- RowKernels.cpp - row kernels for NVIDIA GPUs -----------------------===//
#include "passes/nvptx/RowKernels.h"

#include "passes/analysis/RowOps.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/LowerToLLVM.h"
#include "passes/nvptx/EmitPtx.h"
#include "passes/nvptx/WarpRowMachine.h"
#include "passes/rows/RowLowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using namespace attnres::rows;

/// Warps that keep a large GPU busy: 16 on each of 132 processors. Items beyond
/// would repeat what a formula does once for an item.
static constexpr int64_t kMostItems = 16 * 132;

/// Adds the function of a kernel to what the builder stands in.
static RowLaunch lowerRowKernel(OpBuilder &builder, KernelOp kernel,
                                int64_t items) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
  FunctionType type = kernel.getFunctionType();
  unsigned numInputs = type.getNumInputs(), numOutputs = type.getNumResults();
  SmallVector<Type> arguments(numInputs + numOutputs + 1, pointer);
  auto function = func::FuncOp::create(builder, loc, kernel.getName(),
                                       builder.getFunctionType(arguments, {}));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  builder.setInsertionPoint(func::ReturnOp::create(builder, loc));

  // Which item this warp does.
  IndexBuilder index(builder, loc);
  auto special = [&](auto op) {
    return index.cast(arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                             op.getResult()));
  };
  Type i32 = builder.getI32Type();
  Value thread = special(NVVM::ThreadIdXOp::create(builder, loc, i32));
  Value block = special(NVVM::BlockIdXOp::create(builder, loc, i32));
  Value lane = index.rem(thread, kWarpLanes);
  Value item =
      index.add(index.mul(block, kBlockWarps), index.div(thread, kWarpLanes));

  int64_t rows = rowsOf(&kernel.front().front());
  ValueRange values = function.getArguments();
  SmallVector<Value> lists;
  for (auto [type, value] : llvm::zip(type.getInputs(), values))
    if (isa<ListType>(type))
      lists.push_back(value);
  for (auto [type, value] :
       llvm::zip(type.getResults(), values.drop_front(numInputs)))
    if (isa<ListType>(type))
      lists.push_back(value);
  WarpRowMachine machine(builder, loc, rows, lane, item, values.back(), lists);

  auto inMemory = [&](TypeRange types, ValueRange pointers) {
    SmallVector<Value> memory;
    for (auto [type, value] : llvm::zip_equal(types, pointers))
      memory.push_back(
          isa<ListType>(type)
              ? value
              : machine.tensorAt(value, cast<RankedTensorType>(type)));
    return memory;
  };
  SmallVector<Value> inputs =
      inMemory(type.getInputs(), values.take_front(numInputs));
  SmallVector<Value> outputs =
      inMemory(type.getResults(), values.slice(numInputs, numOutputs));
  RowKernel places(kernel.front(), inputs, outputs, machine);
  auto formulas = makeRowFormulas(kernel.front(), places);
  machine.ifTrue(index.isLess(item, index.constant(items)), [&] {
    emitItem(formulas, machine, item, llvm::divideCeil(rows, items));
  });
  auto scratch = machine.finishScratch();
  return {kernel.getName().str(), items, scratch.fixed, scratch.perMember};
}

FailureOr<PtxModule>
attnres::nvptx::compileRowKernels(ModuleOp module, const GpuTarget &target) {
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerRowFormulas(registry);
  context->appendDialectRegistry(registry);
  cpu::loadCpuDialects(*context);
  context->getOrLoadDialect<NVVM::NVVMDialect>();

  PtxModule result;
  OwningOpRef<ModuleOp> functions = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(functions->getBody());
  for (auto kernel : module.getOps<KernelOp>()) {
    if (!cpu::isTensorKernel(kernel) || !isRowKernel(kernel.front()))
      continue;
    Block &body = kernel.front();
    int64_t rows = rowsOf(&body.front());
    std::optional<int64_t> items =
        findRanges(body, std::clamp<int64_t>(rows, 1, kMostItems));
    if (!items)
      continue;
    if (failed(verifyRowFormulas(body)))
      return failure();
    result.kernels.push_back(lowerRowKernel(builder, kernel, *items));
  }
  FailureOr<std::string> text = emitPtx(*functions, target);
  if (failed(text))
    return failure();
  result.text = std::move(*text);
  return result;
}
