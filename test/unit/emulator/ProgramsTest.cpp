// PTX that nvcc made from everyday CUDA programs, against results computed
// here.

#include "EmulatorTestSupport.h"

#include <numeric>

using namespace attnres;
using namespace attnres::emulator;

namespace {

class ProgramsTest : public EmulatorTest {
protected:
  void SetUp() override { loadFile("basics.ptx"); }
};

TEST_F(ProgramsTest, Saxpy) {
  loadFile("saxpy.ptx");
  const int n = 1003;
  Numbers numbers(1);
  std::vector<float> x = numbers.exacts(n);
  std::vector<float> y = numbers.exacts(n);
  uint64_t dx = upload(x);
  uint64_t dy = upload(y);
  float a = 3;
  run("saxpy", shape(8, 128), n, a, dx, dy);
  std::vector<float> result = download<float>(dy, n);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(result[i], a * x[i] + y[i]) << i;
  // Every element is loaded and stored once, in full sectors.
  EXPECT_EQ(device.counters().global.storeBytes, 4u * n);
  EXPECT_EQ(device.counters().global.loadBytes, 8u * n);
  EXPECT_GT(device.counters().coalescingEfficiency(), 0.99);
}

TEST_F(ProgramsTest, Reduction) {
  const int n = 12345;
  std::vector<float> x = Numbers(2).exacts(n);
  uint64_t dx = upload(x);
  uint64_t out = upload(std::vector<float>{0});
  run("reduceSum", shape(7, 192), n, dx, out);
  EXPECT_EQ(download<float>(out, 1)[0],
            std::accumulate(x.begin(), x.end(), 0.0f));
}

TEST_F(ProgramsTest, Transpose) {
  const int rows = 75;
  const int columns = 101;
  std::vector<float> x = Numbers(3).exacts(rows * columns);
  uint64_t in = upload(x);
  uint64_t out = output<float>(x.size());
  LaunchConfig config;
  config.grid = {4, 3, 1};
  config.block = {32, 8, 1};
  run("transpose", config, rows, columns, in, out);
  std::vector<float> result = download<float>(out, x.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      ASSERT_EQ(result[j * rows + i], x[i * columns + j]);
  EXPECT_EQ(device.counters().bankConflicts, 0u);
}

TEST_F(ProgramsTest, BankConflictsAreCounted) {
  std::vector<float> x = Numbers(4).exacts(1024);
  uint64_t in = upload(x);
  uint64_t out = output<float>(1024);
  LaunchConfig config;
  config.block = {32, 32, 1};
  run("transposeConflicts", config, in, out);
  // Each of 32 warps reads a column: 32 passes instead of one.
  EXPECT_EQ(device.counters().bankConflicts, 32u * 31u);
}

TEST_F(ProgramsTest, Scan) {
  std::vector<int> x(768);
  Numbers numbers(5);
  for (int &value : x)
    value = int(numbers.bits() % 100) - 50;
  uint64_t in = upload(x);
  uint64_t out = output<int>(x.size());
  run("scan", shape(3, 256), in, out);
  std::vector<int> result = download<int>(out, x.size());
  for (size_t block = 0; block < 3; ++block) {
    int sum = 0;
    for (size_t i = block * 256; i < (block + 1) * 256; ++i) {
      sum += x[i];
      ASSERT_EQ(result[i], sum) << i;
    }
  }
}

TEST_F(ProgramsTest, Histogram) {
  const int n = 5000;
  std::vector<uint8_t> x(n);
  Numbers numbers(6);
  std::vector<uint32_t> expected(256);
  for (uint8_t &value : x) {
    value = static_cast<uint8_t>(numbers.bits() % 37);
    ++expected[value];
  }
  uint64_t in = upload(x);
  uint64_t bins = upload(std::vector<uint32_t>(256));
  run("histogram", shape(5, 96), n, in, bins);
  EXPECT_EQ(download<uint32_t>(bins, 256), expected);
  EXPECT_GT(device.counters().atomics, uint64_t(n));
}

TEST_F(ProgramsTest, TiledProduct) {
  const int m = 37;
  const int n = 29;
  const int k = 53;
  Numbers numbers(7);
  std::vector<float> a = numbers.exacts(m * k);
  std::vector<float> b = numbers.exacts(k * n);
  uint64_t da = upload(a);
  uint64_t db = upload(b);
  uint64_t dc = output<float>(m * n);
  LaunchConfig config;
  config.grid = {2, 3, 1};
  config.block = {16, 16, 1};
  config.dynamicSharedBytes = 2048;
  run("matmul", config, m, n, k, da, db, dc);
  std::vector<float> c = download<float>(dc, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t)
        sum += a[i * k + t] * b[t * n + j];
      ASSERT_EQ(c[i * n + j], sum) << i << "," << j;
    }
}

TEST_F(ProgramsTest, DivergentControlFlow) {
  const int n = 500;
  std::vector<uint32_t> x(n);
  Numbers numbers(8);
  for (uint32_t &value : x)
    value = numbers.bits() % 5000 + 1;
  uint64_t in = upload(x);
  uint64_t out = output<int>(n);
  run("diverge", shape(4, 128), n, in, out);
  std::vector<int> result = download<int>(out, n);
  for (int i = 0; i < n; ++i) {
    uint32_t v = x[i];
    int steps = 0;
    while (v != 1) {
      v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      if (++steps > 200)
        break;
    }
    switch (i % 5) {
    case 0:
      steps += 1000;
      break;
    case 1:
      steps *= 3;
      break;
    case 2:
      steps = -steps;
      break;
    case 3:
      steps ^= 0x55;
      break;
    default:
      break;
    }
    ASSERT_EQ(result[i], steps) << i;
  }
  EXPECT_GT(device.counters().divergentBranches, 0u);
}

TEST_F(ProgramsTest, CallsRecursionAndLocalMemory) {
  const int n = 100;
  std::vector<int> x(n);
  std::vector<int> y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 6 * i + 12;
    y[i] = 4 * i + 8;
  }
  uint64_t dx = upload(x);
  uint64_t dy = upload(y);
  uint64_t out = output<int64_t>(n);
  run("calls", shape(2, 64), n, dx, dy, out);
  std::vector<int64_t> result = download<int64_t>(out, n);
  for (int i = 0; i < n; ++i) {
    int table[8];
    for (int j = 0; j < 8; ++j)
      table[(j + i) % 8] = j;
    int64_t first = int64_t(std::gcd(x[i], y[i])) * (x[i] % 7);
    int second = table[i % 8] + x[i] % 7;
    ASSERT_EQ(result[i], first * 1000 + second) << i;
  }
}

