// The rules of single instructions: rounding, NaN, saturation, bit fields,
// conversions, carries.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

class InstructionsTest : public EmulatorTest {
protected:
  /// One thread executes `body`, which leaves a 32-bit result in %r1.
  uint32_t result(const std::string &body, DeviceOptions options = {}) {
    device = Device(options);
    load(wrapPtx(body + "\nst.global.u32 [%rd0], %r1;"));
    uint64_t out = output<uint32_t>(1);
    run("k", shape(1, 1), out, out, out, out);
    return download<uint32_t>(out, 1)[0];
  }
  /// The same with the result in %f1.
  uint32_t floatResult(const std::string &body, DeviceOptions options = {}) {
    return result(body + "\nmov.b32 %r1, %f1;", options);
  }
  static uint32_t bits(float value) {
    uint32_t result;
    std::memcpy(&result, &value, sizeof result);
    return result;
  }
  /// Sets %f2 and %f3.
  static std::string floats(uint32_t a, uint32_t b = 0) {
    return fmt::format("mov.f32 %f2, 0f{:08X};\nmov.f32 %f3, 0f{:08X};\n", a,
                       b);
  }
  static std::string words(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    return fmt::format("mov.u32 %r2, {};\nmov.u32 %r3, {};\nmov.u32 %r4, {};\n",
                       a, b, c);
  }
};

TEST_F(InstructionsTest, NanIsCanonical) {
  std::string nan = floats(0xffc12345, bits(1));
  EXPECT_EQ(floatResult(nan + "add.f32 %f1, %f2, %f3;"), 0x7fffffffu);
  EXPECT_EQ(floatResult(nan + "fma.rn.f32 %f1, %f2, %f3, %f3;"), 0x7fffffffu);
  EXPECT_EQ(floatResult(nan + "min.f32 %f1, %f2, %f3;"), bits(1));
  EXPECT_EQ(floatResult(nan + "min.NaN.f32 %f1, %f2, %f3;"), 0x7fffffffu);
  EXPECT_EQ(floatResult(floats(0x80000000, 0) + "max.f32 %f1, %f2, %f3;"), 0u);
  EXPECT_EQ(floatResult(floats(0x80000000, 0) + "min.f32 %f1, %f2, %f3;"),
            0x80000000u);
}

TEST_F(InstructionsTest, RoundingModes) {
  // 1 + 2^-25: below half a unit.
  std::string values = floats(bits(1), bits(0x1p-25f));
  EXPECT_EQ(floatResult(values + "add.rn.f32 %f1, %f2, %f3;"), bits(1));
  EXPECT_EQ(floatResult(values + "add.rp.f32 %f1, %f2, %f3;"), bits(1) + 1);
  EXPECT_EQ(floatResult(values + "sub.rz.f32 %f1, %f2, %f3;"), bits(1) - 1);
  EXPECT_EQ(floatResult(values + "sub.rm.f32 %f1, %f2, %f3;"), bits(1) - 1);
  EXPECT_EQ(floatResult(floats(bits(1), bits(3)) + "div.rz.f32 %f1, %f2, %f3;"),
            0x3eaaaaaau);
  EXPECT_EQ(floatResult(floats(bits(1), bits(3)) + "div.rn.f32 %f1, %f2, %f3;"),
            0x3eaaaaabu);
}

TEST_F(InstructionsTest, FlushAndSaturate) {
  std::string tiny = floats(0x00000400, bits(1));
  EXPECT_EQ(floatResult(tiny + "mul.ftz.f32 %f1, %f2, %f3;"), 0u);
  EXPECT_EQ(floatResult(tiny + "mul.f32 %f1, %f2, %f3;"), 0x400u);
  EXPECT_EQ(
      floatResult(floats(bits(3), bits(1)) + "add.sat.f32 %f1, %f2, %f3;"),
      bits(1));
  EXPECT_EQ(
      floatResult(floats(bits(-3), bits(1)) + "add.sat.f32 %f1, %f2, %f3;"),
      0u);
  EXPECT_EQ(result(words(0x7fffffff, 1) + "add.sat.s32 %r1, %r2, %r3;"),
            0x7fffffffu);
}

