// Compiled attention over a cache computes what the float64 interpreter says,
// at sizes that are no multiple of anything, and reads no position that no
// query sees.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct CacheCase {
  int64_t tokens, positions, heads, kvHeads, keySize, valueSize;
  std::vector<int64_t> starts; ///< one for each text
  std::string storage = "f32", isa = "host";
};

class CachedAttention : public ::testing::TestWithParam<CacheCase> {};

TEST_P(CachedAttention, SA8MatchesInterpreter) {
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
                     clause("start", start) +
                     " {causal} : " + types(q + k + v + start),
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
  options.target = std::string("cpu:") + atMostHost(c.isa.c_str());
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

/// A start outside the cache, or a place of no token, is an error that the
/// compiler reports. Kernels do not rely on it: compiled without, the nearest
/// one inside is taken, and no memory outside is touched. SE-2 is the same for
/// places.
TEST(CompiledCache, CA2StartsOutsideAreTakenInside) {
  auto text = [](const std::string &start, const std::string &place) {
    return "func.func @main(%c: tensor<2x9x2x8xf32>, %x: tensor<2x4x2x8xf32>) "
           "-> (tensor<2x9x2x8xf32>, tensor<2x4x2x8xf32>, "
           "tensor<2x4x2x8xf32>, tensor<2x1x2x8xf32>) {\n"
           "  %s = arith.constant dense<" +
           start +
           "> : tensor<2xi64>\n"
           "  %p = arith.constant dense<" +
           place +
           "> : tensor<2xi64>\n"
           "  %w = attnres.cache_write %c, %x at(%s) : tensor<2x9x2x8xf32>, "
           "tensor<2x4x2x8xf32>, tensor<2xi64>\n"
           "  %r = attnres.rope %x start(%s) {theta = 1.0e1 : f64, positions = "
           "9 : i64} : tensor<2x4x2x8xf32>, tensor<2xi64>\n"
           "  %o, %l = attnres.attention %x, %c, %c start(%s) {causal} : "
           "tensor<2x4x2x8xf32>, tensor<2x9x2x8xf32>, tensor<2x9x2x8xf32>, "
           "tensor<2xi64>\n"
           "  %t = attnres.select_token %c at(%p) : tensor<2x9x2x8xf32>, "
           "tensor<2xi64>\n"
           "  return %w, %r, %o, %t : tensor<2x9x2x8xf32>, "
           "tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32>, tensor<2x1x2x8xf32>\n}\n";
  };
  OwningOpRef<ModuleOp> outside = parseModule(
      text("[-1, 9223372036854775807]", "[-9223372036854775808, 9]"));
  OwningOpRef<ModuleOp> inside = parseModule(text("[0, 5]", "[0, 8]"));
  ASSERT_TRUE(outside && inside);
  auto function = outside->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, 1, /*scaleWeights=*/false);
  nameBindings(inside->lookupSymbol<func::FuncOp>("main"));
  Stage unchecked[] = {Stage::Naive, Stage::Scheduled, Stage::Kernels,
                       Stage::Planned, Stage::Cpu};
  for (auto attention : {AttentionForm::Flash, AttentionForm::Naive}) {
    StageOptions options;
    options.attention = attention;
    std::vector<std::string> expected =
        runCompiled(*inside, unchecked, options, inputs);
    ASSERT_EQ(expected.size(), 4u);
    EXPECT_EQ(runCompiled(*outside, unchecked, options, inputs), expected);
    OwningOpRef<ModuleOp> checked = outside->clone();
    std::string message;
    ScopedDiagnosticHandler handler(&testContext(), [&](Diagnostic &d) {
      message += d.str();
      return success();
    });
    EXPECT_FALSE(runStages(*checked, {Stage::Naive, Stage::Training}, options));
    EXPECT_NE(message.find("of the positions, expected 0 to 5"),
              std::string::npos)
        << message;
  }
}

} // namespace
