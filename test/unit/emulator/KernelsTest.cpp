// The kernels that the project is about, made by nvcc: attention, the softmax
// over depth, RMSNorm, a warp-specialized product. Results against plain loops
// in double, no findings; and one step taken out of each is found.

#include "EmulatorTestSupport.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

/// The text with `line` replaced wherever it stands.
std::string without(std::string ptx, const std::string &line,
                    const std::string &instead = "") {
  size_t at = ptx.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  for (; at != std::string::npos; at = ptx.find(line, at + instead.size()))
    ptx.replace(at, line.size(), instead);
  return ptx;
}
/// The text without the first `line` after `place`.
std::string withoutAfter(std::string ptx, const std::string &place,
                         const std::string &line) {
  size_t at = ptx.find(line, ptx.find(place));
  EXPECT_NE(at, std::string::npos) << line;
  return at == std::string::npos ? ptx : ptx.erase(at, line.size());
}

class KernelsTest : public EmulatorTest {
protected:
  std::vector<float> brains(uint64_t seed, size_t count) {
    Numbers numbers(seed);
    std::vector<float> values(count);
    for (float &value : values)
      value =
          fromBfloat(toBfloat(float(int(numbers.bits() % 2001) - 1000) / 500));
    return values;
  }

  void expectClean() {
    for (const Finding &finding : device.findings())
      ADD_FAILURE() << finding.text();
  }
  void expectKind(FindingKind kind) {
    bool found = false;
    for (const Finding &finding : device.findings())
      found |= finding.kind == kind;
    EXPECT_TRUE(found) << findingKindName(kind) << " expected, "
                       << (device.findings().empty()
                               ? "nothing"
                               : device.findings()[0].text())
                       << " found";
  }
};

class AttentionTest : public KernelsTest {
protected:
  static constexpr int n = 150;
  static constexpr int heads = 2;
  static constexpr int width = 64;
  static constexpr size_t count = size_t(n) * heads * width;
  // Of scores in powers of two.
  static constexpr float scale = 1.4426950408889634f / 8;

  Status launch(const std::string &ptx) {
    device = Device();
    load(ptx);
    uint64_t dq = upload(mapAll<uint16_t>(q, toBfloat));
    uint64_t dk = upload(mapAll<uint16_t>(k, toBfloat));
    uint64_t dv = upload(mapAll<uint16_t>(v, toBfloat));
    out = output<uint16_t>(count);
    LaunchConfig config;
    config.grid = {(n + 63) / 64, heads, 1};
    config.block.x = 128;
    return tryRun("flashAttention", config, n, scale, dq, dk, dv, out);
  }

  std::vector<float> q = brains(1, count);
  std::vector<float> k = brains(2, count);
  std::vector<float> v = brains(3, count);
  uint64_t out = 0;
};

TEST_F(AttentionTest, CausalAttention) {
  Status status = launch(readTestFile("attention.ptx"));
  ASSERT_TRUE(status.ok()) << status.message();
  expectClean();
  std::vector<uint16_t> result = download<uint16_t>(out, count);
  for (int head = 0; head < heads; ++head)
    for (int i = 0; i < n; ++i) {
      const size_t base = size_t(head) * n * width;
      std::vector<double> weights(i + 1);
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        double score = 0;
        for (int t = 0; t < width; ++t)
          score += double(q[base + i * width + t]) * k[base + j * width + t];
        sum += weights[j] = std::exp(score / 8);
      }
      for (int t = 0; t < width; ++t) {
        double expected = 0;
        for (int j = 0; j <= i; ++j)
          expected += weights[j] / sum * v[base + j * width + t];
        // The weights and the result are rounded to 8 bits.
        ASSERT_NEAR(fromBfloat(result[base + i * width + t]), expected, 0.012)
            << head << "," << i << "," << t;
      }
    }
  EXPECT_EQ(device.counters().bankConflicts, 0u);
  // A quad of lanes stores half a sector.
  EXPECT_DOUBLE_EQ(device.counters().coalescingEfficiency(), 0.5);
}

