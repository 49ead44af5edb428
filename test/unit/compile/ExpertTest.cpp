// Compiled mixtures of experts compute what the float64 interpreter says:
// experts that nobody chooses, that all choose, equal scores, and sizes that
// are no multiple of anything.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct ExpertCase {
  std::string name;
  int64_t rows, choices, experts, depth, width;
  /// The experts that the rows choose from are the first `used`.
  int64_t used;
  std::string storage = "f32";
  std::string isa = "host";
};

void PrintTo(const ExpertCase &c, std::ostream *stream) { *stream << c.name; }

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

class CompiledExperts : public ::testing::TestWithParam<ExpertCase> {
protected:
  /// Compares results of the program; integer inputs choose experts.
  void expectMeaning(const std::string &text, bool isExact) {
    const ExpertCase &c = GetParam();
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module = parseModule(text);
    ASSERT_TRUE(module);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    nameBindings(function);
    SmallVector<Tensor> inputs =
        storableInputs(function, 1, /*scaleWeights=*/false);
    for (Tensor &input : inputs)
      for (auto [i, expert] : llvm::enumerate(input.integers))
        expert = static_cast<int64_t>(i * 7 + i / 3) % c.used;
    SmallVector<Tensor> expected = evaluate(*module, inputs);
    StageOptions options;
    options.target = std::string("cpu:") + atMostHost(c.isa.c_str());
    expectCompiled(*module, options, inputs, expected,
                   isExact ? expected.size() : 0);
  }
};

TEST_P(CompiledExperts, GroupedProducts) {
  const ExpertCase &c = GetParam();
  std::string choices = tensor({c.rows, c.choices}, "i64");
  for (bool shared : {true, false})
    for (bool transpose : {false, true}) {
      Writer w;
      auto rows = [&](int64_t width) {
        return shared ? tensor({c.rows, width}, c.storage)
                      : tensor({c.rows, c.choices, width}, c.storage);
      };
      Refs x = w.argument(rows(c.depth));
      Refs weight = w.argument(
          transpose ? tensor({c.experts, c.depth, c.width}, c.storage)
                    : tensor({c.experts, c.width, c.depth}, c.storage));
      Refs chosen = w.argument(choices);
      std::string result = tensor({c.rows, c.choices, c.width}, c.storage);
      w.returns(w.op("attnres.grouped_linear " + names(x + weight + chosen) +
                         (transpose ? " {transpose}" : "") + " : " +
                         types(x + weight + chosen),
                     {result}));
      Refs grad = w.argument(result);
      w.returns(w.op("attnres.grouped_weight_grad " + names(grad + x + chosen) +
                         " {matrices = " + std::to_string(c.experts) +
                         " : i64} : " + types(grad + x + chosen),
                     {tensor({c.experts, c.width, c.depth}, "f32")}));
      expectMeaning(w.text(), /*isExact=*/false);
    }
}

TEST_P(CompiledExperts, Combination) {
  const ExpertCase &c = GetParam();
  Writer w;
  Refs x = w.argument(tensor({c.rows, c.choices, c.width}, c.storage));
  Refs weights = w.argument(tensor({c.rows, c.choices}, "f32"));
  std::string result = tensor({c.rows, c.width}, c.storage);
  w.returns(w.op("attnres.combine_experts " + names(x) +
                     clause("weights", weights) + " : " + types(x + weights),
                 {result}));
  Refs grad = w.argument(result);
  w.returns(w.op("attnres.combine_experts_backward " +
                     names(x + weights + grad) + " : " +
                     types(x + weights + grad),
                 {x.front().type, weights.front().type}));
  expectMeaning(w.text(), /*isExact=*/true);
}

TEST_P(CompiledExperts, Routing) {
  const ExpertCase &c = GetParam();
  Writer w;
  std::string scores = tensor({c.rows, c.experts}, c.storage);
  std::string chosen = tensor({c.rows, c.choices}, "i64"),
              weights = tensor({c.rows, c.choices}, "f32");
  Refs logits = w.argument(scores);
  Refs bias = w.argument(tensor({c.experts}, "f32"));
  std::string count = " {top_k = " + std::to_string(c.choices) + " : i64} : ";
  Refs routes = w.op("attnres.router " + names(logits + bias) + count +
                         types(logits + bias),
                     {chosen, weights});
  w.returns(routes);
  Refs grad = w.argument(weights);
  Refs operands = logits + Refs{routes[0]} + grad;
  w.returns(w.op("attnres.router_backward " + names(operands) + " : " +
                     types(operands),
                 {scores}));
  if (c.choices < c.experts)
    w.returns(w.op("attnres.balance_bias " + names(logits + bias) + count +
                       types(logits + bias),
                   {bias.front().type}));
  expectMeaning(w.text(), /*isExact=*/true);
}

const ExpertCase cases[] = {
    {"one_of_each", 1, 1, 1, 1, 1, 1},
    {"no_rows", 0, 2, 3, 5, 7, 3},
    {"all_experts", 23, 2, 6, 17, 33, 6},
    {"unused_experts", 23, 2, 6, 40, 60, 2},
    {"one_for_all", 37, 3, 4, 19, 16, 1},
    {"many_experts", 9, 4, 70, 8, 24, 70},
    {"many_rows", 300, 2, 6, 3, 5, 6},
    {"hundreds_of_experts", 5, 2, 300, 3, 5, 300},
    {"wide", 21, 2, 3, 64, 200, 3},
    {"bf16", 23, 2, 6, 20, 36, 5, "bf16"},
    {"generic", 23, 2, 6, 17, 33, 6, "f32", "generic"},
};

INSTANTIATE_TEST_SUITE_P(Cases, CompiledExperts, ::testing::ValuesIn(cases),
                         [](const ::testing::TestParamInfo<ExpertCase> &info) {
                           return info.param.name;
                         });

} // namespace
