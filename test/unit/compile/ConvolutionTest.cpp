// Compiled short convolutions and what surrounds the delta rule compute what
// the float64 interpreter says: fewer tokens than weights, channels that are no
// multiple of a register, texts behind a tail.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct ConvolutionCase {
  std::string name;
  int64_t texts, tokens, channels, window;
  bool tail = false;
  std::string storage = "f32";
  std::string isa = "host";
};

void PrintTo(const ConvolutionCase &c, std::ostream *stream) {
  *stream << c.name;
}

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

class CompiledConvolution : public ::testing::TestWithParam<ConvolutionCase> {
protected:
  void expectMeaning(const std::string &text, bool isForward) {
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module = parseModule(text);
    ASSERT_TRUE(module);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    nameBindings(function);
    SmallVector<Tensor> inputs =
        storableInputs(function, 1, /*scaleWeights=*/false);
    int64_t tokens = GetParam().tokens;
    for (Tensor &input : inputs)
      for (auto [i, length] : llvm::enumerate(input.integers))
        length = static_cast<int64_t>(i) * 2 % (tokens + 1);
    SmallVector<Tensor> expected = evaluate(*module, inputs);
    StageOptions options;
    options.target = std::string("cpu:") + atMostHost(GetParam().isa.c_str());
    expectCompiled(*module, options, inputs, expected,
                   isForward ? expected.size() : 0);
  }
};

TEST_P(CompiledConvolution, MatchesInterpreter) {
  const ConvolutionCase &c = GetParam();
  std::string rows = tensor({c.texts, c.tokens, c.channels}, c.storage);
  std::string before = tensor({c.texts, c.window - 1, c.channels}, c.storage);
  Writer forward, backward;
  for (Writer *w : {&forward, &backward}) {
    bool isForward = w == &forward;
    Refs operands = w->argument(rows) +
                    w->argument(tensor({c.channels, c.window}, c.storage));
    if (!isForward)
      operands = operands + w->argument(rows);
    Refs tail = w->arguments(c.tail, before);
    std::vector<std::string> results{rows};
    if (!isForward) {
      results.push_back(tensor({c.channels, c.window}, "f32"));
      if (c.tail)
        results.push_back(before);
    }
    w->returns(w->op(std::string("attnres.short_convolution") +
                         (isForward ? "" : "_backward") + " " +
                         names(operands) + clause("tail", tail) + " : " +
                         types(operands + tail),
                     results));
  }
  expectMeaning(forward.text(), true);
  expectMeaning(backward.text(), false);
}

TEST_P(CompiledConvolution, Tail) {
  const ConvolutionCase &c = GetParam();
  std::string before = tensor({c.texts, c.window - 1, c.channels}, c.storage);
  Writer w;
  Refs x = w.argument(tensor({c.texts, c.tokens, c.channels}, c.storage));
  Refs tail = w.arguments(c.tail, before);
  Refs length = w.argument(tensor({c.texts}, "i64"));
  w.returns(w.op("attnres.convolution_tail " + names(x) + clause("tail", tail) +
                     clause("length", length) +
                     " {width = " + std::to_string(c.window - 1) +
                     " : i64} : " + types(x + tail + length),
                 {before}));
  expectMeaning(w.text(), true);
}

TEST_P(CompiledConvolution, NormsAndGates) {
  const ConvolutionCase &c = GetParam();
  std::string rows = tensor({c.texts, c.tokens, c.channels}, c.storage);
  std::string floats = tensor({c.texts, c.tokens, c.channels}, "f32");
  for (bool isForward : {true, false}) {
    Writer w;
    Refs x = w.argument(rows), grad = w.argument(rows);
    Refs floatGrad = w.argument(floats);
    // One head for each channel, and one for all.
    Refs rates[] = {w.argument(tensor({c.channels}, "f32")),
                    w.argument(tensor({1}, "f32"))};
    Refs bias = w.argument(tensor({c.channels}, "f32"));
    std::string eps = " {eps = 1.0e-3 : f64} : ";
    for (const Refs &rate : rates)
      for (std::string bound : {"", "lower_bound = -5.0 : f64"}) {
        Refs operands = x + rate + bias + (isForward ? Refs() : floatGrad);
        w.returns(w.op(
            std::string("attnres.kda_gate") + (isForward ? " " : "_backward ") +
                names(operands) + " {" + bound + "} : " + types(operands),
            isForward ? std::vector<std::string>{floats}
                      : std::vector<std::string>{rows, rate.front().type,
                                                 bias.front().type}));
      }
    Refs operands = x + (isForward ? Refs() : grad);
    std::string suffix = isForward ? " " : "_backward ";
    w.returns(w.op("attnres.l2_norm" + suffix + names(operands) + eps + rows,
                   {rows}));
    w.returns(w.op("attnres.sigmoid" + suffix + names(operands) + " : " + rows,
                   {rows}));
    Refs gates = x + grad + (isForward ? Refs() : x);
    w.returns(w.op("attnres.situ_glu" + suffix + names(gates) + " : " +
                       (isForward ? rows : types(gates)),
                   isForward ? std::vector<std::string>{rows}
                             : std::vector<std::string>{rows, rows}));
    expectMeaning(w.text(), isForward);
  }
}

const ConvolutionCase cases[] = {
    {"one", 1, 1, 1, 1},
    {"one_weight", 2, 7, 5, 1},
    {"two_weights", 2, 7, 16, 2, true},
    {"four_weights", 2, 11, 24, 4},
    {"tail", 3, 11, 20, 4, true},
    {"few_tokens", 2, 2, 9, 4, true},
    {"no_tokens", 2, 0, 9, 4, true},
    {"wide", 1, 33, 100, 4, true},
    {"bf16", 2, 9, 20, 4, true, "bf16"},
    {"generic", 2, 9, 20, 4, true, "f32", "generic"},
};

INSTANTIATE_TEST_SUITE_P(
    Cases, CompiledConvolution, ::testing::ValuesIn(cases),
    [](const ::testing::TestParamInfo<ConvolutionCase> &info) {
      return info.param.name;
    });

} // namespace
