//===- ModuleBuilder.cpp - types, values and operations -------------------===//
#include "tools/fuzz/ModuleBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ModuleBuilder::ModuleBuilder(MLIRContext *context, uint64_t seed,
                             const GeneratorOptions &options)
    : options(options), random(seed), b(context), loc(b.getUnknownLoc()) {
  for (int64_t i = random.between(1, 4); i > 0; --i)
    sizes.push_back(random.pick({1, 2, 3, 4, 5, 6, 7, 8, 8, 11, 16}));
  if (!options.computable) {
    if (random.chance(10))
      sizes.push_back(0);
    if (random.chance(8))
      sizes.push_back(ShapedType::kDynamic);
    if (random.chance(8))
      sizes.push_back(random.pick({33, 64, 96, 97, 129, 1000}));
    if (random.chance(3))
      sizes.push_back(
          random.pick({int64_t(1) << 31, int64_t(1) << 40, int64_t(1) << 62}));
  }

  // Mostly f32, beside it whatever else the module has.
  elements.assign(4, b.getF32Type());
  auto add = [&](int percent, Type type) {
    if (random.chance(percent))
      elements.append(random.between(1, 3), type);
  };
  add(30, b.getBF16Type());
  add(30, b.getI64Type());
  add(15, b.getI32Type());
  add(15, b.getI1Type());
  add(15, b.getIndexType());
  add(15, b.getF64Type());
  add(10, b.getF16Type());
  add(8, b.getI8Type());
  if (options.computable)
    return;
  add(2, IntegerType::get(context, 4));
  add(2, IntegerType::get(context, 128));
  add(1, IntegerType::get(context, 32, IntegerType::Unsigned));
  add(1, IntegerType::get(context, 8, IntegerType::Signed));
  add(1, ComplexType::get(b.getF32Type()));
  add(1, Float8E4M3FNType::get(context));
  add(1, Float80Type::get(context));
  if (random.chance(3))
    encoding = random.chance(50)
                   ? Attribute(b.getStringAttr("encoding"))
                   : Attribute(b.getI32IntegerAttr(random.below(3)));
}

Shape ModuleBuilder::shape(int64_t count) {
  if (count < 0)
    count = random.pick({0, 1, 1, 2, 2, 2, 3, 3, 4});
  Shape result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(size());
  // Interpreting and compiling take time for every element.
  while (options.computable && ShapedType::getNumElements(result) > 2000)
    result[random.below(count)] = 1;
  return result;
}

Type ModuleBuilder::floatElement() {
  for (int tries = 0; tries < 8; ++tries)
    if (Type type = element(); isa<FloatType>(type))
      return type;
  return b.getF32Type();
}

Type ModuleBuilder::storage() {
  for (int tries = 0; tries < 8; ++tries)
    if (Type type = element(); type.isF32() || type.isBF16())
      return type;
  return b.getF32Type();
}

RankedTensorType ModuleBuilder::tensor(ArrayRef<int64_t> shape, Type element) {
  return RankedTensorType::get(
      shape, element, encoding && random.chance(25) ? encoding : Attribute());
}

RankedTensorType ModuleBuilder::f32(ArrayRef<int64_t> shape) {
  return tensor(shape, b.getF32Type());
}

RankedTensorType ModuleBuilder::i64(ArrayRef<int64_t> shape) {
  return tensor(shape, b.getI64Type());
}

