//===- MatmulEmitterTest.cpp - Matrix products against float64 ------------===//

#include "JitKernel.h"
#include "MatmulKernels.h"
#include "passes/cpu/EmitObject.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace attnres::cpu;

namespace {

struct Shape {
  int64_t m, n, k;
};

class MatmulEmitterTest : public ::testing::TestWithParam<CpuTarget> {};

std::vector<float> makeRandom(int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(generator);
  return values;
}

/// Runs `product` for one shape and compares with float64.
void checkProduct(const ProductKernels &product) {
  const auto [m, n, k] = Shape{product.m, product.n, product.k};
  const MatmulOptions &options = product.options;
  ElementType typeC = product.typeC;
  SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
  auto module = product.compile();
  ASSERT_TRUE(module);
  Tensor a(product.typeA, makeRandom(m * k, 1)),
      b(product.typeB, makeRandom(k * n, 2)),
      bias(ElementType::F32, makeRandom(n, 3)),
      init(typeC, makeRandom(m * n, 4));
  bool transposedB = product.isTransposedB();
  auto exact = [&, m = m, n = n, k = k](int64_t i, int64_t j,
                                        double &magnitude) {
    double sum = 0;
    for (int64_t kk = 0; kk < k; ++kk) {
      double x = a[options.transposedA ? kk * m + i : i * k + kk];
      double y = b[transposedB ? j * k + kk : kk * n + j];
      sum += x * y;
      magnitude += std::abs(x * y);
    }
    if (options.hasBias)
      sum += bias[j], magnitude += std::abs(bias[j]);
    if (options.hasInit)
      sum += init[i * n + j], magnitude += std::abs(init[i * n + j]);
    return sum;
  };

  // Poisoned outputs and panels; the guard behind C must survive.
  Tensor panels = Tensor::poison(ElementType::F32, product.getPackedElements());
  std::vector<Tensor> results;
  for (int64_t parts : {1, 2, 5}) {
    Tensor c = Tensor::poison(typeC, m * n + 1);
    if (product.isPacked())
      (*module)["pack"].run({b.data(), panels.data()}, parts);
    std::vector<const void *> args{a.data(), product.isPacked() ? panels.data()
                                                                : b.data()};
    if (options.hasBias)
      args.push_back(bias.data());
    if (options.hasInit)
      args.push_back(init.data());
    args.push_back(c.data());
    (*module)["matmul"].run(args, parts);
    EXPECT_TRUE(std::isnan(c[m * n]));
    results.push_back(c);
  }
  for (size_t i = 1; i < results.size(); ++i)
    EXPECT_EQ(std::memcmp(results[0].data(), results[i].data(),
                          m * n * results[0].elementBytes()),
              0)
        << "another partition gives other bits";
  // In place: C starts as init.
  if (options.hasInit) {
    Tensor c = init;
    std::vector<const void *> args{a.data(), product.isPacked() ? panels.data()
                                                                : b.data()};
    if (options.hasBias)
      args.push_back(bias.data());
    args.push_back(c.data());
    args.push_back(c.data());
    (*module)["matmul"].run(args);
    EXPECT_EQ(
        std::memcmp(results[0].data(), c.data(), m * n * c.elementBytes()), 0)
        << "in place gives other bits";
  }
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double magnitude = 0;
      double expected = exact(i, j, magnitude);
      double bound = 4e-7 * magnitude + 1e-30;
      if (typeC == ElementType::BF16)
        bound += std::abs(expected) / 256;
      if (!(std::abs(results[0][i * n + j] - expected) <= bound) && wrong++ < 3)
        ADD_FAILURE() << "C[" << i << "," << j << "] is "
                      << results[0][i * n + j] << ", not " << expected;
    }
  EXPECT_EQ(wrong, 0);
}

TEST_P(MatmulEmitterTest, AnySize) {
  const Shape shapes[] = {{1, 1, 1},     {5, 3, 2},   {8, 32, 16},
                          {13, 37, 19},  {64, 64, 1}, {65, 33, 70},
                          {70, 129, 33}, {6, 16, 5},  {130, 7, 64}};
  for (Shape shape : shapes)
    for (bool transposedA : {false, true})
      for (bool transposedB : {false, true}) {
        ProductKernels product{shape.m, shape.n, shape.k};
        product.options.transposedA = transposedA;
        product.packsTransposed = transposedB;
        product.target = GetParam();
        checkProduct(product);
      }
}

