// Names of instruction sets, what includes what, and what the environment may
// ask for.
#include "support/machine/Isa.h"
#include "support/machine/DotProducts.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace attnres::machine;

namespace {

Isa isa(std::string_view name) { return *Isa::parse(name); }

TEST(Isa, NamesRoundTrip) {
  ASSERT_EQ(isaNames().size(), 6u);
  for (std::string_view name : isaNames()) {
    ASSERT_TRUE(Isa::parse(name)) << name;
    EXPECT_EQ(isa(name).toString(), name);
  }
  for (const char *name :
       {"", "host", "sse9", "avx512+", "+amx-bf16", "avx2+amx-bf16",
        "avx512+dot-bf16", "avx512-bf16+amx", "avx512-bf16+amx-bf16 ",
        "avx512-bf16+amx-bf16+dot-bf16"})
    EXPECT_FALSE(Isa::parse(name)) << name;
}

TEST(Isa, EachIncludesThoseBefore) {
  for (size_t i = 0; i < isaNames().size(); ++i)
    for (size_t j = 0; j <= i; ++j)
      EXPECT_TRUE(isa(isaNames()[i]).includes(isa(isaNames()[j])))
          << isaNames()[i] << " " << isaNames()[j];
  EXPECT_FALSE(isa("generic").includes(isa("avx2")));
  EXPECT_FALSE(isa("avx512").includes(isa("avx512-bf16+dot-bf16")));
  EXPECT_FALSE(
      isa("avx512-bf16+dot-bf16").includes(isa("avx512-bf16+amx-bf16")));
  // Dot products are part of the level; the name says whether they are fast.
  EXPECT_TRUE(isa("avx512-bf16").includes(isa("avx512-bf16+dot-bf16")));
}

TEST(Isa, DetectionAgreesWithTheCompilersLibrary) {
  const Isa &processor = processorIsa();
  __builtin_cpu_init();
  EXPECT_EQ(processor.level >= IsaLevel::Avx2,
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2"));
  EXPECT_EQ(processor.level >= IsaLevel::Avx512,
            __builtin_cpu_supports("avx512f") &&
                __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512cd"));
  EXPECT_EQ(processor.level >= IsaLevel::Avx512Bf16,
            processor.level >= IsaLevel::Avx512 &&
                __builtin_cpu_supports("avx512bf16"));
  EXPECT_TRUE(Isa::parse(processor.toString()));
}

TEST(Isa, G13TheEnvironmentChooses) {
  Isa processor = isa("avx512");
  for (const char *all : {(const char *)nullptr, "", "host", "avx512"}) {
    IsaChoice choice = chooseIsa(processor, all);
    EXPECT_EQ(choice.isa.toString(), "avx512");
    EXPECT_EQ(choice.error, "");
  }
  EXPECT_EQ(chooseIsa(processor, "avx2").isa.toString(), "avx2");
  EXPECT_EQ(chooseIsa(processor, "avx2").error, "");
  EXPECT_EQ(chooseIsa(processor, "avx512-bf16").error,
            "ATTNRES_ISA: this machine does not have avx512-bf16, it has "
            "avx512");
  EXPECT_EQ(chooseIsa(processor, "AVX2").error,
            "ATTNRES_ISA: unknown instruction set 'AVX2', expected host, "
            "generic, avx2, avx512, avx512-bf16, avx512-bf16+dot-bf16 or "
            "avx512-bf16+amx-bf16");
  // What a test run at a lower level asks for is what it gets.
  EXPECT_EQ(
      hostIsa().isa.toString(),
      chooseIsa(processorIsa(), std::getenv(kIsaVariable)).isa.toString());
}

TEST(DotProducts, KnownProcessors) {
  EXPECT_EQ(knownDotProducts("AuthenticAMD", 0x19, 0x61), true); // Zen 4
  EXPECT_EQ(knownDotProducts("AuthenticAMD", 0x1a, 0x44), true); // Zen 5
  EXPECT_EQ(knownDotProducts("GenuineIntel", 6, 0x8f), false);
  EXPECT_EQ(knownDotProducts("GenuineIntel", 6, 0x55), std::nullopt);
  EXPECT_EQ(knownDotProducts("SomebodyElse", 0x19, 0x61), std::nullopt);
  EXPECT_EQ(std::string(processorName().vendor).size(), 12u);
}

TEST(DotProducts, MeasuringAgreesWithWhatIsKnown) {
  if (processorIsa().level < IsaLevel::Avx512Bf16)
    GTEST_SKIP() << "no bf16 instructions here";
  EXPECT_GT(measureDotProducts(), 0);
  if (processorIsa().amxBf16)
    EXPECT_FALSE(processorIsa().dotBf16);
  else
    EXPECT_EQ(areDotProductsFast(), areDotProductsFast());
}

} // namespace
