// Compiled code computes what the float64 interpreter says: random programs,
// and single operations at sizes that are no multiple of anything. Memory is
// poisoned before each run, and the bits may not depend on the number of
// threads.
#include "passes/Pipelines.h"
#include "runtime/AlignedBuffer.h"
#include "runtime/CpuDevice.h"
#include "test/unit/RandomProgram.h"
#include "tools/compile/EmitProgram.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

/// Largest errors, relative to the largest magnitude of the expected tensor.
constexpr double kForward = 5e-5, kBackward = 2e-4;
/// Half a unit in the last place of bf16, relative to the number.
constexpr double kBFloat16 = 0x1p-8;

//===----------------------------------------------------------------------===//
// Tensors in memory
//===----------------------------------------------------------------------===//

void store(const Tensor &tensor, runtime::DType dtype, std::byte *memory) {
  for (int64_t i = 0; i < tensor.size(); ++i) {
    std::byte *element = memory + i * runtime::dtypeBytes(dtype);
    if (dtype == runtime::DType::I64) {
      std::memcpy(element, &tensor.integers[i], 8);
      continue;
    }
    // A bf16 number is the upper half of an f32 one.
    auto number = static_cast<float>(tensor.reals[i]);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    if (dtype == runtime::DType::BF16)
      bits >>= 16;
    std::memcpy(element, &bits, runtime::dtypeBytes(dtype));
  }
}

double load(runtime::DType dtype, const std::byte *memory, int64_t index) {
  uint32_t bits = 0;
  std::memcpy(&bits, memory + index * runtime::dtypeBytes(dtype),
              runtime::dtypeBytes(dtype));
  if (dtype == runtime::DType::BF16)
    bits <<= 16;
  float number;
  std::memcpy(&number, &bits, 4);
  return number;
}

double largestMagnitude(const Tensor &tensor) {
  double largest = 0;
  for (double value : tensor.reals)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest;
}

/// Whether the largest error is at most tolerance times the largest magnitude,
/// plus `slack`. An element of bf16 may also be rounded.
::testing::AssertionResult isNear(const runtime::Binding &binding,
                                  const std::string &bytes,
                                  const Tensor &expected, double tolerance,
                                  double slack) {
  if (ArrayRef(binding.shape) != ArrayRef<int64_t>(expected.shape))
    return ::testing::AssertionFailure() << "another shape";
  double largest = largestMagnitude(expected), worst = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    double actual = load(binding.dtype,
                         reinterpret_cast<const std::byte *>(bytes.data()), i);
    double want = expected.reals[i];
    if (!std::isfinite(want)) {
      if (actual != want)
        return ::testing::AssertionFailure()
               << "element " << i << " is " << actual << ", expected " << want;
      continue;
    }
    double error = std::fabs(actual - want);
    if (binding.dtype == runtime::DType::BF16)
      error = std::max(0.0, error - kBFloat16 * std::fabs(want));
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  if (worst <= tolerance * largest + slack)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "largest error " << worst << " of numbers up to " << largest;
}

//===----------------------------------------------------------------------===//
// Running compiled programs
//===----------------------------------------------------------------------===//

bool runStages(ModuleOp module, ArrayRef<Stage> stages,
               const StageOptions &options) {
  PassManager passes(module.getContext());
  for (Stage stage : stages)
    addStage(passes, stage, options);
  return succeeded(passes.run(module));
}

/// The bytes of every output, empty after a test failure.
std::vector<std::string>
runProgram(const std::shared_ptr<const runtime::Program> &program,
           ArrayRef<Tensor> inputs, int threads) {
  runtime::CpuOptions options;
  options.threads = threads;
  runtime::CpuDevice device(options);
  auto executable = runtime::Executable::create(device, program);
  if (!executable.ok()) {
    ADD_FAILURE() << executable.status().message();
    return {};
  }
  std::vector<runtime::AlignedBuffer> memory;
  size_t numInputs = 0;
  for (size_t i = 0; i < program->bindings.size(); ++i) {
    const runtime::Binding &binding = program->bindings[i];
    auto buffer = runtime::AlignedBuffer::allocate(
        std::max<int64_t>(binding.bytes(), runtime::Executable::alignment));
    if (!buffer.ok()) {
      ADD_FAILURE() << buffer.status().message();
      return {};
    }
    if (binding.role == runtime::BindingRole::Input)
      store(inputs[numInputs++], binding.dtype, buffer->data());
    runtime::Status bound =
        (*executable)->bind(i, buffer->data(), binding.bytes());
    EXPECT_TRUE(bound.ok()) << bound.message();
    memory.push_back(std::move(*buffer));
  }
  EXPECT_EQ(numInputs, inputs.size());
  runtime::Executable::RunOptions run;
  run.poison = true;
  runtime::Status ran = (*executable)->run(run);
  if (!ran.ok()) {
    ADD_FAILURE() << ran.message();
    return {};
  }
  std::vector<std::string> outputs;
  for (size_t i = 0; i < program->bindings.size(); ++i)
    if (program->bindings[i].role == runtime::BindingRole::Output)
      outputs.emplace_back(reinterpret_cast<const char *>(memory[i].data()),
                           program->bindings[i].bytes());
  return outputs;
}