TEST_F(ProgramsTest, HalfArithmetic) {
  const int n = 254;
  Numbers numbers(9);
  std::vector<float> x = numbers.exacts(n);
  std::vector<float> y = numbers.exacts(n);
  uint64_t dx = upload(mapAll<uint16_t>(x, toHalf));
  uint64_t dy = upload(mapAll<uint16_t>(y, toHalf));
  uint64_t out = output<uint16_t>(n);
  run("halfMath", shape(1, 128), n, dx, dy, out);
  std::vector<uint16_t> result = download<uint16_t>(out, n);
  for (int i = 0; i < n; ++i) {
    float expected = std::max(x[i] * y[i] + (x[i] + y[i]), x[i] * 0.5f);
    ASSERT_EQ(fromHalf(result[i]), expected) << i;
  }
}

TEST_F(ProgramsTest, BfloatArithmetic) {
  const int n = 100;
  Numbers numbers(10);
  std::vector<float> x = numbers.exacts(n);
  std::vector<float> y = numbers.exacts(n);
  uint64_t dx = upload(mapAll<uint16_t>(x, toBfloat));
  uint64_t dy = upload(mapAll<uint16_t>(y, toBfloat));
  uint64_t out = output<uint16_t>(n);
  run("bfloatMath", shape(1, 128), n, dx, dy, out);
  std::vector<uint16_t> result = download<uint16_t>(out, n);
  for (int i = 0; i < n; ++i) {
    float sum = fromBfloat(toBfloat(x[i] * y[i] + x[i]));
    ASSERT_EQ(result[i], toBfloat(sum + 1.0f)) << i;
  }
}

