// Spelling and comparison of instruction sets.
#include "runtime/CpuFeatures.h"

#include <gtest/gtest.h>

using namespace attnres;
using namespace attnres::runtime;

namespace {

TEST(CpuFeatures, Names) {
  for (std::string_view text : attnres::machine::isaNames()) {
    auto features = CpuFeatures::parse(text);
    ASSERT_TRUE(features.ok()) << features.status().message();
    EXPECT_EQ(features->toString(), text);
  }
  auto host = CpuFeatures::parse("host");
  ASSERT_TRUE(host.ok());
  EXPECT_EQ(host->toString(), CpuFeatures::detect().toString());
  EXPECT_EQ(CpuFeatures::parse("sse9").status().message(),
            "unknown instruction set 'sse9', expected host, generic, avx2, "
            "avx512, avx512-bf16, avx512-bf16+dot-bf16 or "
            "avx512-bf16+amx-bf16");
}

TEST(CpuFeatures, Supports) {
  CpuFeatures avx2 = *CpuFeatures::parse("avx2");
  EXPECT_TRUE(avx2.supports("generic").ok());
  EXPECT_TRUE(avx2.supports("avx2").ok());
  EXPECT_EQ(avx2.supports("avx512").message(),
            "code needs avx512, this machine has avx2");
  EXPECT_EQ(avx2.supports("avx512-bf16+amx-bf16").message(),
            "code needs avx512-bf16+amx-bf16, this machine has avx2");
  EXPECT_EQ(avx2.supports("avx1024").message(),
            "code for unknown instruction set 'avx1024'");
  EXPECT_EQ(avx2.supports("avx2+amx-bf16").message(),
            "code for unknown instruction set 'avx2+amx-bf16'");
  CpuFeatures all = *CpuFeatures::parse("avx512-bf16+amx-bf16");
  EXPECT_TRUE(all.supports("avx512-bf16+amx-bf16").ok());
  EXPECT_TRUE(all.supports("avx512-bf16+dot-bf16").ok());
  EXPECT_TRUE(all.supports("avx512-bf16").ok());
  EXPECT_FALSE(all.supports("avx512-bf16+avx10").ok());
  CpuFeatures bf16 = *CpuFeatures::parse("avx512-bf16");
  EXPECT_TRUE(bf16.supports("avx512-bf16+dot-bf16").ok());
  EXPECT_FALSE(bf16.supports("avx512-bf16+amx-bf16").ok());
}

} // namespace
