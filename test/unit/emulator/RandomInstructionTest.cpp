// Instructions on random operands against references written from the manual's
// definitions: rounding is done once, on exact long double values.

#include "RegisterKernel.h"

using namespace attnres::emulator;

namespace {

enum class Mode { Nearest, Zero, Down, Up };
struct NamedMode {
  const char *name;
  Mode mode;
};
constexpr NamedMode allModes[] = {{"rn", Mode::Nearest},
                                  {"rz", Mode::Zero},
                                  {"rm", Mode::Down},
                                  {"rp", Mode::Up}};

/// `value` with `digits` significant bits, at least 2^leastExponent of them.
long double roundTo(long double value, int digits, int leastExponent,
                    Mode mode) {
  if (value == 0)
    return value;
  int exponent = std::max(std::ilogb(value), leastExponent);
  long double unit = std::ldexp(1.0L, exponent - digits + 1);
  long double scaled = value / unit;
  long double whole = mode == Mode::Nearest ? std::nearbyint(scaled)
                      : mode == Mode::Zero  ? std::trunc(scaled)
                      : mode == Mode::Down  ? std::floor(scaled)
                                            : std::ceil(scaled);
  return std::copysign(whole * unit, value);
}

float asFloat(uint64_t bits) {
  uint32_t narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}
uint64_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The three formats that arithmetic rounds to, for numbers far from overflow.
struct Single {
  static constexpr const char *name = "f32";
  static constexpr const char *registers[] = {"%ro", "%r0", "%r1", "%r2"};
  static long double load(uint64_t bits) { return asFloat(bits); }
  static uint64_t round(long double value, Mode mode) {
    return asBits(static_cast<float>(roundTo(value, 24, -126, mode)));
  }
  // 13 binades: sums of three are exact in 64 bits.
  static uint64_t draw(Numbers &numbers) {
    return (numbers.bits() & 0x807fffff) | (121 + numbers.bits() % 13) << 23;
  }
};
struct Brain {
  static constexpr const char *name = "bf16";
  static constexpr const char *registers[] = {"%ho", "%h0", "%h1", "%h2"};
  static long double load(uint64_t bits) {
    return fromBfloat(static_cast<uint16_t>(bits));
  }
  static uint64_t round(long double value, Mode mode) {
    return asBits(static_cast<float>(roundTo(value, 8, -126, mode))) >> 16;
  }
  static uint64_t draw(Numbers &numbers) {
    return (numbers.bits() & 0x807f) | (117 + numbers.bits() % 20) << 7;
  }
};
struct HalfFormat {
  static constexpr const char *name = "f16";
  static constexpr const char *registers[] = {"%ho", "%h0", "%h1", "%h2"};
  static long double load(uint64_t bits) {
    return fromHalf(static_cast<uint16_t>(bits));
  }
  static uint64_t round(long double value, Mode mode) {
    long double rounded = roundTo(value, 11, -14, mode);
    uint64_t sign = std::signbit(rounded) ? 0x8000 : 0;
    long double magnitude = std::fabs(rounded);
    if (magnitude < 0x1p-14L)
      return sign | static_cast<uint64_t>(magnitude * 0x1p24L);
    return sign | toHalf(static_cast<float>(magnitude));
  }
  // Subnormal numbers too.
  static uint64_t draw(Numbers &numbers) {
    return (numbers.bits() & 0x83ff) | numbers.bits() % 20 << 10;
  }
};

class RandomInstructionTest : public RegisterKernelTest {
protected:
  uint64_t bits64() { return uint64_t(numbers.bits()) << 32 | numbers.bits(); }

  /// add, sub, mul and fma with each of `modes`.
  template <typename Format>
  void arithmetic(const std::vector<NamedMode> &modes) {
    const auto &r = Format::registers;
    auto draw = [&] { return Format::draw(numbers); };
    for (const NamedMode &each : modes) {
      auto binary = [&](const char *op, auto f) {
        compare(fmt::format("{}.{}.{} {}, {}, {};", op, each.name, Format::name,
                            r[0], r[1], r[2]),
                draw, [&](const Operands &in) {
                  return Format::round(
                      f(Format::load(in[0]), Format::load(in[1])), each.mode);
                });
      };
      using T = long double;
      binary("add", [&](T a, T b) { return zeroSum(a + b, a, each.mode); });
      binary("sub", [&](T a, T b) { return zeroSum(a - b, a, each.mode); });
      binary("mul", [](T a, T b) { return a * b; });
      compare(fmt::format("fma.{}.{} {}, {}, {}, {};", each.name, Format::name,
                          r[0], r[1], r[2], r[3]),
              draw, [&](const Operands &in) {
                T product = Format::load(in[0]) * Format::load(in[1]);
                T sum = product + Format::load(in[2]);
                return Format::round(zeroSum(sum, product, each.mode),
                                     each.mode);
              });
    }
  }

