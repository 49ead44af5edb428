//===- DerivativeTest.cpp - backward operations against differences -------===//
//
// G-7 for the operations of the dialect; BuiltinDerivativeTest.cpp has the
// others.
//
//===----------------------------------------------------------------------===//
#include "test/unit/dialect/DerivativeCheck.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

void expectZero(const Tensor &tensor) {
  for (double value : tensor.reals)
    EXPECT_EQ(value, 0.0);
}

//===----------------------------------------------------------------------===//
// Attention over depth
//===----------------------------------------------------------------------===//

TEST(Derivative, DepthAttention) {
  checkDerivative(R"(
    func.func @main(%q0: tensor<5xf32>, %q1: tensor<5xf32>, %g0: tensor<5xf32>, %g1: tensor<5xf32>,
                    %v0: tensor<2x3x5xf32>, %v1: tensor<2x3x5xf32>, %v2: tensor<2x3x5xf32>)
        -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
      %h:2, %lse:2 = attnres.depth_attention queries(%q0, %q1) gains(%g0, %g1) sources(%v0, %v1, %v2)
          {eps = 1.0e-2 : f64} : tensor<2x3x5xf32>
      return %h#0, %h#1, %lse#0, %lse#1 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    })");
}

TEST(Derivative, DepthAttentionThroughLseAlone) {
  checkDerivative(R"(
    func.func @main(%q: tensor<5xf32>, %g: tensor<5xf32>, %v0: tensor<3x5xf32>, %v1: tensor<3x5xf32>) -> tensor<3xf32> {
      %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v0, %v1) {eps = 1.0e-2 : f64} : tensor<3x5xf32>
      return %lse : tensor<3xf32>
    })");
}

// One source twice: its gradients add up.
TEST(Derivative, DA9DepthAttentionRepeatedSource) {
  checkDerivative(R"(
    func.func @main(%q: tensor<5xf32>, %g: tensor<5xf32>, %v: tensor<3x5xf32>, %u: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v, %u, %v) {eps = 1.0e-2 : f64} : tensor<3x5xf32>
      return %h : tensor<3x5xf32>
    })");
}

TEST(Derivative, DA5SingleSourceGivesTheQueryNothing) {
  SmallVector<Tensor> values = checkDerivative(R"(
    func.func @main(%q: tensor<7xf32>, %g: tensor<7xf32>, %v: tensor<11x7xf32>) -> tensor<11x7xf32> {
      %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 1.0e-8 : f64} : tensor<11x7xf32>
      return %h : tensor<11x7xf32>
    })");
  ASSERT_EQ(values.size(), 4u);
  expectZero(values[1]);
  expectZero(values[2]);
}

