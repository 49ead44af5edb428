//===- RandomProgram.cpp - random programs and their meaning --------------===//
#include "test/unit/RandomProgram.h"

#include "tools/RegisterAll.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Running programs
//===----------------------------------------------------------------------===//

MLIRContext &attnres::testing::testContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    attnres::registerAllDialects(registry);
    attnres::registerAllPasses();
    auto *context = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return context;
  }();
  return *context;
}

OwningOpRef<ModuleOp> attnres::testing::parseModule(StringRef text) {
  auto module = parseSourceString<ModuleOp>(text, &testContext());
  EXPECT_TRUE(module) << "does not parse:\n" << text.str();
  return module;
}

bool attnres::testing::runPipeline(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext());
  if (failed(parsePassPipeline(pipeline, manager))) {
    ADD_FAILURE() << "no such pipeline: " << pipeline.str();
    return false;
  }
  bool ran = succeeded(manager.run(module));
  EXPECT_TRUE(ran) << "fails: " << pipeline.str();
  return ran;
}

Tensor attnres::testing::randomTensor(Type type, std::mt19937_64 &random) {
  auto tensor = cast<RankedTensorType>(type);
  if (!isa<FloatType>(tensor.getElementType())) {
    Tensor result = Tensor::ofIntegers(tensor.getShape());
    for (int64_t &value : result.integers)
      value = random() % 3;
    return result;
  }
  std::normal_distribution<double> normal;
  Tensor result = Tensor::ofReals(tensor.getShape());
  for (double &value : result.reals)
    value = normal(random);
  return result;
}

SmallVector<Tensor>
attnres::testing::randomInputs(func::FuncOp function, std::mt19937_64 &random) {
  SmallVector<Tensor> inputs;
  for (Type type : function.getArgumentTypes())
    inputs.push_back(randomTensor(type, random));
  return inputs;
}

SmallVector<Tensor> attnres::testing::evaluate(ModuleOp module,
                                               ArrayRef<Tensor> inputs,
                                               const InterpreterOptions &options,
                                               StringRef name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    ADD_FAILURE() << "no function " << name.str();
    return {};
  }
  FailureOr<SmallVector<Tensor>> results = interpret(function, inputs, options);
  if (failed(results)) {
    ADD_FAILURE() << "no evaluation of " << name.str();
    return {};
  }
  return std::move(*results);
}

::testing::AssertionResult
attnres::testing::isClose(const Tensor &actual, const Tensor &expected,
                          double tolerance) {
  if (actual.shape != expected.shape || actual.isInteger != expected.isInteger)
    return ::testing::AssertionFailure() << "another type";
  for (int64_t i = 0; i < expected.size(); ++i) {
    if (expected.isInteger) {
      if (actual.integers[i] != expected.integers[i])
        return ::testing::AssertionFailure()
               << "element " << i << " is " << actual.integers[i]
               << ", expected " << expected.integers[i];
      continue;
    }
    double a = actual.reals[i], e = expected.reals[i];
    bool agrees = std::isfinite(e)
                      ? std::fabs(a - e) <= tolerance * (1 + std::fabs(e))
                      : (std::isnan(e) ? std::isnan(a) : a == e);
    if (!agrees)
      return ::testing::AssertionFailure()
             << "element " << i << " is " << a << ", expected " << e
             << ", difference " << std::fabs(a - e);
  }
  return ::testing::AssertionSuccess();
}

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