/// Compiles @main of `module` and compares its results on `inputs` with
/// `expected`, the first `numForward` of them more closely than the others,
/// which may be off by `slack` too.
void expectCompiled(ModuleOp module, const StageOptions &options,
                    ArrayRef<Tensor> inputs, ArrayRef<Tensor> expected,
                    size_t numForward, double slack = 0) {
  OwningOpRef<ModuleOp> planned = module.clone();
  ASSERT_TRUE(runStages(*planned, kStages, options));
  auto compiled =
      compileProgram(*planned, *cpu::CpuTarget::forLevel(options.isa));
  ASSERT_TRUE(compiled.ok()) << compiled.status().message();
  auto program = std::make_shared<const runtime::Program>(std::move(*compiled));
  std::vector<std::string> outputs = runProgram(program, inputs, 1);
  ASSERT_EQ(outputs.size(), expected.size());
  size_t result = 0;
  for (const runtime::Binding &binding : program->bindings) {
    if (binding.role != runtime::BindingRole::Output)
      continue;
    bool isForward = result < numForward;
    EXPECT_TRUE(isNear(binding, outputs[result], expected[result],
                       isForward ? kForward : kBackward, isForward ? 0 : slack))
        << "in result " << result << ", " << binding.name;
    ++result;
  }
  EXPECT_TRUE(runProgram(program, inputs, 2) == outputs)
      << "the results depend on the number of threads";
}

/// What the storage types of `function` can hold of random numbers. With
/// `scaleWeights`, matrices are scaled as an initialization scales them: random
/// programs are deep, and the numbers in them would grow and their softmaxes
/// saturate until f32 has no correct digits of a gradient.
SmallVector<Tensor> storableInputs(func::FuncOp function, uint64_t seed,
                                   bool scaleWeights) {
  std::mt19937_64 random(seed);
  SmallVector<Tensor> inputs = randomInputs(function, random);
  for (auto [input, type] : llvm::zip(inputs, function.getArgumentTypes())) {
    if (scaleWeights && input.shape.size() == 2)
      for (double &weight : input.reals)
        weight /= std::sqrt(static_cast<double>(input.width()));
    input.roundTo(cast<RankedTensorType>(type).getElementType());
  }
  return inputs;
}

void nameBindings(func::FuncOp function) {
  Builder b(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!function.getArgAttr(i, kNameAttr))
      function.setArgAttr(i, kNameAttr, b.getStringAttr("a" + Twine(i)));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (!function.getResultAttr(i, kNameAttr))
      function.setResultAttr(i, kNameAttr, b.getStringAttr("r" + Twine(i)));
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

class CompiledProgram : public ::testing::TestWithParam<uint64_t> {
protected:
  void expectMeaning(bool gradients) {
    RandomProgramOptions programOptions;
    programOptions.loss = gradients;
    OwningOpRef<ModuleOp> module = randomProgram(GetParam(), programOptions);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    nameBindings(function);
    SmallVector<Tensor> inputs =
        storableInputs(function, GetParam(), /*scaleWeights=*/true);
    size_t numForward = function.getNumResults();

    StageOptions options;
    options.gradients = gradients;
    options.schedule = DepthSchedule::Naive;
    OwningOpRef<ModuleOp> reference = module->clone();
    ASSERT_TRUE(
        runStages(*reference, {Stage::Naive, Stage::Training}, options));
    SmallVector<Tensor> expected = evaluate(*reference, inputs);
    // The stages before the kernels do not change the program's own results.
    SmallVector<Tensor> forward = evaluate(*module, inputs);
    ASSERT_GE(expected.size(), forward.size());
    for (size_t i = 0; i < forward.size(); ++i)
      ASSERT_TRUE(isClose(expected[i], forward[i], 1e-9)) << "in result " << i;

    // A gradient that is a small difference of larger ones, for example through
    // a softmax over one key, has their rounding errors: one unit in the last
    // place of the program's largest gradient.
    double slack = 0;
    for (const Tensor &gradient : ArrayRef(expected).drop_front(numForward))
      slack = std::max(slack, 0x1p-23 * largestMagnitude(gradient));

    for (auto schedule : {DepthSchedule::Naive, DepthSchedule::TwoPhase}) {
      SCOPED_TRACE(schedule == DepthSchedule::Naive ? "naive" : "two-phase");
      options.schedule = schedule;
      expectCompiled(*module, options, inputs, expected, numForward, slack);
    }
  }
};

TEST_P(CompiledProgram, Forward) { expectMeaning(/*gradients=*/false); }
TEST_P(CompiledProgram, Gradients) { expectMeaning(/*gradients=*/true); }

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledProgram,
                         ::testing::Range<uint64_t>(200, 217));

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

