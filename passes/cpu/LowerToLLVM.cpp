//===- LowerToLLVM.cpp - cpu-stage kernels to the LLVM dialect ------------===//

#include "passes/cpu/LowerToLLVM.h"

#include "dialect/Attnres.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/MathLowering.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

void attnres::cpu::registerCpuDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect,
                  x86vector::X86VectorDialect>();
}

void attnres::cpu::loadCpuDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerCpuDialects(registry);
  context.appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context.getOrLoadDialect(name);
}

//===----------------------------------------------------------------------===//
// The kernel's signature
//===----------------------------------------------------------------------===//

/// The code of `kernel`, which loses it, as a function of LLVM's conversions.
static func::FuncOp takeCode(KernelOp kernel) {
  OpBuilder builder(kernel);
  Region &body = kernel.getBody();
  Operation *exit = body.front().getTerminator();
  auto function = func::FuncOp::create(
      builder, kernel.getLoc(), kernel.getName(),
      builder.getFunctionType(body.getArgumentTypes(), {}));
  builder.setInsertionPoint(exit);
  func::ReturnOp::create(builder, exit->getLoc());
  exit->erase();
  function.getBody().takeBody(body);
  return function;
}

/// Turns the memref arguments of a kernel's code into bare pointers and tells
/// LLVM what is known about them.
static void lowerArguments(func::FuncOp function, KernelOp kernel) {
  MLIRContext *context = function.getContext();
  Location loc = function.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  StringRef noalias = LLVM::LLVMDialect::getNoAliasAttrName();
  StringRef aligned = LLVM::LLVMDialect::getAlignAttrName();
  StringRef dereferenceable = LLVM::LLVMDialect::getDereferenceableAttrName();
  auto integer = [&](int64_t value) {
    return builder.getI64IntegerAttr(value);
  };
  auto pointer = LLVM::LLVMPointerType::get(context);

  unsigned scratchIndex = function.getNumArguments() - 3;
  int64_t scratchBytes = *kernel.getScratchBytes();
  llvm::SmallBitVector mayAlias(scratchIndex + 1);
  unsigned results = kernel.getNumResults();
  for (unsigned result = 0; result < results; ++result)
    if (int64_t argument = kernel.getReusedArgument(result); argument >= 0) {
      mayAlias.set(argument);
      mayAlias.set(scratchIndex - results + result);
    }
  for (unsigned i = 0; i <= scratchIndex; ++i) {
    if (!mayAlias[i])
      function.setArgAttr(i, noalias, UnitAttr::get(context));
    BlockArgument argument = function.getArgument(i);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    auto staticType = i == scratchIndex ? MemRefType::get({scratchBytes},
                                                          type.getElementType())
                                        : type;
    int64_t elementBytes = attnres::elementBytes(type.getElementType());
    function.setArgAttr(i, aligned,
                        integer(i == scratchIndex ? kAlignment : elementBytes));
    if (int64_t bytes = elementBytes * staticType.getNumElements())
      function.setArgAttr(i, dereferenceable, integer(bytes));
    auto uses = llvm::to_vector(llvm::make_pointer_range(argument.getUses()));
    argument.setType(pointer);
    if (uses.empty())
      continue;
    Value memref = createMemRef(builder, loc, argument, staticType);
    if (i == scratchIndex)
      memref = memref::CastOp::create(builder, loc, type, memref);
    for (OpOperand *use : uses)
      use->set(memref);
  }
  function.setFunctionType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
}