TEST(Derivative, G4NoRows) {
  OwningOpRef<ModuleOp> module = parseModule(R"(
    func.func @main(%q: tensor<7xf32> {attnres.role = #attnres.role<parameter>, attnres.name = "q"},
                    %v: tensor<0x7xf32> {attnres.role = #attnres.role<parameter>, attnres.name = "v"},
                    %w: tensor<3x7xf32> {attnres.role = #attnres.role<parameter>, attnres.name = "w"})
        -> (tensor<f32> {attnres.name = "loss"}) {
      %h, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v, %v) {eps = 1.0e-8 : f64} : tensor<0x7xf32>
      %targets = arith.constant dense<> : tensor<0xi64>
      %loss, %l = attnres.linear_cross_entropy %h, %w, %targets : tensor<0x7xf32>, tensor<3x7xf32>, tensor<0xi64>
      return %loss : tensor<f32>
    })");
  ASSERT_TRUE(module);
  std::mt19937_64 random(1);
  SmallVector<Tensor> values = checkGradients(*module, random);
  ASSERT_EQ(values.size(), 4u);
  for (const Tensor &value : values)
    expectZero(value);
}

TEST(Derivative, DepthMerge) {
  checkDerivative(R"(
    func.func @main(%s: tensor<2x3x5xf32>, %sl: tensor<2x3xf32>, %q: tensor<5xf32>, %g: tensor<5xf32>,
                    %v0: tensor<2x3x5xf32>, %v1: tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3xf32>) {
      %h, %lse = attnres.depth_merge %s, %sl query(%q) gain(%g) sources(%v0, %v1) {eps = 1.0e-2 : f64} : tensor<2x3x5xf32>
      return %h, %lse : tensor<2x3x5xf32>, tensor<2x3xf32>
    })");
}

// A state of nothing: its log-sum-exp is -inf in every second row.
TEST(Derivative, ME3MergesWithEmptyStates) {
  checkDerivative(R"(
    func.func @main(%s: tensor<2x5xf32>, %q: tensor<5xf32>, %g: tensor<5xf32>, %v: tensor<2x5xf32>)
        -> (tensor<2x5xf32>, tensor<2xf32>) {
      %sl = arith.constant dense<[0xFF800000, 0.25]> : tensor<2xf32>
      %h, %lse = attnres.depth_merge %s, %sl query(%q) gain(%g) sources(%v) {eps = 1.0e-2 : f64} : tensor<2x5xf32>
      return %h, %lse : tensor<2x5xf32>, tensor<2xf32>
    })");
  checkDerivative(R"(
    func.func @main(%a: tensor<2x5xf32>, %b: tensor<2x5xf32>) -> (tensor<2x5xf32>) {
      %la = arith.constant dense<[0xFF800000, 0.25]> : tensor<2xf32>
      %lb = arith.constant dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>
      %o, %l = attnres.merge_states %a, %la, %b, %lb : tensor<2x5xf32>, tensor<2xf32>, tensor<2x5xf32>, tensor<2xf32>
      return %o : tensor<2x5xf32>
    })");
}

TEST(Derivative, MergeStates) {
  checkDerivative(R"(
    func.func @main(%a: tensor<2x3x5xf32>, %la: tensor<2x3xf32>, %b: tensor<2x3x5xf32>, %lb: tensor<2x3xf32>)
        -> (tensor<2x3x5xf32>, tensor<2x3xf32>) {
      %o, %l = attnres.merge_states %a, %la, %b, %lb
          : tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>
      return %o, %l : tensor<2x3x5xf32>, tensor<2x3xf32>
    })");
}

TEST(Derivative, StaticMix) {
  checkDerivative(R"(
    func.func @main(%w: tensor<3xf32>, %v0: tensor<2x3x5xf32>, %v1: tensor<2x3x5xf32>, %v2: tensor<2x3x5xf32>)
        -> tensor<2x3x5xf32> {
      %h = attnres.static_mix %w, %v0, %v1, %v2 : tensor<2x3x5xf32>
      return %h : tensor<2x3x5xf32>
    })");
}

//===----------------------------------------------------------------------===//
// Sequence attention
//===----------------------------------------------------------------------===//

TEST(Derivative, CausalAttentionWithGroupedHeads) {
  checkDerivative(R"(
    func.func @main(%q: tensor<2x5x4x3xf32>, %k: tensor<2x7x2x3xf32>, %v: tensor<2x7x2x5xf32>)
        -> (tensor<2x5x4x5xf32>, tensor<2x5x4xf32>) {
      %o, %l = attnres.attention %q, %k, %v {causal} : tensor<2x5x4x3xf32>, tensor<2x7x2x3xf32>, tensor<2x7x2x5xf32>
      return %o, %l : tensor<2x5x4x5xf32>, tensor<2x5x4xf32>
    })");
}

// The first two queries see no key.
TEST(Derivative, SA4AttentionWithEmptyRows) {
  checkDerivative(R"(
    func.func @main(%q: tensor<1x5x2x3xf32>, %k: tensor<1x3x2x3xf32>, %v: tensor<1x3x2x3xf32>) -> tensor<1x5x2x3xf32> {
      %o, %l = attnres.attention %q, %k, %v {causal, scale = 0.7 : f64}
          : tensor<1x5x2x3xf32>, tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>
      return %o : tensor<1x5x2x3xf32>
    })");
}

TEST(Derivative, FullAttention) {
  checkDerivative(R"(
    func.func @main(%q: tensor<2x3x1x5xf32>, %k: tensor<2x1x1x5xf32>, %v: tensor<2x1x1x2xf32>)
        -> (tensor<2x3x1x2xf32>, tensor<2x3x1xf32>) {
      %o, %l = attnres.attention %q, %k, %v : tensor<2x3x1x5xf32>, tensor<2x1x1x5xf32>, tensor<2x1x1x2xf32>
      return %o, %l : tensor<2x3x1x2xf32>, tensor<2x3x1xf32>
    })");
}

TEST(Derivative, SA10AttentionInRowsOfSeveralTexts) {
  checkDerivative(R"(
    func.func @main(%q: tensor<2x5x4x3xf32>, %k: tensor<2x5x2x3xf32>, %v: tensor<2x5x2x5xf32>)
        -> (tensor<2x5x4x5xf32>, tensor<2x5x4xf32>) {
      %d = arith.constant dense<[[0, 0, 2, 2, 4], [0, 1, 1, 1, 1]]> : tensor<2x5xi64>
      %o, %l = attnres.attention %q, %k, %v documents(%d) {causal}
          : tensor<2x5x4x3xf32>, tensor<2x5x2x3xf32>, tensor<2x5x2x5xf32>, tensor<2x5xi64>
      return %o, %l : tensor<2x5x4x5xf32>, tensor<2x5x4xf32>
    })");
}

TEST(Derivative, RO5RopeInRowsOfSeveralTexts) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x5x3x6xf32>) -> tensor<2x5x3x6xf32> {
      %d = arith.constant dense<[[0, 0, 2, 2, 4], [0, 1, 1, 1, 1]]> : tensor<2x5xi64>
      %y = attnres.rope %x documents(%d) {theta = 1.0e2 : f64} : tensor<2x5x3x6xf32>, tensor<2x5xi64>
      return %y : tensor<2x5x3x6xf32>
    })");
}