/// A value of a program in text.
struct Ref {
  std::string name, type;
};
using Refs = std::vector<Ref>;

Refs operator+(Refs lhs, const Refs &rhs) {
  lhs.insert(lhs.end(), rhs.begin(), rhs.end());
  return lhs;
}

std::string names(const Refs &refs) {
  return llvm::join(llvm::map_range(refs, [](const Ref &r) { return r.name; }),
                    ", ");
}

std::string types(const Refs &refs) {
  return llvm::join(llvm::map_range(refs, [](const Ref &r) { return r.type; }),
                    ", ");
}

/// " name(%a, %b)", or nothing when there are none.
std::string clause(const std::string &name, const Refs &refs) {
  return refs.empty() ? "" : " " + name + "(" + names(refs) + ")";
}

/// Sizes of one case, and the types that follow.
struct Sizes {
  int64_t rows = 0, width = 0, sources = 1, queries = 1;
  std::string storage = "f32";

  /// 22 rows are 2 times 11, others one dimension.
  std::string leading() const {
    return rows == 22 ? "2x11x" : std::to_string(rows) + "x";
  }
  std::string row(int64_t columns) const {
    return "tensor<" + leading() + std::to_string(columns) + "x" + storage +
           ">";
  }
  std::string row() const { return row(width); }
  std::string stat() const { return "tensor<" + leading() + "f32>"; }
  std::string indices() const { return "tensor<" + leading() + "i64>"; }
  static std::string vector(int64_t size) {
    return "tensor<" + std::to_string(size) + "xf32>";
  }
  std::string vector() const { return vector(width); }
  std::string matrix(int64_t rows, int64_t columns) const {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + storage + ">";
  }
};

/// Writes @main.
class Writer {
public:
  Refs arguments(int64_t count, const std::string &type) {
    Refs refs;
    for (int64_t i = 0; i < count; ++i)
      refs.push_back({"%a" + std::to_string(args.size() + i), type});
    args = args + refs;
    return refs;
  }
  Refs argument(const std::string &type) { return arguments(1, type); }

  Refs op(const std::string &text, const std::vector<std::string> &results) {
    Refs refs;
    for (const std::string &type : results)
      refs.push_back({"%v" + std::to_string(numValues++), type});
    body += "  " + names(refs) + " = " + text + "\n";
    return refs;
  }

  void returns(const Refs &refs) { results = results + refs; }

  std::string text() const {
    std::string signature;
    for (const Ref &ref : args)
      signature += (signature.empty() ? "" : ", ") + ref.name + ": " + ref.type;
    return "func.func @main(" + signature + ") -> (" + types(results) +
           ") {\n" + body + "  return " + names(results) + " : " +
           types(results) + "\n}\n";
  }

private:
  Refs args, results;
  std::string body;
  int numValues = 0;
};

using Results = std::vector<std::string>;
constexpr char kEps[] = "eps = 1.0e-3 : f64";

void depthAttention(Writer &w, const Sizes &s) {
  Refs q = w.arguments(s.queries, s.vector()),
       g = w.arguments(s.queries, s.vector()),
       v = w.arguments(s.sources, s.row());
  Results results(s.queries, s.row());
  results.resize(2 * s.queries, s.stat());
  w.returns(w.op("attnres.depth_attention" + clause("queries", q) +
                     clause("gains", g) + clause("sources", v) + " {" + kEps +
                     "} : " + s.row(),
                 results));
}

