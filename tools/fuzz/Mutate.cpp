//===- Mutate.cpp - changes of modules that stay verifiable ---------------===//
#include "dialect/Attnres.h"
#include "tools/fuzz/Generator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

using Operations = SmallVector<Operation *>;

static Operations operationsOf(ModuleOp module) {
  Operations operations;
  module.walk([&](Operation *op) {
    if (op != module)
      operations.push_back(op);
  });
  return operations;
}

/// A constant of another type: its first element, or 1, everywhere.
static DenseElementsAttr retyped(DenseElementsAttr from, ShapedType type) {
  if (type.getElementType() == from.getElementType()) {
    if (from.empty())
      return nullptr;
    return DenseElementsAttr::get(type, *from.getValues<Attribute>().begin());
  }
  Type element = type.getElementType();
  if (auto real = dyn_cast<FloatType>(element))
    return DenseElementsAttr::get(
        type, Attribute(FloatAttr::get(
                  real, llvm::APFloat::getOne(real.getFloatSemantics()))));
  if (element.isIntOrIndex())
    return DenseElementsAttr::get(type,
                                  Attribute(IntegerAttr::get(element, 1)));
  return nullptr;
}

/// Replaces types everywhere, in constants too.
static void replaceTypes(ModuleOp module,
                         llvm::function_ref<Type(RankedTensorType)> tensor,
                         llvm::function_ref<Type(Type)> scalar) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](Type type) -> std::optional<std::pair<Type, WalkResult>> {
        if (auto ranked = dyn_cast<RankedTensorType>(type))
          return std::pair(tensor(ranked), WalkResult::skip());
        if (isa<FloatType, IntegerType, IndexType>(type))
          return std::pair(scalar(type), WalkResult::skip());
        return std::nullopt;
      });
  replacer.addReplacement(
      [&](Attribute attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
          auto type = dyn_cast<RankedTensorType>(dense.getType());
          Type other = type ? tensor(type) : Type();
          auto shaped = dyn_cast_or_null<RankedTensorType>(other);
          if (shaped && shaped != type && shaped.hasStaticShape())
            if (DenseElementsAttr changed = retyped(dense, shaped))
              return std::pair(Attribute(changed), WalkResult::skip());
          return std::pair(attribute, WalkResult::skip());
        }
        if (auto real = dyn_cast<FloatAttr>(attribute)) {
          Type type = scalar(real.getType());
          if (auto other = dyn_cast<FloatType>(type);
              other && other != real.getType()) {
            bool losesInfo;
            llvm::APFloat value = real.getValue();
            value.convert(other.getFloatSemantics(),
                          llvm::APFloat::rmNearestTiesToEven, &losesInfo);
            return std::pair(Attribute(FloatAttr::get(other, value)),
                             WalkResult::skip());
          }
          return std::pair(attribute, WalkResult::skip());
        }
        // Of sparse ones and resources only the type could follow.
        if (isa<IntegerAttr, BoolAttr, DenseArrayAttr, ElementsAttr>(attribute))
          return std::pair(attribute, WalkResult::skip());
        return std::nullopt;
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Replaces the numbers in attributes such as offsets and sizes of slices.
/// Those of linalg operations are dimensions, from which maps are built before
/// verifiers look at them.
static void replaceNumbers(ModuleOp module,
                           llvm::function_ref<int64_t(int64_t)> number) {
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
      return;
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue())) {
        SmallVector<int64_t> changed =
            llvm::map_to_vector(numbers.asArrayRef(), number);
        op->setAttr(attribute.getName(),
                    DenseI64ArrayAttr::get(op->getContext(), changed));
      }
  });
}

/// One size becomes another, everywhere.
static void changeSize(ModuleOp module, fuzz::Random &random) {
  SmallVector<int64_t> sizes;
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        llvm::append_range(sizes, type.getShape());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type argument : block.getArgumentTypes())
          if (auto type = dyn_cast<RankedTensorType>(argument))
            llvm::append_range(sizes, type.getShape());
  });
  if (sizes.empty())
    return;
  int64_t from = random.pick(sizes);
  int64_t to = random.pick({int64_t(0), int64_t(1), int64_t(1), int64_t(2),
                            int64_t(3), int64_t(7), int64_t(17), int64_t(64),
                            int64_t(1) << 40, ShapedType::kDynamic});
  auto number = [&](int64_t size) { return size == from ? to : size; };
  replaceTypes(
      module,
      [&](RankedTensorType type) -> Type {
        SmallVector<int64_t> shape;
        for (int64_t size : type.getShape())
          shape.push_back(number(size));
        return RankedTensorType::get(shape, type.getElementType(),
                                     type.getEncoding());
      },
      [](Type type) { return type; });
  // In attributes an unknown one stands for an operand.
  if (!ShapedType::isDynamic(from) && !ShapedType::isDynamic(to))
    replaceNumbers(module, number);
}

