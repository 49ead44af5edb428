//===- K3DerivativeTest.cpp - KDA and experts against differences ---------===//
//
// Backward operations of Kimi delta attention and of mixtures of experts.
//
//===----------------------------------------------------------------------===//
#include "test/unit/dialect/DerivativeCheck.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

//===----------------------------------------------------------------------===//
// Kimi delta attention
//===----------------------------------------------------------------------===//

TEST(K3Derivative, ShortConvolution) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x5x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x5x3xf32> {
      %y = attnres.short_convolution %x, %w : tensor<2x5x3xf32>, tensor<3x4xf32>
      return %y : tensor<2x5x3xf32>
    })");
}

TEST(K3Derivative, ShortConvolutionBehindATail) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x2x3xf32>, %w: tensor<3x4xf32>, %t: tensor<2x3x3xf32>) -> tensor<2x2x3xf32> {
      %y = attnres.short_convolution %x, %w tail(%t) : tensor<2x2x3xf32>, tensor<3x4xf32>, tensor<2x3x3xf32>
      return %y : tensor<2x2x3xf32>
    })");
}

TEST(K3Derivative, L2Norm) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %y = attnres.l2_norm %x {eps = 1.0e-2 : f64} : tensor<3x5xf32>
      return %y : tensor<3x5xf32>
    })");
}

TEST(K3Derivative, Sigmoid) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %y = attnres.sigmoid %x : tensor<3x5xf32>
      return %y : tensor<3x5xf32>
    })");
}

TEST(K3Derivative, KdaGate) {
  for (StringRef bound : {"", "{lower_bound = -5.0 : f64}"})
    checkDerivative((R"(
      func.func @main(%x: tensor<2x3x6xf32>, %a: tensor<2xf32>, %b: tensor<6xf32>) -> tensor<2x3x6xf32> {
        %y = attnres.kda_gate %x, %a, %b )" +
                     bound +
                     R"( : tensor<2x3x6xf32>, tensor<2xf32>, tensor<6xf32>
        return %y : tensor<2x3x6xf32>
      })")
                        .str());
}