TEST(Derivative, RO2Rope) {
  for (const char *inverse : {"", ", inverse"})
    checkDerivative(std::string(R"(
      func.func @main(%x: tensor<2x5x3x6xf32>) -> tensor<2x5x3x6xf32> {
        %y = attnres.rope %x {theta = 1.0e2 : f64, offset = 3 : i64)") +
                    inverse + R"(} : tensor<2x5x3x6xf32>
        return %y : tensor<2x5x3x6xf32>
      })");
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

TEST(Derivative, Norms) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x7xf32>, %w: tensor<7xf32>) -> tensor<2x3x7xf32> {
      %y = attnres.rms_norm %x, %w {eps = 1.0e-2 : f64} : tensor<2x3x7xf32>, tensor<7xf32>
      return %y : tensor<2x3x7xf32>
    })");
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x7xf32>, %w: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<2x3x7xf32> {
      %y = attnres.layer_norm %x, %w, %b {eps = 1.0e-2 : f64} : tensor<2x3x7xf32>, tensor<7xf32>, tensor<7xf32>
      return %y : tensor<2x3x7xf32>
    })");
}

TEST(Derivative, Linear) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>) -> tensor<2x3x7xf32> {
      %y = attnres.linear %x, %w bias(%b) : tensor<2x3x5xf32>, tensor<7x5xf32>, tensor<7xf32>
      return %y : tensor<2x3x7xf32>
    })");
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xbf16>, %w: tensor<7x5xbf16>) -> tensor<2x3x7xbf16> {
      %y = attnres.linear %x, %w : tensor<2x3x5xbf16>, tensor<7x5xbf16>
      return %y : tensor<2x3x7xbf16>
    })");
}

TEST(Derivative, Activations) {
  checkDerivative(R"(
    func.func @main(%gate: tensor<3x7xf32>, %up: tensor<3x7xf32>) -> tensor<3x7xf32> {
      %y = attnres.swiglu %gate, %up : tensor<3x7xf32>
      return %y : tensor<3x7xf32>
    })");
  checkDerivative(R"(
    func.func @main(%x: tensor<3x7xf32>) -> tensor<3x7xf32> {
      %y = attnres.gelu %x : tensor<3x7xf32>
      return %y : tensor<3x7xf32>
    })");
}

TEST(Derivative, DR2Dropout) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x7xf32>) -> tensor<2x3x7xf32> {
      %r = arith.constant dense<[5, 11]> : tensor<2xi64>
      %y = attnres.dropout %x random(%r) {rate = 0.4 : f64, site = 2 : i64} : tensor<2x3x7xf32>, tensor<2xi64>
      return %y : tensor<2x3x7xf32>
    })");
}

TEST(Derivative, Embedding) {
  for (const char *type : {"f32", "bf16"}) {
    std::string table = std::string("tensor<4x3x") + type + ">";
    std::string rows = std::string("tensor<2x3x3x") + type + ">";
    checkDerivative("func.func @main(%w: " + table + ") -> " + rows + R"( {
        %t = arith.constant dense<[[0, 3, 0], [2, 2, 0]]> : tensor<2x3xi64>
        %x = attnres.embedding %t, %w : tensor<2x3xi64>, )" + table + R"(
        return %x : )" + rows + "\n}");
  }
}