void depthAttentionBackward(Writer &w, const Sizes &s) {
  Refs q = w.arguments(s.queries, s.vector()),
       g = w.arguments(s.queries, s.vector()),
       v = w.arguments(s.sources, s.row());
  Results results(s.queries, s.row());
  results.resize(2 * s.queries, s.stat());
  Refs forward = w.op("attnres.depth_attention" + clause("queries", q) +
                          clause("gains", g) + clause("sources", v) + " {" +
                          kEps + "} : " + s.row(),
                      results);
  Refs lses(forward.begin() + s.queries, forward.end());
  Refs outputGrads = w.arguments(s.queries, s.row());
  // With an even number of queries the log-sum-exps are not used, with an even
  // number of sources these have no gradients so far.
  Refs lseGrads = w.arguments(s.queries % 2 ? s.queries : 0, s.stat());
  Refs sums = w.arguments(s.sources % 2 ? s.sources : 0, s.row());
  Results grads(s.sources, s.row());
  grads.resize(s.sources + 2 * s.queries, s.vector());
  w.returns(w.op(
      "attnres.depth_attention_backward" + clause("queries", q) +
          clause("gains", g) + clause("sources", v) + clause("lses", lses) +
          clause("output_grads", outputGrads) + clause("lse_grads", lseGrads) +
          clause("accumulators", sums) + " {" + kEps +
          "} : " + types(q + g + v + lses + outputGrads + lseGrads + sums),
      grads));
}

void depthMerge(Writer &w, const Sizes &s) {
  Refs state = w.argument(s.row()), lse = w.argument(s.stat()),
       q = w.argument(s.vector()), g = w.argument(s.vector()),
       v = w.arguments(s.sources, s.row());
  w.returns(w.op("attnres.depth_merge " + names(state + lse) +
                     clause("query", q) + clause("gain", g) +
                     clause("sources", v) + " {" + kEps + "} : " + s.row(),
                 {s.row(), s.stat()}));
}

void depthMergeBackward(Writer &w, const Sizes &s) {
  Refs state = w.argument(s.row()), lse = w.argument(s.stat()),
       q = w.argument(s.vector()), g = w.argument(s.vector()),
       v = w.arguments(s.sources, s.row());
  std::string operands = " " + names(state + lse) + clause("query", q) +
                         clause("gain", g) + clause("sources", v);
  Refs forward =
      w.op("attnres.depth_merge" + operands + " {" + kEps + "} : " + s.row(),
           {s.row(), s.stat()});
  Refs total{forward[1]},
      grad = w.argument(s.row()), lseGrad = w.arguments(s.rows % 2, s.stat()),
      sums = w.arguments(s.sources > 1 ? s.sources : 0, s.row());
  Results grads{s.row(), s.stat()};
  grads.resize(2 + s.sources, s.row());
  grads.resize(4 + s.sources, s.vector());
  w.returns(
      w.op("attnres.depth_merge_backward" + operands + clause("lse", total) +
               clause("output_grad", grad) + clause("lse_grad", lseGrad) +
               clause("accumulators", sums) + " {" + kEps + "} : " +
               types(state + lse + q + g + v + total + grad + lseGrad + sums),
           grads));
}

void mergeStates(Writer &w, const Sizes &s) {
  Refs a = w.argument(s.row()), la = w.argument(s.stat()),
       b = w.argument(s.row()), lb = w.argument(s.stat());
  Refs operands = a + la + b + lb;
  Refs merged =
      w.op("attnres.merge_states " + names(operands) + " : " + types(operands),
           {s.row(), s.stat()});
  w.returns(merged);
}

void mergeStatesBackward(Writer &w, const Sizes &s) {
  Refs a = w.argument(s.row()), la = w.argument(s.stat()),
       b = w.argument(s.row()), lb = w.argument(s.stat());
  Refs operands = a + la + b + lb;
  Refs merged =
      w.op("attnres.merge_states " + names(operands) + " : " + types(operands),
           {s.row(), s.stat()});
  Refs rest = Refs{merged[1]} + w.argument(s.row());
  Refs lseGrad = w.argument(s.stat());
  w.returns(w.op("attnres.merge_states_backward " + names(operands + rest) +
                     clause("lse_grad", lseGrad) + " : " +
                     types(operands + rest + lseGrad),
                 {s.row(), s.stat(), s.row(), s.stat()}));
}

void staticMix(Writer &w, const Sizes &s) {
  Refs weights = w.argument(Sizes::vector(s.sources)),
       v = w.arguments(s.sources, s.row());
  w.returns(w.op("attnres.static_mix " + names(weights + v) + " : " + s.row(),
                 {s.row()}));
}

