//===- LinalgSteps.cpp - generic and named linalg operations --------------===//
#include "tools/fuzz/ModuleBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

//===----------------------------------------------------------------------===//
// Scalar bodies
//===----------------------------------------------------------------------===//

/// A scalar of `type`: an argument of the body, a value from outside, an
/// operation on scalars, an element of a tensor from outside, an index.
Value ModuleBuilder::scalar(Type type, int64_t depth, int64_t loops) {
  auto there = [&]() -> Value {
    return any([&](Type other) { return other == type; });
  };
  if (depth <= 0 || random.chance(30))
    if (Value value = there())
      return value;
  if (type.isIndex() && loops > 0 && random.chance(60))
    return keep(linalg::IndexOp::create(b, loc, random.below(loops)))
        ->getResult(0);
  if (depth > 0 && random.chance(15)) {
    Value table = any([&](Type other) {
      auto tensor = dyn_cast<RankedTensorType>(other);
      return tensor && tensor.getElementType() == type;
    });
    if (table) {
      Values indices;
      for (int64_t extent : cast<RankedTensorType>(table.getType()).getShape())
        indices.push_back(options.computable || random.chance(40)
                              ? index(random.below(extent))
                              : scalar(b.getIndexType(), depth - 1, loops));
      return keep(tensor::ExtractOp::create(b, loc, table, indices))
          ->getResult(0);
    }
  }
  if (depth > 0 && type.isIntOrIndexOrFloat() && random.chance(80)) {
    // Operands that are there, mostly.
    if (Value value = elementwise(type))
      return value;
  }
  if (Value value = there())
    return value;
  return get(type);
}

void ModuleBuilder::scalarBody(Block &block, TypeRange types,
                               StringRef terminator, int64_t loops) {
  inside(block, [&] {
    Values yielded;
    for (Type type : types)
      yielded.push_back(scalar(type, random.below(4), loops));
    OperationState state(loc, terminator);
    state.addOperands(yielded);
    b.create(state);
  });
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

void ModuleBuilder::genericStep() {
  int64_t loops = random.pick({0, 1, 1, 2, 2, 2, 3, 3, 4});
  Shape extents = shape(loops);
  AffineExpr zero = b.getAffineConstantExpr(0);

  // An operand: its map and, from that, its shape.
  SmallVector<AffineMap> maps;
  Values operands;
  auto add = [&](ArrayRef<AffineExpr> results, ArrayRef<int64_t> shape) {
    maps.push_back(AffineMap::get(loops, 0, results, b.getContext()));
    operands.push_back(get(tensor(shape, element())));
  };
  auto some = [&](bool isInput) {
    SmallVector<AffineExpr> results;
    Shape shape;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, loops));
    if (random.chance(25))
      random.shuffle(order);
    for (int64_t loop : order) {
      if (random.chance(25))
        continue;
      results.push_back(b.getAffineDimExpr(loop));
      shape.push_back(extents[loop]);
      // A sum of two loops, as in convolutions.
      int64_t other = random.below(loops);
      if (isInput && other != loop && random.chance(7) && extents[loop] > 0 &&
          extents[other] > 0 && extents[loop] <= INT64_MAX - extents[other]) {
        results.back() = results.back() + b.getAffineDimExpr(other);
        shape.back() = extents[loop] + extents[other] - 1;
      }
      if (isInput && random.chance(2)) {
        results.back() = results.back().floorDiv(2);
        shape.back() = extents[loop];
      }
    }
    if (isInput && random.chance(5)) {
      results.push_back(zero);
      shape.push_back(random.pick({1, 1, 2}));
    }
    if (random.chance(2) && !results.empty()) { // the diagonal
      results.push_back(results.front());
      shape.push_back(shape.front());
    }
    add(results, shape);
  };

  int64_t inputs = random.pick({0, 1, 1, 2, 2, 3});
  int64_t outputs = random.pick({1, 1, 1, 1, 2, 2, 3});
  for (int64_t i = 0; i < inputs; ++i)
    some(true);
  for (int64_t i = 0; i < outputs; ++i) {
    // Several results mostly have one map.
    if (i > 0 && random.chance(70)) {
      AffineMap map = maps.back();
      auto type = cast<RankedTensorType>(operands.back().getType());
      maps.push_back(map);
      operands.push_back(get(tensor(type.getShape(), element())));
    } else {
      some(false);
    }
  }
  // A loop that no operand shows needs one: its extent is unknown otherwise.
  SmallVector<bool> shown(loops, false);
  for (AffineMap map : maps)
    for (AffineExpr result : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        shown[dim.getPosition()] = true;
  if (llvm::is_contained(shown, false) && random.chance(95)) {
    SmallVector<AffineExpr> all;
    for (int64_t loop = 0; loop < loops; ++loop)
      all.push_back(b.getAffineDimExpr(loop));
    maps.insert(maps.begin(), AffineMap::get(loops, 0, all, b.getContext()));
    // Something whose shape alone counts, for example.
    operands.insert(operands.begin(), get(tensor(extents, element())));
    ++inputs;
  }

  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  for (int64_t loop = 0; loop < loops; ++loop)
    for (AffineMap map : ArrayRef(maps).drop_front(inputs))
      if (!map.isFunctionOfDim(loop))
        iterators[loop] = utils::IteratorType::reduction;
  if (!options.computable && loops > 0 && random.chance(3))
    iterators[random.below(loops)] = random.chance(50)
                                         ? utils::IteratorType::reduction
                                         : utils::IteratorType::parallel;

  ArrayRef<Value> all(operands);
  ValueRange outs(all.drop_front(inputs));
  auto generic = linalg::GenericOp::create(
      b, loc, outs.getTypes(), all.take_front(inputs), outs, maps, iterators);
  SmallVector<Type> scalars;
  for (Value operand : operands)
    scalars.push_back(getElementTypeOrSelf(operand.getType()));
  Block *block = b.createBlock(&generic.getRegion(), {}, scalars,
                               SmallVector<Location>(scalars.size(), loc));
  scalarBody(*block, ArrayRef(scalars).drop_front(inputs), "linalg.yield",
             loops);
  b.setInsertionPointAfter(generic);
  keep(generic);
}

