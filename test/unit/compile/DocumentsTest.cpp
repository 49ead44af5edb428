// Attention and rotation in rows of several texts: compiled code computes what
// the float64 interpreter says, forward and backward, and a row of texts has
// what each of them has alone.
#include "test/unit/HostIsa.h"
#include "test/unit/compile/CompiledCode.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct DocumentCase {
  int64_t tokens, heads, kvHeads, keySize, valueSize;
  /// Where texts begin, for each batch row.
  std::vector<std::vector<int64_t>> begins;
  std::string storage = "f32", target = "host";
  /// Numbers that are no beginnings: negative ones, and those behind the token.
  bool wild = false;
};

void PrintTo(const DocumentCase &c, std::ostream *stream) {
  *stream << c.tokens << " tokens, " << c.storage << ", " << c.target;
}

int64_t batchOf(const DocumentCase &c) {
  return static_cast<int64_t>(c.begins.size());
}

/// documents [B, T] as a constant.
Refs documents(Writer &w, const DocumentCase &c) {
  std::string values;
  for (const std::vector<int64_t> &begins : c.begins)
    for (int64_t t = 0; t < c.tokens; ++t) {
      int64_t first = 0;
      for (int64_t begin : begins)
        if (begin <= t)
          first = begin;
      if (c.wild && t % 7 == 3)
        first = t % 2 ? -5 : t + 1 + t % 3;
      values += (values.empty() ? "" : ", ") + std::to_string(first);
    }
  std::string type =
                  "tensor<" + std::to_string(batchOf(c) * c.tokens) + "xi64>",
              shape = "tensor<" + std::to_string(batchOf(c)) + "x" +
                      std::to_string(c.tokens) + "xi64>";
  Refs flat = w.op("arith.constant dense<[" + values + "]> : " + type, {type});
  return w.op("tensor.expand_shape " + names(flat) +
                  " [[0, 1]] output_shape [" + std::to_string(batchOf(c)) +
                  ", " + std::to_string(c.tokens) + "] : " + type + " into " +
                  shape,
              {shape});
}

std::string tensorOf(const DocumentCase &c, std::initializer_list<int64_t> rest,
                     const std::string &element) {
  std::string type = "tensor<" + std::to_string(batchOf(c)) + "x" +
                     std::to_string(c.tokens) + "x";
  for (int64_t size : rest)
    type += std::to_string(size) + "x";
  return type + element + ">";
}

class Documents : public ::testing::TestWithParam<DocumentCase> {
protected:
  void expectMeaning(const std::string &text, size_t numForward) {
    const DocumentCase &c = GetParam();
    OwningOpRef<ModuleOp> module = parseModule(text);
    ASSERT_TRUE(module) << text;
    auto function = module->lookupSymbol<func::FuncOp>("main");
    nameBindings(function);
    SmallVector<Tensor> inputs =
        storableInputs(function, 1, /*scaleWeights=*/false);
    SmallVector<Tensor> expected = evaluate(*module, inputs);
    StageOptions options;
    bool isGpu = StringRef(c.target).starts_with("sm_");
    options.target =
        isGpu ? c.target : std::string("cpu:") + atMostHost(c.target.c_str());
    // Gradients follow from an output that is stored, and rounded, before.
    double slack = 0;
    if (c.storage == "bf16")
      for (const Tensor &tensor : expected)
        slack = std::max(slack, 0x1p-8 * largestMagnitude(tensor));
    expectCompiled(*module, options, inputs, expected, numForward, slack);
  }
};

TEST_P(Documents, SA10AttentionMatchesInterpreter) {
  const DocumentCase &c = GetParam();
  Writer w;
  std::string qType = tensorOf(c, {c.heads, c.keySize}, c.storage),
              kType = tensorOf(c, {c.kvHeads, c.keySize}, c.storage),
              vType = tensorOf(c, {c.kvHeads, c.valueSize}, c.storage),
              oType = tensorOf(c, {c.heads, c.valueSize}, c.storage),
              lseType = tensorOf(c, {c.heads}, "f32");
  Refs qkv = w.argument(qType) + w.argument(kType) + w.argument(vType);
  Refs begins = documents(w, c);
  Refs forward =
      w.op("attnres.attention " + names(qkv) + clause("documents", begins) +
               " {causal} : " + types(qkv + begins),
           {oType, lseType});
  Refs operands = qkv + forward + w.argument(oType);
  Refs lseGrad = w.argument(lseType);
  w.returns(forward);
  w.returns(w.op("attnres.attention_backward " + names(operands) +
                     clause("lse_grad", lseGrad) + clause("documents", begins) +
                     " {causal} : " + types(operands + lseGrad + begins),
                 {qType, kType, vType}));
  expectMeaning(w.text(), 2);
}

