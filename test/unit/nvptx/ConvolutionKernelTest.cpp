// Short convolutions of GPUs on the emulator, forwards and backwards: texts of
// fewer tokens than the window, of several runs, with and without a tail.
#include "test/unit/nvptx/EmulatedKernel.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct ConvolutionCase {
  int64_t texts, tokens, channels, window;
  bool tail = false;
  std::string storage = "f32";
  std::string weight = "f32";
  /// How far a result may be off, of numbers of about 1 to 10.
  double tolerance = 4e-6;
};

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

KernelText textOf(const ConvolutionCase &c, bool backward) {
  std::string x = tensor({c.texts, c.tokens, c.channels}, c.storage);
  std::string w = tensor({c.channels, c.window}, c.weight);
  std::string t = tensor({c.texts, c.window - 1, c.channels}, c.storage);
  KernelText text;
  text.arguments = "%x: " + x + ", %w: " + w;
  std::string types = x + ", " + w, operands = "%x, %w";
  if (backward) {
    text.arguments += ", %g: " + x;
    operands += ", %g";
    types += ", " + x;
  }
  if (c.tail) {
    text.arguments += ", %t: " + t;
    operands += " tail(%t)";
    types += ", " + t;
  }
  if (!backward) {
    text.body = "  %y = attnres.short_convolution " + operands + " : " + types;
    text.results = "%y";
    text.types = x;
    return text;
  }
  text.results = c.tail ? "%dx, %dw, %dt" : "%dx, %dw";
  text.types = x + ", " + tensor({c.channels, c.window}, "f32") +
               (c.tail ? ", " + t : "");
  text.body = "  " + text.results + " = attnres.short_convolution_backward " +
              operands + " : " + types;
  return text;
}

EmulatedRun expectConvolution(const ConvolutionCase &c) {
  EmulatedRun last;
  for (bool backward : {false, true}) {
    KernelText text = textOf(c, backward);
    SCOPED_TRACE(text.body);
    Expected expected = interpret(text, 11);
    EmulatedRun run = runEmulated(text, expected.inputs);
    EXPECT_EQ(run.results.size(), expected.results.size());
    if (run.results.empty())
      return {};
    MLIRContext &context = testContext();
    for (auto [i, result] : llvm::enumerate(run.results)) {
      // Of bf16, what the nearest number to the exact one is off, and a half.
      double rounding = 0;
      if (c.storage == "bf16" && i != 1) {
        Tensor rounded = expected.results[i];
        rounded.roundTo(BFloat16Type::get(&context));
        rounding = 1.5 * largestError(rounded, expected.results[i]);
      }
      EXPECT_LE(largestError(result, expected.results[i]),
                rounding + c.tolerance)
          << "result " << i;
    }
    EmulatedOptions options;
    options.seed = 3;
    EmulatedRun shuffled = runEmulated(text, expected.inputs, options);
    for (auto [a, b] : llvm::zip_equal(run.results, shuffled.results))
      EXPECT_TRUE(a.reals == b.reals) << "depends on the order of blocks";
    last = run;
  }
  return last;
}

} // namespace

TEST(ConvolutionKernel, OddSizes) {
  for (bool tail : {false, true}) {
    expectConvolution({2, 37, 71, 4, tail});
    expectConvolution({3, 19, 34, 3, tail});
  }
}

TEST(ConvolutionKernel, Bf16) {
  for (bool tail : {false, true}) {
    expectConvolution({2, 37, 70, 4, tail, "bf16", "bf16"});
    expectConvolution({2, 18, 33, 4, tail, "bf16", "f32"});
  }
}

TEST(ConvolutionKernel, FewerTokensThanTheWindow) {
  for (int64_t tokens : {0, 1, 2, 3})
    expectConvolution({2, tokens, 8, 4, true});
  expectConvolution({1, 2, 5, 9, true});
}

TEST(ConvolutionKernel, WindowOfOne) { expectConvolution({1, 21, 6, 1}); }

TEST(ConvolutionKernel, NoTexts) { expectConvolution({0, 4, 6, 4, true}); }

/// More channels than a block's threads; many runs.
TEST(ConvolutionKernel, SeveralBlocks) {
  // Gradients of weights are sums over 270 tokens.
  EmulatedRun run =
      expectConvolution({3, 90, 300, 4, true, "f32", "f32", 2e-5});
  EXPECT_GT(run.launch.grid[0], 2 * 3 * 5);
  EXPECT_GT(run.launch.scratchBytes, 0);
}

TEST(ConvolutionKernel, Assembles) {
  for (const char *target : {"sm_80", "sm_90a", "sm_100a"})
    for (bool backward : {false, true}) {
      EmulatedOptions options;
      options.target = *nvptx::GpuTarget::forName(target);
      KernelText text = textOf({1, 20, 64, 4, true, "bf16", "bf16"}, backward);
      EmulatedRun run = runEmulated(text, interpret(text, 2).inputs, options);
      expectAssembles(run.ptx, target, 128);
    }
}
