// The lane loops give the same bits at every instruction-set level of the host,
// on random and on awkward operands.

#include "EmulatorTestSupport.h"

#include "runtime/emulator/lane/LaneOps.h"

using namespace attnres::emulator;

namespace {

constexpr size_t laneBytes = 8 * kWarpSize;

struct alignas(64) Register {
  uint8_t bytes[laneBytes];
};

// Numbers of all formats in which rounding, signs, NaN and overflow matter.
constexpr uint64_t awkward[] = {
    0,
    1,
    0x8000000000000000,
    0x8000000080008000,
    ~uint64_t(0),
    0x7fffffffffffffff,
    0x3ff0000000000000,
    0x3c003c003c003c00,
    0x3f803f803f803f80,
    0x3f800000bf800000,
    0x7f8000007f800000,
    0xff800001ff800001,
    0x7f7fffff00800000,
    0x00000001807fffff,
    0x7c007e00fc00fe01,
    0x7f807fc0ff80ffc1,
    0x7ff0000000000000,
    0xfff8000000000001,
    0x7fefffffffffffff,
    0x000fffffffffffff,
    0x4f0000004effffff,
    0xcf000000df000000,
    0x43e0000000000000,
    0x41efffffffe00000,
    0x0000002000000020,
    0x4b8000014b000001,
};

Register draw(Numbers &numbers) {
  Register result;
  for (size_t i = 0; i < kWarpSize; ++i) {
    uint64_t value = uint64_t(numbers.bits()) << 32 | numbers.bits();
    if (numbers.bits() % 3 == 0)
      value = awkward[numbers.bits() % std::size(awkward)];
    std::memcpy(result.bytes + 8 * i, &value, sizeof value);
  }
  return result;
}

std::vector<uint16_t> flagSets() {
  return {0,
          kFtz,
          kSat,
          kFtz | kSat,
          kRelu,
          kNanResult,
          kXorSignAbs,
          kFtz | kNanResult,
          kCarryIn,
          kCarryOut,
          kCarryIn | kCarryOut,
          kClamp,
          kDirected,
          kDirected | kFtz,
          kDirected | kFtz | kSat,
          kApprox,
          kApprox | kFtz,
          kApprox | kPerturb,
          kApprox | kRelu};
}

TEST(LaneLevelsTest, AllLevelsAgree) {
  const std::vector<const LaneTable *> &tables = laneTables();
  if (tables.size() == 1)
    GTEST_SKIP() << "the host has one level";
  Numbers numbers(1);
  unsigned compared = 0;
  unsigned disagreements = 0;
  auto compare = [&](const LaneKey &key) {
    LaneFn first = tables[0]->find(key);
    for (const LaneTable *table : tables)
      ASSERT_EQ(table->find(key) != nullptr, first != nullptr);
    if (!first)
      return;
    for (uint32_t round = 0; round < 8; ++round) {
      Register a = draw(numbers);
      Register b = draw(numbers);
      Register c = draw(numbers);
      Register e = draw(numbers);
      LaneArgs args;
      args.a = a.bytes;
      args.b = b.bytes;
      args.c = c.bytes;
      args.e = e.bytes;
      args.imm = round % 4;
      // Conversions: saturation, relu, flushing, finite, to whole numbers.
      if (key.op == LaneOp::Cvt)
        args.imm = numbers.bits() % 5 | (numbers.bits() % 32) << 4;
      auto width = [](Type type) {
        return static_cast<uint8_t>(std::max(2u, typeBytes(type)));
      };
      args.sourceBytes = width(key.op == LaneOp::Cvt ? key.source : key.type);
      args.destBytes = width(key.type);
      Register expected;
      for (size_t i = 0; i < tables.size(); ++i) {
        Register d;
        std::memset(d.bytes, 0xab, laneBytes);
        uint32_t second = 0xabababab;
        args.d = d.bytes;
        args.d2 = &second;
        tables[i]->find(key)(args);
        if (i == 0) {
          expected = d;
          continue;
        }
        ++compared;
        if (std::memcmp(d.bytes, expected.bytes, laneBytes) == 0)
          continue;
        if (++disagreements > 10)
          return;
        size_t at = 0;
        while (d.bytes[at] == expected.bytes[at])
          ++at;
        size_t lane = at / width(key.type);
        uint64_t values[4] = {};
        std::memcpy(&values[0], a.bytes + lane * args.sourceBytes,
                    args.sourceBytes);
        std::memcpy(&values[1], b.bytes + lane * args.sourceBytes,
                    args.sourceBytes);
        ADD_FAILURE() << fmt::format(
            "{} and {} disagree on operation {} of {} from {}, flags {:#x}, "
            "imm {:#x}, lane {}: {:#x}, {:#x}",
            tables[0]->name, tables[i]->name, static_cast<unsigned>(key.op),
            typeName(key.type), typeName(key.source), key.flags, args.imm, lane,
            values[0], values[1]);
      }
    }
  };
  for (unsigned op = 1; op <= static_cast<unsigned>(LaneOp::CvtPack); ++op)
    for (unsigned type = 0; type <= static_cast<unsigned>(Type::E5M2x2); ++type)
      for (uint16_t flags : flagSets()) {
        LaneKey key{static_cast<LaneOp>(op), static_cast<Type>(type),
                    Type::None, flags};
        bool twoTypes = key.op == LaneOp::Cvt || key.op == LaneOp::Slct ||
                        key.op == LaneOp::Dp4a || key.op == LaneOp::Dp2a;
        unsigned last = twoTypes ? static_cast<unsigned>(Type::E5M2x2) : 0u;
        for (unsigned source = twoTypes ? 1 : 0; source <= last; ++source) {
          key.source = static_cast<Type>(source);
          compare(key);
        }
      }
  EXPECT_GT(compared, 10000u);
}

TEST(LaneLevelsTest, MatrixProductsAgree) {
  const std::vector<const LaneTable *> &tables = laneTables();
  if (tables.size() == 1)
    GTEST_SKIP() << "the host has one level";
  Numbers numbers(2);
  auto fill = [&](float *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
      values[i] = std::ldexp(float(int32_t(numbers.bits())),
                             int(numbers.bits() % 12) - 36);
  };
  alignas(64) float a[16 * 32];
  alignas(64) float b[32 * 16];
  alignas(64) float c[16 * 16];
  fill(a, std::size(a));
  fill(b, std::size(b));
  fill(c, std::size(c));
  for (unsigned k : {4u, 8u, 16u, 32u}) {
    std::vector<float> narrow;
    std::vector<float> wide;
    for (const LaneTable *table : tables) {
      std::vector<float> d(c, c + 16 * 8);
      table->mma16x8(d.data(), a, b, k);
      std::vector<float> e(c, c + 16 * 16);
      table->mmaWide(e.data(), a, b, 16, 16, k);
      if (narrow.empty()) {
        narrow = d;
        wide = e;
      }
      EXPECT_EQ(std::memcmp(d.data(), narrow.data(), d.size() * 4), 0)
          << table->name << " k " << k;
      EXPECT_EQ(std::memcmp(e.data(), wide.data(), e.size() * 4), 0)
          << table->name << " k " << k;
    }
  }
}

} // namespace
