// Spelling and comparison of instruction sets.
#include "runtime/CpuFeatures.h"

#include <gtest/gtest.h>

using namespace attnres::runtime;

namespace {

TEST(CpuFeatures, SpellingRoundTrips) {
  for (const char *text :
       {"generic", "avx2", "avx512", "avx512-bf16", "avx512-bf16+amx-bf16"}) {
    auto features = CpuFeatures::parse(text);
    ASSERT_TRUE(features.ok()) << features.status().message();
    EXPECT_EQ(features->toString(), text);
  }
  auto host = CpuFeatures::parse("host");
  ASSERT_TRUE(host.ok());
  EXPECT_EQ(host->toString(), CpuFeatures::detect().toString());
}

TEST(CpuFeatures, UnknownNames) {
  auto errorOf = [](std::string_view text) {
    return CpuFeatures::parse(text).status().message();
  };
  EXPECT_EQ(errorOf("sse9"),
            "unknown instruction set 'sse9', expected host, generic, avx2, "
            "avx512 or avx512-bf16");
  EXPECT_EQ(errorOf("avx512+"), "unknown CPU feature '' of avx512");
  EXPECT_EQ(errorOf("avx2+amx-bf16"), "unknown CPU feature 'amx-bf16' of avx2");
}

TEST(CpuFeatures, DetectionAgreesWithTheCompilersLibrary) {
  CpuFeatures features = CpuFeatures::detect();
  __builtin_cpu_init();
  EXPECT_EQ(features.level >= IsaLevel::Avx2,
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2"));
  EXPECT_EQ(features.level >= IsaLevel::Avx512,
            __builtin_cpu_supports("avx512f") &&
                __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512cd"));
  EXPECT_EQ(features.level >= IsaLevel::Avx512Bf16,
            features.level >= IsaLevel::Avx512 &&
                __builtin_cpu_supports("avx512bf16"));
}

TEST(CpuFeatures, Supports) {
  CpuFeatures avx2 = *CpuFeatures::parse("avx2");
  EXPECT_TRUE(avx2.supports("generic", {}).ok());
  EXPECT_TRUE(avx2.supports("avx2", {}).ok());
  EXPECT_EQ(avx2.supports("avx512", {}).message(),
            "code needs avx512, this CPU has avx2");
  EXPECT_EQ(avx2.supports("avx2", {"amx-bf16"}).message(),
            "code needs 'amx-bf16', this CPU has avx2");
  EXPECT_EQ(avx2.supports("avx1024", {}).message(),
            "code for unknown instruction set 'avx1024'");
  CpuFeatures all = *CpuFeatures::parse("avx512-bf16+amx-bf16");
  EXPECT_TRUE(all.supports("avx512", {"amx-bf16"}).ok());
  EXPECT_TRUE(all.supports("avx512-bf16", {}).ok());
  EXPECT_FALSE(all.supports("avx512", {"avx10"}).ok());
}

} // namespace
