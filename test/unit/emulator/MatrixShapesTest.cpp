// Every shape, type and layout of mma.sync and wgmma against plain products of
// small whole numbers, which are exact in every format.

#include "EmulatorTestSupport.h"

#include <functional>

using namespace attnres::emulator;

namespace {

struct ElementType {
  const char *name;
  unsigned bytes;
  bool isSigned;
  uint64_t (*encode)(int value); // -4 to 4, 0 to 8 when unsigned
};

uint64_t asFloat(int value) {
  float number = float(value);
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
uint64_t asDouble(int value) {
  double number = value;
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
/// Formats of one byte: sign, exponent with `bias`, `digits` of mantissa.
uint64_t asByte(int value, int bias, int digits) {
  uint64_t sign = value < 0 ? 0x80 : 0;
  value = std::abs(value);
  if (value == 0)
    return sign;
  int exponent = std::ilogb(float(value));
  int mantissa = ((value << digits) >> exponent) & ((1 << digits) - 1);
  return sign | uint64_t(exponent + bias) << digits | uint64_t(mantissa);
}

const ElementType f16 = {"f16", 2, true,
                         [](int v) { return uint64_t(toHalf(float(v))); }};
const ElementType bf16 = {"bf16", 2, true,
                          [](int v) { return uint64_t(toBfloat(float(v))); }};
const ElementType tf32 = {"tf32", 4, true, asFloat};
const ElementType f64 = {"f64", 8, true, asDouble};
const ElementType s8 = {"s8", 1, true,
                        [](int v) { return uint64_t(uint8_t(v)); }};
const ElementType u8 = {"u8", 1, false,
                        [](int v) { return uint64_t(uint8_t(v)); }};
const ElementType e4m3 = {"e4m3", 1, true,
                          [](int v) { return asByte(v, 7, 3); }};
const ElementType e5m2 = {"e5m2", 1, true,
                          [](int v) { return asByte(v, 15, 2); }};

/// Numbers that `type` holds, as rows of `columns`.
std::vector<int> drawMatrix(Numbers &numbers, const ElementType &type,
                            unsigned rows, unsigned columns) {
  std::vector<int> values(rows * columns);
  for (int &value : values)
    value = int(numbers.bits() % 9) - (type.isSigned ? 4 : 0);
  return values;
}

std::vector<int> product(const std::vector<int> &a, const std::vector<int> &b,
                         std::vector<int> c, unsigned m, unsigned n,
                         unsigned k) {
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j)
      for (unsigned t = 0; t < k; ++t)
        c[i * n + j] += a[i * k + t] * b[t * n + j];
  return c;
}

std::string registers(const char *prefix, unsigned first, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += fmt::format("{}%{}{}", i ? "," : "", prefix, first + i);
  return list + "}";
}

class MmaTest : public EmulatorTest {
protected:
  struct Shape {
    unsigned m, n, k;
  };

  /// One mma.sync; `result` names the type of C and D.
  void checkMma(Shape shape, const ElementType &aType, const ElementType &bType,
                const std::string &result) {
    auto [m, n, k] = shape;
    std::string opcode =
        fmt::format("mma.sync.aligned.m{}n{}k{}.row.col.{}.{}.{}.{}", m, n, k,
                    result, aType.name, bType.name, result);
    SCOPED_TRACE(opcode);
    std::vector<int> a = drawMatrix(numbers, aType, m, k);
    std::vector<int> b = drawMatrix(numbers, bType, k, n);
    std::vector<int> c = drawMatrix(numbers, s8, m, n);
    // Elements in a register, registers of the fragments.
    bool wide = aType.bytes == 8;
    unsigned per = wide ? 1 : 4 / aType.bytes;
    unsigned perC = result == "f16" ? 2 : 1;
    unsigned countA = m * k / 32 / per;
    unsigned countB = k * n / 32 / per;
    unsigned countC = m * n / 32 / perC;
    size_t size = wide ? 8 : 4;
    std::vector<uint8_t> in((countA + countB + countC) * 32 * size);
    auto put = [&](unsigned reg, unsigned lane, unsigned part, unsigned bytes,
                   uint64_t bits) {
      std::memcpy(in.data() + (reg * 32 + lane) * size + part * bytes, &bits,
                  bytes);
    };
    unsigned rowGroups = m / 8;
    const ElementType cType = {
        "", wide ? 8u : 4u / perC, true,
        result == "f16"   ? f16.encode
        : result == "f64" ? f64.encode
        : result == "f32" ? tf32.encode
                          : [](int v) { return uint64_t(uint32_t(v)); }};
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned group = lane / 4;
      unsigned thread = lane % 4;
      for (unsigned i = 0; i < countA * per; ++i) {
        unsigned reg = i / per;
        unsigned row = group + 8 * (reg % rowGroups);
        unsigned column = thread * per + i % per + 4 * per * (reg / rowGroups);
        put(reg, lane, i % per, aType.bytes, aType.encode(a[row * k + column]));
      }
      for (unsigned i = 0; i < countB * per; ++i) {
        unsigned row = thread * per + i % per + 4 * per * (i / per);
        put(countA + i / per, lane, i % per, bType.bytes,
            bType.encode(b[row * n + group]));
      }
      for (unsigned i = 0; i < countC * perC; ++i)
        put(countA + countB + i / perC, lane, i % perC, cType.bytes,
            cType.encode(c[(group + i / 2 * 8) * n + thread * 2 + i % 2]));
    }
    const char *reg = wide ? "fd" : "r";
    std::string body = fmt::format("mul.wide.u32 %rd4, %r0, {};\n"
                                   "add.u64 %rd5, %rd0, %rd4;\n"
                                   "add.u64 %rd6, %rd1, %rd4;\n",
                                   size);
    for (unsigned i = 0; i < countA + countB + countC; ++i)
      body +=
          fmt::format("ld.global.{}{} %{}{}, [%rd5+{}];\n", wide ? 'f' : 'b',
                      8 * size, reg, 1 + i, i * 32 * size);
    body += fmt::format("{} {}, {}, {}, {};\n", opcode,
                        registers(reg, 25, countC), registers(reg, 1, countA),
                        registers(reg, 1 + countA, countB),
                        registers(reg, 1 + countA + countB, countC));
    for (unsigned i = 0; i < countC; ++i)
      body +=
          fmt::format("st.global.{}{} [%rd6+{}], %{}{};\n", wide ? 'f' : 'b',
                      8 * size, i * 32 * size, reg, 25 + i);
    device = Device();
    load(wrapPtx(body));
    uint64_t data = upload(in);
    uint64_t out = output<uint8_t>(countC * 32 * size);
    run("k", {{1, 1, 1}, {32, 1, 1}}, data, out, data, data);
    std::vector<uint8_t> got = download<uint8_t>(out, countC * 32 * size);
    std::vector<int> expected = product(a, b, c, m, n, k);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < countC * perC; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits,
                    got.data() + (i / perC * 32 + lane) * size +
                        i % perC * cType.bytes,
                    cType.bytes);
        unsigned row = lane / 4 + i / 2 * 8;
        unsigned column = lane % 4 * 2 + i % 2;
        ASSERT_EQ(bits, cType.encode(expected[row * n + column]))
            << row << "," << column;
      }
    EXPECT_EQ(device.counters().tensorMultiplyAdds, uint64_t(m) * n * k);
  }

  Numbers numbers{1};
};