/// Makes `body` internal and adds, under its name, the entry point that the
/// runtime calls:
///   void NAME(void *const *args, void *scratch, int64 begin, int64 end)
/// The body stays a function of its own: its parameters can then say that they
/// do not alias, which loads from `args` could not.
static void addEntryPoint(LLVM::LLVMFuncOp body) {
  MLIRContext *context = body.getContext();
  Location loc = body.getLoc();
  StringAttr name = body.getSymNameAttr();
  body.setSymName((name.getValue() + ".body").str());
  body.setLinkage(LLVM::Linkage::Internal);

  OpBuilder builder(body);
  builder.setInsertionPointAfter(body);
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, pointer, i64, i64});
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (unsigned i = 0, e = body.getNumArguments() - 3; i != e; ++i) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, block->getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
  }
  llvm::append_range(arguments, block->getArguments().drop_front());
  LLVM::CallOp::create(builder, loc, body, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

//===----------------------------------------------------------------------===//
// The kernel's body
//===----------------------------------------------------------------------===//

/// Rewrites vector operations of higher rank and structure into operations on
/// one-dimensional vectors, and subviews and affine maps into arithmetic.
static LogicalResult simplifyVectors(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  {
    RewritePatternSet patterns(context);
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    populateVectorToSCFConversionPatterns(
        patterns, VectorTransferToSCFOptions().enableFullUnroll());
    memref::populateExpandStridedMetadataPatterns(patterns);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return failure();
  }
  RewritePatternSet patterns(context);
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::Shuffle16x16);
  populateAffineToStdConversionPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

/// Loops become branches. A conversion of its own, since the LLVM patterns
/// below expect branches.
static LogicalResult lowerControlFlow(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

namespace {
/// A constant of bf16 as one of its bits.
struct ConvertBf16Constant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "not bf16");
    Type type = getTypeConverter()->convertType(op.getType());
    Type i16 = rewriter.getI16Type();
    auto toBits = [](const APFloat &value) { return value.bitcastToAPInt(); };
    Attribute bits;
    if (auto value = dyn_cast<FloatAttr>(op.getValue()))
      bits = rewriter.getIntegerAttr(i16, toBits(value.getValue()));
    else
      bits = cast<DenseFPElementsAttr>(op.getValue()).mapValues(i16, toBits);
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, type,
                                                  cast<TypedAttr>(bits));
    return success();
  }
};

/// An instruction as its intrinsic, which does know bf16.
struct ConvertInstruction
    : OpInterfaceConversionPattern<x86vector::X86IntrinsicOp> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;
  LogicalResult
  matchAndRewrite(x86vector::X86IntrinsicOp op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const final {
    auto as = [&](Value value, Type type) -> Value {
      if (value.getType() == type)
        return value;
      return LLVM::BitcastOp::create(rewriter, op.getLoc(), type, value);
    };
    SmallVector<Value> arguments;
    for (auto [operand, type] :
         llvm::zip_equal(operands, op->getOperandTypes()))
      arguments.push_back(as(operand, type));
    Type type = op->getResult(0).getType();
    Value result = LLVM::CallIntrinsicOp::create(
                       rewriter, op.getLoc(), type,
                       rewriter.getStringAttr(op.getIntrinsicName()), arguments)
                       .getResult(0);
    rewriter.replaceOp(op, as(result, getTypeConverter()->convertType(type)));
    return success();
  }
};
} // namespace

static LogicalResult convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  options.allocLowering = LowerToLLVMOptions::AllocLowering::None;
  LLVMTypeConverter converter(context, options);
  // bf16 is only stored and moved (lowerMath has expanded the conversions). As
  // integers it stays clear of LLVM's library calls for the type.
  Type i16 = IntegerType::get(context, 16);
  converter.addConversion([=](BFloat16Type) { return i16; });
  converter.addConversion([&, i16](VectorType type) -> std::optional<Type> {
    if (!type.getElementType().isBF16())
      return std::nullopt;
    return converter.convertType(type.clone(i16));
  });

  RewritePatternSet patterns(context);
  patterns.add<ConvertBf16Constant>(converter, context, PatternBenefit(2));
  patterns.add<ConvertInstruction>(converter, context);
  arith::populateArithExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/true);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);

  LLVMConversionTarget target(*context);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addLegalOp<UnrealizedConversionCastOp>();
  target.addLegalOp<ModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();

  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  SmallVector<UnrealizedConversionCastOp> remaining;
  reconcileUnrealizedCasts(casts, &remaining);
  if (!remaining.empty())
    return remaining.front().emitOpError("was left by the lowering to LLVM");
  return success();
}

LogicalResult attnres::cpu::lowerFunctionsToLLVM(ModuleOp module,
                                                 const CpuTarget &target) {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(lowerMath(function, target)) ||
        failed(simplifyVectors(function)))
      return function.emitOpError("could not be simplified for LLVM");
  return failure(failed(lowerControlFlow(module)) ||
                 failed(convertToLLVM(module)));
}

LogicalResult attnres::cpu::lowerToLLVM(ModuleOp module,
                                        const CpuTarget &target) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      return op.emitOpError("is not a kernel");
    if (failed(verifyCodeTypes(kernel)))
      return failure();
    func::FuncOp function = takeCode(kernel);
    lowerArguments(function, kernel);
    kernel.erase();
  }
  if (failed(lowerFunctionsToLLVM(module, target)))
    return failure();
  for (auto body : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>()))
    addEntryPoint(body);
  return verify(module);
}