void staticMixBackward(Writer &w, const Sizes &s) {
  Refs weights = w.argument(Sizes::vector(s.sources)),
       v = w.arguments(s.sources, s.row()), grad = w.argument(s.row()),
       sums = w.arguments(s.sources % 2 ? s.sources : 0, s.row());
  Results grads{weights[0].type};
  grads.resize(1 + s.sources, s.row());
  w.returns(w.op("attnres.static_mix_backward " + names(weights) +
                     clause("sources", v) + clause("output_grad", grad) +
                     clause("accumulators", sums) + " : " +
                     types(weights + v + grad + sums),
                 grads));
}

void rmsNorm(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.row()) + w.argument(s.vector());
  w.returns(w.op("attnres.rms_norm " + names(operands) + " {" + kEps +
                     "} : " + types(operands),
                 {s.row()}));
}

void rmsNormBackward(Writer &w, const Sizes &s) {
  Refs operands =
      w.argument(s.row()) + w.argument(s.vector()) + w.argument(s.row());
  w.returns(w.op("attnres.rms_norm_backward " + names(operands) + " {" + kEps +
                     "} : " + types(operands),
                 {s.row(), s.vector()}));
}

void layerNorm(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.row()) + w.arguments(2, s.vector());
  w.returns(w.op("attnres.layer_norm " + names(operands) + " {" + kEps +
                     "} : " + types(operands),
                 {s.row()}));
}

void layerNormBackward(Writer &w, const Sizes &s) {
  Refs operands =
      w.argument(s.row()) + w.argument(s.vector()) + w.argument(s.row());
  w.returns(w.op("attnres.layer_norm_backward " + names(operands) + " {" +
                     kEps + "} : " + types(operands),
                 {s.row(), s.vector(), s.vector()}));
}

void activations(Writer &w, const Sizes &s) {
  Refs x = w.argument(s.row()), y = w.argument(s.row());
  w.returns(
      w.op("attnres.swiglu " + names(x + y) + " : " + s.row(), {s.row()}));
  w.returns(w.op("attnres.gelu " + names(x) + " : " + s.row(), {s.row()}));
}

void activationsBackward(Writer &w, const Sizes &s) {
  Refs x = w.argument(s.row()), y = w.argument(s.row()),
       grad = w.argument(s.row());
  w.returns(w.op("attnres.swiglu_backward " + names(x + y + grad) + " : " +
                     types(x + y + grad),
                 {s.row(), s.row()}));
  w.returns(w.op("attnres.gelu_backward " + names(x + grad) + " : " + s.row(),
                 {s.row()}));
}

/// Positions are rows, heads as many as sources.
void rope(Writer &w, const Sizes &s) {
  std::string type = "tensor<2x" + std::to_string(s.rows) + "x" +
                     std::to_string(s.sources) + "x" +
                     std::to_string(2 * s.width) + "x" + s.storage + ">";
  Refs x = w.argument(type);
  w.returns(w.op("attnres.rope " + names(x) +
                     " {theta = 1.0e4 : f64, offset = 2 : i64} : " + type,
                 {type}));
  w.returns(w.op("attnres.rope " + names(x) +
                     " {theta = 1.0e2 : f64, inverse} : " + type,
                 {type}));
}

/// Starts are 0, 1 and 2; one text has all rows. A cache that is written is
/// returned, and so is what was read from it before.
void cache(Writer &w, const Sizes &s) {
  int64_t tokens = std::max<int64_t>(s.rows, 1), positions = tokens + 5;
  auto type = [&](int64_t length) {
    return "tensor<2x" + std::to_string(length) + "x" +
           std::to_string(s.sources) + "x" + std::to_string(2 * s.width) + "x" +
           s.storage + ">";
  };
  Refs old = w.argument(type(positions)), x = w.argument(type(tokens)),
       start = w.argument("tensor<2xi64>");
  Refs rotated =
      w.op("attnres.rope " + names(x) + clause("start", start) +
               " {theta = 1.0e2 : f64, positions = " +
               std::to_string(positions) + " : i64} : " + types(x + start),
           {type(tokens)});
  for (const Refs &written : {x, rotated})
    w.returns(w.op("attnres.cache_write " + names(old + written) +
                       clause("at", start) + " : " +
                       types(old + written + start),
                   {type(positions)}));
}

void embedding(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.indices()) + w.argument(s.matrix(5, s.width));
  w.returns(
      w.op("attnres.embedding " + names(operands) + " : " + types(operands),
           {s.row()}));
}

void embeddingBackward(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.indices()) + w.argument(s.row());
  w.returns(w.op("attnres.embedding_backward " + names(operands) +
                     " {vocab_size = 5 : i64} : " + types(operands),
                 {"tensor<5x" + std::to_string(s.width) + "xf32>"}));
}