TEST_F(InstructionsTest, FusedProductIsRoundedOnce) {
  float a = 1 + 0x1p-12f;
  float c = -(1 + 0x1p-11f);
  std::string values = floats(bits(a), bits(c));
  EXPECT_EQ(floatResult(values + "fma.rn.f32 %f1, %f2, %f2, %f3;"),
            bits(0x1p-24f));
  EXPECT_EQ(floatResult(values + "mul.rn.f32 %f4, %f2, %f2;\n"
                                 "add.rn.f32 %f1, %f4, %f3;"),
            0u);
}

TEST_F(InstructionsTest, HalfFmaIsRoundedOnce) {
  // 0x3c01 * 0x3c01 = 1 + 2^-9 + 2^-20; minus 2^-11 + ... double rounding would
  // lose the last bit.
  std::string body = "mov.b16 %h1, 0x3c01;\nmov.b16 %h2, 0x9000;\n"
                     "fma.rn.f16 %h3, %h1, %h1, %h2;\ncvt.u32.u16 %r1, %h3;";
  // 1 + 2^-9 + 2^-20 - 2^-11, spacing 2^-10: just above the half, up.
  EXPECT_EQ(result(body), 0x3c02u);
  std::string tie = "mov.b16 %h1, 0x3c01;\nmov.b16 %h2, 0x3c00;\n"
                    "mov.b16 %h4, 0x1000;\n"
                    "fma.rn.f16 %h3, %h1, %h2, %h4;\ncvt.u32.u16 %r1, %h3;";
  EXPECT_EQ(result(tie), 0x3c02u);
}

TEST_F(InstructionsTest, Comparisons) {
  auto compare = [&](const std::string &op, uint32_t a, uint32_t b) {
    return result(floats(a, b) + "setp." + op +
                  ".f32 %p1, %f2, %f3;\nselp.u32 %r1, 1, 0, %p1;");
  };
  uint32_t nan = 0x7fc00000;
  EXPECT_EQ(compare("ne", nan, bits(1)), 0u);
  EXPECT_EQ(compare("neu", nan, bits(1)), 1u);
  EXPECT_EQ(compare("ltu", nan, bits(1)), 1u);
  EXPECT_EQ(compare("num", nan, bits(1)), 0u);
  EXPECT_EQ(compare("nan", nan, bits(1)), 1u);
  EXPECT_EQ(compare("eq", 0x80000000, 0), 1u);
  EXPECT_EQ(result(words(0xffffffff, 1) +
                   "setp.lt.s32 %p1|%p2, %r2, %r3;\n"
                   "selp.u32 %r5, 1, 0, %p1;\nselp.u32 %r6, 2, 0, %p2;\n"
                   "or.b32 %r1, %r5, %r6;"),
            1u);
  EXPECT_EQ(result(words(1, 2) + "set.gt.u32.u32 %r1, %r3, %r2;"), 0xffffffffu);
}

TEST_F(InstructionsTest, IntegerProducts) {
  EXPECT_EQ(result(words(0x80000000, 3) + "mul.hi.s32 %r1, %r2, %r3;"),
            0xfffffffeu);
  EXPECT_EQ(result(words(0x80000000, 3) + "mul.hi.u32 %r1, %r2, %r3;"), 1u);
  EXPECT_EQ(result(words(0xffffffff, 5) +
                   "mul.wide.s32 %rd4, %r2, %r3;\nshr.u64 %rd5, %rd4, 32;\n"
                   "cvt.u32.u64 %r1, %rd5;"),
            0xffffffffu);
  EXPECT_EQ(result(words(7, 0) + "div.s32 %r1, %r2, %r3;"), 0xffffffffu);
  EXPECT_EQ(result(words(0x80000000, 0xffffffff) + "div.s32 %r1, %r2, %r3;"),
            0x80000000u);
  EXPECT_EQ(result(words(0xffffff9, 0xffffffe) + "mul24.lo.u32 %r1, %r2, %r3;"),
            uint32_t(uint64_t(0xfffff9) * 0xfffffe));
}

TEST_F(InstructionsTest, CarryChain) {
  // 0x1_ffffffff + 0x0_00000001 in two words.
  EXPECT_EQ(result(words(0xffffffff, 1, 1) +
                   "add.cc.u32 %r5, %r2, %r3;\naddc.u32 %r1, %r4, 0;"),
            2u);
  EXPECT_EQ(result(words(0, 1, 5) +
                   "sub.cc.u32 %r5, %r2, %r3;\nsubc.u32 %r1, %r4, 0;"),
            4u);
  EXPECT_EQ(result(words(0x80000000, 2, 7) + "mad.lo.cc.u32 %r5, %r2, %r3, 0;\n"
                                             "madc.hi.u32 %r1, %r2, %r3, %r4;"),
            8u);
}

