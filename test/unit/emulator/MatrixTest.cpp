// Tensor-core programs for sm_80 made by nvcc, against plain products.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

class MatrixTest : public EmulatorTest {
protected:
  void SetUp() override { loadFile("matrix.ptx"); }
};

TEST_F(MatrixTest, WmmaHalf) {
  const int m = 32;
  const int n = 48;
  const int k = 64;
  Numbers numbers(1);
  std::vector<float> a = numbers.exacts(m * k);
  std::vector<float> b = numbers.exacts(n * k);
  uint64_t da = upload(mapAll<uint16_t>(a, toHalf));
  uint64_t db = upload(mapAll<uint16_t>(b, toHalf));
  uint64_t dd = output<float>(m * n);
  LaunchConfig config;
  config.grid = {n / 16, m / 16, 1};
  config.block.x = 32;
  run("wmmaHalf", config, n, k, da, db, dd);
  std::vector<float> d = download<float>(dd, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 1;
      for (int t = 0; t < k; ++t)
        sum += a[i * k + t] * b[j * k + t];
      ASSERT_EQ(d[i * n + j], 2 * sum);
    }
  EXPECT_EQ(device.counters().tensorMultiplyAdds, uint64_t(m) * n * k);
}

TEST_F(MatrixTest, WmmaByte) {
  std::vector<int8_t> a(256);
  std::vector<int8_t> b(256);
  Numbers numbers(2);
  for (int i = 0; i < 256; ++i) {
    a[i] = static_cast<int8_t>(numbers.bits());
    b[i] = static_cast<int8_t>(numbers.bits());
  }
  uint64_t da = upload(a);
  uint64_t db = upload(b);
  uint64_t dd = output<int>(256);
  run("wmmaByte", shape(1, 32), da, db, dd);
  std::vector<int> d = download<int>(dd, 256);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      int sum = 0;
      for (int t = 0; t < 16; ++t)
        sum += a[i * 16 + t] * b[j * 16 + t];
      ASSERT_EQ(d[i * 16 + j], sum);
    }
}

TEST_F(MatrixTest, MmaPipeline) {
  const int k = 80;
  Numbers numbers(3);
  std::vector<float> a = numbers.exacts(16 * k);
  std::vector<float> b = numbers.exacts(8 * k);
  uint64_t da = upload(mapAll<uint16_t>(a, toBfloat));
  uint64_t db = upload(mapAll<uint16_t>(b, toBfloat));
  uint64_t dc = output<float>(128);
  run("mmaPipeline", shape(1, 32), k, da, db, dc);
  std::vector<float> c = download<float>(dc, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t)
        sum += a[i * k + t] * b[j * k + t];
      ASSERT_EQ(c[i * 8 + j], sum) << i << "," << j;
    }
  EXPECT_EQ(device.counters().asyncCopyBytes, uint64_t(24) * k * 2);
  EXPECT_EQ(device.counters().matrixInstructions, uint64_t(k / 16));
}

TEST_F(MatrixTest, MmaTf32) {
  Numbers numbers(4);
  std::vector<float> a = numbers.exacts(128);
  std::vector<float> b = numbers.exacts(64);
  uint64_t da = upload(a);
  uint64_t db = upload(b);
  uint64_t dc = output<float>(128);
  run("mmaTf32", shape(1, 32), da, db, dc);
  std::vector<float> c = download<float>(dc, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int t = 0; t < 8; ++t)
        sum += a[i * 8 + t] * b[t * 8 + j];
      ASSERT_EQ(c[i * 8 + j], sum);
    }
}

TEST_F(MatrixTest, MmaByte) {
  std::vector<int8_t> a(16 * 32);
  std::vector<int8_t> b(8 * 32);
  Numbers numbers(5);
  for (int8_t &value : a)
    value = static_cast<int8_t>(numbers.bits());
  for (int8_t &value : b)
    value = static_cast<int8_t>(numbers.bits());
  uint64_t da = upload(a);
  uint64_t db = upload(b);
  uint64_t dc = output<int>(128);
  run("mmaByte", shape(1, 32), da, db, dc);
  std::vector<int> c = download<int>(dc, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      int sum = 0;
      for (int t = 0; t < 32; ++t)
        sum += a[i * 32 + t] * b[j * 32 + t];
      ASSERT_EQ(c[i * 8 + j], sum);
    }
}

TEST_F(MatrixTest, MmaHalfWithTransposedLoad) {
  Numbers numbers(6);
  std::vector<float> a = numbers.exacts(256);
  std::vector<float> b = numbers.exacts(128);
  uint64_t da = upload(mapAll<uint16_t>(a, toHalf));
  uint64_t db = upload(mapAll<uint16_t>(b, toHalf));
  uint64_t dc = output<uint16_t>(128);
  run("mmaHalf", shape(1, 32), da, db, dc);
  std::vector<uint16_t> c = download<uint16_t>(dc, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int t = 0; t < 16; ++t)
        sum += a[i * 16 + t] * b[t * 8 + j];
      // Sums of multiples of 1/256 below 64 need up to 14 bits: one rounding.
      ASSERT_NEAR(fromHalf(c[i * 8 + j]), sum, std::fabs(sum) / 2048 + 1e-6);
    }
}

} // namespace