TEST_P(Documents, RO5RotationMatchesInterpreter) {
  const DocumentCase &c = GetParam();
  Writer w;
  std::string type = tensorOf(c, {c.heads, 2 * c.keySize}, c.storage);
  Refs x = w.argument(type), begins = documents(w, c);
  for (const char *inverse : {"", ", inverse"})
    w.returns(w.op("attnres.rope " + names(x) + clause("documents", begins) +
                       " {theta = 1.0e2 : f64, offset = 3 : i64" + inverse +
                       "} : " + types(x + begins),
                   {type}));
  expectMeaning(w.text(), 2);
}

using Begins = std::vector<std::vector<int64_t>>;

INSTANTIATE_TEST_SUITE_P(
    Cases, Documents,
    ::testing::Values(
        // One text, as without documents; texts of one token; one that begins
        // in the middle of everything.
        DocumentCase{11, 2, 1, 8, 8, Begins{{0}, {0, 5}}},
        DocumentCase{9, 3, 3, 5, 7, Begins{{0, 1, 2, 3, 4, 5, 6, 7, 8}}},
        DocumentCase{150, 4, 2, 16, 16, Begins{{0, 37, 38, 140}, {0, 96}}},
        DocumentCase{150, 2, 1, 16, 12, Begins{{0, 37, 140}}, "bf16"},
        DocumentCase{77, 2, 2, 9, 5, Begins{{0, 33, 70}}, "f32", "generic"},
        DocumentCase{77, 2, 2, 9, 5, Begins{{0, 33, 70}}, "f32", "avx2"},
        // Blocks of keys and queries that no text has in common.
        DocumentCase{700, 2, 1, 32, 32, Begins{{0, 13, 290, 520, 521, 699}}},
        DocumentCase{1100, 1, 1, 8, 8, Begins{{0, 1000}, {0, 3, 129, 513}}},
        DocumentCase{40, 2, 1, 8, 8, Begins{{0, 20}, {0, 3}}, "f32", "host",
                     true},
        // More keys than a panel has.
        DocumentCase{5000, 1, 1, 160, 160, Begins{{0, 2100, 4990}}},
        // On GPUs.
        DocumentCase{21, 2, 1, 8, 8, Begins{{0, 7, 17}, {0}}, "f32", "sm_80"},
        DocumentCase{21, 2, 2, 16, 16, Begins{{0, 9}}, "bf16", "sm_80"}),
    [](const ::testing::TestParamInfo<DocumentCase> &info) {
      return std::to_string(info.index) + "_" +
             std::to_string(info.param.tokens);
    });

/// What each of two texts of 5 and 6 tokens has alone stands in their row.
TEST(DocumentsAlone, SA10RowOfTextsHasWhatEachHas) {
  auto programOf = [](int64_t first, int64_t size, bool together) {
    std::string length = std::to_string(size);
    std::string x = "tensor<1x" + length + "x2x6xf32>",
                d = "tensor<1x" + length + "xi64>";
    std::string documents;
    for (int64_t t = 0; t < size; ++t)
      documents += concat(t ? ", " : "", together && t >= first ? first : 0);
    return "func.func @main(%q: " + x + ", %k: " + x + ", %v: " + x + ") -> (" +
           x + ", tensor<1x" + length +
           "x2xf32>) {\n  %d = arith.constant dense<[[" + documents +
           "]]> : " + d +
           "\n  %a = attnres.rope %q documents(%d) {theta = 1.0e2 : f64} : " +
           x + ", " + d +
           "\n  %b = attnres.rope %k documents(%d) {theta = 1.0e2 : f64} : " +
           x + ", " + d +
           "\n  %o, %l = attnres.attention %a, %b, %v documents(%d) {causal} "
           ": " +
           x + ", " + x + ", " + x + ", " + d + "\n  return %o, %l : " + x +
           ", tensor<1x" + length + "x2xf32>\n}";
  };
  constexpr int64_t first = 5, all = 11, width = 12;
  OwningOpRef<ModuleOp> both = parseModule(programOf(first, all, true));
  ASSERT_TRUE(both);
  SmallVector<Tensor> inputs =
      storableInputs(both->lookupSymbol<func::FuncOp>("main"), 3, false);
  SmallVector<Tensor> together = evaluate(*both, inputs);
  for (auto [begin, end] :
       {std::make_pair(int64_t{0}, first), std::make_pair(first, all)}) {
    OwningOpRef<ModuleOp> one = parseModule(programOf(0, end - begin, false));
    ASSERT_TRUE(one);
    SmallVector<Tensor> part;
    for (const Tensor &input : inputs) {
      Tensor cut = Tensor::ofReals({1, end - begin, 2, 6});
      std::copy_n(input.reals.begin() + begin * width, (end - begin) * width,
                  cut.reals.begin());
      part.push_back(cut);
    }
    SmallVector<Tensor> alone = evaluate(*one, part);
    for (auto [mine, row, perToken] :
         {std::make_tuple(&alone[0], &together[0], width),
          std::make_tuple(&alone[1], &together[1], int64_t{2})})
      for (int64_t i = 0; i < mine->size(); ++i)
        EXPECT_NEAR(mine->reals[i], row->reals[begin * perToken + i], 1e-12);
  }
}

} // namespace
