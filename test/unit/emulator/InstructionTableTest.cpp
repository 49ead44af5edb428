// Single instructions on chosen operands, results worked out by hand: edge
// cases of integers, rounding, flushing, saturation, NaN, conversions.

#include "RegisterKernel.h"

#include <climits>

using namespace attnres::emulator;

namespace {

uint64_t f32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
uint64_t f64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

constexpr uint64_t nan32 = 0x7fffffff; // what f32 instructions produce
constexpr uint64_t quiet32 = 0x7fc00001;
constexpr uint64_t infinity32 = 0x7f800000;
constexpr uint64_t minus32 = 0x80000000; // -0, INT_MIN
constexpr uint64_t tiny32 = 0x00000001;
constexpr uint64_t ones64 = ~uint64_t(0);

class InstructionTableTest : public RegisterKernelTest {
protected:
  /// 32-bit results of signed arithmetic are compared as bits.
  static constexpr uint64_t word(int64_t value) {
    return static_cast<uint32_t>(value);
  }
  static constexpr uint64_t half(int64_t value) {
    return static_cast<uint16_t>(value);
  }
};

TEST_F(InstructionTableTest, IntegerSumsAndProducts) {
  check("add.u32 %ro, %r0, %r1;", {{{0xffffffff, 1}, 0}, {{7, 8}, 15}});
  check("add.s16 %ho, %h0, %h1;", {{{0x7fff, 1}, 0x8000}, {{0xffff, 1}, 0}});
  check("add.u64 %do, %d0, %d1;", {{{ones64, 2}, 1}});
  check("add.sat.s32 %ro, %r0, %r1;", {{{word(INT_MIN), word(-1)}, minus32},
                                       {{INT_MAX, INT_MAX}, INT_MAX},
                                       {{5, word(-7)}, word(-2)}});
  check("sub.sat.s32 %ro, %r0, %r1;",
        {{{word(INT_MIN), 1}, minus32}, {{INT_MAX, word(-1)}, INT_MAX}});
  check("sub.u16 %ho, %h0, %h1;", {{{0, 1}, 0xffff}});
  check("add.u16x2 %ro, %r0, %r1;", {{{0xffff0001, 0x00010002}, 3}});
  check("mul.lo.s32 %ro, %r0, %r1;", {{{0x10001, 0x10001}, 0x20001}});
  check("mul.hi.u16 %ho, %h0, %h1;", {{{0xffff, 0xffff}, 0xfffe}});
  check("mul.hi.s16 %ho, %h0, %h1;", {{{0xffff, 0xffff}, 0}});
  check("mul.wide.u16 %ro, %h0, %h1;", {{{0xffff, 0xffff}, 0xfffe0001}});
  check("mul.wide.s16 %ro, %h0, %h1;", {{{0x8000, 2}, 0xffff0000}});
  check("mul.wide.u32 %do, %r0, %r1;",
        {{{0xffffffff, 0xffffffff}, 0xfffffffe00000001}});
  check("mul.hi.u64 %do, %d0, %d1;", {{{ones64, ones64}, ones64 - 1}});
  check("mul.hi.s64 %do, %d0, %d1;", {{{ones64, ones64}, 0}});
  check("mad.lo.u16 %ho, %h0, %h1, %h2;", {{{300, 300, 5}, half(90005)}});
  check("mad.hi.s32 %ro, %r0, %r1, %r2;", {{{word(-1), 1, 10}, 9}});
  check("mad.hi.sat.s32 %ro, %r0, %r1, %r2;",
        {{{minus32, minus32, INT_MAX}, INT_MAX},
         {{minus32, INT_MAX, word(INT_MIN)}, minus32}});
  check("mad.wide.u32 %do, %r0, %r1, %d2;",
        {{{0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff00000000}});
  check("mad.wide.s16 %ro, %h0, %h1, %r2;", {{{0xffff, 3, 1}, word(-2)}});
  // 24 bits count, whatever is above them.
  check("mul24.lo.s32 %ro, %r0, %r1;",
        {{{0xffffffff, 3}, word(-3)}, {{0x7f800000, 2}, word(-16777216)}});
  check("mul24.hi.u32 %ro, %r0, %r1;",
        {{{0xff000fff, 0x1000000}, 0}, {{0xffffff, 0xffffff}, 0xfffffe00}});
  check("mad24.lo.u32 %ro, %r0, %r1, %r2;", {{{0x1000003, 5, 100}, 115}});
  check("mad24.hi.s32 %ro, %r0, %r1, %r2;",
        {{{0x800000, 0x800000, 1}, 0x40000001}});
  check("mad24.hi.sat.s32 %ro, %r0, %r1, %r2;",
        {{{0x800000, 0x800000, INT_MAX}, INT_MAX},
         {{0x800000, 0x7fffff, minus32}, minus32}});
  check("sad.s32 %ro, %r0, %r1, %r2;",
        {{{word(-5), 7, 100}, 112}, {{minus32, INT_MAX, 1}, 0}});
  check("sad.u16 %ho, %h0, %h1, %h2;", {{{1, 0xffff, 3}, 1}});
  check("sad.u64 %do, %d0, %d1, %d2;", {{{0, ones64, 1}, 0}});
}

TEST_F(InstructionTableTest, DivisionAndSigns) {
  check("div.u32 %ro, %r0, %r1;", {{{7, 0}, 0xffffffff}, {{7, 2}, 3}});
  check("div.s32 %ro, %r0, %r1;",
        {{{minus32, word(-1)}, minus32}, {{word(-7), 2}, word(-3)}});
  check("rem.s32 %ro, %r0, %r1;",
        {{{word(-7), 2}, word(-1)}, {{minus32, word(-1)}, 0}, {{7, 0}, 7}});
  check("div.s16 %ho, %h0, %h1;", {{{0x8000, 0xffff}, 0x8000}});
  check("rem.u16 %ho, %h0, %h1;", {{{0xffff, 10}, 5}});
  check("div.u64 %do, %d0, %d1;", {{{ones64, 3}, ones64 / 3}});
  check("rem.s64 %do, %d0, %d1;",
        {{{uint64_t(1) << 63, ones64}, 0}, {{9, 0}, 9}});
  check("abs.s32 %ro, %r0;", {{{minus32}, minus32}, {{word(-3)}, 3}});
  check("abs.s16 %ho, %h0;", {{{0x8000}, 0x8000}, {{0xfffd}, 3}});
  check("neg.s64 %do, %d0;", {{{1}, ones64}, {{0}, 0}});
  check("min.s16 %ho, %h0, %h1;", {{{0xffff, 1}, 0xffff}});
  check("min.u16 %ho, %h0, %h1;", {{{0xffff, 1}, 1}});
  check("max.u64 %do, %d0, %d1;", {{{ones64, 1}, ones64}});
  check("max.s64 %do, %d0, %d1;", {{{ones64, 1}, 1}});
  check("max.relu.s32 %ro, %r0, %r1;",
        {{{word(-3), word(-9)}, 0}, {{word(-3), 4}, 4}});
  check("min.s16x2 %ro, %r0, %r1;", {{{0xffff0005, 0x00010003}, 0xffff0003}});
  check("max.u16x2 %ro, %r0, %r1;", {{{0xffff0005, 0x00010003}, 0xffff0005}});
  check("min.relu.s16x2 %ro, %r0, %r1;", {{{0xffff0005, 0x00010003}, 3}});
}

TEST_F(InstructionTableTest, ExtendedPrecision) {
  // The carry of the first instruction is what the second one adds.
  check("add.cc.u32 %rx, %r0, %r1;\naddc.cc.u32 %rx, %r0, %r2;\n"
        "addc.u32 %ro, %r3, 0;",
        {{{0xffffffff, 1, 0, 5}, 6}, {{1, 1, 0, 5}, 5}});
  check("sub.cc.u64 %dx, %d0, %d1;\nsubc.u64 %do, %d2, %d3;",
        {{{0, 1, 10, 3}, 6}, {{1, 1, 10, 3}, 7}});
  check("sub.cc.u32 %rx, %r0, %r1;\nsubc.cc.u32 %rx, 0, 0;\n"
        "subc.u32 %ro, %r2, 0;",
        {{{0, 1, 9}, 8}});
  check("mad.lo.cc.u64 %dx, %d0, %d1, %d2;\nmadc.hi.u64 %do, %d0, %d1, 0;",
        {{{ones64, ones64, ones64}, ones64}});
  check("mad.hi.cc.s32 %rx, %r0, %r1, %r2;\naddc.u32 %ro, 0, 0;",
        {{{word(-1), 1, 1}, 1}, {{word(-1), 1, 0}, 0}});
  check("mad.lo.cc.u32 %rx, %r0, %r1, %r2;\nmadc.lo.cc.u32 %rx, 0, 0, %r3;\n"
        "addc.u32 %ro, 0, 0;",
        {{{0x10000, 0x10000, 0xffffffff, 0xffffffff}, 0},
         {{1, 1, 0xffffffff, 0xffffffff}, 1}});
}

TEST_F(InstructionTableTest, ShiftsAndFields) {
  check("shl.b32 %ro, %r0, %r1;",
        {{{1, 31}, minus32}, {{1, 32}, 0}, {{1, 0xffffffff}, 0}});
  check("shr.u32 %ro, %r0, %r1;", {{{minus32, 31}, 1}, {{minus32, 32}, 0}});
  check("shr.s32 %ro, %r0, %r1;",
        {{{minus32, 31}, 0xffffffff}, {{minus32, 4000}, 0xffffffff}});
  check("shl.b16 %ho, %h0, %r1;", {{{3, 15}, 0x8000}, {{3, 16}, 0}});
  check("shr.s16 %ho, %h0, %r1;", {{{0x8000, 20}, 0xffff}});
  check("shr.u64 %do, %d0, %r1;", {{{ones64, 63}, 1}, {{ones64, 64}, 0}});
  check("shr.s64 %do, %d0, %r1;", {{{uint64_t(1) << 63, 64}, ones64}});
  check("shf.l.wrap.b32 %ro, %r0, %r1, %r2;",
        {{{minus32, 1, 1}, 3}, {{5, 9, 32}, 9}, {{minus32, 1, 33}, 3}});
  check("shf.l.clamp.b32 %ro, %r0, %r1, %r2;",
        {{{5, 9, 32}, 5}, {{5, 9, 90}, 5}});
  check("shf.r.wrap.b32 %ro, %r0, %r1, %r2;",
        {{{0, 1, 1}, minus32}, {{5, 9, 32}, 5}});
  check("shf.r.clamp.b32 %ro, %r0, %r1, %r2;", {{{5, 9, 33}, 9}});
  check("bfe.u32 %ro, %r0, %r1, %r2;", {{{0xabcd1234, 8, 8}, 0x12},
                                        {{0xabcd1234, 32, 8}, 0},
                                        {{0xabcd1234, 28, 200}, 0xa},
                                        {{0xabcd1234, 0, 0}, 0},
                                        {{0xabcd1234, 256, 32}, 0xabcd1234}});
  check("bfe.s32 %ro, %r0, %r1, %r2;", {{{0x80000000, 40, 3}, 0xffffffff},
                                        {{0x00000080, 4, 4}, word(-8)},
                                        {{0xffffffff, 5, 0}, 0},
                                        {{0x7fffffff, 30, 8}, 1}});
  check("bfe.u64 %do, %d0, %r1, %r2;", {{{ones64, 60, 10}, 15}});
  check("bfe.s64 %do, %d0, %r1, %r2;", {{{uint64_t(1) << 40, 40, 1}, ones64}});
  check("bfi.b32 %ro, %r0, %r1, %r2, %r3;",
        {{{0xff, 0, 28, 8}, 0xf0000000},
         {{0xff, 7, 32, 8}, 7},
         {{0xff, 7, 3, 0}, 7},
         {{0xdeadbeef, 0, 0, 64}, 0xdeadbeef}});
  check("bfi.b64 %do, %d0, %d1, %r2, %r3;",
        {{{0xff, ones64, 32, 4}, ones64}, {{0, ones64, 60, 9}, ones64 >> 4}});
  check("bfind.s32 %ro, %r0;",
        {{{word(-1)}, 0xffffffff}, {{word(-2)}, 0}, {{minus32}, 30}, {{1}, 0}});
  check("bfind.shiftamt.u32 %ro, %r0;", {{{1}, 31}, {{0}, 0xffffffff}});
  check("bfind.u64 %ro, %d0;", {{{uint64_t(1) << 40}, 40}});
  check("bfind.s64 %ro, %d0;", {{{ones64 << 7}, 6}});
  check("clz.b32 %ro, %r0;", {{{0}, 32}, {{1}, 31}});
  check("clz.b64 %ro, %d0;", {{{0}, 64}, {{1}, 63}});
  check("popc.b64 %ro, %d0;", {{{ones64}, 64}, {{5}, 2}});
  check("brev.b64 %do, %d0;", {{{1}, uint64_t(1) << 63}});
  check("bmsk.clamp.b32 %ro, %r0, %r1;",
        {{{4, 8}, 0xff0}, {{40, 8}, 0}, {{28, 99}, 0xf0000000}});
  check("bmsk.wrap.b32 %ro, %r0, %r1;", {{{36, 8}, 0xff0}, {{4, 32}, 0}});
  check("szext.wrap.s32 %ro, %r0, %r1;",
        {{{0x80, 8}, word(-128)}, {{0xff, 32}, 0}});
  check("szext.clamp.s32 %ro, %r0, %r1;", {{{0x80, 40}, 0x80}, {{0xff, 0}, 0}});
  check("szext.clamp.u32 %ro, %r0, %r1;", {{{0xfff, 8}, 0xff}});
  check("fns.b32 %ro, %r0, %r1, %r2;", {{{0x5a, 0, 2}, 3},
                                        {{0x5a, 3, 0}, 3},
                                        {{0x5a, 2, 0}, 0xffffffff},
                                        {{0x5a, 6, word(-2)}, 4},
                                        {{0x5a, 0, 5}, 0xffffffff}});
}

TEST_F(InstructionTableTest, BytesAndLogic) {
  const Operands bytes = {0x33221100, 0x77665544, 0, 0};
  auto permute = [&](const char *mode, uint64_t selector, uint64_t expected) {
    Operands in = bytes;
    in[2] = selector;
    check(std::string("prmt.b32") + mode + " %ro, %r0, %r1, %r2;",
          {{in, expected}});
  };
  permute("", 0x7531, 0x77553311);
  permute(".f4e", 1, 0x44332211);
  permute(".f4e", 3, 0x66554433);
  permute(".b4e", 1, 0x66770011);
  permute(".b4e", 0, 0x55667700);
  permute(".rc8", 2, 0x22222222);
  permute(".ecl", 1, 0x33221111);
  permute(".ecr", 2, 0x22221100);
  permute(".rc16", 1, 0x33223322);
  check("prmt.b32 %ro, %r0, %r1, %r2;",
        {{{0x00008000, 0, 0xffff9999}, 0xffffffff}});
  check("lop3.b32 %ro, %r0, %r1, %r2, 0xe8;",
        {{{0xff00ff00, 0xf0f0f0f0, 0xcccccccc}, 0xfcc0fcc0}});
  check("lop3.b32 %ro, %r0, %r1, %r2, 0x01;",
        {{{0xff00ff00, 0xf0f0f0f0, 0xcccccccc}, 0x00030003}});
  // The predicate says whether the result is not zero.
  check("lop3.or.b32 %rx|%po, %r0, %r1, %r2, 0x80, %p3;",
        {{{1, 2, 4, 0}, 0}, {{3, 3, 2, 0}, 1}, {{1, 2, 4, 1}, 1}});
  check("lop3.and.b32 %ro|%po, %r0, %r1, %r2, 0x80, %p3;\n"
        "selp.b32 %ro, 1, %ro, %po;",
        {{{3, 3, 2, 0}, 2}, {{3, 3, 2, 1}, 1}});
  check("and.b16 %ho, %h0, %h1;", {{{0xff0f, 0x1234}, 0x1204}});
  check("xor.b64 %do, %d0, %d1;", {{{ones64, 5}, ones64 - 5}});
  check("not.b16 %ho, %h0;", {{{5}, 0xfffa}});
  check("cnot.b32 %ro, %r0;", {{{0}, 1}, {{8}, 0}});
  check("cnot.b64 %do, %d0;", {{{uint64_t(1) << 40}, 0}});
  check("and.pred %po, %p0, !%p1;", {{{1, 0}, 1}, {{1, 1}, 0}});
  check("or.pred %po, %p0, %p1;", {{{0, 0}, 0}, {{0, 1}, 1}});
  check("xor.pred %po, %p0, %p1;", {{{1, 0}, 1}, {{1, 1}, 0}});
  check("not.pred %po, %p0;", {{{1}, 0}, {{0}, 1}});
  check("mov.pred %po, %p0;", {{{1}, 1}, {{0}, 0}});
  check("dp4a.s32.s32 %ro, %r0, %r1, %r2;",
        {{{0x80ff0102, 0x7f020304, 10}, word(-128 * 127 - 2 + 3 + 8 + 10)}});
  check("dp4a.u32.s32 %ro, %r0, %r1, %r2;",
        {{{0x80ff0102, 0xff020304, 0}, word(-128 + 510 + 3 + 8)}});
  check("dp2a.lo.u32.u32 %ro, %r0, %r1, %r2;",
        {{{0xffff0002, 0x04030201, 7}, 2 * 0xffff + 2 + 7}});
  check("dp2a.hi.s32.u32 %ro, %r0, %r1, %r2;",
        {{{0xffff0002, 0xff030201, 7}, word(-255 + 6 + 7)}});
}

TEST_F(InstructionTableTest, SinglePrecision) {
  const uint64_t half = f32(0.5f);
  const uint64_t one = f32(1);
  // NaN operands and invalid operations give the canonical NaN.
  for (const char *op : {"add", "sub", "mul"})
    check(std::string(op) + ".f32 %ro, %r0, %r1;",
          {{{0xff800001, one}, nan32}, {{one, quiet32}, nan32}});
  check("sub.f32 %ro, %r0, %r1;", {{{infinity32, infinity32}, nan32}});
  check("mul.f32 %ro, %r0, %r1;",
        {{{infinity32, 0}, nan32}, {{minus32, one}, minus32}});
  check("add.rm.f32 %ro, %r0, %r1;", {{{one, f32(-1)}, minus32}});
  check("add.rn.f32 %ro, %r0, %r1;",
        {{{one, f32(-1)}, 0}, {{minus32, minus32}, minus32}});
  // Overflow in every direction.
  const uint64_t most = 0x7f7fffff;
  check("add.rn.f32 %ro, %r0, %r1;", {{{most, most}, infinity32}});
  check("add.rz.f32 %ro, %r0, %r1;", {{{most, most}, most}});
  check("mul.rm.f32 %ro, %r0, %r1;",
        {{{most, f32(2)}, most}, {{most, f32(-2)}, 0xff800000}});
  check("mul.rp.f32 %ro, %r0, %r1;", {{{most, f32(-2)}, 0xff7fffff}});
  // Flushing keeps the sign; saturation follows it and turns NaN into 0.
  check("add.ftz.f32 %ro, %r0, %r1;", {{{0x807fffff, minus32}, minus32},
                                       {{0x00800000, 0x80000001}, 0x00800000}});
  check("mul.ftz.f32 %ro, %r0, %r1;",
        {{{0x00800000, half}, 0}, {{0x80800000, half}, minus32}});
  check("fma.rn.ftz.f32 %ro, %r0, %r1, %r2;",
        {{{tiny32, f32(0x1p100f), 0}, 0}, {{one, one, tiny32}, one}});
  check("fma.rn.sat.f32 %ro, %r0, %r1, %r2;",
        {{{f32(2), f32(3), 0}, one},
         {{f32(2), f32(-3), 0}, 0},
         {{infinity32, 0, 0}, 0},
         {{half, half, minus32}, f32(0.25f)}});
  check("add.sat.f32 %ro, %r0, %r1;",
        {{{quiet32, one}, 0}, {{infinity32, one}, one}});
  check("min.f32 %ro, %r0, %r1;", {{{quiet32, quiet32}, nan32},
                                   {{one, quiet32}, one},
                                   {{0, minus32}, minus32}});
  check("max.ftz.f32 %ro, %r0, %r1;", {{{tiny32, 0x80000005}, 0}});
  check("min.xorsign.abs.f32 %ro, %r0, %r1;",
        {{{f32(-3), f32(2)}, f32(-2)}, {{f32(-1), f32(-2)}, one}});
  check("max.NaN.xorsign.abs.f32 %ro, %r0, %r1;",
        {{{f32(-3), f32(-2)}, f32(3)}});
  check("max.NaN.f32 %ro, %r0, %r1;", {{{one, quiet32}, nan32}});
  check("abs.f32 %ro, %r0;", {{{minus32}, 0}, {{f32(-2)}, f32(2)}});
  check("abs.ftz.f32 %ro, %r0;", {{{0x80000001}, 0}});
  check("neg.f32 %ro, %r0;", {{{0}, minus32}});
  check("neg.ftz.f32 %ro, %r0;", {{{tiny32}, minus32}});
  check("copysign.f32 %ro, %r0, %r1;", {{{minus32, one}, f32(-1)}});
  check(
      "div.rn.f32 %ro, %r0, %r1;",
      {{{one, 0}, infinity32}, {{one, minus32}, 0xff800000}, {{0, 0}, nan32}});
  check("rcp.rn.f32 %ro, %r0;",
        {{{minus32}, 0xff800000}, {{f32(3)}, 0x3eaaaaab}});
  check("rcp.rz.f32 %ro, %r0;", {{{f32(3)}, 0x3eaaaaaa}});
  check("sqrt.rn.f32 %ro, %r0;",
        {{{f32(-1)}, nan32}, {{minus32}, minus32}, {{f32(2)}, 0x3fb504f3}});
  check("sqrt.rp.f32 %ro, %r0;", {{{f32(2)}, 0x3fb504f4}});
  check("sqrt.rm.ftz.f32 %ro, %r0;", {{{tiny32}, 0}, {{f32(2)}, 0x3fb504f3}});
  static const struct {
    const char *property;
    bool holds[6]; // of 1, -inf, NaN, 0, the least subnormal, the least normal
  } properties[] = {{"finite", {true, false, false, true, true, true}},
                    {"infinite", {false, true, false, false, false, false}},
                    {"number", {true, true, false, true, true, true}},
                    {"notanumber", {false, false, true, false, false, false}},
                    {"normal", {true, false, false, true, false, true}},
                    {"subnormal", {false, false, false, false, true, false}}};
  for (const auto &each : properties) {
    std::vector<Row> rows;
    const uint64_t values[] = {one, 0xff800000, quiet32, 0, tiny32, 0x00800000};
    for (int i = 0; i < 6; ++i)
      rows.push_back({{values[i]}, each.holds[i]});
    check(std::string("testp.") + each.property + ".f32 %po, %r0;", rows);
  }
  check("testp.subnormal.f64 %po, %d0;", {{{1}, 1}, {{f64(1)}, 0}});
}

TEST_F(InstructionTableTest, DoublePrecision) {
  check("add.rz.f64 %do, %d0, %d1;",
        {{{f64(1), f64(-0x1p-60)}, f64(1 - 0x1p-53)}});
  check("mul.rp.f64 %do, %d0, %d1;",
        {{{f64(1 + 0x1p-52), f64(1 + 0x1p-52)}, f64(1 + 3 * 0x1p-52)}});
  check("fma.rn.f64 %do, %d0, %d1, %d2;",
        {{{f64(1 + 0x1p-52), f64(1 - 0x1p-52), f64(-1)}, f64(-0x1p-104)}});
  check("fma.rm.f64 %do, %d0, %d1, %d2;",
        {{{f64(1), f64(1), f64(-0x1p-80)}, f64(1 - 0x1p-53)}});
  check("div.rp.f64 %do, %d0, %d1;", {{{f64(1), f64(3)}, 0x3fd5555555555556}});
  check("sqrt.rz.f64 %do, %d0;", {{{f64(2)}, 0x3ff6a09e667f3bcc}});
  check("rcp.rn.f64 %do, %d0;", {{{f64(3)}, 0x3fd5555555555555}});
  check("min.f64 %do, %d0, %d1;",
        {{{f64(NAN), f64(2)}, f64(2)}, {{f64(-0.0), 0}, f64(-0.0)}});
  check("abs.f64 %do, %d0;", {{{f64(-0.0)}, 0}});
  check("neg.f64 %do, %d0;", {{{f64(2)}, f64(-2)}});
  check("copysign.f64 %do, %d0, %d1;", {{{f64(-3), f64(7)}, f64(-7)}});
  check("rsqrt.approx.f64 %do, %d0;", {{{f64(0.25)}, f64(2)}});
  check("rcp.approx.ftz.f64 %do, %d0;", {{{f64(4)}, f64(0.25)}});
}

// 0x3c00 is 1 as f16, 0x3f80 as bf16.
TEST_F(InstructionTableTest, HalfPrecision) {
  check("add.f16 %ho, %h0, %h1;", {{{0x3c00, 0x1000}, 0x3c00},
                                   {{0x3c01, 0x1000}, 0x3c02},
                                   {{0x7bff, 0x7bff}, 0x7c00},
                                   {{0x7e00, 0x3c00}, 0x7fff},
                                   {{1, 1}, 2}});
  check("add.ftz.f16 %ho, %h0, %h1;",
        {{{1, 1}, 0}, {{0x8001, 0x8000}, 0x8000}});
  check("add.sat.f16 %ho, %h0, %h1;",
        {{{0x4000, 0x4000}, 0x3c00}, {{0xc000, 0x3c00}, 0}, {{0x7e00, 0}, 0}});
  check("mul.f16x2 %ro, %r0, %r1;", {{{0x40003c00, 0x42004400}, 0x46004400}});
  check("fma.rn.relu.f16 %ho, %h0, %h1, %h2;",
        {{{0x3c00, 0xbc00, 0}, 0},
         {{0x3c00, 0x3c00, 0x3c00}, 0x4000},
         {{0x7e00, 0, 0}, 0x7fff}});
  check("fma.rn.sat.f16x2 %ro, %r0, %r1, %r2;",
        {{{0x40003800, 0x40003c00, 0}, 0x3c003800}});
  check("fma.rn.bf16 %ho, %h0, %h1, %h2;",
        {{{0x3f83, 0x3f83, 0xbf80}, 0x3d42}});
  check("fma.rn.relu.bf16x2 %ro, %r0, %r1, %r2;",
        {{{0xbf803f80, 0x3f803f80, 0}, 0x00003f80}});
  check("sub.bf16 %ho, %h0, %h1;", {{{0x3f80, 0x3f81}, 0xbc00}});
  check("add.rn.bf16x2 %ro, %r0, %r1;",
        {{{0x3f803f80, 0x3b803b81}, 0x3f803f81}});
  check("min.f16 %ho, %h0, %h1;", {{{0x7e00, 0x3c00}, 0x3c00},
                                   {{0x0000, 0x8000}, 0x8000},
                                   {{0x7e00, 0xfe00}, 0x7fff}});
  check("max.NaN.bf16x2 %ro, %r0, %r1;",
        {{{0x7fc03f80, 0x3f804000}, 0x7fff4000}});
  check("max.ftz.f16 %ho, %h0, %h1;", {{{1, 0x8000}, 0}});
  check("min.xorsign.abs.f16x2 %ro, %r0, %r1;",
        {{{0xc0003c00, 0x3c00c000}, 0xbc00bc00}});
  check("abs.bf16 %ho, %h0;", {{{0xbf80}, 0x3f80}});
  check("neg.f16x2 %ro, %r0;", {{{0x3c00bc00}, 0xbc003c00}});
  check("abs.ftz.f16 %ho, %h0;", {{{0x8001}, 0}});
  check("setp.gt.f16 %po, %h0, %h1;",
        {{{0x4000, 0x3c00}, 1}, {{0x7e00, 0}, 0}});
  check("setp.neu.bf16 %po, %h0, %h1;", {{{0x7fc0, 0x3f80}, 1}});
  check("setp.lt.f16x2 %p3|%po, %r0, %r1;",
        {{{0x3c004000, 0x40003c00}, 1}, {{0x40003c00, 0x3c004000}, 0}});
  check("set.ge.f16.f16 %ho, %h0, %h1;",
        {{{0x4000, 0x3c00}, 0x3c00}, {{0x3c00, 0x4000}, 0}});
  check("set.lt.f16x2.f16x2 %ro, %r0, %r1;",
        {{{0x3c004000, 0x40003c00}, 0x3c000000}});
  check("set.eq.u16.bf16 %ho, %h0, %h1;", {{{0x3f80, 0x3f80}, 0xffff}});
  check("set.ne.u32.bf16x2 %ro, %r0, %r1;",
        {{{0x3f804000, 0x3f803f80}, 0x0000ffff}});
  check("ex2.approx.f16 %ho, %h0;",
        {{{0x4000}, 0x4400}, {{0xfc00}, 0}, {{0x7e00}, 0x7fff}});
  check("ex2.approx.ftz.bf16x2 %ro, %r0;", {{{0x40003f80}, 0x40804000}});
  check("tanh.approx.bf16 %ho, %h0;", {{{0x7f80}, 0x3f80}, {{0}, 0}});
  check("tanh.approx.f16x2 %ro, %r0;", {{{0x7c00fc00}, 0x3c00bc00}});
}

TEST_F(InstructionTableTest, ComparisonAndSelection) {
  check("setp.lo.u32 %po, %r0, %r1;", {{{1, word(-1)}, 1}});
  check("setp.hs.u64 %po, %d0, %d1;", {{{ones64, 1}, 1}});
  check("setp.ge.s16 %po, %h0, %h1;", {{{0xffff, 0}, 0}, {{3, 3}, 1}});
  check("setp.eq.and.s32 %po, %r0, %r1, %p2;",
        {{{5, 5, 1}, 1}, {{5, 5, 0}, 0}});
  // The second predicate combines the opposite.
  check("setp.lt.or.s32 %p3|%po, %r0, %r1, %p2;",
        {{{1, 2, 0}, 0}, {{3, 2, 0}, 1}});
  check("setp.ne.xor.u32 %po, %r0, %r1, !%p2;",
        {{{1, 1, 0}, 1}, {{1, 2, 0}, 0}});
  check("setp.gtu.f32 %po, %r0, %r1;", {{{quiet32, 0}, 1}, {{0, minus32}, 0}});
  check("setp.equ.f64 %po, %d0, %d1;", {{{f64(NAN), 0}, 1}, {{f64(1), 0}, 0}});
  check("setp.leu.f32 %po, %r0, %r1;", {{{quiet32, 0}, 1}, {{f32(1), 0}, 0}});
  check("setp.geu.f32 %po, %r0, %r1;", {{{quiet32, 0}, 1}});
  check("setp.num.f32 %po, %r0, %r1;", {{{0, 0}, 1}, {{quiet32, 0}, 0}});
  check("setp.gt.ftz.f32 %po, %r0, %r1;", {{{tiny32, 0}, 0}});
  check("setp.gt.f32 %po, %r0, %r1;", {{{tiny32, 0}, 1}});
  check("set.lt.f32.s32 %ro, %r0, %r1;",
        {{{word(-1), 0}, f32(1)}, {{1, 0}, 0}});
  check("set.eq.or.u32.f32 %ro, %r0, %r1, %p2;",
        {{{f32(1), 0, 1}, 0xffffffff}, {{f32(1), 0, 0}, 0}});
  check("selp.b64 %do, %d0, %d1, %p2;", {{{7, 9, 1}, 7}, {{7, 9, 0}, 9}});
  check("selp.b16 %ho, %h0, %h1, !%p2;", {{{7, 9, 1}, 9}});
  check("slct.u32.s32 %ro, %r0, %r1, %r2;",
        {{{7, 9, 0}, 7}, {{7, 9, minus32}, 9}});
  check("slct.b64.f32 %do, %d0, %d1, %r2;",
        {{{7, 9, minus32}, 7}, {{7, 9, quiet32}, 9}, {{7, 9, 0x80000001}, 9}});
  check("slct.ftz.u32.f32 %ro, %r0, %r1, %r2;", {{{7, 9, 0x80000001}, 7}});
}

TEST_F(InstructionTableTest, IntegerConversions) {
  check("cvt.s32.s8 %ro, %r0;", {{{0x180}, word(-128)}});
  check("cvt.u64.s16 %do, %h0;", {{{0x8000}, ones64 << 15}});
  check("cvt.s64.s32 %do, %r0;", {{{minus32}, ones64 << 31}});
  check("cvt.u64.u32 %do, %r0;", {{{minus32}, minus32}});
  check("cvt.u16.u64 %ho, %d0;", {{{0x123456789}, 0x6789}});
  check("cvt.u8.u32 %ro, %r0;", {{{0x1ff}, 0xff}});
  check("cvt.sat.s8.s32 %ro, %r0;", {{{200}, 127}, {{word(-200)}, word(-128)}});
  check("cvt.sat.u8.s32 %ro, %r0;", {{{word(-5)}, 0}, {{256}, 255}});
  check("cvt.sat.s32.u32 %ro, %r0;", {{{0xffffffff}, INT_MAX}});
  check("cvt.sat.u32.s64 %ro, %d0;",
        {{{ones64}, 0}, {{ones64 >> 1}, 0xffffffff}});
  check("cvt.sat.s16.u64 %ho, %d0;", {{{ones64}, 0x7fff}});
  check("cvt.pack.sat.s16.s32 %ro, %r0, %r1;",
        {{{40000, word(-40000)}, 0x7fff8000}});
  check("cvt.pack.sat.u16.s32 %ro, %r0, %r1;",
        {{{70000, word(-1)}, 0xffff0000}});
  check("cvt.pack.sat.u8.s32.b32 %ro, %r0, %r1, %r2;",
        {{{300, word(-1), 0x1234}, 0x1234ff00}});
  check("cvt.pack.sat.s8.s32.b32 %ro, %r0, %r1, %r2;",
        {{{word(-300), 5, 0xabcd1234}, 0x12348005}});
}

TEST_F(InstructionTableTest, FloatToInteger) {
  const std::vector<std::pair<const char *, std::array<int, 6>>> modes = {
      {"rni", {2, 4, -2, 1, 0, -1}}, // of 2.5, 3.5, -2.5, 0.6, 0.5, -0.6
      {"rzi", {2, 3, -2, 0, 0, 0}},
      {"rmi", {2, 3, -3, 0, 0, -1}},
      {"rpi", {3, 4, -2, 1, 1, 0}}};
  const float values[] = {2.5f, 3.5f, -2.5f, 0.6f, 0.5f, -0.6f};
  for (const auto &[mode, expected] : modes) {
    std::vector<Row> rows;
    std::vector<Row> wide;
    std::vector<Row> whole;
    for (int i = 0; i < 6; ++i) {
      rows.push_back({{f32(values[i])}, word(expected[i])});
      wide.push_back(
          {{f64(values[i])}, static_cast<uint64_t>(int64_t(expected[i]))});
      float result = static_cast<float>(expected[i]);
      whole.push_back(
          {{f32(values[i])}, f32(std::copysign(result, values[i]))});
    }
    check(fmt::format("cvt.{}.s32.f32 %ro, %r0;", mode), rows);
    check(fmt::format("cvt.{}.s64.f64 %do, %d0;", mode), wide);
    check(fmt::format("cvt.{}.f32.f32 %ro, %r0;", mode), whole);
  }
  check("cvt.rzi.u32.f32 %ro, %r0;", {{{f32(-0.9f)}, 0},
                                      {{f32(4e9f)}, 4000000000u},
                                      {{f32(5e9f)}, 0xffffffff},
                                      {{quiet32}, 0}});
  check("cvt.rzi.s32.f32 %ro, %r0;",
        {{{f32(-3e9f)}, minus32}, {{infinity32}, INT_MAX}});
  check("cvt.rzi.s64.f32 %do, %r0;",
        {{{f32(0x1p63f)}, ones64 >> 1}, {{f32(-0x1p63f)}, uint64_t(1) << 63}});
  check("cvt.rzi.u64.f64 %do, %d0;",
        {{{f64(0x1p64)}, ones64}, {{f64(0x1p63)}, uint64_t(1) << 63}});
  check("cvt.rzi.s16.f32 %ho, %r0;", {{{f32(40000)}, 0x7fff}});
  check("cvt.rni.s8.f32 %ro, %r0;", {{{f32(-200)}, word(-128)}});
  check("cvt.rzi.u16.f16 %ho, %h0;", {{{0x4200}, 3}, {{0xc200}, 0}});
  check("cvt.rni.s32.bf16 %ro, %h0;", {{{0x4020}, 2}}); // 2.5
  check("cvt.rpi.ftz.s32.f32 %ro, %r0;", {{{tiny32}, 0}});
  check("cvt.rpi.s32.f32 %ro, %r0;", {{{tiny32}, 1}});
}

TEST_F(InstructionTableTest, IntegerToFloat) {
  check("cvt.rn.f32.u32 %ro, %r0;", {{{0xffffffff}, 0x4f800000}, {{0}, 0}});
  check("cvt.rz.f32.u32 %ro, %r0;", {{{0xffffffff}, 0x4f7fffff}});
  check("cvt.rm.f32.s32 %ro, %r0;",
        {{{0}, 0}, {{word(-16777217)}, 0xcb800001}});
  check("cvt.rp.f32.s32 %ro, %r0;", {{{16777217}, 0x4b800001}});
  check("cvt.rn.f32.s64 %ro, %d0;", {{{ones64 << 63}, f32(-0x1p63f)}});
  check("cvt.rn.f32.u64 %ro, %d0;",
        {{{ones64}, f32(0x1p64f)}, {{0x8000008000000001}, 0x5f000001}});
  check("cvt.rm.f64.u64 %do, %d0;", {{{0}, 0}, {{ones64}, f64(0x1p64) - 1}});
  check("cvt.rn.f64.s32 %do, %r0;", {{{minus32}, f64(-0x1p31)}});
  check("cvt.rn.f16.u32 %ho, %r0;", {{{2049}, 0x6800}, {{70000}, 0x7c00}});
  check("cvt.rz.f16.s32 %ho, %r0;", {{{70000}, 0x7bff}});
  check("cvt.rn.f16.s8 %ho, %r0;", {{{0x80}, 0xd800}});
  check("cvt.rn.bf16.s32 %ho, %r0;", {{{257}, 0x4380}, {{259}, 0x4382}});
  // One above a tie, where a double cannot tell.
  check("cvt.rn.bf16.u64 %ho, %d0;",
        {{{(uint64_t(1) << 53) + (uint64_t(1) << 45) + 1}, 0x5a01},
         {{(uint64_t(1) << 53) + (uint64_t(1) << 45)}, 0x5a00}});
  check("cvt.rn.sat.f32.s32 %ro, %r0;", {{{5}, f32(1)}, {{word(-5)}, 0}});
}

TEST_F(InstructionTableTest, FloatToFloat) {
  check("cvt.f64.f32 %do, %r0;",
        {{{f32(1.5f)}, f64(1.5)}, {{tiny32}, f64(0x1p-149)}});
  check("cvt.ftz.f64.f32 %do, %r0;", {{{tiny32}, 0}});
  check("cvt.rn.f32.f64 %ro, %d0;", {{{f64(1 + 0x1p-24)}, f32(1)},
                                     {{f64(NAN)}, nan32},
                                     {{f64(1e40)}, infinity32}});
  check("cvt.rp.f32.f64 %ro, %d0;", {{{f64(1 + 0x1p-40)}, 0x3f800001}});
  check("cvt.rz.f32.f64 %ro, %d0;", {{{f64(1e40)}, 0x7f7fffff}});
  check("cvt.rn.ftz.f32.f64 %ro, %d0;", {{{f64(0x1p-130)}, 0}});
  check("cvt.sat.f32.f32 %ro, %r0;", {{{f32(3)}, f32(1)}, {{quiet32}, 0}});
  check("cvt.ftz.f32.f32 %ro, %r0;", {{{0x80000001}, minus32}});
  // f16's subnormals are normal numbers of f32: .ftz leaves them alone.
  check("cvt.ftz.f32.f16 %ro, %h0;", {{{1}, f32(0x1p-24f)}});
  check("cvt.rn.ftz.f16.f32 %ho, %r0;", {{{f32(0x1p-24f)}, 1}, {{tiny32}, 0}});
  check("cvt.f32.f16 %ro, %h0;", {{{0x7bff}, f32(65504)},
                                  {{0xfc00}, 0xff800000},
                                  {{0x03ff}, f32(0x1p-14f - 0x1p-24f)},
                                  {{0x7e01}, nan32}});
  check("cvt.f32.bf16 %ro, %h0;", {{{0xbf80}, f32(-1)}, {{1}, 0x00010000}});
  check("cvt.f64.f16 %do, %h0;", {{{0x3555}, f64(0x1.554p-2)}});
  check("cvt.rp.f16.f32 %ho, %r0;",
        {{{f32(1.0001f)}, 0x3c01}, {{f32(-65520)}, 0xfbff}, {{tiny32}, 1}});
  check("cvt.rm.f16.f32 %ho, %r0;",
        {{{f32(-1.0001f)}, 0xbc01}, {{f32(65520)}, 0x7bff}});
  check("cvt.rn.f16.f64 %ho, %d0;",
        {{{f64(1 + 0x1p-11 + 0x1p-40)}, 0x3c01}, {{f64(1 + 0x1p-11)}, 0x3c00}});
  check("cvt.rn.satfinite.f16.f32 %ho, %r0;", {{{f32(1e9f)}, 0x7bff}});
  check("cvt.rn.relu.f16.f32 %ho, %r0;", {{{f32(-1)}, 0}, {{quiet32}, 0x7fff}});
  check("cvt.rz.bf16.f32 %ho, %r0;",
        {{{0x3f80ffff}, 0x3f80}, {{0x7f7fffff}, 0x7f7f}});
  check("cvt.rn.bf16.f32 %ho, %r0;", {{{0x3f808000}, 0x3f80},
                                      {{0x3f818000}, 0x3f82},
                                      {{0x7f7fffff}, 0x7f80},
                                      {{quiet32}, 0x7fff}});
  check("cvt.rna.tf32.f32 %ro, %r0;",
        {{{0x3f801000}, 0x3f802000}, {{0x3f800fff}, 0x3f800000}});
  check("cvt.rn.relu.tf32.f32 %ro, %r0;",
        {{{0x3f801000}, 0x3f800000}, {{f32(-5)}, 0}});
  check("cvt.rz.tf32.f32 %ro, %r0;", {{{0x3f803fff}, 0x3f802000}});
}

TEST_F(InstructionTableTest, PairConversions) {
  check("cvt.rn.f16x2.f32 %ro, %r0, %r1;", {{{f32(1), f32(-2)}, 0x3c00c000}});
  check("cvt.rz.f16x2.f32 %ro, %r0, %r1;",
        {{{f32(70000), f32(1.0009f)}, 0x7bff3c00}});
  check("cvt.rn.relu.bf16x2.f32 %ro, %r0, %r1;",
        {{{f32(-1), quiet32}, 0x00007fff}});
  check("cvt.rz.satfinite.bf16x2.f32 %ro, %r0, %r1;",
        {{{infinity32, 0x3f80ffff}, 0x7f7f3f80}});
  // e4m3: 448 is the largest number; 17 lies between 16 and 18, a tie.
  check("cvt.rn.satfinite.e4m3x2.f32 %ho, %r0, %r1;",
        {{{f32(1), f32(-448)}, 0x38fe},
         {{f32(17), f32(19)}, 0x585a},
         {{f32(1000), quiet32}, 0x7e7f},
         {{f32(0x1p-9f), f32(0x1p-10f)}, 0x0100},
         {{f32(-1e-9f), f32(3 * 0x1p-10f)}, 0x8002}});
  check("cvt.rn.satfinite.relu.e4m3x2.f32 %ho, %r0, %r1;",
        {{{f32(-1), f32(2)}, 0x0040}});
  check("cvt.rn.satfinite.e5m2x2.f32 %ho, %r0, %r1;",
        {{{f32(1), f32(-57344)}, 0x3cfb},
         {{f32(1e6f), f32(9)}, 0x7b48},
         {{f32(11), f32(0x1p-16f)}, 0x4a01}});
  check("cvt.rn.satfinite.e4m3x2.f16x2 %ho, %r0;",
        {{{0x3c00c000}, 0x38c0}, {{0x7bff7e00}, 0x7e7f}});
  check("cvt.rn.satfinite.e5m2x2.f16x2 %ho, %r0;", {{{0x3c00c001}, 0x3cc0}});
  check("cvt.rn.f16x2.e4m3x2 %ro, %h0;",
        {{{0x38fe}, 0x3c00df00}, {{0x017f}, 0x18007fff}});
  check("cvt.rn.relu.f16x2.e5m2x2 %ro, %h0;", {{{0x3cbc}, 0x3c000000}});
  check("cvt.rn.f16x2.e5m2x2 %ro, %h0;", {{{0x7cfc}, 0x7c00fc00}});
}

TEST_F(InstructionTableTest, Approximations) {
  check("ex2.approx.f32 %ro, %r0;", {{{f32(3)}, f32(8)},
                                     {{0xff800000}, 0},
                                     {{infinity32}, infinity32},
                                     {{f32(-149)}, 1},
                                     {{quiet32}, nan32}});
  check("ex2.approx.ftz.f32 %ro, %r0;", {{{f32(-149)}, 0}, {{tiny32}, f32(1)}});
  check("lg2.approx.f32 %ro, %r0;", {{{f32(8)}, f32(3)},
                                     {{0}, 0xff800000},
                                     {{f32(-1)}, nan32},
                                     {{infinity32}, infinity32}});
  check("lg2.approx.ftz.f32 %ro, %r0;", {{{tiny32}, 0xff800000}});
  check("rcp.approx.f32 %ro, %r0;",
        {{{f32(4)}, f32(0.25f)}, {{0}, infinity32}});
  check("rcp.approx.ftz.f32 %ro, %r0;",
        {{{0x80000001}, 0xff800000}, {{f32(0x1p127f)}, 0}});
  check("rsqrt.approx.f32 %ro, %r0;",
        {{{f32(4)}, f32(0.5f)}, {{minus32}, 0xff800000}, {{f32(-4)}, nan32}});
  check("rsqrt.approx.ftz.f32 %ro, %r0;", {{{tiny32}, infinity32}});
  check("sqrt.approx.f32 %ro, %r0;", {{{f32(9)}, f32(3)}});
  check("sqrt.approx.ftz.f32 %ro, %r0;", {{{0x80000001}, minus32}});
  check("sin.approx.f32 %ro, %r0;", {{{0}, 0}, {{infinity32}, nan32}});
  check("cos.approx.ftz.f32 %ro, %r0;", {{{0}, f32(1)}});
  check("tanh.approx.f32 %ro, %r0;",
        {{{infinity32}, f32(1)}, {{f32(-100)}, f32(-1)}});
  check("div.approx.f32 %ro, %r0, %r1;", {{{f32(1), f32(3)}, 0x3eaaaaab}});
  check("div.full.ftz.f32 %ro, %r0, %r1;",
        {{{f32(6), f32(3)}, f32(2)}, {{tiny32, f32(1)}, 0}});
}

TEST_F(InstructionTableTest, MovesAndPacking) {
  check("mov.b32 %ro, {%h0, %h1};", {{{0x1234, 0xabcd}, 0xabcd1234}});
  check("mov.b32 {%hx, %ho}, %r0;", {{{0xabcd1234}, 0xabcd}});
  check("mov.b64 %do, {%r0, %r1};", {{{1, 2}, 0x200000001}});
  check("mov.b64 {%ro, _}, %d0;", {{{0x200000001}, 1}});
  check("mov.b64 %do, {%h0, %h1, %h2, %h3};",
        {{{1, 2, 3, 4}, 0x0004000300020001}});
  check("mov.b64 {%hx, %hx, %ho, %hx}, %d0;", {{{0x0004000300020001}, 3}});
  check("{\n.reg .b128 %q;\nmov.b128 %q, {%d0, %d1};\n"
        "mov.b128 {%dx, %do}, %q;\n}",
        {{{5, 6}, 6}});
}

} // namespace
