// A row operation of a dialect that no pass knows goes through every stage to a
// running program, with its gradients.
#include "passes/Passes.h"
#include "test/unit/compile/CompiledCode.h"
#include "test/unit/rows/TestRows.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

/// loss = sum of squares of softsign_scale(x + u, gain), 21 x 37 numbers of
/// type `storage`.
OwningOpRef<ModuleOp> program(const std::string &storage) {
  testContext().getOrLoadDialect<TestRowsDialect>();
  std::string x = "tensor<3x7x37x" + storage + ">";
  std::string text = R"(
func.func @main(%x: TX {attnres.name = "x", attnres.role = #attnres.role<parameter>},
                %u: TX {attnres.name = "u", attnres.role = #attnres.role<input>},
                %gain: tensor<37xf32> {attnres.name = "gain", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}, TX {attnres.name = "y"}) {
  %sum = arith.addf %x, %u : TX
  %y = test_rows.softsign_scale %sum, %gain : TX, tensor<37xf32> -> TX
{wide}
  %squares = arith.mulf {y}, {y} : T32
  %zero = arith.constant dense<0.0> : tensor<f32>
  %loss = linalg.reduce ins(%squares : T32) outs(%zero : tensor<f32>) dimensions = [0, 1, 2]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  return %loss, %y : tensor<f32>, TX
})";
  // Squares are summed in f32.
  bool isF32 = storage == "f32";
  text.replace(text.find("{wide}"), 6,
               isF32 ? "" : "  %wide = arith.extf %y : TX to T32");
  for (size_t at; (at = text.find("{y}")) != std::string::npos;)
    text.replace(at, 3, isF32 ? "%y" : "%wide");
  for (size_t at; (at = text.find("T32")) != std::string::npos;)
    text.replace(at, 3, "tensor<3x7x37xf32>");
  for (size_t at; (at = text.find("TX")) != std::string::npos;)
    text.replace(at, 2, x);
  return parseModule(text);
}

/// loss, y and the gradients of x and gain, in f64.
SmallVector<Tensor> expectedResults(ArrayRef<Tensor> inputs) {
  const Tensor &x = inputs[0], &u = inputs[1], &gain = inputs[2];
  Tensor loss = Tensor::ofReals({}), y = x, xGrad = x, gainGrad = gain;
  loss.reals[0] = 0;
  std::fill(gainGrad.reals.begin(), gainGrad.reals.end(), 0.0);
  for (int64_t i = 0; i < x.size(); ++i) {
    int64_t column = i % gain.size();
    double v = x.reals[i] + u.reals[i], d = 1 / (1 + std::fabs(v));
    double out = gain.reals[column] * v * d;
    y.reals[i] = out;
    loss.reals[0] += out * out;
    xGrad.reals[i] = 2 * out * gain.reals[column] * d * d;
    gainGrad.reals[column] += 2 * out * v * d;
  }
  return {loss, y, xGrad, gainGrad};
}

} // namespace

TEST(NewRowOperation, RunsAtEveryStage) {
  OwningOpRef<ModuleOp> module = program("f32");
  ASSERT_TRUE(module);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  SmallVector<Tensor> inputs = storableInputs(main, 7, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = expectedResults(inputs);

  StageOptions options;
  options.gradients = true;
  // The interpreter finds its meaning, also of the derivative.
  OwningOpRef<ModuleOp> training = module->clone();
  ASSERT_TRUE(runStages(
      *training, {Stage::Naive, Stage::Scheduled, Stage::Training}, options));
  SmallVector<Tensor> interpreted = evaluate(*training, inputs);
  ASSERT_EQ(interpreted.size(), expected.size());
  for (auto [actual, wanted] : llvm::zip(interpreted, expected))
    EXPECT_TRUE(isClose(actual, wanted, 1e-9));

  for (const char *target : {"cpu:generic", "cpu"}) {
    SCOPED_TRACE(target);
    options.target = target;
    expectCompiled(*module, options, inputs, expected, /*numForward=*/2);
  }
}

class NewRowOperationStorage : public ::testing::TestWithParam<std::string> {};

/// It is in a row kernel, together with the addition before it.
TEST_P(NewRowOperationStorage, JoinsAKernel) {
  OwningOpRef<ModuleOp> module = program(GetParam());
  ASSERT_TRUE(module);
  ASSERT_TRUE(runStages(
      *module,
      {Stage::Naive, Stage::Scheduled, Stage::Training, Stage::Kernels},
      StageOptions()));
  bool isFused = false;
  module->walk([&](SoftsignScaleOp op) {
    isFused |= op.getX().getDefiningOp<arith::AddFOp>() != nullptr;
  });
  EXPECT_TRUE(isFused);
}

INSTANTIATE_TEST_SUITE_P(Types, NewRowOperationStorage,
                         ::testing::Values("f32", "bf16"),
                         [](const auto &info) { return info.param; });

/// A row form alone is not enough, and the error says for which operation.
TEST(RowOperationWithoutFormula, IsAnError) {
  testContext().getOrLoadDialect<TestRowsDialect>();
  OwningOpRef<ModuleOp> module = parseModule(R"(
attnres.kernel @k(%x: tensor<5x9xf32>) -> tensor<5x9xf32> {
  %y = test_rows.unwritten %x : tensor<5x9xf32> -> tensor<5x9xf32>
  attnres.return %y : tensor<5x9xf32>
})");
  ASSERT_TRUE(module);
  std::string message;
  ScopedDiagnosticHandler handler(&testContext(), [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  PassManager passes(&testContext());
  passes.addPass(createVectorizeRows());
  EXPECT_TRUE(failed(passes.run(*module)));
  EXPECT_NE(message.find("'test_rows.unwritten' op works row by row but has no "
                         "formula of a row"),
            std::string::npos)
      << message;
}
