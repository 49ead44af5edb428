//===- Meaning.cpp - whether a pass keeps what a program computes ---------===//
#include "tools/fuzz/Meaning.h"

#include "dialect/Attnres.h"
#include "passes/analysis/FunctionNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

//===----------------------------------------------------------------------===//
// What can be interpreted in a moment
//===----------------------------------------------------------------------===//

static bool isSmall(Type type) {
  if (type.isIntOrIndexOrFloat())
    return true;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrIndexOrFloat())
    return false;
  int64_t count = 1;
  for (int64_t extent : tensor.getShape()) {
    if (extent > 10000)
      return false;
    count *= extent;
    if (count > 10000)
      return false;
  }
  return true;
}

/// Of a function or a kernel.
static bool isSmall(FunctionOpInterface function) {
  if (function.isExternal() ||
      !llvm::hasSingleElement(function.getFunctionBody()) ||
      !llvm::all_of(function.getArgumentTypes(),
                    [](Type type) { return isSmall(type); }))
    return false;
  return !function
              .walk([](Operation *op) {
                int64_t loops = 1;
                if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
                  for (int64_t range : linalgOp.getStaticLoopRanges())
                    if (ShapedType::isDynamic(range) ||
                        llvm::MulOverflow(loops, range, loops) ||
                        loops > 100000)
                      return WalkResult::interrupt();
                if (auto loop = dyn_cast<scf::ForOp>(op))
                  if (auto count = loop.getStaticTripCount();
                      count && count->ugt(100000))
                    return WalkResult::interrupt();
                for (Type type : op->getResultTypes())
                  if (isa<ShapedType>(type) && !isSmall(type))
                    return WalkResult::interrupt();
                return WalkResult::advance();
              })
              .wasInterrupted();
}

/// SA-9: attention of numbers that are not finite may be anything.
static bool hasUnboundedAttention(ModuleOp module) {
  bool attends = false, isFinite = true;
  module.walk([&](Operation *op) {
    attends |= isa<AttentionOp, AttentionBackwardOp>(op);
    auto constant = dyn_cast<arith::ConstantOp>(op);
    auto values =
        constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
    if (values)
      isFinite &= llvm::all_of(
          values, [](const APFloat &value) { return value.isFinite(); });
  });
  return attends && !isFinite;
}

/// Rounding to few bits, by a fold for example, shows in results.
static double toleranceOf(ModuleOp module) {
  double tolerance = 1e-4;
  module.walk([&](Operation *op) {
    for (Type type :
         llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                            SmallVector<Type>(op->getResultTypes())))
      if (Type element = getElementTypeOrSelf(type);
          isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
        tolerance = 6e-2;
  });
  return tolerance;
}

static Tensor randomInput(Type type, fuzz::Random &random) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  SmallVector<int64_t> shape;
  if (shaped)
    shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element)) {
    Tensor tensor = Tensor::ofReals(shape);
    for (double &value : tensor.reals)
      value = roundToType(random.real(), element);
    return tensor;
  }
  Tensor tensor = Tensor::ofIntegers(shape);
  for (int64_t &value : tensor.integers)
    value = random.below(element.isInteger(1) ? 2 : 3);
  return tensor;
}

/// The results of `function`, or the first error.
static std::optional<SmallVector<Tensor>> evaluate(func::FuncOp function,
                                                   ArrayRef<Tensor> inputs,
                                                   bool round,
                                                   std::string &error) {
  ScopedDiagnosticHandler handler(function.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (error.empty())
                                      error = diagnostic.str();
                                    return success();
                                  });
  InterpreterOptions options;
  options.roundToStorage = round;
  auto results = interpret(function, inputs, options);
  if (failed(results))
    return std::nullopt;
  return std::move(*results);
}

//===----------------------------------------------------------------------===//
// What is undefined
//===----------------------------------------------------------------------===//

/// The module with a value for every element that is never set.
static OwningOpRef<ModuleOp> withUndefined(ModuleOp module, double real,
                                           int64_t integer) {
  OwningOpRef<ModuleOp> filled = module.clone();
  filled->walk([&](tensor::EmptyOp empty) {
    RankedTensorType type = empty.getType();
    Type element = type.getElementType();
    OpBuilder b(empty);
    Attribute fill;
    if (isa<FloatType>(element))
      fill = FloatAttr::get(element, real);
    else
      fill = IntegerAttr::get(
          element, APInt(64, integer, true)
                       .sextOrTrunc(element.isIndex()
                                        ? 64
                                        : element.getIntOrFloatBitWidth()));
    empty.replaceAllUsesWith(
        arith::ConstantOp::create(b, empty.getLoc(),
                                  DenseElementsAttr::get(type, fill))
            .getResult());
    empty.erase();
  });
  return filled;
}