//===----------------------------------------------------------------------===//
// Named operations
//===----------------------------------------------------------------------===//

void ModuleBuilder::namedStep() {
  auto of = [&](ArrayRef<int64_t> shape, Type type) {
    return get(tensor(shape, type));
  };
  auto static1 = [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? 1 : extent;
  };
  Type in = floatElement(), out = random.chance(80) ? in : floatElement();
  if (random.chance(15))
    in = out = element();
  if (!in.isIntOrFloat() || !out.isIntOrFloat())
    in = out = b.getF32Type();
  int64_t batch = size(), m = size(), n = size(), k = size();
  Shape any = shape();
  switch (random.below(20)) {
  case 0:
  case 1:
    return structured<linalg::MatmulOp>({of({m, k}, in), of({k, n}, in)},
                                        of({m, n}, out));
  case 2:
  case 3:
    return structured<linalg::BatchMatmulOp>(
        {of({batch, m, k}, in), of({batch, k, n}, in)}, of({batch, m, n}, out));
  case 4:
    return structured<linalg::MatvecOp>({of({m, k}, in), of({k}, in)},
                                        of({m}, out));
  case 5:
    return structured<linalg::VecmatOp>({of({k}, in), of({k, n}, in)},
                                        of({n}, out));
  case 6:
    return structured<linalg::DotOp>({of({k}, in), of({k}, in)}, of({}, out));
  case 7:
  case 8:
    return structured<linalg::FillOp>({get(in)}, of(any, out));
  case 9:
    return structured<linalg::AddOp>({of(any, in), of(any, in)}, of(any, in));
  case 10:
    return structured<linalg::MulOp>({of(any, in), of(any, in)}, of(any, in));
  case 11:
    if (isa<FloatType>(in))
      structured<linalg::DivOp>({of(any, in), of(any, in)}, of(any, in));
    return;
  case 12:
    if (isa<FloatType>(in))
      structured<linalg::ExpOp>({of(any, in)}, of(any, in));
    return;
  case 13:
    if (isa<FloatType>(in))
      structured<linalg::ErfOp>({of(any, in)}, of(any, in));
    return;
  case 14:
    return structured<linalg::CopyOp>({of(any, in)}, of(any, out));
  case 15: { // transpose; MLIR has no maps of one without dimensions
    if (any.empty())
      return;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, any.size()));
    random.shuffle(order);
    Shape transposed;
    for (int64_t dim : order)
      transposed.push_back(any[dim]);
    keep(linalg::TransposeOp::create(b, loc, of(any, in), of(transposed, in),
                                     order));
    return;
  }
  case 16: { // broadcast
    Shape wide = any;
    SmallVector<int64_t> added;
    if (!wide.empty()) {
      added.push_back(random.below(wide.size()));
      any.erase(any.begin() + added.front());
    }
    keep(linalg::BroadcastOp::create(b, loc, of(any, in), of(wide, in), added));
    return;
  }
  case 17: { // reduce
    if (any.empty() || nesting > 2)
      return;
    int64_t dim = random.below(any.size());
    Shape rest = any;
    rest.erase(rest.begin() + dim);
    Value input = of(any, in), init = of(rest, in);
    auto reduce =
        linalg::ReduceOp::create(b, loc, TypeRange(init.getType()), input, init,
                                 b.getDenseI64ArrayAttr({dim}));
    Block *block =
        b.createBlock(&reduce.getRegion(), {}, TypeRange{in, in}, {loc, loc});
    scalarBody(*block, in, "linalg.yield", 0);
    b.setInsertionPointAfter(reduce);
    keep(reduce);
    return;
  }
  case 18: { // map
    if (nesting > 2)
      return;
    Value input = of(any, in), init = of(any, in);
    auto map =
        linalg::MapOp::create(b, loc, TypeRange(init.getType()), input, init);
    Block *block =
        b.createBlock(&map.getMapper(), {}, TypeRange{in, in}, {loc, loc});
    scalarBody(*block, in, "linalg.yield", 0);
    b.setInsertionPointAfter(map);
    keep(map);
    return;
  }
  default: { // softmax
    if (any.empty() || !isa<FloatType>(in))
      return;
    for (int64_t &extent : any)
      extent = static1(extent);
    Value input = of(any, in), init = of(any, in);
    keep(linalg::SoftmaxOp::create(b, loc, TypeRange(init.getType()), input,
                                   init, random.below(any.size())));
    return;
  }
  }
}

void ModuleBuilder::linalgStep() {
  if (random.chance(55))
    genericStep();
  else
    namedStep();
}
