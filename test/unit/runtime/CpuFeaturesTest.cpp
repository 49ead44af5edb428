// Spelling and comparison of instruction sets.
#include "runtime/CpuFeatures.h"

#include <gtest/gtest.h>

using namespace attnres::runtime;

namespace {

TEST(CpuFeatures, SpellingRoundTrips) {
  for (const char *text : {"generic", "avx2", "avx512", "avx512+avx512_bf16",
                           "avx512+avx512_bf16+amx_bf16", "avx512+amx_bf16"}) {
    auto features = CpuFeatures::parse(text);
    ASSERT_TRUE(features.ok()) << features.status().message();
    EXPECT_EQ(features->toString(), text);
  }
  auto native = CpuFeatures::parse("native");
  ASSERT_TRUE(native.ok());
  EXPECT_EQ(native->toString(), CpuFeatures::detect().toString());
}

TEST(CpuFeatures, UnknownNames) {
  EXPECT_EQ(CpuFeatures::parse("sse9").status().message(),
            "unknown instruction set 'sse9', expected native, generic, avx2 or "
            "avx512");
  EXPECT_EQ(CpuFeatures::parse("avx512+").status().message(),
            "unknown CPU feature '', expected avx512_bf16 or amx_bf16");
  EXPECT_EQ(CpuFeatures::parse("avx2+amx_bf16").status().message(),
            "bf16 instructions need avx512, got avx2");
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
  EXPECT_EQ(features.avx512Bf16, !!__builtin_cpu_supports("avx512bf16"));
}

TEST(CpuFeatures, Supports) {
  CpuFeatures avx2 = *CpuFeatures::parse("avx2");
  EXPECT_TRUE(avx2.supports("generic", {}).ok());
  EXPECT_TRUE(avx2.supports("avx2", {}).ok());
  EXPECT_EQ(avx2.supports("avx512", {}).message(),
            "code needs avx512, this CPU has avx2");
  EXPECT_EQ(avx2.supports("avx2", {"avx512_bf16"}).message(),
            "code needs 'avx512_bf16', this CPU has avx2");
  EXPECT_EQ(avx2.supports("avx1024", {}).message(),
            "code for unknown instruction set 'avx1024'");
  CpuFeatures all = *CpuFeatures::parse("avx512+avx512_bf16+amx_bf16");
  EXPECT_TRUE(all.supports("avx512", {"avx512_bf16", "amx_bf16"}).ok());
  EXPECT_FALSE(all.supports("avx512", {"avx10"}).ok());
}

} // namespace