TEST_F(MmaTest, EveryShapeAndType) {
  for (unsigned k : {8u, 16u}) {
    checkMma({16, 8, k}, f16, f16, "f32");
    checkMma({16, 8, k}, f16, f16, "f16");
    checkMma({16, 8, k}, bf16, bf16, "f32");
    checkMma({16, 8, k / 2}, tf32, tf32, "f32");
  }
  const ElementType *bytes[] = {&s8, &u8};
  for (const ElementType *a : bytes)
    for (const ElementType *b : bytes) {
      checkMma({8, 8, 16}, *a, *b, "s32");
      checkMma({16, 8, 16}, *a, *b, "s32");
      checkMma({16, 8, 32}, *a, *b, "s32");
    }
  const ElementType *floats[] = {&e4m3, &e5m2};
  for (const ElementType *a : floats)
    for (const ElementType *b : floats) {
      checkMma({16, 8, 32}, *a, *b, "f32");
      checkMma({16, 8, 32}, *a, *b, "f16");
      checkMma({16, 8, 16}, *a, *b, "f32");
    }
  checkMma({8, 8, 4}, f64, f64, "f64");
  for (unsigned k : {4u, 8u, 16u})
    checkMma({16, 8, k}, f64, f64, "f64");
}

TEST_F(MmaTest, SaturatingSums) {
  for (bool saturates : {false, true}) {
    device = Device();
    load(wrapPtx(fmt::format(
        "mov.u32 %r1, 0x01010101;\nmov.u32 %r2, 2147483647;\n"
        "mma.sync.aligned.m8n8k16.row.col{}.s32.s8.s8.s32 {{%r3, %r4}}, "
        "{{%r1}}, {{%r1}}, {{%r2, %r0}};\nmul.wide.u32 %rd4, %r0, 8;\n"
        "add.u64 %rd5, %rd0, %rd4;\nst.global.v2.u32 [%rd5], {{%r3, %r4}};",
        saturates ? ".satfinite" : "")));
    uint64_t out = output<int32_t>(64);
    run("k", shape(1, 32), out, out, out, out);
    std::vector<int32_t> result = download<int32_t>(out, 64);
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(result[2 * lane], saturates ? INT32_MAX : INT32_MIN + 15);
      EXPECT_EQ(result[2 * lane + 1], lane + 16);
    }
  }
}