/// Targets are 0, 1, 2, and of these 1 is ignored.
void crossEntropy(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.row(s.width + 2)) + w.argument(s.indices());
  w.returns(w.op("attnres.cross_entropy " + names(operands) +
                     " {ignore_index = 1 : i64} : " + types(operands),
                 {"tensor<f32>", s.stat()}));
}

void crossEntropyBackward(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.row(s.width + 2)) + w.argument(s.indices());
  Refs forward = w.op("attnres.cross_entropy_rows " + names(operands) +
                          " {ignore_index = 1 : i64} : " + types(operands),
                      {s.stat(), s.stat()});
  Refs rest = Refs{forward[1]} + w.argument("tensor<f32>");
  Refs lseGrad = w.arguments(s.rows % 2, s.stat());
  w.returns(w.op(
      "attnres.cross_entropy_rows_backward " + names(operands + rest) +
          clause("lse_grad", lseGrad) +
          " {ignore_index = 1 : i64} : " + types(operands + rest + lseGrad),
      {s.row(s.width + 2)}));
}

void sumRows(Writer &w, const Sizes &s) {
  Refs x = w.argument(s.row());
  w.returns(
      w.op("attnres.sum_rows " + names(x) + " : " + s.row(), {s.vector()}));
}

void adamW(Writer &w, const Sizes &s) {
  Sizes f32 = s;
  f32.storage = "f32";
  std::string type = f32.row(), scalar = "tensor<f32>";
  Refs operands = w.arguments(3, type), root = w.argument(type);
  operands = operands +
             w.op("arith.mulf " + names(root + root) + " : " + type, {type}) +
             w.op("arith.constant dense<3.0> : " + scalar, {scalar}) +
             w.op("arith.constant dense<0.25> : " + scalar, {scalar}) +
             w.argument(scalar);
  w.returns(w.op("attnres.adamw " + names(operands) +
                     " {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-3 : "
                     "f64, weight_decay = 0.1 : f64} : " +
                     types(operands),
                 {type, type, type}));
}

/// The columns of the result are few or many.
void linear(Writer &w, const Sizes &s) {
  for (int64_t columns : {int64_t(3), s.width, int64_t(70)}) {
    Refs operands =
        w.argument(s.row()) + w.argument(s.matrix(columns, s.width));
    Refs bias = w.arguments(columns != 3, Sizes::vector(columns));
    w.returns(w.op("attnres.linear " + names(operands) + clause("bias", bias) +
                       " : " + types(operands + bias),
                   {s.row(columns)}));
  }
}

void matmul(Writer &w, const Sizes &s) {
  std::string square = s.matrix(s.width, s.width);
  for (std::string attributes :
       {"", "transpose_lhs", "transpose_rhs", "transpose_lhs, transpose_rhs"}) {
    bool lhs = StringRef(attributes).contains("lhs"),
         rhs = StringRef(attributes).contains("rhs");
    // [rows, D] [D, 7], [rows, D]^T [rows, 7] and so on.
    int64_t inner = lhs ? s.rows : s.width;
    Refs a = w.argument(s.matrix(s.rows, s.width)),
         b = w.argument(rhs ? s.matrix(7, inner) : s.matrix(inner, 7));
    std::string result = s.matrix(lhs ? s.width : s.rows, 7);
    Refs init = w.arguments(lhs != rhs, result);
    w.returns(w.op("attnres.matmul " + names(a + b) + clause("init", init) +
                       " {" + attributes + "} : " + types(a + b + init) +
                       " -> " + result,
                   {result}));
  }
}

struct OpCase {
  std::string name;
  void (*write)(Writer &, const Sizes &);
  bool isBackward = false;
  Sizes sizes = {};
  std::string isa = "host";
};

void PrintTo(const OpCase &c, std::ostream *stream) { *stream << c.name; }

class CompiledOp : public ::testing::TestWithParam<OpCase> {};

TEST_P(CompiledOp, MatchesInterpreter) {
  const OpCase &c = GetParam();
  Writer writer;
  c.write(writer, c.sizes);
  SCOPED_TRACE(writer.text());
  OwningOpRef<ModuleOp> module = parseModule(writer.text());
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, 1, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = evaluate(*module, inputs);
  StageOptions options;
  options.isa = c.isa;
  expectCompiled(*module, options, inputs, expected,
                 c.isBackward ? 0 : expected.size());
}

