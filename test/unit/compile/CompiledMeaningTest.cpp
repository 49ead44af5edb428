// Compiled code computes what the float64 interpreter says: random programs,
// and single operations at sizes that are no multiple of anything. Memory is
// poisoned before each run, and the bits may not depend on the number of
// threads.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

#include <cmath>
#include <tuple>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

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

/// What is recomputed beside its backward operation, in one kernel with it and
/// over memory that it reads, leaves every bit as it is.
TEST_P(CompiledProgram, RecomputedGradientsKeepTheirBits) {
  RandomProgramOptions programOptions;
  programOptions.loss = true;
  OwningOpRef<ModuleOp> module = randomProgram(GetParam(), programOptions);
  auto function = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, GetParam(), /*scaleWeights=*/true);
  StageOptions options;
  options.gradients = true;
  ASSERT_TRUE(runStages(*module, {Stage::Naive, Stage::Scheduled}, options));
  OwningOpRef<ModuleOp> kept = module->clone();
  ASSERT_TRUE(runPipeline(*kept, "attnres-differentiate,canonicalize,cse,"
                                 "attnres-fold-accumulation"));
  ASSERT_TRUE(runStages(*module, {Stage::Training}, options));
  constexpr Stage rest[] = {Stage::Kernels, Stage::Planned, Stage::Cpu};
  std::vector<std::string> expected = runCompiled(*kept, rest, options, inputs);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(runCompiled(*module, rest, options, inputs), expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledProgram,
                         ::testing::Range<uint64_t>(200, 217));

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

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

/// Starts, and counts of new rows, are 0, 1 and 2; one text has all rows. A
/// cache that is written is returned, and so is what was read from it before.
void cache(Writer &w, const Sizes &s) {
  int64_t tokens = std::max<int64_t>(s.rows, 1), positions = tokens + 5;
  auto type = [&](int64_t length) {
    return "tensor<2x" + std::to_string(length) + "x" +
           std::to_string(s.sources) + "x" + std::to_string(2 * s.width) + "x" +
           s.storage + ">";
  };
  Refs old = w.argument(type(positions)), x = w.argument(type(tokens)),
       start = w.argument("tensor<2xi64>");
  Refs rotated = w.op(
      "attnres.rope " + names(x) + clause("start", start) +
          " {theta = 1.0e2 : f64, positions = " + std::to_string(positions) +
          " : i64} : " + types(x + start),
      {type(tokens)});
  for (const Refs &written : {x, rotated})
    w.returns(w.op("attnres.cache_write " + names(old + written) +
                       clause("at", start) + " : " +
                       types(old + written + start),
                   {type(positions)}));
  if (tokens < 2)
    return;
  Refs length = w.argument("tensor<2xi64>");
  w.returns(w.op("attnres.cache_write " + names(old + x) + clause("at", start) +
                     clause("length", length) + " : " +
                     types(old + x + start + length),
                 {type(positions)}));
}

