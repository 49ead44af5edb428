// sm_90a programs: TMA, mbarrier, wgmma, clusters.

#include "EmulatorTestSupport.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

class HopperTest : public EmulatorTest {
protected:
  void SetUp() override { loadFile("hopper.ptx"); }

  static TensorMap map2d(uint64_t address, uint32_t elementBytes,
                         uint64_t width, uint64_t height, uint32_t boxWidth,
                         uint32_t boxHeight, Swizzle swizzle,
                         uint64_t pitch = 0) {
    TensorMapConfig config;
    config.address = address;
    config.elementBytes = elementBytes;
    config.sizes[0] = width;
    config.sizes[1] = height;
    config.strides[0] = pitch ? pitch : width * elementBytes;
    config.box[0] = boxWidth;
    config.box[1] = boxHeight;
    config.swizzle = swizzle;
    Result<TensorMap> map = encodeTensorMap(config);
    EXPECT_TRUE(map.ok()) << map.status().message();
    return *map;
  }
};

TEST_F(HopperTest, TensorCopiesWithRaggedEdges) {
  const uint64_t width = 100;
  const uint64_t height = 45;
  std::vector<float> x = Numbers(1).exacts(width * height);
  uint64_t in = upload(x);
  uint64_t out = output<float>(x.size());
  TensorMap mapIn = map2d(in, 4, width, height, 64, 32, Swizzle::None);
  TensorMap mapOut = map2d(out, 4, width, height, 64, 32, Swizzle::None);
  LaunchConfig config;
  config.grid = {2, 2, 1};
  config.block.x = 64;
  run("tmaCopy", config, mapIn, mapOut);
  std::vector<float> result = download<float>(out, x.size());
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(result[i], 2 * x[i]) << i;
}

TEST_F(HopperTest, WgmmaFromSharedMemory) {
  const int k = 192;
  Numbers numbers(2);
  std::vector<float> a = numbers.exacts(64 * k);
  std::vector<float> b = numbers.exacts(32 * k);
  uint64_t da = upload(mapAll<uint16_t>(a, toBfloat));
  uint64_t db = upload(mapAll<uint16_t>(b, toBfloat));
  uint64_t dc = output<float>(64 * 32);
  TensorMap mapA = map2d(da, 2, k, 64, 64, 64, Swizzle::Bytes128);
  TensorMap mapB = map2d(db, 2, k, 32, 64, 32, Swizzle::Bytes128);
  run("wgmmaShared", shape(1, 128), k, mapA, mapB, dc);
  std::vector<float> c = download<float>(dc, 64 * 32);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 32; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t)
        sum += a[i * k + t] * b[j * k + t];
      ASSERT_EQ(c[i * 32 + j], sum) << i << "," << j;
    }
  EXPECT_EQ(device.counters().tensorMultiplyAdds, uint64_t(64) * 32 * k);
}

TEST_F(HopperTest, WgmmaFromRegisters) {
  Numbers numbers(3);
  std::vector<float> a = numbers.exacts(64 * 16);
  std::vector<float> b = numbers.exacts(16 * 32);
  uint64_t da = upload(mapAll<uint16_t>(a, toBfloat));
  uint64_t db = upload(mapAll<uint16_t>(b, toBfloat));
  uint64_t dc = output<float>(64 * 32);
  run("wgmmaRegisters", shape(1, 128), da, db, dc);
  std::vector<float> c = download<float>(dc, 64 * 32);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 32; ++j) {
      float sum = 3;
      for (int t = 0; t < 16; ++t)
        sum += a[i * 16 + t] * b[t * 32 + j];
      ASSERT_EQ(c[i * 32 + j], sum) << i << "," << j;
    }
}

TEST_F(HopperTest, ProducerAndConsumerWarps) {
  const int chunks = 7;
  std::vector<float> x = Numbers(4).exacts(chunks * 128);
  uint64_t in = upload(x);
  uint64_t out = output<float>(x.size());
  run("bulkPipeline", shape(1, 64), chunks, in, out);
  std::vector<float> result = download<float>(out, x.size());
  for (int i = 0; i < chunks; ++i)
    for (int j = 0; j < 128; ++j)
      ASSERT_EQ(result[i * 128 + j], x[i * 128 + 127 - j]);
}

TEST_F(HopperTest, ClusterSharedMemory) {
  std::vector<int> x = {1, 20, 300, 4000, 5, 60, 700, 8000};
  uint64_t in = upload(x);
  uint64_t out = output<int>(8);
  run("clusterSum", shape(8, 32), in, out);
  std::vector<int> result = download<int>(out, 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(result[i], i < 4 ? 4321 : 8765);
}

TEST_F(HopperTest, TensorMapRules) {
  TensorMapConfig config;
  config.address = 0x1008;
  EXPECT_NE(encodeTensorMap(config).status().message().find("multiple of 16"),
            std::string::npos);
  config.address = 0x1000;
  config.sizes[0] = config.sizes[1] = 64;
  config.strides[0] = 128;
  config.box[0] = 128;
  config.swizzle = Swizzle::Bytes128;
  EXPECT_NE(encodeTensorMap(config).status().message().find("swizzle span"),
            std::string::npos);
}

} // namespace