TEST_F(ProgramsTest, LastBlockWithFences) {
  const int n = 400;
  std::vector<float> x = Numbers(11).exacts(n);
  uint64_t dx = upload(x);
  uint64_t partial = output<float>(10);
  uint64_t out = output<float>(1);
  run("lastBlock", shape(10, 32), n, dx, partial, out);
  const float weights[] = {0.5f, 1.5f, -2.0f, 4.0f};
  float expected = 0;
  for (int i = 0; i < n; ++i)
    expected += x[i] * weights[i % 4];
  EXPECT_EQ(download<float>(out, 1)[0], expected);
}

TEST_F(ProgramsTest, GridBarrierKeepsEveryBlockResident) {
  const uint32_t blocks = 150;
  uint64_t data = output<int>(2 * blocks);
  run("gridBarrier", shape(blocks, 32), data);
  std::vector<int> result = download<int>(data, 2 * blocks);
  for (uint32_t i = 0; i < blocks; ++i)
    ASSERT_EQ(result[blocks + i], int((i + 1) % blocks + 1)) << i;
}

TEST_F(ProgramsTest, LanesTakeALockInTurn) {
  uint64_t value = upload(std::vector<int>{0});
  run("spinLock", shape(2, 64), value);
  EXPECT_EQ(download<int>(value, 1)[0], 128);
}

TEST_F(ProgramsTest, WarpOperations) {
  std::vector<int> x(64);
  Numbers numbers(12);
  for (int &value : x)
    value = int(numbers.bits() % 50) - 20;
  uint64_t in = upload(x);
  uint64_t out = output<int>(64 * 8);
  run("warpOps", shape(1, 64), in, out);
  std::vector<int> result = download<int>(out, 64 * 8);
  int oddInBlock = 0;
  for (int value : x)
    oddInBlock += value & 1;
  for (int i = 0; i < 64; ++i) {
    int first = i / 32 * 32;
    uint32_t odd = 0;
    uint32_t same = 0;
    int sum = 0;
    int most = INT32_MIN;
    int part = 0;
    for (int j = 0; j < 32; ++j) {
      int value = x[first + j];
      odd |= uint32_t(value & 1) << j;
      same |= uint32_t(value % 4 == x[i] % 4) << j;
      sum += value;
      most = std::max(most, value);
      part += j / 16 == i % 32 / 16 ? value : 0;
    }
    const int *row = result.data() + i * 8;
    ASSERT_EQ(uint32_t(row[0]), odd);
    ASSERT_EQ(uint32_t(row[1]), same);
    ASSERT_EQ(row[2], sum);
    ASSERT_EQ(row[3], most);
    ASSERT_EQ(row[4], 1);
    ASSERT_EQ(row[5], x[i / 16 * 16 + 3]);
    ASSERT_EQ(row[6], part);
    ASSERT_EQ(row[7], oddInBlock);
  }
}

TEST_F(ProgramsTest, MathFunctions) {
  const int n = 200;
  std::vector<float> x(n);
  Numbers numbers(13);
  for (float &value : x)
    value = float(int(numbers.bits() % 20000) - 10000) / 1500;
  uint64_t in = upload(x);
  uint64_t out = output<float>(n * 8);
  run("functions", shape(2, 128), n, in, out);
  std::vector<float> result = download<float>(out, n * 8);
  for (int i = 0; i < n; ++i) {
    double v = x[i];
    double expected[] = {std::exp(v),
                         std::log(std::fabs(v) + 1),
                         std::sqrt(std::fabs(v)),
                         1 / (v * v + 1),
                         std::tanh(v),
                         std::sin(v),
                         1 / std::sqrt(std::fabs(v) + 0.5),
                         std::pow(std::fabs(v), 0.75)};
    for (int j = 0; j < 8; ++j)
      ASSERT_NEAR(result[i * 8 + j], expected[j],
                  1e-6 * std::max(1.0, std::fabs(expected[j])))
          << "function " << j << " of " << v;
  }
}

