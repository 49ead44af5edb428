// Objects of the system compilers run after loading; what cannot be loaded is
// refused with one line; damaged objects never crash the loader.
#include "runtime/ObjectLoader.h"

#include "runtime/ExternalSymbols.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <random>

using namespace attnres;
using namespace attnres::runtime;

namespace {

std::string object(const std::string &name) {
  return readBytes(ATTNRES_OBJECT_DIR "/" + name + ".o");
}

std::string errorOf(std::string_view bytes) {
  auto loaded = LoadedObject::load(bytes, "p");
  if (loaded.ok())
    return "";
  EXPECT_EQ(loaded.status().message().find('\n'), std::string::npos);
  return loaded.status().message();
}

class ObjectLoaderTest : public testing::TestWithParam<const char *> {};

TEST_P(ObjectLoaderTest, CodeRuns) {
  std::string bytes = object(GetParam());
  if (bytes.empty())
    GTEST_SKIP() << "no such compiler";
  auto loaded = LoadedObject::load(bytes, "p");
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  // Nothing may refer to the bytes it was loaded from, nor to its old place.
  std::fill(bytes.begin(), bytes.end(), '\0');
  LoadedObject code = *std::move(loaded);

  auto function = [&](const char *name) {
    void *address = code.symbol(name);
    EXPECT_NE(address, nullptr) << name;
    return reinterpret_cast<int64_t (*)(...)>(address);
  };
  EXPECT_EQ(function("square")(int64_t{9}), 81);
  EXPECT_EQ(function("count")(), 41);
  EXPECT_EQ(function("count")(), 42);
  EXPECT_EQ(*static_cast<int64_t *>(code.symbol("counter")), 42);
  EXPECT_EQ(function("apply")(int64_t{0}, int64_t{21}), 42);
  EXPECT_EQ(function("apply")(int64_t{1}, int64_t{21}), 22);
  EXPECT_EQ(function("apply_writable")(int64_t{0}, int64_t{21}), 22);
  EXPECT_EQ(function("fill")(int64_t{999}, int64_t{5}), 0);
  EXPECT_EQ(function("fill")(int64_t{999}, int64_t{0}), 6);
  int64_t chosen[] = {11, 21, 42, 14, -3, 99, 0};
  for (int64_t i = 0; i < 7; ++i)
    EXPECT_EQ(function("choose")(i), chosen[i]);
  EXPECT_STREQ(reinterpret_cast<const char *(*)()>(code.symbol("name"))(),
               "attention");

  char target[10] = {};
  function("copy")(target, "residuals", int64_t{10});
  EXPECT_STREQ(target, "residuals");
  auto set = reinterpret_cast<void *(*(*)())(void *, int, size_t)>(
      code.symbol("address_of_memset"))();
  set(target, 'x', 9);
  EXPECT_STREQ(target, "xxxxxxxxx");

  float x[5] = {-2, -0.5f, 0, 1, 3}, y[5];
  std::fill(y, y + 5, std::nanf(""));
  void *args[] = {x, y};
  function("kernel")(args, nullptr, int64_t{1}, int64_t{4});
  for (int i = 1; i < 4; ++i)
    EXPECT_EQ(y[i], std::tanh(x[i]) + std::exp(x[i]));
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[4]));

  EXPECT_EQ(code.symbol("twice"), nullptr) << "local symbols are private";
  EXPECT_EQ(code.symbol("memcpy"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Compilers, ObjectLoaderTest,
                         testing::Values("kernels_O0", "kernels_O2",
                                         "kernels_no_plt", "kernels_large",
                                         "kernels_clang"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

TEST(ObjectLoader, ConstantsAndCodeAreNotWritable) {
  auto loaded = LoadedObject::load(object("kernels_O2"), "p");
  ASSERT_TRUE(loaded.ok());
  EXPECT_DEATH(*static_cast<char *>(loaded->symbol("square")) = 1, "");
}

TEST(ObjectLoader, FI6Refusals) {
  EXPECT_EQ(errorOf(object("unknown_symbol")), "p: undefined symbol 'system'");
  EXPECT_EQ(errorOf(object("thread_local")).substr(0, 25),
            "p: thread-local storage i");
  EXPECT_EQ(errorOf(object("constructor")).substr(0, 25),
            "p: constructors or destru");
  EXPECT_NE(errorOf(object("kernels_absolute")).find("position independent"),
            std::string::npos);
  EXPECT_EQ(errorOf(""), "p: not an ELF file");
  EXPECT_EQ(errorOf(std::string(100, 'x')), "p: not an ELF file");
  EXPECT_EQ(errorOf(readBytes("/proc/self/exe")),
            "p: not a relocatable object for 64-bit x86");
  std::string good = object("kernels_O2");
  EXPECT_EQ(errorOf(good.substr(0, good.size() / 2)),
            "p: section table outside the file");
}

TEST(ObjectLoader, RandomDamageNeverCrashes) {
  std::string good = object("kernels_O2");
  ASSERT_EQ(errorOf(good), "");
  std::mt19937 random(3);
  // The section table is the last part of the file, and the most sensitive.
  size_t tail = good.size() - std::min<size_t>(good.size(), 2500);
  for (int round = 0; round < 5000; ++round) {
    std::string bad = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      size_t first = random() % 3 == 0 ? 0 : tail;
      size_t at = first + random() % (bad.size() - first);
      if (random() % 2)
        bad[at] = static_cast<char>(random());
      else
        std::memset(&bad[at], random() % 2 ? 0xff : 0x00,
                    std::min<size_t>(8, bad.size() - at));
    }
    errorOf(bad);
  }
}

TEST(ExternalSymbols, FloatToBFloat16) {
  auto toBFloat16 =
      reinterpret_cast<__m128i (*)(float)>(findExternalSymbol("__truncsfbf2"));
  auto bits = [&](float x) { return _mm_cvtsi128_si32(toBFloat16(x)); };
  EXPECT_EQ(bits(1.0f), 0x3f80);
  EXPECT_EQ(bits(-2.0f), 0xc000);
  EXPECT_EQ(bits(1.0f + 0x1p-8f), 0x3f80) << "ties go to even";
  EXPECT_EQ(bits(1.0f + 0x3p-8f), 0x3f82);
  EXPECT_EQ(bits(1.0f + 0x1.1p-8f), 0x3f81);
  EXPECT_EQ(bits(3.4e38f), 0x7f80) << "rounds up to infinity";
  EXPECT_EQ(bits(INFINITY), 0x7f80);
  EXPECT_EQ(bits(std::nanf("")) & 0x7fff, 0x7fc0);
}

TEST(ExternalSymbols, NothingElse) {
  EXPECT_EQ(findExternalSymbol("system"), nullptr);
  EXPECT_EQ(findExternalSymbol(""), nullptr);
}

} // namespace
