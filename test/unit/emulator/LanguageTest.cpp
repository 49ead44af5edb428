// Forms of PTX that compilers write now and then: they load and do what they
// say.

#include "PlantedFaults.h"

using namespace attnres::emulator;

namespace {

class LanguageTest : public PlantedFaults {
protected:
  /// The first word of the first buffer after the body has run in one thread.
  uint32_t word(const std::string &body, const std::string &declarations = "") {
    EXPECT_EQ(runBody(body, 1, declarations), "");
    expectClean();
    return download<uint32_t>(buffers[0], 1)[0];
  }
};

TEST_F(LanguageTest, NoBlanksBetweenDirectives) {
  EXPECT_EQ(word("{.reg.b32 a;.reg.pred q;.local.align 4 .b32 l;mov.u32 a,9;\n"
                 "setp.eq.u32 q,a,9;st.local.u32[l],a;ld.local.u32 a,[l];\n"
                 "@q st.global.u32[%rd0],a;}"),
            9u);
}

TEST_F(LanguageTest, ConstantExpressions) {
  EXPECT_EQ(word("mov.u32 %r1, (1+2)*3<<2 | 1;\nst.global.u32 [%rd0+2*2-4], "
                 "%r1;"),
            37u);
  EXPECT_EQ(word("mov.u32 %r1, -7/2 + (5>3 ? 10 : 20) + WARP_SZ;\n"
                 "st.global.u32 [%rd0], %r1;"),
            39u);
  EXPECT_EQ(word("mov.u64 %rd4, ~0U / 2U >> 62;\nst.global.u32 [%rd0], 5;\n"
                 "st.global.u64 [%rd0], %rd4;"),
            1u);
}

TEST_F(LanguageTest, VectorRegisters) {
  EXPECT_EQ(word(".reg .v4 .u32 v;\nmov.u32 v.x, 1;\nmov.u32 v.y, 20;\n"
                 "mov.u32 v.z, 300;\nmov.u32 v.w, 4000;\n"
                 "st.global.v4.u32 [%rd1], v;\nld.global.v4.u32 v, [%rd1];\n"
                 "add.u32 v.r, v.g, v.b;\nadd.u32 v.x, v.x, v.a;\n"
                 "st.global.u32 [%rd0], v.x;"),
            4320u);
}

// Inner names come before outer ones, whatever they are.
TEST_F(LanguageTest, InnerNamesHideOuterOnes) {
  EXPECT_EQ(word(".reg .b32 x;\nmov.u32 x, 3;\n{\n.local .b32 x;\n"
                 "st.local.u32 [x], 8;\nld.local.u32 %r1, [x];\n}\n"
                 "add.u32 x, x, %r1;\nst.global.u32 [%rd0], x;"),
            11u);
}

TEST_F(LanguageTest, RegistersAndConstantsAsArguments) {
  const std::string function =
      ".func (.param .b32 r) f(.param .b32 x, .param .b32 y)\n{\n.reg .b32 "
      "%a<3>;\nld.param.b32 %a1, [x];\nld.param.b32 %a2, [y];\n"
      "mad.lo.u32 %a1, %a1, 10, %a2;\nst.param.b32 [r], %a1;\nret;\n}\n";
  EXPECT_EQ(word("mov.u32 %r1, 4;\ncall (%r2), f, (%r1, 2);\n"
                 "st.global.u32 [%rd0], %r2;",
                 function),
            42u);
}

TEST_F(LanguageTest, AliasesAndVariablesOfFunctions) {
  EXPECT_EQ(word("{\n.param .b32 q;\ncall (q), g;\nld.param.b32 %r1, [q];\n}\n"
                 "st.global.u32 [%rd0], %r1;",
                 ".func (.param .b32 r) f()\n{\n.global .u32 c = 6;\n"
                 ".reg .b32 %a;\nld.global.u32 %a, [c];\n"
                 "st.param.b32 [r], %a;\nret;\n}\n"
                 ".visible .func (.param .b32 r) g();\n.alias g, f;\n"),
            6u);
}

// Tables of functions, as virtual calls have them, reach functions that no
// code names; and another kernel's do, too.
TEST_F(LanguageTest, FunctionsInInitialValues) {
  const char *ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".func (.param .b32 r) one(.param .b32 x);\n"
      ".func (.param .b32 r) two(.param .b32 x);\n"
      ".global .align 8 .u64 table[3] = {one, two, 5};\n"
      ".const .align 8 .u64 pointer = generic(table)+8;\n"
      ".func (.param .b32 r) one(.param .b32 x)\n{\n.reg .b32 %a;\n"
      "ld.param.b32 %a, [x];\nadd.u32 %a, %a, 1;\nst.param.b32 [r], %a;\n"
      "ret;\n}\n"
      ".func (.param .b32 r) two(.param .b32 x)\n{\n.reg .b32 %a;\n"
      "ld.param.b32 %a, [x];\nadd.u32 %a, %a, 200;\nst.param.b32 [r], %a;\n"
      "ret;\n}\n"
      ".visible .entry give(.param .u64 o)\n{\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd0, [o];\nld.const.u64 %rd1, [pointer];\n"
      "ld.u64 %rd2, [%rd1];\nst.global.u64 [%rd0], %rd2;\n"
      "ld.global.u64 %rd3, [table];\nst.global.u64 [%rd0+8], %rd3;\n"
      "ld.global.u64 %rd3, [table+16];\nst.global.u64 [%rd0+16], %rd3;\n"
      "ret;\n}\n"
      ".visible .entry use(.param .u64 o)\n{\n.reg .b64 %rd<4>;\n"
      ".reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\nld.param.u64 %rd0, [o];\n"
      "mul.wide.u32 %rd1, %r1, 8;\nadd.u64 %rd1, %rd0, %rd1;\n"
      "ld.global.u64 %rd2, [%rd1];\n{\n.param .b32 a;\n.param .b32 b;\n"
      "st.param.b32 [a], %r1;\n"
      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (b), %rd2, (a), P;\nld.param.b32 %r2, [b];\n}\n"
      "st.global.u32 [%rd1], %r2;\nret;\n}\n";
  load(ptx);
  uint64_t buffer = output<uint64_t>(3);
  run("give", shape(1, 1), buffer);
  run("use", shape(1, 2), buffer);
  std::vector<uint64_t> words = download<uint64_t>(buffer, 3);
  EXPECT_EQ(uint32_t(words[0]), 200u);
  EXPECT_EQ(uint32_t(words[1]), 2u);
  EXPECT_EQ(words[2], 5u);
  // The third is no function.
  EXPECT_TRUE(tryRun("use", shape(1, 3), buffer).ok());
  ASSERT_FALSE(device.findings().empty());
  EXPECT_EQ(device.findings()[0].kind, FindingKind::InvalidOperation);
}