TEST_F(InstructionsTest, BitFields) {
  EXPECT_EQ(result(words(0xabcd1234, 8, 8) + "bfe.u32 %r1, %r2, %r3, %r4;"),
            0x12u);
  EXPECT_EQ(result(words(0x00008000, 12, 4) + "bfe.s32 %r1, %r2, %r3, %r4;"),
            0xfffffff8u);
  EXPECT_EQ(
      result(words(0xff, 0x12345678, 8) + "bfi.b32 %r1, %r2, %r3, %r4, 8;"),
      0x1234ff78u);
  EXPECT_EQ(result(words(0x00f0) + "bfind.u32 %r1, %r2;"), 7u);
  EXPECT_EQ(result(words(0) + "bfind.u32 %r1, %r2;"), 0xffffffffu);
  EXPECT_EQ(result(words(1) + "brev.b32 %r1, %r2;"), 0x80000000u);
  EXPECT_EQ(result(words(0x33221100, 0x77665544, 0x7650) +
                   "prmt.b32 %r1, %r2, %r3, %r4;"),
            0x77665500u);
  EXPECT_EQ(
      result(words(0x80000000, 0, 0x8) + "prmt.b32 %r1, %r2, %r3, 0xb000;"),
      0xff000000u);
  EXPECT_EQ(result(words(0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa) +
                   "lop3.b32 %r1, %r2, %r3, %r4, 0x96;"),
            0xf0f0f0f0u ^ 0xccccccccu ^ 0xaaaaaaaau);
  EXPECT_EQ(result(words(1) + "shl.b32 %r1, %r2, 32;"), 0u);
  EXPECT_EQ(result(words(0x80000000) + "shr.s32 %r1, %r2, 40;"), 0xffffffffu);
  EXPECT_EQ(result(words(0x11111111, 0x80000000) +
                   "shf.l.wrap.b32 %r1, %r2, %r3, 36;"),
            0x1u);
  EXPECT_EQ(result(words(0x01020304, 0x01010101, 5) +
                   "dp4a.u32.u32 %r1, %r2, %r3, %r4;"),
            15u);
}

TEST_F(InstructionsTest, FloatToInteger) {
  EXPECT_EQ(result(floats(bits(-1.5f)) + "cvt.rzi.s32.f32 %r1, %f2;"),
            0xffffffffu);
  EXPECT_EQ(result(floats(bits(2.5f)) + "cvt.rni.s32.f32 %r1, %f2;"), 2u);
  EXPECT_EQ(result(floats(bits(-2.5f)) + "cvt.rmi.s32.f32 %r1, %f2;"),
            0xfffffffdu);
  EXPECT_EQ(result(floats(bits(1e20f)) + "cvt.rzi.s32.f32 %r1, %f2;"),
            0x7fffffffu);
  EXPECT_EQ(result(floats(0x7fc00000) + "cvt.rzi.s32.f32 %r1, %f2;"), 0u);
  EXPECT_EQ(result(floats(bits(-3)) + "cvt.rzi.u32.f32 %r1, %f2;"), 0u);
  EXPECT_EQ(result(floats(bits(300)) + "cvt.rzi.u8.f32 %r1, %f2;"), 255u);
  EXPECT_EQ(floatResult(floats(bits(2.5f)) + "cvt.rmi.f32.f32 %f1, %f2;"),
            bits(2));
}

