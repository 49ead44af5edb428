// Matrix products of GPUs on the emulator: right to the bit that the naive
// product has, whatever the sizes, without findings and bank conflicts, and
// assembled without spills.
#include "test/unit/nvptx/EmulatedKernel.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct ProductCase {
  int64_t rows, columns, depth;
  std::string left = "f32", right = "f32", result = "f32";
  bool leftTransposed = false, rightTransposed = false;
  bool init = false, bias = false;
  std::string tiles = "";
};

std::string tensor(int64_t rows, int64_t columns, const std::string &element) {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "x" + element + ">";
}

/// linear where it has a bias, otherwise matmul.
KernelText textOf(const ProductCase &c) {
  std::string left = c.leftTransposed ? tensor(c.depth, c.rows, c.left)
                                      : tensor(c.rows, c.depth, c.left);
  std::string right = c.rightTransposed ? tensor(c.columns, c.depth, c.right)
                                        : tensor(c.depth, c.columns, c.right);
  std::string result = tensor(c.rows, c.columns, c.result);
  KernelText text;
  text.arguments = "%a: " + left + ", %b: " + right;
  text.results = "%y";
  text.types = result;
  if (c.bias) {
    std::string bias = "tensor<" + std::to_string(c.columns) + "xf32>";
    text.arguments += ", %bias: " + bias;
    text.body = "  %y = attnres.linear %a, %b bias(%bias) : " + left + ", " +
                right + ", " + bias;
    return text;
  }
  if (c.init)
    text.arguments += ", %init: " + result;
  std::string flags = c.leftTransposed && c.rightTransposed
                          ? "{transpose_lhs, transpose_rhs} "
                      : c.leftTransposed  ? "{transpose_lhs} "
                      : c.rightTransposed ? "{transpose_rhs} "
                                          : "";
  text.body = std::string("  %y = attnres.matmul %a, %b ") +
              (c.init ? "init(%init) " : "") + flags + ": " + left + ", " +
              right + (c.init ? ", " + result : "") + " -> " + result;
  return text;
}

/// Sums in f32, one product after the other.
Tensor naive(const ProductCase &c, ArrayRef<Tensor> inputs) {
  Tensor result = Tensor::ofReals({c.rows, c.columns}, 0.0);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.columns; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < c.depth; ++k)
        sum += float(inputs[0].reals[c.leftTransposed ? k * c.rows + i
                                                      : i * c.depth + k]) *
               float(inputs[1].reals[c.rightTransposed ? j * c.depth + k
                                                       : k * c.columns + j]);
      if (c.bias)
        sum += float(inputs[2].reals[j]);
      if (c.init)
        sum += float(inputs[2].reals[i * c.columns + j]);
      result.reals[i * c.columns + j] = sum;
    }
  MLIRContext &context = testContext();
  result.roundTo(c.result == "bf16" ? Type(BFloat16Type::get(&context))
                                    : Type(Float32Type::get(&context)));
  return result;
}

EmulatedRun expectProduct(const ProductCase &c,
                          const nvptx::GpuTarget &target = {}) {
  SCOPED_TRACE(std::to_string(c.rows) + " x " + std::to_string(c.columns) +
               " x " + std::to_string(c.depth) + " " + c.left + " " + c.right +
               " " + c.result + (c.leftTransposed ? " lhs^T" : "") +
               (c.rightTransposed ? " rhs^T" : ""));
  KernelText text = textOf(c);
  Expected expected = interpret(text, 7);
  if (expected.results.empty())
    return {};
  EmulatedOptions options;
  options.target = target;
  if (!c.tiles.empty())
    options.attributes = "attnres.tiles = array<i64: " + c.tiles + ">";
  EmulatedRun run = runEmulated(text, expected.inputs, options);
  if (run.results.empty())
    return run;
  double ours = largestError(run.results[0], expected.results[0]);
  double theirs = largestError(naive(c, expected.inputs), expected.results[0]);
  EXPECT_LE(ours, 2 * theirs + 1e-7);
  options.seed = 3;
  EmulatedRun shuffled = runEmulated(text, expected.inputs, options);
  EXPECT_TRUE(shuffled.results[0].reals == run.results[0].reals)
      << "depends on the order of warps";
  return run;
}

} // namespace

TEST(MatrixProduct, AllFormsOfF32) {
  for (bool left : {false, true})
    for (bool right : {false, true})
      expectProduct({72, 88, 100, "f32", "f32", "f32", left, right});
}

TEST(MatrixProduct, AllFormsOfBf16) {
  for (bool left : {false, true})
    for (bool right : {false, true})
      expectProduct({72, 88, 136, "bf16", "bf16", "bf16", left, right});
}