TEST_F(AttentionTest, WaitForTheWrongGroup) {
  EXPECT_TRUE(
      launch(without(readTestFile("attention.ptx"), "cp.async.wait_group 1;",
                     "cp.async.wait_group 2;"))
          .ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(AttentionTest, BufferFilledWhileOthersRead) {
  EXPECT_TRUE(launch(withoutAfter(readTestFile("attention.ptx"),
                                  "// the buffer is free", "bar.sync \t0;"))
                  .ok());
  expectKind(FindingKind::DataRace);
}

TEST_F(AttentionTest, NoBarrierAfterTheWait) {
  EXPECT_TRUE(launch(withoutAfter(readTestFile("attention.ptx"),
                                  "cp.async.wait_group", "bar.sync \t0;"))
                  .ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(KernelsTest, DepthSoftmax) {
  loadFile("attention.ptx");
  const int tokens = 37;
  const int sources = 9;
  const int features = 128;
  const float epsilon = 1e-5f;
  std::vector<float> h = brains(4, size_t(sources) * tokens * features);
  std::vector<float> query = Numbers(5).exacts(features);
  uint64_t dh = upload(mapAll<uint16_t>(h, toBfloat));
  uint64_t dq = upload(query);
  uint64_t out = output<uint16_t>(tokens * features);
  run("depthSoftmax", shape(10, 128), tokens, sources, epsilon, dh, dq, out);
  std::vector<uint16_t> result = download<uint16_t>(out, tokens * features);
  for (int token = 0; token < tokens; ++token) {
    std::vector<double> mixed(features);
    double sum = 0;
    for (int l = 0; l < sources; ++l) {
      const float *row = h.data() + (size_t(l) * tokens + token) * features;
      double dot = 0;
      double square = 0;
      for (int i = 0; i < features; ++i) {
        dot += double(row[i]) * query[i];
        square += double(row[i]) * row[i];
      }
      double weight = std::exp(dot / std::sqrt(square / features + epsilon));
      sum += weight;
      for (int i = 0; i < features; ++i)
        mixed[i] += weight * row[i];
    }
    for (int i = 0; i < features; ++i)
      ASSERT_NEAR(fromBfloat(result[token * features + i]), mixed[i] / sum,
                  0.002 + std::fabs(mixed[i] / sum) / 200)
          << token << "," << i;
  }
  // The warps that have no token leave; then, one source too many.
  const std::string ptx = readTestFile("attention.ptx");
  for (const std::string &faulty :
       {withoutAfter(ptx, ".entry depthSoftmax(", "@%p1 bra \t$L__BB1_6;"),
        without(ptx, "setp.lt.s32 \t%p13, %r42, %r6;",
                "setp.le.s32 \t%p13, %r42, %r6;")}) {
    device = Device();
    load(faulty);
    dh = upload(mapAll<uint16_t>(h, toBfloat));
    dq = upload(query);
    out = output<uint16_t>(tokens * features);
    EXPECT_TRUE(tryRun("depthSoftmax", shape(10, 128), tokens, sources, epsilon,
                       dh, dq, out)
                    .ok());
    expectKind(FindingKind::OutOfBounds);
  }
}

TEST_F(KernelsTest, RootMeanSquareNorm) {
  const std::string ptx = readTestFile("attention.ptx");
  load(ptx);
  const int rows = 5;
  const int features = 1236;
  const float epsilon = 1e-6f;
  std::vector<float> x = brains(6, rows * features);
  std::vector<float> gain = Numbers(7).exacts(features);
  uint64_t dx = upload(x);
  uint64_t dg = upload(gain);
  uint64_t out = output<uint16_t>(rows * features);
  run("rmsNorm", shape(rows, 160), features, epsilon, dx, dg, out);
  std::vector<uint16_t> result = download<uint16_t>(out, rows * features);
  for (int row = 0; row < rows; ++row) {
    double square = 0;
    for (int i = 0; i < features; ++i)
      square += double(x[row * features + i]) * x[row * features + i];
    double factor = 1 / std::sqrt(square / features + epsilon);
    for (int i = 0; i < features; ++i) {
      double expected = x[row * features + i] * factor * gain[i];
      ASSERT_NEAR(fromBfloat(result[row * features + i]), expected,
                  std::fabs(expected) / 250)
          << row << "," << i;
    }
  }
  // Without the first barrier, warp 0 reads sums that are not there yet.
  device = Device();
  load(withoutAfter(ptx, ".entry rmsNorm(", "bar.sync \t0;"));
  dx = upload(x);
  dg = upload(gain);
  out = output<uint16_t>(rows * features);
  EXPECT_TRUE(
      tryRun("rmsNorm", shape(rows, 160), features, epsilon, dx, dg, out).ok());
  expectKind(FindingKind::DataRace);
}

class PipelineTest : public KernelsTest {
protected:
  static constexpr int m = 150;
  static constexpr int n = 100;
  static constexpr int k = 320; // more steps than stages
  static constexpr int pitch = k;

  Status launch(const std::string &ptx, DeviceOptions options = {}) {
    device = Device(options);
    load(ptx);
    TensorMap maps[2];
    const std::vector<float> *operands[2] = {&a, &b};
    const uint32_t rows[2] = {m, n};
    const uint32_t boxes[2] = {128, 64};
    for (int i = 0; i < 2; ++i) {
      TensorMapConfig config;
      config.address = upload(mapAll<uint16_t>(*operands[i], toBfloat));
      config.sizes[0] = k;
      config.sizes[1] = rows[i];
      config.strides[0] = pitch * 2;
      config.box[0] = 64;
      config.box[1] = boxes[i];
      config.swizzle = Swizzle::Bytes128;
      maps[i] = *encodeTensorMap(config);
    }
    c = output<float>(m * n);
    LaunchConfig config;
    config.grid = {2, 2, 1};
    config.block.x = 384;
    config.dynamicSharedBytes = 3 * (128 + 64) * 64 * 2;
    return tryRun("gemm", config, m, n, k, maps[0], maps[1], c);
  }

  std::vector<float> a = Numbers(8).exacts(m * k);
  std::vector<float> b = Numbers(9).exacts(n * k);
  uint64_t c = 0;
  const std::string ptx = readTestFile("pipeline.ptx");
};

TEST_F(PipelineTest, WarpSpecializedProduct) {
  for (uint64_t seed : {0u, 1u, 2u}) {
    DeviceOptions options;
    options.shuffleSeed = seed;
    Status status = launch(ptx, options);
    ASSERT_TRUE(status.ok()) << status.message();
    expectClean();
    std::vector<float> result = download<float>(c, m * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int t = 0; t < k; ++t)
          sum += a[i * k + t] * b[j * k + t];
        ASSERT_EQ(result[i * n + j], sum) << i << "," << j;
      }
  }
  EXPECT_EQ(device.counters().tensorMultiplyAdds, uint64_t(256) * 128 * k);
}

TEST_F(PipelineTest, ConsumersThatDoNotWaitForTheTile) {
  EXPECT_TRUE(launch(without(ptx, "@!FULL bra WAIT;")).ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(PipelineTest, ProducerThatDoesNotWaitForTheStage) {
  EXPECT_TRUE(launch(without(ptx, "@!EMPTY bra WAIT;")).ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(PipelineTest, StageGivenBackBeforeTheProductIsDone) {
  EXPECT_TRUE(launch(without(ptx, "wgmma.wait_group.sync.aligned 1;",
                             "wgmma.wait_group.sync.aligned 2;"))
                  .ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(PipelineTest, AccumulatorsReadBeforeTheWait) {
  EXPECT_TRUE(launch(without(ptx, "wgmma.wait_group.sync.aligned 0;")).ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(PipelineTest, ProductWithoutFence) {
  EXPECT_TRUE(launch(without(ptx, "wgmma.fence.sync.aligned;")).ok());
  expectKind(FindingKind::MissingWait);
}

TEST_F(PipelineTest, BytesThatNobodyExpects) {
  Status status =
      launch(without(ptx, "mbarrier.arrive.expect_tx", "mbarrier.arrive"));
  EXPECT_FALSE(status.ok() && device.findings().empty());
}

} // namespace