TEST_F(InstructionsTest, NarrowFloats) {
  auto half = [&](const std::string &form, float value) {
    return result(floats(bits(value)) + "cvt." + form +
                  " %h1, %f2;\ncvt.u32.u16 %r1, %h1;");
  };
  EXPECT_EQ(half("rn.f16.f32", 1 + 0x1p-11f), 0x3c00u);
  EXPECT_EQ(half("rn.f16.f32", 1 + 3 * 0x1p-11f), 0x3c02u);
  EXPECT_EQ(half("rz.f16.f32", 1 + 3 * 0x1p-11f), 0x3c01u);
  EXPECT_EQ(half("rn.f16.f32", 65520), 0x7c00u);
  EXPECT_EQ(half("rn.f16.f32", 0x1p-24f), 1u);
  EXPECT_EQ(half("rn.f16.f32", 0x1p-25f), 0u);
  EXPECT_EQ(half("rn.bf16.f32", 1 + 0x1p-8f), 0x3f80u);
  EXPECT_EQ(half("rn.relu.bf16.f32", -2), 0u);
  EXPECT_EQ(
      result(floats(bits(1.5f), bits(-2)) + "cvt.rn.bf16x2.f32 %r1, %f2, %f3;"),
      0x3fc0c000u);
  EXPECT_EQ(result(floats(bits(448), bits(1000)) +
                   "cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3;\n"
                   "cvt.u32.u16 %r1, %h1;"),
            0x7e7eu);
  EXPECT_EQ(result(floats(bits(1 + 0x1p-11f)) + "cvt.rna.tf32.f32 %r1, %f2;"),
            bits(1 + 0x1p-10f));
  EXPECT_EQ(result(words(0xffffff80) + "cvt.s32.s8 %r1, %r2;"), 0xffffff80u);
  EXPECT_EQ(result(words(300) + "cvt.sat.u8.u32 %r1, %r2;"), 255u);
}

TEST_F(InstructionsTest, ApproximationsAreCorrectlyRounded) {
  Numbers numbers(1);
  for (int i = 0; i < 40; ++i) {
    float x = float(int(numbers.bits() % 20000) - 10000) / 500;
    float positive = std::fabs(x) + 0.01f;
    EXPECT_EQ(floatResult(floats(bits(x)) + "ex2.approx.f32 %f1, %f2;"),
              bits(static_cast<float>(std::exp2(double(x)))));
    EXPECT_EQ(floatResult(floats(bits(positive)) + "lg2.approx.f32 %f1, %f2;"),
              bits(static_cast<float>(std::log2(double(positive)))));
    EXPECT_EQ(
        floatResult(floats(bits(positive)) + "rsqrt.approx.f32 %f1, %f2;"),
        bits(static_cast<float>(1 / std::sqrt(double(positive)))));
  }
  EXPECT_EQ(floatResult(floats(0xff800000) + "ex2.approx.f32 %f1, %f2;"), 0u);
  EXPECT_EQ(floatResult(floats(bits(200)) + "ex2.approx.f32 %f1, %f2;"),
            0x7f800000u);
  EXPECT_EQ(floatResult(floats(bits(-140)) + "ex2.approx.ftz.f32 %f1, %f2;"),
            0u);
}

TEST_F(InstructionsTest, PerturbedApproximationsStayWithinTheirError) {
  DeviceOptions options;
  options.perturbApproximations = true;
  unsigned moved = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    options.perturbSeed = seed;
    uint32_t value =
        floatResult(floats(bits(1.3f)) + "ex2.approx.f32 %f1, %f2;", options);
    float result;
    std::memcpy(&result, &value, sizeof result);
    double exact = std::exp2(double(1.3f));
    EXPECT_LE(std::fabs(result - exact) / exact, 0x1p-22);
    moved += value != bits(static_cast<float>(exact));
  }
  EXPECT_GT(moved, 0u);
}

TEST_F(InstructionsTest, Atomics) {
  device = Device();
  load(wrapPtx("atom.global.inc.u32 %r1, [%rd0], 4;\n"
               "atom.global.max.s32 %r2, [%rd1], %r0;\n"
               "atom.global.add.f32 %f1, [%rd2], 0f3F000000;\n"
               "red.global.or.b32 [%rd3], %r0;\n"));
  uint64_t counter = upload(std::vector<uint32_t>{0});
  uint64_t most = upload(std::vector<int32_t>{-5});
  uint64_t sum = upload(std::vector<float>{1});
  uint64_t all = upload(std::vector<uint32_t>{0});
  run("k", shape(2, 32), counter, most, sum, all);
  EXPECT_EQ(download<uint32_t>(counter, 1)[0], 64u % 5);
  EXPECT_EQ(download<int32_t>(most, 1)[0], 31);
  EXPECT_EQ(download<float>(sum, 1)[0], 33.0f);
  EXPECT_EQ(download<uint32_t>(all, 1)[0], 31u);
}

} // namespace
