// What the emulator's tests share: files, buffers, launches.

#ifndef ATTNRES_TEST_UNIT_EMULATOR_EMULATORTESTSUPPORT_H
#define ATTNRES_TEST_UNIT_EMULATOR_EMULATORTESTSUPPORT_H

#include "runtime/emulator/Device.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace attnres::emulator {

inline std::string readTestFile(const std::string &name) {
  std::ifstream file(std::string(EMULATOR_TEST_DATA) + "/" + name,
                     std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A kernel of its own from a few lines of PTX, with parameters p0 to p3 of 64
/// bits in %rd0 to %rd3 and %tid.x in %r0.
inline std::string wrapPtx(const std::string &body,
                           const std::string &declarations = "") {
  std::string text = ".version 8.7\n.target sm_90a\n.address_size 64\n" +
                     declarations +
                     "\n.visible .entry k(.param .u64 p0, .param .u64 p1, "
                     ".param .u64 p2, .param .u64 p3)\n{\n"
                     ".reg .pred %p<16>;\n.reg .b16 %h<32>;\n"
                     ".reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n"
                     ".reg .f32 %f<64>;\n.reg .f64 %fd<32>;\n";
  for (int i = 0; i < 4; ++i)
    text += fmt::format("ld.param.u64 %rd{}, [p{}];\n", i, i);
  return text + "mov.u32 %r0, %tid.x;\n" + body + "\nret;\n}\n";
}

class EmulatorTest : public testing::Test {
protected:
  void load(const std::string &ptx) {
    Status status = device.loadModule(ptx);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void loadFile(const std::string &name) { load(readTestFile(name)); }

  template <typename T>
  uint64_t upload(const std::vector<T> &values) {
    uint64_t bytes = values.size() * sizeof(T);
    Result<uint64_t> address = device.allocate(bytes);
    EXPECT_TRUE(address.ok());
    EXPECT_TRUE(device.copyToDevice(*address, values.data(), bytes).ok());
    return *address;
  }
  /// Memory with a poison that no kernel under test produces.
  template <typename T>
  uint64_t output(size_t count) {
    return upload(std::vector<uint8_t>(count * sizeof(T), 0xab));
  }
  template <typename T>
  std::vector<T> download(uint64_t address, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(
        device.copyToHost(values.data(), address, count * sizeof(T)).ok());
    return values;
  }

  template <typename... Args>
  Status tryRun(const std::string &kernel, const LaunchConfig &config,
                const Args &...args) {
    return device.launch(kernel, config, {static_cast<const void *>(&args)...});
  }
  /// Runs and expects neither an error nor a finding.
  template <typename... Args>
  void run(const std::string &kernel, const LaunchConfig &config,
           const Args &...args) {
    Status status = tryRun(kernel, config, args...);
    EXPECT_TRUE(status.ok()) << status.message();
    for (const Finding &finding : device.findings())
      ADD_FAILURE() << finding.text();
    device.clearFindings();
  }
  static LaunchConfig shape(uint32_t grid, uint32_t block) {
    LaunchConfig config;
    config.grid.x = grid;
    config.block.x = block;
    return config;
  }

  Device device;
};

/// A number that makes a search longer or another one.
inline uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Small deterministic numbers.
class Numbers {
public:
  explicit Numbers(uint64_t seed) : state(seed * 2654435761u + 1) {}
  uint32_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 32);
  }
  /// Multiples of 1/16 in [-2, 2): exact in every format, sums too.
  float exact() { return static_cast<float>(int(bits() % 64) - 32) / 16; }
  std::vector<float> exacts(size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = exact();
    return values;
  }

private:
  uint64_t state;
};

inline uint16_t toBfloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
inline float fromBfloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}
/// For values that f16 holds exactly.
inline uint16_t toHalf(float value) {
  if (value == 0)
    return 0;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  int exponent = int((bits >> 23) & 255) - 127 + 15;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 |
                               (bits >> 13 & 0x3ff));
}
inline float fromHalf(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  float value = exponent == 0
                    ? std::ldexp(float(bits & 0x3ff), -24)
                    : std::ldexp(float(1024 + (bits & 0x3ff)), exponent - 25);
  return bits & 0x8000 ? -value : value;
}
template <typename T, typename F>
std::vector<T> mapAll(const std::vector<float> &values, F f) {
  std::vector<T> result(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    result[i] = f(values[i]);
  return result;
}

} // namespace attnres::emulator

#endif // ATTNRES_TEST_UNIT_EMULATOR_EMULATORTESTSUPPORT_H
