//===- MatmulEmitterTest.cpp - Matrix products against float64 ------------===//

#include "JitKernel.h"
#include "MatmulKernels.h"
#include "passes/cpu/EmitObject.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
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

/// Operands of one type that are read in place, on AMX tiles where there are
/// some: whole tiles, parts of tiles, an odd number of them, several items.
TEST_P(MatmulEmitterTest, InPlace) {
  constexpr ElementType f32 = ElementType::F32, bf16 = ElementType::BF16;
  for (Shape shape : {Shape{96, 64, 64},
                      {5, 1, 1},
                      {97, 47, 31},
                      {96, 80, 688},
                      {200, 500, 530}})
    for (bool transposedA : {false, true})
      for (RightOperand right :
           {RightOperand::RowMajor, RightOperand::Transposed})
        for (auto [type, typeC] :
             {std::pair(bf16, f32), {bf16, bf16}, {f32, f32}}) {
          ProductKernels product{shape.m, shape.n, shape.k};
          product.target = GetParam();
          product.options.transposedA = transposedA;
          product.options.right = right;
          product.options.hasBias =
              type == bf16 && right == RightOperand::Transposed;
          product.options.hasInit = typeC == bf16;
          product.typeA = product.typeB = type;
          product.typeC = typeC;
          checkProduct(product);
        }
}

/// So many k that sums of a whole item wait for the next part of them.
TEST_P(MatmulEmitterTest, LongSumsInPlace) {
  for (bool transposedA : {false, true}) {
    ProductKernels product{100, 300, 5000};
    product.target = GetParam();
    product.options.transposedA = transposedA;
    product.options.right = RightOperand::RowMajor;
    checkProduct(product);
  }
}

/// The product of f32 read in place, with random or given operands.
std::vector<float> multiply(const CpuTarget &target, Shape shape,
                            const std::vector<float> &a,
                            const std::vector<float> &b,
                            int64_t wantedItems = 4) {
  ProductKernels product{shape.m, shape.n, shape.k};
  product.target = target;
  product.options.right = RightOperand::RowMajor;
  product.options.wantedItems = wantedItems;
  std::vector<float> c(shape.m * shape.n);
  (*product.compile())["matmul"].run({a.data(), b.data(), c.data()});
  return c;
}

/// In the root mean square, a kernel is at most twice as far from float64 as a
/// loop in f32, whatever the length of the sums.
TEST_P(MatmulEmitterTest, G9ErrorsOfF32) {
  for (int64_t k : {1, 7, 64, 700}) {
    Shape shape{100, 48, k};
    std::vector<float> a = makeRandom(shape.m * k, 5),
                       b = makeRandom(k * shape.n, 6);
    std::vector<float> c = multiply(GetParam(), shape, a, b);
    double squares = 0, squaresOfLoop = 0;
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        double exact = 0;
        float loop = 0;
        for (int64_t kk = 0; kk < k; ++kk) {
          float x = a[i * k + kk], y = b[kk * shape.n + j];
          exact += double(x) * y;
          loop += x * y;
        }
        squares += std::pow(c[i * shape.n + j] - exact, 2);
        squaresOfLoop += std::pow(loop - exact, 2);
      }
    EXPECT_LE(squares, 4 * squaresOfLoop) << "k " << k;
  }
}

/// The same for products of bf16, whose sums are f32.
TEST_P(MatmulEmitterTest, G12ErrorsOfBf16) {
  for (int64_t k : {1, 7, 64, 700})
    for (bool transposedA : {false, true}) {
      ProductKernels product{37, 70, k};
      product.target = GetParam();
      product.options.transposedA = transposedA;
      product.options.right = RightOperand::RowMajor;
      product.typeA = product.typeB = ElementType::BF16;
      Tensor a(ElementType::BF16, makeRandom(37 * k, 5)),
          b(ElementType::BF16, makeRandom(k * 70, 6));
      std::vector<float> c(37 * 70);
      (*product.compile())["matmul"].run({a.data(), b.data(), c.data()});
      double squares = 0, squaresOfLoop = 0;
      for (int64_t i = 0; i < 37; ++i)
        for (int64_t j = 0; j < 70; ++j) {
          double exact = 0;
          float loop = 0;
          for (int64_t kk = 0; kk < k; ++kk) {
            float x = a[transposedA ? kk * 37 + i : i * k + kk];
            float y = b[kk * 70 + j];
            exact += double(x) * y;
            loop += x * y;
          }
          squares += std::pow(c[i * 70 + j] - exact, 2);
          squaresOfLoop += std::pow(loop - exact, 2);
        }
      EXPECT_LE(squares, 4 * squaresOfLoop + 1e-18) << "k " << k;
    }
}

/// What is not finite stays so, and what is stays finite.
TEST_P(MatmulEmitterTest, G9ExtremeF32) {
  constexpr uint32_t nans[] = {0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff,
                               0x7f800001};
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float greatest = std::numeric_limits<float>::max();
  std::vector<float> values = {infinity, -infinity, greatest, -greatest,
                               1e-30f};
  for (uint32_t bits : nans) {
    values.emplace_back();
    std::memcpy(&values.back(), &bits, sizeof bits);
  }
  // Element (i, 3 i) of a is values[i], or element (3 i, i) of the right
  // operand.
  constexpr int64_t rows = 100, depth = 40;
  auto place = [&](int64_t stepOfRow, int64_t stepOfDepth) {
    std::vector<float> matrix(rows * depth, 0.25f);
    for (size_t i = 0; i < values.size(); ++i)
      matrix[int64_t(i) * (stepOfRow + 3 * stepOfDepth)] = values[i];
    return matrix;
  };
  std::vector<float> halves(rows * depth, 0.5f);
  Shape shape{rows, rows, depth};
  std::vector<float> left =
      multiply(GetParam(), shape, place(depth, 1), halves);
  std::vector<float> right =
      multiply(GetParam(), shape, halves, place(1, rows));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < rows; ++j) {
      float value = left[i * rows + j];
      EXPECT_EQ(std::isfinite(value), std::isfinite(right[j * rows + i]));
      double extreme = size_t(i) < values.size() ? values[i] : 0.25;
      double expected = 0.5 * (0.25 * (depth - 1) + extreme);
      if (std::isfinite(expected)) {
        EXPECT_NEAR(value, expected, 1e-6 * std::abs(expected)) << extreme;
        EXPECT_NEAR(right[j * rows + i], value, 1e-6 * std::abs(expected));
      } else {
        EXPECT_FALSE(std::isfinite(value)) << extreme;
      }
    }
}

/// Into how many items a product is cut changes no bit.
TEST_P(MatmulEmitterTest, NumberOfItems) {
  Shape shape{150, 130, 600};
  std::vector<float> a = makeRandom(shape.m * shape.k, 7),
                     b = makeRandom(shape.k * shape.n, 8);
  std::vector<float> expected = multiply(GetParam(), shape, a, b);
  for (int64_t items : {1, 2, 16})
    EXPECT_EQ(multiply(GetParam(), shape, a, b, items), expected) << items;
}

INSTANTIATE_TEST_SUITE_P(Levels, MatmulEmitterTest,
                         ::testing::ValuesIn(getRunnableTargets()),
                         getTestName);

} // namespace
