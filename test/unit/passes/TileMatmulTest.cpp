//===- TileMatmulTest.cpp - kernels of dialect operations to machine code -===//

#include "JitKernel.h"
#include "MatmulKernels.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Passes.h"
#include "passes/cpu/EmitObject.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/LowerToLLVM.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

class TileMatmulTest : public ::testing::TestWithParam<CpuTarget> {
protected:
  TileMatmulTest() {
    DialectRegistry registry;
    registerCpuDialects(registry);
    registry.insert<AttnresDialect>();
    context.appendDialectRegistry(registry);
  }

  /// Parses `text` and runs the pass; null when either fails.
  OwningOpRef<ModuleOp> tile(llvm::StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return module;
    }
    TileMatmulOptions options;
    options.isa = GetParam().name.str();
    PassManager manager(&context);
    manager.addPass(createTileMatmul(options));
    if (failed(manager.run(*module)))
      return nullptr;
    return module;
  }

  MLIRContext context;
};

std::vector<float> ramp(int64_t count, float step) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = step * ((i * 7) % 23 - 11);
  return values;
}

/// Small integers, so that sums are exact and the comparison is for equality.
TEST_P(TileMatmulTest, PackedLinearWithBias) {
  OwningOpRef<ModuleOp> module = tile(R"mlir(
    attnres.kernel @pack(%w: tensor<45x19xf32>) -> tensor<2x19x32xf32> {
      %p = attnres.pack %w {tile = 32 : i64, transpose} : tensor<45x19xf32>
      attnres.return %p : tensor<2x19x32xf32>
    }
    attnres.kernel @product(%b: tensor<45xf32>, %x: tensor<2x11x19xf32>,
                               %p: tensor<2x19x32xf32>) -> tensor<2x11x45xf32> {
      %y = attnres.matmul_packed %x, %p bias(%b)
        : tensor<2x11x19xf32>, tensor<2x19x32xf32>, tensor<45xf32>
        -> tensor<2x11x45xf32>
      attnres.return %y : tensor<2x11x45xf32>
    })mlir");
  ASSERT_TRUE(module);
  auto jit = JitModule::compile(*module, GetParam());
  ASSERT_TRUE(jit);
  std::vector<float> w = ramp(45 * 19, 1), b = ramp(45, 2),
                     x = ramp(22 * 19, 1), p(2 * 19 * 32, NAN), y(22 * 45, NAN);
  (*jit)["pack"].run({w.data(), p.data()});
  (*jit)["product"].run({b.data(), x.data(), p.data(), y.data()});
  for (int i = 0; i < 22; ++i)
    for (int j = 0; j < 45; ++j) {
      float sum = b[j];
      for (int k = 0; k < 19; ++k)
        sum += x[i * 19 + k] * w[j * 19 + k];
      ASSERT_EQ(y[i * 45 + j], sum) << i << ", " << j;
    }
}

TEST_P(TileMatmulTest, OperandsInPlace) {
  OwningOpRef<ModuleOp> module = tile(R"mlir(
    attnres.kernel @linear(%x: tensor<3x1x19xf32>, %w: tensor<5x19xf32>)
        -> tensor<3x1x5xf32> {
      %y = attnres.linear %x, %w : tensor<3x1x19xf32>, tensor<5x19xf32>
      attnres.return %y : tensor<3x1x5xf32>
    }
    attnres.kernel @gradient(%dy: tensor<2x3x7xf32>, %x: tensor<2x3x9xf32>,
                                %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
      %y = attnres.matmul %dy, %x init(%c) {transpose_lhs}
        : tensor<2x3x7xf32>, tensor<2x3x9xf32>, tensor<7x9xf32>
        -> tensor<7x9xf32>
      attnres.return %y : tensor<7x9xf32>
    })mlir");
  ASSERT_TRUE(module);
  auto jit = JitModule::compile(*module, GetParam());
  ASSERT_TRUE(jit);
  std::vector<float> x = ramp(3 * 19, 1), w = ramp(5 * 19, 1), y(15, NAN);
  (*jit)["linear"].run({x.data(), w.data(), y.data()});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) {
      float sum = 0;
      for (int k = 0; k < 19; ++k)
        sum += x[i * 19 + k] * w[j * 19 + k];
      EXPECT_EQ(y[i * 5 + j], sum);
    }
  std::vector<float> dy = ramp(6 * 7, 1), z = ramp(6 * 9, 2), c = ramp(63, 1),
                     result(63, NAN);
  (*jit)["gradient"].run({dy.data(), z.data(), c.data(), result.data()});
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j) {
      float sum = c[i * 9 + j];
      for (int k = 0; k < 6; ++k)
        sum += dy[k * 7 + i] * z[k * 9 + j];
      EXPECT_EQ(result[i * 9 + j], sum);
    }
}

/// Only kernels that are nothing but a product are taken.
TEST_P(TileMatmulTest, LeavesOtherFunctions) {
  OwningOpRef<ModuleOp> module = tile(R"mlir(
    func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
      %y = attnres.linear %x, %w : tensor<4x8xf32>, tensor<8x8xf32>
      return %y : tensor<4x8xf32>
    }
    attnres.kernel @two(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>)
        -> tensor<4x8xf32> {
      %y = attnres.linear %x, %w : tensor<4x8xf32>, tensor<8x8xf32>
      %z = attnres.linear %y, %w : tensor<4x8xf32>, tensor<8x8xf32>
      attnres.return %z : tensor<4x8xf32>
    })mlir");
  ASSERT_TRUE(module);
  for (auto kernel : module->getOps<attnres::KernelOp>())
    EXPECT_FALSE(kernel.isLowered()) << kernel.getName().str();
}

TEST_P(TileMatmulTest, RejectsPanelsThatVectorsDoNotCut) {
  EXPECT_FALSE(tile(R"mlir(
    attnres.kernel @pack(%w: tensor<45x19xf32>) -> tensor<7x45x3xf32> {
      %p = attnres.pack %w {tile = 3 : i64} : tensor<45x19xf32>
      attnres.return %p : tensor<7x45x3xf32>
    })mlir"));
}

INSTANTIATE_TEST_SUITE_P(Levels, TileMatmulTest,
                         ::testing::ValuesIn(getRunnableTargets()),
                         getTestName);

/// The register tile of each level: all multiply-adds of one step of k, and no
/// vector that leaves the registers.
TEST(MatmulMicroKernel, FillsRegistersWithoutSpilling) {
  struct {
    const char *level, *instruction, *registers;
  } cases[] = {{"avx2", "vfmadd", "%ymm"}, {"avx512", "vfmadd", "%zmm"}};
  for (auto [level, instruction, registers] : cases) {
    SCOPED_TRACE(level);
    ProductKernels product{96, 64, 256};
    product.target = *CpuTarget::forLevel(level);
    MLIRContext context;
    OwningOpRef<ModuleOp> module = product.build(context);
    auto text = emitAssembly(module->lookupSymbol<attnres::KernelOp>("matmul"),
                             product.target);
    ASSERT_TRUE(succeeded(text));
    int64_t fmas = 0;
    SmallVector<StringRef> lines;
    StringRef(*text).split(lines, '\n');
    for (StringRef line : lines) {
      fmas += line.contains(instruction) && line.contains(registers);
      EXPECT_FALSE(line.contains(registers) && line.contains("(%rsp)"))
          << line.str();
    }
    const CpuTarget &target = product.target;
    constexpr int64_t unrolledSteps = 4;
    EXPECT_EQ(fmas, unrolledSteps * target.tileRows * target.tileColumns /
                        target.lanes);
  }
}

} // namespace