class WgmmaTest : public EmulatorTest {
protected:
  struct Form {
    unsigned n = 16;
    const ElementType *a = &bf16;
    const ElementType *b = &bf16;
    std::string result = "f32";
    /// 0 none, 1 128, 2 64, 3 32 bytes: as the descriptor says it.
    unsigned swizzle = 0;
    bool outerMajorA = false;
    bool outerMajorB = false;
    bool registersA = false;
    int scaleA = 1;
    int scaleB = 1;
    bool adds = true;
  };

  /// Where element (outer, k) of a matrix lies, and the descriptor of it.
  struct Layout {
    Layout(unsigned outer, unsigned bytes, unsigned swizzle, bool outerMajor)
        : bytes(bytes), swizzle(swizzle), outerMajor(outerMajor) {
      static const unsigned widths[] = {16, 128, 64, 32};
      width = widths[swizzle];
      if (!outerMajor) {
        // Groups of eight rows of `width` bytes; without swizzle the two
        // columns of 16 bytes are apart.
        leading = swizzle == 0 ? 128 * ((outer + 7) / 8) : 16;
        stride = swizzle == 0 ? 128 : 8 * width;
        size = swizzle == 0 ? 2 * leading : stride * ((outer + 7) / 8);
      } else {
        // Rows of `width` bytes along the outer dimension, one per k.
        unsigned across = (outer * bytes + width - 1) / width;
        unsigned down = 32 / bytes / 8;
        unsigned block = 8 * width;
        // block after block along the outer dimension, then along k
        (swizzle == 0 ? stride : leading) = block;
        (swizzle == 0 ? leading : stride) = block * across;
        size = block * across * down;
      }
    }
    unsigned at(unsigned outer, unsigned k) const {
      unsigned place = 0;
      if (!outerMajor) {
        unsigned byte = k * bytes;
        place = outer / 8 * stride + outer % 8 * width +
                (swizzle == 0 ? byte / 16 * leading + byte % 16 : byte);
      } else {
        unsigned byte = outer * bytes;
        place = byte / width * (swizzle == 0 ? stride : leading) +
                byte % width + k % 8 * width +
                k / 8 * (swizzle == 0 ? leading : stride);
      }
      // Chunks of 16 bytes are permuted by the number of their 128-byte line.
      static const unsigned masks[] = {0, 7, 3, 1};
      return place ^ ((place >> 7) & masks[swizzle]) << 4;
    }
    uint64_t descriptor(uint64_t start) const {
      return (start & 0x3ffff) >> 4 | uint64_t(leading >> 4) << 16 |
             uint64_t(stride >> 4) << 32 | uint64_t(swizzle) << 62;
    }
    unsigned bytes, swizzle;
    bool outerMajor;
    unsigned width = 0, leading = 0, stride = 0, size = 0;
  };