std::vector<OpCase> allOpCases() {
  const OpCase operations[] = {
      {"depth_attention", depthAttention},
      {"depth_attention_backward", depthAttentionBackward, true},
      {"depth_merge", depthMerge},
      {"depth_merge_backward", depthMergeBackward, true},
      {"merge_states", mergeStates},
      {"merge_states_backward", mergeStatesBackward, true},
      {"static_mix", staticMix},
      {"static_mix_backward", staticMixBackward, true},
      {"rms_norm", rmsNorm},
      {"rms_norm_backward", rmsNormBackward, true},
      {"layer_norm", layerNorm},
      {"layer_norm_backward", layerNormBackward, true},
      {"activations", activations},
      {"activations_backward", activationsBackward, true},
      {"rope", rope},
      {"cache", cache},
      {"embedding", embedding},
      {"embedding_backward", embeddingBackward, true},
      {"cross_entropy", crossEntropy},
      {"cross_entropy_backward", crossEntropyBackward, true},
      {"sum_rows", sumRows, true},
      {"adamw", adamW},
      {"linear", linear},
      {"matmul", matmul},
  };
  // Widths below, at and above one vector and several, no row, one and many,
  // even and odd numbers of sources and queries.
  struct Row {
    Sizes sizes;
    const char *isa;
  };
  const Row table[] = {
      {{22, 1, 1, 1}, "host"},          {{3, 5, 2, 3}, "avx2"},
      {{1, 16, 9, 4}, "host"},          {{22, 17, 3, 7}, "generic"},
      {{0, 60, 2, 1}, "host"},          {{22, 60, 17, 3}, "host"},
      {{3, 64, 1, 4}, "host"},          {{1, 100, 3, 1}, "host"},
      {{3, 257, 9, 1}, "host"},         {{22, 17, 2, 3, "bf16"}, "host"},
      {{3, 100, 3, 1, "bf16"}, "host"}, {{1, 5, 9, 4, "bf16"}, "generic"},
      {{22, 64, 1, 1, "bf16"}, "avx2"}, {{22, 60, 17, 7, "bf16"}, "host"},
  };
  std::vector<OpCase> cases;
  for (const OpCase &operation : operations)
    for (const Row &row : table) {
      OpCase c = operation;
      c.sizes = row.sizes;
      c.isa = row.isa;
      c.name += "_" + std::to_string(c.sizes.rows) + "x" +
                std::to_string(c.sizes.width) + "_" +
                std::to_string(c.sizes.sources) + "_sources_" +
                std::to_string(c.sizes.queries) + "_queries_" +
                c.sizes.storage + "_" + c.isa;
      cases.push_back(c);
    }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, CompiledOp, ::testing::ValuesIn(allOpCases()),
                         [](const ::testing::TestParamInfo<OpCase> &info) {
                           return info.param.name;
                         });

//===----------------------------------------------------------------------===//
// Attention over a cache
//===----------------------------------------------------------------------===//

struct CacheCase {
  int64_t tokens, positions, heads, kvHeads, keySize, valueSize;
  std::vector<int64_t> starts; ///< one for each text
  std::string storage = "f32", isa = "host";
};

class CachedAttention : public ::testing::TestWithParam<CacheCase> {};