/// One element type becomes another, everywhere.
static void changeElement(ModuleOp module, fuzz::Random &random) {
  Builder b(module.getContext());
  Type from = random.pick({Type(b.getF32Type()), Type(b.getF32Type()),
                           Type(b.getBF16Type()), Type(b.getI64Type())});
  Type to = random.pick({Type(b.getF32Type()), Type(b.getBF16Type()),
                         Type(b.getF64Type()), Type(b.getF16Type()),
                         Type(b.getI64Type()), Type(b.getI32Type()),
                         Type(b.getI1Type()), Type(b.getIndexType())});
  auto scalar = [&](Type type) { return type == from ? to : type; };
  replaceTypes(
      module,
      [&](RankedTensorType type) -> Type {
        return type.clone(scalar(type.getElementType()));
      },
      scalar);
}

/// Values that dominate `op`.
static SmallVector<Value> visibleAt(Operation *op) {
  SmallVector<Value> values;
  for (Operation *at = op; at && !isa<ModuleOp>(at); at = at->getParentOp()) {
    Block *block = at->getBlock();
    if (!block || isa_and_nonnull<ModuleOp>(block->getParentOp()))
      break;
    llvm::append_range(values, block->getArguments());
    for (Operation &before : *block) {
      if (&before == at)
        break;
      llvm::append_range(values, before.getResults());
    }
  }
  return values;
}

static void changeOperand(ModuleOp module, fuzz::Random &random) {
  Operations operations = operationsOf(module);
  for (int tries = 0; tries < 8; ++tries) {
    Operation *op = random.pick(operations);
    if (op->getNumOperands() == 0)
      continue;
    OpOperand &operand = op->getOpOperand(random.below(op->getNumOperands()));
    SmallVector<Value> values = visibleAt(op);
    if (random.chance(80))
      llvm::erase_if(values, [&](Value value) {
        return value.getType() != operand.get().getType();
      });
    if (values.empty())
      continue;
    operand.set(random.pick(values));
    return;
  }
}

static void changeAttribute(ModuleOp module, fuzz::Random &random) {
  Operations operations = operationsOf(module);
  Builder b(module.getContext());
  for (int tries = 0; tries < 20; ++tries) {
    // MLIR's own operations do not always survive attributes that they did
    // not make.
    Operation *op = random.pick(operations);
    if (op->getName().getDialectNamespace() != "attnres" &&
        !isa<func::FuncOp>(op))
      continue;
    DictionaryAttr all = op->getAttrDictionary();
    if (all.empty())
      continue;
    NamedAttribute attribute = random.pick(all.getValue());
    if (random.chance(20) && attribute.getName() != "sym_name") {
      op->removeAttr(attribute.getName());
      // As reading a module without it does.
      op->getName().populateDefaultProperties(op->getPropertiesStorage());
      return;
    }
    Attribute value = attribute.getValue();
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
    if (auto real = dyn_cast<FloatAttr>(value)) {
      if (!real.getType().isF64())
        continue;
      value = b.getF64FloatAttr(
          random.pick({0.0, -1.0, 1e300, 1e-300, 0.5,
                       std::numeric_limits<double>::infinity()}));
    } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
      if (!integer.getType().isInteger(64))
        continue;
      value = b.getI64IntegerAttr(
          random.pick({int64_t(0), int64_t(-1), int64_t(1), int64_t(3),
                       int64_t(1) << 40, kLargest, -kLargest - 1}));
    } else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(value)) {
      SmallVector<int64_t> changed(numbers.asArrayRef());
      if (changed.empty())
        continue;
      changed[random.below(changed.size())] = random.pick(
          {int64_t(-2), int64_t(-1), int64_t(0), int64_t(1), int64_t(1) << 40});
      value = b.getDenseI64ArrayAttr(changed);
    } else if (isa<StringAttr>(value) && attribute.getName() != "sym_name") {
      value =
          b.getStringAttr(random.pick({"", "w", "main", "loss", "parameter"}));
    } else {
      continue;
    }
    op->setAttr(attribute.getName(), value);
    return;
  }
}