Type ModuleBuilder::odd(Type type) {
  if (options.computable)
    return type;
  if (random.chance(97))
    return type;
  switch (random.below(8)) {
  case 0:
    return element();
  case 1:
    return UnrankedTensorType::get(element());
  case 2:
    return MemRefType::get({4, 4}, b.getF32Type());
  case 3:
    return VectorType::get({4}, b.getF32Type());
  case 4:
    return TupleType::get(b.getContext(), {b.getF32Type()});
  case 5:
    return NoneType::get(b.getContext());
  default:
    return tensor(shape(), element());
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ModuleBuilder::any(function_ref<bool(Type)> condition) {
  // A pool can be long, and a random order is wanted.
  for (int tries = 0; tries < 12 && !pool.empty(); ++tries)
    if (Value value = random.pick(pool); condition(value.getType()))
      return value;
  for (Value value : llvm::reverse(pool))
    if (condition(value.getType()))
      return value;
  return nullptr;
}

TypedValue<RankedTensorType> ModuleBuilder::anyTensor(int64_t leastRank) {
  Value value;
  if (random.chance(85))
    value = any([&](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getRank() >= leastRank;
    });
  if (!value)
    value = get(tensor(shape(std::max<int64_t>(leastRank, random.below(4))),
                       element()));
  return cast<TypedValue<RankedTensorType>>(value);
}

Value ModuleBuilder::get(Type type) {
  if (random.chance(75))
    if (Value value = any([&](Type other) { return other == type; }))
      return value;
  return fresh(type);
}

Values ModuleBuilder::get(int64_t count, Type type) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(get(type));
  return values;
}

Value ModuleBuilder::argument(Type type) {
  Value value = current.front().addArgument(type, loc);
  // In front: what is in the pool behind belongs to the innermost region.
  pool.insert(pool.begin(), value);
  return value;
}

Value ModuleBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ModuleBuilder::fresh(Type type) {
  int64_t kind = random.below(100);
  auto tensorType = dyn_cast<RankedTensorType>(type);
  bool isStatic = tensorType && tensorType.hasStaticShape();
  // An empty tensor has no defined elements.
  if (kind < 8 && isStatic && !options.computable)
    return keep(tensor::EmptyOp::create(b, loc, tensorType.getShape(),
                                        tensorType.getElementType(),
                                        tensorType.getEncoding()))
        ->getResult(0);
  if (kind < 16 && isStatic && !tensorType.getEncoding())
    if (Operation *splat = keep(tensor::SplatOp::create(
            b, loc, type, get(tensorType.getElementType()), ValueRange())))
      return splat->getResult(0);
  bool isScalar = type.isIntOrIndexOrFloat();
  if (kind < (isScalar ? 80 : 35))
    if (Value value = constant(type))
      return value;
  return argument(type);
}

/// An element of a constant.
static Attribute elementAttribute(Type type, Random &random, bool computable) {
  Builder b(type.getContext());
  if (auto real = dyn_cast<FloatType>(type)) {
    bool special = !computable && random.chance(3);
    double value = special
                       ? random.pick({0.0, -0.0, 1e30, -1e-30,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()})
                       : random.real();
    // FloatAttr::get(type, double) wants a value of the type.
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return FloatAttr::get(real, number);
  }
  int64_t value = random.chance(computable ? 100 : 95)
                      ? random.below(3)
                      : random.pick({int64_t(-1), int64_t(100), int64_t(-100),
                                     std::numeric_limits<int64_t>::max(),
                                     std::numeric_limits<int64_t>::min()});
  unsigned width = type.isIndex() ? 64 : cast<IntegerType>(type).getWidth();
  return IntegerAttr::get(type,
                          llvm::APInt(64, value, true).sextOrTrunc(width));
}

Value ModuleBuilder::constant(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  Type scalar = shaped ? shaped.getElementType() : type;
  bool isPlain = isa<FloatType, IndexType>(scalar) ||
                 (isa<IntegerType>(scalar) && scalar.isSignlessInteger());
  if (!isPlain || (shaped && !shaped.hasStaticShape()))
    return nullptr;
  auto next = [&] {
    return elementAttribute(scalar, random, options.computable);
  };
  TypedAttr value;
  if (!shaped) {
    value = cast<TypedAttr>(next());
  } else {
    constexpr int64_t kMost = 2048;
    std::optional<int64_t> count = 1;
    for (int64_t extent : shaped.getShape())
      if (count && extent != 0 && *count > kMost / extent)
        count = std::nullopt;
      else if (count)
        *count *= extent;
    bool isSplat = !count || random.chance(40);
    SmallVector<Attribute> values;
    for (int64_t i = 0, n = isSplat ? 1 : *count; i < n; ++i)
      values.push_back(next());
    value = DenseElementsAttr::get(shaped, values);
  }
  return keep(arith::ConstantOp::create(b, loc, value))->getResult(0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Attribute ModuleBuilder::oddAttribute(Attribute attribute) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return b.getF64FloatAttr(
        random.pick({0.0, -1.0, 1.0, 1e300, 1e-300, 0.5,
                     std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::quiet_NaN()}));
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return b.getI64IntegerAttr(
        random.pick({int64_t(0), int64_t(-1), int64_t(1), int64_t(2),
                     int64_t(7), int64_t(1) << 33, kLargest, -kLargest - 1}));
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    SmallVector<int64_t> values(array.asArrayRef());
    if (!values.empty())
      random.chance(50) ? values.pop_back()
                        : void(values[random.below(values.size())] =
                                   random.pick({-2, -1, 0, 1, 1 << 20}));
    return b.getDenseI64ArrayAttr(values);
  }
  return b.getI64IntegerAttr(3);
}

void ModuleBuilder::damage(SmallVector<Values> &groups, Attributes &attributes,
                           bool hasSegments) {
  switch (random.below(4)) {
  case 0: // another operand, of any type
    if (Value other = any([](Type) { return true; }))
      for (int tries = 0; tries < 4 && !groups.empty(); ++tries)
        if (Values &group = groups[random.below(groups.size())];
            !group.empty()) {
          group[random.below(group.size())] = other;
          return;
        }
    return;
  case 1: { // an operand of almost the same type
    if (groups.empty())
      return;
    Values &group = groups[random.below(groups.size())];
    if (group.empty())
      return;
    auto type = dyn_cast<RankedTensorType>(group.back().getType());
    if (!type)
      return;
    Shape shape(type.getShape());
    if (shape.empty() || random.chance(20))
      shape.push_back(size());
    else if (random.chance(20))
      shape.pop_back();
    else
      shape[random.below(shape.size())] = size();
    group.back() = get(
        tensor(shape, random.chance(75) ? type.getElementType() : element()));
    return;
  }
  case 2: // one operand more or less; the inference of types needs the first
    if (groups.empty())
      return;
    if (Values &group = groups[random.below(groups.size())];
        group.size() > 1 && random.chance(50))
      group.pop_back();
    else if (!group.empty() && (group.size() > 1 || !hasSegments))
      group.push_back(group.back());
    return;
  default: // another attribute
    if (attributes.empty())
      return;
    NamedAttribute &attribute = attributes[random.below(attributes.size())];
    attribute.setValue(oddAttribute(attribute.getValue()));
    return;
  }
}

Operation *ModuleBuilder::op(StringRef name, ArrayRef<Values> operands,
                             Attributes attributes,
                             std::optional<TypeRange> results) {
  SmallVector<Values> groups(operands);
  OperationState state(loc, name);
  std::optional<RegisteredOperationName> registered =
      state.name.getRegisteredInfo();
  if (!registered)
    llvm::report_fatal_error("no operation named " + Twine(name));
  bool hasSegments = registered->hasTrait<OpTrait::AttrSizedOperandSegments>();
  if (random.chance(options.computable ? 3 : 12))
    damage(groups, attributes, hasSegments);
  for (int64_t i = random.below(wildness); i > 0; --i)
    damage(groups, attributes, hasSegments);
  SmallVector<int32_t> segments;
  for (const Values &group : groups) {
    state.addOperands(group);
    segments.push_back(group.size());
  }
  if (hasSegments)
    attributes.push_back(
        named("operandSegmentSizes", b.getDenseI32ArrayAttr(segments)));
  if (results) {
    state.addTypes(*results);
  } else {
    auto *inference = registered->getInterface<InferTypeOpInterface>();
    SmallVector<Type> types;
    if (inference) {
      if (failed(inference->inferReturnTypes(
              b.getContext(), loc, state.operands,
              b.getDictionaryAttr(attributes), nullptr, {}, types))) {
        if (options.count)
          options.count(name, false);
        return nullptr;
      }
    } else if (!state.operands.empty()) {
      types.push_back(state.operands.front().getType());
    }
    state.addTypes(types);
  }
  state.addAttributes(attributes);
  return keep(b.create(state));
}

Operation *ModuleBuilder::keep(Operation *built) {
  bool accepted = isWritable(built) && succeeded(verify(built));
  if (options.count)
    options.count(built->getName().getStringRef(), accepted);
  if (!accepted) {
    built->erase();
    return nullptr;
  }
  llvm::append_range(pool, built->getResults());
  return built;
}

void ModuleBuilder::inside(Block &block, function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&block);
  // Arguments of the function that are added meanwhile are in front.
  int64_t behind = pool.size();
  int64_t before = current.getBody().empty() ? 0 : current.getNumArguments();
  if (!current.getBody().empty())
    before = current.front().getNumArguments();
  llvm::append_range(pool, block.getArguments());
  ++nesting;
  body();
  --nesting;
  int64_t added = current.front().getNumArguments() - before;
  pool.resize(behind + added);
}

void ModuleBuilder::steps(int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    step();
}