  void checkWgmma(const Form &form) {
    const unsigned m = 64;
    const unsigned n = form.n;
    const unsigned bytes = form.a->bytes;
    const unsigned k = 32 / bytes;
    bool isInt = form.result == "s32";
    std::string opcode =
        fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{}", n, k,
                    form.result, form.a->name, form.b->name);
    SCOPED_TRACE(fmt::format("{} swizzle {} major {}{} registers {}", opcode,
                             form.swizzle, form.outerMajorA, form.outerMajorB,
                             form.registersA));
    std::vector<int> a = drawMatrix(numbers, *form.a, m, k);
    std::vector<int> b = drawMatrix(numbers, *form.b, k, n);
    std::vector<int> c = drawMatrix(numbers, s8, m, n);
    Layout layoutA(m, bytes, form.swizzle, form.outerMajorA);
    Layout layoutB(n, bytes, form.swizzle, form.outerMajorB);
    unsigned startB = (layoutA.size + 1023) / 1024 * 1024;
    unsigned total = (startB + layoutB.size + 2047) / 2048 * 2048;
    std::vector<uint8_t> image(total);
    for (unsigned t = 0; t < k; ++t) {
      for (unsigned i = 0; i < m; ++i) {
        uint64_t bits = form.a->encode(a[i * k + t]);
        std::memcpy(image.data() + layoutA.at(i, t), &bits, bytes);
      }
      for (unsigned j = 0; j < n; ++j) {
        uint64_t bits = form.b->encode(b[t * n + j]);
        std::memcpy(image.data() + startB + layoutB.at(j, t), &bits, bytes);
      }
    }
    // A's registers: 4 per thread; C's and D's: two or four columns of 8.
    unsigned perA = 4 / bytes;
    std::vector<uint32_t> fragmentA(4 * 128);
    unsigned perD = form.result == "f16" ? 2 : 1;
    unsigned countD = n / 2 / perD;
    std::vector<uint32_t> accumulators(countD * 128);
    auto encodeD = [&](int value) -> uint64_t {
      return isInt       ? uint32_t(value)
             : perD == 2 ? f16.encode(value)
                         : tf32.encode(value);
    };
    auto rowOf = [](unsigned thread, unsigned i) {
      return thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
    };
    auto columnOf = [](unsigned thread, unsigned i) {
      return i / 4 * 8 + thread % 4 * 2 + i % 2;
    };
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned i = 0; i < 4 * perA; ++i) {
        unsigned reg = i / perA;
        unsigned row = thread / 32 * 16 + thread % 32 / 4 + reg % 2 * 8;
        unsigned column = thread % 4 * perA + i % perA + reg / 2 * 4 * perA;
        fragmentA[reg * 128 + thread] |= static_cast<uint32_t>(
            form.a->encode(a[row * k + column]) << (8 * bytes * (i % perA)));
      }
      for (unsigned i = 0; i < countD * perD; ++i)
        accumulators[i / perD * 128 + thread] |= static_cast<uint32_t>(
            encodeD(c[rowOf(thread, i) * n + columnOf(thread, i)])
            << (16 * (i % perD)));
    }
    std::string body =
        "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r3, %r1, %r2;\n"
        "cvt.u64.u32 %rd4, %r2;\nadd.u64 %rd5, %rd0, %rd4;\n";
    for (unsigned at = 0; at < total; at += 2048)
      body += fmt::format("ld.global.v4.u32 {{%r4,%r5,%r6,%r7}}, [%rd5+{0}];\n"
                          "st.shared.v4.u32 [%r3+{0}], {{%r4,%r5,%r6,%r7}};\n",
                          at);
    body += "mul.wide.u32 %rd6, %r0, 4;\nadd.u64 %rd7, %rd1, %rd6;\n"
            "add.u64 %rd8, %rd2, %rd6;\nadd.u64 %rd9, %rd3, %rd6;\n";
    for (unsigned i = 0; i < 4; ++i)
      body += fmt::format("ld.global.u32 %r{}, [%rd7+{}];\n", 4 + i, i * 512);
    for (unsigned i = 0; i < countD; ++i)
      body += fmt::format("ld.global.u32 %a{}, [%rd8+{}];\n", i, i * 512);
    // The tile is the first shared variable; its address is not known here.
    body +=
        fmt::format("cvt.u64.u32 %rd10, %r1;\nshr.u64 %rd10, %rd10, 4;\n"
                    "or.b64 %rd11, %rd10, {};\n"
                    "add.u64 %rd12, %rd10, {};\nor.b64 %rd12, %rd12, {};\n",
                    static_cast<int64_t>(layoutA.descriptor(0)), startB / 16,
                    static_cast<int64_t>(layoutB.descriptor(0)));
    body += fmt::format("fence.proxy.async;\nbar.sync 0;\n"
                        "setp.ne.u32 %p1, {}, 0;\n"
                        "wgmma.fence.sync.aligned;\n{} {}, {}, %rd12, %p1",
                        form.adds ? 1 : 0, opcode, registers("a", 0, countD),
                        form.registersA ? "{%r4,%r5,%r6,%r7}" : "%rd11");
    if (!isInt)
      body += fmt::format(", {}, {}", form.scaleA, form.scaleB);
    if (bytes == 2 && !form.registersA)
      body += fmt::format(", {}", form.outerMajorA ? 1 : 0);
    if (bytes == 2)
      body += fmt::format(", {}", form.outerMajorB ? 1 : 0);
    body += ";\nwgmma.commit_group.sync.aligned;\n"
            "wgmma.wait_group.sync.aligned 0;\n";
    for (unsigned i = 0; i < countD; ++i)
      body += fmt::format("st.global.u32 [%rd9+{}], %a{};\n", i * 512, i);
    device = Device();
    load(wrapPtx(fmt::format(".reg .b32 %a<{}>;\n", countD) + body,
                 fmt::format(".shared .align 1024 .b8 tile[{}];", total)));
    uint64_t data = upload(image);
    uint64_t dataA = upload(fragmentA);
    uint64_t dataC = upload(accumulators);
    uint64_t out = output<uint32_t>(countD * 128);
    run("k", shape(1, 128), data, dataA, dataC, out);
    std::vector<uint32_t> got = download<uint32_t>(out, countD * 128);
    for (int &value : a)
      value *= form.scaleA;
    for (int &value : b)
      value *= form.scaleB;
    std::vector<int> expected =
        product(a, b, form.adds ? c : std::vector<int>(m * n), m, n, k);
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < countD * perD; ++i) {
        uint32_t bits = got[i / perD * 128 + thread];
        if (perD == 2)
          bits = bits >> (16 * (i % 2)) & 0xffff;
        unsigned row = rowOf(thread, i);
        unsigned column = columnOf(thread, i);
        ASSERT_EQ(bits, encodeD(expected[row * n + column]))
            << row << "," << column;
      }
  }

  Numbers numbers{2};
};

