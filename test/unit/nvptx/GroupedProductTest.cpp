// Grouped products of GPUs on the emulator: experts that nobody chooses, that
// all choose, sizes that are no multiple of anything; as exact as the naive
// product, the same bits in any order of warps, without findings.
#include "test/unit/nvptx/EmulatedKernel.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct GroupedCase {
  int64_t rows, choices, experts, depth, columns;
  /// The experts that the rows choose from are the first `used`.
  int64_t used;
  std::string storage = "f32";
  std::string weight = "f32";
  std::string target = "sm_80";
};

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

/// Rows of choices, or of what all choices of a row read.
std::string rowsType(const GroupedCase &c, int64_t width, bool shared) {
  if (shared)
    return tensor({c.rows, width}, c.storage);
  return tensor({c.rows, c.choices, width}, c.storage);
}

KernelText linear(const GroupedCase &c, bool shared, bool transposed) {
  std::string x = rowsType(c, c.depth, shared);
  std::string w = transposed
                      ? tensor({c.experts, c.depth, c.columns}, c.weight)
                      : tensor({c.experts, c.columns, c.depth}, c.weight);
  std::string e = tensor({c.rows, c.choices}, "i64");
  KernelText text;
  text.arguments = "%x: " + x + ", %w: " + w + ", %e: " + e;
  text.body = "  %y = attnres.grouped_linear %x, %w, %e " +
              std::string(transposed ? "{transpose} " : "") + ": " + x + ", " +
              w + ", " + e;
  text.results = "%y";
  text.types = rowsType(c, c.columns, false);
  return text;
}

KernelText weightGrad(const GroupedCase &c, bool shared) {
  std::string l = rowsType(c, c.columns, false);
  std::string r = rowsType(c, c.depth, shared);
  std::string e = tensor({c.rows, c.choices}, "i64");
  KernelText text;
  text.arguments = "%l: " + l + ", %r: " + r + ", %e: " + e;
  text.body = "  %y = attnres.grouped_weight_grad %l, %r, %e {matrices = " +
              std::to_string(c.experts) + " : i64} : " + l + ", " + r + ", " +
              e;
  text.results = "%y";
  text.types = tensor({c.experts, c.columns, c.depth}, "f32");
  return text;
}

float at(const Tensor &tensor, int64_t index) {
  return static_cast<float>(tensor.reals[index]);
}

/// Sums in f32, one product after the other.
Tensor naiveLinear(const GroupedCase &c, bool shared, bool transposed,
                   ArrayRef<Tensor> inputs) {
  Tensor result = Tensor::ofReals({c.rows, c.choices, c.columns}, 0.0);
  for (int64_t i = 0; i < c.rows * c.choices; ++i)
    for (int64_t n = 0; n < c.columns; ++n) {
      float sum = 0;
      int64_t matrix = inputs[2].integers[i] * c.columns * c.depth;
      for (int64_t k = 0; k < c.depth; ++k)
        sum += at(inputs[0], (shared ? i / c.choices : i) * c.depth + k) *
               at(inputs[1],
                  matrix + (transposed ? k * c.columns + n : n * c.depth + k));
      result.reals[i * c.columns + n] = sum;
    }
  MLIRContext &context = testContext();
  result.roundTo(c.storage == "bf16" ? Type(BFloat16Type::get(&context))
                                     : Type(Float32Type::get(&context)));
  return result;
}

Tensor naiveWeightGrad(const GroupedCase &c, bool shared,
                       ArrayRef<Tensor> inputs) {
  Tensor result = Tensor::ofReals({c.experts, c.columns, c.depth}, 0.0);
  for (int64_t i = 0; i < c.rows * c.choices; ++i)
    for (int64_t n = 0; n < c.columns; ++n)
      for (int64_t k = 0; k < c.depth; ++k) {
        double &sum =
            result.reals[(inputs[2].integers[i] * c.columns + n) * c.depth + k];
        sum = float(sum) +
              at(inputs[0], i * c.columns + n) *
                  at(inputs[1], (shared ? i / c.choices : i) * c.depth + k);
      }
  return result;
}

/// Runs it twice, with the warps in two orders. `naive` computes in f32.
void expectMeaning(const GroupedCase &c, const KernelText &text,
                   function_ref<Tensor(ArrayRef<Tensor>)> naive) {
  SCOPED_TRACE(text.body + " used " + std::to_string(c.used));
  OwningOpRef<ModuleOp> module = parseModule(text.function());
  ASSERT_TRUE(module);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  SmallVector<Tensor> inputs = storableInputs(main, 5, /*scaleWeights=*/false);
  for (auto [i, expert] : llvm::enumerate(inputs[2].integers))
    expert = static_cast<int64_t>(i * 7 + i / 3) % c.used;
  Expected expected = evaluateOn(text, inputs);
  ASSERT_EQ(expected.results.size(), 1u);
  EmulatedOptions options;
  options.target = *nvptx::GpuTarget::forName(c.target);
  EmulatedRun run = runEmulated(text, inputs, options);
  ASSERT_EQ(run.results.size(), 1u);
  double ours = largestError(run.results[0], expected.results[0]);
  double theirs = largestError(naive(inputs), expected.results[0]);
  EXPECT_LE(ours, 2 * theirs + 1e-7);
  options.seed = 3;
  EmulatedRun shuffled = runEmulated(text, inputs, options);
  EXPECT_TRUE(shuffled.results[0].reals == run.results[0].reals)
      << "depends on the order of warps";
  if (c.columns > 128)
    expectAssembles(run.ptx, c.target, 65536 / run.launch.block[0]);
}

void expectGrouped(const GroupedCase &c) {
  for (bool shared : {true, false}) {
    for (bool transposed : {true, false})
      expectMeaning(c, linear(c, shared, transposed),
                    [&](ArrayRef<Tensor> inputs) {
                      return naiveLinear(c, shared, transposed, inputs);
                    });
    if (c.weight == c.storage)
      expectMeaning(c, weightGrad(c, shared), [&](ArrayRef<Tensor> inputs) {
        return naiveWeightGrad(c, shared, inputs);
      });
  }
}

} // namespace

/// No row begins at a multiple of more than an element.
TEST(GroupedProduct, OddSizes) {
  expectGrouped({37, 3, 5, 19, 13, 4});
  expectGrouped({37, 3, 5, 19, 13, 4, "bf16", "bf16"});
}

/// Several tiles of rows of a matrix; others have no row.
TEST(GroupedProduct, AllChooseOne) {
  expectGrouped({90, 2, 3, 40, 72, 1});
  expectGrouped({90, 2, 3, 40, 72, 1, "bf16", "bf16"});
}

TEST(GroupedProduct, FewRows) {
  expectGrouped({1, 2, 8, 32, 40, 8, "bf16", "bf16"});
  expectGrouped({1, 1, 1, 1, 1, 1});
}

TEST(GroupedProduct, NoRows) { expectGrouped({0, 2, 3, 8, 8, 1}); }

TEST(GroupedProduct, OperandsOfTwoTypes) {
  expectGrouped({21, 2, 3, 24, 40, 3, "bf16", "f32"});
}

/// The tiles of large products.
TEST(GroupedProduct, LargeTiles) {
  for (const char *target : {"sm_80", "sm_90a", "sm_100a"})
    expectGrouped({150, 2, 2, 136, 136, 2, "bf16", "bf16", target});
  expectGrouped({150, 2, 2, 136, 136, 2});
}
