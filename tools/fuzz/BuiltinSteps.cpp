//===- BuiltinSteps.cpp - arith, math, tensor, scf and func operations ----===//
#include "tools/fuzz/ModuleBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    return shaped.clone(element);
  return element;
}

Value ModuleBuilder::comparison(Type type) {
  Type element = random.chance(60) ? floatElement() : b.getI64Type();
  Value lhs = get(withElement(type, element));
  Value rhs = get(lhs.getType());
  Operation *built =
      isa<FloatType>(element)
          ? arith::CmpFOp::create(
                b, loc, static_cast<arith::CmpFPredicate>(random.below(16)),
                lhs, rhs)
                .getOperation()
          : arith::CmpIOp::create(
                b, loc, static_cast<arith::CmpIPredicate>(random.below(10)),
                lhs, rhs)
                .getOperation();
  built = keep(built);
  return built ? built->getResult(0) : nullptr;
}

/// A value of `type` from one of another element type.
Value ModuleBuilder::conversion(Type type) {
  Type to = getElementTypeOrSelf(type);
  Type from = element();
  if (!from.isIntOrIndexOrFloat() || !to.isIntOrIndexOrFloat())
    return nullptr;
  StringRef name;
  if (isa<FloatType>(to) && isa<FloatType>(from)) {
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
      name = "arith.extf";
    else if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
      name = "arith.truncf";
    else
      return nullptr;
  } else if (isa<FloatType>(to)) {
    if (from.isIndex())
      return nullptr;
    name = random.pick({"arith.sitofp", "arith.uitofp"});
  } else if (isa<FloatType>(from)) {
    if (to.isIndex())
      return nullptr;
    name = random.pick({"arith.fptosi", "arith.fptoui"});
  } else if (from.isIndex() != to.isIndex()) {
    name = random.pick({"arith.index_cast", "arith.index_castui"});
  } else if (from.isIndex() ||
             from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth()) {
    return nullptr;
  } else {
    name = from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth()
               ? "arith.trunci"
               : random.pick({"arith.extsi", "arith.extui"});
  }
  if (options.computable && StringRef(name).contains("fpto"))
    return nullptr; // undefined outside the integer's range
  Operation *built =
      op(name, {{get(withElement(type, from))}}, {}, TypeRange(type));
  return built ? built->getResult(0) : nullptr;
}