/// Of each element of `results`, which `function` gives for `inputs`, whether
/// it is the same whatever the elements are that are never set.
static std::vector<std::vector<bool>>
definedElements(func::FuncOp function, ArrayRef<Tensor> inputs,
                ArrayRef<Tensor> results) {
  std::vector<std::vector<bool>> defined;
  for (const Tensor &result : results)
    defined.emplace_back(result.size(), true);
  auto module = function->getParentOfType<ModuleOp>();
  bool hasUndefined = false;
  module.walk([&](tensor::EmptyOp) { hasUndefined = true; });
  if (!hasUndefined)
    return defined;
  // The interpreter takes NaN. A maximum passes over it, but over no large
  // number, a minimum over no small one.
  for (auto [real, integer] : {std::pair(96.0, 97), std::pair(-96.0, -96)}) {
    OwningOpRef<ModuleOp> filled = withUndefined(module, real, integer);
    std::string error;
    auto others =
        evaluate(filled->lookupSymbol<func::FuncOp>(function.getName()), inputs,
                 /*round=*/false, error);
    for (size_t i = 0; i < results.size(); ++i)
      for (int64_t j = 0; j < results[i].size(); ++j)
        if (!others || (results[i].isInteger
                            ? results[i].integers[j] != (*others)[i].integers[j]
                            : results[i].reals[j] != (*others)[i].reals[j]))
          defined[i][j] = false;
  }
  return defined;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// A message for the first element that differs. Elements that are undefined or
/// left the range of f32 may be anything.
static std::optional<std::string> difference(const Tensor &before,
                                             const Tensor &after,
                                             const std::vector<bool> &defined,
                                             double tolerance) {
  if (before.shape != after.shape || before.isInteger != after.isInteger)
    return std::string("another type");
  double largest = 0;
  for (double value : before.reals)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  for (int64_t i = 0; i < before.size(); ++i) {
    if (!defined[i])
      continue;
    if (before.isInteger) {
      if (before.integers[i] != after.integers[i])
        return llvm::formatv("element {0} was {1}, is {2}", i,
                             before.integers[i], after.integers[i])
            .str();
      continue;
    }
    double was = before.reals[i], is = after.reals[i];
    if (!std::isfinite(was) || std::fabs(was) > 1e30)
      continue;
    if (!(std::fabs(was - is) <= tolerance * (1 + largest)))
      return llvm::formatv("element {0} was {1}, is {2}", i, was, is).str();
  }
  return std::nullopt;
}

Meaning::Meaning(ModuleOp module, uint64_t seed)
    : seed(seed), tolerance(toleranceOf(module)) {
  if (!llvm::all_of(module.getOps<FunctionOpInterface>(),
                    [](FunctionOpInterface f) { return isSmall(f); }) ||
      hasUnboundedAttention(module))
    return;
  for (auto function : module.getOps<func::FuncOp>()) {
    // Private functions may be fitted to their callers.
    if (function.isPrivate())
      continue;
    Program program;
    fuzz::Random random(seed);
    program.arguments.append(function.getArgumentTypes().begin(),
                             function.getArgumentTypes().end());
    program.results.append(function.getResultTypes().begin(),
                           function.getResultTypes().end());
    for (Type type : program.arguments)
      program.inputs.push_back(randomInput(type, random));
    std::string error;
    auto exact = evaluate(function, program.inputs, false, error);
    if (!exact)
      continue;
    auto rounded = evaluate(function, program.inputs, true, error);
    if (!rounded)
      continue;
    program.defined = definedElements(function, program.inputs, *exact);
    program.exact = std::move(*exact);
    program.rounded = std::move(*rounded);
    programs.emplace(function.getName().str(), std::move(program));
  }
}

std::optional<std::string> Meaning::compare(ModuleOp after) {
  for (auto at = programs.begin(); at != programs.end();) {
    auto &[name, program] = *at;
    auto function = after.lookupSymbol<func::FuncOp>(name);
    bool comparable =
        function && !function.isDeclaration() &&
        llvm::hasSingleElement(function.getBody()) &&
        llvm::equal(function.getArgumentTypes(), program.arguments) &&
        function.getNumResults() >= program.results.size() &&
        llvm::equal(
            function.getResultTypes().take_front(program.results.size()),
            program.results);
    if (!comparable) {
      at = programs.erase(at);
      continue;
    }
    std::string error;
    auto exact = evaluate(function, program.inputs, false, error);
    if (!exact) {
      if (!StringRef(error).contains("has no reference evaluation") &&
          !StringRef(error).contains("expected a function"))
        return "@" + name + " could be computed, and now: " + error;
      at = programs.erase(at);
      continue;
    }
    auto rounded = evaluate(function, program.inputs, true, error);
    for (size_t i = 0; i < program.exact.size(); ++i) {
      const std::vector<bool> &defined = program.defined[i];
      auto message =
          difference(program.exact[i], (*exact)[i], defined, tolerance);
      // A step, such as a comparison, may turn either way by rounding; it
      // hardly does so with and without.
      if (message && rounded &&
          difference(program.rounded[i], (*rounded)[i], defined, tolerance))
        return "result " + std::to_string(i) + " of @" + name + ": " + *message;
    }
    ++at;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void Meaning::beforeGradients(ModuleOp before) {
  auto function = before.lookupSymbol<func::FuncOp>("main");
  numArguments = function ? function.getNumArguments() : 0;
}

std::optional<std::string> Meaning::compareGradients(ModuleOp after) {
  auto function = after.lookupSymbol<func::FuncOp>("main");
  if (!function || !isSmall(cast<FunctionOpInterface>(function.getOperation())))
    return std::nullopt;
  auto resultNamed = [&](StringRef name) -> int64_t {
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (auto attribute =
              function.getResultAttrOfType<StringAttr>(i, kNameAttr);
          attribute && attribute.getValue() == name)
        return i;
    return -1;
  };
  int64_t lossIndex = resultNamed("loss");
  if (lossIndex < 0 ||
      function.getResultTypes()[lossIndex] !=
          RankedTensorType::get({}, Float32Type::get(after.getContext())))
    return std::nullopt;
  fuzz::Random random(seed);
  SmallVector<Tensor> inputs;
  double weight = 1;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    inputs.push_back(randomInput(function.getArgumentTypes()[i], random));
    if (auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
        i >= numArguments && name && name.getValue() == "loss_weight")
      weight = inputs.back().reals.front();
  }
  std::string error;
  auto results = evaluate(function, inputs, false, error);
  if (!results)
    return std::nullopt;
  auto defined = definedElements(function, inputs, *results);
  auto isDefined = [&](int64_t result) {
    return !llvm::is_contained(defined[result], false);
  };
  if (!isDefined(lossIndex))
    return std::nullopt;
  auto lossAt = [&](unsigned argument, const Tensor &direction,
                    double distance) -> std::optional<double> {
    SmallVector<Tensor> moved = inputs;
    for (int64_t i = 0; i < direction.size(); ++i)
      moved[argument].reals[i] += distance * direction.reals[i];
    auto results = evaluate(function, moved, false, error);
    if (!results)
      return std::nullopt;
    return (*results)[lossIndex].reals.front();
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    auto gradient = name ? findGradient(function, name.getValue())
                         : std::optional<unsigned>();
    if (!gradient || inputs[i].isInteger || !isDefined(*gradient))
      continue;
    const Tensor &grad = (*results)[*gradient];
    if (grad.size() != inputs[i].size())
      continue;
    Tensor direction = randomInput(function.getArgumentTypes()[i], random);
    double expected = 0, magnitude = 0;
    for (int64_t j = 0; j < direction.size(); ++j) {
      expected += grad.reals[j] * direction.reals[j];
      magnitude += std::fabs(grad.reals[j] * direction.reals[j]);
    }
    SmallVector<double> measured;
    for (double distance : {1e-4, 3e-5}) {
      auto up = lossAt(i, direction, distance),
           down = lossAt(i, direction, -distance);
      if (up && down)
        measured.push_back(weight * (*up - *down) / (2 * distance));
    }
    if (measured.size() != 2 || !std::isfinite(measured[0]))
      continue;
    double slack =
        std::max(tolerance, 1e-3) *
        (std::fabs(measured[0]) + (std::isfinite(magnitude) ? magnitude : 0) +
         1e-4 * std::fabs((*results)[lossIndex].reals.front()) + 1e-4);
    // Two differences that disagree lie over a kink, or over a loss that is
    // too large for its digits.
    if (std::fabs(measured[0] - measured[1]) > slack)
      continue;
    if (!(std::fabs(expected - measured[0]) <= slack))
      return llvm::formatv("grad.{0} gives {1}, differences of the loss {2} "
                           "and {3}",
                           name.getValue(), expected, measured[0], measured[1])
          .str();
  }
  return std::nullopt;
}