std::string recursion(const char *locals) {
  return std::string(".func (.param .b32 r) f(.param .b32 n)\n{\n.reg .b32 "
                     "%a<3>;\n.reg .pred %p;\n") +
         locals +
         "ld.param.b32 %a1, [n];\nmov.u32 %a2, 0;\nsetp.eq.u32 %p, %a1, 0;\n"
         "@%p bra DONE;\nsub.u32 %a2, %a1, 1;\n{\n.param .b32 q;\n"
         ".param .b32 s;\nst.param.b32 [q], %a2;\ncall (s), f, (q);\n"
         "ld.param.b32 %a2, [s];\n}\nadd.u32 %a2, %a2, %a1;\nDONE:\n"
         "st.param.b32 [r], %a2;\nret;\n}\n";
}
std::string recursive(unsigned depth) {
  return fmt::format("{{\n.param .b32 q;\n.param .b32 s;\n"
                     "st.param.b32 [q], {};\ncall (s), f, (q);\n"
                     "ld.param.b32 %r1, [s];\n}}\n"
                     "st.global.u32 [%rd0], %r1;",
                     depth);
}

TEST_F(LanguageTest, RecursionHasAStack) {
  EXPECT_EQ(word(recursive(40), recursion("")), 820u);
  // 1 KiB is enough for seven frames of 128 bytes beside what a call saves.
  const char *frame = ".local .b8 frame[128];\n";
  EXPECT_EQ(word(recursive(6), recursion(frame)), 21u);
  EXPECT_NE(runBody(recursive(7), 1, recursion(frame)).find("stack"),
            std::string::npos);
  expectFinding(FindingKind::InvalidOperation, "call (s), f");
  options.stackBytes = 64 * 1024;
  EXPECT_EQ(word(recursive(400), recursion(frame)), 80200u);
  // Without recursion there is as much as the functions need.
  options.stackBytes = 0;
  EXPECT_EQ(word("call f;\nst.global.u32 [%rd0], 3;",
                 ".func f()\n{\n.local .b8 l[4096];\nret;\n}\n"),
            3u);
}

TEST_F(LanguageTest, Heap) {
  const std::string functions =
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
      ".extern .func free(.param .b64 p);\n";
  const std::string allocate =
      "{\n.param .b64 n;\n.param .b64 q;\nst.param.b64 [n], 16;\n"
      "call (q), malloc, (n);\nld.param.b64 %rd4, [q];\n}\n";
  const std::string release = "{\n.param .b64 q;\nst.param.b64 [q], %rd4;\n"
                              "call free, (q);\n}\n";
  EXPECT_EQ(word(allocate + "st.u32 [%rd4+12], 6;\nld.u32 %r1, [%rd4+12];\n" +
                     release + "st.global.u32 [%rd0], %r1;",
                 functions),
            6u);
  runBody(allocate + "ld.u32 %r1, [%rd4];\n" + release, 1, functions);
  expectFinding(FindingKind::UninitializedMemory, "ld.u32");
  runBody(allocate + "st.u32 [%rd4+16], 6;\n" + release, 1, functions);
  expectFinding(FindingKind::OutOfBounds, "st.u32");
  runBody(allocate + release + "st.u32 [%rd4], 6;\n", 1, functions);
  expectFinding(FindingKind::UseAfterFree, "st.u32");
  runBody(allocate + release + release, 1, functions);
  expectFinding(FindingKind::InvalidOperation, "call free");
  // All of a grid at once; what does not fit is null.
  options.threads = 2;
  options.heapBytes = 4096;
  runBody(allocate + "setp.ne.u64 %p1, %rd4, 0;\n"
                     "@%p1 atom.global.add.u32 %r1, [%rd0], 1;",
          64, functions, 8);
  expectClean();
  EXPECT_EQ(download<uint32_t>(buffers[0], 1)[0], 256u);
}

// A barrier of the grid, as cooperative groups write it.
TEST_F(LanguageTest, GridBarrier) {
  loadFile("grid.ptx");
  uint64_t buffer = output<int>(640);
  LaunchConfig config = shape(10, 64);
  int count = 640;
  EXPECT_NE(tryRun("rotate", config, buffer, count).message().find("trap"),
            std::string::npos);
  device.clearFindings();
  config.cooperative = true;
  run("rotate", config, buffer, count);
  std::vector<int> values = download<int>(buffer, 640);
  for (int i = 0; i < 640; ++i)
    ASSERT_EQ(values[i], (i + 101) % 640) << i;
}

} // namespace
