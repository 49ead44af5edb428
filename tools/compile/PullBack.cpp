//===- PullBack.cpp - programs of vector-Jacobian products ----------------===//
//
// The gradient of <results, cotangents> by reverse differentiation: the
// function gets that sum as its loss before it is differentiated.
//
//===----------------------------------------------------------------------===//
#include "tools/compile/PullBack.h"

#include "passes/Passes.h"
#include "passes/analysis/FunctionNames.h"
#include "support/BindingNames.h"
#include "tools/compile/Compilation.h"
#include "tools/compile/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace attnres;

/// sum + <a, b>, in f32.
static Value addProduct(OpBuilder &builder, Location loc, Value sum, Value a,
                        Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap none = AffineMap::get(type.getRank(), 0, builder.getContext());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{sum.getType()}, ValueRange{a, b}, ValueRange{sum},
      ArrayRef<AffineMap>{all, all, none}, loops,
      [](OpBuilder &body, Location loc, ValueRange element) {
        Type f32 = body.getF32Type();
        auto widened = [&](Value value) -> Value {
          if (value.getType().getIntOrFloatBitWidth() < 32)
            return arith::ExtFOp::create(body, loc, f32, value);
          if (value.getType().getIntOrFloatBitWidth() > 32)
            return arith::TruncFOp::create(body, loc, f32, value);
          return value;
        };
        Value product = arith::MulFOp::create(body, loc, widened(element[0]),
                                              widened(element[1]));
        Value next = arith::AddFOp::create(body, loc, element[2], product);
        linalg::YieldOp::create(body, loc, next);
      });
  return generic.getResult(0);
}

/// Replaces the results of main by the sum of their products with new
/// arguments.
static LogicalResult makeLoss(func::FuncOp main) {
  if (failed(verifyOneBlock(main)))
    return failure();
  MLIRContext *context = main.getContext();
  Operation *exit = main.front().getTerminator();
  OpBuilder builder(exit);
  Location loc = main.getLoc();
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  Value sum = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(scalar, 0.0f));
  bool any = false;
  for (auto [index, value] : llvm::enumerate(exit->getOperands())) {
    if (main.getResultAttr(index, kUpdatesAttr))
      return main.emitError(
                 "expected results with memory of their own, result ")
             << index << " updates an argument";
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      continue;
    std::string name = concat(kCotangent, resultName(main, index).str());
    if (findArgument(main, name))
      return main.emitError("expected no argument named ") << name;
    unsigned argument = main.getNumArguments();
    // Fails only for declarations.
    (void)main.insertArgument(
        argument, type, namedRole(name, RoleAttr::get(context, Role::Input)),
        loc);
    sum = addProduct(builder, loc, sum, value, main.getArgument(argument));
    any = true;
  }
  if (!any)
    return main.emitError("expected a result of floating-point numbers");
  exit->setOperands(sum);
  main.setType(builder.getFunctionType(main.getArgumentTypes(), scalar));
  main.setResAttrsAttr(builder.getArrayAttr(builder.getDictionaryAttr(
      builder.getNamedAttr(kNameAttr, builder.getStringAttr(names::loss)))));
  return success();
}

/// `forward` said what the compilation was made with.
static Result<runtime::Program> pullBack(Compilation &compilation,
                                         const CompileOptions &forward,
                                         const std::string &name) {
  if (Status status = compilation.advance(Stage::Scheduled); !status.ok())
    return status;
  ModuleOp module = compilation.module();
  MLIRContext *context = module.getContext();
  context->loadDialect<arith::ArithDialect, linalg::LinalgDialect>();
  {
    DiagnosticCapture diagnostics(*context);
    StageOptions stages = forward.stages;
    stages.gradients = true;
    PassManager passes(context);
    addStage(passes, Stage::Training, stages);
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (failed(makeLoss(main)) || failed(passes.run(module)))
      return diagnostics.status("turning the function around");
  }
  return compileText(compilation.print(), forward, name, Stage::Training);
}

static CompileOptions forwardOptions(CompileOptions options) {
  options.stages.gradients = options.stages.sumGradients = false;
  options.stages.optimizer = options.stages.recordWeights = false;
  options.fuseLoss = false;
  return options;
}

Result<runtime::Program>
attnres::compilePullBack(const ModelConfig &config,
                         const CompileOptions &options) {
  CompileOptions forward = forwardOptions(options);
  Compilation compilation(config, forward);
  return pullBack(compilation, forward, "model");
}

Result<runtime::Program>
attnres::compilePullBack(const std::string &text, const std::string &name,
                         const CompileOptions &options) {
  CompileOptions forward = forwardOptions(options);
  Compilation compilation(text, name, forward);
  return pullBack(compilation, forward, name);
}