TEST_F(WgmmaTest, EveryWidth) {
  for (unsigned n = 8; n <= 256; n += 8) {
    Form form;
    form.n = n;
    form.swizzle = n / 8 % 4;
    form.adds = n % 16 == 0;
    checkWgmma(form);
  }
}

TEST_F(WgmmaTest, EveryLayout) {
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle)
    for (bool majorA : {false, true})
      for (bool majorB : {false, true})
        for (bool registersA : {false, true}) {
          if (majorA && registersA)
            continue;
          Form form;
          form.n = 64;
          form.a = form.b = swizzle % 2 ? &f16 : &bf16;
          form.swizzle = swizzle;
          form.outerMajorA = majorA;
          form.outerMajorB = majorB;
          form.registersA = registersA;
          form.scaleA = majorA ? -1 : 1;
          form.scaleB = majorB ? -1 : 1;
          checkWgmma(form);
        }
}

TEST_F(WgmmaTest, EveryType) {
  auto types = [&](const ElementType &a, const ElementType &b,
                   const std::string &result) {
    for (bool registersA : {false, true}) {
      Form form;
      form.n = 24;
      form.a = &a;
      form.b = &b;
      form.result = result;
      form.swizzle = registersA ? 3 : 1;
      form.registersA = registersA;
      checkWgmma(form);
    }
  };
  types(f16, f16, "f32");
  types(f16, f16, "f16");
  types(bf16, bf16, "f32");
  types(tf32, tf32, "f32");
  for (const ElementType *a : {&s8, &u8})
    for (const ElementType *b : {&s8, &u8})
      types(*a, *b, "s32");
  for (const ElementType *a : {&e4m3, &e5m2})
    for (const ElementType *b : {&e4m3, &e5m2}) {
      types(*a, *b, "f32");
      types(*a, *b, "f16");
    }
}