TEST_P(MatmulEmitterTest, Empty) {
  for (Shape shape : {Shape{0, 5, 3}, {5, 0, 3}, {5, 37, 0}}) {
    ProductKernels product{shape.m, shape.n, shape.k};
    product.target = GetParam();
    product.options.hasBias = true;
    checkProduct(product);
  }
}

TEST_P(MatmulEmitterTest, BiasAndInit) {
  for (bool hasBias : {false, true})
    for (bool hasInit : {false, true})
      for (int64_t k : {0, 33, 1111}) {
        ProductKernels product{21, 43, k};
        product.target = GetParam();
        product.options.hasBias = hasBias;
        product.options.hasInit = hasInit;
        checkProduct(product);
      }
}

TEST_P(MatmulEmitterTest, Bf16Storage) {
  for (bool transposedA : {false, true})
    for (int64_t k : {37, 1200}) {
      ProductKernels product{21, 43, k};
      product.target = GetParam();
      product.options.transposedA = transposedA;
      product.options.hasInit = true;
      product.packsTransposed = !transposedA;
      product.typeA = product.typeB = product.typeC = ElementType::BF16;
      checkProduct(product);
    }
}

/// A right operand that is read in place.
TEST_P(MatmulEmitterTest, FewRows) {
  for (int64_t m : {1, 3, 4, 11})
    for (RightOperand right :
         {RightOperand::RowMajor, RightOperand::Transposed})
      for (Shape shape : {Shape{m, 37, 19}, {m, 131, 1}, {m, 5, 0}})
        for (bool isBf16 : {false, true}) {
          ProductKernels product{shape.m, shape.n, shape.k};
          product.target = GetParam();
          product.options.right = right;
          product.options.transposedA = m == 3;
          product.options.hasBias = m != 1;
          product.options.hasInit = m >= 4;
          if (isBf16)
            product.typeA = product.typeB = product.typeC = ElementType::BF16;
          checkProduct(product);
        }
}

/// Operands that are both rows of what is summed over: several items in both
/// directions, several blocks of k, edges of each.
TEST_P(MatmulEmitterTest, RowsOfBoth) {
  for (Shape shape : {Shape{5, 3, 2},
                      {13, 37, 19},
                      {132, 256, 128},
                      {133, 129, 257},
                      {300, 290, 300},
                      {40, 1100, 130}})
    for (bool isBf16 : {false, true}) {
      ProductKernels product{shape.m, shape.n, shape.k};
      product.target = GetParam();
      product.options.transposedA = true;
      product.options.right = RightOperand::RowMajor;
      product.options.hasInit = shape.m > 100;
      if (isBf16)
        product.typeA = product.typeB = ElementType::BF16;
      checkProduct(product);
    }
}

/// Products of bf16 that are read in place, with AMX where there is AMX: whole
/// tiles, parts of tiles, an odd number of them, several items.
TEST_P(MatmulEmitterTest, Bf16InPlace) {
  for (Shape shape : {Shape{64, 64, 64},
                      {5, 1, 1},
                      {33, 47, 31},
                      {96, 80, 688},
                      {200, 500, 530}})
    for (bool transposedA : {false, true})
      for (RightOperand right :
           {RightOperand::RowMajor, RightOperand::Transposed})
        for (bool isBf16 : {false, true}) {
          ProductKernels product{shape.m, shape.n, shape.k};
          product.target = GetParam();
          product.options.transposedA = transposedA;
          product.options.right = right;
          product.options.hasBias = right == RightOperand::Transposed;
          product.options.hasInit = isBf16;
          product.typeA = product.typeB = ElementType::BF16;
          product.typeC = isBf16 ? ElementType::BF16 : ElementType::F32;
          checkProduct(product);
        }
}

INSTANTIATE_TEST_SUITE_P(Levels, MatmulEmitterTest,
                         ::testing::ValuesIn(getRunnableTargets()),
                         getTestName);

} // namespace
