//===- LowerToLLVMTest.cpp - cpu-stage kernels in machine code ------------===//

#include "JitKernel.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace attnres::cpu;

namespace {

class LowerToLLVMTest : public ::testing::TestWithParam<CpuTarget> {};

/// Rows of 37 elements, each plus a bias, by items of 3 rows.
TEST_P(LowerToLLVMTest, RunsEveryPartition) {
  auto module = JitModule::compile(R"mlir(
    attnres.kernel @add_bias
        : (tensor<12x37xf32>, tensor<37xf32>) -> tensor<12x37xf32>
        grid 4 scratch 256
        code(%x: memref<12x37xf32>, %b: memref<37xf32>, %y: memref<12x37xf32>,
             %scratch: memref<?xi8>, %begin: index, %end: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %c37 = arith.constant 37 : index
      %zero = arith.constant 0.0 : f32
      %row = memref.view %scratch[%c0][] : memref<?xi8> to memref<37xf32>
      memref.copy %b, %row : memref<37xf32> to memref<37xf32>
      scf.for %item = %begin to %end step %c1 {
        %first = arith.muli %item, %c3 : index
        scf.for %r = %c0 to %c3 step %c1 {
          %i = arith.addi %first, %r : index
          scf.for %j = %c0 to %c37 step %c8 {
            %xv = vector.transfer_read %x[%i, %j], %zero
              : memref<12x37xf32>, vector<8xf32>
            %bv = vector.transfer_read %row[%j], %zero
              : memref<37xf32>, vector<8xf32>
            %yv = arith.addf %xv, %bv : vector<8xf32>
            vector.transfer_write %yv, %y[%i, %j]
              : vector<8xf32>, memref<12x37xf32>
          }
        }
      }
      attnres.return
    })mlir",
                                   GetParam());
  ASSERT_TRUE(module);
  const JitKernel &kernel = (*module)["add_bias"];
  EXPECT_EQ(kernel.grid, 4);
  EXPECT_EQ(kernel.scratchBytes, 256);
  std::vector<float> x(12 * 37), b(37);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 0.25f * i;
  for (size_t j = 0; j < b.size(); ++j)
    b[j] = -1.0f * j;
  for (int64_t parts : {1, 2, 3, 4, 7}) {
    std::vector<float> y(x.size() + 1, NAN);
    kernel.run({x.data(), b.data(), y.data()}, parts);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y[i], x[i] + b[i % 37]) << "element " << i;
    EXPECT_TRUE(std::isnan(y.back()));
  }
}

/// Contractions, reductions, transposes and 2-D transfers lower without help.
TEST_P(LowerToLLVMTest, LowersMultiDimensionalVectors) {
  auto module = JitModule::compile(R"mlir(
    attnres.kernel @product
        : (tensor<4x5xf32>, tensor<3x5xf32>) -> (tensor<4x3xf32>, tensor<4xf32>)
        grid 1 scratch 0
        code(%a: memref<4x5xf32>, %b: memref<3x5xf32>, %c: memref<4x3xf32>,
             %sums: memref<4xf32>, %scratch: memref<?xi8>, %begin: index,
             %end: index) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %av = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]}
        : memref<4x5xf32>, vector<4x5xf32>
      %bv = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]}
        : memref<3x5xf32>, vector<3x5xf32>
      %init = arith.constant dense<1.0> : vector<4x3xf32>
      %p = vector.contract {
          indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                           affine_map<(i, j, k) -> (j, k)>,
                           affine_map<(i, j, k) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
        %av, %bv, %init : vector<4x5xf32>, vector<3x5xf32> into vector<4x3xf32>
      vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]}
        : vector<4x3xf32>, memref<4x3xf32>
      %none = arith.constant dense<0.0> : vector<4xf32>
      %s = vector.multi_reduction <add>, %av, %none [1]
        : vector<4x5xf32> to vector<4xf32>
      vector.transfer_write %s, %sums[%c0] {in_bounds = [true]}
        : vector<4xf32>, memref<4xf32>
      attnres.return
    })mlir",
                                   GetParam());
  ASSERT_TRUE(module);
  std::vector<float> a(20), b(15), c(12, NAN), sums(4, NAN);
  for (int i = 0; i < 20; ++i)
    a[i] = i - 7;
  for (int i = 0; i < 15; ++i)
    b[i] = 2 * i - 11;
  (*module)["product"].run({a.data(), b.data(), c.data(), sums.data()});
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int k = 0; k < 5; ++k)
      sum += a[5 * i + k];
    EXPECT_EQ(sums[i], sum);
    for (int j = 0; j < 3; ++j) {
      float dot = 1;
      for (int k = 0; k < 5; ++k)
        dot += a[5 * i + k] * b[5 * j + k];
      EXPECT_EQ(c[3 * i + j], dot);
    }
  }
}