TEST_P(CachedAttention, MatchesInterpreter) {
  const CacheCase &c = GetParam();
  auto tensor = [&](std::initializer_list<int64_t> sizes) {
    std::string type = "tensor<" + std::to_string(c.starts.size()) + "x";
    for (int64_t size : sizes)
      type += std::to_string(size) + "x";
    return type + c.storage + ">";
  };
  Writer w;
  Refs q = w.argument(tensor({c.tokens, c.heads, c.keySize}));
  Refs k = w.argument(tensor({c.positions, c.kvHeads, c.keySize}));
  Refs v = w.argument(tensor({c.positions, c.kvHeads, c.valueSize}));
  std::string starts;
  for (int64_t start : c.starts)
    starts += (starts.empty() ? "" : ", ") + std::to_string(start);
  std::string type = "tensor<" + std::to_string(c.starts.size()) + "xi64>";
  Refs start = w.op("arith.constant dense<[" + starts + "]> : " + type, {type});
  std::string lse = "tensor<" + std::to_string(c.starts.size()) + "x" +
                    std::to_string(c.tokens) + "x" + std::to_string(c.heads) +
                    "xf32>";
  w.returns(w.op("attnres.attention " + names(q + k + v) +
                     clause("start", start) + " {causal} : " +
                     types(q + k + v + start),
                 {tensor({c.tokens, c.heads, c.valueSize}), lse}));
  OwningOpRef<ModuleOp> module = parseModule(w.text());
  ASSERT_TRUE(module) << w.text();
  auto function = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, 1, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = evaluate(*module, inputs);
  // Positions behind the last query hold anything.
  for (Tensor &cache : MutableArrayRef(inputs).drop_front())
    for (size_t b = 0; b < c.starts.size(); ++b) {
      int64_t width = cache.size() / (c.starts.size() * c.positions);
      int64_t end = c.starts[b] + c.tokens;
      std::fill_n(cache.reals.begin() + (b * c.positions + end) * width,
                  (c.positions - end) * width, NAN);
    }
  StageOptions options;
  options.isa = c.isa;
  expectCompiled(*module, options, inputs, expected, expected.size());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CachedAttention,
    ::testing::Values(
        // One query: heads alone, in groups, in groups of more than one pass.
        CacheCase{1, 1, 1, 1, 8, 8, {0}},
        CacheCase{1, 40, 4, 4, 8, 8, {0, 39, 17}},
        CacheCase{1, 300, 6, 2, 64, 64, {15, 16, 257}},
        CacheCase{1, 300, 14, 2, 60, 37, {299, 31}},
        CacheCase{1, 70, 9, 1, 128, 96, {69, 0}, "f32", "avx2"},
        CacheCase{1, 33, 4, 2, 5, 3, {32, 7}, "f32", "generic"},
        CacheCase{1, 99, 5, 5, 100, 257, {98, 50}, "bf16"},
        CacheCase{1, 99, 8, 2, 64, 64, {3, 50}, "bf16", "avx2"},
        CacheCase{1, 20, 2, 1, 12, 12, {19, 4}, "bf16", "generic"},
        // Several.
        CacheCase{2, 2, 1, 1, 8, 8, {0}},
        CacheCase{5, 40, 4, 4, 8, 8, {0, 35, 17}},
        CacheCase{64, 300, 6, 2, 64, 64, {0, 64, 236}},
        CacheCase{65, 300, 3, 1, 60, 37, {231, 31}},
        CacheCase{7, 70, 9, 1, 128, 96, {63, 0}, "f32", "avx2"},
        CacheCase{3, 33, 4, 2, 5, 3, {30, 7}, "f32", "generic"},
        CacheCase{17, 99, 5, 5, 100, 257, {82, 50}, "bf16"},
        CacheCase{4, 20, 2, 1, 12, 12, {16, 4}, "bf16", "generic"},
        // More keys than a panel has.
        CacheCase{1, 5000, 1, 1, 256, 256, {4500}},
        CacheCase{5, 5000, 1, 1, 256, 256, {4500, 2000, 2043, 2044}}),
    [](const ::testing::TestParamInfo<CacheCase> &info) {
      const CacheCase &c = info.param;
      return std::to_string(info.index) + "_" + std::to_string(c.tokens) +
             "_of_" + std::to_string(c.positions) + "_" + c.storage + "_" +
             c.isa;
    });

/// A start outside the cache is an error that nobody reported: the nearest one
/// inside is taken, and no memory outside is touched.
TEST(CompiledCache, StartsOutsideAreTakenInside) {
  auto text = [](const std::string &start) {
    return "func.func @main(%c: tensor<2x9x2x8xf32>, %x: tensor<2x4x2x8xf32>) "
           "-> (tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, "
           "tensor<2x4x2x8xf32>) {\n"
           "  %s = arith.constant dense<" +
           start +
           "> : tensor<2xi64>\n"
           "  %w = attnres.cache_write %c, %x at(%s) : tensor<2x9x2x8xf32>, "
           "tensor<2x4x2x8xf32>, tensor<2xi64>\n"
           "  %r = attnres.rope %x start(%s) {theta = 1.0e1 : f64, positions = "
           "9 : i64} : tensor<2x4x2x8xf32>, tensor<2xi64>\n"
           "  %o, %l = attnres.attention %x, %c, %c start(%s) {causal} : "
           "tensor<2x4x2x8xf32>, tensor<2x9x2x8xf32>, tensor<2x9x2x8xf32>, "
           "tensor<2xi64>\n"
           "  return %w, %r, %o : tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, "
           "tensor<2x4x2x8xf32>\n}\n";
  };
  OwningOpRef<ModuleOp> outside =
      parseModule(text("[-1, 9223372036854775807]"));
  OwningOpRef<ModuleOp> inside = parseModule(text("[0, 5]"));
  ASSERT_TRUE(outside && inside);
  auto function = outside->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, 1, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = evaluate(*inside, inputs);
  for (auto attention : {AttentionForm::Flash, AttentionForm::Naive}) {
    StageOptions options;
    options.attention = attention;
    expectCompiled(*outside, options, inputs, expected, expected.size());
  }
}

} // namespace