void attnres::testing::expectSameMeaning(ModuleOp module, StringRef pipeline,
                                         double tolerance, uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", pipeline " + pipeline.str());
  auto function = module.lookupSymbol<func::FuncOp>("main");
  ASSERT_TRUE(function);
  std::mt19937_64 random(seed);
  SmallVector<Tensor> inputs = randomInputs(function, random);
  SmallVector<Tensor> expected = evaluate(module, inputs);
  OwningOpRef<ModuleOp> copy = module.clone();
  if (!runPipeline(*copy, pipeline)) {
    ADD_FAILURE() << printed(module);
    return;
  }
  SmallVector<Tensor> actual = evaluate(*copy, inputs);
  ASSERT_GE(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    auto close = isClose(actual[i], expected[i], tolerance);
    ASSERT_TRUE(close) << "in result " << i << "\nbefore:\n"
                       << printed(module) << "\nafter:\n"
                       << printed(*copy);
  }
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(uint64_t seed, const attnres::testing::RandomProgramOptions &o)
      : options(o), random(seed), context(&attnres::testing::testContext()),
        loc(UnknownLoc::get(context)), b(context) {}

  OwningOpRef<ModuleOp> build() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(b, loc, "main",
                                    b.getFunctionType({}, {}));
    b.setInsertionPointToEnd(function.addEntryBlock());
    batch = below(3) + 1;
    tokens = below(5) + 1;
    headSize = 2 * (below(3) + 1);
    heads = below(3) + 1;
    width = heads * headSize;
    type = f32({batch, tokens, width});
    Value x = parameter(type);
    do {
      if (options.stacks && (!options.depthGraphs || below(2)))
        x = stack(x);
      else
        x = depthGraph(x);
    } while (below(3) == 0);
    results.insert(results.begin(), x);
    if (options.selections)
      selectTokens();
    if (options.loss)
      results.insert(results.begin(), loss());
    func::ReturnOp::create(b, loc, results);
    function.setFunctionType(b.getFunctionType(
        function.front().getArgumentTypes(), ValueRange(results).getTypes()));
    nameValues();
    EXPECT_TRUE(succeeded(verify(*module)));
    return module;
  }

