// Values that nothing has set: moves, packing and arithmetic take them along,
// and where they matter they are reported once.

#include "PlantedFaults.h"

using namespace attnres::emulator;

namespace {

class UndefinedTest : public PlantedFaults {
protected:
  // Of %r1, %h1, %f1, %rd8 and %p1 nothing is set; %r2 and the like are.
  void runAll(const std::string &body) {
    SCOPED_TRACE(body);
    runBody("mov.u32 %r2, 7;\nmov.u32 %r3, 0x3f803f80;\nmov.b16 %h2, 3;\n"
            "mov.f32 %f2, 0f3f800000;\nsetp.eq.u32 %p2, %r2, 7;\n" +
            body);
  }
  void expectUse(const std::string &body, const char *where) {
    runAll(body);
    SCOPED_TRACE(body);
    expectFinding(FindingKind::UninitializedRegister, where);
    EXPECT_EQ(device.findings().size(), 1u);
  }
  void expectUnused(const std::string &body) {
    runAll(body);
    SCOPED_TRACE(body);
    expectClean();
  }
};

const std::string store = "st.global.u32 [%rd0], %r9;";
const std::string storeHalf = "st.global.u16 [%rd0], %h9;";

TEST_F(UndefinedTest, UsesAreReported) {
  expectUse("st.global.u32 [%rd0], %r1;", "st.global");
  expectUse("mov.b32 %r4, %r1;\nadd.u32 %r9, %r4, 1;\n" + store, "st.global");
  expectUse("setp.eq.u32 %p3, %r1, 0;\n@%p3 bra L;\nL:", "bra L");
  expectUse("@%p1 mov.u32 %r4, 1;", "mov.u32 %r4");
  expectUse("cvt.u64.u32 %rd4, %r1;\nadd.u64 %rd4, %rd0, %rd4;\n"
            "ld.global.u32 %r4, [%rd4];",
            "ld.global");
  expectUse("bar.sync %r1;", "bar.sync");
  expectUse("red.global.add.u32 [%rd0], %r1;", "red.global");
  expectUse("shfl.sync.idx.b32 %r9, %r2, %r1, 31, -1;", "shfl.sync");
  EXPECT_NE(device.findings()[0].message.find("%r1"), std::string::npos);
  // The register that was never set is named, not the one it went to.
  expectUse("mov.b32 %r4, %r1;\nst.global.u32 [%rd0], %r4;", "st.global");
  EXPECT_NE(device.findings()[0].message.find("register %r1 has never"),
            std::string::npos);
}

TEST_F(UndefinedTest, WhatGoesNowhereIsNot) {
  expectUnused("mov.b32 %r4, %r1;\nadd.u32 %r5, %r4, 1;\nmul.f32 %f3, %f1, "
               "%f2;\nsetp.eq.u32 %p3, %r1, 0;\nand.pred %p4, %p3, %p2;");
  expectUnused("mov.b32 %r9, %r1;\nmov.b32 %r9, %r2;\n" + store);
  expectUnused("selp.b32 %r9, %r2, %r1, %p2;\n" + store);
  expectUse("selp.b32 %r9, %r1, %r2, %p2;\n" + store, "st.global");
  expectUse("selp.b32 %r9, %r2, %r3, %p1;\n" + store, "st.global");
  // Lanes that a branch leaves out.
  expectUnused("setp.lt.u32 %p3, %r0, 4;\n@%p3 mov.u32 %r1, %r0;\n"
               "add.u32 %r9, %r1, 1;\nmul.wide.u32 %rd4, %r0, 4;\n"
               "add.u64 %rd4, %rd0, %rd4;\n@%p3 st.global.u32 [%rd4], %r9;");
  // A shuffle moves, too.
  expectUnused("setp.eq.u32 %p3, %r0, 0;\n@%p3 mov.u32 %r1, 5;\n"
               "shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;\n" +
               store);
  expectUse("setp.eq.u32 %p3, %r0, 0;\n@%p3 mov.u32 %r1, 5;\n"
            "shfl.sync.idx.b32 %r9, %r1, 1, 31, -1;\n" +
                store,
            "st.global");
}

TEST_F(UndefinedTest, HalvesAndBytes) {
  const std::string packs[] = {
      "mov.b32 %r4, {%h2, %h1};\n",
      "mov.b32 %r4, {%h2, %h1};\nadd.rn.bf16x2 %r4, %r4, %r3;\n",
      "mov.b32 %r4, {%h2, %h1};\nfma.rn.f16x2 %r4, %r4, %r3, %r3;\n",
      "mov.b32 %r4, {%h2, %h1};\nxor.b32 %r4, %r4, %r3;\n",
      "cvt.rn.bf16x2.f32 %r4, %f1, %f2;\n",
      "mov.b32 %r4, {%h1, %h2};\nprmt.b32 %r4, %r4, %r3, 0x1032;\n",
      "mov.b32 %r5, {%h1, %h2};\nmov.b64 %rd4, {%r5, %r1};\n"
      "mov.b64 {%r6, %r7}, %rd4;\nmov.b32 {%h3, %h4}, %r6;\n"
      "mov.b32 %r4, {%h4, %h3};\n",
  };
  for (const std::string &pack : packs) {
    expectUnused(pack + "mov.b32 {%h9, _}, %r4;\n" + storeHalf);
    expectUnused(pack + "cvt.u16.u32 %h9, %r4;\n" + storeHalf);
    expectUnused(pack + "st.global.u16 [%rd0], %r4;");
    expectUnused(pack + "and.b32 %r9, %r4, 0xffff;\n" + store);
    expectUse(pack + "mov.b32 %r9, %r4;\n" + store, "st.global.u32");
    expectUse(pack + "add.u32 %r9, %r4, 1;\n" + store, "st.global.u32");
  }
  expectUse(packs[0] + "mov.b32 {_, %h9}, %r4;\n" + storeHalf, "st.global.u16");
  expectUnused("mov.b32 %r4, {%h1, %h2};\nshr.u32 %r9, %r4, 16;\n" + store);
  expectUse("mov.b32 %r4, {%h1, %h2};\nshr.u32 %r9, %r4, 8;\n" + store,
            "st.global.u32");
  expectUse(packs[0] + "shl.b32 %r9, %r4, 8;\n" + store, "st.global.u32");
}

TEST_F(UndefinedTest, ArgumentsThatAreNotUsed) {
  const std::string function =
      ".func (.param .b32 r) f(.param .b32 x, .param .b32 y)\n{\n"
      ".reg .b32 %a<3>;\nld.param.b32 %a1, [x];\nld.param.b32 %a2, [y];\n"
      "add.u32 %a2, %a2, 1;\nst.param.b32 [r], %a1;\nret;\n}\n";
  auto call = [](const char *first, const char *second) {
    return fmt::format("mov.u32 %r2, 1;\n{{\n.param .b32 a;\n.param .b32 b;\n"
                       ".param .b32 c;\nst.param.b32 [a], {};\n"
                       "st.param.b32 [b], {};\ncall (c), f, (a, b);\n"
                       "ld.param.b32 %r9, [c];\n}}\n",
                       first, second) +
           store;
  };
  runBody(call("%r2", "%r1"), 32, function);
  expectClean();
  runBody(call("%r1", "%r2"), 32, function);
  expectFinding(FindingKind::UninitializedRegister, "st.global.u32");
}

// Copies of one tensor that every warp makes are no race; writes of different
// values are.
TEST_F(UndefinedTest, WritesOfTheSameValue) {
  const std::string same = "mov.u32 %r1, tile;\nmov.u32 %r2, 7;\n"
                           "st.shared.u32 [%r1], %r2;\nbar.sync 0;\n"
                           "ld.shared.u32 %r3, [%r1];";
  runBody(same, 64, sharedTile);
  expectClean();
  options.checkSameValue = true;
  runBody(same, 64, sharedTile);
  expectFinding(FindingKind::SameValueRace, "st.shared");
  options.checkSameValue = false;
  const std::string different =
      "mov.u32 %r1, tile;\nshr.u32 %r2, %r0, 5;\n"
      "st.shared.u32 [%r1], %r2;\nbar.sync 0;\nld.shared.u32 %r3, [%r1];";
  runBody(different, 64, sharedTile);
  expectFinding(FindingKind::DataRace, "st.shared");
  // A read between is one, whatever is written.
  runBody("mov.u32 %r1, tile;\nmov.u32 %r2, 7;\nst.shared.u32 [%r1], %r2;\n"
          "ld.shared.u32 %r3, [%r1];",
          64, sharedTile);
  expectFinding(FindingKind::DataRace, "st.shared");
}

// One instruction, one finding, however many it races with.
TEST_F(UndefinedTest, OneFindingForAnInstruction) {
  std::string body = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 2;\n"
                     "add.u32 %r2, %r1, %r2;\n";
  for (int i = 0; i < 8; ++i)
    body += fmt::format("st.shared.u32 [%r2+{}], %r0;\n", 128 * i);
  body += "xor.b32 %r3, %r2, 64;\nmov.u32 %r4, 0;\nL:\nld.shared.u32 %r5, "
          "[%r3];\nadd.u32 %r3, %r3, 128;\nadd.u32 %r4, %r4, 1;\n"
          "setp.lt.u32 %p1, %r4, 8;\n@%p1 bra L;";
  runBody(body, 32, ".shared .align 128 .b8 tile[1024];");
  ASSERT_EQ(device.findings().size(), 1u);
  EXPECT_GT(device.findings()[0].count, 100u);
}

} // namespace