static void eraseOperation(ModuleOp module, fuzz::Random &random) {
  Operations operations = operationsOf(module);
  for (int tries = 0; tries < 8; ++tries) {
    Operation *op = random.pick(operations);
    if (op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
      continue;
    SmallVector<Value> values = visibleAt(op);
    bool replaced = true;
    for (Value result : op->getResults()) {
      auto other = llvm::find_if(llvm::reverse(values), [&](Value value) {
        return value.getType() == result.getType();
      });
      if (!result.use_empty() && other == llvm::reverse(values).end())
        replaced = false;
      else if (!result.use_empty())
        result.replaceAllUsesWith(*other);
    }
    if (!replaced)
      continue;
    op->erase();
    return;
  }
}

/// Makes `op` again, or earlier.
static void repeatOperation(ModuleOp module, fuzz::Random &random) {
  Operations operations = operationsOf(module);
  Operation *op = random.pick(operations);
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
    return;
  Operation *copy = op->clone();
  op->getBlock()->getOperations().insertAfter(op->getIterator(), copy);
  for (auto [result, other] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
      if (use.getOwner() != copy && random.chance(50))
        use.set(other);
}

static func::FuncOp anyFunction(ModuleOp module, fuzz::Random &random) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      functions.push_back(function);
  return functions.empty() ? func::FuncOp() : random.pick(functions);
}

/// Other results: swapped, twice, less, or any value of the function.
static void changeResults(ModuleOp module, fuzz::Random &random) {
  func::FuncOp function = anyFunction(module, random);
  if (!function || !llvm::hasSingleElement(function.getBody()))
    return;
  Operation *ending = function.front().getTerminator();
  SmallVector<Value> results(ending->getOperands());
  SmallVector<Value> values = visibleAt(ending);
  if (!values.empty() && random.chance(50)) {
    if (results.empty() || random.chance(40))
      results.push_back(random.pick(values));
    else
      results[random.below(results.size())] = random.pick(values);
  } else if (!results.empty() && random.chance(50)) {
    results.push_back(random.pick(results));
  } else {
    random.shuffle(results);
  }
  ending->setOperands(results);
  while (function.getNumResults() < results.size())
    (void)function.insertResult(function.getNumResults(),
                                results.back().getType(), {});
  function.setFunctionType(FunctionType::get(
      module.getContext(), function.front().getArgumentTypes(),
      ValueRange(results).getTypes()));
}

static void changeNames(ModuleOp module, fuzz::Random &random) {
  func::FuncOp function = anyFunction(module, random);
  Builder b(module.getContext());
  if (!function)
    return;
  if (random.chance(30)) {
    if (function.getNumResults() == 0)
      return;
    int64_t i = random.below(function.getNumResults());
    if (random.chance(60))
      function.setResultAttr(
          i, kNameAttr,
          b.getStringAttr(random.pick({"loss", "grad.w", "w", ""})));
    else
      function.setResultAttr(
          i, kUpdatesAttr,
          b.getI64IntegerAttr(random.between(-1, function.getNumArguments())));
    return;
  }
  if (function.getNumArguments() == 0)
    return;
  int64_t i = random.below(function.getNumArguments());
  function.setArgAttr(
      i, kRoleAttr,
      RoleAttr::get(b.getContext(),
                    random.pick({Role::Parameter, Role::Parameter, Role::Input,
                                 Role::State, Role::GradientNorm})));
  if (random.chance(60))
    function.setArgAttr(i, kNameAttr,
                        b.getStringAttr(random.pick({"w", "x", "step", ""})));
}

void fuzz::mutate(OwningOpRef<ModuleOp> &module, Random &random) {
  ScopedDiagnosticHandler silence(module->getContext(),
                                  [](Diagnostic &) { return success(); });
  for (int64_t i = random.between(1, 4); i > 0; --i) {
    OwningOpRef<ModuleOp> changed = module->clone();
    if (operationsOf(*changed).empty())
      return;
    switch (random.below(10)) {
    case 0:
    case 1:
      changeSize(*changed, random);
      break;
    case 2:
    case 3:
      changeElement(*changed, random);
      break;
    case 4:
      changeOperand(*changed, random);
      break;
    case 5:
      changeAttribute(*changed, random);
      break;
    case 6:
      eraseOperation(*changed, random);
      break;
    case 7:
      repeatOperation(*changed, random);
      break;
    case 8:
      changeResults(*changed, random);
      break;
    default:
      changeNames(*changed, random);
      break;
    }
    if (isWritable(*changed) && succeeded(verify(*changed)))
      module = std::move(changed);
  }
}