TEST_F(ProgramsTest, MessagesAssertionsAndConstants) {
  loadFile("messages.ptx");
  uint64_t out = output<float>(8);
  int limit = 8;
  run("messages", shape(2, 4), limit, out);
  EXPECT_EQ(download<float>(out, 8),
            (std::vector<float>{10, 20, 40, 80, 10, 20, 40, 80}));
  EXPECT_EQ(device.takeOutput(),
            "0 of block 0: 10.00, even, a,     0, 0xffffffffffffffff, 100%\n"
            "3 of block 0: 80.00, odd, d, -25769803776, 0x1fffffffffffffff, "
            "100%\n"
            "6 of block 1: 40.00, even, g, -51539607552, 0x3ffffffffffffff, "
            "100%\n");
  limit = 6;
  Status status = tryRun("messages", shape(2, 4), limit, out);
  EXPECT_NE(status.message().find("assertion"), std::string::npos)
      << status.message();
  ASSERT_EQ(device.findings().size(), 1u);
  EXPECT_EQ(device.findings()[0].kind, FindingKind::Trap);
  EXPECT_EQ(device.findings()[0].block.x, 1u);
  EXPECT_EQ(device.findings()[0].thread.x, 2u);
  EXPECT_NE(device.findings()[0].message.find("i < limit"), std::string::npos)
      << device.findings()[0].text();
  // What the host sees of the module's variables.
  Result<std::pair<uint64_t, uint64_t>> numbers = device.variable("numbers");
  ASSERT_TRUE(numbers.ok());
  EXPECT_EQ(numbers->second, 12u);
  EXPECT_EQ(download<int>(numbers->first, 3), (std::vector<int>{10, 20, 30}));
  EXPECT_FALSE(device.variable("letters").ok());
}

// What LLVM's back end writes rather than nvcc.
TEST_F(ProgramsTest, TextFromLlvm) {
  loadFile("llvm.ptx");
  std::vector<float> x(128);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i % 37) / 16 - 1;
  uint64_t in = upload(x);
  uint64_t out = output<uint32_t>(64);
  uint64_t n = 32;
  uint32_t pair = 0x40003f80; // 1 and 2 as bfloat16
  run("llvmKernel", shape(1, 32), in, out, n, pair);
  std::vector<uint32_t> result = download<uint32_t>(out, 64);
  for (int i = 0; i < 32; ++i) {
    float a = x[(i ^ 1) * 4];
    float e = static_cast<float>(std::exp2(double(a)));
    float h = fromBfloat(toBfloat(std::max(std::max(e, a), 1.0f)));
    // {h, 2} * {1, 2} + {h, 2}
    uint32_t expected = uint32_t(toBfloat(6)) << 16 | toBfloat(2 * h);
    ASSERT_EQ(result[i], expected) << i;
    float remainder = float(n % 7);
    uint32_t bits;
    std::memcpy(&bits, &remainder, sizeof bits);
    ASSERT_EQ(result[32 + i], bits) << i;
  }
}

// The same bits for every number of threads and every order of execution.
TEST_F(ProgramsTest, Deterministic) {
  const int n = 20000;
  std::vector<float> x(n);
  Numbers numbers(14);
  for (float &value : x)
    value = float(numbers.bits()) * 0x1p-32f;
  std::vector<float> results;
  for (unsigned threads : {1u, 2u, 3u}) {
    DeviceOptions options;
    options.threads = threads;
    device = Device(options);
    loadFile("basics.ptx");
    uint64_t dx = upload(x);
    uint64_t out = upload(std::vector<float>{0});
    run("reduceSum", shape(50, 96), n, dx, out);
    results.push_back(download<float>(out, 1)[0]);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(ProgramsTest, ShuffledOrderGivesTheSameSums) {
  std::vector<int> x(768, 3);
  for (uint64_t seed : {1u, 2u, 77u}) {
    DeviceOptions options;
    options.shuffleSeed = seed;
    device = Device(options);
    loadFile("basics.ptx");
    uint64_t in = upload(x);
    uint64_t out = output<int>(x.size());
    run("scan", shape(3, 256), in, out);
    EXPECT_EQ(download<int>(out, 256)[255], 768);
  }
}

TEST_F(ProgramsTest, CountersAsTableAndJson) {
  std::vector<int> x(256, 1);
  uint64_t in = upload(x);
  uint64_t out = output<int>(256);
  run("scan", shape(1, 256), in, out);
  std::string table = device.counters().table("scan");
  EXPECT_NE(table.find("bank conflicts"), std::string::npos) << table;
  std::string json = device.counters().json("scan");
  EXPECT_NE(json.find("\"kernel\": \"scan\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"warps\": 8"), std::string::npos) << json;
  EXPECT_FALSE(device.lineCounts().empty());
}

} // namespace
