//===- AttnresSteps.cpp - operations of the attnres dialect ---------------===//
#include "tools/fuzz/ModuleBuilder.h"

#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

static NamedAttribute epsOf(OpBuilder &b, fuzz::Random &random) {
  return b.getNamedAttr(
      "eps", b.getF64FloatAttr(random.pick({1e-3, 1e-5, 1e-6, 1.0})));
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

void ModuleBuilder::depthStep() {
  Shape rows = shape(random.pick({0, 1, 1, 2, 2, 3}));
  int64_t width = size();
  RankedTensorType row = tensor(with(rows, width), storage()), stat = f32(rows),
                   vector = f32({width});
  int64_t numSources = random.between(1, 4);
  if (!options.computable && random.chance(3)) {
    // Any number of sources, as kernels take them.
    Type rowList = ListType::get(b.getContext(), row),
         vectorList = ListType::get(b.getContext(), vector);
    if (random.chance(50))
      op("attnres.depth_attention",
         {get(1, vectorList), get(1, vectorList), get(1, rowList)},
         {epsOf(b, random)});
    else
      op("attnres.static_mix", {get(1, f32({numSources})), get(1, rowList)});
    return;
  }
  Values sources = get(numSources, row);
  NamedAttribute eps = epsOf(b, random);
  Attributes partials{eps};
  if (random.chance(15))
    partials.push_back(integer("partials", random.between(1, 4)));
  Values accumulators = random.chance(30) ? get(numSources, row) : Values();
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2: {
    int64_t queries = random.pick({1, 1, 1, 2, 3});
    op("attnres.depth_attention",
       {get(queries, vector), get(queries, vector), sources}, {eps});
    return;
  }
  case 3: {
    int64_t queries = random.pick({1, 1, 2});
    op("attnres.depth_attention_backward",
       {get(queries, vector), get(queries, vector), sources, get(queries, stat),
        get(queries, row), random.chance(50) ? get(queries, stat) : Values(),
        accumulators},
       partials);
    return;
  }
  case 4:
    op("attnres.depth_merge",
       {{get(row)}, {get(stat)}, {get(vector)}, {get(vector)}, sources}, {eps});
    return;
  case 5:
    op("attnres.depth_merge_backward",
       {{get(row)},
        {get(stat)},
        {get(vector)},
        {get(vector)},
        sources,
        {get(stat)},
        {get(row)},
        random.chance(50) ? get(1, stat) : Values(),
        accumulators},
       partials);
    return;
  case 6:
    op("attnres.depth_weights", {{get(vector)}, {get(vector)}, sources}, {eps});
    return;
  case 7:
    if (random.chance(60))
      op("attnres.merge_states",
         {{get(row)}, {get(stat)}, {get(row)}, {get(stat)}});
    else
      op("attnres.merge_states_backward",
         {{get(row)},
          {get(stat)},
          {get(row)},
          {get(stat)},
          {get(stat)},
          {get(row)},
          random.chance(50) ? get(1, stat) : Values()});
    return;
  case 8:
    if (random.chance(70))
      op("attnres.static_mix", {get(1, f32({numSources})), sources});
    else
      op("attnres.static_weights", {get(1, f32({numSources}))});
    return;
  default:
    partials.erase(partials.begin());
    op("attnres.static_mix_backward",
       {get(1, f32({numSources})), sources, get(1, row), accumulators},
       partials);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Sequence attention, rotation, caches
//===----------------------------------------------------------------------===//

void ModuleBuilder::attentionStep() {
  int64_t batch = size(), tokens = size(), positions = size();
  int64_t keyHeads = random.between(1, 2),
          heads = keyHeads * random.between(1, 3), width = size(),
          valueWidth = random.chance(70) ? width : size();
  Type of = storage();
  RankedTensorType q = tensor({batch, tokens, heads, width}, of),
                   k = tensor({batch, positions, keyHeads, width}, of),
                   v = tensor({batch, positions, keyHeads, valueWidth}, of),
                   o = tensor({batch, tokens, heads, valueWidth}, of),
                   stat = f32({batch, tokens, heads}), starts = i64({batch});
  // Places inside the cache, as the interpreter wants them.
  auto start = [&]() -> Value {
    if (!options.computable)
      return get(starts);
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(starts, b.getI64IntegerAttr(0)));
  };
  Attributes attributes;
  if (random.chance(60))
    attributes.push_back(unit("causal"));
  if (random.chance(30))
    attributes.push_back(real("scale", random.pick({0.5, 1.0, 0.0, -2.0})));
  switch (random.below(6)) {
  case 0:
  case 1: {
    Values place;
    if (random.chance(20)) {
      place.push_back(start());
      if (llvm::none_of(attributes, [](NamedAttribute a) {
            return a.getName() == "causal";
          }))
        attributes.push_back(unit("causal"));
    }
    op("attnres.attention", {{get(q)}, {get(k)}, {get(v)}, place}, attributes);
    return;
  }
  case 2:
    op("attnres.attention_backward",
       {{get(q)},
        {get(k)},
        {get(v)},
        {get(o)},
        {get(stat)},
        {get(o)},
        random.chance(40) ? get(1, stat) : Values()},
       attributes);
    return;
  case 3: {
    int64_t extent = random.chance(80) && width > 0 && width <= INT64_MAX / 2
                         ? 2 * width
                         : width;
    RankedTensorType x = tensor({batch, tokens, heads, extent}, of);
    Attributes rope{real("theta", random.pick({1e4, 1e2, 1.0})),
                    integer("offset", random.chance(80) ? 0 : 3)};
    Values table, place;
    int64_t rows = tokens;
    if (random.chance(30)) {
      place.push_back(start());
      rows = std::max(tokens, positions);
      rope.push_back(integer("positions", rows));
    }
    if (random.chance(20))
      table.push_back(get(f32({rows, extent})));
    if (random.chance(30))
      rope.push_back(unit("inverse"));
    op("attnres.rope", {{get(x)}, table, place}, rope);
    return;
  }
  case 4: {
    RankedTensorType cache =
        tensor({batch, std::max(tokens, positions), keyHeads, width}, of);
    Values length;
    if (random.chance(50))
      length.push_back(start());
    op("attnres.cache_write",
       {{get(cache)},
        {get(tensor({batch, tokens, keyHeads, width}, of))},
        {start()},
        length});
    return;
  }
  default: {
    Shape x{batch, tokens};
    llvm::append_range(x, shape(random.below(3)));
    op("attnres.select_token", {{get(tensor(x, of))}, {start()}});
    return;
  }
  }
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void ModuleBuilder::layerStep() {
  Shape rows = shape(random.pick({0, 1, 1, 2, 2, 3}));
  int64_t width = size(), columns = size();
  Type of = storage();
  RankedTensorType row = tensor(with(rows, width), of), vector = f32({width}),
                   weight = tensor({columns, width}, storage());
  NamedAttribute eps = epsOf(b, random);
  Attributes partials;
  if (random.chance(15))
    partials.push_back(integer("partials", random.between(1, 4)));
  switch (random.below(14)) {
  case 0:
  case 1:
    op("attnres.rms_norm", {{get(row)}, {get(vector)}}, {eps});
    return;
  case 2:
    partials.push_back(eps);
    op("attnres.rms_norm_backward", {{get(row)}, {get(vector)}, {get(row)}},
       partials);
    return;
  case 3:
    op("attnres.layer_norm", {{get(row)}, {get(vector)}, {get(vector)}}, {eps});
    return;
  case 4:
    partials.push_back(eps);
    op("attnres.layer_norm_backward", {{get(row)}, {get(vector)}, {get(row)}},
       partials);
    return;
  case 5:
  case 6:
    op("attnres.linear",
       {{get(row)},
        {get(weight)},
        random.chance(40) ? get(1, f32({columns})) : Values()});
    return;
  case 7:
  case 8: {
    bool left = random.chance(40), right = random.chance(40);
    int64_t inner = size();
    Shape lhs = left ? Shape{inner, width} : with(rows, inner);
    Shape rhs = right ? Shape{columns, inner} : Shape{inner, columns};
    Shape result = left ? Shape{width, columns} : with(rows, columns);
    RankedTensorType type = tensor(result, storage());
    Attributes attributes;
    if (left)
      attributes.push_back(unit("transpose_lhs"));
    if (right)
      attributes.push_back(unit("transpose_rhs"));
    op("attnres.matmul",
       {{get(tensor(lhs, of))},
        {get(tensor(rhs, storage()))},
        random.chance(30) ? get(1, type) : Values()},
       attributes, TypeRange(type));
    return;
  }
  case 9:
    op("attnres.sum_rows", {{get(row)}}, partials);
    return;
  case 10:
    op("attnres.swiglu", {{get(row)}, {get(row)}}, {}, TypeRange(row));
    return;
  case 11:
    op("attnres.swiglu_backward", {{get(row)}, {get(row)}, {get(row)}});
    return;
  case 12:
    op("attnres.gelu", {{get(row)}}, {}, TypeRange(row));
    return;
  default:
    op("attnres.gelu_backward", {{get(row)}, {get(row)}}, {}, TypeRange(row));
    return;
  }
}

void ModuleBuilder::lossStep() {
  Shape rows = shape(random.pick({0, 1, 1, 2, 2}));
  int64_t width = size(), classes = std::max<int64_t>(size(), 3);
  Type of = storage();
  RankedTensorType x = tensor(with(rows, width), of),
                   logits = tensor(with(rows, classes), of),
                   table = tensor({classes, width}, of), tokens = i64(rows),
                   stat = f32(rows), number = f32({});
  Attributes attributes;
  if (random.chance(20))
    attributes.push_back(
        integer("ignore_index", random.pick({-100, 0, 1, -1})));
  switch (random.below(9)) {
  case 0:
  case 1:
    op("attnres.embedding", {{get(tokens)}, {get(table)}});
    return;
  case 2:
    op("attnres.embedding_backward", {{get(tokens)}, {get(x)}},
       {integer("vocab_size", classes)});
    return;
  case 3:
    op("attnres.cross_entropy", {{get(logits)}, {get(tokens)}}, attributes);
    return;
  case 4:
    op("attnres.linear_cross_entropy", {{get(x)}, {get(table)}, {get(tokens)}},
       attributes);
    return;
  case 5:
    op("attnres.linear_cross_entropy_backward",
       {{get(x)}, {get(table)}, {get(tokens)}, {get(stat)}, {get(number)}},
       attributes);
    return;
  case 6:
    op("attnres.cross_entropy_rows", {{get(logits)}, {get(tokens)}},
       attributes);
    return;
  case 7:
    op("attnres.cross_entropy_rows_backward",
       {{get(logits)},
        {get(tokens)},
        {get(stat)},
        {get(number)},
        random.chance(40) ? get(1, stat) : Values()},
       attributes);
    return;
  default:
    if (random.chance(50))
      op("attnres.live_mean", {{get(stat)}, {get(tokens)}}, attributes);
    else
      op("attnres.live_scale", {{get(number)}, {get(tokens)}}, attributes);
    return;
  }
}

void ModuleBuilder::optimizerStep() {
  RankedTensorType x = f32(shape()), number = f32({});
  switch (random.below(6)) {
  case 0: {
    Attributes partials;
    if (random.chance(30))
      partials.push_back(integer("partials", random.between(1, 4)));
    op("attnres.sum_squares", {{get(x)}}, partials);
    return;
  }
  case 1: {
    Attributes limit;
    if (random.chance(50))
      limit.push_back(real("max_norm", 1.0));
    op("attnres.clip_scale", {{get(number), get(f32({random.between(1, 3)}))}},
       limit);
    return;
  }
  case 2: {
    Attributes attributes{real("beta", 0.95)};
    if (random.chance(50))
      attributes.push_back(unit("nesterov"));
    op("attnres.momentum", {{get(x)}, {get(x)}, {get(number)}}, attributes);
    return;
  }
  case 3: {
    int64_t matrices = random.between(1, 3);
    op("attnres.orthogonalize",
       {{get(f32({matrices, random.between(1, 4), random.between(1, 4)}))}},
       {integer("matrices", matrices), integer("steps", 1)});
    return;
  }
  case 4:
    op("attnres.descend", {{get(x)}, {get(x)}, {get(number)}},
       {real("factor", 0.5), real("weight_decay", 0.1)});
    return;
  default:
    op("attnres.adamw",
       {{get(x)},
        {get(x)},
        {get(x)},
        {get(x)},
        {get(number)},
        {get(number)},
        {get(number)}},
       {real("beta1", 0.9), real("beta2", 0.95), real("eps", 1e-8),
        real("weight_decay", 0.1)});
    return;
  }
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

void ModuleBuilder::stackStep() {
  if (nesting > 1)
    return;
  RankedTensorType type =
      tensor(with(shape(random.pick({0, 1, 2, 2})), size()), storage());
  auto mode = static_cast<StackMode>(random.below(4));
  int64_t count = random.between(0, 5);
  if (mode == StackMode::Static && random.chance(95))
    count -= count % 2;
  Values queries, gains, weights;
  RankedTensorType vector = f32({type.getShape().back()});
  bool attends = mode == StackMode::Full || mode == StackMode::Block;
  if (attends) {
    queries = get(count + random.below(2), vector);
    gains = get(queries.size(), vector);
  }
  if (mode == StackMode::Static)
    for (int64_t i = 0; i < count / 2; ++i)
      weights.push_back(get(f32({i + 1})));
  Value input = get(type);

  // The sublayers first, inside an operation that is there, since verifiers
  // look at what is around: what they yield besides decides the results.
  OperationState holding(loc, "attnres.stack");
  for (int64_t i = 0; i < count; ++i)
    holding.addRegion();
  Operation *holder = b.create(holding);
  SmallVector<Type> others;
  for (Region &region : holder->getRegions()) {
    Block &block = region.emplaceBlock();
    block.addArgument(type, loc);
    inside(block, [&] {
      steps(random.between(0, 3));
      Values yielded{get(type)};
      if (random.chance(8))
        yielded.push_back(get(tensor(shape(), storage())));
      llvm::append_range(others, TypeRange(ValueRange(yielded).drop_front()));
      OperationState yield(loc, "attnres.yield");
      yield.addOperands(yielded);
      b.create(yield);
    });
  }
  OperationState state(loc, "attnres.stack");
  for (Region &region : holder->getRegions())
    state.addRegion()->takeBody(region);
  holder->erase();
  state.addOperands(input);
  state.addOperands(queries);
  state.addOperands(gains);
  state.addOperands(weights);
  state.addTypes(type);
  state.addTypes(others);
  state.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({1, static_cast<int32_t>(queries.size()),
                              static_cast<int32_t>(gains.size()),
                              static_cast<int32_t>(weights.size())}));
  state.addAttribute("mode", StackModeAttr::get(b.getContext(), mode));
  if (attends)
    state.addAttribute("eps", b.getF64FloatAttr(1e-3));
  if (mode == StackMode::Block)
    state.addAttribute("sublayers_per_block",
                       b.getI64IntegerAttr(random.between(1, 4)));
  keep(b.create(state));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void ModuleBuilder::kernelStep() {
  switch (random.below(4)) {
  case 0: {
    op("attnres.pack",
       {{get(
           tensor(with(shape(random.pick({0, 1, 1, 2})), size()), storage()))}},
       random.chance(40)
           ? Attributes{integer("tile", random.pick({1, 4, 8, 16, 32})),
                        unit("transpose")}
           : Attributes{integer("tile", random.pick({1, 4, 8, 16, 32}))});
    return;
  }
  case 1: {
    Shape rows = shape(random.pick({0, 1, 1, 2}));
    int64_t inner = size(), columns = size(), tile = random.pick({4, 8, 16});
    if (ShapedType::isDynamic(columns))
      return;
    bool left = random.chance(30);
    RankedTensorType result =
        tensor(left ? Shape{size(), columns} : with(rows, columns), storage());
    RankedTensorType lhs =
        tensor(left ? Shape{inner, result.getDimSize(0)} : with(rows, inner),
               storage());
    op("attnres.matmul_packed",
       {{get(lhs)},
        {get(f32({(columns + tile - 1) / tile, inner, tile}))},
        random.chance(30) ? get(1, f32({columns})) : Values(),
        random.chance(30) ? get(1, result) : Values()},
       left ? Attributes{unit("transpose_lhs")} : Attributes(),
       TypeRange(result));
    return;
  }
  case 2: {
    Value actual = anyTensor();
    if (options.computable) // it would fail
      return;
    op("attnres.expect_close", {{actual}, {get(actual.getType())}},
       {real("atol", 1.0), real("rtol", 1.0)}, TypeRange());
    return;
  }
  default:
    return launchStep();
  }
}

/// A finished function as a kernel, null where no kernel can be like it.
static KernelOp asKernel(func::FuncOp function) {
  std::string name = (function.getName() + "_kernel").str();
  auto module = function->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<KernelOp>(name))
    return known;
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!llvm::hasSingleElement(function.getBody()) ||
      !llvm::all_of(function.getArgumentTypes(), isStatic) ||
      !llvm::all_of(function.getResultTypes(), isStatic))
    return nullptr;
  OpBuilder builder(function);
  auto kernel = KernelOp::create(builder, function.getLoc(), name,
                                 function.getFunctionType());
  IRMapping mapping;
  function.getBody().cloneInto(&kernel.getBody(), mapping);
  Operation *exit = &kernel.front().back();
  builder.setInsertionPoint(exit);
  attnres::ReturnOp::create(builder, exit->getLoc(), exit->getOperands());
  exit->erase();
  return kernel;
}

/// Turns a finished function into a kernel and launches it.
void ModuleBuilder::launchStep() {
  if (functions.empty())
    return;
  KernelOp kernel = asKernel(random.pick(functions));
  if (!kernel)
    return;
  Values operands;
  for (Type type : kernel.getArgumentTypes())
    operands.push_back(get(type));
  SmallVector<int64_t> operandGroups(operands.size(), -1),
      resultGroups(kernel.getNumResults(), -1);
  if (random.chance(20) && !resultGroups.empty()) {
    SmallVector<int64_t> inplace(resultGroups.size(), -1);
    size_t result = random.below(inplace.size());
    for (auto [argument, type] : llvm::enumerate(kernel.getArgumentTypes()))
      if (type == kernel.getResultTypes()[result])
        inplace[result] = static_cast<int64_t>(argument);
    kernel.setInplace(inplace);
  }
  SmallVector<Type> results(kernel.getResultTypes());
  op("attnres.launch", {operands},
     {named("kernel", FlatSymbolRefAttr::get(kernel)),
      named("operand_groups", b.getDenseI64ArrayAttr(operandGroups)),
      named("result_groups", b.getDenseI64ArrayAttr(resultGroups))},
     TypeRange(results));
}

void ModuleBuilder::attnresStep() {
  // Some operations get whatever their verifiers accept.
  if (!options.computable && nesting == 0 && random.chance(12))
    wildness = 4;
  int64_t kind = random.below(100);
  if (kind < 27)
    depthStep();
  else if (kind < 45)
    attentionStep();
  else if (kind < 72)
    layerStep();
  else if (kind < 87)
    lossStep();
  else if (kind < 92)
    stackStep();
  else if (kind < 96)
    optimizerStep();
  else
    kernelStep();
  wildness = 0;
}