/// No row begins at a multiple of more than an element.
TEST(MatrixProduct, OddSizes) {
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      expectProduct({67, 33, 71, "f32", "f32", "f32", left, right});
      expectProduct({67, 33, 71, "bf16", "bf16", "bf16", left, right});
    }
}

TEST(MatrixProduct, SmallestSizes) {
  expectProduct({1, 1, 1});
  expectProduct({3, 2, 5, "bf16", "bf16", "f32", true, false});
  expectProduct({1, 70, 0});
}

TEST(MatrixProduct, FewRows) {
  expectProduct({4, 192, 160, "bf16", "bf16", "bf16", false, true});
  expectProduct({16, 130, 96, "f32", "f32", "f32", false, true});
}

TEST(MatrixProduct, BiasAndInit) {
  expectProduct({40, 66, 48, "f32", "f32", "f32", false, true, false, true});
  expectProduct({40, 66, 48, "bf16", "bf16", "bf16", false, true, false, true});
  expectProduct({40, 65, 48, "f32", "f32", "f32", true, false, true});
  expectProduct({40, 66, 48, "bf16", "bf16", "bf16", true, false, true});
  expectProduct({40, 66, 48, "bf16", "bf16", "f32", true, false, true});
}

TEST(MatrixProduct, OperandsOfTwoTypes) {
  expectProduct({48, 40, 72, "bf16", "f32", "f32", true, false});
  expectProduct({48, 40, 72, "f32", "bf16", "f32", false, true});
  expectProduct({47, 39, 71, "f32", "bf16", "bf16", false, false});
}

/// The tiles of large products, by the attribute, on sizes that an emulator
/// can do, with their registers.
TEST(MatrixProduct, LargeTiles) {
  struct Tuned {
    std::string tiles, type;
  };
  for (const Tuned &tuned : {Tuned{"128, 256, 2, 4, 3, 1", "bf16"},
                             Tuned{"128, 128, 2, 2, 3, 1", "bf16"},
                             Tuned{"64, 64, 2, 2, 4, 1", "bf16"},
                             Tuned{"64, 128, 2, 4, 3, 1", "f32"},
                             Tuned{"64, 64, 2, 2, 4, 1", "f32"}})
    for (bool transposed : {false, true}) {
      SCOPED_TRACE(tuned.tiles);
      EmulatedRun run =
          expectProduct({136, 264, 264, tuned.type, tuned.type, tuned.type,
                         transposed, !transposed, false, false, tuned.tiles});
      expectAssembles(run.ptx, "sm_80", 65536 / run.launch.block[0]);
    }
}

/// Blocks that share a tile: their sums are added in one order.
TEST(MatrixProduct, SplitDepth) {
  for (const char *type : {"f32", "bf16"}) {
    ProductCase c{70, 130, 1000, type, type, type, true, false, true};
    EmulatedRun run = expectProduct(c);
    EXPECT_GT(run.launch.grid[0], 2 * 3);
    EXPECT_GT(run.launch.scratchBytes, 0);
    // The last split has nothing to do.
    c.tiles = "64, 64, 2, 2, 3, 7";
    expectProduct(c);
  }
}

/// Warp groups of sm_90a.
TEST(MatrixProduct, WarpGroups) {
  EmulatedOptions options;
  options.target = *nvptx::GpuTarget::forName("sm_90a");
  for (const char *tiles :
       {"128, 256, 8, 1, 4, 1", "128, 128, 8, 1, 4, 1", "64, 64, 4, 1, 4, 1"})
    for (bool left : {false, true})
      for (bool right : {false, true}) {
        ProductCase c{136, 264, 328, "bf16", "bf16", "bf16", left, right};
        c.tiles = tiles;
        EmulatedRun run = expectProduct(c, options.target);
        EXPECT_NE(run.ptx.find("wgmma.mma_async"), std::string::npos);
        expectAssembles(run.ptx, "sm_90a", 65536 / run.launch.block[0]);
      }
  expectProduct({67, 71, 65, "bf16", "bf16", "f32", false, true},
                options.target);
}

TEST(MatrixProduct, AssemblesForLaterProcessors) {
  KernelText text =
      textOf({256, 256, 256, "bf16", "bf16", "bf16", false, true});
  Expected expected = interpret(text, 1);
  for (const char *processor : {"sm_90a", "sm_100a"}) {
    EmulatedOptions options;
    options.target = *nvptx::GpuTarget::forName(processor);
    EmulatedRun run = runEmulated(text, expected.inputs, options);
    expectAssembles(run.ptx, processor, 255);
  }
}