Value ModuleBuilder::elementwise(Type type) {
  Type of = getElementTypeOrSelf(type);
  if (random.chance(15))
    if (Value converted = conversion(type))
      return converted;
  if (random.chance(10)) {
    Value condition = random.chance(30) ? get(b.getI1Type()) : comparison(type);
    if (condition && isa<IntegerType>(getElementTypeOrSelf(condition)))
      if (Operation *select =
              op("arith.select", {{condition}, {get(type)}, {get(type)}}, {},
                 TypeRange(type)))
        return select->getResult(0);
  }
  if (of.isInteger(1) && random.chance(60))
    if (Value compared = comparison(type))
      return compared;

  StringRef name;
  int64_t operands = 2;
  if (isa<FloatType>(of)) {
    if (random.chance(50)) {
      name = random.pick({"arith.addf", "arith.subf", "arith.mulf",
                          "arith.divf", "arith.maximumf", "arith.minimumf",
                          "arith.maxnumf", "arith.minnumf", "arith.remf",
                          "math.powf", "math.copysign", "math.atan2",
                          "arith.addf", "arith.mulf"});
    } else if (random.chance(8)) {
      name = "math.fma";
      operands = 3;
    } else {
      name = random.pick(
          {"math.exp",       "math.exp2",  "math.expm1", "math.log",
           "math.log2",      "math.log1p", "math.sqrt",  "math.rsqrt",
           "math.tanh",      "math.erf",   "math.sin",   "math.cos",
           "math.absf",      "math.floor", "math.ceil",  "math.round",
           "math.roundeven", "math.trunc", "arith.negf", "math.cbrt",
           "math.tan",       "math.sinh"});
      operands = 1;
    }
  } else {
    name =
        random.pick({"arith.addi", "arith.subi", "arith.muli", "arith.andi",
                     "arith.ori", "arith.xori", "arith.maxsi", "arith.minsi",
                     "arith.maxui", "arith.minui", "arith.addi", "arith.muli"});
    // Division by zero and wide shifts have no defined result.
    if (!options.computable && random.chance(30))
      name = random.pick({"arith.divsi", "arith.divui", "arith.remsi",
                          "arith.remui", "arith.floordivsi", "arith.ceildivsi",
                          "arith.ceildivui", "arith.shli", "arith.shrsi",
                          "arith.shrui"});
    if (!options.computable && random.chance(10)) {
      name = random.pick({"math.absi", "math.ctpop", "math.ctlz"});
      operands = 1;
    }
  }
  Operation *built = op(name, {get(operands, type)}, {}, TypeRange(type));
  return built ? built->getResult(0) : nullptr;
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

void ModuleBuilder::sliceStep() {
  auto source = anyTensor();
  RankedTensorType type = source.getType();
  if (!type.hasStaticShape() || type.getEncoding())
    return;
  SmallVector<OpFoldResult> offsets, lengths, strides;
  Shape sliced;
  for (int64_t extent : type.getShape()) {
    int64_t stride = random.chance(80) ? 1 : random.between(1, 2);
    int64_t offset = random.chance(50) ? 0 : random.below(extent);
    int64_t most = (extent - offset + stride - 1) / stride;
    int64_t length = random.chance(40)
                         ? most
                         : random.between(options.computable ? 1 : 0, most);
    if (extent == 0)
      length = 0;
    offsets.push_back(b.getIndexAttr(offset));
    lengths.push_back(b.getIndexAttr(length));
    strides.push_back(b.getIndexAttr(stride));
    sliced.push_back(length);
  }
  // A slice whose place is known at run time alone.
  if (!offsets.empty() && random.chance(options.computable ? 10 : 20))
    offsets[random.below(offsets.size())] =
        options.computable ? index(0) : get(b.getIndexType());
  RankedTensorType part = RankedTensorType::get(sliced, type.getElementType());
  if (random.chance(25) && llvm::is_contained(sliced, 1))
    part = tensor::ExtractSliceOp::inferCanonicalRankReducedResultType(
        random.below(sliced.size() + 1), type, ArrayRef<OpFoldResult>(lengths));
  if (random.chance(50))
    keep(tensor::ExtractSliceOp::create(b, loc, part, source, offsets, lengths,
                                        strides));
  else
    keep(tensor::InsertSliceOp::create(b, loc, get(part), source, offsets,
                                       lengths, strides));
}

void ModuleBuilder::reshapeStep() {
  auto source = anyTensor();
  RankedTensorType type = source.getType();
  if (type.getEncoding() && random.chance(80))
    return;
  int64_t rank = type.getRank();
  if (random.chance(50) && rank > 0) {
    // Neighbours become one dimension.
    SmallVector<ReassociationIndices> groups;
    Shape collapsed;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (groups.empty() || random.chance(50)) {
        groups.emplace_back();
        collapsed.push_back(1);
      }
      groups.back().push_back(dim);
      int64_t extent = type.getDimSize(dim);
      if (ShapedType::isDynamic(extent) ||
          ShapedType::isDynamic(collapsed.back()))
        collapsed.back() = ShapedType::kDynamic;
      else if (llvm::MulOverflow(collapsed.back(), extent, collapsed.back()))
        return;
    }
    if (llvm::all_of(type.getShape(), [](int64_t s) { return s == 1; }) &&
        random.chance(30)) {
      groups.clear();
      collapsed.clear();
    }
    keep(tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(collapsed, type.getElementType()), source,
        groups));
    return;
  }
  if (!type.hasStaticShape())
    return;
  SmallVector<ReassociationIndices> groups;
  Shape expanded;
  for (int64_t extent : type.getShape()) {
    groups.emplace_back();
    int64_t left = extent;
    for (int64_t factor : {2, 3, 1})
      if (left > 0 && left % factor == 0 && random.chance(30)) {
        groups.back().push_back(expanded.size());
        expanded.push_back(factor);
        left /= factor;
      }
    groups.back().push_back(expanded.size());
    expanded.push_back(left);
  }
  if (type.getRank() == 0)
    expanded.assign(random.between(1, 2), 1);
  keep(tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(expanded, type.getElementType()), source,
      groups));
}