/// Places are 0, 1 and 2, and sums of two of those. Statistics have no columns;
/// a selection that is read at once stays inside a kernel.
void selectToken(Writer &w, const Sizes &s) {
  int64_t tokens = std::max<int64_t>(s.rows, 5);
  std::string places = "tensor<2xi64>", one = "tensor<2x1x";
  Refs a = w.argument(places), b = w.argument(places);
  Refs sum = w.op("arith.addi " + names(a + b) + " : " + places, {places});
  // Of sums every place must be inside, whatever each of the two is alone.
  auto several = [&](int64_t length) {
    return "tensor<2x" + std::to_string(length) + "x";
  };
  std::string columns = std::to_string(s.width) + "x" + s.storage + ">",
              heads = std::to_string(s.sources) + "x" + columns;
  for (const auto &[length, rest, at] :
       {std::tuple(tokens, columns, a), std::tuple(2 * tokens, heads, sum),
        std::tuple(tokens, std::string("f32>"), b)}) {
    Refs x = w.argument(several(length) + rest);
    w.returns(w.op("attnres.select_token " + names(x) + clause("at", at) +
                       " : " + types(x + at),
                   {one + rest}));
  }
  Refs x = w.argument(several(2 * tokens) + columns);
  Refs y = w.op("attnres.select_token " + names(x) + clause("at", sum) + " : " +
                    types(x + sum),
                {one + columns});
  w.returns(w.op("attnres.gelu " + names(y) + " : " + one + columns,
                 {one + columns}));
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

void labelSmoothing(Writer &w, const Sizes &s) {
  Refs operands = w.argument(s.row(s.width + 2)) + w.argument(s.indices());
  std::string attributes =
      " {ignore_index = 1 : i64, label_smoothing = 0.3 : f64} : ";
  Refs forward = w.op("attnres.cross_entropy_rows " + names(operands) +
                          attributes + types(operands),
                      {s.stat(), s.stat()});
  w.returns(forward);
  Refs rest = Refs{forward[1]} + w.argument("tensor<f32>");
  w.returns(w.op("attnres.cross_entropy_rows_backward " +
                     names(operands + rest) + attributes +
                     types(operands + rest),
                 {s.row(s.width + 2)}));
}

/// Of numbers that are read, and of those that stay inside the kernel.
void dropout(Writer &w, const Sizes &s) {
  Refs x = w.argument(s.row());
  Refs random = w.op("arith.constant dense<[-3, 8589934593]> : tensor<2xi64>",
                     {"tensor<2xi64>"});
  auto drop = [&](const Refs &value, const char *attributes) {
    return w.op("attnres.dropout " + names(value) + clause("random", random) +
                    attributes + types(value + random),
                {s.row()});
  };
  w.returns(drop(x, " {rate = 0.25 : f64, site = 7 : i64} : "));
  Refs y = w.op("attnres.gelu " + names(x) + " : " + s.row(), {s.row()});
  Refs z = drop(y, " {rate = 0.0625 : f64, site = 0 : i64} : ");
  w.returns(w.op("arith.addf " + names(z + x) + " : " + s.row(), {s.row()}));
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

void lion(Writer &w, const Sizes &s) {
  Sizes f32 = s;
  f32.storage = "f32";
  std::string type = f32.row();
  Refs operands = w.arguments(3, type) + w.arguments(2, "tensor<f32>");
  w.returns(w.op("attnres.lion " + names(operands) +
                     " {beta1 = 0.9 : f64, beta2 = 0.99 : f64, weight_decay = "
                     "0.1 : f64} : " +
                     types(operands),
                 {type, type}));
}

void momentum(Writer &w, const Sizes &s) {
  Sizes f32 = s;
  f32.storage = "f32";
  std::string type = f32.row();
  for (const char *kind : {"", ", nesterov"}) {
    Refs operands = w.arguments(2, type) + w.argument("tensor<f32>");
    w.returns(w.op("attnres.momentum " + names(operands) +
                       " {beta = 0.95 : f64" + kind + "} : " + types(operands),
                   {type, type}));
  }
}

void descend(Writer &w, const Sizes &s) {
  Sizes f32 = s;
  f32.storage = "f32";
  std::string type = f32.row();
  Refs operands = w.arguments(2, type) + w.argument("tensor<f32>");
  w.returns(w.op("attnres.descend " + names(operands) +
                     " {factor = 1.5 : f64, weight_decay = 0.1 : f64} : " +
                     types(operands),
                 {type}));
}

/// One matrix, and a stack of them.
void orthogonalize(Writer &w, const Sizes &s) {
  std::string matrix =
      std::to_string(s.rows) + "x" + std::to_string(s.width) + "xf32>";
  for (int64_t count : {int64_t{1}, s.sources + 1}) {
    std::string type = count == 1
                           ? "tensor<" + matrix
                           : "tensor<" + std::to_string(count) + "x" + matrix;
    Refs x = w.argument(type);
    w.returns(w.op("attnres.orthogonalize " + names(x) + " {matrices = " +
                       std::to_string(count) + " : i64} : " + type,
                   {type}));
  }
}

/// Sums of squares of which two are one value: it counts twice.
void clipScale(Writer &w, const Sizes &s) {
  Refs x = w.argument("tensor<" + std::to_string(s.sources) + "xf32>");
  Refs y = w.argument("tensor<1xf32>");
  auto square = [&](const Refs &sum) {
    return w.op("arith.mulf " + names(sum + sum) + " : " + types(sum),
                {types(sum)});
  };
  Refs a = square(x), b = square(y);
  Refs sums = a + b + a;
  w.returns(w.op("attnres.clip_scale " + names(sums) +
                     " {max_norm = 1.0 : f64} : " + types(sums),
                 {"tensor<f32>", "tensor<f32>"}));
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
  options.target = std::string("cpu:") + atMostHost(c.isa.c_str());
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
      {"select_token", selectToken},
      {"embedding", embedding},
      {"embedding_backward", embeddingBackward, true},
      {"cross_entropy", crossEntropy},
      {"cross_entropy_backward", crossEntropyBackward, true},
      {"label_smoothing", labelSmoothing, true},
      {"dropout", dropout},
      {"sum_rows", sumRows, true},
      {"adamw", adamW},
      {"lion", lion},
      {"momentum", momentum},
      {"descend", descend},
      {"orthogonalize", orthogonalize, true},
      {"clip_scale", clipScale},
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

} // namespace