TEST(K3Derivative, KD5Kda) {
  checkDerivative(R"(
    func.func @main(%q: tensor<2x5x2x3xf32>, %k: tensor<2x5x2x3xf32>, %v: tensor<2x5x4x2xf32>,
                    %g: tensor<2x5x4x3xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x5x4x2xf32> {
      %half = arith.constant dense<-0.5> : tensor<2x5x4x3xf32>
      %d = arith.mulf %g, %half : tensor<2x5x4x3xf32>
      %o, %s = attnres.kda %q, %k, %v, %d, %b : tensor<2x5x2x3xf32>, tensor<2x5x2x3xf32>, tensor<2x5x4x2xf32>,
        tensor<2x5x4x3xf32>, tensor<2x5x4xf32>
      return %o : tensor<2x5x4x2xf32>
    })");
}

TEST(K3Derivative, KD5KdaWithState) {
  checkDerivative(R"(
    func.func @main(%q: tensor<2x3x1x3xf32>, %k: tensor<2x3x1x3xf32>, %v: tensor<2x3x2x2xf32>, %g: tensor<2x3x2x3xf32>,
                    %b: tensor<2x3x2xf32>, %s0: tensor<2x2x3x2xf32>) -> (tensor<2x3x2x2xf32>, tensor<2x2x3x2xf32>) {
      %n = arith.constant dense<[3, 1]> : tensor<2xi64>
      %o, %s = attnres.kda %q, %k, %v, %g, %b state(%s0) length(%n) : tensor<2x3x1x3xf32>, tensor<2x3x1x3xf32>,
        tensor<2x3x2x2xf32>, tensor<2x3x2x3xf32>, tensor<2x3x2xf32>, tensor<2x2x3x2xf32>, tensor<2xi64>
      return %o, %s : tensor<2x3x2x2xf32>, tensor<2x2x3x2xf32>
    })");
}

TEST(K3Derivative, KD5KdaThroughTheStateAlone) {
  checkDerivative(R"(
    func.func @main(%q: tensor<1x3x1x3xf32>, %k: tensor<1x3x1x3xf32>, %v: tensor<1x3x1x2xf32>, %g: tensor<1x3x1x3xf32>,
                    %b: tensor<1x3x1xf32>) -> tensor<1x1x3x2xf32> {
      %o, %s = attnres.kda %q, %k, %v, %g, %b : tensor<1x3x1x3xf32>, tensor<1x3x1x3xf32>, tensor<1x3x1x2xf32>,
        tensor<1x3x1x3xf32>, tensor<1x3x1xf32>
      return %s : tensor<1x1x3x2xf32>
    })");
}

/// A text of `first` + `second` tokens with a state between them, or none.
static std::string splitText(int64_t first, int64_t second, bool split) {
  int64_t all = first + second;
  auto types = [](int64_t tokens) {
    std::string t = "1x" + std::to_string(tokens) + "x1x";
    return "tensor<" + t + "4xf32>, tensor<" + t + "4xf32>, tensor<" + t +
           "3xf32>, tensor<" + t + "4xf32>, tensor<1x" +
           std::to_string(tokens) + "x1xf32>";
  };
  std::string text = "func.func @main(";
  std::string t = "1x" + std::to_string(all) + "x1x";
  text += "%q: tensor<" + t + "4xf32>, %k: tensor<" + t +
          "4xf32>, %v: tensor<" + t + "3xf32>, %g0: tensor<" + t +
          "4xf32>, %b: tensor<1x" + std::to_string(all) +
          "x1xf32>) -> (tensor<" + t + "3xf32>, tensor<1x1x4x3xf32>) {\n";
  text += "%g = math.absf %g0 : tensor<" + t +
          "4xf32>\n%d = arith.negf %g : tensor<" + t + "4xf32>\n";
  if (!split)
    return text + "%o, %s = attnres.kda %q, %k, %v, %d, %b : " + types(all) +
           "\nreturn %o, %s : tensor<" + t + "3xf32>, tensor<1x1x4x3xf32>\n}";
  std::string parts[2];
  int64_t offsets[] = {0, first}, sizes[] = {first, second};
  for (int part = 0; part < 2; ++part) {
    std::string names;
    for (auto [name, width] : {std::pair<std::string, int>{"q", 4},
                               {"k", 4},
                               {"v", 3},
                               {"d", 4},
                               {"b", 0}}) {
      std::string tail = width ? ", 0" : "", ones = width ? ", 1" : "";
      std::string last = width ? "x" + std::to_string(width) : "";
      std::string size = std::to_string(sizes[part]);
      text += "%" + name + std::to_string(part) + " = tensor.extract_slice %" +
              name + "[0, " + std::to_string(offsets[part]) + ", 0" + tail +
              "] [1, " + size + ", 1" +
              (width ? ", " + std::to_string(width) : "") + "] [1, 1, 1" +
              ones + "] : tensor<1x" + std::to_string(all) + "x1" + last +
              "xf32> to tensor<1x" + size + "x1" + last + "xf32>\n";
      names += (names.empty() ? "%" : ", %") + name + std::to_string(part);
    }
    std::string number = std::to_string(part);
    text += "%o" + number + ", %s" + number + " = attnres.kda " + names +
            (part ? " state(%s0) : " : " : ") + types(sizes[part]) +
            (part ? ", tensor<1x1x4x3xf32>\n" : "\n");
  }
  auto output = [](int64_t tokens) {
    return "tensor<1x" + std::to_string(tokens) + "x1x3xf32>";
  };
  return text + "%o = tensor.concat dim(1) %o0, %o1 : (" + output(first) +
         ", " + output(second) + ") -> " + output(all) +
         "\nreturn %o, %s1 : " + output(all) + ", tensor<1x1x4x3xf32>\n}";
}

// A text may be cut anywhere.
TEST(K3Meaning, KD3ACutTextIsTheWholeText) {
  for (auto [first, second] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {4, 3}}) {
    OwningOpRef<ModuleOp> whole = parseModule(splitText(first, second, false));
    OwningOpRef<ModuleOp> parts = parseModule(splitText(first, second, true));
    ASSERT_TRUE(whole && parts);
    std::mt19937_64 random(first);
    SmallVector<Tensor> inputs =
        randomInputs(whole->lookupSymbol<func::FuncOp>("main"), random);
    SmallVector<Tensor> expected = evaluate(*whole, inputs);
    SmallVector<Tensor> actual = evaluate(*parts, inputs);
    ASSERT_EQ(expected.size(), 2u);
    ASSERT_EQ(actual.size(), 2u);
    for (int i = 0; i < 2; ++i)
      EXPECT_TRUE(isClose(actual[i], expected[i], 1e-14));
  }
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

TEST(K3Derivative, Router) {
  checkDerivative(R"(
    func.func @main(%l: tensor<4x5xf32>) -> tensor<4x2xf32> {
      %b = arith.constant dense<[0.0, 0.1, -0.2, 0.3, 0.0]> : tensor<5xf32>
      %e, %w = attnres.router %l, %b {top_k = 2 : i64} : tensor<4x5xf32>, tensor<5xf32>
      return %w : tensor<4x2xf32>
    })");
}

// The bias of a router chooses and has no gradient.
TEST(K3Derivative, EX2RouterBiasGetsNothing) {
  SmallVector<Tensor> values = checkDerivative(R"(
    func.func @main(%l: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<4x2xf32> {
      %e, %w = attnres.router %l, %b {top_k = 2 : i64} : tensor<4x5xf32>, tensor<5xf32>
      return %w : tensor<4x2xf32>
    })");
  ASSERT_EQ(values.size(), 3u);
  for (double value : values[2].reals)
    EXPECT_EQ(value, 0.0);
}

// Inputs choose among three of four matrices.
TEST(K3Derivative, GroupedLinear) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3x4xf32>, %w: tensor<4x5x4xf32>, %e: tensor<2x3x2xi64>) -> tensor<2x3x2x5xf32> {
      %y = attnres.grouped_linear %x, %w, %e : tensor<2x3x4xf32>, tensor<4x5x4xf32>, tensor<2x3x2xi64>
      return %y : tensor<2x3x2x5xf32>
    })");
}

TEST(K3Derivative, GroupedLinearTransposed) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x2x5xf32>, %w: tensor<4x5x4xf32>, %e: tensor<3x2xi64>) -> tensor<3x2x4xf32> {
      %y = attnres.grouped_linear %x, %w, %e {transpose} : tensor<3x2x5xf32>, tensor<4x5x4xf32>, tensor<3x2xi64>
      return %y : tensor<3x2x4xf32>
    })");
}

TEST(K3Derivative, CombineExperts) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x2x5xf32>, %w: tensor<3x2xf32>) -> tensor<3x5xf32> {
      %y = attnres.combine_experts %x weights(%w) : tensor<3x2x5xf32>, tensor<3x2xf32>
      return %y : tensor<3x5xf32>
    })");
}

TEST(K3Derivative, SituGlu) {
  checkDerivative(R"(
    func.func @main(%g: tensor<3x5xf32>, %u: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %y = attnres.situ_glu %g, %u {gate_bound = 1.5 : f64, up_bound = 2.0 : f64} : tensor<3x5xf32>
      return %y : tensor<3x5xf32>
    })");
}

} // namespace
