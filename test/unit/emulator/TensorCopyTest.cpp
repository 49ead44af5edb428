// cp.async.bulk.tensor: ranks, element sizes, swizzles, edges, reductions; and
// the plain bulk copies.

#include "EmulatorTestSupport.h"

using namespace attnres;
using namespace attnres::emulator;

namespace {

class TensorCopyTest : public EmulatorTest {
protected:
  /// A kernel with the tensor map as parameter `map`, buffers in %rd0 and %rd1,
  /// five coordinates in %r1 to %r5, run by one thread around 64 KiB of shared
  /// memory at %r10 and an mbarrier at %r11.
  static std::string kernel(const std::string &body) {
    return ".version 8.7\n.target sm_90a\n.address_size 64\n"
           ".extern .shared .align 1024 .b8 tile[];\n"
           ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 p0, "
           ".param .u64 p1, .param .u32 c0, .param .u32 c1, .param .u32 c2, "
           ".param .u32 c3, .param .u32 c4)\n{\n.reg .pred %p<4>;\n.reg .b32 "
           "%r<32>;\n"
           ".reg .b64 %rd<32>;\n.shared .align 8 .b64 bar;\n"
           "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n"
           "ld.param.u32 %r1, [c0];\nld.param.u32 %r2, [c1];\n"
           "ld.param.u32 %r3, [c2];\nld.param.u32 %r4, [c3];\n"
           "ld.param.u32 %r5, [c4];\n"
           "mov.b64 %rd2, map;\ncvta.param.u64 %rd3, %rd2;\n"
           "mov.u32 %r10, tile;\nmov.u32 %r11, bar;\n"
           "mbarrier.init.shared.b64 [%r11], 1;\n"
           "fence.mbarrier_init.release.cluster;\n" +
           body + "\nret;\n}\n";
  }
  static std::string wait(unsigned bytes, const std::string &copy) {
    return fmt::format("mbarrier.arrive.expect_tx.shared.b64 %rd10, [%r11], {};"
                       "\n{}\nWAIT:\nmbarrier.try_wait.shared.b64 %p1, [%r11], "
                       "%rd10;\n@!%p1 bra WAIT;\n",
                       bytes, copy);
  }
  /// Shared memory from %r10 to %rd1, 4 bytes at a time.
  static std::string dump(unsigned bytes) {
    return fmt::format("mov.u32 %r20, 0;\nDUMP:\nadd.u32 %r21, %r10, %r20;\n"
                       "ld.shared.u32 %r22, [%r21];\ncvt.u64.u32 %rd20, %r20;\n"
                       "add.u64 %rd21, %rd1, %rd20;\n"
                       "st.global.u32 [%rd21], %r22;\nadd.u32 %r20, %r20, 4;\n"
                       "setp.lt.u32 %p2, %r20, {};\n@%p2 bra DUMP;\n",
                       bytes);
  }
  /// From %rd0 to shared memory at %r10, for an asynchronous read.
  static std::string fill(unsigned bytes) {
    return fmt::format("mov.u32 %r20, 0;\nFILL:\nadd.u32 %r21, %r10, %r20;\n"
                       "cvt.u64.u32 %rd20, %r20;\nadd.u64 %rd21, %rd0, %rd20;\n"
                       "ld.global.u32 %r22, [%rd21];\n"
                       "st.shared.u32 [%r21], %r22;\nadd.u32 %r20, %r20, 4;\n"
                       "setp.lt.u32 %p2, %r20, {};\n@%p2 bra FILL;\n"
                       "fence.proxy.async.shared::cta;\n",
                       bytes);
  }
  static uint32_t swizzledPlace(uint32_t place, Swizzle swizzle) {
    // 16-byte chunks are permuted by bits 7 and up.
    static const uint32_t masks[] = {0, 1, 3, 7};
    return place ^ ((place >> 7) & masks[static_cast<uint32_t>(swizzle)]) << 4;
  }
};

TEST_F(TensorCopyTest, RanksSizesSwizzlesAndEdges) {
  Numbers numbers(1);
  const uint32_t elementSizes[] = {1, 2, 4, 8};
  for (uint32_t rank = 1; rank <= 5; ++rank)
    for (uint32_t elementBytes : elementSizes)
      for (uint32_t mode = 0; mode < 4; ++mode) {
        TensorMapConfig config;
        config.rank = rank;
        config.elementBytes = elementBytes;
        config.swizzle = static_cast<Swizzle>(mode);
        config.nanFill = elementBytes >= 2 && mode == 1;
        const uint32_t rowBytes[] = {48, 32, 64, 128};
        config.box[0] = rowBytes[mode] / elementBytes;
        config.sizes[0] = config.box[0] + config.box[0] / 2 + 1;
        uint64_t pitch = (config.sizes[0] * elementBytes + 31) / 16 * 16;
        uint64_t bytes = pitch;
        uint32_t boxBytes = rowBytes[mode];
        for (uint32_t i = 1; i < rank; ++i) {
          config.sizes[i] = 7 - i;
          config.box[i] = 3 + i % 2;
          config.strides[i - 1] = bytes;
          bytes *= config.sizes[i];
          boxBytes *= config.box[i];
        }
        std::vector<uint8_t> tensor(bytes);
        for (uint8_t &byte : tensor)
          byte = static_cast<uint8_t>(numbers.bits());
        device = Device();
        std::string list = "%r1";
        for (uint32_t i = 1; i < rank; ++i)
          list += fmt::format(", %r{}", i + 1);
        load(kernel(
            wait(boxBytes,
                 fmt::format("cp.async.bulk.tensor.{}d.shared::cluster.global."
                             "tile.mbarrier::complete_tx::bytes [%r10], [%rd3, "
                             "{{{}}}], [%r11];",
                             rank, list)) +
            dump(boxBytes)));
        config.address = upload(tensor);
        Result<TensorMap> map = encodeTensorMap(config);
        ASSERT_TRUE(map.ok()) << map.status().message();
        // From before the beginning, inside, and across the end.
        for (int place : {-2, 1, 4}) {
          int32_t coordinates[5];
          std::fill_n(coordinates, 5, place);
          uint64_t out = output<uint8_t>(boxBytes);
          LaunchConfig launch;
          launch.dynamicSharedBytes = 65536;
          run("k", launch, *map, config.address, out, coordinates[0],
              coordinates[1], coordinates[2], coordinates[3], coordinates[4]);
          std::vector<uint8_t> got = download<uint8_t>(out, boxBytes);
          for (uint32_t at = 0; at < boxBytes; ++at) {
            uint32_t element = at / elementBytes;
            uint64_t from = 0;
            bool inside = true;
            for (uint32_t i = 0; i < rank; ++i) {
              int64_t index = coordinates[i] + int64_t(element % config.box[i]);
              element /= config.box[i];
              inside &= index >= 0 && uint64_t(index) < config.sizes[i];
              from += uint64_t(index) *
                      (i == 0 ? elementBytes : config.strides[i - 1]);
            }
            bool last = (at + 1) % elementBytes == 0;
            uint8_t expected = inside ? tensor[from + at % elementBytes]
                               : config.nanFill ? last ? 0x7f : 0xff
                                                : 0;
            ASSERT_EQ(got[swizzledPlace(at, config.swizzle)], expected)
                << rank << "d, " << elementBytes << " bytes, swizzle " << mode
                << ", from " << place << ", byte " << at;
          }
        }
      }
}

// What lies outside of the tensor is not written, before the beginning and
// across the end of every dimension.
TEST_F(TensorCopyTest, StoresOfAllRanks) {
  Numbers numbers(2);
  for (uint32_t rank = 1; rank <= 5; ++rank)
    for (Swizzle swizzle : {Swizzle::None, Swizzle::Bytes64}) {
      const uint32_t elementBytes = 4;
      TensorMapConfig config;
      config.rank = rank;
      config.elementBytes = elementBytes;
      config.swizzle = swizzle;
      config.box[0] = 16;
      config.sizes[0] = 21;
      uint64_t bytes = 96;
      uint32_t boxBytes = 64;
      for (uint32_t i = 1; i < rank; ++i) {
        config.sizes[i] = 2 + i;
        config.box[i] = 2 + (i + 1) % 3;
        config.strides[i - 1] = bytes;
        bytes *= config.sizes[i];
        boxBytes *= config.box[i];
      }
      std::vector<uint8_t> values(boxBytes);
      for (uint8_t &byte : values)
        byte = static_cast<uint8_t>(numbers.bits());
      std::string list = "%r1";
      for (uint32_t i = 1; i < rank; ++i)
        list += fmt::format(", %r{}", i + 1);
      for (int place : {-3, -1, 0, 1, 2}) {
        SCOPED_TRACE(fmt::format("{}d, swizzle {}, from {}", rank,
                                 static_cast<int>(swizzle), place));
        device = Device();
        load(kernel(
            fill(boxBytes) +
            fmt::format("cp.async.bulk.tensor.{}d.global.shared::cta.tile."
                        "bulk_group [%rd3, {{{}}}], [%r10];\n"
                        "cp.async.bulk.commit_group;\n"
                        "cp.async.bulk.wait_group 0;",
                        rank, list)));
        config.address = output<uint8_t>(bytes);
        std::vector<uint8_t> expected =
            download<uint8_t>(config.address, bytes);
        Result<TensorMap> map = encodeTensorMap(config);
        ASSERT_TRUE(map.ok()) << map.status().message();
        // Dimension 0 begins elsewhere, at whole elements.
        int32_t coordinates[5] = {place * 3, place, place, place, place};
        LaunchConfig launch;
        launch.dynamicSharedBytes = 65536;
        run("k", launch, *map, upload(values), uint64_t(0), coordinates[0],
            coordinates[1], coordinates[2], coordinates[3], coordinates[4]);
        for (uint32_t at = 0; at < boxBytes; ++at) {
          uint32_t element = at / elementBytes;
          uint64_t to = at % elementBytes;
          bool inside = true;
          for (uint32_t i = 0; i < rank; ++i) {
            int64_t index = coordinates[i] + int64_t(element % config.box[i]);
            element /= config.box[i];
            inside &= index >= 0 && uint64_t(index) < config.sizes[i];
            to += uint64_t(index) *
                  (i == 0 ? elementBytes : config.strides[i - 1]);
          }
          if (inside)
            expected[to] =
                values[swizzle == Swizzle::None ? at
                                                : swizzledPlace(at, swizzle)];
        }
        ASSERT_EQ(download<uint8_t>(config.address, bytes), expected);
      }
    }
}

TEST_F(TensorCopyTest, StoresAndReductions) {
  struct Case {
    const char *reduction; // empty: a store
    Type type;
    uint32_t bytes;
    uint64_t old, value, expected;
  };
  const Case cases[] = {
      {"", Type::None, 4, 7, 9, 9},
      {"add", Type::F32, 4, 0x3f800000, 0x40000000, 0x40400000},
      {"add", Type::S32, 4, 7, 0xfffffff0, 0xfffffff7},
      {"min", Type::S32, 4, 7, 0xfffffff0, 0xfffffff0},
      {"max", Type::U32, 4, 7, 0xfffffff0, 0xfffffff0},
      {"xor", Type::B32, 4, 5, 6, 3},
      {"inc", Type::U32, 4, 5, 6, 6},
      {"add", Type::F16, 2, 0x3c00, 0x4000, 0x4200},
      {"add", Type::BF16, 2, 0x3f80, 0x4000, 0x4040},
      {"min", Type::BF16, 2, 0x3f80, 0xc000, 0xc000},
      {"add", Type::U64, 8, ~uint64_t(0), 3, 2},
      {"add", Type::F64, 8, 0x3ff0000000000000, 0x4000000000000000,
       0x4008000000000000}};
  for (const Case &each : cases)
    for (Swizzle swizzle : {Swizzle::None, Swizzle::Bytes32}) {
      SCOPED_TRACE(fmt::format("{} {}", each.reduction, typeName(each.type)));
      bool reduces = *each.reduction != 0;
      device = Device();
      std::string fill;
      for (uint32_t at = 0; at < 4 * 32; at += 4) {
        uint32_t word = static_cast<uint32_t>(
            each.bytes == 2 ? each.value | each.value << 16
                            : each.value >> (at % each.bytes * 8));
        fill += fmt::format("st.shared.u32 [%r10+{}], {};\n", at, word);
      }
      load(kernel(
          fill + "fence.proxy.async.shared::cta;\n" +
          fmt::format("cp{0}.async.bulk.tensor.2d.global.shared::cta{1}{2}."
                      "tile.bulk_group [%rd3, {{%r1, %r2}}], [%r10];\n"
                      "cp.async.bulk.commit_group;\n"
                      "cp.async.bulk.wait_group.read 0;\n"
                      "cp.async.bulk.wait_group 0;",
                      reduces ? ".reduce" : "", reduces ? "." : "",
                      each.reduction)));
      // 5 rows of which the box, 4 rows from row 3 on, meets two.
      uint32_t columns = 32 / each.bytes;
      std::vector<uint8_t> tensor(5 * 32);
      for (size_t at = 0; at < tensor.size(); at += each.bytes)
        std::memcpy(tensor.data() + at, &each.old, each.bytes);
      TensorMapConfig config;
      config.address = upload(tensor);
      config.elementBytes = each.bytes;
      config.elementType = each.type;
      config.swizzle = swizzle;
      config.sizes[0] = columns;
      config.sizes[1] = 5;
      config.strides[0] = 32;
      config.box[0] = columns;
      config.box[1] = 4;
      Result<TensorMap> map = encodeTensorMap(config);
      ASSERT_TRUE(map.ok()) << map.status().message();
      LaunchConfig launch;
      launch.dynamicSharedBytes = 4096;
      int32_t row = 3;
      int32_t zero = 0;
      uint64_t none = 0;
      run("k", launch, *map, none, none, zero, row, zero, zero, zero);
      std::vector<uint8_t> got =
          download<uint8_t>(config.address, tensor.size());
      for (size_t at = 0; at < got.size(); at += each.bytes) {
        uint64_t value = 0;
        std::memcpy(&value, got.data() + at, each.bytes);
        ASSERT_EQ(value, at < 3 * 32 ? each.old : each.expected) << at;
      }
    }
}

// A kernel changes a copy of the map: another tensor, of six elements, with NaN
// behind it.
TEST_F(TensorCopyTest, ReplacedFields) {
  std::string copy = "add.u32 %r12, %r10, 32768;\nadd.u64 %rd5, %rd1, 1024;\n";
  for (unsigned at = 0; at < 128; at += 8)
    copy += fmt::format("ld.param.b64 %rd4, [map+{0}];\n"
                        "st.shared.b64 [%r12+{0}], %rd4;\n",
                        at);
  const std::string replace =
      "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r12], "
      "%rd0;\n"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r12], 0, 6;\n"
      "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r12], 1;\n";
  const std::string use =
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
      "gpu.sync.aligned [%rd5], [%r12], 128;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128;\n" +
      wait(32, "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%r10], [%rd5, {%r1}], [%r11];") +
      dump(32);
  load(kernel(copy + replace + use));
  TensorMapConfig config;
  config.rank = 1;
  config.elementBytes = 4;
  config.sizes[0] = config.box[0] = 8;
  config.address = upload(std::vector<uint32_t>(8, 1));
  Result<TensorMap> map = encodeTensorMap(config);
  ASSERT_TRUE(map.ok()) << map.status().message();
  uint64_t other =
      upload(std::vector<uint32_t>{10, 11, 12, 13, 14, 15, 16, 17});
  uint64_t out = output<uint8_t>(2048);
  LaunchConfig launch;
  launch.dynamicSharedBytes = 65536;
  int32_t zero = 0;
  run("k", launch, *map, other, out, zero, zero, zero, zero, zero);
  const std::vector<uint32_t> expected = {10, 11, 12,         13,
                                          14, 15, 0x7fffffff, 0x7fffffff};
  EXPECT_EQ(download<uint32_t>(out, 8), expected);
  // A box that no map has.
  device = Device();
  load(kernel(copy + "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 "
                     "[%r12], 0, 257;\n"));
  out = output<uint8_t>(2048);
  EXPECT_TRUE(
      tryRun("k", launch, *map, out, out, zero, zero, zero, zero, zero).ok());
  ASSERT_EQ(device.findings().size(), 1u);
  EXPECT_EQ(device.findings()[0].kind, FindingKind::InvalidOperation);
}