private:
  int64_t below(int64_t bound) { return random() % bound; }
  RankedTensorType f32(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  }
  FloatAttr eps() { return b.getF64FloatAttr(0x1p-10); }

  Value parameter(RankedTensorType of) {
    return function.front().addArgument(of, loc);
  }
  Value vector(int64_t size) { return parameter(f32({size})); }

  void nameValues() {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      function.setArgAttr(i, kRoleAttr, RoleAttr::get(b.getContext(), Role::Parameter));
      function.setArgAttr(i, kNameAttr, b.getStringAttr("p" + Twine(i)));
    }
    if (options.loss)
      function.setResultAttr(0, kNameAttr, b.getStringAttr("loss"));
  }

  Value add(Value lhs, Value rhs) {
    return arith::AddFOp::create(b, loc, lhs, rhs);
  }
  Value linear(Value x, int64_t columns, bool bias) {
    int64_t inner = cast<RankedTensorType>(x.getType()).getShape().back();
    return LinearOp::create(b, loc, x, parameter(f32({columns, inner})),
                            bias ? vector(columns) : Value());
  }

  //===--------------------------------------------------------------------===//
  // Sublayers: [B, T, D] to [B, T, D]
  //===--------------------------------------------------------------------===//

  Value norm(Value x) {
    switch (below(3)) {
    case 0:
      return RMSNormOp::create(b, loc, x, vector(width), eps());
    case 1:
      return LayerNormOp::create(b, loc, x, vector(width), vector(width), eps());
    default:
      return x;
    }
  }

  Value heads4(Value x, int64_t count) {
    SmallVector<ReassociationIndices> groups{{0}, {1}, {2, 3}};
    return tensor::ExpandShapeOp::create(
        b, loc, f32({batch, tokens, count, headSize}), x, groups);
  }

  Value sequenceAttention(Value x) {
    int64_t keyHeads = heads % 2 == 0 && below(2) ? heads / 2 : heads;
    Value q = heads4(linear(x, heads * headSize, false), heads);
    Value k = heads4(linear(x, keyHeads * headSize, false), keyHeads);
    Value v = heads4(linear(x, keyHeads * headSize, false), keyHeads);
    if (below(2)) {
      auto theta = b.getF64FloatAttr(1e4);
      auto offset = b.getI64IntegerAttr(below(3));
      q = RopeOp::create(b, loc, q, /*table=*/Value(), /*start=*/Value(),
                         /*documents=*/Value(), theta, offset, IntegerAttr(),
                         UnitAttr());
      k = RopeOp::create(b, loc, k, /*table=*/Value(), /*start=*/Value(),
                         /*documents=*/Value(), theta, offset, IntegerAttr(),
                         UnitAttr());
    }
    Value o = AttentionOp::create(b, loc, q, k, v, /*start=*/Value(),
                                  /*documents=*/Value(),
                                  below(4) ? b.getUnitAttr() : UnitAttr(),
                                  below(2) ? b.getF64FloatAttr(0.5)
                                           : FloatAttr())
                  .getOutput();
    SmallVector<ReassociationIndices> groups{{0}, {1}, {2, 3}};
    Value flat = tensor::CollapseShapeOp::create(b, loc, type, o, groups);
    return linear(flat, width, below(2));
  }

  Value sublayer(Value h) {
    Value x = norm(h);
    int64_t inner = below(7) + 1;
    switch (below(4)) {
    case 0:
      return linear(SwigluOp::create(b, loc, linear(x, inner, false),
                                     linear(x, inner, false)),
                    width, false);
    case 1:
      return linear(GeluOp::create(b, loc, linear(x, inner, true)), width, true);
    case 2:
      return sequenceAttention(x);
    default:
      return linear(x, width, false);
    }
  }

  //===--------------------------------------------------------------------===//
  // Stacks
  //===--------------------------------------------------------------------===//

  Value stack(Value x) {
    auto mode = static_cast<StackMode>(below(4));
    int64_t count = below(options.maxSources);
    if (mode == StackMode::Static)
      count -= count % 2;
    SmallVector<Value> queries, gains, weights;
    bool attends = mode == StackMode::Full || mode == StackMode::Block;
    bool varies = attends && options.variants;
    bool hasLogits = varies && below(4) == 0;
    bool hasMatrices = varies && !hasLogits && below(2);
    if (attends && !hasLogits)
      for (int64_t i = 0, n = count + below(2); i < n; ++i) {
        queries.push_back(hasMatrices ? parameter(f32({width, width}))
                                      : vector(width));
        gains.push_back(vector(width));
      }
    if (mode == StackMode::Static)
      for (int64_t i = 0; i < count / 2; ++i)
        weights.push_back(vector(i + 1));
    IntegerAttr perBlock, numHeads, window;
    if (mode == StackMode::Block)
      perBlock = b.getI64IntegerAttr(below(4) + 1);
    if (varies && !hasLogits && below(2))
      numHeads = b.getI64IntegerAttr(heads);
    if (varies && below(2))
      window = b.getI64IntegerAttr(below(3) + 1);
    bool hasRawKeys = varies && !hasLogits && below(2);
    bool hasSigmoid = varies && !hasLogits && below(2);
    if (hasLogits) {
      // As many as the mixture of its place reads.
      int64_t size = perBlock ? perBlock.getInt() : 1;
      for (int64_t i = 0, n = count + below(2); i < n; ++i) {
        bool isFinal = i == count;
        int64_t blocks = i / size + (i % size != 0);
        int64_t sources = 1 + (isFinal ? (count + size - 1) / size : blocks);
        if (window)
          sources = std::min(sources, 1 + window.getInt());
        weights.push_back(vector(sources));
      }
    }
    auto op = StackOp::create(
        b, loc, type, TypeRange(), x, queries, gains, weights, mode, perBlock,
        attends ? eps() : FloatAttr(), numHeads, window, hasRawKeys, hasSigmoid,
        count);
    OpBuilder::InsertionGuard guard(b);
    for (Region &region : op.getSublayers()) {
      Block &block = region.emplaceBlock();
      Value h = block.addArgument(type, loc);
      b.setInsertionPointToEnd(&block);
      YieldOp::create(b, loc, sublayer(h), ValueRange());
    }
    return op.getResult();
  }

  //===--------------------------------------------------------------------===//
  // Hand-written depth attentions
  //===--------------------------------------------------------------------===//

  /// A random subset of `values` in order, never empty.
  SmallVector<Value> subset(ArrayRef<Value> values) {
    SmallVector<Value> chosen;
    for (Value value : values)
      if (below(3))
        chosen.push_back(value);
    if (chosen.empty())
      chosen.push_back(values[below(values.size())]);
    while (chosen.size() > static_cast<size_t>(options.maxSources))
      chosen.erase(chosen.begin() + below(chosen.size()));
    return chosen;
  }

  Value depthGraph(Value x) {
    SmallVector<Value> values{x}, sources{x};
    for (int64_t step = 0, n = below(options.maxSources) + 1; step < n; ++step) {
      // Often the same sources again, or those and one more.
      switch (below(4)) {
      case 0:
        sources = subset(values);
        break;
      case 1:
        if (!llvm::is_contained(sources, values.back()) &&
            sources.size() < static_cast<size_t>(options.maxSources))
          sources.push_back(values.back());
        break;
      default:
        break;
      }
      values.push_back(sublayer(mixture(sources, values)));
    }
    return values.back();
  }

  /// What a query reads from `sources`.
  Value mixture(ArrayRef<Value> sources, ArrayRef<Value> values) {
    switch (options.merges ? below(8) : 7) {
    case 0: {
      Value weights = vector(sources.size());
      return StaticMixOp::create(b, loc, weights, sources);
    }
    case 1: {
      // A state over the sources, merged with some more values.
      Value query = vector(width), gain = vector(width);
      auto [output, lse] = attend(query, gain, sources);
      auto merge = DepthMergeOp::create(b, loc, output, lse, query, gain,
                                        subset(values), eps());
      results.push_back(merge.getLse());
      return merge.getOutput();
    }
    case 2: {
      auto [a, la] = attend(vector(width), vector(width), sources);
      auto [c, lc] = attend(vector(width), vector(width), subset(values));
      auto merge = MergeStatesOp::create(b, loc, a, la, c, lc);
      results.push_back(merge.getLse());
      return merge.getOutput();
    }
    case 3: {
      // Two queries in one operation.
      SmallVector<Value> queries{vector(width), vector(width)},
          gains{vector(width), vector(width)};
      auto op =
          DepthAttentionOp::create(b, loc, queries, gains, sources, eps());
      results.push_back(op.getLses()[below(2)]);
      return add(op.getOutputs()[0], op.getOutputs()[1]);
    }
    default:
      return attend(vector(width), vector(width), sources).first;
    }
  }

  std::pair<Value, Value> attend(Value query, Value gain,
                                 ArrayRef<Value> sources) {
    auto op = DepthAttentionOp::create(b, loc, query, gain, sources, eps());
    return {op.getOutputs().front(), op.getLses().front()};
  }

  //===--------------------------------------------------------------------===//
  // Selections
  //===--------------------------------------------------------------------===//

  /// A token of each batch row, known at the start of the function.
  Value places() {
    SmallVector<int64_t> tokenOf;
    for (int64_t i = 0; i < batch; ++i)
      tokenOf.push_back(below(tokens));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.front());
    auto type = RankedTensorType::get({batch}, b.getI64Type());
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, ArrayRef(tokenOf)));
  }

  /// Mostly the same tokens of all results; else others of some, and some
  /// results whole.
  void selectTokens() {
    Value same = places();
    bool isMixed = below(3) == 0;
    for (Value &result : results) {
      if (isMixed && result != results.front() && below(3) == 0)
        continue;
      Value at = isMixed && below(2) ? places() : same;
      result = SelectTokenOp::create(b, loc, result, at);
    }
  }

  //===--------------------------------------------------------------------===//
  // Loss
  //===--------------------------------------------------------------------===//

  /// Cross entropy of the last value plus a weighted sum of every other result.
  Value loss() {
    SmallVector<int64_t> classes;
    int64_t count = below(4) + 2;
    for (int64_t i = 0; i < batch * tokens; ++i)
      classes.push_back(below(5) ? below(count) : -100);
    auto targetType =
        RankedTensorType::get({batch, tokens}, b.getI64Type());
    Value targets = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(targetType, ArrayRef(classes)));
    Value x = results.front(), total;
    auto ignore = b.getI64IntegerAttr(-100);
    if (below(2))
      total = LinearCrossEntropyOp::create(b, loc, x,
                                           parameter(f32({count, width})),
                                           targets, ignore, FloatAttr())
                  .getLoss();
    else
      total = CrossEntropyOp::create(b, loc, linear(x, count, false), targets,
                                     ignore, FloatAttr())
                  .getLoss();
    for (Value result : ArrayRef(results).drop_front())
      total = add(total, weightedSum(result));
    return total;
  }

  /// sum of value * parameter, tensor<f32>.
  Value weightedSum(Value value) {
    auto from = cast<RankedTensorType>(value.getType());
    int64_t size = from.getNumElements();
    SmallVector<ReassociationIndices> all{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, from.getRank()))};
    Value flat = tensor::CollapseShapeOp::create(b, loc, f32({size}), value, all);
    SmallVector<ReassociationIndices> pair{{0, 1}};
    Value row = tensor::ExpandShapeOp::create(b, loc, f32({1, size}), flat, pair);
    Value sum = linear(row, 1, false);
    return tensor::CollapseShapeOp::create(b, loc, f32({}), sum,
                                           ArrayRef<ReassociationIndices>());
  }

  const attnres::testing::RandomProgramOptions &options;
  std::mt19937_64 random;
  MLIRContext *context;
  Location loc;
  OpBuilder b;
  func::FuncOp function;
  SmallVector<Value> results;
  int64_t batch, tokens, heads, headSize, width;
  RankedTensorType type;
};

} // namespace

OwningOpRef<ModuleOp>
attnres::testing::randomProgram(uint64_t seed,
                                const RandomProgramOptions &options) {
  return ProgramBuilder(seed, options).build();
}
