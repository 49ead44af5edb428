// Compiled Kimi delta attention computes what the float64 interpreter says:
// around every size of a chunk, for padded heads, texts of several lengths and
// of several segments, and decays from none to everything.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct KdaCase {
  std::string name;
  int64_t tokens, heads = 1, valueHeads = 1, keyDim = 8, valueDim = 8;
  std::string extras = ""; ///< "state", "length", both or none
  /// Decays are exp(-|x| decayScale) of normal numbers x.
  double decayScale = 0.3;
  bool zeroKeys = false;
  std::string storage = "f32";
  std::string isa = "host";
};

void PrintTo(const KdaCase &c, std::ostream *stream) { *stream << c.name; }

constexpr int64_t kTexts = 3;

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

/// Forward, or backward with gradients of both results.
std::string program(const KdaCase &c, bool backward) {
  Writer w;
  std::string q = tensor({kTexts, c.tokens, c.heads, c.keyDim}, c.storage);
  std::string v =
      tensor({kTexts, c.tokens, c.valueHeads, c.valueDim}, c.storage);
  std::string decay = tensor({kTexts, c.tokens, c.valueHeads, c.keyDim}, "f32");
  std::string beta = tensor({kTexts, c.tokens, c.valueHeads}, c.storage);
  std::string states =
      tensor({kTexts, c.valueHeads, c.keyDim, c.valueDim}, "f32");
  StringRef extras = c.extras;
  Refs operands = w.argument(q) + w.argument(q) + w.argument(v) +
                  w.argument(decay) + w.argument(beta);
  Refs state = w.arguments(extras.contains("state"), states);
  Refs length = w.arguments(extras.contains("length"), tensor({kTexts}, "i64"));
  std::string clauses = clause("state", state) + clause("length", length);
  if (!backward) {
    w.returns(w.op("attnres.kda " + names(operands) + clauses + " : " +
                       types(operands + state + length),
                   {v, states}));
    return w.text();
  }
  Refs outputGrad = w.argument(v), stateGrad = w.argument(states);
  std::vector<std::string> results{q, q, v, decay, beta};
  if (!state.empty())
    results.push_back(states);
  w.returns(w.op("attnres.kda_backward " + names(operands + outputGrad) +
                     clause("state_grad", stateGrad) + clauses + " : " +
                     types(operands + outputGrad + stateGrad + state + length),
                 results));
  return w.text();
}

/// Keys and queries of length 1 or 0, decays at most 0, steps in (0, 1), and
/// texts of no, some and all tokens; rounded to storage.
void prepare(const KdaCase &c, func::FuncOp function,
             MutableArrayRef<Tensor> inputs) {
  auto scaleRows = [](Tensor &rows, bool toZero) {
    for (int64_t row = 0; row < rows.rows(); ++row) {
      double *x = rows.reals.data() + row * rows.width();
      double square = 0;
      for (int64_t i = 0; i < rows.width(); ++i)
        square += x[i] * x[i];
      bool isZero = toZero && row % 3 != 1;
      for (int64_t i = 0; i < rows.width(); ++i)
        x[i] = isZero ? 0 : x[i] / std::sqrt(square);
    }
  };
  scaleRows(inputs[0], false);
  scaleRows(inputs[1], c.zeroKeys);
  for (double &decay : inputs[3].reals)
    decay = -std::fabs(decay) * c.decayScale;
  for (double &beta : inputs[4].reals)
    beta = 1 / (1 + std::exp(-beta));
  for (Tensor &input : inputs)
    if (input.isInteger)
      input.integers = {c.tokens / 2, c.tokens, 0};
  for (auto [input, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes()))
    input.roundTo(cast<RankedTensorType>(type).getElementType());
}

class CompiledKda : public ::testing::TestWithParam<KdaCase> {};

/// With lengths KD-4.
TEST_P(CompiledKda, KD6MatchesInterpreter) {
  const KdaCase &c = GetParam();
  for (bool backward : {false, true}) {
    std::string text = program(c, backward);
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module = parseModule(text);
    ASSERT_TRUE(module);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    nameBindings(function);
    SmallVector<Tensor> inputs =
        storableInputs(function, 1, /*scaleWeights=*/false);
    prepare(c, function, inputs);
    SmallVector<Tensor> expected = evaluate(*module, inputs);
    StageOptions options;
    options.target = std::string("cpu:") + atMostHost(c.isa.c_str());
    expectCompiled(*module, options, inputs, expected,
                   backward ? 0 : expected.size());
  }
}

std::vector<KdaCase> allCases() {
  std::vector<KdaCase> cases;
  for (int64_t tokens : {1, 2, 5, 6, 7, 12, 23, 24, 25, 47, 48, 65})
    cases.push_back({"tokens_" + std::to_string(tokens), tokens});
  KdaCase others[] = {
      {"no_tokens", 0, 1, 1, 8, 8, "state"},
      {"odd_heads", 19, 2, 2, 5, 7, "state"},
      {"wide_heads", 33, 1, 1, 60, 40, ""},
      {"narrow_values", 20, 1, 1, 33, 3, "state"},
      {"shared_heads", 21, 2, 6, 12, 9, "state length"},
      {"lengths", 37, 2, 2, 16, 16, "length"},
      {"one_token_of_state", 1, 2, 4, 16, 8, "state length"},
      {"segments", 400, 1, 1, 256, 256, "state length"},
      {"no_decay", 40, 1, 1, 16, 16, "state", 0},
      {"decay_to_nothing", 40, 1, 1, 16, 16, "state", 60},
      {"large_decay", 40, 1, 2, 16, 16, "state", 1e4},
      {"zero_keys", 35, 1, 1, 16, 16, "state", 0.3, true},
      {"bf16", 35, 1, 2, 16, 12, "state length", 0.3, false, "bf16"},
      {"bf16_odd", 17, 1, 1, 9, 5, "", 0.3, false, "bf16", "generic"},
      {"generic", 35, 1, 2, 20, 12, "state", 0.3, false, "f32", "generic"},
      {"avx2", 35, 1, 2, 20, 12, "state", 0.3, false, "f32", "avx2"},
  };
  cases.insert(cases.end(), std::begin(others), std::end(others));
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, CompiledKda, ::testing::ValuesIn(allCases()),
                         [](const ::testing::TestParamInfo<KdaCase> &info) {
                           return info.param.name;
                         });

} // namespace