TEST_F(TensorCopyTest, MistakesAreFound) {
  const std::string copy =
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes [%r10], [%rd3, {%r1, %r2}], [%r11];\n";
  TensorMapConfig config;
  config.elementBytes = 4;
  config.sizes[0] = config.sizes[1] = 64;
  config.strides[0] = 256;
  config.box[0] = config.box[1] = 16;
  // Any one of the findings, all of them in one text.
  auto find = [&](const std::string &text, TensorMap map,
                  uint32_t shared = 4096) {
    device = Device();
    load(kernel(text));
    LaunchConfig launch;
    launch.dynamicSharedBytes = shared;
    uint64_t tensor = *device.allocate(64 * 256);
    EXPECT_TRUE(device.fill(tensor, 1, 64 * 256).ok());
    if (map.address == 0)
      map.address = tensor;
    uint64_t none = 0;
    int32_t zero = 0;
    EXPECT_TRUE(
        tryRun("k", launch, map, none, none, zero, zero, zero, zero, zero)
            .ok());
    std::string all;
    for (const Finding &finding : device.findings())
      all += finding.text() + "; ";
    return all;
  };
  TensorMap map = *encodeTensorMap(config);
  TensorMap elsewhere = map;
  elsewhere.address = uint64_t(1) << 36;
  EXPECT_NE(find(copy, elsewhere).find("out of bounds"), std::string::npos);
  EXPECT_NE(find(copy, TensorMap()).find("no tensor map"), std::string::npos);
  TensorMap broken = map;
  broken.box[1] = 0;
  EXPECT_NE(find(copy, broken).find("no tensor map"), std::string::npos);
  EXPECT_NE(find("add.u32 %r10, %r10, 16;\n" + copy, map).find("misaligned"),
            std::string::npos);
  TensorMap large = map;
  large.box[1] = 64;
  EXPECT_NE(find(copy, large, 512).find("a tile of 4096 bytes"),
            std::string::npos);
  EXPECT_NE(find("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
                 "complete_tx::bytes [%r10], [%rd3, {%r1, %r2, %r3}], [%r11];",
                 map)
                .find("rank 2 used with 3"),
            std::string::npos);
  EXPECT_NE(find("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add."
                 "bulk_group [%rd3, {%r1, %r2}], [%r10];",
                 map)
                .find("elements of type none"),
            std::string::npos);
}