// ldmatrix and stmatrix are inverse to each other, plain and transposed;
// movmatrix transposes in registers.
TEST_F(MmaTest, MatrixMoves) {
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      device = Device();
      std::string list = registers("r", 10, count);
      std::string suffix = fmt::format("m8n8.x{}{}.shared.b16", count,
                                       transposed ? ".trans" : "");
      std::string body = fmt::format(
          "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r3, %r1, %r2;\n"
          "cvt.u64.u32 %rd4, %r2;\nadd.u64 %rd5, %rd0, %rd4;\n"
          "add.u64 %rd6, %rd1, %rd4;\n"
          "ld.global.v4.u32 {{%r4,%r5,%r6,%r7}}, [%rd5];\n"
          "st.shared.v4.u32 [%r3], {{%r4,%r5,%r6,%r7}};\nbar.sync 0;\n"
          "ldmatrix.sync.aligned.{0} {1}, [%r3];\nbar.sync 0;\n",
          suffix, list);
      // Stored without .trans, transposed matrices stay transposed.
      body += fmt::format("stmatrix.sync.aligned.m8n8.x{}.shared.b16 [%r3], {};"
                          "\nbar.sync 0;\n"
                          "ld.shared.v4.u32 {{%r4,%r5,%r6,%r7}}, [%r3];\n"
                          "st.global.v4.u32 [%rd6], {{%r4,%r5,%r6,%r7}};\n"
                          "movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r10;\n"
                          "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 "
                          "[%r3], {{%r8}};\nbar.sync 0;\n"
                          "ld.shared.v4.u32 {{%r4,%r5,%r6,%r7}}, [%r3];\n"
                          "st.global.v4.u32 [%rd6+512], {{%r4,%r5,%r6,%r7}};",
                          count, list);
      load(wrapPtx(body, ".shared .align 16 .b8 tile[512];"));
      std::vector<uint16_t> in(256);
      for (uint16_t i = 0; i < 256; ++i)
        in[i] = i;
      uint64_t data = upload(in);
      uint64_t out = output<uint16_t>(512);
      run("k", shape(1, 32), data, out, data, data);
      std::vector<uint16_t> got = download<uint16_t>(out, 512);
      for (unsigned i = 0; i < 256; ++i) {
        unsigned matrix = i / 64;
        unsigned row = i / 8 % 8;
        unsigned column = i % 8;
        bool turned = transposed && matrix < count;
        unsigned expected =
            matrix * 64 + (turned ? column * 8 + row : row * 8 + column);
        ASSERT_EQ(got[i], expected) << count << transposed;
        // Twice transposed in registers and on the way out.
        ASSERT_EQ(got[256 + i], expected);
      }
    }
}

} // namespace