void ModuleBuilder::tensorStep() {
  auto source = anyTensor();
  RankedTensorType type = source.getType();
  auto position = [&](RankedTensorType of) {
    Values indices;
    for (int64_t extent : of.getShape())
      indices.push_back(options.computable || random.chance(70)
                            ? index(random.below(extent))
                            : get(b.getIndexType()));
    return indices;
  };
  switch (random.below(11)) {
  case 0:
  case 1:
    return sliceStep();
  case 2:
  case 3:
    return reshapeStep();
  case 4: {
    if (type.getRank() == 0)
      return;
    int64_t dim = random.below(type.getRank());
    Shape other(type.getShape());
    other[dim] = size();
    Value second = get(RankedTensorType::get(other, type.getElementType()));
    Values inputs{source, second};
    if (random.chance(30))
      inputs.push_back(source);
    for (Value input : inputs)
      if (!cast<RankedTensorType>(input.getType()).hasStaticShape() ||
          cast<RankedTensorType>(input.getType()).getEncoding())
        return;
    keep(tensor::ConcatOp::create(b, loc, dim, inputs));
    return;
  }
  case 5: {
    SmallVector<OpFoldResult> low, high;
    Shape padded;
    for (int64_t extent : type.getShape()) {
      int64_t before = random.below(3), after = random.below(3);
      low.push_back(b.getIndexAttr(before));
      high.push_back(b.getIndexAttr(after));
      padded.push_back(ShapedType::isDynamic(extent) ? extent
                                                     : extent + before + after);
    }
    Value value = get(type.getElementType());
    if (!value || type.getEncoding())
      return;
    auto pad = tensor::PadOp::create(
        b, loc, RankedTensorType::get(padded, type.getElementType()), source,
        low, high, random.chance(20));
    Block *block =
        b.createBlock(&pad.getRegion(), {},
                      SmallVector<Type>(type.getRank(), b.getIndexType()),
                      SmallVector<Location>(type.getRank(), loc));
    b.setInsertionPointToEnd(block);
    tensor::YieldOp::create(b, loc, value);
    b.setInsertionPointAfter(pad);
    keep(pad);
    return;
  }
  case 6:
    if (Value extracted = source; type.getRank() > 0 || random.chance(50))
      keep(tensor::ExtractOp::create(b, loc, extracted, position(type)));
    return;
  case 7:
    keep(tensor::InsertOp::create(b, loc, get(type.getElementType()), source,
                                  position(type)));
    return;
  case 8: {
    Shape small{random.between(1, 3)};
    Type of = element();
    keep(tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get(small, of), get(small[0], of)));
    return;
  }
  case 9: {
    RankedTensorType generated = RankedTensorType::get(shape(), element());
    if (!generated.hasStaticShape())
      return;
    auto op = tensor::GenerateOp::create(b, loc, generated, ValueRange());
    Block *block =
        b.createBlock(&op.getBody(), {},
                      SmallVector<Type>(generated.getRank(), b.getIndexType()),
                      SmallVector<Location>(generated.getRank(), loc));
    scalarBody(*block, generated.getElementType(), "tensor.yield", 0);
    b.setInsertionPointAfter(op);
    keep(op);
    return;
  }
  default: {
    if (options.computable)
      return;
    // Extents, casts to and from what is not known, reshapes by a tensor.
    switch (random.below(5)) {
    case 0:
      op("tensor.dim", {{source}, {get(b.getIndexType())}}, {},
         TypeRange(b.getIndexType()));
      return;
    case 1: {
      Shape unknown(type.getShape());
      for (int64_t &extent : unknown)
        if (random.chance(60))
          extent = ShapedType::kDynamic;
      op("tensor.cast", {{source}}, {},
         TypeRange(RankedTensorType::get(unknown, type.getElementType(),
                                         type.getEncoding())));
      return;
    }
    case 2:
      op("tensor.cast", {{source}}, {},
         TypeRange(UnrankedTensorType::get(type.getElementType())));
      return;
    case 3:
      op("tensor.bitcast", {{source}}, {}, TypeRange(type.clone(element())));
      return;
    default: {
      Shape target = shape();
      op("tensor.reshape",
         {{source},
          {get(RankedTensorType::get({static_cast<int64_t>(target.size())},
                                     b.getIndexType()))}},
         {}, TypeRange(RankedTensorType::get(target, type.getElementType())));
      return;
    }
    }
  }
  }
}