TEST(Derivative, BuiltinOperations) {
  checkDerivative(R"(
    func.func @main(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<2x6xbf16>) -> (tensor<3x4xf32>, tensor<12xbf16>) {
      %sum = arith.addf %a, %b : tensor<3x4xf32>
      %difference = arith.subf %sum, %a : tensor<3x4xf32>
      %negative = arith.negf %difference : tensor<3x4xf32>
      %product = arith.mulf %negative, %sum : tensor<3x4xf32>
      %flat = tensor.collapse_shape %product [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
      %narrow = arith.truncf %flat : tensor<12xf32> to tensor<12xbf16>
      %wide = arith.extf %c : tensor<2x6xbf16> to tensor<2x6xf32>
      %row = tensor.collapse_shape %wide [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
      %shaped = tensor.expand_shape %row [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
      %both = arith.mulf %shaped, %a : tensor<3x4xf32>
      return %both, %narrow : tensor<3x4xf32>, tensor<12xbf16>
    })");
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

TEST(Derivative, CrossEntropy) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>) -> (tensor<f32>, tensor<2x3xf32>) {
      %t = arith.constant dense<[[0, -100, 4], [2, 2, -100]]> : tensor<2x3xi64>
      %loss, %lse = attnres.cross_entropy %x, %t : tensor<2x3x5xf32>, tensor<2x3xi64>
      return %loss, %lse : tensor<f32>, tensor<2x3xf32>
    })");
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>) -> tensor<2x3xf32> {
      %t = arith.constant dense<[[0, -100, 4], [2, 2, -100]]> : tensor<2x3xi64>
      %loss, %lse = attnres.cross_entropy %x, %t : tensor<2x3x5xf32>, tensor<2x3xi64>
      return %lse : tensor<2x3xf32>
    })");
}

TEST(Derivative, LinearCrossEntropy) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>, %w: tensor<7x5xf32>) -> tensor<f32> {
      %t = arith.constant dense<[[0, -100, 6], [2, 2, 1]]> : tensor<2x3xi64>
      %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<2x3x5xf32>, tensor<7x5xf32>, tensor<2x3xi64>
      return %loss : tensor<f32>
    })");
}

TEST(Derivative, EL8LabelSmoothing) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>) -> (tensor<f32>, tensor<2x3xf32>) {
      %t = arith.constant dense<[[0, -100, 4], [2, 2, -100]]> : tensor<2x3xi64>
      %loss, %lse = attnres.cross_entropy %x, %t {label_smoothing = 0.2 : f64} : tensor<2x3x5xf32>, tensor<2x3xi64>
      return %loss, %lse : tensor<f32>, tensor<2x3xf32>
    })");
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x5xf32>, %w: tensor<7x5xf32>) -> tensor<f32> {
      %t = arith.constant dense<[[0, -100, 6], [2, 2, 1]]> : tensor<2x3xi64>
      %loss, %lse = attnres.linear_cross_entropy %x, %w, %t {label_smoothing = 0.2 : f64}
          : tensor<2x3x5xf32>, tensor<7x5xf32>, tensor<2x3xi64>
      return %loss : tensor<f32>
    })");
}

TEST(Derivative, EL4AllTargetsIgnored) {
  for (const char *loss :
       {"attnres.linear_cross_entropy %x, %w, %t : tensor<2x5xf32>, tensor<7x5xf32>, tensor<2xi64>",
        "attnres.cross_entropy %y, %t : tensor<2x7xf32>, tensor<2xi64>"}) {
    SmallVector<Tensor> values = checkDerivative(std::string(R"(
      func.func @main(%x: tensor<2x5xf32>, %w: tensor<7x5xf32>) -> tensor<f32> {
        %t = arith.constant dense<-100> : tensor<2xi64>
        %y = attnres.linear %x, %w : tensor<2x5xf32>, tensor<7x5xf32>
        %loss, %lse = )") + loss + R"(
        return %loss : tensor<f32>
      })");
    ASSERT_EQ(values.size(), 3u);
    for (const Tensor &value : values)
      expectZero(value);
  }
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

class ProgramDerivative : public ::testing::TestWithParam<uint64_t> {};

TEST_P(ProgramDerivative, MatchesDifferences) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  RandomProgramOptions options;
  options.loss = true;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  if (!runPipeline(*program, "func.func(attnres-expand-stack)"))
    return;
  std::mt19937_64 random(GetParam());
  checkGradients(*program, random);
}

TEST_P(ProgramDerivative, OfVariantsMatchesDifferences) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  RandomProgramOptions options;
  options.loss = options.variants = true;
  options.depthGraphs = false;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  if (!runPipeline(*program, "func.func(attnres-expand-stack)"))
    return;
  std::mt19937_64 random(GetParam());
  // Scores of raw keys are large, and so are third derivatives.
  checkGradients(*program, random, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ProgramDerivative,
                         ::testing::Range<uint64_t>(100, 120));

} // namespace