  /// An exact zero from different operands is -0 when rounding down.
  static long double zeroSum(long double sum, long double a, Mode mode) {
    return sum == 0 && a != 0 ? (mode == Mode::Down ? -0.0L : 0.0L) : sum;
  }

  Numbers numbers{99};
};

TEST_F(RandomInstructionTest, Arithmetic) {
  arithmetic<Single>({std::begin(allModes), std::end(allModes)});
  arithmetic<Brain>({{"rn", Mode::Nearest}});
  arithmetic<HalfFormat>({{"rn", Mode::Nearest}});
}

TEST_F(RandomInstructionTest, QuotientsAndRoots) {
  auto draw = [&] { return uint64_t(Single::draw(numbers) & 0x7fffffff); };
  for (const NamedMode &each : allModes) {
    compare(fmt::format("div.{}.f32 %ro, %r0, %r1;", each.name), draw,
            [&](const Operands &in) {
              return Single::round(Single::load(in[0]) / Single::load(in[1]),
                                   each.mode);
            });
    compare(fmt::format("rcp.{}.f32 %ro, %r0;", each.name), draw,
            [&](const Operands &in) {
              return Single::round(1 / Single::load(in[0]), each.mode);
            });
    compare(fmt::format("sqrt.{}.f32 %ro, %r0;", each.name), draw,
            [&](const Operands &in) {
              return Single::round(std::sqrt(Single::load(in[0])), each.mode);
            });
  }
}

TEST_F(RandomInstructionTest, NarrowingConversions) {
  auto draw = [&] { return Single::draw(numbers); };
  for (const NamedMode &each : allModes)
    compare(fmt::format("cvt.{}.f16.f32 %ho, %r0;", each.name), draw,
            [&](const Operands &in) {
              return HalfFormat::round(Single::load(in[0]), each.mode);
            });
  for (const NamedMode &each : {allModes[0], allModes[1]}) {
    compare(fmt::format("cvt.{}.bf16.f32 %ho, %r0;", each.name), draw,
            [&](const Operands &in) {
              return Brain::round(Single::load(in[0]), each.mode);
            });
    compare(fmt::format("cvt.{}.bf16x2.f32 %ro, %r0, %r1;", each.name), draw,
            [&](const Operands &in) {
              return Brain::round(Single::load(in[0]), each.mode) << 16 |
                     Brain::round(Single::load(in[1]), each.mode);
            });
  }
  // Four and three significant bits; the largest numbers are 448 and 57344.
  auto eightBits = [&](long double value, int digits, int leastExponent,
                       long double largest) {
    long double rounded = roundTo(value, digits, leastExponent, Mode::Nearest);
    uint64_t sign = std::signbit(value) ? 0x80 : 0;
    long double magnitude = std::min(std::fabs(rounded), largest);
    int mantissaBits = digits - 1;
    long double least = std::ldexp(1.0L, leastExponent);
    if (magnitude < least)
      return sign |
             static_cast<uint64_t>(std::ldexp(magnitude / least, mantissaBits));
    int exponent = std::ilogb(magnitude);
    long double fraction = std::ldexp(magnitude, -exponent) - 1;
    return sign |
           static_cast<uint64_t>(exponent - leastExponent + 1) << mantissaBits |
           static_cast<uint64_t>(std::ldexp(fraction, mantissaBits));
  };
  auto wide = [&] {
    return uint64_t((numbers.bits() & 0x807fffff) | (110 + numbers.bits() % 30)
                                                        << 23);
  };
  compare("cvt.rn.satfinite.e4m3x2.f32 %ho, %r0, %r1;", wide,
          [&](const Operands &in) {
            return eightBits(Single::load(in[0]), 4, -6, 448) << 8 |
                   eightBits(Single::load(in[1]), 4, -6, 448);
          });
  compare("cvt.rn.satfinite.e5m2x2.f32 %ho, %r0, %r1;", wide,
          [&](const Operands &in) {
            return eightBits(Single::load(in[0]), 3, -14, 57344) << 8 |
                   eightBits(Single::load(in[1]), 3, -14, 57344);
          });
}

// The definitions of the manual, bit by bit.
TEST_F(RandomInstructionTest, BitFields) {
  auto draw = [&] {
    return numbers.bits() % 2 ? bits64() : uint64_t(numbers.bits() % 70);
  };
  auto extract = [](uint64_t a, uint64_t b, uint64_t c, int top,
                    bool isSigned) {
    int position = b & 0xff;
    int length = c & 0xff;
    uint64_t sign = 0;
    if (isSigned && length != 0)
      sign = a >> std::min(position + length - 1, top) & 1;
    uint64_t result = 0;
    for (int i = 0; i <= top; ++i)
      result |=
          (i < length && position + i <= top ? a >> (position + i) & 1 : sign)
          << i;
    return result;
  };
  auto insert = [](uint64_t a, uint64_t b, uint64_t c, uint64_t d, int top) {
    int position = c & 0xff;
    int length = d & 0xff;
    for (int i = 0; i < length && position + i <= top; ++i) {
      uint64_t bit = uint64_t(1) << (position + i);
      b = (b & ~bit) | (a >> i & 1 ? bit : 0);
    }
    return top == 31 ? b & 0xffffffff : b;
  };
  for (bool isSigned : {false, true}) {
    compare(fmt::format("bfe.{}32 %ro, %r0, %r1, %r2;", isSigned ? 's' : 'u'),
            draw, [&](const Operands &in) {
              return extract(in[0], in[1], in[2], 31, isSigned);
            });
    compare(fmt::format("bfe.{}64 %do, %d0, %r1, %r2;", isSigned ? 's' : 'u'),
            draw, [&](const Operands &in) {
              return extract(in[0], in[1], in[2], 63, isSigned);
            });
  }
  compare("bfi.b32 %ro, %r0, %r1, %r2, %r3;", draw, [&](const Operands &in) {
    return insert(in[0], in[1], in[2], in[3], 31);
  });
  compare("bfi.b64 %do, %d0, %d1, %r2, %r3;", draw, [&](const Operands &in) {
    return insert(in[0], in[1], in[2], in[3], 63);
  });
  for (int table : {0x00, 0x1b, 0x6a, 0x96, 0xe4, 0xff})
    compare(fmt::format("lop3.b32 %ro, %r0, %r1, %r2, {};", table), draw,
            [&](const Operands &in) {
              uint64_t result = 0;
              for (int i = 0; i < 32; ++i) {
                uint64_t index = (in[0] >> i & 1) << 2 | (in[1] >> i & 1) << 1 |
                                 (in[2] >> i & 1);
                result |= uint64_t(table >> index & 1) << i;
              }
              return result;
            });
  compare("prmt.b32 %ro, %r0, %r1, %r2;", draw, [&](const Operands &in) {
    uint64_t source = in[1] << 32 | (in[0] & 0xffffffff);
    uint64_t result = 0;
    for (int i = 0; i < 4; ++i) {
      uint64_t selector = in[2] >> (4 * i) & 15;
      uint64_t byte = source >> (8 * (selector & 7)) & 0xff;
      if (selector & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  });
}

TEST_F(RandomInstructionTest, IntegerArithmetic) {
  auto draw = [&] {
    return numbers.bits() % 4 ? bits64() : uint64_t(numbers.bits() % 3) - 1;
  };
  using Wide = __int128;
  auto s32 = [](uint64_t x) { return Wide(static_cast<int32_t>(x)); };
  auto u32 = [](uint64_t x) { return Wide(static_cast<uint32_t>(x)); };
  auto s64 = [](uint64_t x) { return Wide(static_cast<int64_t>(x)); };
  auto low = [](Wide x) { return uint64_t(x) & 0xffffffff; };
  compare("mad.lo.s32 %ro, %r0, %r1, %r2;", draw, [&](const Operands &in) {
    return low(s32(in[0]) * s32(in[1]) + s32(in[2]));
  });
  compare("mad.hi.u32 %ro, %r0, %r1, %r2;", draw, [&](const Operands &in) {
    return low((u32(in[0]) * u32(in[1]) >> 32) + u32(in[2]));
  });
  compare("mul.hi.s64 %do, %d0, %d1;", draw, [&](const Operands &in) {
    return uint64_t(s64(in[0]) * s64(in[1]) >> 64);
  });
  compare("mad.wide.s32 %do, %r0, %r1, %d2;", draw, [&](const Operands &in) {
    return uint64_t(s32(in[0]) * s32(in[1]) + s64(in[2]));
  });
  compare("mad.lo.u64 %do, %d0, %d1, %d2;", draw,
          [&](const Operands &in) { return in[0] * in[1] + in[2]; });
  compare("div.s32 %ro, %r0, %r1;", draw, [&](const Operands &in) {
    return s32(in[1]) == 0 ? 0xffffffff : low(s32(in[0]) / s32(in[1]));
  });
  compare("rem.u64 %do, %d0, %d1;", draw, [&](const Operands &in) {
    return in[1] == 0 ? in[0] : in[0] % in[1];
  });
  // 128 bits from four 32-bit words and one carry.
  compare("add.cc.u32 %rx, %r0, %r2;\naddc.u32 %ro, %r1, %r3;", draw,
          [&](const Operands &in) {
            Wide first = u32(in[0]) | u32(in[1]) << 32;
            Wide second = u32(in[2]) | u32(in[3]) << 32;
            return low((first + second) >> 32);
          });
  compare("sub.cc.u32 %rx, %r0, %r2;\nsubc.u32 %ro, %r1, %r3;", draw,
          [&](const Operands &in) {
            Wide first = u32(in[0]) | u32(in[1]) << 32;
            Wide second = u32(in[2]) | u32(in[3]) << 32;
            return low((first - second) >> 32);
          });
  auto byte = [](uint64_t x, int i, bool isSigned) {
    return isSigned ? int(static_cast<int8_t>(x >> (8 * i)))
                    : int(static_cast<uint8_t>(x >> (8 * i)));
  };
  auto pair = [](uint64_t x, int i, bool isSigned) {
    return isSigned ? int(static_cast<int16_t>(x >> (16 * i)))
                    : int(static_cast<uint16_t>(x >> (16 * i)));
  };
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      std::string types = fmt::format("{}32.{}32 %ro, %r0, %r1, %r2;",
                                      a ? 's' : 'u', b ? 's' : 'u');
      compare("dp4a." + types, draw, [&](const Operands &in) {
        Wide sum = u32(in[2]);
        for (int i = 0; i < 4; ++i)
          sum += byte(in[0], i, a) * byte(in[1], i, b);
        return low(sum);
      });
      for (int high : {0, 1})
        compare((high ? "dp2a.hi." : "dp2a.lo.") + types, draw,
                [&](const Operands &in) {
                  Wide sum = u32(in[2]);
                  for (int i = 0; i < 2; ++i)
                    sum += pair(in[0], i, a) * byte(in[1], i + 2 * high, b);
                  return low(sum);
                });
    }
}

// The errors that the manual documents, relative to the exact value or
// absolute. Without the option, results are correctly rounded.
TEST_F(RandomInstructionTest, ApproximationsStayWithinTheirErrors) {
  using T = long double;
  struct Function {
    const char *text;
    T (*exact)(T a, T b);
    T relative, absolute;
    float low, high; // of the operands
  };
  const Function functions[] = {
      {"ex2.approx.f32", [](T a, T) { return std::exp2(a); }, 0x1p-22L, 0, -9,
       9},
      {"lg2.approx.f32", [](T a, T) { return std::log2(a); }, 0, 0x1p-22L, 0.5f,
       2},
      {"lg2.approx.f32", [](T a, T) { return std::log2(a); }, 0x1p-22L, 0, 2,
       100},
      {"rcp.approx.f32", [](T a, T) { return 1 / a; }, 0x1p-23L, 0, 0.1f, 50},
      {"rsqrt.approx.f32", [](T a, T) { return 1 / std::sqrt(a); }, 0x1.12p-23L,
       0, 0.1f, 50},
      {"sqrt.approx.f32", [](T a, T) { return std::sqrt(a); }, 0x1p-23L, 0,
       0.1f, 50},
      {"sin.approx.f32", [](T a, T) { return std::sin(a); }, 0, 0x1.6p-21L, -3,
       3},
      {"cos.approx.f32", [](T a, T) { return std::cos(a); }, 0, 0x1.6p-21L, -3,
       3},
      {"tanh.approx.f32", [](T a, T) { return std::tanh(a); }, 0x1p-11L, 0, -4,
       4},
      {"div.approx.f32", [](T a, T b) { return a / b; }, 0x1p-22L, 0, 0.1f, 9},
      {"div.full.f32", [](T a, T b) { return a / b; }, 0x1p-22L, 0, 0.1f, 9},
  };
  for (const Function &function : functions) {
    bool binary = std::string(function.text).find("div") == 0;
    std::string text =
        std::string(function.text) + " %ro, %r0" + (binary ? ", %r1;" : ";");
    SCOPED_TRACE(text);
    std::vector<Operands> rows(256);
    for (Operands &row : rows)
      for (uint64_t &value : row)
        value = asBits(function.low + (function.high - function.low) *
                                          float(numbers.bits()) * 0x1p-32f);
    std::vector<uint64_t> plain = evaluate(text, rows);
    DeviceOptions options;
    options.perturbApproximations = true;
    options.perturbSeed = 5;
    std::vector<uint64_t> perturbed = evaluate(text, rows, options);
    unsigned moved = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      T exact = function.exact(asFloat(rows[i][0]), asFloat(rows[i][1]));
      ASSERT_EQ(plain[i], asBits(static_cast<float>(exact))) << i;
      T error = std::fabs(T(asFloat(perturbed[i])) - exact);
      ASSERT_LE(error, std::fabs(exact) * function.relative + function.absolute)
          << i;
      moved += perturbed[i] != plain[i];
    }
    EXPECT_GT(moved, rows.size() / 8);
  }
}

} // namespace