//===----------------------------------------------------------------------===//
// scf and func
//===----------------------------------------------------------------------===//

void ModuleBuilder::controlStep() {
  if (nesting > 2)
    return;
  SmallVector<Type> types;
  for (int64_t i = random.below(3); i > 0; --i)
    types.push_back(random.chance(70) ? Type(anyTensor().getType())
                                      : odd(element()));
  Values inits;
  for (Type type : types)
    inits.push_back(get(type));
  auto body = [&](Block &block) {
    inside(block, [&] {
      steps(random.between(0, 3));
      Values yielded;
      for (Type type : types)
        yielded.push_back(get(type));
      scf::YieldOp::create(b, loc, yielded);
    });
  };

  Operation *built = nullptr;
  int64_t kind = random.below(10);
  if (kind < 5) {
    // A constant that is there may be large, and interpreting takes long.
    Value upper = options.computable || random.chance(80)
                      ? index(random.below(4))
                      : argument(b.getIndexType());
    auto loop = scf::ForOp::create(b, loc, index(0), upper,
                                   index(random.between(1, 2)), inits);
    // Without carried values the builder ends the body itself.
    if (inits.empty())
      loop.getBody()->getTerminator()->erase();
    body(*loop.getBody());
    built = loop;
  } else if (kind < 9 || options.computable) {
    auto branch = scf::IfOp::create(b, loc, types, get(b.getI1Type()), true);
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      if (!region->front().empty())
        region->front().getTerminator()->erase();
      body(region->front());
    }
    built = branch;
  } else {
    auto loop = scf::WhileOp::create(b, loc, types, inits);
    SmallVector<Location> locations(types.size(), loc);
    Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
    inside(*before, [&] {
      Values passed;
      for (Type type : types)
        passed.push_back(get(type));
      scf::ConditionOp::create(b, loc, get(b.getI1Type()), passed);
    });
    Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
    body(*after);
    built = loop;
  }
  b.setInsertionPointAfter(built);
  keep(built);
}

void ModuleBuilder::callStep() {
  if (functions.empty())
    return;
  func::FuncOp callee = random.pick(functions);
  if (options.computable && callee.isDeclaration())
    return;
  Values operands;
  for (Type type : callee.getArgumentTypes())
    operands.push_back(get(type));
  keep(func::CallOp::create(b, loc, callee, operands));
}

void ModuleBuilder::builtinStep() {
  int64_t kind = random.below(100);
  if (kind < 45) {
    Type type = random.chance(70)
                    ? Type(anyTensor().getType())
                    : (random.chance(50) ? Type(tensor(shape(), element()))
                                         : element());
    if (getElementTypeOrSelf(type).isIntOrIndexOrFloat())
      elementwise(type);
    return;
  }
  if (kind < 80)
    return tensorStep();
  if (kind < 92)
    return controlStep();
  if (kind < 97 || options.computable)
    return callStep();
  // Memory.
  auto type = MemRefType::get(shape(2), element());
  if (!type.hasStaticShape() || !BaseMemRefType::isValidElementType(element()))
    return;
  switch (random.below(3)) {
  case 0:
    keep(memref::AllocOp::create(b, loc, type));
    return;
  case 1:
    op("memref.load", {{get(type)}, get(2, b.getIndexType())}, {},
       TypeRange(type.getElementType()));
    return;
  default:
    keep(bufferization::ToTensorOp::create(
        b, loc, RankedTensorType::get(type.getShape(), type.getElementType()),
        get(type), true));
    return;
  }
}