TEST_F(TensorCopyTest, PlainBulkCopies) {
  load(kernel(
      wait(512, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                "bytes [%r10], [%rd0], 512, [%r11];") +
      "add.u32 %r12, %r10, 1024;\n"
      "fence.proxy.async;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %rd11, [%r11], 256;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
      "[%r12], [%r10], 256, [%r11];\nAGAIN:\n"
      "mbarrier.test_wait.shared.b64 %p1, [%r11], %rd11;\n@!%p1 bra AGAIN;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r12], 256;\n"
      "add.u64 %rd5, %rd1, 256;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd5], "
      "[%r12], 256;\ncp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group 0;\n"));
  std::vector<uint32_t> in(128);
  std::vector<uint32_t> before(128, 1000);
  for (uint32_t i = 0; i < 128; ++i)
    in[i] = i;
  uint64_t data = upload(in);
  uint64_t out = upload(before);
  LaunchConfig launch;
  launch.dynamicSharedBytes = 2048;
  int32_t zero = 0;
  run("k", launch, TensorMap(), data, out, zero, zero, zero, zero, zero);
  std::vector<uint32_t> got = download<uint32_t>(out, 128);
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i);
    EXPECT_EQ(got[64 + i], 1000 + i);
  }
  EXPECT_EQ(device.counters().asyncCopyBytes, 512u + 256 + 256 + 256);
}

} // namespace