/// bf16 moves, rounds to nearest even and keeps NaN, also as constants.
TEST_P(LowerToLLVMTest, ConvertsBf16) {
  auto module = JitModule::compile(R"mlir(
    attnres.kernel @convert
        : (tensor<16xf32>) -> (tensor<16xbf16>, tensor<16xf32>, tensor<16xbf16>)
        grid 1 scratch 0
        code(%x: memref<16xf32>, %y: memref<16xbf16>, %z: memref<16xf32>,
             %ones: memref<16xbf16>, %scratch: memref<?xi8>, %begin: index,
             %end: index) {
      %c0 = arith.constant 0 : index
      %xv = vector.load %x[%c0] : memref<16xf32>, vector<16xf32>
      %yv = arith.truncf %xv : vector<16xf32> to vector<16xbf16>
      vector.store %yv, %y[%c0] : memref<16xbf16>, vector<16xbf16>
      %zv = arith.extf %yv : vector<16xbf16> to vector<16xf32>
      vector.store %zv, %z[%c0] : memref<16xf32>, vector<16xf32>
      %one = arith.constant dense<1.0> : vector<16xbf16>
      vector.store %one, %ones[%c0] : memref<16xbf16>, vector<16xbf16>
      %half = arith.constant 0.5 : bf16
      memref.store %half, %ones[%c0] : memref<16xbf16>
      attnres.return
    })mlir",
                                   GetParam());
  ASSERT_TRUE(module);
  const float infinity = std::numeric_limits<float>::infinity();
  // 1 + 2^-8 lies between two bf16; 1 + 3 * 2^-8 too, with the even one above.
  std::vector<float> x = {1.0f,        1.00390625f, 1.01171875f, -1.00390625f,
                          1.00390637f, NAN,         infinity,    -infinity,
                          0.0f,        -0.0f,       1e-40f,      3.4e38f,
                          65280.0f,    0.1f,        1.0f,        2.0f};
  std::vector<float> expected = {1.0f, 1.0f,     1.015625f, -1.0f, 1.0078125f,
                                 NAN,  infinity, -infinity, 0.0f,  -0.0f};
  std::vector<uint16_t> y(16), ones(16);
  std::vector<float> z(16);
  (*module)["convert"].run({x.data(), y.data(), z.data(), ones.data()});
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(z[i]));
    } else {
      EXPECT_EQ(z[i], expected[i]) << i;
      EXPECT_EQ(std::signbit(z[i]), std::signbit(expected[i])) << i;
    }
  }
  EXPECT_EQ(z[10], std::ldexp(1.0f, -133)); // the smallest bf16
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(ones[i], i == 0 ? 0x3f00 : 0x3f80);
}

INSTANTIATE_TEST_SUITE_P(Levels, LowerToLLVMTest,
                         ::testing::ValuesIn(getRunnableTargets()),
                         getTestName);

/// A mistake in a kernel is reported and no object comes out.
TEST(LowerToLLVM, RejectsWrongSignatures) {
  const char *texts[] = {
      // No scratch and no range.
      R"mlir(attnres.kernel @k : () -> tensor<4xf32> grid 1 scratch 0
        code(%x: memref<4xf32>) { attnres.return })mlir",
      // Not memory that processors take.
      R"mlir(attnres.kernel @k : () -> tensor<4xf32> grid 1 scratch 0
        code(%x: !llvm.ptr, %s: memref<?xi8>, %b: index, %e: index) {
        attnres.return })mlir",
      // No code.
      R"mlir(attnres.kernel @k() { attnres.return })mlir",
      // A function without an instruction or an approximation.
      R"mlir(attnres.kernel @k : () -> tensor<f64> grid 1 scratch 0
        code(%x: memref<f64>, %s: memref<?xi8>, %b: index, %e: index) {
        %v = memref.load %x[] : memref<f64>
        %w = math.log10 %v : f64
        memref.store %w, %x[] : memref<f64>
        attnres.return })mlir"};
  for (const char *text : texts)
    EXPECT_FALSE(JitModule::compile(text, CpuTarget::host())) << text;
}

} // namespace
